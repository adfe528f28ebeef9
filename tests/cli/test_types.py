"""``bpconvert types``: what maps to what, as a table, for one type, and as JSON; the same tables make docs/types.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from checkout import CORPUS

from bpconvert.cli.main import FAILED, OK, main
from bpconvert.cli.type_tables import Sheet, names, sheets
from bpconvert.translators.catalogue.stand_ins import losses
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.tosca.column import meaning

EXAMPLE = CORPUS / "hot" / "types-of-a-site" / "site-types.yaml"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["types", *arguments]) == OK
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(said(capsys, *arguments, "--format", "json"))


def sheet(name: str) -> Sheet:
    return Sheet(names(builtin())[name], builtin())


def test_the_table_has_every_type_once_and_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys).splitlines()
    listed = [line.split()[0] for line in lines[1:]]
    assert len(set(listed)) == len(listed)
    assert {*builtin().types("hot"), *builtin().written_only("hot"), *builtin().otherwise} <= set(listed)
    start = lines[0].index("HOW")
    assert all(line[start - 1] == " " and line[start] != " " for line in lines)
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("heat", "cells"),
    [
        ("OS::Neutron::Port", ["cloudify.nodes.openstack.Port", "cloudify.openstack.nodes.Port",
                               "openstack.neutron.Port", "node"]),
        ("OS::Cinder::VolumeAttachment", ["openstack.cinder.VolumeAttachment", "part of the volume"]),
        ("OS::Heat::DeployedServer", ["cloudify.nodes.Compute", "openstack.heat.DeployedServer", "only read back"]),
        ("OS::Heat::ResourceGroup", ["a scaling group of its members"]),
        ("OS::Heat::UpdateWaitConditionHandle", ["stand-in", "carried: there is no URL that a server could signal to"]),
        ("OS::Octavia::*", ["stand-in"]),
    ],
)  # fmt: skip
def test_how_a_type_is_converted(heat: str, cells: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line = next(line for line in said(capsys).splitlines() if line.startswith(f"{heat} "))
    assert [cell.strip() for cell in line.split("  ") if cell.strip()][1 : len(cells) + 1] == cells


def test_fidelity_counts_the_properties_without_a_counterpart() -> None:
    for found in sheets(builtin()):
        carried = sum(bool(rule.carry) for rule in found.kind.properties.values())
        for row in found.rows():
            total = len(found.kind.properties)
            words = f"{carried} of {total} properties carried" if carried else "exact" if total else ""
            assert row.fidelity == words


def test_one_type_shows_every_property_and_attribute(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "OS::Nova::Server")
    kind = names(builtin())["OS::Nova::Server"]
    for name, rule in kind.properties.items():
        line = next(line for line in text.splitlines() if line.split()[:1] == [name])
        assert rule.to is None or rule.carry or rule.to in line
        assert rule.carry is None or line.endswith(f"no counterpart: {rule.carry}")
    for part in (*kind.attributes, *kind.constants, *kind.only, *kind.side_effects, *kind.answers):
        assert f"  {part}  " in text or f"  to {part}  " in text, part
    assert "relationship server_connected_to_keypair" in text
    assert "networks[].port " in text
    assert "server_connected_to_floating_ip " in text


def test_defaults_notes_and_ways(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "OS::Heat::RandomString")
    assert "Heat's default 32 is written" in text
    assert "note          the text is kept as a secret of the manager" in text
    assert "get_resource  runtime property password" in text
    assert "symbols  -1" in text
    assert "an older name of network" in said(capsys, "OS::Neutron::Port")


@pytest.mark.parametrize("name", ["cloudify.nodes.openstack.Server", "cloudify.openstack.nodes.WindowsServer"])
def test_a_node_type_shows_its_kind(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, name) == said(capsys, "OS::Nova::Server")


def test_a_type_without_a_counterpart_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "OS::Heat::ScalingPolicy", "OS::Octavia::Flavor", "cloudify.nodes.terraform.Module")
    assert losses()["hot"]["OS::Heat::ScalingPolicy"].todo in text
    assert text.count("a stand-in: ") == 3


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("OS::Nova::Serverr", "did you mean OS::Nova::Server"),
        ("os::nova::server", "did you mean OS::Nova::Server"),
        ("cloudify.nodes.openstack.Sever", "did you mean cloudify.nodes.openstack.Server"),
        ("nonsense", "'bpconvert types' lists all types"),
    ],
)
def test_an_unknown_type(name: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", name, "OS::Neutron::Net"]) == FAILED
    told = capsys.readouterr()
    assert told.out.startswith("OS::Neutron::Net\n")
    assert f"nothing is known about '{name}'" in told.err
    assert hint in told.err


def test_json_of_all_and_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["heat"]: row for row in as_json(capsys)}
    assert rows["OS::Nova::Server"]["kind"] == "server"
    assert rows["OS::Nova::Server"]["properties"] == len(names(builtin())["OS::Nova::Server"].properties)
    (found,) = as_json(capsys, "OS::Neutron::Port")
    assert found["heat"] == ["OS::Neutron::Port"]
    assert found["side_effects"]["to net"] == "sets the network"
    network = next(one for one in found["properties"] if one["name"] == "network")
    assert network["path"] == "resource_config.network_id"
    assert network["targets"] == ["net", "provider_net"]
    assert network["relationship"] == "cloudify.relationships.connected_to"


def test_mappings_of_a_site_apply(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--types", str(EXAMPLE)]
    assert "\nAcme::DNS::Alias " in said(capsys, *options)
    text = said(capsys, "acme.dns.nodes.Alias", *options)
    assert "imports       plugin:acme-dns-plugin" in text
    assert "no counterpart: our plugin keeps no comments" in text
    assert "accessIPv6" not in said(capsys, "OS::Nova::Server", *options)
    broken = tmp_path / "broken.yaml"
    broken.write_text("kind: 1\n")
    assert main(["types", "--types", str(broken)]) == FAILED
    assert f"{broken}:1:1: error BPC163" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("openstack.nova.Server", "OS::Nova::Server"),
        ("tosca.nodes.Compute", "flavor and image are parameters"),
        ("tosca.nodes.WebServer", "software"),
    ],
)
def test_types_of_tosca_are_known(capsys: pytest.CaptureFixture[str], name: str, wanted: str) -> None:
    assert main(["types", name]) == 0
    assert wanted in capsys.readouterr().out


def test_what_is_read_has_words_for_each_type_of_tosca() -> None:
    known = [name for name, kind in builtin().types("tosca").items() if kind is not None]
    words = {name: meaning(builtin(), name) or "" for name in known}
    assert words["tosca.nodes.nfv.VDU"] == (
        "OS::Nova::Server; flavor and image are parameters, with what its capabilities ask for in words, where its "
        "properties do not name them"
    )
    assert words["tosca.nodes.network.FloatingIP"] == "OS::Neutron::FloatingIP"
    assert words["tosca.nodes.nfv.VL"] == "OS::Neutron::Net and its subnet"
    assert [name for name, text in words.items() if not text or "{" in text] == []
    assert meaning(builtin(), "tosca.nodes.MiCADO.Container.Volume") is None
