"""Relationships that create something: each becomes a resource of its own, or part of the other node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.neutral import Neutral
    from bpconvert.translators.types import Split


def split(state: Neutral, node: Node, target: str, row: Split, path: Path) -> None:
    """A new node for the relationship from ``node`` to ``target``."""
    other = state.nodes[target]
    if _exists(node) and _exists(other):
        state.reporter.report("BPC356", path, name=f"relationship to {target}")
        return
    near: Value = ex.Identity(node.name, path=path)
    if row.kind == "floating_ip_association" and node.kind == "port" and other.properties.get("port_id") == near:
        return
    made = Node(row.name.format(source=node.name, target=target), "", row.kind, path=path)
    made.properties = {row.near: near, row.far: ex.Identity(target, path=path)}
    made.origins = {(row.near,): path, (row.far,): (*path, "target")}
    made.instances = node.instances if node.instances is not MISSING else other.instances
    if row.kind == "volume_attachment":
        _mountpoint(made, node)
    if node.kind == "server":
        # its port is known when all relationships are
        made.properties[row.near] = None
    state.add(made, node.name)
    if node.kind != "server":
        _told(state, made, target, path)


def _told(state: Neutral, made: Node, target: str, path: Path) -> None:
    kind = state.catalogue.kind(made.kind)
    heat = kind.heat[0] if kind is not None else ""
    state.reporter.report("BPC413", path, target=target, type=heat, name=made.name)


def _exists(node: Node) -> bool:
    return node.external_id is not MISSING or node.external_name is not MISSING


def _mountpoint(made: Node, volume: Node) -> None:
    """The plugin reads it from the volume's node."""
    device = volume.declared.get("device_name")
    if device not in (None, "", "auto"):
        made.properties["mountpoint"] = device
        made.origins["mountpoint",] = (*volume.path, "properties", "device_name")


def of_servers(state: Neutral) -> None:
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
            if port is None:
                state.remove(one)
                names.remove(one)
                if target not in server.depends_on:
                    server.depends_on.append(target)
                state.reporter.report("BPC414", made.path, target=target, name=name)
            else:
                made.properties["port_id"] = port
                _told(state, made, target, made.path)


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


def attach(state: Neutral, port: Node, server: str, path: Path) -> bool:
    """``port_connected_to_server``: an interface of the server. False where the port needs the server itself."""
    other = state.nodes[server]
    if port.kind != "port" or other.kind != "server" or _exists(other):
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


def boot(state: Neutral, server: Node, volume: str, path: Path) -> bool:
    """A server boots from a volume that it has a relationship to, if that is bootable."""
    other = state.nodes[volume]
    made = {"image", "snapshot_id", "source_volid"} & other.properties.keys() or other.declared.get("boot") is True
    if not made and not _exists(other):
        return False
    if _exists(server):
        state.reporter.report("BPC418", path, target=volume, name=server.name)
        return True
    name = "block_device_mapping_v2"
    items = server.properties.setdefault(name, [])
    if not isinstance(items, list):
        state.reporter.report("BPC410", path, target=volume, name=name)
        return False
    item = {"volume_id": ex.Identity(volume, path=path)}
    if item not in items:
        server.origins[name, len(items)] = path
        items.append(item)
    if _exists(other):
        state.reporter.report("BPC415", path, target=volume, name=name, what="the volume is bootable")
    return True
