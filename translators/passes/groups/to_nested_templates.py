"""Nodes that are scaled together, for a language whose groups have a template of their members: they move to a nested
topology, of which the group has several.

What the members use of the rest of the source they get as parameters; what the rest uses of them are outputs of the
nested template, of which the group has a list.
"""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Input, NestedInterface, Node, Output, Relationship, Topology
from bpconvert.translators.catalogue.attributes import attribute_kind, part_kind
from bpconvert.translators.passes.expressions.kinds import INPUT_TYPES, is_number, literal_kind, step_into
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.mentions import Mentions
from bpconvert.translators.support.text import fresh

#: what refers to a node of the source
_OF_NODES: Final = (ex.Identity, ex.Attribute, ex.AttributeList, ex.Property)
#: what a nested template cannot ask for itself
_OUTSIDE: Final = (ex.Secret, ex.System, ex.Capability, ex.Label, ex.Consumers)
#: a list of lists as one list; null when Heat validates
_FLAT: Final = "switch($.data.v = null => null, true => $.data.v.selectMany($))"


def to_nested_templates(topology: Topology, request: Request) -> Topology:
    """Move the members of each group to a topology of their own, ``template`` of the node that stands for the group. A
    group that cannot be moved is taken away, which is reported."""
    _move_all(topology, request, set())
    return topology


def _move_all(topology: Topology, request: Request, files: set[str]) -> None:
    """``files``: the names that other templates have."""
    mentions = Mentions(topology)
    for group in [node for node in topology.nodes.values() if node.is_group and node.group is None]:
        members = _members(topology, group.name)
        why = _obstacle(topology, members)
        if why:
            del topology.nodes[group.name]
            for member in members:
                member.group = None if member.group == group.name else member.group
            listed = ", ".join(member.name for member in members)
            place = group.origins.get(("instances",), group.path)
            request.reporter.report("BPC151", place, name=group.name, why=why, members=listed)
        else:
            _Move(topology, group, members, request).run(files, mentions)


def _members(topology: Topology, name: str) -> list[Node]:
    """The nodes in a group, and in the groups in it."""

    def is_inside(node: Node) -> bool:
        group, seen = node.group, set()
        while group is not None and group != name and group not in seen:
            seen.add(group)
            group = topology.nodes[group].group if group in topology.nodes else None
        return group == name

    return [node for node in topology.nodes.values() if is_inside(node)]


def _obstacle(topology: Topology, members: list[Node]) -> str:
    """Why the members cannot be moved, "" if they can."""
    names = {member.name for member in members}
    for member in members:
        if not member.is_group and member.nested is not None:
            return f"'{member.name}' has a nested template of its own"
        for operation in member.operations:
            if operation.host == "target" and operation.target not in names:
                return f"an operation of '{member.name}' runs on '{operation.target}', which is not in the group"
    for node in topology.nodes.values():
        if node.name in names:
            continue
        for operation in node.operations:
            if operation.target in names and operation.host == "target":
                return f"an operation of '{node.name}', which is not in the group, runs on its members"
    return ""


