"""What Heat answers to expressions, each in a template of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import engine_processes as processes
from corpus_runs import heat_command
from expression_source import CONDITIONS, FILES, PARAMETERS, PARENT, RESOURCES, ZONES, Source

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
    """Heat's answers."""
    runtime = {"resources": RESOURCES, "parent_resource": PARENT, "availability_zones": ZONES}
    requests = [
        {"text": json.dumps(template_of(source, raw)), "runtime": runtime, "files": FILES} for source, raw in cases
    ]
    return processes.ask(heat_command(python, engine.parent), requests)


def heat_value(answer: dict[str, Any]) -> Any:
    """The output's value, or REFUSED."""
    if not answer["ok"] or "error" in answer["outputs"]["out"]:
        return REFUSED
    return answer["outputs"]["out"]["value"]
