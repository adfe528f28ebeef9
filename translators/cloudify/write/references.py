"""What a reference to a resource becomes: the id attribute, a runtime attribute, or a property of its node."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import INSTANCE_NUMBER, Node
from bpconvert.translators.catalogue.model import AttributeRule
from bpconvert.translators.cloudify import named_values
from bpconvert.translators.cloudify.openstack import cloud_config, generation2_write
from bpconvert.translators.cloudify.write import components
from bpconvert.translators.passes.expressions import optional_entries
from bpconvert.translators.passes.expressions.kinds import is_number
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import Kind
    from bpconvert.translators.cloudify.write.context import Context
    from bpconvert.translators.cloudify.write.rewriter import DslRewriter

#: length of the place of a whole output: outputs, name, value
_OUTPUT = 3
#: Heat types that are part of another node, and have its id in Heat, too
_SAME_ID = frozenset({"OS::Neutron::ExtraRouteSet"})


def identity(rewriter: DslRewriter, expr: ex.Identity) -> Value:
    """``get_resource``."""
    context = rewriter.context
    node = _node(rewriter, expr)
    draft = context.topology.owner(node.name)
    kind = context.catalogue.kind(context.topology.nodes[draft].kind) if draft in context.topology.nodes else None
    if draft != node.name and node.source_type not in _SAME_ID:
        context.reporter.report("BPC304", expr.path, name=node.name, target=draft)
    if context.is_stand_in(draft):
        _no_value(rewriter, expr, node.name, "id")
    if kind is None or kind.cloudify is None or context.is_stand_in(draft):
        return ex.Attribute(context.node_name(draft), "id", path=expr.path)
    if context.topology.nodes[draft].nested is not None:
        return components.identity(context, node, expr.path)
    if kind.kind == cloud_config.KIND and not cloud_config.takes_text(expr.path):
        context.reporter.report("BPC718", expr.path, name=node.name)
    if not kind.identity:
        raise Unsupported(f"nothing identifies '{node.name}' in Cloudify")
    return _runtime(context, draft, kind, kind.identity, (), expr)


def attribute(rewriter: DslRewriter, expr: ex.Attribute) -> Value:
    """``get_attr``."""
    context = rewriter.context
    node = _node(rewriter, expr)
    if is_number(context.topology, expr):
        return ex.Attribute(context.node_name(node.name), INSTANCE_NUMBER, path=expr.path)
    keys = tuple(rewriter.rewrite(k, expr.path) for k in expr.keys)
    rewriter.note_indices(keys)
    if expr.name is MISSING:
        raise Unsupported("Cloudify cannot give all attributes at once")
    if not isinstance(expr.name, str):
        raise Unsupported("the attribute's name is computed")
    if not expr.name.isascii():
        raise Unsupported("names in a blueprint are ASCII")
    if context.is_stand_in(node.name):
        _no_value(rewriter, expr, node.name, f"attribute '{expr.name}'")
        return ex.Attribute(context.node_name(node.name), expr.name, keys, path=expr.path)
    if node.nested is not None:
        return components.attribute(context, node, expr, keys)
    kind = context.catalogue.kind(node.kind)
    if expr.name in node.published:
        return ex.Attribute(context.node_name(node.name), expr.name, keys, path=expr.path)
    rule = kind.attributes.get(expr.name) if kind else None
    if kind is None or rule is None or kind.cloudify is None:
        raise Unsupported(f"the Cloudify node has no counterpart of attribute '{expr.name}' of {node.source_type}")
    if rule.hook:
        return HOOKS[rule.hook](rewriter, node, expr, keys)
    if rule.reference:
        given = node.properties.get(rule.reference)
        if given is None or keys:
            raise Unsupported(f"attribute '{expr.name}' is not set by a property")
        existing = _existing(context, kind, rule.reference, given, node)
        if existing is not None:
            return identity(rewriter, ex.Identity(existing.name, path=expr.path))
        if not isinstance(given, (ex.Identity, ex.Attribute)) and not is_uuid(given):
            note = f"'{expr.name}' is '{rule.reference}' as the template gives it; Heat has the id, also for a name"
            context.reporter.report("BPC309", expr.path, note=note)
        return rewriter.rewrite(given, expr.path)
    if rule.property:
        return _property(rewriter, node, rule, expr, keys)
    if rule.note:
        context.reporter.report("BPC309", expr.path, note=rule.note)
    return _runtime(context, node.name, kind, rule.to or "", keys, expr)


def _no_value(rewriter: DslRewriter, expr: ex.Expr, name: str, what: str) -> None:
    """Say that a stand-in gives nothing. It matters less where only a stand-in uses it."""
    code = "BPC794" if rewriter.inert and expr.path[:1] == ("resources",) else "BPC305"
    rewriter.context.reporter.report(code, expr.path, name=name, what=what)


def _existing(context: Context, kind: Kind, role: str, value: Value, user: Node) -> Node | None:
    """The node of the existing resource that property ``role`` of ``user`` names, if it has become one."""
    lift = kind.properties[role].lift if role in kind.properties else None
    for node in context.topology.nodes.values() if lift is not None else ():
        is_external = not node.source_type and node.kind in (lift.targets if lift else ())
        if is_external and node.external_id == value and node.condition == user.condition:
            return node
    return None


def _runtime(
    context: Context, node: str, kind: Kind, name: str, keys: tuple[Value, ...], expr: ex.Expr
) -> ex.Attribute:
    """A runtime property, by the name that the chosen family of node types has for it."""
    if context.options.plugin == "v2" and kind.cloudify is not None and not kind.cloudify.plain:
        name = generation2_write.RUNTIME_PROPERTIES.get(name, name)
    return ex.Attribute(context.node_name(node), name, keys, path=expr.path)


def _property(
    rewriter: DslRewriter, node: Node, rule: AttributeRule, expr: ex.Attribute, keys: tuple[Value, ...]
) -> Value:
    context = rewriter.context
    first, *rest = (rule.property or "").split(".")
    found: Any = context.lowered_property(node, rule.property or "")
    if found is MISSING:
        raise Unsupported(f"attribute '{expr.name}' is only known to OpenStack: the template does not set it")
    for key in keys:
        if not isinstance(found, (dict, list)):
            raise Unsupported("a part of a computed property is taken")
        try:
            found = found[key]
        except (KeyError, IndexError, TypeError):
            raise Unsupported(f"'{node.name}' has no such part of '{expr.name}'") from None
    if rest and optional_entries.are_in(node.properties):
        return rewriter.rewrite(optional_entries.null_for_nothing(found), expr.path)
    return ex.Property(context.node_name(node.name), first, (*rest, *keys), path=expr.path)


def _node(rewriter: DslRewriter, expr: ex.Identity | ex.Attribute) -> Node:
    node = rewriter.context.node_of(expr.node)
    if node is None:
        if isinstance(expr.node, str):
            rewriter.context.reporter.report("BPC208", expr.path, name=expr.node)
            raise Unsupported(f"there is no resource '{expr.node}'")
        raise Unsupported("the resource's name is computed")
    return node


# -- attributes that take more than a name ------------------------------------------------------------------


def _server_addresses(rewriter: DslRewriter, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[server, networks|addresses, <network>, <n>, ...]``: the addresses of the interface on that network."""
    context = rewriter.context
    wanted = expr.keys
    if (
        len(wanted) < 2
        or type(wanted[1]) is not int
        or wanted[1] != 0
        or len(wanted) > 3
        or (len(wanted) == 3 and wanted[2] not in ("addr", "port"))
    ):
        raise Unsupported("only the first address on one network has a counterpart")
    interfaces = context.interfaces(node)
    matching = [i for i in interfaces if i.network is not None and i.network == wanted[0]]
    chosen = matching[0] if matching else interfaces[0] if len(interfaces) == 1 else None
    if len(wanted) == 3 and wanted[2] == "port":
        if chosen is None or chosen.port is None:
            raise Unsupported("the interface on that network has no port node")
        return identity(rewriter, ex.Identity(chosen.port, path=expr.path))
    automatic = not interfaces and node.properties.get("networks") in (None, []) and node.external_id is MISSING
    if chosen is None and not automatic:
        raise Unsupported("the template does not say which interface is on that network")
    context.reporter.report("BPC310", expr.path, name=node.name)
    if chosen is None:  # the compute service takes the project's only network, or refuses
        return ex.Attribute(context.node_name(node.name), "ip", path=expr.path)
    if chosen.port is not None:
        return ex.Attribute(context.node_name(chosen.port), "fixed_ips", (0,), path=expr.path)
    if len(interfaces) == 1:
        return ex.Attribute(context.node_name(node.name), "ip", path=expr.path)
    return ex.Attribute(context.node_name(node.name), "ipv4_addresses", (chosen.place,), path=expr.path)


