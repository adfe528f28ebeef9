"""What the two corpus modules share: asking the engines, and comparing what they answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from corpus_cases import Case
from engine_processes import ask

from bpconvert.diagnostics import Fidelity
from bpconvert.translators.cloudify.computed import PATH
from bpconvert.translators.toscalike.computing import evaluator

#: what the script of nodes that compute values has
_SCRIPT: Final[dict[str, Any]] = {}
exec(evaluator(has_queries=True), _SCRIPT)
STACK_NAME, STACK_ID = "stack-of-the-corpus", "11111111-2222-3333-4444-555555555555"
#: facts about the deployment that HOT knows as well
SYSTEM: Final = {"deployment": {"id": STACK_ID, "name": STACK_NAME}}
#: an import of the OpenStack plugin's second generation
SECOND_GENERATION: Final = "http://www.getcloudify.org/spec/openstack-plugin/2.14.8/plugin.yaml"


def cloudify_command(python: str, engines: Path, *options: str, timeout: int = 60) -> list[str]:
    """The command that answers requests with Cloudify's parser; ``engines``: the folder of the engine scripts."""
    script = engines / "cloudify_engine.py"
    return [python, str(script), "--serve", "--prune", "--timeout", str(timeout), *options]


def ask_cloudify(command: Sequence[str], requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of Cloudify's parser, where nodes that compute a value have it: the parser runs no script, so that
    what the script yields of the inputs that it evaluates is handed to it, as often as another one refers to that."""
    answers: list[dict[str, Any]] = list(ask(command, requests))
    runtimes = [request.get("runtime", {}) for request in requests]
    again = [*range(len(requests))]
    while again:
        again = [number for number in again if _compute(runtimes, number, answers[number].get("result") or {})]
        asked = [{**requests[number], "runtime": runtimes[number]} for number in again]
        for number, answer in zip(again, ask(command, asked), strict=True):
            answers[number] = answer
    return answers


def _compute(runtimes: list[Any], number: int, answer: dict[str, Any]) -> bool:
    """Put the results of an answer's computing nodes into the runtime values; False where these have them already."""
    nodes = dict(runtimes[number].get("nodes", {}))
    answered = answer.get("nodes")
    for name, node in answered.items() if isinstance(answered, dict) else ():  # only parsed: how many there are
        inputs = (node.get("operations", {}).get("cloudify.interfaces.lifecycle.create") or {}).get("inputs") or {}
        if inputs.get("script_path") == PATH:
            call = inputs["call"]
            try:
                nodes[name] = {
                    "result": _SCRIPT["computed"](json.loads(call) if isinstance(call, str) else call, inputs)
                }
            except Exception:  # as the script does
                nodes[name] = {"result": None}
    is_new = nodes != runtimes[number].get("nodes", {})
    runtimes[number] = {**runtimes[number], "nodes": nodes}
    return is_new


def second_generation(engines: Path, imported: str) -> list[str]:
    """Options with which an import is answered by the types of the plugin's second generation."""
    return ["--map", f"{imported}={engines}/imports/plugins/openstack-2.x/plugin.yaml"]


def heat_command(python: str, engines: Path) -> list[str]:
    """The command that answers requests with Heat's own code."""
    return [python, str(engines / "heat_engine.py"), "--batch"]


def bundled(case: Case, folder: Path) -> Path:
    """The case's blueprint, in a folder of its own with the files of its bundle where it has any."""
    if not case.files.is_dir():
        return case.target
    shutil.copytree(case.files, folder / case.name, dirs_exist_ok=True)
    return Path(shutil.copy(case.target, folder / case.name))


def reported(case: Case, section: str, fidelity: Fidelity) -> set[str]:
    """Names of the section's entries about which a diagnostic of at least this fidelity says something."""
    own = (d for d in case.outcome.diagnostics if d.span.file == case.origin.document)
    found = (d.path for d in own if d.fidelity >= fidelity)
    return {path[1] for path in found if len(path) > 1 and path[0] == section}


def may_differ(case: Case, section: str) -> set[str]:
    """Names of the section's entries that ``engines.json`` lists."""
    listed = (name.split(".", 1) for name in case.engines.get("differ", {}))
    return {entry for head, entry in listed if head == section}


def same(left: Any, right: Any) -> bool:
    """Equal in value and kind: 1 is neither true nor '1'; whether 1 or 1.0 is written is up to the engine."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right) and isinstance(left, str) == isinstance(right, str)
