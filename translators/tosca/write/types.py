"""The node types of a service template: what it uses of the types of OpenStack's resources, and of the stand-ins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.tosca import edges, profile
from bpconvert.translators.tosca.functions import called
from bpconvert.translators.tosca.profile import attribute_definition, property_definition
from bpconvert.translators.tosca.vocabulary import HEAT_NAME, INHERITED, PARENTS, ROOT, stand_in
from bpconvert.translators.tosca.write import nesting, software
from bpconvert.translators.tosca.write.context import Context, Draft
from bpconvert.yamlio.emit import Flow

#: type of a property of a resource -> of the property of the node type
_TYPES: Final = {"string": "string", "integer": "integer", "boolean": "boolean", "map": "map", "list": "list"}


def node_types(context: Context, drafts: list[Draft], read: Iterable[ex.Attribute]) -> dict[str, Any]:
    """The definitions, with the properties and attributes that are in use. ``read``: the attributes that values of the
    service template read."""
    made: dict[str, Any] = {}
    values: dict[tuple[str, str], tuple[str, list[Value]]] = {}  # with the type that the property should have
    by_name = {draft.node.name: draft for draft in drafts}
    for draft in drafts:
        if draft.stand_in:
            type, shows = stand_in(context.request.source.title)
            made[type] = {
                "derived_from": ROOT,
                "properties": {
                    shows.type: property_definition("string"),
                    shows.properties: property_definition("map"),
                    shows.operations: property_definition("map"),
                },
            }
        elif draft.heat or draft.parent:
            parent = draft.parent or PARENTS.get(draft.heat, ROOT)
            metadata = Flow({HEAT_NAME: draft.heat}) if draft.heat else {}
            definition = made.setdefault(draft.type, {"derived_from": parent, "metadata": metadata, "properties": {}})
            inputs = nesting.property_types(draft.node)
            for name, value in draft.properties.items():
                definition["properties"].setdefault(name, {})
                known = inputs.get(name) or wanted(draft.heat, name)
                values.setdefault((draft.type, name), (known, []))[1].append(value)
            if draft.parent:
                software.define(definition, draft)
    for (type, name), (known, found) in values.items():
        made[type]["properties"][name] = definition_of(found, known)
    for expr in read:
        target = by_name.get(expr.node) if isinstance(expr.node, str) else None
        definition = made.get(target.type) if target is not None else None
        if definition is not None and isinstance(expr.name, str) and not _is_inherited(definition, expr.name):
            attributes = definition.setdefault("attributes", {})
            if expr.keys or expr.name not in attributes:
                given = definition["properties"] if target is not None and target.node.nested else {}
                attributes[expr.name] = attribute_definition(bool(expr.keys), given.get(expr.name))
    _add_edges(made, drafts)
    return {name: {key: part for key, part in definition.items() if part} for name, definition in made.items()}


def definition_of(values: list[Value], known: str) -> dict[str, Any]:
    """The definition of a property with these values. ``known``: the type that it should have, "" for any."""
    return property_definition(_type_of(values, known))


def _add_edges(made: dict[str, Any], drafts: list[Draft]) -> None:
    """Define the requirements that stand for something else than order, and the capabilities that they need."""
    by_name = {draft.name: draft for draft in drafts}
    for draft in drafts:
        for row in draft.requirements:
            for name in row.keys() & edges.NAMES:
                edges.declare(made.get(draft.type, {}), draft.heat, name)
            for target in edges.required([row]) if edges.ATTACHED in row else ():
                volume = by_name[target]
                edges.declare(made.get(volume.type, {}), volume.heat, edges.ATTACHMENT)


def _is_inherited(definition: dict[str, Any], name: str) -> bool:
    return name in INHERITED.get(definition["derived_from"], INHERITED[ROOT])


def imported(context: Context, drafts: list[Draft], defined: dict[str, Any]) -> bool:
    """Take the types out of those ``defined`` that the profile has, where it is to be imported; False where it is not,
    or would not do for what the service template has of them."""
    known = defined.keys() & profile.definitions().keys() if context.request.options.profile else set()
    for draft in drafts:
        name = profile.misfit(draft.type, defined[draft.type]) if draft.type in known else None
        if name is not None:
            context.reporter.report("BPC881", draft.node.path, type=draft.type, name=name, file=profile.NAME)
            return False
    for type in known:
        del defined[type]
    return bool(known)


def wanted(heat: str, name: str) -> str:
    """The type of a property by the table of resource types; "" where that does not tell."""
    schema = heat_type(heat) if heat else None
    known = schema["properties"].get(name, {}) if schema is not None else {}
    return _TYPES.get(known.get("type", ""), "")


def _type_of(values: list[Value], known: str) -> str:
    """The type of a property with these values; ``known``: that of the resource's, "" for none. Values that are no
    calls decide; where two of them do not agree, a text takes both."""
    found = {_of_literal(value) for value in values} - {""}
    return found.pop() if len(found) == 1 else "string" if found else known or "string"


def _of_literal(value: Value) -> str:
    """The type of a literal; "" for a call."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "float"
    if isinstance(value, list):
        return "list"
    if isinstance(value, dict):
        return "" if len(value) == 1 and _is_call(value) else "map"
    return "string" if isinstance(value, str) else ""


def _is_call(value: dict[Any, Any]) -> bool:
    return called(value) is not None
