"""Software whose type is a document's own, is not known, or reaches its machine in another way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import Difference, verify

HEAD = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
"""
HOST = "  host: {type: cloudify.nodes.openstack.Server, properties: {image: debian-12, flavor: m1.small}}\n"
ON_HOST = "    relationships: [{type: cloudify.relationships.contained_in, target: host}]\n"
RUNS = "    interfaces: {cloudify.interfaces.lifecycle: {create: run.sh}}\n"


Silent = Callable[[str, str], tuple[list[Difference], set[str]]]


@pytest.fixture
def silent(tmp_path: Path) -> Silent:
    """The differences of a blueprint's conversion that nothing reports, and the codes above info."""

    def found(blueprint: str, target: str) -> tuple[list[Difference], set[str]]:
        (tmp_path / "run.sh").write_text("#!/bin/sh\necho\n")
        source, result = tmp_path / "blueprint.yaml", tmp_path / "there" / f"{target}.yaml"
        source.write_text(blueprint)
        made = convert(source, "cloudify", target)
        made.write(result)
        differences = verify(source, result, reported=made.diagnostics).differences
        codes = {one.code for one in made.diagnostics if one.severity.name != "INFO"}
        return [one for one in differences if not one.is_reported], codes

    return found


def test_a_type_of_the_document_may_have_a_name_like_cloudifys_own(silent: Silent) -> None:
    own = "{derived_from: cloudify.nodes.DBMS, properties: {port: {default: 1}}}"
    types = f"node_types: {{cloudify.nodes.Store: {own}}}\n"
    nodes = f"node_templates:\n{HOST}  store:\n    type: cloudify.nodes.Store\n{RUNS}{ON_HOST}"
    assert silent(HEAD + types + nodes, "hot") == ([], {"BPC378"})


def test_what_a_type_that_is_not_known_does_is_reported(silent: Silent) -> None:
    """Its parent's operations may be more than those that are seen."""
    types = "node_types: {own: {derived_from: acme.Store}}\n"
    head = HEAD.replace("]", ", plugin:acme]")
    nodes = f"node_templates:\n{HOST}  store:\n    type: own\n{RUNS}{ON_HOST}"
    differences, codes = silent(head + types + nodes, "hot")
    assert differences == []
    assert "BPC260" in codes


def test_a_script_that_comes_over_ssh_needs_no_agent(silent: Silent) -> None:
    head = HEAD.replace("]", ", 'plugin:cloudify-fabric-plugin']")
    host = HOST.replace("image:", "agent_config: {install_method: none}, image:")
    runs = (
        "    interfaces:\n      cloudify.interfaces.lifecycle:\n        create:\n"
        "          implementation: fabric.fabric_plugin.tasks.run_script\n"
        "          inputs: {script_path: run.sh, fabric_env: {user: root}}\n"
    )
    nodes = f"node_templates:\n{host}  app:\n    type: cloudify.nodes.SoftwareComponent\n{runs}{ON_HOST}"
    assert silent(head + nodes, "tosca")[0] == []


def test_software_without_a_machine_has_properties(silent: Silent) -> None:
    types = (
        "node_types:\n  own.App:\n    derived_from: cloudify.nodes.SoftwareComponent\n"
        "    properties: {a: {default: 1}}\n"
        "    interfaces: {cloudify.interfaces.lifecycle: {create: {implementation: run.sh,"
        " executor: central_deployment_agent}}}\n"
    )
    assert silent(f"{HEAD}{types}node_templates: {{app: {{type: own.App}}}}\n", "tosca")[0] == []


def test_a_script_of_a_relationship_that_loses_its_machine_is_reported(silent: Silent) -> None:
    """What it is contained in is a stand-in."""
    types = "node_types: {box: {derived_from: cloudify.nodes.Container}}\n"
    nodes = (
        f"node_templates:\n{HOST}  box:\n    type: box\n{ON_HOST}"
        "  one:\n    type: cloudify.nodes.ApplicationModule\n"
        "    relationships: [{type: cloudify.relationships.contained_in, target: box}]\n"
        "  two:\n    type: cloudify.nodes.ApplicationModule\n    relationships:\n"
        "      - {type: cloudify.relationships.contained_in, target: box}\n"
        "      - type: cloudify.relationships.depends_on\n        target: one\n"
        "        source_interfaces: {cloudify.interfaces.relationship_lifecycle: {preconfigure: run.sh}}\n"
    )
    assert silent(HEAD + types + nodes, "tosca")[0] == []


SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
data_types: {own.Key: {properties: {user: {type: string}}}}
node_types:
  own.Machine:
    derived_from: tosca.nodes.Compute
    interfaces: {Standard: {type: tosca.interfaces.node.lifecycle.Standard, operations: {create: run.sh}}}
topology_template:
  inputs: {key: {type: own.Key}}
  node_templates:
    machine:
      type: own.Machine
      interfaces: {Standard: {inputs: {key: {get_input: key}}}}
"""


def test_a_map_for_all_operations_of_an_interface_is_reported_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho\n")
    source, result = tmp_path / "service.yaml", tmp_path / "there" / "hot.yaml"
    source.write_text(SERVICE)
    made = convert(source, "tosca", "hot")
    made.write(result)
    (place,) = [one.path for one in made.diagnostics if one.code == "BPC395"]
    assert place[-3:] == ("Standard", "inputs", "key")
    assert [one for one in verify(source, result, reported=made.diagnostics).differences if not one.is_reported] == []


@pytest.mark.parametrize(("given", "expected"), [("{get_input: where}", []), ("there", ["a.home"])])
def test_programs_see_the_defaults_of_their_type(tmp_path: Path, given: str, expected: list[str]) -> None:
    """Where they are computed, too: given as such, they are no difference."""
    (tmp_path / "w.sh").write_text("#!/bin/sh\n")
    head = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
inputs: {where: {default: here}}
node_types: {my.App: {derived_from: cloudify.nodes.Root, properties: {home: {default: {get_input: where}}}}}
node_templates:
"""
    step = "interfaces: {cloudify.interfaces.lifecycle: {create: w.sh}}"
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text(f"{head}  a: {{type: my.App, {step}}}\n")
    second.write_text(f"{head}  a: {{type: my.App, properties: {{home: {given}}}, {step}}}\n")
    assert [row.what for row in verify(first, second, draws=0).differences] == expected
