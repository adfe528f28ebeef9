"""Imports of a blueprint: all files become one blueprint, as the parser merges them (``elements/imports.py``).

Files are visited breadth first, the main one first. Of what only files on a manager or the network define nothing is
read: the types of Cloudify itself and of its OpenStack plugin are known from facts (:class:`Combined` says which of
these libraries are imported), the others are not known.
"""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from bpconvert.diagnostics import SourceError
from bpconvert.files import Files
from bpconvert.models.cloudify_rules import PREFIX, VERSIONS
from bpconvert.models.expressions import Path
from bpconvert.translators.cloudify.read.namespaces import BUILTIN, DELIMITER, namespaced
from bpconvert.translators.support.findings import Reports
from bpconvert.yamlio.document import Document, load

#: sections that are merged entry by entry
_MERGED: Final = (
    "node_types",
    "plugins",
    "workflows",
    "relationships",
    "data_types",
    "groups",
    "policy_types",
    "policy_triggers",
    "interfaces",
)
#: the same, since 1_3
_MERGED_LATER: Final = (
    "inputs",
    "outputs",
    "node_templates",
    "capabilities",
    "blueprint_labels",
    "labels",
    "resource_tags",
)
#: sections whose first entry of a name counts
_FIRST: Final = ("blueprint_labels", "labels", "resource_tags")
#: sections of which the first file's is taken whole
_MERGEABLE: Final = (*_MERGED, *_MERGED_LATER)
_WHOLE: Final = ("description", "metadata")
_IGNORED: Final = ("dsl_definitions", "imports", "tosca_definitions_version")
#: library -> what its import looks like; ``openstack_2``: the 2.x plugin
LIBRARIES: Final = (
    ("core", re.compile(r"(.*/)?cloudify/types/types(_1_\d)?\.yaml|https?://.*/spec/cloudify/.*types\.yaml")),
    ("compat", re.compile(r".*cloudify-openstack-plugin.*compat\.yaml")),
    ("openstack_2", re.compile(r".*cloudify-openstack-plugin.*[/=v ][12]\.[\dx].*|.*/spec/openstack-plugin/.*")),
    ("openstack", re.compile(r"(plugin:|[a-z]+://.*/)cloudify-openstack-plugin.*")),
)
_REMOTE: Final = re.compile(r"(https?|ftp)://")
_REASONS: Final = {
    "BPC610": "there is no such file below the blueprint's folder",
    "BPC611": "it is outside the blueprint's folder",
    "BPC612": "it is no text",
}


@dataclass(eq=False, repr=False)
class Combined:
    """The blueprint with all its imports: plain ``data``, the imported ``libraries`` (built-in ones), and whether it is
    ``complete``: False when an import's content is not known. ``partial``: that may be more than a plugin's types.

    ``places``: the place in the main document, and the file, of what came from elsewhere, by its path in ``data``."""

    data: dict[str, Any]
    libraries: list[str] = field(default_factory=list)
    complete: bool = True
    partial: bool = False
    places: dict[Path, tuple[Path, str]] = field(default_factory=dict)

    def place(self, path: Path) -> Path:
        """Where in the main document the value at ``path`` of ``data`` comes from: ``path`` itself or an import."""
        found = self.origin(path)
        return found[0] if found else path

    def named(self, path: Path, text: str) -> str:
        """``text`` about the value at ``path`` of ``data``, with the file that it is in where that is another one."""
        found = self.origin(path)
        return f"{'.'.join(map(str, path))} in '{found[1]}': {text}" if found else text

    def origin(self, path: Path) -> tuple[Path, str] | None:
        """The import in the main document, and the file, that the value at ``path`` of ``data`` comes from."""
        if not self.places:
            return None
        return next((self.places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self.places), None)


@dataclass(eq=False, repr=False)
class _File:
    """A file to visit. ``place``: the import of the main document that led here; () for the main document."""

    name: str
    data: Any
    place: Path = ()
    namespace: str = ""
    library: str = ""


def combine(document: Document, files: Files, reporter: Reports) -> Combined:
    """The blueprint in ``document`` with everything that it imports. Never raises."""
    return _Combiner(document, files, reporter).run()


