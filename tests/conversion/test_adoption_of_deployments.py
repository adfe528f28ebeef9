"""Heat takes over what Cloudify has created: groups, addresses of servers, and settings of which little is known."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from damaged_data import places, replaced

from bpconvert.adoption import adopt
from bpconvert.diagnostics import BpconvertError, DocumentError

HEAD = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin, plugin:cloudify-utilities-plugin]
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
"""
PAIRS = """\
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
  server:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian, flavor: small}
    relationships: [{type: cloudify.relationships.openstack.server_connected_to_port, target: port}]
groups:
  pairs: {members: [port, server]}
policies:
  scale:
    type: cloudify.policies.scaling
    targets: [pairs]
    properties: {default_instances: 2}
"""
NET = {"node_id": "net", "id": "net_1", "state": "started", "runtime_properties": {"id": "net-id", "type": "network"}}


def row(node: str, identity: str, **known: Any) -> dict[str, Any]:
    more = {key: known.pop(key) for key in ("relationships", "host_id") if key in known}
    started = {"node_id": node, "id": f"{node}_{identity}", "state": "started", **more}
    return {**started, "runtime_properties": {"id": identity, **known}}


def taken(tmp_path: Path, text: str, rows: list[Any], given: Any = None, attributes: Any = None) -> Any:
    (tmp_path / "app.yaml").write_text(HEAD + text, "utf-8")
    files = {"resources": [NET, *rows], "inputs": given or {}, "attributes": attributes or {}}
    for name, data in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(data), "utf-8")
    return adopt(tmp_path / "app.yaml", "hot", **{name: tmp_path / f"{name}.json" for name in files})


def refused(tmp_path: Path, *arguments: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        taken(tmp_path, *arguments)
    return "\n".join(found.message for found in caught.value.diagnostics)


def codes(result: Any) -> set[str]:
    return {found.code for found in result.diagnostics}


def members(result: Any, group: str = "pairs") -> list[dict[str, str]]:
    rows = json.loads(result.files["adopt.json"])["resources"][group]["resources"]
    return [{name: one["resource_id"] for name, one in rows[key]["resources"].items()} for key in sorted(rows)]


# -- groups ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "known",
    [
        ({"ipv4_address": "10.0.0.4"}, {"ipv4_address": "10.0.0.5"}, {"ip": "10.0.0.4"}, {"ip": "10.0.0.5"}),
        ({}, {}, {"relationships": [{"target_id": "port_a"}]}, {"relationships": [{"target_id": "port_b"}]}),
        ({}, {}, {"connected-port_a-server": "x"}, {"connected-port_b-server": "x"}),
        ({}, {}, {"host_id": "port_a"}, {"host_id": "port_b"}),
    ],
)
def test_members_are_what_belongs_together(tmp_path: Path, known: Any) -> None:
    first, second, of_first, of_second = known
    ports = [row("port", "a", **first), row("port", "b", **second)]
    result = taken(tmp_path, PAIRS, [*ports, row("server", "y", **of_second), row("server", "x", **of_first)])
    assert members(result) == [{"port": "a", "server": "x"}, {"port": "b", "server": "y"}]


def test_members_of_which_nothing_says_what_belongs_together(tmp_path: Path) -> None:
    rows = [row("port", "a"), row("port", "b"), row("server", "x"), row("server", "y")]
    assert "nothing records which 'server' belongs to which of them" in refused(tmp_path, PAIRS, rows)


def test_members_of_which_one_lacks_a_resource(tmp_path: Path) -> None:
    rows = [row("port", "a"), row("port", "b"), row("server", "x")]
    assert "its members are not of one shape" in refused(tmp_path, PAIRS, rows)


SCALED = """\
  disk:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 1}}
    capabilities: {scalable: {properties: {default_instances: 2%s}}}
"""


def test_a_group_that_was_scaled(tmp_path: Path) -> None:
    result = taken(tmp_path, SCALED % "", [row("disk", one) for one in "abc"])
    assert result.document["resources"]["disk"]["properties"]["count"] == 3
    assert "BPC973" in codes(result)


def test_a_group_with_limits_is_adopted_without_them(tmp_path: Path) -> None:
    result = taken(tmp_path, SCALED % ", max_instances: 4", [row("disk", one) for one in "ab"])
    assert result.document["resources"]["disk"]["type"] == "OS::Heat::ResourceGroup"
    assert "BPC972" in codes(result)


