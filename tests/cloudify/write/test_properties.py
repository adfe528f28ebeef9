"""Properties of node templates by the catalogue's rules: where a value is written, in which shape, what is found."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import convert
from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.options import Options
from bpconvert.translators.catalogue.model import Lift, PropertyRule
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack.arrangement import Arrangement
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.properties import Properties
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.cloudify.write.rules import RULES
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import load

PLACE = ("resources", "a", "properties", "p")
ID = "11111111-2222-3333-4444-555555555555"
GROUP = "cloudify.relationships.depends_on"
INPUTS = [
    Input("env", "string", "dev"),
    Input("flag", "boolean", True),
    Input("n", "number", 3),
    Input("names", "list", ["a", "b"]),
    Input("free", "string"),
    Input("map", "json", {"k": "v"}),
]
IS_PROD = ex.Equals(ex.Input("env"), "prod")
#: of Nova's server: node ``a`` of each test
SERVER = "OS::Nova::Server"
NODE_TYPE = "cloudify.nodes.openstack.Server"


class Writing:
    """The properties of node ``a``, one by one, beside other nodes."""

    def __init__(self, *nodes: Node, kind: str | None = None, node_type: str = NODE_TYPE, **given: Any) -> None:
        document = load("a: 1\n")
        source, target = (DIALECTS[name].capabilities() for name in ("hot", "cloudify"))
        types = builtin()
        options = Options(asked="inputs", **{key: given.pop(key) for key in ("plugin",) if key in given})
        request = Request(source, target, types, document, Reporter(document), options, Files(None))
        self.node = Node("a", given.pop("source_type", SERVER), kind, **given)
        topology = Topology(
            "hot",
            "rocky",
            inputs={one.name: one for one in INPUTS},
            nodes={one.name: one for one in (self.node, *nodes)},
        )
        self.context = Context(topology, request)
        self.rewriter = DslRewriter(self.context, RULES)
        arrangement = Arrangement(topology, request, self.context.names.fresh_node, self.rewriter.replacement)
        self.properties = Properties(self.context, self.rewriter, arrangement)
        self.draft = Draft(self.node, "a", node_type, types.kind(kind))

    def put(self, value: Value, name: str = "p", **rule: Any) -> dict[str, Any]:
        """The properties of the node when property ``name`` has the value."""
        self.properties.put(self.draft, name, PropertyRule(**rule), value, PLACE)
        return self.draft.properties

    @property
    def found(self) -> list[tuple[str, Any]]:
        """Code and place, below the property, of each finding."""
        return [(one.code, one.path[len(PLACE) :]) for one in self.context.reporter.diagnostics]

    @property
    def messages(self) -> list[str]:
        return [one.message for one in self.context.reporter.diagnostics]

    @property
    def relations(self) -> list[tuple[str, str]]:
        return [(one.type, one.target) for one in self.draft.relations]

    @property
    def moves(self) -> list[tuple[Any, Any]]:
        return [(source, place[2:]) for source, place in self.draft.moves]


def asked_for(writing: Writing, value: Any) -> dict[str, Any]:
    """The declaration of the input that ``value`` is."""
    assert isinstance(value, ex.Input)
    return writing.context.inputs.added[str(value.name)]


def lift(**more: Any) -> Lift:
    return Lift(GROUP, ["server_group"], **more)


def a_group(name: str = "g", **more: Any) -> Node:
    return Node(name, "OS::Nova::ServerGroup", "server_group", **more)


# -- where it is written ---------------------------------------------------------------------------------------


def test_a_value_is_written_at_the_path_of_its_rule() -> None:
    writing = Writing()
    assert writing.put("x", to="resource_config.deep.p") == {"resource_config": {"deep": {"p": "x"}}}
    assert writing.moves == [(PLACE, ("properties", "resource_config", "deep", "p"))]
    assert not writing.found


def test_what_has_no_path_is_not_written() -> None:
    assert Writing().put("x") == {}


def test_what_is_settled_is_not_written_again() -> None:
    writing = Writing(settled={"p"})
    assert writing.put("x", to="p") == {}
    assert not writing.found


def test_null_is_left_out() -> None:
    writing = Writing()
    assert writing.put(None, to="p") == {}
    assert writing.found == [("BPC307", ())]
    assert writing.draft.unwritten == {}


def test_null_that_heat_requires_is_kept() -> None:
    writing = Writing()
    writing.put(None, name="flavor", to="flavor")
    assert writing.draft.unwritten == {"flavor": None}


def test_null_is_kept_under_the_name_that_heat_requires() -> None:
    writing = Writing(aliases={"size": "flavor"})
    writing.put(None, name="size", to="flavor")
    assert writing.draft.unwritten == {"size": None}


def test_null_is_a_value_for_what_says_so() -> None:
    writing = Writing()
    writing.put(None, to="resource_config.gateway_ip", hook="gateway_ip")
    assert ("BPC307", ()) not in writing.found


def test_a_note_is_reported() -> None:
    writing = Writing()
    assert writing.put("x", to="p", note="it differs") == {"p": "x"}
    assert (writing.found, writing.messages) == ([("BPC309", ())], ["it differs"])


# -- what has no counterpart -----------------------------------------------------------------------------------


def test_what_has_no_counterpart_is_a_warning_and_kept() -> None:
    writing = Writing()
    assert writing.put("x", carry="there is none") == {}
    assert writing.found == [("BPC302", ())]
    assert writing.messages == ["property 'p' of OS::Nova::Server has no counterpart: there is none"]
    assert writing.draft.unwritten == {"p": "x"}


def test_what_nobody_needs_is_no_warning() -> None:
    writing = Writing()
    writing.put("x", carry="not needed", unneeded=True)
    assert writing.found == [("BPC250", ())]
    assert writing.draft.unwritten == {"p": "x"}


def test_what_means_nothing_is_not_kept() -> None:
    writing = Writing()
    writing.put("RAW", carry="there is none", ignore=["RAW"])
    assert writing.found == [("BPC306", ())]
    assert writing.draft.unwritten == {}


@pytest.mark.parametrize(
    ("others", "properties", "code"),
    [
        ([], {}, "BPC726"),
        ([], {"user_data": "#!/bin/sh"}, "BPC302"),
        ([Node("d", "OS::Heat::SoftwareDeployment", properties={"server": ex.Identity("a")})], {}, "BPC302"),
        ([Node("d", "own.Group", properties={"servers": {"x": ex.Identity("a")}})], {}, "BPC302"),
        ([Node("d", "OS::Heat::SoftwareDeployment", properties={"server": ex.Identity("b")})], {}, "BPC726"),
    ],
    ids=["nobody", "beside user data", "for it", "for a map of servers", "for another one"],
)
def test_a_setting_for_the_agent_counts_where_something_is_for_the_server(
    others: list[Node], properties: dict[str, Any], code: str
) -> None:
    writing = Writing(*others, properties=properties)
    writing.put("SOFTWARE_CONFIG", carry="it is passed on", beside="user_data")
    assert writing.found == [(code, ())]
    assert writing.draft.unwritten == ({"p": "SOFTWARE_CONFIG"} if code == "BPC302" else {})


def test_another_format_is_none_for_the_agent() -> None:
    writing = Writing()
    writing.put("HEAT_CFNTOOLS", carry="it is passed on", beside="user_data")
    assert writing.found == [("BPC302", ())]


# -- what a hook makes of it -----------------------------------------------------------------------------------


def test_a_value_that_does_not_fit_is_left_out() -> None:
    writing = Writing()
    assert writing.put("", to="p", hook="nova_name") == {}
    assert writing.found == [("BPC306", ())]


def test_a_value_is_made_to_fit() -> None:
    assert Writing().put({"a": 1}, to="resource_config.metadata", hook="metadata") == {
        "resource_config": {"metadata": {"a": "1"}}
    }


def test_a_hook_writes_what_data_cannot_say() -> None:
    writing = Writing(source_type="OS::Heat::Stack", node_type="cloudify.nodes.Component")
    assert writing.put(2, hook="stack_timeout") == {}
    assert writing.node.operations[0].inputs == {"timeout": 120}
    assert writing.found == [("BPC778", ())]
    writing = Writing(source_type="OS::Heat::Value", node_type="own.Value", properties={"type": "json"})
    value = ex.Digest("md5", ex.Attribute("a", "x"))
    assert asked_for(writing, writing.put(value, hook="any_value")["value"])["type"] == "dict"
    writing = Writing(kind="keypair")
    assert writing.put(False, to="x", hook="save_private_key") == {}
    assert writing.found == [("BPC337", ())]


# -- what conditions remove ------------------------------------------------------------------------------------


def removed(value: Value = "x") -> ex.If:
    """``value``, only for production."""
    return ex.If(IS_PROD, value)


def test_a_setting_that_a_condition_removes_is_merged_into_its_map() -> None:
    writing = Writing(node_type="own.Type")
    assert writing.put(removed(), to="resource_config.p") == {}
    [entry] = writing.draft.optional[("resource_config",)]
    assert isinstance(entry, ex.Input)
    assert asked_for(writing, entry)["default"] == [{"p": "x"}, {}]
    assert writing.moves == [(PLACE, ("properties", "resource_config"))]
    assert writing.found == [("BPC223", ())]


def test_what_could_be_a_reference_and_is_none_is_merged_as_well() -> None:
    writing = Writing(a_group(), node_type="own.Type")
    writing.put(removed(), to="resource_config.p", lift=lift())
    assert list(writing.draft.optional) == [("resource_config",)]


def test_the_name_that_the_plugin_makes_up_stays_where_settings_are_merged() -> None:
    writing = Writing(kind="net", source_type="OS::Neutron::Net", node_type="cloudify.nodes.openstack.Network")
    writing.draft.properties["resource_config"] = {}
    writing.put(removed(), to="resource_config.p")
    assert writing.draft.properties == {"resource_config": {"name": ""}}


def test_no_name_is_made_up_beside_settings_further_inside() -> None:
    writing = Writing(kind="net", source_type="OS::Neutron::Net", node_type="cloudify.nodes.openstack.Network")
    writing.draft.properties["resource_config"] = {"kwargs": {}}
    writing.put(removed(), to="resource_config.kwargs.mtu")
    assert writing.draft.properties == {"resource_config": {"kwargs": {}}}
    assert list(writing.draft.optional) == [("resource_config", "kwargs")]


def test_heats_default_is_written_where_a_condition_removes_the_value() -> None:
    writing = Writing()
    [(key, value)] = writing.put(removed(), to="resource_config.p", default="usual")["resource_config"].items()
    assert key == "p"
    assert asked_for(writing, value)["default"] == ["x", "usual"]
    assert not writing.draft.optional


@pytest.mark.parametrize(
    ("given", "rule", "value"),
    [
        ({}, {"to": "p"}, "x"),
        ({"plugin": "v2"}, {"to": "resource_config.p"}, "x"),
        ({}, {"to": "resource_config.p", "each": {"k": PropertyRule(to="k")}}, {"k": 1}),
        ({}, {"to": "resource_config.p", "flatten": "resource_config.kwargs"}, {"k": 1}),
        ({}, {"to": "resource_config.p", "lift": lift()}, ex.Identity("g")),
    ],
    ids=["no map", "plugin 2.x", "items", "flattened", "a reference"],
)
def test_what_cannot_be_merged_is_asked_for(given: dict[str, Any], rule: dict[str, Any], value: Value) -> None:
    writing = Writing(a_group(), **given)
    writing.put(removed(value), **rule)
    assert not writing.draft.optional
    assert set(dict(writing.found)) & {"BPC201", "BPC301", "BPC702"}


def test_a_condition_that_cloudify_cannot_decide_is_asked_for() -> None:
    writing = Writing(a_group())
    condition = ex.Equals(ex.Attribute("g", "name"), "x")
    found = writing.put(ex.If(condition, "x"), to="resource_config.p")
    assert isinstance(found["resource_config"]["p"], ex.Input)
    assert not writing.draft.optional


# -- references ------------------------------------------------------------------------------------------------


def test_a_reference_becomes_a_relationship() -> None:
    writing = Writing(a_group())
    assert writing.put(ex.Identity("g"), to="p", lift=lift(note="it differs")) == {}
    assert writing.relations == [(GROUP, "g")]
    assert writing.moves == [(PLACE, ("relationships",))]
    assert (writing.found, writing.messages) == ([("BPC309", ())], ["it differs"])
    assert writing.draft.relations[0].path == PLACE


def test_a_relationship_has_the_place_of_its_reference() -> None:
    writing = Writing(a_group())
    writing.put([ex.Identity("g", path=(*PLACE, 0))], to="p", lift=lift())
    assert writing.draft.relations[0].path == (*PLACE, 0)


def test_the_reference_stays_where_it_is_kept() -> None:
    writing = Writing(a_group())
    assert writing.put(ex.Identity("g"), to="p", lift=lift(keep=True))["p"] != {}
    assert writing.relations == [(GROUP, "g")]


@pytest.mark.parametrize(
    "value",
    [[], [ex.Identity("g"), "other"], ex.Identity("net"), "text"],
    ids=["nothing", "one of two", "another kind", "a text"],
)
def test_what_is_no_reference_stays_a_property(value: Value) -> None:
    writing = Writing(a_group(), Node("net", "OS::Neutron::Net", "net"))
    assert "p" in writing.put(value, to="p", lift=lift())
    assert not writing.relations


POLICY = {"source_type": "OS::Neutron::RBACPolicy", "kind": "rbac_policy"}
IMPLIES = {"object_type": {"net": "network"}}


def implying(object_type: str, value: Value = MISSING) -> Writing:
    """A policy for a network, where a relationship means the type as well."""
    properties = {"object_id": ex.Identity("net") if value is MISSING else value, "object_type": object_type}
    return Writing(Node("net", "OS::Neutron::Net", "net"), properties=properties, **POLICY)


def test_a_relationship_means_what_is_beside_it() -> None:
    writing = implying("network")
    assert writing.put("network", "object_type", to="resource_config.object_type") == {}
    assert writing.moves == [(PLACE, ("relationships",))]
    assert not writing.found


@pytest.mark.parametrize("writing", [implying("qos_policy"), implying("network", ID)], ids=["unlike", "no reference"])
def test_what_no_relationship_means_is_written(writing: Writing) -> None:
    kind = writing.node.properties["object_type"]
    assert writing.put(kind, "object_type", to="object_type") == {"object_type": kind}


def test_what_another_lift_means_is_nothing_to_this_one() -> None:
    assert implying("network").put("x", "action", to="resource_config.action") == {"resource_config": {"action": "x"}}


def test_a_reference_that_would_mean_another_thing_stays() -> None:
    rule = Lift(GROUP, ["net"], implies=IMPLIES)
    writing = implying("qos_policy")
    assert "p" in writing.put(ex.Identity("net"), to="p", lift=rule)
    assert not writing.relations
    more = Lift(GROUP, ["net"], implies={**IMPLIES, "action": {"net": "access_as_shared"}})
    writing = implying("network")
    assert "p" in writing.put(ex.Identity("net"), to="p", lift=more)
    writing = implying("network")
    assert writing.put(ex.Identity("net"), to="p", lift=rule) == {}
    assert writing.relations == [(GROUP, "net")]


# -- shapes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "written", "codes"),
    [
        ("string", 5, "5", ["BPC509"]),
        ("string", True, "True", ["BPC509"]),
        ("string", "x", "x", []),
        ("string", 1.5, 1.5, []),
        ("integer", "5", 5, ["BPC509"]),
        ("integer", 5, 5, []),
        ("integer", "five", "five", []),
        ("integer", True, True, []),
        ("integer", ["5"], ["5"], []),
        ("integer", {"a": "5"}, {"a": "5"}, []),
        ("integer", float("inf"), float("inf"), []),
        ("boolean", "true", True, ["BPC509"]),
        ("boolean", "False", False, ["BPC509"]),
        ("boolean", "yes", "yes", []),
        (None, 5, 5, []),
        (None, "5", "5", []),
    ],
)
def test_a_literal_is_what_heat_makes_of_it(kind: Any, value: Value, written: Any, codes: list[str]) -> None:
    writing = Writing()
    found = writing.put(value, to="p", type=kind)["p"]
    assert (found, type(found)) == (written, type(written))
    assert writing.found == [(code, ()) for code in codes]


@pytest.mark.parametrize(("name", "is_made"), [("n", True), ("flag", True), ("env", False), ("free", False)])
def test_a_number_where_a_text_is_wanted(name: str, is_made: bool) -> None:
    writing = Writing()
    found = writing.put(ex.Input(name), to="p", type="string")["p"]
    assert isinstance(found, ex.Concat) == is_made
    assert writing.found == ([("BPC332", ())] if is_made else [])
    if isinstance(found, ex.Concat):
        assert found.items == (ex.Input(name, strict=True),)


def test_an_input_is_no_literal() -> None:
    writing = Writing()
    assert writing.put(ex.Input("env"), to="p", type="integer") == {"p": ex.Input("env", strict=True)}
    assert not writing.found


def test_texts_become_maps_with_names() -> None:
    assert Writing().put(["a", ex.Input("env")], to="p", items="name_maps") == {
        "p": [{"name": "a"}, {"name": ex.Input("env", strict=True)}]
    }


@pytest.mark.parametrize(
    ("rule", "value", "default", "reason"),
    [
        ({"items": "name_maps"}, ex.Input("names"), [{"name": "a"}, {"name": "b"}], "maps with names"),
        ({"items": "name_maps"}, ex.Input("free"), None, "maps with names"),
        (
            {"each": {"k": PropertyRule(to="key")}},
            ex.Input("map"),
            {"key": "v"},
            "other names for the keys of its items",
        ),
    ],
    ids=["known list", "unknown", "known map"],
)
def test_what_only_a_call_yields_is_asked_for_in_its_shape(
    rule: dict[str, Any], value: Value, default: Any, reason: str
) -> None:
    writing = Writing()
    value.path = (*PLACE, 0)
    declared = asked_for(writing, writing.put(value, to="p", **rule)["p"])
    assert declared.get("default") == default
    assert writing.found[0] == ("BPC201" if default is None else "BPC702", (0,))
    assert f" Cloudify wants {reason}" in writing.messages[0]


def test_what_is_found_in_the_default_has_the_place_of_the_call() -> None:
    writing = Writing()
    value = ex.Input("map", path=(*PLACE, 0))
    writing.put(value, to="p", each={"other": PropertyRule(to="o")})
    assert ("BPC301", (0, "k")) in writing.found


def test_nothing_is_an_empty_list() -> None:
    writing = Writing()
    writing.context.topology.inputs["nothing"] = Input("nothing", "json", None)
    assert asked_for(writing, writing.put(ex.Input("nothing"), to="p", items="name_maps")["p"])["default"] == []


def test_what_is_usual_is_the_branch_of_the_defaults() -> None:
    inner = ex.If(ex.Equals(ex.Attribute("g", "name"), "x"), ["u"], ["v"])
    for condition, usual in ((IS_PROD, ["b"]), (ex.Not(IS_PROD), ["a"])):
        writing = Writing(a_group())
        assert writing.properties._usual(ex.If(condition, ["a"], ["b"])) == usual
        assert writing.properties._usual(ex.If(condition, ["a"], ["b"])) == usual
    assert Writing(a_group()).properties._usual(inner) is MISSING


@pytest.mark.parametrize(("other", "default"), [("x", [{"name": "x"}, {"name": "y"}]), (ex.Identity("g"), None)])
def test_a_part_that_a_relationship_may_express_is_no_default(other: Value, default: Any) -> None:
    writing = Writing(a_group())
    condition = ex.Equals(ex.Input("map"), {"k": "w"})  # maps have no text that Cloudify can compare
    choice = ex.If(condition, ["a"], [other, "y"])
    declared = asked_for(writing, writing.put(choice, to="p", items="name_maps")["p"])
    assert declared.get("default") == default


def test_open_maps_have_further_keys() -> None:
    each = {"group": PropertyRule(to="g", type="string")}
    assert Writing().put({"group": 5, "other": 5}, to="p", each=each, open=True) == {"p": {"g": "5", "other": 5}}
    assert Writing().put(ex.Input("map"), to="p", each=each, open=True) == {"p": ex.Input("map", strict=True)}


def test_a_key_behind_a_relationship_is_written() -> None:
    each = {"group": PropertyRule(to="g", lift=lift()), "k": PropertyRule(to="key")}
    writing = Writing(a_group())
    assert writing.put({"group": ex.Identity("g"), "k": 1}, to="p", each=each) == {"p": {"key": 1}}


def test_an_open_map_that_is_all_relationships_is_not_written() -> None:
    each = {"group": PropertyRule(to="g", lift=lift())}
    writing = Writing(a_group())
    assert writing.put({"group": ex.Identity("g")}, to="p", each=each, open=True) == {}
    assert writing.relations == [(GROUP, "g")]
    assert Writing().put({}, to="p", each=each, open=True) == {"p": {}}
    assert Writing(a_group()).put({"group": ex.Identity("g")}, to="p", each=each) == {"p": {}}


def test_items_key_by_key() -> None:
    each = {
        "port": PropertyRule(to="number", type="integer"),
        "protocol": PropertyRule(to="proto", default="tcp"),
        "unwritten": PropertyRule(default=1),
    }
    writing = Writing()
    value = [{"port": "80"}, {"number": 1, "protocol": None}, {"protocol": "udp", "odd": 2}, "text"]
    assert writing.put(value, to="p", each=each, aliases={"number": "port"}) == {
        "p": [{"number": 80, "proto": "tcp"}, {"number": 1, "proto": "tcp"}, {"proto": "udp"}, "text"]
    }
    assert writing.found == [("BPC509", (0, "port")), ("BPC307", (1, "protocol")), ("BPC301", (2, "odd"))]
    assert writing.messages[2].startswith(f"{SERVER} has no property 'odd'")


def test_keys_that_are_no_texts_have_no_rule() -> None:
    writing = Writing()
    assert writing.put([{1: "a"}], to="p", each={"k": PropertyRule(to="k")}) == {"p": [{}]}
    assert writing.found == [("BPC301", (0, 1))]


def test_a_map_that_only_a_call_yields_is_asked_for() -> None:
    writing = Writing()
    [item] = writing.put([ex.Input("map")], to="p", each={"k": PropertyRule(to="key")})["p"]
    assert "map" not in str(item.name) or item.name != "map"
    assert writing.found == [("BPC201", (0,))]
    assert "its keys have other names in Cloudify" in writing.messages[0]


def test_a_key_with_a_hook_is_expressed_differently() -> None:
    writing = Writing()
    value = [{"remote_mode": "remote_group_id"}]
    assert writing.put(value, to="p", each={"remote_mode": PropertyRule(hook="remote_mode")}) == {
        "p": [{"remote_group_id": ex.Attribute("SELF", "id")}]
    }
    assert writing.found == [("BPC316", (0, "remote_mode"))]
    assert writing.messages == ["'remote_mode: remote_group_id' is expressed differently"]


def test_a_name_of_a_key_is_that_of_the_external_node_for_it() -> None:
    writing = Writing(a_group("external_web"))
    writing.context.topology.existing["server_group", repr("web"), repr(MISSING)] = "external_web"
    each = {"group": PropertyRule(to="g", lookup=True, lift=lift())}
    assert writing.put({"group": "web"}, to="p", each=each) == {"p": {}}
    assert writing.relations == [(GROUP, "external_web")]
    assert not writing.found


# -- choices ---------------------------------------------------------------------------------------------------


def test_a_choice_between_lists_is_shaped_branch_by_branch() -> None:
    writing = Writing()
    found = writing.put(ex.If(IS_PROD, ["a"], ["b"]), to="p", items="name_maps")["p"]
    assert asked_for(writing, found)["default"] == [[{"name": "a"}], [{"name": "b"}]]
    assert writing.found == [("BPC223", ())]
    assert writing.messages[0].startswith("'if' is written as ")


def test_a_choice_has_its_own_place() -> None:
    writing = Writing()
    choice = ex.If(IS_PROD, {"k": 1}, {"k": 2}, path=(*PLACE, 0))
    [item] = writing.put([choice], to="p", each={"k": PropertyRule(to="key")})["p"]
    assert asked_for(writing, item)["default"] == [{"key": 1}, {"key": 2}]
    assert writing.found == [("BPC223", (0,))]


def test_a_list_with_a_part_that_a_condition_removes_is_a_choice() -> None:
    writing = Writing()
    found = writing.put(["a", removed("b")], to="p", items="name_maps")["p"]
    assert asked_for(writing, found)["default"] == [[{"name": "a"}, {"name": "b"}], [{"name": "a"}]]


def test_in_a_branch_a_reference_is_no_relationship() -> None:
    each = {"group": PropertyRule(to="g", lift=lift())}
    writing = Writing(a_group())
    writing.put(ex.If(IS_PROD, {"group": ex.Identity("g")}, {}), to="p", each=each)
    assert not writing.relations
    writing.put({"group": ex.Identity("g")}, to="q", each=each)
    assert writing.relations == [(GROUP, "g")]


def test_a_choice_that_cloudify_cannot_decide_is_asked_for() -> None:
    writing = Writing(a_group())
    condition = ex.Equals(ex.Attribute("g", "name"), "x")
    found = writing.put(ex.If(condition, ["a"], ["b"]), to="p", items="name_maps")["p"]
    assert isinstance(found, ex.Input)
    assert dict(writing.found) == {"BPC201": ()}


def test_what_vanishes_is_no_choice() -> None:
    properties = Writing().properties
    assert properties.by_branch(removed(), PLACE, lambda value, _: value) is MISSING
    assert properties.by_branch("x", PLACE, lambda value, _: value) is MISSING


# -- names that Heat looks up ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "codes", "message"),
    [
        ("web", ["BPC336"], "Heat looks up the name 'web' of 'p'"),
        (ID, [], ""),
        (["web", ID], ["BPC336"], "Heat looks up the name 'web'"),
        (ex.Input("env"), ["BPC312"], "input 'env' must be an id"),
        (ex.Input("names"), ["BPC312"], "each item of input 'names' must be an id"),
        (ex.Input("names", (0,)), ["BPC312"], "input 'names' must be an id"),
        (ex.Concat((ex.Input("env"), "-", ex.Input("free"))), ["BPC312"], "the value made of 'env' and 'free' must"),
        (ex.Concat((ex.System("name"), "-")), ["BPC312"], "the value must be an id"),
        (ex.Identity("g"), [], ""),
        (ex.Attribute("g", "name"), [], ""),
    ],
    ids=repr,
)
def test_a_name_in_place_of_an_id(value: Value, codes: list[str], message: str) -> None:
    for rule, place in (({"lookup": True}, ()), ({"each": {"k": PropertyRule(to="k", lookup=True)}}, ("k",))):
        writing = Writing(a_group())
        writing.put({"k": value} if place else value, to="p", **rule)
        looked_up = [one for one in writing.found if one[0] in ("BPC312", "BPC336")]
        assert looked_up == [(code, place) for code in codes]
        assert not codes or writing.messages[0].startswith(message.replace("'p'", "'k'" if place else "'p'"))


def test_every_name_of_a_list_is_reported() -> None:
    writing = Writing()
    writing.put(["web", ex.Input("env"), "db"], to="p", lookup=True)
    assert [code for code, _ in writing.found] == ["BPC336", "BPC312", "BPC336"]


def test_heats_default_is_no_name() -> None:
    writing = Writing()
    writing.put("default", to="p", lookup=True, default="default")
    assert not writing.found


def test_what_is_looked_up_by_nobody_is_no_finding() -> None:
    writing = Writing()
    writing.put("web", to="p")
    assert not writing.found


# -- settings that are passed on -------------------------------------------------------------------------------


NETWORK = {
    "kind": "net",
    "source_type": "OS::Neutron::Net",
    "node_type": "cloudify.nodes.openstack.Network",
}


def test_the_keys_of_a_map_become_settings() -> None:
    writing = Writing(**NETWORK)
    assert writing.put({"mtu": 9000, "odd": 1}, flatten="resource_config.kwargs") == {
        "resource_config": {"kwargs": {"mtu": 9000}}
    }
    assert writing.moves == [((*PLACE, "mtu"), ("properties", "resource_config", "kwargs", "mtu"))]
    assert writing.found == [("BPC784", ("mtu",)), ("BPC785", ("odd",))]
    assert writing.messages[0].startswith("'mtu' is sent to OpenStack: openstacksdk 0.")


def test_a_setting_that_is_dropped_has_a_guess() -> None:
    writing = Writing(**NETWORK)
    writing.put({"dns_domian": "x"}, flatten="resource_config.kwargs")
    assert writing.messages[0].endswith("did you mean 'dns_domain'?") or "dns_domain" in writing.messages[0]


def test_settings_are_written_in_cloudifys_terms() -> None:
    writing = Writing(**NETWORK)
    writing.put({"mtu": ex.Join("", (["a", ex.Input("env")],))}, flatten="resource_config.kwargs")
    written = writing.draft.properties["resource_config"]["kwargs"]["mtu"]
    assert written == ex.Concat(("a", ex.Input("env", strict=True)))


def test_settings_of_a_type_that_is_not_known() -> None:
    writing = Writing(node_type="own.Type")
    assert writing.put({"odd": 1}, flatten="resource_config.kwargs") == {"resource_config": {"kwargs": {"odd": 1}}}
    assert writing.found == [("BPC313", ())]
    writing = Writing(node_type="own.Type")
    assert (writing.put({}, flatten="resource_config.kwargs"), writing.found) == ({}, [])


def test_a_setting_that_looks_like_a_call_is_none() -> None:
    writing = Writing(node_type="own.Type")
    assert writing.put({"get_input": "x"}, flatten="kwargs") == {"kwargs": {"get_input": "x"}}


def test_settings_that_only_a_call_yields_have_no_keys() -> None:
    writing = Writing(**NETWORK)
    assert writing.put(ex.Input("map"), flatten="resource_config.kwargs") == {}
    assert writing.found == [("BPC301", ())]


def test_one_setting_that_openstacksdk_drops() -> None:
    writing = Writing(**NETWORK)
    assert writing.put(1, to="resource_config.kwargs.odd") == {}
    assert writing.found == [("BPC785", ())]
    assert writing.messages[0].endswith("does not send it")
    writing = Writing(**NETWORK)
    assert writing.put(1, to="resource_config.kwargs.mtu") == {"resource_config": {"kwargs": {"mtu": 1}}}
    assert writing.put(1, to="resource_config.kwargs")["resource_config"]["kwargs"] == 1
    assert writing.put(1, to="resource_config.odd")["resource_config"]["odd"] == 1
    assert not writing.found


# -- in a whole conversion -------------------------------------------------------------------------------------


def test_all_of_it_in_a_blueprint() -> None:
    made = convert(
        """
heat_template_version: 2018-08-31
resources:
  group: {type: OS::Nova::ServerGroup, properties: {policies: [affinity]}}
  a:
    type: OS::Nova::Server
    properties:
      name: 7
      image: debian
      flavor: small
      user_data_format: SOFTWARE_CONFIG
      scheduler_hints: {group: {get_resource: group}, different_host: x}
""",
        "hot",
        "cloudify",
        carry=False,
    )
    node = yaml.safe_load(made.text)["node_templates"]["a"]
    assert node["properties"]["image"] == "debian"
    assert "server_connected_to_server_group" in str(node["relationships"])
    assert {"BPC509", "BPC726"} <= {one.code for one in made.diagnostics}
