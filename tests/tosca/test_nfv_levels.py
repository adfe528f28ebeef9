"""Aspects, steps and levels of network functions one by one: the numbers that they give, and what is reported."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_2
topology_template:
  inputs: {n: {type: integer, default: 1}%s}
"""
NFV = "tosca.policies.nfv."


def machine(name: str, least: Any = 1, most: Any = 9) -> str:
    profile = f"vdu_profile: {{min_number_of_instances: {least}, max_number_of_instances: {most}}}"
    properties = f"{{name: {name}, flavor: f, image: i, {profile}}}"
    return f"    {name}: {{type: tosca.nodes.nfv.Vdu.Compute, properties: {properties}}}\n"


def policy(name: str, type: str, properties: str, targets: str = "") -> str:
    return f"    - {name}: {{type: {NFV}{type}, properties: {{{properties}}}, targets: [{targets}]}}\n"


def aspect(most: Any = 2, steps: str = ", step_deltas: [d]", name: str = "more") -> str:
    return policy(f"{name}_aspects", "ScalingAspects", f"aspects: {{{name}: {{max_scale_level: {most}{steps}}}}}")


def initial(number: Any, targets: str) -> str:
    delta = f"initial_delta: {{number_of_instances: {number}}}"
    return policy(f"first_{targets.replace(', ', '_')}", "VduInitialDelta", delta, targets)


def deltas(rows: str, targets: str, aspect: str = "more") -> str:
    name = f"{aspect}_of_{targets.replace(', ', '_')}"
    return policy(name, "VduScalingAspectDeltas", f"aspect: {aspect}, deltas: {{{rows}}}", targets)


def delta(number: Any, name: str = "d") -> str:
    return f"{name}: {{number_of_instances: {number}}}"


def scale_levels(rows: str, default: str = "") -> str:
    return policy(
        "levels", "InstantiationLevels", f"levels: {{{rows}}}" + (f", default_level: {default}" if default else "")
    )


def level(name: str, number: Any, aspect: str = "more") -> str:
    return f"{name}: {{scale_info: {{{aspect}: {{scale_level: {number}}}}}}}"


def numbers(rows: str, targets: str = "vm") -> str:
    return policy(f"levels_of_{targets}", "VduInstantiationLevels", f"levels: {{{rows}}}", targets)


def made(policies: str, nodes: str = "", more: str = "", **options: Any) -> Result:
    text = f"{HEAD % more}  node_templates:\n{nodes or machine('vm')}  policies:\n{policies}"
    return convert(text, "tosca", "hot", carry=False, **options)


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def sizes(result: Result, name: str = "vm") -> Any:
    """Least, greatest and first number of a group that scales, the number of another group, or 1."""
    properties = result.document["resources"][name]["properties"]
    names = ("min_size", "max_size", "desired_capacity")
    return [properties[key] for key in names] if "min_size" in properties else properties.get("count", 1)


def place(number: int, *steps: Any) -> tuple[Any, ...]:
    return ("policies", number, *steps)


# -- aspects and their steps ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "rows", "wanted"),
    [
        (", step_deltas: [d]", delta(3), [1, 7, 1]),
        ("", delta(3), [1, 7, 1]),
        (", step_deltas: []", f"{delta(3)}, {delta(9, 'e')}", [1, 7, 1]),
        (", step_deltas: [d, e]", f"{delta(3)}, {delta(1, 'e')}", [1, 5, 1]),
        (", step_deltas: [d, d]", delta(3), [1, 7, 1]),
        (", step_deltas: [d, [e]]", delta(3), [1, 7, 1]),
    ],
)
def test_each_step_adds_its_delta(steps: str, rows: str, wanted: list[int]) -> None:
    result = made(aspect(2, steps) + initial(1, "vm") + deltas(rows, "vm"))
    assert sizes(result) == wanted
    assert not reported(result, "BPC835")
    differ = "[d, e]" in steps
    assert ("more_scale_out" in result.document["resources"]) is not differ
    assert len(reported(result, "BPC890")) == differ


def test_steps_of_different_sizes_are_reported() -> None:
    rows = f"{delta(3)}, {delta(1, 'e')}"
    result = made(
        aspect(2, ", step_deltas: [d, e]") + initial(1, "a, b") + deltas(rows, "a, b"), machine("a") + machine("b")
    )
    (found,) = reported(result, "BPC890")
    assert found.path == place(2, "more_of_a_b")
    assert found.message == "the steps of aspect 'more' have different sizes: no policy scales a, b"


