"""Metadata and names of servers, user data, key pairs, images and access to flavors, there and back."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import V2, V3, Lifted, lifted, one

from bpconvert.api import Result, convert
from bpconvert.models.expressions import Concat, Input
from bpconvert.options import Options
from bpconvert.translators.cloudify.openstack.compute import takes_metadata

HEAD = """heat_template_version: wallaby
parameters:
  text: {type: string}
  empty: {type: string, default: ''}
  named: {type: string, default: web}
  number: {type: number}
  flag: {type: boolean, default: false}
  data: {type: json}
  texts: {type: json, default: {a: b}}
  mixed: {type: json, default: {a: 1, b: x}}
conditions: {c: {get_param: flag}}
resources:
"""
#: what every template with these parameters is told of, and every server without networks
USUAL = ("BPC501", "BPC703")
X = Input("x", strict=True)


def converted(resource: str, plugin: str = "v3") -> Result:
    return convert(f"{HEAD}  n: {{type: {resource}}}\n", options=Options(plugin=plugin))


def server(properties: str, plugin: str = "v3") -> Result:
    return converted(f"OS::Nova::Server, properties: {{image: i, flavor: f, {properties}}}", plugin)


def keypair(properties: str) -> Result:
    return converted(f"OS::Nova::KeyPair, properties: {{{properties}}}")


def properties(result: Result) -> Any:
    return result.document["node_templates"]["n"]["properties"]


def config(result: Result) -> Any:
    return properties(result)["resource_config"]


def findings(result: Result) -> list[tuple[str, str]]:
    """Code and place in the resource of what is reported."""
    found = [d for d in result.diagnostics if d.code not in USUAL]
    return [(d.code, ".".join(map(str, d.path[3:]))) for d in found]


def messages(result: Result, code: str) -> list[str]:
    return [d.message for d in result.diagnostics if d.code == code]


def inputs(result: Result, name: str) -> Any:
    return result.document["inputs"][name]


# -- metadata -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "written"), [("1", "1"), ("true", "true"), ("null", "null"), ("[1]", "[1]"), ("{b: x}", '{"b": "x"}')]
)
def test_metadata_that_is_no_text_is_its_json(value: str, written: str) -> None:
    result = server(f"metadata: {{a: {value}, c: x}}")
    assert config(result)["metadata"] == {"a": written, "c": "x"}
    assert findings(result) == [("BPC509", "metadata.a")]
    assert messages(result, "BPC509") == [f"written as '{written}', which is what Heat makes of it"]


@pytest.mark.parametrize(
    ("value", "written", "found"),
    [
        ("{get_param: text}", {"get_input": "text"}, []),
        ("{get_param: number}", {"concat": [{"get_input": "number"}]}, ["BPC332"]),
        ("{get_param: flag}", {"get_input": ["if_n_metadata_a", {"get_input": "flag"}]}, ["BPC223", "BPC332"]),
        ("{get_param: [mixed, b]}", {"get_input": ["mixed", "b"]}, []),
        ("{get_param: [mixed, a]}", {"get_input": "n_metadata_a"}, ["BPC702"]),
        ("{get_attr: [n2, accessIPv4]}", {"get_attribute": ["n2", "access_ipv4"]}, []),
        ("{get_attr: [n2, show]}", {"get_input": "n_metadata_a"}, ["BPC201", "BPC334"]),
        ("{get_param: data}", {"get_attribute": ["n_metadata_a", "result"]}, ["BPC215", "BPC223"]),
        ("[{get_param: text}]", {"get_attribute": ["n_metadata_a", "result"]}, ["BPC215", "BPC223"]),
    ],
)
def test_metadata_that_is_known_when_deploying_is_a_text_then(value: str, written: Any, found: list[str]) -> None:
    """As Heat writes numbers, booleans, lists and maps."""
    other = "  n2: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\n"
    resource = f"  n: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, metadata: {{a: {value}}}}}}}\n"
    result = convert(HEAD + resource + other)
    assert config(result)["metadata"] == {"a": written}
    assert findings(result) == [(code, "metadata.a") for code in found]


def test_booleans_in_metadata_are_words() -> None:
    result = server("metadata: {a: {get_param: flag}}")
    assert inputs(result, "if_n_metadata_a")["default"] == ["false", "true"]


@pytest.mark.parametrize("value", ["{get_param: data}", "[{get_param: text}]"])
def test_a_list_or_a_map_in_metadata_is_written_by_a_node(value: str) -> None:
    result = server(f"metadata: {{a: {value}}}")
    (create,) = result.document["node_templates"]["n_metadata_a"]["interfaces"].values()
    whole = {"$Input": {"name": "data"}} if "data" in value else [{"$Input": {"name": "text"}}]
    assert create["create"]["inputs"]["call"] == {"$Join": {"delimiter": "", "lists": [[whole]]}}


def test_a_part_of_an_input_is_asked_for_where_its_default_is_no_text() -> None:
    result = server("metadata: {a: {get_param: [mixed, a]}}")
    assert inputs(result, "n_metadata_a") == {
        "description": "Value of resources.n.properties.metadata.a; metadata has to be texts",
        "default": "1",
    }


@pytest.mark.parametrize(
    ("value", "cases", "found"),
    [
        ("{if: [c, 1, x]}", ["x", "1"], [("BPC223", "metadata.a"), ("BPC509", "metadata.a")]),
        ("{if: [c, 1]}", [{}, {"a": "1"}], [("BPC223", "metadata.a"), ("BPC509", "metadata.a")]),
    ],
)
def test_cases_of_metadata_are_texts(value: str, cases: Any, found: Any) -> None:
    result = server(f"metadata: {{a: {value}}}")
    assert inputs(result, "if_n_metadata_a")["default"] == cases
    assert findings(result) == found


def test_a_boolean_in_a_case_of_metadata_is_a_choice_with_its_own_place() -> None:
    result = server("metadata: {a: {if: [c, 1, {get_param: flag}]}}")
    (inner,) = [
        data for name, data in result.document["inputs"].items() if name.startswith("if_") and "true" in data["default"]
    ]
    place = "resources.n.properties.metadata.a.if.2"
    assert inner["description"] == f"Branches of {place}; a condition picks one by its index"
    assert inner["default"] == ["false", "true"]


@pytest.mark.parametrize(
    ("metadata", "written", "found"),
    [
        ("{get_param: texts}", {"get_input": "texts"}, []),
        ("{get_param: data}", {"get_input": "data"}, [("BPC266", "metadata")]),
        ("{get_param: mixed}", {"get_input": "n_metadata"}, [("BPC702", "metadata")]),
        ("{map_merge: [{a: 1}, {get_param: texts}]}", {"merge": [{"a": "1"}, {"get_input": "texts"}]},
         [("BPC509", "metadata.a")]),
        ("{map_merge: [{a: 1}, {get_param: data}]}", {"merge": [{"a": "1"}, {"get_input": "data"}]},
         [("BPC509", "metadata.a"), ("BPC706", "metadata")]),
        ("{map_merge: [{a: 1}, {get_param: mixed}]}", {"merge": [{"a": "1"}, {"get_input": "n_metadata_map_merge"}]},
         [("BPC509", "metadata.a"), ("BPC702", "metadata.map_merge.1")]),
        ("{if: [c, {a: 1}, {b: 2}]}", {"get_input": ["if_n_metadata", {"get_input": "flag"}]},
         [("BPC223", "metadata"), ("BPC509", "metadata.a"), ("BPC509", "metadata.b")]),
    ],
)  # fmt: skip
def test_metadata_that_is_not_written_out(metadata: str, written: Any, found: Any) -> None:
    """Each map of a call has texts; one that is an input is asked for where its default has other values."""
    result = server(f"metadata: {metadata}")
    assert config(result)["metadata"] == written
    assert findings(result) == found
    asked = [data for name, data in result.document["inputs"].items() if name.startswith("n_metadata")]
    assert [data["default"] for data in asked] == [{"a": "1", "b": "x"}] * ("BPC702" in dict(found))
    assert all(data["description"].endswith("; metadata has to be texts") for data in asked)


def test_both_cases_of_metadata_have_texts() -> None:
    result = server("metadata: {if: [c, {a: 1}, {map_merge: [{b: 2}, {get_param: mixed}]}]}")
    merged = {"merge": [{"b": "2"}, {"get_input": "n_if_map_merge"}]}
    assert inputs(result, "if_n_metadata")["default"] == [merged, {"a": "1"}]
    places = [place for code, place in findings(result) if code in ("BPC509", "BPC702")]
    assert places == ["metadata.a", "metadata.if.2.b", "metadata.if.2.map_merge.1"]


@pytest.mark.parametrize(
    ("value", "verdict"),
    [({"a": "b"}, True), ({"a": X}, True), (None, True), ({"a": "b", "c": 1}, False), ([], False), ("a", False)],
)
def test_nova_takes_maps_of_texts(value: Any, verdict: bool) -> None:
    assert takes_metadata(value) is verdict
    assert takes_metadata(X) is None


@pytest.mark.parametrize(
    ("settings", "default", "metadata"),
    [
        ("{metadata: {}}", "{}", {}),
        ("{meta: {a: b}}", "{}", {"a": "b"}),
        ("{metadata: {get_input: x}}", "{}", X),
        ("{metadata: {a: {concat: [{get_input: x}]}, b: {concat: [v, {get_input: x}]}, c: 1}}", "{}",
         {"a": X, "b": Concat(("v", X)), "c": 1}),
        ("{metadata: {a: {concat: [{get_input: t}]}, b: {concat: [{get_input: [x, k]}]}}}", "{}",
         {"a": Concat((Input("t", strict=True),)), "b": Concat((Input("x", ("k",), strict=True),))}),
        ("", "{metadata: {}}", None),
        ("", "{metadata: {a: b}}", {"a": "b"}),
    ],
)  # fmt: skip
def test_metadata_comes_back_without_what_only_makes_texts_of_numbers(
    settings: str, default: str, metadata: Any
) -> None:
    """Heat does that by itself. The default of a type that is empty says nothing."""
    kind = f"my: {{derived_from: {V3}Server, properties: {{resource_config: {{default: {default}}}}}}}"
    own = f"resource_config: {settings}" if settings else ""
    rest = f"inputs: {{x: {{type: integer}}, t: {{}}}}\nnode_types: {{{kind}}}"
    assert lifted(f"n: {{type: my, properties: {{{own}}}}}", rest).properties("n").get("metadata") == metadata


# -- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["availability_zone", "key_name"])
@pytest.mark.parametrize(
    ("value", "plugin", "written"),
    [
        ("there", "v3", "there"),
        ("{get_param: named}", "v3", {"get_input": "named"}),
        ("{get_param: text}", "v3", {"get_input": "text"}),
        ("{get_param: [data, x]}", "v3", {"get_input": ["data", "x"]}),
        ("{list_join: ['', [a, {get_param: empty}]]}", "v3", {"concat": ["a", {"get_input": "empty"}]}),
        ("{get_param: empty}", "v2", {"get_input": "empty"}),
        ("''", "v3", None),
    ],
)
def test_a_name_of_a_server_is_written_as_it_is(name: str, value: str, plugin: str, written: Any) -> None:
    """But for the empty text, which Heat's client leaves out."""
    result = server(f"{name}: {value}", plugin)
    settings = properties(result).get("server", {}) if plugin == "v2" else config(result)
    assert settings.get(name) == written


