"""Groups of resources and scaling groups, beyond what the corpus shows."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Input, Topology
from bpconvert.options import Options
from bpconvert.translators.passes.groups.member_index import Index
from bpconvert.translators.passes.groups.members import single_member

NO_CARRY = Options(carry=False)


def blueprint(resources: str, outputs: str = "{}", version: str = "2015-10-15") -> tuple[dict[str, Any], Result]:
    text = f"heat_template_version: {version}\nresources:\n{resources}\noutputs: {outputs}\n"
    result = convert(text, "hot", "cloudify", name="hot.yaml", options=NO_CARRY)
    return yaml.safe_load(result.text), result


def template(text: str) -> tuple[dict[str, Any], Result]:
    head = "tosca_definitions_version: cloudify_dsl_1_3\n"
    head += "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]\n"
    result = convert(head + text, "cloudify", "hot", name="blueprint.yaml", options=NO_CARRY)
    return yaml.safe_load(result.text), result


def group(count: Any, properties: str = "{size: 1}", more: str = "") -> str:
    definition = f"{{type: OS::Cinder::Volume, properties: {properties}}}"
    return f"  g: {{type: OS::Heat::ResourceGroup, properties: {{count: {count}, resource_def: {definition}{more}}}}}"


@pytest.mark.parametrize(
    ("name", "keys", "in_all", "expected"),
    [
        ("resource.0", (), False, ("0", "", ())),
        ("resource.a.size", ("x",), False, ("a", "size", ("x",))),
        ("resource.0.resource.1.size", (), False, ("0", "resource.1.size", ())),
        ("resource.0", ("size", 1), False, ("0", "size", (1,))),
        ("refs", (1,), False, ("1", "", ())),
        ("refs", (), False, None),
        ("size", (0,), False, None),
        ("size", (0, "a"), True, ("0", "size", ("a",))),
        ("attributes", ("size",), True, None),
    ],
)
def test_reference_to_a_single_member(name: str, keys: Any, in_all: bool, expected: Any) -> None:
    assert single_member(ex.Attribute("g", name, keys), in_all) == expected


def test_index_in_values() -> None:
    inputs = {"name": Input("name", "string", "a-%index%"), "plain": Input("plain", "string")}
    index = Index("%index%", Topology("hot", "", inputs=inputs))
    plain = ex.Input("plain")
    assert index.numbered({"%index%": ["a-%index%", 1, plain]}, "4") == {"%index%": ["a-4", 1, plain]}
    assert index.numbered(ex.Join("-", (("%index%", plain),)), "4") == ex.Join("-", (("4", plain),))
    assert isinstance(index.numbered(ex.Input("name"), "4"), ex.Foreign)
    assert isinstance(index.numbered(ex.Digest("md5", "%index%"), "4"), ex.Foreign)
    key = ex.Input("plain", ("%index%",))
    assert index.numbered(key, "4") is key
    assert not index.occurs(key)
    choice = ex.If(ex.Equals("%index%", "0"), "%index%", plain)
    assert index.numbered(choice, "4") == ex.If(ex.Equals("%index%", "0"), "4", plain)


@pytest.mark.parametrize(
    ("text", "params", "expected"),
    [
        ("%index%", {"$a": ex.Input("p")}, ("4", {"$a": ex.Input("p")})),
        ("%index% $a", {"$a": "%index%"}, ("4 $a", {"$a": "4"})),
        ("%index%", {"x": "y"}, ("%index%", {"x": "y"})),
        ("%index%", {"%index%": ex.Input("p")}, ("%index%", {"%index%": ex.Input("p")})),
        ("%index%", {"4": ex.Input("p")}, None),
    ],
)
def test_index_in_a_replaced_text(text: str, params: dict[str, Any], expected: Any) -> None:
    found = Index("%index%", Topology("hot", "")).numbered(ex.Replace(text, params), "4")
    if expected is None:
        assert isinstance(found, ex.Foreign)
    else:
        assert found == ex.Replace(*expected)


def test_members_that_are_left_out() -> None:
    more = ", removal_policies: [{resource_list: ['0', 2]}]"
    data, _ = blueprint(group(3, "{name: 'd-%index%', size: 1}", more))
    names = {name: node["properties"]["resource_config"]["name"] for name, node in data["node_templates"].items()}
    assert names == {"g_1": "d-1", "g_3": "d-3", "g_4": "d-4"}


def test_names_that_are_taken() -> None:
    data, _ = blueprint(group(1, "{name: '%index%', size: 1}") + "\n  g_0: {type: OS::Cinder::Volume}\n")
    assert len(data["node_templates"]) == 2
    data, _ = blueprint(group(2) + "\n  g_group: {type: OS::Cinder::Volume}\n")
    (name,) = data["groups"]
    assert name not in data["node_templates"]
    assert data["groups"][name] == {"members": ["g"]}


def test_too_many_members_to_write_down() -> None:
    data, result = blueprint(group(1000, "{name: 'd-%index%', size: 1}"))
    assert data["policies"]["g_scaling"]["properties"] == {"default_instances": 1000}
    assert data["node_templates"]["g"]["properties"]["resource_config"]["name"] == {
        "concat": [
            "d-",
            {"get_attribute": ["member_numbers", "result", {"get_attribute": ["g", "node_instance_index"]}]},
        ]
    }
    assert "BPC699" in {found.code for found in result.diagnostics}


def test_paths_of_the_first_version_choose_members() -> None:
    data, _ = blueprint(group(2), "{o: {value: {get_attr: [g, display_name, 1]}}}", "2013-05-23")
    assert data["outputs"]["o"]["value"] == {"get_attribute": ["g_1", "name"]}


@pytest.mark.parametrize(("place", "node"), [(0, "g_0"), (-1, "g_1"), (-2, "g_0"), (2, None), (-3, None)])
def test_paths_of_the_first_version_count_from_both_ends(place: int, node: str | None) -> None:
    data, _ = blueprint(group(2), f"{{o: {{value: {{get_attr: [g, display_name, {place}]}}}}}}", "2013-05-23")
    value = data["outputs"]["o"]["value"]
    assert value == {"get_attribute": [node, "name"]} if node else str(value).startswith("not converted: ")


def test_dependencies_on_members() -> None:
    data, _ = blueprint(group(2, "{name: '%index%', size: 1}") + "\n  x: {type: OS::Nova::KeyPair, depends_on: g}\n")
    assert [one["target"] for one in data["node_templates"]["x"]["relationships"]] == ["g_0", "g_1"]


@pytest.mark.parametrize("count", ["-1", "many", "[1]"])
def test_counts_that_heat_refuses(count: str) -> None:
    data, result = blueprint(group(count))
    assert "groups" not in data
    assert data["node_templates"]["g"]["type"] == "bpconvert.nodes.HeatResource"
    assert "BPC742" in {found.code for found in result.diagnostics}


SEVERAL = """
inputs: {count: {type: integer, default: 2}}
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
  disk: {type: cloudify.nodes.openstack.Volume}
  other:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {description: {get_attribute: [disk, id]}}}
