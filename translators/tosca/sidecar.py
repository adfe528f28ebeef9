"""Where a service template keeps the record of what it was made from: in its ``metadata``, as a text, because
metadata takes texts only (Simple Profile 1.3, 3.10.3.2.2). Texts are not searched for functions.

Beside the record stands what the language has no words for (:mod:`.template_metadata`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.models.tosca_versions import LATEST, WRITTEN
from bpconvert.translators.provenance import parts
from bpconvert.translators.provenance.carry import KEY
from bpconvert.translators.provenance.sidecar import Sidecar
from bpconvert.translators.support.places import entries, items, maps
from bpconvert.translators.tosca import versions
from bpconvert.translators.tosca.profile import is_profile
from bpconvert.translators.tosca.standard import is_standard
from bpconvert.translators.tosca.vocabulary import RELATIVE, SCALING_POLICY
from bpconvert.translators.toscalike.node_templates import undefined_types

_SECTION: Final = "metadata"
DATA_TYPES: Final = "data_types"
#: sections with definitions that have schemas of entries
_DEFINED: Final = ("node_types", "policy_types", "relationship_types", "inputs")
#: types of values that have no entries
_TYPES: Final = ("string", "integer", "float", "boolean")


_NAMING: Final = {"get_input": "inputs", "get_property": "node_templates", "get_attribute": "node_templates"}


def _is_ours(entry: Any) -> bool:
    """True for an import of a file that results have."""
    name = entry.get("url") if isinstance(entry, dict) else entry
    return is_profile(name) or is_standard(name)


def _without(entry: Any, gone: set[Any]) -> dict[str, Any] | None:
    """A group or policy without the nodes that are gone; None where it had none of them."""
    kept_lists = {}
    for key in ("members", "targets"):
        listed = items(entry.get(key)) if isinstance(entry, dict) else []
        kept = [item for item in listed if not isinstance(item, str) or item not in gone]
        if len(kept) != len(listed):
            kept_lists[key] = kept
    return {**entry, **kept_lists} if kept_lists else None


def _scales(row: Any) -> bool:
    """True for a policy that has numbers of instances."""
    return isinstance(row, dict) and any(entries(row, name).get("type") == SCALING_POLICY for name in row)


def _unscaled(node: dict[str, Any]) -> dict[str, Any]:
    """A node template without what its metadata keep of its number of instances."""
    from bpconvert.translators.provenance.metadata_text import as_text  # few conversions need it
    from bpconvert.translators.tosca.template_metadata import NODE_KEY

    try:
        kept = json.loads(entries(node, "metadata")[NODE_KEY])
        left = {key: value for key, value in kept.items() if key != "instances"}
    except (LookupError, ValueError, TypeError, AttributeError):
        return node
    metadata = {**node["metadata"], NODE_KEY: as_text(left)}
    if not left:
        del metadata[NODE_KEY]
    others = {key: value for key, value in node.items() if key != "metadata"}
    return {**others, "metadata": metadata} if metadata else others


def _plain(value: Any) -> Any:
    """A definition without the schemas of entries, and with maps for lists and data types."""
    if not isinstance(value, dict):
        return value
    plain_definition = {key: _plain(item) for key, item in value.items() if key != "entry_schema"}
    kind = plain_definition.get("type")
    return {**plain_definition, "type": "map"} if isinstance(kind, str) and kind not in _TYPES else plain_definition


class _ToscaSidecar(Sidecar):
    """The record is in the metadata of the service template."""

    def put(self, data: dict[str, Any], kept: dict[str, str]) -> None:
        """Add the record to a service template's data."""
        metadata = data.get(_SECTION, {})
        data[_SECTION] = {**metadata, KEY: parts.written(kept)}

    def find(self, data: Any, source: str) -> Path | None:
        """The place of the entry that holds a record, of whatever language it is, or something else in its place, which
        is a damaged one; None if there is none."""
        return (_SECTION, KEY) if KEY in entries(data, _SECTION) else None

    def read(self, data: Any, place: Path) -> Mapping[str, str]:
        """The record in the entry at ``place``. Raises LookupError, TypeError or ValueError where that is none."""
        return parts.map_of(data[_SECTION], KEY)

    def unresolved(self, data: Any) -> set[tuple[Path, str]]:
        """Where the service template names an input, node or type that it does not have, and the name. What one imports
        may have any: then nothing is certain."""
        imports = data.get("imports")
        if imports and not (isinstance(imports, list) and all(map(_is_ours, imports))):
            return set()
        prefix = versions.version(str(data.get("tosca_definitions_version"))).prefix
        nodes = entries(data, "node_templates")
        undefined = undefined_types(entries(data, "node_types"), nodes)
        names: set[tuple[Path, str]] = {(("node_templates", name, "type"), type) for name, type in undefined}
        for name, node in nodes.items():
            for index, entry in enumerate(items(node.get("requirements")) if isinstance(node, dict) else ()):
                for wanted in entry.values() if isinstance(entry, dict) else ():
                    target = wanted.get("node") if isinstance(wanted, dict) else wanted
                    if isinstance(target, str) and target not in nodes and "." not in target:
                        names.add((("node_templates", name, "requirements", index), target))
        for value, path in (
            row for section in ("node_templates", "outputs") for row in maps(data.get(section), (section,))
        ):
            for called, argument in value.items() if len(value) == 1 else ():
                name = str(called).removeprefix(prefix)
                first = argument[0] if isinstance(argument, list) and argument else argument
                entries_named = entries(data, _NAMING.get(name, ""))
                if name in _NAMING and isinstance(first, str) and first not in (*entries_named, *RELATIVE):
                    names.add((path, first))
        return names

    def consequences(self, data: dict[str, Any], dropped: set[Path]) -> dict[Path, Any]:
        """What else changes where entries are dropped: the groups that a node was in, the policies that were for it."""
        gone = {path[1] for path in dropped if path[0] == "node_templates" and len(path) == 2}
        changed: dict[Path, Any] = {}
        for name, group in entries(data, "groups").items():
            kept = _without(group, gone)
            if kept is not None:
                changed["groups", name] = kept
        policies = items(data.get("policies"))
        rows = [{name: _without(row, gone) or row for name, row in entry.items()} if isinstance(entry, dict) else entry
                for entry in policies]  # fmt: skip
        if rows != policies:
            changed["policies",] = rows
        return changed

    def version_option(self, current: Any) -> dict[str, Any]:
        """The options that ask for the version ``current`` of TOSCA, {} where none has to, or that is not written."""
        word = next((word for word, name in WRITTEN.items() if name == current != LATEST), None)
        return {"tosca_version": word} if word else {}

    def alike(self, place: Path, old: Any, new: Any, data: Any) -> bool:
        """True for definitions that differ in the schemas of entries only: earlier versions had none; and for numbers
        of instances, which they kept in metadata alone."""
        if place[0] == DATA_TYPES or place == ("policy_types", SCALING_POLICY):
            return old is None
        if place[:1] == ("policies",):
            return (old or []) == [row for row in items(new) if not _scales(row)]
        if place[0] == "node_templates" and isinstance(old, dict) and isinstance(new, dict):
            rows = [row[name] for row in items(data.get("policies")) if _scales(row) for name in row]
            is_scaled = any(place[1] in items(row.get("targets")) for row in rows)
            return is_scaled and _unscaled(old) == new and old != new
        return place[0] in _DEFINED and old is not None and _plain(old) == _plain(new)

    def as_today(self, generated: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        """``written`` with policies for the numbers of instances that an earlier version kept in metadata alone."""
        rows = [row for row in items(generated.get("policies")) if _scales(row)]
        nodes = entries(written, "node_templates")
        targets = {name for row in rows for policy in row.values() for name in items(policy.get("targets"))}
        earlier = {name: _unscaled(nodes[name]) for name in targets & nodes.keys() if isinstance(nodes[name], dict)}
        earlier = {name: node for name, node in earlier.items() if node != nodes[name]}
        if not earlier or any(map(_scales, items(written.get("policies")))):
            return written
        types = {**entries(written, "policy_types"), SCALING_POLICY: generated["policy_types"][SCALING_POLICY]}
        policies = [*items(written.get("policies")), *rows]
        return {**written, "node_templates": {**nodes, **earlier}, "policies": policies, "policy_types": types}


SIDECAR: Final = _ToscaSidecar()
