"""Node templates: their types, what stand-ins show, what is kept of a node and what it waits for."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert
from bpconvert.verification import verify

HOT = "heat_template_version: 2018-08-31\n"
TYPES = "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]\n"
BLUEPRINT = f"tosca_definitions_version: cloudify_dsl_1_3\n{TYPES}"
SCRIPTS = {"x.sh": "#!/bin/sh\n"}
MANAGER = "executor: central_deployment_agent"


def of_template(body: str, **choices: Any) -> Result:
    return convert(HOT + body, "hot", "tosca", carry=False, **choices)


def of_blueprint(body: str) -> Result:
    return convert(BLUEPRINT + body, "cloudify", "tosca", carry=False, beside=SCRIPTS)


def nodes(result: Result) -> Any:
    return yaml.safe_load(result.text)["topology_template"]["node_templates"]


def kept(result: Result, name: str) -> Any:
    """What a node keeps in its metadata."""
    return yaml.safe_load(nodes(result)[name].get("metadata", {}).get("bpconvert", "{}"))


def messages(result: Result, *codes: str) -> list[str]:
    return [one.message for one in result.diagnostics if one.code in codes]


# -- types --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "type", "unset"),
    [
        ("", "tosca.nodes.Compute", None),
        ("a: {get_attribute: [m, private_address]}", "tosca.nodes.Compute", "private_address"),
        ("a: {get_attribute: [m, rack]}", "bpconvert.nodes.Machine", "rack"),
        (
            "a: {get_attribute: [m, rack]}, b: {get_attribute: [m, area]}, c: {get_attribute: [m, hall]}",
            "bpconvert.nodes.Machine",
            "area', 'hall', 'rack",
        ),
    ],
)
def test_a_machine_has_the_attributes_that_something_reads(read: str, type: str, unset: str | None) -> None:
    """Nothing sets those that the standard's does not have."""
    made = of_blueprint(
        "node_templates:\n  m: {type: cloudify.nodes.Compute, properties: {ip: 10.0.0.1}}\n"
        "  other: {type: cloudify.nodes.Compute, properties: {ip: 10.0.0.2}}\n"
        "  app:\n    type: cloudify.nodes.SoftwareComponent\n"
        "    relationships: [{type: cloudify.relationships.contained_in, target: m}]\n"
        f"    interfaces: {{cloudify.interfaces.lifecycle: {{create: {{implementation: x.sh, inputs: {{{read}}}}}}}}}\n"
    )
    assert nodes(made)["m"]["type"] == type
    assert nodes(made)["other"]["type"] == "tosca.nodes.Compute"
    assert nodes(made)["m"]["attributes"] == {"private_address": "10.0.0.1", "public_address": "10.0.0.1"}
    is_told = unset is not None and type != "tosca.nodes.Compute"
    assert messages(made, "BPC549") == [f"nothing sets what is read of 'm': '{unset}'"] * is_told
    definition = yaml.safe_load(made.text)["node_types"].get("bpconvert.nodes.Machine") if is_told else None
    names = (unset or "").split("', '")
    own = {"derived_from": "tosca.nodes.Compute", "attributes": {name: {"type": "string"} for name in names}}
    assert definition == (own if is_told else None)


@pytest.mark.parametrize(
    ("type", "properties", "code", "shown"),
    [
        ("Some::Odd::Type", "{a: {}, b: {get_param: p}}", "BPC801", {"a": {}, "b": {"get_input": "p"}}),
        ("Some::Odd::Type", "{}", "BPC801", None),
        ("OS::Nova::Server", "{get_param: p}", "BPC802", {"get_input": "p"}),
    ],
)
def test_a_stand_in_shows_what_it_stands_for(type: str, properties: str, code: str, shown: Any) -> None:
    """Also where the properties are computed as a whole."""
    made = of_template(
        f"parameters: {{p: {{type: json}}}}\nresources: {{s: {{type: '{type}', properties: {properties}}}}}\n"
    )
    more = {} if shown is None else {"heat_properties": shown}
    assert nodes(made)["s"] == {"type": "bpconvert.nodes.HeatNode", "properties": {"heat_type": type, **more}}
    assert [one.path for one in made.diagnostics if one.code in ("BPC801", "BPC802")] == [("resources", "s")]
    assert [one.code for one in made.diagnostics if one.code in ("BPC801", "BPC802")] == [code]


