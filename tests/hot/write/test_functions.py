"""Every function of the DSL as a template says it, with the diagnostics that come along."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dsl_source import Source
from values_in_hot import CASES, ENV, context_of, given, said

from bpconvert.models import expressions as ex
from bpconvert.models.hot_versions import VERSIONS
from bpconvert.translators.cloudify.capabilities import WORDS
from bpconvert.translators.hot.write.calls import needs
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.hot.write.rules import RULES
from bpconvert.translators.passes.expressions.rewriter import place_name


@pytest.mark.parametrize(("raw", "expected", "codes", "version"), CASES, ids=[case[0][:80] for case in CASES])
def test_function(raw: str, expected: Any, codes: list[str], version: str) -> None:
    found = said(json.loads(raw))
    assert json.dumps(found.value) == json.dumps(expected)
    assert found.codes == codes
    assert needs(found.value) == version


IN_CLOUDIFY = "Value of outputs.o.value, in Cloudify: "
#: what only a manager can compute: the parameter that asks, and the reason
ASKED: list[tuple[Any, dict[str, Any], str]] = [
    (
        {"get_capability": ["dep", "ip"]},
        {"ip": {"type": "string", "description": "Capability ip of deployment dep"}},
        "",
    ),
    (
        {"get_capability": ["dep", "lan", "cidr"]},
        {"lan": {"type": "string", "description": "Capability lan.cidr of deployment dep"}},
        "",
    ),
    (
        {"get_environment_capability": "url"},
        {"url": {"type": "string", "description": "Capability url of the environment"}},
        "",
    ),
    (
        {"get_group_capability": ["g", "ip"]},
        {"ip": {"type": "json", "description": "Capability ip of the deployments of group g"}},
        "",
    ),
    (
        {"get_label": "tier"},
        {"label_tier": {"type": "json", "description": "Values of label tier of the deployment"}},
        "",
    ),
    (
        {"get_label": ["tier", 0]},
        {"label_tier": {"type": "string", "description": "Value 0 of label tier of the deployment"}},
        "",
    ),
    (
        {"get_sys": ["tenant", "name"]},
        {"tenant_name": {"type": "string", "description": "The name of the tenant in Cloudify"}},
        "",
    ),
    (
        {"get_consumers": "count"},
        {"consumers_count": {"type": "number", "description": "The count of the deployments that use this one"}},
        "",
    ),
    (
        {"get_attributes_dict": ["web", "name"]},
        {"o": {"type": "json", "description": IN_CLOUDIFY + '{"get_attributes_dict":["web","name"]}'}},
        "",
    ),
    (
        {"get_attribute": ["web", "nonsense"]},
        {"o": {"type": "string", "description": IN_CLOUDIFY + '{"get_attribute":["web","nonsense"]}'}},
        "OS::Nova::Server has no attribute 'nonsense'",
    ),
    ({"get_attribute": ["net", "mtu"]}, {}, "only its name is known"),
    ({"get_attribute": ["nowhere", "a"]}, {}, "there is no node 'nowhere'"),
    ({"get_attribute": ["SELF", "a"]}, {}, "which node is SELF"),
    ({"get_attribute": [{"get_input": "env"}, "a"]}, {}, "the node's name is computed"),
    ({"get_attribute": ["web", {"get_input": "env"}]}, {}, "the attribute's name is computed"),
    ({"get_input": "nowhere"}, {}, "there is no input 'nowhere'"),
    ({"get_input": {"get_input": "env"}}, {}, "is computed, and 'OS::x' is not a plain parameter"),
    ({"get_input": ["hello", "k"]}, {}, "only known when deploying"),
    ({"get_property": ["cfg", {"get_input": "env"}]}, {}, "the name of the property is computed"),
    ({"get_secret": {"get_input": "env"}}, {}, "the name of the secret is computed"),
    ({"concat": ["a", {"get_input": "data"}]}, {}, "as Python does"),
    ({"concat": ["a", [{"get_input": "env"}]]}, {}, "as Python does"),
    ({"string_upper": {"get_input": "size"}}, {}, "Cloudify takes texts only"),
    ({"merge": [{"get_input": "env"}]}, {}, "Cloudify merges maps only"),
    ({"string_find": ["only one"]}, {}, "Cloudify refuses the call"),
    ({"get_sys": ["deployment", "name", "more"]}, {}, "Cloudify refuses the call, or ignores a part of it"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "parameters", "reason"), ASKED, ids=[str(case[0]) for case in ASKED])
def test_value_to_be_given(raw: Any, parameters: dict[str, Any], reason: str) -> None:
    found = said(raw)
    assert "BPC230" in found.codes
    assert len(found.context.added.parameters) == 1
    assert found.context.added.parameters == (parameters or found.context.added.parameters)
    assert found.value == {"get_param": next(iter(found.context.added.parameters))}
    assert any(reason in message for message in found.messages)


@pytest.mark.parametrize(("raw", "parameters", "reason"), ASKED, ids=[str(case[0]) for case in ASKED])
def test_nothing_is_asked_where_nothing_depends_on_it(raw: Any, parameters: Any, reason: str) -> None:
    data = said(raw, inert="node")
    assert "BPC231" in data.codes
    assert data.value == raw
    text = said(raw, inert="output")
    assert "BPC232" in text.codes
    assert json.loads(text.value) == raw
    assert not data.context.added.parameters
    assert not text.context.added.parameters


def test_only_the_innermost_value_is_asked_for() -> None:
    capability = {"get_capability": ["dep", "ip"]}
    found = said({"concat": ["http://", capability, "/"]})
    assert found.value == {"list_join": ["", ["http://", {"get_param": "ip"}, "/"]]}
    assert found.codes == ["BPC230", "BPC233"]
    again = said([capability, {"k": capability}, {"get_capability": ["dep", "port"]}])
    assert again.value == [{"get_param": "ip"}, {"k": {"get_param": "ip"}}, {"get_param": "port"}]


def test_whole_calls_stay_visible() -> None:
    raw = {"a": {"concat": ["x", {"get_secret": "s"}]}, "b": {"get_input": "env"}, "c": {"get_secret": "s"}}
    stand_in = said(raw, inert="node")
    assert stand_in.value == {"a": raw["a"], "b": ENV, "c": raw["c"]}
    output = said(raw, inert="output")
    assert output.value == {"a": '{"concat":["x",{"get_secret":"s"}]}', "b": ENV, "c": '{"get_secret":"s"}'}


def test_literals_in_a_visible_call_are_no_calls() -> None:
    found = said({"merge": [{"get_param": "x"}, {"get_secret": "s"}]}, inert="node")
    assert found.value == {
        "merge": [{"map_replace": [{"get_param_": "x"}, {"keys": {"get_param_": "get_param"}}]}, {"get_secret": "s"}]
    }


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"get_property": ["cfg", "nothing"]}, "'cfg' has no property 'nothing'"),
        ({"get_property": ["web", "extra", "deep", 7]}, "'web' has no property 'extra.deep.7'"),
        ({"get_property": ["cfg", "title", "k"]}, "'cfg' has no property 'title.k'"),
        ({"get_property": ["cfg", "circle"]}, "property 'circle' of 'cfg' refers to itself"),
        ({"get_property": ["cfg", "again", "no"]}, None),
    ],
)  # fmt: skip
def test_property_that_cannot_be_read(raw: Any, problem: str | None) -> None:
    found = said(raw)
    assert ("BPC242" in found.codes) is (problem is not None)
    assert problem is None or any(problem in message for message in found.messages)


@pytest.mark.parametrize(
    "raw", [{"string_split": ["a", "", 0]}, {"string_split": ["a", ",", 5]}, {"get_property": ["cfg", "bad"]}], ids=str
)
def test_what_cloudify_refuses_to_compute(raw: Any) -> None:
    bad = {"string_replace": ["a", "b", "c", {"get_property": ["cfg", "n"]}]}
    nodes = {"cfg": {"kind": None, "properties": {"bad": bad, "n": "x"}}}
    found = said(raw, node_templates=nodes)
    assert {"BPC236", "BPC230"} <= set(found.codes)


def test_self_is_the_node_that_uses_the_default() -> None:
    found = said({"get_input": "own"}, path=("node_templates", "web", "properties"))
    assert found.value == given("own", {"get_param": "own"}, "Web")


def test_stand_in_of_hot_answers_as_it_is() -> None:
    nodes = {"stack": {"kind": None, "native": "hot", "properties": {}}}
    assert said({"get_attribute": ["stack", "outputs", "k"]}, node_templates=nodes).codes == []


def test_a_stand_in_has_no_values() -> None:
    """They are null: a resource asks for them, and in an output a diagnostic says so."""
    raw = {"get_attribute": ["cfg", "made"]}
    shown = said(raw, inert="output")
    assert (shown.value, shown.codes) == ({"get_attr": ["cfg", "made"]}, ["BPC240"])
    assert said(raw, inert="node").value == {"get_attr": ["cfg", "made"]}
    for value in (ex.Attribute("cfg", "made"), ex.Attribute("cfg"), ex.Identity("cfg")):
        context = context_of()
        asked = HotRewriter(context, RULES).value(value, ("node_templates", "web", "properties", "name"))
        assert asked == ex.Input("web_name")
        assert list(context.added.parameters) == ["web_name"]


def test_names_of_parameters_that_ask() -> None:
    lifecycle = ("node_templates", "vm", "interfaces", "x", "create", "inputs", "args", "userdata")
    assert place_name(WORDS, lifecycle) == "vm_create_userdata"
    assert place_name(WORDS, ("node_templates", "vm", "properties", "name", "concat", 0, "get_input", 1)) == "vm_name"
    assert place_name(WORDS, ("imports", 3), ex.Attribute("init", "cloud_config")) == "init_cloud_config"
    assert place_name(WORDS, ("imports", 3), ex.Identity("init")) == "init"
    assert place_name(WORDS, ("imports", 3), ex.Label("x")) == "value"


def test_name_of_a_key_pair_is_its_id() -> None:
    """OS::Nova::KeyPair has no attribute of that name."""
    nodes = {"pair": {"kind": "keypair", "properties": {}}}
    found = said({"get_attribute": ["pair", "name"]}, node_templates=nodes)
    assert (found.value, found.codes) == ({"get_resource": "pair"}, [])


def test_a_stand_in_is_no_group() -> None:
    nodes = {"app": {"kind": None, "instances": 3, "properties": {}}}
    found = said({"get_attribute": ["app", "made"]}, inert="output", node_templates=nodes)
    assert (found.value, found.codes) == ({"get_attr": ["app", "made"]}, ["BPC240"])


@pytest.mark.parametrize("name", [1, None, True, [None, "k"], [1, 2], [{"get_input": "size"}]])
def test_name_of_an_input_that_is_no_text(name: Any) -> None:
    first = name[0] if isinstance(name, list) else name
    call = ex.Input(ex.Input("size") if isinstance(first, dict) else first, ())
    context = context_of()
    asked = HotRewriter(context, RULES).value(call, ("node_templates", "web", "properties", "name"))
    assert asked == ex.Input("web_name")
    assert [d.code for d in context.reporter.diagnostics] == ["BPC236", "BPC230"]


def test_name_of_an_input_from_a_resource() -> None:
    """It is null while Heat validates, which no parameter is called."""
    plain = {"env": {"type": "string"}}
    found = said({"get_input": [{"get_attribute": ["web", "name"]}]}, inputs={**plain, "parts": {}})
    assert found.value == {"get_param": "o"}


def test_too_deep() -> None:
    raw: Any = ex.Input("env", strict=True)
    for _ in range(4000):
        raw = ex.Lower(raw)
    context = context_of()
    assert HotRewriter(context, RULES).value(raw, ("outputs", "o", "value"), inert="output")
    assert [d.code for d in context.reporter.diagnostics] == ["BPC232"]


@pytest.mark.parametrize("inert", ["", "node", "output"])
def test_everything_can_be_written(inert: str) -> None:
    """Whatever the DSL says, something can be written, and nothing is asked for where nothing depends on it."""
    for seed in range(300):
        found = said(Source(seed).value(), inert=inert)
        json.dumps(found.value)
        assert needs(found.value) in VERSIONS
        assert not (inert and found.context.added.parameters)
