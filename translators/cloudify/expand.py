"""Rewrites of the topology itself, so that every reference that has to become a relationship can.

In the OpenStack plugin a relationship is an argument: it must not be mixed with the property it stands for. So where
one item of a list is a reference, the others become external nodes (``use_external_resource``), interfaces with their
own addresses become ports, and resources without a node of their own are absorbed by another one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.merges import MERGES

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.nodes import Nodes


def expand(nodes: Nodes) -> None:
    """Decide which resources are absorbed or stand-ins, then prepare the lists of references."""
    context = nodes.context
    originals = list(context.topology.nodes.values())
    for node in originals:
        kind = context.catalogue.kind(node.kind)
        if kind is None or (kind.cloudify is None and kind.merge is None) or not isinstance(node.properties, dict):
            context.stand_ins.add(node.name)
    for node in originals:
        kind = context.catalogue.kind(node.kind)
        if kind and kind.merge and node.name not in context.stand_ins and not MERGES[kind.merge](nodes, node):
            context.stand_ins.add(node.name)
    for node in originals:
        kind = context.catalogue.kind(node.kind)
        if kind is None or node.name in context.stand_ins or node.name in context.absorbers:
            continue
        for name, rule in kind.properties.items():
            if rule.hook == "server_networks":
                _networks(nodes, node, name)
            elif rule.hook == "floating_network":
                _floating_network(nodes, node, name)
            elif rule.lift and rule.lift.mixed == "materialise":
                _mixed_list(nodes, node, name, rule.lift.targets)


# -- external resources -------------------------------------------------------------------------------------


def external(nodes: Nodes, kind: str, value: Value, user: Node, path: Path) -> ex.Identity:
    """A reference to the external node for the resource whose name or id is ``value``; made once per value."""
    key = (kind, repr(value))
    name = nodes.externals.get(key)
    if name is None:
        name = nodes.externals[key] = nodes.context.fresh_node(f"external_{_label(value, kind)}")
        nodes.add(Node(name, "", kind, external_id=value, path=path), before=user.name)
    return ex.Identity(name, path=path)


def _label(value: Value, kind: str) -> str:
    if isinstance(value, ex.Input) and isinstance(value.name, str):
        return "_".join([value.name, *(str(k) for k in value.keys if isinstance(k, (str, int)))])
    if isinstance(value, str):
        return re.sub(r"\W+", "_", value, flags=re.ASCII).strip("_") or kind
    return kind


# -- lists of references ------------------------------------------------------------------------------------


def _mixed_list(nodes: Nodes, node: Node, name: str, targets: list[str]) -> None:
    value = node.properties.get(name)
    if not isinstance(value, list) or not any(nodes.is_reference(item, targets) for item in value):
        return
    path = (*node.path, "properties", name)
    node.properties[name] = [
        item
        if nodes.is_reference(item, targets) or item is None
        else external(nodes, targets[0], item, node, (*path, i))
        for i, item in enumerate(value)
    ]


def _networks(nodes: Nodes, node: Node, name: str) -> None:
    """A server's interfaces: all as relationships, or all as the property."""
    value = node.properties.get(name)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return
    items = [{("network" if key == "uuid" else key): part for key, part in item.items()} for item in value]
    lifted = any(
        nodes.is_reference(item.get("port"), ["port"])
        or nodes.is_reference(item.get("network"), _NETS)
        or _needs_port(item)
        for item in items
    )
    if lifted:
        taken: list[Value] = []
        for index, item in enumerate(items):
            path = (*node.path, "properties", name, index)
            items[index] = _interface(nodes, node, item, taken, index, path)
            taken += items[index].values()
    node.properties[name] = items


_NETS = ["net", "provider_net"]
_PORT_KEYS = {"network", "subnet", "fixed_ip", "port_extra_properties"}


def _needs_port(item: dict[str, Value]) -> bool:
    return "port" not in item and bool(item.keys() & {"subnet", "port_extra_properties"}) and item.keys() <= _PORT_KEYS


def _interface(
    nodes: Nodes, node: Node, item: dict[str, Value], taken: list[Value], index: int, path: Path
) -> dict[str, Value]:
    """One interface as a reference to a port or a network."""
    if item.keys() == {"port"}:
        port = item["port"]
        return {"port": port if nodes.is_reference(port, ["port"]) else external(nodes, "port", port, node, path)}
    if item.keys() == {"network"}:
        network = item["network"]
        if not nodes.is_reference(network, _NETS):
            network = external(nodes, "net", network, node, path)
        if network not in taken:
            return {"network": network}
        item = {"network": network}  # two relationships to one node would be one: a port of its own
    if not item.keys() <= _PORT_KEYS or ("network" not in item and "subnet" not in item):
        return item
    properties: dict[str, Value] = {}
    if "network" in item:
        properties["network"] = item["network"]
    address = {
        key: item[source]
        for key, source in (("subnet", "subnet"), ("ip_address", "fixed_ip"))
        if item.get(source) is not None
    }
    if address:
        properties["fixed_ips"] = [address]
    extra = item.get("port_extra_properties")
    properties.update(extra if isinstance(extra, dict) else {})
    name = nodes.context.fresh_node(f"{node.name}_port_{index}")
    nodes.add(Node(name, "", "port", properties, path=path), before=node.name)
    nodes.context.reporter.report("BPC311", path, name=node.name, port=name)
    return {"port": ex.Identity(name, path=path)}


_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")


def _floating_network(nodes: Nodes, node: Node, name: str) -> None:
    """Heat takes a name or an id; the plugin has a property for each. What is not written out becomes an external
    node."""
    value = node.properties.get(name)
    if isinstance(value, ex.Expr) and not nodes.is_reference(value, _NETS):
        node.properties[name] = external(nodes, "net", value, node, (*node.path, "properties", name))


def is_uuid(text: Any) -> bool:
    """True for the text form of a UUID."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None
