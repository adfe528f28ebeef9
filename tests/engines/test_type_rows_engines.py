"""What the rows of the type catalogue become is accepted by the real engines: every property of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from corpus_runs import cloudify_command, heat_command
from engine_processes import ask
from type_rows import (
    ROW,
    Kind,
    blueprint,
    kinds,
    minimal,
    node,
    plain,
    rows,
    schema,
    template,
    to_cloudify,
    to_heat,
    value_of,
)

from bpconvert.yamlio.document import load

pytestmark = pytest.mark.engines


def all_properties(kind: Kind) -> str:
    """A template with one resource for each property of the kind."""
    resources: dict[str, Any] = {ROW: {"type": kind.heat[0], "properties": minimal(kind)}}
    for index, (owner, name, _) in enumerate(rows()):
        if owner is kind:
            properties = {**minimal(kind, name), name: value_of(kind, name)}
            resources[f"{ROW}_{index}"] = {"type": kind.heat[0], "properties": properties}
    attributes = [name for name in schema(kind)["attributes"] if name in kind.attributes and name != "show"]
    outputs = {f"{name}_of_{ROW}": {"value": {"get_attr": [ROW, name]}} for name in attributes}
    return yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": resources, "outputs": outputs})


def all_settings(kind: Kind) -> str:
    """A blueprint with one node for each setting of the kind's node type."""
    whole = load(to_cloudify(template(kind, minimal(kind))).text).data["node_templates"]
    nodes: dict[str, Any] = plain(whole)
    for index, (owner, name, rule) in enumerate(rows()):
        if owner is kind and rule.to and not (rule.hook or rule.each or rule.items):
            for number, path in enumerate([rule.to, *rule.accept]):
                made = node(kind, {path: value_of(kind, name)}, plain(whole[ROW]))
                nodes[f"{ROW}_{index}_{number}"] = made
    return blueprint(nodes)


@pytest.fixture(scope="module")
def blueprints(
    engines_python: str, heat_engine: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """Kind -> what Cloudify's parser says of all of its properties."""
    folder = tmp_path_factory.mktemp("blueprints")
    requests = []
    for kind in kinds():
        made = to_cloudify(all_properties(kind))
        path = folder / kind.kind / "blueprint.yaml"
        for name, text in {path.name: made.text, **made.files}.items():
            (path.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (path.parent / name).write_text(text)
        requests.append({"blueprint": str(path), "options": {"synthesize": True}})
    answers = ask(cloudify_command(engines_python, heat_engine.parent), requests)
    return {kind.kind: answer for kind, answer in zip(kinds(), answers, strict=True)}


@pytest.fixture(scope="module")
def templates(
    engines_python: str, heat_engine: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """Kind -> what Heat says of all settings of its node type; unknown types are refused."""
    folder = tmp_path_factory.mktemp("templates")
    requests = []
    for kind in kinds():
        path = folder / f"{kind.kind}.yaml"
        path.write_text(to_heat(all_settings(kind)).text)
        requests.append({"template": str(path), "fake_params": True, "fake_attrs": True, "strict_types": True})
    answers = ask(heat_command(engines_python, heat_engine.parent), requests)
    return {kind.kind: answer for kind, answer in zip(kinds(), answers, strict=True)}


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.kind)
def test_cloudify_accepts_every_property(kind: Kind, blueprints: dict[str, dict[str, Any]]) -> None:
    assert blueprints[kind.kind]["ok"], blueprints[kind.kind]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.kind)
def test_heat_accepts_every_setting(kind: Kind, templates: dict[str, dict[str, Any]]) -> None:
    answer = templates[kind.kind]
    assert answer.get("ok"), answer
