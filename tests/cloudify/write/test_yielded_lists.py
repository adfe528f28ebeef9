"""Lists of maps that a node computes in the form of the plugin."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import convert

HEAD = "heat_template_version: 2018-08-31\nparameters: {ports: {type: comma_delimited_list}}\nresources:\n"
REPEAT = "repeat: {for_each: {<p>: {get_param: ports}}, template: {port_range_min: <p>, port_range_max: <p>, MORE}}"


def group(rules: str, more: str) -> tuple[list[Any], dict[str, Any]]:
    """The codes of the warnings and of what is left out, and the call of the node that computes the rules."""
    properties = f"{{rules: {{{rules.replace('MORE', more)}}}}}"
    text = f"{HEAD}  g: {{type: OS::Neutron::SecurityGroup, properties: {properties}}}\n"
    result = convert(text, carry=False)
    node = result.document["node_templates"].get("g_rules", {})
    inputs = node.get("interfaces", {}).get("cloudify.interfaces.lifecycle", {}).get("create", {}).get("inputs", {})
    codes = sorted({item.code for item in result.diagnostics if item.severity != "info" or item.code == "BPC341"})
    return codes, inputs.get("call", {})


@pytest.mark.parametrize("rules", [REPEAT, f"list_concat: [[], {{{REPEAT}}}]", f"list_concat: [{{{REPEAT}}}, []]"])
def test_a_copied_rule_has_what_heat_sends_of_it(rules: str) -> None:
    """Without a mode, not the group: also beside an empty list."""
    codes, call = group(rules, "remote_group_id: x, remote_ip_prefix: 10.0.0.0/8")
    assert codes == ["BPC341"]
    assert "10.0.0.0/8" in str(call)
    assert "remote_group_id" not in str(call)


@pytest.mark.parametrize("more", ["remote_mode: remote_group_id", "nobody: 1"])
def test_a_rule_of_the_group_itself_or_with_an_unknown_key_is_asked_for(more: str) -> None:
    codes, call = group(REPEAT, more)
    assert call == {}
    assert {"BPC201", "BPC170"} & {*codes}
