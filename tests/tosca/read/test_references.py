"""Properties and attributes, by node, by where the call stands, and through requirements and capabilities."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

TEMPLATE = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {{port: {{type: integer, default: 80}}, settings: {{type: map}}}}
    attributes: {{colour: {{type: string, default: red}}}}
    capabilities: {{door: {{type: tosca.capabilities.Endpoint}}}}
    requirements: [{{database: {{capability: tosca.capabilities.Endpoint, node: own.App}}}}]
topology_template:
  inputs: {{n: {{type: string, default: x}}, m: {{type: map, default: {{a: b}}}}}}
  node_templates:
    vm: {{type: Compute}}
    wired: {{type: Compute}}
    net: {{type: tosca.nodes.network.Network, properties: {{network_name: there}}}}
    nic: {{type: tosca.nodes.network.Port, requirements: [{{binding: wired}}, {{link: net}}]}}
    ip: {{type: tosca.nodes.network.FloatingIP, properties: {{floating_network: x}}, requirements: [{{link: nic}}]}}
    v: {{type: BlockStorage, properties: {{size: 1 GB, name: {{get_input: n}}}}}}
    db:
      type: own.App
      requirements: [{{host: wired}}]
      capabilities: {{door: {{properties: {{port: 3306}}, attributes: {{extra: 5}}}}}}
    app:
      type: own.App
      properties: {{settings: {{deep: {{get_input: m}}, list: [1, 2]}}}}
      attributes: {{colour: blue}}
      requirements: [{{host: vm}}, {{database: db}}]
  relationship_templates:
    plug:
      type: tosca.relationships.ConnectsTo
      properties: {{speed: 10, where: {{deep: {{get_input: m}}}}, next: {{get_property: [app, port]}}}}
  outputs:
    o: {{value: {0}}}
"""


def output(call: str) -> tuple[Any, Conversion]:
    """What an output becomes in Heat, and the whole conversion."""
    made = convert(TEMPLATE.format(call), "tosca", "hot", carry=False)
    return yaml.safe_load(made.text)["outputs"]["o"]["value"], made


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("{get_property: [app, port]}", 80),
        ("{get_property: [app, settings, list, 1]}", 2),
        ("{get_property: [own.App, port]}", 80),
        ("{get_property: [own.App, settings, list, 1]}", 2),  # the first that has it
        ("{get_attribute: [own.App, colour]}", "red"),
        ("{get_property: [app, settings, deep, a]}", {"get_param": ["m", "a"]}),
        ("{get_property: [v, name]}", {"get_param": "n"}),
        ("{get_property: [v, size]}", "1 GB"),
        ("{get_property: [db, door, port]}", 3306),
        ("{get_property: [app, database, port]}", 3306),
        ("{get_property: [app, database, settings]}", None),
        ("{get_attribute: [vm, private_address]}", {"get_attr": ["vm", "first_address"]}),
        ("{get_attribute: [wired, private_address]}", {"get_attr": ["nic", "fixed_ips", 0, "ip_address"]}),
        ("{get_attribute: [wired, public_address]}", {"get_attr": ["ip", "floating_ip_address"]}),
        ("{get_attribute: [vm, networks, n, addresses, 1]}", {"get_attr": ["vm", "networks", "n", 1]}),
        ("{get_attribute: [wired, ports, nic, ip_address]}", {"get_attr": ["nic", "fixed_ips", 0, "ip_address"]}),
        ("{get_attribute: [nic, ip_address]}", {"get_attr": ["nic", "fixed_ips", 0, "ip_address"]}),
        ("{get_attribute: [v, volume_id]}", {"get_resource": "v"}),
        ("{get_attribute: [vm, tosca_id]}", {"get_resource": "vm"}),
        ("{get_attribute: [vm, tosca_name]}", "vm"),
        ("{get_attribute: [net, tosca_id]}", "there"),
        ("{get_attribute: [app, colour]}", "blue"),
        ("{get_attribute: [db, colour]}", "red"),
        ("{get_attribute: [app, port]}", 80),
        ("{get_attribute: [db, private_address]}", {"get_attr": ["nic", "fixed_ips", 0, "ip_address"]}),
        ("{get_attribute: [app, database, ip_address]}", {"get_attr": ["nic", "fixed_ips", 0, "ip_address"]}),
        ("{get_attribute: [db, door, ip_address]}", {"get_attr": ["nic", "fixed_ips", 0, "ip_address"]}),
        ("{get_attribute: [db, door, extra]}", 5),
        ("{get_attribute: [app, database, extra]}", 5),
        ("{get_attribute: [app, database, port]}", 3306),
        ("{get_attribute: [app, database, colour]}", "red"),
        ("{get_attribute: [db, host, tosca_id]}", {"get_resource": "wired"}),
        ("{get_property: [plug, speed]}", 10),
        ("{get_property: [plug, where, deep, a]}", {"get_param": ["m", "a"]}),
        ("{get_property: [plug, next]}", 80),
    ],
)
def test_references(call: str, value: Any) -> None:
    found, made = output(call)
    if value is None:
        assert "BPC819" in [one.code for one in made.diagnostics]
    else:
        assert found == value


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("{get_property: [plug, absent]}", "BPC819"),
        ("{get_property: [plug, where, absent]}", "BPC819"),
        ("{get_property: [app, settings, list, 7]}", "BPC819"),
        ("{get_property: [HOST, port]}", "BPC819"),
        ("{get_attribute: [vm, private_address]}", "BPC866"),
        ("{get_attribute: [vm, public_address]}", "BPC812"),
        ("{get_attribute: [vm, state]}", "BPC822"),
        ("{get_property: [app, nothing]}", "BPC819"),
        ("{get_attribute: [SELF, x]}", "BPC819"),
    ],
)
def test_what_is_only_nearly_the_same_is_reported(call: str, code: str) -> None:
    _, made = output(call)
    assert code in [one.code for one in made.diagnostics if one.path[:2] == ("outputs", "o")]


