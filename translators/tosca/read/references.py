"""References to properties, attributes and nodes by where they stand (Simple Profile 1.3, 4.1, 4.4.2, 4.5.1).

A name that no node has is that of a type: the first node of it that has what is asked for is meant, else, for a
property, a policy of this name or type that is for the node at hand (opera: instance/node.py, ``get_property``).
``HOST`` is the nearest node along the hosts of the node at hand that has what is asked for. What follows the node is a
property or an attribute of it, else a requirement (what is meant is in the node that fulfils it, or in its capability)
or a capability. A property is known: its value stands in place of the call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final

from bpconvert.limits import limit
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.read.making import NodeBuilder
from bpconvert.translators.tosca.read.paths import places, plain
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement
from bpconvert.translators.tosca.read.types import CAPABILITY, NODE, RELATIONSHIP
from bpconvert.translators.tosca.read.written_policies import Policy, PolicyReader
from bpconvert.translators.tosca.vocabulary import RELATIVE

HOSTED_ON: Final = "tosca.relationships.HostedOn"
#: the type that all relationships are derived from
_ROOT: Final = "tosca.relationships.Root"
#: how far properties refer to properties
_DEPTH: Final = 16


def host(raw: Mapping[str, RawNode], node: RawNode) -> RawNode | None:
    """The node that this one is hosted on."""
    for requirement in node.requirements:
        if requirement.target is not None and (HOSTED_ON in requirement.ancestry or requirement.name == "host"):
            return raw[requirement.target]
    return None


def hosts(raw: Mapping[str, RawNode], node: RawNode) -> Iterator[RawNode]:
    """The nodes that a node is hosted on, the nearest first."""
    seen = {node.name}
    host_node = host(raw, node)
    while host_node is not None and host_node.name not in seen:
        seen.add(host_node.name)
        yield host_node
        host_node = host(raw, host_node)


def machine(making: NodeBuilder, node: RawNode, kinds: Collection[str] = ("server", "compute")) -> RawNode | None:
    """The node itself, or the nearest one that hosts it, that is a machine; None where none is."""
    return next((other for other in (node, *hosts(making.raw, node)) if making.kind(other.name) in kinds), None)


def has(making: NodeBuilder, node: RawNode, name: Value) -> bool:
    """Whether a node has an attribute of that name."""
    attributes = making.types.attributes(NODE, node.ancestry[0])
    return name in attributes or name in node.attributes or name in node.declared


class References:
    """Resolves references in the values of raw nodes, before these become neutral ones."""

    def __init__(self, making: NodeBuilder) -> None:
        self.making = making
        self.raw = making.raw
        self._copies = 0

    def resolve(self) -> None:
        """Resolve all of them, everywhere."""
        for node in self.raw.values():
            value = partial(self.value, me=node)
            node.properties, node.declared = value(node.properties), value(node.declared)
            node.capabilities, node.assigned = value(node.capabilities), value(node.assigned)
            node.attributes, node.initial = value(node.attributes), value(node.initial)
            for operation in node.operations:
                operation.inputs = value(operation.inputs)
            for artifact in node.artifacts.values():
                artifact.file = value(artifact.file)
            node.capability_attributes = value(node.capability_attributes)
            node.capability_initial = value(node.capability_initial)
            for requirement in node.requirements:
                self._requirement(requirement, node)
        for output in self.making.topology.published:
            output.value = self.value(output.value, None)

    def value(self, value: Value, me: RawNode | None, depth: int = 0) -> Any:
        """``value``, in node ``me``, with its references resolved."""
        return ex.transform(value, lambda expr: self._expression(expr, me, depth))

    def _requirement(self, requirement: RawRequirement, node: RawNode) -> None:
        """The values of a relationship, for which SELF is the relationship."""
        type = requirement.relationship
        own = {
            name: self.making.structures.of_property(RELATIONSHIP, type, name, value)
            for name, value in requirement.properties.items()
        }

        def expression(expr: ex.Expr) -> Value:
            return self._of_relationship(expr, requirement, own, node, 0)

        requirement.properties = ex.transform(requirement.properties, expression)
        requirement.initial = ex.transform(requirement.initial, expression)
        for operation in requirement.operations:
            operation.inputs = ex.transform(operation.inputs, expression)

    def _of_relationship(
        self, expr: ex.Expr, requirement: RawRequirement, own: dict[str, Value], node: RawNode, depth: int
    ) -> Value:
        """An expression in a relationship with its ``own`` properties."""

        def inner(call: ex.Expr) -> Value:
            return self._of_relationship(call, requirement, own, node, depth + 1)

        is_own = isinstance(expr, (ex.Property, ex.Attribute)) and expr.node in ("SELF", requirement.template)
        if is_own and isinstance(expr, (ex.Property, ex.Attribute)) and expr.name in own and depth < _DEPTH:
            part = _inside(own[expr.name], expr.keys, inner)
            if part is not MISSING:
                return ex.transform(part, inner)
        if isinstance(expr, ex.Attribute) and expr.node == "SELF" and self._has_value(requirement, expr.name):
            return expr  # it is looked for later (:mod:`.attributes`)
        return self._expression(expr, node, 0)

    def _has_value(self, requirement: RawRequirement, name: Value) -> bool:
        """True for an attribute of a relationship that its own type or one of its operations gives a value."""
        types = self.making.types
        outputs = [entries(operation.extra, "outputs") for operation in requirement.operations]
        if ["SELF", name] in [target[:2] for row in outputs for target in row.values() if isinstance(target, list)]:
            return True
        is_own = name not in types.attributes(RELATIONSHIP, _ROOT)  # those of all have other values
        return is_own and name in requirement.initial

    def _expression(self, expr: ex.Expr, me: RawNode | None, depth: int) -> Value:
        if isinstance(expr, ex.Property):
            return self._property(expr, me, depth)
        if isinstance(expr, ex.Identity) and expr.node == "HOST" and me is not None:
            host_node = host(self.raw, me)
            return expr if host_node is None else replace(expr, node=host_node.name)
        if isinstance(expr, ex.Attribute):
            return self._attribute(expr, me)
        return self.making.reading.in_texts(expr)

    # -- properties -------------------------------------------------------------------------------------------

    def _property(self, expr: ex.Property, me: RawNode | None, depth: int) -> Value:
        template = self._relationship(expr.node)
        if isinstance(expr.name, str) and expr.name in template and depth < _DEPTH:
            reached = _inside(template[expr.name], expr.keys, lambda call: self.value(call, None, depth + 1))
            if reached is not MISSING:
                return self.value(reached, None, depth + 1)
        for node in self._nodes(expr.node, me):
            reached = self._within(node, (expr.name, *expr.keys), depth)
            if reached is not MISSING:
                return reached
        reached = MISSING if me is None else self._of_policy(expr, me, depth)
        if reached is not MISSING:
            return reached
        if self._copies > limit("copies"):
            why = f"more than {limit('copies')} properties are copied into others"
            self.making.report("BPC819", expr.path, why=why)
        elif depth < _DEPTH:
            asked = f"property '{'.'.join(map(str, plain(expr.name, expr.keys)))}'"
            unknown = self._of_unknown_type(expr.node, me)
            if unknown is not None:
                words = {"asked": asked, "node": unknown.name, "type": unknown.ancestry[-1]}
                self.making.report("BPC980", expr.path, **words)
                return ex.Foreign(DIALECT, "get_property", [expr.node, expr.name, *expr.keys], path=expr.path)
            rows = [self.making.types.properties(NODE, node.ancestry[0]) for node in self._nodes(expr.node, me)]
            is_unset = any(expr.name in row for row in rows) and not expr.keys
            why = f"node '{expr.node}' has no {asked}"
            if is_unset:
                why = f"{asked} of node '{expr.node}' has no value, and its type no default for it"
            self.making.report("BPC819", expr.path, why=why)
        return ex.Foreign(DIALECT, "get_property", [expr.node, expr.name, *expr.keys], path=expr.path)

    def _of_unknown_type(self, name: Value, me: RawNode | None) -> RawNode | None:
        """A node that a name may mean, of a type that nothing defines: it may have anything."""
        types = self.making.types
        return next((node for node in self._nodes(name, me) if not types.is_known(NODE, node.ancestry[0])), None)

    def _of_policy(self, expr: ex.Property, me: RawNode, depth: int) -> Value:
        """The property of a policy that is for the node at hand; MISSING where there is none."""
        for policy in self._policies:
            is_meant = expr.node in (policy.name, *policy.ancestry) and me.name in policy.targets
            if is_meant and isinstance(expr.name, str) and expr.name in policy.properties and depth < _DEPTH:
                return self._resolved(policy.properties[expr.name], [*expr.keys], me, depth)
        return MISSING

    @cached_property
    def _policies(self) -> list[Policy]:
        reading = self.making.reading
        return PolicyReader(reading.template, self.making.types, reading).policies()

    def _relationship(self, name: Value) -> dict[str, Value]:
        """The properties of the relationship template of this name; {} where there is none."""
        template_found = (
            self.making.reading.template.relationship_templates.get(name) if isinstance(name, str) else None
        )
        if template_found is None or name in self.raw:
            return {}
        return self.making.reading.values(template_found.properties, ("relationship_templates", name, "properties"))

    def _nodes(self, name: Value, me: RawNode | None) -> Iterator[RawNode]:
        """The nodes that a name may mean, those that count before others first."""
        if name == "HOST":
            yield from () if me is None else hosts(self.raw, me)
        elif name == "SELF" and me is not None:
            yield me
        elif isinstance(name, str) and name in self.raw:
            yield self.raw[name]
        else:
            yield from (node for node in self.raw.values() if name in node.ancestry)

    def _within(self, node: RawNode, steps: tuple[Value, ...], depth: int) -> Value:
        """What ``steps`` lead to from a node: MISSING for nothing."""
        for owner, capability, (name, *keys) in places(self.raw, self.making.types, node, steps):
            held = owner.declared if capability is None else owner.capabilities.get(capability, {})
            if not isinstance(name, str) or name not in held:
                continue
            kind, type = NODE, owner.ancestry[0]
            if capability is not None:
                kind, type = CAPABILITY, owner.capability_types.get(capability, "")
            value = self.making.structures.of_property(kind, type, name, held[name])
            resolved = self._resolved(value, keys, owner, depth)
            if resolved is not MISSING or (owner is node and capability is None):  # nothing else is called so
                return resolved
        return MISSING

    def _resolved(self, value: Value, keys: list[Value], node: RawNode, depth: int) -> Value:
        if depth >= _DEPTH:
            return MISSING
        value = _inside(value, keys, lambda call: self.value(call, node, depth + 1))
        if depth and isinstance(value, (ex.Expr, dict, list)):
            self._copies += 1
            if self._copies > limit("copies"):
                return MISSING
        return self.value(value, node, depth + 1)

    # -- attributes -------------------------------------------------------------------------------------------

    def _attribute(self, expr: ex.Attribute, me: RawNode | None) -> Value:
        """An attribute of the node that has it."""
        owners = list(self._nodes(expr.node, me))
        if len(owners) > 1:
            owners.sort(key=lambda node: not has(self.making, node, expr.name))  # the nearest that has it
        if not owners:
            if expr.node in RELATIVE:
                self.making.report("BPC819", expr.path, why=f"there is no {expr.node} here")
            return expr
        return replace(expr, node=owners[0].name)


def _inside(value: Value, keys: Sequence[Value], resolved: Callable[[ex.Expr], Value]) -> Value:
    """What ``keys`` lead to in a value, whose expressions on the way are ``resolved``; MISSING for nothing."""
    for place, key in enumerate(keys):
        if isinstance(value, ex.Expr):
            value = resolved(value)
            if isinstance(value, (ex.Input, ex.Attribute)):
                return replace(value, keys=(*value.keys, *keys[place:]))
        try:
            value = value[key]
        except (LookupError, TypeError):
            return MISSING
    return value
