"""Rules of security groups, and gateways of routers, that conditions choose."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.verification import verify

INGRESS = "{direction: ingress, protocol: tcp}"
EGRESS = "{direction: egress, description: x}"
CHOSEN = f"{{if: [c, [{INGRESS}], [{EGRESS}]]}}"
DISABLE = "disable_default_egress_rules"


def template(rules: str) -> str:
    return f"""
heat_template_version: 2018-08-31
parameters: {{a: {{type: string, default: x}}, b: {{type: string, default: y}}}}
conditions:
  c: {{equals: [{{get_param: a}}, x]}}
  either: {{or: [c, {{equals: [{{get_param: b}}, x]}}]}}
resources:
  group: {{type: OS::Neutron::SecurityGroup, properties: {{rules: {rules}}}}}
"""


def converted(rules: str, **choices: Any) -> Result:
    return convert(template(rules), "hot", "cloudify", carry=False, **choices)


def written(result: Result) -> Any:
    return result.document["node_templates"]["group"]["properties"]


@pytest.mark.parametrize(
    "rules",
    [
        CHOSEN,
        f"{{if: [either, [{INGRESS}], [{EGRESS}]]}}",
        f"{{if: [c, [{EGRESS}], [{EGRESS}, {INGRESS}]]}}",
        f"{{if: [c, [{INGRESS}], []]}}",
        f"{{if: [c, [{EGRESS}], null]}}",
        "null",
    ],
)
def test_the_default_rules_stay_where_no_rule_takes_their_place(rules: str) -> None:
    """The plugin removes them when asked to, which depends on what is chosen."""
    result = converted(rules)
    compared = verify(template(rules), result.text, reported=result.diagnostics)
    assert [row.what for row in compared.differences if row.what.startswith("group.")] == []
    assert "BPC333" not in {row.code for row in result.diagnostics}


def test_what_is_always_so_is_no_choice() -> None:
    assert written(converted(f"{{if: [c, [{EGRESS}], [{EGRESS}, {INGRESS}]]}}"))[DISABLE] is True
    assert DISABLE not in written(converted(f"{{if: [c, [{INGRESS}], []]}}"))
    assert "get_input" in written(converted(CHOSEN))[DISABLE]


@pytest.mark.parametrize(
    "rules",
    [f"{{if: [c, [{{direction: {{get_param: a}}}}], [{EGRESS}]]}}", f"{{if: [c, {{get_param: b}}, [{EGRESS}]]}}"],
)
def test_a_direction_that_is_not_known_is_reported(rules: str) -> None:
    result = converted(rules)
    assert DISABLE not in written(result)
    assert "BPC333" in {row.code for row in result.diagnostics}


@pytest.mark.parametrize("rules", [CHOSEN, f"[{{if: [c, {INGRESS}, {EGRESS}]}}]"])
def test_the_second_generation_fills_in_nothing(rules: str) -> None:
    """It would take ``tcp`` and all ports for what a rule does not say."""
    inputs = converted(rules, plugin="v2").document["inputs"]
    chosen = inputs["if_group_rules"]["default"]
    first, second = (branch[0] if isinstance(branch, list) else branch for branch in chosen)
    ports = {"port_range_min": None, "port_range_max": None}
    assert first == {"direction": "ingress", "protocol": "tcp", "ethertype": "IPv4", **ports}
    assert second == {"direction": "egress", "description": "x", "ethertype": "IPv4", "protocol": None, **ports}


@pytest.mark.parametrize(
    ("gateway", "is_converted"),
    [
        ("{if: [c, {network: x}, {network: y}]}", True),
        ("{if: [c, {network: x, enable_snat: true}, {network: y, enable_snat: false}]}", True),
        ("{if: [c, {network: x}, {if: [either, {network: y}, {network: z}]}]}", True),
        ("{if: [c, {network: x}, null]}", False),
    ],
)
def test_a_gateway_that_a_condition_chooses(gateway: str, is_converted: bool) -> None:
    """Its network is ``external_network``, which the API does not know among the details of a gateway."""
    source = template("[]").replace(
        "group: {type: OS::Neutron::SecurityGroup, properties: {rules: []}}",
        f"group: {{type: OS::Neutron::Router, properties: {{external_gateway_info: {gateway}}}}}",
    )
    result = convert(source, "hot", "cloudify", carry=False)
    compared = verify(source, result.text, reported=result.diagnostics)
    assert {row.codes for row in compared.differences} == (set() if is_converted else {("BPC302",)})
    assert ("external_network" in result.text) is is_converted
