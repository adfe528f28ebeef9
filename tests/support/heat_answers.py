"""What Heat answers to expressions, each in a template of its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from expression_source import CONDITIONS, FILES, PARAMETERS, RESOURCES, Source

REFUSED = "refused"
#: Before 2016-10-14 a loop over a map is refused; of a literal map that is reported, but a computed one is not seen.
MAPS_IN_REPEAT = 'The values of the "for_each" argument to "repeat" must be lists'


def template_of(source: Source, raw: Any) -> dict[str, Any]:
    """A template whose only output is the expression."""
    template: dict[str, Any] = {
        "heat_template_version": source.version.date,
        "parameters": {name: {"type": type_, "default": value} for name, (type_, value) in PARAMETERS.items()},
        "resources": {name: {"type": "Test::Anything"} for name in RESOURCES},
        "outputs": {"out": {"value": raw}},
    }
    if source.version.has("2016-10-14"):
        template["conditions"] = CONDITIONS
    return template


def ask(cases: list[tuple[Source, Any]], python: str, engine: Path) -> list[dict[str, Any]]:
    """Heat's answers, from one run of the engine."""
    runtime = {"resources": RESOURCES}
    requests = [
        json.dumps({"text": json.dumps(template_of(source, raw)), "runtime": runtime, "files": FILES, "id": index})
        for index, (source, raw) in enumerate(cases)
    ]
    run = subprocess.run(
        [python, str(engine), "--batch"],
        input="\n".join(requests),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def heat_value(answer: dict[str, Any]) -> Any:
    """The output's value, or REFUSED."""
    if not answer["ok"] or "error" in answer["outputs"]["out"]:
        return REFUSED
    return answer["outputs"]["out"]["value"]