@pytest.mark.parametrize(
    "row",
    ["max_scale_level: 2, step_deltas: [d, d, d]", "max_scale_level: many, step_deltas: [d]", "step_deltas: [d]",
     "max_scale_level: -1, step_deltas: [d]", "max_scale_level: true, step_deltas: [d]"],
)  # fmt: skip
def test_an_aspect_without_a_step_for_each_level_is_none(row: str) -> None:
    aspects = policy("aspects", "ScalingAspects", f"aspects: {{more: {{{row}}}}}")
    result = made(aspects + initial(1, "vm") + deltas(delta(1), "vm"))
    assert sizes(result) == 1
    assert {one.path: one.message.rpartition(": ")[2] for one in reported(result, "BPC835")} == {
        place(0, "aspects"): "nothing is scaled by its aspects",
        place(2, "more_of_vm"): "there is no aspect 'more' with its steps",
    }


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (delta(1, "e"), "it has no delta 'd', by which aspect 'more' is scaled"),
        (delta("{get_input: n}"), "its numbers are computed"),
        (f"{delta(1)}, {delta('-1', 'e')}", "its numbers are computed"),
        ("d: 1", "its numbers are computed"),
    ],
)
def test_deltas_without_a_number_for_each_step_are_reported(rows: str, why: str) -> None:
    result = made(aspect(2, ", step_deltas: [d, e]" if "e:" in rows and "d:" in rows else ", step_deltas: [d]")
                  + deltas(rows, "vm"))  # fmt: skip
    found = {one.path: one.message.rpartition(": ")[2] for one in reported(result, "BPC835")}
    assert found == {place(0, "more_aspects"): "nothing is scaled by its aspects", place(1, "more_of_vm"): why}


def test_deltas_of_an_aspect_without_any_are_reported() -> None:
    result = made(aspect(2, "") + deltas("", "vm"))
    assert reported(result, "BPC835")[1].message.endswith(": it has no delta '', by which aspect 'more' is scaled")


@pytest.mark.parametrize(("profile", "least"), [((3, 9), 3), (("few", 9), 1)])
def test_without_an_initial_delta_there_are_as_few_as_the_profile_allows(profile: tuple[Any, int], least: int) -> None:
    result = made(aspect() + deltas(delta(1), "vm"), machine("vm", *profile))
    assert sizes(result) == [least, least + 2, least]


OTHERS = """\
    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
    there: {type: tosca.nodes.Compute, attributes: {private_address: 192.0.2.1}}
"""


@pytest.mark.parametrize("targets", ["net", "there", "nothing", "net, there"])
def test_only_machines_that_are_made_have_numbers(targets: str) -> None:
    result = made(initial(3, targets), OTHERS)
    (found,) = reported(result, "BPC835")
    assert found.message.endswith(": none of its targets is a machine that the template creates")


def test_of_all_targets_the_machines_have_the_number() -> None:
    result = made(initial(3, "net, vm, nothing"), OTHERS + machine("vm"))
    assert sizes(result) == 3
    assert not reported(result, "BPC835")


def test_two_aspects_add_to_each_other() -> None:
    policies = aspect() + aspect(3, name="other") + initial(1, "vm")
    policies += deltas(delta(1), "vm") + deltas(delta(2), "vm", "other")
    result = made(policies)
    assert sizes(result, "vm_group" if "vm_group" in result.document["resources"] else "vm") == [1, 9, 1]
    steps = {name: row["properties"]["scaling_adjustment"] for name, row in result.document["resources"].items()
             if row["type"] == "OS::Heat::ScalingPolicy"}  # fmt: skip
    assert steps == {"more_scale_out": 1, "more_scale_in": -1, "other_scale_out": 2, "other_scale_in": -2}


def test_steps_of_nothing_are_no_policies() -> None:
    result = made(aspect() + initial(2, "vm") + deltas(delta(0), "vm"))
    assert sizes(result) == 2
    assert list(result.document["resources"]) == ["vm"]


def test_machines_that_are_scaled_apart_are_reported_once() -> None:
    nodes = machine("a") + machine("b") + machine("c")
    policies = aspect() + initial(1, "a, b") + initial(2, "c") + deltas(delta(1), "a, b, c")
    result = made(policies, nodes)
    (found,) = reported(result, "BPC889")
    assert (found.path, "'more'" in found.message, "a, b, c" in found.message) == (
        place(3, "more_of_a_b_c"),
        True,
        True,
    )
    names = {name for name, row in result.document["resources"].items() if row["type"] == "OS::Heat::ScalingPolicy"}
    assert names == {f"more_{name}_scale_{way}" for name in "ac" for way in ("in", "out")}


def test_a_machine_that_is_one_is_no_group() -> None:
    policies = initial(1, "a") + initial(2, "b")
    found = made(policies, machine("a") + machine("b")).document["resources"]
    assert {name: row["type"] for name, row in found.items()} == {
        "a": "OS::Nova::Server",
        "b": "OS::Heat::ResourceGroup",
    }


