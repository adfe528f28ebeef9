"""Machines of TOSCA: what they ask for, how many there are."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\n"


def converted(nodes: str, rest: str = "", head: str = HEAD, target: str = "hot") -> tuple[dict[str, Any], Conversion]:
    """The data that a service template with these nodes becomes, and the whole conversion."""
    made = convert(f"{head}topology_template:\n  node_templates:\n{nodes}{rest}", "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


def codes(made: Conversion, *path: Any) -> list[str]:
    """The codes that are reported at ``path``."""
    return [one.code for one in made.diagnostics if tuple(one.path)[: len(path)] == path]


HOST = """
    vm:
      type: tosca.nodes.Compute
      capabilities:
        host: {properties: {num_cpus: 2, mem_size: 4 GB, disk_size: 20 GB, cpu_frequency: 1 GHz}}
        os: {properties: {architecture: x86_64, type: linux, distribution: ubuntu, version: "22.04"}}
"""


def test_a_request_becomes_inputs_with_the_request_in_words() -> None:
    data, made = converted(HOST)
    flavor, image = data["parameters"]["vm_flavor"], data["parameters"]["vm_image"]
    assert flavor["description"] == "flavor of vm: at least 2 CPUs, 3815 MiB of memory, 19 GiB of disk"
    assert flavor["constraints"] == [{"custom_constraint": "nova.flavor"}]
    assert image["description"] == "image of vm: x86_64, linux, ubuntu 22.04"
    assert image["constraints"] == [{"custom_constraint": "glance.image"}]
    assert data["resources"]["vm"] == {
        "type": "OS::Nova::Server",
        "properties": {"flavor": {"get_param": "vm_flavor"}, "image": {"get_param": "vm_image"}},
    }
    assert codes(made, "node_templates", "vm", "capabilities", "host") == ["BPC812", "BPC810"]


def test_a_request_is_asked_for_in_cloudify_as_well() -> None:
    data, _ = converted(HOST, target="cloudify")
    assert data["node_templates"]["vm"]["properties"]["flavor"] == {"get_input": "vm_flavor"}
    assert data["inputs"]["vm_image"]["description"] == "image of vm: x86_64, linux, ubuntu 22.04"


@pytest.mark.parametrize("type", ["Compute", "tosca:Compute", "own.Machine"])
def test_short_names_and_derived_types_are_machines(type: str) -> None:
    head = f"{HEAD}node_types:\n  own.Machine: {{derived_from: Compute}}\n"
    data, _ = converted(f"    vm: {{type: '{type}'}}\n", head=head)
    assert data["resources"]["vm"]["type"] == "OS::Nova::Server"
    assert data["parameters"]["vm_flavor"]["description"] == "flavor of vm"


@pytest.mark.parametrize("name", ["tags", "metadata", "name", "networks"])
def test_what_a_type_of_its_own_adds_is_data_of_that_type(name: str) -> None:
    """Nova has a property of that name, too; nobody has asked for that one."""
    kind = "string" if name == "name" else "map"
    head = f"{HEAD}node_types:\n  own.Machine:\n    derived_from: tosca.nodes.Compute\n"
    head += f"    properties: {{{name}: {{type: {kind}, default: {{}}}}, other: {{type: string, default: x}}}}\n"
    data, _ = converted("\n    vm: {type: own.Machine}\n", head=head)
    assert data["resources"]["vm"]["properties"].keys() == {"flavor", "image"}
    assert data["parameters"].keys() == {"vm_flavor", "vm_image"}


def test_an_image_of_a_type_of_its_own() -> None:
    """Also where the template only adds to what its type has."""
    head = f"""{HEAD}artifact_types:
  own.Image: {{derived_from: tosca.artifacts.Deployment.Image.VM}}
node_types:
  own.Machine: {{derived_from: tosca.nodes.Compute, artifacts: {{i: {{type: own.Image, file: debian.qcow2}}}}}}
"""
    nodes = """
    one: {type: own.Machine}
    two: {type: own.Machine, artifacts: {i: {deploy_path: /x}}}
