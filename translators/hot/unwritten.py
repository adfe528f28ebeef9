"""What a template has no form for, kept in the metadata of resources: texts in it are not searched for calls. See
:mod:`~.provenance.unwritten`.

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
from bpconvert.translators.provenance.unwritten import KEY, Portable, as_text, is_known, opened
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


def is_kept(found: Any) -> bool:
    """True for such a resource, as it is written or as an engine has filled it: it has no properties."""
    if not isinstance(found, dict) or found.get("type") != NONE or found.get("properties"):
        return False
    known = found.get(_METADATA)
    is_alone = found.keys() <= {"type", _METADATA, "properties"}
    return is_alone and isinstance(known, dict) and known.keys() == {KEY}


def restore(topology: Topology, reporter: Reports) -> None:
    """Give the nodes what the metadata of their resources keep, unless it refers to what is gone."""
    for node in topology.nodes.values():
        known = node.extra.get(_METADATA)
        if not isinstance(known, dict) or KEY not in known:
            continue
        rest = {name: value for name, value in known.items() if name != KEY}
        node.extra = {key: rest if key == _METADATA else value for key, value in node.extra.items()}
        if not rest:
            del node.extra[_METADATA]
        found = _opened(known[KEY], node)
        if found is None or node.external_id is MISSING or not is_known(topology, found):
            reporter.report("BPC880", (*node.path, _METADATA, KEY))
            continue
        node.otherwise = found
        for place in (node.path, (*node.path, _METADATA, KEY)):
            reporter.report("BPC670", place, what=f"how '{node.name}' is created where it is missing")


def _opened(text: Any, node: Node) -> dict[str, Any] | None:
    """The properties that are kept as ``text``; None where it is damaged."""
    try:
        found = opened(json.loads(text)["otherwise"], node.path)
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def restore_rest(
    topology: Topology, template: hot.Template, document: Document, catalogue: Catalogue, reporter: Reports
) -> None:
    """Give the topology what a resource of its own keeps (:func:`~.keeping.restore`)."""
    for name, text in _texts(document.data):
        found, place = keeping.read(text), (_RESOURCES, name, _METADATA, KEY)
        if found is None:
            reporter.report("BPC880", place)
            continue
        found = found._replace(gone={name: one for name, one in found.gone.items() if one.role in ROLES})
        types = {name: one.type for name, one in template.resources.items()}
        inputs, outputs = (entries(document.data, section) for section in ("parameters", "outputs"))
        keeping.restore(topology, found, keeping.Present(inputs, outputs, types, place), catalogue, reporter)


def _texts(data: Any) -> Iterator[tuple[str, Any]]:
    """The resources that do nothing but keep a text, and that."""
    for name, found in entries(data, _RESOURCES).items():
        if is_kept(found):
            yield name, found[_METADATA][KEY]


def seen(document: Document) -> Document:
    """What Heat sees of a template: what is kept has no effect."""
    resources = entries(document.data, _RESOURCES) if isinstance(document.data, dict) else {}
    if not any(KEY in entries(one, _METADATA) for one in resources.values() if isinstance(one, dict)):
        return document
    found = copy(document)
    left = {name: _without(one) for name, one in resources.items() if not is_kept(one)}
    found.data = {**document.data, _RESOURCES: left}
    return found


def _without(resource: Any) -> Any:
    known = entries(resource, _METADATA) if isinstance(resource, dict) else {}
    if KEY not in known:
        return resource
    rest = {name: value for name, value in known.items() if name != KEY}
    other = {key: value for key, value in resource.items() if key != _METADATA}
    return {**other, _METADATA: rest} if rest else other