groups: {g: {members: [port, disk]}}
policies: {p: {type: cloudify.policies.scaling, targets: [g], properties: {default_instances: {get_input: count}}}}
outputs: {o: {value: {get_attributes_list: [port, mac_address]}}}
"""


def test_several_members_are_a_file() -> None:
    data, result = template(SEVERAL)
    assert data["resources"].keys() == {"net", "g", "other"}
    assert data["resources"]["g"]["properties"] == {
        "count": {"get_param": "count"},
        "resource_def": {"type": "blueprint.g.yaml", "properties": {"net": {"get_resource": "net"}}},
    }
    inner = yaml.safe_load(result.files["blueprint.g.yaml"])
    assert inner["parameters"] == {"net": {"type": "string"}}
    assert inner["resources"]["port"]["properties"] == {"network": {"get_param": "net"}, "security_groups": []}
    assert inner["outputs"]["disk_id"] == {"value": {"get_resource": "disk"}}
    assert data["outputs"]["o"]["value"] == {"get_attr": ["g", "port_mac_address"]}
    assert data["resources"]["other"]["properties"]["description"] == {"get_attr": ["g", "resource.0.disk_id"]}


def test_port_of_a_member_comes_back_as_its_interface() -> None:
    source = "heat_template_version: 2015-10-15\nparameters: {n: {type: number, default: 2}}\nresources:\n" + group(
        "{get_param: n}"
    ).replace(
        "{type: OS::Cinder::Volume, properties: {size: 1}}",
        "{type: OS::Nova::Server, properties: {flavor: a, image: b, networks: [{network: n, fixed_ip: 10.0.0.4}]}}",
    )
    there = convert(source, "hot", "cloudify", name="hot.yaml", options=NO_CARRY)
    assert yaml.safe_load(there.text)["groups"] == {"g_group": {"members": ["g", "g_port_0"]}}
    back = yaml.safe_load(convert(there.text, "cloudify", "hot", name="b.yaml", options=NO_CARRY).text)
    found = back["resources"]["g"]["properties"]
    assert found["count"] == {"get_param": "n"}
    assert found["resource_def"]["type"] == "OS::Nova::Server"
    assert found["resource_def"]["properties"]["networks"][0]["fixed_ip"] == "10.0.0.4"


def test_members_of_an_older_type_are_read_as_its_kind() -> None:
    made, result = blueprint(
        "  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: 2\n"
        "      resource_def: {type: OS::Nova::FloatingIP, properties: {pool: public}}\n"
        "  h:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: 2\n"
        "      resource_def: {type: 'AWS::EC2::SecurityGroup', properties: {GroupDescription: group %index%}}\n"
    )
    nodes = made["node_templates"]
    assert nodes["g"]["properties"]["resource_config"] == {"floating_network_name": "public"}
    assert nodes["h_1"]["properties"]["resource_config"] == {"description": "group 1"}
    assert not [found for found in result.diagnostics if found.code == "BPC301"]


@pytest.mark.parametrize(
    "member",
    [
        "{type: OS::Cinder::Volume, properties: {size: 1}}",
        "{type: OS::Nova::Server, properties: {flavor: a, image: b, networks: [{network: n, fixed_ip: 10.0.0.4}]}}",
    ],
    ids=["one-node", "several-nodes"],
)
def test_a_scaling_policy_comes_back_with_its_group(member: str) -> None:
    source = (
        "heat_template_version: 2015-10-15\nresources:\n  g:\n    type: OS::Heat::AutoScalingGroup\n    properties:\n"
        f"      min_size: 1\n      max_size: 3\n      resource: {member}\n"
        "  p:\n    type: OS::Heat::ScalingPolicy\n    properties:\n      auto_scaling_group_id: {get_resource: g}\n"
        "      adjustment_type: change_in_capacity\n      scaling_adjustment: 1\n"
        "outputs: {url: {value: {get_attr: [p, signal_url]}}}\n"
    )
    there = convert(source, "hot", "cloudify", name="hot.yaml", options=NO_CARRY)
    stand_in = yaml.safe_load(there.text)["node_templates"]["p"]["properties"]["heat_properties"]
    assert stand_in["auto_scaling_group_id"] == "g_group"
    back = yaml.safe_load(convert(there.text, "cloudify", "hot", name="b.yaml", options=NO_CARRY).text)["resources"]
    group_id = back["p"]["properties"]["auto_scaling_group_id"]["get_resource"]
    assert back[group_id]["type"] == "OS::Heat::AutoScalingGroup"


def test_properties_of_members_that_are_read_outside() -> None:
    text = """