RELATIVE = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm: {type: Compute, properties: {}}
    base: {type: tosca.nodes.SoftwareComponent, requirements: [{host: vm}]}
    top:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: base}, {other: {node: base, relationship: link}}]
      interfaces:
        Standard:
          operations:
            create:
              implementation: a.sh
              inputs: {address: {get_attribute: [HOST, private_address]}}
  relationship_templates:
    link:
      type: tosca.relationships.ConnectsTo
      properties: {credential: {user: me, token: abc}}
      interfaces:
        Configure:
          operations:
            post_configure_source:
              implementation: b.sh
              inputs:
                token: {get_property: [SELF, credential, token]}
                there: {get_attribute: [TARGET, private_address]}
"""


def test_words_for_nodes() -> None:
    found = yaml.safe_load(convert(RELATIVE, "tosca", "hot", carry=False).text)["resources"]
    rows = [row["properties"] for row in found.values()]
    values = [row["input_values"] for row in rows if "input_values" in row]
    address = {"get_attr": ["vm", "first_address"]}
    assert {"address": address} in values
    assert {"token": "abc", "there": address} in values


CHAIN = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
{}
  outputs: {{o: {{value: {{get_attribute: [n0, x]}}}}}}
"""


def chain(values: list[str]) -> tuple[Any, list[str]]:
    """What the attribute of the first node of many is, and why it is none."""
    nodes = [f"    n{i}: {{type: tosca.nodes.Root, attributes: {{x: {value}}}}}" for i, value in enumerate(values)]
    made = convert(CHAIN.format("\n".join(nodes)), "tosca", "hot", carry=False)
    why = [one.message for one in made.diagnostics if one.code == "BPC819"]
    return yaml.safe_load(made.text)["outputs"]["o"]["value"], why


def test_an_attribute_that_refers_to_itself_is_reported() -> None:
    value, why = chain(["{get_attribute: [n1, x]}", "{get_attribute: [n0, x]}"])
    assert value is None
    assert why == ["'x' of 'n0' refers to itself"]


def test_attributes_behind_attributes_have_an_end() -> None:
    def values(count: int) -> list[str]:
        return [*(f"{{get_attribute: [n{i + 1}, x]}}" for i in range(count)), "1"]

    assert chain(values(49)) == (1, [])
    value, why = chain(values(600))
    assert (value, why[0]) == (None, "'x' of 'n50' is behind 50 other attributes")


SELVES = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {secret: {type: map, default: {user: abc}}}
  node_templates:
    vm: {type: Compute}
    base:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}]
      interfaces:
        Standard:
          operations:
            create:
              implementation: a.sh
              inputs:
                machine: {get_attribute: [HOST, tosca_id]}
                name: {get_attribute: [SELF, tosca_name]}
                nothing: {get_property: [HOST, nothing]}
    top:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}, {other: {node: base, relationship: link}}]
  relationship_templates:
    link:
      type: tosca.relationships.ConnectsTo
      properties: {credential: {get_input: secret}, again: {get_property: [SELF, credential]}}
      interfaces:
        Configure:
          operations:
            post_configure_source:
              implementation: b.sh
              inputs:
                user: {get_property: [SELF, credential, user]}
                again: {get_property: [SELF, again, user]}
                all: {get_property: [link, credential, user]}
                lost: {get_property: [SELF, absent]}