def test_a_number_that_an_input_computes(tmp_path: Path) -> None:
    text = SCALED.replace("default_instances: 2%s", "default_instances: {get_input: number}")
    text += "inputs: {number: {type: integer, default: 1}}\n"
    rows = [row("disk", one) for one in "ab"]
    assert taken(tmp_path, text, rows, {"number": 2}).files["adopt.json"]
    assert "there are 2 of it, and in the result 1" in refused(tmp_path, text, rows)


# -- settings of which little is known ----------------------------------------------------------------------

ADDRESS = """\
  address:
    type: cloudify.nodes.openstack.FloatingIP
    properties: {resource_config: {floating_network_id: 7e4d21b0-9f6c-4f2e-8a70-0c6cf1f0a001}}
  server:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian, flavor: small}
    relationships:
      - {type: cloudify.relationships.connected_to, target: net}
      - {type: cloudify.relationships.openstack.server_connected_to_floating_ip, target: address}
"""


def test_the_address_of_a_server_whose_port_nova_made(tmp_path: Path) -> None:
    result = taken(tmp_path, ADDRESS, [row("address", "address-id"), row("server", "server-id")])
    rows = json.loads(result.files["adopt.json"])["template"]["resources"].values()
    (own,) = (one["properties"] for one in rows if one["type"] == "OS::Nova::FloatingIPAssociation")
    assert own == {"server_id": "server-id", "floating_ip": "address-id"}
    assert "BPC971" in codes(result)


KEYS = """\
  agent_key: {type: cloudify.keys.nodes.RSAKey, properties: {resource_config: {key_name: agent}}}
  server:
    type: cloudify.nodes.openstack.Server
    properties:
      {image: debian, flavor: small, resource_config: {user_data: {get_attribute: [agent_key, public_key_export]}}}
    relationships: [{type: cloudify.relationships.depends_on, target: agent_key}]
"""


@pytest.mark.parametrize(
    ("known", "given"), [({"public_key_export": "ssh-rsa AAAA"}, {}), ({}, {"agent_public": "ssh-rsa AAAA"})]
)
def test_keys_that_the_engine_has_made_itself(tmp_path: Path, known: Any, given: Any) -> None:
    key = {**row("agent_key", "x"), "runtime_properties": {**known, "private_key_export": "secret text"}}
    result = taken(tmp_path, KEYS, [key, row("server", "server-id")], given)
    assert "agent_key" not in result.document["resources"]
    assert "BPC974" in codes(result)
    declared = result.document["parameters"]["agent_public"]
    written = json.loads(result.files["parameters.json"])["parameters"]
    assert written.get("agent_public", declared.get("default")) == "ssh-rsa AAAA"
    assert "secret text" not in result.text + "".join(result.files.values())


def test_a_key_that_nobody_gives(tmp_path: Path) -> None:
    key = {**row("agent_key", "x"), "runtime_properties": {}}
    message = refused(tmp_path, KEYS, [key, row("server", "server-id")])
    assert "nothing is known of the value of parameter 'agent_public'" in message


AGGREGATE = "  hosts: {type: cloudify.nodes.openstack.HostAggregate}\n"
IMAGE = """\
  image:
    type: cloudify.nodes.openstack.Image
    properties: {resource_config: {name: i, container_format: bare, disk_format: raw}}
"""


def test_a_setting_that_heat_asks_for_has_the_value_that_is_recorded(tmp_path: Path) -> None:
    result = taken(tmp_path, AGGREGATE, [row("hosts", "7", name="aggregate-app-hosts")])
    assert json.loads(result.files["parameters.json"]) == {"parameters": {"hosts_name": "aggregate-app-hosts"}}


def test_a_setting_of_which_nothing_is_known(tmp_path: Path) -> None:
    assert "nothing is known of the value of parameter 'hosts_name'" in refused(
        tmp_path, AGGREGATE, [row("hosts", "7")]
    )


def test_a_setting_that_only_the_creation_reads(tmp_path: Path) -> None:
    result = taken(tmp_path, IMAGE, [row("image", "image-id")])
    assert json.loads(result.files["parameters.json"]) == {"parameters": {"image_location": ""}}
    assert "BPC970" in codes(result)


ROLES = """\
  project:
    type: cloudify.nodes.openstack.Project
    properties: {resource_config: {name: p, domain_id: default}, users: %s}
inputs: {people: {default: [{name: ann, roles: [reader]}]}}
"""


def test_roles_are_taken_over(tmp_path: Path) -> None:
    result = taken(tmp_path, ROLES % "[{name: ann, roles: [reader]}]", [row("project", "p-id")])
    types = [one["type"] for one in json.loads(result.files["adopt.json"])["resources"].values()]
    assert "OS::Keystone::UserRoleAssignment" in types


