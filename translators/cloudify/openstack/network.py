"""Routers, subnets and floating IPs."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.generation2 import runs_as_second
from bpconvert.translators.cloudify.openstack.interfaces import NETS
from bpconvert.translators.cloudify.openstack.property_paths import KWARGS, Reading
from bpconvert.translators.passes.expressions.choices import each_outcome, negation
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing
    from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes


#: types of Heat that look for the external network by themselves, and their property for it
_WITH_POOL, _POOL = ("OS::Nova::FloatingIP",), "pool"


def prepare_floating_network(arrangement: Reshaping, node: Node, name: str) -> None:
    """Heat takes a name or an id; the plugin has a property for each. What is not written out becomes an external
    node."""
    value = node.properties.get(name)
    if value is None and node.source_type in _WITH_POOL and node.external_id is MISSING:
        place = (*node.origin(), _POOL)
        value = arrangement.asked(None, place, "the plugin looks for no external network")
    if isinstance(value, ex.Expr) and not arrangement.topology.is_reference(value, NETS):
        node.properties[name] = arrangement.external("net", value, node, node.origin(name))


def prepare_gateway_ip(arrangement: Reshaping, node: Node, name: str) -> None:
    """Heat reads an empty text as null, which is a subnet without a gateway, and leaves ``auto`` to Neutron."""
    value = node.properties.get(name)
    if value == "" or isinstance(value, ex.If):
        node.properties[name] = _exchanged(value, "", None)
    elif value == "auto":
        del node.properties[name]
        arrangement.report("BPC306", node.origin(name), name=name, value=value)


def _exchanged(value: Value, old: Value, new: Value) -> Value:
    """``value`` with ``new`` for ``old``, also in the cases of a choice."""
    return each_outcome(value, lambda outcome: new if outcome == old else outcome)


def router_of_routes(arrangement: Reshaping, node: Node, name: str) -> None:
    """The 2.x plugin finds the router of routes only by a relationship."""
    value = node.properties.get(name)
    if value is not None and not arrangement.topology.is_reference(value, ["router"]):
        node.properties[name] = arrangement.external("router", value, node, node.origin(name))


def write_router_gateway(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The network is ``external_network`` or a relationship, the rest the API's own ``external_gateway_info``: the
    plugin puts them together."""
    to = ("resource_config", "kwargs", "external_gateway_info")
    if isinstance(value, ex.If):
        parts = _choices(value)
        if parts is None:
            why = "the network is a property of its own there, which a choice between gateways and none cannot be"
            writing.report("BPC302", source, name="external_gateway_info", type=draft.node.source_type, why=why)
            draft.unsupported["external_gateway_info"] = value
            return
        value = parts
    if not isinstance(value, dict):
        draft.put(to, writing.shaped_item(draft, rule, value, source), source)
        return
    network = rule.each["network"]
    details_left = {}
    for key, part in value.items():
        place = (*source, key)
        if rule.aliases.get(key, key) != "network" or part is None:
            details_left[key] = part
        elif not writing.lift(draft, network, part, place):
            draft.put((network.to,), writing.shaped(draft, network, part, place), place)
    details = writing.shaped_item(draft, rule, details_left, source)
    if details:
        draft.put(to, details, source)


def _choices(value: Value) -> dict[str, Value] | None:
    """A map whose values are chosen, in place of a choice between maps of the same keys; None for other choices."""
    if not isinstance(value, ex.If):
        return value if isinstance(value, dict) else None
    then, otherwise = _choices(value.then), _choices(value.otherwise)
    if then is None or otherwise is None or then.keys() != otherwise.keys():
        return None
    return {key: replace(value, then=part, otherwise=otherwise[key]) for key, part in then.items()}


