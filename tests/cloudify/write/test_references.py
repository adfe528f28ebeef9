"""What a reference to a resource becomes in a blueprint: its node's id, a runtime attribute, or a property."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.verification import verify

UUID = "3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11"
HEAD = f"""
heat_template_version: 2021-04-16
parameters: {{env: {{type: string}}, n: {{type: number, default: 0}}, flag: {{type: boolean}}}}
conditions: {{c: {{get_param: flag}}, d: {{not: c}}}}
resources:
  net: {{type: OS::Neutron::Net}}
  sub:
    type: OS::Neutron::Subnet
    properties: {{network: {{get_resource: net}}, cidr: 10.0.0.0/24, dns_nameservers: [1.1.1.1]}}
  named: {{type: OS::Neutron::Subnet, properties: {{network: there, cidr: 10.0.0.0/24}}}}
  other: {{type: OS::Neutron::Subnet, properties: {{network: elsewhere, cidr: 10.0.0.0/24}}}}
  known: {{type: OS::Neutron::Subnet, properties: {{network: {UUID}, cidr: 10.0.0.0/24}}}}
  port:
    type: OS::Neutron::Port
    properties: {{network: {{get_resource: net}}, fixed_ips: [{{subnet: {{get_resource: sub}}}}]}}
  bare: {{type: OS::Neutron::Port, properties: {{fixed_ips: [{{subnet: {{get_resource: sub}}}}]}}}}
  web: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, networks: [{{port: {{get_resource: port}}}}]}}}}
  router: {{type: OS::Neutron::Router}}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {{router: {{get_resource: router}}, subnet: {{get_resource: sub}}}}
  routes: {{type: OS::Neutron::ExtraRouteSet, properties: {{router: {{get_resource: router}}, routes: []}}}}
  vol: {{type: OS::Cinder::Volume, properties: {{size: 1, metadata: {{a: b, l: [x]}}}}}}
  disk:
    type: OS::Cinder::VolumeAttachment
    properties: {{volume_id: {{get_resource: vol}}, instance_uuid: {{get_resource: web}}}}
  trunk: {{type: OS::Neutron::Trunk, properties: {{port: {{get_resource: port}}}}}}
  alarm: {{type: OS::Aodh::GnocchiAggregationByMetricsAlarm, properties: {{metrics: [a], threshold: 1}}}}
  gone: {{type: OS::Foo::Bar}}
  conf: {{type: OS::Heat::CloudConfig, properties: {{cloud_config: {{a: b}}}}}}
  word: {{type: OS::Heat::Value, properties: {{value: abc}}}}
  fip: {{type: OS::Neutron::FloatingIP, properties: {{floating_network: ext}}}}
"""
ONE = """
heat_template_version: 2021-04-16
resources: {n: {type: OS::Neutron::Net}}
outputs: {a: {value: {get_resource: n}}, ü: {value: {get_resource: n}}}
"""
WITH_ID = """
heat_template_version: 2021-04-16
resources: {n: {type: OS::Heat::CloudConfig, properties: {cloud_config: {a: b}}}}
outputs: {OS::stack_id: {value: {get_resource: n}}}
"""
BESIDE = {"one.yaml": ONE, "with_id.yaml": WITH_ID}
NESTED = """  one: {type: one.yaml}
  own: {type: with_id.yaml}
  stack: {type: OS::Heat::Stack, properties: {template: {get_file: one.yaml}}}