def test_roles_that_the_result_does_not_have(tmp_path: Path) -> None:
    message = refused(tmp_path, ROLES % "{get_input: people}", [row("project", "p-id")])
    assert "'project' is not taken over: what it has given is not all in the result" in message


READING = """\
  one:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian, flavor: small}
  two:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian, flavor: small, resource_config: {metadata: {one: {get_attribute: [one, ip]}}}}
"""


@pytest.mark.parametrize(
    ("known", "attributes", "address"),
    [
        ({"ip": "10.0.0.4", "networks": ["a"]}, {}, "10.0.0.4"),
        ({"ip": "10.0.0.4", "networks": ["a", "b"], "ipv4_addresses": ["10.0.0.4", "10.1.0.4"]}, {}, "10.1.0.4"),
        ({}, {"one": {"addresses": {"a": ["10.0.0.9"]}}}, "10.0.0.9"),
        ({}, {"one": {"addresses": {"a": [{"addr": "10.0.0.8"}]}}}, "10.0.0.8"),
        ({}, {"one": {"addresses": {}}}, ""),
    ],
)
def test_the_first_address_of_a_server(tmp_path: Path, known: Any, attributes: Any, address: str) -> None:
    rows = [row("one", "1", **known), row("two", "2")]
    result = taken(tmp_path, READING, rows, None, attributes)
    own = json.loads(result.files["adopt.json"])["template"]["resources"]["two"]["properties"]
    assert own["metadata"] == {"one": address}


@pytest.mark.parametrize(
    "known", [{}, {"ip": "10.0.0.4", "networks": ["a", "b"]}, {"ip": "8.8.8.8", "public_ip_address": "8.8.8.8"}]
)
def test_a_first_address_that_is_not_known(tmp_path: Path, known: Any) -> None:
    rows = [row("one", "1", **known), row("two", "2")]
    assert "is not recorded: give it with its attributes" in refused(tmp_path, READING, rows)


def test_a_machine_that_is_no_server_of_the_cloud(tmp_path: Path) -> None:
    result = taken(
        tmp_path,
        "  host: {type: cloudify.nodes.Compute, properties: {ip: 10.0.0.7}}\n",
        [{**row("host", "x"), "runtime_properties": {}}],
    )
    assert json.loads(result.files["adopt.json"])["resources"]["host"]["type"] == "OS::Heat::DeployedServer"


# -- records that are faulty -----------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [None, 7, "text", ["text"], {"id": []}], ids=str)
@pytest.mark.parametrize("text", [PAIRS, READING])
def test_a_record_with_something_else_in_one_place_is_no_traceback(tmp_path: Path, text: str, other: Any) -> None:
    known = {"ip": "10.0.0.4", "networks": ["a"], "ipv4_addresses": ["10.0.0.4"], "server": {"addresses": {"a": []}}}
    names = ("one", "two") if text is READING else ("port", "port", "server", "server")
    more = {"relationships": [{"target_id": "port_1"}], "host_id": "x", "name": "n"}
    rows = [NET, *(row(name, str(index), **known, **more) for index, name in enumerate(names))]
    (tmp_path / "app.yaml").write_text(HEAD + text, "utf-8")
    for place in places(rows):
        (tmp_path / "rows.json").write_text(json.dumps(replaced(rows, place, other)), "utf-8")
        with contextlib.suppress(BpconvertError):
            adopt(tmp_path / "app.yaml", "hot", resources=tmp_path / "rows.json")


@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_a_truncated_list_is_an_error(tmp_path: Path, target: str) -> None:
    (tmp_path / "app.yaml").write_text(HEAD, "utf-8")
    text = json.dumps([NET], indent=1)
    for length in range(len(text) - 2):
        (tmp_path / "rows.json").write_text(text[:length], "utf-8")
        with pytest.raises(DocumentError):
            adopt(tmp_path / "app.yaml", target, resources=tmp_path / "rows.json")


def test_a_stand_in_refers_to_nothing(tmp_path: Path) -> None:
    text = "  queue: {type: example.Queue, properties: {of: {get_attribute: [net, subnets]}}}\n"
    text += "node_types: {example.Queue: {derived_from: cloudify.nodes.Root, properties: {of: {}}}}\n"
    result = taken(tmp_path, text, [{**row("queue", "x"), "runtime_properties": {}}])
    adopted = json.loads(result.files["adopt.json"])["template"]["resources"]["queue"]
    assert (adopted["type"], adopted.get("properties", {})) == ("OS::Heat::None", {})
