"""A thousand random calls of functions that TOSCA and Cloudify have no form for: the program of the nodes that compute
their values yields what Heat yields. The same program is in both (:mod:`bpconvert.translators.evaluate.plain`);
``test_computed_values.py`` has it run by Cloudify's engine."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from computed_calls import calls
from corpus_runs import heat_command
from engine_processes import ask
from expression_source import FILES
from heat_answers import REFUSED, heat_value

from bpconvert import BpconvertError, convert
from bpconvert.translators.tosca import computed

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

CALLS = 1_000
#: so many are drawn of each function: not all have a node, or one alone
DRAWN = 560


class Program:
    """The program of one service template, run for what its only output needs."""

    def __init__(self, document: dict[str, Any]) -> None:
        topology = document["topology_template"]
        self.inputs = topology.get("inputs", {})
        self.nodes = topology.get("node_templates", {})
        self.out = topology["outputs"]["out"]["value"]
        self.names: dict[str, Any] = {"__name__": "program"}
        exec(CODE, self.names)

    def is_node(self, value: Any) -> bool:
        """True for what a node computes."""
        found = value.get("get_attribute") if isinstance(value, dict) and len(value) == 1 else None
        is_result = isinstance(found, list) and len(found) == 2 and found[1] == "result"
        return is_result and self.nodes[found[0]]["type"].startswith(computed.TYPE)

    def value(self, value: Any) -> Any:
        """What the engine gives the program; raises AssertionError for what only an engine computes."""
        if self.is_node(value):
            given = self.nodes[value["get_attribute"][0]]["interfaces"]["Standard"]["operations"]["create"]["inputs"]
            values = {name: self.value(part) for name, part in given["values"].items()}
            return self.names["computed"](json.loads(given["call"]), values)
        if isinstance(value, dict):
            if set(value) == {"get_input"} and isinstance(value["get_input"], str):
                return self.inputs[value["get_input"]]["default"]
            if any(name.startswith(("get_", "concat", "token")) for name in value):
                raise AssertionError(value)
        return value

    def result(self) -> Any:
        """The value of the output; None where the program refuses it, as it does for an output."""
        try:
            return self.value(self.out)
        except AssertionError:
            raise
        except Exception:
            return None


CODE = compile(computed.programs(has_queries=True)[computed.SCRIPT], computed.SCRIPT, "exec")


def programs() -> list[tuple[str, dict[str, Any], Program]]:
    """Random calls that a program computes: function, template and program."""
    found = []
    for name, source in calls(DRAWN):
        try:
            program = Program(convert(json.dumps(source) + "\n", "hot", "tosca", carry=False).document)
        except BpconvertError:
            continue
        if program.is_node(program.out):
            found.append((name, source, program))
        if len(found) == CALLS:
            break
    return found


def test_a_thousand_calls_have_the_values_of_heat(engines_python: str, heat_engine: Path) -> None:
    cases = programs()
    requests = [{"text": json.dumps(source), "files": FILES, "runtime": {}} for _, source, _ in cases]
    theirs = [heat_value(one) for one in ask(heat_command(engines_python, heat_engine.parent), requests)]
    different, values = [], Counter[str]()
    for (name, source, program), heat in zip(cases, theirs, strict=True):
        mine = program.result()
        values[name] += heat != REFUSED
        wanted = None if heat == REFUSED else heat
        if json.dumps(mine, sort_keys=True) != json.dumps(wanted, sort_keys=True):
            different.append(f"{json.dumps(source['outputs'])}\n   mine {mine!r}\n   heat {heat!r}")
    print(f"{len(cases)} calls: {values.total()} values; {dict(values)}")
    assert not different, f"{len(different)} of {len(cases)} differ:\n" + "\n".join(different[:20])
    assert len(cases) == CALLS
