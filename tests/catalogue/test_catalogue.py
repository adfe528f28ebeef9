"""The type catalogue: its files fit together, and what it writes exists in Heat and in the plugin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import ROOT, SHARED
from pydantic import ValidationError

from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.model import COLUMNS, Kind, PropertyRule, validated
from bpconvert.translators.catalogue.plugin import is_openstack
from bpconvert.translators.catalogue.types import builtin, raw
from bpconvert.translators.cloudify import hook_names, hooks
from bpconvert.translators.cloudify.openstack import attributes as runtime
from bpconvert.translators.cloudify.write import components
from bpconvert.translators.hot.read import older_types
from bpconvert.translators.tosca import column
from bpconvert.translators.tosca.read import hooks as tosca_hooks
from bpconvert.translators.tosca.vocabulary import heat_name

pytestmark = pytest.mark.one_version

FOLDER = ROOT / "translators" / "catalogue"
KINDS = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem not in ("index", "node_types", "stand_ins"))


def kind(name: str) -> Kind:
    found = builtin().kind(name)
    assert found is not None
    return found


def rules(entry: Kind) -> Iterator[tuple[str, PropertyRule]]:
    for name, rule in entry.properties.items():
        yield name, rule
        for inner, part in rule.each.items():
            yield f"{name}[].{inner}", part


def test_the_index_names_every_file_and_type() -> None:
    index = builtin().types("hot") | builtin().written_only("hot")
    assert sorted({*index.values(), *(name for name in KINDS if not kind(name).heat)}) == KINDS
    assert index == {heat: name for name in KINDS for heat in [*kind(name).heat, *kind(name).also]}
    assert {heat for name in KINDS for heat in kind(name).also} == older_types.OLDER.keys()


def test_the_index_says_only_what_no_file_of_a_kind_says() -> None:
    """What a relationship to another kind does is in the kind's own file (``side_effects``)."""
    said = {"heat", "back", "cloudify", "tosca", "tosca_otherwise", "otherwise", "splits", "without_effect", "only"}
    assert raw("index").keys() == said


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_valid(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COLUMNS, "tosca", column.COLUMN)
    assert asdict(validated(yaml.safe_load((FOLDER / f"{name}.yaml").read_text()))) == asdict(kind(name))


def test_a_wrong_key_is_refused() -> None:
    with pytest.raises(ValidationError, match="relationshp"):
        validated({"kind": "x", "heat": [], "properties": {"p": {"lift": {"relationshp": "r", "targets": []}}}})


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_complete(name: str) -> None:
    entry = kind(name)
    assert entry.kind == name
    assert entry.merge is not None or entry.cloudify is not None
    if entry.merge is not None and entry.cloudify is not None:
        assert entry.cloudify.v2 is not None
        assert entry.cloudify.type == entry.cloudify.v2.type
    assert entry.merge is None or entry.merge in hooks.MERGES
    assert set(entry.aliases.values()).isdisjoint(entry.aliases)
    for where, rule in rules(entry):
        said = [rule.to, rule.carry, rule.flatten, rule.hook]
        assert any(said), where
        known = {*hooks.PRESENT, *components.PRESENT, *hooks.ITEM, *hooks.ABSENT, *hooks.PREPARE, *hooks.FITTING}
        known |= {*hooks.READ} if rule.to else set()
        assert rule.hook is None or rule.hook in known, where
        for target in rule.lift.targets if rule.lift else ():
            assert builtin().kind(target) is not None, where
    for where, attribute in entry.attributes.items():
        answers = [attribute.to, attribute.property, attribute.reference, attribute.hook]
        assert sum(answer is not None for answer in answers) == 1, where
        assert attribute.hook is None or attribute.hook in hook_names.functions()["attribute"], where
        assert attribute.reference is None or attribute.reference in entry.properties, where
        assert attribute.property is None or any(r.to == attribute.property for _, r in rules(entry)), where


@pytest.mark.parametrize("name", KINDS)
def test_a_file_says_the_way_back(name: str) -> None:
    entry = kind(name)
    assert entry.answers.keys() <= {"cloud_config", "ip", "public_ip", "public_ip_address"} | {
        "external_resource", "fixed_ips", "fixed_ip_address",
        *(f"ipv{version}_address{plural}" for version in "46" for plural in ("", "es")),
    }  # fmt: skip
    assert set(entry.answers.values()) <= runtime.ANSWERS.keys()
    paths = [path for _, rule in rules(entry) for path in (rule.to, *rule.accept) if path]
    assert set(entry.only).isdisjoint(paths)
    for where, rule in rules(entry):
        assert rule.hook is None or rule.hook in {*hooks.READ, *hooks.PLAIN}, where
        assert rule.lift is None or rule.lift.fill in ("value", "item", "entry", "key", "absent", "instead"), where
        for other, values in rule.lift.implies.items() if rule.lift else ():
            assert other in entry.properties, where
            assert rule.lift is not None
            assert set(values) == set(rule.lift.targets), where


def test_every_node_type_is_in_the_index() -> None:
    known = builtin().types("cloudify")
    assert {found for found in known.values() if found} <= set(KINDS)
    for name in KINDS:
        row = kind(name).cloudify
        if row is not None and name not in ("provider_net", "software_deployment", "cfn_stack"):
            assert known[row.type] == name
            assert row.v2 is None or known[row.v2.type] == name


