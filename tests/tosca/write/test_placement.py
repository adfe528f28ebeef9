"""Server groups as policies of placement, where the same group is read back."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert import convert, roundtrip, verify

HEAD = "heat_template_version: 2018-08-31\n"
HINTS = "scheduler_hints: {group: {get_resource: apart}}"
SERVER = f"{{type: OS::Nova::Server, properties: {{flavor: small, image: cirros, {HINTS}}}}}"
GROUP = "{type: OS::Nova::ServerGroup, properties: {name: far, policies: [anti-affinity]}}"
SOURCE = f"""{HEAD}resources:
  one: {SERVER}
  apart: {GROUP}
  two: {SERVER}
"""
POLICY = "openstack.policies.ServerGroup"


def written(source: str, dialect: str = "hot") -> dict[str, Any]:
    """What the topology of a source becomes."""
    found: dict[str, Any] = yaml.safe_load(convert(source, dialect, "tosca", carry=False).text)["topology_template"]
    return found


def test_a_server_group_is_a_policy() -> None:
    made = convert(SOURCE, "hot", "tosca", carry=False)
    data = yaml.safe_load(made.text)
    found = data["topology_template"]
    properties = {"name": "far", "policies": ["anti-affinity"]}
    assert found["policies"] == [{"apart": {"type": POLICY, "properties": properties, "targets": ["one", "two"]}}]
    assert found["node_templates"] == {
        name: {"type": "openstack.nova.Server", "properties": {"flavor": "small", "image": "cirros"}}
        for name in ("one", "two")
    }
    assert data["policy_types"][POLICY]["derived_from"] == "tosca.policies.Placement"
    assert list(data["policy_types"][POLICY]["properties"]) == ["name", "policies"]
    assert "openstack.nova.ServerGroup" not in data["node_types"]
    assert not made.diagnostics


#: what is exchanged in the source -> what stays a node all the same
OTHERS = {
    "an output has its id": ("{SOURCE}outputs: {o: {value: {get_resource: apart}}}\n", ""),
    "something else waits for it": ("  two: {type: OS::Neutron::Net, depends_on: apart}\n", "two"),
    "it waits itself": ("  apart: {type: OS::Nova::ServerGroup, depends_on: two}\n", "apart"),
    "metadata has its id": ("  net: {type: OS::Neutron::Net, metadata: {id: {get_resource: apart}}}\n", ""),
    "another property has its id": (
        "  two: {type: OS::Nova::Server, properties: {flavor: f, name: {get_resource: apart}}}\n", "two"),
    "it is not always there": (
        "  apart: {type: OS::Nova::ServerGroup, condition: c}\nconditions: {c: {equals: [{get_param: p}, a]}}\n"
        "parameters: {p: {type: string}}\n", "apart"),
    "it stays when it is deleted": ("  apart: {type: OS::Nova::ServerGroup, deletion_policy: Retain}\n", "apart"),
    "it exists": ("  apart: {type: OS::Nova::ServerGroup, external_id: abc}\n", "apart"),
    "its name is computed": (
        "  apart: {type: OS::Nova::ServerGroup, properties: {name: {list_join: [' ', [a, {get_param: p}]]}}}\n"
        "parameters: {p: {type: string}}\n", "apart"),
    "its name is that of another": (
        "  net: {type: OS::Neutron::Net}\n"
        "  apart: {type: OS::Nova::ServerGroup, properties: {name: {get_attr: [net, name]}}}\n", "apart"),
    "nothing is in it": ("  one: {type: OS::Neutron::Net}\n  two: {type: OS::Neutron::Net}\n", "one two"),
    "its name has another meaning": (SOURCE.replace("apart", "SELF"), "all"),
}  # fmt: skip


@pytest.mark.parametrize(("more", "instead"), OTHERS.values(), ids=OTHERS)
def test_other_groups_are_nodes(more: str, instead: str) -> None:
    source = HEAD + "".join(line for line in SOURCE.splitlines(True)[1:] if line.strip().split(":")[0] not in instead)
    source = more if instead == "all" else more.replace("{SOURCE}", source) if "{SOURCE}" in more else source + more
    found = written(source)
    assert "policies" not in found
    groups = [node for node in found["node_templates"].values() if node["type"] == "openstack.nova.ServerGroup"]
    assert len(groups) == 1


def test_what_else_a_scheduler_knows_stays() -> None:
    source = SOURCE.replace("{get_resource: apart}}", "{get_resource: apart}, different_host: [x]}", 1)
    found = written(source)
    assert found["node_templates"]["one"]["properties"]["scheduler_hints"] == {"different_host": ["x"]}
    assert found["policies"][0]["apart"]["targets"] == ["one", "two"]


def test_hints_that_are_kept_stay() -> None:
    """The policy would not be read back into hints that are read from the metadata."""
    source = SOURCE.replace("{get_resource: apart}}", "{get_resource: apart}, x: {get_param: [p, a]}}", 1)
    found = written(source + "parameters: {p: {type: json, default: {a: b}}}\n")
    assert "policies" not in found


def test_an_input_for_the_name_alone_is_there() -> None:
    source = SOURCE.replace("far", "{get_param: name}") + "parameters: {name: {type: string}}\n"
    found = written(source)
    assert found["policies"][0]["apart"]["properties"]["name"] == {"get_input": "name"}
    assert list(found["inputs"]) == ["name"]


@pytest.mark.parametrize("carry", [True, False])
@pytest.mark.parametrize("group", [GROUP, "{type: OS::Nova::ServerGroup}"])
def test_the_same_comes_back(group: str, carry: bool) -> None:
    source = SOURCE.replace(GROUP, group)
    trip = roundtrip(source, via="tosca", carry=carry)
    assert "policies:" in trip.there.text
    if carry:
        assert trip.back.text == source
    assert yaml.safe_load(trip.back.text)["resources"] == yaml.safe_load(source)["resources"]
    assert verify(source, trip.there.text).is_same


BLUEPRINT = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_templates:
  apart:
    type: cloudify.nodes.openstack.ServerGroup
    properties: {resource_config: {name: apart, policies: [affinity]}}
  one:
    type: cloudify.nodes.openstack.Server
    properties: {flavor: small, image: cirros}
    relationships: [{type: cloudify.relationships.openstack.server_connected_to_server_group, target: apart}]
"""