def test_a_stand_in_shows_the_operations_that_nothing_runs() -> None:
    made = of_blueprint(
        "node_templates:\n  o: {type: gone.Type}\n  s:\n    type: gone.Type\n"
        "    interfaces:\n      cloudify.interfaces.lifecycle:\n"
        f"        {{create: {{implementation: x.sh, {MANAGER}, inputs: {{c: 1}}}}, start: {{}}, delete: x.sh}}\n"
        "    relationships:\n      - type: cloudify.relationships.connected_to\n        target: o\n"
        "        source_interfaces: {cloudify.interfaces.relationship_lifecycle: {establish: x.sh}}\n"
    )
    assert nodes(made)["s"]["properties"]["cloudify_operations"] == {
        "cloudify.interfaces.lifecycle.create": {"implementation": "x.sh", "inputs": {"c": 1}},
        "cloudify.interfaces.lifecycle.delete": {"implementation": "x.sh"},
        "cloudify.interfaces.relationship_lifecycle.establish to o": {"implementation": "x.sh"},
    }
    assert nodes(made)["s"]["requirements"] == [{"dependency": "o"}]
    assert "cloudify_operations" not in nodes(made)["o"]["properties"]
    operations = ["lifecycle.create", "lifecycle.delete", "relationship_lifecycle.establish"]
    assert messages(made, "BPC831") == [
        f"operation cloudify.interfaces.{name} of 's' is not run: its node creates nothing" for name in operations
    ]
    inside = ("node_templates", "s", "relationships", 0, "source_interfaces")
    assert [one.path for one in made.diagnostics if one.code == "BPC831"][-1][:5] == inside


def test_empty_maps_that_only_the_type_gives_are_left_out() -> None:
    """Those that the node itself has are there."""
    made = of_blueprint(
        "node_types:\n  my.T:\n    derived_from: cloudify.nodes.Root\n    properties: {empty: {default: {}},"
        " deep: {default: {x: {}, y: 1}}, own: {default: {z: {}}}}\n"
        "node_templates:\n  a: {type: my.T, properties: {own: {}}}\n  b: {type: my.T, properties: {deep: {x: {}}}}\n"
    )
    usual = {"use_external_resource": False}
    assert nodes(made)["a"]["properties"]["cloudify_properties"] == {"deep": {"y": 1}, "own": {}, **usual}
    shown = nodes(made)["b"]["properties"]["cloudify_properties"]
    assert shown["deep"]["x"] == {}
    assert "empty" not in shown


def test_a_stand_in_keeps_the_calls_that_it_shows_as_texts() -> None:
    """Of its properties; nothing computes what its operations would get."""
    call = "{string_upper: {get_input: i}}"
    made = of_blueprint(
        f"inputs: {{i: {{type: string}}}}\nnode_templates:\n  s:\n    type: my.T\n    properties: {{q: {call}}}\n"
        "    interfaces:\n      cloudify.interfaces.lifecycle:\n"
        f"        {{create: {{implementation: x.sh, inputs: {{c: {call}}}}}}}\n"
        "node_types: {my.T: {derived_from: gone.Type, properties: {q: {}}}}\n"
    )
    shown = nodes(made)["s"]["properties"]
    text = 'not converted: {"string_upper": {"get_input": "i"}}'
    assert shown["cloudify_properties"]["q"] == text
    assert shown["cloudify_operations"]["cloudify.interfaces.lifecycle.create"]["inputs"] == {"c": text}
    assert list(nodes(made)) == ["s"]
    (properties,) = kept(made, "s")["properties"].values()
    assert properties[1]["q"] == {"$Upper": {"text": {"$Input": {"name": "i", "keys": [], "strict": True}}}}


