"""Functions of TOSCA in HOT and in blueprints: what Heat and Cloudify compute of the converted service template is what
TOSCA means."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from corpus_runs import heat_command
from engine_processes import ask
from tosca_calls import ATTRIBUTES, DRAWN, INPUTS, PROPERTIES, SECOND, VERSION, document
from tosca_converted import compare, convert_all
from tosca_runs import evaluated

from bpconvert import convert
from bpconvert.diagnostics import Fidelity

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

CASES: Final = 200
#: values that are asked for in one template
TOGETHER: Final = 25
#: a stand-in has no attributes
COMPUTED: Final = sorted(DRAWN.keys() - {"get_attribute"})
MISSING: Final = object()
PATHS: Final = """
node_types:
  own.Node:
    derived_from: tosca.nodes.Root
    properties: {name: {type: string}, tags: {type: map, entry_schema: {type: string}}}
    capabilities: {port: {type: own.Port}}
    requirements: [{to: {capability: own.Port, node: own.Node, relationship: own.To}}]
capability_types:
  own.Port: {derived_from: tosca.capabilities.Root, properties: {number: {type: integer}}}
relationship_types:
  own.To: {derived_from: tosca.relationships.Root, properties: {weight: {type: integer}}}
"""
NODES: Final[dict[str, Any]] = {
    "host": {"type": "tosca.nodes.Compute", "capabilities": {"os": {"properties": {"distribution": "debian"}}}},
    "target": {
        "type": "own.Node",
        "properties": {"name": "it's: 0123", "tags": {"k": "deep"}},
        "capabilities": {"port": {"properties": {"number": 80}}},
    },
    "source": {
        "type": "own.Node",
        "properties": {"name": "first", "tags": {"k": "v"}},
        "requirements": [{"to": "target"}],
    },
}


def meant(call: Any) -> Any:
    """What a call yields; MISSING where the specification has no value for it."""
    scope = {"version": VERSION, "inputs": INPUTS, "resources": PROPERTIES, "attributes": ATTRIBUTES}
    return evaluated(call, MISSING, **scope)


def sayable(call: Any) -> bool:
    """Whether a blueprint can express the call: it takes ASCII only, and joins no list that an input brings."""
    joined = isinstance(call.get("join", [()])[0], dict)
    return not joined and json.dumps(call, ensure_ascii=False).isascii()


def usable(name: str, version: str, among: Callable[[Any], bool] = lambda call: True) -> list[Any]:
    draw, found = random.Random(f"{version} {name}"), list[Any]()
    for _ in range(20 * CASES):
        call = DRAWN[name](draw)
        fits = among(call) and meant(call) is not MISSING and "get_attribute" not in json.dumps(call)
        if fits and len(found) < CASES:
            found.append(call)
    return found


def computed(texts: list[str], python: str, engine: Path) -> list[tuple[dict[str, Any], set[str]]]:
    """What Heat makes of the outputs, and those that a finding names as another value."""
    made = [convert(text, "tosca", "hot", carry=False) for text in texts]
    answers = ask(heat_command(python, engine.parent), [{"text": one.text, "params": given(one.text)} for one in made])
    found = []
    for one, answer in zip(made, answers, strict=True):
        assert answer["ok"], answer
        told = {row.path[1] for row in one.diagnostics if row.path[:1] == ("outputs",)
                and row.fidelity >= Fidelity.APPROXIMATED}  # fmt: skip
        found.append(({name: row.get("value", row) for name, row in answer["outputs"].items()}, told))
    return found


def given(text: str) -> dict[str, Any]:
    declared = yaml.safe_load(text).get("parameters") or {}
    return {name: INPUTS.get(name, "x") for name in declared}


@pytest.mark.parametrize("version", [VERSION, SECOND])
@pytest.mark.parametrize("name", COMPUTED)
def test_every_function(name: str, version: str, engines_python: str, heat_engine: Path) -> None:
    calls = usable(name, version)
    groups = [calls[start : start + TOGETHER] for start in range(0, len(calls), TOGETHER)]
    answers = computed([document(group, version) for group in groups], engines_python, heat_engine)
    compared, different = 0, []
    for group, (outputs, told) in zip(groups, answers, strict=True):
        for number, call in enumerate(group):
            if f"v{number}" in told:
                continue
            compared += 1
            if outputs[f"v{number}"] != meant(call):
                different.append(f"{json.dumps(call)}: meant {meant(call)!r}, Heat {outputs[f'v{number}']!r}")
    print(name, version, compared, "of", len(calls))
    assert not different, f"{len(different)} of {compared} differ:\n" + "\n".join(different[:20])
    assert compared > 0.9 * CASES


@pytest.mark.parametrize("version", [VERSION, SECOND])
@pytest.mark.parametrize("name", COMPUTED)
def test_every_function_in_cloudify(
    name: str, version: str, engines_python: str, heat_engine: Path, tmp_path: Path
) -> None:
    calls = usable(name, version, sayable)
    groups = [calls[start : start + TOGETHER] for start in range(0, len(calls), TOGETHER)]
    texts = [document(group, version) for group in groups]
    made = convert_all(texts, "cloudify", engines_python, heat_engine.parent, tmp_path, given=INPUTS)
    compared, different = compare(made, [[("output", call, meant(call)) for call in group] for group in groups])
    print(name, version, compared, "of", len(calls))
    assert not different, f"{len(different)} of {compared} differ:\n" + "\n".join(different[:20])
    assert compared > 0.9 * CASES


@pytest.mark.parametrize(
    ("call", "second", "wanted"),
    [
        (["SELF", "name"], ["SELF", "name"], "first"),
        (["SELF", "tags", "k"], ["SELF", "tags", "k"], "v"),
        (["target", "port", "number"], ["target", "CAPABILITY", "port", "number"], 80),
        (["SELF", "to", "name"], ["SELF", "RELATIONSHIP", "to", "TARGET", "name"], "it's: 0123"),
        (["SELF", "to", "tags", "k"], ["SELF", "RELATIONSHIP", "to", 0, "TARGET", "tags", "k"], "deep"),
        (["host", "os", "distribution"], ["host", "CAPABILITY", "os", "distribution"], "debian"),
    ],
)
@pytest.mark.parametrize("version", [VERSION, SECOND])
def test_paths_to_properties(
    version: str, call: list[Any], second: list[Any], wanted: Any, engines_python: str, heat_engine: Path
) -> None:
    """What stands in a property by a path is what the output of that property is."""
    prefix, body, steps = ("$", "service_template", second) if version == SECOND else ("", "topology_template", call)
    asks = {"type": "own.Node", "requirements": [{"to": "target"}],
            "properties": {"name": "first", "tags": {"k": "v", "asked": {f"{prefix}get_property": steps}}}}  # fmt: skip
    nodes = {**NODES, "source": asks}
    outputs = {"v": {"value": {f"{prefix}get_property": ["source", "tags", "asked"]}}}
    topology = {"node_templates": nodes, "outputs": outputs}
    data = {"tosca_definitions_version": version, **yaml.safe_load(PATHS), body: topology}
    text = yaml.safe_dump(data, sort_keys=False)
    ((values, told),) = computed([text], engines_python, heat_engine)
    assert not told
    assert values["v"] == wanted
