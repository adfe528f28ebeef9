"""The blueprint as a whole, as it is written: its sections and what stands in them, in their order."""

from __future__ import annotations

from typing import Any

import pytest
import service_heads

from bpconvert.api import Result, convert

V3 = "cloudify.nodes.openstack."
TYPES, OPENSTACK = "cloudify/types/types.yaml", "plugin:cloudify-openstack-plugin"
ANSIBLE = "plugin:cloudify-ansible-plugin"
HOT = """\
heat_template_version: 2021-04-16
description: what it is
parameters:
  size: {type: number, default: 2}
  flag: {type: boolean, default: true}
conditions: {c: {get_param: flag}}
resources:
"""
#: a server with a network that may not be there, and a group
SHOP = f"""{HOT}
  net: {{type: OS::Neutron::Net, condition: c}}
  server:
    type: OS::Nova::Server
    properties:
      tags: [a]
      image: i
      flavor: f
      metadata: {{a: b}}
      networks: [{{network: {{get_resource: net}}}}]
  group: {{type: OS::Neutron::SecurityGroup, properties: {{rules: [{{protocol: tcp}}], name: s}}}}
  many:
    type: OS::Heat::ResourceGroup
    properties:
      count: {{get_param: size}}
      resource_def: {{type: OS::Cinder::Volume, properties: {{size: 1, description: é}}}}
outputs: {{o: {{value: {{get_param: size}}}}, gone: {{value: null}}}}
"""
PROGRAMS = (
    service_heads.HEAD
    + """\
topology_template:
  inputs: {who: {type: string, default: you}, b: {type: string, default: {concat: [it is, {get_input: who}, é]}}}
  node_templates:
    vm: {type: tosca.nodes.Compute}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}]
      interfaces:
        Standard:
          operations:
            create: {implementation: {primary: FIRST}, inputs: {a: 1}}
            start: {implementation: run.sh, inputs: {text: TEXT}}
            stop: {implementation: run.sh, inputs: {text: TEXT}}
            configure: {implementation: gone.sh}
            delete: {implementation: gone.sh}
""".replace("TEXT", "a text that is the same in two operations of the node")
)


def converted(text: str, **options: Any) -> Result:
    return convert(text, target="cloudify", name="source.yaml", carry=False, **options)


def section(result: Result, name: str) -> str:
    """A section as it is written, without its name."""
    assert result.text is not None
    lines = result.text.splitlines()
    begin = lines.index(f"{name}:") + 1
    rest = iter(lines[begin:])
    return "\n".join(line for line in _until_the_next(rest) if line) + "\n"


def many(member: str) -> str:
    """A group of resources."""
    properties = f"{{count: {{get_param: size}}, resource_def: {member}}}"
    return f"  many: {{type: OS::Heat::ResourceGroup, properties: {properties}}}\n"


def _until_the_next(lines: Any) -> Any:
    for line in lines:
        if line and not line.startswith(" "):
            return
        yield line


def test_the_sections_have_an_order() -> None:
    """Empty ones are left out."""
    assert list(converted(SHOP).document) == [
        "tosca_definitions_version", "description", "imports", "dsl_definitions", "inputs", "node_types",
        "node_templates", "groups", "policies", "outputs",
    ]  # fmt: skip
    alone = converted("heat_template_version: 2021-04-16\nresources: {net: {type: OS::Neutron::Net}}\n").document
    assert list(alone) == ["tosca_definitions_version", "imports", "dsl_definitions", "node_templates"]
    assert list(alone["dsl_definitions"]) == ["client_config"]


def test_each_node_template() -> None:
    assert (
        section(converted(SHOP), "node_templates")
        == """\
  net:
    type: cloudify.nodes.openstack.Network
    properties:
      client_config: *client_config
      resource_config: {}
    capabilities:
      scalable:
        properties:
          default_instances: {get_input: [if_created, {get_input: flag}]}
          min_instances: 0
  server:
    type: cloudify.nodes.openstack.Server
    properties:
      client_config: *client_config
      agent_config:
        install_method: none
      image: i
      flavor: f
      resource_config:
        metadata:
          a: b
        kwargs:
          tags: [a]
    relationships:
      - type: cloudify.relationships.connected_to
        target: net
  group:
    type: cloudify.nodes.openstack.SecurityGroup
    properties:
      client_config: *client_config
      resource_config:
        name: s
      security_group_rules:
        - protocol: tcp
          direction: ingress
          ethertype: IPv4
  many_resource_def_description:
    type: bpconvert.nodes.Value
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          implementation: scripts/bpconvert_value.py
          inputs:
            call: '"\\u00e9"'
          executor: central_deployment_agent
          max_retries: 0
  many:
    type: cloudify.nodes.openstack.Volume
    properties:
      client_config: *client_config
      resource_config:
        size: 1
        description: {get_attribute: [many_resource_def_description, result]}
    relationships:
      - type: cloudify.relationships.depends_on
        target: many_resource_def_description
"""
    )


