"""``verify`` with service templates that nest others: which nodes are documents, and what these are given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.verification import Difference, verify

HOT = "heat_template_version: 2018-08-31\n"
INNER = f"""\
{HOT}parameters: {{p: {{type: string, default: d}}}}
resources: {{k: {{type: OS::Nova::KeyPair, properties: {{name: {{get_param: p}}}}}}}}
"""
TOSCA = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
OUTER_SERVICE = f"""\
{TOSCA}imports: [inner.yml]
topology_template: {{node_templates: {{x: {{type: my.Key, directives: [substitute], properties: {{p: a}}}}}}}}
"""
INNER_SERVICE = f"""\
{TOSCA}node_types: {{my.Key: {{derived_from: tosca.nodes.Root, properties: {{p: {{type: string}}}}}}}}
topology_template:
  inputs: {{p: {{type: string}}}}
  substitution_mappings: {{node_type: my.Key, properties: {{p: [p]}}}}
  node_templates: {{k: {{type: openstack.nova.KeyPair, properties: {{name: {{get_input: p}}}}}}}}
"""


def differences(
    folder: Path, outer: str, file: str, inner: str, source: str, target: str, edit: str = "", **choices: Any
) -> list[Difference]:
    """The differences after a conversion, where ``p: a`` became ``edit`` in the result."""
    (folder / file).write_text(inner)
    (folder / "outer.yaml").write_text(outer)
    made = convert(folder / "outer.yaml", source, target, carry=False, **choices)
    result = folder / "out" / "result.yaml"
    result.parent.mkdir()
    made.write(result)
    if edit:
        text = result.read_text()
        assert text.count("p: a\n") == 1
        result.write_text(text.replace("p: a\n", f"{edit}\n"))
    return verify(folder / "outer.yaml", result, draws=2, reported=made.diagnostics).differences


@pytest.mark.parametrize("file", ["inner.yaml", "inner.template"])
def test_what_a_nested_template_is_given_is_compared(file: str, tmp_path: Path) -> None:
    """At the node, and in what is made of it."""
    outer = f"{HOT}resources: {{x: {{type: {file}, properties: {{p: a}}}}}}\n"
    found = differences(tmp_path, outer, file, INNER, "hot", "tosca", "p: b")
    assert [(one.what, one.first, one.second) for one in found] == [("x.p", "a", "b"), ("x/k.name", "a", "b")]


def test_what_stands_for_a_node_is_a_document(tmp_path: Path) -> None:
    found = differences(tmp_path, OUTER_SERVICE, "inner.yml", INNER_SERVICE, "tosca", "hot", "p: b")
    assert [(one.what, one.first, one.second) for one in found] == [("x.p", "a", "b"), ("x/k.name", "a", "b")]


def test_an_input_that_is_asked_for_is_given_something_else(tmp_path: Path) -> None:
    """The finding says so, also of what is made of it."""
    outer = (
        f"{HOT}parameters: {{q: {{type: string, default: z}}}}\n"
        "resources: {x: {type: inner.yaml, properties: {p: {digest: [md5, {get_param: q}]}}}}\n"
    )
    found = differences(tmp_path, outer, "inner.yaml", INNER, "hot", "tosca", asked="inputs")
    assert [(one.what, one.codes) for one in found] == [("x.p", ("BPC201",)), ("x/k.name", ("BPC201",))]
