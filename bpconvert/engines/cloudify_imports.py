"""What a blueprint imports, and what is assumed where not all of that is known: part of ``cloudify.py``, which imports
it from its folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from dsl_parser import constants, exceptions, utils
from dsl_parser.holder import Holder


class Imports:
    """What the parser asks for the content of imports (its ``AbstractImportResolver``)."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.given = {name.rpartition(constants.NAMESPACE_DELIMITER)[2]: text for name, text in texts.items()}
        self.assumed: list[str] = []
        #: the files that were asked for, with their texts; None for one that is not there
        self.read: dict[str, str | None] = {}
        self._beside = ""

    def retrieve_plugin(self, import_url: str, **_: Any) -> None:
        """No plugin is installed."""

    def fetch_import(self, import_url: str, **options: Any) -> Any:
        """The content at one of the places where an import may be; raises where it is not there.

        The parser asks for a name beside the importing file, then for ``resource:`` names, with the version added and
        plainly (``elements/imports.py``, ``_get_resource_location``)."""
        scheme, _, address = import_url.partition(":")
        name = address if scheme == "resource" else import_url
        if name in self.given:
            return Holder.of(_plain_text(self.given[name]))
        if scheme == "file":
            self._beside = address
            text = self.read[address] = text_of(address)
            if text is None:
                raise exceptions.DSLParsingLogicException(13, f"Import failed: there is no file {address}")
            return text
        if scheme == "resource" and not self._beside.endswith(f"/{name}"):
            raise exceptions.DSLParsingLogicException(13, f"Import failed: there is no {name}")
        if scheme not in ("resource", "http", "https", "ftp", "plugin", "blueprint"):
            raise exceptions.DSLParsingLogicException(13, f"Import failed: {import_url}")
        if name not in self.assumed:
            self.assumed.append(name)
        return Holder.of({})


def text_of(name: str) -> str | None:
    """The text of a file; None where there is none."""
    for path in (name, unquote(name)):
        if os.path.isfile(path):
            return Path(path).read_text(encoding="utf-8")
    return None


@lru_cache(maxsize=32)
def _plain_text(text: str) -> Any:
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text)
        except ValueError:
            pass
    return utils.load_yaml(text, "Failed to parse import").restore()


