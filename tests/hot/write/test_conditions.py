"""Conditions and names in a template that is made from a blueprint."""

from __future__ import annotations

from typing import Any

import pytest
from hot_lowering import request_of
from values_in_hot import ENV, SIZE, context_of, said, yaql

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.cloudify.functions import FUNCTIONS, WRITERS
from bpconvert.translators.hot.write import conditions
from bpconvert.translators.hot.write.calls import write_condition, write_value
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.defaults import Default
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.hot.write.rules import RULES
from bpconvert.yamlio.document import load

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
    found = write_condition(conditions.value(HotRewriter(context, RULES), condition, ("conditions", "x")))
    codes = [d.code for d in context.reporter.diagnostics]
    if expected is None:
        assert "BPC245" in codes
        (name,) = context.added.parameters
        assert context.added.parameters[name]["type"] == "boolean"
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
    found = conditions.value(HotRewriter(context, RULES), condition, ("node_templates", "web", "condition"))
    assert found == ex.Input("web_condition")
    assert [d.code for d in context.reporter.diagnostics][-1] == "BPC245"


def test_choice() -> None:
    context = context_of()
    context.topology.conditions["c"] = PROD
    rewriter = HotRewriter(context, RULES)
    choice = ex.If(ex.Condition("c"), ex.Concat(("a", ex.Input("env"))), ex.If(ex.Not(PROD), 1, 2))
    assert write_value(rewriter.value(choice, ("outputs", "o", "value"))) == {
        "if": ["c", {"list_join": ["", ["a", ENV]]}, {"if": [{"not": {"equals": [ENV, "prod"]}}, 1, 2]}]
    }
    assert write_value(rewriter.value([PROD, ex.Condition("c"), ex.If(True, 1, 2)], ("outputs", "o", "value"))) == [
        {"if": [{"equals": [ENV, "prod"]}, True, False]}, {"if": ["c", True, False]}, 1,
    ]  # fmt: skip
    unknown = ex.If(ex.Condition("nowhere"), 1, 2)
    assert rewriter.value(unknown, ("outputs", "o", "value"), inert="node") == repr(unknown)


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
    return Context(topology, request_of(document, origin=origin))


def test_names_are_legal_and_given_once() -> None:
    context = names_of()
    assert context.names.parameter("x") == "x"
    assert context.names.parameter("OS::stack_name") == "OS_stack_name"
    assert {name: context.names.resource(name) for name in context.topology.nodes} == {
        "web": "web", "a/b": "a_b_2", "a_b": "a_b", "db": "db_node", "x_node": "x_node", "x": "x_node_2",
    }  # fmt: skip
    assert [context.names.output(name) for name in ("url", "ip")] == ["url", "ip"]
    assert [context.names.output(name, "capabilities") for name in ("ip", "capability_url", "url")] == [
        "capability_ip", "capability_url", "capability_url_2",
    ]  # fmt: skip
    context.names.resource("db")
    told = [(d.path, d.message) for d in context.reporter.diagnostics if d.code == "BPC604"]
    assert (("node_templates", "db"), "'db' is called 'db_node' in the result") in told
    assert len(told) == len(set(told)) == 6


def test_added_names_meet_nobody() -> None:
    context = names_of()
    assert context.names.fresh_resource("web") == "web_2"
    assert context.names.fresh_resource("web") == "web_3"
    assert context.added.parameter("web", {}) == "web_4"
    assert context.added.parameter("OS::region", {}) == "OS_region"
    context.topology.conditions["c"] = True
    assert context.added.condition("c", True) == "c_2"
    assert context.added.parameters.keys() == {"web_4", "OS_region"}


def test_names_of_the_origin_come_back() -> None:
    context = names_of(Originals(node_templates__web="SELF", inputs__x="the--x", capabilities__ip="addr"))
    assert context.names.resource("web") == "SELF"
    assert context.names.parameter("x") == "the--x"
    assert context.names.resource("x") == "x"
    assert context.names.output("ip", "capabilities") == "addr"
    assert not context.reporter.diagnostics


def test_renamed_everywhere() -> None:
    nodes = {"env": {"kind": "server", "properties": {}}}
    raw = [{"get_attribute": ["env", "name"]}, {"get_input": "env"}]
    found = said(raw, node_templates=nodes)
    assert found.value == [{"get_attr": ["env_node", "name"]}, ENV]
    assert found.codes == ["BPC604"]


def test_secret_used_as_text_and_in_parts() -> None:
    found = said([{"get_secret": "s"}, {"get_secret": ["s", "k"]}, {"get_secret": "web"}])
    assert found.value == [{"get_param": "s"}, {"get_param": ["s_json", "k"]}, {"get_param": "web_2"}]
    parameters = found.context.added.parameters
    assert {name: (data["type"], data["hidden"]) for name, data in parameters.items()} == {
        "s": ("string", True), "s_json": ("json", True), "web_2": ("string", True),
    }  # fmt: skip


def test_defaults_and_types_of_parameters() -> None:
    context = context_of()
    found = {
        name: (context.defaults.type_of(declared), context.defaults.default(declared))
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
    assert {name: write_condition(value) for name, value in found.context.added.conditions.items()} == {
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
    assert write_value(HotRewriter(context, RULES).value(value, ("outputs", "o", "value"))) == [
        {"get_resource": "web"}, "public", {"get_attr": ["many", "resource.0"]},
    ]  # fmt: skip
    assert [d.code for d in context.reporter.diagnostics] == ["BPC248", "BPC243"]


def test_every_function_has_a_rule() -> None:
    assert WRITERS.keys() <= RULES.keys()
    assert ex.Capability in RULES
    assert len(FUNCTIONS) == len(WRITERS) + 3
