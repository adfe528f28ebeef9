"""Resources: groups and their members, attributes and what they wait for, as Heat has them.

From heat/engine/resources/openstack/heat/resource_group.py and autoscaling_group.py."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue import stand_ins
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.comparing import configs
from bpconvert.translators.comparing.model import Deployment, Nodes, Side, referred, take_as_meant
from bpconvert.translators.comparing.scripts import NAMED
from bpconvert.translators.hot import DIALECT, implicit_order
from bpconvert.translators.hot.capabilities import GROUPS
from bpconvert.translators.hot.comparing.nesting import OUTPUT
from bpconvert.translators.hot.read.older_types import ATTRIBUTES, OLDER, neutral
from bpconvert.translators.hot.resource_types import AUTO_SCALING_GROUP, NONE, RESOURCE_GROUP, TEMPLATE_ENDINGS, shown
from bpconvert.translators.passes.groups.members import left_out, of_single_nodes
from bpconvert.translators.passes.software.kinds import DEPLOYMENT, DEPLOYMENT_GROUP
from bpconvert.translators.support.places import mapped, texts

_PROPERTIES: Final = "properties"
#: what the attributes of a deployment begin with that Heat itself gives
_DEPLOY: Final = "deploy_"
#: attributes of a deployment group that are no maps of those of its deployments
_OF_GROUP: Final = ("refs", "refs_map", "show")
#: attributes of a port that are those of other resources
_BESIDE_PORTS: Final = ("network", "subnets")


class Resources(Nodes):
    """The resources of a template."""

    existence: tuple[Path, ...] = (
        ("type",),
        ("condition",),
        *((_PROPERTIES, key) for key in ("count", "desired_capacity", "min_size", "value_specs")),
        *((_PROPERTIES, type.definition) for type in GROUPS.types.values()),
    )

    creates_stand_ins = False

    def recognise(self, node: Node, catalogue: Catalogue) -> None:
        """Resources of a type that only other languages become get their kind."""
        node.shows = shown(node)
        if node.kind is None and node.shows is None:
            kind = catalogue.kind_of(DIALECT, node.source_type, back=True)
            node.kind = kind.kind if kind is not None else None

    def is_group(self, node: Node) -> bool:
        """True for a ResourceGroup and an AutoScalingGroup."""
        return node.source_type in GROUPS.types

    def repeats(self, node: Node) -> bool:
        """True for a group of nested templates."""
        key = GROUPS.definition(node.source_type)
        definition = node.properties.get(key) if key is not None and isinstance(node.properties, dict) else None
        type = definition.get("type") if isinstance(definition, dict) else None
        return isinstance(type, str) and type.endswith(TEMPLATE_ENDINGS)

    def members(self, side: Side, node: Node, most: int) -> Iterator[Node]:
        """The resources of a group; none where it is not known what or how many they are."""
        properties = side.value(node.properties)
        key = GROUPS.types[node.source_type].definition
        definition = properties.get(key) if isinstance(properties, dict) else None
        count = _count(node, properties) if isinstance(properties, dict) else None
        if not isinstance(definition, dict) or not isinstance(definition.get("type"), str) or count is None:
            return
        type, mark = side.files.type_of(definition["type"], node.name), properties.get("index_var", "%index%")
        kind = side.catalogue.kind_of(DIALECT, type)
        inside = {(): (*node.origin(), key, _PROPERTIES)}
        removed = left_out(properties)
        numbers = (number for number in itertools.count() if str(number) not in removed)
        if count > most:
            side.more[node.name] = (count,)
        shared, awaited = definition.get(_PROPERTIES) or {}, {*node.awaited, *ex.named_nodes(node.properties)}
        with_number = any(str(mark) in text for text in texts(shared))
        for number in itertools.islice(numbers, max(0, min(count, most))):
            own = _numbered(shared, str(mark), str(number)) if with_number else shared
            member = Node(f"{node.name}.{number}", type, kind.kind if kind else None, own, path=node.path)
            member.native, member.origins = node.native, dict(inside)
            if type in OLDER:
                member.properties = dict(own)
                neutral(member, kind, Reporter(side.document))
            member.wait_for(*awaited)
            yield member

    def of_members(self, side: Side, expr: ex.Attribute | ex.Identity, members: list[str]) -> Value:
        """What an attribute of a group, or its identity, is of its members."""
        version = side.topology.version
        numbered = {name.rpartition(".")[2]: name for name in members}
        if isinstance(expr, ex.Attribute) and side.nodes[str(expr.node)].source_type == AUTO_SCALING_GROUP:
            return _of_scaling(expr, numbered, version)
        most = max((int(number) for number in numbered), default=0)
        skipped = [str(number) for number in range(most) if str(number) not in numbered]
        return of_single_nodes(expr, numbered, version < GROUPS.paths_since, skipped)

    def attribute(self, side: Side, node: Node, name: str) -> Value:
        """Attributes that follow from the template."""
        held = ATTRIBUTES.get(node.source_type, {}).get(name)
        if held is not None:  # as the engine calls it
            return side.value(node.value_of(held))
        if node.kind == "stack" and name == "stack_name":  # a deployment's id is its name
            return side.identity(node)
        if node.kind == "cfn_stack" and name.startswith(OUTPUT):
            return side.world.attribute(side.name_of(node.name), name.removeprefix(OUTPUT))
        if node.kind == "port" and name in _BESIDE_PORTS:
            return _beside_port(side, node, name)
        if node.kind == DEPLOYMENT_GROUP and name not in _OF_GROUP:
            of_members = configs.of_members(side, node, name)
            return MISSING if of_members is None else of_members
        operation = NAMED.fullmatch(node.name) if node.kind == DEPLOYMENT and not name.startswith(_DEPLOY) else None
        if operation is not None:  # what a program publishes is an attribute of what it belongs to
            return side.world.attribute(side.name_of(operation[1]), name)
        stand_in = stand_ins.loss(DIALECT, [node.source_type])
        property_name = (stand_in.gives or {}).get(name) if stand_in is not None else None
        return side.value(node.value_of(property_name)) if property_name is not None else MISSING

    def default(self, kind: Kind, name: str) -> Value:
        """The default of a property's schema."""
        schema = kind.schema() or {}
        default = schema.get("properties", {}).get(name, {}).get("default")
        return MISSING if default is None else default

    def waits(self, side: Side) -> dict[str, set[str]]:
        """Heat orders by references, by ``depends_on``, and by what its resource classes add."""
        nodes = side.topology.nodes
        interfaces = [node for node in nodes.values() if node.kind == "router_interface"]
        literal = [node for node in interfaces if isinstance(node.properties, dict)]  # not computed as a whole
        subnets = {node.name: node.properties.get("subnet") for node in literal}
        part_of = {name: subnet.node for name, subnet in subnets.items() if isinstance(subnet, ex.Identity)}
        edges = list(implicit_order.edges(side.topology))
        added = [(source, part_of.get(target, target)) for source, target in edges]
        if side.graph is None:
            order = {name: referred(node) for name, node in nodes.items()}
            for source, target in [*added, *edges]:
                order[source].add(target)
            return order
        return {name: _meant(side, name, targets, added) for name, targets in side.graph.items()}

    def adjust(self, side: Side, deployment: Deployment) -> None:
        """Heat gives projects access to private flavors only (nova/flavor.py), and a ``sequence`` is a class of
        characters (heat/random_string.py, ``translation_rules``). Nothing is created for an ``OS::Heat::None``, and for
        routes of which there are none."""
        take_as_meant(deployment)
        for part in deployment.parts.values():
            if part.kind == NONE and part.node.shows is None:
                part.idle, part.properties = True, {}
            elif part.kind == "extra_route" and not part.properties.get("routes"):
                part.idle = True