def test_comments_are_above_what_they_speak_of() -> None:
    made = of_blueprint(
        "node_templates:\n  # a machine\n  m:\n    type: cloudify.nodes.Compute\n    properties:\n"
        "      # an address\n      ip: 10.0.0.1\n"
        "  k:\n    type: cloudify.nodes.openstack.KeyPair\n    properties:\n      resource_config:\n"
        "        # a name\n        name: x\n"
    )
    lines = [line.strip() for line in made.text.splitlines()]
    below = {line: lines[place + 1] for place, line in enumerate(lines) if line.startswith("#")}
    assert below == {"# a machine": "m:", "# an address": "private_address: 10.0.0.1", "# a name": "name: x"}


# -- what is known by its name ------------------------------------------------------------------------------

NAMED = """\
node_templates:
  old: {type: cloudify.nodes.openstack.Server, properties: {use_external_resource: true, resource_config: {name: old}}}
"""


@pytest.mark.parametrize(
    ("more", "told"), [("", True), ("outputs: {o: {value: {get_attribute: [old, name]}}}\n", False)]
)
def test_what_exists_and_nothing_names_is_told(more: str, told: bool) -> None:
    made = of_blueprint(f"{NAMED}  k: {{type: cloudify.nodes.openstack.KeyPair}}\n{more}")
    words = "'old' exists already and has no resource of its own; what uses it names it"
    assert messages(made, "BPC383") == [words] * told
    assert list(nodes(made)) == ["k"]


def test_programs_of_a_machine_that_has_no_node_are_told() -> None:
    """Not those that the manager runs, nor of other machines."""
    made = of_blueprint(
        f"{NAMED}  new: {{type: cloudify.nodes.openstack.Server}}\n"
        "  app:\n    type: cloudify.nodes.SoftwareComponent\n"
        "    relationships: [{type: cloudify.relationships.contained_in, target: old}]\n"
        "    interfaces:\n      cloudify.interfaces.lifecycle:\n"
        f"        {{create: {{implementation: x.sh, {MANAGER}}}, start: x.sh}}\n"
        "  other:\n    type: cloudify.nodes.SoftwareComponent\n"
        "    relationships: [{type: cloudify.relationships.contained_in, target: new}]\n"
        "    interfaces: {cloudify.interfaces.lifecycle: {create: x.sh}}\n"
    )
    where = "which exists already and has no node here: an orchestrator runs it elsewhere"
    assert messages(made, "BPC267") == [f"operation 'start' of 'app' runs on 'old', {where}"]
    (place,) = (one.path for one in made.diagnostics if one.code == "BPC267")
    assert place == ("node_templates", "app", "interfaces", "cloudify.interfaces.lifecycle", "start")


@pytest.mark.parametrize(
    ("property", "told"),
    [("security_groups: [{get_attribute: [g, id]}]", []), ("name: {get_attribute: [g, id]}", ["g"])],
)
def test_the_name_of_what_exists_stands_for_its_id(property: str, told: list[str]) -> None:
    """It is told where the property does not take names as well."""
    group = "{use_external_resource: true, resource_config: {name: web}}"
    made = of_blueprint(
        f"node_templates:\n  g: {{type: cloudify.nodes.openstack.SecurityGroup, properties: {group}}}\n"
        "  p: {type: cloudify.nodes.openstack.Port, properties: "
        f"{{resource_config: {{network_id: x, {property}}}}}}}\n"
    )
    name = property.partition(":")[0]
    assert nodes(made)["p"]["properties"][name] == ("web" if told else ["web"])
    assert [message.split("'")[1] for message in messages(made, "BPC248")] == told


# -- what is kept -------------------------------------------------------------------------------------------

CONDITION = "parameters: {p: {type: string}}\nconditions: {c: {equals: [{get_param: p}, a]}}\n"
WORD = "type: OS::Heat::RandomString"


