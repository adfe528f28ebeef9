"""The node types of a service template: what it uses of the types of OpenStack's resources, and of the stand-ins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.tosca.vocabulary import HEAT_NAME, INHERITED, PARENTS, ROOT, stand_in
from bpconvert.translators.tosca.write.context import Context, Draft

#: type of a property of a resource -> of the property of the node type
_TYPES: Final = {"string": "string", "integer": "integer", "boolean": "boolean", "map": "map", "list": "list"}
#: an attribute into which a path leads: tosca-parser looks for the entry schema of each step
_DEEP: Final[dict[str, Any]] = {"type": "map", "entry_schema": {"type": "map"}}


def node_types(context: Context, drafts: list[Draft], read: Iterable[ex.Attribute]) -> dict[str, Any]:
    """The definitions, with the properties and attributes that are in use. ``read``: the attributes that values of the
    service template read."""
    made: dict[str, Any] = {}
    by_name = {draft.node.name: draft for draft in drafts}
    for draft in drafts:
        if draft.stand_in:
            type, shows = stand_in(context.request.source.title)
            made[type] = {
                "derived_from": ROOT,
                "properties": {
                    shows.type: {"type": "string", "required": False},
                    shows.properties: {"type": "map", "required": False},
                    shows.operations: {"type": "map", "required": False},
                },
            }
        elif draft.heat:
            definition = made.setdefault(
                draft.type,
                {"derived_from": PARENTS.get(draft.heat, ROOT), "metadata": {HEAT_NAME: draft.heat}, "properties": {}},
            )
            for name, value in draft.properties.items():
                declared = definition["properties"].get(name)
                definition["properties"][name] = _property(draft.heat, name, value, declared)
    for expr in read:
        target = by_name.get(expr.node) if isinstance(expr.node, str) else None
        if target is not None and isinstance(expr.name, str) and not _is_inherited(made[target.type], expr.name):
            attributes = made[target.type].setdefault("attributes", {})
            if expr.keys or expr.name not in attributes:
                attributes[expr.name] = dict(_DEEP) if expr.keys else {"type": "string"}
    return {name: {key: part for key, part in definition.items() if part} for name, definition in made.items()}


def _is_inherited(definition: dict[str, Any], name: str) -> bool:
    return name in INHERITED[definition["derived_from"]]


def wanted(heat: str, name: str) -> str:
    """The type of a property by the table of resource types; "" where that does not tell."""
    schema = heat_type(heat) if heat else None
    known = schema["properties"].get(name, {}) if schema is not None else {}
    return _TYPES.get(known.get("type", ""), "")


def _property(heat: str, name: str, value: Any, declared: dict[str, Any] | None) -> dict[str, Any]:
    """The definition of a property that has ``value``; ``declared``: that for the values so far. A value that is no
    call decides; where two do not agree, a text takes both."""
    known, found = wanted(heat, name), _of_literal(value)
    if declared is None:
        return _Property({"type": found or known or "string", "required": False}, found)
    before = declared.found if isinstance(declared, _Property) else ""
    if found and before and found != before:
        return _Property({"type": "string", "required": False}, found)
    return _Property({"type": found or before or declared["type"], "required": False}, found or before)


class _Property(dict[str, Any]):
    """A definition of a property. ``found``: the type of the values that decide, "" where none does."""

    def __init__(self, data: dict[str, Any], found: str) -> None:
        super().__init__(data)
        self.found = found


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
    from bpconvert.translators.tosca.functions import called

    return called(value) is not None
