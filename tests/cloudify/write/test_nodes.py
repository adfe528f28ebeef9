"""Node templates as a whole: machines and their agents, stand-ins, nodes that come back, and conditions."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

HOT = "heat_template_version: 2021-04-16\n"
TOSCA = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"


def node(result: Result, name: str) -> Any:
    return result.document["node_templates"][name]


def messages(result: Result, *place: Any) -> list[tuple[str, str]]:
    """Code and text of what is reported at a place, or inside of it."""
    return [(one.code, one.message) for one in result.diagnostics if one.path[: len(place)] == place]


def converted(text: str, **options: Any) -> Result:
    return convert(text, target="cloudify", name="source.yaml", carry=False, **options)


# -- machines -----------------------------------------------------------------------------------------------


def software(machine: str, file: str = "run.sh") -> str:
    """A machine and software on it."""
    return (
        f"{TOSCA}    vm: {machine}\n    app:\n      type: tosca.nodes.SoftwareComponent\n"
        f"      requirements: [{{host: vm}}]\n      interfaces: {{Standard: {{operations: {{create: {file}}}}}}}\n"
    )


def test_a_machine_that_exists_has_its_address() -> None:
    """Without software it has no agent."""
    machine = "{type: tosca.nodes.Compute, attributes: {public_address: 10.0.0.1}}"
    result = converted(f"{TOSCA}    vm: {machine}\n")
    assert node(result, "vm") == {
        "type": "cloudify.nodes.Compute",
        "properties": {"ip": "10.0.0.1", "agent_config": {"install_method": "none"}},
    }
    result = converted(software(machine))
    access = {"user": {"get_input": "agent_user"}, "key": {"get_secret": "agent_private_key"}}
    assert node(result, "vm")["properties"]["agent_config"] == {"install_method": "remote", **access}
    assert [code for code, _ in messages(result, "node_templates", "vm")] == ["BPC723", "BPC865"]


def test_an_address_may_be_given_when_deploying() -> None:
    text = f"{TOSCA}    vm: {{type: tosca.nodes.Compute, attributes: {{private_address: {{get_input: x}}}}}}\n"
    result = converted(text.replace("topology_template:\n", "topology_template:\n  inputs: {x: {type: string}}\n"))
    assert node(result, "vm")["properties"]["ip"] == {"get_input": "x"}


def test_playbooks_come_from_the_manager() -> None:
    result = converted(software("{type: tosca.nodes.Compute}", "run.yaml"))
    assert node(result, "vm")["properties"]["agent_config"] == {
        "install_method": "none",
        "user": {"get_input": "agent_user"},
        "key": {"get_secret": "agent_private_key"},
    }
    assert result.document["inputs"]["agent_user"]["default"] == "centos"
    reached = "playbooks reach 'vm' over SSH, as the user 'agent_user', by default centos: no agent is installed"
    assert ("BPC434", reached) in messages(result, "node_templates", "vm")


# -- stand-ins ----------------------------------------------------------------------------------------------


def test_what_does_nothing_is_a_plain_node() -> None:
    result = converted(f"{HOT}resources: {{idle: {{type: OS::Heat::None, properties: {{a: 1, b: c}}}}}}\n")
    assert node(result, "idle") == {"type": "cloudify.nodes.Root"}
    assert messages(result, "resources", "idle") == [
        ("BPC796", "'idle' (OS::Heat::None) is a node that does nothing, as the resource does"),
        ("BPC250", "property 'a' of OS::Heat::None is left out: the resource does nothing"),
        ("BPC250", "property 'b' of OS::Heat::None is left out: the resource does nothing"),
    ]
    kept = '"idle":{"type":"cloudify.nodes.Root","properties":{"a":1,"b":"c"}}'
    assert kept in result.document["metadata"]["bpconvert_kept"]


def test_properties_that_heat_does_not_have_are_kept() -> None:
    """Beside the ones that it has."""
    result = converted(f"{HOT}resources: {{net: {{type: OS::Neutron::Net, properties: {{name: x, odd: 1}}}}}}\n")
    assert node(result, "net")["properties"]["resource_config"] == {"name": "x"}
    kept = '"net":{"type":"cloudify.nodes.openstack.Network","properties":{"odd":1}}'
    assert kept in result.document["metadata"]["bpconvert_kept"]


@pytest.mark.parametrize("name", ["part.yaml", "part.template"])
def test_a_template_that_cannot_be_read_is_one_of_its_own(name: str) -> None:
    text = f"{HOT}resources: {{part: {{type: {name}, properties: {{a: 1}}}}}}\n"
    result = converted(text, beside={name: "heat_template_version: [broken\n"})
    assert node(result, "part") == {
        "type": "bpconvert.nodes.HeatResource",
        "properties": {"heat_type": name, "heat_properties": {"a": 1}},
    }
    codes = [code for code, _ in messages(result, "resources", "part")]
    assert codes == ["BPC300", "BPC761"]


def test_a_file_that_heat_would_not_take_for_a_template() -> None:
    result = converted(f"{HOT}resources: {{part: {{type: part.yml}}}}\n")
    assert messages(result, "resources", "part", "type") == [("BPC613", "'part.yml' is a template of its own")]


SHOWN = """
resources:
  odd: {type: OS::Foo::Bar, properties: {a: {get_resource: other}, b: [x], c: {concat: [y]}}}
  other: {type: OS::Foo::Bar}
  quota: {type: OS::Nova::Quota, properties: {project: p, ram: 5}}
