"""Imports of a blueprint: all files become one blueprint, as the parser merges them (``elements/imports.py``).

Of what only files on a manager or the network define nothing is read: the types of Cloudify itself and of its OpenStack
plugin are known from facts (:class:`Combined` says which of these libraries are imported), the others are not known.

In the namespace of an import (``ns--file.yaml``) is what the parser prefixes (``framework/parser.py``): targets of
``get_input``, ``get_property`` and ``get_attribute``, not those of other functions, nor computed ones; never the names
of Cloudify's own types. Names in ``implementation`` stay, as plugins and scripts are not converted.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from bpconvert.files import Files
from bpconvert.models.cloudify_rules import OBJECT_TYPES, PREFIX, PRIMITIVE_TYPES, VERSIONS
from bpconvert.models.expressions import Path
from bpconvert.translators.cloudify.read.types import WORDS, facts
from bpconvert.translators.cloudify.vocabulary import COMPAT, RELATIVE, ROOT
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.toscalike.imports import (
    Combined,
    Combiner,
    File,
    Rule,
    each_item,
    each_value,
    fields,
    unchanged,
)
from bpconvert.translators.toscalike.types import NODE
from bpconvert.urls import is_url, sibling
from bpconvert.yamlio.document import Document

#: sections that are merged entry by entry
_MERGED: Final = (
    "node_types", "plugins", "workflows", "relationships", "data_types", "groups", "policy_types", "policy_triggers",
    "interfaces",
)  # fmt: skip
#: the same, since 1_3
_MERGED_LATER: Final = (
    "inputs", "outputs", "node_templates", "capabilities", "blueprint_labels", "labels", "resource_tags",
)  # fmt: skip
#: library -> what its import looks like; ``openstack_2``: the 2.x plugin
LIBRARIES: Final = (
    ("core", re.compile(r"(.*/)?cloudify/types/types(_1_\d)?\.yaml|https?://.*/spec/cloudify/.*types\.yaml")),
    ("compat", COMPAT),
    ("openstack_2", re.compile(r".*cloudify-openstack-plugin.*[/=v ][12]\.[\dx].*|.*/spec/openstack-plugin/.*")),
    ("openstack", re.compile(r"(plugin:|[a-z]+://.*/)cloudify-openstack-plugin.*")),
)
_REMOTE: Final = re.compile(r"(https?|ftp)://")
#: code of a file that cannot be read -> why
REASONS: Final = {
    "BPC610": "there is no such file below the blueprint's folder",
    "BPC611": "it is outside the blueprint's folder",
    "BPC612": "it is no text",
    "BPC654": "it is a URL, and nothing is read from the network (--map URL=DIR reads it from a checkout)",
    "BPC655": "it is not in the folder of --map",
}


def combine(document: Document, files: Files, reporter: Reports) -> Combined:
    """The blueprint in ``document`` with everything that it imports. Never raises."""
    return _Blueprints(document, files, reporter).run()


class _Blueprints(Combiner):
    reasons = REASONS
    merged = (*_MERGED, *_MERGED_LATER)
    first = ("blueprint_labels", "labels", "resource_tags")
    whole = ("description", "metadata")
    ignored = ("dsl_definitions", "imports", "tosca_definitions_version")

    def __init__(self, document: Document, files: Files, reporter: Reports) -> None:
        super().__init__(document, files, reporter)
        version = self.main.data.get("tosca_definitions_version")
        self.version = version.removeprefix(PREFIX) if isinstance(version, str) else ""

    def imports(self, parent: File) -> Iterator[File]:
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

    def _entry(self, text: str, parent: File, place: Path) -> Iterator[File]:
        prefix, _, name = text.rpartition(DELIMITER)
        namespace = DELIMITER.join(part for part in (parent.namespace, prefix) if part)
        name = name.strip()
        library = next((key for key, pattern in LIBRARIES if pattern.fullmatch(name)), "")
        if library:
            yield File(name, {}, place, namespace, library)
        elif name.startswith("blueprint:"):
            self.unread(place, text, "it is a blueprint on the manager")
        elif name.startswith("plugin:") or (_REMOTE.match(name) and not self.files.has_url(name)):
            self.result.complete = False
            self.report("BPC141", place, name=text)
        else:
            file = self.local(name, parent, namespace, place)
            if file is not None:
                yield file

    def candidates(self, name: str, parent: File) -> list[str]:
        """Where ``name`` may be: beside the importing file, then below the blueprint's folder, there with the version
        in its name first."""
        if urlsplit(name).scheme == "file" or posixpath.isabs(name) or is_url(name):
            return [name]
        stem, extension = posixpath.splitext(name)
        sibling_file = sibling(parent.name, name)
        below = [posixpath.normpath(f"{stem}_{self.version}{extension}"), posixpath.normpath(name)]
        return list(dict.fromkeys([sibling_file, *below]))

    def check(self, data: dict[str, Any], name: str, place: Path) -> None:
        """A file of a later version is refused."""
        version = data.get("tosca_definitions_version")
        number = version.removeprefix(PREFIX) if isinstance(version, str) else ""
        if number in VERSIONS and self.version in VERSIONS and number > self.version:
            self.report("BPC121", place, problem=f"'{name}' is {version}, the blueprint only {PREFIX}{self.version}")

    def namespace(self, data: dict[str, Any], namespace: str) -> str:
        """Cloudify's own types have none."""
        types = data.get(WORDS.types[NODE])
        return "" if isinstance(types, dict) and ROOT in types else namespace

    def namespaced(self, section: str, value: Any, namespace: str) -> Any:
        """A section of a file that is imported with a namespace."""
        return namespaced(section, value, namespace)

    def add_library(self, item: File) -> None:
        """A built-in library replaces definitions of its types in files before it."""
        if item.library in self.result.libraries:
            return
        self.result.libraries.append(item.library)
        for section in WORDS.types.values():
            defined = self.result.data.get(section)
            names = [n for n in defined if str(n).startswith(BUILTIN)] if isinstance(defined, dict) else []
            if not names:
                continue
            for name in [name for name in names if name in facts(item.library)[section]]:
                del self.own(section)[name]
                path = (section, name)
                self.report("BPC145", self.result.place(path), name=name, library=item.name)

    def check_section(self, section: str, source: File) -> None:
        """Some sections can be in several files since a later version."""
        if section in _MERGED_LATER and self.version < "1_3":
            problem = f"'{source.name}' has '{section}' too: several files can since {PREFIX}1_3"
            self.report("BPC121", source.place, problem=problem)

    def replaces(self, section: str, name: Any) -> bool:
        """Cloudify's own types can be defined anew."""
        return str(name).startswith(BUILTIN)

    def joined(self, path: Path, target: dict[str, Any], entry: Any, source: File) -> bool:
        """Workflows are merged key by key, and a node template can get relationships."""
        entry_before = target[path[1]]
        if path[0] == "workflows" and isinstance(entry, dict) and isinstance(entry_before, dict):
            target[path[1]] = {**entry, **entry_before}
            return True
        if path[0] != "node_templates" or not _extends(entry_before, entry):
            return False
        self._extend(path, target, entry, source)
        return True

    def _extend(self, path: Path, target: dict[str, Any], entry: dict[str, Any], source: File) -> None:
        """Put the two halves of a node template, of which one has only relationships, together."""
        extended = dict(target[path[1]])
        target[path[1]] = extended
        origin = (source.place, source.name)
        for key, value in entry.items():
            place = (*path, key)
            if key != "relationships":
                extended[key] = value
                self.result.places[place] = origin
            elif isinstance(value, list):
                start = len(extended[key])
                extended[key] = [*extended[key], *value]
                self.result.places.update({(*place, index): origin for index in range(start, len(extended[key]))})


