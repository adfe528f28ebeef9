"""What a blueprint has no form for, kept in its metadata: it takes any map, is not searched for functions, and has no
effect (cfy_grammar: parser ``Metadata``). See :mod:`~.provenance.keeping`."""

from __future__ import annotations

from copy import copy
from typing import Any, Final

from bpconvert.models.expressions import MISSING
from bpconvert.translators.provenance import keeping
from bpconvert.translators.provenance.keeping import Kept
from bpconvert.translators.provenance.metadata_text import KEY as KEY
from bpconvert.yamlio.document import Document

_SECTION: Final = "metadata"


def read(metadata: Any) -> Kept | None:
    """What is kept in ``metadata``; None where that cannot be read."""
    return keeping.read(metadata.get(KEY, MISSING) if isinstance(metadata, dict) else MISSING)


def seen(document: Document) -> Document:
    """What the engine sees of a blueprint: what is kept has no effect."""
    metadata = document.data.get(_SECTION) if isinstance(document.data, dict) else None
    if not isinstance(metadata, dict) or KEY not in metadata:
        return document
    visible = copy(document)
    visible.data = {**document.data, _SECTION: {name: value for name, value in metadata.items() if name != KEY}}
    return visible
