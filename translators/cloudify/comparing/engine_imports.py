"""What the imports of a blueprint define, as far as it is known: what the real Cloudify parser gets instead of them.

The parser needs the content of every import. That of Cloudify's own types and of the OpenStack and utilities plugins
is written from :mod:`~.catalogue.schemas`: the types that the blueprint needs with their properties, without
interfaces (so operations are only those that the blueprint has itself), the plugins and the types of policies.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.files import Files
from bpconvert.models.cloudify_rules import OBJECT_TYPES, PREFIX
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.cloudify.read.imports import LIBRARIES
from bpconvert.translators.cloudify.read.namespaces import DELIMITER
from bpconvert.yamlio.document import load

_UTILITIES: Final = re.compile(r"plugin:cloudify-utilities-plugin.*|[a-z]+://.*/(cloudify-)?utilities-plugin/.*")
_SECTIONS: Final = ("node_types", "relationships", "data_types")
#: library -> plugin -> where its operations run
_PLUGINS: Final = {
    "core": {"script": "host_agent", "agent": "", "default_workflows": "", "cfy_extensions": ""},
    "openstack": {"openstack": ""},
    "openstack_2": {"openstack": ""},
    "utilities": dict.fromkeys(
        (
            "cfy_util", "cfy_files", "cfy_ftp", "cloudify_custom_workflow", "cloudify_hooks_workflow", "cloudinit",
            "configuration", "keys", "suspend", "terminal", "rest", "scalelist", "secrets", "lifecycle_operations",
            "resources", "iso",
        ),
        "",
    ),
}  # fmt: skip
_EXECUTOR: Final = "central_deployment_agent"
#: what types that the parser is to assume are derived from
_ALWAYS: Final = (
    "cloudify.nodes.Root",
    "cloudify.nodes.Compute",
    "cloudify.relationships.depends_on",
    "cloudify.relationships.connected_to",
    "cloudify.relationships.contained_in",
)
_POLICY: Final[dict[str, Any]] = {
    "policy_operates_on_group": False,
    "is_node_started_before_workflow": True,
    "interval_between_workflows": 300,
}
_THRESHOLD: Final[dict[str, Any]] = {**_POLICY, "service": "service", "upper_bound": True, "stability_time": 0}
#: Cloudify's types of policies: defaults of their properties, and those that have none
_POLICIES: Final[dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    "cloudify.policies.types.host_failure": ({**_POLICY, "service": ["service"]}, ()),
    "cloudify.policies.types.threshold": (_THRESHOLD, ("threshold",)),
    "cloudify.policies.types.ewma_stabilized": ({**_THRESHOLD, "ewma_timeless_r": 0.5}, ("threshold",)),
}
_TRIGGER: Final[dict[str, Any]] = {
    "workflow": {},
    "workflow_parameters": {"default": {}},
    "force": {"default": False},
    "allow_custom_parameters": {"default": False},
    "socket_timeout": {"default": 1000},
    "conn_timeout": {"default": 1000},
}


def engine_imports(data: Any, files: Files) -> dict[str, str]:
    """The ``imports`` of a request to the Cloudify engine: import -> a blueprint in JSON.

    An import is as the blueprint ``data``, or one of the files that it imports, writes it, without its namespace. Those
    that are not known are not in it. Never raises."""
    version = _version(data)
    names: set[str] = set(_ALWAYS)
    found: dict[str, str] = {}
    for document in _documents(data, files):
        names.update(_texts(document))
        for name in _imported(document):
            library = library_of(name)
            if library:
                found[name] = library
    libraries = list(dict.fromkeys(found.values()))
    sources = {library: [library] for library in libraries}
    if "openstack" in sources and "compat" not in sources and "openstack_2" not in sources:
        sources["openstack"].append("openstack_2")  # the manager may have either generation of the plugin
    names |= _needed([source for group in sources.values() for source in group], names)
    texts = {library: json.dumps(_definitions(library, sources[library], names, version)) for library in libraries}
    return {name: texts[library] for name, library in found.items()}


def library_of(name: str) -> str:
    """The library of :func:`~.catalogue.schemas.library` that an import brings, "" where it is none."""
    if _UTILITIES.fullmatch(name.strip()):
        return "utilities"
    return next((library for library, pattern in LIBRARIES if pattern.fullmatch(name.strip())), "")


def _documents(data: Any, files: Files) -> Iterator[dict[str, Any]]:
    """The blueprint and the files that it imports, also indirectly."""
    if not isinstance(data, dict):
        return
    version = _version(data)
    queue: list[tuple[str, dict[str, Any]]] = [("", data)]
    seen: set[str] = set()
    while queue:
        parent, document = queue.pop(0)
        yield document
        for name in _imported(document):
            stem, extension = posixpath.splitext(name)
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(parent), name))
            for candidate in (beside, f"{stem}_{version}{extension}", name):
                text = None if candidate in seen or library_of(name) else files.look(candidate)[0]
                if text is not None:
                    seen.add(candidate)
                    queue += [(candidate, found) for found in _read(text, candidate)]
                    break


def _version(data: Any) -> str:
    return str(data.get("tosca_definitions_version")).removeprefix(PREFIX) if isinstance(data, dict) else ""


def _read(text: str, name: str) -> Iterator[dict[str, Any]]:
    try:
        data = load(text, name).data
    except SourceError:
        return
    if isinstance(data, dict):
        yield data


def _imported(document: dict[str, Any]) -> Iterator[str]:
    entries = document.get("imports")
    for entry in entries if isinstance(entries, list) else ():
        text = next(iter(entry), None) if isinstance(entry, dict) else entry
        if isinstance(text, str):
            yield text.rpartition(DELIMITER)[2]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(key, str):
                yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _definitions(library: str, sources: list[str], names: set[str], version: str) -> dict[str, Any]:
    """What an import of the library brings of the types that are needed."""
    result: dict[str, Any] = {section: {} for section in _SECTIONS}
    for source in sources:
        for section in _SECTIONS:
            rows = schemas.library(source).get(section, {})
            result[section] |= {name: _known(row, version) for name, row in rows.items() if name in names}
    plugins = _PLUGINS.get(library, {})
    result["plugins"] = {name: {"executor": where or _EXECUTOR, "install": False} for name, where in plugins.items()}
    if library == "core":
        result |= _policies(names)
    return {section: rows for section, rows in result.items() if rows}


def _known(row: dict[str, Any], version: str) -> dict[str, Any]:
    """A type as the version knows it: types of values that it does not have are ``string``."""
    properties = {
        key: {**schema, "type": "string"} if OBJECT_TYPES.get(schema.get("type"), "") > version else schema
        for key, schema in row.get("properties", {}).items()
    }
    return {**row, "properties": properties}


def _needed(libraries: list[str], names: set[str]) -> set[str]:
    """The types of ``names``, what they are derived from, and the types of their properties."""
    known: dict[str, list[dict[str, Any]]] = {}
    for library in libraries:
        for section in _SECTIONS:
            for name, row in schemas.library(library).get(section, {}).items():
                known.setdefault(name, []).append(row)
    queue = [name for name in names if name in known]
    needed: set[str] = set()
    while queue:
        name = queue.pop()
        if name not in needed:
            needed.add(name)
            for row in known[name]:
                types = [row.get("derived_from"), *(prop.get("type") for prop in row.get("properties", {}).values())]
                queue += [other for other in types if other in known]
    return needed


def _policies(names: set[str]) -> dict[str, Any]:
    """Cloudify's types of policies and of their triggers, where they are used."""
    types = {
        name: {
            "properties": {key: {"default": value} for key, value in defaults.items()} | {key: {} for key in others},
            "source": name,
        }
        for name, (defaults, others) in _POLICIES.items()
        if name in names
    }
    trigger = "cloudify.policies.triggers.execute_workflow"
    triggers = {trigger: {"parameters": _TRIGGER, "source": trigger}} if trigger in names else {}
    return {"policy_types": types, "policy_triggers": triggers}