"""


def test_what_shows_a_resource_of_heat_elsewhere_shows_it_here() -> None:
    """Over TOSCA, which has types of its own for them."""
    service = convert(HOT + SHOWN, "hot", "tosca", carry=False).text
    result = converted(service)
    assert node(result, "quota") == {
        "type": "bpconvert.nodes.HeatResource",
        "properties": {"heat_type": "OS::Nova::Quota", "heat_properties": {"project": "p", "ram": 5}},
    }
    assert node(result, "odd")["properties"] == {
        "heat_type": "OS::Foo::Bar",
        "heat_properties": {"a": {"get_attribute": ["other", "id"]}, "b": ["x"], "c": '{"concat": ["y"]}'},
    }
    found = {name: messages(result, "node_templates", name) for name in ("odd", "quota")}
    nothing = "is a stand-in node that creates nothing"
    lost = f"has no counterpart in Cloudify: the project keeps its quota; 'quota' {nothing}"
    assert found == {
        "odd": [
            ("BPC300", f"OS::Foo::Bar has no counterpart; 'odd' {nothing}"),
            ("BPC794", "only a stand-in uses the id of stand-in 'other', which has no value at run time"),
            ("BPC205", "a map with the only key 'concat' would be a call in Cloudify; written as JSON text"),
        ],
        "quota": [("BPC790", f"OS::Nova::Quota {lost}")],
    }


# -- nodes that come back -----------------------------------------------------------------------------------

BLUEPRINT = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
plugins: {p: {executor: central_deployment_agent, install: false}}
node_types:
  my.Type:
    derived_from: cloudify.nodes.Root
    properties: {a: {default: 1}, b: {default: {}}}
    interfaces: {my: {run: {implementation: p.tasks.run, inputs: {}}}}
inputs: {x: {default: 3}}
node_templates:
  n: {type: my.Type, properties: {b: {c: d}}}
"""


def added(properties: str, interfaces: str = "{}") -> Result:
    """The blueprint whose template got a further stand-in."""
    template = convert(BLUEPRINT, "cloudify", "hot").text
    more = f"{{cloudify_type: my.Type, properties: {properties}, interfaces: {interfaces}}}"
    changed = template.replace("resources:\n", f"resources:\n  k: {{type: OS::Heat::None, properties: {more}}}\n", 1)
    _, _, rest = changed.partition("\n")
    return convert(f"{HOT}{rest}", "hot", "cloudify")


def test_a_stand_in_of_a_node_is_that_node() -> None:
    result = added(
        "{a: {get_param: x}, b: {get_resource: n}}",
        "{my.run: {implementation: p.tasks.run, max_retries: 2, inputs: {q: {get_param: x}}}, my.go: p.tasks.go}",
    )
    assert node(result, "k") == {
        "type": "my.Type",
        "properties": {"a": {"get_input": "x"}, "b": {"get_attribute": ["n", "id"]}},
        "interfaces": {
            "my": {
                "run": {"implementation": "p.tasks.run", "max_retries": 2, "inputs": {"q": {"get_input": "x"}}},
                "go": {"implementation": "p.tasks.go"},
            }
        },
        "relationships": [{"type": "cloudify.relationships.depends_on", "target": "n"}],
    }


def test_a_node_that_comes_back_is_not_deployed_with_what_a_stand_in_lacks() -> None:
    """It is a stand-in itself in Heat, but not here."""
    template = convert(BLUEPRINT, "cloudify", "hot").text
    inputs = "{q: {get_resource: odd}}"
    operations = f"{{my.go: {{inputs: {inputs}}}}}"
    more = f"{{cloudify_type: my.Type, properties: {{a: {{get_resource: odd}}}}, interfaces: {operations}}}"
    lines = f"resources:\n  odd: {{type: OS::Foo::Bar}}\n  k: {{type: OS::Heat::None, properties: {more}}}\n"
    result = convert(template.replace("resources:\n", lines, 1), "hot", "cloudify")
    names = [node(result, "k")["properties"]["a"], node(result, "k")["interfaces"]["my"]["go"]["inputs"]["q"]]
    assert [set(name) for name in names] == [{"get_input"}, {"get_input"}]
    assert {name["get_input"] for name in names} <= set(result.document["inputs"])
    asked = [one for one in result.diagnostics if one.path[:2] == ("resources", "k") and one.code == "BPC201"]
    assert [one.cause is not None or one.severity == "warning" for one in asked] == [True, True]


