"""Sizes and rates with units: what of a source may have become a plain number.

A size of ``1 GB`` becomes 954 where the other language counts MiB. Another number has no exact form in GB then, and is
written in the unit in which it is counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

_PREFIXES: Final = {
    "": 1, "k": 1000, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4,
    "Ki": 1024, "Mi": 1024**2, "Gi": 1024**3, "Ti": 1024**4,
}  # fmt: skip
_WITH_UNIT: Final = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)(\s*)((?:[kKMGT]i?)?)(B|bps|Bps|Hz)")


def in_units(value: Any, before: Any, after: Any) -> Iterator[Any]:
    """``value`` of a source, which became the whole number ``before``, for ``after``: in its own unit where that is
    exact, else in the one in which the number is counted. Nothing where it cannot have become ``before``."""
    if type(before) is not int or type(after) is not int or after < 0:
        return
    if type(value) is int and value >= 1000:
        yield from (after * factor for factor in _factors(Fraction(value), before) if factor > 1)
        return
    match = _WITH_UNIT.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return
    number, space, prefix, unit = match.groups()
    own = _PREFIXES[prefix]
    for factor in _factors(Fraction(number) * own, before):
        exact = Fraction(after * factor, own)
        if exact.denominator == 1:
            yield f"{exact.numerator}{space}{prefix}{unit}"
        counted = next((name for name, size in _PREFIXES.items() if size == factor), None)
        if counted is not None:
            yield f"{after}{space}{counted}{unit}"


def _factors(size: Fraction, number: int) -> Iterator[int]:
    """The units of which a size has this number, rounded in some way."""
    for factor in dict.fromkeys(_PREFIXES.values()):
        count = size / factor
        if number in (ceil(count), floor(count), round(count)) and number:
            yield factor
