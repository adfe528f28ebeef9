"""Random calls of functions that have no form in other languages, whose values nodes compute."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import hot_calls as hot
from expression_source import CONDITIONS, PARAMETERS
from shapes import drawn

from bpconvert.translators.hot.functions import resolve_version

#: functions that Cloudify has no form for, or not for all arguments
NAMES = (
    "list_join", "str_replace", "str_replace_strict", "str_replace_vstrict", "str_split", "digest", "make_url",
    "map_merge", "map_replace", "list_concat", "list_concat_unique", "filter", "repeat", "contains", "if", "Fn::Select",
)  # fmt: skip
#: those whose values a blueprint can have as defaults: the others are in the file with the inputs
GIVEN = {name: row for name, row in PARAMETERS.items() if name not in ("s5", "jn")}
#: what an output has no value without, refers to a resource, or to a parameter whose name Cloudify's engine computes
_ELSEWHERE = (
    '"get_param": {', "get_attr", "get_resource", "get_file", "Fn::GetAtt", '"Ref"', "yaql", "OS::", "Fn::GetAZs",
    "facade",
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


class _Opening:
    """Makes parameters, which nobody knows before deploying, of some of the texts of a call."""

    def __init__(self, prefix: str, chosen: random.Random) -> None:
        self._prefix = prefix
        self._chosen = chosen
        self.parameters: dict[str, Any] = {}

    def value(self, value: Any) -> Any:
        if isinstance(value, dict) and "if" in value and isinstance(value["if"], list):
            return {"if": [*value["if"][:1], *self.value(value["if"][1:])]}  # the name of a condition stays
        if isinstance(value, dict):
            return {key: self.value(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if not isinstance(value, str) or self._chosen.random() < 0.5:
            return value
        name = f"{self._prefix}_{len(self.parameters)}"
        self.parameters[name] = {"type": "string", "default": value}
        return {"get_param": name}


def calls(of_each: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Random calls of all functions in turn, the same ones in every run: function and a template whose only output is
    the call. Parameters of two calls have different names.

    of_each: so many are drawn of each function"""
    chosen = random.Random(30)
    rows = {name: iter(drawn(_strategy(name), of_each)) for name in NAMES}
    number = 0
    while rows:
        for name in list(rows):
            row = next(rows[name], None)
            if row is None:
                del rows[name]
                continue
            version, value, conditions = row
            if isinstance(value, dict) and len(value) == 1 and not is_elsewhere([value, conditions]):
                opening = _Opening(f"p{number}", chosen)
                source = template(version, opening.value(value), conditions)
                source["parameters"].update(opening.parameters)
                number += 1
                yield name, source


def _strategy(name: str) -> Any:
    return hot.calls_of(name) if name in hot.GOOD else hot.conditions_of(name)
