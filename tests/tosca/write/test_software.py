"""Software of blueprints in service templates: types, hosts, operations and what connects it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

HEAD = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_types:
  my.App: {derived_from: cloudify.nodes.SoftwareComponent}
  plain: {derived_from: cloudify.nodes.SoftwareComponent}
  odd-name: {derived_from: cloudify.nodes.SoftwareComponent}
  Compute: {derived_from: cloudify.nodes.SoftwareComponent}
node_templates:
  VM: {type: cloudify.nodes.openstack.Server}
  web: {type: cloudify.nodes.WebServer, relationships: [{type: cloudify.relationships.contained_in, target: VM}]}
  loose: {type: cloudify.nodes.WebServer}
  dbms: {type: cloudify.nodes.DBMS, relationships: [{type: cloudify.relationships.contained_in, target: VM}]}
"""
SCRIPTS = {"x.sh": "#!/bin/sh\n", "y.sh": "#!/bin/sh\n"}
LIFE = "cloudify.interfaces.lifecycle"
BETWEEN = "cloudify.interfaces.relationship_lifecycle"
STANDARD = "tosca.interfaces.node.lifecycle.Standard"
ANY_HOST = {
    "capability": "tosca.capabilities.Node", "node": "tosca.nodes.Root",
    "relationship": "tosca.relationships.HostedOn", "occurrences": [0, 1],
}  # fmt: skip


def software(
    type: str, host: str = "VM", properties: str = "{}", create: str = "{}", rest: str = "", name: str = "n"
) -> str:
    """A node of software; ``rest``: more relationships."""
    inside = f"{{type: cloudify.relationships.contained_in, target: {host}}}"
    rows = ", ".join(row for row in (inside * bool(host), rest) if row)
    return (
        f"  {name}:\n    type: {type}\n    properties: {properties}\n    relationships: [{rows}]\n"
        f"    interfaces: {{{LIFE}: {{create: {create}}}}}\n"
    )


def made_of(*nodes: str, **choices: Any) -> Result:
    return convert(HEAD + "".join(nodes), "cloudify", "tosca", carry=False, beside=SCRIPTS, **choices)


def node(made: Result, name: str = "n") -> Any:
    return yaml.safe_load(made.text)["topology_template"]["node_templates"][name]


def type_of(made: Result, name: str = "n") -> Any:
    """The definition of the type of a node; None for one of the standard's."""
    return yaml.safe_load(made.text)["node_types"].get(node(made, name)["type"])


def messages(made: Result, code: str) -> list[str]:
    return [one.message for one in made.diagnostics if one.code == code]


# -- types --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "host", "becomes"),
    [
        ("cloudify.nodes.SoftwareComponent", "VM", "tosca.nodes.SoftwareComponent"),
        ("my.App", "VM", "tosca.nodes.SoftwareComponent"),
        ("cloudify.nodes.WebServer", "VM", "tosca.nodes.WebServer"),
        ("cloudify.nodes.DBMS", "VM", "tosca.nodes.DBMS"),
    ],
)
def test_software_of_which_nothing_more_is_known_is_of_the_standard_type(type: str, host: str, becomes: str) -> None:
    made = made_of(software(type, host))
    assert node(made) == {"type": becomes, "requirements": [{"host": host}]}
    assert type_of(made) is None


INPUTS = "{implementation: x.sh, inputs: {a: 1}}"


@pytest.mark.parametrize(
    ("type", "create", "becomes"),
    [
        ("cloudify.nodes.SoftwareComponent", INPUTS, "bpconvert.nodes.SoftwareComponent"),
        ("my.App", INPUTS, "my.App"),
        ("plain", INPUTS, "plain"),
        ("odd-name", INPUTS, "bpconvert.nodes.odd-name"),
        ("Compute", INPUTS, "bpconvert.nodes.Compute"),
    ],
)
def test_software_that_is_given_something_is_of_a_type_that_declares_it(type: str, create: str, becomes: str) -> None:
    """It has the name that its author chose, unless the standard has a type of that name."""
    made = made_of(software(type, create=create))
    assert node(made)["type"] == becomes
    create_row = {"inputs": {"a": {"type": "integer", "required": False}}}
    assert type_of(made) == {
        "derived_from": "tosca.nodes.SoftwareComponent",
        "interfaces": {"Standard": {"type": STANDARD, "operations": {"create": create_row}}},
    }
    assert node(made)["interfaces"]["Standard"]["operations"] == {
        "create": {"implementation": "x.sh", "inputs": {"a": 1}}
    }