@pytest.mark.parametrize("name", ["availability_zone", "key_name"])
def test_a_name_that_is_empty_by_default_is_left_out_where_it_is(name: str) -> None:
    result = server(f"{name}: {{get_param: empty}}")
    index = {"string_find": ["||", {"concat": ["|", {"get_input": "empty"}, "|"]}]}
    assert config(result)["merge"][1] == {"get_input": [f"if_n_{name}", index]}
    assert inputs(result, f"if_n_{name}")["default"] == [{}, {name: {"get_input": "empty"}}]
    assert findings(result) == [("BPC223", name)]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("['-', [{get_param: 'OS::stack_name'}, n]]", None),
        ("['-', [{get_param: 'OS::stack_name'}, m]]", {"concat": [{"get_sys": ["deployment", "name"]}, "-m"]}),
        ("['_', [{get_param: 'OS::stack_name'}, n]]", {"concat": [{"get_sys": ["deployment", "name"]}, "_n"]}),
        ("['-', [{get_param: 'OS::stack_id'}, n]]", {"concat": [{"get_sys": ["deployment", "id"]}, "-n"]}),
    ],
)
def test_a_name_of_a_key_pair_that_the_plugin_makes_up_is_left_to_it(name: str, written: Any) -> None:
    result = keypair(f"public_key: k, name: {{list_join: {name}}}")
    assert config(result).get("name") == written
    assert findings(result) == [("BPC684" if written is None else "BPC223", "name")]
    assert all("'n'" in message for message in messages(result, "BPC684"))


