"""Expressions of the DSL in HOT: where Cloudify has a value, Heat has the same one, also while it validates."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from dsl_source import INPUTS, PROPERTIES, RUNTIME, Source
from engine_processes import ask
from hot_lowering import request_of

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.cloudify.read.branches import fold_branches
from bpconvert.translators.hot.write import conditions as hot_conditions
from bpconvert.translators.hot.write.calls import needs, write_condition, write_value
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.hot.write.rules import RULES
from bpconvert.yamlio.document import load

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

CASES = 700
NEUTRAL = {"string": "string", "integer": "number", "float": "number", "boolean": "boolean", "dict": "json", None: None}
STACK = "the-deployment"


def blueprint_of(raw: Any) -> dict[str, Any]:
    """A blueprint without imports whose output is the expression."""
    return {
        "tosca_definitions_version": "cloudify_dsl_1_4",
        "inputs": {name: declared for name, (declared, _) in INPUTS.items()},
        "node_types": {
            name: {"properties": {key: {} for key in properties}} for name, properties in PROPERTIES.items()
        },
        "node_templates": {
            name: {"type": name, "properties": properties} for name, properties in PROPERTIES.items()
        },
        "outputs": {"out": {"value": raw}},
    }


def topology_of(data: dict[str, Any]) -> Topology:
    """The blueprint in neutral form; ``web`` is a server."""
    topology = Topology("cloudify", "cloudify_dsl_1_4")
    for name, declared in data["inputs"].items():
        path = ("inputs", name)
        kind = declared.get("type")
        neutral = ("list" if "item_type" in declared else "json") if kind == "list" else NEUTRAL[kind]
        default = read_value(declared["default"], (*path, "default"), []) if "default" in declared else MISSING
        extra = {"required": False} if declared.get("required") is False else {}
        hidden = declared.get("hidden")
        topology.inputs[name] = Input(name, neutral, default, hidden=hidden, extra=extra, path=path)
    for name, node in data["node_templates"].items():
        path = ("node_templates", name)
        declared = read_value(node["properties"], (*path, "properties"), [])
        kind = "server" if name == "web" else None
        topology.nodes[name] = Node(name, node["type"], kind, declared=declared, properties=declared, path=path)
    return topology


def template_of(raw: Any) -> dict[str, Any]:
    """The template that the expression becomes."""
    data = blueprint_of(raw)
    document = load(json.dumps(data), "blueprint.yaml")
    topology, reporter = topology_of(document.data), Reporter(document)
    path = ("outputs", "out", "value")
    topology.outputs["out"] = Output("out", read_value(raw, path, []), path=path[:2])
    fold_branches(topology)
    context = Context(topology, request_of(document, reporter))
    rewriter = HotRewriter(context, RULES)
    value = write_value(rewriter.value(topology.outputs["out"].value, path))
    known = topology.conditions.items()
    named = {name: hot_conditions.value(rewriter, found, ("conditions", name)) for name, found in known}
    conditions = {name: write_condition(found) for name, found in {**named, **context.added.conditions}.items()}
    parameters = {}
    for declared in topology.inputs.values():
        default = context.defaults.default(declared)
        kind = context.defaults.type_of(declared)
        parameters[declared.name] = {"type": kind, **({} if default.value is MISSING else {"default": default.value})}
    versions = [needs(value), context.least_version, *(needs(found, "condition") for found in conditions.values())]
    version = max([*versions, "2016-10-14"] if conditions else versions)
    template: dict[str, Any] = {
        "heat_template_version": version,
        "parameters": {**parameters, **context.added.parameters},
        "resources": {
            "web": {"type": "OS::Nova::Server", "properties": {"flavor": "f", "image": "i"}},
            "cfg": {"type": "OS::Heat::None"},
            "user": {"type": "Test::Anything", "properties": {"x": value}},
        },
        "outputs": {"out": {"value": value}},
    }
    if conditions:
        template["conditions"] = conditions
    return template


def test_same_values(engines_python: str, heat_engine: Path) -> None:
    sources = [Source(seed) for seed in range(CASES)]
    raws = [source.value() for source in sources]
    sys = {"deployment": {"id": STACK, "name": STACK}}
    runtime = {"nodes": {"web": RUNTIME}, "sys": sys}
    cloudify = ask(
        [engines_python, str(heat_engine.with_name("cloudify_engine.py")), "--serve", "--timeout", "60"],
        [
            {"text": json.dumps(blueprint_of(raw)), "inputs": source.given, "runtime": runtime}
            for source, raw in zip(sources, raws, strict=True)
        ],
    )
    made = [template_of(raw) for raw in raws]
    heat = ask(
        [engines_python, str(heat_engine), "--batch"],
        [
            {
                "text": json.dumps(template), "params": source.given, "fake_params": True,
                "runtime": {"stack_name": STACK, "resources": {"web": {"id": "id", "attributes": RUNTIME}}},
            }
            for source, template in zip(sources, made, strict=True)
        ],
    )  # fmt: skip
    outcomes: Counter[str] = Counter()
    wrong = []
    for raw, source, theirs, template, mine in zip(raws, sources, cloudify, made, heat, strict=True):
        answer = theirs["result"]
        outputs = answer.get("outputs") or {}
        if answer.get("error") or answer.get("evaluation_errors") or "out" not in outputs:
            outcomes["refused by Cloudify"] += 1
            continue
        found = ((mine.get("outputs") or {}).get("out") or {}) if mine["ok"] else {"error": mine.get("error") or mine}
        outcomes["compared"] += 1
        if "error" in found or not same(found["value"], outputs["out"]):
            written = json.dumps(template["outputs"]["out"]["value"])
            wrong.append(
                f"{json.dumps(raw)}\n   given    {source.given}\n   cloudify {outputs['out']!r}\n   heat     {found}\n"
                f"   written  {written}"
            )
    print(outcomes)
    assert not wrong, f"{len(wrong)} differ; {outcomes}\n" + "\n".join(wrong[:12])
    assert outcomes["compared"] >= CASES // 2


def same(left: Any, right: Any) -> bool:
    """Equal in value and kind: 1 is neither true nor '1'."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
