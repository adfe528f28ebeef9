"""The node types of a service template: what it uses of the types of OpenStack's resources, and of the stand-ins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.catalogue.schemas.values import as_read
from bpconvert.translators.tosca import column, edges, profile
from bpconvert.translators.tosca.profile import property_definition
from bpconvert.translators.tosca.vocabulary import (
    EXISTING_ID,
    HEAT_NAME,
    INHERITED,
    INHERITED_DEEP,
    ROOT,
)
from bpconvert.translators.tosca.write import nesting, reached, software
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.translators.tosca.write.schemas import MisfitError, Schemas, Shape, Shapes
from bpconvert.yamlio.emit import Flow

#: type of a property of a resource -> of the property of the node type
_TYPES: Final = {"string": "string", "integer": "integer", "boolean": "boolean", "map": "map", "list": "list"}


def node_types(
    context: Context, drafts: list[NodeDraft], read: Iterable[ex.Attribute], schemas: Schemas
) -> dict[str, Any]:
    """The definitions, with the properties and attributes that are in use. ``read``: the attributes that values of the
    service template read; ``schemas`` gets the data types that they need."""
    types: dict[str, Any] = {}
    values: dict[tuple[str, str], tuple[str, list[NodeDraft]]] = {}  # with the type that the property should have
    for draft in drafts:
        if draft.shows is not None:
            shows = draft.shows
            visible: dict[str, Any] = {name: {} for name in (shows.type, shows.properties, shows.operations)}
            definition = types.setdefault(draft.type, {"derived_from": ROOT, "properties": visible})
            definition |= {"requirements": rows} if (rows := software.hosted(draft)) else {}
            for name, expected in ((shows.type, "string"), (shows.properties, "map"), (shows.operations, "map")):
                with_property = [draft] if name in draft.properties else []
                values.setdefault((draft.type, name), (expected, []))[1].extend(with_property)
        elif draft.heat or draft.parent:
            parent = draft.parent or column.types_of_resource(context.catalogue, draft.heat).parent
            metadata = Flow({HEAT_NAME: draft.heat}) if draft.heat else {}
            definition = types.setdefault(draft.type, {"derived_from": parent, "metadata": metadata, "properties": {}})
            inputs, heat_rows = nesting.property_types(draft.node), rows_of(draft.heat)
            for name in draft.properties:
                definition["properties"].setdefault(name, {})
                expected = inputs.get(name) or wanted(heat_rows, name)
                values.setdefault((draft.type, name), (expected, []))[1].append(draft)
            if draft.parent:
                software.define(definition, draft, schemas)
            else:
                software.declare(definition, draft.interfaces, schemas, draft.type)
    schemas.finish()
    _declare_properties(context, types, values, schemas)
    _declare_attributes(types, drafts, read, schemas)
    _add_edges(context, types, drafts)
    reached.declare(types, drafts)
    return {name: {key: part for key, part in definition.items() if part} for name, definition in types.items()}


def _declare_properties(
    context: Context,
    types: dict[str, Any],
    values: Mapping[tuple[str, str], tuple[str, list[NodeDraft]]],
    schemas: Schemas,
) -> None:
    """Define the properties by what nodes give them; a value that no type fits is encoded. ``values``: type and
    property -> the type that it should have, and the nodes that have it."""
    for (type, name), (expected, users) in values.items():
        written = [draft.properties[name] for draft in users]
        row, shape = schemas.fitted(written, expected, f"{type}.{name}")
        types[type]["properties"][name] = property_definition(**row)
        for draft in users if shape.is_coded else ():
            draft.properties[name] = schemas.shapes.encoded(draft.properties[name], shape)
            context.reporter.report("BPC428", draft.node.origin(name), name=name, node=draft.node.name)


def _declare_attributes(
    types: dict[str, Any], drafts: list[NodeDraft], read: Iterable[ex.Attribute], schemas: Schemas
) -> None:
    """Define the attributes that are ``read`` or published."""
    by_name = {draft.node.name: draft for draft in drafts}
    paths: dict[tuple[str, str], tuple[dict[str, Any] | None, list[tuple[Any, ...]]]] = {}
    for expr in read:
        target = by_name.get(expr.node) if isinstance(expr.node, str) else None
        definition = types.get(target.type) if target is not None else None
        if target is None or definition is None or not isinstance(expr.name, str):
            continue
        if not _is_inherited(definition, expr.name):
            properties = definition["properties"] if target.node.nested else {}
            paths.setdefault((target.type, expr.name), (properties.get(expr.name), []))[1].append(expr.keys)
    for (type, name), (property, steps) in paths.items():
        own = not _is_inherited(types[type], name, deep=True)
        if own or any(steps):
            attribute = schemas.attribute(steps, property, f"{type}.{name}", own)
            types[type].setdefault("attributes", {})[name] = attribute
    for draft in drafts:
        if draft.published:
            types[draft.type].setdefault("attributes", {}).update(draft.published)
        if draft.existing is not MISSING and draft.type in types:
            types[draft.type].setdefault("attributes", {})[EXISTING_ID] = Flow({"type": "string"})


def part(drafts: list[NodeDraft], shapes: Shapes) -> None:
    """Give drafts of one type that have values of different types for a property types of their own."""
    users: dict[str, list[NodeDraft]] = {}
    for draft in drafts:
        if draft.stand_in or draft.heat or draft.parent:
            users.setdefault(draft.type, []).append(draft)
    for type, alike in users.items():
        if len(alike) == 1:
            continue
        names = dict.fromkeys(name for draft in alike for name in draft.properties)
        odd = [name for name in names if not _fit(shapes, alike, [name], False)]
        parts: list[tuple[bool, list[NodeDraft]]] = []  # one of each shape stands for the others
        part_numbers: dict[tuple[bool, str], int] = {}
        for draft in alike if odd else ():
            coded = not _fit(shapes, [draft], odd, False)
            key = (coded, repr([_shape(shapes, draft, name) for name in odd]))
            if key not in part_numbers:
                fits = (
                    i
                    for i, (way, part_drafts) in enumerate(parts)
                    if way == coded and _fit(shapes, [*part_drafts, draft], odd, coded)
                )
                part_numbers[key] = next(fits, len(parts))
                if part_numbers[key] == len(parts):
                    parts.append((coded, []))
                parts[part_numbers[key]][1].append(draft)
            if part_numbers[key]:
                draft.type = f"{type}.{part_numbers[key] + 1}"


def _shape(shapes: Shapes, draft: NodeDraft, name: str) -> Shape | None:
    """What a draft has for a property is of, None where nothing fits."""
    value = draft.properties.get(name)
    try:
        return shapes.shape_of([] if value is None else [value], coded=True)
    except MisfitError:
        return None


def _fit(shapes: Shapes, drafts: list[NodeDraft], names: list[str], coded: bool) -> bool:
    """True where one type fits what these have for each of these properties."""
    try:
        for name in names:
            values = [draft.properties.get(name) for draft in drafts]
            shapes.shape_of([value for value in values if value is not None], coded=coded)
    except MisfitError:
        return False
    return True


def fitting(row: dict[str, Any] | None, written: Value, shapes: Shapes) -> Value:
    """The value of a property, as it is ``written``; where no type fits that, as Heat reads it. ``row``: what Heat
    knows of the property."""
    if row is None or not isinstance(written, (dict, list)) or is_fit(written, shapes):
        return written
    return as_read(written, row)


def is_fit(value: Value, shapes: Shapes) -> bool:
    """True where a type fits the value as it is."""
    try:
        shapes.shape_of([value])
    except MisfitError:
        return False
    return True


def definition_of(values: list[Value], expected: str, schemas: Schemas, name: str) -> dict[str, Any]:
    """The definition of a property with these values. ``expected``: the type that it should have, "" for any; ``name``:
    what a data type for it is called."""
    return property_definition(**schemas.row(values, expected, name))


def _add_edges(context: Context, definitions: dict[str, Any], drafts: list[NodeDraft]) -> None:
    """Define the requirements that stand for something else than order, and the capabilities that they need."""
    by_name = {draft.name: draft for draft in drafts}
    for draft in drafts:
        for row in draft.requirements:
            own = column.types_of_resource(context.catalogue, draft.heat)
            for name in row.keys() & own.requirements.keys():
                edges.declare(definitions.get(draft.type, {}), own, name)
            for target in edges.required([row]) if edges.ATTACHED in row else ():
                volume = by_name[target]
                own = column.types_of_resource(context.catalogue, volume.heat)
                edges.declare(definitions.get(volume.type, {}), own, edges.ATTACHMENT)
    rows = [row for definition in definitions.values() for row in definition.get("requirements", ())]
    for wanted in (wanted for row in rows for wanted in row.values()):
        if isinstance(wanted, dict) and f"{wanted.get('node')}.2" in definitions:
            wanted["node"] = ROOT  # nodes of that resource are of several types


def _is_inherited(definition: dict[str, Any], name: str, deep: bool = False) -> bool:
    parent = definition["derived_from"]
    return name in (INHERITED_DEEP.get(parent, ()) if deep else INHERITED.get(parent, INHERITED[ROOT]))


def imported(context: Context, drafts: list[NodeDraft], defined: dict[str, Any]) -> bool:
    """Take the types out of those ``defined`` that the profile has, where it is to be imported; False where it is not,
    or would not do for what the service template has of them."""
    profiled = defined.keys() & profile.definitions().keys() if context.request.options.profile else set()
    for draft in drafts:
        name = profile.misfit(draft.type, defined[draft.type]) if draft.type in profiled else None
        name = EXISTING_ID if name is None and draft.type in profiled and draft.existing is not MISSING else name
        name = next(iter(draft.interfaces), None) if name is None and draft.type in profiled else name
        if name is not None:
            context.reporter.report("BPC881", draft.node.path, type=draft.type, name=name, file=profile.NAME)
            return False
    for type in profiled:
        del defined[type]
    return bool(profiled)


def rows_of(heat: str) -> Mapping[str, dict[str, Any]]:
    """What Heat knows of the properties of a type of resources; nothing for what is none."""
    schema = heat_type(heat) if heat else None
    return {} if schema is None else schema["properties"]


def wanted(rows: Mapping[str, dict[str, Any]], name: str) -> str:
    """The type of a property by the ``rows`` of its type; "" where these do not tell."""
    return _TYPES.get(rows.get(name, {}).get("type", ""), "")
