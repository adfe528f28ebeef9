"""Sizes with units (``scalar-unit.size``: Simple Profile 1.3, 3.3.6.4) as numbers.

OpenStack counts memory in MiB and disks in GiB: numbers are rounded up, so that nothing becomes smaller."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Constraint, Input
from bpconvert.translators.support.constraints import accept_data

#: type of inputs and properties that have a size
SIZE: Final = "scalar-unit.size"
MIB: Final = 1024**2
GIB: Final = 1024**3
_UNITS: Final = {
    "b": 1, "kb": 1000, "kib": 1024, "mb": 1000**2, "mib": MIB, "gb": 1000**3, "gib": GIB, "tb": 1000**4,
    "tib": 1024**4,
}  # fmt: skip
#: no machine has a size of more digits; engines take any case and any space between (tosca-parser:
#: ``ScalarUnit.validate_scalar_unit``)
_SIZE: Final = re.compile(r"\s*([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([A-Za-z]+)\s*")
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)


def bytes_of(value: Value) -> Fraction | None:
    """The number of bytes; None for what is no size with a unit."""
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    unit = _UNITS.get(match[2].lower()) if match is not None else None
    return None if match is None or unit is None else Fraction(match[1]) * unit


def rounded_up(value: Value, unit: int) -> int | None:
    """How many of ``unit`` a size needs, rounded up; None for what is no size."""
    size = bytes_of(value)
    return None if size is None else math.ceil(size / unit)


def is_exact(value: Value, unit: int) -> bool:
    """True for a size that is so many of ``unit``, and nothing more."""
    size = bytes_of(value)
    return size is not None and (size / unit).denominator == 1


def number(value: Value) -> Value | None:
    """A number of instances: a whole number, also one in a text (tosca-parser: ``validate_integer``), or what is
    computed; None for anything else."""
    if isinstance(value, Expr) or type(value) is int:
        return value
    return int(value) if isinstance(value, str) and _WHOLE.fullmatch(value) else None


def count_gib(declared: Input) -> None:
    """Make an input that takes a size one that takes a number of GiB, with its default and constraints.
    The pass that chooses machines reports those that are left (:mod:`~.passes.choosing`)."""
    declared.type, declared.unit = "number", GIB
    declared.default = _converted(declared.default)
    declared.constraints = [_constraint(constraint) for constraint in declared.constraints]


def accept(declared: Input, value: Any) -> Value:
    """What a reference to the input yields when it is given ``value``: of a size with a unit, the number that the input
    has become. Raises ValueError where the type or a constraint refuses it."""
    number = rounded_up(value, declared.unit) if declared.unit else None
    return accept_data(declared, value if number is None else number)


def _converted(value: Any) -> Any:
    if value is MISSING or isinstance(value, Expr):
        return value
    number = rounded_up(value, GIB)
    return value if number is None else number


def _constraint(constraint: Constraint) -> Constraint:
    argument = constraint.argument
    if isinstance(argument, dict):
        argument = {key: _converted(bound) for key, bound in argument.items()}
    elif isinstance(argument, list):
        argument = [_converted(item) for item in argument]
    return replace(constraint, argument=argument)
