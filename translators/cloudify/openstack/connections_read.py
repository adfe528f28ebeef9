"""Relationships that create something: each becomes a resource of its own, or part of the other node."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.passes.expressions.choices import conjunction

if TYPE_CHECKING:
    from bpconvert.models.topology import Topology
    from bpconvert.translators.catalogue.model import Split
    from bpconvert.translators.cloudify.openstack.protocols import NodesReader
    from bpconvert.translators.support.findings import Reports


def split(state: NodesReader, node: Node, target: str, row: Split, path: Path) -> None:
    """A new node for the relationship from ``node`` to ``target``."""
    other = state.nodes[target]
    if node.exists and other.exists:
        state.report("BPC356", path, what=f"the relationship to '{target}'")
        return
    for end in (node, other):
        if type(end.instances) is int and end.instances == 0:
            state.report("BPC375", path, target=target, name=end.name)
            return
    near: Value = ex.Identity(node.name, path=path)
    if row.kind == "floating_ip_association" and node.kind == "port" and other.properties.get("port_id") == near:
        return
    made = Node(row.name.format(source=node.name, target=target), "", row.kind, path=path)
    made.properties = {row.near: near, row.far: ex.Identity(target, path=path)}
    made.origins = {(row.near,): path, (row.far,): (*path, "target")}
    if row.kind == "volume_attachment":
        _mountpoint(made, node)
    if node.kind == "server":
        # its port is known when all relationships are
        made.properties[row.near] = None
    state.add(made, node.name)
    if node.kind != "server":
        _report_made(state, made, target, path)


def _report_made(state: NodesReader, made: Node, target: str, path: Path) -> None:
    kind = state.catalogue.kind(made.kind)
    heat = kind.heat[0] if kind is not None else ""
    state.report("BPC413", path, target=target, type=heat, name=made.name)


def _mountpoint(made: Node, volume: Node) -> None:
    """The plugin reads it from the volume's node."""
    device = volume.declared.get("device_name")
    if device not in (None, "", "auto"):
        made.properties["mountpoint"] = device
        made.origins["mountpoint",] = (*volume.path, "properties", "device_name")


def of_servers(state: NodesReader) -> None:
    """Floating IPs of servers: with the server's first port."""
    for name, names in list(state.made.items()):
        server = state.nodes.get(name)
        if server is None or server.kind != "server":
            continue
        for one in list(names):
            made = state.nodes[one]
            if made.kind != "floating_ip_association":
                continue
            target = made.properties["floatingip_id"].node
            port = _first_port(server)
            if port is None and server.external_name is not MISSING:
                state.remove(one)
                names.remove(one)
                state.wait(server, target, made.path)
                why = "the server exists already, and Heat needs its id"
                state.report("BPC414", made.path, target=target, name=name, why=why)
                continue
            if port is None:
                _of_nova(state, made, name)
            else:
                made.properties["port_id"] = port
            _report_made(state, made, target, made.path)


def _of_nova(state: NodesReader, made: Node, server: str) -> None:
    """Without a port that is known, the association is Nova's, which takes the server's first one."""
    made.kind = "nova_floating_ip_association"
    kind = state.catalogue.kind(made.kind)
    if kind is not None:
        state.kinds[made.name] = kind
    old, made.origins = made.properties, {("server_id",): made.path, ("floating_ip",): (*made.path, "target")}
    made.properties = {"server_id": ex.Identity(server, path=made.path), "floating_ip": old["floatingip_id"]}


def routes(state: NodesReader) -> None:
    """The extra routes that routers take when they start: a set of its own."""
    for router, entry in state.notes.routes.items():
        made = Node(f"{router}_routes", "", "extra_route", path=entry.place)
        made.properties = {"router": ex.Identity(router, path=entry.place), "routes": entry.value}
        made.origins = {("router",): entry.place, ("routes",): entry.place}
        state.add(made, router)


