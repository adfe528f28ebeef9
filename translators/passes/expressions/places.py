"""Texts that select a place in a list, or say how many there are of something, as whole numbers.

For an engine that takes numbers there, the input becomes a number; wherever else it is used, its text is meant. The
same holds for an input that is given to one of a nested document that is a number for this reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Constraint, Input, Node, Topology
from bpconvert.translators.passes.expressions.choices import outcomes
from bpconvert.translators.passes.expressions.kinds import step_into
from bpconvert.translators.passes.nesting import given_to
from bpconvert.translators.passes.request import Request

#: type of a result's input -> that of the source that takes its place
WHOLE: Final = "integer"


def integer(value: Any) -> int | None:
    """The whole number that a text is (heat/engine/hot/functions.py, ``GetParam.result``: ``int``); None for none."""
    try:
        return int(value) if isinstance(value, str) else value if type(value) is int else None
    except ValueError:
        return None


def steps(declared: Input, keys: tuple[Value, ...]) -> Iterator[tuple[Value, Value]]:
    """Each key with what it selects from, as far as the default tells: any part of that for a computed key, and some
    list where only the type says that it is one."""
    place: Value = declared.default
    for position, key in enumerate(keys):
        holder = [] if position == 0 and declared.type == "list" and not isinstance(place, list) else place
        yield key, holder
        if isinstance(key, ex.Expr):
            parts = holder.values() if isinstance(holder, dict) else holder if isinstance(holder, list) else ()
            place = next(iter(parts), MISSING)
        else:
            number = integer(key) if isinstance(holder, list) else None
            place = step_into(holder, (key if number is None else number,))


def texts_to_numbers(topology: Topology, request: Request) -> Topology:
    """Let the inputs that are places or numbers of something be whole numbers."""
    places = list(_places(topology))
    names = {name for name in _selecting(topology, request, places) if _may_be_number(topology.inputs[name])}
    if not names and not places:
        return topology
    kept = {id(value) for value in _selectors(topology, request) if _is_one(value, names)}
    numbers = _Numbers(topology, names, kept)
    topology.rewrite(numbers.value, declared=False)
    for name in names:
        _declare(topology.inputs[name], request, name in numbers.as_texts)
    return topology


class _Numbers:
    """Puts numbers in the place of texts. ``names``: the inputs that are numbers then; ``kept``: the ids of values that
    stay as they are; ``as_texts``: gets the inputs of which a text is used."""

    def __init__(self, topology: Topology, names: set[str], kept: set[int]) -> None:
        self.topology, self.names, self.kept = topology, names, kept
        self.as_texts: set[Value] = set()

    def value(self, value: Value) -> Value:
        """A value anywhere."""
        if type(value) in ex.SCALARS or id(value) in self.kept:
            return value
        if not isinstance(value, ex.Input):
            return ex.map_parts(value, self.value)
        declared = self.topology.inputs.get(value.name) if isinstance(value.name, str) else None
        if declared is not None and value.keys:
            inner = steps(declared, value.keys)
            keys = (self._place(key) if isinstance(holder, list) else self.value(key) for key, holder in inner)
            return replace(value, keys=tuple(keys))
        if not _is_one(value, self.names):
            return ex.map_parts(value, self.value)
        self.as_texts.add(value.name)
        return ex.Concat((value,), path=value.path)

    def _place(self, key: Value) -> Value:
        """A step into a list."""
        if isinstance(key, ex.If):
            then, otherwise = self._place(key.then), self._place(key.otherwise)
            return replace(key, condition=self.value(key.condition), then=then, otherwise=otherwise)
        number = integer(key)
        return number if number is not None else key if _is_one(key, self.names) else self.value(key)


def _is_one(value: Value, names: set[str]) -> bool:
    return isinstance(value, ex.Input) and not value.keys and value.name in names


def _places(topology: Topology) -> Iterator[Value]:
    """The keys that select a place in a list, in every use of an input."""
    for expr in ex.walk([*topology.values(declared=False), *_sizes(topology)]):
        if isinstance(expr, ex.Input) and expr.keys and isinstance(expr.name, str) and expr.name in topology.inputs:
            yield from (key for key, holder in steps(topology.inputs[expr.name], expr.keys) if isinstance(holder, list))


def _selecting(topology: Topology, request: Request, places: Iterable[Value]) -> Iterator[str]:
    """The text inputs that are taken for numbers; ``places``: what selects places in lists."""
    wanted = [*_sizes(topology), *_selectors(topology, request)]
    wanted += [outcome for key in places for outcome in outcomes(key)]
    for value in wanted:
        if isinstance(value, ex.Input) and not value.keys and isinstance(value.name, str):
            declared = topology.inputs.get(value.name)
            if declared is not None and declared.type == "string":
                yield value.name


def _sizes(topology: Topology) -> list[Value]:
    """How many members the groups have."""
    return [size for group in topology.groups.values() for size in group.sizes.values()]


def _selectors(topology: Topology, request: Request) -> list[Value]:
    """What is given to inputs of nested documents that are whole numbers by now."""
    return [value for node in topology.nodes.values() for value in _given_by(node, request)]


def _given_by(node: Node, request: Request) -> Iterator[Value]:
    values = given_to(node, request) if node.nested is not None else None
    if node.nested is None or not isinstance(values, dict):
        return
    for name, value in values.items():
        if node.nested.types.get(node.nested.names.get(name, "")) == WHOLE:
            yield value


def _may_be_number(declared: Input) -> bool:
    return declared.default is MISSING or integer(declared.default) is not None


def _declare(declared: Input, request: Request, is_text_too: bool) -> None:
    """Declare a text input as a number, with the same default and the constraints that a number can have."""
    report, default = request.reporter.report, declared.default
    report("BPC218" if declared.default is MISSING else "BPC516", (*declared.path, "type"), name=declared.name)
    number = integer(default)
    if number is not None:
        if is_text_too and str(number) != default:
            report("BPC517", (*declared.path, "default"), name=declared.name, value=default, number=number)
        declared.default = number
    declared.type = "number"
    constraints: list[Constraint] = []
    for constraint in declared.constraints:
        numbers = [integer(item) for item in constraint.argument] if isinstance(constraint.argument, list) else [None]
        if constraint.kind == "allowed_values" and None not in numbers:
            constraints.append(replace(constraint, argument=numbers))
        elif constraint.word:
            report("BPC502", constraint.path, what=f"the constraint '{constraint.word}' of a number")
    declared.constraints = constraints
