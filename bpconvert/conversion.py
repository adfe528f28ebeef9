"""The way of one document: plain translation, or back to what it was made from."""

from __future__ import annotations

import posixpath
from typing import Any

from bpconvert.diagnostics import Reporter, SourceError, in_one_line
from bpconvert.files import Files
from bpconvert.models.topology import Topology
from bpconvert.nested_documents import Nesting
from bpconvert.options import Options
from bpconvert.render import render
from bpconvert.translators import passes
from bpconvert.translators.dialects import DIALECTS, Dialect, catalogue
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.nested import CannotNest
from bpconvert.translators.passes.request import Request
from bpconvert.translators.provenance import carry
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.provenance.comments import place
from bpconvert.yamlio.document import Document, load


class Conversion:
    """One document on its way. ``inputs`` and ``files`` are filled by :meth:`text`; ``kept_files``: those of the files
    that the document carried; ``lowered``: what a plain translation yielded, with the trace of every entry;
    ``topology``: what it was made of. ``nesting``: the nested documents, of this one or of the outermost."""

    def __init__(
        self,
        document: Document,
        source: Dialect,
        target: Dialect,
        options: Options,
        files: Files,
        nesting: Nesting | None = None,
    ) -> None:
        self.document = document
        self.source = source
        self.target = target
        self.options = options
        self.from_folder = files
        self.reporter = self._reporter()
        self.inputs: dict[str, Any] = {}
        self.files: dict[str, str] = {}
        self.kept_files: set[str] = set()
        self.lowered: Lowered | None = None
        self.origin: Origin | None = None
        self.topology: Topology | None = None
        self.nesting = nesting or _nesting(source, target, options, document.name, files)
        files.opener = self.nesting

    def _reporter(self) -> Reporter:
        engines = self.source.capabilities().title, self.target.capabilities().title
        return Reporter(self.document, engines=engines)

    def text(self) -> str:
        """The result. A document that was made from one of the target dialect goes back to it."""
        for path, key in ((d.path, d.key) for d in self.document.duplicates):
            self.reporter.report("BPC102", path, key=key)
        origin = self.origin = self._origin() if self.options.carry and not self.options.decides else None
        if origin is None:
            return self._translated()
        self.options = self.options._replace(**self.target.keeper().options(origin.document.data))
        self.files, self.kept_files = dict(origin.files), set(origin.files)
        self._nested_again(origin)
        if origin.is_untouched:
            return origin.text
        return self._restored(origin)

    def _nested_again(self, origin: Origin) -> None:
        """Convert the documents that were made from those that the origin nests."""
        files = self.from_folder
        names = {}
        for theirs, mine in origin.nested.items():
            place, target = files.place(mine or theirs), files.place(theirs)
            if place is not None and target is not None and carry.is_inside(target):
                self.nesting.targets[place] = target
                self.nesting.as_they_are |= set() if mine else {place}
                names[mine or theirs] = theirs
        for mine, theirs in names.items():
            try:
                files.nested(mine)
            except CannotNest:
                self.reporter.report("BPC762", origin.place[:1], name=mine, original=theirs)

    def _origin(self) -> Origin | None:
        """What the document was made from, if it says so and that is of the target dialect."""
        keeper = self.source.keeper()
        place = keeper.find(self.document.data, self.target.name)
        if place is None:
            return None
        try:
            kept = keeper.read(self.document.data, place)
            if kept["source"] != self.target.name and kept["source"] in DIALECTS:
                return None
            if kept["source"] != self.target.name:
                raise ValueError(f"unknown source {kept['source']!r}")
            origin = Origin(kept, place, self.document, self.target.counterparts(self.source))
            if not self.target.recognises(origin.document.data):
                raise ValueError(f"there is no '{self.target.marker}' in it")
            return origin
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError, SourceError) as error:
            self.reporter.report("BPC624", place, problem=in_one_line(error))
            return None

    def _lower(self, reporter: Reporter, origin: Origin | None) -> Lowered:
        self.topology, lowered = _lowered(
            self.source, self.target, self.document, reporter, self.options, self.from_folder, origin
        )
        self.lowered = lowered
        sections = self.source.counterparts(self.target)
        lowered.moves += [((theirs,), (mine,)) for theirs, mine in sections.items()]
        lowered.moves.append(((self.source.marker,), (self.target.marker,)))
        empty = {mine for theirs, mine in sections.items() if self.document.data.get(theirs) == {}}
        lowered.data = _with_empty(lowered.data, empty, list(self.target.sections.values()))
        self.inputs, self.files = lowered.inputs, {**self.files, **lowered.files}
        return lowered

    def _translated(self) -> str:
        lowered = self.lowered = self._lower(self.reporter, None)
        comments = place(self.document.comments, lowered.moves, lowered.data)
        if self.options.carry:
            sections = self.source.counterparts(self.target)
            used = {**self.from_folder.merged, **self.from_folder.used}
            asked = self.options.asked()
            kept = carry.record(
                self.source.name, self.document, lowered.data, lowered.made, sections, used, asked, self._nested()
            )
            self.target.keeper().put(lowered.data, kept)
        return self._rendered(lowered.data, comments)

    def _nested(self) -> dict[str, str]:
        """The nested documents and their results, relative to this one."""
        base = self.from_folder.base or "."
        here = self.nesting.here
        return {
            posixpath.relpath(place, base): posixpath.relpath(target, base) if target else ""
            for place, target in here.items()
        }

    def _restored(self, origin: Origin) -> str:
        from bpconvert.translators.provenance import restore, splice  # few conversions need them

        scratch = self._reporter()
        lowered = self._lower(scratch, origin)
        lowered.data = carry.resolved(lowered.data)
        keeper, marker = self.target.keeper(), self.target.marker
        change = restore.patch(origin, lowered, self._before(origin))
        for path, value in keeper.settle(change.data, change.dropped).items():
            change.put(path, value)
        version = keeper.version(str(origin.document.data.get(marker)), change.new)
        if change.new and version != str(origin.document.data.get(marker)):
            change.put((marker,), version)
        restore.report(origin, change, lowered, scratch.diagnostics, self.reporter)
        loose = keeper.unresolved(change.data) - keeper.unresolved(origin.document.data)
        for path, name in sorted(loose, key=str):
            self.reporter.report("BPC625", (), place=".".join(map(str, path)), name=name)
        own = {path for path in change.new if path not in change.grafted}
        comments = {path: found for path, found in origin.document.comments.items() if path[:2] not in own}
        placed = place(self.document.comments, lowered.moves, lowered.data)
        comments |= {path: found for path, found in placed.items() if path[:2] in own}
        text = splice.splice(origin.document, change, comments)
        return self._rendered(change.data, comments) if text is None else text

    def _before(self, origin: Origin) -> dict[str, Any]:
        """The translation of the document as it was before it was edited; {} where it cannot be generated again."""
        own = self.from_folder
        given = {posixpath.relpath(place, own.base or "."): text for place, text in self.nesting.as_made().items()}
        files = Files(None, used=dict(origin.files), given=given, base=own.base, inner=own.inner)
        try:
            asked = Options(**origin.options)._replace(types=self.options.types)
            asked.check()
            reporter = Reporter(origin.document)
            files.opener = _nesting(self.target, self.source, asked, "", files)
            _, made = _lowered(self.target, self.source, origin.document, reporter, asked, files, None)
            document = load(render(self.source.layout, made.data))
            if any(carry.digest_at(document.data, path) != origin.digests[path] for path in origin.changes.edited):
                return {}
            files = Files(None, used=dict(origin.files), base=own.base, inner=own.inner, opener=self.nesting)
            _, back = _lowered(self.source, self.target, document, Reporter(document), self.options, files, origin)
            return carry.resolved(back.data)
        except (SourceError, TypeError, ValueError):
            return {}

    def _rendered(self, data: dict[str, Any], comments: dict[Any, Any]) -> str:
        return render(self.target.layout, data, comments=comments, templates_dir=self.options.templates)


def _lowered(
    source: Dialect,
    target: Dialect,
    document: Document,
    reporter: Reporter,
    options: Options,
    files: Files,
    origin: Origin | None,
) -> tuple[Topology, Lowered]:
    """The neutral form of a document and its plain translation; findings go to ``reporter``."""
    types = catalogue(options.types)
    topology: Topology = source.read()(document, types, reporter, files)
    able = source.capabilities(), target.capabilities()
    request = Request(*able, types, document, reporter, options, files, origin, source.accept)
    topology = passes.run(topology, request)
    lowered: Lowered = target.write()(topology, request)
    lowered.made |= {path: [] for path in topology.decided}
    return topology, lowered


def _nesting(source: Dialect, target: Dialect, options: Options, name: str, files: Files) -> Nesting:
    """What converts the documents that the one called ``name`` nests."""

    inner = options._replace(params=None, assume_defaults=False)  # what nests it gives it its values

    def convert(document: Document, beside: Files) -> Conversion:
        return Conversion(document, source, target, inner, beside, nesting)

    root = posixpath.basename(name) if files.folder is not None else None
    nesting = Nesting(convert, source, target, options, name, root)
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
