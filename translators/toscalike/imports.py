"""Imports of a template: all files become one, as the engine merges them.

Files are visited breadth first, the main one first. What imports look like, and which sections can be in several files,
the languages say (:class:`Combiner`), and what of an imported file is in its namespace, as rules that
are made of rules (:data:`Rule`).
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bpconvert.diagnostics import Elsewhere, SourceError
from bpconvert.diagnostics.secrets import hidden_defaults
from bpconvert.files import Files
from bpconvert.limits import limit
from bpconvert.models.expressions import Path
from bpconvert.models.light import dataclass, field
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries, inside
from bpconvert.yamlio.document import Document, load

#: the file that defines a plugin, beside the plugin's code and by convention
_PLUGIN: Final = "plugin.yaml"

#: the value with its names in the namespace
Rule = Callable[[Any, str], Any]


def unchanged(value: Any, namespace: str) -> Any:
    return value


def each_value(rewrite: Rule) -> Rule:
    """The rewriting of a map's values."""
    return lambda value, ns: {k: rewrite(v, ns) for k, v in value.items()} if isinstance(value, dict) else value


def each_item(rewrite: Rule) -> Rule:
    """The rewriting of a list's items."""
    return lambda value, ns: [rewrite(item, ns) for item in value] if isinstance(value, list) else value


def fields(**rules: Rule) -> Rule:
    """The rewriting of an object whose keys have rules of their own."""

    def rewrite(value: Any, namespace: str) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: rules.get(key, unchanged)(item, namespace) for key, item in value.items()}

    return rewrite


@dataclass(eq=False, repr=False)
class Combined:
    """The template with all its imports: plain ``data``, the imported ``libraries`` (built-in ones), and whether it is
    ``complete``: False when an import's content is not known. ``partial``: that may be more than a plugin's types.

    ``unread``: the imports that cannot be read, for :meth:`report`: place, name, why;
    ``places``: the place in the main document, and the file, of what came from elsewhere, by its path in ``data``;
    ``copies``: entry of ``data`` that was made of another -> the path of that one."""

    data: dict[str, Any]
    libraries: list[str] = field(default_factory=list)
    complete: bool = True
    partial: bool = False
    unread: list[tuple[Path, str, str]] = field(default_factory=list)
    places: dict[Path, tuple[Path, str]] = field(default_factory=dict)
    copies: dict[Path, Path] = field(default_factory=dict)
    #: name of a file -> what findings call it, and what was read
    files: dict[str, tuple[str, Document]] = field(default_factory=dict)

    def report(self, reporter: Reports, *, is_known: bool = False) -> None:
        """Report the imports that are not read. ``is_known``: all that the document names is known without them."""
        for place, name, why in self.unread:
            is_needed = not is_known or posixpath.basename(name) != _PLUGIN
            reporter.report("BPC142" if is_needed else "BPC134", place, name=name, why=why)

    def place(self, path: Path) -> Path:
        """Where the value at ``path`` of ``data`` comes from: ``path`` itself, or an import of the main document and
        the entry of the file that is imported."""
        path = self.written(path)
        origin = self.origin(path)
        if origin is None:
            return path
        place, name = origin
        if name not in self.files:
            return place
        label, document = self.files[name]
        return (*place, Elsewhere(label, _in_file(document, path), document.locate))

    def written(self, path: Path) -> Path:
        """The path of the entry that the one at ``path`` of ``data`` was made of; ``path`` itself for others."""
        return (*self.copies[path[:2]], *path[2:]) if self.copies and path[:2] in self.copies else path

    def origin(self, path: Path) -> tuple[Path, str] | None:
        """The import in the main document, and the file, that the value at ``path`` of ``data`` comes from."""
        if not self.places:
            return None
        return next((self.places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self.places), None)


