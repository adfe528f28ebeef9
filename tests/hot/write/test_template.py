"""The neutral topology as a HOT template: parameters, resources, outputs, conditions and versions."""

from __future__ import annotations

from typing import Any

import pytest
from hot_lowering import lowered, topology

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Constraint, Input, Node, Output
from bpconvert.render import render

# -- parameters ---------------------------------------------------------------------------------------------


def parameter(declared: Input, text: str = "{}\n") -> Any:
    made = lowered(topology(declared), text)
    return made.data["parameters"][declared.name], made


@pytest.mark.parametrize(
    ("neutral", "default", "expected"),
    [
        ("string", "x", {"type": "string", "default": "x"}),
        ("number", 5, {"type": "number", "default": 5}),
        ("boolean", False, {"type": "boolean", "default": False}),
        ("list", ["a", "b,c"], {"type": "comma_delimited_list", "default": ["a", "b,c"]}),
        ("json", {"a": [1]}, {"type": "json", "default": {"a": [1]}}),
        ("json", [], {"type": "json", "default": []}),
        (None, "x", {"type": "string", "default": "x"}),
    ],
)
def test_types_and_defaults(neutral: str | None, default: Any, expected: Any) -> None:
    data, made = parameter(Input("a", neutral, default))
    assert data == expected
    assert made.codes() == []


@pytest.mark.parametrize(("default", "kind"), [(True, "boolean"), (5, "number"), ([1], "json")])
def test_the_default_says_the_type(default: Any, kind: str) -> None:
    data, made = parameter(Input("a", None, default))
    assert data == {"type": kind, "default": default}
    assert made.paths("BPC535") == [("inputs", "a")]


def test_nothing_says_the_type() -> None:
    data, made = parameter(Input("a", None))
    assert data == {"type": "string"}
    assert made.paths("BPC530") == [("inputs", "a")]


def test_a_number_in_a_text_input_stays_a_number() -> None:
    data, made = parameter(Input("port", "string", 8080))
    assert data == {"type": "number", "default": 8080}
    assert made.paths("BPC534") == [("inputs", "port", "type")]


def test_a_number_that_is_used_in_texts_stays_a_text() -> None:
    address = Output("o", ex.Concat(("http://x:", ex.Input("port"))))
    made = lowered(topology(Input("port", "string", 8080), address))
    assert made.data["parameters"]["port"] == {"type": "string", "default": "8080"}
    assert made.data["outputs"]["o"]["value"] == {"list_join": ["", ["http://x:", {"get_param": "port"}]]}
    assert made.codes() == ["BPC532", "BPC233"]


def test_an_optional_number() -> None:
    low = Constraint("range", {"min": 1}, path=("inputs", "a", "constraints", 0, "in_range"))
    data, made = parameter(Input("a", "number", constraints=[low], extra={"required": False}))
    assert data == {"type": "json", "default": ""}
    assert made.paths("BPC536") == [("inputs", "a")]
    assert made.paths("BPC543") == [low.path]


def test_constraints_for_texts_keep_the_type() -> None:
    pattern = Constraint("allowed_pattern", "[0-9]+", path=("inputs", "port", "constraints", 0, "pattern"))
    data, made = parameter(Input("port", "string", 8080, constraints=[pattern]))
    assert data == {"type": "string", "default": "8080", "constraints": [{"allowed_pattern": "[0-9]+"}]}
    assert made.paths("BPC541") == [("inputs", "port", "default")]


