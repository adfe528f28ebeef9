"""Properties of node templates by the catalogue's rules: where a value is written, and what is found."""

from __future__ import annotations

from typing import Any

import pytest
from property_writing import GROUP, ID, PLACE, Writing, a_group, asked_for, lift, removed

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import Lift, PropertyRule

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
    assert writing.draft.unsupported == {}


def test_null_that_heat_requires_is_kept() -> None:
    writing = Writing()
    writing.put(None, name="flavor", to="flavor")
    assert writing.draft.unsupported == {"flavor": None}


def test_null_is_kept_under_the_name_that_heat_requires() -> None:
    writing = Writing(aliases={"size": "flavor"})
    writing.put(None, name="size", to="flavor")
    assert writing.draft.unsupported == {"size": None}


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
    assert writing.draft.unsupported == {"p": "x"}


def test_what_nobody_needs_is_no_warning() -> None:
    writing = Writing()
    writing.put("x", carry="not needed", unneeded=True)
    assert writing.found == [("BPC250", ())]
    assert writing.draft.unsupported == {"p": "x"}


def test_what_means_nothing_is_not_kept() -> None:
    writing = Writing()
    writing.put("RAW", carry="there is none", ignore=["RAW"])
    assert writing.found == [("BPC306", ())]
    assert writing.draft.unsupported == {}


@pytest.mark.parametrize("properties", [{}, {"user_data": "#!/bin/sh"}], ids=["alone", "beside user data"])
def test_settings_of_the_agent_that_a_server_has_no_more_are_a_warning(properties: dict[str, Any]) -> None:
    """Heat hands them over in the user data, also where nothing of this template is deployed to the server."""
    writing = Writing(properties=properties)
    writing.put("SOFTWARE_CONFIG", carry="it is passed on", beside="user_data")
    assert writing.found == [("BPC302", ())]
    assert writing.draft.unsupported == {"p": "SOFTWARE_CONFIG"}


def test_the_format_that_heat_takes_by_itself_is_reported_as_where_it_is_not_written() -> None:
    writing = Writing()
    writing.put("HEAT_CFNTOOLS", carry="it is passed on", beside="user_data")
    assert writing.found == [("BPC339", ())]
    assert writing.draft.unsupported == {"p": "HEAT_CFNTOOLS"}


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
    value = ex.Digest("md5", ex.Attribute("a", "x"))
    properties = {"type": "json", "value": value}
    writing = Writing(source_type="OS::Heat::Value", node_type="own.Value", properties=properties)
    assert asked_for(writing, writing.put(value, hook="any_value")["value"])["type"] == "dict"
    writing = Writing(kind="keypair")
    assert writing.put(False, to="x", hook="save_private_key") == {}
    assert writing.found == [("BPC337", ())]


# -- what conditions remove ------------------------------------------------------------------------------------


def test_a_setting_that_a_condition_removes_is_merged_into_its_map() -> None:
    writing = Writing(node_type="own.Type")
    assert writing.put(removed(), to="resource_config.p") == {}
    [entry] = writing.draft.optional[("resource_config",)]
    assert isinstance(entry, ex.Input)
    assert asked_for(writing, entry)["default"] == [{"p": "x"}, {}]
    assert writing.moves == [(PLACE, ("properties", "resource_config"))]
    assert writing.found == [("BPC223", ())]


@pytest.mark.parametrize("value", [[{"k": 1}], {"k": 1}, [{"k": ex.Input("env")}, {"k": 2}]], ids=repr)
def test_items_with_other_names_are_merged_as_well(value: Value) -> None:
    writing = Writing(node_type="own.Type")
    assert writing.put(removed(value), to="resource_config.p", each={"k": PropertyRule(to="key")}) == {}
    [entry] = writing.draft.optional[("resource_config",)]
    rows = value if isinstance(value, list) else [value]
    assert [list(row) for row in as_list(asked_for(writing, entry)["default"][0]["p"])] == [["key"] for _ in rows]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


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
        ({}, {"to": "resource_config.p", "flatten": "resource_config.kwargs"}, {"k": 1}),
        ({}, {"to": "resource_config.p", "lift": lift()}, ex.Identity("g")),
    ],
    ids=["no map", "plugin 2.x", "flattened", "a reference"],
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
