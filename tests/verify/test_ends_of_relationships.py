"""What is done at the two ends of a relationship, and in which order, is compared as the engines do it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import Difference, verify

HEAD = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
"""
BRIDGES = """\
relationships:
  own.linked:
    derived_from: cloudify.relationships.connected_to
    source_interfaces:
      cloudify.interfaces.relationship_lifecycle:
        establish: {implementation: run.sh, inputs: {own: {default: source}}}
    target_interfaces:
      cloudify.interfaces.relationship_lifecycle:
        establish: {implementation: run.sh, inputs: {own: {default: target}}}
node_templates:
  a: {type: cloudify.nodes.openstack.Server, properties: {image: debian-12, flavor: m1.small}}
  b: {type: cloudify.nodes.openstack.Server, properties: {image: debian-12, flavor: m1.small}}
  here:
    type: cloudify.nodes.ApplicationModule
    relationships:
      - {type: cloudify.relationships.contained_in, target: a}
      - {type: own.linked, target: there}
  there:
    type: cloudify.nodes.ApplicationModule
    relationships: [{type: cloudify.relationships.contained_in, target: b}]
"""
VOLUME = """\
node_templates:
  vm:
    type: cloudify.openstack.nodes.Server
    properties: {image: debian-12, flavor: m1.small}
    interfaces: {cloudify.interfaces.lifecycle: {start: run.sh}}
    relationships: [{type: cloudify.openstack.server_connected_to_floating_ip, target: ip}]
  ip: {type: cloudify.openstack.nodes.FloatingIP, properties: {floatingip: {floating_network_name: public}}}
  disk:
    type: cloudify.openstack.nodes.Volume
    properties: {volume: {size: 1}}
    relationships: [{type: cloudify.openstack.volume_attached_to_server, target: vm}]
"""


def differences(folder: Path, source: str, target: str, edit: tuple[str, str] = ("", "")) -> list[Difference]:
    """Convert a blueprint, change a text of the result, and compare."""
    (folder / "run.sh").write_text("#!/bin/sh\necho\n")
    blueprint, result = folder / "blueprint.yaml", folder / "there" / f"{target}.yaml"
    blueprint.write_text(HEAD + source)
    made = convert(blueprint, "cloudify", target)
    made.write(result)
    text = result.read_text()
    assert edit[0] in text
    result.write_text(text.replace(*edit) if edit[0] else text)
    return verify(blueprint, result, reported=made.diagnostics).differences


@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_both_ends_may_run_a_script_at_the_same_step(tmp_path: Path, target: str) -> None:
    assert differences(tmp_path, BRIDGES, target) == []


def test_the_script_of_each_end_is_compared(tmp_path: Path) -> None:
    for index, end in enumerate(("source", "target")):
        (tmp_path / str(index)).mkdir()
        found = differences(tmp_path / str(index), BRIDGES, "hot", (f"own: {end}", "own: other"))
        assert [(one.first, one.second) for one in found if not one.is_reported] == [(end, "other")]


@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_an_attachment_waits_for_its_two_nodes(tmp_path: Path, target: str) -> None:
    """Not for what other relationships and programs do for one of them, and nor does the volume."""
    assert [one for one in differences(tmp_path, VOLUME, target) if not one.is_reported] == []
