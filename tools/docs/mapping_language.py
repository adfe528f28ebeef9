"""The mapping language as data for docs/catalogue.md: every key with its meaning, from the docstrings of
:mod:`bpconvert.translators.catalogue.model` and the columns of languages, and an example, from the catalogue itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, Final

import yaml

from bpconvert.translators.catalogue import types
from bpconvert.translators.catalogue.model import (
    V2,
    AttributeRule,
    CloudifyType,
    Kind,
    Lift,
    Only,
    PropertyRule,
    Service,
    Split,
)
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify import hook_names
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.column import Attribute, NodeType, OwnRequirement, Requirement, ToscaTypes
from bpconvert.translators.tosca.read.hooks import HOOKS

#: type of a field -> what a file has there
_VALUES: Final = {
    "str": "text",
    "bool": "true or false",
    "Any": "any value",
    "list[str]": "list of texts",
    "list[Any]": "list",
    "dict[str, str]": "map of texts",
    "dict[str, dict[str, str]]": "map of maps of texts",
    "dict[str, Any]": "map",
    "dict[str, PropertyRule]": "map of [properties](#property)",
    "dict[str, AttributeRule]": "map of [attributes](#attribute)",
    "dict[str, Only]": "map of [entries](#only-in-cloudify)",
    "CloudifyType": "[node type](#node-type)",
    "Service": "[service](#service)",
    "dict[str, list[str]]": "map of lists of texts",
    "dict[str, dict[str, Any]]": "map of maps",
    "dict[str, OwnRequirement]": "map of [requirements](#requirement-of-a-resource)",
    "dict[str, Requirement]": "map of [requirements](#requirement-in-tosca)",
    "dict[str, Attribute]": "map of [attributes](#attribute-in-tosca)",
    "dict[str, NodeType]": "map of [node types](#node-type-in-tosca)",
    "V2": "[node type of 2.x](#node-type-of-plugin-2x)",
    "Lift": "[lift](#lift)",
}
#: longer examples are left out where there is a shorter way to see the key
_WIDTH: Final = 160
#: a kind as plain data -> the maps of one class in it, each with its name
_Places = Callable[[dict[str, Any]], Iterator[tuple[str, Any]]]


@dataclass
class Key:
    """One key: what may stand there, what it means, and an example with the id of the kind it is from."""

    name: str
    value: str
    meaning: str
    required: bool
    example: str = ""
    kind: str = ""


@dataclass
class Section:
    """One map of the language: its title, what it is, its keys."""

    title: str
    meaning: str
    keys: list[Key]


def sections(further: list[dict[str, Any]]) -> list[Section]:
    """The whole language. ``further``: kinds to take examples from that the catalogue has none for."""
    kinds = [yaml.safe_load(types.file_of(name)) for name in builtin().kinds()]
    found: list[tuple[str, type, _Places]] = [
        ("Kind", Kind, lambda kind: iter([("", kind)])),
        ("Node type", CloudifyType, lambda kind: _part("cloudify", kind)),
        ("Node type of plugin 2.x", V2, lambda kind: _part("v2", kind.get("cloudify", {}))),
        ("Service", Service, lambda kind: _part("service", kind.get("cloudify", {}))),
        ("Property", PropertyRule, lambda kind: _rules(kind.get("properties", {}))),
        ("Lift", Lift, _lifts),
        ("Attribute", AttributeRule, lambda kind: _maps(kind.get("attributes", {}))),
        ("Only in Cloudify", Only, lambda kind: _maps(kind.get("only", {}))),
        ("TOSCA", ToscaTypes, lambda kind: _part(DIALECT, kind)),
        (
            "Requirement of a resource",
            OwnRequirement,
            lambda kind: _maps(kind.get(DIALECT, {}).get("requirements", {})),
        ),
        ("Node type in TOSCA", NodeType, _accepted),
        ("Requirement in TOSCA", Requirement, lambda kind: _inside("requirements", _accepted(kind))),
        ("Attribute in TOSCA", Attribute, lambda kind: _maps(kind.get(DIALECT, {}).get("attributes", {}))),
    ]
    return [
        Section(title, _meaning(owner), list(_keys(owner, kinds, further, places))) for title, owner, places in found
    ]


def split() -> Section:
    """The rows of ``splits`` in the index, which only the built-in catalogue has."""
    rows = [{"kind": row["kind"], "row": row} for row in types.raw("index")["splits"]]
    return Section("Split", _meaning(Split), list(_keys(Split, rows, [], lambda kind: iter([("", dict(kind["row"]))]))))


def _meaning(owner: type) -> str:
    return inspect.cleandoc(owner.__doc__ or "").split("\n\n")[0].replace("\n", " ")


def documented(owner: type) -> dict[str, str]:
    """Key -> its meaning, from the docstring of its class: ``key: text``, further lines are indented."""
    text = inspect.cleandoc(owner.__doc__ or "").partition("\n\n")[2]
    found = re.findall(r"^(\w+): (.*(?:\n +.*)*)", text, re.MULTILINE)
    return {name: _markdown(meaning) for name, meaning in found}


def _markdown(text: str) -> str:
    """A text of a docstring in one line."""
    return re.sub(r":\w+:`", "`", re.sub(r"\s+", " ", text).replace("``", "`"))


def _keys(owner: type, kinds: list[dict[str, Any]], further: list[dict[str, Any]], places: _Places) -> Iterator[Key]:
    """The keys of a class in its order. ``places``: kind -> the maps of that class in it, each with its name."""
    meanings = documented(owner)
    for field in filter(lambda field: field.init, fields(owner)):
        written = list(_uses(field.name, kinds, places)) or list(_uses(field.name, further, places))
        example, kind = min(written, default=(0, "", ""))[1:]
        needed = field.default is MISSING and field.default_factory is MISSING
        yield Key(field.name, _value(field), meanings[field.name], needed, example, kind)


def _uses(key: str, kinds: list[dict[str, Any]], places: _Places) -> Iterator[tuple[int, str, str]]:
    """The maps with the key, as they are written, each with its length and its kind; of a whole kind, and where that is
    long, the key alone."""
    for kind in kinds:
        for name, data in places(kind):
            if isinstance(data, dict) and data.get(key) is not None:
                whole, alone = _flow({name: data}), _flow({key: data[key]})
                fits = name and len(whole) <= _WIDTH
                yield (len(whole), whole, kind["kind"]) if fits else (_WIDTH + len(alone), alone, kind["kind"])


def _flow(data: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(data, default_flow_style=True, width=100000, sort_keys=False, allow_unicode=True)
    return text.strip()[1:-1]


def _value(field: Field[Any]) -> str:
    """What may stand there, in words."""
    name = str(field.type).removesuffix(" | None")
    if name.startswith("Literal["):
        return " or ".join(f"`{word}`" for word in re.findall(r"['\"](.*?)['\"]", name))
    return _VALUES[name]


def _lifts(kind: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for _, rule in _rules(kind.get("properties", {})):
        yield from _part("lift", rule)


def _part(key: str, data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if key in data:
        yield key, data[key]


def _accepted(kind: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return _maps(kind.get(DIALECT, {}).get("accept", {}))


def _inside(key: str, rows: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    for _, row in rows:
        yield from _maps(row.get(key, {}))


def _maps(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from ((name, rule) for name, rule in data.items() if isinstance(rule, dict))


def _rules(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The rules of properties, those inside others too."""
    for name, rule in _maps(data):
        yield name, rule
        yield from _rules(rule.get("each", {}))


def functions() -> dict[str, dict[str, str]]:
    """Where a function is named -> the functions that there are, each with the first line of its docstring."""
    found = hook_names.functions()
    return {
        "`hook` of a property": _first_lines(found["property"]),
        "`hook` of an attribute": _first_lines(found["attribute"]),
        "`answers`": _first_lines(found["answers"]),
        "`merge`": _first_lines(found["merge"]),
        "`hook` of a node type in TOSCA": _first_lines(HOOKS),
    }


def _first_lines(found: Mapping[Any, Callable[..., Any]]) -> dict[str, str]:
    texts = {str(name): inspect.getdoc(function) or "" for name, function in found.items()}
    return {name: _markdown(text.split("\n\n")[0]) for name, text in sorted(texts.items())}
