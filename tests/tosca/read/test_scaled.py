"""What belongs to nodes of which there are several, and what refers to these."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"
NODES = """\
    web: {type: openstack.nova.Server, properties: {flavor: f, image: i}}
    nic: {type: openstack.neutron.Port, properties: {network: n}, requirements: [binding: web]}
    ip:
      type: openstack.neutron.FloatingIP
      properties: {floating_network: x, port_id: {get_attribute: [nic, tosca_id]}}
    disk: {type: openstack.cinder.Volume, properties: {size: 1}}
    log: {type: openstack.cinder.Volume, properties: {size: 2}}
"""
NUMBERS = "properties: {min_instances: 1, max_instances: 4, default_instances: 2}"


def policy(name: str, *targets: str, numbers: str = NUMBERS) -> str:
    return f"    - {name}: {{type: tosca.policies.Scaling, {numbers}, targets: [{', '.join(targets)}]}}\n"


def made_of(*policies: str, nodes: str = "", target: str = "cloudify", rest: str = "") -> Result:
    rows = f"  policies:\n{''.join(policies)}" if policies else ""
    return convert(f"{HEAD}{NODES}{nodes}{rest}{rows}", "tosca", target, carry=False)


def groups(made: Result) -> dict[str, list[str]]:
    return {name: row["members"] for name, row in made.document.get("groups", {}).items()}


def numbers(made: Result) -> dict[str, Any]:
    return {name: row["properties"] for name, row in made.document.get("policies", {}).items()}


SIZES = {"min_instances": 1, "max_instances": 4, "default_instances": 2}


def test_a_server_is_scaled_with_what_belongs_to_it_alone() -> None:
    made = made_of(policy("webs", "web"))
    assert groups(made) == {"webs_group": ["web", "nic", "ip"]}
    assert numbers(made) == {"webs_scaling": SIZES}


@pytest.mark.parametrize(
    ("more", "members"),
    [
        ("    at: {type: openstack.cinder.VolumeAttachment, properties: {volume_id: {get_attribute: [disk, tosca_id]},"
         " instance_uuid: {get_attribute: [web, tosca_id]}}}\n", ["web", "nic", "ip", "disk"]),
        ("    fip: {type: openstack.neutron.FloatingIP, properties: {floating_network: x}}\n"
         "    as: {type: openstack.neutron.FloatingIPAssociation, properties: {floatingip_id: "
         "{get_attribute: [fip, tosca_id]}, port_id: {get_attribute: [nic, tosca_id]}}}\n",
         ["web", "nic", "ip", "fip"]),
        ("    fip: {type: openstack.neutron.FloatingIP, properties: {floating_network: x}}\n"
         "    as: {type: openstack.nova.FloatingIPAssociation, properties: {floating_ip: "
         "{get_attribute: [fip, tosca_id]}, server_id: {get_attribute: [web, tosca_id]}}}\n",
         ["web", "nic", "ip", "fip"]),
    ],
    ids=["volume", "address", "address of the server"],
)  # fmt: skip
def test_parts_of_parts_belong_to_it(more: str, members: list[str]) -> None:
    (found,) = groups(made_of(policy("webs", "web"), nodes=more)).values()
    assert found == members


@pytest.mark.parametrize(
    "more",
    [
        "    other: {type: openstack.nova.Server, properties: {flavor: f, image: i, networks: "
        "[{port: {get_attribute: [nic, tosca_id]}}]}}\n",
        "    see: {type: openstack.nova.KeyPair, properties: {name: {get_attribute: [ip, floating_ip_address]}}}\n",
        "    see: {type: openstack.nova.KeyPair, properties: {name: {get_attribute: [nic, mac_address]}}}\n",
    ],
    ids=["of two servers", "address that is read", "port that is read"],
)
def test_what_something_else_has_or_uses_is_there_once(more: str) -> None:
    """With what hangs on it."""
    assert groups(made_of(policy("webs", "web"), nodes=more)) == {"web_group": ["web"]}


def test_a_part_may_use_what_is_there_once() -> None:
    """A port is there for each instance, its network once."""
    more = (
        "    net: {type: openstack.neutron.Net}\n"
        "    eth: {type: openstack.neutron.Port, properties: {network: {get_attribute: [net, tosca_id]}},"
        " requirements: [binding: web]}\n"
    )
    assert groups(made_of(policy("webs", "web"), nodes=more)) == {"webs_group": ["web", "nic", "ip", "eth"]}


def test_what_is_no_software_on_a_server_is_there_once() -> None:
    thing = "    thing: {type: tosca.nodes.Root, requirements: [host: web]}\n"
    assert groups(made_of(policy("webs", "web"), nodes=thing)) == {"webs_group": ["web", "nic", "ip"]}


@pytest.mark.parametrize("targets", [("disk", "log"), ("log", "disk"), ("disk", "log", "gone")])
def test_several_targets_are_a_group_and_one_is_none(targets: tuple[str, ...]) -> None:
    """In the order of the document, as far as they are there."""
    made = made_of(policy("disks", *targets))
    assert groups(made) == {"disks_group": ["disk", "log"]}
    single = made_of(policy("disks", "disk"))
    assert all(members == ["disk"] for members in groups(single).values())
    assert [*numbers(single).values()] == [SIZES]


def test_numbers_without_limits() -> None:
    made = made_of(policy("disks", "disk", "log", numbers="properties: {default_instances: 3}"))
    assert [row["default_instances"] for row in numbers(made).values()] == [3]


SCALES = "properties: {auto_scaling_group_id: %s, adjustment_type: change_in_capacity, scaling_adjustment: 1}"


def scaling(name: str, group: str) -> str:
    return f"    {name}: {{type: openstack.heat.ScalingPolicy, {SCALES % group}}}\n"


def test_what_scales_a_policy_scales_the_group_that_it_is() -> None:
    """In Heat by its id; whatever other nodes there are."""
    more = scaling("a", "elsewhere") + scaling("b", "webs") + scaling("c", "disks")
    policies = policy("disks", "disk", "log"), policy("webs", "web")
    found = made_of(*policies, nodes=more, target="hot").document["resources"]
    assert [found[name]["properties"]["auto_scaling_group_id"] for name in "abc"] == [
        "elsewhere", {"get_resource": "webs"}, {"get_resource": "disks"},
    ]  # fmt: skip
    shown = made_of(*policies, nodes=more).document["node_templates"]
    assert [shown[name]["properties"]["heat_properties"]["auto_scaling_group_id"] for name in "abc"] == [
        "elsewhere", "webs_group", "disks_group",
    ]  # fmt: skip
    rows = [shown[name]["properties"]["heat_properties"] for name in "abc"]
    kept = [(row["adjustment_type"], row["scaling_adjustment"]) for row in rows]
    assert kept == [("change_in_capacity", 1)] * 3
    waits = [[row["target"] for row in shown[name].get("relationships", [])] for name in "abc"]
    assert waits == [[], ["web", "nic", "ip"], ["disk", "log"]]


OWN = "policy_types: {openstack.policies.AutoScalingGroup: {derived_from: tosca.policies.Scaling}}\n"
OTHER_NUMBERS = "properties: {default_instances: 3}"


def refused(made: Result) -> list[tuple[Any, ...]]:
    """What is told of policies that have no effect."""
    return [(one.code, one.path) for one in made.diagnostics if one.code in ("BPC835", "BPC840")]


def test_the_first_of_two_policies_gives_the_number() -> None:
    """What the other one does not change is told."""
    first = policy("disks", "disk")
    made = made_of(first, policy("more", "disk", numbers=OTHER_NUMBERS))
    assert refused(made) == [("BPC835", ("policies", 1, "more"))]
    (why,) = [one.message for one in made.diagnostics if one.code == "BPC835"]
    assert "another policy gives the number of its targets" in why
    assert [*numbers(made).values()] == [SIZES]
    made = made_of(first, policy("more", "log", "disk", numbers=OTHER_NUMBERS))
    assert refused(made) == [("BPC840", ("policies", 1, "more", "targets"))]
    assert groups(made) == {"disk_group": ["disk"], "log_group": ["log"]}
    assert [row["default_instances"] for row in numbers(made).values()] == [2, 3]


def test_two_policies_may_give_the_same_number() -> None:
    made = made_of(policy("disks", "disk"), policy("more", "disk"))
    assert refused(made) == []
    assert [*numbers(made).values()] == [SIZES]


def test_two_policies_cannot_give_a_node_their_names() -> None:
    rows = [policy(name, "disk").replace("tosca.policies.Scaling", "openstack.policies.AutoScalingGroup")
            for name in ("disks", "more")]  # fmt: skip
    made = convert(OWN + HEAD + NODES + "  policies:\n" + "".join(rows), "tosca", "hot", carry=False)
    assert refused(made) == [("BPC835", ("policies", 1, "more"))]
    assert {"disks", "more", "disk"} & made.document["resources"].keys() == {"disks"}


def test_what_a_policy_says_of_its_steps_stays() -> None:
    """Each direction is a resource with the values that both have."""
    more = f"{NUMBERS[:-1]}, increment: 3, cooldown: {{get_input: pause}}}}"
    made = made_of(policy("disks", "disk", numbers=more), rest="  inputs: {pause: {type: integer}}\n", target="hot")
    rows = {name: row["properties"] for name, row in made.document["resources"].items() if "disks_" in name}
    assert {name: (row["scaling_adjustment"], row["cooldown"]) for name, row in rows.items()} == {
        "disks_scale_out": (3, {"get_param": "pause"}),
        "disks_scale_in": (-3, {"get_param": "pause"}),
    }


COUNTED = """\
tosca_definitions_version: tosca_2_0
service_template:
  inputs: {n: {type: integer, default: 2}, m: {type: integer, default: 2}}
  node_templates:
    web: {type: openstack.nova.Server, count: {$get_input: n}, properties: {flavor: f, image: i}}
    nic: {type: openstack.neutron.Port, %sproperties: {network: n}, requirements: [binding: web]}
    disk: {type: openstack.cinder.Volume, %sproperties: {size: 1}}