"""


def test_words_for_nodes_by_where_they_stand() -> None:
    """A step into an input is a part of what is given for it."""
    made = convert(SELVES, "tosca", "hot", carry=False)
    found = yaml.safe_load(made.text)["resources"]
    user = {"get_param": ["secret", "user"]}
    assert found["base_create_deploy"]["properties"]["input_values"] == {
        "machine": {"get_resource": "vm"}, "name": "base", "nothing": {"get_param": "base_create_nothing"},
    }  # fmt: skip
    link = found["top_base_connect_deploy"]["properties"]["input_values"]
    assert link == {
        "user": user, "again": user, "all": user, "lost": {"get_param": "link_post_configure_source_lost"},
    }  # fmt: skip
    told = [one.message for one in made.diagnostics if one.code == "BPC819"]
    assert told == ["node 'HOST' has no property 'nothing'", "node 'SELF' has no property 'absent'"]


ALIKE = """
tosca_definitions_version: {version}
capability_types:
  own.Place:
    derived_from: tosca.capabilities.Container
    properties: {{size: {{type: integer}}, free: {{type: integer}}}}
  own.Larger: {{derived_from: own.Place}}
node_types:
  own.Base:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {{size: {{type: integer}}, inner: {{type: map, entry_schema: {{type: integer}}}}}}
    capabilities: {{host: {{type: own.Larger}}, inner: {{type: own.Place}}}}
  own.App:
    derived_from: tosca.nodes.Root
    properties: {{asked: {{type: map, entry_schema: {{type: integer}}}}}}
    requirements: [{{host: {{capability: own.Place, relationship: tosca.relationships.HostedOn}}}}]
{body}:
  node_templates:
    vm: {{type: tosca.nodes.Compute, capabilities: {{host: {{properties: {{num_cpus: 4}}}}}}}}
    base:
      type: own.Base
      properties: {{size: 1, inner: {{size: 2}}}}
      capabilities: {{host: {{properties: {{size: 3, free: 4}}}}, inner: {{properties: {{size: 5}}}}}}
      requirements: [{{host: vm}}]
    app:
      type: own.App
      properties: {{asked: {{a: {call}}}}}
      requirements: [{{host: {{node: base, capability: host}}}}]
"""


def asked(call: str, version: str) -> Any:
    """What the call in a property of a stand-in becomes, and the resource."""
    body = "service_template" if version == "tosca_2_0" else "topology_template"
    text = ALIKE.format(version=version, body=body, call=call)
    found = convert(text, "tosca", "hot", carry=False).document["resources"]["app"]
    return found["properties"]["properties"]["asked"]["a"], found


@pytest.mark.parametrize("function", ["get_property", "get_attribute"])
@pytest.mark.parametrize(
    ("path", "second", "value"),
    [
        ("SELF, host, size", "SELF, RELATIONSHIP, host, CAPABILITY, size", 3),
        ("base, size", "SELF, RELATIONSHIP, host, TARGET, size", 1),
        ("base, host, num_cpus", "base, RELATIONSHIP, host, 0, CAPABILITY, num_cpus", 4),
        ("base, host, free", "base, CAPABILITY, host, free", 4),
        ("SELF, host, host, num_cpus", "app, RELATIONSHIP, host, TARGET, RELATIONSHIP, host, CAPABILITY, num_cpus", 4),
        ("SELF, host, free", "app, RELATIONSHIP, host, TARGET, CAPABILITY, host, free", 4),
        ("base, inner, size", "base, inner, size", 2),
        (None, "base, CAPABILITY, inner, size", 5),
    ],
)
def test_what_is_called_alike(function: str, path: str | None, second: str, value: int) -> None:
    """In 1.x the first counts that has what is asked for; 2.0 has words."""
    if path is not None:
        assert asked(f"{{{function}: [{path}]}}", "tosca_simple_yaml_1_3")[0] == value
    assert asked(f"{{${function}: [{second}]}}", "tosca_2_0")[0] == value


def test_the_capability_of_a_derived_type_fulfils_a_requirement() -> None:
    plain = ALIKE.replace("{{node: base, capability: host}}", "base").replace("inner: {{type: own.Place}}", "")
    call = "{get_property: [SELF, host, free]}"
    text = plain.format(version="tosca_simple_yaml_1_3", body="topology_template", call=call)
    made = convert(text, "tosca", "hot", carry=False).document["resources"]["app"]
    assert made["properties"]["properties"]["asked"] == {"a": 4}


def test_what_refers_to_software_without_operations_waits_for_nothing() -> None:
    """Heat refuses a template that waits for a resource that is not there."""
    value, resource = asked("{get_attribute: [base, absent]}", "tosca_simple_yaml_1_3")
    assert value == {"get_attribute": ["base", "absent"]}
    assert "depends_on" not in resource or resource["depends_on"] == "vm"


def test_heat_validates_with_names_in_place_of_ids() -> None:
    """A name may have fewer pieces, and then ``str_split`` refuses the template."""
    value, _ = output("{token: [{get_attribute: [v, volume_id]}, '-', 1]}")
    pieces = "$.data.v.split('-')"
    piece = f"switch({pieces}.len() > 1 => {pieces}[1], true => null)"
    query = f"switch($.data.v = null => null, true => {piece})"
    assert value == {"yaql": {"expression": query, "data": {"v": {"get_resource": "v"}}}}
    first, _ = output("{token: [{get_attribute: [v, volume_id]}, '-', 0]}")
    assert first == {"str_split": ["-", {"get_resource": "v"}, 0]}


LISTS = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types: {own.List: {derived_from: tosca.nodes.Root, properties: {items: {type: list}}}}
topology_template:
  node_templates:
    a: {type: own.List, properties: {items: [{get_property: [b, items]}, {get_property: [b, items]}]}}
    b: {type: own.List, properties: {items: [{get_property: [c, items]}]}}
    c: {type: own.List, properties: {items: [x]}}
  outputs: {o: {value: {get_property: [a, items]}}}
"""


