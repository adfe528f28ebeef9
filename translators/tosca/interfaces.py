"""What an interface of a type or a template has in it, in the notations of all versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models.expressions import Path

#: keys of an interface that are no operations
NO_OPERATIONS: Final = frozenset({
    "type", "inputs", "operations", "notifications", "derived_from", "version", "metadata", "description",
})  # fmt: skip


def assigned(row: Any) -> Iterator[tuple[str, Path]]:
    """The operations and notifications in an interface, and their places in it."""
    if not isinstance(row, dict):
        return
    for name in row:
        if name not in NO_OPERATIONS:
            yield str(name), (name,)
    for section in ("operations", "notifications"):
        inner = row.get(section)
        for name in inner if isinstance(inner, dict) else ():
            yield str(name), (section, name)
