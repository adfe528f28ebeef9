"""A document that was edited after it had been generated, on its way back to what it was made from.

The edits are put into the kept source where that then yields them (``provenance/putback.py``). What is left is
translated anew, entry by entry (``provenance/restore.py``), where that comes nearer to the edited document; the rest
stays as it was, and is reported."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from functools import partial
from typing import Any, Final, Protocol

from bpconvert.diagnostics import Reporter, SourceError
from bpconvert.diagnostics.codes import CODES
from bpconvert.files import Files
from bpconvert.models.expressions import Path
from bpconvert.nested import Converted
from bpconvert.refusals import Refusals
from bpconvert.render import render
from bpconvert.translation import Way
from bpconvert.translators.dialects import load
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import carry, excerpts, restore, splice
from bpconvert.translators.provenance.anew import Anew, MadeBack, unlike_at
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.provenance.comments import place as place_comments
from bpconvert.translators.provenance.differences import Difference, at, differences, differing, weight, without_entries
from bpconvert.translators.provenance.excerpts import Excerpt
from bpconvert.translators.provenance.own_calls import with_own_calls
from bpconvert.translators.provenance.putback import FILES, PutBack, Wanted, Yield, yielded
from bpconvert.translators.provenance.rewriting import Rewriter, with_edits
from bpconvert.translators.support.places import common, dotted, entries, exists, renamed, texts, value_at, without
from bpconvert.yamlio.document import Document

#: what a source that does not fit any more leads to
_DAMAGED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, SourceError, TypeError, ValueError)


class Conversion(Converted, Protocol):
    """What the way back needs of the conversion that it is a part of."""

    way: Way
    reporter: Reporter
    nesting: Any

    def lower(self, reporter: Reporter, origin: Origin | None) -> Lowered:
        """The document in the target's language."""

    def made_again(self, origin: Origin, document: Document | None = None) -> tuple[Lowered, dict[str, str]]:
        """What the origin, or another document in its place, yields when it is translated again, and its files."""

    def rendered(self, data: dict[str, Any], comments: dict[Any, Any]) -> str:
        """The text of data in the target's language."""

    def files_of(self, origin: Origin) -> Files:
        """The files that the origin had beside it."""


