"""What a template has no form for, kept in the metadata of resources: texts in it are not searched for calls. See
:mod:`~.provenance.metadata_text`.

With what a resource that exists already is created where it is missing, its own metadata keep: Heat never creates it.
All else (:mod:`~.provenance.keeping`) is kept by a resource that does nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import copy
from typing import Any, Final

from bpconvert.models.expressions import MISSING
from bpconvert.models.notation import to_data
from bpconvert.models.plain import hot
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.hot.resource_types import NONE
from bpconvert.translators.passes.software.kinds import ROLES
from bpconvert.translators.provenance import keeping
from bpconvert.translators.provenance.metadata_text import KEY, Portable, as_text, is_known, opened
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries
from bpconvert.yamlio.document import Document

_METADATA: Final = "metadata"
_RESOURCES: Final = "resources"
#: the name of the resource that keeps what belongs to no other one
NAME: Final = KEY


def metadata(node: Node, portable: Portable) -> dict[str, str]:
    """What the metadata of a node's resource keep, {} for nothing."""
    value = portable.value(node.otherwise) if node.otherwise else MISSING
    return {} if value is MISSING else {KEY: as_text({"otherwise": to_data(value)})}


def resource(text: str) -> dict[str, Any]:
    """The resource that does nothing but keep a text."""
    return {"type": NONE, _METADATA: {KEY: text}}


def is_kept(resource: Any) -> bool:
    """True for such a resource, as it is written or as an engine has filled it: it has no properties."""
    if not isinstance(resource, dict) or resource.get("type") != NONE or resource.get("properties"):
        return False
    metadata = resource.get(_METADATA)
    is_alone = resource.keys() <= {"type", _METADATA, "properties"}
    return is_alone and isinstance(metadata, dict) and metadata.keys() == {KEY}


def restore(topology: Topology, reporter: Reports) -> None:
    """Give the nodes what the metadata of their resources keep, unless it refers to what is gone."""
    for node in topology.nodes.values():
        metadata = node.extra.get(_METADATA)
        if not isinstance(metadata, dict) or KEY not in metadata:
            continue
        others = {name: value for name, value in metadata.items() if name != KEY}
        node.extra = {key: others if key == _METADATA else value for key, value in node.extra.items()}
        if not others:
            del node.extra[_METADATA]
        properties = _opened(metadata[KEY], node)
        if properties is None or node.external_id is MISSING or not is_known(topology, properties):
            reporter.report("BPC880", (*node.path, _METADATA, KEY))
            continue
        node.otherwise = properties
        for place in (node.path, (*node.path, _METADATA, KEY)):
            reporter.report("BPC670", place, what=f"how '{node.name}' is created where it is missing")


def _opened(text: Any, node: Node) -> dict[str, Any] | None:
    """The properties that are kept as ``text``; None where it is damaged."""
    try:
        properties = opened(json.loads(text)["otherwise"], node.path)
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return properties if isinstance(properties, dict) else None


def restore_rest(
    topology: Topology, template: hot.Template, document: Document, catalogue: Catalogue, reporter: Reports
) -> None:
    """Give the topology what a resource of its own keeps (:func:`~.keeping.restore`)."""
    for name, text in _texts(document.data):
        record, place = keeping.read(text), (_RESOURCES, name, _METADATA, KEY)
        if record is None:
            reporter.report("BPC880", place)
            continue
        record = record._replace(gone={name: entry for name, entry in record.gone.items() if entry.role in ROLES})
        types = {name: resource.type for name, resource in template.resources.items()}
        inputs, outputs = (entries(document.data, section) for section in ("parameters", "outputs"))
        keeping.restore(topology, record, keeping.Present(inputs, outputs, types, place), catalogue, reporter)


def _texts(data: Any) -> Iterator[tuple[str, Any]]:
    """The resources that do nothing but keep a text, and that."""
    for name, resource in entries(data, _RESOURCES).items():
        if is_kept(resource):
            yield name, resource[_METADATA][KEY]


def seen(document: Document) -> Document:
    """What Heat sees of a template: what is kept has no effect."""
    resources = entries(document.data, _RESOURCES) if isinstance(document.data, dict) else {}
    if not any(KEY in entries(resource, _METADATA) for resource in resources.values() if isinstance(resource, dict)):
        return document
    visible = copy(document)
    left = {name: _without(resource) for name, resource in resources.items() if not is_kept(resource)}
    visible.data = {**document.data, _RESOURCES: left}
    return visible


def _without(resource: Any) -> Any:
    metadata = entries(resource, _METADATA) if isinstance(resource, dict) else {}
    if KEY not in metadata:
        return resource
    others = {name: value for name, value in metadata.items() if name != KEY}
    other = {key: value for key, value in resource.items() if key != _METADATA}
    return {**other, _METADATA: others} if others else other