def test_a_group_of_resources_is_a_scaling_group() -> None:
    document = converted(SHOP).document
    assert document["groups"] == {"many_group": {"members": ["many"]}}
    assert document["policies"] == {
        "many_scaling": {
            "type": "cloudify.policies.scaling",
            "targets": ["many_group"],
            "properties": {"default_instances": {"get_input": "size"}},
        }
    }
    assert document["outputs"] == {"o": {"value": {"get_input": "size"}}}


def test_a_member_that_became_part_of_another_node_is_no_member() -> None:
    rule = "{type: OS::Neutron::RouterInterface, properties: {router: r, subnet: s}}"
    text = (
        f"  many: {{type: OS::Heat::ResourceGroup, properties: {{count: {{get_param: size}}, resource_def: {rule}}}}}\n"
    )
    document = converted(HOT + text).document
    templates = document["node_templates"]
    assert all(member in templates for group in document.get("groups", {}).values() for member in group["members"])


def test_the_second_generation_of_the_plugin_has_other_names() -> None:
    document = converted(SHOP, plugin="v2").document
    server = document["node_templates"]["server"]
    assert server["type"] == "cloudify.openstack.nodes.Server"
    assert list(server["properties"]) == ["openstack_config", "agent_config", "image", "flavor", "server"]
    assert document["imports"] == [TYPES, OPENSTACK]


def test_what_the_inputs_file_gives() -> None:
    result = converted(SHOP, asked="data")
    assert result.files == {"source.inputs.yaml": "many_resource_def_description: é\n"}


def test_properties_that_a_condition_removes_are_merged_in() -> None:
    entries = "name: a, shared: {if: [c, true]}, dns_domain: {if: [c, x.]}"
    document = converted(f"{HOT}  net: {{type: OS::Neutron::Net, properties: {{{entries}}}}}\n").document
    flag = {"get_input": "flag"}
    assert document["node_templates"]["net"]["properties"]["resource_config"] == {
        "name": "a",
        "kwargs": {
            "merge": [{"get_input": ["if_net_shared", flag]}, {"get_input": ["if_net_dns_domain", flag]}],
        },
    }


# -- software -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "imports", "version"),
    [("site.yml", [TYPES, OPENSTACK, ANSIBLE], "1_4"), ("a.sh", [TYPES, OPENSTACK], "1_3")],
)
def test_playbooks_need_the_plugin_that_runs_them(first: str, imports: list[str], version: str) -> None:
    """And the version of the DSL that its own file is written in."""
    result = converted(PROGRAMS.replace("FIRST", first))
    assert result.document["imports"] == imports
    assert result.document["tosca_definitions_version"] == f"cloudify_dsl_{version}"


@pytest.mark.parametrize(("first", "reason"), [("site.yml", "the plugin for Ansible"), ("a.sh", None)])
def test_a_version_that_is_too_low_for_playbooks(first: str, reason: str | None) -> None:
    result = converted(PROGRAMS.replace("FIRST", first), dsl_version="1_3")
    messages = [one.message for one in result.diagnostics if one.code == "BPC130"]
    assert messages == [f"cloudify_dsl_1_3 cannot express {reason}; cloudify_dsl_1_4 is written"] * bool(reason)


def test_operations_that_are_the_same_are_written_once() -> None:
    """Those without inputs are short."""
    written = section(converted(PROGRAMS.replace("FIRST", "a.sh")), "node_templates")
    assert (
        written[written.index("        start:") :]
        == """\
        start: &app_start
          implementation: missing/run.sh
          inputs:
            text: a text that is the same in two operations of the node
        stop: *app_start
        configure:
          implementation: missing/gone.sh
        delete:
          implementation: missing/gone.sh
    relationships:
      - type: cloudify.relationships.contained_in
        target: vm
"""
    )


def test_a_default_that_is_computed_is_told_of_at_the_default() -> None:
    result = converted(PROGRAMS.replace("FIRST", "a.sh"))
    places = [one.path for one in result.diagnostics if one.code == "BPC601"]
    assert places == [("inputs", "b", "default")]
    assert result.document["inputs"]["b"]["default"]["concat"][1] == {"get_input": "who"}


# -- what is told of a part ---------------------------------------------------------------------------------


def test_nodes_that_were_made_have_no_keys_of_the_source() -> None:
    """What stands beside the properties of the members is told of once, where it stands."""
    volume = "{type: OS::Cinder::Volume, metadata: {m: 1}, properties: {size: 1}}"
    places = [one.path for one in converted(HOT + many(volume)).diagnostics if one.code == "BPC320"]
    assert places == [("resources", "many", "properties", "resource_def", "metadata")]