def _first_port(server: Node) -> Value:
    """The first port that the blueprint gives to a server, else that of its first interface; None where nothing tells
    which one that is."""
    found = server.properties.get("networks")
    items = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
    for item in items:
        if item.get("port") is not None:
            return item["port"]
    network = items[0].get("network") if items else None
    if network is None or [item.get("network") for item in items].count(network) > 1:
        return None
    return ex.Attribute(server.name, "addresses", (network, 0, "port"))


def attach(state: NodesReader, port: Node, server: str, path: Path) -> bool:
    """``port_connected_to_server``: an interface of the server. False where the port needs the server itself."""
    other = state.nodes[server]
    if port.kind != "port" or other.kind != "server" or other.exists:
        return False
    uses = (expr.node for expr in ex.walk(port.properties) if isinstance(expr, (ex.Identity, ex.Attribute)))
    items = other.properties.setdefault("networks", [])
    if server in uses or not isinstance(items, list):
        return False
    item = {"port": ex.Identity(port.name, path=path)}
    if item not in items:
        other.origins["networks", len(items)] = path
        items.append(item)
    return True


def boot(state: NodesReader, server: Node, volume: str, path: Path) -> bool:
    """A server boots from a volume that it has a relationship to, if that is bootable."""
    other = state.nodes[volume]
    made = {"image", "snapshot_id", "source_volid"} & other.properties.keys() or other.declared.get("boot") is True
    made = made or any(state.kind_of(one.target) == "image" for one in state.raw[volume].relationships)
    if not made and not other.exists:
        return False
    if server.exists:
        state.report("BPC418", path, target=volume, name=server.name)
        return True
    name = "block_device_mapping_v2"
    items = server.properties.setdefault(name, [])
    if not isinstance(items, list):
        state.report("BPC410", path, target=volume, name=name)
        return False
    item: dict[str, Value] = {"volume_id": ex.Identity(volume, path=path), "delete_on_termination": True}
    if not any(isinstance(one, dict) and one.get("volume_id") == item["volume_id"] for one in items):
        server.origins[name, len(items)] = path
        device = other.declared.get("device_name")
        if device not in (None, "", "auto"):
            item["device_name"] = device
            state.devices.add(volume)
        items.append(item)
    if other.exists:
        state.report("BPC415", path, target=volume, name=name, what="the volume is bootable")
    return True


def number(state: NodesReader, server: Node) -> None:
    """Which of several things a server boots from. Heat takes one; the volumes of relationships come in their order."""
    name = "block_device_mapping_v2"
    items = server.properties.get(name)
    if not isinstance(items, list) or server.native is not None:
        return
    related = [(place, item) for i, item in enumerate(items) if (place := server.origins.get((name, i))) is not None]
    given = [
        item.get("boot_index", 0) for i, item in enumerate(items) if (name, i) not in server.origins and _disk(item)
    ]
    taken = {index for index in given if type(index) is int}
    free = (index for index in itertools.count() if index not in taken)
    for place, item in related:
        if server.properties.get("image") is not None:
            item["boot_index"] = -1
            target = getattr(item.get("volume_id"), "node", "")
            state.report("BPC373", place, target=target, name=server.name)
        elif taken or len(related) > 1:
            item["boot_index"] = next(free)


def _disk(item: Value) -> bool:
    return isinstance(item, dict) and bool(item.keys() & {"volume_id", "snapshot_id", "image", "image_id"})


#: the kinds that relationships become
PARTS = (
    "router_interface", "volume_attachment", "floating_ip_association", "nova_floating_ip_association", "extra_route",
)  # fmt: skip


def of_the_first(topology: Topology, reporter: Reports) -> None:
    """What connects two nodes is there once, for the first instances, where both are there."""
    for part in topology.nodes.values():
        if part.kind not in PARTS or part.source_type:
            continue
        ends = [topology.nodes.get(str(getattr(value, "node", ""))) for value in part.properties.values()]
        known = {end.name: end for end in ends if end is not None}
        part.instances = MISSING
        conditions = [end.condition for end in known.values() if end.condition is not MISSING]
        part.condition = conjunction(*conditions) if conditions else MISSING
        for end in known.values():
            if end.instances is not MISSING:
                reporter.report("BPC419", part.path, name=end.name)