def _in_file(document: Document, path: Path) -> Path:
    """The path in a file of the entry that is at ``path`` of the combined document: sections may be in the body of a
    document, and what is imported with a namespace has that before its name."""
    data = document.data
    body = () if path[0] in data else next(((key,) for key, part in data.items() if path[0] in entries(data, key)), ())
    section = entries(inside(data, body) if body else data, path[0])
    name = path[1] if len(path) > 1 else None
    if name is not None and name not in section:
        own = (key for key in section if str(name).endswith((f"--{key}", f":{key}", f".{key}")))
        name = max(own, key=lambda key: len(str(key)), default=name)
    return (*body, path[0], *([] if name is None else [name]), *path[2:])


@dataclass(eq=False, repr=False)
class File:
    """A file to visit. ``place``: the import of the main document that led here; () for the main document."""

    name: str
    data: Any
    place: Path = ()
    namespace: str = ""
    library: str = ""
    #: the files that led here
    chain: tuple[str, ...] = ()


class Combiner:
    """Merges a document and its imports. Subclasses are of one language; findings go to ``report``.

    Which sections of imported files count: ``merged``: entry by entry; ``first``: the same, and of two entries of one
    name the first counts; ``whole``: the first file's; ``ignored``: none but the main document's. Others can be in one
    file only."""

    merged: tuple[str, ...]
    first: tuple[str, ...]
    whole: tuple[str, ...]
    ignored: tuple[str, ...]
    #: code of a file that cannot be read -> why
    reasons: Mapping[str, str]

    def __init__(self, document: Document, files: Files, reporter: Reports) -> None:
        self.files = files
        self.report = reporter.report
        self.secrets = document.secrets
        self._folder = posixpath.dirname(document.name)
        self.main = File("", document.data if isinstance(document.data, dict) else {})
        self.result = Combined(self.main.data)
        self._seen: set[tuple[str, str]] = set()
        self._owned: set[str] = set()
        #: limits that were reached
        self._beyond: set[str] = set()
        #: files that were read, with their numbers of characters
        self._read: dict[str, int] = {}

    def run(self) -> Combined:
        """The document with everything that it imports. Never raises."""
        queue = deque([self.main])
        while queue:
            current = queue.popleft()
            if current.library:
                self.add_library(current)
                continue
            if current is not self.main:
                self._merge(current)
            queue.extend(self.imports(current))
        return self.result

    # -- what the languages say -------------------------------------------------------------------------------

    def imports(self, parent: File) -> Iterator[File]:
        """The files that ``parent`` imports and that are not known yet (see :meth:`local`)."""
        yield from ()

    def candidates(self, name: str, parent: File) -> list[str]:
        """Where the file ``name`` may be."""
        return [name]

    def is_core(self, text: str) -> bool:
        """True for the text of a file that is read by the core schema of YAML 1.2."""
        return False

    def check(self, data: dict[str, Any], name: str, place: Path) -> None:
        """Report what an imported file is not allowed to be."""

    def namespace(self, data: dict[str, Any], namespace: str) -> str:
        """The namespace of an imported file with this content."""
        return namespace

    def namespaced(self, section: str, value: Any, namespace: str) -> Any:
        """A section of a file that is imported with a namespace."""
        return value

    def add_library(self, item: File) -> None:
        """Note the import of a library that is known, and never read."""

    def check_section(self, section: str, source: File) -> None:
        """Report a section that cannot be in several files."""

    def replaces(self, section: str, name: Any) -> bool:
        """True for an entry that replaces the one before it."""
        return False

    def joined(self, path: Path, target: dict[str, Any], entry: Any, source: File) -> bool:
        """Put two entries of one name together; False where that cannot be."""
        return False

    # -- reading ----------------------------------------------------------------------------------------------

    def local(self, name: str, parent: File, namespace: str, place: Path) -> File | None:
        """The local file ``name``, read; None when it cannot be or is known already."""
        why = "BPC610"
        for candidate in self.candidates(name, parent):
            if (candidate, namespace) in self._seen:
                return None
            if candidate in (parent.name, *parent.chain):
                self.report("BPC121", place, problem=f"'{candidate}' imports itself under one more namespace")
                return None
            text, code = self.files.read(candidate)
            if text is not None and self._is_too_much(candidate, text, place):
                return None
            if text is not None:
                self.files.merged[candidate] = self.files.used.pop(candidate, text)
                self._seen.add((candidate, namespace))
                file = self._loaded(candidate, text, namespace, place)
                if file is not None:
                    file.chain = (parent.name, *parent.chain)
                return file
            why = code if why == "BPC610" else why
        self.unread(place, self.files.shown(name), self.reasons.get(why, "it cannot be read"))
        return None

    def _is_too_much(self, name: str, text: str, place: Path) -> bool:
        """True for a file beyond the limits of a document, which is reported once for each limit."""
        self._read[name] = len(text)
        counts = {"imports": len(self._seen) + 1, "imported": sum(self._read.values())}
        beyond = next((what for what, number in counts.items() if number > limit(what)), "")
        if beyond:
            del self._read[name]
            self.files.used.pop(name, None)
            if beyond not in self._beyond:
                self._beyond.add(beyond)
                self.unread(place, name, f"it is beyond the limit (--limit {beyond}={limit(beyond)})")
        return bool(beyond)

    def _loaded(self, name: str, text: str, namespace: str, place: Path) -> File | None:
        documents = self.files.documents
        try:
            if (name, text) not in documents:
                documents[name, text] = load(text, name, self.is_core)
            document = documents[name, text]
        except SourceError as error:
            self.result.complete, self.result.partial = False, True
            finding = error.diagnostic
            where = f"{finding.span.line}:{finding.span.column}"
            self.report("BPC143", place, name=name, problem=f"{where}: {finding.message}")
            return None
        for duplicate in document.duplicates:
            self.report("BPC135", place, key=".".join(map(str, duplicate.path)), name=name)
        if not isinstance(document.data, dict):
            if document.data is not None:
                self.report("BPC143", place, name=name, problem="it is no map")
            return None
        for part in (document.data, *document.data.values()):
            declared = part.get("inputs") if isinstance(part, dict) else None
            self.secrets.add([default for _, default in hidden_defaults(declared)])
        self.check(document.data, name, place)
        namespace = self.namespace(document.data, namespace)
        self.report("BPC140", place, name=name)
        label = self.files.label(name, posixpath.normpath(posixpath.join(self._folder, name)))
        self.result.files[name] = label, document
        return File(name, document.data, place, namespace)

    def unread(self, place: Path, name: str, why: str) -> None:
        """Note an import that is not read."""
        self.result.complete, self.result.partial = False, True
        self.result.unread.append((place, name, why))

    # -- merging ----------------------------------------------------------------------------------------------

    def _merge(self, source: File) -> None:
        for section, value in source.data.items():
            if section in self.ignored or value is None:
                continue
            if source.namespace:
                value = self.namespaced(section, value, source.namespace)
            merged = self.result.data.get(section)
            if merged is None:
                self.own("")[section] = value
                self.result.places[(section,)] = (source.place, source.name)
            elif section in self.whole:
                continue
            elif section not in self.merged or not (isinstance(merged, dict) and isinstance(value, dict)):
                self.report("BPC144", source.place, what=f"section '{section}'", name=source.name)
            else:
                self.check_section(section, source)
                self._merge_section(section, value, source)

    def _merge_section(self, section: str, value: dict[Any, Any], source: File) -> None:
        target = self.own(section)
        for name, entry in value.items():
            path = (section, name)
            if name not in target or self.replaces(section, name):
                target[name] = entry
                self.result.places[path] = (source.place, source.name)
            elif section in self.first:
                continue
            elif not self.joined(path, target, entry, source):
                self.report("BPC144", source.place, what=f"'{name}' of '{section}'", name=source.name)

    def own(self, section: str) -> dict[str, Any]:
        """A section of the result (or with ``""`` all of it) as a copy that can be changed."""
        if not self._owned:
            self.result.data = dict(self.result.data)
            self._owned.add("")
        if section and section not in self._owned:
            # what of the section came before keeps its place; main's own entries have none
            self.result.data[section] = dict(self.result.data[section])
            self._owned.add(section)
        owned: dict[str, Any] = self.result.data[section] if section else self.result.data
        return owned