class _Combiner:
    def __init__(self, document: Document, files: Files, reporter: Reports) -> None:
        self.files = files
        self.report = reporter.report
        data = document.data if isinstance(document.data, dict) else {}
        self.main = _File("", data)
        self.result = Combined(data)
        version = data.get("tosca_definitions_version")
        self.version = version.removeprefix(PREFIX) if isinstance(version, str) else ""
        self.seen: set[tuple[str, str]] = set()
        self.owned: set[str] = set()

    def run(self) -> Combined:
        queue = deque([self.main])
        while queue:
            current = queue.popleft()
            if current.library:
                self._library(current)
                continue
            if current is not self.main:
                self._merge(current)
            queue.extend(self._imports(current))
        return self.result

    # -- finding ----------------------------------------------------------------------------------------------

    def _imports(self, parent: _File) -> Iterator[_File]:
        """The files that ``parent`` imports and that are not known yet."""
        entries = parent.data.get("imports")
        names: set[str] = set()
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            place = parent.place or ("imports", index)
            text, properties = next(iter(entry.items())) if isinstance(entry, dict) and entry else (entry, None)
            if not isinstance(text, str):
                continue
            if text in names:
                self.report("BPC121", place, problem=f"'{text}' is imported twice")
                continue
            names.add(text)
            if properties:
                self.report("BPC146", place, name=text)
            yield from self._entry(text, parent, place)

    def _entry(self, text: str, parent: _File, place: Path) -> Iterator[_File]:
        prefix, _, name = text.rpartition(DELIMITER)
        namespace = DELIMITER.join(part for part in (parent.namespace, prefix) if part)
        name = name.strip()
        library = next((key for key, pattern in LIBRARIES if pattern.fullmatch(name)), "")
        if library:
            yield _File(name, {}, place, namespace, library)
        elif name.startswith("blueprint:"):
            self._unread(place, text, "it is a blueprint on the manager")
        elif name.startswith("plugin:") or _REMOTE.match(name):
            self.result.complete = False
            self.report("BPC141", place, name=text)
        else:
            found = self._local(name, parent, namespace, place)
            if found is not None:
                yield found

    def _local(self, name: str, parent: _File, namespace: str, place: Path) -> _File | None:
        """The local file ``name``, read; None when it cannot be or is known already."""
        why = "BPC610"
        for candidate in self._candidates(name, parent):
            if (candidate, namespace) in self.seen:
                return None
            text, code = self.files.read(candidate)
            if text is not None:
                self.files.merged[candidate] = self.files.used.pop(candidate, text)
                self.seen.add((candidate, namespace))
                return self._loaded(candidate, text, namespace, place)
            why = code if why == "BPC610" else why
        self._unread(place, name, _REASONS.get(why, "it cannot be read"))
        return None

    def _candidates(self, name: str, parent: _File) -> list[str]:
        """Where ``name`` may be: beside the importing file, then below the blueprint's folder, there with the version
        in its name first."""
        if urlsplit(name).scheme == "file" or posixpath.isabs(name):
            return [name]
        stem, extension = posixpath.splitext(name)
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(parent.name), name))
        below = [posixpath.normpath(f"{stem}_{self.version}{extension}"), posixpath.normpath(name)]
        return list(dict.fromkeys([beside, *below]))

    def _loaded(self, name: str, text: str, namespace: str, place: Path) -> _File | None:
        try:
            document = load(text, name)
        except SourceError as error:
            self.result.complete, self.result.partial = False, True
            found = error.diagnostic
            where = f"{found.span.line}:{found.span.column}"
            self.report("BPC143", place, name=name, problem=f"{where}: {found.message}")
            return None
        for duplicate in document.duplicates:
            self.report("BPC102", place, key=f"{'.'.join(map(str, duplicate.path))}' of '{name}")
        if not isinstance(document.data, dict):
            if document.data is not None:
                self.report("BPC143", place, name=name, problem="it is no map")
            return None
        self._check_version(document.data, name, place)
        types = document.data.get("node_types")
        if isinstance(types, dict) and f"{BUILTIN}nodes.Root" in types:  # Cloudify's own types have no namespace
            namespace = ""
        self.report("BPC140", place, name=name)
        return _File(name, document.data, place, namespace)

    def _check_version(self, data: dict[str, Any], name: str, place: Path) -> None:
        version = data.get("tosca_definitions_version")
        number = version.removeprefix(PREFIX) if isinstance(version, str) else ""
        if number in VERSIONS and self.version in VERSIONS and number > self.version:
            self.report("BPC121", place, problem=f"'{name}' is {version}, the blueprint only {PREFIX}{self.version}")

    def _unread(self, place: Path, name: str, why: str) -> None:
        self.result.complete, self.result.partial = False, True
        self.report("BPC142", place, name=name, why=why)

    # -- merging ----------------------------------------------------------------------------------------------

    def _library(self, item: _File) -> None:
        """A built-in library replaces definitions of its types in files before it."""
        if item.library in self.result.libraries:
            return
        self.result.libraries.append(item.library)
        for section in ("node_types", "relationships", "data_types"):
            defined = self.result.data.get(section)
            names = [n for n in defined if str(n).startswith(BUILTIN)] if isinstance(defined, dict) else []
            if not names:
                continue
            from bpconvert.translators.cloudify.read.types import facts

            for name in [name for name in names if name in facts(item.library)[section]]:
                del self._own(section)[name]
                path = (section, name)
                self.report("BPC145", self.result.place(path), name=name, library=item.name)

    def _merge(self, source: _File) -> None:
        for section, value in source.data.items():
            if section in _IGNORED or value is None:
                continue
            if source.namespace:
                value = namespaced(section, value, source.namespace)
            known = self.result.data.get(section)
            if known is None:
                self._own("")[section] = value
                self.result.places[(section,)] = (source.place, source.name)
            elif section in _WHOLE:
                continue
            elif section not in _MERGEABLE or not (isinstance(known, dict) and isinstance(value, dict)):
                self.report("BPC144", source.place, what=f"section '{section}'", name=source.name)
            else:
                if section in _MERGED_LATER and self.version < "1_3":
                    problem = f"'{source.name}' has '{section}' too: several files can since {PREFIX}1_3"
                    self.report("BPC121", source.place, problem=problem)
                self._merge_section(section, value, source)

    def _merge_section(self, section: str, value: dict[Any, Any], source: _File) -> None:
        target = self._own(section)
        for name, entry in value.items():
            path = (section, name)
            if name not in target or str(name).startswith(BUILTIN):
                target[name] = entry
                self.result.places[path] = (source.place, source.name)
            elif section in _FIRST:
                continue
            elif section == "workflows" and isinstance(entry, dict) and isinstance(target[name], dict):
                target[name] = {**entry, **target[name]}
            elif section == "node_templates" and _extends(target[name], entry):
                self._extend(path, target, entry, source)
            else:
                self.report("BPC144", source.place, what=f"'{name}' of '{section}'", name=source.name)

    def _extend(self, path: Path, target: dict[str, Any], entry: dict[str, Any], source: _File) -> None:
        """Put the two halves of a node template, of which one has only relationships, together."""
        known = dict(target[path[1]])
        target[path[1]] = known
        origin = (source.place, source.name)
        for key, value in entry.items():
            place = (*path, key)
            if key != "relationships":
                known[key] = value
                self.result.places[place] = origin
            elif isinstance(value, list):
                start = len(known[key])
                known[key] = [*known[key], *value]
                self.result.places.update({(*place, index): origin for index in range(start, len(known[key]))})

    def _own(self, section: str) -> dict[str, Any]:
        """A section of the result (or with ``""`` all of it) as a copy that can be changed."""
        if not self.owned:
            self.result.data = dict(self.result.data)
            self.owned.add("")
        if section and section not in self.owned:
            # what of the section came before keeps its place; main's own entries have none
            self.result.data[section] = dict(self.result.data[section])
            self.owned.add(section)
        owned: dict[str, Any] = self.result.data[section] if section else self.result.data
        return owned


def _extends(known: Any, entry: Any) -> bool:
    """True when a node template of the same name from another file adds to the one that is known."""
    if not (isinstance(known, dict) and isinstance(entry, dict) and isinstance(known.get("relationships"), list)):
        return False
    only = set(entry) == {"relationships"}
    return only or (set(known) == {"relationships"} and "type" in entry)
