"""The values of an engine of TOSCA for a service template: opera or puccini, through ../shared/engines/tosca.

Every call of the document becomes an output of its own, with the values that the benchmark has for attributes: both
engines compute outputs, and neither computes all that is nested elsewhere. The values come back into the calls' places.
A call that the engine is known to compute in another way than the standard, or not at all, stays as it is, and is
computed here. puccini refuses definitions of lists and maps that do not say what is in them: it is asked without those
properties. ``BPCONVERT_TOSCA_PYTHON`` names a Python that has the engines.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bpconvert.engines.client import EngineMissing
from bpconvert.models import expressions as ex
from bpconvert.translators.comparing.filling import as_data, insert, is_plain
from bpconvert.translators.comparing.model import Engine, Side
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.tosca.functions import called
from bpconvert.translators.tosca.template_metadata import seen
from bpconvert.yamlio.document import Document, load

SCRIPT: Final = Path(__file__).resolve().parents[2] / "shared" / "engines" / "tosca" / "tosca_engine.py"
ENGINES: Final = ("opera", "puccini")
PYTHON: Final = "BPCONVERT_TOSCA_PYTHON"
#: what the names of the outputs begin with
_PREFIX: Final = "call_"
#: how many items a call may have so that the engine computes it as the standard has it; others go into a path
_LENGTHS: Final = {"get_input": 1, "get_property": 2, "get_attribute": 2}
_NUMBERS: Final = ("integer", "float", "boolean")


class ToscaEngine:
    """A running engine, by its name. ``computed``: how many calls it had values for; ``left``: why others stay."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.computed = 0
        self.left: Counter[str] = Counter()
        self._process: subprocess.Popen[str] | None = None

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the calls, by the outputs' names, and what each node waits for; ``error`` where the engine
        refuses the document. Raises EngineMissing."""
        place = Path(request["document"]).with_name("asked-of-the-engine.yaml")
        place.write_text(json.dumps(request["data"]), "utf-8")
        try:
            answer = self._answer({
                "file": str(place), "engines": [self.name], "inputs": request["inputs"], "runtime": request["runtime"],
            })  # fmt: skip
        finally:
            place.unlink()
        if not answer["accepted"] or answer.get("evaluation_errors"):
            return {"error": f"{self.name}: {str(answer.get('evaluation_errors') or answer['errors'])[:300]}"}
        outputs = {name: value for name, value in answer["outputs"].items() if name.startswith(_PREFIX)}
        for value in [*outputs.values()]:
            problem = next(_problems(value), None)
            self.left[problem or ""] += 1
        values = {name: value for name, value in outputs.items() if next(_problems(value), None) is None}
        self.computed += len(values)
        nodes = answer["nodes"].items()
        waits = {name: {str(one["node"]) for one in node["requirements"] if one.get("node")} for name, node in nodes}
        return {"values": values, "waits": waits}

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None and process.stdout is not None:
            process.stdin.close()
            process.stdout.close()
            process.wait()

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._process is None:
            python = os.environ.get(PYTHON)
            if not python or not SCRIPT.exists():
                raise EngineMissing(f"set {PYTHON} to a Python with {self.name}; {SCRIPT} asks it")
            self._process = subprocess.Popen(
                [python, str(SCRIPT), "--batch"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
            )  # fmt: skip
        asked, said = self._process.stdin, self._process.stdout
        assert asked is not None
        assert said is not None
        asked.write(json.dumps(request) + "\n")
        asked.flush()
        answer: dict[str, Any] = json.loads(said.readline())["results"][self.name]
        return answer


def _problems(value: Any) -> Iterator[str]:
    """What the engine says in place of a value, or has of a call."""
    if isinstance(value, dict):
        if "$error" in value:
            yield str(value["$error"])
        elif called(value) is not None:
            yield f"{called(value)} is not computed"
        for item in value.values():
            yield from _problems(item)
    for item in value if isinstance(value, list) else ():
        yield from _problems(item)


class Adapter(Engine):
    """How the engine ``name`` is asked, and a document filled with its answer."""

    def __init__(self, name: str) -> None:
        self.name = name

    def request(self, side: Side) -> dict[str, Any]:
        """The document with an output for each call that the engine computes, inputs, and attributes of nodes."""
        raw = load(side.document.text, side.document.name).data
        body = dict(raw.get("topology_template") or {})
        body.pop("substitution_mappings", None)  # opera refuses them
        calls = dict(self._asked(side))
        body["outputs"] = {name: {"value": call} for name, (_, call) in calls.items()}
        attributes: dict[str, dict[str, Any]] = {}
        for node, steps, value in sorted(_attributes(side), key=lambda row: -len(row[1])):
            insert(attributes.setdefault(node, {}), steps, value)
        data = {**raw, "topology_template": body}
        return {
            "data": _without_loose(data) if self.name == "puccini" else data,
            "inputs": {n: v for n, v in side.world.inputs.items() if n in side.topology.inputs and is_plain(v)},
            "runtime": {"nodes": {node: {"attributes": values} for node, values in attributes.items()}},
        }

    def fill(self, data: dict[str, Any], answer: dict[str, Any], side: Side) -> dict[str, Any]:
        """The values in the places of the calls."""
        made: dict[str, Any] = seen(Document(side.document.name, side.document.text, data)).data
        for name, (place, _) in self._asked(side):
            if name in answer["values"]:
                *steps, last = place
                holder: Any = made
                for step in steps:
                    holder = holder[step]
                holder[last] = as_data(answer["values"][name], called)
        return made

    def waits(self, answer: dict[str, Any]) -> dict[str, set[str]]:
        """What each node waits for: its requirements order it."""
        found: dict[str, set[str]] = answer["waits"]
        return found

    def _asked(self, side: Side) -> Iterator[tuple[str, tuple[tuple[Any, ...], Any]]]:
        """The name of its output, place and call, of each call that the engine is asked for."""
        inputs = side.document.data.get("inputs") or {}
        numbers = {name for name, row in inputs.items() if isinstance(row, dict) and row.get("type") in _NUMBERS}
        for number, (place, call) in enumerate(_calls(side.document.data)):
            if self._computes(call, numbers):
                yield f"{_PREFIX}{number}", (place, call)

    def _computes(self, call: Any, numbers: set[str], in_text: bool = False) -> bool:
        """False for what the engine computes in another way than the standard, or not at all (see
        tests/engines/test_tosca_calls_agree.py)."""
        if not isinstance(call, (dict, list)):
            return not in_text or isinstance(call, str)
        name = called(call) if isinstance(call, dict) else None
        items = call if isinstance(call, list) else list(call.values())
        if name is None:
            return all(self._computes(item, numbers) for item in items)
        argument = items[0] if isinstance(items[0], list) else items
        if name in _LENGTHS:
            is_number = name == "get_input" and in_text and argument[0] in numbers
            of_attribute = self.name == "puccini" and name == "get_attribute"  # takes a path there
            return not is_number and (len(argument) <= _LENGTHS[name] or of_attribute)
        if name == "concat":
            return all(self._computes(item, numbers, in_text=True) for item in argument)
        return name == "join" and all(isinstance(item, str) for item in argument[0])


def _without_loose(data: dict[str, Any]) -> dict[str, Any]:
    """A service template without the properties that are lists or maps of anything."""
    loose: dict[str, set[str]] = {}
    types: dict[str, Any] = {}
    for name, row in (data.get("node_types") or {}).items():
        properties = row.get("properties") or {}
        several = {one: it for one, it in properties.items() if it["type"] in ("list", "map")}
        loose[name] = {one for one, it in several.items() if "entry_schema" not in it}
        types[name] = {**row, "properties": _but(properties, loose[name])}
    body = data["topology_template"]
    nodes = {
        name: {**row, "properties": _but(row.get("properties") or {}, loose.get(row["type"], set()))}
        for name, row in (body.get("node_templates") or {}).items()
    }
    return {**data, "node_types": types, "topology_template": {**body, "node_templates": nodes}}


def _but(rows: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: row for name, row in rows.items() if name not in names}


def _calls(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The outermost calls of nodes and outputs, and their places."""
    if not place:
        for section in ("node_templates", "outputs"):
            yield from _calls(data.get(section), (section,))
    elif isinstance(data, dict) and called(data) is not None:
        yield place, data
    elif isinstance(data, (dict, list)):
        for key, item in data.items() if isinstance(data, dict) else enumerate(data):
            if place[-1:] != ("metadata",):
                yield from _calls(item, (*place, key))


def _attributes(side: Side) -> Iterator[tuple[str, list[Any], Any]]:
    """Node, name with its path, and value of each attribute that a call asks for."""
    expressions: dict[Any, ex.Expr] = {}
    for expr in (expr for value in side.expressions() for expr in ex.walk(value) if expr.path):
        expressions.setdefault(expr.path, expr)
    for place, call in _inner(side.document.data):
        if called(call) == "get_attribute" and place in expressions:
            node, *steps = call["get_attribute"]
            value = side.value(expressions[place])
            if node in (side.document.data.get("node_templates") or {}) and is_plain([steps, value]):
                yield node, steps, value


def _inner(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        yield place, value
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _inner(item, (*place, key))


def register(name: str) -> None:
    """Let service templates have the values of the engine ``name``."""
    row = DIALECTS["tosca"]
    DIALECTS["tosca"] = row._replace(comparison=replace(row.compared(), engine=Adapter(name)))
