"""The way of one document and of those that it nests: plain translation, or back to what it was made from."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from copy import copy
from typing import Any, Final

from bpconvert.diagnostics import Diagnostic, Reporter, SourceError, in_one_line
from bpconvert.diagnostics.secrets import Secrets
from bpconvert.files import UNKNOWN, CannotNest, Files
from bpconvert.given import given_values, stage_file
from bpconvert.mistakes import Mistakes
from bpconvert.models.expressions import MISSING, Path, is_constant
from bpconvert.models.light import replace
from bpconvert.models.topology import NestedInterface, Topology
from bpconvert.nested import Nested, as_made, became, declarations, edited_behind_urls
from bpconvert.options import Options
from bpconvert.render import check_layout, render
from bpconvert.translation import Way
from bpconvert.translators import passes
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import DIALECTS, hide_given, load, unlike
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import carry, notes, record_files
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.provenance.comments import place as place_comments
from bpconvert.translators.support.places import dotted, texts, with_empty
from bpconvert.urls import is_url, sibling
from bpconvert.yamlio.document import Document
from bpconvert.yamlio.emit import emit

#: how many places a finding names
_SHOWN: Final = 5
#: what a damaged record, or one that somebody has changed, leads to
_DAMAGED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, SourceError, TypeError, ValueError)


class Conversion:
    """One document on its way. ``inputs``, ``stages`` and ``files`` are filled by :meth:`text`; ``kept_files``: those
    of the files that the document carried; ``lowered``: what a plain translation yielded, with the trace of every
    entry; ``topology``: what it was made of. ``beside``: the files that the document can name. ``nesting``: the nested
    documents, of this one or of the outermost."""

    def __init__(self, way: Way, document: Document, files: Files, nesting: Nesting | None = None) -> None:
        self.way = way
        self.document = document
        self.folder = files
        environments = filter(None, [files.environment, *files.stages.values()])
        maps = [part for environment in environments for part in (environment.parameters, environment.defaults)]
        for values in [way.options.params, *maps]:
            hide_given(document, values or {})
        if nesting is not None:
            nesting.secrets.join(document.secrets)
            document.secrets = nesting.secrets
        self.reporter = Reporter(document, engines=way.engines)
        self.inputs: dict[str, Any] = {}
        self.stages: dict[str, dict[str, Any]] = {}
        self.files: dict[str, str] = {}
        self.kept_files: set[str] = set()
        self.lowered: Lowered | None = None
        self.origin: Origin | None = None
        self.topology: Topology | None = None
        #: sees the topology between passes
        self.watch: passes.Watch = passes.unwatched
        self._generated: Lowered  # what the origin yields when it is translated again
        self._generated_files: dict[str, str] = {}
        self._is_compared = False
        self._elsewhere: set[str] = set()  # names of files outside of the folder
        is_file = files.folder is not None or files.packed is not None
        root = posixpath.basename(document.name) if is_file else None
        files.stem = posixpath.splitext(root)[0] if root else ""
        self.nesting = nesting or Nesting(way, document.name, root, document.secrets)
        files.opener = self.nesting

    def text(self) -> str:
        """The result. A document that was made from one of the target dialect goes back to it."""
        for duplicate in self.document.duplicates:
            self.reporter.report(duplicate.code, duplicate.path, key=duplicate.key)
        options = self.way.options
        origin = self.origin = self._origin() if options.carry and not options.decides else None
        if origin is not None and not self._compare(origin, self._convert_nested(origin)):
            origin = self.origin = None
        if origin is None:
            return self._translated()
        fitting = self.way.target.keeper().options(origin.document.data, is_kept=True)
        self.way = self.way._replace(options=options._replace(**fitting))
        self.files, self.kept_files = dict(origin.files), set(origin.files)
        self._report_urls(origin)
        if origin.is_untouched and not self._has_edited_files(origin):
            return self._with_comments(origin, origin.text)
        from bpconvert.edited import WayBack  # few conversions need it

        text = WayBack(self, origin, self._generated, self._generated_files if self._is_compared else None).text()
        if text is None:
            self.origin, self.files, self.kept_files = None, {}, set()
            self.way = self.way._replace(options=options)
            return self._translated()
        if origin.unlike:
            self._drop_files(text)
        return self._with_comments(origin, text)

    def _drop_files(self, text: str) -> None:
        """Leave out the files of a record which what comes back does not name."""
        for name in sorted(self.kept_files & self.files.keys()):
            others = [text, *(content for other, content in self.files.items() if other != name)]
            if not any(posixpath.basename(name) in content for content in others):
                del self.files[name]
                self.kept_files.discard(name)

    # -- plain translation ----------------------------------------------------------------------------------

    def _translated(self) -> str:
        mistakes = Mistakes(self.document, self.way, self.folder, self.reporter)
        lowered = self.lower(self.reporter, None, mistakes.seen)
        self.inputs, self.stages = given_values(self.way, self.topology, lowered, self.reporter, self.folder)
        comments = place_comments(self.document.comments, lowered.moves, lowered.data)
        if self.way.options.notes:
            sections = [dialect.section("inputs") for dialect in (self.way.source, self.way.target)]
            comments = notes.added(comments, notes.notes_for(self.reporter.in_order(), lowered, *sections))
        mistakes.report(self._report_nearby())
        if self.way.options.carry:
            kept = carry.Kept(
                self.way.source.name,
                self.way.source.counterparts(self.way.target),
                files={**self.folder.merged, **self.folder.used},
                options=self._asked(lowered.data),
                nested=self.nesting.relative(self.folder.base),
                bundle=self._bundle(lowered),
                stem=self.folder.stem,
                unkept=self._unkept(),
            )
            record, keeper = carry.record(kept, self.document, lowered), self.way.target.keeper()
            if self.way.options.carry_file:
                self.files |= record_files.put(keeper, lowered.data, record, self.document.name, self.folder.base)
            else:
                keeper.put(lowered.data, record)
        return self.rendered(lowered.data, comments)

    def _report_nearby(self) -> frozenset[Path]:
        """Report what was found around the document that nobody named; return the places of types that it explains."""
        explained: frozenset[Path] = frozenset()
        if self.way.options.find_environments and any(finding.code in UNKNOWN for finding in self.reporter.diagnostics):
            from bpconvert.near_types import name_environments  # few conversions need it

            explained = name_environments(self.topology, self.way, self.folder, self.reporter)
        for above in sorted(set(self.folder.outer.values())):
            names = ", ".join(sorted(name for name, file in self.folder.outer.items() if file == above))
            self.reporter.report("BPC253", (), names=names, above=above)
        if self.folder.near:
            from bpconvert.near_types import report_nearby

            report_nearby(self.folder.near, self.way, self.reporter)
        return explained

    def _unkept(self) -> list[str]:
        """What the result was made with and does not keep: options, environments that nobody named, values."""
        near = ["environments"] * any(resolved.path for resolved in self.folder.near.values())
        params = ["params"] * bool(self.topology and self.topology.withheld)
        return list(dict.fromkeys([*self.way.options.unkept(), *near, *params]))

    def _asked(self, data: dict[str, Any]) -> dict[str, Any]:
        """What the conversion that yields ``data`` was asked for, without the values of hidden inputs."""
        options, withheld = self.way.options.chosen(), self.topology.withheld if self.topology is not None else set()
        if withheld & (options.get("params") or {}).keys():
            options["params"] = {name: value for name, value in options["params"].items() if name not in withheld}
        like_earlier = self.way.target.keeper().made_with(data)  # then the record says so
        return {**{name: getattr(self.way.options, name) for name in like_earlier}, **options}

    def _bundle(self, lowered: Lowered) -> dict[str, str]:
        """The files that belong to the result, nested documents left out."""
        copied = self.folder.copies if self.way.options.files == "copy" else {}
        return {**copied, **lowered.files, **self.given_files}

    @property
    def given_files(self) -> dict[str, str]:
        """The files with the values to give when deploying."""
        stages = {stage_file(self.inputs_name, stage): emit(values) for stage, values in self.stages.items() if values}
        return ({self.inputs_name: emit(self.inputs)} if self.inputs else {}) | stages

    @property
    def inputs_name(self) -> str:
        """The name of the file with the values to give when deploying."""
        return f"{self.folder.stem or 'blueprint'}.inputs.yaml"

    def lower(self, reporter: Reporter, origin: Origin | None, seen: Callable[[Any], None] | None = None) -> Lowered:
        """The document in the target's language, with the sections that are empty in the source. ``seen``: as of
        :meth:`~bpconvert.translation.Way.read`."""
        source, target = self.way.source, self.way.target
        self.topology, lowered = self.way.translate(self.document, reporter, self.folder, origin, self.watch, seen)
        self.lowered = lowered
        for declared in self.topology.inputs.values():  # of imported files, too
            if declared.hidden and not isinstance(declared.default, (dict, list)) and is_constant(declared.default):
                self.document.secrets.add(declared.default)
        sections = source.counterparts(target)
        lowered.moves += source.moves(target)
        empty = {mine for theirs, mine in sections.items() if self.document.data.get(theirs) == {}}
        lowered.data = with_empty(lowered.data, empty, list(sections.values()))
        self.inputs, self.files = lowered.inputs, {**self.files, **lowered.files}
        return lowered

    def rendered(self, data: dict[str, Any], comments: dict[Any, Any]) -> str:
        layout, folder = self.way.target.layout, self.way.options.templates
        text = render(layout, data, comments=comments, templates_dir=folder, calls=self.way.calls)
        return text if folder is None else check_layout(text, render(layout, data, calls=self.way.calls), folder)

    # -- back to the origin ---------------------------------------------------------------------------------

    def _origin(self) -> Origin | None:
        """What the document was made from, if it says so and that is of the target dialect."""
        keeper, target = self.way.source.keeper(), self.way.target
        place = keeper.find(self.document.data, target.name)
        if place is None:
            return None
        try:
            kept, _ = record_files.read(keeper, self.document.data, place, self.folder.look_around, self.folder.around)
            if kept["source"] != target.name and kept["source"] in DIALECTS:
                return None
            if kept["source"] != target.name:
                raise ValueError(f"unknown source {kept['source']!r}")
            origin = Origin(kept, place, self.document, target.counterparts(self.way.source), load)
            self.document.secrets.join(origin.document.secrets)
            if not target.recognises(origin.document.data):
                raise ValueError(f"there is no '{target.marker}' in it")
            return origin
        except record_files.Missing as missing:
            self.reporter.report("BPC647", place, file=missing.file)
            return None
        except _DAMAGED as error:
            self.reporter.report("BPC624", place, problem=in_one_line(error))
            return None

    def _convert_nested(self, origin: Origin) -> list[str]:
        """Convert what the document nests; returns the documents that are not there."""
        names, missing = {}, []
        for theirs, mine in origin.nested.items():
            place, target = self.folder.place(mine or theirs), self.folder.place(theirs)
            if place is not None and target is not None and carry.is_inside(target):
                self.nesting.targets[place] = target
                self.nesting.as_they_are |= set() if mine else {place}
                names[mine or theirs] = theirs
        for mine, theirs in names.items():
            try:
                self.folder.nested(mine)
            except CannotNest:
                self.reporter.report("BPC762", origin.place[:1], name=mine, original=theirs)
                missing.append(mine)
        return missing

    def _compare(self, origin: Origin, missing: list[str]) -> bool:
        """Translate the origin again, which had the ``missing`` documents too, and compare; False where that fails."""
        here = {"types"} if self.way.options.types else set()  # nothing else of these is needed to translate it again
        needed = [*sorted(origin.unkept - here), *missing]
        try:
            self._generated, files = self.made_again(origin)
            unknown = origin.compare(self._generated, files, not needed, self.way.source.keeper().alike)
            self._generated_files, self._is_compared = files, not unknown
        except _DAMAGED as error:
            self.reporter.report("BPC624", origin.place, problem=in_one_line(error))
            return False
        if origin.is_changed:
            self.reporter.report("BPC664", origin.place)
        if unknown:
            names = ", ".join(sorted(map(dotted, unknown))[:_SHOWN])
            names += ", ..." if len(unknown) > _SHOWN else ""
            self.reporter.report("BPC663", origin.place, names=names, needed=", ".join(needed))
        return True

    def _report_urls(self, origin: Origin) -> None:
        """Report nested documents that were edited and that the origin, whose URLs stay, reads from the network."""
        if self.folder.inner:
            return
        for place in edited_behind_urls(self.nesting.documents, texts(origin.document.data)):
            self.reporter.report("BPC656", origin.place[:1], name=place)

    def _with_comments(self, origin: Origin, text: str) -> str:
        """What comes back with the comments that were edited or added; files that it names elsewhere are reported."""
        for name in sorted(name for name in self._elsewhere if name in text and self.folder.look(name)[0] is None):
            self.reporter.report("BPC269", origin.place[:1], name=name)
        if not self.document.notes or not self._is_compared:
            return text
        from bpconvert.translators.provenance import comment_edits  # few conversions need it

        comments = comment_edits.written(origin.document)
        if not comment_edits.written(self.document).keys() - comments.keys():
            return text
        source = load(text, origin.document.name)
        generated = self.made_again(origin, source)[0] if text != origin.text else self._generated
        moves = [*generated.moves, *self.way.target.moves(self.way.source)]
        source, left = comment_edits.put_back(source, self.document, moves, generated.data)
        for comment in left:
            self.reporter.report("BPC667", comment.path, text=comment.text)
        return source.mark + source.text

    def _has_edited_files(self, origin: Origin) -> bool:
        """True when a file of the bundle is not as it was generated."""
        names = [name for name in origin.bundle if carry.is_inside(name)]
        now = {name: text for name in names if (text := self.folder.look(name)[0]) is not None}
        return any(carry.digest(text) != origin.bundle[name] for name, text in now.items())

    def made_again(self, origin: Origin, document: Document | None = None) -> tuple[Lowered, dict[str, str]]:
        """What the origin, or another ``document`` in its place, yields when it is translated again, and the files
        beside that."""
        asked = {**self.way.source.keeper().made_with(self.document.data), **origin.options}
        way, base = self.way.back(Options.kept(asked, self.way.options.types)), self.folder.base
        files = self.files_of(origin)
        made_before = as_made(self.nesting.documents.values())
        files.given = {posixpath.relpath(place, base or "."): text for place, text in made_before.items()}
        files.opener = Nesting(way)
        document = copy(document or origin.document)
        place = posixpath.normpath(posixpath.join(base, posixpath.basename(self.document.name)))
        document.name = posixpath.basename(self.nesting.targets.get(place, place))
        _, lowered = way.translate(document, Reporter(document), files)
        self._elsewhere |= files.elsewhere()
        return lowered, {**(files.copies if way.options.files == "copy" else {}), **lowered.files}

    def files_of(self, origin: Origin) -> Files:
        around, options = self.folder, origin.options
        files = Files(None, used=dict(origin.carried), base=around.base, inner=around.inner, stem=origin.stem)
        files.flavour, files.orchestrator = options.get("flavour"), options.get("orchestrator")
        return files


# -- nested documents --------------------------------------------------------------------------------------


#: how deep documents may be nested (Heat itself allows 5: ``max_nested_stack_depth``)
_DEEPEST: Final = 50


class Nesting:
    """All documents that one document nests, each converted once, however often it is used. ``way``: that of the
    outermost document; ``name``: what messages call it; ``root``: its file's name, None where it is none."""

    def __init__(self, way: Way, name: str = "", root: str | None = None, secrets: Secrets | None = None) -> None:
        self.way = way
        #: what no finding of any of the documents quotes
        self.secrets = secrets or Secrets()
        #: what nests a document gives it its values
        self.inner = way._replace(options=way.options._replace(params=None, assume_defaults=False))
        self.label = posixpath.dirname(name)
        self.documents: dict[str, Nested] = {}
        self.diagnostics: list[Diagnostic] = []
        #: place of a document -> that of its result, where it was made from one; and documents that were not
        self.targets: dict[str, str] = {}
        self.as_they_are: set[str] = set()
        self._failed: dict[str, CannotNest] = {}
        self._trail: list[tuple[str, set[str]]] = [(root or "", set())]

    def open(self, files: Files, name: str, resource: str) -> NestedInterface:
        """The document that ``name`` means beside the one with these ``files``, converted; ``resource`` nests it.

        Raises CannotNest: there is none, it is broken, or it nests itself."""
        place = files.place(name)
        if place is None:
            raise CannotNest("BPC654" if is_url(name) else "BPC611", name=files.shown(name))
        if place in [passed for passed, _ in self._trail]:
            names = [passed for passed, _ in self._trail]
            way = " -> ".join([*names[names.index(place) :], place])
            raise CannotNest("BPC760", name=name, way=way)
        if place in self._failed:
            raise self._failed[place]
        if len(self._trail) > _DEEPEST:
            raise CannotNest("BPC788", name=name, depth=_DEEPEST)
        if place not in self.documents:
            try:
                self.documents[place] = self._converted(files, name, place, resource)
            except CannotNest as problem:
                if problem.code != "BPC760":
                    self._failed[place] = problem
                raise
        nested = self.documents[place]
        if nested.url != files.url_of(name) and nested.source != files.look(name)[0]:
            raise CannotNest("BPC657", name=files.shown(name), place=place)
        self._trail[-1][1].add(place)
        if nested.interface is None:
            nested.interface = self._interface(nested)
        return replace(nested.interface, file=posixpath.relpath(nested.target, files.base or "."))

    def _converted(self, files: Files, name: str, place: str, resource: str) -> Nested:
        text, code = files.look(name)
        if text is None:
            raise CannotNest(code, name=files.shown(name))
        label = files.label(name, posixpath.join(self.label, place))
        self._trail.append((place, set()))
        try:
            document = load(text, label)
            own = files.nested_in(name, resource)
            dialect = self._dialect(document)
            if dialect is self.way.target or place in self.as_they_are:
                nested = Nested(place, place, text, document, None, text)
            else:
                conversion = Conversion(self.inner, document, own, self)
                nested = Nested(place, self._result(place), text, document, conversion, conversion.text())
                self.diagnostics += conversion.reporter.in_order()
        except SourceError as error:
            self.diagnostics.append(error.diagnostic)
            raise CannotNest("BPC761", name=name, problem=error.diagnostic.message) from None
        finally:
            _, children = self._trail.pop()
        nested.children, nested.url = children, files.url_of(name)
        return nested

    def _dialect(self, document: Document) -> Dialect:
        for dialect in (self.way.target, self.way.source):
            if dialect.recognises(document.data):
                return dialect
        raise unlike(document, self.way.source)

    def _result(self, place: str) -> str:
        """The path of the result, with an ending by which the target's engine knows it."""
        if place in self.targets:
            return self.targets[place]
        endings = self.way.target.capabilities().document_types
        return place if not endings or place.endswith(endings) else posixpath.splitext(place)[0] + endings[0]

    # -- what the nesting document sees ---------------------------------------------------------------------

    def _interface(self, nested: Nested) -> NestedInterface:
        conversion = nested.conversion
        dialect = self._dialect(nested.document) if conversion is None else self.way.source
        topology = None if conversion is None else conversion.topology
        if topology is None:
            files = Files(None) if conversion is None else conversion.folder
            topology = self.way._replace(source=dialect).read(nested.document, Reporter(nested.document), files)
        own = {name: declared for name, declared in topology.inputs.items() if not declared.added}
        interface = NestedInterface("", self._digest(nested), own)
        for name in own:
            new = became(conversion, (dialect.section("inputs"), name))
            if new is not None:
                interface.names[name] = new
        published = getattr(topology, dialect.published)
        for name in published:
            new = became(conversion, (dialect.section(dialect.published), name))
            if new is not None:
                interface.outputs[name] = new
        identity = dialect.capabilities().nested_identity
        interface.identity = interface.outputs.get(identity, "")
        if interface.identity:
            interface.identity_kinds = self.way.kinds_of(topology, published[identity].value)
        if conversion is not None:
            written = set(interface.names.values())
            inputs = declarations(nested.data.get(self.way.target.section("inputs")))
            interface.types = {name: str(data.get("type")) for name, data in inputs.items()}
            needed = {name: data for name, data in inputs.items() if name not in written and "default" not in data}
            interface.needed = {name: data for name, data in needed.items() if data.get("required") is not False}
            interface.given = conversion.inputs
            interface.undefaulted = tuple(
                name
                for name, new in interface.names.items()
                if own[name].default is not MISSING and "default" not in inputs.get(new, {"default": None})
            )
        interface.files = self._belonging(nested)
        return interface

    def _belonging(self, nested: Nested) -> tuple[str, ...] | None:
        """The files that belong to the result, with those of what it nests itself, by their paths beside it; None where
        one is elsewhere, or where a document is used as it is, so that nobody knows."""
        targets: set[str] = set()
        waiting, seen = [nested], {nested.target}
        while waiting:
            part = waiting.pop()
            if part.conversion is None:
                return None
            mentioned = set(texts(part.data))  # what is read may stand in the result itself
            names = {*part.conversion.files, *(mentioned & part.conversion.folder.copies.keys())}
            targets |= {part.target, *(sibling(part.place, name) for name in names)}
            inner = [self.documents[place] for place in sorted(part.children)]
            waiting += [more for more in inner if more.target not in seen]
            seen |= {more.target for more in inner}
        places = sorted(targets - {nested.target})
        paths = tuple(posixpath.relpath(place, posixpath.dirname(nested.target) or ".") for place in places)
        return None if any(place.startswith("../") for place in paths) else paths

    def _digest(self, nested: Nested) -> str:
        """Differs with the content of the document, of all that it reads and nests, and with what was asked for."""
        inner = sorted(self._digest(self.documents[place]) for place in nested.children)
        if nested.conversion is None:
            return carry.digest([nested.source, inner, self.way.options.chosen(), []])[:8]
        topology, files = nested.conversion.topology, nested.conversion.folder
        types = [[name, topology.nodes[name].source_type] for name in sorted(files.mapped) if topology is not None]
        read = sorted({**files.merged, **files.used}.items())
        values = files.environment.defaults if files.environment is not None and topology is not None else {}
        defaults = sorted(name for name in values if topology is not None and name in topology.inputs)
        parts = [nested.source, inner, self.way.options.chosen(), types]
        more = [*([read] if read else []), *([[[name, values[name]] for name in defaults]] if defaults else [])]
        return carry.digest([*parts, *more])[:8]

    # -- for the conversion of a document -------------------------------------------------------------------

    def relative(self, base: str) -> dict[str, str]:
        """The documents that the one on its way nests so far: place -> that of the result, "" where they are not
        converted; both relative to ``base``."""
        targets: dict[str, str] = {}
        for place in sorted(self._trail[-1][1]):
            nested = self.documents[place]
            target = "" if nested.conversion is None else posixpath.relpath(nested.target, base or ".")
            targets[posixpath.relpath(nested.place, base or ".")] = target
        return targets
