"""Relationships as what they mean: properties, resources of their own, the host, or mere order.

The plugin looks at the two nodes, not at the relationship's type (``type_map.md`` §2); the type only tells whether the
relationship does something of its own (:mod:`splits`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify import splits
from bpconvert.translators.cloudify.normalise_v2 import RELATIONSHIPS
from bpconvert.translators.cloudify.operations import is_own

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.neutral import Neutral, RawNode, RawRelationship

_PLUGIN = "cloudify.relationships.openstack."
_CONTAINED = "cloudify.relationships.contained_in"
_HOSTS = ("server", "compute")
_NETS = ("net", "provider_net")


class Link(NamedTuple):
    """A relationship, as far as it goes. ``order``: it says nothing else."""

    relationship: RawRelationship
    target: str
    order: bool = False


def links(raw: RawNode, barriers: dict[str, list[str]]) -> list[Link]:
    """The relationships of a node; what it waits for behind a barrier in place of the barrier."""
    found: list[Link] = []
    for relationship in raw.relationships:
        if relationship.target in barriers:
            found += [Link(relationship, target, True) for target in barriers[relationship.target]]
        else:
            found.append(Link(relationship, relationship.target))
    return found


def short_names(relationship: RawRelationship) -> list[str]:
    """What the plugin calls a relationship's type and its parents."""
    types = relationship.ancestry or [relationship.type]
    return [t.rsplit(".", 1)[-1] for t in types if t.startswith((_PLUGIN, RELATIONSHIPS))]


def connect(state: Neutral, all_links: dict[str, list[Link]]) -> None:
    """Say every relationship."""
    parents: dict[str, str] = {}
    for name, found in all_links.items():
        node = state.nodes[name]
        for link in found:
            types = link.relationship.ancestry or [link.relationship.type]
            if _CONTAINED in types and not link.order and link.target in state.nodes:
                parents.setdefault(name, link.target)
            _connect(state, node, link)
    for node in list(state.nodes.values()):
        node.host = _host(state, node.name, parents)
        if node.kind == "server":
            _one_interface_each(state, node)
            _groups_reach_ports(state, node)
    splits.of_servers(state)


def _connect(state: Neutral, node: Node, link: Link) -> None:
    relationship, target = link.relationship, link.target
    if target not in state.nodes:
        return
    if link.order:
        _wait(node, target)
        return
    own = [operation for operation in relationship.operations if not is_own(operation)]
    node.operations += [replace(one, target=target, inputs=state.runtime.value(one.inputs)) for one in own]
    if target == node.name:
        return
    names = short_names(relationship)
    row = state.catalogue.split(node.kind, state.kind_of(target), names)
    if row is not None:
        splits.split(state, node, target, row, relationship.path)
    elif "port_connected_to_server" in names and splits.attach(state, node, target, relationship.path):
        return
    elif not fill(state, node, target, relationship.path):
        _wait(node, target)
        if any(name not in state.catalogue.without_effect for name in names):
            state.reporter.report("BPC411", relationship.path, type=relationship.type, target=target)


def _wait(node: Node, target: str) -> None:
    if target not in node.depends_on and target != node.name:
        node.depends_on.append(target)


def fill(state: Neutral, node: Node, target: str, path: Path) -> bool:
    """Say a relationship with a property; False where the two nodes have none for it."""
    kind, other = state.kinds.get(node.name), state.kind_of(target)
    if kind is None or node.native is not None:
        return False
    if kind.kind == "server" and other == "volume":
        return splits.boot(state, node, target, path)
    found = state.catalogue.fill(kind, other)
    if found is None:
        return False
    name, key, rule = found
    if exists(node):
        if exists(state.nodes[target]):
            state.reporter.report("BPC356", path, name=f"relationship to {target}")
        else:
            state.reporter.report("BPC418", path, target=target, name=node.name)
        return True
    reference = ex.Identity(target, path=path)
    how = rule.lift.fill if rule.lift is not None else "value"
    known = node.properties.get(name)
    if how in ("item", "entry"):
        said: Any = reference if how == "item" else {key: reference}
        agrees = _append(node, name, said, path)
    elif how == "key":
        agrees = _set_key(state, node, name, str(key), reference, path)
    else:
        agrees = known is None or _is_it(known, state.nodes[target])
        if known is None:
            node.properties[name] = reference
            node.origins[name,] = path
    if not agrees:
        state.reporter.report("BPC410", path, target=target, name=name)
        _wait(node, target)
    return True


