"""The order of nodes that need not be expressed.

Where references are relationships, every order is one. Where values refer to nodes, a reference orders by itself, and
the engine may add an order of its own: what follows from these is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeGuard

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Identity, Value, walk
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.translators.catalogue.attributes import has_attribute
from bpconvert.translators.passes.request import Request

#: calls that only one language has
_NEVER: Final = (ex.Foreign, ex.AttributeDict)
#: what only the deployment's surroundings know, and what may contain such
_UNKNOWN: Final = (ex.Secret, ex.System, ex.Label, ex.Capability, ex.Consumers, ex.Property, ex.AttributeList)


def leave_out_implied(topology: Topology, request: Request) -> Topology:
    """Take the order out that the target's engine adds, and that references in values say."""
    added = _added(topology, request)
    for node in topology.nodes.values():
        targets = [topology.nodes[name] for name in node.awaited if (node.name, name) in added]
        values = list(walk(node.properties)) if targets else []
        node.imply([target.name for target in targets if _is_beside(node, target) or Identity(target.name) in values])
    references = _References(topology, request)
    for node in topology.nodes.values():
        if node.waits:
            node.imply(references.targets(node))
    return topology


def _added(topology: Topology, request: Request) -> set[tuple[str, str]]:
    """(node, what it waits for) in the target's engine. What waits for the interface of a subnet waits for that."""
    order = set(request.target.waits(topology))
    for source, target in list(order):
        node = topology.nodes[target]
        subnet = node.properties.get("subnet") if node.kind == "router_interface" else None
        if isinstance(subnet, Identity) and isinstance(subnet.node, str):
            order.add((source, subnet.node))
    return order


def _is_beside(node: Node, target: Node) -> bool:
    """True for nodes of one document: the members of a group are in others."""
    return node.group == target.group and not node.is_scaled and not target.is_scaled


class _References:
    """What refers to what in the result, too."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.catalogue = request.catalogue
        self.programs = request.source.programs

    def targets(self, node: Node) -> set[str]:
        """The nodes that a node's resource is sure to refer to: in its properties and, where nothing creates it, in the
        operations that its stand-in has. There a call with an unknown part becomes plain data as a whole. In a
        deployment of such an operation, on what contains the node, attributes of stand-ins are asked for."""
        stand_in = node.kind is None and node.native is None
        waiting: list[tuple[Value, bool]] = [(node.properties, stand_in)]
        if stand_in:
            own = [
                self._inputs(operation)
                for operation in node.operations
                if operation.path[: len(node.path)] == node.path
            ]
            contained = any(relationship.inside for relationship in node.relationships)
            waiting += [(inputs, not contained) for inputs in own]
        referred: set[str] = set()
        while waiting:
            value, stand_in = waiting.pop()
            if isinstance(value, ex.Expr):
                parts = list(_certain(value))
                if not any(isinstance(part, _NEVER) or (stand_in and self._is_unknown(part)) for part in parts):
                    names = (part.node for part in parts if self._is_referred(part, stand_in))
                    referred.update(name for name in names if isinstance(name, str))
            elif isinstance(value, (dict, list)):
                waiting += [(item, stand_in) for item in (value.values() if isinstance(value, dict) else value)]
        return referred

    def _inputs(self, operation: Operation) -> Value:
        """What of an operation is in the result: the variables of a program, how it is run is not."""
        script = self.programs.script(operation)
        return operation.inputs if script is None else {name: value for name, (value, _) in script.inputs.items()}

    def _is_unknown(self, expr: ex.Expr) -> bool:
        """True for what there may be no form for."""
        if isinstance(expr, ex.Input):
            declared = self.topology.inputs.get(expr.name) if isinstance(expr.name, str) else None
            return declared is None or not ex.is_constant(declared.default)
        if isinstance(expr, ex.If):
            return True
        return isinstance(expr, _UNKNOWN) or (isinstance(expr, ex.Attribute) and not self._is_answered(expr, True))

    def _is_referred(self, expr: ex.Expr, stand_in: bool) -> TypeGuard[Identity | ex.Attribute]:
        """True for what refers to a resource in the result, too."""
        return isinstance(expr, Identity) or (isinstance(expr, ex.Attribute) and self._is_answered(expr, stand_in))

    def _is_answered(self, expr: ex.Attribute, stand_in: bool) -> bool:
        """True for an attribute that the engine looks up. ``stand_in``: in a stand-in, where others may be, too."""
        node = self.topology.node(expr.node)
        if node is None or not isinstance(expr.name, str) or node.external_name is not ex.MISSING:
            return False
        native = node.native is not None and node.nested is None
        kind = None if native else self.catalogue.kind(node.kind)
        if kind is None:
            return native or (stand_in and expr.name not in node.declared)
        return has_attribute(kind, expr.name)


def _certain(value: ex.Expr) -> Iterator[ex.Expr]:
    """The expressions in ``value`` that no condition chooses."""
    waiting: list[Value] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ex.Expr):
            yield part
            if not isinstance(part, ex.If):
                waiting += [getattr(part, name) for name in ex.field_names(type(part))]
        elif isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, (list, tuple)):
            waiting += part
