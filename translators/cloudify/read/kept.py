"""What the metadata keeps of what the blueprint was made of: see :mod:`~.cloudify.unwritten`."""

from __future__ import annotations

from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.models.plain import cloudify
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.unwritten import Properties, read
from bpconvert.translators.provenance.unwritten import KEY, is_known, opened, restored
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries
from bpconvert.translators.toscalike.imports import Combined


def restore(
    topology: Topology, blueprint: cloudify.Blueprint, combined: Combined, catalogue: Catalogue, reporter: Reports
) -> None:
    """Put the values in place of the inputs that ask for them, and properties back. What was changed since counts as it
    is now, and so does what refers to something that is gone."""
    kept = read(combined.data.get("metadata"))
    if kept is None:
        reporter.report("BPC880", combined.place(("metadata", KEY)))
        return
    for name, row in kept.nodes.items():
        node, template = topology.nodes.get(name), blueprint.node_templates.get(name)
        if node is not None and node.kind is not None and template is not None and template.type == row.type:
            _properties(topology, node, row, catalogue, reporter)
    for name, asked in kept.inputs.items():
        written = entries(combined.data, "inputs").get(name) if name in topology.inputs else None
        if written is not None and restored(written, [*asked], ()) is not MISSING:
            _input(topology, name, asked[1], reporter)
    for name, shown in kept.outputs.items():
        _output(topology, name, entries(combined.data, "outputs").get(name), shown, reporter)
    if kept.nodes or kept.inputs or kept.outputs:
        reporter.report("BPC670", combined.place(("metadata", KEY)), what="what was not edited since")


def _properties(topology: Topology, node: Node, row: Properties, catalogue: Catalogue, reporter: Reports) -> None:
    kind = catalogue.kind(node.kind)
    rules = {} if kind is None else kind.properties
    for name, data in (*row.properties.items(), *row.assumed.items()):
        value, known = opened(data, node.path), node.properties.get(name)
        if value is MISSING or not is_known(topology, value) or _waits(topology, value, node.name):
            continue
        assumed = rules[name].absent if name in rules else None
        if value is None:
            node.properties.setdefault(name, None)
            node.lacks += (name,)
        elif known is None or known == assumed:
            node.properties[name] = value
        elif name not in row.assumed and isinstance(known, list) and isinstance(value, list):
            node.properties[name] = known + [item for item in value if item not in known]
        else:
            continue
        if value is not None:
            reporter.report("BPC670", node.path, what=f"property '{name}' of '{node.name}'")


def _output(topology: Topology, name: str, written: Any, kept: tuple[str, Any], reporter: Reports) -> None:
    """Put the value of an output in place of the text about it."""
    output = topology.outputs.get(name)
    if output is None or not isinstance(written, dict):
        return
    value = restored(written.get("value"), [*kept], output.path)
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
    for place in (path, (*path, "description")) if users else ((*path, "description"),):
        reporter.report("BPC670", place, what=f"the value of '{name}'")
    topology.rewrite(lambda part: ex.transform(part, lambda expr: opened(data, expr.path) if is_whole(expr) else expr))
    left = [*topology.values(), *(one.properties for one in topology.relationships)]
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
        one = waiting.pop()
        node = topology.nodes.get(one)
        if one == name:
            return True
        if one not in seen and node is not None:
            waiting += [*node.awaited, *ex.named_nodes([*node.values(declared=False)])]
        seen.add(one)
    return False
