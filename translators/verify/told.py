"""Which diagnostics of a conversion name the place of a difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bpconvert.diagnostics import Diagnostic, Fidelity
from bpconvert.models.expressions import Path
from bpconvert.translators.verify.compare import Found

#: steps to an entry of a section, and to a property of a node
_ENTRY: Final = 2
_PROPERTY: Final = 4


class Told:
    """The diagnostics about one document that say that something is not the same."""

    def __init__(self, diagnostics: Sequence[Diagnostic], document: str) -> None:
        self.found = [d for d in diagnostics if d.span.file == document and d.fidelity >= Fidelity.APPROXIMATED]

    def codes(self, found: Found) -> tuple[str, ...]:
        """The codes that name the very place: the value, a part of it, or what it is a part of, up to the property. What
        is said of a whole node only counts for the node itself."""
        return tuple(sorted({d.code for d in self.found if _names(d.path, found.first_path)}))


def _names(said: Path, place: Path) -> bool:
    if said[: len(place)] == place:
        return True
    least = _ENTRY if place[:1] in (("outputs",), ("capabilities",)) else _PROPERTY
    return len(said) >= least and place[: len(said)] == said