@pytest.mark.parametrize(("most", "told"), [(3, 1), (4, 0)])
def test_copies_of_properties_have_a_limit(most: int, told: int) -> None:
    made = convert(LISTS, "tosca", "hot", carry=False, limits={"copies": most})
    found = [one for one in made.diagnostics if one.code == "BPC819"]
    assert [one.message for one in found] == [f"more than {most} properties are copied into others"] * told
    assert (made.document["outputs"]["o"]["value"] == [[["x"]], [["x"]]]) is (not told)


def test_only_policies_of_the_node_at_hand_count() -> None:
    """opera: instance/node.py, ``get_property`` looks at the policies whose targets have the node."""
    text = """
tosca_definitions_version: tosca_simple_yaml_1_3
policy_types: {acme.Bounds: {derived_from: tosca.policies.Root, properties: {upper: {type: integer, default: 90}}}}
topology_template:
  node_templates:
    vm: {type: Compute}
    app:
      type: SoftwareComponent
      requirements: [{host: vm}]
      interfaces:
        Standard: {operations: {create: {implementation: a.sh, inputs: {V: {get_property: [NAME, upper]}}}}}
  policies:
    - hers: {type: acme.Bounds, targets: [vm], properties: {upper: 1}}
    - his: {type: acme.Bounds, targets: [app], properties: {upper: 2}}
"""
    values = {}
    for name in ("his", "acme.Bounds", "hers"):
        made = convert(text.replace("NAME", name), "tosca", "hot", carry=False)
        deployment = yaml.safe_load(made.text)["resources"]["app_create_deploy"]
        values[name] = deployment["properties"]["input_values"]["V"]
        assert ("BPC819" in {finding.code for finding in made.diagnostics}) == (name == "hers")
    assert values == {"his": "2", "acme.Bounds": "2", "hers": {"get_param": "app_create_V"}}


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("[HOST, endpoint, port]", ""),
        ("[HOST, endpoint, port_name]", "BPC980"),
        ("[other, size]", "BPC980"),
        ("[HOST, size]", "BPC980"),
        ("[vm, size]", "BPC819"),
    ],
)
def test_what_an_unknown_type_has_is_not_known(call: str, code: str) -> None:
    source = f"""\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: ['acme-types:1.0.1']
topology_template:
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    other: {{type: acme.nodes.Machine, capabilities: {{endpoint: {{properties: {{port: 22}}}}}}}}
    app: {{type: acme.nodes.App, requirements: [{{host: other}}], properties: {{a: {{get_property: {call}}}}}}}
"""
    result = convert(source, "tosca", "hot", carry=False)
    assert [item.code for item in result.diagnostics if item.code in ("BPC819", "BPC980")] == [code] * bool(code)
    assert not [item for item in result.diagnostics if "refuses the call" in item.message]
