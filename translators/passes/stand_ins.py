"""Stand-ins, which only show a node of a language: in a document of that language they are this node again."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Node, Operation, Shown, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.passes.request import Request

#: how the types of stand-ins begin, where the language has none that does nothing
_OURS: Final = "bpconvert."


def restore(topology: Topology, request: Request) -> Topology:
    """Exchange the stand-ins for nodes of the target's language, where their types are known, for these; so where the
    target has the type of another engine."""
    target, report = request.target, request.reporter.report
    for node in topology.nodes.values():
        if node.shows is None or isinstance(node.properties.get(node.shows.type), (Expr, dict, list)):
            continue  # nobody knows before the deployment what it stands for
        is_own = target.is_called(node.shows.language)
        language = (
            target.language if is_own else target.borrows(node.shows.language, str(node.value_of(node.shows.type)))
        )
        if not language or (is_own and target.defines_types and request.origin is None and not _has(node, request)):
            continue
        for key in [key for key in node.properties if key not in node.shows[1:]]:
            report("BPC301", node.origin(key), name=key, type=node.source_type)
        shown, name = node.shows, node.shows.properties
        properties, place = node.properties.get(name, {}), node.origin(name)
        operations, where = node.properties.get(shown.operations), node.origin(shown.operations)
        become(node, shown, language, request.catalogue)
        lost = [] if isinstance(properties, dict) else [(name, properties, place)]
        if isinstance(operations, dict):
            rows = operations.items()
            lost += [(str(key), row, (*where, key)) for key, row in rows if _operation(key, row, ()) is None]
        elif operations is not None:
            lost.append((shown.operations, operations, where))
        for name, value, path in lost:
            report("BPC353" if isinstance(value, Expr) else "BPC301", path, name=name, type=node.source_type)
    return topology


def _has(node: Node, request: Request) -> bool:
    """True for a stand-in of a type of ours that shows one which every document of the target has. The programs of one
    that has operations need not be there."""
    shows = node.shows
    return (
        shows is not None
        and node.source_type.startswith(_OURS)
        and request.target.has_type(str(node.value_of(shows.type)))
        and not node.value_of(shows.operations)
        and isinstance(node.properties.get(shows.properties, {}), dict)
    )


class View(NamedTuple):
    """What a stand-in for a node shows. ``is_shown``: the node is a stand-in itself, and this is what it shows;
    ``title``: the engine of that; ``name``: of its type, as findings have it where the type is computed; ``type_path``,
    ``path``: the places of the type and the properties."""

    is_shown: bool
    title: str
    type: Value
    name: str
    ancestry: list[str]
    properties: Value
    operations: dict[Any, Value]
    type_path: Path
    path: Path


def view(node: Node, request: Request) -> View:
    """What a stand-in for ``node`` shows: the node, or what this shows itself, where it is a stand-in and nothing
    else."""
    shows, own, title = node.shows, node.source_type, request.source.title
    runs = any(operation.implementation for operation in node.operations)
    if shows is not None and not runs and isinstance(node.properties, dict):
        type, operations = node.properties.get(shows.type), node.properties.get(shows.operations, {})
        if type is not None and isinstance(operations, dict) and node.properties.keys() <= set(shows[1:]):
            sides = (side.title for side in (request.source, request.target) if side.is_called(shows.language))
            title, name = next(sides, shows.language.title()), type if isinstance(type, str) else own
            properties = node.properties.get(shows.properties, {})
            places = node.origin(shows.type), node.origin(shows.properties)
            return View(True, title, type, name, [name], properties, operations, *places)
    places = (*node.path, "type"), node.origin()
    return View(False, title, own, own, node.ancestry or [own], node.properties, {}, *places)


def become(node: Node, shown: Shown, language: str, catalogue: Catalogue) -> None:
    """Make a stand-in the node of ``language`` that it shows. Its kind is known where that has the neutral names of
    properties, but for older ones."""
    properties, place = node.properties, node.origin(shown.properties)
    shown_properties, operations = properties.get(shown.properties), properties.get(shown.operations)
    path = node.origin(shown.operations)
    node.shows, node.native = None, language
    node.source_type = str(properties.get(shown.type) or node.source_type)
    kind, older = catalogue.kind_of(language, node.source_type), {}
    if kind is not None and kind.is_neutral(node.source_type):
        node.kind, older = kind.kind, kind.aliases
    entries: dict[str, Value] = shown_properties if isinstance(shown_properties, dict) else {}
    node.properties = {}
    node.origins[()] = place
    for key, value in entries.items():
        name = older.get(key, key)
        if name in entries or name in node.properties:
            name = key
        else:
            node.aliases[name] = key
        node.properties[name] = value
        node.origins[name,] = (*place, key)
    if isinstance(operations, dict):
        operations_read = (_operation(name, row, (*path, name)) for name, row in operations.items())
        node.operations = [operation for operation in operations_read if operation is not None]


def _operation(name: Any, row: Any, path: Path) -> Operation | None:
    """An operation as a stand-in shows it: its implementation, and its inputs if it has some; None for what is none."""
    interface, _, own = str(name).rpartition(".")
    extra = dict(row) if isinstance(row, dict) else {"implementation": row}
    implementation, inputs = extra.pop("implementation", ""), extra.pop("inputs", {})
    if not isinstance(implementation, str) or not isinstance(inputs, dict):
        return None
    return Operation(interface, own, implementation, inputs, extra=extra, path=path)
