"""Service templates without the record: values of Heat that their metadata keeps, and what is in their places."""

from __future__ import annotations

import pytest

from bpconvert import convert, verify

HEAD = "heat_template_version: 2018-08-31\n"
#: computed by a node, asked for as an input
VALUES = """\
parameters: {p: {type: string, default: 'a:b'}, c: {type: string, default: d}}
conditions: {k: {equals: [{get_param: c}, e]}}
resources:
  v:
    type: OS::Heat::Value
    properties:
      type: json
      value:
        computed: {yaql: {expression: "$.data.split(':')[1]", data: {get_param: p}}}
        asked: {if: [k, {yaql: {expression: "let(x => $.data) -> regex('a').split($x)[1]", data: {get_param: p}}}, z]}
"""
#: which Heat refuses to compute in its first version
REFUSED = "{str_replace: {template: $a, params: {$a: {b: c}}}}"


def test_an_input_that_is_asked_for_beside_a_computed_value_is_reported() -> None:
    there = convert(HEAD + VALUES, "hot", "tosca", carry=False).text
    assert "v_asked" in there
    back = convert(there, "tosca", "hot", carry=False)
    assert [found.path[-1] for found in back.diagnostics if found.code == "BPC670"] == ["value"]
    assert all(row.is_reported for row in verify(there, back.text, reported=back.diagnostics).differences)


@pytest.mark.parametrize("value", [REFUSED, f"{{x: {REFUSED}, y: 1}}", f"[1, {{z: {REFUSED}}}]"])
def test_a_text_that_says_that_it_is_not_converted_is_reported(value: str) -> None:
    template = f"heat_template_version: 2013-05-23\noutputs: {{o: {{value: {value}}}}}\n"
    there = convert(template, "hot", "tosca", carry=False).text
    assert "not converted: " in there
    back = convert(there, "tosca", "hot", carry=False)
    assert [found.path for found in back.diagnostics if found.code == "BPC670"] == [("outputs", "o", "value")]
    assert all(row.is_reported for row in verify(there, back.text, reported=back.diagnostics).differences)