def write_floating_network(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """A reference is a relationship; an id and a name have a property each."""
    if writing.lift(draft, rule, value, source):
        return
    key = "floating_network_id" if is_uuid(value) or isinstance(value, ex.Expr) else "floating_network_name"
    draft.put(("resource_config", key), writing.rewriter.value(value, source), source)


def write_gateway_ip(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Null says that there is no gateway; only in ``kwargs`` it is sure to reach the API."""
    if value is None:
        draft.put(("resource_config", "kwargs", "gateway_ip"), None, source)
    else:
        draft.put(tuple((rule.to or "").split(".")), writing.shaped(draft, rule, value, source), source)


_GATEWAY = f"{KWARGS}.external_gateway_info"
#: the API's keys under Heat's names (heat: neutron/router.py, ``properties_schema``)
_GATEWAY_KEYS = (
    "dict($.data.gateway.items().select([switch($[0] = network_id => network, true => $[0]), "
    "switch($[0] = external_fixed_ips and $[1] != null => $[1].select(dict($.items().select("
    "[switch($[0] = subnet_id => subnet, true => $[0]), $[1]]))), true => $[1])]))"
)


def read_router_gateway(reading: Reading, name: str, rule: PropertyRule) -> None:
    """The network is ``external_network``, the rest the API's own ``external_gateway_info``; where both name a network,
    the property counts (as in the plugin)."""
    network = reading.entry(rule.each["network"])
    details = reading.written.take(_GATEWAY)
    value = reading.shaped(name, rule, details[0].value, details[0].place) if details else None
    if value is MISSING or value is None:
        if network is not None:
            reading.put(name, {"network": network.value}, network.place)
        return
    if isinstance(value, ex.Expr):
        reading.report("BPC426", details[0].place, name=details[0].place[-1])
        value = ex.Query(_GATEWAY_KEYS, {"gateway": value}, path=value.path)
        if network is not None:
            value = ex.Merge([value, {"network": network.value}], path=value.path)
    elif network is not None and isinstance(value, dict):
        if "network" in value and value["network"] != network.value:
            reading.report("BPC362", reading.node.origins.get((name, "network"), details[0].place), name="network_id")
        value = {**value, "network": network.value}
        reading.node.origins[name, "network"] = network.place
    reading.put(name, value, details[0].place)


def read_gateway_ip(reading: Reading, name: str, rule: PropertyRule) -> None:
    """Null goes to Neutron as it is, and says that there is no gateway; in Heat the empty text does (heat:
    neutron/subnet.py, ``_normalize_gateway_ip``)."""
    for entry in reading.written.take(rule.to or ""):
        if entry.value is None and entry.own:
            reading.put(name, "", entry.place)
        elif entry.value not in (None, "") and name not in reading.node.properties:
            reading.put(name, _exchanged(entry.value, None, ""), entry.place)


def without_gateway(topology: Topology) -> None:
    """As :func:`read_gateway_ip`, for null in the cases of a choice, which are known only when branches are folded."""
    for node in topology.nodes.values():
        if node.kind == "subnet" and isinstance(node.properties, dict):
            value = node.properties.get("gateway_ip")
            if isinstance(value, ex.If):
                node.properties["gateway_ip"] = _exchanged(value, None, "")


def on_subnet(state: ReadNodes, port: Node, subnet: str, path: Path) -> bool:
    """A port of the 2.x plugin has an address in each subnet that it has a relationship to, and ``fixed_ip`` is in the
    first one that has it (2.14: neutron_plugin/port.py, ``_handle_fixed_ips``). The 3.x plugin, which runs such nodes
    by compat.yaml, does nothing there."""
    if port.kind != "port" or state.kind_of(subnet) != "subnet" or port.exists:
        return False
    if not runs_as_second(state.raw[port.name].ancestry):
        return False
    reference, items = ex.Identity(subnet, path=path), port.properties.setdefault("fixed_ips", [])
    addresses = items if isinstance(items, list) else []
    if any(isinstance(item, dict) and item.get("subnet") == reference for item in addresses):
        return True
    alone = port.declared.get("fixed_ip")
    for index, item in enumerate(addresses):
        if isinstance(item, dict) and item == {"ip_address": alone} and _has_address(state.nodes[subnet], alone):
            addresses[index] = {"subnet": reference, **item}
            port.origins["fixed_ips", index, "subnet"] = path
            if isinstance(alone, ex.Expr):
                state.reporter.report("BPC758", port.origin("fixed_ips", index), name=port.name, subnet=subnet)
            return True
    if not isinstance(items, list):
        port.properties["fixed_ips"] = ex.ListConcat([items, [{"subnet": reference}]], path=path)
    else:
        port.origins["fixed_ips", len(addresses)] = path
        addresses.append({"subnet": reference})
    return True


def subnets(topology: Topology) -> dict[str, list[str]]:
    """Network that the document makes -> its subnets."""
    by_network: dict[str, list[str]] = {}
    for node in topology.nodes.values():
        own = node.properties.get("network") if node.kind == "subnet" and isinstance(node.properties, dict) else None
        network = topology.node(own.node) if isinstance(own, ex.Identity) else None
        if network is not None and not network.exists:
            by_network.setdefault(network.name, []).append(node.name)
    return by_network


def gets_address(subnets_of: Mapping[str, list[str]], port: Node, subnet: Node) -> bool:
    """True where a relationship from a port to a subnet gives it an address there that it does not ask for, which the
    2.x plugin does (:func:`on_subnet`). In the only subnet of its network it has one anyway. ``subnets_of``: see
    :func:`subnets`."""
    if (port.kind, subnet.kind) != ("port", "subnet"):
        return False
    addresses, own = port.properties.get("fixed_ips"), port.properties.get("network")
    if ex.Identity(subnet.name) in ex.walk(addresses):
        return False
    is_only = isinstance(own, ex.Identity) and subnets_of.get(str(own.node)) == [subnet.name]
    return not is_only or addresses not in (None, [])


def without_groups(state: ReadNodes) -> None:
    """A port that has no groups: the 3.x plugin sends an empty list (network/port.py,
    ``_update_security_groups_config``), which is no group, not even the default one; the 2.x plugin sends nothing."""
    for node in state.nodes.values():
        if node.kind == "port" and not node.exists and not runs_as_second(state.raw[node.name].ancestry):
            node.properties.setdefault("security_groups", [])


def _has_address(subnet: Node, address: Value) -> bool:
    """True where a subnet has an address, or a value decides on that."""
    cidr = subnet.properties.get("cidr")
    try:
        return ipaddress.ip_address(str(address)) in ipaddress.ip_network(str(cidr), strict=False)
    except ValueError:
        return isinstance(address, ex.Expr) or not isinstance(cidr, str)


def write_empty_name(writing: Writing, draft: NodeDraft, value: Value, source: Path) -> Value:
    """Heat sends Neutron an empty name (neutron/neutron.py, ``prepare_properties``); the plugin makes one up
    (openstack_plugin/utils.py, get_resource_name)."""
    if not writing.generation2 and writing.rewriter.by_default(value) == "":
        writing.report("BPC754", source, name=draft.node.name)
    return value


def addresses(writing: Writing, draft: NodeDraft, value: Value, source: Path) -> Value:
    """Heat lets Neutron choose the addresses where a port has an empty list of them; the plugin sends the list, and the
    port gets none (network/port.py, _update_fixed_ips_config)."""
    if writing.generation2:
        return value
    return _or_nothing(writing.whole_choice(value, source) if isinstance(value, list) else value)


def _or_nothing(value: Value) -> Value:
    """``value``, without the empty lists that a choice may yield."""
    if not isinstance(value, ex.If):
        return MISSING if value == [] else value
    then, otherwise = _or_nothing(value.then), _or_nothing(value.otherwise)
    if then is MISSING and otherwise is not MISSING:
        return replace(value, condition=negation(value.condition), then=otherwise, otherwise=MISSING)
    return MISSING if then is MISSING else replace(value, then=then, otherwise=otherwise)
