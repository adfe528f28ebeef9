"""A service template in the notation of TOSCA 2.0: what is written for 1.3, with the keys of 2.0 (csd06, 5 to 13).
The functions have their ``$`` from where they are written."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

from bpconvert.models.tosca_versions import VERSION_2_0
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.tosca import coded, profile, standard
from bpconvert.translators.tosca.vocabulary import DATA_ROOT, TYPE_SECTIONS
from bpconvert.yamlio.emit import Flow

#: the keys that stand before the imports
_HEAD: Final = ("tosca_definitions_version", "description", "metadata")


def finish(result: Lowered) -> None:
    """Give a result the keys of 2.0, and the import of the types that 2.0 does not have."""
    data = {**result.data, "tosca_definitions_version": VERSION_2_0}
    # the definitions of some types are the same in every result: those of 1.3 stay as they are
    data |= {section: deepcopy(data[section]) for section in TYPE_SECTIONS if section in data}
    imports = [standard.NAME, *data.pop("imports", [])]
    head: dict[str, Any] = {key: data.pop(key) for key in _HEAD if key in data}
    for name, definition in data.get("data_types", {}).items():
        _root(name, definition)
    for section in TYPE_SECTIONS:
        for definition in data.get(section, {}).values():
            standard.count_ranges(definition)
    data.setdefault("node_templates", {})
    result.data = {**head, "imports": [{"url": name} for name in imports], **data}
    result.files = {**result.files, standard.NAME: standard.text()}
    if profile.NAME in imports:
        result.files[profile.NAME] = profile.text(VERSION_2_0)


def _root(name: str, definition: dict[str, Any]) -> None:
    """A data type without a parent has properties, or is a map, and names are texts (csd06, 9.3.2)."""
    if "properties" in definition:
        definition["properties"] = {str(key): row for key, row in definition["properties"].items()}
    if definition.get("derived_from") != DATA_ROOT:
        return
    del definition["derived_from"]
    if name == coded.LIST:
        definition["properties"] = {"length": Flow(type="integer", required=False)}
    elif not definition.get("properties"):
        definition.update({"derived_from": "map", "entry_schema": Flow(type="string")})
