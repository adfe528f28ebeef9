"""The benchmark of the catalogue's coverage: what it counts, and that it finds what is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT, SHARED

SCRIPT = ROOT / "benchmarks" / "coverage.py"
MAP = SHARED / "reference" / "type_map.yaml"

TEMPLATE = """heat_template_version: 2018-08-31
resources:
  net: {type: "OS::Neutron::Net", properties: {name: inner}}
  attached:
    type: OS::Cinder::VolumeAttachment
    properties: {volume_id: {list_join: ["", [a, b]]}, instance_uuid: {get_attr: [net, subnets, 0]}}
  waits: {type: "OS::Heat::UpdateWaitConditionHandle"}
  play: {type: "OS::Heat::SoftwareConfig", properties: {group: ansible, config: "- hosts: all"}}
  runs: {type: "OS::Heat::SoftwareDeployment", properties: {config: {get_resource: play}, server: elsewhere}}
  calls: {type: "OS::Nova::KeyPair", properties: {name: {yaql: {expression: $, data: {get_attr: [net, name]}}}}}
outputs:
  name: {value: {get_attr: [net, name]}}
"""
BLUEPRINT = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  net: {type: cloudify.nodes.openstack.Network, properties: {resource_config: {name: inner}}}
  far: {type: cloudify.nodes.aws.ec2.Vpc}
outputs:
  name: {value: {get_attribute: [net, name]}}
"""


@pytest.fixture
def printed(tmp_path: Path) -> tuple[int, str]:
    if not MAP.exists():
        pytest.skip("../shared/reference/type_map.yaml is not beside this checkout")
    for folder, text in (("hot", TEMPLATE), ("cfy", BLUEPRINT)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "document.yaml").write_text(text)
    command = [sys.executable, SCRIPT, "--hot", tmp_path / "hot", "--cloudify", tmp_path / "cfy", "--examples"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def totals(text: str, label: str = "") -> str:
    [total] = [line for line in text.splitlines() if line.startswith(f"  TOTAL{label}  ")]
    return " ".join(total.removeprefix(f"  TOTAL{label}").split())


def test_a_lost_resource_counts_and_what_the_map_leaves_out_does_not(printed: tuple[int, str]) -> None:
    code, text = printed
    assert code == 1
    hot, cloudify = text.split("\ncloudify, ")
    assert "resources.attached" in hot
    assert "BPC790 OS::Heat::UpdateWaitConditionHandle" in hot.split("without a counterpart")[1]
    assert totals(cloudify) == "1 of 1 (100.0 %) 1 of 1 (100.0 %) 1 of 1 (100.0 %) 0 of 0 (0.0 %)"
    assert "BPC791 cloudify.nodes.aws.ec2.Vpc" in cloudify.split("without a counterpart")[1]


def test_what_is_left_out_is_counted_and_named(printed: tuple[int, str]) -> None:
    """The configuration for Ansible is the map's own exception, a call of yaql is none that excuses a type."""
    hot = printed[1].split("\ncloudify, ")[0]
    assert totals(hot) == "2 of 5 (40.0 %) 1 of 7 (14.3 %) 1 of 3 (33.3 %)"
    without = " without what is left out: "
    assert totals(hot, f"{without}map and engine") == "2 of 3 (66.7 %) 1 of 4 (25.0 %) 1 of 3 (33.3 %)"
    assert totals(hot, f"{without}functions, too") == "2 of 3 (66.7 %) 1 of 3 (33.3 %) 1 of 2 (50.0 %)"
    assert "2 (0 of them are converted) the map: configuration for a tool of the Heat agent" in hot
    assert "1 (0 of them are converted) a function: BPC201 " in hot
