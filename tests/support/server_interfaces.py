"""Heat templates of servers with interfaces, for the tests of what these become in a blueprint."""

from __future__ import annotations

from typing import Any

from bpconvert.api import Result, convert

HEAD = """
heat_template_version: 2021-04-16
parameters: {x: {type: string}, flag: {type: boolean}}
conditions: {c: {get_param: flag}}
resources:
  n: {type: OS::Neutron::Net}
  s: {type: OS::Neutron::Subnet, properties: {network: {get_resource: n}, cidr: 10.0.0.0/24}}
  p: {type: OS::Neutron::Port, properties: {network: {get_resource: n}}}
  q: {type: OS::Neutron::Port, properties: {fixed_ips: [{subnet: {get_resource: s}}]}}
"""
UUID = "3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11"
PLACE = ("resources", "web", "properties", "networks")
PORT, NETWORK, WAIT = "server_connected_to_port", "connected_to", "depends_on"


def server(networks: str, name: str = "web", more: str = "") -> str:
    return f"  {name}: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, networks: {networks}{more}}}}}\n"


def converted(*servers: str) -> Result:
    return convert(HEAD + "".join(servers), "hot", "cloudify", carry=False)


def node(result: Result, name: str) -> Any:
    return result.document["node_templates"][name]


def targets(result: Result, name: str) -> list[tuple[str, str]]:
    return [(one["type"].rsplit(".", 1)[-1], one["target"]) for one in node(result, name).get("relationships", ())]


def settings(result: Result, name: str) -> Any:
    return node(result, name)["properties"]["resource_config"]


def codes(result: Result, *place: Any) -> set[str]:
    """What is reported at a place, or inside of it."""
    return {one.code for one in result.diagnostics if one.path[: len(place)] == place}


def places(result: Result, code: str) -> list[tuple[Any, ...]]:
    return [one.path for one in result.diagnostics if one.code == code]


def decided(result: Result) -> Any:
    """The networks of the server where the flag is false, and where it is true."""
    (name, _) = settings(result, "web")["networks"]["get_input"]
    return result.document["inputs"][name]["default"]
