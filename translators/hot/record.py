"""What a resource is like that keeps the record of what a template was made from: see :mod:`sidecar`."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.translators.provenance.carry import KEY

#: the type of such a resource
TYPE: Final = "OS::Heat::None"


def holds(resource: Any) -> bool:
    """True for a resource that keeps a record."""
    if not isinstance(resource, dict) or resource.get("type") != TYPE:
        return False
    metadata = resource.get("metadata")
    kept = metadata.get(KEY) if isinstance(metadata, dict) else None
    return isinstance(kept, dict) and ("digests" in kept or "source" in kept)
