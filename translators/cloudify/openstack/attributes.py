"""Attributes of resources as runtime properties of nodes, and back.

Reading, what shows which floating IP or port a server has are the relationships as written, so this comes before they
become properties.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import NestedInterface, Node, Shown, Topology
from bpconvert.translators.catalogue.model import AttributeRule, Kind
from bpconvert.translators.cloudify import components
from bpconvert.translators.cloudify.openstack import cloud_config, generation2, manager_keys
from bpconvert.translators.cloudify.openstack.interfaces import NETS, interfaces_of
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import inside
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.protocols import References
    from bpconvert.translators.toscalike.node_templates import RawNode

#: addresses of a port as texts, as the plugin keeps them (Heat validates with null)
_ADDRESSES = "switch($.data.v = null => null, true => $.data.v.select($.ip_address){})"
_OF_VERSION = {"ipv4": ".where(not (':' in $))", "ipv6": ".where(':' in $)"}


class Runtime:
    """Maps the attributes in any value of a blueprint."""

    def __init__(self, raw: Mapping[str, RawNode], kinds: Mapping[str, Kind], reporter: Reports) -> None:
        self.raw = raw
        self.kinds = kinds
        self.reporter = reporter
        #: nodes that stand for others: their attributes have the names of these
        self.stand_ins: dict[str, Shown] = {}
        #: components that nest a document
        self.nested: Mapping[str, NestedInterface] = {}
        self._floating: dict[str, str] | None = None
        #: network -> the subnets that are in it
        self._subnets: dict[str, list[str]] | None = None

    def value(self, value: Value) -> Value:
        """``value`` with Heat's names of attributes."""
        if type(value) in ex.SCALARS:
            return value
        if isinstance(value, ex.Expr):
            expr = ex.map_fields(value, self.value)
            if isinstance(expr, ex.Attribute):
                return self._attribute(expr)
            if isinstance(expr, ex.Capability):
                names = [name for name in self.nested if not self.raw[name].is_scaled]
                interfaces = {name: (self.nested[name], self.raw[name].properties) for name in names}
                return components.of_capability(expr, interfaces, self.reporter)
            return self._list(expr) if isinstance(expr, ex.AttributeList) else expr
        if isinstance(value, dict):
            return {key: item if type(item) in ex.SCALARS else self.value(item) for key, item in value.items()}
        if isinstance(value, list):
            return [item if type(item) in ex.SCALARS else self.value(item) for item in value]
        return value

    def _attribute(self, expr: ex.Attribute) -> Value:
        if not isinstance(expr.node, str) or not isinstance(expr.name, str):
            return expr
        kind = self.kinds.get(expr.node)
        if kind is not None and kind.kind == manager_keys.KIND:
            return manager_keys.attribute(self.raw[expr.node], expr, self.reporter)
        if expr.node in self.nested:
            return components.attribute(self.nested[expr.node], expr)
        if expr.node in self.stand_ins:
            return ex.Identity(expr.node, path=expr.path) if expr.name == "id" and not expr.keys else expr
        if kind is None or kind.cloudify is None:
            return expr
        name = expr.name if kind.cloudify.plain else generation2.OLD_RUNTIME_PROPERTIES.get(expr.name, expr.name)
        if name in kind.answers:
            return ANSWERS[kind.answers[name]](self, ex.Attribute(expr.node, name, expr.keys, path=expr.path))
        if name in ("id", kind.identity) and not expr.keys:
            return ex.Identity(expr.node, path=expr.path)
        for attribute, rule in kind.attributes.items():
            if not rule.also and (name == rule.to or name in rule.accept):
                return ex.Attribute(expr.node, attribute, expr.keys, path=expr.path)
        if name in kind.attributes and not kind.attributes[name].also:
            return ex.Attribute(expr.node, name, expr.keys, path=expr.path)
        return self._property(expr, name, kind)

    def _list(self, expr: ex.AttributeList) -> Value:
        """The attribute of every instance. Where there is but one, a list of that; ids are named ``id``."""
        if not isinstance(expr.node, str) or not isinstance(expr.name, str):
            return expr
        raw = self.raw.get(expr.node)
        if raw is None or (expr.node not in self.kinds and expr.node not in self.stand_ins):
            return expr
        attribute = ex.Attribute(expr.node, expr.name, expr.keys, path=expr.path)
        written = self._attribute(attribute)
        if not raw.is_scaled:  # what has no name in Heat stays one call: it is expressed, or not, as a whole
            return expr if written is attribute and expr.node not in self.stand_ins else [written]
        if isinstance(written, ex.Identity):
            return ex.AttributeList(expr.node, "id", path=expr.path)
        if isinstance(written, ex.Attribute) and written.node == expr.node:
            return ex.AttributeList(expr.node, written.name, written.keys, path=expr.path)
        return expr

    def _property(self, expr: ex.Attribute, name: str, kind: Kind) -> Value:
        """What ``get_attribute`` falls back to: the property of that name; the resource's name is the one given."""
        raw = self.raw[str(expr.node)]
        if name in raw.declared:
            return ex.Property(expr.node, name, expr.keys, path=expr.path)
        wrapper = kind.cloudify.v2.wrapper if kind.cloudify is not None and kind.cloudify.v2 is not None else ""
        for steps in ((wrapper, "name"), ("resource_config", "name"), ("resource_id",)) if name == "name" else ():
            if inside(raw.declared, steps) not in (None, ""):
                return ex.Property(expr.node, steps[0], (*steps[1:], *expr.keys), path=expr.path)
        if name == "name" and not expr.keys:  # of a type without this attribute: what OpenStack's API shows has it
            return ex.Attribute(expr.node, "show", ("name",), path=expr.path)
        return expr

    # -- what is connected ----------------------------------------------------------------------------------

    def targets(self, name: str, *kinds: str) -> list[str]:
        """The nodes of ``kinds`` that node ``name`` has a relationship to, in order."""
        related = []
        for relationship in self.raw[name].relationships:
            kind = self.kinds.get(relationship.target)
            if kind is not None and kind.kind in kinds and relationship.target in self.raw:
                related.append(relationship.target)
        return related

    def floating_ip(self, server: str) -> str | None:
        """The floating IP of a server: its own, or that of one of its ports."""
        own = self.targets(server, "floating_ip")
        if own:
            return own[0]
        if self._floating is None:
            self._floating = {}
            for name, kind in self.kinds.items():
                if kind.kind == "floating_ip" and name in self.raw:
                    for port in self.targets(name, "port"):
                        self._floating.setdefault(port, name)
        for port in self.targets(server, "port"):
            address = next(iter(self.targets(port, "floating_ip")), self._floating.get(port))
            if address is not None:
                return address
        return None

    def has_one_address(self, port: str) -> bool:
        """True for a port that is sure to have one address, of version 4: it is given one, or its network is one of the
        blueprint's that has one subnet."""
        declared = self.raw[port].declared
        config = declared.get("resource_config", declared.get("port"))
        fixed = config.get("fixed_ips") if isinstance(config, dict) else None
        if fixed not in (None, []):
            item = fixed[0] if isinstance(fixed, list) and len(fixed) == 1 else None
            address = item.get("ip_address", "") if isinstance(item, dict) else None
            return address is not None and not (isinstance(address, str) and ":" in address)
        if self._subnets is None:
            self._subnets = {}
            for name, kind in self.kinds.items():
                for network in self.targets(name, *NETS) if kind.kind == "subnet" and name in self.raw else ():
                    self._subnets.setdefault(network, []).append(name)
        networks = self.targets(port, *NETS)
        subnets = self._subnets.get(networks[0], []) if len(networks) == 1 else []
        if len(subnets) != 1 or self.raw[networks[0]].declared.get("use_external_resource") is True:
            return False
        settings = [self.raw[subnets[0]].declared.get(key) for key in ("resource_config", "subnet")]
        return not any(isinstance(setting, dict) and setting.get("ip_version") not in (None, 4) for setting in settings)

    def reported(self, expr: ex.Attribute, what: str, result: Value) -> Value:
        """``result``, after a report of what it is."""
        self.reporter.report("BPC361", expr.path, name=expr.name, node=expr.node, what=what)
        return result


