"""What a blueprint has no form for, kept in its metadata: it takes any map, is not searched for functions, and has no
effect (cfy_grammar: parser ``Metadata``). See :mod:`~.provenance.unwritten`."""

from __future__ import annotations

import json
from copy import copy
from typing import Any, Final, NamedTuple

from bpconvert.models.plain import mapping, optional, record, row, text
from bpconvert.translators.provenance.unwritten import KEY as KEY
from bpconvert.yamlio.document import Document

_SECTION: Final = "metadata"


class Properties(NamedTuple):
    """Properties of a resource that the ``type`` of its node template has no counterpart of; of a list, those of its
    items. ``assumed``: what counts where nothing else is given."""

    type: str
    properties: dict[str, Any]
    assumed: dict[str, Any]


class Kept(NamedTuple):
    """What is kept. ``inputs``: of an input that asks for a value, the digest of its declaration and the value;
    ``outputs``: of an output that is a text, the digest of that and the value; ``nodes``: of node templates."""

    inputs: dict[str, tuple[str, Any]]
    outputs: dict[str, tuple[str, Any]]
    nodes: dict[str, Properties]


_ROWS: Final = mapping(row(text, None))
_NODE: Final = record(type=text, properties=optional(mapping(None)), assumed=optional(mapping(None)))
_SHAPE: Final = record(inputs=_ROWS, outputs=_ROWS, nodes=mapping(_NODE))


def read(metadata: Any) -> Kept | None:
    """What is kept in ``metadata``; None where that cannot be read."""
    if not isinstance(metadata, dict) or KEY not in metadata:
        return Kept({}, {}, {})
    try:
        found = _SHAPE(json.loads(metadata[KEY]))
        nodes = {
            name: Properties(one["type"], one.get("properties") or {}, one.get("assumed") or {})
            for name, one in found.get("nodes", {}).items()
        }
        return Kept(found.get("inputs", {}), found.get("outputs", {}), nodes)
    except (KeyError, ValueError, TypeError, RecursionError):
        return None


def seen(document: Document) -> Document:
    """What the engine sees of a blueprint: what is kept has no effect."""
    metadata = document.data.get(_SECTION) if isinstance(document.data, dict) else None
    if not isinstance(metadata, dict) or KEY not in metadata:
        return document
    found = copy(document)
    found.data = {**document.data, _SECTION: {name: value for name, value in metadata.items() if name != KEY}}
    return found
