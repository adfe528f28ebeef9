"""Types of a blueprint: what a node has from its types, and from data types."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints_read import COMPAT, DATA, OPEN, OPENSTACK, Lifted, one_node

from bpconvert.models.expressions import Attribute, Concat, Input, Property, Value

# -- node types ---------------------------------------------------------------------------------------------

TYPES = """
node_types:
  base:
    derived_from: cloudify.nodes.Root
    properties:
      a: {default: 1}
      b: {default: {get_property: [SELF, a]}}
      c: {required: false}
      d: {default: base}
  t:
    derived_from: base
    properties:
      a: {default: 2}
      d: {type: string, required: false}
"""


def declared(done: Lifted, name: str = "n") -> dict[str, Value]:
    return done.nodes[name].declared


def test_defaults_along_derived_from(read: Any) -> None:
    done = read(TYPES + one_node())
    node = done.nodes["n"]
    assert node.ancestry == ["t", "base", "cloudify.nodes.Root"]
    assert node.properties == {}
    # a definition replaces the parent's whole: d has lost its default
    assert node.declared == {"a": 2, "b": Property("n", "a"), "use_external_resource": False}
    assert node.declared["b"].path == ("node_types", "base", "properties", "b", "default")
    assert done.found == [("BPC149", ("node_types", "base")), ("BPC149", ("node_types", "t"))]


def test_own_values_go_first(read: Any) -> None:
    node = read(TYPES + one_node("{a: 5, c: [{get_attribute: [SELF, ip]}]}")).nodes["n"]
    assert node.properties == {"a": 5, "c": [Attribute("n", "ip")]}
    assert node.declared["c"] == [Attribute("n", "ip")]
    assert node.declared["c"][0].path == ("node_templates", "n", "properties", "c", 0)
    assert node.declared["a"] == 5


def test_self_is_each_node_itself(read: Any) -> None:
    done = read(TYPES + "node_templates: {x: {type: t}, y: {type: t}}\n")
    assert (declared(done, "x")["b"], declared(done, "y")["b"]) == (Property("x", "a"), Property("y", "a"))
    assert declared(done, "x") is not declared(done, "y")


def test_self_deep_inside(read: Any) -> None:
    done = read(one_node("{p: {q: [{concat: [{get_property: [SELF, a, {get_attribute: [SELF, k]}]}]}]}}", "mine"), OPEN)
    assert done.nodes["n"].properties["p"] == {"q": [Concat((Property("n", "a", (Attribute("n", "k"),)),))]}


@pytest.mark.parametrize(
    ("types", "properties", "path"),
    [
        ("{p: {}}", "{x: 1}", ("properties", "x")),
        ("{p: {}}", "{}", ()),
        ("{p: {type: integer}}", "{p: '5'}", ("properties", "p")),
        ("{p: {type: boolean}}", "{p: 1}", ("properties", "p")),
        ("{p: {type: float}}", "{p: true}", ("properties", "p")),
        ("{p: {type: list}}", "{p: {}}", ("properties", "p")),
        ("{p: {type: dict}}", "{p: null}", ("properties", "p")),
        ("{p: {type: regex}}", "{p: '('}", ("properties", "p")),
        ("{p: {type: integer, default: null}}", "{}", ("properties", "p")),
        ("{use_external_resource: {default: {get_input: i}}}", "{}", ("properties", "use_external_resource")),
    ],
)
def test_properties_that_the_parser_refuses(read: Any, types: str, properties: str, path: tuple[Any, ...]) -> None:
    done = read(f"inputs: {{i: {{}}}}\nnode_types: {{t: {{properties: {types}}}}}\n" + one_node(properties))
    assert ("BPC121", ("node_templates", "n", *path)) in done.found


@pytest.mark.parametrize(
    ("types", "properties"),
    [
        ("{p: {}}", "{p: null}"),
        ("{p: {type: integer}}", "{p: {get_input: i}}"),
        ("{p: {type: float}}", "{p: 1}"),
        ("{p: {type: string}}", "{p: [1]}"),
        ("{p: {}, use_external_resource: {default: false}}", "{use_external_resource: true}"),
    ],
)
def test_properties_that_the_parser_takes(read: Any, types: str, properties: str) -> None:
    done = read(f"inputs: {{i: {{}}}}\nnode_types: {{t: {{properties: {types}}}}}\n" + one_node(properties))
    assert [code for code, _ in done.found] == ["BPC149"]


def test_wrong_default_is_reported_once(read: Any) -> None:
    done = read("node_types: {t: {properties: {p: {type: integer, default: x}}}}\n" + one_node())
    place = ("node_types", "t", "properties", "p", "default")
    assert done.found == [("BPC121", place), ("BPC149", ("node_types", "t"))]


@pytest.mark.parametrize(
    ("types", "path"),
    [
        ("{t: {derived_from: t}}", ("node_types", "t", "derived_from")),
        ("{t: {derived_from: u}, u: {derived_from: t}}", ("node_types", "t", "derived_from")),
        ("{t: {derived_from: nowhere}}", ("node_types", "t", "derived_from")),
        ("{t: {properties: {p: {type: nothing, required: false}}}}", ("node_types", "t", "properties", "p", "type")),
        ("{}", ("node_templates", "n", "type")),
    ],
)
def test_types_that_lead_nowhere(read: Any, types: str, path: tuple[Any, ...]) -> None:
    done = read(f"node_types: {types}\n" + one_node())
    assert ("BPC121", path) in done.found


def test_types_of_unknown_imports_may_exist(read: Any) -> None:
    done = read("node_types: {t: {derived_from: theirs}}\n" + one_node("{x: 1}"), OPEN)
    assert done.found == [("BPC141", ("imports", 1)), ("BPC149", ("node_types", "t"))]
    assert done.nodes["n"].ancestry == ["t", "theirs"]
    assert declared(done) == {"x": 1}


# -- built-in types -----------------------------------------------------------------------------------------


def test_openstack_3(read: Any) -> None:
    done = read(one_node("{resource_config: {name: web}}", "cloudify.nodes.openstack.Server"), OPENSTACK)
    node = done.nodes["n"]
    assert node.ancestry == [
        "cloudify.nodes.openstack.Server",
        "cloudify.nodes.Compute",
        "cloudify.nodes.Root",
    ]
    assert node.properties == {"resource_config": {"name": "web"}}
    assert node.declared["resource_config"] == {
        "name": "web",
        "kwargs": {},
        "metadata": {},
        "security_groups": [],
        "networks": [],
    }
    assert node.declared["agent_config"] == {"install_method": "remote", "network": "default", "port": 22}
    assert node.declared["client_config"]["logging"] == {"use_cfy_logger": True, "groups": {}}
    assert not done.diagnostics


def test_openstack_2_and_compatible_types(read: Any) -> None:
    text = one_node("{}", "cloudify.openstack.nodes.SecurityGroup")
    old = read(text, OPENSTACK)
    assert old.nodes["n"].ancestry[1:] == ["cloudify.nodes.SecurityGroup", "cloudify.nodes.Root"]
    assert declared(old)["rules"] == []
    assert "use_compact_node" not in declared(old)
    new = read(text, COMPAT)
    assert new.nodes["n"].ancestry[1] == "cloudify.nodes.openstack.SecurityGroup"
    assert declared(new)["use_compact_node"] is True
    assert declared(new)["security_group_rules"] == Property("n", "rules")
    assert declared(new)["security_group_rules"].path == ("node_templates", "n")


def test_own_type_of_a_builtin_one(read: Any) -> None:
    """The default of a property of the same data type is completed with the parent's."""
    types = """
node_types:
  t:
    derived_from: cloudify.nodes.openstack.Server
    properties:
      agent_config: {type: cloudify.datatypes.AgentConfig, default: {port: 5985}}
      resource_config: {type: cloudify.types.openstack.Server, default: {name: x}}
"""
    node = read(types + one_node("{resource_config: {kwargs: {a: 1}}}"), OPENSTACK).nodes["n"]
    assert node.declared["agent_config"] == {"install_method": "remote", "network": "default", "port": 5985}
    assert node.declared["resource_config"]["name"] == "x"
    assert node.declared["resource_config"]["kwargs"] == {"a": 1}


