"""Nodes that compute a value with our own programs: what refers to one gets the call that it computes."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Operation, Topology
from bpconvert.translators.tosca import computed
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.toscalike.computing import opened


def open_values(topology: Topology, nodes: dict[str, RawNode], text: Callable[[str], str | None]) -> None:
    """Put the calls in place of the references to nodes that compute them, and take the nodes away.

    Args:
        text: the path of a file of the service template -> its text. A node with other programs than ours stays."""
    calls = {name: call for name, node in nodes.items() if (call := _call(node)) is not MISSING}
    if not calls or not all(computed.is_program(path, text(path)) for path in computed.programs()):
        return
    for node in nodes.values():
        _name(node, calls)
    calls = {name: _call(nodes[name]) for name in calls}
    open_all, calls_opened = opened(calls, topology.conditions)
    left = [node for name, node in nodes.items() if name not in calls_opened]
    for node in left:
        node.properties, node.declared = open_all(node.properties), open_all(node.declared)
        node.existing = open_all(node.existing)
        _open(node.operations, open_all)
        for requirement in node.requirements:
            requirement.properties = open_all(requirement.properties)
            _open(requirement.operations, open_all)
    topology.rewrite(open_all)
    values = [[operation.inputs for operation in node.operations] + [node.properties, node.declared] for node in left]
    outputs = [output.value for output in topology.published]
    names = (getattr(expr, "node", None) for expr in ex.walk([values, outputs]))
    kept = {name for name in names if isinstance(name, str) and name in calls_opened}
    for name in set(calls_opened) - kept:
        del nodes[name]
    for node in left:
        node.requirements = [
            requirement
            for requirement in node.requirements
            if requirement.target not in calls_opened or requirement.target in kept
        ]


def _open(operations: Iterable[Operation], open_all: Callable[[Value], Value]) -> None:
    for operation in operations:
        operation.inputs = open_all(operation.inputs)


def _name(node: RawNode, computed: Container[str]) -> None:
    """Let operations of a node that read a computed value by a requirement read it by the name of what computes it."""
    targets = {
        requirement.name: requirement.target for requirement in node.requirements if requirement.target in computed
    }

    def by_target(expr: ex.Expr) -> Value:
        target = targets.get(expr.name) if isinstance(expr, ex.Attribute) and isinstance(expr.name, str) else None
        if target is None or not isinstance(expr, ex.Attribute) or expr.node != node.name or not expr.keys:
            return expr
        return replace(expr, node=target, name=expr.keys[0], keys=expr.keys[1:])

    for operation in node.operations if targets else ():
        operation.inputs = ex.transform(operation.inputs, by_target)


def _call(node: RawNode) -> Value:
    """What a node computes; MISSING where it is another one."""
    if len(node.operations) != 1 or node.properties or not node.type.startswith(computed.TYPE):
        return MISSING
    (operation,) = node.operations
    place = (operation.interface, operation.name, operation.implementation)
    if place != (computed.INTERFACE, computed.OPERATION, computed.PLAYBOOK):
        return MISSING
    return computed.expression(operation.inputs, operation.path)
