"""A source with entries that were translated anew, after a document that was made from it has been edited."""

from __future__ import annotations

from collections.abc import Iterable

from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.provenance.differences import Difference
from bpconvert.translators.provenance.putback import Yield
from bpconvert.translators.provenance.restore import Patch
from bpconvert.yamlio.document import Document


class Anew(NamedTuple):
    """A result with entries that were translated anew. ``left``: what it does not yield of the edited document;
    ``is_document``: that of the document counts, where the origin means something else."""

    text: str
    origin: Origin
    change: Patch
    made: Yield | None
    left: list[Difference]
    is_document: bool = False


class MadeBack(NamedTuple):
    """What a ``source`` yields (``made``, and as a document with the digest ``sum``), and what that becomes on the way
    back."""

    made: Lowered
    source: Document
    document: Document
    sum: str
    lowered: Lowered | None = None


def unlike_at(origin: Origin, left: Iterable[Difference]) -> set[Path]:
    """The entries, or whole sections, of differences that nobody made: there the ``origin`` yields something else."""
    return {difference.entry for difference in left} & (origin.unlike | {place[:1] for place in origin.unlike})