class WayBack:
    """The way back of one document to its ``origin``. ``made``: what the origin yields today, and the ``files``
    beside that, None where these cannot be compared with the document."""

    def __init__(self, conversion: Conversion, origin: Origin, lowered: Lowered, files: dict[str, str] | None) -> None:
        self._conversion, self._first = conversion, origin
        self._generated, self._files, self._is_compared = lowered, files or {}, files is not None
        self._way, self._document, self._reporter = conversion.way, conversion.document, conversion.reporter
        self._keeper, self._marker = self._way.target.keeper(), self._way.target.marker
        #: entries of what the document becomes by itself that create nothing
        self._stand_ins: set[Path]
        #: those of entries that were there before
        self._turned: set[Path]
        #: entries that were renamed, and are so in what comes back
        self._renamed: dict[Path, Path] = {}
        #: generated files of the bundle that have been edited
        self._edited_files: set[str] = set()
        #: what translations of the origin become on the way back: each is made once
        self._made_back: list[MadeBack] = []
        #: what is not in what comes back
        self.left: list[Difference]
        files_here, files_back = conversion.folder, partial(conversion.files_of, origin)
        self._refusals = Refusals(self._way, self._document, origin.changes.present, files_here, files_back)

    def text(self) -> str | None:
        """What comes back; what was edited is reported. None, and what stands there is reported, where the origin is
        not nearer to it than what the document itself becomes."""
        edits = self._edits()
        text = None if edits is None else self._by_excerpt(edits)
        return self._text(edits) if text is None else text

    def _text(self, edits: PutBack | None) -> str | None:
        self._refusals.report(self._reporter)
        if edits is not None:
            edits.by_values()
            self._renamed = edits.renamed
        origin = self._with(edits)
        self._take_edited_files(origin, edits)
        if origin.is_untouched or (edits is not None and not edits.left and not self._edited_files):
            return self._finished(origin, edits)
        return self._restored(origin, edits)

    # -- a part of a long document --------------------------------------------------------------------------

    def _by_excerpt(self, edits: PutBack) -> str | None:
        """What comes back where a part of a long document shows it, and the whole then yields what was edited; None
        where there is no such part, or the whole yields something else."""
        origin, conversion = self._first, self._conversion
        if self._document.whole is not None or origin.unlike:
            return None
        try:
            pair = self._part(edits)
            if pair is None:
                return None
            inner, part = pair
            text = inner.text()
            if text is None or (inner.left and not part.is_closed):
                return None
            whole = excerpts.put_into(origin.document, part, text)
            if whole is None:
                return None
            document = load(whole, origin.document.name).like(origin.document)
            if self._nowhere(part.document, load(text)) != self._nowhere(origin.document, document):
                return None
        except _DAMAGED:
            return None
        document.mark = origin.document.mark
        if not edits.takes(document, inner.left, inner._renamed):
            return None
        for finding in inner._reporter.diagnostics:
            self._reporter.record(finding)
        conversion.files, conversion.kept_files = inner._conversion.files, inner._conversion.kept_files
        conversion.inputs = inner._conversion.inputs
        return document.mark + document.text

    def _nowhere(self, before: Document, after: Document) -> set[tuple[Path, str]]:
        """Where a document names what it does not have, which was there ``before``."""
        unresolved = self._keeper.unresolved(after.like(before).data)
        return unresolved - self._keeper.unresolved(before.data)

    def _part(self, edits: PutBack) -> tuple[WayBack, Excerpt] | None:
        """The way back of a part of the document, with the entries that were edited, and the part of the origin."""
        origin, generated = self._first, edits.made.data
        places = {item.entry for item in edits.left}
        if not places:
            return None
        names = excerpts.Names(carry.entries(generated))
        values = [value_at(data, item) for item in places for data in (generated, edits.given) if exists(data, item)]
        near = {place for value in values for place in names.mentioned(value)}
        own = {entry for place in places for entry in origin.sources(place)}
        part = excerpts.excerpt(origin.document, own, {item for place in near for item in origin.sources(place)}, load)
        if part is None:
            return None
        lowered, files = self._conversion.made_again(origin, part.document)
        data = excerpts.wanted_of(carry.resolved(lowered.data), generated, edits.given, places)
        if data is None:
            return None
        text = render(self._way.source.layout, data, comments=self._document.comments, calls=self._way.calls)
        conversion = copy(self._conversion)
        document = load(text, self._document.name).like(self._document)
        document.whole, document.secrets = self._document, self._document.secrets
        conversion.document, conversion.reporter = document, Reporter(document, engines=self._way.engines)
        conversion.files, conversion.kept_files = dict(conversion.files), set(conversion.kept_files)
        return WayBack(conversion, origin.part(part.document, lowered, document.data), lowered, files), part

    # -- edits that the origin has a place for --------------------------------------------------------------

    def _edits(self) -> PutBack | None:
        """The edits of the document, to be put into the origin; None where there are none, or nothing to compare
        with."""
        origin = self._first
        if not self._is_compared:
            return None
        texts_now = {name: self._file_now(name, text) for name, text in self._files.items()}
        if origin.is_untouched and texts_now == self._files:
            return None
        sections = without(self._document.data, origin.place).items()
        written = {**{name: content for name, content in sections if content not in ({}, [])}, FILES: texts_now}
        generated = yielded(self._generated, self._files)
        wanted = self._as_today(generated.data, written)
        own, theirs = (side.capabilities().words for side in (self._way.target, self._way.source))
        foreign = frozenset(theirs.calls) - frozenset(own.calls)
        goal = Wanted(wanted, origin.same_in(written, wanted), self._refusals.has_more, foreign, theirs.joins)
        more = (self._translated, self._way.calls, self._settled, self._way.source.section("inputs"))
        return PutBack(origin.document, generated, goal, *more)

    def _as_today(self, generated: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
        """``wanted`` with what is ``generated`` today where nobody edited what an earlier version wrote otherwise."""
        alike, changes = self._way.source.keeper().alike, self._first.changes
        written, wanted = wanted, self._way.source.keeper().as_today(generated, wanted)
        same, edited = self._first.same_in(written, wanted), changes.present | changes.deleted
        before, after = without_entries(generated, same), without_entries(wanted, same)
        for section in dict.fromkeys(difference.path[0] for difference in differences(before, after)):
            there = wanted.get(section) or {}
            is_map = isinstance(there, dict)  # else somebody made something else of the section
            rows = {
                name: new
                for name, new in entries(before, section).items()
                if is_map and (section, name) not in edited and alike((section, name), there.get(name), new, generated)
            }
            if rows:
                wanted = {**wanted, section: {**there, **rows}}
        return wanted

    def _translated(self, document: Document) -> Yield | None:
        """What the origin yields as this document."""
        try:
            return yielded(*self._conversion.made_again(self._first, document))
        except _DAMAGED:
            return None

    def _file_now(self, name: str, text: str) -> str:
        """The text of a file that was generated with this ``text``, as it is now; one that goes back by itself counts
        as it was."""
        if name in self._conversion.kept_files or not carry.is_inside(name):
            return text
        content, _ = self._conversion.folder.look(name)
        return text if content is None else content

    def _settled(self, before: Document, after: Document) -> Document | None:
        """``after``, which was ``before``, in the version that it needs; None where it refers to what is not there."""
        if self._keeper.unresolved(after.data) - self._keeper.unresolved(before.data):
            return None
        sums = carry.digests_of(before.data)
        new = {path: sum for path, sum in carry.digests_of(after.data).items() if sums.get(path) != sum}
        version = str(after.data.get(self._marker))
        wanted = self._keeper.version(version, {path: value_at(after.data, path) for path in new})
        if wanted == version:
            return after
        edits = Rewriter(after, self._way.calls).put((self._marker,), wanted)
        return None if edits is None else with_edits(after, edits)

    def _with(self, edits: PutBack | None) -> Origin:
        """The origin with the edits that are in it so far."""
        if edits is None or edits.document is self._first.document:
            return self._first
        return self._first.with_edits(edits.document, edits.made.lowered)

    def _finished(self, origin: Origin, edits: PutBack | None) -> str | None:
        """The text of an origin that has all edits that it can have."""
        if edits is not None and self._is_no_nearer(origin, edits, edits.left):
            return None
        self.left = edits.left if edits is not None else []
        self._report_put_back(origin, {difference.entry for difference in self.left}, edits)
        if edits is not None and edits.left:
            self._report_left(origin, edits.left)
        return origin.text

    # -- what is translated anew ----------------------------------------------------------------------------

    def _restored(self, origin: Origin, edits: PutBack | None) -> str | None:
        scratch = Reporter(self._document, engines=self._way.engines)
        lowered = self._conversion.lower(scratch, self._first)
        lowered.data = self._own(lowered, self._first)
        shown = {finding.path[:2] for finding in scratch.diagnostics if CODES[finding.code].causes == "node"}
        self._stand_ins = {place for entry in shown for place in lowered.made.get(entry, ())}
        was_there = [entry for entry in shown if exists(self._generated.data, entry)]
        self._turned = {place for entry in was_there for place in lowered.made.get(entry, ())}
        if edits is not None:
            before = self._before(origin, edits.made.lowered)
            if before.data:
                edits.by_translation(before.data, lowered.data, self._stand_ins)
            origin = self._with(edits)
            if not edits.left and not self._edited_files:
                return self._finished(origin, edits)
        best = self._nearest(origin, lowered, self._generated if edits is None else edits.made.lowered, edits)
        if edits is not None and origin is not self._first and (best is None or weight(best.left)):
            other = self._nearest(self._first, lowered, self._generated, edits)
            if best is None or (other is not None and weight(other.left) < weight(best.left)):
                best = other
        if best is None:
            return self._finished(origin, edits)
        if edits is not None and self._is_no_nearer(best.origin, edits, best.left, best.is_document):
            return None
        self._report_put_back(best.origin, best.origin.changes.present | best.origin.changes.deleted, edits)
        restore.report(best.origin, best.change, lowered, scratch.diagnostics, self._reporter)
        for path, name in restore.unresolved(best.change, best.origin, self._keeper):
            self._reporter.report("BPC625", (), place=dotted(path), name=name)
        self._report_anew(best, lowered)
        self.left = best.left
        return best.text

    def _nearest(self, origin: Origin, lowered: Lowered, generated: Lowered, edits: PutBack | None) -> Anew | None:
        """The result with what is left in the places that the origin has for it, where it then yields all that was
        edited, and its engine takes it; else with whole entries that are translated anew."""
        is_tried = edits is not None and not self._edited_files
        loose = self._anew(origin, lowered, generated, edits, is_loose=True) if is_tried else None
        if loose is not None and not loose.left:
            document = load(loose.text, origin.document.name).like(origin.document)
            if not self._refusals.has_more(origin.document, document):
                return loose
        return self._anew(origin, lowered, generated, edits)

    def _anew(
        self, origin: Origin, lowered: Lowered, generated: Lowered, edits: PutBack | None, is_loose: bool = False
    ) -> Anew | None:
        """The result with what is left translated anew, which the origin with the edits yields as ``generated``; None
        where that is no nearer to the edited document, or has nothing ``is_loose`` in it."""
        before = self._before(origin, generated)
        # what names an edited file is another value than it was
        before.data = renamed(before.data, self._edited_files)
        change = restore.patch(origin, lowered, before, is_loose, self._way.target.section("inputs"))
        if is_loose and not change.loose:
            return None
        own = {path for path in change.new if path not in change.grafted}
        dangling = self._way.source.keeper().unresolved(self._document.data)
        restore.follow_up(change, origin, lowered, self._keeper, self._marker, not dangling)
        nowhere = restore.unresolved(change, origin, self._keeper)
        if edits is not None and (
            {place[:2] for place, _ in nowhere} & change.new.keys() or restore.takes_away(change, origin, nowhere)
        ):
            return None  # no engine takes an entry that refers to nothing
        empty = self._stand_ins & change.new.keys()
        if edits is not None and any(exists(origin.document.data, path) or path in self._turned for path in empty):
            return None  # what creates nothing takes the place of nothing else
        new = {path for path in change.new if path not in change.grafted}
        comments = {path: comment for path, comment in origin.document.comments.items() if path[:2] not in new}
        placed = place_comments(self._document.comments, lowered.moves, lowered.data)
        comments |= {path: comment for path, comment in placed.items() if path[:2] in new}
        text = splice.splice(origin.document, change, comments, self._way.calls)
        unlike = set() if edits is None else unlike_at(origin, edits.left)
        is_believed = not unlike
        if text is None and edits is not None and edits.is_of_values and not self._edited_files and is_believed:
            return None  # every line would be another one
        text = self._conversion.rendered(change.data, comments) if text is None else text
        if edits is None:
            return Anew(text, origin, change, None, [])
        inputs = [path for path in change.new if path[0] == self._way.target.section("inputs")]
        if is_believed and not edits.has_new_entries and not all(exists(origin.document.data, path) for path in inputs):
            return None  # nobody asked for more
        if not edits.is_of_values:
            own = {path for path in own if exists(origin.document.data, path)}
        is_anew = bool(own - self._using_edited_files(origin))
        is_document = not is_believed and self._contradicts(origin, unlike, before.data, lowered)
        if is_believed:
            judged = edits.judged(text, is_anew)
        else:
            judged = edits.accepted(text) if is_document else edits.as_near(text, edits.left, unlike)
        if judged is None:
            return None
        is_moved = at(unlike, judged[1]) != at(unlike, edits.left)
        return Anew(text, origin, change, *judged, is_document and is_moved)

    def _contradicts(self, origin: Origin, entries: set[Path], before: dict[str, Any], lowered: Lowered) -> bool:
        """True where the origin means something else than what stands in the document at these ``entries``, and nobody
        edited that: then the document counts, whatever becomes of the origin's own text."""
        places = {place for entry in entries for place in lowered.made.get(entry, ())}
        return bool(places & differing(before, lowered.data)) or (bool(places) and not before)

    def _is_no_nearer(self, origin: Origin, edits: PutBack, left: list[Difference], is_part: bool = False) -> bool:
        """True, and reported, where the origin yields something else than what stands in the document at entries that
        nobody edited, and what the document itself becomes is not farther from that; nearer, where a part of that is
        in the origin (``is_part``)."""
        entries = unlike_at(origin, left)
        if not entries:
            return False
        try:
            files = self._conversion.folder
            lowered = self._way.translate(self._document, Reporter(self._document), files, None)[1]
            text = render(self._way.target.layout, carry.resolved(lowered.data), calls=self._way.calls)
        except _DAMAGED:
            return False
        nearest = edits.as_near(text, left, entries)
        if nearest is None or (is_part and weight(at(entries, nearest[1])) == weight(at(entries, left))):
            return False
        self._reporter.report("BPC658", origin.place, names=", ".join(map(dotted, sorted(entries, key=str))))
        return True

    def _using_edited_files(self, origin: Origin) -> set[Path]:
        """The entries of the origin that become what uses an edited file."""
        data = self._document.data
        using = [path for path in origin.changes.edited if self._edited_files & set(texts(value_at(data, path)))]
        return {entry for path in using for entry in origin.sources(path)}

    def _before(self, origin: Origin, generated: Lowered) -> Lowered:
        """The translation of the document as it would be if it had not been edited; an empty one where that cannot be
        generated."""
        back = self._back_from(generated, origin, origin.changes.edited)
        return Lowered({}) if back is None else copy(back)

    def _back_from(self, generated: Lowered, origin: Origin, edited: Collection[Path] = ()) -> Lowered | None:
        """What the translation of an origin becomes on the way back; None where that fails, or it is not what it was at
        the places that were ``edited`` since."""
        same = [entry for entry in self._made_back if entry.source is origin.document]
        earlier = next((entry for entry in same if entry.made is generated), None)
        try:
            if earlier is None:
                document = load(render(self._way.source.layout, generated.data, calls=self._way.calls))
                sum = carry.digest(document.data)
                earlier = next(
                    (entry for entry in same if entry.sum == sum), MadeBack(generated, origin.document, document, sum)
                )
            if any(carry.digest_at(earlier.document.data, path) != origin.digests[path] for path in edited):
                return None
            if earlier.lowered is None:
                files = self._conversion.files_of(origin)
                files.used = {**self._files, **files.used}  # with what is generated beside the document
                files.opener, files.stem = self._conversion.nesting, self._conversion.folder.stem
                _, lowered = self._way.translate(earlier.document, Reporter(earlier.document), files, origin)
                lowered.data = self._own(lowered, origin)
                earlier = earlier._replace(lowered=lowered)
                self._made_back.append(earlier)
        except (SourceError, TypeError, ValueError):
            return None
        return earlier.lowered

    def _own(self, lowered: Lowered, origin: Origin) -> dict[str, Any]:
        """What a translation into the language of the ``origin`` has, with the calls that the origin has for inputs."""
        lowered.data = carry.resolved(lowered.data)
        edited, section = origin.changes.own, self._way.target.section("inputs")
        return with_own_calls(lowered, origin.document.data, section, self._way.calls, edited)

    def _take_edited_files(self, origin: Origin, edits: PutBack | None) -> None:
        """Take over the files of the bundle that have been edited since: one of the origin's goes back as it is now,
        what uses another one is translated anew, unless the ``edits`` of it are in the origin."""
        left = (
            {difference.path[1] for difference in edits.left if difference.entry[0] == FILES}
            if edits is not None
            else set(self._files)
        )
        touched: set[Path] = set()
        for name, sum in self._first.bundle.items():
            text = self._conversion.folder.look(name)[0] if carry.is_inside(name) else None
            if text is None or carry.digest(text) == sum:
                continue
            if name in origin.files and carry.digest(origin.files[name]) == sum:
                self._conversion.files[name] = text
                self._conversion.kept_files.discard(name)
                self._reporter.report("BPC626", origin.place[:1], name=name)
                continue
            if name in self._files and name not in left:
                self._reporter.report("BPC626", origin.place[:1], name=name)
                continue
            paths = [path for path in carry.entries(self._document.data) if path != origin.place]
            using = {path for path in paths if name in set(texts(value_at(self._document.data, path)))}
            self._reporter.report("BPC626" if using else "BPC627", origin.place[:1], name=name)
            if using:
                self._edited_files.add(name)
                touched |= using
        if touched:
            origin.touch(touched)

    # -- reports --------------------------------------------------------------------------------------------

    def _report_put_back(self, origin: Origin, left: Collection[Path], edits: PutBack | None) -> None:
        """Report the edits that the ``origin`` has, which it did not have at first: all but those that are ``left``."""
        first = self._first.changes
        if origin is self._first:
            return
        for place, entry in edits.detached.items() if edits is not None else ():
            self._reporter.report("BPC669", self._there(entry), name=dotted(entry), place=dotted(place))
        for gone, place in self._renamed.items():
            self._reporter.report("BPC668", place, name=dotted(gone), new=place[-1])
        names = {*self._renamed, *self._renamed.values()}
        for place in sorted((first.own | first.deleted).difference(left, names), key=str):
            is_gone = place in first.deleted
            code = "BPC621" if is_gone else "BPC620" if place in first.edited else "BPC623"
            if place in self._first.unlike:
                code = "BPC661" if is_gone else "BPC660"
            self._reporter.report(code, place[:1] if is_gone else place, name=dotted(place))

    def _report_left(self, origin: Origin, left: list[Difference]) -> None:
        """Report the edits that are not in what comes back."""
        places = dict.fromkeys(difference.entry for difference in left)
        for place in places:
            if place not in origin.unlike:
                inner = common([difference.path for difference in left if difference.entry == place])
                self._reporter.report("BPC622", self._there(inner), name=dotted(inner))
        unlike = [dotted(place) for place in places if place in origin.unlike]
        if unlike:
            self._reporter.report("BPC662", origin.place, names=", ".join(unlike))

    def _report_anew(self, anew: Anew, lowered: Lowered) -> None:
        """Report the edited entries whose source was translated anew, and those that it does not yield in any form.
        ``lowered``: what the document becomes."""
        if anew.made is None:
            return
        origin, own = anew.origin, [path for path in anew.change.new if path not in anew.change.grafted]
        again = self._back_from(anew.made.lowered, origin) if anew.left else None
        unlike = differing(again.data, lowered.data) if again is not None else set()
        left = {
            difference.entry
            for difference in anew.left
            if again is None or unlike & {*lowered.made.get(difference.entry, ())}
        }
        lost = {finding.path for finding in self._reporter.diagnostics if finding.code == "BPC622"}
        for place in sorted(((origin.changes.edited - origin.changes.along) | left) - lost, key=str):
            sources = {*origin.sources(place)}
            names = [path for path in own if path in sources or sources & anew.change.dropped]
            if place in left - origin.unlike or names:
                shown = ", ".join(map(dotted, names)) or "as it was"
                self._reporter.report(
                    "BPC666" if place in left else "BPC665", self._there(place), name=dotted(place), names=shown
                )

    def _there(self, place: Path) -> Path:
        """The place in the document, or what it was in where it is not there any more."""
        while len(place) > 1 and not exists(self._document.data, place):
            place = place[:-1]
        return place