def _server_ip(runtime: Runtime, expr: ex.Attribute) -> Value:
    """The address for Cloudify's agent: the first fixed one, with ``use_public_ip`` the floating one."""
    node = str(expr.node)
    if runtime.raw[node].declared.get("use_public_ip") is True:
        address = runtime.floating_ip(node)
        if address is not None:
            return ex.Attribute(address, "floating_ip_address", path=expr.path)
    return ex.Attribute(node, "first_address", expr.keys, path=expr.path)


def _floating_address(runtime: Runtime, expr: ex.Attribute) -> Value:
    """The address that is associated with the port or server."""
    address = runtime.floating_ip(str(expr.node))
    return expr if address is None else ex.Attribute(address, "floating_ip_address", path=expr.path)


def _address_of_interface(runtime: Runtime, expr: ex.Attribute) -> Value:
    """``ipv4_addresses``: one per interface."""
    node = str(expr.node)
    interfaces = runtime.targets(node, "port", *NETS)
    if len(expr.keys) == 1 and type(expr.keys[0]) is int and 0 <= expr.keys[0] < len(interfaces):
        target = interfaces[expr.keys[0]]
        if runtime.kinds[target].kind == "port":
            address = ex.Attribute(target, "fixed_ips", (0, "ip_address"), path=expr.path)
            return runtime.reported(expr, f"the first address of '{target}'", address)
        address = ex.Attribute(node, "networks", (ex.Identity(target), 0), path=expr.path)
        return runtime.reported(expr, f"the first address on '{target}'", address)
    return expr