def test_a_map_among_the_inputs_has_a_data_type() -> None:
    """It is called by the type, the operation and the input."""
    made = made_of(software("my.App", create="{implementation: x.sh, inputs: {a: {b: 1, c: x}}}"))
    name = "my.App.Standard.create.a"
    create = type_of(made)["interfaces"]["Standard"]["operations"]["create"]
    assert create == {"inputs": {"a": {"type": name, "required": False}}}
    assert yaml.safe_load(made.text)["data_types"][name]["properties"] == {
        "b": {"type": "integer", "required": False},
        "c": {"type": "string", "required": False},
    }


def test_software_with_properties_or_attributes_that_are_read_has_a_type() -> None:
    made = made_of(
        software("cloudify.nodes.WebServer", properties="{port: 8080}"),
        software("cloudify.nodes.SoftwareComponent", name="m"),
        "outputs: {o: {value: {get_attribute: [m, z]}}}\n",
    )
    assert type_of(made)["properties"] == {"port": {"type": "integer", "required": False}}
    assert type_of(made, "m") == {
        "derived_from": "tosca.nodes.SoftwareComponent",
        "attributes": {"z": {"type": "string"}},
    }


@pytest.mark.parametrize(
    ("type", "host", "properties", "parent", "optional"),
    [
        ("cloudify.nodes.ApplicationModule", "web", "{}", "tosca.nodes.WebApplication", {"context_root"}),
        ("cloudify.nodes.ApplicationModule", "VM", "{}", "tosca.nodes.Root", None),
        ("cloudify.nodes.ApplicationModule", "dbms", "{}", "tosca.nodes.Root", None),
        ("cloudify.nodes.ApplicationModule", "loose", "{}", "tosca.nodes.Root", None),
        ("cloudify.nodes.Database", "dbms", "{name: x}", "tosca.nodes.Database", {"name"}),
        ("cloudify.nodes.Database", "dbms", "{}", "tosca.nodes.Root", None),
        ("cloudify.nodes.Database", "web", "{name: x}", "tosca.nodes.Root", {"name"}),
        ("cloudify.nodes.SoftwareComponent", "web", "{}", "tosca.nodes.Root", None),
        ("cloudify.nodes.SoftwareComponent", "", "{}", "tosca.nodes.Root", None),
    ],
)
def test_software_is_on_what_the_standard_wants_or_on_anything(
    type: str, host: str, properties: str, parent: str, optional: set[str] | None
) -> None:
    """Where it is on something else, its type is a node with a host of any kind."""
    custom = "  my.Named: {derived_from: cloudify.nodes.Database, properties: {name: {}}}\n"
    source = HEAD.replace("node_types:\n", f"node_types:\n{custom}")
    name = "my.Named" if properties != "{}" else type
    made = convert(source + software(name, host, properties), "cloudify", "tosca", carry=False, beside=SCRIPTS)
    definition = type_of(made)
    assert definition["derived_from"] == parent
    assert definition.get("properties", {}).keys() == (optional or set())
    assert definition.get("requirements") == ([{"host": ANY_HOST}] if parent == "tosca.nodes.Root" else None)
    assert all(row["required"] is False for row in definition.get("properties", {}).values())


def test_one_name_for_two_parents_gets_a_number() -> None:
    made = made_of(
        software("cloudify.nodes.ApplicationModule", "web"),
        software("cloudify.nodes.ApplicationModule", "VM", name="m"),
        software("cloudify.nodes.ApplicationModule", "web", name="o"),
    )
    names = [node(made, name)["type"] for name in ("n", "m", "o")]
    assert names == [f"bpconvert.nodes.ApplicationModule{end}" for end in ("", "_2", "")]


def test_a_machine_that_has_no_node_hosts_nothing() -> None:
    old = "  old: {type: cloudify.nodes.openstack.Server, properties: {use_external_resource: true, resource_config: "
    made = made_of(f"{old}{{name: old}}}}}}\n", software("cloudify.nodes.SoftwareComponent", "old"))
    assert type_of(made)["derived_from"] == "tosca.nodes.Root"
    assert "requirements" not in node(made)


# -- what connects software ---------------------------------------------------------------------------------

CONNECTED = "cloudify.relationships.connected_to"


def related(kind: str, target: str, side: str = "", operations: str = "") -> str:
    more = f", {side}_interfaces: {{{BETWEEN}: {{{operations}}}}}" if operations else ""
    return f"{{type: {kind}, target: {target}{more}}}"


