"""What a template makes of values, for the tests of functions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from hot_lowering import request_of

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.hot.write.calls import write_value
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.hot.write.rules import RULES
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
    return Context(topology, request_of(document))


def said(raw: Any, *, inert: str = "", path: tuple[Any, ...] = ("outputs", "o", "value"), **changes: Any) -> Said:
    """What ``raw`` becomes at ``path``."""
    context = context_of(raw, path, **changes)
    problems: list[Any] = []
    value = write_value(HotRewriter(context, RULES).value(read_value(raw, path, problems), path, inert=inert))
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
        ["BPC239", "BPC604"], "2016-10-14",
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
    ('{"merge": [{"a": 1, "b": 2}, {"b": 3}]}', {"a": 1, "b": 3}, ["BPC235"], "2013-05-23"),
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
    # while Heat validates there is less in the text than there will be
    ('{"string_split": [{"concat": ["a-", {"get_attribute": ["web", "first_address"]}]}, "-", 1]}',
     yaql("switch($.data.v.split('-').len() > 1 => $.data.v.split('-')[1], true => null)",
          v={"list_join": ["", ["a-", IP]]}), IN_OTHER_WORDS, "2016-10-14"),
    # -- data
    ('{"get_param": "x"}', {"map_replace": [{"get_param_": "x"}, {"keys": {"get_param_": "get_param"}}]}, ["BPC237"],
     "2016-10-14"),
    ('{"get_param": "x", "k": "yes", "5": "0123"}', {"get_param": "x", "k": "yes", "5": "0123"}, [], "2013-05-23"),
    ('{"a": [{"k": {"get_input": "env"}}, null, 1.0, false]}', {"a": [{"k": ENV}, None, 1.0, False]}, [], "2013-05-23"),
    ('{"concat": ["a", "b"], "type": "string"}', "ab", ["BPC235", "BPC244"], "2013-05-23"),
]  # fmt: skip
