"""Properties of node templates by the catalogue's rules: names that Heat looks up, and settings that are passed on."""

from __future__ import annotations

import pytest
import yaml
from property_writing import ID, PLACE, Writing, a_group

from bpconvert.api import convert
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Input
from bpconvert.translators.catalogue.model import PropertyRule

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


def test_settings_that_only_a_call_yields_are_merged() -> None:
    writing = Writing(**NETWORK)
    assert writing.put(ex.Input("map"), flatten="resource_config.kwargs") == {}
    assert writing.draft.optional == {("resource_config", "kwargs"): [ex.Input("map", strict=True)]}
    assert writing.found == [("BPC785", ())]


def test_settings_without_a_default_are_to_be_checked() -> None:
    """Their keys are known when deploying only."""
    writing = Writing(**NETWORK)
    writing.context.topology.inputs["later"] = Input("later", "json")
    writing.put(ex.Input("later"), flatten="resource_config.kwargs")
    assert writing.draft.optional == {("resource_config", "kwargs"): [ex.Input("later", strict=True)]}
    assert writing.found == [("BPC977", ())]
    assert writing.messages[0].startswith("input 'later' has the settings in 'p': ")


def test_merged_settings_of_a_type_that_is_not_known() -> None:
    writing = Writing(node_type="own.Type")
    writing.put(ex.Input("map"), flatten="resource_config.kwargs")
    assert writing.found == [("BPC313", ())]


def test_settings_that_are_no_map_are_left_out() -> None:
    writing = Writing(**NETWORK)
    assert writing.put(ex.Concat(("a", ex.Input("map"))), flatten="resource_config.kwargs") == {}
    assert not writing.draft.optional
    assert writing.found == [("BPC301", ())]


@pytest.mark.parametrize("value", [1, ex.Input("env"), ex.If(True, 1), ex.If(ex.Input("flag"), 1)], ids=repr)
def test_one_setting_that_openstacksdk_drops(value: Value) -> None:
    """Also where a condition leaves it out in one case."""
    writing = Writing(**NETWORK)
    assert writing.put(value, to="resource_config.kwargs.odd") == {}
    assert writing.found == [("BPC785", ())]
    assert not writing.draft.optional
    assert writing.messages[0].endswith("does not send it")
    assert writing.draft.unsupported == {"p": value}
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
    assert {"BPC509", "BPC302"} <= {one.code for one in made.diagnostics}


def test_maps_with_names_are_made_of_a_list_that_a_node_computes() -> None:
    made = convert(
        """
heat_template_version: 2018-08-31
resources:
  r: {type: OS::Heat::RandomString}
  a:
    type: OS::Nova::Server
    properties:
      image: i
      flavor: f
      networks: [{network: n}]
      security_groups: {str_split: [',', {get_attr: [r, value]}]}
""",
        "hot",
        "cloudify",
        carry=False,
    )
    nodes = made.document["node_templates"]
    groups = nodes["a"]["properties"]["resource_config"]["security_groups"]
    assert groups == {"get_attribute": ["a_security_groups", "result"]}
    create = nodes["a_security_groups"]["interfaces"]["cloudify.interfaces.lifecycle"]["create"]
    repeat = create["inputs"]["call"]["$Repeat"]
    assert repeat["template"] == {"name": "%item%"}
    assert list(repeat["for_each"]) == ["%item%"]
