"""Node templates: their attributes and what they wait for, as Cloudify has them.

Cloudify orders by relationships alone: what a relationship does (attach a volume, connect a subnet to a router) is done
in the installation of its source, whose dependents wait until all of it is done (cloudify/plugins/lifecycle.py).

Where another language has a resource for such a relationship, it is this resource that waits for both ends. The scripts
of the source run before: they go on waiting for the target."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Input, Node
from bpconvert.translators.catalogue.stand_ins import is_busy
from bpconvert.translators.cloudify.components import NotHereError, file_of
from bpconvert.translators.cloudify.openstack.compute import is_public
from bpconvert.translators.cloudify.openstack.generation2 import THIRD
from bpconvert.translators.cloudify.openstack.property_paths import is_made_up
from bpconvert.translators.cloudify.vocabulary import MADE_ANYWAY, ROOT
from bpconvert.translators.comparing import model
from bpconvert.translators.comparing.filling import REFUSED
from bpconvert.translators.comparing.model import Deployment, Given, NotNested, Part, Side, as_written, referred
from bpconvert.translators.comparing.scripts import KINDS
from bpconvert.translators.passes.expressions.kinds import INSTANCE_NUMBER, MEMBER_INDEX
from bpconvert.translators.passes.software.kinds import MACHINES
from bpconvert.translators.support.places import inside, items

_TYPES: Final = ("cloudify.nodes.Component", "cloudify.nodes.ServiceComponent")
_INPUTS: Final = ("resource_config", "deployment", "inputs")
_TIME_LIMIT: Final = ("interfaces", "cloudify.interfaces.lifecycle", "start", "inputs", "timeout")
#: kind -> the property that the third generation of the OpenStack plugin has, and does nothing with
#: (compute/image.py, ``create``)
_WITHOUT_EFFECT: Final = {"image": "location"}


class BlueprintInputs(model.Inputs):
    """Inputs; those of nested blueprints get what is handed on as it is."""

    def is_asked(self, declared: Input) -> bool:
        """False for an input that holds values to choose from."""
        return not declared.hidden or declared.default is MISSING


class Components(model.Nesting):
    """Components."""

    published = ("capabilities", "outputs")

    def is_component(self, node: Node) -> bool:
        """True for a node of one of the two types of components."""
        return is_component(node)

    def file(self, side: Side, node: Node) -> str:
        """The blueprint."""
        try:
            return file_of(node.properties)
        except NotHereError as why:
            raise NotNested(str(why)) from why

    def inputs(self, properties: Mapping[Any, Value]) -> Mapping[Any, Value]:
        """The inputs of the deployment."""
        values = inside(properties, _INPUTS)
        return super().inputs(values) if isinstance(values, dict) else {}

    def handed_over(self, side: Side, part: Part) -> Given:
        """The inputs, and the time limit of the operation that installs the deployment: as written, for it has no
        implementation of its own."""
        node, properties = part.node, part.properties
        limit = inside(side.document.data, (*node.path, *_TIME_LIMIT))
        places = {name: (*node.path, "properties", *_INPUTS, name) for name in properties}
        return Given(properties, {} if limit is None else {"time limit": limit}, places)

    def written(self, side: Side, node: Node) -> Any:
        """The inputs as they are written."""
        return inside(as_written(side, node).properties, _INPUTS)


def is_component(node: Node) -> bool:
    """True for a node of one of the two types of components."""
    return node.kind == "stack" or not {node.source_type, *node.ancestry}.isdisjoint(_TYPES)


class NodeTemplates(model.Nodes):
    """The nodes of a blueprint."""

    definitions = ("imports", "node_types", "relationships")
    existence: tuple[Path, ...] = (("type",), ("instances",), ("capabilities",))
    order: tuple[Path, ...] = (("relationships",),)

    def attribute(self, side: Side, node: Node, name: str) -> Value:
        """Attributes that follow from the blueprint."""
        if name in (INSTANCE_NUMBER, MEMBER_INDEX):  # of a node that is not one of several, those of the first
            index = 0 if node.name in side.topology.nodes else int(node.name.rpartition(".")[2])
            return index + (name == INSTANCE_NUMBER)
        if name == "deployment" and is_component(node):
            return {"id": side.identity(node)}
        kind = side.catalogue.kind(node.kind)
        if kind is None:
            return MISSING
        if name == kind.identity:
            return side.identity(node)
        if name not in kind.attributes and name in (node.declared or {}):
            return side.value(node.declared[name])  # of all instances: of one, it is read as a property
        return MISSING

    def only_runs(self, node: Node) -> bool:
        """True for a node of a type that does nothing, and of which no parent does, as far as that is known."""
        return bool(node.ancestry) and not (node.kind or node.native or node.is_open or is_busy(node.ancestry))

    def waits(self, side: Side) -> dict[str, set[str]]:
        """The targets of relationships, and the nodes that relationships to these are."""
        nodes, templates = side.topology.nodes, side.document.data.get("node_templates")
        order = {name: referred(node) for name, node in nodes.items()}
        order |= {name: set(targets) for name, targets in (side.graph or _related(templates)).items()}
        parts = _parts_made(side, templates)
        of_relationships = {part for parts in parts.values() for part in parts}
        for name, targets in order.items():
            if name not in of_relationships:  # these need the two nodes, and nothing that others do for one of them
                for target in list(targets):
                    targets.update(parts.get(target, ()))
        for names in parts.values():
            _one_after_another([nodes[name] for name in names], order)
        return order

    def adjust(self, side: Side, deployment: Deployment) -> None:
        """Leave out names that the plugin makes up and what it does nothing with, and set the order in which resources
        for relationships are made. Say of what exists already that it is created where it does not."""
        for part in deployment.parts.values():
            kind = side.catalogue.kind(part.kind)
            rule = kind.properties.get("name") if kind is not None else None
            if rule is not None and is_made_up(rule, part.properties.get("name")):
                part.properties = part.without("name")
            idle = _WITHOUT_EFFECT.get(part.kind)
            if idle is not None and any(name.startswith(THIRD) for name in part.node.ancestry):
                part.properties = part.without(idle)
            if part.kind == "flavor" and "tenants" in part.properties and is_public(part.properties):
                part.properties = {**part.properties, "tenants": REFUSED}  # the compute API does
            if part.kind == ROOT and not part.node.operations:
                part.idle, part.properties = True, {}
            if part.existing and side.value((part.node.declared or {}).get(MADE_ANYWAY)) is True:
                part.properties = {**part.properties, MADE_ANYWAY: True}
        _order(side, deployment)


def _order(side: Side, deployment: Deployment) -> None:
    """Take from a node, and from its programs, what only the resource for its relationship waits for; the node waits
    for it besides. That resource needs the two nodes, and nothing that others do for one of them."""
    templates = side.document.data.get("node_templates") or {}
    edges: dict[tuple[str, str], set[int]] = {}
    for node in side.topology.nodes.values():
        ends = _ends(node, templates)
        if ends is not None:
            source, target, index = ends
            edges.setdefault((source, target), set()).add(index)
            needed = referred(as_written(side, node)) | {target}
            for name in side.groups.get(node.name) or (node.name,):
                targets = {side.name_of(_scaled_name(side, name, need)) for need in needed}
                deployment.waits.setdefault(side.name_of(name), set()).update(targets)
    turned = set(_turned(side, templates))
    for source, target in turned:
        for targets in deployment.waits.values():
            if side.name_of(source) in targets:
                targets.add(side.name_of(target))
        edges.setdefault((source, target), set()).update(_rows(templates[source], target))
    parts, programs = _parts_made(side, templates), _programs(deployment)
    for (source, target), rows in edges.items():
        along = [part for part in parts.get(target, ()) if part not in parts.get(source, ())]
        everything = [member for part in (target, *along) for member in (part, *side.groups.get(part, ()))]
        gone = {
            name for part_name in map(side.name_of, everything) for name in (part_name, *programs.get(part_name, ()))
        }
        if rows == _rows(templates[source], target):
            for name in map(side.name_of, (source, *side.groups.get(source, ()))):
                deployment.besides.setdefault(name, set()).add(side.name_of(target))
                for name_of_part in (name, *programs.get(name, ())):
                    deployment.waits[name_of_part] = deployment.waits.get(name_of_part, set()) - gone
    for name in {instance for own in parts.values() for part in own for instance in (part, *side.groups.get(part, ()))}:
        targets = deployment.waits.get(side.name_of(name), set())
        deployment.waits[side.name_of(name)] = targets - {
            run for part_name in targets for run in programs.get(part_name, ())
        }
    for source, target in turned:
        own = side.name_of(target)
        deployment.waits[own] = deployment.waits.get(own, set()) - {own} | {side.name_of(source)}


def _parts_made(side: Side, templates: Any) -> dict[str, list[str]]:
    """Node template -> the resources for what its relationships and operations do."""
    parts: dict[str, list[str]] = {}
    for node in side.topology.nodes.values():
        owner = _owner(node, templates)
        if owner is not None:
            parts.setdefault(owner, []).append(node.name)
    return parts


def _programs(deployment: Deployment) -> dict[str, set[str]]:
    """Machine -> the parts that are programs of its own, which what relationships do has not to wait for."""
    programs: dict[str, set[str]] = {}
    for name, part in deployment.parts.items():
        if part.kind in KINDS and part.node.kind in MACHINES:
            programs.setdefault(part.owner, set()).add(name)
    return programs


def _owner(node: Node, templates: Any) -> str | None:
    """The node template that does what ``node`` is a resource for; None for a node template itself."""
    is_part = node.path[:1] == ("node_templates",) and len(node.path) > 2 and node.name not in (templates or {})
    return str(node.path[1]) if is_part else None


def _one_after_another(parts: list[Node], order: dict[str, set[str]]) -> None:
    """What relationships of one node to different nodes do is done in their order."""
    rows = sorted((node for node in parts if node.path[2] == "relationships"), key=lambda node: node.path[3])
    for before, after in itertools.pairwise(rows):
        if before.kind == after.kind:
            order[after.name].add(before.name)


def _related(templates: Any) -> Mapping[str, set[str]]:
    """Node template -> the targets of its relationships."""
    targets: dict[str, set[str]] = {}
    for name, node in templates.items() if isinstance(templates, dict) else ():
        if isinstance(name, str):
            targets[name] = {*_targets(node)}
    return targets


def _targets(template: Any) -> list[str]:
    """The targets of the relationships of a node template, each once."""
    targets = [row.get("target") for row in items(inside(template, ("relationships",))) if isinstance(row, dict)]
    return list(dict.fromkeys(target for target in targets if isinstance(target, str)))


def _scaled_name(side: Side, name: str, target: str) -> str:
    """The instance of ``target`` that has the number of instance ``name``; ``target`` where there is none."""
    number = name.rpartition(".")[2]
    return f"{target}.{number}" if f"{target}.{number}" in side.groups.get(target, ()) else target


def _turned(side: Side, templates: Any) -> Iterator[tuple[str, str]]:
    """The ports that are connected to a server: it is the server that names the port in Heat. With their servers."""
    nodes = (side.original or side).topology.nodes
    for name, node in nodes.items():
        if node.kind == "port" and name in templates:
            servers = [nodes[server] for server in _targets(templates[name]) if server in nodes]
            yield from (
                (name, server.name) for server in servers if server.kind == "server" and name in referred(server)
            )


def _ends(node: Node, templates: Any) -> tuple[str, str, int] | None:
    """Source, target and number of the relationship that a node is made of; None for any other node."""
    path = node.path
    if node.name in templates or path[:1] != ("node_templates",) or path[2:3] != ("relationships",) or len(path) < 4:
        return None
    row = templates[path[1]]["relationships"][path[3]]
    target = row.get("target") if isinstance(row, dict) else None
    return (path[1], target, path[3]) if isinstance(target, str) and target in templates else None


def _rows(template: Any, target: str) -> set[int]:
    """The numbers of the relationships to ``target``."""
    rows = template["relationships"]
    return {index for index, row in enumerate(rows) if isinstance(row, dict) and row.get("target") == target}
