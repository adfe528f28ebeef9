"""What a condition leaves out of a text: null is no text, an entry that is not there is not replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import verify

SOURCE = """heat_template_version: 2021-04-16
parameters: {p: {type: string, default: x}}
conditions: {c: {equals: [{get_param: p}, x]}}
resources:
  v:
    type: OS::Cinder::Volume
    properties: {size: 1, name: TEXT}
"""


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
@pytest.mark.parametrize(
    "text",
    [
        "{str_replace: {template: a-$x-b, params: {$x: {if: [c, q, null]}}}}",
        "{str_replace: {template: a-$x-b, params: {$x: {if: [c, {if: [{not: c}, q, null]}, r]}}}}",
        "{str_replace: {template: a-$x-b, params: {$x: {if: [c, q]}}}}",
        "{list_join: [',', [a, {if: [c, null, r]}]]}",
        "{list_join: [',', [a, {if: [c, r]}]]}",
    ],
)
def test_a_text_with_what_may_be_nothing(text: str, target: str, tmp_path: Path) -> None:
    source = tmp_path / "a.yaml"
    source.write_text(SOURCE.replace("TEXT", text))
    made = convert(source, "hot", target, carry=False)
    made.write(tmp_path / "b.yaml")
    compared = verify(source, tmp_path / "b.yaml", reported=made.diagnostics)
    assert compared.compared
    assert [item.what for item in compared.differences if not item.is_reported] == []