def _port_address(runtime: Runtime, expr: ex.Attribute) -> Value:
    """The first address of a version; where there is but one, it is that."""
    node = str(expr.node)
    if expr.keys:
        return expr
    if expr.name == "ipv4_address" and runtime.has_one_address(node):
        address = ex.Attribute(node, "fixed_ips", (0, "ip_address"), path=expr.path)
        return runtime.reported(expr, "the port's first address", address)
    return _query(node, _OF_VERSION[str(expr.name)[:4]] + ".first(null)", expr)


def _first_address(runtime: Runtime, expr: ex.Attribute) -> Value:
    """What the second generation of the plugin keeps of a port (neutron_plugin/port.py, ``_get_fixed_ip``)."""
    node = str(expr.node)
    if expr.keys or not generation2.runs_as_second(runtime.raw[node].ancestry):
        return expr
    address = ex.Attribute(node, "fixed_ips", (0, "ip_address"), path=expr.path)
    return runtime.reported(expr, "the port's first address", address)


def _server_address(runtime: Runtime, expr: ex.Attribute) -> Value:
    """An IPv6 address: of the first port."""
    ports = runtime.targets(str(expr.node), "port")
    if not ports or expr.keys:
        return expr
    address = _query(ports[0], _OF_VERSION["ipv6"] + ".first(null)", expr)
    return runtime.reported(expr, f"the first one of '{ports[0]}'", address)


def _existing_server(runtime: Runtime, expr: ex.Attribute) -> Value:
    """What the plugin finds of a server that exists (``_EXISTING``): of that, an address on a network."""
    match expr.keys:
        case ("addresses", network, number, "addr"):
            return ex.Attribute(expr.node, "networks", (network, number), path=expr.path)
    return expr


def _server_addresses_v6(runtime: Runtime, expr: ex.Attribute) -> Value:
    """All IPv6 addresses: those of the port, where that is the only interface."""
    ports = runtime.targets(str(expr.node), "port")
    if len(ports) != 1 or runtime.targets(str(expr.node), *NETS):
        return expr
    addresses = _port_addresses(runtime, ex.Attribute(ports[0], "ipv6_addresses", expr.keys, path=expr.path))
    return runtime.reported(expr, f"those of '{ports[0]}'", addresses)