def test_relationship_ancestry(read: Any) -> None:
    text = """
relationships: {mine: {derived_from: cloudify.relationships.openstack.server_connected_to_port}}
node_templates:
  a: {type: cloudify.nodes.Root}
  b:
    type: cloudify.nodes.Root
    relationships: [{type: mine, target: a}, {type: cloudify.relationships.contained_in, target: a}]
"""
    first, second = read(text, OPENSTACK).nodes["b"].relationships
    assert first.ancestry == [
        "mine",
        "cloudify.relationships.openstack.server_connected_to_port",
        "cloudify.relationships.connected_to",
        "cloudify.relationships.depends_on",
    ]
    assert (first.target, first.path) == ("a", ("node_templates", "b", "relationships", 0))
    assert second.ancestry == ["cloudify.relationships.contained_in", "cloudify.relationships.depends_on"]


@pytest.mark.parametrize(
    ("relationship", "code", "path"),
    [
        ("{type: cloudify.relationships.depends_on, target: nope}", "BPC120", ("target",)),
        ("{type: cloudify.relationships.depends_on, target: n}", "BPC120", ("target",)),
        ("{type: cloudify.relationships.no, target: a}", "BPC121", ("type",)),
        ("{type: cloudify.relationships.depends_on, target: a, properties: {x: 1}}", "BPC150", ("properties",)),
    ],
)
def test_relationship_diagnostics(read: Any, relationship: str, code: str, path: tuple[Any, ...]) -> None:
    done = read(
        one_node(
            "{}", "cloudify.nodes.Root", f"    relationships: [{relationship}]\n  a: {{type: cloudify.nodes.Root}}\n"
        )
    )
    assert done.found == [(code, ("node_templates", "n", "relationships", 0, *path))]
    assert len(done.nodes["n"].relationships) == (0 if code == "BPC120" else 1)