@pytest.mark.parametrize(
    ("key", "keeps", "code", "message"),
    [
        ("condition: c", {"condition": {"$Condition": {"name": "c"}}}, "BPC803",
         "TOSCA has no conditions: 'a' is there in any case"),
        ("deletion_policy: Delete", {"keys": {"deletion_policy": "Delete"}}, "BPC321",
         "'deletion_policy' of a resource has no counterpart and no effect on the deployment"),
        ("deletion_policy: Retain", {"keys": {"deletion_policy": "Retain"}}, "BPC806",
         "TOSCA has no place for 'deletion_policy'"),
        ("metadata: {x: 1}", {"keys": {"metadata": {"x": 1}}}, "BPC806", "TOSCA has no place for 'metadata'"),
    ],
)  # fmt: skip
def test_keys_that_a_node_template_does_not_have_are_kept(key: str, keeps: Any, code: str, message: str) -> None:
    made = of_template(f"{CONDITION}resources: {{a: {{{WORD}, {key}}}}}\n")
    assert kept(made, "a") == keeps
    told = {"BPC803", "BPC321", "BPC806"}
    places = [(one.code, one.message, one.path) for one in made.diagnostics if one.code in told]
    assert places == [(code, message, ("resources", "a", key.partition(":")[0]))]


def test_a_group_of_which_there_is_none_is_kept_by_its_members() -> None:
    """Where it is in another group, so that no policy has its number."""
    policy = "type: cloudify.policies.scaling"
    made = of_blueprint(
        "node_templates:\n  a: {type: cloudify.nodes.openstack.Volume}\n  b: {type: cloudify.nodes.openstack.Volume}\n"
        "groups: {inner: {members: [a]}, outer: {members: [inner, b]}}\n"
        f"policies:\n  p: {{{policy}, targets: [inner], properties: {{default_instances: 0}}}}\n"
        f"  q: {{{policy}, targets: [outer], properties: {{default_instances: 3}}}}\n"
    )
    assert kept(made, "a") == {"condition": False}
    assert kept(made, "b") == {}
    assert messages(made, "BPC803") == ["TOSCA has no conditions: 'a' is there in any case"]


def test_a_description_is_that_of_the_node_template() -> None:
    made = of_template(f"resources: {{a: {{{WORD}, description: words}}}}\n")
    assert nodes(made)["a"] == {"type": "openstack.heat.RandomString", "description": "words"}
    assert not made.diagnostics


def test_a_property_without_a_value_is_kept() -> None:
    made = of_template("resources: {p: {type: OS::Neutron::Port, properties: {network: a, name: }}}\n")
    assert nodes(made)["p"]["properties"] == {"network": "a"}
    assert kept(made, "p") == {"properties": {"name": [None, None]}}


def test_required_properties_that_nothing_has_are_kept() -> None:
    """Of a resource of Heat, which is asked for them; of another one that is told."""
    made = of_template("resources: {s: {type: OS::Nova::Server, properties: {image: i, flavor: ''}}}\n")
    assert kept(made, "s") == {"lacks": ["flavor"]}
    assert not messages(made, "BPC879")
    made = of_blueprint("node_templates: {s: {type: cloudify.nodes.openstack.Server}}\n")
    assert kept(made, "s") == {}
    assert messages(made, "BPC879") == ["'s' has no 'flavor', which openstack.nova.Server requires"]


def test_nothing_is_required_of_what_exists() -> None:
    id = "3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11"
    exists = f"{{use_external_resource: true, resource_config: {{id: {id}}}}}"
    made = of_blueprint(f"node_templates: {{s: {{type: cloudify.nodes.openstack.Server, properties: {exists}}}}}\n")
    assert nodes(made)["s"]["attributes"] == {"openstack_id": id}
    assert not messages(made, "BPC879")


def test_an_operation_of_what_is_no_software_is_kept() -> None:
    made = of_blueprint(
        "node_templates:\n  k:\n    type: cloudify.nodes.openstack.KeyPair\n"
        f"    interfaces: {{cloudify.interfaces.lifecycle: {{start: {{implementation: x.sh, {MANAGER}}}}}}}\n"
    )
    (row,) = kept(made, "k")["operations"]
    assert (row["name"], row["implementation"]) == ("start", "x.sh")
    assert messages(made, "BPC831") == [
        "operation cloudify.interfaces.lifecycle.start of 'k' is not run: only software has operations here"
    ]


