"""What a resource is like that keeps the record of what a template was made from: see :mod:`sidecar`."""

from __future__ import annotations

from typing import Any

from bpconvert.translators.hot.resource_types import NONE
from bpconvert.translators.provenance.carry import KEY


def holds(resource: Any) -> bool:
    """True for a resource that keeps a record."""
    if not isinstance(resource, dict) or resource.get("type") != NONE:
        return False
    metadata = resource.get("metadata")
    kept = metadata.get(KEY) if isinstance(metadata, dict) else None
    return isinstance(kept, dict) and ("digests" in kept or "source" in kept)
