"""Random calls of functions that have no form in other languages, whose values nodes compute."""

from __future__ import annotations

import json
from typing import Any

from expression_source import CONDITIONS, PARAMETERS

from bpconvert.translators.hot.functions import resolve_version

#: functions that Cloudify has no form for, or not for all arguments
NAMES = (
    "list_join", "str_replace", "str_replace_strict", "str_replace_vstrict", "str_split", "digest", "make_url",
    "map_merge", "map_replace", "list_concat", "list_concat_unique", "filter", "repeat", "contains", "if", "Fn::Select",
)  # fmt: skip
#: those whose values a blueprint can have as defaults: the others are in the file with the inputs
GIVEN = {name: row for name, row in PARAMETERS.items() if name not in ("s5", "jn")}
#: what an output has no value without, or refers to a resource
_ELSEWHERE = (
    "get_attr", "get_resource", "get_file", "Fn::GetAtt", '"Ref"', "yaql", "OS::", "Fn::GetAZs", "facade",
    *(f'"{name}"' for name in PARAMETERS if name not in GIVEN),
)  # fmt: skip


def is_elsewhere(data: Any) -> bool:
    return any(word in json.dumps(data) for word in _ELSEWHERE)


def template(version: str, value: Any, conditions: dict[str, Any]) -> dict[str, Any]:
    """A template whose only output is the value."""
    inputs = {name: {"type": type_, "default": default} for name, (type_, default) in GIVEN.items()}
    found = {"heat_template_version": version, "parameters": inputs, "outputs": {"out": {"value": value}}}
    resolved = resolve_version(version)
    if resolved is not None and resolved.has("2016-10-14"):
        known = {name: one for name, one in CONDITIONS.items() if not is_elsewhere(one)}
        found["conditions"] = {**known, **conditions}
    return found
