"""The map of types that the catalogue was built from, as the measure of what has a counterpart (``coverage.py``).

The map is YAML: ``types`` is a list of entries with ``heat``, ``cfy``, their further names, and a rule for each
property (``props``) and attribute (``attrs``). A rule that only keeps the value (``keep``), and what the map leaves to
the stand-in (``fallback``), is no counterpart.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

#: the entry for types that are files
_NESTED = "nested_template"
#: which existing resource a node is: ``globals.external`` says it for all
_ID = "resource_config.id"
#: what a rule for a setting that Heat does not have says when Heat has something for it all the same
_SAYING = {"split", "see", "to_value_specs"}
#: entries of node types that are software when a server runs their scripts, and of nested blueprints
SOFTWARE, COMPONENT = "cfy_software", "cfy_component"
#: runtime properties of every node of the OpenStack plugin
_COMMON = {"id", "name", "type", "external_id", "external_name", "external_type"}
#: properties that connect or identify, and are no settings of the resource
CONNECTION = {"client_config", "openstack_config", "use_external_resource", "resource_id"}


class Entry:
    """One entry of the map."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.id: str = data["id"]
        self.counts = not data.get("fallback") and "fallback" not in (data.get("heat"), data.get("cfy"))

    def heat_property(self, name: str) -> bool:
        """True when the map says what Heat's property becomes."""
        return self.counts and _says(self._rule("props", name))

    def heat_attribute(self, name: str) -> bool:
        """True when the map says what answers Heat's attribute."""
        return self.counts and _says(self._rule("attrs", _plain(name)))

    def node_property(self, path: str) -> bool:
        """True when the map says which property of Heat the node's property at the dotted ``path`` is."""
        if not self.counts:
            return False
        only = (self.data.get("cfy_only") or {}).get(path)
        if only is not None:
            return bool(only.keys() & _SAYING)
        if path == _ID or path in (self.data.get("derived") or ()):
            return True
        for name, rule in (self.data.get("props") or {}).items():
            if isinstance(rule, dict) and rule.get("consumed") and path == name:
                return True
            if isinstance(rule, dict) and _says(rule):
                places = [rule.get("to"), *rule.get("accept", ()), rule.get("each_path")]
                if path in places or any(_fills(place, path) for place in (rule.get("flatten"),)):
                    return True
        return False

    def runtime_property(self, name: str) -> bool:
        """True when the map says which attribute of Heat the runtime property is."""
        if not self.counts:
            return False
        back = self.data.get("attrs_c2h") or {}
        if name in back:
            return _says(back[name])
        rules = [rule for rule in (self.data.get("attrs") or {}).values() if isinstance(rule, dict)]
        return name in _COMMON or any(_says(rule) and name in (rule.get("to"), rule.get("property")) for rule in rules)

    def _rule(self, section: str, name: str) -> Any:
        rules = self.data.get(section) or {}
        rule = rules.get(name, rules.get("*"))
        while isinstance(rule, dict) and "alias_of" in rule:
            rule = rules.get(rule["alias_of"].split(".")[0])
        return rule


class TypeMap:
    """All entries, by the names of both languages."""

    def __init__(self, path: Path) -> None:
        data = yaml.safe_load(path.read_text("utf-8"))
        self.heat: dict[str, Entry] = {}
        self.nodes: dict[str, Entry] = {}
        self.wrappers: dict[str, str] = {}
        self.renamed: dict[str, str] = {}
        for row in data["types"]:
            entry = Entry(row)
            if row.get("dir") is None:
                for name in (row.get("heat"), *(row.get("heat_accept") or ())):
                    self.heat.setdefault(str(name), entry)
            for name in (row.get("cfy"), row.get("v2"), *(row.get("cfy_accept") or ())):
                if name and (str(name) not in self.nodes or row.get("dir") == "c2h"):
                    self.nodes[str(name)] = entry
        self.nested = next(entry for entry in self.heat.values() if entry.id == _NESTED)
        old = data["v2_normalise"]
        self.wrappers = {f"cloudify.openstack.nodes.{name}": key for name, key in old["wrapper_key"].items()}
        self.renamed = {key: to for key, to in old["server"].items() if isinstance(to, str)}
        self.renamed |= {"rules": "security_group_rules", **old["user"], **old["project"]}

    def heat_entry(self, name: str) -> Entry | None:
        """The entry of a Heat type; that of nested templates for a file."""
        if name.endswith((".yaml", ".yml", ".template")):
            return self.nested
        return self.heat.get(name)

    def node_entry(self, ancestry: list[str]) -> Entry | None:
        """The entry of a node type, given with its parents."""
        return next((self.nodes[name] for name in ancestry if name in self.nodes), None)


