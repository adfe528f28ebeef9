"""Nodes that compute a value with our own script: what refers to one gets the call that it computes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Topology
from bpconvert.translators.cloudify import computed, services
from bpconvert.translators.cloudify.vocabulary import NAME_LOOKUP, NUMBERS, SERVICE_BASE, UPLOADS
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.toscalike.computing import opened
from bpconvert.translators.toscalike.node_templates import RawNode


def open_values(topology: Topology, nodes: dict[str, RawNode], text: Callable[[str], str | None]) -> None:
    """Put the calls in place of the references to nodes that compute them, and take the nodes away.

    Args:
        text: the path of a file of the blueprint -> its text. A node with another script than ours stays."""
    calls = {name: call for name, node in nodes.items() if (call := _call(node)) is not MISSING}
    if not calls or not computed.is_program(text(computed.PATH)):
        return
    open_all, calls_opened = opened(calls, topology.conditions)
    _take_away(calls_opened, topology, nodes, open_all)


def open_lookups(topology: Topology, nodes: dict[str, RawNode], text: Callable[[str], str | None]) -> None:
    """Put the names in place of the references to nodes that look them up, and take the nodes away. ``text``: as of
    :func:`open_values`."""
    names: dict[str, Value] = {}
    for name, node in nodes.items():
        config = node.properties.get("resource_config") if node.type == NAME_LOOKUP else None
        if isinstance(config, dict) and "value" in config:
            names[name] = config["value"]

    def by_name(expr: ex.Expr) -> Value:
        is_id = isinstance(expr, ex.Attribute) and expr.name == "id" and not expr.keys and isinstance(expr.node, str)
        return names.get(str(expr.node), expr) if isinstance(expr, ex.Attribute) and is_id else expr

    if names and services.is_program(text(services.PATH)):
        _take_away(names, topology, nodes, partial(ex.transform, function=by_name))


def number_members(
    topology: Topology, nodes: dict[str, RawNode], text: Callable[[str], str | None], reporter: Reports
) -> None:
    """Put the numbers of members in place of the references to the node that has them, and take it away. ``text``: as
    of :func:`open_values`."""
    names = [name for name, node in nodes.items() if _runs(node, NUMBERS)]
    if names:
        from bpconvert.translators.cloudify import numbering  # few blueprints have it

        if numbering.is_program(text(numbering.PATH)):
            for name in names:
                reporter.report("BPC697", nodes[name].path, name=name)
            _take_away(names, topology, nodes, partial(ex.transform, function=numbering.read(names)))


def _take_away(
    names: Collection[str], topology: Topology, nodes: dict[str, RawNode], open_all: Callable[[Value], Value]
) -> None:
    """Rewrite all values by ``open_all``, and take the nodes away that nothing refers to then. ``names``: those that it
    opens."""
    left = {name: node for name, node in nodes.items() if name not in names}
    for node in left.values():
        node.properties, node.declared = open_all(node.properties), open_all(node.declared)
        node.operations = [replace(operation, inputs=open_all(operation.inputs)) for operation in node.operations]
    topology.rewrite(open_all)
    others = [
        part for node in left.values() for part in (node.declared, *(operation.inputs for operation in node.operations))
    ]
    referred = (getattr(expr, "node", None) for expr in ex.walk(others))
    kept = {name for name in referred if isinstance(name, str) and name in names}
    for node in left.values():
        node.relationships = [
            relationship
            for relationship in node.relationships
            if relationship.target not in names or relationship.target in kept
        ]
    for name in names:
        if name not in kept:
            del nodes[name]


def leave_out_calls(nodes: dict[str, RawNode], text: Callable[[str], str | None]) -> None:
    """Take the operations away that our own scripts run for resources which the plugin has no type for, and for
    blueprints of components: the resource is what they do. ``text``: as above."""
    called = [node for node in nodes.values() if SERVICE_BASE in node.ancestry]
    if called and services.is_program(text(services.PATH)):
        for node in called:
            node.operations = [operation for operation in node.operations if operation.implementation != services.PATH]
    uploading = [
        node for node in nodes.values() if any(operation.implementation == UPLOADS for operation in node.operations)
    ]
    if uploading:
        from bpconvert.translators.cloudify import uploads  # few blueprints have it

        for node in uploading if uploads.is_program(text(uploads.PATH)) else ():
            node.operations = [operation for operation in node.operations if operation.implementation != uploads.PATH]


def _call(node: RawNode) -> Value:
    """What a node computes; MISSING where it is another one."""
    if not _runs(node, computed.PATH):
        return MISSING
    (operation,) = node.operations
    return computed.expression(operation.inputs, operation.path)


def _runs(node: RawNode, program: str) -> bool:
    """True for a node that only runs ``program``, when it is created."""
    if len(node.operations) != 1 or node.properties or node.group is not None:
        return False
    (operation,) = node.operations
    place = (operation.interface, operation.name, operation.implementation)
    return place == (computed.INTERFACE, computed.OPERATION, program) and operation.target is None
