"""Requirements in place of properties and nodes: a port's network, a server's ports and volumes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert import convert
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.tosca.column import types_of_resource
from bpconvert.translators.tosca.edges import declare, reaches, required
from bpconvert.verification import verify

#: what the catalogue says of ports
PORTS = types_of_resource(builtin(), "OS::Neutron::Port")
HEAD = "heat_template_version: 2018-08-31\n"
NET = "  net: {type: OS::Neutron::Net}\n"
PORT = "  p: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}\n"
SECOND = "  q: {type: OS::Neutron::Port, properties: {network: out, fixed_ips: []}}\n"
VOLUME = "  v: {type: OS::Cinder::Volume, properties: {size: 1}}\n"


def server(more: str = "", keys: str = "", name: str = "s") -> str:
    """A server."""
    return f"  {name}: {{type: OS::Nova::Server, properties: {{flavor: a, image: b{more}}}{keys}}}\n"


def ports(*names: str) -> str:
    """The property of a server with these ports."""
    return f", networks: [{', '.join(f'{{port: {{get_resource: {name}}}}}' for name in names)}]"


def attachment(more: str = ", mountpoint: /dev/vdb", keys: str = "", name: str = "a", volume: str = "v") -> str:
    """What attaches a volume to the server."""
    ends = f"volume_id: {{get_resource: {volume}}}, instance_uuid: {{get_resource: s}}"
    return f"  {name}: {{type: OS::Cinder::VolumeAttachment, properties: {{{ends}{more}}}{keys}}}\n"


def written(resources: str, rest: str = "", **choices: Any) -> dict[str, Any]:
    """The topology that a template becomes; the same template comes back, and ``verify`` finds the same in both."""
    source = f"{HEAD}{rest}resources:\n{resources}"
    made = convert(source, "hot", "tosca", carry=False, **choices)
    back = convert(made.text, "tosca", "hot", carry=False, hot_version="2018-08-31", beside=made.files)
    assert yaml.safe_load(back.text) == yaml.safe_load(source)
    assert list(back.document["resources"]) == list(yaml.safe_load(source)["resources"])
    assert all(one.codes for one in verify(source, made.text, reported=made.diagnostics).differences)
    found: dict[str, Any] = yaml.safe_load(made.text)["topology_template"]
    return found


def requirements(found: dict[str, Any], node: str) -> list[Any]:
    """The requirements of a node template."""
    return list(found["node_templates"][node].get("requirements", []))


# -- links ------------------------------------------------------------------------------------------------


def test_a_port_is_linked_to_its_network() -> None:
    found = written(NET + PORT)
    assert requirements(found, "p") == [{"link": "net"}]
    assert "properties" not in found["node_templates"]["p"]


@pytest.mark.parametrize(
    ("net", "value"),
    [
        (NET, "out"),
        (NET, "{get_attr: [net, name]}"),
        ("  net: {type: OS::Heat::Value, properties: {value: x}}\n", "{get_resource: net}"),
        ("  net: {type: OS::Neutron::Net, external_id: there}\n", "{get_resource: net}"),
    ],
    ids=["name", "attribute", "no-network", "existing"],
)
def test_other_networks_stay_properties(net: str, value: str) -> None:
    found = written(f"{net}  p: {{type: OS::Neutron::Port, properties: {{network: {value}}}}}\n")
    assert "network" in found["node_templates"]["p"]["properties"]
    assert all("link" not in row for row in requirements(found, "p"))


# -- volumes ----------------------------------------------------------------------------------------------


def test_a_server_requires_its_volume() -> None:
    found = written(VOLUME + server() + attachment())
    assert requirements(found, "s") == [{"volume": {"node": "v", "relationship": "a"}}]
    assert "a" not in found["node_templates"]
    assert found["relationship_templates"] == {
        "a": {"type": "openstack.relationships.VolumeAttachment", "properties": {"mountpoint": "/dev/vdb"}}
    }


def test_volumes_keep_their_order_and_their_names() -> None:
    more = VOLUME.replace("v:", "w:", 1)
    found = written(server() + VOLUME + attachment("") + more + attachment(name="b", volume="w"))
    assert [row["volume"]["relationship"] for row in requirements(found, "s")] == ["a", "b"]
    found = written(server() + VOLUME + more + attachment("") + attachment(name="b", volume="w"))
    assert "volume" not in str(requirements(found, "s"))  # would come back behind its volume


PARAMETER = "parameters: {size: {type: string}}\n"
CONDITION = f"{PARAMETER}conditions: {{big: {{equals: [{{get_param: size}}, big]}}}}\n"


@pytest.mark.parametrize("device", ["{get_param: size}", "auto"])
def test_the_device_can_be_an_input(device: str) -> None:
    found = written(VOLUME + server() + attachment(f", mountpoint: {device}"), PARAMETER if "size" in device else "")
    assert found["relationship_templates"]["a"]["properties"]


@pytest.mark.parametrize(
    ("resources", "rest"),
    [
        (VOLUME + server() + attachment(keys=", depends_on: w") + "  w: {type: OS::Heat::RandomString}\n", ""),
        (VOLUME + server() + attachment() + "  w: {type: OS::Heat::RandomString, depends_on: a}\n", ""),
        (VOLUME + server() + attachment() + "  w: {type: OS::Heat::RandomString, depends_on: s}\n", ""),
        (VOLUME + server() + attachment(keys=", deletion_policy: Retain"), ""),
        (VOLUME + server() + attachment(keys=", metadata: {x: y}"), ""),
        (VOLUME + server() + attachment(name="A"), ""),
        (VOLUME + attachment() + server(), ""),
        (VOLUME + server() + "  w: {type: OS::Heat::RandomString}\n" + attachment(), ""),
        (VOLUME + server() + attachment(", mountpoint: {list_join: ['', [/dev/, {get_param: size}]]}"), PARAMETER),
        (VOLUME + server() + attachment(keys=", condition: big"), CONDITION),
    ],
    ids=["it waits", "waited-for", "server-waited-for", "policy", "metadata", "capital", "before", "later", "computed",
         "condition"],
)  # fmt: skip
def test_other_attachments_are_nodes(resources: str, rest: str) -> None:
    found = written(resources, rest)
    assert "relationship_templates" not in found


def test_an_attachment_that_is_named_is_a_node() -> None:
    source = f"{HEAD}resources:\n{VOLUME}{server()}{attachment()}outputs: {{o: {{value: {{get_resource: a}}}}}}\n"
    made = convert(source, "hot", "tosca", carry=False).text
    assert "relationship_templates" not in made


# -- ports ------------------------------------------------------------------------------------------------


def test_a_port_is_bound_to_its_server() -> None:
    found = written(NET + PORT + server(ports("p")))
    assert requirements(found, "p") == [{"link": "net"}, {"binding": "s"}]
    assert requirements(found, "s") == []
    assert "networks" not in found["node_templates"]["s"]["properties"]
    assert "order" not in found["node_templates"]["p"].get("properties", {})


def test_ports_keep_their_order() -> None:
    found = written(NET + PORT + SECOND + server(ports("q", "p")))
    nodes = found["node_templates"]
    assert [nodes[name]["properties"]["order"] for name in ("p", "q")] == [1, 0]


ADDRESS = "  ip: {type: OS::Neutron::FloatingIP, properties: {floating_network: out, port_id: {get_resource: p}}}\n"


@pytest.mark.parametrize(
    "resources",
    [
        NET + PORT + server(", networks: [{port: {get_resource: p}}, {network: out}]"),
        NET + PORT + server(", networks: [{port: {get_resource: p}, fixed_ip: 10.0.0.1}]"),
        NET + PORT + server(ports("p") + ", metadata: {ip: {get_attr: [p, mac_address]}}"),
        NET + PORT + ADDRESS + server(ports("p"), ", depends_on: ip"),
        NET + PORT + server(ports("p")) + server(ports("p"), name="t"),
        NET + PORT.replace("}}\n", "}, external_id: there}\n") + server(ports("p")),
        server(", networks: [{port: there}]"),
        server(", networks: []"),
    ],
    ids=["network", "address", "value", "waits", "two-servers", "existing", "name", "none"],
)
def test_other_servers_have_networks(resources: str) -> None:
    source = f"{HEAD}resources:\n{resources}"
    made = yaml.safe_load(convert(source, "hot", "tosca", carry=False).text)["topology_template"]["node_templates"]
    assert "networks" in made["s"]["properties"]
    assert "binding" not in str(made)


def test_servers_that_need_each_others_ports_are_not_both_turned_round() -> None:
    first = server(ports("p") + ", metadata: {ip: {get_attr: [q, mac_address]}}")
    second = server(ports("q") + ", metadata: {ip: {get_attr: [p, mac_address]}}", name="t")
    found = written(NET + PORT + SECOND + first + second)
    assert requirements(found, "p") == [{"link": "net"}, {"binding": "s"}]
    assert requirements(found, "q") == []
    assert requirements(found, "t") == [{"dependency": "q"}, {"dependency": "p"}]
    graph = {
        name: [str(target) for row in node.get("requirements", []) for target in row.values()]
        for name, node in found["node_templates"].items()
    }
    assert not any(reaches(graph, target, name) for name, targets in graph.items() for target in targets)


def test_blueprints_become_the_same() -> None:
    blueprint = (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports: [plugin:cloudify-openstack-plugin]\nnode_templates:\n"
        "  net: {type: cloudify.nodes.openstack.Network}\n"
        "  p:\n    type: cloudify.nodes.openstack.Port\n"
        "    relationships: [{type: cloudify.relationships.connected_to, target: net}]\n"
        "  s:\n    type: cloudify.nodes.openstack.Server\n"
        "    properties: {resource_config: {flavor_id: a, image_id: b}}\n"
        "    relationships: [{type: cloudify.relationships.openstack.server_connected_to_port, target: p}]\n"
        "  v:\n    type: cloudify.nodes.openstack.Volume\n"
        "    properties: {device_name: /dev/vdb, resource_config: {size: 1}}\n"
        "    relationships: [{type: cloudify.relationships.openstack.volume_attached_to_server, target: s}]\n"
    )
    made = convert(blueprint, "cloudify", "tosca")
    found = yaml.safe_load(made.text)["topology_template"]
    assert {"link": "net"} in requirements(found, "p")
    assert {"binding": "s"} in requirements(found, "p")
    assert requirements(found, "s")[0]["volume"]["node"] == "v"
    assert verify(blueprint, made.text).is_same
    assert convert(made.text, "tosca", "cloudify").text == blueprint
    back = convert(convert(blueprint, "cloudify", "tosca", carry=False).text, "tosca", "cloudify", carry=False)
    assert verify(blueprint, back.text).is_same


@pytest.mark.parametrize(("source", "target", "reached"), [("a", "c", True), ("c", "a", False), ("a", "a", True)])
def test_what_is_reached(source: str, target: str, reached: bool) -> None:
    assert reaches({"a": ["b"], "b": ["c", "b"], "d": ["a"]}, source, target) is reached


# -- what node types declare --------------------------------------------------------------------------------


def test_types_declare_what_their_nodes_require() -> None:
    second = PORT.replace("  p:", "  r:")
    source = f"{HEAD}resources:\n{NET}{PORT}{second}{VOLUME}{server(ports('p', 'r'))}{attachment()}"
    types = convert(source, "hot", "tosca", carry=False).document["node_types"]
    port, ends = types["openstack.neutron.Port"], "tosca.capabilities.network"
    assert port["properties"]["order"] == {"type": "integer", "required": False}
    assert port["requirements"] == [
        {
            "link": {
                "capability": f"{ends}.Linkable", "node": "tosca.nodes.network.Network",
                "relationship": "tosca.relationships.network.LinksTo", "occurrences": [0, 1],
            }
        },
        {
            "binding": {
                "capability": f"{ends}.Bindable", "node": "tosca.nodes.Compute",
                "relationship": "tosca.relationships.network.BindsTo", "occurrences": [0, 1],
            }
        },
    ]  # fmt: skip
    volume = {
        "capability": "tosca.capabilities.Attachment", "node": "openstack.cinder.Volume",
        "relationship": "tosca.relationships.AttachesTo", "occurrences": [0, "UNBOUNDED"],
    }  # fmt: skip
    assert types["openstack.nova.Server"]["requirements"] == [{"volume": volume}]
    assert types["openstack.cinder.Volume"]["capabilities"] == {"attachment": {"type": "tosca.capabilities.Attachment"}}
    assert "requirements" not in types["openstack.neutron.Net"]


def test_a_requirement_is_declared_once_and_beside_others() -> None:
    definition: dict[str, Any] = {"requirements": [{"other": {}}]}
    for _ in range(2):
        declare(definition, PORTS, "link")
    assert definition["requirements"] == [{"other": {}}, {"link": PORTS.requirements["link"].definition()}]
    definition["requirements"][1]["link"]["node"] = "my.Net"
    assert PORTS.requirements["link"].definition()["node"] == "tosca.nodes.network.Network"  # a copy was given
    before = {"derived_from": "tosca.nodes.Root"}
    for heat, name in (("OS::Neutron::Net", "link"), ("OS::Neutron::Port", "volume")):
        declare(before, types_of_resource(builtin(), heat), name)
    assert before == {"derived_from": "tosca.nodes.Root"}


def test_required_nodes_are_those_of_both_notations() -> None:
    assert [*required([{"link": "net", "host": {"node": "vm"}}, {"volume": {"node": "v", "relationship": "r"}}])] == [
        "net", "vm", "v",
    ]  # fmt: skip
