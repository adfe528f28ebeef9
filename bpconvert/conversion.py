"""The way of one document: plain translation, or back to what it was made from."""

from __future__ import annotations

import posixpath
from typing import Any

from bpconvert.diagnostics import Reporter, SourceError, in_one_line
from bpconvert.files import CannotNest, Files
from bpconvert.models.topology import Topology
from bpconvert.nested_documents import Nesting
from bpconvert.options import Options
from bpconvert.render import render
from bpconvert.translation import Way
from bpconvert.translators.dialects import DIALECTS, SECTIONS
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import carry
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.provenance.comments import place
from bpconvert.yamlio.document import Document, load


class Conversion:
    """One document on its way. ``inputs`` and ``files`` are filled by :meth:`text`; ``kept_files``: those of the files
    that the document carried; ``lowered``: what a plain translation yielded, with the trace of every entry;
    ``topology``: what it was made of. ``beside``: the files that the document can name. ``nesting``: the nested
    documents, of this one or of the outermost."""

    def __init__(self, way: Way, document: Document, files: Files, nesting: Nesting | None = None) -> None:
        self.way = way
        self.document = document
        self.beside = files
        self.reporter = Reporter(document, engines=way.engines)
        self.inputs: dict[str, Any] = {}
        self.files: dict[str, str] = {}
        self.kept_files: set[str] = set()
        self.lowered: Lowered | None = None
        self.origin: Origin | None = None
        self.topology: Topology | None = None
        self.nesting = nesting or _nesting(way, document.name, files)
        files.opener = self.nesting

    def text(self) -> str:
        """The result. A document that was made from one of the target dialect goes back to it."""
        for duplicate in self.document.duplicates:
            self.reporter.report("BPC102", duplicate.path, key=duplicate.key)
        options = self.way.options
        origin = self.origin = self._origin() if options.carry and not options.decides else None
        if origin is None:
            return self._translated()
        fitting = self.way.target.keeper().options(origin.document.data)
        self.way = self.way._replace(options=options._replace(**fitting))
        self.files, self.kept_files = dict(origin.files), set(origin.files)
        self._convert_nested(origin)
        if origin.is_untouched:
            return origin.text
        return self._restored(origin)

    # -- plain translation ----------------------------------------------------------------------------------

    def _translated(self) -> str:
        lowered = self._lower(self.reporter, None)
        comments = place(self.document.comments, lowered.moves, lowered.data)
        if self.way.options.carry:
            kept = carry.Kept(
                self.way.source.name,
                self.way.source.counterparts(self.way.target),
                files={**self.beside.merged, **self.beside.used},
                options=self.way.options.asked(),
                nested=self.nesting.relative(self.beside.base),
            )
            self.way.target.keeper().put(lowered.data, carry.record(kept, self.document, lowered))
        return self._rendered(lowered.data, comments)

    def _lower(self, reporter: Reporter, origin: Origin | None) -> Lowered:
        """The document in the target's language, with the sections that are empty in the source."""
        source, target = self.way.source, self.way.target
        self.topology, lowered = self.way.translate(self.document, reporter, self.beside, origin)
        self.lowered = lowered
        sections = source.counterparts(target)
        lowered.moves += [((theirs,), (mine,)) for theirs, mine in sections.items()]
        lowered.moves.append(((source.marker,), (target.marker,)))
        empty = {mine for theirs, mine in sections.items() if self.document.data.get(theirs) == {}}
        lowered.data = _with_empty(lowered.data, empty, list(map(target.section, SECTIONS)))
        self.inputs, self.files = lowered.inputs, {**self.files, **lowered.files}
        return lowered

    def _rendered(self, data: dict[str, Any], comments: dict[Any, Any]) -> str:
        return render(
            self.way.target.layout,
            data,
            comments=comments,
            templates_dir=self.way.options.templates,
            calls=self.way.calls,
        )

    # -- back to the origin ---------------------------------------------------------------------------------

    def _origin(self) -> Origin | None:
        """What the document was made from, if it says so and that is of the target dialect."""
        keeper, target = self.way.source.keeper(), self.way.target
        place = keeper.find(self.document.data, target.name)
        if place is None:
            return None
        try:
            kept = keeper.read(self.document.data, place)
            if kept["source"] != target.name and kept["source"] in DIALECTS:
                return None
            if kept["source"] != target.name:
                raise ValueError(f"unknown source {kept['source']!r}")
            origin = Origin(kept, place, self.document, target.counterparts(self.way.source))
            if not target.recognises(origin.document.data):
                raise ValueError(f"there is no '{target.marker}' in it")
            return origin
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError, SourceError) as error:
            self.reporter.report("BPC624", place, problem=in_one_line(error))
            return None

    def _convert_nested(self, origin: Origin) -> None:
        names = {}
        for theirs, mine in origin.nested.items():
            place, target = self.beside.place(mine or theirs), self.beside.place(theirs)
            if place is not None and target is not None and carry.is_inside(target):
                self.nesting.targets[place] = target
                self.nesting.as_they_are |= set() if mine else {place}
                names[mine or theirs] = theirs
        for mine, theirs in names.items():
            try:
                self.beside.nested(mine)
            except CannotNest:
                self.reporter.report("BPC762", origin.place[:1], name=mine, original=theirs)

    def _restored(self, origin: Origin) -> str:
        """The origin with what the edits of the document mean for it."""
        from bpconvert.translators.provenance import restore, splice  # few conversions need them

        scratch = Reporter(self.document, engines=self.way.engines)
        lowered = self._lower(scratch, origin)
        lowered.data = carry.resolved(lowered.data)
        change = restore.patch(origin, lowered, self._before(origin))
        restore.settle(change, origin, self.way.target.keeper(), self.way.target.marker)
        restore.report(origin, change, lowered, scratch.diagnostics, self.reporter)
        for path, name in restore.unresolved(change, origin, self.way.target.keeper()):
            self.reporter.report("BPC625", (), place=".".join(map(str, path)), name=name)
        own = {path for path in change.new if path not in change.grafted}
        comments = {path: found for path, found in origin.document.comments.items() if path[:2] not in own}
        placed = place(self.document.comments, lowered.moves, lowered.data)
        comments |= {path: found for path, found in placed.items() if path[:2] in own}
        text = splice.splice(origin.document, change, comments, self.way.calls)
        return self._rendered(change.data, comments) if text is None else text

    def _before(self, origin: Origin) -> dict[str, Any]:
        """The translation of the document as it was before it was edited; {} where it cannot be generated again."""
        try:
            options = Options(**origin.options)._replace(types=self.way.options.types)
            options.check()
            document = self._made_again(origin, self.way.back(options))
            if any(carry.digest_at(document.data, path) != origin.digests[path] for path in origin.changes.edited):
                return {}
            files = self._files_of(origin)
            files.opener = self.nesting
            _, lowered = self.way.translate(document, Reporter(document), files, origin)
            return carry.resolved(lowered.data)
        except (SourceError, TypeError, ValueError):
            return {}

    def _made_again(self, origin: Origin, way: Way) -> Document:
        """The document as it was generated from the origin, on the ``way`` that the origin took."""
        base = self.beside.base or "."
        files = self._files_of(origin)
        files.given = {posixpath.relpath(place, base): text for place, text in self.nesting.as_made().items()}
        files.opener = _nesting(way, "", files)
        _, made = way.translate(origin.document, Reporter(origin.document), files)
        return load(render(way.target.layout, made.data, calls=way.calls))

    def _files_of(self, origin: Origin) -> Files:
        return Files(None, used=dict(origin.files), base=self.beside.base, inner=self.beside.inner)


def _nesting(way: Way, name: str, files: Files) -> Nesting:
    """What converts the documents that the one called ``name`` nests."""
    # what nests a document gives it its values
    inner = way._replace(options=way.options._replace(params=None, assume_defaults=False))

    def convert(document: Document, beside: Files) -> Conversion:
        return Conversion(inner, document, beside, nesting)

    root = posixpath.basename(name) if files.folder is not None else None
    nesting = Nesting(convert, way, name, root)
    return nesting


def _with_empty(data: dict[str, Any], empty: set[str], order: list[str]) -> dict[str, Any]:
    """``data`` with the sections that the source has without anything in them, in their place in ``order``."""
    for name in order:
        if name in empty and name not in data:
            following = [section for section in data if section in order[order.index(name) + 1 :]]
            items = list(data.items())
            place = list(data).index(following[0]) if following else len(items)
            data = dict([*items[:place], (name, {}), *items[place:]])
    return data