inputs: {kind: {type: string, default: m1.tiny}, more: {type: dict, default: {a: {b: 1}}}}
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  web:
    type: cloudify.nodes.openstack.Server
    properties:
      image: cirros
      flavor: {get_input: kind}
      resource_config:
        name: {get_attribute: [net, id]}
        metadata: {get_input: [more, a]}
  disk: {type: cloudify.nodes.openstack.Volume, properties: {resource_config: {size: 1}}}
groups: {g: {members: [web, disk]}}
policies: {p: {type: cloudify.policies.scaling, targets: [g], properties: {default_instances: 2}}}
outputs:
  image: {value: {get_property: [web, image]}}
  flavor: {value: {get_property: [web, flavor]}}
  name: {value: {get_property: [web, resource_config, name]}}
  part: {value: {get_property: [web, resource_config, metadata, b]}}
"""
    made, result = template(text)
    assert {name: output["value"] for name, output in made["outputs"].items()} == {
        "image": "cirros",
        "flavor": {"get_param": "kind"},
        "name": {"get_resource": "net"},
        "part": {"get_param": ["more", "a", "b"]},
    }
    assert not [found for found in result.diagnostics if found.code == "BPC232"]


def test_several_instances_of_what_exists_already() -> None:
    made, result = template("""
node_templates:
  small:
    type: cloudify.nodes.openstack.Flavor
    properties: {use_external_resource: true, resource_config: {name: m1.small}}
    capabilities: {scalable: {properties: {default_instances: 2}}}
outputs:
  names: {value: {get_attributes_list: [small, name]}}
""")
    assert made["outputs"]["names"]["value"] == ["m1.small"]
    found = [".".join(map(str, one.path)) for one in result.diagnostics if one.code == "BPC351"]
    assert found == ["node_templates.small.capabilities.scalable.properties.default_instances"]


def test_who_waits_for_a_group_of_groups_waits_for_all_members() -> None:
    disk = "{type: OS::Cinder::Volume, properties: {name: 'd-%o%-%index%', size: 1}}"
    inner = f"{{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {disk}}}}}"
    text = f"""
  g:
    type: OS::Heat::ResourceGroup
    properties: {{count: 2, index_var: '%o%', resource_def: {inner}}}
  last: {{type: OS::Cinder::Volume, depends_on: g, properties: {{size: 1}}}}
"""
    data, _ = blueprint(text)
    targets = [relation["target"] for relation in data["node_templates"]["last"]["relationships"]]
    assert targets == ["g_0_0", "g_0_1", "g_1_0", "g_1_1"]
