"""Edits of a document put into the source that it was made from, so that the source yields the edited document.

What an edit means for the source is proposed (:mod:`.proposals`, and the translation of the edited document), and a
proposal counts where the changed source, translated again, is nearer to the document than before and differs nowhere
else. So whatever comes back yields what was edited, whichever passes it went through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import carry
from bpconvert.translators.provenance.differences import Difference, differences, weight
from bpconvert.translators.provenance.proposals import Proposals, Sources
from bpconvert.translators.provenance.rewriting import Rewriter, TextEdit, with_edits
from bpconvert.translators.support.places import exists
from bpconvert.yamlio.document import Document, load

#: the section that stands for the files beside a document
FILES: Final = "(files)"
#: translations that are tried for a document, and characters of which that many are translated at most
_MOST: Final = 60
_CHARACTERS: Final = 600_000
_FEWEST: Final = 4


class Yield(NamedTuple):
    """What a source becomes: ``data`` as a reader sees it, the files beside it as one more section; ``lowered``: the
    same with its traces."""

    data: dict[str, Any]
    lowered: Lowered


def yielded(lowered: Lowered, files: Mapping[str, str]) -> Yield:
    """A translation, as it is compared."""
    data = {name: content for name, content in carry.resolved(lowered.data).items() if content not in ({}, [])}
    return Yield({**data, FILES: dict(files)}, lowered)


class PutBack:
    """A source on its way to yield ``wanted``. ``document`` and ``made`` are what it is and yields so far; ``left``:
    the differences that are left. ``translate``: what a document becomes, None where that fails; ``calls``: names of
    functions, for the layout."""

    def __init__(
        self,
        document: Document,
        made: Yield,
        wanted: dict[str, Any],
        translate: Callable[[Document], Yield | None],
        calls: Collection[str],
    ) -> None:
        self.document, self.made, self.wanted = document, made, wanted
        self._translate, self._calls = translate, calls
        self.left = self._differences(made)
        #: places in the wanted document whose edits are in the source
        self.kept: set[Path] = set()
        self._tries = max(_FEWEST, min(_MOST, _CHARACTERS // max(1, len(document.text))))

    def _differences(self, made: Yield) -> list[Difference]:
        return list(differences(made.data, self.wanted))

    def by_values(self) -> None:
        """Put back what has the value that was edited, or an entry or item that is written alike."""
        self._together([*self._sources().of_each(self.left)])
        again = True
        while self.left and again and self._tries > 0:
            again = False
            for found in self.left:
                if any(self._accept(edits) for edits in self._sources().proposals(found)[:_FEWEST * 3]):
                    again = True
                    break

    def by_translation(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Put back what differs between the translations of the document as it was and as it is; each difference as
        far inside of its entry as the source then yields the edit."""
        found = [one for one in differences(before, after) if len(one.path) > 1]
        for entry in dict.fromkeys(one.entry for one in found):
            if not self.left or self._tries <= 0:
                return
            inner = [one for one in found if one.entry == entry]
            deepest = max(len(one.path) for one in inner)
            for depth in range(deepest, 1, -1):
                edits = self._transferred(inner, after, depth)
                if edits and self._accept(edits):
                    break

    def _transferred(self, found: list[Difference], after: Mapping[str, Any], depth: int) -> list[TextEdit] | None:
        """The differences in the text of the source, none deeper than ``depth``; None where one has no place."""
        rewriter = Rewriter(self.document, self._calls)
        edits: list[TextEdit] = []
        for path in dict.fromkeys(one.path[:depth] for one in found):
            exact = next((one for one in found if one.path == path), None)
            if exact is not None and exact.after is MISSING:
                more = rewriter.remove(path)
            elif exact is not None and exact.before is MISSING and isinstance(path[-1], int):
                more = rewriter.insert(path, exact.after)
            elif exists(after, path):
                value: Any = after
                for step in path:
                    value = value[step]
                more = rewriter.put(path, value)
            else:
                more = rewriter.remove(path)
            if more is None:
                return None
            edits += more
        return edits

    def accepts(self, text: str) -> bool:
        """True where ``text`` yields what is nearer to what is wanted than the source does; ``left`` is then what it
        does not yield."""
        try:
            document = load(text, self.document.name).like(self.document)
        except SourceError:
            return False
        made = self._translate(document)
        if made is None:
            return False
        left = self._differences(made)
        if weight(left) >= weight(self.left):
            return False
        self.left = left
        return True

    # -- trying ---------------------------------------------------------------------------------------------

    def _sources(self) -> _Known:
        return _Known(self.document, self.made.lowered, self._calls)

    def _together(self, each: Iterable[list[TextEdit]]) -> None:
        edits = list(dict.fromkeys(edit for one in each for edit in one))
        if edits:
            self._accept(edits)

    def _accept(self, edits: list[TextEdit]) -> bool:
        """Take the edits over where the source is then nearer to what is wanted, and differs in no other entry."""
        if self._tries <= 0:
            return False
        document = with_edits(self.document, edits)
        if document is None:
            return False
        self._tries -= 1
        made = self._translate(document)
        if made is None:
            return False
        left = self._differences(made)
        if {one.entry for one in left} - {one.entry for one in self.left} or weight(left) >= weight(self.left):
            return False
        self.kept |= {one.entry for one in self.left} - {one.entry for one in left}
        self.document, self.made, self.left = document, made, left
        return True


class _Known:
    """Where the entries of a translation come from."""

    def __init__(self, document: Document, lowered: Lowered, calls: Collection[str]) -> None:
        self._became: dict[Path, list[Path]] = {}
        names: dict[str, str] = {}
        for entry, places in lowered.made.items():
            for place in places:
                self._became.setdefault(place, []).append(entry)
            if places and len(entry) == 2 and len(places[0]) == 2 and entry[1] != places[0][1]:
                if isinstance(places[0][1], str) and isinstance(entry[1], str):
                    names.setdefault(places[0][1], entry[1])
        self._proposals = Proposals(document, Sources(self._of, names), calls)

    def _of(self, entry: Path) -> list[Path]:
        return self._became.get(entry) or self._became.get(entry[:1]) or [entry]

    def proposals(self, found: Difference) -> list[list[TextEdit]]:
        """What may bring a difference about."""
        return self._proposals.of(found)

    def of_each(self, left: Iterable[Difference]) -> Iterable[list[TextEdit]]:
        """The likeliest proposal for each difference."""
        for found in left:
            yield from self.proposals(found)[:1]
