"""Parameter values and constraints: what Heat yields or refuses."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from corpus_runs import heat_command
from engine_processes import ask

from bpconvert.translators.evaluate.parameters import check_constraint, coerce

pytestmark = pytest.mark.engines

REFUSED = "refused"
TYPES = ("string", "number", "boolean", "comma_delimited_list", "json")
VALUES: tuple[Any, ...] = (
    "", " ", "5", " 7 ", "7.0", "1e3", "0x10", "1_000", "nan", "true", "Yes", " on ", "0", "f", "N", "maybe", "a, b,,c",
    ",", '{"a": 1}', "[1, 2.0]", '"text"', "null", "{", "\u00e9", "ab", "aaa", 0, 1, 5, -3, 1.0, 1.5, 2.50, 1e16, True,
    False, [], ["a", 1, True, None, [2]], [{"k": "v"}], {}, {"1": {"b": [None]}}, {"a": 1},
)  # fmt: skip
CONSTRAINTS: tuple[tuple[str, Any], ...] = (
    ("range", {"min": 1, "max": 5}),
    ("range", {"min": "1"}),
    ("range", {}),
    ("range", {"max": "x"}),
    ("range", {"top": 1}),
    ("range", 5),
    ("length", {"min": 1, "max": 2}),
    ("length", {"max": 1.5}),
    ("length", {"max": "2"}),
    ("modulo", {"step": 2, "offset": 1}),
    ("modulo", {"step": -4, "offset": -3}),
    ("modulo", {"step": 2, "offset": -1}),
    ("modulo", {"step": 0, "offset": 0}),
    ("modulo", {"step": 2}),
    ("modulo", {"step": 2.5, "offset": 1}),
    ("allowed_values", ["5", "a", "yes", 1, 1.5]),
    ("allowed_values", [5, 7.0, 1]),
    ("allowed_values", [True]),
    ("allowed_values", ["a", " b", "", "c"]),
    ("allowed_values", "a"),
    ("allowed_pattern", "a|ab"),
    ("allowed_pattern", "a+?"),
    ("allowed_pattern", "[a-z]*"),
    ("allowed_pattern", "("),
    ("allowed_pattern", 5),
)


def request(parameter: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """A request for a template with one parameter ``p``."""
    template = {
        "heat_template_version": "2021-04-16",
        "parameters": {"p": parameter},
        "outputs": {"out": {"value": {"get_param": "p"}}},
    }
    return {"text": json.dumps(template), "params": given}


def heat_value(answer: dict[str, Any]) -> str:
    """The parameter's value as JSON, or REFUSED."""
    if not answer["ok"] or "error" in answer["outputs"]["out"]:
        return REFUSED
    return json.dumps(answer["outputs"]["out"]["value"], sort_keys=True)


@pytest.mark.parametrize("as_default", [False, True])
def test_coercion(as_default: bool, engines_python: str, heat_engine: Path) -> None:
    cases = list(itertools.product(TYPES, VALUES))
    answers = ask(
        heat_command(engines_python, heat_engine.parent),
        [
            request({"type": type_, **({"default": value} if as_default else {})}, {} if as_default else {"p": value})
            for type_, value in cases
        ],
    )
    different = []
    for (type_, value), answer in zip(cases, answers, strict=True):
        try:
            mine = json.dumps(coerce(type_, value), sort_keys=True)
        except ValueError:
            mine = REFUSED
        if mine != heat_value(answer):
            different.append(f"{type_} {value!r}: mine {mine}, heat {heat_value(answer)} {answer.get('error')}")
    assert not different, "\n".join(different)


def test_constraints(engines_python: str, heat_engine: Path) -> None:
    cases = list(itertools.product(TYPES, CONSTRAINTS, VALUES))
    answers = ask(
        heat_command(engines_python, heat_engine.parent),
        [request({"type": type_, "constraints": [{kind: of}]}, {"p": value}) for type_, (kind, of), value in cases],
    )
    different = []
    for (type_, (kind, argument), value), answer in zip(cases, answers, strict=True):
        try:
            coerce(type_, value)
            check_constraint(type_, kind, argument, value)
            mine = True
        except ValueError:
            mine = False
        if mine != (heat_value(answer) != REFUSED):
            different.append(f"{type_} {kind} {argument!r} {value!r}: mine {mine}, heat {answer.get('error')}")
    assert not different, f"{len(different)}\n" + "\n".join(different[:40])