# -- what a node waits for ----------------------------------------------------------------------------------


def test_a_node_requires_what_it_refers_to_and_what_it_waits_for() -> None:
    """Each once, itself never; by the names that the nodes have."""
    made = of_template(
        f"resources:\n  HOST: {{{WORD}}}\n  b: {{{WORD}}}\n"
        "  v: {type: OS::Heat::Value, depends_on: [b, v], properties: {value: "
        "[{get_attr: [HOST, value]}, {get_attr: [b, value]}, {get_attr: [HOST, value]}]}}\n"
    )
    assert nodes(made)["v"]["requirements"] == [{"dependency": "HOST_node"}, {"dependency": "b"}]


def test_a_node_waits_for_what_the_engine_makes_it_wait_for() -> None:
    """Heat makes a port after the subnets of its network."""
    made = of_template(
        "resources:\n  net: {type: OS::Neutron::Net}\n"
        "  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}\n"
        "  p: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}\n"
    )
    assert nodes(made)["p"]["requirements"] == [{"link": "net"}, {"dependency": "sub"}]
    assert nodes(made)["sub"]["requirements"] == [{"dependency": "net"}]


CIRCLE = """
node_templates:
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces:
      cloudify.interfaces.lifecycle:
        stop: {implementation: x.sh, inputs: {url: {get_attribute: [other, url]}}}
  other:
    type: cloudify.nodes.SoftwareComponent
    interfaces: {cloudify.interfaces.lifecycle: {start: x.sh}}
    relationships: [{type: cloudify.relationships.depends_on, target: app}]
"""


def test_a_call_that_closes_a_circle_is_no_requirement() -> None:
    """Cloudify orders by relationships alone."""
    made = of_blueprint(CIRCLE)
    assert "requirements" not in nodes(made)["app"]
    assert nodes(made)["other"]["requirements"] == [{"dependency": "app"}]
    assert nodes(made)["app"]["interfaces"]["Standard"]["operations"]["stop"]["inputs"] == {
        "url": {"get_attribute": ["other", "url"]}
    }


def test_the_call_of_an_operation_goes_before_that_of_a_property() -> None:
    body = CIRCLE.replace(
        "    relationships: [{type: cloudify.relationships.depends_on, target: app}]\n",
        "    properties: {p: {get_attribute: [app, url]}}\n",
    ).replace("  other:\n    type: cloudify.nodes.SoftwareComponent", "  other:\n    type: my.T")
    types = "node_types: {my.T: {derived_from: cloudify.nodes.SoftwareComponent, properties: {p: {}}}}\n"
    made = of_blueprint(types + body)
    assert "requirements" not in nodes(made)["app"]
    assert nodes(made)["other"]["requirements"] == [{"dependency": "app"}]


def test_a_node_waits_for_what_its_metadata_refer_to() -> None:
    made = of_template(
        f"resources:\n  a: {{{WORD}}}\n  k: {{type: OS::Nova::KeyPair, properties: {{name: b}}, "
        "metadata: {x: {get_attr: [a, value]}}}\n"
    )
    assert nodes(made)["k"]["requirements"] == [{"dependency": "a"}]


def test_an_output_that_is_null_is_reported() -> None:
    made = of_template("outputs: {n: {value: null}, e: {value: ''}}\nresources: {}\n")
    assert messages(made, "BPC507") == ["output 'n' is null; it has no counterpart"]


def test_an_attribute_of_a_resource_is_none_of_its_properties() -> None:
    """The type defines both; what the resource has when it is there may be something else."""
    source = (
        f"{HOT}resources:\n  q: {{type: OS::My::Thing, properties: {{size: 2}}}}\n"
        "outputs: {o: {value: {get_attr: [q, size]}}}\n"
    )
    made = convert(source, "hot", "tosca", carry=False)
    back = convert(made.text, "tosca", "hot", carry=False)
    assert back.document["outputs"]["o"]["value"] == {"get_attr": ["q", "size"]}
    assert not verify(source, made.text).differences
