"""There and back without the kept source: the same is meant, in the node types of the source's generation."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT

from bpconvert import roundtrip, verify

CORPUS = ROOT / "corpus"
#: cases that mean the same after a way there and back
SAME = (
    "hot/keypair-named-by-the-stack",
    "hot/required-properties-that-are-null",
    "hot/software-on-a-given-server",
    "hot/volume-attached-after-its-server",
    "hot/volume-attachment-cycle",
    "hot/volume-with-or-without-a-type",
    "hot/what-a-blueprint-keeps",
    "cfy/existing-resources-created-where-missing",
    "cfy/keypairs-without-names",
    "cfy/mistake-external-by-function",
    "cfy/v2-flavor-by-its-operation",
)
SECOND = "http://www.getcloudify.org/spec/openstack-plugin/2.14.8/plugin.yaml"
COMPAT = "https://raw.githubusercontent.com/cloudify-cosmo/cloudify-openstack-plugin/3.2.7/compat.yaml"


@pytest.mark.parametrize("name", SAME)
def test_the_same_is_meant(name: str, tmp_path: Path) -> None:
    source = CORPUS / name / ("hot.yaml" if name.startswith("hot/") else "blueprint.yaml")
    trip = roundtrip(source, carry=False)
    for file, text in {**trip.there.files, **trip.back.files, source.name: trip.back.text}.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    found = verify(source, tmp_path / source.name, draws=4)
    assert not found.differences
    assert found.compared


@pytest.mark.parametrize(
    ("imports", "type"),
    [
        (SECOND, "cloudify.openstack.nodes.Network"),
        (f"plugin:cloudify-openstack-plugin, {COMPAT}", "cloudify.nodes.openstack.Network"),
    ],
)
def test_the_way_back_writes_the_generation_that_runs_the_source(imports: str, type: str) -> None:
    """compat.yaml lets the third generation run nodes of the second."""
    text = "\n".join(
        [
            "tosca_definitions_version: cloudify_dsl_1_3",
            f"imports: [cloudify/types/types.yaml, {imports}]",
            "node_templates: {net: {type: cloudify.openstack.nodes.Network, properties: {resource_id: inner}}}",
        ]
    )
    back = roundtrip(text, carry=False).back
    assert back.document["node_templates"]["net"]["type"] == type


def rules_of(name: str, tmp_path: Path, rules: str) -> tuple[bool, str]:
    """Whether rules that an input yields come back the same, and the result."""
    compat = f", {COMPAT}" if name.startswith("cloudify.openstack.") else ""
    key = "rules" if compat else "security_group_rules"
    text = f"""tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin{compat}]
inputs: {{given: {{type: list, default: [{rules}]}}}}
node_templates: {{group: {{type: {name}, properties: {{{key}: {{get_input: given}}}}}}}}
"""
    back = roundtrip(text, carry=False).back.text
    (tmp_path / "back.yaml").write_text(back)
    (tmp_path / "source.yaml").write_text(text)
    return verify(tmp_path / "source.yaml", tmp_path / "back.yaml").is_same, back


def test_rules_of_an_input_are_completed_by_a_node_of_the_second_generation(tmp_path: Path) -> None:
    same, back = rules_of("cloudify.openstack.nodes.SecurityGroup", tmp_path, "{port: 22}")
    assert same
    assert "type: cloudify.openstack.nodes.SecurityGroup" in back
    assert COMPAT in back


def test_rules_of_an_input_need_no_modes(tmp_path: Path) -> None:
    rule = "{direction: ingress, protocol: tcp, port_range_min: 1, port_range_max: 2, remote_ip_prefix: 0.0.0.0/0}"
    same, back = rules_of("cloudify.nodes.openstack.SecurityGroup", tmp_path, rule)
    assert same
    assert "security_group_rules: {get_input: given}" in back