def _extends(first: Any, entry: Any) -> bool:
    """True when a node template of the same name from another file adds to the one that is known."""
    if not (isinstance(first, dict) and isinstance(entry, dict) and isinstance(first.get("relationships"), list)):
        return False
    only = set(entry) == {"relationships"}
    return only or (set(first) == {"relationships"} and "type" in entry)


# -- namespaces -----------------------------------------------------------------------------------------------

DELIMITER: Final = "--"
#: types with this prefix are Cloudify's: they are in no namespace, and imports may define them anew
BUILTIN: Final = "cloudify."


def namespaced(section: str, value: Any, namespace: str) -> Any:
    """A section of a file that is imported with ``namespace``."""
    if not isinstance(value, dict):
        return value
    rewrite = _ENTRIES.get(section, unchanged)
    return {_in_namespace(name, namespace): rewrite(entry, namespace) for name, entry in value.items()}


def _in_namespace(name: Any, namespace: str) -> Any:
    if not isinstance(name, str) or name.startswith(BUILTIN):
        return name
    return f"{namespace}{DELIMITER}{name}"


def _typed(name: Any, namespace: str) -> Any:
    builtin = isinstance(name, str) and (name in PRIMITIVE_TYPES or name in OBJECT_TYPES)
    return name if builtin else _in_namespace(name, namespace)


def _calls(value: Any, namespace: str) -> Any:
    """``value`` with the targets of its calls in the namespace."""
    if isinstance(value, list):
        return [_calls(item, namespace) for item in value]
    if isinstance(value, dict):
        return {key: _target(key, _calls(item, namespace), namespace) for key, item in value.items()}
    return value


def _target(key: Any, argument: Any, namespace: str) -> Any:
    if key == "get_input" and isinstance(argument, str):
        return f"{namespace}{DELIMITER}{argument}"
    if key in ("get_input", "get_property", "get_attribute") and isinstance(argument, list) and argument:
        first = argument[0]
        if isinstance(first, str) and (key == "get_input" or first not in RELATIVE):
            return [f"{namespace}{DELIMITER}{first}", *argument[1:]]
    return argument


def _default(value: Any, namespace: str) -> Any:
    """A default. In one that is a list the parser rewrites nothing."""
    return _calls(value, namespace) if isinstance(value, dict) else value


def _published(value: Any, namespace: str) -> Any:
    """The value of an output. A plain text gets the prefix too: the parser takes it for a name."""
    return _typed(value, namespace) if isinstance(value, str) else _default(value, namespace)


_DEFINITION: Final = fields(type=_typed, item_type=_typed, default=_default, constraints=_calls)
_TYPE: Final = fields(
    derived_from=_typed,
    properties=each_value(_DEFINITION),
    interfaces=_calls,
    source_interfaces=_calls,
    target_interfaces=_calls,
)
_RELATIONSHIP: Final = fields(
    type=_typed, target=_in_namespace, properties=_calls, source_interfaces=_calls, target_interfaces=_calls
)
_OUTPUT: Final = fields(value=_published)
#: section -> the rewriting of one of its entries; of the other sections only the names are of interest
_ENTRIES: Final[dict[str, Rule]] = {
    "inputs": _DEFINITION,
    "outputs": _OUTPUT,
    "capabilities": _OUTPUT,
    "node_templates": fields(
        type=_typed, properties=_calls, interfaces=_calls, capabilities=_calls, relationships=each_item(_RELATIONSHIP)
    ),
    "node_types": _TYPE,
    "relationships": _TYPE,
    "data_types": _TYPE,
    "groups": fields(members=each_item(_in_namespace)),
    "policies": fields(targets=each_item(_in_namespace), properties=_calls),
}
