"""Policies of TOSCA: placement and scaling; what is carried is reported."""

from __future__ import annotations

from typing import Any

import pytest
import service_heads
import yaml

from bpconvert.api import Conversion, convert

HEAD = (
    service_heads.HEAD
    + """\
policy_types:
  tosca.policies.tacker.Placement: {derived_from: tosca.policies.Root}
  tosca.policies.tacker.Scaling: {derived_from: tosca.policies.Scaling}
  tosca.policies.nfv.AntiAffinityRule: {derived_from: tosca.policies.Placement}
  yorc.openstack.policies.ServerGroupAffinity: {derived_from: tosca.policies.Placement}
  openstack.policies.ServerGroup: {derived_from: tosca.policies.Placement}
  openstack.policies.AutoScalingGroup: {derived_from: tosca.policies.Scaling}
topology_template:
  node_templates:
    one: {type: openstack.nova.Server, properties: {flavor: small}}
    two: {type: openstack.nova.Server, properties: {flavor: small}}
"""
)


def converted(policies: str, target: str, nodes: str = "") -> tuple[dict[str, Any], Conversion]:
    """The data of what two servers with ``policies`` become, and the whole conversion."""
    made = convert(f"{HEAD}{nodes}  policies:\n{policies}", "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


@pytest.mark.parametrize(
    ("type", "properties", "strategy"),
    [
        ("tosca.policies.tacker.Placement", "{}", "affinity"),
        ("tosca.policies.tacker.Placement", "{policy: anti-affinity, strict: false}", "soft-anti-affinity"),
        ("tosca.policies.nfv.AntiAffinityRule", "{scope: nfvi_node}", "anti-affinity"),
        ("yorc.openstack.policies.ServerGroupAffinity", "{strict: false}", "soft-affinity"),
    ],
)
def test_placement_is_a_server_group(type: str, properties: str, strategy: str) -> None:
    found, _ = converted(f"    - apart: {{type: {type}, properties: {properties}, targets: [one, two]}}\n", "hot")
    resources = found["resources"]
    assert list(resources) == ["apart", "one", "two"]
    assert resources["apart"]["properties"] == {"name": "apart", "policies": [strategy]}
    for name in ("one", "two"):
        assert resources[name]["properties"]["scheduler_hints"] == {"group": {"get_resource": "apart"}}


@pytest.mark.parametrize("properties", [{"policies": ["affinity"]}, {"name": "near"}, {}])
def test_our_own_policy_has_the_properties_of_the_resource(properties: dict[str, Any]) -> None:
    """What names a group that has no name is the engine, as it is for the resource."""
    policy = f"    - apart: {{type: openstack.policies.ServerGroup, properties: {properties}, targets: [one]}}\n"
    found, _ = converted(policy, "hot")
    assert found["resources"]["apart"].get("properties", {}) == properties
    assert found["resources"]["one"]["properties"]["scheduler_hints"] == {"group": {"get_resource": "apart"}}


def test_members_of_a_group_are_targets() -> None:
    groups = "  groups:\n    both: {type: tosca.groups.Root, members: [one, two]}\n"
    policy = "    - near: {type: tosca.policies.tacker.Placement, targets: [both]}\n"
    found, made = converted(policy, "cloudify", groups)
    for name in ("one", "two"):
        types = [one["type"] for one in found["node_templates"][name]["relationships"]]
        assert types == ["cloudify.relationships.openstack.server_connected_to_server_group"]
    assert "BPC836" not in [one.code for one in made.diagnostics]


def test_a_placement_without_a_rule_asks_for_nothing() -> None:
    found, made = converted("    - p: {type: tosca.policies.Placement, targets: [one]}\n", "hot")
    assert list(found["resources"]) == ["one", "two"]
    assert [str(one.severity) for one in made.diagnostics if one.path == ("policies", 0, "p")] == ["info"]


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        ("{type: tosca.policies.Placement, properties: {zone: a}, targets: [one]}", "does not define whether"),
        ("{type: tosca.policies.Placement, properties: {policy: near}, targets: [one]}", "'near' is no strategy"),
        ("{type: tosca.policies.tacker.Placement, targets: [gone]}", "none of its targets is a server"),
        ("{type: tosca.policies.nfv.AntiAffinityRule, properties: {scope: zone}, targets: [one]}",
         "its scope is 'zone', and a server group knows hosts only"),
        ("{type: tosca.policies.Update, targets: [one]}", "what it means is a matter of its orchestrator"),
        ("{type: tosca.policies.Scaling, targets: [one]}", "it has no numbers"),
        ("{type: tosca.policies.Scaling, properties: {default_instances: [2]}, targets: [one]}", "no whole numbers"),
        ("{type: tosca.policies.Scaling, properties: {default_instances: 2}, targets: [gone]}",
         "none of its targets is a resource"),
        ("{type: tosca.policies.Scaling, properties: {max_instances: 2}, targets: [one]}",
         "it does not have their number"),
    ],
)  # fmt: skip
def test_other_policies_are_reported(policy: str, why: str) -> None:
    found, made = converted(f"    - p: {policy}\n", "hot")
    assert list(found["resources"]) == ["one", "two"]
    (told,) = [one for one in made.diagnostics if one.code == "BPC835"]
    assert told.path == ("policies", 0, "p")
    assert why in told.message


