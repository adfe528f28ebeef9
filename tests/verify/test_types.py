"""Nodes of different types that do the same."""

from __future__ import annotations

from pathlib import Path

from bpconvert.verification import verify

SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  my.Web: {derived_from: tosca.nodes.WebServer}
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute}
    web: {type: TYPE, requirements: [host: vm]}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_types:
  my.Web: {derived_from: cloudify.nodes.WebServer}
node_templates:
  web: {type: TYPE, properties: {port: 80}}
"""
#: a relationship whose operation runs on no server
ORDERED = """\
tosca_definitions_version: tosca_simple_yaml_1_3
relationship_types:
  my.Connects: {derived_from: tosca.relationships.DependsOn}
topology_template:
  node_templates:
    db: {type: tosca.nodes.SoftwareComponent}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [dependency: {node: db, relationship: link}]
      interfaces: {Standard: {operations: {configure: {implementation: b.sh}}}}
  relationship_templates:
    link: {type: my.Connects, interfaces: {Configure: {operations: {pre_configure_target: {implementation: a.sh}}}}}
"""


def compared(folder: Path, first: str, second: str) -> list[str]:
    for name, text in (("a.yaml", first), ("b.yaml", second)):
        (folder / name).write_text(text, "utf-8")
    return [one.what for one in verify(folder / "a.yaml", folder / "b.yaml").differences]


def test_kinds_of_software(tmp_path: Path) -> None:
    """Neither creates anything; what they run is compared by itself."""
    types = ("tosca.nodes.WebServer", "my.Web")
    assert compared(tmp_path, *(SERVICE.replace("TYPE", one) for one in types)) == []


def test_a_type_and_the_one_that_it_is_derived_from(tmp_path: Path) -> None:
    types = ("cloudify.nodes.WebServer", "my.Web")
    assert compared(tmp_path, *(BLUEPRINT.replace("TYPE", one) for one in types)) == []
    others = [BLUEPRINT.replace("TYPE", "my.Web"), BLUEPRINT.replace("TYPE", "cloudify.nodes.WebServer")]
    assert compared(tmp_path, others[0], others[1].replace("80", "81")) == ["web.port"]


def test_the_order_of_operations_that_run_on_no_server(tmp_path: Path) -> None:
    assert compared(tmp_path, ORDERED, ORDERED) == []
    found = compared(tmp_path, ORDERED, ORDERED.replace("pre_configure_target", "post_configure_target"))
    assert any("waits for" in what or "preconfigure" in what or "pre_configure" in what for what in found)