def test_order_of_keys() -> None:
    declared = Input(
        "a", "string", "x", label="A", description="an a", hidden=False,
        constraints=[Constraint("length", {"min": 1, "max": None}, "too short")],
    )  # fmt: skip
    data, made = parameter(declared)
    assert list(data) == ["type", "label", "description", "default", "hidden", "constraints"]
    assert data["constraints"] == [{"length": {"min": 1}, "description": "too short"}]
    assert made.codes() == []


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        (Input("a", "json", {}, constraints=[Constraint("allowed_values", [{}])]), "BPC502"),
        (Input("a", "string", constraints=[Constraint("range", {"min": 1})]), "BPC502"),
        (Input("a", "string", constraints=[Constraint("allowed_pattern", "(")]), "BPC502"),
        (Input("a", "number", constraints=[Constraint("allowed_values", ["x"])]), "BPC502"),
        (Input("a", "number", 0, constraints=[Constraint("range", {"min": 1})]), "BPC502"),
        (Input("a", "list", ["x"], constraints=[Constraint("allowed_values", [["x"], ["y"]])]), "BPC502"),
        (Input("a", "string", extra={"required": False}, constraints=[Constraint("length", {"min": 1})]), "BPC502"),
    ],
)
def test_constraints_that_heat_refuses_are_reported(declared: Input, code: str) -> None:
    data, made = parameter(declared)
    assert "constraints" not in data
    assert made.codes() == [code]


def test_nothing_is_one_of_the_allowed_values_of_what_may_be_left_out() -> None:
    allowed = Constraint("allowed_values", ["x", "y"])
    data, made = parameter(Input("a", "string", extra={"required": False}, constraints=[allowed]))
    assert data["constraints"] == [{"allowed_values": ["x", "y", ""]}]
    assert made.codes() == []


def test_a_computed_default_that_nothing_uses() -> None:
    data, made = parameter(Input("a", "json", [{"k": ex.Concat(("x", ex.System("deployment.name")))}]))
    assert data["default"] == ""
    assert made.paths("BPC246") == [("inputs", "a", "default")]


def test_a_hidden_input_and_unknown_keys() -> None:
    data, made = parameter(Input("a", "string", hidden=True, extra={"required": True, "item_type": "x", "order": 1}))
    assert data == {"type": "string", "hidden": True}
    assert made.paths("BPC537") == [("inputs", "a", "hidden")]
    assert made.paths("BPC502") == [("inputs", "a", "order")]


def test_a_default_of_another_type() -> None:
    data, made = parameter(Input("a", "number", "many"))
    assert data == {"type": "number"}
    assert made.paths("BPC504") == [("inputs", "a", "default")]


def test_keys_of_a_json_default_are_texts() -> None:
    data, made = parameter(Input("a", "json", {1: "x"}))
    assert data["default"] == {"1": "x"}
    assert made.codes() == ["BPC541"]


# -- resources ----------------------------------------------------------------------------------------------


def net(name: str = "net", **fields: Any) -> Node:
    waits = fields.pop("waits", ())
    return waiting(Node(name, "cloudify.nodes.openstack.Network", "net", **fields), *waits)


def waiting(node: Node, *targets: str) -> Node:
    node.wait_for(*targets)
    return node


def test_a_mapped_node() -> None:
    made = lowered(topology(net(properties={"name": "a", "shared": None})))
    assert made.data["resources"] == {"net": {"type": "OS::Neutron::Net", "properties": {"name": "a"}}}
    assert made.paths("BPC386") == [("node_templates", "net", "properties", "shared")]


def test_a_property_that_may_be_null_is_left_out() -> None:
    """Heat would take null for an empty text, 0 or false."""
    made = lowered(
        topology(
            Input("a", "number", extra={"required": False}), Input("b", "boolean", extra={"required": False}),
            net(properties={"mtu": ex.Input("a"), "value_specs": {"x": ex.Input("a")}, "name": ex.If(
                ex.Equals(ex.Input("b"), True), None, ex.If(ex.Equals(ex.Input("b"), False), "x", None)
            )}),
        )
    )  # fmt: skip
    properties = made.data["resources"]["net"]["properties"]
    assert properties["mtu"] == {"if": ["a_given", {"get_param": "a"}]}
    assert properties["value_specs"] == {"x": {"if": ["a_given", {"get_param": "a"}, None]}}
    assert [len(properties["name"]["if"]), len(properties["name"]["if"][1]["if"])] == [2, 2]
    assert made.data["heat_template_version"] == "2021-04-16"


