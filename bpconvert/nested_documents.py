"""The documents that a document nests: each is converted once, however often it is used."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from urllib.parse import urlsplit

from bpconvert.diagnostics import Diagnostic, Reporter, SourceError
from bpconvert.files import CannotNest, Files
from bpconvert.models.expressions import Path
from bpconvert.models.topology import NestedInterface, Topology
from bpconvert.translation import Way
from bpconvert.translators.dialects import Dialect
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.carry import Origin, digest
from bpconvert.yamlio.document import Document, load


class Conversion(Protocol):
    """A document on its way, as far as its nesting needs it (:class:`bpconvert.conversion.Conversion`)."""

    beside: Files
    reporter: Reporter
    inputs: dict[str, Any]
    files: dict[str, str]
    kept_files: set[str]
    lowered: Lowered | None
    origin: Origin | None
    topology: Topology | None

    def text(self) -> str:
        """The result."""
        ...


@dataclass(eq=False, repr=False)
class Nested:
    """A nested document. ``place`` and ``target``: the paths of source and result below the outermost folder;
    ``conversion``: None for a document that is used as it is: it is of the target's dialect already."""

    place: str
    target: str
    source: str
    document: Document
    conversion: Conversion | None
    text: str
    children: set[str] = field(default_factory=set)
    interface: NestedInterface | None = None


