"""Where a blueprint keeps the record of what it was made from: in its ``metadata``, which takes any map and is not
searched for functions (cfy_grammar: parser ``Metadata``). The parser takes ASCII only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from bpconvert.models import cloudify_rules as rules
from bpconvert.models.expressions import Path
from bpconvert.options import CHOICES
from bpconvert.translators.cloudify.functions import needs
from bpconvert.translators.cloudify.vocabulary import COMPAT, RELATIVE
from bpconvert.translators.provenance.carry import KEPT, KEY, digest
from bpconvert.translators.provenance.parts import in_ascii
from bpconvert.translators.support.places import entries, items, maps
from bpconvert.translators.toscalike.node_templates import undefined_types

_SECTION = "metadata"
#: what describes an input for data that a blueprint cannot write
_ASKED_DATA = re.compile(
    r"Text of .*, given in the inputs file|Value of .*; (metadata has to be texts|Cloudify wants maps with names)"
)


def put(data: dict[str, Any], kept: dict[str, str]) -> None:
    """Add the record to a blueprint's data."""
    data[_SECTION] = {**data.get(_SECTION, {}), KEY: in_ascii(kept)}


def find(data: Any, source: str) -> Path | None:
    """The place of the entry that holds a record, of whatever dialect it is; None if there is none."""
    metadata = data.get(_SECTION) if isinstance(data, dict) else None
    kept = metadata.get(KEY) if isinstance(metadata, dict) else None
    return (_SECTION, KEY) if isinstance(kept, dict) and ("digests" in kept or "source" in kept) else None


def read(data: Any, place: Path) -> Mapping[str, str]:
    """The record in the entry at ``place``."""
    record: Mapping[str, str] = data[_SECTION][KEY]
    return record


def version(current: str, new: Mapping[Path, Any]) -> str:
    """``current``, or the first version that has all functions of the ``new`` entries where that is later."""
    wanted = rules.PREFIX + max(map(needs, new.values()), default="1_0")
    return max(current, wanted)


#: functions whose first argument names an entry of a section
_NAMING = {
    "get_input": "inputs",
    "get_property": "node_templates",
    "get_attribute": "node_templates",
    "get_attributes_list": "node_templates",
}


def unresolved(data: Any) -> set[tuple[Path, str]]:
    """Where the blueprint names an input, node or type that it does not have, and the name. What a blueprint imports
    may have any: then nothing is certain."""
    imports = data.get("imports") or []
    own = isinstance(imports, list) and all(isinstance(name, str) and re.search(_IMPORTED, name) for name in imports)
    if not own:
        return set()
    nodes = entries(data, "node_templates")
    undefined = undefined_types(entries(data, "node_types"), nodes)
    names: set[tuple[Path, str]] = {(("node_templates", name, "type"), type) for name, type in undefined}
    for name, node in nodes.items():
        for index, edge in enumerate(items(node.get("relationships")) if isinstance(node, dict) else ()):
            if isinstance(edge, dict) and isinstance(edge.get("target"), str) and edge["target"] not in nodes:
                names.add((("node_templates", name, "relationships", index), edge["target"]))
    searched = ("inputs", "node_templates", "outputs", "capabilities")
    for value, path in (row for section in searched for row in maps(data.get(section), (section,))):
        for name, argument in value.items() if len(value) == 1 else ():
            first = argument[0] if isinstance(argument, list) and argument else argument
            entries_named = entries(data, _NAMING.get(name, ""))
            if name in _NAMING and isinstance(first, str) and first not in (*entries_named, *RELATIVE):
                names.add((path, first))
    return names


#: imports that bring types only
_IMPORTED = r"^plugin:|types\.yaml$|plugin\.yaml$"


def consequences(data: dict[str, Any], dropped: set[Path]) -> dict[Path, Any]:
    """What else changes where entries are dropped: the groups that a node was in."""
    gone = {path[1] for path in dropped if path[0] == "node_templates" and len(path) == 2}
    changed: dict[Path, Any] = {}
    for name, group in entries(data, "groups").items():
        members = group.get("members") if isinstance(group, dict) else None
        if isinstance(members, list) and any(isinstance(member, str) and member in gone for member in members):
            kept = [member for member in members if not isinstance(member, str) or member not in gone]
            changed["groups", name] = {**group, "members": kept}
    return changed


