"""Scaling policies made at random mean the same after a conversion there and back, without the kept source."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpconvert import roundtrip
from bpconvert.verification import verify

_TYPES = {
    "example.policies.Scaling": {
        "derived_from": "tosca.policies.Scaling",
        "properties": {
            name: {"type": "integer", "required": False}
            for name in ("min_instances", "max_instances", "default_instances", "increment", "cooldown")
        },
    },
    "example.policies.Watching": {"derived_from": "tosca.policies.Root"},
}
_USUAL = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)


@st.composite
def _sizes(draw: st.DrawFn) -> tuple[int, int, int]:
    """Least, first and greatest number."""
    least = draw(st.integers(0, 2))
    count = draw(st.integers(least, 3))
    return least, count, draw(st.integers(max(count, 1), 4))


@st.composite
def service_templates(draw: st.DrawFn) -> dict[str, Any]:
    """Machines of which policies give the numbers, and alarms that some triggers are."""
    machines = {f"vm{number}": {"type": "tosca.nodes.Compute"} for number in range(draw(st.integers(1, 4)))}
    left, policies = list(machines), []
    while left and len(policies) < 3:
        targets = [left.pop(0) for _ in range(draw(st.integers(1, min(2, len(left)))))]
        least, count, most = draw(_sizes())
        numbers = {"min_instances": least, "max_instances": most, "default_instances": count}
        numbers |= {"increment": draw(st.integers(1, 3))} if draw(st.booleans()) else {}
        numbers |= {"cooldown": draw(st.integers(0, 90))} if "increment" in numbers and draw(st.booleans()) else {}
        name = f"policy{len(policies)}"
        policies.append({name: {"type": "example.policies.Scaling", "properties": numbers, "targets": targets}})
        if "increment" in numbers and draw(st.booleans()):
            sign = draw(st.sampled_from(["gt", "lt"]))
            watched = {"threshold": draw(st.integers(1, 99)), "comparison_operator": sign, "granularity": 300}
            trigger = {"meter_name": "cpu_util", "condition": watched, "action": [name]}
            triggers = {f"busy{len(policies)}": trigger}
            policies.append({f"watch{len(policies)}": {"type": "example.policies.Watching", "triggers": triggers}})
    body = {"node_templates": machines, "policies": policies}
    return {
        "tosca_definitions_version": "tosca_simple_yaml_1_3",
        "policy_types": _TYPES,
        "topology_template": body,
    }


@st.composite
def templates(draw: st.DrawFn) -> dict[str, Any]:
    """A group of Heat with policies, some of which an output refers to."""
    least, count, most = draw(_sizes())
    member = {"type": "OS::Cinder::Volume", "properties": {"size": 1}}
    sizes = {"min_size": max(least, 1), "desired_capacity": max(count, 1), "max_size": most}
    resources: dict[str, Any] = {
        "web": {"type": "OS::Heat::AutoScalingGroup", "properties": {**sizes, "resource": member}}
    }
    outputs = {}
    for number in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(["grow", "scale", "more"])) + str(number)
        by = draw(st.integers(-3, 3).filter(bool))
        row = {"auto_scaling_group_id": {"get_resource": "web"}, "scaling_adjustment": by}
        row["adjustment_type"] = draw(st.sampled_from(["change_in_capacity"] * 3 + ["exact_capacity"]))
        row |= {"cooldown": draw(st.integers(0, 90))} if draw(st.booleans()) else {}
        resources[name] = {"type": "OS::Heat::ScalingPolicy", "properties": row}
        if draw(st.booleans()) and number:
            outputs[f"url{number}"] = {"value": {"list_join": [" ", [{"get_resource": name}, "url"]]}}
    template: dict[str, Any] = {"heat_template_version": "2018-08-31", "resources": resources}
    return template | ({"outputs": outputs} if outputs else {})


def _differences(source: dict[str, Any], via: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        first, second = (Path(folder) / f"{name}.yaml" for name in ("source", "result"))
        first.write_text(yaml.safe_dump(source, sort_keys=False), "utf-8")
        trip = roundtrip(first, via, carry=False)
        second.write_text(trip.back.text, "utf-8")
        for name, text in {**trip.there.files, **trip.back.files}.items():
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / name).write_text(text, "utf-8")
        return [f"{one.what}: {one.first} -> {one.second}" for one in verify(first, second, draws=1).differences]


@_USUAL
@given(service_templates())
def test_policies_of_tosca_come_back_from_a_blueprint(source: dict[str, Any]) -> None:
    assert _differences(source, "cloudify") == []


@_USUAL
@given(templates())
def test_policies_of_heat_come_back_from_a_blueprint(source: dict[str, Any]) -> None:
    assert _differences(source, "cloudify") == []


def test_names_of_workflows_that_there_are_stay_stand_ins() -> None:
    row = {"auto_scaling_group_id": {"get_resource": "web"}, "adjustment_type": "change_in_capacity"}
    member = {"type": "OS::Cinder::Volume", "properties": {"size": 1}}
    group = {"type": "OS::Heat::AutoScalingGroup", "properties": {"min_size": 1, "max_size": 3, "resource": member}}
    policy = {"type": "OS::Heat::ScalingPolicy", "properties": {**row, "scaling_adjustment": 1}}
    source = {"heat_template_version": "2018-08-31", "resources": {"web": group, "install": policy}}
    assert _differences(source, "cloudify") == []
