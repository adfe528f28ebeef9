"""Edits of a service template whose playbooks run over an inventory."""

from __future__ import annotations

from pathlib import Path

from bpconvert import convert

SOURCE = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin@2.14', plugin:cloudify-ansible-plugin]
node_templates:
  rules:
    type: cloudify.openstack.nodes.SecurityGroup
    properties:
      security_group: {name: web}
      rules:
        - remote_ip_prefix: 0.0.0.0/0
          port: 80
        - remote_ip_prefix: 0.0.0.0/0
          port: 22
  machine: {type: cloudify.nodes.Compute, properties: {ip: 10.0.0.7}}
  site:
    type: cloudify.nodes.ansible.Playbook
    properties: {playbook_path: site/site.yaml}
    relationships:
      - type: cloudify.ansible.relationships.run_on_host
        target: machine
        source_interfaces:
          cloudify.interfaces.relationship_lifecycle:
            establish:
              inputs: {sources: {web: {hosts: {one: {ansible_host: 10.0.0.7}}}}}
"""


def test_what_runs_them_is_no_edit(tmp_path: Path) -> None:
    """A port that becomes two numbers: the rule is written in full, and nothing else."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text("- hosts: all\n  tasks: []\n")
    source, there = tmp_path / "blueprint.yaml", tmp_path / "there" / "tosca.yaml"
    source.write_text(SOURCE)
    convert(source, "cloudify", "tosca").write(there)
    there.write_text(there.read_text().replace("port_range_min: 80", "port_range_min: 79", 1))
    back = convert(there, "tosca", "cloudify").text
    changed = [line.strip() for line in back.splitlines() if line not in SOURCE.splitlines()]
    gone = [line.strip() for line in SOURCE.splitlines() if line not in back.splitlines()]
    assert gone == ["port: 80"]
    assert set(changed) <= {
        "- protocol: tcp", "remote_ip_prefix: 0.0.0.0/0", "port_range_min: 79", "port_range_max: 80",
        "direction: ingress", "ethertype: IPv4",
    }  # fmt: skip


def test_the_port_of_a_rule_goes_before_its_range() -> None:
    """The plugin puts it in the place of both ends."""
    source = SOURCE.replace("port: 80", "port: 80\n          port_range_max: 90")
    (first, *_) = convert(source, "cloudify", "hot").document["resources"]["rules"]["properties"]["rules"]
    assert (first["port_range_min"], first["port_range_max"]) == (80, 80)