# -- data types ---------------------------------------------------------------------------------------------

@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("outer", "{k: 1}", {"i": {"x": 1, "y": 2}, "j": {"x": 1}, "k": 1}),
        ("outer", "{k: 1, i: {x: 9}}", {"i": {"x": 9, "y": 2}, "j": {"x": 1}, "k": 1}),
        ("more", "{}", {"i": {"x": 5, "y": 2}, "j": {"x": 1}, "k": 7}),
        ("more", "{j: {get_input: i}}", {"i": {"x": 5, "y": 2}, "j": Input("i", strict=True), "k": 7}),
        ("inner", "{get_input: i}", Input("i", strict=True)),
    ],
)
def test_data_types(read: Any, kind: str, value: str, expected: Any) -> None:
    types = f"inputs: {{i: {{}}}}\nnode_types: {{t: {{properties: {{p: {{type: {kind}}}}}}}}}\n"
    done = read(DATA + types + one_node(f"{{p: {value}}}"))
    assert declared(done)["p"] == expected
    assert {code for code, _ in done.found} == {"BPC149"}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("{k: 1, z: 1}", ("p", "z")),
        ("{k: x}", ("p", "k")),
        ("{k: 1, i: {q: 1}}", ("p", "i", "q")),
        ("{k: 1, i: 5}", ("p", "i")),
        ("{}", ("p",)),
        ("[1]", ("p",)),
    ],
)
def test_data_that_does_not_fit(read: Any, value: str, path: tuple[Any, ...]) -> None:
    done = read(DATA + "node_types: {t: {properties: {p: {type: outer}}}}\n" + one_node(f"{{p: {value}}}"))
    assert ("BPC121", ("node_templates", "n", "properties", *path)) in done.found


def test_property_without_default_has_that_of_its_data_type(read: Any) -> None:
    done = read(DATA + "node_types: {t: {properties: {p: {type: inner, required: false}}}}\n" + one_node())
    assert declared(done)["p"] == {"x": 1}


def test_data_type_that_contains_itself(read: Any) -> None:
    data = "data_types: {d: {properties: {e: {type: d, required: false}}}}\n"
    done = read(data + "node_types: {t: {properties: {p: {type: d}}}}\n" + one_node())
    assert ("BPC121", ("data_types", "d", "properties", "e", "type")) in done.found
