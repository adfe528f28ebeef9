"""What a document keeps in its metadata of entries that it has no form for: a text, the same in each language that has
a place for one text only. See :mod:`.metadata_text`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.notation import to_data
from bpconvert.models.plain import mapping, optional, record, row, sequence, text
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.provenance.metadata_text import (
    Portable,
    as_text,
    is_known,
    kept,
    opened,
    operations,
    restore_operations,
    restored,
)
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.graphs import reachable


class KeptNode(NamedTuple):
    """What is kept of a node whose entry has ``type``: properties without a counterpart (of a list, its items),
    ``assumed``: what counts where nothing else is given, and operations that nothing runs. ``role``: of software that
    is ``after`` other nodes, or that is a deployment now."""

    type: str
    properties: Mapping[str, Any] = MappingProxyType({})
    assumed: Mapping[str, Any] = MappingProxyType({})
    operations: Sequence[Any] = ()
    role: str = ""
    after: Sequence[str] = ()


class Kept(NamedTuple):
    """What is kept. ``inputs``: of an input that asks for a value, the digest of its declaration and the value;
    ``outputs``: of an output that is a text, the digest of that and the value; ``nodes``: of nodes, by name; ``gone``:
    software of which nothing is left."""

    inputs: dict[str, tuple[str, Any]]
    outputs: dict[str, tuple[str, Any]]
    nodes: dict[str, KeptNode]
    gone: Mapping[str, KeptNode] = MappingProxyType({})

    @property
    def is_empty(self) -> bool:
        """True where nothing is kept."""
        return not any(self)


_ROWS: Final = mapping(row(text, None))
_NODE: Final = record(
    type=text,
    properties=optional(mapping(None)),
    assumed=optional(mapping(None)),
    operations=optional(sequence(mapping(None))),
    role=optional(text),
    after=optional(sequence(text)),
)
_SHAPE: Final = record(inputs=_ROWS, outputs=_ROWS, nodes=mapping(_NODE), gone=optional(mapping(_NODE)))


def read(data: Any) -> Kept | None:
    """What is kept as the text ``data``, MISSING for none; None where that cannot be read."""
    if data is MISSING:
        return Kept({}, {}, {}, {})
    try:
        content = _SHAPE(json.loads(data))
        nodes, gone = (
            {
                name: KeptNode(**{key: node_data[key] for key in KeptNode._fields if node_data.get(key) is not None})
                for name, node_data in (content.get(section) or {}).items()
            }
            for section in ("nodes", "gone")
        )
        return Kept(content.get("inputs", {}), content.get("outputs", {}), nodes, gone)
    except (KeyError, ValueError, TypeError, RecursionError):
        return None


# -- writing ------------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """An entry of a document with ``type``, and what it has no form for of the node that it is of; ``language``: that
    of the operations; ``role``: of software, which may be ``after`` other nodes."""

    type: str
    properties: Mapping[str, Value]
    assumed: Mapping[str, Value] = MappingProxyType({})
    operations: Iterable[Operation] = ()
    language: str = ""
    role: str = ""
    after: Sequence[str] = ()


class Written(NamedTuple):
    """The ``values`` in whose place stands what is ``written``, by the names in the document."""

    values: Mapping[str, Value]
    written: Mapping[str, Any]

    def rows(self, portable: Portable) -> dict[str, list[Any]]:
        """What is kept of those that are in the document."""
        values = {name: portable.value(value) for name, value in self.values.items() if name in self.written}
        return {name: kept(self.written[name], value) for name, value in values.items() if value is not MISSING}


def written(
    portable: Portable,
    inputs: Written,
    outputs: Written,
    entries: Mapping[str, Entry],
    gone: Mapping[str, Entry] = MappingProxyType({}),
    *,
    ascii_only: bool = False,
) -> str:
    """The text for the metadata, "" where nothing is kept. ``gone``: software of which nothing is left."""
    nodes = {name: content for name, entry in entries.items() if len(content := _node(portable, entry)) > 1}
    left = {name: content for name, entry in gone.items() if "operations" in (content := _node(portable, entry))}
    software = {name: {**row, **_software(portable, name, gone, left)} for name, row in left.items()}
    content = {"inputs": inputs.rows(portable), "outputs": outputs.rows(portable), "nodes": nodes, "gone": software}
    sections = {section: rows for section, rows in content.items() if rows}
    return as_text(sections, ascii_only=ascii_only) if sections else ""


def _node(portable: Portable, entry: Entry) -> dict[str, Any]:
    node_data: dict[str, Any] = {"type": entry.type}
    for section, rows in (("properties", entry.properties), ("assumed", entry.assumed)):
        values = {name: portable.value(value) for name, value in rows.items()}
        data = {name: to_data(value) for name, value in values.items() if value is not MISSING}
        node_data |= {section: data} if data else {}
    unrun = operations(portable, entry.operations, entry.language)
    node_data |= {"role": entry.role} if entry.role else {}
    return {**node_data, "operations": unrun} if unrun else node_data


def _software(portable: Portable, name: str, gone: Mapping[str, Entry], left: Collection[str]) -> dict[str, Any]:
    """``left``: those of the software of which something is kept. What waits for another one waits for what that waits
    for."""
    passed = {other: entry.after for other, entry in gone.items() if other == name or other not in left}
    targets = [target for target in reachable(passed, name) if target not in passed]
    referred = [ex.Identity(target) if target in left else portable.value(ex.Identity(target)) for target in targets]
    after = [expr.node for expr in referred if isinstance(expr, ex.Identity)]
    return {"role": gone[name].role, "after": after} if after else {"role": gone[name].role}


# -- reading ------------------------------------------------------------------------------------------------


class Present(NamedTuple):
    """What a document has by now: its declarations of inputs and outputs as written, and the types of its nodes.
    ``place``: of what is kept."""

    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    types: Mapping[str, str]
    place: Path


def restore(topology: Topology, kept: Kept, present: Present, catalogue: Catalogue, reporter: Reports) -> None:
    """Put the values in place of the inputs that ask for them, and properties and operations back. What was changed
    since counts as it is now, and so does what refers to something that is gone."""
    gone = {name: kept_node for name, kept_node in kept.gone.items() if name not in topology.nodes and kept_node.role}
    for name, kept_node in gone.items():
        software = Node(name, kept_node.type, role=kept_node.role, path=present.place)
        restore_operations(topology, software, kept_node.operations, reporter)
        topology.nodes |= {name: software} if software.operations else {}
    for name in [name for name in gone if name in topology.nodes]:
        targets = [target for target in gone[name].after if target in topology.nodes]
        topology.nodes[name].wait_for(*targets, path=present.place)
    for name, kept_node in kept.nodes.items():
        node = topology.nodes.get(name)
        if node is None or present.types.get(name) != kept_node.type:
            continue
        if kept_node.role:
            node.was = kept_node.role
            reporter.report("BPC670", node.path, what=f"that '{name}' is software")
        if node.kind is not None:
            _properties(topology, node, kept_node, catalogue, reporter)
        restore_operations(topology, node, kept_node.operations, reporter)
    for name, asked in kept.inputs.items():
        declaration = present.inputs.get(name) if name in topology.inputs else None
        if declaration is not None and restored(declaration, [*asked], ()) is not MISSING:
            _input(topology, name, asked[1], reporter)
    for name, shown in kept.outputs.items():
        declaration = present.outputs.get(name)
        if name in topology.outputs and isinstance(declaration, dict):
            value = restored(declaration.get("value"), [*shown], topology.outputs[name].path)
            _output(topology, name, value, reporter)
    if not kept.is_empty:
        reporter.report("BPC670", present.place, what="what was not edited since")


def _properties(topology: Topology, node: Node, kept_node: KeptNode, catalogue: Catalogue, reporter: Reports) -> None:
    kind = catalogue.kind(node.kind)
    rules = {} if kind is None else kind.properties
    for name, data in (*kept_node.properties.items(), *kept_node.assumed.items()):
        value, current = opened(data, node.path), node.properties.get(name)
        if value is MISSING or not is_known(topology, value) or _waits(topology, value, node.name):
            continue
        assumed = rules[name].absent if name in rules else None
        if value is None:
            node.properties.setdefault(name, None)
            node.lacks += (name,)
        elif current is None or current == assumed:
            node.properties[name] = value
        elif name not in kept_node.assumed and isinstance(current, list) and isinstance(value, list):
            node.properties[name] = current + [item for item in value if item not in current]
        elif name not in kept_node.assumed and isinstance(current, dict) and isinstance(value, dict):
            node.properties[name] = {**value, **current}
        else:
            continue
        if value is not None:
            reporter.report("BPC670", node.path, what=f"property '{name}' of '{node.name}'")


def _output(topology: Topology, name: str, value: Value, reporter: Reports) -> None:
    """Put the value of an output in place of the text about it."""
    output = topology.outputs[name]
    if value is not MISSING and is_known(topology, value):
        output.value = value
        reporter.report("BPC670", output.path, what=f"the value of '{name}'")


def _input(topology: Topology, name: str, data: Any, reporter: Reports) -> None:
    """Put the value for an input in every place where it is taken as a whole, and where nothing else takes it, the
    input away."""

    def is_whole(expr: Expr) -> bool:
        return isinstance(expr, ex.Input) and expr.name == name and not expr.keys

    value = opened(data, ())
    names = [getattr(expr, "name", None) for expr in ex.walk([*topology.values()])]
    if any(is_whole(expr) for expr in ex.walk(names)):  # which input is meant is what the value decides by now
        return
    users = [node for node in topology.nodes.values() if any(map(is_whole, ex.walk([*node.values()])))]
    if not is_known(topology, value) or any(_waits(topology, value, node.name) for node in users):
        return
    path = topology.inputs[name].path
    is_published = any(map(is_whole, ex.walk([output.value for output in topology.published])))
    for place in (path, (*path, "description")) if users or is_published else ((*path, "description"),):
        reporter.report("BPC670", place, what=f"the value of '{name}'")
    topology.rewrite(lambda part: ex.transform(part, lambda expr: opened(data, expr.path) if is_whole(expr) else expr))
    left = [*topology.values(), *(relationship.properties for relationship in topology.relationships)]
    if not any(isinstance(expr, ex.Input) and expr.name in (name, *_computed(expr)) for expr in ex.walk(left)):
        del topology.inputs[name]


def _computed(expr: ex.Input) -> tuple[Value, ...]:
    """The name of an input, where it is computed: it may be any."""
    return (expr.name,) if isinstance(expr.name, Expr) else ()


def _waits(topology: Topology, value: Value, name: str) -> bool:
    """True where something that ``value`` names waits for node ``name``, or is it."""
    seen: set[str] = set()
    waiting = [*ex.named_nodes(value)]
    while waiting:
        current = waiting.pop()
        node = topology.nodes.get(current)
        if current == name:
            return True
        if current not in seen and node is not None:
            waiting += [*node.awaited, *ex.named_nodes([*node.values(declared=False)])]
        seen.add(current)
    return False