def test_a_property_that_must_be_given_stays() -> None:
    vm = Node("vm", "x", "server", properties={"flavor": ex.Input("a"), "name": ex.Property("vm", "gone")})
    vm.declared = {"gone": None}
    made = lowered(topology(Input("a", "string", extra={"required": False}), vm))
    assert made.data["resources"]["vm"]["properties"] == {"flavor": {"if": ["a_given", {"get_param": "a"}, None]}}
    assert made.paths("BPC386") == [("node_templates", "vm", "properties", "name")]


def test_order_stays_where_a_value_cannot_be_said() -> None:
    """What waits for a node because it uses a value of it also waits when something else stands for the value."""
    vm = Node("vm", "x", "server", properties={"flavor": "f", "user_data": ex.Attribute("script", "text")})
    made = lowered(topology(Node("script", "my.Type"), vm))
    assert made.data["resources"]["vm"]["properties"]["user_data"] == {"get_param": "vm_user_data"}
    assert made.data["resources"]["vm"]["depends_on"] == "script"


def test_no_resources() -> None:
    made = lowered(topology(Input("a", "string")))
    assert list(made.data) == ["heat_template_version", "parameters"]


def test_one_dependency_is_a_text_and_several_a_list() -> None:
    made = lowered(topology(net("a"), net("b", waits=["a"]), net("c", waits=["a", "b"])))
    assert made.data["resources"]["b"]["depends_on"] == "a"
    assert made.data["resources"]["c"]["depends_on"] == ["a", "b"]
    assert made.codes() == []


def test_existing_resources() -> None:
    made = lowered(
        topology(
            net("by_id", external_id="42", waits=["other"], properties={"name": "a"}),
            net("by_name", external_name="public"),
            net("other", waits=["by_name", "by_id"]),
        )
    )
    assert made.data["heat_template_version"] == "2016-10-14"
    assert made.data["resources"]["by_id"]["external_id"] == "42"
    assert made.data["resources"]["other"]["depends_on"] == "by_id"
    assert set(made.data["resources"]) == {"by_id", "other"}
    assert made.lowered.made["node_templates", "by_name"] == []
    assert sorted(made.codes()) == ["BPC383", "BPC384", "BPC385"]


def test_an_unmapped_node_is_visible() -> None:
    node = waiting(Node("x", "my.nodes.Thing", properties={"a": {"b": 1}}), "net")
    made = lowered(topology(net(), node))
    assert made.data["resources"]["x"] == {
        "type": "OS::Heat::None",
        "depends_on": "net",
        "properties": {"cloudify_type": "my.nodes.Thing", "properties": {"a": {"b": 1}}},
    }
    assert made.paths("BPC380") == [("node_templates", "x")]


def test_a_node_that_does_nothing_in_cloudify_either() -> None:
    made = lowered(topology(Node("x", "cloudify.nodes.Root")))
    assert made.codes() == ["BPC398"]


def test_what_heat_needs_is_asked_for() -> None:
    made = lowered(topology(Node("fast", "V", "volume_type"), Node("old", "V", "volume_type", external_id="x")))
    assert made.data["parameters"] == {"fast_name": {"type": "string", "description": "name of fast"}}
    assert made.data["resources"]["fast"]["properties"] == {"name": {"get_param": "fast_name"}}
    assert made.paths("BPC397") == [("node_templates", "fast")]


def test_the_name_of_a_key_pair_is_made_of_the_stacks() -> None:
    made = lowered(topology(Node("key", "K", "keypair"), Node("old", "K", "keypair", external_id="x")))
    assert "parameters" not in made.data
    own = {"list_join": ["-", [{"get_param": "OS::stack_name"}, "key"]]}
    assert made.data["resources"]["key"]["properties"] == {"name": own}
    assert made.paths("BPC683") == [("node_templates", "key")]


