"""Nodes as the 2.x OpenStack plugin names them, in the terms of 3.x and back (what the plugin's ``compat.py`` does)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Attribute, Input, Path, Value
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.cloudify.calls import DIALECT, GROUP_NAME
from bpconvert.translators.cloudify.openstack.property_paths import CONFIG, KWARGS, Entry, Written, twins
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft

# -- writing ------------------------------------------------------------------------------------------------

#: what lets the plugin of the third generation run nodes of the second (it is part of the plugin's repository)
COMPAT: Final = "https://raw.githubusercontent.com/cloudify-cosmo/cloudify-openstack-plugin/3.2.7/compat.yaml"
#: runtime property of 3.x -> of 2.x
RUNTIME_PROPERTIES = {"id": "external_id", "name": "external_name"}
#: what the plugin puts in place of keys that a rule does not have, where that is not what their absence means
_FILLED = ("protocol", "port_range_min", "port_range_max")
_OWN_GROUP = Attribute("SELF", "id")


def has_type(kind: Kind) -> bool:
    """False when only the 3.x plugin has a node type for ``kind``."""
    return kind.cloudify is None or kind.cloudify.plain or kind.cloudify.v2 is not None


def properties(reporter: Reports, draft: NodeDraft, written: dict[str, Any]) -> dict[str, Any]:
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
            more = value.get("kwargs", {})
            settings: dict[str, Value] = {**value, **(more if isinstance(more, dict) else {})}
            settings.pop("kwargs", None)
            if written.get("use_external_resource") and "id" in settings:
                result["resource_id"] = settings.pop("id")
            if settings:
                result[names.wrapper] = {names.rename.get(name, name): setting for name, setting in settings.items()}
            if isinstance(more, ex.Expr):  # what a parameter gives
                own = result.get(names.wrapper)
                result[names.wrapper] = more if own is None else ex.Merge([own, more], path=more.path)
        else:
            result[{"security_group_rules": "rules"}.get(key, key)] = value
    adapt = _ADAPTED.get(draft.kind.kind) if draft.kind is not None else None
    if adapt is not None:
        adapt(reporter, draft, result)
    return result


def property_path(kind: Kind | None, steps: Sequence[str]) -> tuple[str, ...]:
    """Where 2.x has the property that 3.x has at ``steps``."""
    names = kind.cloudify.v2 if kind is not None and kind.cloudify is not None else None
    if names is None or len(steps) < 2 or steps[0] != CONFIG:
        return tuple(steps)
    first, *inner = steps[2:] if steps[1] == "kwargs" and len(steps) > 2 else steps[1:]
    return names.wrapper, names.rename.get(first, first), *inner


def _server(reporter: Reports, draft: NodeDraft, properties: dict[str, Any]) -> None:
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


def _router(reporter: Reports, draft: NodeDraft, properties: dict[str, Any]) -> None:
    """A router without a gateway would get the external network of the manager, if that has one."""
    node = draft.node
    if node.properties.get("external_gateway_info") is None and not properties.get("use_external_resource"):
        properties["default_to_managers_external_network"] = False


def _security_group(reporter: Reports, draft: NodeDraft, properties: dict[str, Any]) -> None:
    """A rule has what the plugin would fill in otherwise; one for the group itself has no form, because the rules
    are read before the group has an id."""
    rules = properties.get("rules")
    if not isinstance(rules, list):
        return
    kept = properties["rules"] = []
    for index, rule in enumerate(rules):
        if isinstance(rule, dict) and rule.get("remote_group_id") == _OWN_GROUP:
            path = draft.node.origin("rules", index, "remote_mode")
            why = "the 2.x plugin reads the rules before the group exists; the rule is left out"
            reporter.report("BPC302", path, name="remote_mode", type=draft.node.source_type, why=why)
        else:
            kept.append(filled(rule))
    if not kept:
        del properties["rules"]


def filled(rule: Any) -> Any:
    """The rule with nulls where the plugin would write ``tcp``, ports 1 to 65535 and ``0.0.0.0/0``; the last means the
    same for IPv4, and gives way to a group."""
    if not isinstance(rule, dict):
        return rule
    whole = {**rule, **{key: None for key in _FILLED if key not in rule}}
    if rule.get("ethertype") != "IPv4" and "remote_ip_prefix" not in rule and "remote_group_id" not in rule:
        whole["remote_ip_prefix"] = None
    return whole


def _server_group(reporter: Reports, draft: NodeDraft, properties: dict[str, Any]) -> None:
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
        path, why = draft.node.origin(name), "the 2.x plugin has one policy only, without rules"
        reporter.report("BPC302", path, name=name, type=draft.node.source_type, why=why)


def _image(reporter: Reports, draft: NodeDraft, properties: dict[str, Any]) -> None:
    """The settings go to the image API as they are, which has further properties beside its own."""
    extra = properties.get("image", {}).get("properties")
    if isinstance(extra, dict):
        del properties["image"]["properties"]
        properties["image"].update(extra)


#: kind -> what else differs (the properties are changed in place)
_ADAPTED: dict[str, Callable[[Reports, NodeDraft, dict[str, Any]], None]] = {
    "server": _server,
    "router": _router,
    "security_group": _security_group,
    "server_group": _server_group,
    "image": _image,
}


# -- reading ------------------------------------------------------------------------------------------------

#: the names of security groups, each with its node
Groups = list[tuple[Value, str]]
#: node types of the 2.x plugin
PREFIX = "cloudify.openstack.nodes."
#: node types of the 3.x plugin
THIRD = "cloudify.nodes.openstack."
#: what 2.x calls a relationship or a runtime property -> 3.x
RELATIONSHIPS = "cloudify.openstack."
OLD_RUNTIME_PROPERTIES = {old: new for new, old in RUNTIME_PROPERTIES.items()} | {"external_type": "type"}
#: what the plugin puts into a rule that does not have it (compat.py:453-466)
RULE_DEFAULTS: dict[str, Value] = {
    "direction": "ingress",
    "ethertype": "IPv4",
    "port_range_min": 1,
    "port_range_max": 65535,
    "protocol": "tcp",
    "remote_ip_prefix": "0.0.0.0/0",
}
_PORT: Final = "port"
_REMOTE = ("remote_ip_prefix", "remote_group_id")
#: properties of the node -> where 3.x has them
_MOVED = {"openstack_config": "client_config", "rules": "security_group_rules", "description": f"{CONFIG}.description"}


def names(kind: Kind, node_type: str) -> tuple[str | None, dict[str, str]]:
    """The wrapper key of a node type of the 2.x plugin (None for another type), and setting of 2.x -> of 3.x."""
    row = kind.cloudify.v2 if kind.cloudify is not None else None
    if row is None or not node_type.startswith(PREFIX):
        return None, {}
    return row.wrapper, {old: new for new, old in row.rename.items()}


def runs_as_second(types: Sequence[str]) -> bool:
    """True for a node that the code of the 2.x plugin runs: the 3.x plugin runs those that compat.yaml derives from its
    own. ``types``: the node's and those that it is derived from."""
    return any(name.startswith(PREFIX) for name in types) and not any(name.startswith(THIRD) for name in types)