def _beside_port(side: Side, port: Node, name: str) -> Value:
    """What is asked for of the network of a port, or of its subnets, where these are resources of the template (heat:
    neutron/port.py, ``_resolve_attribute``); MISSING where one is not."""
    asked: Any = side.world.shapes.get(name)
    addresses = port.value_of("fixed_ips")
    if name == "network":
        owners, shapes = [port.value_of("network")], [asked or {}]
    else:
        items = addresses if isinstance(addresses, list) else []
        owners = [item.get("subnet", item.get("subnet_id")) if isinstance(item, dict) else None for item in items]
        shapes = [(asked or {}).get(index, {}) for index in range(len(owners))]
    if not asked or not owners or not all(isinstance(owner, ex.Identity) for owner in owners):
        return MISSING
    values: list[Value] = [
        {key: side.value(owner if key == "id" else ex.Attribute(owner.node, key)) for key in shape}
        for owner, shape in zip(owners, shapes, strict=True)
        if isinstance(owner, ex.Identity)
    ]
    return values[0] if name == "network" else values


def _count(node: Node, properties: dict[Any, Value]) -> int | None:
    """How many members a group has at first."""
    resources = node.source_type == RESOURCE_GROUP
    names = ("count",) if resources else ("desired_capacity", "min_size")
    for name in names:
        if properties.get(name) is not None:
            try:
                return int(properties[name])
            except (TypeError, ValueError):
                return None
    return 1 if resources else None


def _numbered(value: Any, mark: str, number: str) -> Any:
    """``value`` with the number for the mark, in texts and not in keys."""
    return mapped(value, lambda text: text.replace(mark, number) if isinstance(text, str) else text)


def _of_scaling(expr: ex.Attribute, members: dict[str, str], version: str) -> Value:
    """An attribute of an AutoScalingGroup (heat: autoscaling_group.py). ``members``: name -> node."""
    if expr.name == "current_size":
        return len(members)
    if expr.name in ("outputs", "outputs_list") and expr.keys:
        name, keys = expr.keys[0], expr.keys[1:]
        values = {member: ex.Attribute(node, name, keys, path=expr.path) for member, node in members.items()}
        return values if expr.name == "outputs" else list(values.values())
    return of_single_nodes(expr, members, version < GROUPS.paths_since, [])


def _meant(side: Side, name: str, targets: set[str], added: list[tuple[str, str]]) -> set[str]:
    """``targets`` without the subnets that a server only waits for because Heat does not look up the network of a port
    that the server is given (``add_dependencies`` in heat/engine/resources/openstack/nova/server.py)."""
    nodes = side.topology.nodes
    if name not in nodes or nodes[name].kind != "server":
        return targets
    written = (side.original or side).topology.nodes[name]
    wanted = referred(written) | {target for source, target in added if source == name}
    return {target for target in targets if target in wanted or target not in nodes or nodes[target].kind != "subnet"}
