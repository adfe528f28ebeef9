"""What a scalar means: the implicit resolution and the tags of PyYAML's SafeLoader, which both engines use.

That is YAML 1.1 with PyYAML's own corners: ``yes`` is true but ``y`` is text, ``010`` is 8, ``0o10`` is text, ``1:30``
is 90, ``1e3`` is text and ``1.0e+3`` a number. Heat alone keeps timestamps as text (``timestamps=False``).
The regular expressions are those of PyYAML's ``resolver.py``, so that nothing is read differently.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from typing import Any

FLOAT = re.compile(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
    r"|[-+]?\.(?:inf|Inf|INF)"
    r"|\.(?:nan|NaN|NAN)"
)
INTEGER = re.compile(
    r"[-+]?0b[0-1_]+"
    r"|[-+]?0[0-7_]+"
    r"|[-+]?(?:0|[1-9][0-9_]*)"
    r"|[-+]?0x[0-9a-fA-F_]+"
    r"|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+"
)
TIMESTAMP = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)
TIMESTAMP_PARTS = (
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]*))?"
    r"(?:[ \t]*(?P<zone>Z|(?P<sign>[-+])(?P<zone_hour>[0-9]{1,2})(?::(?P<zone_minute>[0-9]{2}))?))?)?"
)

TAG_PREFIX = "tag:yaml.org,2002:"
CACHE_SIZE = 4096
CACHED_LENGTH = 128


class Unreadable(ValueError):
    """The engines would refuse this scalar; the text says why. The caller knows where it stands."""


class Indicator:
    """A plain scalar that is no value: ``<<`` (merge), ``=`` (default value); others come by the tag ``!`` alone."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


MERGE = Indicator("<<")
DEFAULT = Indicator("=")

BOOLEANS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}
CONSTANTS: dict[str, Any] = {
    **{spell(word): value for word, value in BOOLEANS.items() for spell in (str.lower, str.title, str.upper)},
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **{indicator.text: indicator for indicator in (MERGE, DEFAULT, Indicator("!"), Indicator("&"), Indicator("*"))},
}
SPECIAL_STARTS = frozenset("+-.0123456789" + "".join(word[:1] for word in CONSTANTS)) | {""}


def resolve(text: str, timestamps: bool = False) -> Any:
    """The value of a plain scalar: str, int, float, bool, None, an :class:`Indicator`, or a date with ``timestamps``.

    Raises :class:`Unreadable` for the few texts that look like a number or date but are none (``0b_``, ``2013-13-01``).
    """
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text[:1] in "+-.0123456789":
        if INTEGER.fullmatch(text):
            return integer(text)
        if FLOAT.fullmatch(text):
            return real(text)
        if timestamps and re.fullmatch(TIMESTAMP, text):
            return timestamp(text)
    return text


class PlainScalars(dict[str, Any]):
    """The value of each plain scalar by its text, worked out once: ``plain[text]``."""

    __slots__ = ("timestamps",)

    def __init__(self, timestamps: bool) -> None:
        super().__init__()
        self.timestamps = timestamps

    def __missing__(self, text: str) -> Any:
        value = resolve(text, self.timestamps) if text[:1] in SPECIAL_STARTS else text
        if len(text) <= CACHED_LENGTH:
            if len(self) >= CACHE_SIZE:
                self.clear()
            self[text] = value
        return value


PLAIN = {False: PlainScalars(timestamps=False), True: PlainScalars(timestamps=True)}


# -- the tags of scalars ----------------------------------------------------------------------------------------


def integer(text: str) -> int:
    """``text`` as PyYAML reads ``!!int``: binary, octal, hexadecimal, base 60, underscores anywhere."""
    sign, digits = _sign(text, "whole number")
    try:
        if digits == "0":
            return 0
        if digits.startswith("0b"):
            return sign * int(digits[2:], 2)
        if digits.startswith("0x"):
            return sign * int(digits[2:], 16)
        if digits[0] == "0":
            return sign * int(digits, 8)
        if ":" in digits:
            return sign * int(_base_60([int(part) for part in digits.split(":")], 0))
        return sign * int(digits)
    except (ValueError, IndexError):
        raise Unreadable(f"{_shown(text)} looks like a whole number but is none") from None


def real(text: str) -> float:
    """``text`` as PyYAML reads ``!!float``: ``.inf``, ``.nan``, base 60, underscores anywhere."""
    sign, digits = _sign(text.lower(), "number")
    try:
        if digits == ".inf":
            return sign * float("inf")
        if digits == ".nan":
            return float("nan")
        if ":" in digits:
            return sign * float(_base_60([float(part) for part in digits.split(":")], 0.0))
        return sign * float(digits)
    except ValueError:
        raise Unreadable(f"{_shown(text)} is not a number") from None


def boolean(text: str) -> bool:
    """``text`` as PyYAML reads ``!!bool``."""
    try:
        return BOOLEANS[text.lower()]
    except KeyError:
        raise Unreadable(f"{_shown(text)} is neither true nor false") from None


def timestamp(text: str) -> date | datetime:
    """``text`` as PyYAML reads ``!!timestamp``: a date, or a datetime when it names an hour."""
    match = re.fullmatch(TIMESTAMP_PARTS, text)
    try:
        if match is None:
            raise ValueError
        part = match.groupdict()
        day = int(part["year"]), int(part["month"]), int(part["day"])
        if not part["hour"]:
            return date(*day)
        micro = int((part["fraction"] or "")[:6].ljust(6, "0"))
        zone = None
        if part["sign"]:
            offset = timedelta(hours=int(part["zone_hour"]), minutes=int(part["zone_minute"] or 0))
            zone = timezone(-offset if part["sign"] == "-" else offset)
        elif part["zone"]:
            zone = timezone.utc
        return datetime(*day, int(part["hour"]), int(part["minute"]), int(part["second"]), micro, zone)
    except ValueError:
        raise Unreadable(f"{_shown(text)} is not a date or time") from None


def binary(text: str) -> bytes:
    """``text`` as PyYAML reads ``!!binary``: base64."""
    from binascii import a2b_base64

    try:
        return a2b_base64(text.encode("ascii"))
    except ValueError:
        raise Unreadable("the text of !!binary is not base64") from None


def _sign(text: str, kind: str) -> tuple[int, str]:
    digits = text.replace("_", "")
    if not digits:
        raise Unreadable(f"{_shown(text)} is not a {kind}")
    return (-1 if digits[0] == "-" else 1), digits[1:] if digits[0] in "+-" else digits


def _base_60(digits: list[Any], total: Any) -> Any:
    """The digits as one number, added up from the right as PyYAML does (which matters for the last bit of a float)."""
    base = 1
    for digit in reversed(digits):
        total += digit * base
        base *= 60
    return total


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


SCALAR_TAGS: dict[str, Callable[[str], Any]] = {
    TAG_PREFIX + "str": str,
    TAG_PREFIX + "null": lambda text: None,
    TAG_PREFIX + "bool": boolean,
    TAG_PREFIX + "int": integer,
    TAG_PREFIX + "float": real,
    TAG_PREFIX + "binary": binary,
    TAG_PREFIX + "timestamp": timestamp,
    TAG_PREFIX + "merge": lambda text: MERGE,
    TAG_PREFIX + "value": lambda text: DEFAULT,
}