def exists(node: Node) -> bool:
    """True for a resource that no stack creates."""
    return node.external_id is not MISSING or node.external_name is not MISSING


def _is_it(value: Any, node: Node) -> bool:
    """True when ``value`` is the node, or what an existing resource is known by."""
    return value == ex.Identity(node.name) or (exists(node) and value in (node.external_id, node.external_name))


def _append(node: Node, name: str, item: Any, path: Path) -> bool:
    """Add to a list, once. False where the property is no list, or one that the plugin would not take beside it."""
    known = node.properties.setdefault(name, [])
    if not isinstance(known, list):
        return False
    if item not in known:
        node.origins[name, len(known)] = path
        known.append(item)
    return True


def _set_key(state: Neutral, node: Node, name: str, key: str, reference: ex.Identity, path: Path) -> bool:
    known = node.properties.get(name)
    if known is None:
        known = node.properties[name] = {}
    if not isinstance(known, dict):
        return False
    if key in known:
        return _is_it(known[key], state.nodes[str(reference.node)])
    node.properties[name] = {key: reference, **known}
    node.origins[name, key] = path
    network = state.nodes[str(reference.node)]
    if not exists(network) and not _is_external(network):
        what = "the network is an external one"
        state.reporter.report("BPC415", path, target=network.name, name=f"{name}.{key}", what=what)
    return True


def _is_external(network: Node) -> bool:
    specs = network.properties.get("value_specs")
    found = network.properties.get("router_external", specs.get("router:external") if isinstance(specs, dict) else None)
    return found is not None and found is not False


def _host(state: Neutral, name: str, parents: dict[str, str]) -> str | None:
    """The nearest machine that a node is in."""
    seen = {name}
    while (name := parents.get(name, "")) and name not in seen:
        if state.kind_of(name) in _HOSTS:
            return name
        seen.add(name)
    return None


def _one_interface_each(state: Neutral, server: Node) -> None:
    """The plugin takes a network and a port on it for one interface."""
    items = server.properties.get("networks")
    if not isinstance(items, list):
        return
    ports = [state.nodes.get(str(item["port"].node)) for item in items if _is_reference(item, "port")]
    taken = [port.properties.get("network") for port in ports if port is not None and port.kind == "port"]
    kept = [item for item in items if item not in [{"network": network} for network in taken]]
    if len(kept) < len(items):
        places = {id(item): server.origins.pop(("networks", i), None) for i, item in enumerate(items)}
        for index, item in enumerate(kept):
            place = places[id(item)]
            if place is not None:
                server.origins["networks", index] = place
        server.properties["networks"] = kept


def _is_reference(item: Any, key: str) -> bool:
    return isinstance(item, dict) and isinstance(item.get(key), ex.Identity)


def _groups_reach_ports(state: Neutral, server: Node) -> None:
    """The plugin gives a server's groups to all of its ports."""
    groups, items = server.properties.get("security_groups"), server.properties.get("networks")
    if not isinstance(groups, list) or not isinstance(items, list):
        return
    ports = [state.nodes.get(str(item["port"].node)) for item in items if _is_reference(item, "port")]
    for group in groups:
        if isinstance(group, ex.Identity) and any(port is not None and not _has(port, group) for port in ports):
            state.reporter.report("BPC416", group.path or server.path, target=group.node, name=server.name)


def _has(port: Node, group: ex.Identity) -> bool:
    known = port.properties.get("security_groups")
    return isinstance(known, list) and group in known


def implied(values: Iterable[Any]) -> set[str]:
    """The nodes that references in ``values`` wait for."""
    return {
        expr.node
        for expr in ex.walk(list(values))
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str)
    }
