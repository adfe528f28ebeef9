"""Service templates that ask for values by calls ``v0``, ``v1``, ...: what the engines compute after conversion."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from corpus_runs import ask_cloudify, cloudify_command, heat_command, same
from engine_processes import ask

from bpconvert import Result, convert
from bpconvert.diagnostics import Fidelity

SCRIPT: Final = "#!/bin/sh\necho done\n"
#: what findings assume and is so here: programs publish their outputs as texts, texts beyond ASCII are given, and a
#: machine has one address in a network
GIVEN: Final = ("BPC842", "BPC238", "BPC601", "BPC310")
#: what is found where a result has no such value
NOTHING: Final = "nothing at all"


class Text(str):
    """A value in a text."""


class Converted:
    """A service template that has been converted. ``other``: the calls that a finding is about which names another
    value; ``values``: the others, by name, as the engine computes them."""

    def __init__(self, result: Result, answer: dict[str, Any]) -> None:
        self.result = result
        rows = [row for row in result.diagnostics if row.fidelity >= Fidelity.APPROXIMATED and row.code not in GIVEN]
        steps = {step for row in rows for step in row.path}
        self.other = {step for step in steps if isinstance(step, str) and re.fullmatch(r"v\d+", step)}
        read = _from_heat if result.target == "hot" else _from_cloudify
        self.values = {name: value for name, value in read(answer) if name not in self.other}

    def differs(self, name: str, meant: Any) -> bool:
        """Whether the value is not the one that is meant."""
        found = self.values.get(name, NOTHING)
        if isinstance(found, Text) and not isinstance(meant, str):
            try:
                found = json.loads(found)
            except ValueError:
                return True
        return not same(found, meant)


def compare(made: list[Converted], asked: list[list[tuple[str, Any, Any]]]) -> tuple[int, list[str]]:
    """How many calls are compared, and those that yield something else than they mean. ``asked``: of each service
    template the calls ``v0``, ``v1``, ...: place, call, meaning."""
    count, different = 0, list[str]()
    for one, calls in zip(made, asked, strict=True):
        for name, (place, call, meant) in ((f"v{number}", row) for number, row in enumerate(calls)):
            if name not in one.other:
                count += 1
                if one.differs(name, meant):
                    found = one.values.get(name, NOTHING)
                    different.append(f"{place} {json.dumps(call)}: meant {meant!r}, {one.result.target} {found!r}")
    return count, different


def convert_all(
    texts: list[str], target: str, python: str, engines: Path, folder: Path,
    runtimes: list[Mapping[str, Any]] | None = None, given: Mapping[str, Any] | None = None,
) -> list[Converted]:  # fmt: skip
    """The service templates after conversion. ``runtimes``: of each what the engine knows of resources or nodes;
    ``given``: values for inputs."""
    for text in set(re.findall(r"\w+\.sh", "".join(texts))):
        (folder / text).write_text(SCRIPT)
    made, asked = list[Result](), list[dict[str, Any]]()
    for number, text in enumerate(texts):
        source, place = folder / f"source{number}.yaml", folder / f"made{number}" / "made.yaml"
        source.write_text(text, "utf-8")
        made.append(convert(source, "tosca", target, carry=False))
        made[-1].write(place)
        asked.append(_request(made[-1], place, runtimes[number] if runtimes else {}, given or {}))
    if target == "hot":
        answers = ask(heat_command(python, engines), asked)
    else:
        answers = ask_cloudify(cloudify_command(python, engines), asked)
    return [Converted(one, answer) for one, answer in zip(made, answers, strict=True)]


def _request(result: Result, path: Path, runtime: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    if result.target == "hot":
        faked = {"fake_params": True, "fake_attrs": not runtime, "strict_types": True, "params": given}
        return {"template": str(path), "files_root": str(path.parent), "runtime": {"resources": runtime}, **faked}
    inputs = [yaml.safe_load(text) for name, text in result.files.items() if name.endswith("inputs.yaml")]
    options = {"synthesize": True, "operations": "all"}
    return {"blueprint": str(path), "inputs": {k: v for row in (given, *inputs) for k, v in row.items()},
            "runtime": {"nodes": runtime}, "options": options}  # fmt: skip


def _from_heat(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What Heat computes of each call; a deployment gets texts."""
    assert answer["ok"], answer
    for name, row in answer["outputs"].items():
        yield name, row.get("value", row)
    for resource in answer["resources"].values():
        properties = resource["properties"]
        yield from ((properties.get("properties") or {}) if "tosca_type" in properties else {}).items()
        for name, text in (properties.get("input_values") or {}).items():
            yield name, Text(text)


def _from_cloudify(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What Cloudify computes of each call."""
    found = answer["result"]
    assert "outputs" in found, found
    assert not found.get("evaluation_errors"), found
    yield from found["outputs"].items()
    for node in found["nodes"].values():
        yield from (node["properties"].get("tosca_properties") or {}).items()
        rows = [node.get("operations") or {}]
        ends = [(row, end) for row in node.get("relationships") or () for end in ("source", "target")]
        rows += [row.get(f"{end}_operations") or {} for row, end in ends]
        for operation in (one for row in rows for one in row.values()):
            yield from (operation.get("inputs") or {}).items()