def test_every_node_type_of_tosca_is_in_the_index() -> None:
    columns = {entry.kind: column.types_of(entry) for entry in builtin().with_column("tosca")}
    assert columns.keys() == {name for name in KINDS if "tosca" in kind(name).columns}
    index = builtin().types("tosca")
    assert {name: one for one, row in columns.items() for name in row.accept} == {k: v for k, v in index.items() if v}
    assert {row.hook for entry in columns.values() for row in entry.accept.values()} - {
        None
    } == tosca_hooks.HOOKS.keys()
    for name, entry in columns.items():
        properties = (kind(name).schema() or {}).get("properties", {})
        said = [*entry.names.values(), *entry.unambiguous]
        said += [mine for row in entry.accept.values() for mine in (*row.names.values(), *row.split)]
        ways: list[Any] = [way for row in entry.accept.values() for way in row.requirements.values()]
        ways += [way for way in entry.requirements.values() if way.to]
        assert {*said, *(way.to.partition(".")[0] for way in ways)} <= set(properties), name
        assert {target for way in ways for target in way.targets} <= set(KINDS)
        assert entry.values.keys() <= {*entry.names, *(theirs for row in entry.accept.values() for theirs in row.names)}
        known = (kind(name).schema() or {}).get("attributes", {})
        for attribute, meant in entry.attributes.items():
            assert meant.identity != bool(meant.to), attribute
            assert meant.identity or meant.to.partition(".")[0] in known, attribute
        assert set(entry.properties).isdisjoint(properties), name
        parts = [entry.parent, *(row.node for row in entry.requirements.values())]
        assert [part for part in parts if part not in schemas.normative()["node_types"] and not heat_name(part)] == []
    assert builtin().otherwise_of("tosca").keys().isdisjoint(index)


def test_relationships_that_create_something_fit_the_kinds() -> None:
    for row in builtin().plugin.splits:
        assert {row.source, row.target, row.kind} <= set(KINDS)
        schema = json.loads(shared("reference", "heat_types.json").read_text())["types"][kind(row.kind).heat[0]]
        assert {row.near, row.far} <= schema["properties"].keys()


def shared(*parts: str) -> Path:
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"../shared/{'/'.join(parts)} is not beside this checkout")
    return path


@pytest.mark.parametrize("name", KINDS)
def test_every_property_of_heat_has_a_rule(name: str) -> None:
    """Of the types with a node; absorbed ones take their properties apart in Python."""
    schema = json.loads(shared("reference", "heat_types.json").read_text())["types"]
    entry = kind(name)
    for heat in entry.heat:
        known = {key for key, prop in schema[heat]["properties"].items() if prop.get("implemented", True)}
        said = {*entry.properties, *entry.aliases}
        assert entry.aliases.keys() <= known
        if (schemas.heat_type(heat) or {}).get("any_property"):
            continue  # Heat has removed the type, and takes anything
        if entry.cloudify is not None:
            assert known - said == set()
            assert set(entry.properties) - known == set()
            attributes = {one for one, row in entry.attributes.items() if not row.also}
            assert attributes - set(schema[heat]["attributes"]) <= {"first_address", "metadata_values", "show"}


def plugin() -> dict[str, Any]:
    folder = shared("engines", "imports", "plugins", "cloudify-openstack-plugin")
    merged: dict[str, Any] = yaml.safe_load((folder / "plugin.yaml").read_text())
    return merged


@pytest.mark.parametrize("name", [n for n in KINDS if is_openstack(kind(n)) and not kind(n).merge])
def test_every_property_that_is_written_is_declared_by_the_plugin(name: str) -> None:
    declared, entry = plugin(), kind(name)
    assert entry.cloudify is not None
    node_type = declared["node_types"][entry.cloudify.type]
    config = declared["data_types"][node_type["properties"]["resource_config"]["type"]]["properties"]
    top = {*node_type["properties"], "agent_config"}
    for where, rule in entry.properties.items():
        steps = (rule.to or rule.flatten or "").split(".")
        if steps == [""]:
            continue
        assert steps[0] in top, where
        if steps[0] == "resource_config":
            assert steps[1] in config, where
            declared_type = config[steps[1]].get("type")
            assert declared_type not in ("integer", "boolean") or rule.type == declared_type, where
    for rule in (part for _, part in rules(entry) if part.lift):
        assert rule.lift is not None
        known = {
            *declared["relationships"],
            "cloudify.relationships.connected_to",
            "cloudify.relationships.contained_in",
        }
        assert rule.lift.relationship in {*known, "cloudify.relationships.depends_on"}


@pytest.mark.parametrize("name", [*KINDS, "index"])
def test_a_file_is_read_by_the_fast_scanner(name: str) -> None:
    """libyaml refuses ``::`` between brackets; the slower scanners would be imported for it."""
    from ruamel.yaml.cyaml import CParser

    parser, events = CParser((FOLDER / f"{name}.yaml").read_text()), 0
    while parser.check_event():
        parser.get_event()
        events += 1
    assert events > 10