def test_a_stand_in_that_came_back() -> None:
    node = Node(
        "x", "OS::Swift::Container", native="hot", properties={"name": "c"}, extra={"deletion_policy": "retain"}
    )
    made = lowered(topology(node))
    assert made.data["heat_template_version"] == "2016-10-14"
    assert made.data["resources"]["x"] == {
        "type": "OS::Swift::Container",
        "properties": {"name": "c"},
        "deletion_policy": "retain",
    }
    assert made.codes() == []


def test_instances() -> None:
    made = lowered(
        topology(
            Input("n", "number", 2),
            net("one", instances=1),
            net("many", instances=ex.Input("n"), properties={"name": "net-%index%"}, waits=["one"]),
            net("none", instances=0),
            Node("x", "my.Type", instances=3),
        )
    )
    resources = made.data["resources"]
    assert resources["one"] == {"type": "OS::Neutron::Net"}
    assert resources["many"] == {
        "type": "OS::Heat::ResourceGroup",
        "depends_on": "one",
        "properties": {
            "count": {"get_param": "n"},
            "index_var": "%member%",
            "resource_def": {"type": "OS::Neutron::Net", "properties": {"name": "net-%index%"}},
        },
    }
    assert resources["none"]["properties"]["count"] == 0
    assert made.paths("BPC382") == [("node_templates", "x")]


def test_a_conditional_node() -> None:
    source = topology(Input("on", "boolean", True), net(condition=ex.Condition("wanted")))
    source.conditions["wanted"] = ex.Equals(ex.Input("on"), True, path=("inputs", "if_on", "default"))
    made = lowered(source)
    assert list(made.data) == ["heat_template_version", "parameters", "conditions", "resources"]
    assert made.data["heat_template_version"] == "2016-10-14"
    assert made.data["resources"]["net"]["condition"] == "wanted"
    assert made.lowered.made["inputs", "if_on"] == [("conditions", "wanted")]
    assert (("inputs", "if_on"), ("conditions", "wanted")) in made.lowered.moves


def test_a_condition_that_is_another() -> None:
    source = topology(Input("on", "boolean", True), net(condition=ex.Condition("b")))
    source.conditions |= {"a": ex.Input("on"), "b": ex.Condition("a")}
    assert lowered(source).data["conditions"]["b"] == {"not": {"not": "a"}}


# -- circles ------------------------------------------------------------------------------------------------


def test_an_order_that_closes_a_circle() -> None:
    subnet = Node("subnet", "S", "subnet", properties={"network": ex.Identity("net")})
    made = lowered(topology(net(waits=["subnet"]), subnet))
    assert "depends_on" not in made.data["resources"]["net"]
    assert made.data["resources"]["subnet"]["properties"] == {"network": {"get_resource": "net"}}
    assert made.paths("BPC388") == [("node_templates", "net")]


def test_an_order_that_closes_a_circle_is_reported_where_it_is_written() -> None:
    place = ("node_templates", "net", "requirements", 0)
    subnet = Node("subnet", "S", "subnet", properties={"network": ex.Identity("net")})
    network = net()
    network.wait_for("subnet", path=place)
    assert lowered(topology(network, subnet)).paths("BPC388") == [place]


def test_a_value_that_closes_a_circle() -> None:
    subnet = Node("subnet", "S", "subnet", properties={"network": ex.Identity("net"), "cidr": "10.0.0.0/24"})
    used = ex.Attribute("subnet", "cidr", path=("node_templates", "net", "properties", "name"))
    made = lowered(topology(net(properties={"name": used}), subnet))
    wanted = [found for found in made.diagnostics if found.code == "BPC387"]
    assert len(wanted) == 1
    cut = "net" if wanted[0].path[:2] == ("node_templates", "net") else "subnet"
    (name,) = made.data["parameters"]
    assert {"get_param": name} in made.data["resources"][cut]["properties"].values()


