"""How many machines a network function has: deltas, scaling aspects, instantiation levels, profiles."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_2
topology_template:
  node_templates:
"""
MACHINE = """\
    {name}:
      type: tosca.nodes.nfv.Vdu.Compute
      properties:
        name: {name}
        image: i
        vdu_profile: {{min_number_of_instances: {least}, max_number_of_instances: {most}}}
      capabilities:
        virtual_compute:
          properties: {{virtual_memory: {{virtual_mem_size: 1 GB}}, virtual_cpu: {{num_virtual_cpu: 2}}}}
"""


def policy(type: str, properties: str, *targets: str) -> str:
    """One policy of a type of NFV."""
    name, named = "_".join((type, *targets)), ", ".join(targets)
    return f"    - {name}: {{type: tosca.policies.nfv.{type}, properties: {properties}, targets: [{named}]}}\n"


def aspect(name: str = "more", most: int = 2, steps: str = "[d]") -> str:
    row = f"{{max_scale_level: {most}, step_deltas: {steps}}}"
    return policy("ScalingAspects", f"{{aspects: {{{name}: {row}}}}}")


def initial(number: int | str, *targets: str) -> str:
    return policy("VduInitialDelta", f"{{initial_delta: {{number_of_instances: {number}}}}}", *targets)


def delta(number: int | str, *targets: str, aspect: str = "more", name: str = "d") -> str:
    row = f"{{{name}: {{number_of_instances: {number}}}}}"
    return policy("VduScalingAspectDeltas", f"{{aspect: {aspect}, deltas: {row}}}", *targets)


def levels(scales: str, default: str = "") -> str:
    usual = f", default_level: {default}" if default else ""
    return policy("InstantiationLevels", f"{{levels: {scales}{usual}}}")


def machine_levels(numbers: str, *targets: str) -> str:
    return policy("VduInstantiationLevels", f"{{levels: {numbers}}}", *targets)


