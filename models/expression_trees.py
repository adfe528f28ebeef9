"""What all expressions have in common, and ways through a value that has some in it.

The classes themselves are in :mod:`bpconvert.models.expressions`, which has these names, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import is_
from typing import Any, ClassVar, Final, TypeAlias

from bpconvert.models.light import dataclass, field, replace, rows

Path: TypeAlias = tuple[Any, ...]
#: A scalar, list, map or :class:`Expr`, nested at will.
Value: TypeAlias = Any


class _Missing:
    """The value of an argument that was not written (``None`` is a value in every dialect)."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
#: classes of values that nothing is in
SCALARS: Final = frozenset({str, int, float, bool, type(None), _Missing})


#: texts of expressions that are remembered, as they are the keys of many tables: longer ones would take much memory
_SHORT: Final = 200


@dataclass(eq=False, repr=False)
class Expr:
    """Base of all expressions. They are values: never changed, and equal when their class and fields are. (That is
    written once here: generating it for forty classes would cost a tenth of the start-up time.)

    YIELDS: what a value of the class is: ``text``, ``number``, ``boolean``, ``list`` or ``map``; ``any`` where that
    depends on its arguments.
    NEEDS: what has to be known besides the arguments: ``inputs``, the ``template`` and what is beside it, the running
    ``deployment``, or the ``language`` that it is of; "" for a function of its arguments alone."""

    YIELDS: ClassVar[str] = "any"
    NEEDS: ClassVar[str] = ""

    path: Path = field(default=(), kw_only=True)

    def __init_subclass__(cls, yields: str = "any", needs: str = "") -> None:
        cls.YIELDS, cls.NEEDS = yields, needs

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in field_names(type(self)))

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        text: str | None = self.__dict__.get("_text")
        if text is None:
            inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in field_names(type(self)))
            text = f"{type(self).__name__}({inner})"
            if len(text) <= _SHORT:
                self.__dict__["_text"] = text
        return text


# -- walking ------------------------------------------------------------------------------------------------

_FIELDS: dict[type[Expr], tuple[str, ...]] = {}


def field_names(kind: type[Expr]) -> tuple[str, ...]:
    """The names of an expression class's own fields (without ``path``)."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(row.name for row in rows(kind) if row.name != "path")
    return _FIELDS[kind]


def is_constant(value: Value) -> bool:
    """True when no expression occurs anywhere in ``value``."""
    if type(value) in SCALARS:
        return True
    if isinstance(value, Expr):
        return False
    if isinstance(value, dict):
        return all(map(is_constant, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_constant, value))
    return True


def walk(value: Value) -> Iterator[Expr]:
    """Every expression in ``value``, outer ones first."""
    return _walk(value) if value and type(value) not in SCALARS else iter(())


def _walk(value: Value) -> Iterator[Expr]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        inner: Iterable[Value] = ()
        if isinstance(part, Expr):
            yield part
            inner = [getattr(part, name) for name in field_names(type(part))]
        elif isinstance(part, dict):
            inner = part.values()
        elif isinstance(part, (list, tuple)):
            inner = part
        if inner:
            waiting += [item for item in inner if item and type(item) not in SCALARS][::-1]


def map_fields(expr: Expr, function: Callable[[Value], Value]) -> Expr:
    """The same expression with ``function`` applied to each field; ``expr`` itself when nothing changed."""
    changes: dict[str, Any] = {}
    for name in field_names(type(expr)):
        old = getattr(expr, name)
        new = _map_items(old, function) if isinstance(old, tuple) else function(old)
        if new is not old:
            changes[name] = new
    return replace(expr, **changes) if changes else expr


def map_parts(value: Value, function: Callable[[Value], Value]) -> Value:
    """``value`` with ``function`` applied to each part of an expression, map or list; itself when nothing changed."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, Expr):
        return map_fields(value, function)
    if isinstance(value, dict):
        pairs = {key: function(item) for key, item in value.items()}
        return value if all(map(is_, pairs.values(), value.values())) else pairs
    return _map_items(value, function) if isinstance(value, (list, tuple)) else value


def _map_items(
    value: list[Value] | tuple[Value, ...], function: Callable[[Value], Value]
) -> list[Value] | tuple[Value, ...]:
    items = [function(item) for item in value]
    return value if all(map(is_, items, value)) else tuple(items) if isinstance(value, tuple) else items


def transform(value: Value, function: Callable[[Expr], Value]) -> Value:
    """``value`` with ``function`` applied to every expression in it, inner ones first; unchanged parts are shared."""
    if type(value) in SCALARS:
        return value
    parts: Iterable[tuple[Any, Value]]
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, Expr):
        parts = [(name, getattr(value, name)) for name in field_names(type(value))]
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)
    else:
        return value
    changes: dict[Any, Value] = {}
    for at, old in parts:
        if type(old) not in SCALARS:
            new = transform(old, function)
            if new is not old:
                changes[at] = new
    if isinstance(value, Expr):
        return function(replace(value, **changes) if changes else value)
    if not changes:
        return value
    if isinstance(value, dict):
        return {**value, **changes}
    items = [changes.get(index, item) for index, item in enumerate(value)]
    return tuple(items) if isinstance(value, tuple) else items
