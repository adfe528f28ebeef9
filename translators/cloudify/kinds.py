"""Which kind of the catalogue a node type of Cloudify is."""

from __future__ import annotations

from collections.abc import Sequence

from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.calls import DIALECT


def kind_of(catalogue: Catalogue, ancestry: Sequence[str]) -> tuple[Kind, str] | None:
    """The kind of a node type, given with its parents, and the mapped type that decides it; None where it is not
    mapped.

    A type of another plugin that is derived from ``cloudify.nodes.Compute`` is no existing machine."""
    found = catalogue.nearest(DIALECT, ancestry)
    if found is None or not _is_core(*found):
        return found
    derived = ancestry[: ancestry.index(found[1])]
    return None if any(name.startswith("cloudify.") for name in derived) else found


def _is_core(kind: Kind, node_type: str) -> bool:
    """True for a node type that comes with Cloudify itself."""
    row = kind.cloudify
    return row is None or (row.plain and row.plugin is None and node_type.startswith("cloudify.nodes."))