class Nesting:
    """All nested documents of one conversion. ``convert``: what converts one of them; ``way``: that of the outermost
    document; ``name``: what messages call it; ``root``: its file's name, None where it is none."""

    def __init__(
        self, convert: Callable[[Document, Files], Conversion], way: Way, name: str = "", root: str | None = None
    ) -> None:
        self.convert = convert
        self.way = way
        self.label = posixpath.dirname(name)
        self.documents: dict[str, Nested] = {}
        self.diagnostics: list[Diagnostic] = []
        #: place of a document -> that of its result, where it was made from one; and documents that were not
        self.targets: dict[str, str] = {}
        self.as_they_are: set[str] = set()
        self._failed: dict[str, CannotNest] = {}
        self._trail: list[tuple[str, set[str]]] = [(root or "", set())]

    # -- for the translators --------------------------------------------------------------------------------

    def open(self, files: Files, name: str, resource: str) -> NestedInterface:
        """The document that ``name`` means beside the one with these ``files``, converted; ``resource`` nests it.

        Raises CannotNest: there is none, it is broken, or it nests itself."""
        place = files.place(name)
        if place is None:
            raise CannotNest("BPC610" if urlsplit(name).scheme not in ("", "file") else "BPC611", name=name)
        if place in [known for known, _ in self._trail]:
            names = [known for known, _ in self._trail]
            way = " -> ".join([*names[names.index(place) :], place])
            raise CannotNest("BPC760", name=name, way=way)
        if place in self._failed:
            raise self._failed[place]
        if place not in self.documents:
            try:
                self.documents[place] = self._converted(files, name, place, resource)
            except CannotNest as problem:
                if problem.code != "BPC760":
                    self._failed[place] = problem
                raise
        nested = self.documents[place]
        self._trail[-1][1].add(place)
        if nested.interface is None:
            nested.interface = self._interface(nested)
        return replace(nested.interface, file=posixpath.relpath(nested.target, files.base or "."))

    def _converted(self, files: Files, name: str, place: str, resource: str) -> Nested:
        text, code = files.look(name)
        if text is None:
            raise CannotNest(code, name=name)
        label = posixpath.join(self.label, place)
        self._trail.append((place, set()))
        try:
            document = load(text, label)
            own = files.beside(place, resource)
            dialect = self._dialect(document)
            if dialect is self.way.target or place in self.as_they_are:
                nested = Nested(place, place, text, document, None, text)
            else:
                conversion = self.convert(document, own)
                nested = Nested(place, self._result(place), text, document, conversion, conversion.text())
                self.diagnostics += conversion.reporter.in_order()
        except SourceError as error:
            self.diagnostics.append(error.diagnostic)
            raise CannotNest("BPC761", name=name, problem=error.diagnostic.message) from None
        finally:
            _, children = self._trail.pop()
        nested.children = children
        return nested

    def _dialect(self, document: Document) -> Dialect:
        for dialect in (self.way.target, self.way.source):
            if dialect.recognises(document.data):
                return dialect
        what = f"there is no '{self.way.source.marker}'"
        raise SourceError(Reporter(document).build("BPC131", (), title=self.way.source.title, what=what))

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
            files = Files(None) if conversion is None else conversion.beside
            topology = self.way._replace(source=dialect).read(nested.document, Reporter(nested.document), files)
        found = NestedInterface("", self._digest(nested), dict(topology.inputs))
        for name in topology.inputs:
            new = _became(conversion, (dialect.section("inputs"), name))
            if new is not None:
                found.names[name] = new
        for name in getattr(topology, dialect.published):
            new = _became(conversion, (dialect.section(dialect.published), name))
            if new is not None:
                found.outputs[name] = new
        found.identity = found.outputs.get(dialect.capabilities().nested_identity, "")
        if conversion is not None:
            known = set(found.names.values())
            inputs = _declared(load(nested.text).data.get(self.way.target.section("inputs")))
            found.types = {name: str(data.get("type")) for name, data in inputs.items()}
            needed = {name: data for name, data in inputs.items() if name not in known and "default" not in data}
            found.needed = {name: data for name, data in needed.items() if data.get("required") is not False}
            found.given = conversion.inputs
        return found

    def _digest(self, nested: Nested) -> str:
        """Differs with the content of the document, of all that it reads and nests, and with what was asked for."""
        inner = sorted(self._digest(self.documents[place]) for place in nested.children if place in self.documents)
        if nested.conversion is None:
            return digest([nested.source, inner, self.way.options.asked(), []])[:8]
        topology, files = nested.conversion.topology, nested.conversion.beside
        types = [[name, topology.nodes[name].source_type] for name in sorted(files.mapped) if topology is not None]
        read = sorted({**files.merged, **files.used}.items())
        parts = [nested.source, inner, self.way.options.asked(), types]
        return digest([*parts, read] if read else parts)[:8]

    # -- for the conversion of a document -------------------------------------------------------------------

    def relative(self, base: str) -> dict[str, str]:
        """The documents that the one on its way nests so far: place -> that of the result, "" where they are not
        converted; both relative to ``base``."""
        found: dict[str, str] = {}
        for place in sorted(self._trail[-1][1] & self.documents.keys()):
            nested = self.documents[place]
            target = "" if nested.conversion is None else posixpath.relpath(nested.target, base or ".")
            found[posixpath.relpath(nested.place, base or ".")] = target
        return found

    def as_made(self) -> dict[str, str]:
        """The results as they would be if nothing had been edited: place -> text."""
        found = {}
        for nested in self.documents.values():
            origin = nested.conversion.origin if nested.conversion is not None else None
            found[nested.target] = nested.text if origin is None else origin.text
        return found

    def files(self) -> tuple[dict[str, str], set[str]]:
        """All files of the nested documents, by their path below the outermost folder; and those of them that the
        documents carried."""
        found: dict[str, str] = {}
        kept: set[str] = set()
        for nested in self.documents.values():
            found[nested.target] = nested.text
            if nested.conversion is None:
                continue
            folder = posixpath.dirname(nested.place)
            more = dict(nested.conversion.files)
            if self.way.options.files == "copy":
                more |= nested.conversion.beside.used
            for name, text in more.items():
                place = posixpath.normpath(posixpath.join(folder, name))
                found.setdefault(place, text)
                if name in nested.conversion.kept_files:
                    kept.add(place)
        return found, kept


def _declared(inputs: Any) -> dict[str, dict[str, Any]]:
    """The declarations of a result's inputs; one with mistakes that came back as it was may have anything there."""
    found = inputs.items() if isinstance(inputs, dict) else ()
    return {name: data if isinstance(data, dict) else {} for name, data in found}


def _became(conversion: Conversion | None, entry: Path) -> Any:
    """The name in the result of an entry of a nested document; None where it became nothing."""
    if conversion is None:
        return entry[-1]
    if conversion.lowered is not None:
        return conversion.lowered.names.get(entry[0], {}).get(entry[-1])
    places = conversion.origin.sources(entry) if conversion.origin is not None else []
    return next((place[-1] for place in places if len(place) == 2), None)