"""
Reported = list[tuple[str, str]]


def messages(result: Result, *place: Any) -> Reported:
    """Code and text of what is reported at a place, or inside of it."""
    return [(one.code, one.message) for one in result.diagnostics if one.path[: len(place)] == place]


def output(value: str, more: str = "", **options: Any) -> tuple[Any, Reported]:
    """What ``value`` becomes as an output, and what is reported there."""
    text = f"{HEAD}{more}outputs: {{o: {{value: {value}}}}}\n"
    result = convert(text, name="template.yaml", asked="inputs", beside=BESIDE, **options)
    return result.document.get("outputs", {}).get("o", {}).get("value"), messages(result, "outputs", "o")


def metadata(value: str, more: str = "") -> tuple[Any, Reported]:
    """What ``value`` becomes in a property of a server, and what is reported there."""
    server = f"  m: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, metadata: {{k: {value}}}}}}}\n"
    result = convert(HEAD + more + server, name="template.yaml", asked="inputs", beside=BESIDE)
    made = result.document["node_templates"]["m"]["properties"]["resource_config"]["metadata"]["k"]
    return made, messages(result, "resources", "m", "properties", "metadata")


def attribute(*steps: Any) -> dict[str, Any]:
    return {"get_attribute": [*steps]}


# -- get_resource -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [
        ("net", attribute("net", "id"), []),
        ("routes", attribute("external_router_routes", "id"), []),
        ("disk", attribute("vol", "id"), [("BPC304", "'disk' has no id of its own; the id of 'vol' is used")]),
        ("leg", {"concat": [attribute("router", "id"), ":subnet_id=", attribute("sub", "id")]},
         [("BPC223", "'get_resource' is written as `concat` of the ids that Heat makes it of")]),
        ("conf", attribute("conf", "cloud_config"),
         [("BPC718", "'get_resource' of 'conf' is the configuration's id in Heat, its text in Cloudify")]),
        ("word", {"concat": [{"get_sys": ["deployment", "name"]}, "-word"]},
         [("BPC309", "the id of 'word' ends with its name, in Heat with random text")]),
        ("missing", 'not converted: {"get_resource": "missing"}',
         [("BPC202", "not converted: there is no resource 'missing'"), ("BPC208", "there is no resource 'missing'")]),
        ("{get_param: env}", 'not converted: {"get_resource": {"get_param": "env"}}',
         [("BPC202", "not converted: the resource's name is computed")]),
    ],
)  # fmt: skip
def test_the_id_of_a_resource(name: str, written: Any, expected: Reported) -> None:
    assert output(f"{{get_resource: {name}}}") == (written, expected)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("net", attribute("net", "external_id")),
        ("routes", attribute("routes", "external_id")),
        ("disk", attribute("vol", "external_id")),
        ("trunk", attribute("trunk", "id")),
        ("conf", attribute("conf", "cloud_config")),
    ],
)
def test_the_older_plugin_has_ids_by_another_name(name: str, written: Any) -> None:
    assert output(f"{{get_resource: {name}}}", plugin="v2")[0] == written
    for steps in ("net, name", "net, show, name"):
        assert output(f"{{get_attr: [{steps}]}}", plugin="v2")[0] == attribute("net", "external_name")


@pytest.mark.parametrize("place", ["user_data", "config"])
def test_user_data_takes_the_text_of_a_configuration(place: str) -> None:
    """There the id means the text in Heat too: nothing is told."""
    value = "{get_resource: conf}"
    if place == "config":
        user = f"  user: {{type: OS::Heat::MultipartMime, properties: {{parts: [{{config: {value}}}]}}}}\n"
    else:
        more = f"user_data_format: RAW, user_data: {value}"
        user = f"  user: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, {more}}}}}\n"
    result = convert(HEAD + user, asked="inputs")
    assert "BPC718" not in [one.code for one in result.diagnostics]
    assert "'get_attribute': ['conf', 'cloud_config']" in str(result.document["node_templates"]["user"])


# -- stand-ins ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "written", "what"),
    [
        ("{get_resource: trunk}", attribute("trunk", "id"), "id of stand-in 'trunk'"),
        ("{get_resource: gone}", attribute("gone", "id"), "id of stand-in 'gone'"),
        ("{get_attr: [alarm, show, a]}", attribute("alarm", "show", "a"), "attribute 'show' of stand-in 'alarm'"),
        ("{get_attr: [gone, x, 0]}", attribute("gone", "x", 0), "attribute 'x' of stand-in 'gone'"),
    ],
)
def test_an_output_of_a_stand_in_has_no_value(value: str, written: Any, what: str) -> None:
    """A node is not deployed with it: an input asks for the value."""
    message = f"the {what} has no value at run time; in a text it is the word None"
    assert output(value) == (written, [("BPC305", message)])


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("{get_resource: trunk}", "id of stand-in 'trunk'"),
        ("{get_resource: gone}", "id of stand-in 'gone'"),
        ("{get_attr: [trunk, port_id, 0]}", "attribute 'port_id' of stand-in 'trunk'"),
        ("{get_attr: [gone, y, z]}", "attribute 'y' of stand-in 'gone'"),
        ("{get_attr: [gone, x]}", "attribute 'x' of stand-in 'gone'"),
    ],
)
def test_a_node_asks_for_what_a_stand_in_would_give(value: str, what: str) -> None:
    asked = f"not converted, asked for as input 'm_metadata_k': the {what} has no value"
    assert metadata(value) == ({"get_input": "m_metadata_k"}, [("BPC201", asked)])


def test_a_node_has_the_attribute_of_a_stand_in_that_is_a_property_of_it() -> None:
    for place in (metadata, output):
        assert place("{get_attr: [trunk, port_id]}") == (attribute("port", "id"), [])


def test_a_stand_in_may_use_another() -> None:
    user = "  user: {type: OS::Foo::Bar, properties: {p: {get_resource: gone}, q: {get_attr: [alarm, show]}}}\n"
    result = convert(HEAD + user, asked="inputs")
    place = ("resources", "user", "properties")
    assert [code for code, _ in messages(result, *place)] == ["BPC794", "BPC794"]
    assert "the id of stand-in 'gone'" in messages(result, *place, "p")[0][1]


# -- get_attr -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "written"),
    [
        ("net, name", attribute("net", "name")),
        ("fip, show, name", attribute("fip", "name")),
        ("port, mac_address", attribute("port", "mac_address")),
        ("port, allowed_address_pairs, '0'", attribute("port", "allowed_address_pairs", "0")),
        ("vol, size", {"get_property": ["vol", "resource_config", "size"]}),
        ("vol, metadata", {"get_property": ["vol", "resource_config", "kwargs", "metadata"]}),
        ("vol, metadata, a", {"get_property": ["vol", "resource_config", "kwargs", "metadata", "a"]}),
        ("vol, metadata, l, 0", {"get_property": ["vol", "resource_config", "kwargs", "metadata", "l", 0]}),
        ("sub, dns_nameservers, 0", {"get_property": ["sub", "resource_config", "dns_nameservers", 0]}),
        ("sub, ip_version", {"get_property": ["sub", "resource_config", "ip_version"]}),
        ("sub, network_id", attribute("net", "id")),
        ("named, network_id", attribute("external_there", "id")),
        ("other, network_id", attribute("external_elsewhere", "id")),
        ("known, network_id", UUID),
    ],
)
def test_an_attribute(steps: str, written: Any) -> None:
    assert output(f"{{get_attr: [{steps}]}}") == (written, [])


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ("leg, show, name", "the Cloudify node has no counterpart of attribute 'show' of OS::Neutron::RouterInterface"),
        ("port, show, id", "the Cloudify node has no counterpart of attribute 'show' of OS::Neutron::Port"),
        ("port", "Cloudify cannot give all attributes at once"),
        ("port, {get_param: env}", "the attribute's name is computed"),
        ("gone, ü", "names in a blueprint are ASCII"),
        ("vol, metadata, {get_param: env}", "'vol' has no such part of 'metadata'"),
        ("net, mtu", "the Cloudify node has no counterpart of attribute 'mtu' of OS::Neutron::Net"),
        ("bare, network_id", "attribute 'network_id' is not set by a property"),
        ("sub, network_id, 0", "attribute 'network_id' is not set by a property"),
        ("vol, size, 0", "a part of a computed property is taken"),
        ("vol, metadata, a, 0", "a part of a computed property is taken"),
        ("vol, metadata, b", "'vol' has no such part of 'metadata'"),
        ("vol, metadata, l, 4", "'vol' has no such part of 'metadata'"),
        ("vol, metadata, l, x", "'vol' has no such part of 'metadata'"),
        ("vol, snapshot_id", "attribute 'snapshot_id' is only known to OpenStack: the template does not set it"),
    ],
)
def test_an_attribute_without_counterpart(steps: str, reason: str) -> None:
    value, found = output(f"{{get_attr: [{steps}]}}")
    assert str(value).startswith('not converted: {"get_attr": [')
    assert [one for one in found if one[0] != "BPC174"] == [("BPC202", f"not converted: {reason}")]


@pytest.mark.parametrize(
    ("steps", "written", "note"),
    [
        ("web, first_address", attribute("web", "ip"), "ip is the first fixed IPv4 address"),
        ("fip, floating_network_id", "ext",
         "'floating_network_id' is 'floating_network' as the template gives it; Heat has the id, also for a name"),
    ],
)  # fmt: skip
def test_an_attribute_that_is_not_quite_the_same(steps: str, written: Any, note: str) -> None:
    assert output(f"{{get_attr: [{steps}]}}") == (written, [("BPC309", note)])


@pytest.mark.parametrize(
    "steps",
    [
        "web, addresses, n, '0', port",
        "web, networks, n, '0'",
        "port, subnets, '0', cidr",
        "port, fixed_ips, '0'",
        "sub, dns_nameservers, '0'",
        "sub, allocation_pools, '0'",
        "sub, host_routes, '0'",
        "net, tags, '0'",
    ],
)
def test_a_text_is_no_number_of_an_entry(steps: str) -> None:
    """Heat looks for the text as a key, in a list, and finds nothing."""
    value, found = output(f"{{get_attr: [{steps}]}}")
    assert value is None
    name = steps.partition(",")[0]
    assert ("BPC716", f"'{name}' has no such part: the result is null in both") in found


def test_an_index_that_is_given_is_a_whole_number() -> None:
    """The declaration of the input says so."""
    value = "{get_attr: [port, allowed_address_pairs, {get_param: n}]}"
    result = convert(f"{HEAD}outputs: {{o: {{value: {value}}}}}\n")
    assert result.document["outputs"]["o"]["value"] == attribute("port", "allowed_address_pairs", {"get_input": "n"})
    assert result.document["inputs"]["n"]["type"] == "integer"


def test_the_same_network_under_two_conditions() -> None:
    """Each user refers to the node that is there when it is."""
    subnet = "{type: OS::Neutron::Subnet, condition: %s, properties: {network: x, cidr: 10.0.0.0/24}}"
    more = f"  in_c: {subnet % 'c'}\n  in_d: {subnet % 'd'}\n"
    assert output("{get_attr: [in_c, network_id]}", more)[0] == attribute("external_x", "id")
    assert output("{get_attr: [in_d, network_id]}", more)[0] == attribute("external_x_2", "id")


# -- software and nested templates --------------------------------------------------------------------------


@pytest.mark.parametrize("steps", ["deploy_stdout", "res"])
def test_what_a_deployment_yields(steps: str) -> None:
    config = "{config: echo, group: script, outputs: [{name: res}]}"
    more = (
        f"  sc: {{type: OS::Heat::SoftwareConfig, properties: {config}}}\n"
        "  sd: {type: OS::Heat::SoftwareDeployment, "
        "properties: {config: {get_resource: sc}, server: {get_resource: web}}}\n"
    )
    assert output(f"{{get_attr: [sd, {steps}]}}", more) == (attribute("sd", steps), [])


@pytest.mark.parametrize(
    ("value", "written", "expected"),
    [
        ("{get_attr: [one, a]}", attribute("one", "capabilities", "a"), []),
        ("{get_attr: [one, ü]}", attribute("one", "capabilities", "u"), []),
        ("{get_attr: [one, a, '0']}", attribute("one", "capabilities", "a", "0"), []),
        ("{get_attr: [one, b]}", 'not converted: {"get_attr": ["one", "b"]}',
         [("BPC202", "not converted: 'one.yaml' has no output 'b'")]),
        ("{get_resource: one}", attribute("one", "deployment", "id"),
         [("BPC695", "the id of the stack 'one' is that of the deployment in Cloudify")]),
        ("{get_resource: own}", attribute("own", "capabilities", "OS::stack_id"),
         [("BPC718", "'get_resource' of 'own' is the configuration's id in Heat, its text in Cloudify")]),
        ("{get_resource: stack}", attribute("stack", "deployment", "id"),
         [("BPC695", "the id of the stack 'stack' is that of the deployment in Cloudify")]),
        ("{get_attr: [stack, Outputs.a]}", attribute("stack", "capabilities", "a"),
         [("BPC174", "OS::Heat::Stack has no attribute 'Outputs.a'; did you mean 'outputs'?")]),
        ("{get_attr: [stack, stack_name]}", attribute("stack", "deployment", "id"), []),
        ("{get_attr: [stack, outputs]}", attribute("stack", "capabilities"), []),
        ("{get_attr: [stack, outputs, a]}", attribute("stack", "capabilities", "a"), []),
    ],
)  # fmt: skip
def test_outputs_of_nested_templates(value: str, written: Any, expected: Reported) -> None:
    assert output(value, NESTED) == (written, expected)


def test_the_id_that_a_nested_template_gives_itself() -> None:
    """What is told of it there is another thing than of those who take it."""
    result = convert(HEAD + NESTED, name="template.yaml", asked="inputs", beside=BESIDE)
    found = [(one.code, one.message) for one in result.diagnostics if one.path[:2] == ("outputs", "OS::stack_id")]
    assert found == [("BPC698", "the id by which another template has 'n' is its text in Cloudify")]


# -- properties that may not be there, and members of groups ------------------------------------------------


def test_a_part_of_a_property_that_a_condition_picks() -> None:
    """The value itself: there may be no such property to lead to it."""
    more = "  some: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {if: [c, {a: b}]}}}\n"
    text = f"{HEAD}{more}outputs: {{o: {{value: {{get_attr: [some, metadata]}}}}}}\n"
    result = convert(text)
    picked, _ = result.document["outputs"]["o"]["value"]["get_input"]
    assert result.document["inputs"][picked]["default"] == [None, {"a": "b"}]


def test_the_number_of_a_member_that_only_cloudify_has() -> None:
    volume = "{type: OS::Cinder::Volume, properties: {size: 1, name: 'd-%index%'}}"
    more = f"  many: {{type: OS::Heat::ResourceGroup, properties: {{count: 1000, resource_def: {volume}}}}}\n"
    result = convert(HEAD + more, asked="inputs")
    named = result.document["node_templates"]["many"]["properties"]["resource_config"]["name"]
    assert named == {"concat": ["d-", attribute("many", "node_instance_index")]}
    assert [one.path[1] for one in result.diagnostics if one.code == "BPC749"] == ["many"]


SECOND = """
heat_template_version: 2018-08-31
resources:
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: net
      subnetpool: pool
      gateway_ip: 10.0.0.1
      allocation_pools: [{start: 10.0.0.2, end: 10.0.0.9}]
  volume: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {a: b}}}
  project: {type: OS::Keystone::Project, properties: {domain: mine}}
