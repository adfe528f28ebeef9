"""The profile: a file with the node types of all of OpenStack's resources, which service templates can import instead
of having the definitions themselves."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, Final

from bpconvert.models.tosca_versions import LATEST
from bpconvert.render import render
from bpconvert.translators.catalogue.schemas import heat_type, heat_types
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.tosca import column, edges, standard
from bpconvert.translators.tosca.column import ToscaTypes
from bpconvert.translators.tosca.vocabulary import HEAT_NAME, INHERITED, node_type
from bpconvert.yamlio.emit import Flow

#: what the file is called
NAME: Final = "openstack-types.yaml"
#: type of a resource's property -> of the node type's, a string for others; engines refuse a whole number for a float
_TYPES: Final = {"integer": "integer", "number": "integer", "boolean": "boolean", "map": "map", "list": "list"}
#: types of properties that are no data types
_PLAIN: Final = frozenset({"string", "integer", "float", "boolean", "map", "list"})
#: types of a resource's attributes into which a path can lead
_DEEP: Final = ("map", "list")
_LAYOUT: Final = "tosca.yaml.j2"
_DESCRIPTION: Final = "The resource types of OpenStack Heat as node types, with their properties and attributes."


def property_definition(type: str, **more: Any) -> dict[str, Any]:
    """The definition of a property; ``more``: its other keys."""
    return Flow(type=type, **more, required=False)


def attribute_definition(deep: bool, property: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The definition of an attribute. ``deep``: a path leads into it, of which nothing is known; tosca-parser looks for
    the entry schema of each step. ``property``: the definition of the property of that name, whose value it has until
    it is set (2.10)."""
    if deep:
        return Flow(type="map", entry_schema=Flow(type="map"))
    row = property or {"type": "string"}
    return Flow({key: row[key] for key in ("type", "entry_schema") if key in row})


@cache
def definitions() -> dict[str, dict[str, Any]]:
    """Node type -> its definition, of all that the profile has."""
    columns = {kind.heat[0]: column.types_of(kind) for kind in builtin().with_column(column.COLUMN.key)}
    return {node_type(name) or name: _definition(name, columns.get(name, ToscaTypes())) for name in heat_types()}


def _definition(heat: str, types: ToscaTypes) -> dict[str, Any]:
    schema = heat_type(heat) or {}
    properties, attributes = schema["properties"].items(), schema["attributes"].items()
    node_type: dict[str, Any] = {
        "derived_from": types.parent,
        "metadata": Flow({HEAT_NAME: heat}),
        "properties": {
            **{name: property_definition(_TYPES.get(row.get("type"), "string")) for name, row in properties},
            **{name: property_definition(type) for name, type in types.properties.items()},
        },
        "attributes": {
            name: attribute_definition(row.get("type") in _DEEP)
            for name, row in attributes
            if name not in INHERITED[types.parent]
        },
    }
    for name in (*types.requirements, *types.capabilities):
        edges.declare(node_type, types, name)
    return {key: part for key, part in node_type.items() if part}


@cache
def text(version: str = LATEST) -> str:
    """The file, of a version that is written."""
    head = {"tosca_definitions_version": version, "description": _DESCRIPTION}
    if version == LATEST:
        return render(_LAYOUT, {**head, "node_types": definitions()})
    types = deepcopy(definitions())
    for definition in types.values():
        standard.count_ranges(definition)
    return render(_LAYOUT, {**head, "imports": [{"url": standard.NAME}], "node_types": types})


def is_profile(name: Any) -> bool:
    """True for the name of the file in an import."""
    return isinstance(name, str) and posixpath.basename(name) == NAME


def _plain(type: str) -> str:
    """The type of a property without what its entries are."""
    return type if type in _PLAIN else "map"


def misfit(type: str, definition: dict[str, Any]) -> str | None:
    """The first property or attribute of a type, defined for what a service template has of it, for which the profile
    does not do; None where that does for all."""
    definition_known = definitions()[type]
    for name, row in definition.get("properties", {}).items():
        if definition_known.get("properties", {}).get(name) != property_definition(_plain(row["type"])):
            return str(name)
    for name, row in definition.get("attributes", {}).items():
        if definition_known.get("attributes", {}).get(name) not in (row, attribute_definition(True)):
            return str(name)
    return None