def converted(
    policies: str, target: str = "hot", least: int = 1, most: int = 9, names: tuple[str, ...] = ("vm",)
) -> tuple[dict[str, Any], Conversion]:
    """The data of what machines with these policies become, and the whole conversion."""
    nodes = "".join(MACHINE.format(name=name, least=least, most=most) for name in names)
    made = convert(f"{HEAD}{nodes}  policies:\n{policies}", "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


def sizes(resource: dict[str, Any]) -> list[Any]:
    """Least, greatest and desired number of a group that scales."""
    assert resource["type"] == "OS::Heat::AutoScalingGroup"
    return [resource["properties"][key] for key in ("min_size", "max_size", "desired_capacity")]


def parameters(workflow: dict[str, Any]) -> tuple[str, int]:
    """What a workflow scales, and by how many."""
    found = {name: one["default"] for name, one in workflow["parameters"].items()}
    return found["scalable_entity_name"], found["delta"]


def codes(made: Conversion) -> list[str]:
    return [one.code for one in made.diagnostics]


def test_an_aspect_is_a_group_that_scales() -> None:
    policies = aspect() + initial(1, "vm") + delta(3, "vm")
    found, made = converted(policies)
    assert sizes(found["resources"]["vm"]) == [1, 7, 1]
    assert found["resources"]["more_scale_out"]["properties"] == {
        "auto_scaling_group_id": {"get_resource": "vm"},
        "adjustment_type": "change_in_capacity",
        "scaling_adjustment": 3,
    }
    assert found["resources"]["more_scale_in"]["properties"]["scaling_adjustment"] == -3
    assert not {"BPC835", "BPC888", "BPC889", "BPC890", "BPC891"} & set(codes(made))
    found, _ = converted(policies, "cloudify")
    assert found["policies"]["vm_scaling"]["properties"] == {
        "default_instances": 1, "min_instances": 1, "max_instances": 7,
    }  # fmt: skip


def test_machines_of_an_aspect_are_scaled_together() -> None:
    policies = aspect() + initial(1, "a", "b") + delta(1, "a", "b")
    found, made = converted(policies, names=("a", "b"))
    assert sizes(found["resources"]["more"]) == [1, 3, 1]
    nested = yaml.safe_load(made.files["more.yaml"])
    assert [name for name in nested["resources"] if name in ("a", "b")] == ["a", "b"]
    found, made = converted(policies, "cloudify", names=("a", "b"))
    assert found["groups"] == {"more_group": {"members": ["a", "b"]}}
    assert not any(name.startswith("more") for name in found["node_templates"])
    steps = {name: parameters(row) for name, row in found["workflows"].items()}
    assert steps == {"more_scale_out": ("more_group", 1), "more_scale_in": ("more_group", -1)}
    assert "BPC208" not in codes(made)


def test_machines_with_other_numbers_are_scaled_apart() -> None:
    found, made = converted(
        aspect() + initial(1, "a") + initial(2, "b") + delta(1, "a") + delta(2, "b"), names=("a", "b")
    )
    assert sizes(found["resources"]["a"]) == [1, 3, 1]
    assert sizes(found["resources"]["b"]) == [2, 6, 2]
    steps = [found["resources"][f"more_{name}_scale_out"]["properties"]["scaling_adjustment"] for name in ("a", "b")]
    assert steps == [1, 2]
    assert codes(made).count("BPC889") == 1


def test_steps_of_different_sizes_are_no_policy() -> None:
    deltas = "{x: {number_of_instances: 1}, y: {number_of_instances: 3}}"
    scaled = policy("VduScalingAspectDeltas", f"{{aspect: more, deltas: {deltas}}}", "vm")
    found, made = converted(aspect(steps="[x, y]") + initial(1, "vm") + scaled)
    assert sizes(found["resources"]["vm"]) == [1, 5, 1]
    assert not any("scale_out" in name for name in found["resources"])
    assert codes(made).count("BPC890") == 1


def test_a_level_is_chosen_by_an_input() -> None:
    policies = (
        aspect()
        + initial(1, "vm")
        + delta(1, "vm")
        + levels("{low: {scale_info: {more: {scale_level: 0}}}, high: {scale_info: {more: {scale_level: 2}}}}", "high")
    )
    found, made = converted(policies)
    assert found["parameters"]["instantiation_level"] == {
        "type": "string", "description": "level to begin with", "default": "high",
        "constraints": [{"allowed_values": ["low", "high"]}],
    }  # fmt: skip
    chosen = {"if": [{"equals": [{"get_param": "instantiation_level"}, "low"]}, 1, 3]}
    assert sizes(found["resources"]["vm"]) == [1, 3, chosen]
    assert codes(made).count("BPC891") == 1
    found, _ = converted(policies, "cloudify")
    number = found["policies"]["vm_scaling"]["properties"]["default_instances"]
    assert number["get_input"][0].startswith("if_")
    assert found["inputs"]["instantiation_level"]["default"] == "high"


def test_the_number_of_a_machine_at_a_level_counts_first() -> None:
    level = levels("{low: {scale_info: {more: {scale_level: 0}}}}")
    numbers = machine_levels("{low: {number_of_instances: 2}}", "vm")
    found, _ = converted(aspect() + initial(1, "vm") + delta(1, "vm") + level + numbers)
    assert sizes(found["resources"]["vm"]) == [1, 3, 2]
    assert "parameters" not in found


def test_without_a_usual_level_there_are_as_few_as_can_be() -> None:
    numbers = "{high: {number_of_instances: 3}, low: {number_of_instances: 1}}"
    found, _ = converted(aspect() + initial(1, "vm") + delta(1, "vm") + machine_levels(numbers, "vm"))
    assert found["parameters"]["instantiation_level"]["default"] == "low"
    numbers = numbers.replace("1", "2")
    found, _ = converted(aspect() + initial(1, "vm") + delta(1, "vm") + machine_levels(numbers, "vm"))
    assert "default" not in found["parameters"]["instantiation_level"]


def test_machines_that_no_aspect_scales_are_as_many_as_the_delta_gives() -> None:
    found, made = converted(initial(3, "vm"))
    assert found["resources"]["vm"]["properties"]["count"] == 3
    assert "BPC888" not in codes(made)
    found, _ = converted(initial(1, "vm"))
    assert found["resources"]["vm"]["type"] == "OS::Nova::Server"


def test_a_profile_gives_the_limits_where_no_policy_does() -> None:
    found, _ = converted("    []\n", least=2, most=5)
    assert sizes(found["resources"]["vm"]) == [2, 5, 2]
    found, _ = converted("    []\n", least=2, most=2)
    assert found["resources"]["vm"]["properties"]["count"] == 2
    found, _ = converted("    []\n", least=0, most=1)
    assert sizes(found["resources"]["vm"]) == [0, 1, 1]


@pytest.mark.parametrize(
    ("policies", "most"),
    [
        (aspect() + initial(1, "vm") + delta(1, "vm"), 2),
        (
            aspect() + initial(1, "vm") + delta(1, "vm") + levels("{low: {scale_info: {more: {scale_level: 9}}}}"),
            9,
        ),
    ],
)
def test_numbers_that_contradict_each_other_are_reported(policies: str, most: int) -> None:
    found, made = converted(policies, most=most)
    assert sizes(found["resources"]["vm"])[:2] == [1, 3]
    assert sizes(found["resources"]["vm"])[2] <= 3
    assert codes(made).count("BPC888") == 1


@pytest.mark.parametrize(
    ("policies", "why"),
    [
        (delta(1, "vm"), "there is no aspect 'more' with its steps"),
        (aspect() + delta(1, "vm", name="e"), "it has no delta 'd', by which aspect 'more' is scaled"),
        (aspect() + delta("{get_input: n}", "vm"), "its numbers are computed"),
        (initial("{get_input: n}", "vm"), "its numbers are computed"),
        (aspect() + delta(1, "vm", name="e"), "nothing is scaled by its aspects"),
        (initial(1), "none of its targets is a machine that the template creates"),
    ],
)
def test_policies_without_an_effect_are_reported(policies: str, why: str) -> None:
    made = convert(
        HEAD.replace("  node", "  inputs: {n: {type: integer}}\n  node")
        + MACHINE.format(name="vm", least=1, most=1)
        + f"  policies:\n{policies}",
        "tosca",
        "hot",
        carry=False,
    )
    assert any(one.message.endswith(why) for one in made.diagnostics if one.code == "BPC835")


def test_an_aspect_that_scales_nothing_is_reported() -> None:
    both = aspect().replace("aspects: {", "aspects: {other: {max_scale_level: 1, step_deltas: [d]}, ")
    _, made = converted(both + initial(1, "vm") + delta(1, "vm"))
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC810"] == ["other"]


def test_what_informs_people_about_aspects_and_levels_is_told() -> None:
    row = "{name: More, description: of them, max_scale_level: 2, step_deltas: [d]}"
    policies = policy("ScalingAspects", f"{{aspects: {{more: {row}}}}}") + initial(1, "vm") + delta(3, "vm")
    policies += levels("{big: {description: large, scale_info: {more: {scale_level: 1}}}}")
    _, made = converted(policies)
    told = {
        one.path[-2:]: one.message for one in made.diagnostics if one.code == "BPC147" and one.path[0] == "policies"
    }
    assert set(told) == {("more", "name"), ("more", "description"), ("big", "description")}
    assert told["more", "name"].startswith("'name' of 'more'")
    assert "it is for readers" in told["big", "description"]