outputs:
  gateway: {value: {get_attr: [subnet, gateway_ip]}}
  first: {value: {get_attr: [subnet, allocation_pools, 0, start]}}
  metadata: {value: {get_attr: [volume, metadata_values]}}
  domain: {value: {get_attr: [project, domain_id]}}
"""


def test_nodes_of_the_second_plugin_have_their_properties_elsewhere() -> None:
    result = convert(SECOND, "hot", "cloudify", plugin="v2", carry=False)
    outputs = {name: row["value"] for name, row in result.document["outputs"].items()}
    assert outputs == {
        "gateway": {"get_property": ["subnet", "subnet", "gateway_ip"]},
        "first": {"get_property": ["subnet", "subnet", "allocation_pools", 0, "start"]},
        "metadata": {"get_property": ["volume", "volume", "metadata"]},
        "domain": {"get_property": ["project", "project", "domain"]},
    }
    assert verify(SECOND, result.text, reported=result.diagnostics).is_same


ROUTER = "heat_template_version: 2018-08-31\nresources:\n  router: {type: OS::Neutron::Router}\n"
ON_A_PORT = f"""{ROUTER}
  port: {{type: OS::Neutron::Port, properties: {{network: net}}}}
  interface:
    type: OS::Neutron::RouterInterface
    properties: {{router: {{get_resource: router}}, port: {{get_resource: port}}}}
