"""What a blueprint has no form for, kept in its metadata: it takes any map, is not searched for functions, and has no
effect (cfy_grammar: parser ``Metadata``). See :mod:`~.provenance.unwritten`."""

from __future__ import annotations

import json
from copy import copy
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from bpconvert.translators.provenance.unwritten import KEY
from bpconvert.yamlio.document import Document

_SECTION: Final = "metadata"


class Properties(BaseModel):
    """Properties of a resource that the ``type`` of its node template has no counterpart of."""

    type: str
    properties: dict[str, Any]


class Kept(BaseModel):
    """What is kept. ``inputs``: of an input that asks for a value, the digest of its declaration and the value;
    ``nodes``: of node templates."""

    inputs: dict[str, tuple[str, Any]] = {}
    nodes: dict[str, Properties] = {}


def read(metadata: Any) -> Kept | None:
    """What is kept in ``metadata``; None where that cannot be read."""
    if not isinstance(metadata, dict) or KEY not in metadata:
        return Kept()
    try:
        return Kept.model_validate(json.loads(metadata[KEY]))
    except (ValidationError, ValueError, TypeError, RecursionError):
        return None


def seen(document: Document) -> Document:
    """What the engine sees of a blueprint: what is kept has no effect."""
    metadata = document.data.get(_SECTION) if isinstance(document.data, dict) else None
    if not isinstance(metadata, dict) or KEY not in metadata:
        return document
    found = copy(document)
    found.data = {**document.data, _SECTION: {name: value for name, value in metadata.items() if name != KEY}}
    return found
