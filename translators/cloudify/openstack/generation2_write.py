"""Node properties as the 2.x OpenStack plugin names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models.expressions import Attribute, Input, Value

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import Kind
    from bpconvert.translators.cloudify.write.context import Context
    from bpconvert.translators.cloudify.write.nodes import Draft

#: runtime property of 3.x -> of 2.x
RUNTIME_PROPERTIES = {"id": "external_id", "name": "external_name"}
#: what the plugin puts in place of keys that a rule does not have, where that is not what their absence means
_FILLED = ("protocol", "port_range_min", "port_range_max")
_OWN_GROUP = Attribute("SELF", "id")


def has_type(kind: Kind) -> bool:
    """False when only the 3.x plugin has a node type for ``kind``."""
    return kind.cloudify is None or kind.cloudify.plain or kind.cloudify.v2 is not None


def properties(context: Context, draft: Draft, written: dict[str, Any]) -> dict[str, Any]:
    """The 2.x form of a v3 node's properties: settings in the type's own wrapper key, ``resource_id`` for an existing
    resource, ``openstack_config`` for the credentials."""
    names = draft.kind.cloudify.v2 if draft.kind is not None and draft.kind.cloudify is not None else None
    if names is None:
        return written
    result: dict[str, Any] = {}
    for key, value in written.items():
        if key == "client_config":
            result["openstack_config"] = value
        elif key == "resource_config":
            settings: dict[str, Value] = {**value, **value.get("kwargs", {})}
            settings.pop("kwargs", None)
            if written.get("use_external_resource") and "id" in settings:
                result["resource_id"] = settings.pop("id")
            if settings:
                result[names.wrapper] = {names.rename.get(name, name): setting for name, setting in settings.items()}
        else:
            result[{"security_group_rules": "rules"}.get(key, key)] = value
    adapt = _ADAPTED.get(draft.kind.kind) if draft.kind is not None else None
    if adapt is not None:
        adapt(context, draft, result)
    return result


def _server(context: Context, draft: Draft, properties: dict[str, Any]) -> None:
    """Interfaces have the keys of novaclient, security groups are names."""
    settings = properties.get("server", {})
    if isinstance(settings.get("nics"), list):
        settings["nics"] = [_interface(item) for item in settings["nics"]]
    groups = settings.get("security_groups")
    if isinstance(groups, list):
        settings["security_groups"] = [
            group["name"] if isinstance(group, dict) and group.keys() == {"name"} else group for group in groups
        ]


def _interface(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    address = item.get("fixed_ip")
    version = "v6" if isinstance(address, str) and ":" in address else "v4"
    names = {"uuid": "net-id", "port": "port-id", "fixed_ip": f"{version}-fixed-ip"}
    return {names.get(key, key): value for key, value in item.items()}


def _router(context: Context, draft: Draft, properties: dict[str, Any]) -> None:
    """A router without a gateway would get the external network of the manager, if that has one."""
    node = draft.node
    if node.properties.get("external_gateway_info") is None and not properties.get("use_external_resource"):
        properties["default_to_managers_external_network"] = False


def _security_group(context: Context, draft: Draft, properties: dict[str, Any]) -> None:
    """A rule says what the plugin would fill in otherwise; one for the group itself cannot be said, because the rules
    are read before the group has an id."""
    rules = properties.get("rules")
    if not isinstance(rules, list):
        return
    kept = properties["rules"] = []
    for index, rule in enumerate(rules):
        if isinstance(rule, dict) and rule.get("remote_group_id") == _OWN_GROUP:
            path = (*draft.node.path, "properties", "rules", index, "remote_mode")
            why = "the 2.x plugin reads the rules before the group exists; the rule is left out"
            report = context.reporter.report
            report("BPC302", path, name="remote_mode", type=draft.node.source_type, why=why)
        else:
            kept.append(_rule(rule))
    if not kept:
        del properties["rules"]


def _rule(rule: Any) -> Any:
    """The rule with nulls where the plugin would write ``tcp``, ports 1 to 65535 and ``0.0.0.0/0``; the last means the
    same for IPv4, and gives way to a group."""
    if not isinstance(rule, dict):
        return rule
    filled = {**rule, **{key: None for key in _FILLED if key not in rule}}
    if rule.get("ethertype") != "IPv4" and "remote_ip_prefix" not in rule and "remote_group_id" not in rule:
        filled["remote_ip_prefix"] = None
    return filled


def _server_group(context: Context, draft: Draft, properties: dict[str, Any]) -> None:
    """One policy, a property of the node; the name is ``resource_id``. The plugin reads nothing else."""
    settings = properties.pop("server_group", {})
    if "name" in settings:
        properties["resource_id"] = settings["name"]
    policies = settings.get("policies")
    if isinstance(policies, Input):
        properties["policy"] = Input(policies.name, (*policies.keys, 0), path=policies.path)
    elif isinstance(policies, list) and policies:
        properties["policy"] = policies[0]
    lost = {"rules"} & settings.keys()
    if not properties.get("use_external_resource") and "policy" not in properties:
        properties["policy"] = "anti-affinity"
        lost |= {"policies"}
    for name in sorted(lost):
        path, why = (*draft.node.path, "properties", name), "the 2.x plugin has one policy only, without rules"
        context.reporter.report("BPC302", path, name=name, type=draft.node.source_type, why=why)


def _image(context: Context, draft: Draft, properties: dict[str, Any]) -> None:
    """The settings go to the image API as they are, which has further properties beside its own."""
    extra = properties.get("image", {}).get("properties")
    if isinstance(extra, dict):
        del properties["image"]["properties"]
        properties["image"].update(extra)


#: kind -> what else differs (the properties are changed in place)
_ADAPTED: dict[str, Callable[[Context, Draft, dict[str, Any]], None]] = {
    "server": _server,
    "router": _router,
    "security_group": _security_group,
    "server_group": _server_group,
    "image": _image,
}