"""


def test_the_second_plugin_connects_no_port_to_a_router() -> None:
    result = convert(ON_A_PORT, "hot", "cloudify", plugin="v2", carry=False)
    assert result.document["node_templates"]["interface"]["type"] == "bpconvert.nodes.HeatResource"
    assert [finding.path for finding in result.diagnostics if finding.code == "BPC317"] == [("resources", "interface")]


ONE_ROUTE = """
heat_template_version: 2018-08-31
resources:
  route:
    type: OS::Neutron::ExtraRoute
    properties:
      router_id: there
      destination: 10.1.0.0/24
      nexthop: {list_join: [., [10.1.0, {get_param: "OS::stack_name"}]]}
"""


def test_a_stand_in_has_the_type_whose_properties_it_shows() -> None:
    result = convert(ONE_ROUTE, "hot", "cloudify", carry=False)
    shown = result.document["node_templates"]["route"]["properties"]
    assert (shown["heat_type"], [*shown["heat_properties"]]) == ("OS::Neutron::ExtraRouteSet", ["router", "routes"])
    assert verify(ONE_ROUTE, convert(result.text, "cloudify", "hot", carry=False).text).is_same


def test_a_part_of_a_route_has_its_own_place() -> None:
    result = convert(ONE_ROUTE, "hot", "tosca", carry=False)
    compared = verify(ONE_ROUTE, result.text, reported=result.diagnostics)
    (difference,) = compared.differences
    assert (difference.what, difference.is_reported) == ("route.routes.0.nexthop", True)
    assert "BPC262" in difference.codes


EXTRA = """
heat_template_version: 2018-08-31
resources:
  server:
    type: OS::Nova::Server
    properties:
      image: i
      flavor: f
      networks: [{network: net, port_extra_properties: {no_fixed_ips: true, mac_address: "fa:16:3e:00:00:01"}}]
"""


def test_what_an_interface_adds_to_its_port_has_its_own_place() -> None:
    result = convert(EXTRA, "hot", "cloudify", carry=False)
    place = ("resources", "server", "properties", "networks", 0, "port_extra_properties", "no_fixed_ips")
    (finding,) = [row for row in result.diagnostics if row.code == "BPC302"]
    assert finding.path == place
    assert " of cloudify.nodes.openstack.Port " in finding.message
    differences = verify(EXTRA, result.text, reported=result.diagnostics).differences
    assert all(difference.is_reported for difference in differences)


def test_the_id_of_a_program_is_made_of_its_name() -> None:
    """Nothing gives software a runtime attribute of this name."""
    source = """
heat_template_version: 2018-08-31
resources:
  vm: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: echo}}
  run: {type: OS::Heat::SoftwareDeployment, properties: {config: {get_resource: config}, server: {get_resource: vm}}}
outputs: {o: {value: {get_resource: run}}}
"""
    result = convert(source, "hot", "cloudify", carry=False)
    assert result.document["outputs"]["o"]["value"] == {"concat": [{"get_sys": ["deployment", "name"]}, "-run"]}
    assert [row.path for row in result.diagnostics if row.code == "BPC309"] == [("outputs", "o", "value")]