@pytest.mark.parametrize("carry", [True, False])
def test_a_group_of_a_blueprint_comes_back(carry: bool) -> None:
    trip = roundtrip(BLUEPRINT, via="tosca", carry=carry)
    assert "policies:" in trip.there.text
    assert trip.back.text == BLUEPRINT or not carry
    assert verify(BLUEPRINT, trip.back.text).is_same


def test_an_existing_group_of_a_blueprint_is_named() -> None:
    source = BLUEPRINT.replace("{resource_config", "{use_external_resource: true, resource_config")
    assert "policies" not in written(source, "cloudify")


def test_an_operation_of_the_relationship_to_a_group_is_kept() -> None:
    source = BLUEPRINT.replace(
        "target: apart}", "target: apart, source_interfaces: {cloudify.interfaces.relationship_lifecycle: "
        "{establish: {implementation: scripts/a.sh}}}}")  # fmt: skip
    assert "policies" not in written(source, "cloudify")


def test_a_group_that_stays_a_node_does_not_keep_another_one_from_being_a_policy() -> None:
    lonely = "  alone: {type: OS::Nova::ServerGroup, properties: {policies: [affinity]}}\n"
    source = SOURCE.replace("resources:\n", f"resources:\n{lonely}", 1)
    found = written(source)
    assert [*found["policies"][0]] == ["apart"]
    assert found["node_templates"]["alone"]["type"] == "openstack.nova.ServerGroup"


def test_a_data_type_of_a_property_is_named_after_the_type_of_the_policy() -> None:
    rules = "rules: {max_server_per_host: 2, more: {a: b}}, policies: [anti-affinity]"
    source = SOURCE.replace("policies: [anti-affinity]", rules, 1)
    assert rules in source
    made = yaml.safe_load(convert(source, "hot", "tosca", carry=False).text)
    assert made["policy_types"][POLICY]["properties"]["rules"]["type"] == f"{POLICY}.rules"
    assert f"{POLICY}.rules" in made["data_types"]
