"""Lists and maps in texts: Heat writes them as JSON, in versions that take them there."""

from __future__ import annotations

import pytest

from bpconvert.api import convert
from bpconvert.verification import verify

BODY = """
resources:
  flavor: {{type: OS::Nova::Flavor, properties: {{ram: 1, vcpus: 1}}}}
  value: {{type: OS::Heat::Value, properties: {{value: {call}}}}}
"""
SPECS = "{get_attr: [flavor, extra_specs]}"


@pytest.mark.parametrize(
    "call", [f"{{str_replace: {{template: a-b, params: {{a: {SPECS}}}}}}}", f"{{list_join: ['-', [a, {SPECS}]]}}"]
)
def test_texts_of_what_an_attribute_yields(call: str) -> None:
    source = "heat_template_version: 2015-10-15" + BODY.format(call=call)
    there = convert(source, "hot", "tosca", carry=False)
    assert all(row.is_reported for row in verify(source, there.text, reported=there.diagnostics).differences)
    back = convert(there.text, "tosca", "hot", carry=False)
    assert str(back.document["heat_template_version"]) == "2015-10-15"
    assert verify(source, back.text).is_same


@pytest.mark.parametrize(
    "call", ["{str_replace: {template: a-b, params: {a: {get_attr: [flavor, name]}}}}", "{list_join: ['-', [a, b]]}"]
)
def test_mere_texts_need_no_later_version(call: str) -> None:
    there = convert("heat_template_version: 2018-08-31" + BODY.format(call=call), "hot", "tosca", carry=False)
    back = convert(there.text, "tosca", "hot", carry=False)
    assert str(back.document["heat_template_version"]) < "2015-10-15"


def test_an_empty_text_is_a_value() -> None:
    source = (
        "heat_template_version: 2018-08-31\nresources:\n  value: {type: OS::Heat::Value, properties: {value: ''}}\n"
    )
    back = convert(convert(source, "hot", "cloudify", carry=False).text, "cloudify", "hot", carry=False)
    assert back.document["resources"]["value"]["properties"] == {"value": ""}
    assert "BPC397" not in {finding.code for finding in back.diagnostics}