OTHERS = """
    three: {type: openstack.nova.Server, properties: {flavor: small, scheduler_hints: {group: old}}}
    four: {type: openstack.nova.Server, properties: {flavor: small, scheduler_hints: {different_host: x}}}
    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
"""


def test_the_standard_policy_of_placement_may_have_a_strategy() -> None:
    """What is no server, and what has a group already, is told; the others are in the group."""
    policy = "{type: tosca.policies.Placement, properties: {policy: anti-affinity}, targets: [three, four, net, one]}"
    found, made = converted(f"    - p: {policy}\n", "hot", OTHERS)
    resources = found["resources"]
    assert resources["p"]["properties"] == {"name": "p", "policies": ["anti-affinity"]}
    group = {"group": {"get_resource": "p"}}
    hints = [resources[name]["properties"].get("scheduler_hints") for name in ("one", "two", "three", "four")]
    assert hints == [group, None, {"group": "old"}, {"different_host": "x", **group}]
    told = [(one.path, one.message) for one in made.diagnostics if one.code == "BPC840"]
    place = ("policies", 0, "p", "targets")
    assert told == [(place, f"policy 'p' has no effect on '{name}'") for name in ("net", "three")]


def test_triggers_are_reported() -> None:
    _, made = converted("    - p: {type: tosca.policies.Update, triggers: {t: {event: e, action: []}}}\n", "hot")
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC839"] == ["t"]


SCALING = "properties: {min_instances: 1, max_instances: 5, default_instances: 2}, targets: [one]"


def test_scaling_is_a_group_that_scales() -> None:
    found, _ = converted(f"    - grow: {{type: tosca.policies.tacker.Scaling, {SCALING}}}\n", "hot")
    group = found["resources"]["one"]
    assert group["type"] == "OS::Heat::AutoScalingGroup"
    sizes = {key: group["properties"][key] for key in ("min_size", "max_size", "desired_capacity")}
    assert sizes == {"min_size": 1, "max_size": 5, "desired_capacity": 2}


def test_a_step_is_two_scaling_policies() -> None:
    policy = f"    - grow: {{type: tosca.policies.tacker.Scaling, {SCALING}}}\n".replace(
        "{min", "{increment: 2, cooldown: 60, min"
    )
    found, _ = converted(policy, "hot")
    out = found["resources"]["grow_scale_out"]["properties"]
    assert out == {
        "auto_scaling_group_id": {"get_resource": "one"},
        "adjustment_type": "change_in_capacity",
        "scaling_adjustment": 2,
        "cooldown": 60,
    }
    assert found["resources"]["grow_scale_in"]["properties"]["scaling_adjustment"] == -2


@pytest.mark.parametrize(
    ("properties", "names"),
    [
        ("{cooldown: 60, min_instances: 1, max_instances: 5}", ["cooldown"]),
        ("{increment: 2, cooldown: 60, default_instances: 2}", ["increment", "cooldown"]),
        ("{default_instances: 2}", []),
    ],
)
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_what_is_said_of_steps_that_there_are_not(properties: str, names: list[str], target: str) -> None:
    policy = f"    - grow: {{type: tosca.policies.tacker.Scaling, properties: {properties}, targets: [one]}}\n"
    _, made = converted(policy, target)
    found = [one.path for one in made.diagnostics if one.code == "BPC147"]
    assert found == [("policies", 0, "grow", "properties", name) for name in names]