def _port_addresses(rewriter: DslRewriter, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[port, fixed_ips, n, ip_address]``: the plugin keeps a flat list of addresses."""
    if len(keys) == 2 and keys[1] == "ip_address":
        return ex.Attribute(rewriter.context.node_name(node.name), "fixed_ips", (keys[0],), path=expr.path)
    if len(keys) == 2 and keys[1] == "subnet_id":
        subnet = _subnet(node, keys[0])
        if subnet is not None:
            return rewriter.rewrite(subnet, expr.path)
    if not keys and expr.path[:1] == ("outputs",) and len(expr.path) == _OUTPUT:
        rewriter.context.reporter.report("BPC348", expr.path, name=node.name)
        return ex.Attribute(rewriter.context.node_name(node.name), "fixed_ips", path=expr.path)
    raise Unsupported("the plugin's fixed_ips is a list of addresses, Heat's a list of maps")


def _volume_type(rewriter: DslRewriter, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """The name of the volume's type: of one that the template creates, what its node has."""
    given = node.properties.get("volume_type")
    target = rewriter.context.node_of(given.node) if isinstance(given, ex.Identity) else None
    kind = rewriter.context.catalogue.kind("volume_type")
    is_node = target is not None and target.kind == "volume_type" and not rewriter.context.is_stand_in(target.name)
    if target is not None and is_node and kind is not None and not keys:
        return _runtime(rewriter.context, target.name, kind, "name", (), expr)
    return _property(rewriter, node, AttributeRule(property="resource_config.volume_type"), expr, keys)


def _port_subnets(rewriter: DslRewriter, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[port, subnets, n, <attribute>]``: the subnet node's own attribute."""
    subnet = _subnet(node, keys[0]) if len(keys) >= 2 else None
    if isinstance(subnet, ex.Identity):
        return attribute(rewriter, ex.Attribute(subnet.node, keys[1], keys[2:], path=expr.path))
    raise Unsupported("the port's subnet is not a resource of this template")


def _port_network(rewriter: DslRewriter, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[port, network, <attribute>]``: the network node's id or attribute."""
    network = node.properties.get("network")
    if not keys:
        raise Unsupported("the plugin has no map of the network")
    if not isinstance(network, ex.Identity):
        raise Unsupported("the port's network is not a resource of this template")
    if keys == ("id",):
        return identity(rewriter, ex.Identity(network.node, path=expr.path))
    return attribute(rewriter, ex.Attribute(network.node, keys[0], keys[1:], path=expr.path))


def _subnet(port: Node, index: Value) -> Value:
    """The subnet that the template gives to fixed address ``index`` of a port; None: it says nothing."""
    addresses = port.properties.get("fixed_ips")
    if not isinstance(addresses, list) or not isinstance(index, int) or not 0 <= index < len(addresses):
        return None
    address = addresses[index]
    return address.get("subnet", address.get("subnet_id")) if isinstance(address, dict) else None


def _nested(rewriter: DslRewriter, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """An output of a nested template."""
    return components.attribute(rewriter.context, node, expr, keys)


HOOKS: dict[str, Callable[[DslRewriter, Node, ex.Attribute, tuple[Value, ...]], Value]] = {
    "server_addresses": _server_addresses,
    "value": named_values.attribute,
    "port_addresses": _port_addresses,
    "port_subnets": _port_subnets,
    "port_network": _port_network,
    "volume_type_name": _volume_type,
    "nested_attribute": _nested,
}
