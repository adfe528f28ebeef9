"""Every function of the DSL as a template says it, with the diagnostics that come along."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from engines.dsl_source import Source

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.hot_versions import VERSIONS
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.options import Options
from bpconvert.translators.cloudify.functions import FUNCTIONS, WRITERS, read_value
from bpconvert.translators.hot.cannot import path_name
from bpconvert.translators.hot.context import Context, Default
from bpconvert.translators.hot.legalise import Legaliser
from bpconvert.translators.hot.rules import RULES
from bpconvert.translators.hot.writing import needs, write_condition, write_value
from bpconvert.translators.types import builtin
from bpconvert.yamlio.document import load

BLUEPRINT: dict[str, Any] = {
    "inputs": {
        "env": {"type": "string"}, "size": {"type": "number", "default": 3},
        "flag": {"type": "boolean", "default": True},
        "names": {"type": "list", "default": ["a", "b"]},
        "data": {"type": "json", "default": {"k": "v", "list": ["x", {"y": 1}], "n": 1, 5: "five"}},
        "OS::x": {"type": "string"}, "either": {"default": [{"get_input": "env"}, "two"]},
        "some": {"default": "s"}, "parts": {}, "plain": {},
        "hello": {"type": "string", "default": {"concat": ["hi ", {"get_input": "env"}]}},
        "copied": {"type": "json", "default": {"a": {"get_input": "env"}, "b": [1]}},
        "counted": {"type": "number", "default": {"get_input": "size"}},
        "chosen": {"type": "list", "default": {"get_input": "names"}},
        "key": {"type": "string", "default": {"get_secret": "the_key"}},
        "far": {"type": "string", "default": {"get_capability": ["other", "ip"]}},
        "maybe": {"type": "string", "required": False},
        "round": {"type": "string", "default": {"get_input": "trip"}},
        "trip": {"type": "string", "default": {"get_input": "round"}},
        "own": {"type": "string", "default": {"get_property": ["SELF", "title"]}},
    },
    "node_templates": {
        "web": {"kind": "server", "properties": {
            "title": "Web", "extra": {"deep": ["d", {"x": {"get_input": "env"}}]},
            "look": {"get_property": ["cfg", "title"]},
        }},
        "cfg": {"kind": None, "properties": {
            "title": "Cfg", "settings": {"get_input": "data"}, "again": {"get_property": ["cfg", "settings", "list"]},
            "circle": {"get_property": ["cfg", "circle2"]}, "circle2": {"get_property": ["cfg", "circle"]},
            "mine": {"concat": [{"get_property": ["SELF", "title"]}, "!"]}, "secret": {"get_secret": "s"},
            "chain": {"get_attribute": ["web", "first_address"]}, "joined": {"concat": ["a", {"get_input": "env"}]},
        }},
        "net": {"kind": "net", "external_name": "public", "properties": {}},
        "many": {"kind": "server", "instances": 3, "properties": {}},
        "once": {"kind": "server", "instances": 1, "properties": {}},
    },
}  # fmt: skip


@dataclass
class Said:
    """What a value became."""

    value: Any
    codes: list[str]
    context: Context
    messages: list[str] = field(default_factory=list)


def context_of(raw: Any = None, path: tuple[Any, ...] = ("outputs", "o", "value"), **changes: Any) -> Context:
    """The context of the blueprint with the value at ``path``."""
    data: dict[str, Any] = {**BLUEPRINT, **changes}
    data["outputs"] = {"o": {"value": raw}}
    document = load(json.dumps({**data, path[0]: {**data.get(path[0], {}), path[1]: {path[2]: raw}}}), "b.yaml")
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    for name, declared in data["inputs"].items():
        place = ("inputs", name)
        default = read_value(declared["default"], (*place, "default"), []) if "default" in declared else MISSING
        extra = {"required": False} if "required" in declared else {}
        topology.inputs[name] = Input(name, declared.get("type"), default, extra=extra, path=place)
    for name, node in data["node_templates"].items():
        place = ("node_templates", name)
        declared = read_value(node["properties"], (*place, "properties"), [])
        topology.nodes[name] = Node(
            name, "type.of." + name, node["kind"], properties=declared, declared=declared, path=place,
            external_name=node.get("external_name", MISSING), instances=node.get("instances", MISSING),
            native=node.get("native"),
        )  # fmt: skip
    # a part of ``parts`` is used somewhere
    topology.outputs["p"] = Output("p", ex.Input("parts", ("k",)), path=("outputs", "p"))
    return Context(topology, builtin(), document, Reporter(document), Options(), Files(None, False))


def said(raw: Any, *, inert: str = "", path: tuple[Any, ...] = ("outputs", "o", "value"), **changes: Any) -> Said:
    """What ``raw`` becomes at ``path``."""
    context = context_of(raw, path, **changes)
    problems: list[Any] = []
    value = write_value(Legaliser(context).value(read_value(raw, path, problems), path, inert=inert))
    found = context.reporter.diagnostics
    return Said(value, sorted({d.code for d in found}), context, [d.message for d in found])


def given(name: str, then: Any, otherwise: Any) -> dict[str, Any]:
    """A choice by whether a parameter is given."""
    return {"if": [f"{name}_given", then, otherwise]}


ENV, SIZE = {"get_param": "env"}, {"get_param": "size"}
IP = {"get_attr": ["web", "first_address"]}
IN_OTHER_WORDS, COMPUTED, DEFAULT = ["BPC233"], ["BPC235"], ["BPC239"]


def yaql(call: str, **data: Any) -> dict[str, Any]:
    """A query."""
    return {"yaql": {"expression": call, "data": data}}


CASES: list[tuple[str, Any, list[str], str]] = [
    # -- inputs
    ('{"get_input": "env"}', ENV, [], "2013-05-23"),
    ('{"get_input": ["data", "k"]}', {"get_param": ["data", "k"]}, [], "2013-05-23"),
    ('{"get_input": ["data", "list", 1, "y"]}', {"get_param": ["data", "list", 1, "y"]}, [], "2013-05-23"),
    ('{"get_input": ["data", {"get_input": "env"}]}', {"get_param": ["data", ENV]}, [], "2013-05-23"),
    ('{"get_input": ["names", -1]}', {"get_param": ["names", -1]}, [], "2013-05-23"),
    ('{"get_input": "key"}', {"get_param": "key"}, [], "2013-05-23"),
    ('{"get_input": "round"}', {"get_param": "round"}, [], "2013-05-23"),
    ('{"get_input": "far"}', {"get_param": "far"}, [], "2013-05-23"),
    (
        '{"get_input": "hello"}',
        given("hello", {"get_param": "hello"}, {"list_join": ["", ["hi ", ENV]]}), ["BPC233", "BPC239"], "2016-10-14",
    ),
    ('{"get_input": ["copied", "a"]}', given("copied", {"get_param": ["copied", "a"]}, ENV), DEFAULT, "2016-10-14"),
    ('{"get_input": ["copied", "b", 0]}', given("copied", {"get_param": ["copied", "b", 0]}, 1), DEFAULT, "2016-10-14"),
    ('{"get_input": "counted"}', given("counted", {"get_param": "counted"}, SIZE), DEFAULT, "2016-10-14"),
    ('{"get_input": "chosen"}', given("chosen", {"get_param": "chosen"}, {"get_param": "names"}), DEFAULT,
     "2016-10-14"),
    (
        '{"get_input": ["copied", {"get_input": "OS::x"}]}',
        given("copied", {"get_param": ["copied", {"get_param": "OS_x"}]},
              yaql("$.data.value[$.data.key1]", value={"a": ENV, "b": [1]}, key1={"get_param": "OS_x"})),
        ["BPC239", "BPC606"], "2016-10-14",
    ),
    (
        '{"get_input": ["either", {"get_input": "flag"}]}',
        given("either", {"get_param": ["either", {"get_param": "flag"}]},
              {"if": [{"equals": [{"get_param": "flag"}, True]}, "two", ENV]}),
        DEFAULT, "2016-10-14",
    ),
    ('{"get_input": "maybe"}', given("maybe", {"get_param": "maybe"}, None), DEFAULT, "2016-10-14"),
    ('{"get_input": {"string_lower": "ENV"}}', ENV, COMPUTED, "2013-05-23"),
    # -- properties
    ('{"get_property": ["cfg", "title"]}', "Cfg", IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["web", "extra", "deep", 0]}', "d", IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["web", "extra", "deep", 1]}', {"x": ENV}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["web", "look"]}', "Cfg", IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["cfg", "settings", "k"]}', {"get_param": ["data", "k"]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["cfg", "again", 0]}', {"get_param": ["data", "list", 0]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["cfg", "mine"]}', "Cfg!", IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["cfg", "chain"]}', IP, IN_OTHER_WORDS, "2013-05-23"),
    ('{"get_property": ["cfg", "joined"]}', {"list_join": ["", ["a", ENV]]}, IN_OTHER_WORDS, "2013-05-23"),
    # -- attributes and identities
    ('{"get_attribute": ["web", "first_address"]}', IP, [], "2013-05-23"),
    ('{"get_attribute": ["web", "console_urls", "novnc"]}', {"get_attr": ["web", "console_urls", "novnc"]}, [],
     "2013-05-23"),
    ('{"get_attribute": ["web", "networks", {"get_input": "env"}, 0]}', {"get_attr": ["web", "networks", ENV, 0]}, [],
     "2013-05-23"),
    ('{"get_attribute": ["web", "title"]}', "Web", ["BPC241"], "2013-05-23"),
    ('{"get_attribute": ["web", "extra", "deep", 1, "x"]}', ENV, ["BPC241"], "2013-05-23"),
    ('{"get_attribute": ["cfg", "made"]}', {"get_param": "o"}, ["BPC230"], "2013-05-23"),
    ('{"get_attribute": ["cfg", "title"]}', "Cfg", ["BPC241"], "2013-05-23"),
    ('{"get_attribute": ["cfg", "settings", "k"]}', {"get_param": ["data", "k"]}, ["BPC241"], "2013-05-23"),
    ('{"get_attribute": ["cfg", "title", "no", "such"]}', {"get_param": "o"}, ["BPC230"], "2013-05-23"),
    ('{"get_attribute": ["net", "name"]}', "public", [], "2013-05-23"),
    ('{"get_attribute": ["once", "first_address"]}', {"get_attr": ["once", "first_address"]}, [], "2013-05-23"),
    ('{"get_attribute": ["many", "first_address"]}', {"get_attr": ["many", "resource.0.first_address"]}, ["BPC243"],
     "2013-05-23"),
    ('{"get_attributes_list": ["many", "first_address"]}', {"get_attr": ["many", "first_address"]}, IN_OTHER_WORDS,
     "2013-05-23"),
    ('{"get_attributes_list": ["web", "first_address"]}', [IP], IN_OTHER_WORDS, "2013-05-23"),
    # -- facts
    ('{"get_sys": ["deployment", "name"]}', {"get_param": "OS::stack_name"}, [], "2013-05-23"),
    ('{"get_sys": ["deployment", "id"]}', {"get_param": "OS::stack_id"}, ["BPC249"], "2013-05-23"),
    # -- secrets
    ('{"get_secret": "s"}', {"get_param": "s"}, ["BPC234"], "2013-05-23"),
    ('{"get_secret": ["s", "k", 0]}', {"get_param": ["s", "k", 0]}, ["BPC234"], "2013-05-23"),
    # -- concat
    ('{"concat": []}', "", COMPUTED, "2013-05-23"),
    ('{"concat": ["a", 1, true, null, 1.5, "b"]}', "a1TrueNone1.5b", COMPUTED, "2013-05-23"),
    ('{"concat": [["a", 1], {"k": true}]}', "['a', 1]{'k': True}", COMPUTED, "2013-05-23"),
    ('{"concat": [{"get_input": "env"}]}', ENV, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": [{"get_input": "size"}]}', {"str_replace": {"template": "__size__", "params": {"__size__": SIZE}}},
     IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["http://", {"get_attribute": ["web", "first_address"]}, ":", 80, "/"]}',
     {"list_join": ["", ["http://", IP, ":80/"]]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": [{"get_input": "env"}, "-", {"get_input": "some"}, "-", {"get_input": "env"}]}',
     {"list_join": ["-", [ENV, {"get_param": "some"}, ENV]]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": [{"get_input": "env"}, "-", {"get_input": "some"}, "/", {"get_input": "env"}]}',
     {"list_join": ["", [ENV, "-", {"get_param": "some"}, "/", ENV]]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["a", {"concat": ["b", {"get_input": "env"}]}, {"concat": ["c", 1]}]}',
     {"list_join": ["", ["ab", ENV, "c1"]]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["x", {"get_property": ["cfg", "joined"]}]}', {"list_join": ["", ["xa", ENV]]}, IN_OTHER_WORDS,
     "2013-05-23"),
    ('{"concat": [{"get_input": "env"}, ":", {"get_input": "size"}]}',
     {"str_replace": {"template": "__env__:__size__", "params": {"__env__": ENV, "__size__": SIZE}}}, IN_OTHER_WORDS,
     "2013-05-23"),
    ('{"concat": [{"get_input": "size"}, "x", {"get_input": "size"}]}',
     {"str_replace": {"template": "__size__x__size__", "params": {"__size__": SIZE}}}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["$size ", {"get_input": "size"}, "$env"]}',
     {"str_replace": {"template": "$size __size__$env", "params": {"__size__": SIZE}}}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": [{"get_input": ["data", "n"]}, {"get_attribute": ["web", "first_address"]}, {"get_input": "flag"}]}',
     {"str_replace": {"template": "__n____web_first_address____flag__", "params": {
         "__n__": {"get_param": ["data", "n"]}, "__web_first_address__": IP, "__flag__": {"get_param": "flag"}}}},
     IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["a", {"get_attribute": ["cfg", "made"]}]}',
     {"list_join": ["", ["a", {"get_param": "o"}]]}, ["BPC230", "BPC233"], "2013-05-23"),
    ('{"concat": ["a", {"get_attribute": ["web", "networks", "net", 0]}]}',
     {"list_join": ["", ["a", {"get_attr": ["web", "networks", "net", 0]}]]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["a", {"get_attribute": ["web", "os_collect_config", "k"]}]}',
     {"str_replace": {"template": "a__web_os_collect_config__", "params": {
         "__web_os_collect_config__": {"get_attr": ["web", "os_collect_config", "k"]}}}},
     ["BPC233", "BPC238"], "2013-05-23"),
    ('{"concat": ["#!/bin/sh\\necho ", {"get_input": "env"}, " $env_ > <x>\\n"]}',
     {"str_replace": {"template": "#!/bin/sh\necho __env__ $env_ > <x>\n", "params": {"__env__": ENV}}}, IN_OTHER_WORDS,
     "2013-05-23"),
    ('{"concat": [{"get_input": "env"}, "\\n", {"get_input": "some"}]}',
     {"list_join": ["\n", [ENV, {"get_param": "some"}]]}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["< {{ [[ % __ __size__ <size> {{size}} [[size]] %size% ", {"get_input": "size"}]}',
     {"str_replace": {
         "template": "< {{ [[ % __ __size__ <size> {{size}} [[size]] %size% __size_5__",
         "params": {"__size_5__": SIZE}}},
     IN_OTHER_WORDS, "2013-05-23"),
    ('{"concat": ["a", {"get_input": "maybe"}]}',
     {"list_join": ["", ["a", given("maybe", {"get_param": "maybe"}, "None")]]}, ["BPC233", "BPC239"], "2016-10-14"),
    # -- merge
    ('{"merge": [{"a": 1, "b": 2}, {"b": 3}]}', {"a": 1, "b": 3}, [], "2013-05-23"),
    ('{"merge": [{"a": {"get_input": "env"}}, {"b": {"get_input": "size"}}]}', {"a": ENV, "b": SIZE}, [], "2013-05-23"),
    ('{"merge": [{"a": {"get_input": "env"}}, {"a": 1}]}', {"map_merge": [{"a": ENV}, {"a": 1}]}, [], "2016-04-08"),
    ('{"merge": [{"get_input": "data"}, {"merge": [{"a": 1}, {"get_input": "parts"}]}]}',
     {"map_merge": [{"get_param": "data"}, {"a": 1}, {"get_param": "parts"}]}, [], "2016-04-08"),
    ('{"merge": [{"get_input": "data"}]}', {"get_param": "data"}, [], "2013-05-23"),
    # -- string_*
    ('{"string_lower": "ABC"}', "abc", COMPUTED, "2013-05-23"),
    ('{"string_upper": {"get_property": ["cfg", "title"]}}', "CFG", COMPUTED, "2013-05-23"),
    ('{"string_upper": {"get_input": "env"}}', yaql("$.data.v.toUpper()", v=ENV), IN_OTHER_WORDS, "2016-10-14"),
    ('{"string_lower": {"get_attribute": ["web", "first_address"]}}',
     yaql("switch($.data.v = null => null, true => $.data.v.toLower())", v=IP), IN_OTHER_WORDS, "2016-10-14"),
    ('{"string_find": ["abc", "c"]}', 2, COMPUTED, "2013-05-23"),
    ('{"string_find": [{"get_input": "env"}, "it\'s"]}', yaql("$.data.v.indexOf('it\\'s')", v=ENV), IN_OTHER_WORDS,
     "2016-10-14"),
    ('{"string_find": [{"get_input": "env"}, "a\\\\nb"]}', yaql("$.data.v.indexOf('a\\\\nb')", v=ENV), IN_OTHER_WORDS,
     "2016-10-14"),
    ('{"string_find": [{"get_input": "env"}, "a\\nb"]}', yaql("$.data.v.indexOf($.data.part)", v=ENV, part="a\nb"),
     IN_OTHER_WORDS, "2016-10-14"),
    ('{"string_find": ["abc", {"get_input": "env"}]}', yaql("$.data.v.indexOf($.data.part)", v="abc", part=ENV),
     IN_OTHER_WORDS, "2016-10-14"),
    ('{"string_replace": ["a-b-c", "-", "+", 1]}', "a+b-c", COMPUTED, "2013-05-23"),
    ('{"string_replace": [{"get_input": "env"}, "-", {"get_input": "some"}]}',
     {"str_replace": {"template": ENV, "params": {"-": {"get_param": "some"}}}}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"string_replace": [{"get_input": "env"}, "-", "+", 2]}', yaql("$.data.v.replace('-', '+', 2)", v=ENV),
     IN_OTHER_WORDS, "2016-10-14"),
    ('{"string_replace": [{"get_input": "env"}, "", "+"]}', yaql("$.data.v.replace('', '+')", v=ENV), IN_OTHER_WORDS,
     "2016-10-14"),
    ('{"string_replace": ["text", {"get_input": "env"}, "+"]}',
     yaql("$.data.v.replace($.data.old, '+')", v="text", old=ENV), IN_OTHER_WORDS, "2016-10-14"),
    ('{"string_replace": [{"get_attribute": ["web", "first_address"]}, ".", "-"]}',
     yaql("switch($.data.v = null => null, true => $.data.v.replace('.', '-'))", v=IP), IN_OTHER_WORDS, "2016-10-14"),
    ('{"string_replace": [{"concat": ["a", {"get_attribute": ["web", "first_address"]}]}, ".", "-"]}',
     {"str_replace": {"template": {"list_join": ["", ["a", IP]]}, "params": {".": "-"}}}, IN_OTHER_WORDS, "2013-05-23"),
    ('{"string_split": ["a,b", ","]}', ["a", "b"], COMPUTED, "2013-05-23"),
    ('{"string_split": ["a,b", ",", 1]}', "b", COMPUTED, "2013-05-23"),
    ('{"string_split": [{"get_input": "env"}, ","]}', {"str_split": [",", ENV]}, IN_OTHER_WORDS, "2015-10-15"),
    ('{"string_split": [{"get_attribute": ["web", "first_address"]}, ".", -1]}', {"str_split": [".", IP, -1]},
     IN_OTHER_WORDS, "2015-10-15"),
    # -- data
    ('{"get_param": "x"}', {"map_replace": [{"get_param_": "x"}, {"keys": {"get_param_": "get_param"}}]}, ["BPC237"],
     "2016-10-14"),
    ('{"get_param": "x", "k": "yes", "5": "0123"}', {"get_param": "x", "k": "yes", "5": "0123"}, [], "2013-05-23"),
    ('{"a": [{"k": {"get_input": "env"}}, null, 1.0, false]}', {"a": [{"k": ENV}, None, 1.0, False]}, [], "2013-05-23"),
    ('{"concat": ["a", "b"], "type": "string"}', "ab", ["BPC235", "BPC244"], "2013-05-23"),
]  # fmt: skip


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
    assert len(found.context.extra_parameters) == 1
    assert found.context.extra_parameters == (parameters or found.context.extra_parameters)
    assert found.value == {"get_param": next(iter(found.context.extra_parameters))}
    assert any(reason in message for message in found.messages)


@pytest.mark.parametrize(("raw", "parameters", "reason"), ASKED, ids=[str(case[0]) for case in ASKED])
def test_nothing_is_asked_where_nothing_depends_on_it(raw: Any, parameters: Any, reason: str) -> None:
    data = said(raw, inert="node")
    assert "BPC231" in data.codes
    assert data.value == raw
    text = said(raw, inert="output")
    assert "BPC232" in text.codes
    assert json.loads(text.value) == raw
    assert not data.context.extra_parameters
    assert not text.context.extra_parameters


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
        asked = Legaliser(context).value(value, ("node_templates", "web", "properties", "name"))
        assert asked == ex.Input("web_name")
        assert list(context.extra_parameters) == ["web_name"]


def test_names_of_parameters_that_ask() -> None:
    lifecycle = ("node_templates", "vm", "interfaces", "x", "create", "inputs", "args", "userdata")
    assert path_name(lifecycle) == "vm_create_userdata"
    assert path_name(("node_templates", "vm", "properties", "name", "concat", 0, "get_input", 1)) == "vm_name"
    assert path_name(("imports", 3), ex.Attribute("init", "cloud_config")) == "init_cloud_config"
    assert path_name(("imports", 3), ex.Identity("init")) == "init"
    assert path_name(("imports", 3), ex.Label("x")) == "value"


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
    assert Legaliser(context).value(call, ("node_templates", "web", "properties", "name")) == ex.Input("web_name")
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
    assert Legaliser(context).value(raw, ("outputs", "o", "value"), inert="output")
    assert [d.code for d in context.reporter.diagnostics] == ["BPC232"]


@pytest.mark.parametrize("inert", ["", "node", "output"])
def test_everything_can_be_written(inert: str) -> None:
    """Whatever the DSL says, something can be written, and nothing is asked for where nothing depends on it."""
    for seed in range(300):
        found = said(Source(seed).value(), inert=inert)
        json.dumps(found.value)
        assert needs(found.value) in VERSIONS
        assert not (inert and found.context.extra_parameters)


# -- conditions ---------------------------------------------------------------------------------------------

PROD = ex.Equals(ex.Input("env", strict=True), "prod")
CONDITIONS: list[tuple[Any, Any]] = [
    (True, True),
    (PROD, {"equals": [ENV, "prod"]}),
    (ex.Not(PROD), {"not": {"equals": [ENV, "prod"]}}),
    (ex.And((PROD, ex.Input("flag"))), {"and": [{"equals": [ENV, "prod"]}, {"get_param": "flag"}]}),
    (ex.Or((PROD, False)), {"equals": [ENV, "prod"]}),
    (ex.And((True, True)), True),
    (ex.And(()), True),
    (ex.Or(()), False),
    (ex.Not(True), False),
    (ex.Condition("c"), "c"),
    ("c", "c"),
    (ex.Equals(ex.System("deployment.name"), "x"), {"equals": [{"get_param": "OS::stack_name"}, "x"]}),
    (ex.Equals(ex.Property("cfg", "title"), "Cfg"), True),
    (
        ex.Equals(ex.Input("hello", strict=True), "x"),
        None,
    ),
    (
        ex.Equals(ex.Upper(ex.Input("env", strict=True)), "X"),
        {"equals": [yaql("$.data.v.toUpper()", v=ENV), "X"]},
    ),
    (
        ex.Equals(ex.Input("counted", strict=True), 1),
        {"or": [
            {"and": ["counted_given", {"equals": [{"get_param": "counted"}, 1]}]},
            {"and": [{"not": "counted_given"}, {"equals": [SIZE, 1]}]},
        ]},
    ),
    (ex.Contains("a", ["a", ex.Input("env")]), {"contains": ["a", ["a", ENV]]}),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS, ids=[repr(c) for c, _ in CONDITIONS])
def test_condition(condition: Any, expected: Any) -> None:
    context = context_of()
    context.topology.conditions["c"] = PROD
    found = write_condition(Legaliser(context).condition(condition, ("conditions", "x")))
    codes = [d.code for d in context.reporter.diagnostics]
    if expected is None:
        assert "BPC245" in codes
        (name,) = context.extra_parameters
        assert context.extra_parameters[name]["type"] == "boolean"
        assert found == {"get_param": name}
    else:
        assert found == expected
        assert "BPC245" not in codes


@pytest.mark.parametrize(
    "condition",
    [
        ex.Condition("nowhere"), ex.Equals(ex.Attribute("web", "name"), "x"), ex.Input("env"), 5, ex.Not("nowhere"),
        ex.Equals({"get_param": "x"}, ex.Input("data")), ex.Equals({"not": True}, ex.Input("data")),
    ],
    ids=repr,
)  # fmt: skip
def test_condition_to_be_given(condition: Any) -> None:
    context = context_of()
    found = Legaliser(context).condition(condition, ("node_templates", "web", "condition"))
    assert found == ex.Input("web_condition")
    assert [d.code for d in context.reporter.diagnostics][-1] == "BPC245"


def test_choice() -> None:
    context = context_of()
    context.topology.conditions["c"] = PROD
    legaliser = Legaliser(context)
    choice = ex.If(ex.Condition("c"), ex.Concat(("a", ex.Input("env"))), ex.If(ex.Not(PROD), 1, 2))
    assert write_value(legaliser.value(choice, ("outputs", "o", "value"))) == {
        "if": ["c", {"list_join": ["", ["a", ENV]]}, {"if": [{"not": {"equals": [ENV, "prod"]}}, 1, 2]}]
    }
    assert write_value(legaliser.value([PROD, ex.Condition("c"), ex.If(True, 1, 2)], ("outputs", "o", "value"))) == [
        {"if": [{"equals": [ENV, "prod"]}, True, False]}, {"if": ["c", True, False]}, 1,
    ]  # fmt: skip
    unknown = ex.If(ex.Condition("nowhere"), 1, 2)
    assert legaliser.value(unknown, ("outputs", "o", "value"), inert="node") == repr(unknown)


# -- names --------------------------------------------------------------------------------------------------


class Originals:
    """An origin that knows some names."""

    def __init__(self, **names: str) -> None:
        self.names = names

    def original(self, place: tuple[Any, ...]) -> str | None:
        """The name that the entry at ``place`` had."""
        return self.names.get(f"{place[0]}__{place[1]}")


def names_of(origin: Any = None) -> Context:
    """A context with names that meet."""
    topology = Topology("cloudify", "1_3")
    for name in ("web", "a/b", "a_b", "db", "x_node", "x"):
        topology.nodes[name] = Node(name, "t", path=("node_templates", name))
    for name in ("x", "OS::stack_name", "db"):
        topology.inputs[name] = Input(name, "string", path=("inputs", name))
    for name in ("url", "ip"):
        topology.outputs[name] = Output(name, 1, path=("outputs", name))
    for name in ("ip", "capability_url", "url"):
        topology.capabilities[name] = Output(name, 1, path=("capabilities", name))
    document = load("{}", "b.yaml")
    return Context(topology, builtin(), document, Reporter(document), Options(), Files(None, False), origin)


def test_names_are_legal_and_given_once() -> None:
    context = names_of()
    assert context.parameter_name("x") == "x"
    assert context.parameter_name("OS::stack_name") == "OS_stack_name"
    assert {name: context.resource_name(name) for name in context.topology.nodes} == {
        "web": "web", "a/b": "a_b_2", "a_b": "a_b", "db": "db_node", "x_node": "x_node", "x": "x_node_2",
    }  # fmt: skip
    assert [context.output_name(name) for name in ("url", "ip")] == ["url", "ip"]
    assert [context.output_name(name, "capabilities") for name in ("ip", "capability_url", "url")] == [
        "capability_ip", "capability_url", "capability_url_2",
    ]  # fmt: skip
    context.resource_name("db")
    told = [(d.path, d.message) for d in context.reporter.diagnostics if d.code == "BPC606"]
    assert (("node_templates", "db"), "'db' is called 'db_node' in the template") in told
    assert len(told) == len(set(told)) == 6


def test_added_names_meet_nobody() -> None:
    context = names_of()
    assert context.fresh_resource("web") == "web_2"
    assert context.fresh_resource("web") == "web_3"
    assert context.add_parameter("web", {}) == "web_4"
    assert context.add_parameter("OS::region", {}) == "OS_region"
    context.topology.conditions["c"] = True
    assert context.add_condition("c", True) == "c_2"
    assert context.extra_parameters.keys() == {"web_4", "OS_region"}


def test_names_of_the_origin_come_back() -> None:
    context = names_of(Originals(node_templates__web="SELF", inputs__x="the--x", capabilities__ip="addr"))
    assert context.resource_name("web") == "SELF"
    assert context.parameter_name("x") == "the--x"
    assert context.resource_name("x") == "x"
    assert context.output_name("ip", "capabilities") == "addr"
    assert not context.reporter.diagnostics


def test_renamed_everywhere() -> None:
    nodes = {"env": {"kind": "server", "properties": {}}}
    raw = [{"get_attribute": ["env", "name"]}, {"get_input": "env"}]
    found = said(raw, node_templates=nodes)
    assert found.value == [{"get_attr": ["env_node", "name"]}, ENV]
    assert found.codes == ["BPC606"]


def test_secret_used_as_text_and_in_parts() -> None:
    found = said([{"get_secret": "s"}, {"get_secret": ["s", "k"]}, {"get_secret": "web"}])
    assert found.value == [{"get_param": "s"}, {"get_param": ["s_json", "k"]}, {"get_param": "web_2"}]
    parameters = found.context.extra_parameters
    assert {name: (data["type"], data["hidden"]) for name, data in parameters.items()} == {
        "s": ("string", True), "s_json": ("json", True), "web_2": ("string", True),
    }  # fmt: skip


def test_defaults_and_types_of_parameters() -> None:
    context = context_of()
    found = {
        name: (context.parameter_type(declared), context.default_of(declared))
        for name, declared in context.topology.inputs.items()
    }
    assert found["env"] == ("string", Default(MISSING))
    assert found["size"] == ("number", Default(3))
    assert found["names"] == ("comma_delimited_list", Default(["a", "b"]))
    assert found["hello"] == ("string", Default("", computed=True))
    assert found["copied"] == ("json", Default("", computed=True))
    assert found["counted"] == ("json", Default("", computed=True))
    assert found["chosen"] == ("comma_delimited_list", Default([], computed=True))
    assert found["key"] == ("string", Default(MISSING, hidden=True, lost="a secret"))
    assert found["far"] == ("string", Default(MISSING, lost="known to Cloudify only"))
    assert found["maybe"] == ("string", Default("", computed=True))
    assert found["parts"] == ("json", Default(MISSING))
    assert found["plain"] == ("string", Default(MISSING))


def test_condition_that_a_parameter_is_given() -> None:
    found = said([{"get_input": "hello"}, {"get_input": "hello"}, {"get_input": "chosen"}])
    assert {name: write_condition(value) for name, value in found.context.extra_conditions.items()} == {
        "hello_given": {"not": {"equals": [{"get_param": "hello"}, ""]}},
        "chosen_given": {"not": {"equals": [{"get_param": "chosen"}, []]}},
    }


def test_parts_of_the_attributes_of_a_group_need_juno() -> None:
    found = said({"get_attributes_list": ["many", "networks", "n"]})
    assert found.value == {"get_attr": ["many", "networks", "n"]}
    assert found.context.least_version == "2014-10-16"


def test_identities() -> None:
    context = context_of()
    value = [ex.Identity("web"), ex.Identity("net"), ex.Identity("many")]
    assert write_value(Legaliser(context).value(value, ("outputs", "o", "value"))) == [
        {"get_resource": "web"}, "public", {"get_attr": ["many", "resource.0"]},
    ]  # fmt: skip
    assert [d.code for d in context.reporter.diagnostics] == ["BPC248", "BPC243"]


def test_every_function_has_a_rule() -> None:
    assert WRITERS.keys() <= RULES.keys()
    assert ex.Capability in RULES
    assert len(FUNCTIONS) == len(WRITERS) + 3
