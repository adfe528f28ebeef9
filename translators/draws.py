"""Values drawn at random for inputs and runtime attributes: the same seed draws the same ones."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

from bpconvert.models.expressions import MISSING, Expr, Value, is_constant
from bpconvert.models.topology import Input
from bpconvert.translators.hot.parameters import check_constraint, coerce

#: how often a value is drawn anew that a constraint refuses
_TRIES = 40


def input_value(declared: Input, seed: str) -> Value:
    """A value that the input takes; MISSING where none is found (its default counts then)."""
    choose = random.Random(f"{seed} {declared.name}")
    listed = [c.argument for c in declared.constraints if c.kind == "allowed_values" and c.argument]
    for _ in range(_TRIES):
        value = choose.choice(listed[0]) if listed else _draw(declared, choose)
        if listed and declared.type == "list":
            value = [value]
        if _accepted(declared, value):
            return value
    return MISSING


def _draw(declared: Input, choose: random.Random) -> Value:
    kind = declared.type or _kind_of(declared.default)
    if kind == "number":
        bounds = next((c.argument for c in declared.constraints if c.kind == "range"), {})
        low = bounds.get("min", 0)
        return choose.randint(int(low), int(bounds.get("max", int(low) + 1000)))
    if kind == "boolean":
        return choose.random() < 0.5
    if kind == "list":
        return [_word(choose) for _ in range(choose.randint(1, 3))]
    if kind == "json":
        return _varied(declared.default, choose) if is_constant(declared.default) else {_word(choose): _word(choose)}
    lengths = next((c.argument for c in declared.constraints if c.kind == "length"), {})
    return _word(choose, int(lengths.get("min") or 0), int(lengths.get("max") or 12))


def _kind_of(default: Value) -> str:
    """The type of an input that does not say it, by its default."""
    if isinstance(default, bool):
        return "boolean"
    return "number" if isinstance(default, (int, float)) else "json" if isinstance(default, (dict, list)) else "string"


def _word(choose: random.Random, least: int = 0, most: int = 12) -> str:
    length = choose.randint(max(least, 1), max(most, least, 1))
    return "".join(choose.choices("abcdefghijklmnopqrstuvwxyz0123456789-", k=length)) or "a"


def _varied(value: Any, choose: random.Random) -> Any:
    """Data of the same shape with other texts in it."""
    if isinstance(value, dict):
        return {key: _varied(item, choose) for key, item in value.items()}
    if isinstance(value, list):
        return [_varied(item, choose) for item in value]
    return _word(choose) if isinstance(value, str) else value


def _accepted(declared: Input, value: Value) -> bool:
    """True for a value that breaks no constraint."""
    if declared.type is None:
        return True
    try:
        coerce(declared.type, value)
        for constraint in declared.constraints:
            check_constraint(declared.type, constraint.kind, constraint.argument, value)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


class Attributes(Mapping[Any, Any]):
    """Attributes of a node: every one that is asked for has a text of its own, and so has every part of one."""

    def __init__(self, node: str, seed: str) -> None:
        self.node = node
        self.seed = seed

    def __getitem__(self, key: Any) -> str:
        found = hashlib.sha256(f"{self.seed} {self.node} {key!r}".encode()).hexdigest()[:10]
        return f"{self.node}-{found}"

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0


def identity(node: str) -> str:
    """What identifies a node that is created."""
    return f"{node}-id"


def decided(declared: Input, value: Value) -> bool:
    """True where an input's value is plain data, so that it can be given."""
    return value is not MISSING and not isinstance(value, Expr)