def test_a_value_of_its_own_in_a_stand_in() -> None:
    node = Node("x", "my.Type", properties={"own": ex.Identity("x"), "other": ex.Identity("y")})
    made = lowered(topology(node, waiting(Node("y", "my.Type"), "x")))
    assert made.data["resources"]["x"]["properties"]["properties"] == {
        "own": {"get_attribute": ["x", "id"]},
        "other": {"get_attribute": ["y", "id"]},
    }
    assert made.data["resources"]["y"]["depends_on"] == "x"
    assert made.codes().count("BPC387") == 2


# -- outputs ------------------------------------------------------------------------------------------------


def test_outputs_and_capabilities() -> None:
    source = topology(net(), Output("id", ex.Identity("net"), "the net"), Output("nothing", None))
    source.capabilities["id"] = Output("id", "x", path=("capabilities", "id"))
    made = lowered(source)
    assert made.data["outputs"] == {
        "id": {"description": "the net", "value": {"get_resource": "net"}},
        "nothing": {"value": None},
        "capability_id": {"value": "x"},
    }
    assert made.lowered.made["capabilities", "id"] == [("outputs", "capability_id")]
    assert made.paths("BPC538") == [("capabilities", "id")]


# -- version, places, layout --------------------------------------------------------------------------------


def test_the_lowest_version() -> None:
    assert lowered(topology(net())).data["heat_template_version"] == "2013-05-23"


@pytest.mark.parametrize(
    ("wanted", "written", "codes"),
    [
        ("2018-08-31", "2018-08-31", []),
        ("rocky", "rocky", []),
        ("mitaka", "2016-10-14", ["BPC540"]),
        ("2013-05-23", "2016-10-14", ["BPC540"]),
    ],
)
def test_a_version_that_was_asked_for(wanted: str, written: str, codes: list[str]) -> None:
    made = lowered(topology(net(external_id="x")), hot_version=wanted)
    assert made.data["heat_template_version"] == written
    assert made.codes() == codes


def test_a_release_without_alias_is_written_as_its_date() -> None:
    assert lowered(topology(), hot_version="kilo").data["heat_template_version"] == "2015-04-30"


def test_where_everything_went() -> None:
    text = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [x]
inputs: {a: {}, gone: {}}
node_templates:
  net: {}
  server: {}
"""
    split = Node("association", "A", "floating_ip", path=("node_templates", "server", "relationships", 0))
    server = Node(
        "server",
        "S",
        "server",
        properties={"name": "s", "flavor": "f"},
        origins={("name",): ("node_templates", "server", "n")},
    )
    made = lowered(topology(Input("a", "string"), net(), split, server, description="d"), text)
    assert made.lowered.made == {
        ("tosca_definitions_version",): [("heat_template_version",)],
        ("description",): [("description",)],
        ("inputs", "a"): [("parameters", "a")],
        ("inputs", "gone"): [],
        ("node_templates", "net"): [("resources", "net")],
        ("node_templates", "server"): [("resources", "server"), ("resources", "association")],
        ("imports",): [],
    }
    moves = dict(reversed(made.lowered.moves))
    assert moves["node_templates", "server", "n"] == ("resources", "server", "properties", "name")
    assert moves["node_templates", "server", "relationships", 0] == ("resources", "association")
    assert moves["inputs", "a"] == ("parameters", "a")


def test_what_is_imported_belongs_to_the_imports() -> None:
    made = lowered(topology(Input("a", "string", path=("imports", 0)), net(path=("imports", 0))), "imports: [x.yaml]\n")
    assert made.lowered.made["imports",] == [("parameters", "a"), ("resources", "net")]
    assert all(source[0] != "imports" for source, _ in made.lowered.moves)


def test_layout() -> None:
    made = lowered(topology(Input("a", "string"), net(), net("b"), Output("o", 1), description="A text."))
    assert (
        render("hot.yaml.j2", made.lowered.data)
        == """\
heat_template_version: 2013-05-23

description: A text.

parameters:
  a:
    type: string

resources:

  net:
    type: OS::Neutron::Net

  b:
    type: OS::Neutron::Net

outputs:
  o:
    value: 1
"""
    )
