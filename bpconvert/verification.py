"""Do two documents mean the same? Both are evaluated under the same inputs and runtime values, and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from bpconvert.api import dialect_of, read
from bpconvert.diagnostics import Reporter, Span
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.options import Options
from bpconvert.translators import draws
from bpconvert.translators.cloudify.properties import same
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.specialise import given_value
from bpconvert.translators.types import Catalogue, PropertyRule, builtin
from bpconvert.yamlio.document import Document

#: what stands for a value that the engine refuses to compute
REFUSED = "<refused>"


class Difference(NamedTuple):
    """A place where two documents differ. ``first`` and ``second``: the values (MISSING: there is none); the places in
    both files; ``inputs``: under which they differ."""

    what: str
    first: Any
    second: Any
    first_place: Span
    second_place: Span
    inputs: dict[str, Any]


@dataclass
class Verification:
    """``compared``: how many values (all draws together); ``differences``: one for each place."""

    compared: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """True when no difference was found."""
        return not self.differences


def verify(
    first: str | bytes | Path,
    second: str | bytes | Path,
    *,
    inputs: Mapping[str, Any] | None = None,
    count: int = 5,
    seed: int = 0,
    options: Options | None = None,
) -> Verification:
    """Compare what two documents of any dialects mean: nodes with their properties and dependencies, and outputs.

    Args:
        first, second: as for :func:`bpconvert.convert`.
        inputs: parameters and inputs that are given; the others have their defaults at first, then drawn values.
        count: how many times values are drawn.
        seed: the same one draws the same values.
        options: ``allow_outside`` counts.

    Raises:
        SourceError, OSError: as :func:`bpconvert.convert`.
        ValueError: an input does not take the value given.
    """
    sides = [_side(one, options or Options()) for one in (first, second)]
    result = Verification()
    seen: set[str] = set()
    for number in range(count + 1):
        values = _inputs(sides, inputs or {}, f"{seed}:{number}" if number else None)
        for side in sides:
            side.evaluate(values, f"{seed}:{number}")
        for found in _differences(sides[0], sides[1], values, result):
            if found.what not in seen:
                seen.add(found.what)
                result.differences.append(found)
    return result


class _Side:
    """One of the documents. ``known``: what is computed under the present inputs."""

    def __init__(self, document: Document, topology: Topology, catalogue: Catalogue, files: Files) -> None:
        self.document, self.topology, self.catalogue, self.files = document, topology, catalogue, files
        self.scope = Scope()

    def evaluate(self, inputs: Mapping[str, Value], seed: str) -> None:
        """Take the inputs for what :meth:`value` computes from now on."""
        defaults = {n: d.default for n, d in self.topology.inputs.items() if d.default is not MISSING}
        nodes = self.topology.nodes
        self.scope = Scope(
            inputs={**defaults, **inputs},
            conditions=self.topology.conditions,
            attributes=lambda name: draws.Attributes(name, seed) if name in nodes else None,
            identities={name: self._identity(node) for name, node in nodes.items()},
            files=lambda name: self.files.read(name)[0],
            system=_Facts(seed),
        )

    def _identity(self, node: Node) -> Value:
        if node.external_id is not MISSING:
            return node.external_id
        return node.external_name if node.external_name is not MISSING else draws.identity(node.name)

    def value(self, value: Value) -> Value:
        """What the engine computes."""
        try:
            found = fold(value, self.scope)
            while (again := fold(found, self.scope)) is not found:
                found = again
        except (Refused, RecursionError):
            return REFUSED
        return found

    def exists(self, node: Node) -> bool:
        """True when the node is created under the present inputs."""
        if node.condition is not MISSING and self.value(node.condition) is False:
            return False
        return node.instances is MISSING or self.value(node.instances) != 0

    def properties(self, node: Node) -> dict[str, Value]:
        """The properties of a node as the engine computes them, without what both say by default."""
        kind = self.catalogue.kind(node.kind)
        found: dict[str, Value] = {}
        for name, raw in node.properties.items():
            value = self.value(raw)
            rule = (kind.properties if kind else {}).get(name, PropertyRule())
            if value is None or value == [] or (rule.default is not None and same(value, rule.default)):
                continue
            if rule.usual is not None and same(value, rule.usual):
                continue
            found[name] = _items(rule, value)
        return found

    def place(self, path: tuple[Any, ...]) -> Span:
        """A place in the document."""
        line, column = self.document.locate(path)
        return Span(self.document.name, line, column)


class _Facts(dict[str, str]):
    """Facts about the deployment: each has a text of its own."""

    def __init__(self, seed: str) -> None:
        super().__init__()
        self.seed = seed

    def get(self, key: str, default: Any = None) -> Any:
        """The text of a fact."""
        return f"{key}-{self.seed}"


def _side(source: str | bytes | Path, options: Options) -> _Side:
    document = read(source)
    folder = Path(document.name).parent if isinstance(source, Path) or "\n" not in str(source) else None
    files = Files(folder, options.allow_outside)
    catalogue = builtin()
    topology = DIALECTS[dialect_of(document)].lift()(document, catalogue, Reporter(document), files)
    return _Side(document, topology, catalogue, files)


def _inputs(sides: list[_Side], given: Mapping[str, Any], seed: str | None) -> dict[str, Value]:
    """The values of all inputs: those given, and without ``seed`` only those that have to be."""
    found: dict[str, Value] = {}
    for side in sides:
        for name, declared in side.topology.inputs.items():
            if name in found:
                continue
            if name in given:
                found[name] = given_value(side.topology.dialect, declared, given[name])
            elif seed is not None or declared.default is MISSING:
                value = draws.input_value(declared, seed or "first")
                if value is not MISSING:
                    found[name] = value
    return found


def _items(rule: PropertyRule, value: Value) -> Value:
    """The items of a list of maps under their canonical keys, without nulls and defaults."""
    if isinstance(value, list) and rule.each:
        return [_items(rule, item) for item in value]
    if isinstance(value, dict) and rule.each:
        named = {rule.aliases.get(key, key): item for key, item in value.items() if item is not None}
        return {
            key: item
            for key, item in named.items()
            if not ((part := rule.each.get(key)) and part.default is not None and same(item, part.default))
        }
    return value


def _differences(first: _Side, second: _Side, inputs: dict[str, Any], result: Verification) -> Iterator[Difference]:
    """Where the two differ under the present inputs."""

    def told(what: str, values: tuple[Any, Any], places: tuple[Any, Any]) -> Difference:
        return Difference(what, *values, first.place(places[0]), second.place(places[1]), inputs)

    mine, theirs = first.topology, second.topology
    for name in [*mine.nodes, *(name for name in theirs.nodes if name not in mine.nodes)]:
        one, other = mine.nodes.get(name), theirs.nodes.get(name)
        here, there = one is not None and first.exists(one), other is not None and second.exists(other)
        places = (one.path if one else (), other.path if other else ())
        result.compared += 1
        if here is not there:
            yield told(name, ("exists" if here else MISSING, "exists" if there else MISSING), places)
        if not (here and there and one and other):
            continue
        if (one.kind, one.kind or one.source_type) != (other.kind, other.kind or other.source_type):
            yield told(name, (one.kind or one.source_type, other.kind or other.source_type), places)
            continue
        left, right = first.properties(one), second.properties(other)
        for key in [*left, *(key for key in right if key not in left)]:
            where = (one.origin(key), other.origin(key))
            for steps, a, b in _unequal(left.get(key, MISSING), right.get(key, MISSING), (key,), result):
                yield told(".".join(map(str, (name, *steps))), (a, b), where)
    left_outputs = {**mine.capabilities, **mine.outputs}
    right_outputs = {**theirs.capabilities, **theirs.outputs}
    for name in [*left_outputs, *(name for name in right_outputs if name not in left_outputs)]:
        published = [
            (side.value(output.value), output.path) if output is not None else (MISSING, ())
            for side, output in ((first, left_outputs.get(name)), (second, right_outputs.get(name)))
        ]
        for steps, a, b in _unequal(published[0][0], published[1][0], (name,), result):
            yield told(".".join(map(str, ("outputs", *steps))), (a, b), (published[0][1], published[1][1]))


def _unequal(
    first: Any, second: Any, path: tuple[Any, ...], result: Verification
) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """The innermost places where two values differ."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in [*first, *(key for key in second if key not in first)]:
            yield from _unequal(first.get(key, MISSING), second.get(key, MISSING), (*path, key), result)
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for index, (one, other) in enumerate(zip(first, second, strict=True)):
            yield from _unequal(one, other, (*path, index), result)
    else:
        result.compared += 1
        if not _equal(first, second):
            yield path, first, second


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, ex.Input) and isinstance(second, ex.Input):
        return replace(first, strict=False) == replace(second, strict=False)
    return bool(first == second) and isinstance(first, bool) is isinstance(second, bool)