class _Move:
    """One group on its way."""

    def __init__(self, topology: Topology, group: Node, members: list[Node], request: Request) -> None:
        self.topology = topology
        self.group = group
        self.members = {member.name: member for member in members}
        self.request = request
        self.inner = Topology(topology.dialect, topology.version, uncomputable=topology.uncomputable)
        self._handed: dict[str, str] = {}
        self._outputs: dict[str, str] = {}
        #: properties of members that are being followed
        self._followed: list[str] = []

    def run(self, files: set[str], mentions: Mentions) -> None:
        """Make the nested topology, and the group a node that has several of it. ``files``: names that are taken."""
        outside = [node for name, node in self.topology.nodes.items() if name not in self.members]
        for holder in mentions.holders(*self.members):
            if holder.name not in self.members or isinstance(holder, Output):
                holder.rewrite(self._from_inside)
                mentions.refresh(holder)
        outside = [node for name, node in self.topology.nodes.items() if name not in self.members]
        for member in self.members.values():
            self._take(member)
        for name, condition in list(self.topology.conditions.items()):
            used = ex.walk(list(self.inner.values(declared=False)))
            if any(isinstance(expr, ex.Condition) and expr.name == name for expr in used):
                self.inner.conditions[name] = self._from_outside(condition)
        for node in outside:
            if any(relationship.target in self.members for relationship in node.relationships):
                self._wait_for_group(node)
        mentions.refresh(self.group)
        self._become(files)

    # -- what the members use -------------------------------------------------------------------------------

    def _take(self, member: Node) -> None:
        awaited = list(dict.fromkeys(member.awaited))
        if member.role:  # software waits for what its properties name; only what its operations get is a parameter
            ordered = {*awaited, *ex.named_nodes([operation.inputs for operation in member.operations])}
            awaited += [name for name in dict.fromkeys(ex.named_nodes(member.properties)) if name not in ordered]
        member.rewrite(self._from_outside)
        if member.group == self.group.name:
            member.group = None
        for target in awaited:
            if target not in self.members and target not in self.group.awaited:
                self.group.wait_for(target)
        member.relationships = [
            relationship for relationship in member.relationships if relationship.target in self.members
        ]
        if member.host not in self.members:
            member.host = None
        self.inner.nodes[member.name] = member
        del self.topology.nodes[member.name]
        if not member.is_group:
            self.topology.moved.setdefault(member.path[:2], []).append(self.group.name)

    def _from_outside(self, value: Value) -> Value:
        """``value`` of a member: what it has from elsewhere is a parameter."""
        if isinstance(value, ex.Input):
            if isinstance(value.name, str) and value.name in self.topology.inputs:
                part = self.topology.inputs[value.name].parts.get(value.keys)
                if part is not None:
                    return self._parameter(value, part.name, str(part.type))
                self._input(value.name)
            return ex.map_fields(value, self._from_outside)
        if is_number(value) and value.node in self.members and self.group.limits[1] is MISSING:  # that of the group
            return self._parameter(replace(value, node=self.group.name), "index", "string")
        if isinstance(value, _OF_NODES) and isinstance(value.node, str):
            if isinstance(value, ex.AttributeList) and value.node in self.members:
                self.request.reporter.report("BPC752", value.path, name=value.node)
            if value.node in self.topology.nodes and value.node not in self.members:
                return self._parameter(value, self._parameter_name(value), self._type_of(value))
        elif isinstance(value, _OUTSIDE):
            wanted = value.name if isinstance(value, (ex.Secret, ex.System)) else "value"
            return self._parameter(value, wanted if isinstance(wanted, str) else "value", "string")
        return ex.map_parts(value, self._from_outside)

    def _input(self, name: str) -> None:
        """The parameter of an input: as the template's own, the group gives it that one's value."""
        if name in self.inner.inputs:
            return
        declared = self.topology.inputs[name]
        default = declared.default if ex.is_constant(declared.default) else MISSING
        self.inner.inputs[name] = replace(declared, default=default, constraints=[], label=None)
        self.group.properties[name] = ex.Input(name, strict=True)

    def _parameter(self, value: ex.Expr, wanted: str, kind: str) -> ex.Input:
        key = repr(value)
        if key not in self._handed:
            taken = {*self.topology.inputs, *self.inner.inputs, *self.members}
            name = self._handed[key] = fresh(wanted.replace(".", "_"), taken)
            hidden = True if isinstance(value, ex.Secret) else None
            path = (self.request.source.words.section("inputs"), name)
            self.inner.inputs[name] = Input(name, kind, hidden=hidden, path=path)
            self.group.properties[name] = self._where_there(value, kind)
        elif (first := getattr(self.group.properties[self._handed[key]], "path", ())) and first != value.path:
            self.request.reporter.shared.setdefault(first, []).append(value.path)
        return ex.Input(self._handed[key], strict=True, path=value.path)

    def _where_there(self, value: Any, kind: str) -> Value:
        """``value``, or nothing where its node is not there: the members ask for it under the same condition."""
        node = self.topology.node(getattr(value, "node", None))
        if node is None or kind != "string" or node.condition in (MISSING, self.group.condition):
            return value
        return ex.If(node.condition, value, "", path=value.path)

    def _parameter_name(self, value: Any) -> str:
        steps = [] if isinstance(value, ex.Identity) else [value.name, *value.keys]
        return "_".join(str(step) for step in (value.node, *steps) if isinstance(step, (str, int)))

    def _type_of(self, value: Any) -> str:
        """The type of the input that hands on a value of a node outside."""
        node = self.topology.nodes[value.node]
        kind = "text"
        if isinstance(value, ex.AttributeList):
            kind = "list"
        elif isinstance(value, ex.Property):
            return self._type_of_property(step_into(node.declared, (value.name, *value.keys)))
        elif isinstance(value, ex.Attribute) and node.kind is not None and isinstance(value.name, str):
            kind = part_kind(node.kind, value.name, value.keys) if value.keys else attribute_kind(node.kind, value.name)
        return INPUT_TYPES.get(kind, "string")

    def _type_of_property(self, value: Value) -> str:
        """What a property is, as far as it is plain to see."""
        if isinstance(value, ex.Input) and not value.keys and isinstance(value.name, str):
            declared = self.topology.inputs.get(value.name)
            if declared is not None and declared.type is not None:
                return "json" if declared.type == "list" else declared.type
            value = MISSING if declared is None else declared.default
        return INPUT_TYPES.get(literal_kind(value), "string")

    # -- what is used of the members ------------------------------------------------------------------------

    def _from_inside(self, value: Value) -> Value:
        """``value`` of something else: what it has from the members comes from the group."""
        if isinstance(value, _OF_NODES) and isinstance(value.node, str) and value.node in self.members:
            member = self.members[value.node]
            if isinstance(value, ex.Property):
                return self._property(member, value)
            if isinstance(value, ex.AttributeList):
                return self._list(member, value)
            return ex.Attribute(self.group.name, self._output(value), path=value.path)
        if isinstance(value, ex.AttributeDict) and isinstance(value.node, str) and value.node in self.members:
            return replace(value, node=self.group.name)
        return ex.map_parts(value, self._from_inside)

    def _property(self, member: Node, value: ex.Property) -> Value:
        """What a property of a member is, as the outside knows it."""
        held: Value = member.declared
        steps = (value.name, *value.keys)
        while steps and not isinstance(held, ex.Expr):
            held, steps = step_into(held, steps[:1]), steps[1:]
        if steps and isinstance(held, (ex.Input, ex.Attribute, ex.Property)):
            held, steps = replace(held, keys=(*held.keys, *steps)), ()
        key = repr(value)
        if steps or held is MISSING or key in self._followed:
            return value
        self._followed.append(key)
        try:
            return self._from_inside(held)
        finally:
            self._followed.pop()

    def _list(self, member: Node, value: ex.AttributeList) -> Value:
        """The values of all instances of a member; where each one of the group has several, their lists in one."""
        if member.group != self.group.name or member.limits[1] is not MISSING or member.instances not in (MISSING, 1):
            lists = ex.AttributeList(self.group.name, self._output(value), path=value.path)
            return ex.Query(_FLAT, {"v": lists}, path=value.path)
        single = ex.Identity(member.name, path=value.path) if value.name in (MISSING, "id") and not value.keys else None
        output = self._output(single or ex.Attribute(member.name, value.name, value.keys, path=value.path))
        return ex.AttributeList(self.group.name, output, path=value.path)

    def _output(self, value: ex.Expr) -> str:
        """The output of the nested template that has a value of a member."""
        key = repr(value)
        if key not in self._outputs:
            name = self._parameter_name(value) if not isinstance(value, ex.Identity) else f"{value.node}_id"
            name = self._outputs[key] = fresh(name, set(self._outputs.values()))
            self.inner.outputs[name] = Output(name, value, path=value.path)
        return self._outputs[key]

    def _wait_for_group(self, node: Node) -> None:
        """What waits for a member waits for the group."""
        relationships: dict[str, Relationship] = {}
        for relationship in node.relationships:
            target = self.group.name if relationship.target in self.members else relationship.target
            relationships.setdefault(target, replace(relationship, target=target))
        node.relationships = list(relationships.values())

    # -- the group ------------------------------------------------------------------------------------------

    def _become(self, files: set[str]) -> None:
        """The node of the group as one that has several of the nested topology."""
        group = self.group
        name = f"{group.name}.yaml"
        if self.request.options.orchestrator is not None:  # those who write for one name it after what is in it
            name = f"{group.name.removesuffix('_group')}{self.request.target.marked_ending}"
        file = self.request.files.generated_name(name)
        while file in files:
            file = f"_{file}"
        files.add(file)
        group.source_type, group.native = file, self.request.target.language
        group.is_group, group.template = False, self.inner
        group.nested = NestedInterface(file, "", outputs={name: name for name in self.inner.outputs})
        self.topology.moved.setdefault(group.path[:2], []).append(group.name)
        _move_all(self.inner, self.request, files)
        listed = ", ".join(name for name, node in self.members.items() if not node.is_group)
        self.request.reporter.report("BPC751", group.path, name=group.name, file=file, members=listed)