#: types of the OpenStack plugin, of both generations, and where their nodes have the credentials
_OPENSTACK = ("cloudify.nodes.openstack.", "cloudify.openstack.nodes.")
_CREDENTIALS = ("client_config", "openstack_config")


def joined(new: Mapping[Path, Any], data: Any) -> dict[Path, Any]:
    """The new nodes of OpenStack's with the credentials that the node had before, else with those that most nodes of
    the blueprint have; as the writer has them where the blueprint has no such nodes."""
    nodes = entries(data, "node_templates") if isinstance(data, dict) else {}
    own = {name: _properties(node) for name, node in nodes.items() if _is_openstack(node)}
    changed: dict[Path, Any] = {}
    for path, node in new.items() if own else ():
        if len(path) != 2 or path[0] != "node_templates" or not _is_openstack(node):
            continue
        properties = _properties(node)
        for key in _CREDENTIALS:
            before = [own[path[1]]] if path[1] in own else list(own.values())
            usual = Counter(digest(other.get(key)) for other in before).most_common(1)[0][0]
            value = next(other.get(key) for other in before if digest(other.get(key)) == usual)
            if key in properties and digest(properties[key]) != usual:
                properties = {name: part for name, part in properties.items() if name != key}
                properties |= {} if value is None else {key: value}
        if properties is not node.get("properties"):
            kept = {name: part for name, part in node.items() if name != "properties" or properties}
            changed[path] = {**kept, **({"properties": properties} if properties else {})}
    return changed


def _is_openstack(node: Any) -> bool:
    return isinstance(node, dict) and str(node.get("type")).startswith(_OPENSTACK)


def _properties(node: Any) -> dict[str, Any]:
    properties = node.get("properties")
    return properties if isinstance(properties, dict) else {}


def version_option(current: Any) -> dict[str, Any]:
    """The options that ask for the version ``current`` of the DSL, {} where no manager of today takes it."""
    number = current.removeprefix(rules.PREFIX) if isinstance(current, str) else None
    return {"dsl_version": number} if number and number in CHOICES["dsl_version"] else {}


def options(data: Any, is_kept: bool = False) -> dict[str, Any]:
    """The options with which further nodes fit into a blueprint: the generation of the OpenStack plugin that it has.
    Where compat.yaml is imported, the third runs the nodes: those of a blueprint that is written anew are of that,
    those that stand beside others (``is_kept``) are written as these."""
    nodes = entries(data, "node_templates") if isinstance(data, dict) else {}
    types = [node.get("type") for node in nodes.values() if isinstance(node, dict)]
    is_second = any(str(name).startswith("cloudify.openstack.nodes.") for name in types)
    third = any(str(name).startswith("cloudify.nodes.openstack.") for name in types)
    imports = data.get("imports") if isinstance(data, dict) else None
    compat = isinstance(imports, list) and any(isinstance(name, str) and COMPAT.match(name) for name in imports)
    return {"plugin": "v2"} if is_second and not third and (is_kept or not compat) else {}


def made_with(data: Any) -> dict[str, Any]:
    """What a blueprint cannot write was asked for before nodes held it."""
    inputs = entries(data, "inputs") if isinstance(data, dict) else {}
    descriptions = (declared.get("description") for declared in inputs.values() if isinstance(declared, dict))
    return {"asked": "data"} if any(_ASKED_DATA.fullmatch(str(words)) for words in descriptions) else {}


def alike(place: Path, old: Any, new: Any, data: Any) -> bool:
    """True for what is kept beside a blueprint where only what earlier versions did not keep is missing: what counts
    where nothing is given, values of outputs that are texts, and texts that inputs ask for."""
    if place != ("metadata", KEPT):
        return False
    from bpconvert.translators.cloudify.blueprint_metadata import KEY, read  # few conversions need it

    before, now = (read({} if text is None else {KEY: text}) for text in (old, new))
    if before is None or now is None or before.outputs or any(node.assumed for node in before.nodes.values()):
        return False
    texts = {name for name, (_, value) in now.inputs.items() if isinstance(value, str)} - before.inputs.keys()
    inputs = {name: row for name, row in now.inputs.items() if name not in texts}
    nodes = {name: node._replace(assumed={}) for name, node in now.nodes.items() if node.properties}
    return before == now._replace(inputs=inputs, outputs={}, nodes=nodes)


def as_today(generated: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    """``written``: earlier versions had the same entries."""
    return written
