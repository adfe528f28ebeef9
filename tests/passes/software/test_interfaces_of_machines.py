"""What runs, under whose name and where, when operations get the names of another language; and what does not run."""

from __future__ import annotations

import json
from typing import Any

import pytest
import service_heads

from bpconvert.api import Result, convert

SHELL, PYTHON = "#!/bin/sh\necho\n", "#!/usr/bin/env python\nprint(1)\n"
FILES = {"a.sh": SHELL, "b.sh": SHELL, "p.py": PYTHON}
SERVICE = service_heads.HEAD + "topology_template:\n  node_templates:\n"
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
plugins: {p: {executor: central_deployment_agent, install: false}}
node_types:
  my.Func: {derived_from: cloudify.nodes.Root, properties: {a: {default: 1}}}
  my.App: {derived_from: cloudify.nodes.SoftwareComponent}
node_templates:
  vm: {type: cloudify.nodes.openstack.Server, properties: {resource_config: {image_id: i, flavor_id: f}}}
"""
MACHINE = "    vm: {type: tosca.nodes.Compute%s}\n"


def to_cloudify(nodes: str, **options: Any) -> Result:
    return convert(f"{SERVICE}{nodes}".encode(), "tosca", "cloudify", beside=FILES, carry=False, **options)


def to_tosca(nodes: str) -> Result:
    return convert(f"{BLUEPRINT}{nodes}".encode(), "cloudify", "tosca", beside=FILES, carry=False)


def standard(**operations: str) -> str:
    own = ", ".join(f"{name}: {operation}" for name, operation in operations.items())
    return f"interfaces: {{Standard: {{operations: {{{own}}}}}}}"


def lifecycle(**operations: str) -> str:
    own = ", ".join(f"{name}: {operation}" for name, operation in operations.items())
    return f"interfaces: {{cloudify.interfaces.lifecycle: {{{own}}}}}"


def operations(result: Result, name: str) -> Any:
    return result.document["node_templates"][name].get("interfaces", {}).get("cloudify.interfaces.lifecycle", {})


def templates(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = result.document["topology_template"]["node_templates"]
    return found


def targets(result: Result, name: str) -> list[tuple[str, str]]:
    rows = result.document["node_templates"][name].get("relationships", [])
    return [(row["type"].rpartition(".")[2], row["target"]) for row in rows]


def told(result: Result, *codes: str) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in result.diagnostics if one.code in codes]


# -- the operations of a machine ----------------------------------------------------------------------------


def test_operations_of_a_machine_are_those_of_software_on_it() -> None:
    """What waits for the machine waits for them, but not what they need."""
    machine = MACHINE % f", {standard(create='a.sh', start='b.sh')}, requirements: [{{dependency: before}}]"
    others = (
        "    before: {type: tosca.nodes.network.Network}\n"
        "    after: {type: tosca.nodes.network.Network, requirements: [{dependency: vm}]}\n"
        "    free: {type: tosca.nodes.network.Network}\n"
        f"    app: {{type: tosca.nodes.SoftwareComponent, requirements: [{{host: vm}}], {standard(create='a.sh')}}}\n"
    )
    result = to_cloudify(machine + others)
    assert operations(result, "vm_software") == {
        "create": {"implementation": "a.sh"},
        "start": {"implementation": "b.sh"},
    }
    assert "implementation" not in str(operations(result, "vm"))
    assert result.document["node_templates"]["vm_software"]["type"] == "cloudify.nodes.SoftwareComponent"
    assert targets(result, "vm_software") == [("contained_in", "vm")]
    assert targets(result, "after") == [("depends_on", "vm"), ("depends_on", "vm_software")]
    assert targets(result, "app") == [("contained_in", "vm"), ("depends_on", "vm_software")]
    assert targets(result, "before") == targets(result, "free") == []


def test_it_waits_for_what_the_relationships_of_the_machine_lead_to() -> None:
    """Where an operation runs between the two; once for each."""
    rows = "{pre_configure_source: a.sh, post_configure_source: b.sh}"
    relationship = f"{{type: tosca.relationships.ConnectsTo, interfaces: {{Configure: {{operations: {rows}}}}}}}"
    needs = f"requirements: [{{dependency: {{node: net, relationship: {relationship}}}}}]"
    machine = MACHINE % f", {standard(create='a.sh')}, {needs}"
    result = to_cloudify(f"    net: {{type: tosca.nodes.network.Network}}\n{machine}")
    assert [target for _, target in targets(result, "vm_software")] == ["vm", "net"]


def test_the_name_of_that_software_is_a_free_one() -> None:
    machine = MACHINE % f", {standard(create='a.sh')}"
    other = f"    vm_software: {{type: tosca.nodes.SoftwareComponent, {standard(create='a.sh')}}}\n"
    assert "vm_software_2" in to_cloudify(machine + other).document["node_templates"]


def test_a_machine_without_such_operations_is_alone() -> None:
    result = to_cloudify(MACHINE % "")
    assert list(result.document["node_templates"]) == ["vm"]


def test_an_operation_of_a_machine_that_no_step_has_does_not_run() -> None:
    """It is kept."""
    result = to_cloudify(MACHINE % f", {standard(weird='a.sh', create='b.sh')}")
    message = "operation Standard.weird of 'vm' is not run: Cloudify has no such operation"
    assert told(result, "BPC831") == [("BPC831", message)]
    kept = json.loads(result.document["metadata"]["bpconvert_kept"])["nodes"]["vm"]["operations"]
    assert [(row["name"], row["implementation"]) for row in kept] == [("weird", "a.sh")]
    assert list(operations(result, "vm_software")) == ["create"]


# -- what is software ---------------------------------------------------------------------------------------


def test_a_node_of_which_only_operations_are_known_is_software() -> None:
    node = f"    odd: {{type: tosca.nodes.Root, {standard(create='a.sh')}}}\n"
    result = to_cloudify(node)
    assert result.document["node_templates"]["odd"] == {
        "type": "cloudify.nodes.SoftwareComponent",
        "interfaces": {
            "cloudify.interfaces.lifecycle": {
                "create": {"implementation": "a.sh", "executor": "central_deployment_agent"}
            }
        },
    }
    assert told(result, "BPC843", "BPC830", "BPC846") == [
        ("BPC843", "'odd' of type tosca.nodes.Root has its operations only"),
        ("BPC846", "the operation of 'odd' runs beside the manager"),
    ]


def test_also_where_not_all_of_them_have_a_step() -> None:
    """Properties of a type that is known are told of."""
    own = standard(weird="a.sh", create="b.sh")
    result = to_cloudify(f"    odd: {{type: tosca.nodes.LoadBalancer, properties: {{algorithm: rr}}, {own}}}\n")
    assert list(operations(result, "odd")) == ["create"]
    assert [code for code, _ in told(result, "BPC843", "BPC830", "BPC831")] == ["BPC843", "BPC830", "BPC831"]
    assert "'algorithm'" in told(result, "BPC830")[0][1]


def test_an_operation_that_came_from_there_is_that_one_again() -> None:
    """Whatever it is called."""
    rows = '[{"interface": "I", "name": "run", "implementation": "a.sh", "native": "cloudify"}]'
    kept = f"metadata: {{bpconvert: '{{\"operations\": {rows}}}'}}"
    result = to_cloudify(f"    app: {{type: tosca.nodes.SoftwareComponent, {kept}, {standard(create='b.sh')}}}\n")
    interfaces = result.document["node_templates"]["app"]["interfaces"]
    assert interfaces["I"] == {"run": {"implementation": "a.sh"}}
    assert list(operations(result, "app")) == ["create"]


def test_only_software_has_operations() -> None:
    result = to_cloudify(f"    net: {{type: tosca.nodes.network.Network, {standard(create='a.sh')}}}\n")
    message = "operation Standard.create of 'net' is not run: only software has operations here"
    assert told(result, "BPC831") == [("BPC831", message)]
    assert operations(result, "net") == {}


@pytest.mark.parametrize(
    ("rows", "is_software"),
    [
        ("{create: {implementation: p.tasks.run}}", False),
        ("{create: {implementation: p.tasks.run}, start: a.sh}", True),
        ("{create: a.sh}", True),
    ],
)
def test_what_a_plugin_creates_is_no_software(rows: str, is_software: bool) -> None:
    """A type of software all of whose operations are functions of a plugin, inside of nothing."""
    node = f"  n: {{type: my.App, interfaces: {{cloudify.interfaces.lifecycle: {rows}}}}}\n"
    result = to_tosca(node)
    assert templates(result)["n"]["type"] == ("my.App" if is_software else "bpconvert.nodes.CloudifyNode")
    if is_software and "p.tasks" in rows:
        message = "operation cloudify.interfaces.lifecycle.create of 'n' is not run: it is a function of a plugin"
        assert message in [message for _, message in told(result, "BPC831")]


def test_inside_of_a_machine_it_is_software_anyway() -> None:
    inside = "relationships: [{type: cloudify.relationships.contained_in, target: vm}]"
    result = to_tosca(f"  n: {{type: my.App, {lifecycle(create='{implementation: p.tasks.run}')}, {inside}}}\n")
    node = templates(result)["n"]
    assert (node["type"], node["requirements"]) == ("tosca.nodes.SoftwareComponent", [{"host": "vm"}])
    (kept,) = json.loads(node["metadata"]["bpconvert"])["operations"]
    assert (kept["name"], kept["implementation"]) == ("create", "p.tasks.run")


# -- the names of steps -------------------------------------------------------------------------------------

INSIDE = "relationships: [{type: cloudify.relationships.contained_in, target: vm}]"


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("precreate", "create"), ("create", "create"), ("configure", "configure"), ("start", "start"),
        ("poststart", "start"), ("prestop", "stop"), ("stop", "stop"), ("delete", "delete"), ("postdelete", "delete"),
    ],
)  # fmt: skip
def test_a_step_is_the_nearest_one(step: str, expected: str) -> None:
    """That TOSCA has."""
    result = to_tosca(f"  app: {{type: cloudify.nodes.SoftwareComponent, {lifecycle(**{step: 'a.sh'})}, {INSIDE}}}\n")
    found = templates(result)["app"]["interfaces"]["Standard"]["operations"]
    assert found == {expected: {"implementation": "a.sh"}}
    assert told(result, "BPC831") == []


@pytest.mark.parametrize(
    ("step", "nearest"),
    [("precreate", "create"), ("poststart", "start"), ("prestop", "stop"), ("postdelete", "delete")],
)
def test_a_step_that_something_else_runs_at_is_not_taken(step: str, nearest: str) -> None:
    own = lifecycle(**{step: "a.sh", nearest: "b.sh"})
    result = to_tosca(f"  app: {{type: cloudify.nodes.SoftwareComponent, {own}, {INSIDE}}}\n")
    assert templates(result)["app"]["interfaces"]["Standard"]["operations"] == {nearest: {"implementation": "b.sh"}}
    message = f"operation cloudify.interfaces.lifecycle.{step} of 'app' is not run: TOSCA has no such operation"
    assert told(result, "BPC831") == [("BPC831", message)]
    (kept,) = json.loads(templates(result)["app"]["metadata"]["bpconvert"])["operations"]
    assert (kept["name"], kept["implementation"], kept["native"]) == (step, "a.sh", "cloudify")


def test_operations_of_relationships_have_a_side() -> None:
    rows = "{pre_configure_source: a.sh, add_target: p.py, pre_configure_target: b.sh}"
    relationship = f"{{type: tosca.relationships.ConnectsTo, interfaces: {{Configure: {{operations: {rows}}}}}}}"
    needs = f"[{{host: vm}}, {{dependency: {{node: db, relationship: {relationship}}}}}]"
    app = f"    app: {{type: tosca.nodes.SoftwareComponent, requirements: {needs}, {standard(create='p.py')}}}\n"
    result = to_cloudify(f"{MACHINE % ''}    db: {{type: tosca.nodes.Compute}}\n{app}")
    (row,) = (row for row in result.document["node_templates"]["app"]["relationships"] if row["target"] == "db")
    run = {"implementation": "p.py", "inputs": {"process": {"eval_python": False}}}
    name = "cloudify.interfaces.relationship_lifecycle"
    assert row["source_interfaces"] == {name: {"preconfigure": {"implementation": "a.sh"}, "establish": run}}
    assert row["target_interfaces"] == {name: {"preconfigure": {"implementation": "b.sh"}}}
    assert operations(result, "app") == {"create": run}


# -- where it runs ------------------------------------------------------------------------------------------


def test_software_that_nothing_hosts_runs_beside_the_manager() -> None:
    node = f"    app: {{type: tosca.nodes.SoftwareComponent, {standard(create='a.sh')}}}\n"
    result = to_cloudify(node)
    assert operations(result, "app") == {"create": {"implementation": "a.sh", "executor": "central_deployment_agent"}}
    hosted = node.replace("SoftwareComponent,", "SoftwareComponent, requirements: [{host: vm}],")
    result = to_cloudify(MACHINE % "" + hosted)
    assert operations(result, "app") == {"create": {"implementation": "a.sh"}}
    assert told(result, "BPC846") == []


def test_software_on_what_is_no_machine_does_not_run() -> None:
    node = (
        f"    app: {{type: tosca.nodes.SoftwareComponent, requirements: [{{host: net}}], {standard(create='a.sh')}}}\n"
    )
    result = to_cloudify(f"    net: {{type: tosca.nodes.network.Network}}\n{node}")
    message = "operation Standard.create of 'app' is not run: it runs on no server of the template"
    assert told(result, "BPC831") == [("BPC831", message)]


def test_nothing_runs_on_a_server_of_which_only_the_name_is_known() -> None:
    """No agent comes there."""
    machine = '    vm: {type: openstack.nova.Server, metadata: {bpconvert: \'{"external_name": "there"}\'}}\n'
    own = standard(create="a.sh")
    app = f"    app: {{type: tosca.nodes.SoftwareComponent, requirements: [{{host: vm}}], {own}}}\n"
    result = to_cloudify(machine + app)
    message = "operation Standard.create of 'app' is not run: the server 'vm' is known by its name only"
    assert told(result, "BPC831") == [("BPC831", message)]
    assert operations(result, "app") == {}


# -- programs -----------------------------------------------------------------------------------------------


def test_a_program_that_is_not_there_fails_in_its_place() -> None:
    own = standard(create="'lib/gone,away.sh'")
    node = f"    app: {{type: tosca.nodes.SoftwareComponent, {own}}}\n"
    result = to_cloudify(node)
    place = "missing/lib_gone_away.sh"
    assert operations(result, "app")["create"]["implementation"] == place
    text = "#!/bin/sh\necho 'lib/gone,away.sh was not there when this was converted' >&2\nexit 1\n"
    assert result.files == {place: text}
    message = f"'lib/gone,away.sh' cannot be read; '{place}' stands for it, which fails"
    assert told(result, "BPC834") == [("BPC834", message)]


def test_what_stands_for_a_program_is_that_program_again() -> None:
    """On the way back, where it still is not there."""
    node = f"    app: {{type: tosca.nodes.SoftwareComponent, {standard(create='lib/gone.sh')}}}\n"
    made = to_cloudify(node)
    again = convert((made.text or "").encode(), "cloudify", "tosca", beside=dict(made.files), carry=False)
    found = templates(again)["app"]["interfaces"]["Standard"]["operations"]["create"]["implementation"]
    assert (found if isinstance(found, str) else found["primary"]) == "lib/gone.sh"
    assert "missing/lib_gone.sh" not in again.files


@pytest.mark.parametrize("text", ["#!/bin/sh\necho 'a b' >&2\nexit 1\n", "#!/bin/sh\necho 'a >&2\nexit 1\n"])
def test_other_programs_stand_for_themselves(text: str) -> None:
    blueprint = f"{BLUEPRINT}  app: {{type: cloudify.nodes.SoftwareComponent, {lifecycle(create='x.sh')}, {INSIDE}}}\n"
    result = convert(blueprint.encode(), "cloudify", "tosca", beside={"x.sh": text}, carry=False)
    assert templates(result)["app"]["interfaces"]["Standard"]["operations"]["create"]["implementation"] == "x.sh"
    assert result.files["x.sh"] == text


def test_a_playbook_is_run_by_the_plugin_for_it() -> None:
    inputs = "{implementation: {primary: play.yml}, inputs: {a: 1}}"
    app = f"    app: {{type: tosca.nodes.SoftwareComponent, requirements: [{{host: vm}}], {standard(create=inputs)}}}\n"
    nodes = f"{SERVICE}{MACHINE % ''}{app}"
    result = convert(nodes.encode(), "tosca", "cloudify", beside={"play.yml": "- hosts: all\n"}, carry=False)
    create = operations(result, "app")["create"]
    assert create["implementation"] == "ansible.cloudify_ansible.tasks.run"
    assert (create["inputs"]["playbook_path"], create["inputs"]["run_data"]) == ("play.yml", {"a": 1})
    message = "'play.yml' is run by the plugin for ansible, from the manager"
    assert told(result, "BPC523", "BPC845") == [("BPC523", message)]