# -- private keys -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("", [("BPC337", "")]),
        ("public_key: k", []),
        ("save_private_key: true", [("BPC306", "save_private_key")]),
        ("save_private_key: false", [("BPC337", "save_private_key")]),
        ("save_private_key: false, public_key: k", [("BPC306", "save_private_key")]),
        ("save_private_key: {get_param: flag}", [("BPC337", "save_private_key")]),
    ],
)
def test_the_plugin_keeps_the_private_keys_that_it_gets(more: str, found: Any) -> None:
    """Which are those of key pairs that are made."""
    result = keypair(f"name: k, {more}")
    assert findings(result) == found
    assert config(result) == {"name": "k", **({"public_key": "k"} if "public_key" in more else {})}
    assert all(message.startswith("'save_private_key: ") for message in messages(result, "BPC306"))
    assert all("'n'" in message for message in messages(result, "BPC337"))


# -- user data ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("", []),
        ("user_data: '#!/bin/sh'", [("BPC339", "")]),
        ("user_data: '#!/bin/sh', user_data_format: RAW", [("BPC306", "user_data_format")]),
    ],
)
def test_user_data_without_the_tools_of_heat(given: str, found: Any) -> None:
    """Heat's default wraps it with them."""
    result = server(given)
    assert findings(result) == found
    assert messages(result, "BPC339") == ["'n' gets its user data as it is, without Heat's tools around it"] * (
        "BPC339" in dict(found)
    )


