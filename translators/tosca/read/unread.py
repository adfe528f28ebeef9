"""What no part of a node template has read: it has no counterpart, and is reported at its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.catalogue.schemas import normative
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.read import substitution
from bpconvert.translators.tosca.read.making import TELLING, NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode, is_software
from bpconvert.translators.tosca.read.types import CAPABILITY, NODE
from bpconvert.translators.tosca.template_metadata import NODE_KEY
from bpconvert.translators.tosca.vocabulary import EXISTING_ID, SELECT

#: properties for Tacker alone, and the values with which they change nothing: it has no driver, looks at another port
_OF_TACKER: Final[Mapping[Any, Sequence[Any]]] = {
    "mgmt_driver": ("noop",),
    "management": (True, False),
    "is_default": (False,),
}
_ENDPOINT: Final = "tosca.capabilities.Endpoint"


def report(making: NodeBuilder) -> None:
    """Report what is left of all templates."""
    _report_unread(making)
    begun = {path[:length] for path in making.taken for length in range(3, len(path))}
    for raw in {raw.written: raw for raw in making.raw.values()}.values():
        for path in _left(making, raw, begun):
            if path[2:] == ("directives",) and raw.existing is not MISSING:
                continue
            if path[2:] == ("directives",) and SELECT in raw.directives:
                making.report("BPC824", path, node=raw.written)
                continue
            if path[2:] == ("directives",) and substitution.asks(raw):
                continue  # a document is looked for later
            if _is_default(making, raw, path):
                continue
            if _is_of_software(making, raw, path):
                making.report("BPC830", path, name=_name_of_path(path), node=raw.written)
                continue
            code = "BPC823" if _describes(making, raw, path) else "BPC810"
            making.report(code, path, name=_name_of_path(path), node=raw.written, why="")


def _report_unread(making: NodeBuilder) -> None:
    """Report the operations that a type has of which the package has facts alone."""
    for raw in {raw.written: raw for raw in making.raw.values()}.values():
        node, own = making.nodes.get(raw.name), {operation.name for operation in raw.operations}
        if node is None or node.shows is not None:
            continue
        for type in raw.ancestry:
            names = [
                operation
                for operation in (making.types.profiled(NODE, type) or {}).get("runs", ())
                if operation not in own
            ]
            if names:
                profile = ".".join(type.split(".")[:3])
                making.report("BPC894", raw.path, node=raw.written, type=type, names=", ".join(names), profile=profile)


def _is_default(making: NodeBuilder, raw: RawNode, path: Path) -> bool:
    """True for the value that a property has where nothing is given: it says nothing."""
    if len(path) == 4 and path[2] == "properties":
        row = making.types.properties(NODE, raw.ancestry[0]).get(path[3], ({}, ()))[0]
        value = raw.properties.get(path[3])
    elif len(path) == 6 and path[2] == "capabilities" and path[4] == "properties":
        kind = raw.capability_types.get(str(path[3]), "")
        row = making.types.properties(CAPABILITY, kind).get(path[5], ({}, ()))[0]
        value = raw.assigned.get(str(path[3]), {}).get(path[5])
    else:
        return False
    default = row.get("default") if isinstance(row, dict) else None
    return default is not None and type(value) is type(default) and bool(value == default)


def _describes(making: NodeBuilder, raw: RawNode, path: Path) -> bool:
    """True for what informs people, and no engine."""
    if path[-1] in _OF_TACKER and path[2] == "properties" and _value(raw, path) in _OF_TACKER[path[-1]]:
        return True
    if path[2] == "directives" or (path[2] == "capabilities" and _only_names(raw, path)):
        return True  # for one orchestrator; and the logical name of a machine (Simple Profile 1.3, 5.5.3)
    if path in making.described or _is_endpoint(making, raw, path) or _is_data(making, raw, path):
        return True
    if len(path) < 4 or path[2] != "properties":
        return path[2:3] == ("metadata",)
    return _name_of_path(path) in TELLING


def _is_data(making: NodeBuilder, raw: RawNode, path: Path) -> bool:
    """True for an attribute of someone's own: where get_attribute names it, its value stands there."""
    if path[2:3] == ("capabilities",):
        return path[4:5] == ("attributes",) and making.kind(raw.name) is None
    standard = normative()[NODE]
    standard_attributes = (
        entries(making.types.definition(NODE, name), "attributes") for name in raw.ancestry if name in standard
    )
    return path[2:3] == ("attributes",) and len(path) > 3 and not any(path[3] in row for row in standard_attributes)


def _is_of_software(making: NodeBuilder, raw: RawNode, path: Path) -> bool:
    """True for what a capability of software says of it: software is its operations, and they have it as an input."""
    if path[2:3] != ("capabilities",) or _only_names(raw, path) or _is_endpoint(making, raw, path):
        return False
    node = making.nodes.get(raw.name)
    return node is not None and node.kind is None and node.shows is None and is_software(raw)


def _is_endpoint(making: NodeBuilder, raw: RawNode, path: Path) -> bool:
    """True for what describes how software is reached: a program that serves something knows its own port."""
    if path[2:3] != ("capabilities",) or len(path) < 4 or making.kind(raw.name) == "server":
        return False
    kind = raw.capability_types.get(str(path[3]), "")
    return _ENDPOINT in making.types.ancestry(CAPABILITY, kind)


def _only_names(raw: RawNode, path: Path) -> bool:
    """True for a capability of which nothing is given but its name."""
    return path[-1] == "name" or (len(path) == 4 and raw.assigned.get(str(path[3]), {}).keys() == {"name"})


def _value(raw: RawNode, path: Path) -> Any:
    return raw.properties.get(path[-1]) if len(path) == 4 else None


def _name_of_path(path: Path) -> str:
    return str(next((step for step in reversed(path) if isinstance(step, str)), ""))


def _left(making: NodeBuilder, raw: RawNode, begun: set[Path]) -> Iterator[Path]:
    """The places of what has not been read. ``begun``: those of which a part has been read."""
    template = making.reading.template.node_templates[raw.name]
    written = {
        "properties": template.properties, "capabilities": template.capabilities, "attributes": template.attributes,
    }  # fmt: skip
    if raw.existing is not MISSING:
        attributes = template.attributes or {}
        written["attributes"] = {name: value for name, value in attributes.items() if name != EXISTING_ID}
    for section, data in written.items():
        yield from _untaken(data, (*raw.path, section), making.taken, begun)
    for key in (template.metadata or {}).keys() - {NODE_KEY}:
        yield (*raw.path, "metadata", key)
    for key in ("directives", "node_filter", "copy_of", "occurrences", "instance_count"):
        if getattr(template, key) is not None:
            yield (*raw.path, "copy" if key == "copy_of" else key)
    for requirement in raw.requirements:
        is_reported = requirement.target is None and requirement.path in making.taken
        if requirement.filter is not None and not is_reported:
            yield (*requirement.path, "node_filter")


def _untaken(data: Any, path: Path, taken: set[Path], begun: set[Path]) -> Iterator[Path]:
    """Entries of nested maps of which nothing has been read; the outermost ones."""
    if path in taken:
        return
    if not isinstance(data, (dict, list)):
        if data is not None:
            yield path
        return
    if path not in begun and len(path) > 3 and data and not TELLING & set(data if isinstance(data, dict) else ()):
        yield path
        return
    for key, item in data.items() if isinstance(data, dict) else enumerate(data):
        yield from _untaken(item, (*path, key), taken, begun)
