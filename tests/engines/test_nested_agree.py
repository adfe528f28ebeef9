"""Nested documents before the real engines: each is accepted, and parameters and outputs go in and out alike.

Heat evaluates nested templates by itself. For Cloudify, each component's blueprint is evaluated with the inputs that
the component gives it, and its capabilities are the component's runtime properties.
"""

from __future__ import annotations

import json
import posixpath
from pathlib import Path
from typing import Any, Final

import pytest
from corpus_cases import CASES, CFY, HOT, Case, Language
from corpus_runs import STACK_ID, STACK_NAME, SYSTEM, cloudify_command, heat_command, same
from engine_processes import ask

from bpconvert.translators.dialects import DIALECTS
from bpconvert.yamlio.document import load

pytestmark = pytest.mark.engines

COMPONENTS: Final = ("cloudify.nodes.Component", "cloudify.nodes.ServiceComponent")
#: values that the engine invented
INVENTED: Final = ("ATTR(", "INPUT(", "SECRET(", "SYS(")
#: case -> the outputs whose values are compared: those that hold no runtime values
COMPARED: Final = {
    "hot-nested-templates-in-folders": {"label", "size"},
    "hot-nested-parameters-of-other-types": {"literals", "same", "text", "list", "commas"},
    "hot-nested-template-on-a-condition": {"names"},
    "hot-nested-template-with-an-id-of-its-own": {"size"},
    "cfy-component-of-a-file-beside": {"name", "size", "reader"},
    "cfy-components-of-folders": {"first", "second", "inner"},
}


class Cloudify:
    """The engine."""

    def __init__(self, command: list[str]) -> None:
        self.command = command

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = ask(self.command, [request])[0]["result"]
        return found


@pytest.fixture(scope="module")
def cloudify(engines_python: str, heat_engine: Path) -> Cloudify:
    return Cloudify(cloudify_command(engines_python, heat_engine.parent))


def evaluated(engine: Cloudify, blueprint: Path, inputs: dict[str, Any]) -> dict[str, Any]:
    """What the engine says of a blueprint, and of all that it nests."""
    nodes = load(blueprint.read_bytes()).data.get("node_templates") or {}
    parts = {name: node for name, node in nodes.items() if node["type"] in COMPONENTS}
    known: dict[str, Any] = {}
    for _ in range(len(parts) + 1):
        request = {"blueprint": str(blueprint), "inputs": inputs, "runtime": {"sys": SYSTEM, "nodes": known}}
        answer = engine.ask({**request, "options": {"synthesize": True, "strict": False}})
        assert answer.get("error") is None, blueprint
        for name in parts:
            if answer["nodes"][name].get("instances", 1) == 0:
                continue
            config = answer["nodes"][name]["properties"]["resource_config"]
            place = posixpath.join(config["blueprint"]["blueprint_archive"], config["blueprint"]["main_file_name"])
            inner = evaluated(engine, blueprint.parent / place, config["deployment"]["inputs"])
            known[name] = {"capabilities": inner["capabilities"], "deployment": {"id": f"{name}-id"}}
    return answer


def heat_values(case: Case, template: Path, root: Path, command: list[str]) -> dict[str, Any]:
    own = case.engines.get("heat", {}) if case.origin == HOT else {}
    request = {"template": str(template), "files_root": str(root), "strict_types": True, "simulate": True, **own}
    runtime = {"stack_name": STACK_NAME, "stack_id": STACK_ID}
    answer = ask(command, [{"params": {}, "runtime": runtime, "fake_params": True, "fake_attrs": True, **request}])[0]
    assert answer["ok"], answer
    return {name: output["value"] for name, output in answer["outputs"].items()}


@pytest.mark.parametrize("case", [case for case in CASES if case.id in COMPARED], ids=lambda case: case.id)
def test_values_are_the_same(
    case: Case, cloudify: Cloudify, engines_python: str, heat_engine: Path, tmp_path: Path
) -> None:
    """The source with its files and the result with its files, each in a folder."""
    result = tmp_path / "result"
    for name, content in case.expected.items():
        place = result / name.removeprefix("files/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    blueprint, template = (result, case.folder) if case.origin == HOT else (case.folder, result)
    outputs = evaluated(cloudify, blueprint / CFY.document, {})["outputs"]
    command = heat_command(engines_python, heat_engine.parent)
    values = heat_values(case, template / HOT.document, template, command)
    wanted = COMPARED[case.id]
    assert not any(mark in json.dumps(outputs[name]) for name in wanted for mark in INVENTED)
    for name in sorted(wanted):
        assert same(outputs[name], values[name]), name


def results(language: Language) -> list[tuple[str, Path]]:
    """The nested results in a language."""
    found = []
    for case in CASES:
        for path in sorted(case.files.rglob("*")):
            data = load(path.read_bytes()).data if path.suffix in (".yaml", ".template") else None
            if DIALECTS[language.dialect].recognises(data):
                found.append((f"{case.id}-{path.relative_to(case.files)}", path))
    return found


BLUEPRINTS, TEMPLATES = results(CFY), results(HOT)


def test_cloudify_accepts_every_nested_blueprint(cloudify: Cloudify) -> None:
    assert len(BLUEPRINTS) > 10
    for name, path in BLUEPRINTS:
        request = {"blueprint": str(path), "inputs": {}, "runtime": {"sys": SYSTEM}, "options": {"synthesize": True}}
        assert cloudify.ask(request).get("error") is None, name


def test_heat_accepts_every_nested_template(engines_python: str, heat_engine: Path) -> None:
    assert len(TEMPLATES) >= 5
    own = {"fake_params": True, "fake_attrs": True, "strict_types": True}
    asked = [{"template": str(path), "files_root": str(path.parent), "params": {}, **own} for _, path in TEMPLATES]
    answers = ask(heat_command(engines_python, heat_engine.parent), asked)
    assert {name: answer.get("error") for (name, _), answer in zip(TEMPLATES, answers, strict=True)} == dict.fromkeys(
        name for name, _ in TEMPLATES
    )