"""
    data, made = converted(nodes, head=head)
    assert {data["parameters"][f"{name}_image"]["default"] for name in ("one", "two")} == {"debian"}
    assert "BPC832" not in [one.code for one in made.diagnostics]


def test_a_machine_with_an_address_is_there_already() -> None:
    """It is not created; one that asks for a size is, whatever its attributes are before."""
    data, made = converted("""
    vm: {type: tosca.nodes.Compute, attributes: {private_address: localhost}}
    sized:
      type: tosca.nodes.Compute
      attributes: {public_address: 192.0.2.1}
      capabilities: {host: {properties: {num_cpus: 1}}}
    unknown: {type: tosca.nodes.Compute, attributes: {public_address: <unknown>}}
""")
    types = {name: row["type"] for name, row in data["resources"].items()}
    server = "OS::Nova::Server"
    assert types == {"vm": "OS::Heat::DeployedServer", "sized": server, "unknown": server}
    assert [str(one.severity) for one in made.diagnostics if one.code == "BPC865"] == ["info"]


def test_properties_with_names_of_nova_are_taken() -> None:
    head = f"""{HEAD}node_types:
  own.Machine:
    derived_from: tosca.nodes.Compute
    properties:
      flavor: {{type: string, default: m1.small}}
      key_name: {{type: string}}
      colour: {{type: string}}
"""
    nodes = """
    vm:
      type: own.Machine
      properties: {key_name: mine, colour: red}
      capabilities: {host: {properties: {num_cpus: 2}}}
"""
    data, made = converted(nodes, head=head)
    properties = data["resources"]["vm"]["properties"]
    assert properties["flavor"] == "m1.small"
    assert properties["key_name"] == "mine"
    assert "vm_flavor" not in data["parameters"]
    assert codes(made, "node_templates", "vm", "properties", "colour") == ["BPC823"]
    assert "BPC813" in codes(made, "node_templates", "vm", "capabilities")


def test_a_request_that_is_an_input_is_named() -> None:
    rest = "  inputs: {cpus: {type: integer, default: 4}}\n"
    nodes = """
    vm: {type: Compute, capabilities: {host: {properties: {num_cpus: {get_input: cpus}, mem_size: 512 MiB}}}}
"""
    data, _ = converted(nodes, rest)
    words = "flavor of vm: at least as many CPUs as input 'cpus' (4), 512 MiB of memory"
    assert data["parameters"]["vm_flavor"]["description"] == words


@pytest.mark.parametrize(
    ("file", "default"), [("images/debian-12.qcow2", "debian-12"), ("https://example.org/x.tar", "x")]
)
def test_an_image_by_its_file_is_a_default(file: str, default: str) -> None:
    nodes = f"""
    vm:
      type: Compute
      artifacts: {{disk: {{file: "{file}", type: tosca.artifacts.Deployment.Image.VM.QCOW2}}}}
"""
    data, made = converted(nodes)
    assert data["parameters"]["vm_image"]["default"] == default
    assert "BPC814" in codes(made, "node_templates", "vm", "artifacts")


def test_an_image_at_an_address_is_one_of_glance() -> None:
    nodes = """
    vm:
      type: Compute
      artifacts: {disk: {file: "https://example.org/a/debian.qcow2", type: tosca.artifacts.Deployment.Image.VM.QCOW2}}
"""
    data, _ = converted(nodes)
    assert data["resources"]["vm_image"]["properties"] == {
        "name": "debian", "location": "https://example.org/a/debian.qcow2", "container_format": "bare",
        "disk_format": "qcow2",
    }  # fmt: skip
    assert data["resources"]["vm"]["properties"]["image"] == {"get_resource": "vm_image"}


def test_one_of_it_is_one() -> None:
    nodes = "    vm: {type: Compute, capabilities: {scalable: {properties: {min_instances: 1, max_instances: 1}}}}\n"
    data, made = converted(nodes)
    assert data["resources"]["vm"]["type"] == "OS::Nova::Server"
    assert codes(made, "node_templates", "vm", "capabilities") == []


def test_a_number_in_a_text_is_one_and_what_is_none_is_reported() -> None:
    scalable = "{min_instances: few, max_instances: '3', default_instances: {get_secret: x}}"
    data, made = converted(f"    vm: {{type: Compute, capabilities: {{scalable: {{properties: {scalable}}}}}}}\n")
    group = data["resources"]["vm"]["properties"]
    assert [group[key] for key in ("min_size", "max_size", "desired_capacity")] == [1, 3, 1]
    place = ("node_templates", "vm", "capabilities", "scalable", "properties")
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC171" and one.path[:-1] == place] == [
        "min_instances",
        "default_instances",
    ]


def test_several_are_a_group_with_what_belongs_to_each() -> None:
    nodes = """
    vm:
      type: Compute
      capabilities: {scalable: {properties: {min_instances: 1, max_instances: 5, default_instances: 2}}}
    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
    nic: {type: tosca.nodes.network.Port, requirements: [{binding: vm}, {link: net}]}
    ip: {type: tosca.nodes.network.FloatingIP, properties: {floating_network: x}, requirements: [{link: nic}]}