"""
AS_MANY, OTHERS = "count: {$get_input: n}, ", "count: {$get_input: m}, "


@pytest.mark.parametrize(
    ("port", "volume", "members", "told"),
    [
        ("", "", {"web_group": ["web", "nic"]}, ["nic"]),
        (AS_MANY, "", {"web_group": ["web", "nic"]}, []),
        ("", AS_MANY, {"web_group": ["web", "nic"], "disk_group": ["disk"]}, ["nic"]),
        (AS_MANY, OTHERS, {"web_group": ["web", "nic"], "disk_group": ["disk"]}, []),
    ],
)
def test_counted_nodes_have_what_belongs_to_them(
    port: str, volume: str, members: dict[str, list[str]], told: list[str]
) -> None:
    """What has no count of its own is told: of its template there is one."""
    made = convert(COUNTED % (port, volume), "tosca", "cloudify", carry=False)
    assert groups(made) == members
    words = [one.message for one in made.diagnostics if one.code == "BPC862"]
    assert words == [f"there is one '{name}' for each instance of 'web', which it belongs to" for name in told]


def test_a_counted_machine_has_its_attachments_and_all_software_on_it() -> None:
    """An attachment is part of its machine, which has a count; software on software is on it, too."""
    software = "{type: tosca.nodes.SoftwareComponent, requirements: [host: %s], "
    software += "interfaces: {Standard: {operations: {create: a.sh}}}}\n"
    made = convert(
        COUNTED.partition("    web:")[0]
        + "    vm: {type: tosca.nodes.Compute, count: {$get_input: n}, requirements: [local_storage: v]}\n"
        "    v: {type: tosca.nodes.Storage.BlockStorage, count: {$get_input: n}, properties: {size: 1 GiB}}\n"
        f"    app: {software % 'vm'}    sub: {software % 'app'}",
        "tosca", "hot", carry=False, beside={"a.sh": "#!/bin/sh\n"},
    )  # fmt: skip
    told = {one.code: (one.path, one.message) for one in made.diagnostics}
    place = ("node_templates", "vm", "count")
    assert told["BPC381"] == (place, "'vm_group' is an OS::Heat::ResourceGroup of vm_group.yaml")
    members = "(vm, v, vm_v_attachment, app, sub)"
    words = f"the members of group 'vm_group' {members} are in nested template 'vm_group.yaml'"
    assert told["BPC751"] == (place, words)
    assert [one.path[1] for one in made.diagnostics if one.code == "BPC862"] == ["app", "sub"]


def test_a_single_counted_node_is_told_at_its_count() -> None:
    node = "    disk: {type: openstack.cinder.Volume, count: {$get_input: n}, properties: {size: 1}}\n"
    made = convert(COUNTED.partition("    web:")[0] + node, "tosca", "hot", carry=False)
    assert [(one.path, one.message) for one in made.diagnostics if one.code == "BPC381"] == [
        (("node_templates", "disk", "count"), "'disk' is an OS::Heat::ResourceGroup of OS::Cinder::Volume")
    ]


def test_a_renamed_node_waits_as_before() -> None:
    """A policy of ours gives its name to the only target."""
    row = f"    - many: {{type: openstack.policies.AutoScalingGroup, {NUMBERS}, targets: [app]}}\n"
    nodes = (
        "    app: {type: openstack.nova.Server, properties: {flavor: f}, requirements: [{dependency: key}]}\n"
        "    key: {type: openstack.nova.KeyPair, properties: {name: j}}\n"
        "    after: {type: openstack.nova.KeyPair, properties: {name: k}, "
        "requirements: [{dependency: app}, {dependency: disk}]}\n"
    )
    made = convert(f"{OWN}{HEAD}{NODES}{nodes}  policies:\n{row}", "tosca", "cloudify", carry=False)
    found = made.document["node_templates"]
    assert [name for name in found if name in ("app", "many", "key", "after")] == ["many", "key", "after"]
    waits = {name: [one["target"] for one in found[name]["relationships"]] for name in ("many", "after")}
    assert waits == {"many": ["key_barrier"], "after": ["many", "disk"]}


@pytest.mark.parametrize("targets", [("disk",), ("disk", "log")])
def test_the_number_of_a_policy_is_told_at_the_policy(targets: tuple[str, ...]) -> None:
    made = made_of(policy("disks", *targets), target="hot")
    places = {one.path for one in made.diagnostics if one.code in ("BPC750", "BPC751")}
    assert places == {("policies", 0, "disks")}