def _port_addresses(runtime: Runtime, expr: ex.Attribute) -> Value:
    """The plugin keeps flat lists of addresses, Heat has one of maps."""
    node, name = str(expr.node), str(expr.name)
    if name == "fixed_ips" and len(expr.keys) == 1:
        return ex.Attribute(node, "fixed_ips", (expr.keys[0], "ip_address"), path=expr.path)
    part = _OF_VERSION.get(name[:4], "")
    if len(expr.keys) == 1 and type(expr.keys[0]) is int and expr.keys[0] >= 0:
        part += f".skip({expr.keys[0]}).first(null)"
    elif expr.keys:
        why = "it is a list of texts in Cloudify"
        runtime.reporter.report("BPC360", expr.path, name=name, node=node, why=why)
        return expr
    return _query(node, part, expr)


def _query(port: str, part: str, expr: ex.Attribute) -> Value:
    addresses = ex.Attribute(port, "fixed_ips", path=expr.path)
    return ex.Query(_ADDRESSES.format(part), {"v": addresses}, path=expr.path)


#: what an ``answers`` of the catalogue names
ANSWERS: dict[str, Callable[[Runtime, ex.Attribute], Value]] = {
    "server_ip": _server_ip,
    "floating_address": _floating_address,
    "address_of_interface": _address_of_interface,
    "first_address": _first_address,
    "port_address": _port_address,
    "port_addresses": _port_addresses,
    "server_address": _server_address,
    "cloud_config_text": cloud_config.text,
    "server_addresses_v6": _server_addresses_v6,
    "existing_server": _existing_server,
}


# -- writing: attributes that take more than a name -----------------------------------------------------------


#: what the plugin keeps of a resource that exists: the whole answer of OpenStack (openstack_plugin/utils.py,
#: ``set_external_resource``)
_EXISTING = "external_resource"


def _of_existing_server(references: References, node: Node, expr: ex.Attribute) -> ex.Attribute | None:
    """An address of a server that exists, where the network is named: OpenStack knows them by the networks' names."""
    if node.external_id is MISSING or references.generation2:
        return None
    match (expr.name, *expr.keys):
        case ("networks", str(network), int(number)) | ("addresses", str(network), int(number), "addr"):
            if is_uuid(network):
                return None
            references.report("BPC681", expr.path, name=node.name)
            keys = ("addresses", network, number, "addr")
            return ex.Attribute(references.node_name(node.name), _EXISTING, keys, path=expr.path)
    return None