@pytest.mark.parametrize(
    ("given", "data_format"),
    [("", None), ("user_data: '#!/bin/sh'", "HEAT_CFNTOOLS"), ("user_data: x, user_data_format: RAW", "RAW")],
)
def test_the_format_of_user_data_comes_back(given: str, data_format: str | None) -> None:
    """That of Heat's default, too, as nothing in the blueprint says it."""
    back = convert(server(given).text, "cloudify", "hot", carry=False)
    assert back.document["resources"]["n"]["properties"].get("user_data_format") == data_format


# -- images and flavors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plugin", "found"), [("v3", [("BPC343", "location")]), ("v2", [])])
def test_the_url_of_an_image_is_a_property_that_only_the_old_plugin_reads(plugin: str, found: Any) -> None:
    result = converted(
        "OS::Glance::WebImage, properties: {location: 'http://x', disk_format: raw, container_format: bare}", plugin
    )
    assert properties(result)["image_url"] == "http://x"
    assert findings(result) == found
    assert all("'n'" in message for message in messages(result, "BPC343"))


@pytest.mark.parametrize(("kind", "found"), [(V3, ["BPC343"]), (V2, [])])
def test_heat_loads_the_image_from_its_url(kind: str, found: list[str]) -> None:
    image = one(f"{kind}Image", "{image_url: u}")
    assert image.properties("n")["location"] == "u"
    place = ("node_templates", "n", "properties", "image_url")
    assert [(d.code, d.path) for d in image.diagnostics] == [(code, place) for code in found]
    assert "location" not in one(f"{kind}Image", "{}").properties("n")


@pytest.mark.parametrize(
    ("properties", "code", "message"),
    [
        ("tenants: [], is_public: false", "BPC306", "'tenants: []' is what the plugin does anyway"),
        (
            "tenants: [a]",
            "BPC341",
            "'tenants' has no effect in Heat, and is left out: everybody has access to a public flavor",
        ),
    ],
)
def test_access_that_is_not_written_is_named(properties: str, code: str, message: str) -> None:
    result = converted(f"OS::Nova::Flavor, properties: {{ram: 1, vcpus: 1, {properties}}}")
    assert messages(result, code) == [message]
    assert (code, "tenants") in findings(result)


def flavor(tenants: str, is_public: str) -> Lifted:
    own = f"tenants: {tenants}, " if tenants else ""
    kwargs = f"kwargs: {{is_public: {is_public}}}" if is_public else ""
    return one(f"{V3}Flavor", f"{{{own}resource_config: {{{kwargs}}}}}", "inputs: {x: {}}")


PUBLIC = ("properties", "resource_config", "kwargs", "is_public")


@pytest.mark.parametrize("tenants", ["[a]", "{get_input: x}"])
@pytest.mark.parametrize(
    ("is_public", "is_refused"),
    [("", True), ("true", True), ("false", False), ("'no'", False), ("{get_input: x}", False)],
)
def test_nova_gives_no_project_access_to_a_public_flavor(tenants: str, is_public: str, is_refused: bool) -> None:
    found = flavor(tenants, is_public)
    assert found.properties("n")["tenants"] == (["a"] if tenants == "[a]" else X)
    place = ("node_templates", "n", "properties", "tenants")
    assert [(d.code, d.path) for d in found.diagnostics] == [("BPC682", place)] * is_refused


@pytest.mark.parametrize("tenants", ["[]", ""])
@pytest.mark.parametrize(
    ("is_public", "is_added"),
    [("", False), ("true", False), ("false", True), ("'no'", True), ("{get_input: x}", False)],
)
def test_heat_gives_its_project_access_to_a_private_flavor_of_nobody(
    tenants: str, is_public: str, is_added: bool
) -> None:
    """The plugin does not."""
    found = flavor(tenants, is_public)
    assert "tenants" not in found.properties("n")
    assert [(d.code, d.path) for d in found.diagnostics] == [("BPC342", ("node_templates", "n", *PUBLIC))] * is_added
