"""Names for the conditions of a topology, made from what they compare."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.support.text import ascii_text, fresh

_LONGEST = 48


class ConditionNames:
    """Decides which conditions get a name: those used more than once, and those of several parts.

    First :meth:`count` every condition, then :meth:`named` gives what to write for it; ``definitions`` are those that
    were needed, each after those that it names."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._uses: Counter[str] = Counter()
        self._whole: set[str] = set()
        self._names: dict[str, str] = {}
        self.definitions: dict[str, Value] = {}

    @property
    def are_wanted(self) -> bool:
        """True when conditions have been counted."""
        return bool(self._uses)

    def count(self, condition: Value) -> None:
        """One use of ``condition`` in the template."""
        self._whole.add(repr(condition.operand if isinstance(condition, ex.Not) else condition))
        self._count(condition)

    def _count(self, condition: Value) -> None:
        key = repr(condition)
        self._uses[key] += 1
        if self._uses[key] > 1:
            return
        for operand in _operands(condition):
            self._count(operand)

    def with_names(self, condition: Value) -> Value:
        """``condition``, or the name of it."""
        key = repr(condition)
        if key in self._names:
            return ex.Condition(self._names[key], path=condition.path)
        if isinstance(condition, ex.Not):
            written: Value = ex.Not(self.with_names(condition.operand), path=condition.path)
        elif isinstance(condition, (ex.And, ex.Or)):
            operands = tuple(self.with_names(operand) for operand in condition.operands)
            written = type(condition)(operands, path=condition.path)
        else:
            written = condition
        if not self._wants_name(condition, key):
            return written
        name = self._names[key] = fresh(described(condition), self._taken)
        self._taken.add(name)
        self.definitions[name] = written
        return ex.Condition(name, path=condition.path)

    def _wants_name(self, condition: Value, key: str) -> bool:
        if isinstance(condition, (ex.And, ex.Or)):
            return key in self._whole or self._uses[key] > 1
        if isinstance(condition, ex.Equals):
            return self._uses[key] > 1
        if isinstance(condition, ex.Not):
            return self._uses[key] > 1 and not self._wants_name(condition.operand, repr(condition.operand))
        return False


def _operands(condition: Value) -> tuple[Value, ...]:
    if isinstance(condition, ex.Not):
        return (condition.operand,)
    return condition.operands if isinstance(condition, (ex.And, ex.Or)) else ()


def described(condition: Value) -> str:
    """A name for what ``condition`` compares: ``env_is_prod``, ``not_ha``, ``a_and_b``."""
    if isinstance(condition, ex.Equals):
        return _compared(condition, "is")
    if isinstance(condition, ex.Not):
        inner = condition.operand
        return _compared(inner, "is_not") if isinstance(inner, ex.Equals) else f"not_{described(inner)}"
    if isinstance(condition, (ex.And, ex.Or)):
        word = "and" if isinstance(condition, ex.And) else "or"
        parts = [described(operand) for operand in condition.operands]
        name = f"_{word}_".join(parts)
        return name if len(name) <= _LONGEST else f"{parts[0][:_LONGEST]}_{word}_more"
    return _word(condition)


def _compared(equals: ex.Equals, verb: str) -> str:
    return f"{_word(equals.left)}_{verb}_{_word(equals.right)}"


def _word(value: Value) -> str:
    """A short text for a reference or a literal."""
    parts: list[Any] = [value]
    if isinstance(value, ex.Input):
        parts = [value.name, *value.keys]
    elif isinstance(value, ex.Condition):
        parts = [value.name]
    if parts == [""]:
        return "empty"
    plain = ascii_text("_".join(str(part) for part in parts if not isinstance(part, ex.Expr)))
    return re.sub(r"\W+", "_", plain).strip("_")[:_LONGEST] or "other"
