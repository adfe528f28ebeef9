"""What a scalar means: the implicit resolution and the tags of PyYAML's SafeLoader, which both engines use; and the
core schema of YAML 1.2, which languages that ask for it have.

That is YAML 1.1 with PyYAML's own corners: ``yes`` is true but ``y`` is text, ``010`` is 8, ``0o10`` is text, ``1:30``
is 90, ``1e3`` is text and ``1.0e+3`` a number. Timestamps stay text, as in Heat.
The regular expressions are those of PyYAML's ``resolver.py``, so that nothing is read differently."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bpconvert.models.light import NamedTuple

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
TAG_PREFIX = "tag:yaml.org,2002:"
CACHE_SIZE = 4096
CACHED_LENGTH = 128
#: decimal digits that Python makes a number of, and a text of a number (sys.int_info.default_max_str_digits); and
#: digits to the base of 60, which are at least as many
MOST_DIGITS = 4300
_MOST_SIXTIETHS = 2500


class Unreadable(ValueError):
    """The engines would refuse this scalar; the text says why. The caller knows where it stands."""


class Indicator(NamedTuple):
    """A plain scalar that is no value: ``<<`` (merge), ``=`` (default value); others come by the tag ``!`` alone."""

    text: str


MERGE = Indicator("<<")
DEFAULT = Indicator("=")

BOOLEANS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}
CONSTANTS: dict[str, Any] = {
    **{spell(word): value for word, value in BOOLEANS.items() for spell in (str.lower, str.title, str.upper)},
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **{indicator.text: indicator for indicator in (MERGE, DEFAULT, Indicator("!"), Indicator("&"), Indicator("*"))},
}
SPECIAL_STARTS = frozenset("+-.0123456789" + "".join(word[:1] for word in CONSTANTS)) | {""}


def resolve(text: str) -> Any:
    """The value of a plain scalar: str, int, float, bool, None or an :class:`Indicator`.

    Raises :class:`Unreadable` for the few texts that look like a number but are none (``0b_``)."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text[:1] in "+-.0123456789":
        if INTEGER.fullmatch(text):
            return integer(text)
        if FLOAT.fullmatch(text):
            return real(text)
    return text


#: the core schema of YAML 1.2 (YAML 1.2.2, 10.3.2)
_CORE_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_CORE_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_CORE_CONSTANTS: dict[str, Any] = {
    **{spell(word): word == "true" for word in ("true", "false") for spell in (str.lower, str.title, str.upper)},
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    "<<": MERGE,
}


def resolve_core(text: str) -> Any:
    """The value of a plain scalar by the core schema of YAML 1.2: ``no`` is text, ``010`` is 10, ``0o10`` is 8 and
    ``1e3`` a number. ``<<`` merges all the same, as every reader of such documents has it."""
    if text in _CORE_CONSTANTS:
        return _CORE_CONSTANTS[text]
    if text[:1] in "+-.0123456789":
        if _CORE_INTEGER.fullmatch(text):
            base = {"0o": 8, "0x": 16}.get(text[:2], 10)
            if len(text) > MOST_DIGITS:
                raise Unreadable(f"{_shown(text)} is a whole number of more than {MOST_DIGITS} digits")
            return int(text[2:] if base != 10 else text, base)
        if _CORE_FLOAT.fullmatch(text):
            return real(text)
    return text


class PlainScalars(dict[str, Any]):
    """The value of each plain scalar by its text, worked out once: ``plain[text]``."""

    __slots__ = ("resolver",)

    def __init__(self, resolver: Callable[[str], Any]) -> None:
        super().__init__()
        self.resolver = resolver

    def __missing__(self, text: str) -> Any:
        value = self.resolver(text) if text[:1] in SPECIAL_STARTS else text
        if len(text) <= CACHED_LENGTH:
            if len(self) >= CACHE_SIZE:
                self.clear()
            self[text] = value
        return value


PLAIN = PlainScalars(resolve)
CORE = PlainScalars(resolve_core)


def integer(text: str) -> int:
    """``text`` as PyYAML reads ``!!int``: binary, octal, hexadecimal, base 60, underscores anywhere."""
    sign, digits = _sign(text, "whole number")
    try:
        number = _all_digits(digits)
    except (ValueError, IndexError):
        raise Unreadable(f"{_shown(text)} looks like a whole number but is none") from None
    if number is None or number >= 10**MOST_DIGITS:
        raise Unreadable(f"{_shown(text)} is a whole number of more than {MOST_DIGITS} digits")
    return sign * number


def _all_digits(digits: str) -> int | None:
    """The number without a sign; None for one that is too large to be made of its text. Raises ValueError and
    IndexError for none."""
    if digits.startswith("0b"):
        return int(digits[2:], 2)
    if digits.startswith("0x"):
        return int(digits[2:], 16)
    if digits[0] == "0" and digits != "0":
        return int(digits, 8)
    if ":" in digits:
        parts = digits.split(":")
        if len(parts) > _MOST_SIXTIETHS or len(parts[0]) > MOST_DIGITS:
            return None
        return int(_base_60([int(part) for part in parts], 0))
    return int(digits) if len(digits) <= MOST_DIGITS else None


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
    except (ValueError, OverflowError):
        raise Unreadable(f"{_shown(text)} is not a number") from None


def boolean(text: str) -> bool:
    """``text`` as PyYAML reads ``!!bool``."""
    try:
        return BOOLEANS[text.lower()]
    except KeyError:
        raise Unreadable(f"{_shown(text)} is neither true nor false") from None


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
    TAG_PREFIX + "timestamp": str,
    TAG_PREFIX + "merge": lambda text: MERGE,
    TAG_PREFIX + "value": lambda text: DEFAULT,
}