class Assumptions:
    """Adds definitions of what a merged blueprint uses and does not define."""

    def __init__(self, merged: Any) -> None:
        self.merged = merged
        self.added: list[str] = []

    def complete(self) -> list[str]:
        """Add types, policies and plugins; what was added, as texts."""
        nodes = list(self._entries("node_templates").values())
        related = [(row, space) for node in nodes for row, space in _related(node)]
        self._types("node_types", [(_type_name(_item(node, "type")), _item(node, "properties")) for node in nodes])
        self._types(
            "relationships", [(_type_name(_item(row, "type"), ns), _item(row, "properties")) for row, ns in related]
        )
        policies = [row for group in self._entries("groups").values() for _, row in _entries(_item(group, "policies"))]
        triggers = [row for policy in policies for _, row in _entries(_item(policy, "triggers"))]
        for section, accepts, rows in (
            ("policy_types", "properties", policies),
            ("policy_triggers", "parameters", triggers),
        ):
            used = {_type_name(_item(row, "type")): _optional(_item(row, accepts)) for row in rows}
            for name in sorted(used.keys() - self._entries(section).keys() - {""}):
                self._add(section, name, {accepts: used[name], "source": "assumed"})
        self._plugins()
        return self.added

    def _entries(self, section: str) -> dict[str, Any]:
        return dict(_entries(self.merged.get_item(section)[1]))

    def _add(self, section: str, name: str, definition: dict[str, Any]) -> None:
        if not self._entries(section):
            self.merged.set_item(section, {})
        self.merged.get_item(section)[1].set_item(name, definition)
        self.added.append(f"{section}.{name}")

    def _types(self, section: str, uses: list[tuple[str, Any]]) -> None:
        """Types of nodes or relationships: those that are used, and those that others are derived from."""
        parents = {name: _type_name(_item(row, "derived_from")) for name, row in self._entries(section).items()}
        wanted: dict[str, dict[str, Any]] = {name: {} for name in parents.values() if name}
        for name, properties in uses:
            passed: set[str] = set()
            while name in parents and name not in passed:
                passed.add(name)
                name = parents[name]
            wanted.setdefault(name, {}).update(_optional(properties))
        missing = wanted.keys() - parents.keys() - {""}
        bases = {name: next(base for pattern, base in _BASES[section] if re.search(pattern, name)) for name in missing}
        for name in dict.fromkeys([*sorted(set(bases.values()) - parents.keys()), *sorted(missing)]):
            if name == bases.get(name, name):
                default = {"connection_type": {"default": "all_to_all"}} if section == "relationships" else {}
                self._add(section, name, {"properties": {**default, **wanted.get(name, {})}})
            else:
                self._add(section, name, {"derived_from": bases[name], "properties": wanted[name]})

    def _plugins(self) -> None:
        """Plugins that operations and workflows name: ``plugin.module.function``."""
        plugins = set(self._entries("plugins"))
        wanted = []
        for text in self.implementations():
            match = _OPERATION.fullmatch(text)
            if any(text.startswith(f"{name}.") for name in plugins):
                continue
            wanted += [match[1]] if match else [constants.SCRIPT_PLUGIN_NAME] if text else []
        if any(name.endswith(constants.SCRIPT_PLUGIN_NAME) for name in plugins):
            plugins.add(constants.SCRIPT_PLUGIN_NAME)
        for name in dict.fromkeys(name for name in wanted if name not in plugins):
            self._add("plugins", name, {"executor": constants.CENTRAL_DEPLOYMENT_AGENT, "install": False})

    def implementations(self) -> Iterator[str]:
        """Every text that names the code of an operation or a workflow."""
        for section in ("node_types", "relationships", "node_templates"):
            for entry in self._entries(section).values():
                for owner, namespace in [(entry, None), *_related(entry)]:
                    for key in ("interfaces", "source_interfaces", "target_interfaces"):
                        space = getattr(_item(owner, key), "namespace", None) or namespace
                        for _, interface in _entries(_item(owner, key)):
                            yield from (_implementation(row, space) for _, row in _entries(interface))
        yield from (_implementation(row, None) for row in self._entries("workflows").values())

    def scripts(self, base: str, folder: str) -> list[str]:
        """Put empty files into ``folder`` for the scripts that are not below ``base``; their names."""
        plugins, names = self._entries("plugins"), []
        for text in sorted(set(self.implementations())):
            name = os.path.normpath(utils.remove_namespace(text))
            is_plugin = any(text.startswith(f"{plugin}.") for plugin in plugins)
            if is_plugin or not _SCRIPT.fullmatch(name) or name.startswith("..") or utils.url_exists(f"{base}/{name}"):
                continue
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            names.append(f"scripts.{name}")
        return names


_OPERATION: Final = re.compile(r"([\w-]+)(?:\.\w+){2,}")
_SCRIPT: Final = re.compile(r"\w[\w.+ -]*(/[\w.+ -]+)+|\w[\w-]*\.(sh|py|ps1|bat|cmd|rb|pl)")
#: section -> what names of assumed types look like, and what those are derived from
_BASES: Final = {
    "node_types": ((r"(Server|Compute|Host|VM)$", "cloudify.nodes.Compute"), ("", "cloudify.nodes.Root")),
    "relationships": (
        ("contained_in", constants.CONTAINED_IN_REL_TYPE),
        ("connected", constants.CONNECTED_TO_REL_TYPE),
        ("", constants.DEPENDS_ON_REL_TYPE),
    ),
}


def _item(holder: Any, key: str) -> Any:
    """The holder at ``key`` of a map's holder; None where there is none."""
    return holder.get_item(key)[1] if holder is not None and isinstance(holder.value, dict) else None


def _entries(holder: Any) -> list[tuple[str, Any]]:
    if holder is None or not isinstance(holder.value, dict):
        return []
    return [(key.value, value) for key, value in holder.value.items()]


def _optional(properties: Any) -> dict[str, Any]:
    """Definitions of properties that are not required."""
    return {name: {"required": False} for name, _ in _entries(properties)}


def _related(node: Any) -> list[tuple[Any, str | None]]:
    """The relationships of a node, with the namespace of the list."""
    listed = _item(node, "relationships")
    rows = listed.value if listed is not None and isinstance(listed.value, list) else []
    return [(row, listed.namespace) for row in rows]


def _implementation(operation: Any, namespace: str | None) -> str:
    return _type_name(_item(operation, "implementation") or _item(operation, "mapping") or operation, namespace)


def _type_name(holder: Any, namespace: str | None = None) -> str:
    """The name in a holder as the parser will read it: in the namespace of its import."""
    name = getattr(holder, "value", None)
    if not isinstance(name, str):
        return ""
    space = holder.namespace or namespace
    if not space or holder.is_cloudify_type or utils.check_if_overridable_cloudify_type(name):
        return name
    return str(utils.generate_namespaced_value(space, name))
