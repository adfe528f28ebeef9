"""Constraints of Heat's property schemas (``heat/engine/constraints.py``), as far as no service has to be asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from bpconvert.translators.support.patterns import TooLongError, match_end

#: the longest name, and part of a name, of the domain name system (``heat/common/netutils.py``)
_NAME, _LABEL = 255, 63


def broken(constraint: dict[str, Any], value: Any, kind: str) -> str | None:
    """What ``value`` (as Heat coerces it to the property type ``kind``) breaks, in words; None where it holds."""
    name = next((name for name in constraint if name in _CHECKS), None)
    return _CHECKS[name](constraint[name], value, kind) if name else None


def is_local(constraint: dict[str, Any]) -> bool:
    """True for a constraint that no service has to be asked about."""
    return constraint.get("custom_constraint", "") in ("", *_LOCAL)


def _length(bounds: dict[str, Any], value: Any, kind: str) -> str | None:
    return _within(bounds, len(value), "must have", " characters" if isinstance(value, str) else " entries")


def _within(bounds: dict[str, Any], number: Any, verb: str, unit: str = "") -> str | None:
    least, most = bounds.get("min"), bounds.get("max")
    if (least is None or number >= least) and (most is None or number <= most):
        return None
    if most is None:
        wanted = f"at least {least}"
    elif least is None:
        wanted = f"at most {most}"
    else:
        wanted = f"{least} to {most}"
    return f"{verb} {wanted}{unit}, not {number}"


def _values(allowed: list[Any], value: Any, kind: str) -> str | None:
    if isinstance(value, list):
        wrong = next((item for item in value if item not in allowed), None)
    else:
        wrong = None if value in (map(str, allowed) if kind == "string" else allowed) else value
    return None if wrong is None else f"must be one of {', '.join(map(str, allowed))}, not {wrong!r}"


def _pattern(pattern: str, value: Any, kind: str) -> str | None:
    try:
        return None if match_end(pattern, value) == len(value) else f"must match {pattern}, which {value!r} does not"
    except TooLongError:
        return None


def _modulo(argument: dict[str, Any], value: Any, kind: str) -> str | None:
    step, offset = argument["step"], argument["offset"]
    return None if value % step == offset else f"must be a multiple of {step} with an offset of {offset}, not {value}"


def _custom(name: str, value: Any, kind: str) -> str | None:
    wanted, holds = _LOCAL.get(name, ("", None))
    return None if holds is None or holds(value) else f"must be {wanted}, not {value!r}"


_CHECKS: Final[dict[str, Callable[[Any, Any, str], str | None]]] = {
    "range": lambda bounds, value, kind: _within(bounds, value, "must be"),
    "length": _length,
    "allowed_values": _values,
    "allowed_pattern": _pattern,
    "modulo": _modulo,
    "custom_constraint": _custom,
}


def _is_address(value: Any) -> bool:
    from ipaddress import IPv4Address, IPv6Address

    try:
        return bool(IPv6Address(value) if ":" in value else IPv4Address(value))
    except (ValueError, TypeError):
        return False


def _is_network(value: Any) -> bool:
    address, slash, length = value.partition("/") if isinstance(value, str) else ("", "", "")
    if not slash or not _is_address(address):
        return False
    if not length.isdecimal():
        return ":" in address and _is_address(length)
    return int(length) <= (128 if ":" in address else 32) and length == str(int(length))


def _is_hardware_address(value: Any) -> bool:
    return isinstance(value, str) and bool(
        re.fullmatch(r"([0-9a-f]{1,2}([:-]))([0-9a-f]{1,2}\2){4}[0-9a-f]{1,2}|([0-9a-f]{1,4}\.){2}[0-9a-f]{1,4}|"
                     r"([0-9a-f]{1,4}:){2}[0-9a-f]{1,4}|[0-9a-f]{12}|[0-9a-f]{5,6}[:-][0-9a-f]{5,6}", value, re.I)
    )  # fmt: skip


def _is_name(value: Any) -> bool:
    if not value:
        return True
    if not isinstance(value, str):
        return False
    parts = value.removesuffix(".").split(".")
    if len(value.removesuffix(".")) > _NAME or (value.endswith(".") and len(parts) > 1 and parts[-1].isdecimal()):
        return False
    return all(re.match(rf"(?!-)[a-z0-9-]{{1,{_LABEL}}}(?<!-)$", part) for part in parts)


def _is_json(value: Any) -> bool:
    try:
        return not value or bool(json.dumps(json.loads(value)))
    except ValueError:
        return False


#: constraint -> what it wants, and whether a value is that; the others ask services, or need a calendar
_LOCAL: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "ip_addr": ("an IP address", _is_address),
    "net_cidr": ("a network in CIDR notation", _is_network),
    "ip_or_cidr": ("an IP address or network", lambda value: _is_address(value) or _is_network(value)),
    "mac_addr": ("a MAC address", _is_hardware_address),
    "dns_name": ("a domain name", _is_name),
    "rel_dns_name": (
        "a relative domain name",
        lambda name: not name or (_is_name(name) and name[-1] != "." and len(name) <= _NAME - 3),
    ),
    "dns_domain": ("a domain name that ends with a dot", lambda name: not name or (_is_name(name) and name[-1] == ".")),
    "json_string": ("JSON", _is_json),
}