def written_server_addresses(references: References, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[server, networks|addresses, <network>, <n>, ...]``: the addresses of the interface on that network."""
    of_existing = _of_existing_server(references, node, expr)
    if of_existing is not None:
        return of_existing
    wanted = expr.keys
    further = wanted[2:]
    if len(wanted) < 2 or type(wanted[1]) is not int or wanted[1] != 0 or further not in ((), ("addr",), ("port",)):
        raise Unsupported("only the first address on one network has a counterpart")
    interfaces = interfaces_of(references.topology, node)
    matching = [i for i in interfaces if i.network is not None and i.network == wanted[0]]
    chosen = matching[0] if matching else interfaces[0] if len(interfaces) == 1 else None
    if further == ("port",):
        if chosen is None or chosen.port is None:
            raise Unsupported("the interface on that network has no port node")
        references.report("BPC223", expr.path, name="get_attr", how=f"the port '{chosen.port}'")
        return references.identity(ex.Identity(chosen.port, path=expr.path))
    automatic = not interfaces and node.properties.get("networks") in (None, []) and node.external_id is MISSING
    if chosen is None and not automatic:
        raise Unsupported("it is not known which interface is on that network")
    references.report("BPC310", expr.path, name=node.name)
    if chosen is None:  # the compute service takes the project's only network, or refuses
        return ex.Attribute(references.node_name(node.name), "ip", path=expr.path)
    if chosen.port is not None:
        return ex.Attribute(references.node_name(chosen.port), "fixed_ips", (0,), path=expr.path)
    if len(interfaces) == 1:
        return ex.Attribute(references.node_name(node.name), "ip", path=expr.path)
    return ex.Attribute(references.node_name(node.name), "ipv4_addresses", (chosen.place,), path=expr.path)


def written_port_addresses(references: References, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[port, fixed_ips, n, ip_address]``: the plugin keeps a flat list of addresses."""
    if len(keys) == 2 and keys[1] == "ip_address":
        return ex.Attribute(references.node_name(node.name), "fixed_ips", (keys[0],), path=expr.path)
    if len(keys) == 2 and keys[1] == "subnet_id":
        subnet = _subnet(node, keys[0])
        if subnet is not None:
            return references.rewrite(subnet, expr.path)
    outputs = references.topology.outputs.values()
    if not keys and any(expr.path == (*output.path, "value") for output in outputs):
        references.report("BPC348", expr.path, name=node.name)
        return ex.Attribute(references.node_name(node.name), "fixed_ips", path=expr.path)
    raise Unsupported("the plugin's fixed_ips is a list of addresses, elsewhere it is a list of maps")


#: a query as it is written above -> what the plugin calls its result
_PUBLISHED = {
    _ADDRESSES.format(part + end): f"{version}_{name}"
    for version, part in _OF_VERSION.items()
    for end, name in ((".first(null)", "address"), ("", "addresses"))
}


def publish(topology: Topology, reporter: Reporter) -> None:
    """Put the runtime properties that the plugin gives to ports in place of the queries that stand for them
    (openstack_plugin/resources/network/port.py, ``_export_ips_to_port_instance``)."""

    if not any(node.kind == "port" for node in topology.nodes.values()):
        return

    def published(expr: ex.Expr) -> Value:
        if not isinstance(expr, ex.Query) or not isinstance(expr.data, dict) or expr.data.keys() != {"v"}:
            return expr
        name, source = _PUBLISHED.get(str(expr.expression)), expr.data["v"]
        node = topology.node(source.node) if isinstance(source, ex.Attribute) else None
        if name is None or node is None or source != ex.Attribute(node.name, "fixed_ips"):
            return expr
        if node.kind != "port" or (node.external_id, node.external_name) != (MISSING, MISSING):
            return expr
        node.published.add(name)
        what = "an empty text where the port has none, or several" if name.endswith("address") else "never null"
        reporter.report("BPC309", expr.path, note=f"'{name}' is {what}")
        return ex.Attribute(node.name, name, path=expr.path)

    topology.rewrite(lambda value: ex.transform(value, published))


def volume_type(references: References, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """The name of the volume's type: of one that the template creates, what its node has."""
    type_value = node.properties.get("volume_type")
    target = references.topology.node(type_value.node) if isinstance(type_value, ex.Identity) else None
    kind = references.catalogue.kind("volume_type")
    is_node = target is not None and target.kind == "volume_type" and not target.stand_in
    if target is not None and is_node and kind is not None and not keys:
        return references.runtime(target.name, kind, "name", (), expr)
    return references.property(node, AttributeRule(property="resource_config.volume_type"), expr, keys)


def port_subnets(references: References, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[port, subnets, n, <attribute>]``: the subnet node's own attribute."""
    subnet = _subnet(node, keys[0]) if len(keys) >= 2 else None
    if isinstance(subnet, ex.Identity):
        return references.attribute(ex.Attribute(subnet.node, keys[1], keys[2:], path=expr.path))
    raise Unsupported("the port's subnet is not a resource of this template")


def port_network(references: References, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[port, network, <attribute>]``: the network node's id or attribute."""
    network = node.properties.get("network")
    if not keys:
        raise Unsupported("the plugin has no map of the network")
    if not isinstance(network, ex.Identity):
        raise Unsupported("the port's network is not a resource of this template")
    if keys == ("id",):
        return references.identity(ex.Identity(network.node, path=expr.path))
    return references.attribute(ex.Attribute(network.node, keys[0], keys[1:], path=expr.path))


def _subnet(port: Node, index: Value) -> Value:
    """The subnet that the template gives to fixed address ``index`` of a port; None: it gives none."""
    addresses = port.properties.get("fixed_ips")
    if not isinstance(addresses, list) or not isinstance(index, int) or not 0 <= index < len(addresses):
        return None
    address = addresses[index]
    return address.get("subnet", address.get("subnet_id")) if isinstance(address, dict) else None
