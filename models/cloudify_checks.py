"""A blueprint as plain data, and what its version of the DSL does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import cloudify_rules as rules
from bpconvert.models.checks import Problem
from bpconvert.models.expressions import SCALARS, Path
from bpconvert.models.plain import Plain
from bpconvert.models.plain.cloudify import Blueprint
from bpconvert.models.plain.cloudify_declarations import PropertyDefinition


def to_data(blueprint: Blueprint) -> dict[str, Any]:
    """The blueprint as plain data in the conventional order of sections and keys (metadata, which is noise for
    readers, last); what is not set is left out, and so are empty sections."""
    data: dict[str, Any] = _plain(blueprint)
    return {key: value for key, value in data.items() if value != {} and value != []}


def _plain(value: Any) -> Any:
    if isinstance(value, Plain):
        own = value.__dict__
        written = {name: _plain(own[name]) for name in value.DEFAULTS if own[name] is not None}
        short = value.SHORT
        return written[short] if short and len(written) == 1 and short in written else written
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def check_blueprint(blueprint: Blueprint, version: str | None = None) -> list[Problem]:
    """What ``version`` (default: the blueprint's own) does not have, and an unknown version itself."""
    version = blueprint.tosca_definitions_version if version is None else version
    number = version.removeprefix(rules.PREFIX) if version else ""
    if number not in rules.VERSIONS:
        versions = ", ".join(rules.PREFIX + v for v in rules.VERSIONS)
        text = (
            f"unknown version {version!r} (known: {versions})" if version else "'tosca_definitions_version' is missing"
        )
        return [Problem(("tosca_definitions_version",), text)]
    return [
        Problem(path, f"{words} exists since {rules.PREFIX}{since}, this blueprint says {version}")
        for path, words, since in _gated(blueprint, ())
        if since > number
    ]


def _gated(value: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    """What not every version has, anywhere below ``value``: path, what it is, first version."""
    if isinstance(value, Plain):
        yield from _gated_model(value, path)
        return
    if isinstance(value, dict) and (len(value) == 1 or (len(value) == 2 and "type" in value)):
        for name, since in rules.FUNCTIONS_SINCE.items():
            if name in value:
                yield path, f"function '{name}'", since
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if type(item) not in SCALARS and isinstance(item, (Plain, dict, list)):
            yield from _gated(item, (*path, key))


#: sections in which the parser looks for no functions
_LITERAL: Final = ("dsl_definitions", "metadata", "resource_tags", "imports")


def _gated_model(value: Plain, path: Path) -> Iterator[tuple[Path, str, str]]:
    for key, item in value.__dict__.items():
        if item is None or (item == {} and path == ()):
            continue
        if key in value.SINCE:
            yield (*path, key), f"{value.KEY} '{key}' of {value.NOUN}", value.SINCE[key]
        if key == "type" and isinstance(value, PropertyDefinition) and item in rules.OBJECT_TYPES:
            yield (*path, key), f"type '{item}'", rules.OBJECT_TYPES[item]
        elif key == "constraints":
            for index, constraint in enumerate(item):
                if "error_message" in constraint:
                    yield (*path, key, index, "error_message"), "'error_message' of a constraint", "1_5"
        elif key == "imports":
            for index, entry in enumerate(item):
                if isinstance(entry, dict):
                    yield (*path, key, index), "an import with properties", "1_5"
        if isinstance(item, (Plain, dict, list)) and not (path == () and key in _LITERAL):
            yield from _gated(item, (*path, key))