"""
    data, made = converted(nodes)
    group = data["resources"]["vm_group"]
    assert group["type"] == "OS::Heat::AutoScalingGroup"
    assert [group["properties"][key] for key in ("min_size", "max_size", "desired_capacity")] == [1, 5, 2]
    member = yaml.safe_load(made.files["vm_group.yaml"])
    assert set(member["resources"]) == {"vm", "nic", "ip"}
    assert set(data["resources"]) == {"vm_group", "net", "net_subnet"}


ENDPOINT = """
    vm: {{type: Compute, capabilities: {{endpoint: {{properties: {{network_name: {0}}}}}}}}}
    net: {{type: tosca.nodes.network.Network, properties: {{network_name: there}}}}
"""
NIC = "    nic: {type: tosca.nodes.network.Port, requirements: [{binding: vm}, {link: net}]}\n"


def test_a_public_endpoint_is_a_floating_ip_on_the_first_port() -> None:
    rest = "  outputs: {o: {value: {get_attribute: [vm, public_address]}}}\n"
    data, _ = converted(ENDPOINT.format("PUBLIC") + NIC, rest)
    assert data["resources"]["vm_floating_ip"]["properties"] == {
        "floating_network": {"get_param": "vm_public_network"}, "port_id": {"get_resource": "nic"},
    }  # fmt: skip
    assert data["outputs"]["o"]["value"] == {"get_attr": ["vm_floating_ip", "floating_ip_address"]}


@pytest.mark.parametrize(("name", "code"), [("PUBLIC", ["BPC812"]), ("PRIVATE", []), ("inside", [])])
def test_endpoints_of_machines_without_ports(name: str, code: list[str]) -> None:
    data, made = converted(ENDPOINT.format(name))
    expected = [{"network": "inside"}] if name == "inside" else None
    assert data["resources"]["vm"]["properties"].get("networks") == expected
    assert codes(made, "node_templates", "vm", "capabilities", "endpoint") == code
    kinds = {row["type"] for row in data["resources"].values()}
    assert ("OS::Nova::FloatingIPAssociation" in kinds) == (name == "PUBLIC")


def test_a_machine_that_is_to_be_selected_is_an_error() -> None:
    _, made = converted("    vm: {type: Compute, directives: [select], node_filter: {properties: []}}\n")
    assert codes(made, "node_templates", "vm", "directives") == ["BPC824"]


def test_an_image_that_is_named_is_not_asked_for() -> None:
    """INDIGO's types name it among what is asked of the operating system."""
    nodes = "    vm: {type: Compute, capabilities: {os: {properties: {image: debian, type: linux}}}}\n"
    data, made = converted(nodes)
    assert data["resources"]["vm"]["properties"]["image"] == "debian"
    assert "vm_image" not in data["parameters"]
    assert codes(made, "node_templates", "vm", "capabilities", "os", "properties", "type") == ["BPC813"]
    standard = ("node_templates", "vm", "capabilities", "os", "properties", "image")
    assert codes(made, *standard) == ["BPC170"]  # the type of the standard has none


@pytest.mark.parametrize("file", ["''", "{get_input: f}"])
def test_a_file_without_a_name_is_no_image(file: str) -> None:
    artifact = f"{{file: {file}, type: tosca.artifacts.Deployment.Image.VM.QCOW2}}"
    nodes = f"    vm: {{type: Compute, artifacts: {{disk: {artifact}}}}}\n"
    data, made = converted(nodes, "  inputs: {f: {type: string, default: x}}\n")
    assert data["resources"]["vm"]["properties"]["image"] == {"get_param": "vm_image"}
    assert "default" not in data["parameters"]["vm_image"]
    assert "BPC814" not in [one.code for one in made.diagnostics]
