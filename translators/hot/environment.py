"""Heat environment files: what the names of types stand for, and values of parameters (heat/engine/environment.py)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from bpconvert.diagnostics import Diagnostic, Reporter, SourceError
from bpconvert.files import Meant
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS
from bpconvert.urls import is_url
from bpconvert.yamlio.document import Document, load

#: sections (heat/common/environment_format.py) -> whether they have no use here
_SECTIONS: Final = {
    "parameters": False, "parameter_defaults": False, "parameter_merge_strategies": True, "encrypted_param_names": True,
    "event_sinks": True, "resource_registry": False,
}  # fmt: skip
#: keys of a resource in the registry that are no types
_SETTINGS: Final = ("hooks", "restricted_actions", "base_url")

Steps = tuple[str, ...]


class Environment:
    """What environment files say. ``entries``: path of an entry of the resource registries -> type or file;
    ``parameters``: values of the outermost template's parameters; ``defaults``: defaults of those of every template."""

    def __init__(
        self,
        entries: dict[Steps, str | Path],
        parameters: Mapping[str, Any] | None = None,
        defaults: Mapping[str, Any] | None = None,
    ) -> None:
        self.entries = entries
        self.parameters: Mapping[str, Any] = parameters or {}
        self.defaults: Mapping[str, Any] = defaults or {}
        self.home: Path | None = None

    def resolve(self, type: str, resource: str) -> Meant:
        """What ``type`` stands for at ``resource``: as Heat does, what is given for the resource first, then the
        entries in the order of their names; a mapping that leads nowhere is skipped."""
        return self._resolve(type, resource, ()) or Meant(type)

    def _resolve(self, type: str, resource: str, seen: tuple[str, ...]) -> Meant | None:
        if type in seen:
            return None
        for path in sorted(self._matches(type, resource), key=lambda path: (-len(path), path)):
            meant, name = self.entries[path], path[-1]
            if isinstance(meant, Path):
                return Meant(str(meant), path, meant)
            if is_url(meant):
                return Meant(meant, path)
            if name.endswith("*") and meant.endswith("*"):
                meant = meant[:-1] + type[len(name) - 1 :]
            meaning = self._resolve(meant, resource, (*seen, type)) or (Meant(meant) if "::" in meant else None)
            if meaning is not None:
                return meaning._replace(path=meaning.path or path)
        return None

    def _matches(self, type: str, resource: str) -> Iterator[Steps]:
        for path, meant in self.entries.items():
            pattern = path[0] if len(path) == 1 and path[0].endswith("*") else None
            is_like = pattern is not None and type.startswith(pattern[:-1]) and meant != type
            if is_like or path in {("resources", resource, type), (type,)}:
                yield path

    def inside(self, path: Steps) -> Environment:
        """The registry of a nested template: without the entry that led to it, so that it can use what it replaces."""
        entries = {entry: meant for entry, meant in self.entries.items() if entry != path}
        return Environment(entries, defaults=self.defaults)


def read(files: Sequence[str]) -> tuple[Environment, list[Diagnostic]]:
    """What environment files say, merged in this order: of a parameter the last value counts; and what was found.

    Raises SourceError for a file that is no environment, and OSError for one that cannot be read."""
    entries: dict[Steps, str | Path] = {}
    values: dict[str, dict[str, Any]] = {"parameters": {}, "parameter_defaults": {}}
    findings: list[Diagnostic] = []
    for name in files:
        document = load(Path(name).read_bytes(), name)
        reporter = Reporter(document)
        registry = _registry(document, reporter)
        _add(entries, (), registry, (Path(name).parent, ""), document)
        for section, section_values in values.items():
            section_values |= _values(document, section)
        findings += reporter.diagnostics
    return Environment(entries, values["parameters"], values["parameter_defaults"]), findings


def _values(document: Document, section: str) -> dict[str, Any]:
    """The values of parameters in a section; a null is none."""
    content = (document.data or {}).get(section) or {}
    if not isinstance(content, dict):
        raise _mistake(document, (section,), f"'{section}' is no map")
    return {str(name): value for name, value in content.items() if value is not None}


def _registry(document: Document, reporter: Reporter) -> dict[str, Any]:
    data = document.data
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise _mistake(document, (), "an environment is a map")
    document.secrets.add([data.get("parameters"), data.get("parameter_defaults")])  # hidden ones may be among them
    for section, content in data.items():
        if section not in _SECTIONS:
            raise _mistake(document, (section,), f"an environment has no section '{section}'")
        if content and _SECTIONS[section]:
            reporter.report("BPC770", (section,), name=section)
    registry = data.get("resource_registry") or {}
    if not isinstance(registry, dict):
        raise _mistake(document, ("resource_registry",), "the resource_registry is a map")
    return registry


def _mistake(document: Document, path: Steps, problem: str) -> SourceError:
    return SourceError(Reporter(document).build("BPC772", path, problem=problem))


def _add(
    entries: dict[Steps, str | Path], path: Steps, registry: dict[str, Any], base: tuple[Path, str], document: Document
) -> None:
    """Add the entries of a registry, or of a part of it. ``base``: the folder and URL that files are relative to."""
    base = (base[0], str(registry.get("base_url") or base[1]))
    for name, meant in registry.items():
        place = (*path, str(name))
        if name in _SETTINGS:
            continue
        if isinstance(meant, dict):
            _add(entries, place, meant, base, document)
        elif meant is None:
            for entry in [old for old in entries if _is_gone(old, place)]:
                del entries[entry]
        elif not isinstance(meant, str):
            raise _mistake(document, ("resource_registry", *place), f"'{name}' is not mapped to a type or file")
        else:
            entries[place] = _meant(meant, base)


def _is_gone(entry: Steps, place: Steps) -> bool:
    """True for an entry that a null removes."""
    if place[-1].endswith("*"):
        return entry[:-1] == place[:-1] and entry[-1].startswith(place[-1][:-1])
    return entry == place


def _meant(text: str, base: tuple[Path, str]) -> str | Path:
    """A type's name, or the place of a file (a URL of a file, or relative to the environment)."""
    if "::" in text or not text.endswith(TEMPLATE_ENDINGS):
        return text
    folder, url = base
    parts = urlsplit(text)
    if not parts.scheme and url and not posixpath.isabs(text):
        parts = urlsplit(posixpath.join(url, text))
    if parts.scheme == "file":
        return Path(unquote(parts.path))
    return text if parts.scheme else folder / parts.path