def test_a_step_that_is_computed_is_told() -> None:
    inputs = "  inputs: {by: {type: integer}}\n"
    policy = f"    - grow: {{type: tosca.policies.tacker.Scaling, {SCALING}}}\n{inputs}"
    found, made = converted(policy.replace("{min", "{increment: {get_input: by}, min"), "hot")
    assert list(found["resources"]) == ["one", "two"]
    (told,) = [one for one in made.diagnostics if one.code == "BPC835"]
    assert told.path == ("policies", 0, "grow", "properties", "increment")
    assert "of type tosca.policies.tacker.Scaling has" in told.message
    assert "its increment is computed" in told.message


RENAMED = """
    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: two}, {dependency: {node: one, relationship: uses}}]
      interfaces:
        Standard:
          operations: {create: {implementation: a.sh, inputs: {ip: {get_attribute: [one, private_address]}}}}
    after:
      type: tosca.nodes.network.Network
      properties: {network_name: b, cidr: 10.0.1.0/24}
      requirements: [{dependency: one}]
    three: {type: openstack.nova.Server, properties: {flavor: small}, requirements: [{dependency: net}]}
"""
USES = """
  outputs:
    ip: {value: {get_attribute: [one, private_address]}}
    id: {value: {get_attribute: [one, tosca_id]}}
    other: {value: {get_attribute: [two, tosca_id]}}
  relationship_templates:
    uses:
      type: tosca.relationships.ConnectsTo
      interfaces: {Configure: {operations: {pre_configure_target: t.sh, pre_configure_source: s.sh}}}
"""
OWN = (
    f"    - grow: {{type: openstack.policies.AutoScalingGroup, {SCALING}}}\n"
    "    - more: {type: openstack.policies.ResourceGroup, properties: {default_instances: 2}, targets: [three]}\n"
)


def test_whatever_names_the_node_of_our_own_scaling_policy_names_the_group() -> None:
    found, made = converted(OWN + USES, "hot", RENAMED)
    resources = found["resources"]
    assert not {"one", "three"} & resources.keys()
    assert resources["app_create_deploy"]["properties"]["input_values"] == {
        "ip": {"get_attr": ["grow", "resource.0.first_address"]}
    }
    assert resources["after"]["depends_on"] == "grow"
    assert resources["more"]["depends_on"] == ["net", "net_subnet"]
    assert {name: row["value"] for name, row in found["outputs"].items()} == {
        "ip": {"get_attr": ["grow", "resource.0.first_address"]}, "id": {"get_attr": ["grow", "resource.0"]},
        "other": {"get_resource": "two"},
    }  # fmt: skip
    (told,) = [one.message for one in made.diagnostics if one.code == "BPC391"]
    assert "Configure.pre_configure_target to grow (t.sh) does not run: there may be several of the server" in told


def test_relationships_and_their_operations_have_the_new_name_in_cloudify() -> None:
    found, _ = converted(OWN + USES, "cloudify", RENAMED)
    nodes = found["node_templates"]
    assert found["groups"] == {"grow_group": {"members": ["grow"]}, "more_group": {"members": ["more"]}}
    host, uses = nodes["app"]["relationships"]
    assert (host["target"], uses["target"]) == ("two", "grow")
    for side, file in (("target_interfaces", "t.sh"), ("source_interfaces", "s.sh")):
        (operations,) = uses[side].values()
        assert operations == {"preconfigure": {"implementation": f"missing/{file}"}}
    assert [one["target"] for one in nodes["after"]["relationships"]] == ["grow"]
    assert {one["target"] for one in nodes["more"]["relationships"]} == {"net_barrier", "net_subnet"}


STEP = "{increment: 2, cooldown: 60, min_instances: 1, max_instances: 5}"


@pytest.mark.parametrize(("targets", "group"), [("[one]", "one_group"), ("[one, two]", "grow_group")])
def test_a_step_is_a_workflow_in_cloudify(targets: str, group: str) -> None:
    """No node is left of it. Nothing waits between two of them, though the workflow says how long."""
    policy = f"    - grow: {{type: tosca.policies.tacker.Scaling, properties: {STEP}, targets: {targets}}}\n"
    found, made = converted(policy, "cloudify")
    assert list(found["node_templates"]) == ["one", "two"]
    assert list(found["groups"]) == [group]
    steps = {name: one["parameters"] for name, one in found["workflows"].items()}
    assert {name: one["delta"]["default"] for name, one in steps.items()} == {"grow_scale_out": 2, "grow_scale_in": -2}
    assert {one["scalable_entity_name"]["default"] for one in steps.values()} == {group}
    assert [one.code for one in made.diagnostics if one.code in ("BPC745", "BPC951")] == ["BPC951"] * 2
    (lost,) = [one for one in made.diagnostics if one.code == "BPC743"]
    assert lost.path == ("policies", 0, "grow", "properties", "cooldown")
    assert not {"BPC790", "BPC841"} & {one.code for one in made.diagnostics}