def test_a_group_is_not_called_as_a_node_is() -> None:
    nodes = machine("more") + machine("b")
    result = made(aspect() + initial(1, "more, b") + deltas(delta(1), "more, b"), nodes)
    assert sizes(result, "more_group") == [1, 3, 1]


# -- numbers that contradict each other -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "number", "words"),
    [((2, 2), 3, ("2", "3")), ((2, 4), 1, ("2 to 4", "1")), ((3, 3), 3, None), ((1, 3), 3, None), ((3, 5), 3, None)],
)
def test_policies_go_before_the_profile(profile: tuple[int, int], number: int, words: tuple[str, str] | None) -> None:
    result = made(initial(number, "vm"), machine("vm", *profile))
    assert sizes(result) == number
    found = reported(result, "BPC888")
    assert [one.path for one in found] == ([place(0, "first_vm")] if words else [])
    given, wanted = words or ("", "")
    message = f"its profile gives {given} of 'vm', and its policies {wanted}: there are {wanted}"
    assert all(one.message == message for one in found)


@pytest.mark.parametrize(("number", "wanted", "count"), [(2, 3, 0), (3, 3, 1), (0, 1, 0)])
def test_a_level_is_within_the_limits(number: int, wanted: int, count: int) -> None:
    """The greatest scale level is 2, so that there are at most three."""
    policies = aspect() + initial(1, "vm") + deltas(delta(1), "vm") + scale_levels(level("high", number))
    result = made(policies)
    assert sizes(result) == [1, 3, wanted]
    found = reported(result, "BPC888")
    assert [one.path for one in found] == [place(2, "more_of_vm")] * count
    message = "level 'high' gives 4 of 'vm', and its scaling aspects 3: there are 3"
    assert all(one.message == message for one in found)


# -- levels ---------------------------------------------------------------------------------------------------

SCALED = aspect() + initial(1, "vm") + deltas(delta(1), "vm")
CHOSEN = {"equals": [{"get_param": "instantiation_level"}, "low"]}


@pytest.mark.parametrize(
    ("default", "wanted", "usual"),
    [
        ("", {"if": [{"equals": [{"get_param": "instantiation_level"}, "high"]}, 3, 1]}, "low"),
        ("high", {"if": [CHOSEN, 1, 3]}, "high"),
        ("unknown", {"if": [{"equals": [{"get_param": "instantiation_level"}, "high"]}, 3, 1]}, "low"),
        ("[high]", {"if": [{"equals": [{"get_param": "instantiation_level"}, "high"]}, 3, 1]}, "low"),
    ],
)
def test_an_input_takes_the_level(default: str, wanted: Any, usual: str) -> None:
    result = made(SCALED + scale_levels(f"{level('low', 0)}, {level('high', 2)}", default))
    assert sizes(result) == [1, 3, wanted]
    assert result.document["parameters"]["instantiation_level"] == {
        "type": "string", "description": "level to begin with", "default": usual,
        "constraints": [{"allowed_values": ["low", "high"]}],
    }  # fmt: skip
    (found,) = reported(result, "BPC891")
    assert (found.path, "low, high" in found.message) == (place(3, "levels"), True)
    assert "'instantiation_level'" in found.message


def test_levels_with_the_same_number_are_one_branch() -> None:
    rows = f"{level('a', 1)}, {level('b', 2)}, {level('c', 1)}"
    result = made(SCALED + scale_levels(rows))
    assert "default" not in result.document["parameters"]["instantiation_level"]
    chosen = {"equals": [{"get_param": "instantiation_level"}, "b"]}
    assert sizes(result) == [1, 3, {"if": [chosen, 3, 2]}]


def test_levels_of_one_number_choose_nothing() -> None:
    result = made(SCALED + scale_levels(f"{level('low', 1)}, {level('high', 1)}"))
    assert sizes(result) == [1, 3, 2]
    assert "instantiation_level" not in result.document["parameters"]


def test_the_input_has_a_name_of_its_own() -> None:
    policies = SCALED + scale_levels(f"{level('low', 0)}, {level('high', 2)}", "low")
    result = made(policies, more=", instantiation_level: {type: string, default: x}")
    assert result.document["parameters"]["instantiation_level_2"]["description"] == "level to begin with"


def test_a_level_chooses_for_the_machines_that_it_is_about() -> None:
    nodes = machine("vm") + machine("other")
    policies = SCALED + initial(2, "other") + scale_levels(f"{level('low', 0)}, {level('high', 2)}", "high")
    result = made(policies, nodes)
    assert sizes(result) == [1, 3, {"if": [CHOSEN, 1, 3]}]
    assert sizes(result, "other") == 2


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("low: {number_of_instances: 2}, high: {number_of_instances: 4}", {"if": [CHOSEN, 2, 4]}),
        ("low: {number_of_instances: 4}", 4),
        ("low: {number_of_instances: 4}, high: {number_of_instances: 4}", 4),
    ],
)
def test_a_machine_has_its_own_numbers_at_the_levels(rows: str, wanted: Any) -> None:
    result = made(initial(1, "vm") + numbers(rows))
    assert sizes(result) == wanted
    assert not reported(result, "BPC835") + reported(result, "BPC888")