def normalise(written: Written, kind: Kind) -> None:
    """Rewrite ``written`` (of a node of the 2.x plugin) in place."""
    for old, new in _MOVED.items():
        for entry in written.take(old):
            if entry.own or new not in written.entries:
                written.entries[new] = entry
    for entry in written.take("policy") if kind.kind == "server_group" else ():
        if entry.value not in (None, "", {}):  # goes before those of the settings (compat.py)
            written.entries[f"{CONFIG}.policies"] = Entry([entry.value], entry.place, entry.own)
    if kind.kind == "image":
        _further_properties(written, kind)
    for entry in written.take("resource_id"):
        if entry.value in (None, ""):
            continue
        if written.external:
            exact = is_uuid(entry.value) or kind.by_name
            written.entries[f"{CONFIG}.{'id' if exact else 'name'}"] = entry
        elif "name" in kind.properties:
            name_entry = written.entries.get(f"{CONFIG}.name")
            has_name = name_entry is not None and name_entry.value not in (None, "")
            # where the settings have a name, this one does not count
            written.entries[f"{KWARGS if has_name else CONFIG}.name"] = entry
        else:
            written.entries["resource_id"] = entry


def _further_properties(written: Written, kind: Kind) -> None:
    """The settings of an image that the image API has no name for are properties of the image."""
    known_paths = {
        twin for rule in kind.properties.values() for path in (rule.to, *rule.accept) if path for twin in twins(path)
    }
    known_paths |= {twin for path in kind.only for twin in twins(path)} | {f"{CONFIG}.id", f"{KWARGS}.id"}
    further = {
        path: entry
        for path, entry in written.entries.items()
        if path.startswith(f"{CONFIG}.") and path not in known_paths
    }
    for path in further:
        del written.entries[path]
    if further:
        values = {path.rsplit(".", 1)[-1]: entry.value for path, entry in further.items()}
        written.entries[f"{KWARGS}.properties"] = Entry(values, next(iter(further.values())).place[:-1])