def test_our_own_scaling_policy_names_the_group() -> None:
    found, _ = converted(f"    - grow: {{type: openstack.policies.AutoScalingGroup, {SCALING}}}\n", "hot")
    assert list(found["resources"]) == ["grow", "two"]


def test_scaling_is_a_policy_of_a_group_in_cloudify() -> None:
    found, _ = converted(f"    - grow: {{type: tosca.policies.tacker.Scaling, {SCALING}}}\n", "cloudify")
    assert found["groups"] == {"one_group": {"members": ["one"]}}
    assert found["policies"] == {
        "one_scaling": {
            "type": "cloudify.policies.scaling",
            "targets": ["one_group"],
            "properties": {"default_instances": 2, "min_instances": 1, "max_instances": 5},
        }
    }


SOFTWARE = """
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: one}]
      interfaces: {Standard: {operations: {create: a.sh}}}
"""


def test_software_is_scaled_with_its_server() -> None:
    policy = f"    - grow: {{type: tosca.policies.tacker.Scaling, {SCALING}}}\n"
    found, made = converted(policy, "hot", SOFTWARE)
    assert list(found["resources"]) == ["grow", "two"]
    nested = yaml.safe_load(made.files[found["resources"]["grow"]["properties"]["resource"]["type"]])
    assert list(nested["resources"]) == ["one", "app_create_config", "app_create_deploy"]
    found, _ = converted(policy, "cloudify", SOFTWARE)
    assert found["groups"] == {"grow_group": {"members": ["one"]}}
    assert found["node_templates"]["app"]["relationships"][0]["target"] == "one"


def test_a_scalable_machine_takes_its_software_along() -> None:
    nodes = (
        SOFTWARE.replace("{host: one}", "{host: three}")
        + """
    three:
      type: openstack.nova.Server
      properties: {flavor: small}
      capabilities: {scalable: {properties: {min_instances: 1, max_instances: 3, default_instances: 1}}}
"""
    )
    found, _ = converted("    []\n", "hot", nodes)
    assert list(found["resources"]) == ["one", "two", "three_group"]


def test_what_is_part_of_another_node_is_no_member_of_a_group() -> None:
    """A volume attachment is a relationship in Cloudify, whose parser refuses members that are no nodes."""
    node = """
    many:
      type: tosca.nodes.Compute
      capabilities: {scalable: {properties: {min_instances: 1, max_instances: 3, default_instances: 2}}}
      requirements: [{local_storage: {node: vol, relationship: tosca.relationships.AttachesTo}}]
    vol: {type: tosca.nodes.Storage.BlockStorage, properties: {size: 1 GB}}
"""
    made = yaml.safe_load(convert(f"{HEAD}{node}", "tosca", "cloudify", carry=False).text)
    assert made["groups"] == {"many_group": {"members": ["many", "vol"]}}


def test_what_another_machine_has_as_well_is_no_member_of_a_group() -> None:
    attached = "requirements: [{local_storage: {node: vol, relationship: tosca.relationships.AttachesTo}}]"
    node = f"""
    many:
      type: tosca.nodes.Compute
      capabilities: {{scalable: {{properties: {{min_instances: 1, max_instances: 3, default_instances: 2}}}}}}
      {attached}
    other: {{type: tosca.nodes.Compute, {attached}}}
    vol: {{type: tosca.nodes.Storage.BlockStorage, properties: {{size: 1 GB}}}}
"""
    made = yaml.safe_load(convert(f"{HEAD}{node}", "tosca", "cloudify", carry=False).text)
    assert made["groups"] == {"many_group": {"members": ["many"]}}


def test_a_trigger_whose_name_is_a_boolean_is_an_alarm() -> None:
    text = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates: {vm: {type: tosca.nodes.Compute}}
  policies:
    - more:
        type: tosca.policies.Scaling
        targets: [vm]
        properties: {min_instances: 1, max_instances: 4, increment: 1}
    - watching:
        type: tosca.policies.Root
        triggers:
          true: {meter_name: cpu_util, condition: {threshold: 10, comparison_operator: lt}, action: [more]}
"""
    [read] = [item.message for item in convert(text, "tosca", "hot").diagnostics if item.code == "BPC869"]
    assert read == "trigger 'True' of policy 'watching' is read as an alarm about cpu_util, which scales"