@pytest.mark.parametrize(
    ("kind", "requirement"),
    [
        ("cloudify.relationships.depends_on", {"dependency": "web"}),
        (CONNECTED, {"dependency": {"node": "web", "relationship": "n_web"}}),
    ],
)
def test_what_is_connected_has_a_relationship_template(kind: str, requirement: Any) -> None:
    made = made_of(software("my.App", rest=related(kind, "web")))
    assert node(made)["requirements"] == [{"host": "VM"}, requirement]
    whole = yaml.safe_load(made.text)
    templates = whole["topology_template"].get("relationship_templates")
    types = whole.get("relationship_types")
    if kind == CONNECTED:
        assert templates == {"n_web": {"type": "bpconvert.relationships.Connected"}}
        assert types == {"bpconvert.relationships.Connected": {"derived_from": "tosca.relationships.DependsOn"}}
    else:
        assert (templates, types) == (None, None)


@pytest.mark.parametrize(
    ("side", "operation", "interface", "name"),
    [
        ("source", "preconfigure", "Configure", "pre_configure_source"),
        ("target", "preconfigure", "Configure", "pre_configure_target"),
        ("source", "postconfigure", "Configure", "post_configure_source"),
        ("source", "establish", "Configure", "add_target"),
        ("target", "establish", "Configure", "add_source"),
        ("source", "unlink", "Configure", "remove_target"),
        ("target", "unlink", "Removal", "remove_source"),
    ],
)
def test_what_is_run_between_two_nodes_is_of_their_relationship(
    side: str, operation: str, interface: str, name: str
) -> None:
    """The type declares what has inputs, and what the standard does not have."""
    run = f"{operation}: {{implementation: x.sh, inputs: {{a: 1}}}}"
    made = made_of(software("my.App", rest=related(CONNECTED, "web", side, run)))
    whole = yaml.safe_load(made.text)
    assert whole["topology_template"]["relationship_templates"]["n_web"] == {
        "type": "bpconvert.relationships.Connected",
        "interfaces": {interface: {"operations": {name: {"implementation": "x.sh", "inputs": {"a": 1}}}}},
    }
    full = {"Configure": "tosca.interfaces.relationship.Configure", "Removal": "bpconvert.interfaces.Removal"}
    declared = {"inputs": {"a": {"type": "integer", "required": False}}}
    assert whole["relationship_types"]["bpconvert.relationships.Connected"] == {
        "derived_from": "tosca.relationships.DependsOn",
        "interfaces": {interface: {"type": full[interface], "operations": {name: declared}}},
    }
    assert ("interface_types" in whole) is (interface == "Removal")


def test_an_operation_of_the_standard_without_inputs_is_not_declared() -> None:
    made = made_of(software("my.App", rest=related(CONNECTED, "web", "source", "establish: x.sh")))
    types = yaml.safe_load(made.text)["relationship_types"]
    assert types == {"bpconvert.relationships.Connected": {"derived_from": "tosca.relationships.DependsOn"}}


def test_what_is_run_between_a_node_and_its_host_is_of_a_type_for_hosts() -> None:
    """Names of relationship templates are in small letters: tosca-parser finds no others."""
    rest = related("cloudify.relationships.contained_in", "VM", "source", "establish: x.sh")
    made = made_of(software("my.App", "", rest=rest))
    assert node(made)["requirements"] == [{"host": {"node": "VM", "relationship": "n_vm"}}]
    whole = yaml.safe_load(made.text)
    assert whole["topology_template"]["relationship_templates"]["n_vm"] == {
        "type": "bpconvert.relationships.Hosted",
        "interfaces": {"Configure": {"operations": {"add_target": {"implementation": "x.sh"}}}},
    }
    hosted = {"derived_from": "tosca.relationships.HostedOn"}
    assert whole["relationship_types"] == {"bpconvert.relationships.Hosted": hosted}


def test_relationship_templates_of_one_name_get_numbers() -> None:
    made = made_of(
        software("my.App", rest=related(CONNECTED, "web")), software("my.App", rest=related(CONNECTED, "web"), name="N")
    )
    templates = yaml.safe_load(made.text)["topology_template"]["relationship_templates"]
    assert list(templates) == ["n_web", "n_web_2"]
    assert node(made, "N")["requirements"][1] == {"dependency": {"node": "web", "relationship": "n_web_2"}}


