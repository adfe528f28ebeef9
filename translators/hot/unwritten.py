"""What a template has no form for, kept in the metadata of resources: texts in it are not searched for calls. See
:mod:`~.provenance.unwritten`.

Kept is with what a resource that exists already is created where it is missing: Heat never creates it."""

from __future__ import annotations

import json
from copy import copy
from typing import Any, Final

from bpconvert.models.expressions import MISSING
from bpconvert.models.notation import to_data
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.provenance.unwritten import KEY, Portable, as_text, is_known, opened
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries
from bpconvert.yamlio.document import Document

_METADATA: Final = "metadata"


def metadata(node: Node, portable: Portable) -> dict[str, str]:
    """What the metadata of a node's resource keep, {} for nothing."""
    value = portable.value(node.otherwise) if node.otherwise else MISSING
    return {} if value is MISSING else {KEY: as_text({"otherwise": to_data(value)})}


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


def seen(document: Document) -> Document:
    """What Heat sees of a template: what is kept has no effect."""
    resources = entries(document.data, "resources") if isinstance(document.data, dict) else {}
    if not any(KEY in entries(resource, _METADATA) for resource in resources.values() if isinstance(resource, dict)):
        return document
    found = copy(document)
    found.data = {**document.data, "resources": {name: _without(one) for name, one in resources.items()}}
    return found


def _without(resource: Any) -> Any:
    known = entries(resource, _METADATA) if isinstance(resource, dict) else {}
    if KEY not in known:
        return resource
    rest = {name: value for name, value in known.items() if name != KEY}
    other = {key: value for key, value in resource.items() if key != _METADATA}
    return {**other, _METADATA: rest} if rest else other
