"""``verify`` with engines: documents that are filled with the values of their engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bpconvert.models.expressions import MISSING
from bpconvert.verification import Verification, verify

HOT = """\
heat_template_version: 2018-08-31
resources:
  web: {type: OS::Nova::Server, properties: {flavor: f}}
outputs:
  o: {value: {get_attr: [web, networks, STEP, 0]}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
inputs: {data: {default: {}}}
node_types: {example.Node: {derived_from: cloudify.nodes.Root, properties: {value: {}}}}
node_templates: {one: {type: example.Node}}
outputs:
  data: {value: {id: {get_attribute: [one, id]}, data: {get_input: data}}}
"""


class Answers:
    """An engine with these answers; ``requests``: what it was asked."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)
        self.requests: list[Mapping[str, Any]] = []

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        return self.answers.pop(0)


def filled(text: str, dialect: str, *answers: dict[str, Any]) -> tuple[Verification, Answers]:
    """A document against itself, each time with an answer of the engine."""
    engine = Answers(*answers)
    engines: Any = {dialect: engine}
    return verify(text, text, draws=0, engines=engines), engine


def of_heat(value: Any) -> dict[str, Any]:
    return {"resources": {"web": {"properties": {"flavor": "f"}, "needs": []}}, "outputs": {"o": value}}


def of_cloudify(value: Any) -> dict[str, Any]:
    node = {"properties": {}, "instances": 1, "operations": {}, "relationships": []}
    outputs = {"data": {"id": "one-id", "data": value}}
    return {"nodes": {"one": node}, "policies": {}, "outputs": outputs, "capabilities": {}}


@pytest.mark.parametrize(
    ("step", "has_value"),
    [
        ("net", True),
        ("{list_join: ['', [n, et]]}", True),
        ("{get_param: gone}", False),
        ("{get_resource: gone}", False),
        ("{list_join: ['', net]}", False),
    ],
)
def test_the_engine_gets_the_attributes_whose_path_is_known(step: str, has_value: bool) -> None:
    found, engine = filled(HOT.replace("STEP", step), "hot", of_heat("x"), of_heat("x"))
    assert found.is_same
    for request in engine.requests:
        attributes = request["resources"]["web"]["attributes"]
        assert ("networks" in attributes) is has_value
    assert len(engine.requests) == 2


def test_data_beside_what_is_computed_here_is_shown_as_it_is() -> None:
    call, other = {"get_input": "a"}, {"get_input": "b"}
    found, _ = filled(BLUEPRINT, "cloudify", of_cloudify(call), of_cloudify(call))
    assert found.is_same
    found, _ = filled(BLUEPRINT, "cloudify", of_cloudify(call), of_cloudify(other))
    assert [(one.what, one.first, one.second) for one in found.differences] == [
        ("outputs.data.data.get_input", "a", "b")
    ]


VOLUME = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs: {n: {default: x}}
node_templates:
  one:
    type: cloudify.nodes.openstack.Volume
    properties:
      resource_config:
        size: 1
        name: {get_input: n}
        kwargs:
          metadata: {a: {get_input: n}}
"""


def of_volume(**properties: Any) -> dict[str, Any]:
    values = {"properties": {"resource_config": properties}, "operations": {}, "relationships": []}
    return {"nodes": {"one": {**values, "instances": 1}}, "policies": {}, "outputs": {}, "capabilities": {}}


def test_what_has_no_value_is_where_the_value_would_come_from() -> None:
    whole = of_volume(size=1, name="n", kwargs={"metadata": {"a": "b"}})
    found, _ = filled(VOLUME, "cloudify", whole, of_volume(size=2, name=None, kwargs=None))
    differences = {one.what: (one.first, one.second) for one in found.differences}
    assert differences == {"one.size": (1, 2), "one.name": ("n", MISSING), "one.metadata": ({"a": "b"}, MISSING)}
    lines = {one.what: (one.first_place.line, one.second_place.line) for one in found.differences}
    assert lines == {"one.size": (9, 9), "one.name": (10, 10), "one.metadata": (12, 12)}
    found, _ = filled(VOLUME, "cloudify", whole, of_volume(size=1, name="n", kwargs={"metadata": {"a": "c"}}))
    assert [(one.what, one.second_place.line) for one in found.differences] == [("one.metadata.a", 12)]