# -- programs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("other", "words"), [("x.sh", ""), ("y.sh", " and 1 more")])
def test_one_finding_says_that_opera_runs_no_scripts(other: str, words: str) -> None:
    made = made_of(software("my.App", create="x.sh"), software("my.App", create=other, name="m"))
    assert messages(made, "BPC548") == [f"opera does not run 'x.sh'{words}: it runs playbooks only"]
    (place,) = (one.path for one in made.diagnostics if one.code == "BPC548")
    assert place == ("node_templates", "n", "interfaces", LIFE, "create")


def test_scripts_run_by_a_playbook_are_run_by_opera() -> None:
    made = made_of(software("my.App", create=INPUTS), orchestrator="opera")
    assert not messages(made, "BPC548")
    run = node(made)["interfaces"]["Standard"]["operations"]["create"]
    assert run["implementation"]["dependencies"] == ["x.sh"]
    assert run["inputs"]["variables"] == {"a": 1}


def test_a_stand_in_runs_nothing() -> None:
    made = made_of(software("gone.Type", create="x.sh"))
    assert not messages(made, "BPC548")
    assert "interfaces" not in node(made)


def test_what_is_not_run_needs_no_orchestrator() -> None:
    made = made_of(software("cloudify.nodes.openstack.KeyPair", host="", create="x.sh"))
    assert len(messages(made, "BPC831")) == 1
    assert not messages(made, "BPC548") + messages(made, "BPC251")


@pytest.mark.parametrize("is_read", [True, False])
def test_what_a_script_publishes_is_an_output_where_something_reads_it(is_read: bool) -> None:
    script = "#!/bin/sh\nctx instance runtime-properties z 1\n"
    outputs = "outputs: {o: {value: {get_attribute: [n, z]}}}\n" * is_read
    source = HEAD + software("my.App", create="z.sh") + outputs
    made = convert(source, "cloudify", "tosca", carry=False, beside={"z.sh": script})
    run = node(made)["interfaces"]["Standard"]["operations"]["create"]
    assert run.get("outputs") == ({"z": ["SELF", "z"]} if is_read else None)


def test_a_program_of_cloudify_is_told_once_for_each_operation() -> None:
    script = "#!/bin/sh\nctx download-resource x\n"
    source = HEAD + software("my.App", create="z.sh") + software("my.App", create="z.sh", name="m")
    made = convert(source, "cloudify", "tosca", carry=False, beside={"z.sh": script})
    assert [one.path[1] for one in made.diagnostics if one.code == "BPC251"] == ["n", "m"]


# -- what TOSCA alone has -----------------------------------------------------------------------------------

OWN = """\
tosca_definitions_version: tosca_simple_yaml_1_3
interface_types: {my.Iface: {derived_from: tosca.interfaces.Root, operations: {x: {}, y: {}}}}
node_types: {my.App: {derived_from: tosca.nodes.SoftwareComponent, interfaces: {custom: {type: my.Iface}}}}
relationship_types: {my.Rel: {derived_from: tosca.relationships.DependsOn, interfaces: {custom: {type: my.Iface}}}}
topology_template:
  node_templates:
    vm: {type: openstack.nova.Server, properties: {flavor: f, image: i}}
    app:
      type: my.App
      requirements: [host: vm]
      interfaces:
        custom: {operations: {x: {implementation: x.sh, inputs: {k: 1}}}}
        Standard: {operations: {create: x.sh}}
    v:
      type: openstack.cinder.Volume
      properties: {size: 1}
      interfaces: {custom: {operations: {x: {implementation: x.sh, inputs: {k: 1}}, y: x.sh}}}
    w:
      type: openstack.cinder.Volume
      properties: {size: 1}
      requirements:
        - dependency: vm
        - dependency:
            node: v
            relationship: {type: my.Rel, interfaces: {custom: {operations: {x: x.sh}}}}
"""
INTERFACE = "bpconvert.interfaces.custom"


