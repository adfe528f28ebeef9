"""Imports of a service template: the types of all files become one table (Simple Profile 1.3, 3.6.8 and 3.10.3.6).

Taken from imported files are types and repositories. Their topologies are no part of the importing one (as tosca-parser
has it; opera merges them, puccini refuses them): each is reported, and :attr:`CombinedTemplates.topologies` has those
that can stand for a node. Nothing is fetched from a network.

The notations of every version mean the same: a name; a map of ``file`` (2.0: ``url``, ``profile``) and ``repository``,
``namespace_prefix`` (2.0: ``namespace``), ``namespace_uri``; until 1.2 such a map, or the name, under a name of its
own. The types of a file with a prefix are ``prefix:Name``, also inside of that file; those of the standard have none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from bpconvert.files import Files
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple, dataclass, field
from bpconvert.models.tosca_versions import WRITTEN
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca import profile, recognising, standard
from bpconvert.translators.tosca.vocabulary import TYPE_SECTIONS
from bpconvert.translators.toscalike.imports import Combined, Combiner, File
from bpconvert.urls import is_url, sibling
from bpconvert.yamlio.document import Document

#: what is between a prefix and the name of a type; tosca-parser has a dot there
DELIMITER: Final = ":"
_BODIES: Final = ("topology_template", "service_template")
#: keys of an import that name what it reads; in a map without them the keys are names of imports
_SOURCES: Final = ("file", "url", "profile")
#: imports that are the types of the standard
_STANDARD: Final = re.compile(
    r"(org\.oasis-open\.(tosca\.)?simple|tosca-normative-types|tosca-simple-profile)[:@].*"
    r"|https?://.*/org[./]oasis-open[./](tosca[./])?simple.*/profile\.yaml"
    r"|<normative-types\.ya?ml>"
)
#: where files are that no folder has -> how their names look there
_BUILT_IN: Final = {
    "it is an archive in the engine's catalogue": re.compile(r"[\w.-]+:[\w.-]*\d[\w.-]*"),
    "the engine brings it along": re.compile(r"<[^<>]+>"),  # Yorc
}
#: what to do about types that are behind a URL, and those that an engine has
_FROM_URL: Final = (
    "Read its URL from a checkout with --map URL=DIR, or put the file beside the document and import it from there."
)
_FROM_ARCHIVE: Final = "Put the file that has these types beside the document, and import it by its name."
#: what is in the reason where a limit is passed
_LIMIT: Final = "--limit"
_REMOTE: Final = re.compile(r"[a-z][a-z0-9+]+://", re.IGNORECASE)
_REASONS: Final = {
    "BPC610": "there is no such file below the document's folder",
    "BPC611": "it is outside the document's folder; --allow-outside reads it",
    "BPC612": "it is no text",
    "BPC654": "it is a URL, and nothing is read from the network (--map URL=DIR reads it from a checkout)",
    "BPC655": "it is not in the folder of --map",
}
#: keys whose value names a type, or has types as its items
_NAMING: Final = frozenset({
    "derived_from", "type", "entry_schema", "key_schema", "capability", "node", "relationship", "node_type",
    "valid_source_types", "valid_target_types", "valid_source_node_types", "valid_capability_types",
    "valid_relationship_types", "valid_target_node_types", "members", "targets",
})  # fmt: skip
#: keys of a type whose entries may be the bare name of a type
_SHORT: Final = ("capabilities", "requirements", "properties", "attributes")
#: keys of a type that hold data
_DATA: Final = frozenset({"default", "metadata", "description", "constraints", "value", "implementation", "file"})


class ImportedTopology(NamedTuple):
    """The topology of an imported document, which can stand for a node of ``type``; ``place``: the import."""

    type: str
    file: str
    body: dict[str, Any]
    place: Path


@dataclass(eq=False, repr=False)
class CombinedTemplates(Combined):
    """``standard``: the prefixes under which the types of the standard are imported; ``topologies``: the imported ones
    that can stand for a node; ``remote``: imports that are not fetched, as those of ``unread``."""

    standard: set[str] = field(default_factory=set)
    topologies: list[ImportedTopology] = field(default_factory=list)
    remote: list[tuple[Path, str, str]] = field(default_factory=list)

    def report(self, reporter: Reports, *, is_known: bool = False) -> None:
        """Report the imports that are not read, as infos where all types of the document ``is_known`` without them."""
        for rows, code in ((self.unread, "BPC142"), (self.remote, "BPC852")):
            for place, name, why in rows:
                words = {"name": name, "why": why, "todo": _FROM_URL if _REMOTE.match(name) else _FROM_ARCHIVE}
                reporter.report("BPC860" if is_known and _LIMIT not in why else code, place, **words)


def combine(document: Document, files: Files, reporter: Reports) -> CombinedTemplates:
    """The service template in ``document`` with the types of everything that it imports. Never raises."""
    combiner = _Templates(document, files, reporter)
    combiner.run()
    combiner.name_types()
    return combiner.combined


class _Templates(Combiner):
    reasons = _REASONS
    merged = (*TYPE_SECTIONS, "annotation_types", "repositories", "functions")
    first = ("repositories",)
    whole = ()
    ignored = (
        "tosca_definitions_version", "tosca_default_namespace", "namespace", "template_name", "template_author",
        "template_version", "description", "metadata", "dsl_definitions", "imports", "profile", *_BODIES,
    )  # fmt: skip

    def __init__(self, document: Document, files: Files, reporter: Reports) -> None:
        super().__init__(document, files, reporter)
        self.combined = CombinedTemplates(self.main.data)
        self.result = self.combined

    def is_core(self, text: str) -> bool:
        return recognising.is_core(text)

    def imports(self, parent: File) -> Iterator[File]:
        """The files that ``parent`` imports and that are not known yet."""
        written = parent.data.get("imports")
        listed = written if isinstance(written, list) else [written] if isinstance(written, (str, dict)) else []
        for index, entry in enumerate(listed):  # no version has it without the list, but it is clear
            place = parent.place or (("imports", index) if written is listed else ("imports",))
            for row in _rows(entry):
                yield from self._entry(row, parent, place)

    def _entry(self, row: Mapping[str, Any], parent: File, place: Path) -> Iterator[File]:
        name = row.get("file", row.get("url", row.get("profile")))
        if not isinstance(name, str):
            self.report("BPC121", place, problem="an import names a file")
            return
        prefix = row.get("namespace_prefix", row.get("namespace"))
        prefix = prefix if isinstance(prefix, str) and not _REMOTE.match(prefix) else ""
        namespace = DELIMITER.join(part for part in (parent.namespace, prefix) if part)
        name, why = self._locate(name, row, parent)
        if _STANDARD.fullmatch(name):
            self.combined.standard.add(namespace)
            self.combined.libraries.append(name)
            self.report("BPC861", place, name=name)
        elif why or (_REMOTE.match(name) and not self.files.has_url(name)):
            self.combined.complete = False
            self.combined.remote.append((place, name, why or "nothing is fetched"))
        elif standard.is_standard(name) and self._text(name, parent)[0] in (None, standard.text()):
            self.combined.standard.add(namespace)
        elif profile.is_profile(name) and self._is_known(name, parent, place):
            definitions = {"node_types": profile.definitions()}
            if (profile.NAME, namespace) not in self._seen:
                self._seen.add((profile.NAME, namespace))
                yield File(name, definitions, place, namespace)
        else:
            file = self.local(name, parent, namespace, place)
            if file is not None:
                yield file

    def _is_known(self, name: str, parent: File, place: Path) -> bool:
        """True for the profile as it is generated, and for one that is not there, which is reported."""
        text, code = self._text(name, parent)
        if text is None:
            self.report("BPC882", place, name=name, why=_REASONS[code])
        return text is None or text in map(profile.text, WRITTEN.values())

    def _text(self, name: str, parent: File) -> tuple[str | None, str]:
        """What stands in a file, None where that is not read, and the code of the reason."""
        texts = [self.files.look(candidate) for candidate in self.candidates(name, parent)]
        return next((text for text in texts if text[0] is not None), texts[0])

    def _locate(self, name: str, row: Mapping[str, Any], parent: File) -> tuple[str, str]:
        """Where a file is, in the repository that the import names, and why it cannot be read, "" for no reason."""
        if "profile" in row:
            return name, "profiles are installed with the engine"
        repository = row.get("repository")
        if not isinstance(repository, str):
            return name, next((why for why, pattern in _BUILT_IN.items() if pattern.fullmatch(name)), "")
        repository_row = entries(parent.data, "repositories").get(repository)
        repository_row = (
            repository_row if repository_row is not None else entries(self.result.data, "repositories").get(repository)
        )
        url = repository_row.get("url") if isinstance(repository_row, dict) else repository_row
        if not isinstance(url, str):
            return name, f"there is no repository '{repository}'"
        return f"{url.rstrip('/')}/{name.lstrip('/')}", ""

    def candidates(self, name: str, parent: File) -> list[str]:
        """Where ``name`` may be: beside the importing file, then beside the main one (tosca-parser)."""
        if urlsplit(name).scheme == "file" or posixpath.isabs(name) or is_url(name):
            return [name]
        sibling_file = sibling(parent.name, name)
        return list(dict.fromkeys([sibling_file, posixpath.normpath(name)]))

    def check(self, data: dict[str, Any], name: str, place: Path) -> None:
        """Report a topology that is no part of the importing one, and note for which node type it stands."""
        body: dict[str, Any] = next((data[key] for key in _BODIES if isinstance(data.get(key), dict)), {})
        if not body.get("node_templates"):
            return
        stands = entries(body, "substitution_mappings").get("node_type")
        if isinstance(stands, str):
            self.combined.topologies.append(ImportedTopology(stands, name, body, place))
        else:
            self.report("BPC851", place, name=name)

    def namespaced(self, section: str, value: Any, namespace: str) -> Any:
        """A section of a file that is imported with a prefix: the names of its types have it."""
        if section not in TYPE_SECTIONS or not isinstance(value, dict):
            return value
        return {f"{namespace}{DELIMITER}{name}": entry for name, entry in value.items()}

    def joined(self, path: Path, target: dict[str, Any], entry: Any, source: File) -> bool:
        """The same definition may come from several files."""
        return bool(target[path[1]] == entry)

    def name_types(self) -> None:
        """Give the names of types the prefix of the file that they are in, where a type of that name is in it."""
        data = self.result.data
        type_names = {name for section in TYPE_SECTIONS for name in entries(data, section)}
        prefixes = sorted({namespace for _, namespace in self._seen if namespace}, key=len, reverse=True)
        if not prefixes:
            return
        for path in [path for path in self.result.places if path[0] in TYPE_SECTIONS]:
            for name in [path[1]] if len(path) == 2 else list(entries(data, path[0])):
                prefix = next((candidate for candidate in prefixes if str(name).startswith(candidate + DELIMITER)), "")
                if prefix:
                    self.own(path[0])[name] = _in_namespace(data[path[0]][name], prefix, type_names)
                    data = self.result.data


def _rows(entry: Any) -> Iterator[Mapping[str, Any]]:
    """What an entry of ``imports`` names, as maps with the keys of :data:`_KEYS`."""
    if isinstance(entry, str):
        yield {"file": entry}
    elif isinstance(entry, dict) and not entry.keys().isdisjoint(_SOURCES):
        yield entry
    elif isinstance(entry, dict) and entry:
        for value in entry.values():
            yield {"file": value} if isinstance(value, str) else value if isinstance(value, dict) else {}
    else:
        yield {}


def _in_namespace(value: Any, namespace: str, type_names: set[Any], key: str = "") -> Any:
    """A definition with the names of types in it in their ``namespace``."""
    if isinstance(value, str):
        full = f"{namespace}{DELIMITER}{value}"
        return full if key in _NAMING and full in type_names else value
    if isinstance(value, list):
        return [_in_namespace(item, namespace, type_names, key) for item in value]
    if not isinstance(value, dict):
        return value
    renamed_rows = {}
    for name, item in value.items():
        if name in _DATA:
            renamed_rows[name] = item
        elif isinstance(item, str) and key in _SHORT:
            renamed_rows[name] = _in_namespace(item, namespace, type_names, "type")
        else:
            renamed_rows[name] = _in_namespace(
                item, namespace, type_names, str(name) if name in (*_NAMING, *_SHORT) else key
            )
    return renamed_rows
