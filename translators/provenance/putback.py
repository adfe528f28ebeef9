"""Edits of a document put into the source that it was made from, so that the source yields the edited document.

What an edit means for the source is proposed (:mod:`.proposals`, and the translation of the edited document), and a
proposal counts where the changed source, translated again, is nearer to the document than before and differs nowhere
else. So whatever comes back yields what was edited, whichever passes it went through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import inf
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import MISSING, SCALARS, Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import carry, metadata_text
from bpconvert.translators.provenance.adjoining import is_alike, without_keys
from bpconvert.translators.provenance.detaching import detached
from bpconvert.translators.provenance.differences import (
    Difference,
    at,
    changed_lines,
    differences,
    size,
    weight,
    without_entries,
)
from bpconvert.translators.provenance.proposals import Proposals, Sources
from bpconvert.translators.provenance.renames import called_after, renamed_entries, renaming, with_names
from bpconvert.translators.provenance.rewriting import Rewriter, TextEdit, with_edits
from bpconvert.translators.support.places import exists, value_at
from bpconvert.translators.support.text import NOT_CONVERTED
from bpconvert.yamlio.document import Document, load

#: the section that stands for the files beside a document
FILES: Final = "(files)"
#: the keys of metadata that a conversion writes: what it keeps there follows what it is kept for
_KEPT: Final = frozenset({carry.KEY, metadata_text.KEY})
#: how sections are called that have definitions: they follow what is defined
_DEFINITIONS: Final = ("_types", "_definitions")
#: translations that are tried for a document, and characters of which that many are translated at most
_MOST: Final = 60
_CHARACTERS: Final = 600_000
_FEWEST: Final = 4
#: differences of an edited document, each of which is looked for in the source
_DIFFERENCES: Final = 2_000
#: how much of a translation it takes to compare one that is known
_KNOWN: Final = 0.5
#: lines of a source that may change where values were edited: that many for each of them, and that many beside
_TIMES: Final = 3
_BESIDE: Final = 6


class Yield(NamedTuple):
    """What a source becomes: ``data`` as a reader sees it, the files beside it as one more section; ``lowered``: the
    same with its traces."""

    data: dict[str, Any]
    lowered: Lowered


def yielded(lowered: Lowered, files: Mapping[str, str]) -> Yield:
    """A translation, as it is compared."""
    data = {name: content for name, content in carry.resolved(lowered.data).items() if content not in ({}, [])}
    return Yield({**data, FILES: dict(files)}, lowered)


class Wanted(NamedTuple):
    """The ``data`` that a source is to yield. ``same``: entries that it is known to yield so; ``refuses``: whether the
    engine refuses a changed source (the second) for what it did not refuse before (the first); ``foreign``: names of
    functions that the data may have and the source may not; ``joins``: those that join texts (:func:`.is_alike`)."""

    data: dict[str, Any]
    same: Collection[Path] = ()
    refuses: Callable[[Document, Document], bool] = lambda *_: False
    foreign: Collection[str] = ()
    joins: Mapping[str, int | None] = {}


class PutBack:
    """A source on its way to yield what is ``wanted``. ``document`` and ``made`` are what it is and yields so far;
    ``left``: the differences that are left. ``translate``: what a document becomes, None where that fails; ``calls``:
    names of functions, for the layout; ``follow_up``: a document with what follows of its changes, None where it refers
    to what is not there any more; ``inputs``: how the section of inputs is called in what it yields."""

    def __init__(
        self,
        document: Document,
        generated: Yield,
        wanted: Wanted,
        translate: Callable[[Document], Yield | None],
        calls: Collection[str],
        follow_up: Callable[[Document, Document], Document | None],
        inputs: str,
    ) -> None:
        self._inputs, self._refuses, self._goal = inputs, wanted.refuses, wanted
        self.document, self.made = document, generated
        #: maps that the document has without anything in them now
        self._emptied: set[Path] = set()
        #: what is wanted, word for word
        self.given = wanted.data
        before, after = (without_entries(data, wanted.same) for data in (generated.data, wanted.data))
        others: dict[str, Any] = self._without_null(before, after, ())
        self.wanted = {
            section: {**rows, **others[section]} if isinstance(rows, dict) else others[section]
            for section, rows in wanted.data.items()
        }
        self._translation, self._calls, self._follow_up = translate, frozenset(calls), follow_up
        #: digest of the data of a document -> what it becomes
        self._yields: dict[str, Yield | None] = {}
        #: what entries of the source became at first: an edit leaves none of it out, but for inputs that nothing needs
        self._made = {place for place in _made_of_entries(generated.lowered) if place[0] != self._inputs}
        self._made |= {(FILES, name) for name in generated.data[FILES]}
        #: entries that were edited
        self._edited: set[Path] | None = None
        self._kept: set[Path]
        #: entries that were renamed, and are so in the source now
        self.renamed: dict[Path, Path] = {}
        #: place of the source that referred to what was edited, and has the value that it had now -> what it became
        self.detached: dict[Path, Path] = {}
        self.left = self._differences(generated, wanted.same)
        self._edited = {item.entry for item in self.left}
        self._tries: float = max(_FEWEST, min(_MOST, _CHARACTERS // max(1, len(document.text))))

    def _without_null(self, before: Any, after: Any, path: Path) -> Any:
        """``after`` with a map where there was one ``before``, and nothing but its key is left."""
        if isinstance(before, dict) and before and after is None:
            self._emptied.add(path)
            return {}
        if isinstance(before, dict) and isinstance(after, dict):
            return {
                key: value
                if value is not None and type(value) in SCALARS
                else self._without_null(before.get(key), value, (*path, key))
                for key, value in after.items()
            }
        if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
            pairs = enumerate(zip(before, after, strict=True))
            return [self._without_null(old, new, (*path, number)) for number, (old, new) in pairs]
        return after

    def _differences(self, generated: Yield, same: Collection[Path] = ()) -> list[Difference]:
        """What a translation has otherwise, but for entries that are the ``same``. A file that is called by its content
        has the name that it had."""
        mine, theirs = generated.data[FILES], self.wanted[FILES]
        missing = {text: name for name, text in theirs.items() if name not in mine}
        names = {name: missing[text] for name, text in mine.items() if name not in theirs and text in missing}
        for gone, added in self.renamed.items():
            names |= called_after(str(gone[-1]), str(added[-1]), generated.data, self.wanted)
        data = with_names(generated.data, names) if names else generated.data
        every = differences(without_entries(data, same), without_entries(self.wanted, same))
        unlike = [item for item in every if not (item.before is MISSING and item.path in self._emptied)]
        if self._edited is None:
            self._kept = {item.path for item in unlike}
            return unlike
        unlike = [item for item in unlike if not _is_kept(item) or self._was_edited(item.path)]
        mine = self._made | {
            (*place[:1], *(names.get(step, step) for step in place[1:]))
            for place in _made_of_entries(generated.lowered)
        }
        unlike = [item for item in unlike if item.entry in self._edited or item.entry in mine]
        alike = {entry for entry in {item.entry for item in unlike} if self._is_alike(data, entry)}
        return [item for item in unlike if item.entry not in alike]

    def _is_alike(self, data: Any, entry: Path) -> bool:
        """Whether an entry is as it is wanted, in another form."""
        both = [value_at(each, entry) for each in (data, self.wanted) if exists(each, entry)]
        if not any(place[: len(entry)] == entry and not _KEPT.isdisjoint(place) for place in self._kept):
            both = [without_keys(value, _KEPT) for value in both]
        return len(both) == 2 and is_alike(both[0], both[1], self._goal.joins, self.renamed)

    def _was_edited(self, place: Path) -> bool:
        """Whether something of what is kept for the way back was edited at a place, or inside of it."""
        return any(path[: len(place)] == place for path in self._kept)

    def by_values(self) -> None:
        """Put back what was renamed, what has the value that was edited, or an entry or item that is written alike. Of
        more differences than people make, each is not looked for."""
        if len(self.left) > _DIFFERENCES:
            return
        for gone, added in [*renamed_entries(self.left, is_near=True)]:
            self.renamed[gone] = added
            if not any(self._accept(edits) for edits in self._sources().renamings(gone, added[1])):
                del self.renamed[gone]
        self._together([*self._sources().of_each(self.left)])
        again = True
        while self.left and again and self._tries > 0:
            again = False
            sources = self._sources()
            for difference in self.left:
                if any(self._accept(edits) for edits in sources.proposals(difference)[: _FEWEST * 3]):
                    again = True
                    break

    def by_translation(
        self, before: Mapping[str, Any], after: Mapping[str, Any], stand_ins: Collection[Path] = ()
    ) -> None:
        """Put back what differs between the translations of the document as it was and as it is; each difference as
        far inside of its entry as the source then yields the edit. Nothing is put back where only that was edited
        which conversions keep for the way back: it says nothing by itself. Nor is anything of ``stand_ins``, entries
        that create nothing."""
        if all(map(_is_kept, self.left)):
            return
        every = [deep for deep in differences(before, after) if deep.entry not in stand_ins]
        if len(every) > _DIFFERENCES:
            return
        deep = [item for item in every if len(item.path) > 2]
        shallow = [item for item in every if len(item.path) <= 2]
        if all(item.before is MISSING and item.path[0].endswith(_DEFINITIONS) for item in shallow):
            # what several entries say together stays together, with the definitions that it needs
            whole = self._transferred(every, after, max((len(item.path) for item in every), default=0))
            if any(map(self._accept, whole)) and not self.left:
                return
        for entry in dict.fromkeys(item.entry for item in deep):
            if not self.left or self._tries <= 0:
                return
            inner = [item for item in deep if item.entry == entry]
            deepest = max(len(item.path) for item in inner)
            for depth in range(deepest, 2, -1):
                if any(map(self._accept, self._transferred(inner, after, depth))):
                    break

    def _transferred(self, edited: list[Difference], after: Mapping[str, Any], depth: int) -> Iterator[list[TextEdit]]:
        """The differences in the text of the source, none deeper than ``depth``; nothing where one has no place. Then
        the same with the types of entries that the source has of another one: these may have what was added alone."""
        places = [*dict.fromkeys(self._whole_call(difference.path[:depth]) for difference in edited)]
        entries = dict.fromkeys(difference.entry for difference in edited)
        types = [place for entry in entries for place in self._retyped(entry, after)]
        for rows in (places, [*dict.fromkeys([*places, *types])]) if types else (places,):
            edits = self._in_text(edited, after, rows)
            if edits:
                yield edits

    def _retyped(self, entry: Path, after: Mapping[str, Any]) -> list[Path]:
        """The place of the type of an entry, and of its definition, where it has another type ``after``."""
        values = [value_at(data, entry) if exists(data, entry) else None for data in (self.document.data, after)]
        old, new = (value.get("type") if isinstance(value, dict) else None for value in values)
        if not isinstance(old, str) or not isinstance(new, str) or old == new:
            return []
        defined = [(section, new) for section in after if section.endswith(_DEFINITIONS)]
        missing = [place for place in defined if exists(after, place) and not exists(self.document.data, place)]
        return [(*entry, "type"), *missing]

    def _in_text(self, edited: list[Difference], after: Mapping[str, Any], places: list[Path]) -> list[TextEdit] | None:
        """What is ``after`` at these places, in the text of the source; None where one has no place there."""
        rewriter = Rewriter(self.document, self._calls)
        edits: list[TextEdit] = []
        outer = set(places)
        for path in [place for place in places if not any(place[:depth] in outer for depth in range(1, len(place)))]:
            exact = next((difference for difference in edited if difference.path == path), None)
            if exact is not None and exact.after is MISSING:
                more = rewriter.remove(path)
            elif exact is not None and exact.before is MISSING and isinstance(path[-1], int):
                more = rewriter.insert(path, exact.after)
            elif exists(after, path):
                more = rewriter.put(path, value_at(after, path))
            else:
                more = rewriter.remove(path)
            if more is None:
                return None
            edits += more
        return edits

    def _whole_call(self, path: Path) -> Path:
        """``path``, or that of the innermost value around it where that is a call, in the source or then; that of the
        entry where the source has none of that name."""
        if len(path) > 2 and not exists(self.document.data, path[:2]):
            return path[:2]
        holder: Any = self.document.data
        for depth, step in enumerate(path):
            if isinstance(holder, dict) and step not in holder:
                is_call = step in self._calls or (len(holder) == 1 and not self._calls.isdisjoint(holder))
                return path[:depth] if depth > 2 and holder and is_call else path
            if not isinstance(holder, (dict, list)) or (isinstance(holder, list) and not _is_item(holder, step)):
                return path
            holder = holder[step]
        return path

    @property
    def is_of_values(self) -> bool:
        """Whether all that is left are values that were edited or removed."""
        kinds = {type(value) for item in self.left for value in (item.before, item.after)}
        return kinds <= SCALARS and not any(item.before is MISSING for item in self.left)

    @property
    def has_new_entries(self) -> bool:
        """Whether what is left has entries that were added, none of which is one that was there under another name."""
        names = {added for _, added in renamed_entries(self.left)}
        return any(len(item.path) <= 2 and item.before is MISSING and item.path not in names for item in self.left)

    def accepted(self, text: str) -> tuple[Yield, list[Difference]] | None:
        """As :meth:`judged`, however much is another than it was; None where ``text`` cannot be translated."""
        try:
            generated = self._translate(load(text, self.document.name).like(self.document))
        except SourceError:
            return None
        return None if generated is None else (generated, self._differences(generated))

    def takes(self, document: Document, left: Iterable[Difference], renamed: dict[Path, Path]) -> bool:
        """Take another ``document`` for the source where that yields what is wanted, or differs from it in the places
        of what is ``left``; entries were ``renamed``."""
        generated = self._translate(document)
        if generated is None:
            return False
        before, self.renamed = self.renamed, renamed
        remaining = self._differences(generated)
        if remaining and {item.path for item in remaining} != {item.path for item in left}:
            self.renamed = before
            return False
        self.document, self.made, self.left = document, generated, remaining
        return True

    def as_near(
        self, text: str, left: Iterable[Difference], entries: Collection[Path]
    ) -> tuple[Yield, list[Difference]] | None:
        """As :meth:`accepted`; None where at these ``entries`` the source becomes the same, or what is less near to
        what is wanted than what is ``left``."""
        outcome = self.accepted(text)
        if outcome is None:
            return None
        before, after = at(entries, left), at(entries, outcome[1])
        return None if before == after or weight(after) > weight(before) else outcome

    def judged(self, text: str, is_anew: bool) -> tuple[Yield, list[Difference]] | None:
        """What ``text``, as the source, yields, and what is left then; None where it cannot be translated. With entries
        that were translated anew (``is_anew``), also where that is no nearer, or more changes than was edited."""
        try:
            document = load(text, self.document.name).like(self.document)
        except SourceError:
            return None
        if self._has_placeholders(text):
            return None
        is_more = is_anew and changed_lines(self.document.text, text) > self._most_lines()
        if is_more and self.is_of_values:
            return None
        generated = self._translate(document)
        if generated is None:
            return None
        left = self._differences(generated)
        is_other = self.is_of_values and is_anew and bool(left) and self._has_others(document)
        if is_other or self._disturbs(generated, left, is_anew):
            return None
        if is_anew and left and (is_more or weight(left) >= weight(self.left)):
            return None
        return generated, left

    def _disturbs(self, generated: Yield, left: Collection[Difference], is_anew: bool) -> bool:
        """Whether a source in place of this one yields something else at entries that nobody edited, and that are not
        of what was added to it; of one without entries that were translated anew, whether nothing of what was edited is
        in it, and what was added to it is such an entry."""
        others = {item.entry for item in left} - {item.entry for item in self.left}
        added = {entry for entry in generated.lowered.made if not exists(self.document.data, entry)}
        of_added = {place for entry in added for place in generated.lowered.made[entry]}
        if self.has_new_entries:
            return is_anew and not others <= of_added
        is_surplus = any(item.entry in others - of_added for item in left if _is_surplus(item))
        before = {
            entry: places for entry, places in self.made.lowered.made.items() if exists(self.document.data, entry)
        }
        if is_surplus and not is_anew and any(not of_added.isdisjoint(places) for places in before.values()):
            return True  # what was added has the name of what the source had become
        is_as_far = {item.path for item in self.left} <= {item.path for item in left}
        return bool(others if is_anew else is_as_far and others & of_added)

    def _most_lines(self) -> float:
        """How many lines may change, where no entries were added or removed."""
        is_of_entries = any(len(item.path) <= 2 for item in self.left)
        return inf if is_of_entries else _TIMES * size(self.left) + _BESIDE

    def _has_placeholders(self, text: str) -> bool:
        """Whether a source has texts in place of what it had a form for, and nothing was added."""
        return text.count(NOT_CONVERTED) > self.document.text.count(NOT_CONVERTED) and not self.has_new_entries

    def _has_others(self, document: Document) -> bool:
        """Whether a source in place of this one has other entries."""
        return any(len(item.path) <= 2 for item in differences(self.document.data, document.data))

    def _translate(self, document: Document) -> Yield | None:
        """What a document becomes; one that says the same in another notation becomes the same."""
        if document.text == self.document.text:
            return self.made
        sum = carry.digest(document.data)
        self._tries -= _KNOWN if sum in self._yields else 1
        if sum not in self._yields:
            self._yields[sum] = self._translation(document)
        return self._yields[sum]

    # -- trying ---------------------------------------------------------------------------------------------

    def _sources(self) -> _Known:
        return _Known(self.document, self.made.lowered, self._calls, self._goal.foreign)

    def _together(self, each: Iterable[list[TextEdit]]) -> None:
        edits = list(dict.fromkeys(edit for group in each for edit in group))
        if edits:
            self._accept(edits)

    def _accept(self, edits: list[TextEdit]) -> bool:
        """Take the edits over where the source is then nearer to what is wanted, and differs in no other entry."""
        if self._tries <= 0:
            return False
        changed = with_edits(self.document, edits)
        document = None if changed is None else self._follow_up(self.document, changed)
        if document is None:
            return False
        if self._has_placeholders(document.text):
            return False
        if self.is_of_values and changed_lines(self.document.text, document.text) > self._most_lines():
            return False
        generated = self._translate(document)
        if generated is None:
            return False
        left = self._differences(generated)
        places = {item.path for item in self.left}
        others = dict.fromkeys(item.entry for item in left if item.path not in places)
        return (bool(others) and self._take_detached(document, generated, others)) or self._take(
            document, generated, left
        )

    def _take(self, document: Document, generated: Yield, left: list[Difference]) -> bool:
        if {item.entry for item in left} - {item.entry for item in self.left} or weight(left) >= weight(self.left):
            return False
        if self._refuses(self.document, document):
            return False
        self.document, self.made, self.left = document, generated, left
        return True

    def _take_detached(self, document: Document, generated: Yield, others: Iterable[Path]) -> bool:
        """Take a document over with the old value at what refers in it to an edited one, where ``others``, entries that
        were not edited in that place, become something else without that."""
        mentions = _Known(document, generated.lowered, self._calls, self._goal.foreign)
        sources = {own: entry for entry in others for own in mentions.of_entry(entry)}
        edits, places = detached(self.document, document, sources, self._calls)
        changed = with_edits(document, edits) if edits and self._tries > 0 else None
        again = None if changed is None else self._translate(changed)
        if changed is None or again is None or not self._take(changed, again, self._differences(again)):
            return False
        self.detached |= {place: next(sources[own] for own in sources if place[: len(own)] == own) for place in places}
        return True


def _made_of_entries(lowered: Lowered) -> set[Path]:
    """What entries of a source became, without definitions, which follow what is defined."""
    places = {place for places in lowered.made.values() for place in places}
    return {place for place in places if not place[0].endswith(_DEFINITIONS)}


def _is_surplus(difference: Difference) -> bool:
    """Whether a source yields an entry that is not wanted at all, but for definitions."""
    is_definition = difference.path[0].endswith(_DEFINITIONS)
    return len(difference.path) == 2 and difference.after is MISSING and not is_definition


def _is_item(items: list[Any], step: Any) -> bool:
    return isinstance(step, int) and step < len(items)


def _is_kept(difference: Difference) -> bool:
    """Whether a difference is one of what a conversion keeps, in the entry that it is kept for."""
    values = [value for value in (difference.before, difference.after) if value is not MISSING]
    is_alone = len(values) == 1 and isinstance(values[0], dict) and bool(values[0]) and values[0].keys() <= _KEPT
    return is_alone or not _KEPT.isdisjoint(difference.path)


class _Known:
    """Where the entries of a translation come from."""

    def __init__(self, document: Document, lowered: Lowered, calls: Collection[str], foreign: Collection[str]) -> None:
        self._became: dict[Path, list[Path]] = {}
        names: dict[str, str] = {}
        for entry, places in lowered.made.items():
            for place in places:
                self._became.setdefault(place, []).append(entry)
            own = places[0] if places else ()
            if len(entry) == len(own) == 2 and entry[1] != own[1] and isinstance(own[1], str):
                names.setdefault(own[1], entry[1])
        self._proposals = Proposals(document, Sources(self.of_entry, names, lowered.data, foreign), calls)

    def of_entry(self, entry: Path) -> list[Path]:
        """The entries of the source that became this one."""
        return self._became.get(entry) or self._became.get(entry[:1]) or [entry]

    def renamings(self, entry: Path, name: str) -> Iterator[list[TextEdit]]:
        """What may give an entry another name."""
        for own in self.of_entry(entry):
            yield from renaming(self._proposals.document, self._proposals.rewriter, own, name)

    def proposals(self, difference: Difference) -> list[list[TextEdit]]:
        """What may bring a difference about."""
        return self._proposals.edits_for(difference)

    def of_each(self, left: Iterable[Difference]) -> Iterable[list[TextEdit]]:
        """The likeliest proposal for each difference."""
        for difference in left:
            yield from self.proposals(difference)[:1]
