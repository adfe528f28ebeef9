"""Keys that are no texts: BPC214 names them where Heat computes something else from YAML than from the JSON that its
clients send, and there only."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from corpus_runs import heat_command
from engine_processes import ask

from bpconvert import check, convert

pytestmark = pytest.mark.engines

HEAD = "heat_template_version: 2021-04-16\noutputs:\n  out:\n    value:\n      "
#: calls, each with the keys that are named
CALLS: list[tuple[str, list[Any]]] = [
    ('map_replace: [{a: 1, b: "1"}, {values: {1: one}}]', [1]),
    ('map_replace: [{a: true, b: "true"}, {values: {true: one}}]', [True]),
    ('map_replace: [{a: x, b: "null"}, {values: {null: one}}]', [None]),
    ('map_replace: [{"1": a}, {keys: {1: one}}]', [1]),
    ('str_replace: {template: "a 1 b", params: {1: x}}', [1]),
    ('str_replace: {template: "a 1.5 b", params: {1.5: x}}', [1.5]),
    ('str_replace: {template: "a X b", params: {X: {1: x}}}', []),
    ('str_replace_strict: {template: "a 1 b", params: {1: x}}', [1]),
    ('str_replace_vstrict: {template: "a 1 b", params: {1: x}}', [1]),
    ('repeat: {template: "v1", for_each: {1: [a, b]}}', [1]),
    ('repeat: {template: "v%k%", for_each: {"%k%": {1: a}}}', [1]),
    ('repeat: {template: {1: "%k%"}, for_each: {"%k%": [a]}}', []),
    ('yaql: {expression: "$.data.m.keys()", data: {m: {1: a}}}', [1]),
    ('yaql: {expression: "$.data.m.keys()", data: {m: {if: [true, {1: a}, {}]}}}', [1]),
    ('filter: [[{"1": a}], [{1: a}, {"1": a}]]', [1]),
    ('list_concat_unique: [[{1: a}], [{"1": a}]]', [1]),
    ('if: [{equals: [{1: a}, {"1": a}]}, yes, no]', [1]),
    ('if: [{contains: [{"1": a}, [{1: a}]]}, yes, no]', [1]),
    ("if: [true, {1: a}, {}]", []),
    ("map_merge: [{1: a}, {2: b}]", []),
    ("list_join: [',', [{1: a, 2: b}]]", []),
    ("make_url: {scheme: http, host: h, query: {1: a}}", []),
    ("{1: a}", []),
]


@pytest.mark.parametrize(("call", "keys"), CALLS, ids=[call for call, _ in CALLS])
def test_keys_that_heat_may_take_for_something_else(
    call: str, keys: list[Any], engines_python: str, heat_engine: Path
) -> None:
    text = f"{HEAD}{call}\n"
    sent = json.dumps(yaml.safe_load(text), default=date.isoformat)
    command = heat_command(engines_python, heat_engine.parent)
    found = [answer["outputs"]["out"] for answer in ask(command, [{"text": text}, {"text": sent}])]
    assert "error" not in found[1]
    assert (found[0] != found[1]) is bool(keys)
    for diagnostics in (convert(text, "hot", "cloudify").diagnostics, check(text)):
        assert [one.path[-1] for one in diagnostics if one.code == "BPC214"] == keys