def test_what_a_node_that_comes_back_has_no_form_for_is_shown() -> None:
    """It had that before: nothing is asked for, and no other node computes it."""
    digest = "{digest: [md5, {get_param: x}]}"
    result = added(f"{{a: {digest}}}", f"{{my.run: {{implementation: p.tasks.run, inputs: {{q: {digest}}}}}}}")
    shown = 'not converted: {"digest": ["md5", {"get_param": "x"}]}'
    assert node(result, "k")["properties"] == {"a": shown}
    assert node(result, "k")["interfaces"]["my"]["run"]["inputs"] == {"q": shown}
    assert {*result.document["node_templates"]} == {"k", "n"}


def test_properties_that_would_be_a_call_are_left_out() -> None:
    result = added("{concat: [a, b]}")
    assert node(result, "k") == {"type": "my.Type"}
    assert [message for code, message in messages(result, "resources", "k") if code == "BPC202"] == [
        "not converted: a map with the only key 'concat' would be a call in Cloudify"
    ]
    assert node(added("{a: {concat: [a, b]}}"), "k")["properties"] == {"a": '{"concat": ["a", "b"]}'}


def test_a_stand_in_has_the_operations_that_were_kept_for_it() -> None:
    rows = [
        '{"interface": "I", "name": "create", "implementation": "p.tasks.run", "inputs": {"a": 1}, '
        '"extra": {"max_retries": 3}, "native": "cloudify"}',
        '{"interface": "I", "name": "run", "implementation": "p.tasks.run", "native": "cloudify"}',
    ]
    kept = f'{{"nodes": {{"vm": {{"type": "OS::Foo::Bar", "operations": [{", ".join(rows)}]}}}}}}'
    keeper = f"{{type: OS::Heat::None, metadata: {{bpconvert_kept: '{kept}'}}}}"
    result = converted(f"{HOT}resources: {{vm: {{type: OS::Foo::Bar}}, bpconvert_kept: {keeper}}}\n")
    create = {"implementation": "p.tasks.run", "inputs": {"a": 1}, "max_retries": 3}
    assert "BPC300" in {code for code, _ in messages(result, "resources", "vm")}
    assert node(result, "vm")["interfaces"] == {"I": {"create": create, "run": {"implementation": "p.tasks.run"}}}


# -- what the plugin and Heat want --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "given", "config"),
    [
        ("Designate::Zone", "{name: a.}", {"name": "a.", "email": ""}),
        ("Designate::Zone", "{name: a., email: b@c}", {"name": "a.", "email": "b@c"}),
        ("Manila::Share", "{size: 3, share_protocol: NFS}", {"size": 3, "share_proto": "NFS"}),
        ("Manila::Share", "{external_id: x, size: 3, share_protocol: NFS}", {}),
    ],
)
def test_what_the_plugin_requires_is_there(type: str, given: str, config: Any) -> None:
    result = converted(f"{HOT}resources: {{a: {{type: OS::{type}, properties: {given}}}}}\n")
    assert config.items() <= node(result, "a")["properties"]["resource_config"].items()


def test_a_condition_that_cloudify_cannot_decide() -> None:
    condition = "{equals: [{get_param: 'OS::stack_id'}, x]}"
    text = f"{HOT}conditions: {{c: {condition}}}\nresources: {{net: {{type: OS::Neutron::Net, condition: c}}}}\n"
    result = converted(text)
    assert "scalable" not in str(node(result, "net"))
    why = "the condition compares a value that is only known at run time"
    assert messages(result, "resources", "net") == [("BPC401", f"'net' is created always: {why}")]


def test_what_is_different_about_a_type_is_told() -> None:
    """A note of the catalogue."""
    result = converted(f"{HOT}resources: {{word: {{type: OS::Heat::RandomString}}}}\n")
    note = "OS::Heat::RandomString: the text is kept as a secret of the manager"
    assert ("BPC308", note) in messages(result, "resources", "word")


STAND_IN_OF_A_NODE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  bpconvert.nodes.CloudifyNode:
    derived_from: tosca.nodes.Root
    properties: {cloudify_type: {type: string}, cloudify_properties: {type: map}}
topology_template:
  inputs: {kind: {type: string, default: my.Type}}
  node_templates:
    n: {type: bpconvert.nodes.CloudifyNode, properties: {cloudify_type: {get_input: kind}, cloudify_properties: {}}}
    net: {type: tosca.nodes.network.Network, properties: {cidr: 10.0.0.0/24}}
"""


def test_what_a_stand_in_is_for_is_not_known_where_that_is_an_input() -> None:
    result = convert(STAND_IN_OF_A_NODE, "tosca", "cloudify")
    assert node(result, "n")["properties"]["cloudify_type"] == {"get_input": "kind"}
    assert "(" not in node(result, "n")["type"]
    assert "Input(" not in result.text
