"""The nodes of a service template in neutral form.

A node of a type that stands for a resource of OpenStack is that resource; others are looked up by what their type is
derived from: the nearest type that is known decides. What no row knows is a visible stand-in."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.read import (
    balancing,
    compute,
    counts,
    mapped,
    networks,
    public,
    security,
    storage,
    unread,
)
from bpconvert.translators.tosca.read.attributes import Attributes
from bpconvert.translators.tosca.read.hooks import HOOKS
from bpconvert.translators.tosca.read.making import ENGINE, NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.references import References
from bpconvert.translators.tosca.read.types import Types
from bpconvert.translators.tosca.vocabulary import COLUMN, stand_in


def neutralise(
    topology: Topology, raw: Mapping[str, RawNode], types: Types, catalogue: Catalogue, reading: Reading
) -> None:
    """Fill ``topology.nodes`` from ``raw``."""
    making = NodeBuilder(topology, raw, types, catalogue, reading)
    References(making).resolve()
    for node in raw.values():
        _make(making, node)
        if node.name in making.nodes:
            _restore(making.nodes[node.name], node, reading)
    networks.on_networks(making)
    networks.bind(making)
    networks.on_ports(making)
    networks.report_without_addresses(making)
    public.add_addresses(making)
    security.open_ports(making)
    read = frozenset(making.taken)
    for node in raw.values():
        _connect(making, node, read)
    _wait_for_volumes(making)
    counts.add_numbers(making)
    topology.nodes |= {name: making.nodes[name] for name in _in_order(making) if name in making.nodes}
    Attributes(making).resolve()
    unread.report(making)


def _in_order(making: NodeBuilder) -> Iterator[str]:
    """All nodes: behind a template what else it has become, and what attaches a volume behind both ends."""
    later: dict[str, list[str]] = {}
    seen: set[str] = set()
    for raw in making.raw.values():
        seen.add(raw.name)
        yield raw.name
        for name in making.parts.get(raw.name, ()):
            volume = making.nodes[name].value_of("volume_id") if making.kind(name) == "volume_attachment" else None
            other = str(volume.node) if isinstance(volume, ex.Identity) else raw.name
            if other in making.raw and other not in seen:
                later.setdefault(other, []).append(name)
            else:
                yield name
        yield from later.get(raw.name, ())


# -- what a node is -------------------------------------------------------------------------------------------


def _make(making: NodeBuilder, raw: RawNode) -> None:
    """The nodes of a template, without what connects them."""
    role = making.role(raw)
    if isinstance(role, str):
        _plain(making, raw, role)
    elif role is not None:
        hook = role.type.hook
        (mapped.resource if hook is None else HOOKS[hook])(making, raw)
    else:
        making.visible(raw)


def _plain(making: NodeBuilder, raw: RawNode, heat: str) -> None:
    """A node of a type that stands for a resource: properties have the names and values of that."""
    node = making.nodes[raw.name] = Node(raw.name, raw.type, ancestry=raw.ancestry, path=raw.path)
    node.properties, node.declared = dict(raw.properties), raw.declared
    making.taken.add((*raw.path, "properties"))
    making.plain.add(raw.name)
    kept = entries(raw.kept, "properties")
    node.properties |= {key: None for key, row in kept.items() if row == [None, None] and key not in node.properties}
    kind = making.catalogue.kind_of(COLUMN, heat)
    if kind is not None and kind.is_neutral(heat):
        node.kind, node.source_type = kind.kind, heat
        if kind.kind == "server":
            compute.request(making, raw, node, always=False)
    else:
        node.shows = shows = stand_in(ENGINE)[1]
        node.properties = {shows.type: heat, shows.properties: node.properties}
        node.origins[shows.properties,] = (*raw.path, "properties")


def _restore(node: Node, raw: RawNode, reading: Reading) -> None:
    """What the metadata of the node keeps."""
    more: list[str] = []
    if "condition" in raw.kept:
        node.condition = reading.kept_value(raw.kept["condition"], raw.path)
        more.append(f"that '{node.name}' is conditional")
    node.external_id = raw.existing
    if "external_id" in raw.kept:
        node.external_id = reading.kept_value(raw.kept["external_id"], raw.path)
        more.append(f"which resource '{node.name}' is")
    if "external_name" in raw.kept:
        node.external_name = reading.kept_value(raw.kept["external_name"], raw.path)
    otherwise = reading.kept_value(raw.kept.get("otherwise", {}), raw.path)
    if otherwise is not MISSING and isinstance(otherwise, dict) and node.exists:
        node.otherwise = otherwise
        more += [f"how '{node.name}' is created where it is missing"] if otherwise else []
    numbers = raw.kept.get("instances")
    if isinstance(numbers, list) and len(numbers) == 3:
        node.instances, *limits = (reading.kept_value(number, raw.path) for number in numbers)
        node.limits = (limits[0], limits[1])
        more.append(f"the number of instances of '{node.name}'")
    lacks = raw.kept.get("lacks")
    node.lacks = tuple(map(str, lacks)) if isinstance(lacks, list) else ()
    extra = reading.kept_value(raw.kept.get("keys", {}), raw.path)
    node.extra |= extra if extra is not MISSING and isinstance(extra, dict) else {}
    if raw.description is not None:
        node.extra.setdefault("description", raw.description)
    for what in more:
        reading.findings.report("BPC670", raw.path, what=what)


# -- what connects nodes --------------------------------------------------------------------------------------


def _connect(making: NodeBuilder, raw: RawNode, read: Container[Path]) -> None:
    """The requirements of a template as attachments and order; ``read``: those of ports, which have been read. The
    instances of a template have their requirements at the same places."""
    node = making.nodes.get(raw.name)
    for requirement in raw.requirements:
        if requirement.path in read or node is None:
            continue
        if requirement.target is None:
            why = (
                f"it names no node, but what would do: {requirement.wanted}"
                if requirement.wanted
                else "it names no node"
            )
            making.carried(requirement.path, requirement.name, raw.name, why)
        elif mapped.connect(making, raw, requirement):
            continue
        elif storage.is_attachment(making, raw, requirement):
            storage.attach(making, raw, requirement)
        elif balancing.is_route(making, raw, requirement):
            balancing.route(making, raw, requirement)
        elif node.kind == "port" and networks.has_port(making.nodes.get(requirement.target), raw.name):
            making.carried(requirement.path, requirement.name, raw.name, "the server waits for its port")
        else:
            making.taken.add(requirement.path)
            making.wait(node, requirement.target, requirement.path[:4])


def _wait_for_volumes(making: NodeBuilder) -> None:
    """What runs on a machine finds the volumes of that attached."""
    for raw in making.raw.values():
        node = making.nodes.get(raw.name)
        if node is None or node.kind is not None:
            continue
        for other in node.awaited:
            attached = [name for name in making.parts.get(other, ()) if making.kind(name) == "volume_attachment"]
            if making.kind(other) == "server":
                node.wait_for(*(name for name in attached if name not in node.awaited), path=raw.path)
