"""Every property of the type catalogue, there and back: it arrives where its rule says, or a diagnostic says why not;
and it comes back as it was, or a diagnostic or the catalogue says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from type_rows import (
    ROW,
    Kind,
    PropertyRule,
    at,
    blueprint,
    declared,
    kinds,
    leaves,
    minimal,
    node,
    rows,
    same,
    template,
    to_cloudify,
    to_heat,
    value_of,
)

from bpconvert.api import Result
from bpconvert.diagnostics import Diagnostic, Fidelity, Severity
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.model import Only
from bpconvert.translators.catalogue.plugin import is_openstack

#: (kind, property) -> why a literal is reported as carried though the property has a counterpart
NOT_THERE: Final[dict[tuple[str, str], str]] = {
    ("share", "access_rules"): "the plugin allows the address of a server or subnet of the template, no literal one",
}

#: (kind, property) -> the newer property that comes back in its place, and its value
NEWER: Final[dict[tuple[str, str], tuple[str, Any]]] = {
    ("random_string", "sequence"): ("character_classes", [{"class": "uppercase", "min": 1}]),
    ("server", "block_device_mapping"): (
        "block_device_mapping_v2",
        [
            {
                "snapshot_id": "11111111-2222-4333-8444-000000000009", "boot_index": -1,
                "delete_on_termination": True, "device_name": "device_name text", "volume_size": 2,
            }
        ],
    ),
}  # fmt: skip

ROWS: Final = [pytest.param(kind, name, rule, id=f"{kind.kind}-{name}") for kind, name, rule in rows()]
#: a node's setting -> the property that it is
SETTINGS: Final = [
    pytest.param(kind, name, rule, path, id=f"{kind.kind}-{path}")
    for kind, name, rule in rows()
    for path in ([rule.to, *rule.accept] if rule.to and not (rule.hook or rule.each or rule.items) else [])
]


def findings(result: Result, *place: Any) -> list[Diagnostic]:
    """What was said of a place and what is below it."""
    return [found for found in result.diagnostics if found.path[: len(place)] == place]


def is_plain(rule: PropertyRule) -> bool:
    """True for a rule that copies the value."""
    return rule.to is not None and not (rule.hook or rule.lift or rule.each or rule.items or rule.flatten)


def is_sent(kind: Kind, rule: PropertyRule) -> bool:
    """False for a setting that openstacksdk drops."""
    sent = declared_by("sdk").get(kind.cloudify.type) if kind.cloudify else None
    *place, setting = (rule.to or "").split(".")
    return sent is None or place != ["resource_config", "kwargs"] or setting in sent


def typed(rule: PropertyRule, value: Any) -> Any:
    return {"string": str, "integer": int}.get(rule.type or "", lambda same: same)(value)


@pytest.mark.parametrize(("kind", "name", "rule"), ROWS)
def test_a_property_arrives(kind: Kind, name: str, rule: PropertyRule) -> None:
    value = value_of(kind, name)
    result = to_cloudify(template(kind, {**minimal(kind, name), name: value}))
    written = result.document["node_templates"][ROW]
    said = findings(result, "resources", ROW, "properties", name)
    if rule.carry:
        assert any(found.code in ("BPC250" if rule.unneeded else "BPC302", "BPC306") for found in said)
        return
    carried = [found for found in said if found.fidelity is Fidelity.CARRIED]
    assert bool(carried) == ((kind.kind, name) in NOT_THERE or not is_sent(kind, rule))
    if carried:
        return
    if is_plain(rule):
        assert at(written["properties"], str(rule.to)) == typed(rule, value)
    else:
        text = str(result.document["node_templates"]).lower()
        assert said or [leaf for leaf in leaves(value) if leaf not in text] == []


@pytest.mark.parametrize(("kind", "name", "rule"), ROWS)
def test_a_property_comes_back(kind: Kind, name: str, rule: PropertyRule) -> None:
    value = value_of(kind, name)
    there = to_cloudify(template(kind, {**minimal(kind, name), name: value}))
    resources = to_heat(there.text).document["resources"]
    assert resources[ROW]["type"] in (*kind.heat, *kind.also)
    said = findings(there, "resources", ROW, "properties", name)
    name, value = NEWER.get((kind.kind, name), (name, value))
    known = declared(kind, name)
    assert (
        any(same(known, found, value) for found in given(resources, name))
        or value in rule.ignore
        or [one for one in said if one.fidelity > Fidelity.REWRITTEN]
    )


def given(resources: dict[str, Any], name: str) -> list[Any]:
    """What the row has for a property, and what resources about the row have for it, with the ids of what exists."""
    ids = {label: one["external_id"] for label, one in resources.items() if "external_id" in one}

    def known(value: Any) -> Any:
        if isinstance(value, dict):
            return ids.get(value.get("get_resource"), {key: known(item) for key, item in value.items()})
        return [known(item) for item in value] if isinstance(value, list) else value

    properties = [one.get("properties", {}) for one in resources.values()]
    about = [one for one in properties if {"get_resource": ROW} in one.values() and name in one]
    return [at(resources[ROW], ("properties", name)), *(known(one[name]) for one in about)]


@pytest.mark.parametrize(("kind", "name", "rule", "path"), SETTINGS)
def test_a_setting_becomes_the_property(kind: Kind, name: str, rule: PropertyRule, path: str) -> None:
    """And goes back to where the rule has it."""
    value = value_of(kind, name)
    result = to_heat(blueprint({ROW: node(kind, {path: value})}))
    resource = result.document["resources"][ROW]
    known = declared(kind, name)
    said = findings(result, "node_templates", ROW, "properties", *path.split("."))
    assert same(known, at(resource, ("properties", name)), value) or [
        one for one in said if one.fidelity > Fidelity.REWRITTEN
    ]
    nodes = to_cloudify(result.text).document["node_templates"]
    again, text = nodes[ROW], str(nodes).lower()
    assert (
        said
        or not is_sent(kind, rule)
        or same(known, at(again["properties"], str(rule.to)), value)
        or (rule.lift and [leaf for leaf in leaves(value) if leaf not in text] == [])
    )


ONLY: Final = [
    pytest.param(kind, path, row, id=f"{kind.kind}-{path}") for kind in kinds() for path, row in kind.only.items()
]


@pytest.mark.parametrize(("kind", "path", "row"), ONLY)
def test_what_only_cloudify_has_is_named(kind: Kind, path: str, row: Only) -> None:
    texts: list[Any] = [{"install_method": "remote"}] if path == "agent_config" else [True, False, "some text"]
    value = next(value for value in texts if value not in row.ignore)
    result = to_heat(blueprint({ROW: node(kind, {path: value})}))
    said = findings(result, "node_templates", ROW, "properties", *path.split("."))
    assert [found for found in said if found.fidelity is Fidelity.CARRIED]
    assert row.harmless or row.unread or max(found.severity for found in said) >= Severity.WARNING


def declared_by(library: str) -> dict[str, Any]:
    """The types of a plugin, or the settings that openstacksdk sends (``sdk``)."""
    found: dict[str, Any] = json.loads((Path(schemas.__file__).parent / "cloudify" / f"{library}.json").read_text())
    return found


@pytest.mark.parametrize("kind", [kind for kind in kinds() if is_openstack(kind)], ids=lambda kind: kind.kind)
def test_every_setting_is_known_to_the_plugin_and_sent(kind: Kind) -> None:
    """The parser refuses unknown keys of ``resource_config``; openstacksdk drops those of ``kwargs`` without a word."""
    assert kind.cloudify is not None
    plugin, sent = declared_by("openstack"), declared_by("sdk").get(kind.cloudify.type)
    config = plugin["node_types"][kind.cloudify.type]["properties"]["resource_config"]["type"]
    known = plugin["data_types"][config]["properties"]
    for owner, name, _ in rows():
        if owner is kind:
            text = template(kind, {**minimal(kind, name), name: value_of(kind, name)})
            written = to_cloudify(text).document["node_templates"][ROW]["properties"]["resource_config"]
            assert written.keys() - known.keys() == set(), name
            further = set(written.get("kwargs", {}))
            assert sent is None or further - set(sent) == set(), name
