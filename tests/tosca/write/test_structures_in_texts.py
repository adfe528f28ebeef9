"""The text of a list or map is what the source's engine writes: JSON in Heat, Python's in Cloudify's ``concat``."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import verify

BLUEPRINT = """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml]
inputs:
  s: {type: string, default: q}
  texts: {type: list, default: [a, b]}
  parts: {type: dict, default: {k: {z: 1}}}
outputs: {o: {value: VALUE}}
"""
TEMPLATE = """heat_template_version: 2018-08-31
parameters:
  s: {type: string, default: q}
  texts: {type: comma_delimited_list, default: [a, b]}
  parts: {type: json, default: {k: {z: 1}}}
outputs: {o: {value: VALUE}}
"""


@pytest.mark.parametrize(
    ("language", "source", "value"),
    [
        ("cloudify", BLUEPRINT, "{concat: [x, {get_input: texts}]}"),
        ("cloudify", BLUEPRINT, "{concat: [x, {get_input: [parts, k]}]}"),
        ("cloudify", BLUEPRINT, "{concat: [x, {a: {get_input: s}}, [{get_input: s}, true]]}"),
        ("hot", TEMPLATE, "{list_join: ['', [x, {get_param: texts}]]}"),
        ("hot", TEMPLATE, "{str_replace: {template: a-$x, params: {$x: {a: {get_param: parts}}}}}"),
    ],
)
def test_a_structure_is_the_text_that_the_source_has(language: str, source: str, value: str, tmp_path: Path) -> None:
    document, result = tmp_path / "a.yaml", tmp_path / "b.yaml"
    document.write_text(source.replace("VALUE", value))
    made = convert(document, language, "tosca", carry=False)
    made.write(result)
    compared = verify(document, result, reported=made.diagnostics)
    assert compared.compared
    assert [item.what for item in compared.differences if not item.is_reported] == []
