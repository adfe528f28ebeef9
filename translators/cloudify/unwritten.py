"""What a blueprint has no form for, kept in its metadata: it takes any map, is not searched for functions, and has no
effect (cfy_grammar: parser ``Metadata``). See :mod:`~.provenance.unwritten`."""

from __future__ import annotations

import json
from copy import copy
from typing import Any, Final, NamedTuple

from bpconvert.models.plain import mapping, record, row, text
from bpconvert.translators.provenance.unwritten import KEY
from bpconvert.yamlio.document import Document

_SECTION: Final = "metadata"


class Properties(NamedTuple):
    """Properties of a resource that the ``type`` of its node template has no counterpart of."""

    type: str
    properties: dict[str, Any]


class Kept(NamedTuple):
    """What is kept. ``inputs``: of an input that asks for a value, the digest of its declaration and the value;
    ``nodes``: of node templates."""

    inputs: dict[str, tuple[str, Any]]
    nodes: dict[str, Properties]


_SHAPE: Final = record(inputs=mapping(row(text, None)), nodes=mapping(record(type=text, properties=mapping(None))))


def read(metadata: Any) -> Kept | None:
    """What is kept in ``metadata``; None where that cannot be read."""
    if not isinstance(metadata, dict) or KEY not in metadata:
        return Kept({}, {})
    try:
        found = _SHAPE(json.loads(metadata[KEY]))
        nodes = {name: Properties(one["type"], one["properties"]) for name, one in found.get("nodes", {}).items()}
        return Kept(found.get("inputs", {}), nodes)
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