@pytest.mark.parametrize("via", ["hot", "cloudify"])
def test_operations_of_interfaces_that_someone_defined_come_back(via: str) -> None:
    """Of resources and of relationships between them; other relationships are mere order."""
    there = convert(OWN, "tosca", via, carry=False, beside=SCRIPTS)
    back = convert(there.text, via, "tosca", carry=False, beside={**SCRIPTS, **there.files})
    whole = yaml.safe_load(back.text)
    run = {"implementation": "x.sh", "inputs": {"k": 1}}
    assert node(back, "v")["interfaces"] == {"custom": {"operations": {"x": run, "y": {"implementation": "x.sh"}}}}
    inputs = {"inputs": {"k": {"type": "integer", "required": False}}}
    declared = {"custom": {"type": INTERFACE, "operations": {"x": inputs, "y": {}}}}
    assert whole["node_types"]["openstack.cinder.Volume"]["interfaces"] == declared
    assert whole["interface_types"] == {
        INTERFACE: {"derived_from": "tosca.interfaces.Root", "operations": {"x": {}, "y": {}}}
    }
    requirements = node(back, "w")["requirements"]
    assert {"dependency": "vm"} in requirements
    assert {"dependency": {"node": "v", "relationship": "w_v"}} in requirements
    assert whole["topology_template"]["relationship_templates"] == {
        "w_v": {
            "type": "bpconvert.relationships.Connected",
            "interfaces": {"custom": {"operations": {"x": {"implementation": "x.sh"}}}},
        }
    }
    assert not any("BPC548" in one.code and one.path[:2] == ("node_templates", "v") for one in back.diagnostics)


def test_software_has_operations_of_interfaces_that_someone_defined() -> None:
    there = convert(OWN, "tosca", "cloudify", carry=False, beside=SCRIPTS)
    back = convert(there.text, "cloudify", "tosca", carry=False, beside={**SCRIPTS, **there.files})
    assert node(back, "app")["interfaces"] == {
        "Standard": {"operations": {"create": {"implementation": "x.sh"}}},
        "custom": {"operations": {"x": {"implementation": "x.sh", "inputs": {"k": 1}}}},
    }


# -- places -------------------------------------------------------------------------------------------------


def test_comments_are_at_what_operations_and_relationships_become() -> None:
    made = made_of(
        "  # software\n  n:\n    type: my.App\n    interfaces:\n"
        f"      {LIFE}:\n        # made\n        create: x.sh\n    relationships:\n"
        "      - {type: cloudify.relationships.contained_in, target: VM}\n      # between\n"
        f"      - type: {CONNECTED}\n        target: web\n        source_interfaces:\n          {BETWEEN}:\n"
        "            # joined\n            establish: x.sh\n"
    )
    lines = [line.strip() for line in made.text.splitlines()]
    below = {line: lines[place + 1] for place, line in enumerate(lines) if line.startswith("# ")}
    assert below == {"# software": "'n':", "# made": "create:", "# between": "n_web:", "# joined": "add_target:"}


@pytest.mark.parametrize("more", ["", "web"])
def test_a_stand_in_that_hosts_software_is_hosted(more: str) -> None:
    """Also where it waits for something else; one that hosts nothing only waits."""
    inside = "{type: cloudify.relationships.contained_in, target: VM}"
    rest = f", {related('cloudify.relationships.depends_on', more)}" if more else ""
    made = made_of(
        f"  box: {{type: cloudify.nodes.Root, relationships: [{inside}{rest}]}}\n",
        f"  idle: {{type: cloudify.nodes.Root, relationships: [{inside}]}}\n",
        software("my.App", "box"),
    )
    assert node(made, "box")["requirements"] == [{"host": "VM"}, *[{"dependency": "web"}] * bool(more)]
    assert node(made, "idle")["requirements"] == [{"dependency": "VM"}]
    assert type_of(made, "box")["requirements"] == [{"host": ANY_HOST}]


def test_a_playbook_that_the_orchestrator_runs_has_a_type_of_its_own() -> None:
    host = "{ansible_host: 10.0.0.1, ansible_user: u}"
    source = f"""\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-ansible-plugin]
node_templates:
  web: {{type: cloudify.nodes.Compute, properties: {{ip: 10.0.0.1}}}}
  site:
    type: cloudify.nodes.ansible.Executor
    properties: {{playbook_path: p.yml}}
    relationships:
      - type: cloudify.ansible.relationships.connected_to_host
        target: web
        source_interfaces:
          {BETWEEN}: {{preconfigure: {{inputs: {{group_name: g, hostname: h, host_config: {host}}}}}}}
"""
    made = convert(source, "cloudify", "tosca", carry=False, beside={"p.yml": "- hosts: all\n"})
    assert node(made, "site")["type"] == "bpconvert.playbooks.Executor"
    start = node(made, "site")["interfaces"]["Standard"]["operations"]["start"]
    assert start["implementation"]["operation_host"] == "ORCHESTRATOR"
    assert start["inputs"]["playbook"] == "p.yml"