def test_levels_that_machines_alone_have_are_those_of_the_input() -> None:
    nodes = machine("vm") + machine("other")
    policies = initial(1, "vm, other") + numbers(f"{delta(2, 'low')}, {delta(4, 'high')}")
    policies += numbers(f"{delta(3, 'low')}, {delta(5, 'high')}", "other")
    result = made(policies, nodes)
    constraints = result.document["parameters"]["instantiation_level"]["constraints"]
    assert constraints == [{"allowed_values": ["low", "high"]}]
    assert [sizes(result, name) for name in ("vm", "other")] == [{"if": [CHOSEN, 2, 4]}, {"if": [CHOSEN, 3, 5]}]
    (found,) = reported(result, "BPC891")
    assert found.path == place(2, "levels_of_other")


def test_as_many_steps_are_added_as_a_level_has() -> None:
    rows = f"{delta(1)}, {delta(2, 'e')}, {delta(4, 'f')}"
    policies = aspect(3, ", step_deltas: [d, e, f]") + initial(1, "vm") + deltas(rows, "vm")
    assert [sizes(made(policies + scale_levels(level("a", number))))[2] for number in range(4)] == [1, 2, 4, 8]


def test_the_levels_of_the_function_are_those_that_count() -> None:
    rows = "low: {number_of_instances: 2}, other: {number_of_instances: 9}"
    result = made(SCALED + scale_levels(level("low", 0)) + numbers(rows))
    assert sizes(result) == [1, 3, 2]


@pytest.mark.parametrize(
    ("rows", "targets", "why"),
    [
        ("low: {number_of_instances: {get_input: n}}", "vm", "its numbers are computed"),
        ("low: 1", "vm", "its numbers are computed"),
        ("low: {number_of_instances: 1}", "nothing", "none of its targets is a machine that the template creates"),
    ],
)
def test_numbers_at_levels_without_an_effect_are_reported(rows: str, targets: str, why: str) -> None:
    (found,) = reported(made(numbers(rows, targets)), "BPC835")
    assert (found.path[:2], found.message.endswith(f": {why}")) == (place(0), True)


def test_what_is_for_readers_is_reported_as_that() -> None:
    aspects = "aspects: {more: {name: More, description: of them, max_scale_level: 2, step_deltas: [d]}}"
    rows = "low: {description: few, scale_info: {more: {scale_level: 0}}}"
    policies = policy("aspects", "ScalingAspects", aspects) + deltas(delta(1), "vm") + scale_levels(rows)
    found = {one.path[2:]: one.message for one in reported(made(policies), "BPC147") if one.path[0] == "policies"}
    assert found == {
        ("aspects", "properties", "aspects", "more", "name"): "'name' of 'more' is not converted: it is for readers",
        ("aspects", "properties", "aspects", "more", "description"): (
            "'description' of 'more' is not converted: it is for readers"
        ),
        ("levels", "properties", "levels", "low", "description"): (
            "'description' of 'low' is not converted: it is for readers"
        ),
    }


def test_an_aspect_that_scales_nothing_is_reported_beside_one_that_does() -> None:
    rows = "more: {max_scale_level: 2, step_deltas: [d]}, idle: {name: Idle, max_scale_level: 2, step_deltas: [d]}"
    result = made(policy("aspects", "ScalingAspects", f"aspects: {{{rows}}}") + deltas(delta(1), "vm"))
    (found,) = [one for one in reported(result, "BPC810") if one.path[0] == "policies"]
    assert found.path == place(0, "aspects", "properties", "aspects", "idle")
    assert "'idle' of 'aspects'" in found.message
    assert found.message.endswith(": nothing is scaled by it")
    assert not reported(result, "BPC835")


# -- for Tacker -----------------------------------------------------------------------------------------------


def test_tacker_gives_the_number_of_each_machine() -> None:
    nodes = machine("a") + machine("b") + machine("c", 2, 2) + machine("single", 1, 1)
    policies = aspect() + initial(1, "a, b") + initial(2, "c") + deltas(delta(1), "a, b") + initial(1, "single")
    policies += scale_levels(f"{level('low', 0)}, {level('high', 2)}")
    result = made(policies, nodes, orchestrator="tacker")
    for name in "ab":
        number = {"get_param": ["nfv", "VDU", name, "desired_capacity"]}
        assert sizes(result, f"{name}_group") == [1, 3, number]
    assert sizes(result, "c_group") == 2
    assert result.document["resources"]["single"]["type"] == "OS::Nova::Server"
    assert "instantiation_level" not in result.document["parameters"]
