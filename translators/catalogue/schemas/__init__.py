"""What the engines know about types: the schemas of Heat's resource types and of Cloudify's node types, and the names
of settings that openstacksdk sends.

The data is generated from the engines (``tools/``), a file per namespace, read when one of its types is asked for.

A Heat type has ``properties``, ``attributes`` (name -> schema) and, where there are any, ``update_policy``.
``replaced_by``: dotted path of a property -> the paths of older ones that Heat takes for it. ``any_attribute`` and
``any_property``: those that are not listed are taken too. ``no_snapshot``: there is no ``deletion_policy: Snapshot``.

A schema has ``type`` (``string``, ``integer``, ``number``, ``boolean``, ``map``, ``list``, ``any``), ``required``,
``default``, ``constraints`` (as HOT writes them), ``items`` (of a list) or ``keys`` (of a map), ``allow_conversion``
and ``unimplemented``. All have ``status`` (``deprecated``, ``hidden``, ``unsupported``) and ``since`` where they are
not simply supported."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


def heat_type(name: str) -> dict[str, Any] | None:
    """The schema of a Heat resource type (an alias has that of the type it stands for); None where Heat has none."""
    namespace, _, _ = name.rpartition("::")
    schema: dict[str, Any] | None = _read(f"heat/{namespace.replace('::', '_').lower()}").get(name)
    if schema is None:
        other = alias(name)
        return heat_type(other) if other else None
    return schema


def alias(name: str) -> str | None:
    """What Heat's default environment has this type stand for: ``""`` for a template, None where it has nothing."""
    aliases: dict[str, str] = _read("heat/index")["aliases"]
    if name in aliases:
        return aliases[name]
    for pattern, other in aliases.items():
        if pattern.endswith("*") and name.startswith(pattern[:-1]):
            return other[:-1] + name[len(pattern) - 1 :]
    return None


def heat_types() -> list[str]:
    """The names of all of Heat's resource types, without aliases."""
    names: list[str] = _read("heat/index")["types"]
    return names


def library(name: str) -> dict[str, dict[str, Any]]:
    """The ``node_types``, ``relationships`` and ``data_types`` of a library of Cloudify (``core``, ``openstack``,
    ``compat``, ``openstack_2``, ``utilities``): type -> ``derived_from`` and ``properties`` (``type``, ``default``,
    ``required``), as a blueprint would define them."""
    return _read(f"cloudify/{name}")


def normative() -> dict[str, dict[str, Any]]:
    """The types of the TOSCA standard, and those that engines add: ``node_types``, ``relationship_types``, ... -> name
    -> definition, as a document would define them, but requirements are maps with ``name``, and interface types and
    interfaces have the names of their operations."""
    return _read("tosca/normative")


def profiles() -> dict[str, dict[str, Any]]:
    """The types of other people's profiles (INDIGO's, GRyCAP's, MiCADO's, SOL001, Tacker's, heat-translator's), in the
    same form. ``runs``: the operations that have a program, which is not known here."""
    return _read("tosca/profiles")


def sdk_names(node_type: str) -> list[str] | None:
    """The names of settings that openstacksdk sends for a node type of the OpenStack plugin; None where it sends all,
    or that is not known."""
    names: list[str] | None = _read("cloudify/sdk").get(node_type)
    return names


def sdk_version() -> str:
    """The version of openstacksdk that :func:`sdk_names` is about."""
    return str(_read("cloudify/sdk")["version"])


@lru_cache(maxsize=256)
def required(heat_type_name: str) -> tuple[str, ...]:
    """The properties without which Heat refuses a resource of this type."""
    schema = heat_type(heat_type_name)
    return tuple(name for name, row in schema["properties"].items() if row.get("required")) if schema else ()


@lru_cache(maxsize=64)
def _read(name: str) -> dict[str, Any]:
    if not name.replace("/", "").replace("_", "").isalnum():  # a type's name can be anything
        return {}
    try:
        data: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    except OSError:
        return {}
    return data
