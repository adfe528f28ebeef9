"""``verify`` with engines: a computed value that looks like a call is data, and is compared as such."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bpconvert.verification import Verification, verify

HOT = """\
heat_template_version: 2018-08-31
parameters: {data: {type: json, default: {}}}
resources:
  one: {type: OS::Heat::Value, properties: {value: {get_param: data}}}
  other: {type: OS::Neutron::Port, properties: {network: net, value_specs: {get_param: data}}}
outputs:
  data: {value: [{get_param: data}]}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
inputs: {data: {default: {}}}
node_types: {example.Node: {derived_from: cloudify.nodes.Root, properties: {value: {}}}}
node_templates:
  one: {type: example.Node, properties: {value: {get_input: data}}}
outputs:
  data: {value: {get_input: data}}
"""


class Computes:
    """An engine that computes ``values``, one document after the other."""

    def __init__(self, dialect: str, *values: Any) -> None:
        self.dialect, self.values = dialect, list(values)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        value = self.values.pop(0)
        if self.dialect == "cloudify":
            node = {"properties": {"value": value}, "instances": 1, "operations": {}, "relationships": []}
            return {"nodes": {"one": node}, "policies": {}, "outputs": {"data": value}, "capabilities": {}}
        properties = {"one": {"value": value}, "other": {"network": "net", "value_specs": value}}
        resources = {name: {"properties": found, "needs": [], "metadata": {}} for name, found in properties.items()}
        return {"resources": resources, "outputs": {"data": [value]}}


def compared(folder: Path, dialect: str, first: Any, second: Any) -> Verification:
    texts = {"hot": HOT, "cloudify": BLUEPRINT}
    (folder / "a.yaml").write_text(texts[dialect])
    (folder / "b.yaml").write_text(texts[dialect])
    engines: Any = {dialect: Computes(dialect, first, second)}
    return verify(folder / "a.yaml", folder / "b.yaml", draws=0, engines=engines)


CALLS = [
    ("hot", {"Ref": "x"}, {"Ref": "y"}),
    ("hot", {"get_param": "data"}, {"get_param": "OS::stack_name"}),
    ("hot", {"list_join": ["", ["a", "b"]]}, "ab"),
    ("hot", {"a": [{"get_file": "a"}]}, {"a": [{"get_file": "b"}]}),
    ("cloudify", {"get_input": "data"}, {"get_input": "other"}),
    ("cloudify", {"concat": ["a", "b"]}, "ab"),
    ("cloudify", {"a": [{"string_upper": "a"}]}, {"a": [{"string_upper": "b"}]}),
    ("cloudify", {"concat": ["a"], "type": "string"}, {"concat": ["b"], "type": "string"}),
]


@pytest.mark.parametrize(("dialect", "value", "other"), CALLS)
def test_data_like_a_call_stays_data(tmp_path: Path, dialect: str, value: Any, other: Any) -> None:
    assert compared(tmp_path, dialect, value, value).is_same
    found = compared(tmp_path, dialect, value, other)
    assert any(one.what.startswith("outputs.data") for one in found.differences)
    assert any(one.what.startswith("one.value") for one in found.differences)
    assert "\ue000" not in str(found.differences)