_NO_FILE = "the engine refuses it, too: a file that it reads is not there"
#: what a configuration's group may be for its text to be a script
_SCRIPT_GROUPS = (None, "", "script", "ungrouped", "Heat::Ungrouped")


def left_to_stand_in(name: str, resources: dict[str, Any], folder: Path) -> str:
    """Why the map itself leaves a resource to the stand-in though its type has an entry (the ``otherwise`` of ``merge``
    and the notes of ``props``); "" where it does not. What counts is in the template, not in its conversion."""
    data = resources[name]
    kind, properties = data["type"], data.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    if kind.endswith((".yaml", ".yml", ".template")):
        return "" if (folder / kind).is_file() else _NO_FILE
    if kind in ("OS::Heat::SoftwareDeployment", "OS::Heat::SoftwareDeploymentGroup", "OS::Heat::SoftwareDeployments"):
        config = _target(properties.get("config"), resources)
        if config is None:
            return "the map: deployment of a configuration that is not in the template"
        if missing_file(resources[config].get("properties"), folder):
            return _NO_FILE
        if kind != "OS::Heat::SoftwareDeployment" and not isinstance(_members(properties.get("servers")), dict):
            return "the map: deployments on servers that are not in the template"
        return left_to_stand_in(config, resources, folder)
    if kind in ("OS::Heat::SoftwareConfig", "OS::Heat::MultipartMime", "OS::Heat::CloudConfig"):
        if (properties.get("group") if kind == "OS::Heat::SoftwareConfig" else None) not in _SCRIPT_GROUPS:
            return "the map: configuration for a tool of the Heat agent"
        if missing_file(properties, folder):
            return _NO_FILE
        if kind != "OS::Heat::CloudConfig" and not _is_used(name, resources):
            return "the map: configuration that no server or deployment of the template uses"
    return ""


def missing_file(value: Any, folder: Path) -> str:
    """A reason when a value reads a file that is not there: Heat's client does not send such a template."""
    if isinstance(value, dict):
        name = value.get("get_file") if len(value) == 1 else None
        if isinstance(name, str):
            return "" if "://" in name or (folder / name).is_file() else _NO_FILE
        value = list(value.values())
    parts = value if isinstance(value, list) else []
    return next((found for found in (missing_file(part, folder) for part in parts) if found), "")


def _target(value: Any, resources: dict[str, Any]) -> str | None:
    name = value.get("get_resource") if isinstance(value, dict) else None
    return name if isinstance(name, str) and isinstance(resources.get(name), dict) else None


def _members(value: Any) -> Any:
    return None if isinstance(value, dict) and len(value) == 1 and next(iter(value)).startswith("get_") else value


def _is_used(name: str, resources: dict[str, Any]) -> bool:
    """True for a configuration that is deployed, or part of a server's user data."""
    for other, data in resources.items():
        properties = data.get("properties") if isinstance(data, dict) else None
        if other == name or not isinstance(properties, dict):
            continue
        group = "servers" in properties
        if group and not isinstance(_members(properties["servers"]), dict):
            continue
        for key in ("config", "user_data", "parts", "resource_def", "resource"):
            if _refers(properties.get(key), name):
                return data.get("type") != "OS::Heat::MultipartMime" or _is_used(other, resources)
    return False


def _refers(value: Any, name: str) -> bool:
    if isinstance(value, dict):
        return value.get("get_resource") == name or any(_refers(item, name) for item in value.values())
    return isinstance(value, list) and any(_refers(item, name) for item in value)


def _plain(name: str) -> str:
    return re.sub(r"^resource\.\d+.*", "resource.N", name)


def _says(rule: Any) -> bool:
    if isinstance(rule, str):
        return True
    return isinstance(rule, dict) and not rule.keys() & {"keep", "fallback"}


def _fills(flatten: Any, path: str) -> bool:
    """True for a setting that Heat has in a free map."""
    place = flatten if isinstance(flatten, str) else "resource_config.kwargs" if flatten else None
    return place is not None and path.startswith(f"{place}.")