def rule(item: dict[Any, Value]) -> tuple[dict[Any, Value], dict[Any, Any], bool]:
    """A security group rule in the terms of 3.x, (key -> the key that it was written as), and whether anything was
    filled in. Null means that the plugin's default is not wanted."""
    settings: dict[Any, Value] = {}
    sources: dict[Any, Any] = {}
    for key, value in item.items():
        if item.get(_PORT) and key in _RULE_KEYS[_PORT]:
            continue  # the plugin puts the port in its place (compat.py:608)
        for new in _RULE_KEYS.get(key, (key,)):
            if value not in ("", {}) or new not in _REMOTE:
                settings[new] = ex.Identity(value) if key == "remote_group_node" and isinstance(value, str) else value
                sources[new] = key
    filled = {key: value for key, value in RULE_DEFAULTS.items() if key not in settings}
    if settings.get("remote_group_id") is not None or filled.get("ethertype", settings.get("ethertype")) == "IPv4":
        # every IPv4 address is what no prefix means
        filled.pop("remote_ip_prefix", None)
    result = {key: value for key, value in {**filled, **settings}.items() if value is not None}
    return result, sources, bool(filled.keys() - {"direction", "ethertype"})


def named_group(value: Value, groups: Groups, place: Path) -> Value:
    """The group whose name ``value`` is. Neutron takes no name there: of a group that the blueprint does not have, the
    id is asked for."""
    if isinstance(value, (ex.Attribute, ex.Property)) and (value.name, *value.keys)[-1] in _NAMES:
        nodes = [node for _, node in groups if node == value.node]
    else:
        nodes = [node for name, node in groups if name == value and type(name) is type(value)]
    if nodes:
        return ex.Identity(nodes[0], path=place)
    return ex.Foreign(DIALECT, GROUP_NAME, value, path=place)


#: what holds the name of a node's resource
_NAMES = ("name", "resource_id", "external_name")


_GROUP = "$.get(remote_group_id, $.get(remote_group_name))"
#: the rules that a call yields (``rules``), in the terms of 3.x
RULES: Final = (
    "$.data.rules.select(dict("
    "direction => $.get(direction, ingress), ethertype => $.get(ethertype, IPv4), protocol => $.get(protocol, tcp), "
    "port_range_min => $.get(port, $.get(port_range_min, 1)), "
    "port_range_max => $.get(port, $.get(port_range_max, 65535)), "
    f"remote_group_id => {_GROUP}, remote_mode => "
    f"switch({_GROUP} = null => remote_ip_prefix, true => remote_group_id), remote_ip_prefix => "
    f"$.get(remote_ip_prefix, switch({_GROUP} = null => '0.0.0.0/0', true => null))))"
)
_RULE_KEYS: dict[Any, tuple[str, ...]] = {
    _PORT: ("port_range_min", "port_range_max"),
    "remote_group_node": ("remote_group_id",),
    GROUP_NAME: ("remote_group_id",),
}
