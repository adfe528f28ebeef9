"""Which diagnostics of a conversion name the place of a difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bpconvert.diagnostics import Diagnostic, Fidelity
from bpconvert.models.expressions import Path
from bpconvert.translators.verify.compare import Found
from bpconvert.yamlio.document import Document

#: steps to an entry of a section, and to a property of a node
_ENTRY: Final = 2
_PROPERTY: Final = 4


class Told:
    """The diagnostics about one document that say that something is not as it was."""

    def __init__(self, diagnostics: Sequence[Diagnostic], document: Document) -> None:
        self.document = document
        self.found = [d for d in diagnostics if d.span.file == document.name and d.fidelity >= Fidelity.REWRITTEN]

    def codes(self, found: Found) -> tuple[str, ...]:
        """The codes that name the very place: the value, a part of it, or what it is a part of, up to the property. What
        is said of a whole node only counts for the node itself, and for what is not written there at all."""
        place = found.first_path
        published = place[:1] in (("outputs",), ("capabilities",))
        least = _ENTRY if published or not self._is_written(place) else _PROPERTY
        return tuple(sorted({d.code for d in self.found if _names(d.path, place, least)}))

    def _is_written(self, place: Path) -> bool:
        value = self.document.data
        try:
            for step in place:
                value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
        return True


def _names(said: Path, place: Path, least: int) -> bool:
    return said[: len(place)] == place or (len(said) >= least and place[: len(said)] == said)
