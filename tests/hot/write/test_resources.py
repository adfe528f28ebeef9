"""What a node becomes in a template: its own resource, a group, what exists already, a stand-in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hot_lowering import LIFECYCLE, Made, lowered, operation, topology

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Input, Node, Operation

NET = ("node_templates", "net")


def net(name: str = "net", **fields: Any) -> Node:
    return Node(name, "cloudify.nodes.openstack.Network", "net", **fields)


def resource(made: Made, name: str = "net") -> Any:
    return made.data["resources"][name]


def message(made: Made, code: str) -> str:
    (text,) = (one.message for one in made.diagnostics if one.code == code)
    return text


def moves(made: Made, name: str = "net") -> dict[Any, Any]:
    """Place in the node of that name -> the place of its comments in the resource."""
    places = dict(reversed(made.lowered.moves))
    own = {path[2:]: target for path, target in places.items() if path[:2] == ("node_templates", name)}
    assert {target[:2] for target in own.values()} <= {("resources", name)}
    return {path: target[2:] for path, target in own.items()}


# -- the resource itself ------------------------------------------------------------------------------------


def test_keys_have_the_usual_order_and_are_rewritten() -> None:
    extra = {
        "deletion_policy": "retain", "update_policy": {"a": ex.Input("a")}, "metadata": {"b": ex.Input("a")},
        "description": 5,
    }  # fmt: skip
    node = net(extra=extra, condition=ex.Condition("c"), properties={"name": "n"})
    node.wait_for("first")
    source = topology(Input("a", "string"), net("first"), node)
    source.conditions["c"] = ex.Equals(ex.Input("a"), "x")
    written = resource(lowered(source))
    assert list(written.items()) == [
        ("type", "OS::Neutron::Net"),
        ("description", "5"),
        ("condition", "c"),
        ("depends_on", "first"),
        ("properties", {"name": "n"}),
        ("metadata", {"b": {"get_param": "a"}}),
        ("update_policy", {"a": {"get_param": "a"}}),
        ("deletion_policy", "retain"),
    ]


def test_what_heat_cannot_say_stays_a_call_in_keys_that_nothing_depends_on() -> None:
    made = lowered(topology(net(extra={"metadata": {"a": ex.Secret("s")}})))
    assert resource(made)["metadata"] == {"a": {"get_secret": "s"}}
    assert "parameters" not in made.data


def test_keys_that_are_null_are_left_out() -> None:
    extra = dict.fromkeys(("deletion_policy", "update_policy", "metadata", "description"))
    assert resource(lowered(topology(net(extra=extra)))) == {"type": "OS::Neutron::Net"}


def test_what_heat_cannot_say_in_a_condition_is_reported_at_the_condition() -> None:
    source = topology(net("other"), net(condition=ex.Equals(ex.Attribute("other", "name"), "x")))
    (place,) = {one.path for one in lowered(source).diagnostics if one.path[:2] == NET}
    assert place == (*NET, "condition")


@pytest.mark.parametrize("name", ["network", "network_id"])
def test_a_property_keeps_the_older_name_that_the_source_has(name: str) -> None:
    aliases = {"network": name} if name != "network" else {}
    made = lowered(topology(Node("p", "P", "port", properties={"network": "n"}, aliases=aliases)))
    assert resource(made, "p")["properties"] == {name: "n"}
    assert made.codes() == []  # the older name is not asked for
    assert moves(made, "p")["properties", name] == ("properties", name)


def test_a_key_of_the_source_that_heat_does_not_know_is_written_as_the_property() -> None:
    made = lowered(topology(Node("p", "P", "port", properties={"network": "n"}, aliases={"network": "net_name"})))
    assert resource(made, "p")["properties"] == {"network": "n"}
    assert moves(made, "p")["properties", "net_name"] == ("properties", "network")


def test_parts_of_a_property_have_places_of_their_own() -> None:
    """A finding about a part, and a comment beside it, is where the part comes from."""
    node = net(
        properties={"value_specs": {"a": ex.Attribute("gone", "x"), "b": [{"c": ex.Attribute("gone", "y")}]}},
        origins={
            ("value_specs",): (*NET, "specs"),
            ("value_specs", "a"): (*NET, "here"),
            ("value_specs", "b", 0, "c"): (*NET, "there"),
        },
    )
    made = lowered(topology(Node("gone", "my.Type"), node))
    assert {one.path for one in made.diagnostics if one.path[:2] == NET} == {(*NET, "here"), (*NET, "there")}
    places = moves(made)
    assert places["specs",] == ("properties", "value_specs")
    assert places["here",] == ("properties", "value_specs", "a")
    assert places["there",] == ("properties", "value_specs", "b", 0, "c")
    assert places["properties",] == ("properties",)
    assert places["relationships",] == ("depends_on",)


def test_parts_of_a_value_that_is_a_call_are_not_looked_for() -> None:
    origins = {("value_specs", "a"): (*NET, "here")}
    made = lowered(topology(Input("i", "json"), net(properties={"value_specs": ex.Input("i")}, origins=origins)))
    assert resource(made)["properties"] == {"value_specs": {"get_param": "i"}}


def test_no_place_of_what_is_left_out() -> None:
    made = lowered(topology(net(properties={"name": None, "mtu": 5}, origins={("name",): (*NET, "n")})))
    assert resource(made)["properties"] == {"mtu": 5}
    assert made.paths("BPC386") == [(*NET, "n")]
    assert ("n",) not in moves(made)


def test_a_property_that_came_without_a_value_stays_so() -> None:
    node = Node("v", "V", "volume_type", properties={"name": None}, lacks=("name",))
    made = lowered(topology(node))
    assert resource(made, "v") == {"type": "OS::Cinder::VolumeType", "properties": {"name": None}}
    assert made.codes() == []


def test_null_stays_where_the_resource_was_heats() -> None:
    made = lowered(topology(Node("x", "OS::Swift::Container", native="hot", properties={"name": None})))
    assert resource(made, "x") == {"type": "OS::Swift::Container", "properties": {"name": None}}


NULL = ex.Equals(ex.Input("on"), True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ex.If(NULL, "x", None), {"if": ["c", "x"]}),
        (ex.If(NULL, None, "x"), {"if": [{"not": "c"}, "x"]}),
        (ex.If(NULL, "x", "y"), {"if": ["c", "x", "y"]}),
        (ex.If(NULL, "x", MISSING), {"if": ["c", "x"]}),
        (ex.If(NULL, ex.If(NULL, None, "z"), "y"), {"if": ["c", {"if": [{"not": "c"}, "z"]}, "y"]}),
    ],
)
def test_a_branch_that_is_null_is_left_out(value: ex.If, expected: Any) -> None:
    source = topology(Input("on", "boolean", True), net(properties={"name": value}))
    made = lowered(source)
    conditions = {repr(data): name for name, data in made.data.get("conditions", {}).items()}
    written = repr(resource(made)["properties"]["name"])
    for data, name in conditions.items():
        written = written.replace(repr(name), data)
    assert written == repr(expected).replace("'c'", repr({"equals": [{"get_param": "on"}, True]}))


# -- what exists already ------------------------------------------------------------------------------------


def test_what_is_named_in_place_is_counted_by_nobody() -> None:
    made = lowered(topology(net(external_name="public", instances=3, origins={("instances",): (*NET, "number")})))
    assert "resources" not in made.data
    assert made.paths("BPC383") == [NET]
    assert made.paths("BPC351") == [(*NET, "number")]
    assert message(made, "BPC351") == "'number' is not converted: there is one resource, which exists already"


def test_an_id_has_its_own_place() -> None:
    id_place = (*NET, "properties", "resource_id")
    made = lowered(topology(Input("i", "string"), net(external_id=ex.Input("i"), origins={("external_id",): id_place})))
    assert resource(made) == {"type": "OS::Neutron::Net", "external_id": {"get_param": "i"}}
    assert moves(made)["properties", "resource_id"] == ("external_id",)


@pytest.mark.parametrize("number", [42, 4.5])
def test_an_id_that_is_a_number_is_a_text(number: float) -> None:
    made = lowered(topology(net(external_id=number)))
    assert resource(made)["external_id"] == str(number)
    assert made.codes() == []


def test_an_id_that_is_neither_text_nor_call_is_asked_for() -> None:
    made = lowered(topology(net(external_id=["42"], origins={("external_id",): (*NET, "id")})))
    assert made.data["parameters"] == {"net_id": {"type": "string", "description": "id of net"}}
    assert resource(made)["external_id"] == {"get_param": "net_id"}
    assert made.paths("BPC397") == [(*NET, "id")]
    assert message(made, "BPC397") == (
        "'net' has no 'external_id', which OS::Neutron::Net requires; parameter 'net_id' asks for it"
    )


def test_the_metadata_keep_with_what_it_is_created_where_it_is_missing() -> None:
    made = lowered(topology(net(external_id="42", otherwise={"name": "n"}, extra={"metadata": {"a": 1}})))
    assert resource(made)["metadata"] == {"a": 1, "bpconvert_kept": '{"otherwise":{"name":"n"}}'}
    made = lowered(topology(net(external_id="42", otherwise={"name": "n"})))
    assert resource(made)["metadata"] == {"bpconvert_kept": '{"otherwise":{"name":"n"}}'}
    assert "metadata" not in resource(lowered(topology(net(otherwise={"name": "n"}))))


# -- groups -------------------------------------------------------------------------------------------------


def test_a_number_of_instances_is_a_group() -> None:
    node = net(instances=ex.Input("n"), properties={"name": "x"}, origins={("instances",): (*NET, "number")})
    made = lowered(topology(Input("n", "number"), node))
    assert resource(made) == {
        "type": "OS::Heat::ResourceGroup",
        "properties": {
            "count": {"get_param": "n"},
            "resource_def": {"type": "OS::Neutron::Net", "properties": {"name": "x"}},
        },
    }
    assert made.codes() == ["BPC381"]
    assert made.paths("BPC381") == [(*NET, "number")]
    assert message(made, "BPC381") == "'net' is an OS::Heat::ResourceGroup of OS::Neutron::Net"
    assert moves(made)["properties", "name"] == ("properties", "resource_def", "properties", "name")


@pytest.mark.parametrize(("count", "capacity"), [({}, 1), ({"instances": 2}, 2), ({"instances": 1}, 1)])
def test_limits_are_an_auto_scaling_group(count: dict[str, Any], capacity: int) -> None:
    made = lowered(topology(Input("most", "number", 4), net(limits=(1, ex.Input("most")), **count)))
    assert list(resource(made)["properties"].items()) == [
        ("min_size", 1),
        ("max_size", {"get_param": "most"}),
        ("desired_capacity", capacity),
        ("resource", {"type": "OS::Neutron::Net"}),
    ]
    assert resource(made)["type"] == "OS::Heat::AutoScalingGroup"
    assert made.codes() == ["BPC750"]
    assert made.paths("BPC750") == [NET]
    assert moves(made)["properties",] == ("properties", "resource", "properties")


def numbered(*texts: Any, **fields: Any) -> Made:
    number = ex.Attribute("net", "node_instance_index", path=fields.pop("path", ()))
    name = ex.Concat((*texts, number)) if texts else number
    return lowered(topology(net(instances=3, properties={"name": name}, **fields)))


@pytest.mark.parametrize(
    ("texts", "name", "index"),
    [
        ((), "%index%", None),
        (("net-",), "net-%index%", None),
        (("%index%-",), "%index%-%member%", "%member%"),
        (("%index%-%member%-",), "%index%-%member%-%%member%", "%%member%"),
    ],
)
def test_the_number_of_a_member_stands_in_its_texts(texts: tuple[str, ...], name: str, index: str | None) -> None:
    made = numbered(*texts)
    properties = resource(made)["properties"]
    assert properties["resource_def"]["properties"] == {"name": name}
    assert properties.get("index_var") == index
    assert made.paths("BPC749") == [NET]
    assert made.codes() == ["BPC381", "BPC749"]  # nobody computes the text


def test_the_number_in_a_default_of_the_type_is_not_reported_again() -> None:
    number = ex.Attribute("net", "node_instance_index", path=(*NET, "declared"))
    made = numbered("net-", declared={"other": number})
    assert made.paths("BPC749") == [NET]


def test_where_the_number_of_a_member_is_reported() -> None:
    made = numbered("net-", path=(*NET, "properties", "name", "concat", 1))
    assert made.paths("BPC749") == [(*NET, "properties", "name", "concat", 1)]


def test_the_number_stands_in_lists_maps_and_beside_calls() -> None:
    number = ex.Attribute("net", "node_instance_index")
    specs = {"list": ["a", number], "map": {"b": ex.Concat(("n", number, ex.Input("i")))}, "other": 5}
    made = lowered(topology(Input("i", "string"), net(instances=3, properties={"value_specs": specs})))
    assert resource(made)["properties"]["resource_def"]["properties"]["value_specs"] == {
        "list": ["a", "%index%"],
        "map": {"b": {"list_join": ["", ["n%index%", {"get_param": "i"}]]}},
        "other": 5,
    }


def test_the_number_of_another_node_is_no_number_of_this_member() -> None:
    other = ex.Attribute("other", "node_instance_index")
    made = lowered(topology(net("other"), net(instances=3, properties={"name": other})))
    assert "%index%" not in str(resource(made))
    assert made.paths("BPC749") == []


# -- stand-ins ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ancestry", [[], ["cloudify.nodes.Root"]])
def test_what_only_orders_is_nothing_to_show(ancestry: list[str]) -> None:
    made = lowered(topology(Node("x", "cloudify.nodes.Root", ancestry=ancestry)))
    assert resource(made, "x") == {"type": "OS::Heat::None"}
    assert made.codes() == ["BPC398"]
    assert message(made, "BPC398") == (
        "'x' (cloudify.nodes.Root) is an OS::Heat::None: it does nothing but order in Cloudify too"
    )
    assert moves(made, "x") == {(): (), ("type",): ("type",)}


def test_a_stand_in_shows_the_type_the_properties_and_what_nothing_runs() -> None:
    node = Node(
        "x", "my.Type", properties={"a": ex.Concat(("v", ex.Input("i")))},
        origins={(): ("node_templates", "x", "props")},
        operations=[
            operation("create", "plugin.create", inputs={"n": ex.Input("i")}),
            operation("establish", "plugin.link", interface="link", target="y"),
        ],
    )  # fmt: skip
    made = lowered(topology(Input("i", "string"), node, Node("y", "my.Type")))
    assert resource(made, "x")["properties"] == {
        "cloudify_type": "my.Type",
        "properties": {"a": {"list_join": ["", ["v", {"get_param": "i"}]]}},
        "interfaces": {
            f"{LIFECYCLE}.create": {"implementation": "plugin.create", "inputs": {"n": {"get_param": "i"}}},
            "link.establish to y": {"implementation": "plugin.link"},
        },
    }
    assert made.paths("BPC233") == [("node_templates", "x", "props", "a")]
    assert moves(made, "x") == {
        (): (),
        ("type",): ("properties", "cloudify_type"),
        ("props",): ("properties", "properties"),
        ("interfaces",): ("properties", "interfaces"),
        ("relationships",): ("depends_on",),
    }


@pytest.mark.parametrize("call", [ex.Attribute("y", "a"), ex.Secret("a")])
def test_what_heat_cannot_say_stands_in_a_stand_in_as_it_is(call: ex.Expr) -> None:
    """A parameter that only a stand-in uses would be asked for in vain."""
    run = operation("create", "plugin.create", inputs={"n": call})
    made = lowered(topology(Node("x", "my.Type", properties={"a": call}, operations=[run]), Node("y", "my.Type")))
    shown = resource(made, "x")["properties"]
    assert "parameters" not in made.data
    assert shown["properties"]["a"] == shown["interfaces"][f"{LIFECYCLE}.create"]["inputs"]["n"]


IDLE = ["my.Type", "cloudify.nodes.Root"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"ancestry": IDLE}, "BPC398"),
        ({"ancestry": IDLE, "properties": {"a": 1}}, "BPC398"),
        ({"ancestry": IDLE, "operations": [operation("create", "plugin.create")]}, "BPC380"),
        ({"ancestry": IDLE, "unrun": [operation("create", "plugin.create")]}, "BPC380"),
        ({"ancestry": ["cloudify.nodes.Root"], "unrun": [operation("create", "plugin.create")]}, "BPC380"),
        ({"ancestry": ["my.Type", "cloudify.nodes.Compute"]}, "BPC380"),
        ({"ancestry": ["my.Type", "cloudify.nodes.aws.ec2.Instances"]}, "BPC791"),
        ({}, "BPC380"),
    ],
)
def test_what_a_stand_in_stands_for(fields: dict[str, Any], code: str) -> None:
    made = lowered(topology(net(), Node("x", "my.Type", **fields)))
    assert made.paths(code) == [("node_templates", "x")]
    assert {"BPC380", "BPC398", "BPC791"} & set(made.codes()) == {code}
    assert resource(made, "x")["properties"]["cloudify_type"] == "my.Type"


def test_what_is_lost_with_a_type_of_another_cloud() -> None:
    made = lowered(topology(net(), Node("x", "cloudify.nodes.aws.ec2.Instances")))
    assert message(made, "BPC791") == (
        "cloudify.nodes.aws.ec2.Instances has no counterpart in Heat: resources of OpenStack are converted, not those"
        " of another cloud; 'x' is an OS::Heat::None that creates nothing"
    )


def test_a_node_without_a_type_has_been_reported() -> None:
    made = lowered(topology(net(), Node("x", "")))
    assert resource(made, "x") == {"type": "OS::Heat::None", "properties": {"cloudify_type": ""}}
    assert made.codes() == []


@pytest.mark.parametrize(
    ("operations", "is_open", "code", "text"),
    [
        ([], False, "BPC398", "'app' (my.App) is an OS::Heat::None: its deployments do what there is to do"),
        ([], True, "BPC260", "deployments run what 'app' runs here; what its type my.App does besides is not known"),
        (["start"], False, "BPC377", "my.App has no counterpart; deployments run some operations of 'app', the others"
         " are not run"),
        (["start"], True, "BPC377", "my.App has no counterpart; deployments run some operations of 'app', the others"
         " are not run"),
    ],
)  # fmt: skip
def test_what_is_left_of_a_node_whose_scripts_run(
    operations: list[str], is_open: bool, code: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "a.sh").write_text("#!/bin/sh\necho\n", encoding="utf-8")
    machine = Node("vm", "S", "server", properties={"flavor": "f", "image": "i"})
    own: list[Operation] = [operation("create", "scripts/a.sh")]
    own += [operation(name, "plugin.run") for name in operations]
    app = Node("app", "my.App", host="vm", operations=own, is_open=is_open)
    app.wait_for("vm")
    made = lowered(topology(machine, app), folder=tmp_path)
    assert message(made, code) == text
    assert made.paths(code) == [("node_templates", "app")]
    shown = resource(made, "app")["properties"]
    assert list(shown.get("interfaces", {})) == [f"{LIFECYCLE}.{name}" for name in operations]


def test_software_has_no_resource_of_its_own() -> None:
    made = lowered(topology(net(), Node("x", "my.Type", role="component")))
    assert list(made.data["resources"]) == ["net"]
    assert moves(made, "x") == {}
