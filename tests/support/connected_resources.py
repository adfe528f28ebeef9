"""Heat templates of resources that connect others, for the tests of what they become in a blueprint."""

from __future__ import annotations

import re
from typing import Any

from bpconvert.api import Result, convert

HEAD = """
heat_template_version: 2016-10-14
parameters: {given: {type: string}, flag: {type: boolean}}
conditions: {c: {get_param: flag}}
resources:
"""


def converted(*resources: str, plugin: str = "v3") -> Result:
    """``$name`` stands for a reference to resource ``name``, ``?name`` for one to the first port of server ``vm`` on
    network ``name``, ``NAME {...}`` for a resource of type ``OS::NAME`` with these properties, ``!`` before them for a
    condition, ``@id`` for one that exists, ``<name`` for one that waits for another. ``plugin``: the generation."""
    text = "".join(f"  {line}\n" for line in resources)
    text = re.sub(r"([A-Z]\w+::\w+) (!?)(@(?:\w+) )?(<(?:\w+) )?(\{.*\})$", _resource, text, flags=re.MULTILINE)
    text = re.sub(r"\?(\w+)", r"{get_attr: [vm, addresses, \1, 0, port]}", text)
    return convert(HEAD + re.sub(r"\$(\w+)", r"{get_resource: \1}", text), plugin=plugin)


def _resource(match: re.Match[str]) -> str:
    kind, condition, existing, before, properties = match.groups()
    more = ", condition: c" * bool(condition) + (f", external_id: {existing[1:-1]}" if existing else "")
    more += f", depends_on: {before[1:-1]}" if before else ""
    return f'{{type: "OS::{kind}", properties: {properties}{more}}}'


def node(result: Result, name: str) -> Any:
    return result.document["node_templates"][name]


def targets(result: Result, name: str) -> list[str]:
    return [relationship["target"] for relationship in node(result, name).get("relationships", ())]


def relationships(result: Result, name: str) -> list[tuple[str, str]]:
    """Type, without the beginning that all of the plugin have, and target of each relationship."""
    every = node(result, name).get("relationships", ())
    return [(one["type"].removeprefix("cloudify.relationships."), one["target"]) for one in every]


def codes(result: Result, name: str) -> set[str]:
    return {finding.code for finding in result.diagnostics if finding.path[:2] == ("resources", name)}


def places(result: Result, code: str) -> list[tuple[Any, ...]]:
    return [finding.path for finding in result.diagnostics if finding.code == code]


def messages(result: Result, code: str) -> list[str]:
    return [finding.message for finding in result.diagnostics if finding.code == code]


def why_not(result: Result, name: str) -> str:
    """Why a resource is written as a stand-in; "" where it is none."""
    findings = (finding for finding in result.diagnostics if finding.code == "BPC317")
    return "".join(finding.message for finding in findings if finding.path[1] == name)
