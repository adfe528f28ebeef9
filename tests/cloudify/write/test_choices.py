"""Conditions of HOT in a blueprint: Cloudify picks the branch that Heat takes, whatever is given; where it would not,
nothing is written."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from choices import computed, topology_of

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Reporter
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.hot.read.template import to_topology
from bpconvert.yamlio.document import load

HEAD = """
heat_template_version: 2021-04-16
parameters:
  text: {type: string, default: prod}
  other: {type: string, default: prod}
  size: {type: number, default: 3}
  flag: {type: boolean, default: true}
  ha: {type: boolean, default: true}
  names: {type: comma_delimited_list, default: "a,b"}
  data: {type: json, default: {k: v, n: 1, b: true, l: [x]}}
"""
#: what is given for each of them
VALUES: dict[str, list[Any]] = {
    "text": ["", "prod", "a|b", "|", "a", "a|b#c", "a|b#c~d", "a|b#c~d^e", "a|b#c~d^e;f", "true", "3"],
    "other": ["", "prod", "a"],
    "size": [0, 1, 2, 3],
    "flag": [True, False],
    "ha": [True, False],
    "names": [[], ["a", "b"], ["a"]],
    "data": [
        {"k": "v", "n": 1, "l": [], "b": True},
        {"k": 1, "n": 2, "l": ["x"], "b": False},
        {"k": "w", "n": 3, "l": {}},
        {},
        [],
    ],
}
AS_TEXT, FENCED = "BPC207", "BPC225"


def chosen(condition: str, more: str = "", branches: str = "'yes', 'no'") -> Result:
    """A choice as output ``o``. ``more``: sections before it."""
    source = f"{HEAD}{more}outputs: {{o: {{value: {{if: [{condition}, {branches}]}}}}}}\n"
    return convert(source, carry=False, asked="inputs")


def codes(result: Result) -> set[str]:
    """Of what is found about the choice."""
    return {one.code for one in result.diagnostics} - {"BPC501", "BPC509"}


def check_same(result: Result, condition: str, more: str = "", branches: str = "'yes', 'no'") -> None:
    """Both engines compute the same for all values that have what the template asks for."""
    source = f"{HEAD}{more}outputs: {{o: {{value: {{if: [{condition}, {branches}]}}}}}}\n"
    hot = to_topology(load(source), builtin(), Reporter(load(source)))
    back = topology_of(result.document)
    names = [name for name in VALUES if f"get_param: {name}" in source or f"get_param: [{name}" in source]
    for values in itertools.product(*(VALUES[name] for name in names)):
        given = dict(zip(names, values, strict=True))
        there = computed(back.outputs["o"].value, back, given)
        if there != "refused":  # a part that is not in the value given
            assert there == computed(hot.outputs["o"].value, hot, given), given


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("{equals: [{get_param: text}, prod]}", set()),
        ("{equals: [prod, {get_param: text}]}", set()),
        ("{equals: [{get_param: text}, 'a|b']}", set()),
        ("{equals: [{get_param: text}, 'a|b#c']}", set()),
        ("{equals: [{get_param: text}, 'a|b#c~d']}", set()),
        ("{equals: [{get_param: text}, 'a|b#c~d^e']}", set()),
        ("{equals: [{get_param: text}, 'a|b#c~d^e;f']}", set()),
        ("{equals: [{get_param: flag}, true]}", set()),
        ("{equals: [false, {get_param: flag}]}", set()),
        ("{equals: [{get_param: flag}, 1]}", set()),
        ("{equals: [{get_param: flag}, 0.0]}", set()),
        ("{equals: [{get_param: flag}, {get_param: ha}]}", set()),
        ("{equals: [{get_param: size}, 3]}", {AS_TEXT}),
        ("{equals: [{get_param: size}, 3.0]}", {AS_TEXT}),
        ("{equals: [{get_param: size}, true]}", {AS_TEXT}),
        ("{equals: [true, {get_param: size}]}", {AS_TEXT}),
        ("{equals: [{get_param: [names, 0]}, a]}", set()),
        ("{equals: [{get_param: names}, []]}", set()),
        ("{equals: [{get_param: data}, {}]}", {AS_TEXT}),
        ("{equals: [{get_param: data}, []]}", {AS_TEXT}),
        ("{equals: [{get_param: [data, k]}, v]}", {AS_TEXT}),
        ("{equals: [{get_param: [data, k]}, 1]}", {AS_TEXT}),
        ("{equals: [{get_param: [data, b]}, true]}", {AS_TEXT}),
        ("{equals: [{get_param: [data, k]}, {get_param: [data, n]}]}", {AS_TEXT, FENCED}),
        ("{equals: [{get_param: [data, l]}, []]}", {AS_TEXT}),
        ("{equals: [{get_param: [data, l]}, {}]}", {AS_TEXT}),
        ("{equals: [{get_param: [data, n]}, {get_param: size}]}", {AS_TEXT, FENCED}),
        ("{contains: [{get_param: text}, [prod, a]]}", set()),
        ("{equals: [{contains: [{get_param: text}, [prod, a]]}, true]}", set()),
        ("{and: [{get_param: flag}, {get_param: ha}, {equals: [{get_param: size}, 2]}]}", {AS_TEXT}),
        ("{or: [{get_param: flag}, {get_param: ha}, {not: {equals: [{get_param: text}, a]}}]}", set()),
    ],
)
def test_the_branch_that_is_picked_is_that_of_heat(condition: str, told: set[str]) -> None:
    result = chosen(condition)
    assert codes(result) == {"BPC223", *told}
    assert any(name.startswith("if_") for name in result.document["inputs"])
    check_same(result, condition)


@pytest.mark.parametrize(
    ("text", "fence"),
    [("a", "|"), ("a|", "#"), ("a|#", "~"), ("#|a~", "^"), ("|#~^", ";"), ("|#~^;", "\x1f")],
)
def test_the_separator_is_not_in_the_text_that_is_looked_for(text: str, fence: str) -> None:
    result = chosen(f"{{equals: [{{get_param: text}}, '{text}']}}")
    _, index = result.document["outputs"]["o"]["value"]["get_input"]
    assert index == {"string_find": [f"{fence}{text}{fence}", {"concat": [fence, {"get_input": "text"}, fence]}]}


@pytest.mark.parametrize(
    ("condition", "branches"),
    [
        ("{get_param: flag}", ["no", "yes"]),
        ("{equals: [{get_param: flag}, true]}", ["no", "yes"]),
        ("{equals: [false, {get_param: flag}]}", ["yes", "no"]),
    ],
)
def test_a_boolean_is_an_index_by_itself(condition: str, branches: list[str]) -> None:
    result = chosen(condition)
    assert result.document["outputs"]["o"]["value"] == {"get_input": ["if_o", {"get_input": "flag"}]}
    assert result.document["inputs"]["if_o"]["default"] == branches


def test_two_texts_are_compared_between_a_separator_that_is_told() -> None:
    result = chosen("{equals: [{get_param: text}, {get_param: other}]}")
    assert codes(result) == {"BPC223", FENCED}
    assert "between '|': the values" in next(one.message for one in result.diagnostics if one.code == FENCED)
    back = topology_of(result.document)
    texts = ("", "a", "ab", "b", "a#b", "b#a")
    for text, other in itertools.product(texts, texts):
        found = computed(back.outputs["o"].value, back, {"text": text, "other": other})
        assert found == ("yes" if text == other else "no")


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("{equals: [{get_param: flag}, 'true']}", "no"),
        ("{equals: [3, {get_param: text}]}", "no"),
        ("{equals: [{get_param: flag}, 2]}", "no"),
        ("{equals: [{get_param: names}, {}]}", "no"),
        ("{equals: [{get_param: [names, 0]}, 1]}", "no"),
        ("{equals: [{get_param: data}, x]}", "no"),
        ("{equals: [{get_param: text}, {get_param: size}]}", "no"),
        ("{not: {equals: [{get_param: flag}, x]}}", "yes"),
        ("{contains: [{get_param: text}, []]}", "no"),
        ("{and: [{equals: [{get_param: text}, a]}, {equals: [{get_param: flag}, x]}]}", "no"),
        ("{or: [{equals: [{get_param: text}, a]}, {not: {equals: [{get_param: flag}, x]}}]}", "yes"),
        ("{or: [{equals: [{get_param: size}, a]}, {equals: [{get_param: flag}, x]}]}", "no"),
        ("{not: {or: [{equals: [{get_param: size}, a]}, {equals: [{get_param: flag}, x]}]}}", "yes"),
        ("{and: [{not: {equals: [{get_param: size}, a]}}, {not: {equals: [{get_param: flag}, x]}}]}", "yes"),
    ],
)
def test_what_holds_never_or_always_needs_no_choice(condition: str, value: str) -> None:
    result = chosen(condition)
    assert result.document["outputs"]["o"]["value"] == value
    assert codes(result) == {"BPC222"}
    check_same(result, condition)


@pytest.mark.parametrize(
    "condition",
    [
        "{not: {equals: [{get_param: flag}, x]}}",
        "{or: [{get_param: ha}, {not: {equals: [{get_param: flag}, x]}}]}",
        "always",
        "{and: [always, {not: {not: always}}]}",
    ],
)
def test_nothing_is_said_of_a_branch_that_is_never_taken(condition: str) -> None:
    more = "conditions: {always: {not: {equals: [{get_param: flag}, x]}}}\n"
    result = chosen(condition, more, branches="a, {digest: [md5, {get_param: text}]}")
    assert result.document["outputs"]["o"]["value"] == "a"
    assert codes(result) == {"BPC222"}


def test_part_of_a_condition_that_holds_never_or_always_is_left_out() -> None:
    never, open_ = "{equals: [{get_param: flag}, x]}", "{equals: [{get_param: text}, a]}"
    for condition in (f"{{or: [{never}, {open_}]}}", f"{{and: [{open_}, {{not: {never}}}]}}"):
        result = chosen(condition)
        assert result.document["inputs"]["if_o"]["default"] == ["yes", "no"]
        assert "'flag'" not in str(result.document["outputs"])
        check_same(result, condition)


def test_named_conditions_are_what_they_mean() -> None:
    more = (
        "conditions:\n"
        "  never: {equals: [{get_param: flag}, x]}\n"
        "  prod: {equals: [{get_param: text}, prod]}\n"
        "  both: {and: [prod, {not: never}, {get_param: flag}]}\n"
    )
    result = chosen("never", more)
    assert result.document["outputs"]["o"]["value"] == "no"
    for name in ("both", "{not: both}", "{or: [both, prod]}"):
        check_same(chosen(name, more), name, more)


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("{equals: [{get_param: data}, {a: 1}]}", "compares maps, whose text form depends on the order of keys"),
        ("{equals: [{get_param: data}, {get_param: data}]}", "compares maps"),
        ("{equals: [{get_param: names}, {get_param: data}]}", "compares maps"),
        ("{equals: [{get_param: size}, {get_param: flag}]}", "compares values of different types"),
        ("{equals: [{get_param: [data, n]}, {a: 1}]}", "compares maps"),
        ("{not: {equals: [x]}}", "Heat refuses the condition"),
        ("{and: [{get_param: flag}, 5]}", "5 is no condition"),
        ("{get_param: text}", "is not decided by comparing inputs"),
        ("{contains: [{get_param: text}, {get_param: names}]}", "is not decided by comparing inputs"),
        ("round", "condition 'round' refers to itself"),
        ("{not: to}", "condition 'to' refers to itself"),
        ("wheel", "condition 'wheel' refers to itself"),
    ],
)
def test_what_cannot_be_compared_is_not_written(condition: str, why: str) -> None:
    more = "conditions: {round: {or: [{get_param: flag}, to]}, to: {and: [round, {get_param: ha}]},"
    more += " wheel: {or: [{get_param: flag}, rim]}, rim: {and: [{not: wheel}, {get_param: ha}]}}\n"
    result = chosen(condition, more if "refers" in why else "")
    assert str(result.document["outputs"]["o"]["value"]).startswith("not converted: ")
    assert not any(name.startswith("if_") for name in result.document["inputs"])
    assert any(why in one.message for one in result.diagnostics if one.code == "BPC202")


def test_what_is_known_when_deploying_is_compared_then() -> None:
    condition = "{equals: [{get_param: 'OS::stack_id'}, x]}"
    result = convert(f"{HEAD}outputs: {{o: {{value: {{if: [{condition}, 1, 2]}}}}}}\n", carry=False)
    assert result.document["outputs"]["o"]["value"] == {"get_attribute": ["o", "result"]}
    why = "the condition compares a value that is only known at run time"
    told = [one.message for one in result.diagnostics if one.code == "BPC215"]
    assert told == [f"computed when deploying by the script of node 'o': {why}"]


def test_a_condition_that_is_too_deep_is_told() -> None:
    steps = "".join(f"  c{number}: {{and: [{{get_param: flag}}, c{number + 1}]}}\n" for number in range(400))
    net = "resources: {net: {type: OS::Neutron::Net, condition: c0}}\n"
    result = convert(f"{HEAD}conditions:\n{steps}  c400: {{get_param: ha}}\n{net}")
    assert [one.message for one in result.diagnostics if one.code == "BPC401"] == [
        "'net' is created always: the condition is nested too deeply"
    ]


def test_branches_that_are_the_same_are_no_choice() -> None:
    assert chosen("{get_param: flag}", branches="x, x").document["outputs"]["o"]["value"] == "x"
    result = chosen("{get_param: flag}", branches="1, true")
    assert result.document["inputs"]["if_o"]["default"] == [True, 1]
    check_same(result, "{get_param: flag}", branches="1, true")


def with_resource(type: str, **properties: str) -> Result:
    """A template with the one resource ``r``."""
    given = ", ".join(f"{name}: {value}" for name, value in properties.items())
    return convert(f"{HEAD}resources: {{r: {{type: {type}, properties: {{{given}}}}}}}\n", carry=False)


def sent(result: Result, **given: Any) -> Any:
    """What the plugin is given as the configuration of the resource."""
    back = topology_of(result.document)
    return computed(back.nodes["r"].properties["resource_config"], back, given)


GOLD = "5a1b7c9e-0f3d-4c57-9e55-0d7a2c1f4b6d"


def test_properties_that_a_condition_removes_are_not_sent() -> None:
    result = with_resource(
        "OS::Neutron::Net", name="{if: [{get_param: flag}, front]}", shared="true", qos_policy=GOLD,
        dns_domain="{if: [{equals: [{get_param: text}, a]}, a.,"
        " {if: [{get_param: ha}, {if: [{get_param: flag}, b.]}, null]}]}",
        port_security_enabled="{if: [{get_param: ha}, false]}",
    )  # fmt: skip
    for text, flag, ha in itertools.product(("a", "x"), (True, False), (True, False)):
        kwargs: dict[str, Any] = {"shared": True, "qos_policy_id": GOLD}
        if text == "a":
            kwargs["dns_domain"] = "a."
        elif ha and flag:
            kwargs["dns_domain"] = "b."
        if ha:
            kwargs["port_security_enabled"] = False
        expected = {"name": "front" if flag else "", "kwargs": kwargs}
        assert sent(result, text=text, flag=flag, ha=ha) == expected
    inner = ("resources", "r", "properties", "dns_domain", "if", 2)
    assert inner in [one.path for one in result.diagnostics if one.code == "BPC223"]
    told = {one.path[3]: one.message for one in result.diagnostics if "merge" in one.message}
    assert set(told) == {"name", "dns_domain", "port_security_enabled"}
    assert set(told.values()) == {"'if' is written as 'merge' of the map with a map that a condition picks"}


def test_a_map_of_nothing_else_needs_no_merge() -> None:
    alone = with_resource("OS::Neutron::Net", name="n", shared="{if: [{get_param: flag}, true]}")
    written = alone.document["node_templates"]["r"]["properties"]["resource_config"]
    assert written["kwargs"] == {"get_input": ["if_r_shared", {"get_input": "flag"}]}
    assert sent(alone, flag=True) == {"name": "n", "kwargs": {"shared": True}}
    assert sent(alone, flag=False) == {"name": "n", "kwargs": {}}
    two = with_resource(
        "OS::Neutron::Net", shared="{if: [{get_param: flag}, true]}", dns_domain="{if: [{get_param: ha}, a.]}"
    )
    assert sent(two, flag=True, ha=False)["kwargs"] == {"shared": True}
    assert sent(two, flag=True, ha=True)["kwargs"] == {"shared": True, "dns_domain": "a."}


def test_what_has_a_default_gets_that_in_place_of_nothing() -> None:
    nested = "{if: [{get_param: flag}, 5, {if: [{get_param: ha}, 7]}]}"
    result = with_resource("OS::Nova::Flavor", ram="1", vcpus="1", disk=nested)
    given = itertools.product((True, False), (True, False))
    assert [sent(result, flag=flag, ha=ha)["disk"] for flag, ha in given] == [5, 5, 7, 0]


def test_a_property_beside_one_that_a_condition_removes_is_written_where_it_is_used() -> None:
    source = f"""{HEAD}resources:
  net: {{type: OS::Neutron::Net}}
  sub:
    type: OS::Neutron::Subnet
    properties: {{network: {{get_resource: net}}, cidr: 10.0.0.0/24, name: %s}}
outputs: {{o: {{value: {{get_attr: [sub, cidr]}}}}}}
"""
    found = [convert(source % name).document["outputs"]["o"]["value"] for name in ("n", "{if: [{get_param: ha}, n]}")]
    assert found == [{"get_property": ["sub", "resource_config", "cidr"]}, "10.0.0.0/24"]
