"""References of TOSCA after conversion: what Heat and Cloudify compute of them is what they mean."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from corpus_runs import cloudify_command, heat_command, same
from engine_processes import ask
from tosca_references import SECOND, STARTS, VERSION, Asked, Topology, document

from bpconvert import Result, convert
from bpconvert.diagnostics import Fidelity

pytestmark = pytest.mark.engines

CASES: Final = 200
#: calls in one service template
TOGETHER: Final = 25
SCRIPT: Final = "#!/bin/sh\necho done\n"


def drawn(function: str, version: str, software: bool) -> list[tuple[Topology, list[Asked]]]:
    """Groups of calls, each of one topology."""
    draw, found = random.Random(f"{function} {version} {software}"), list[tuple[Topology, list[Asked]]]()
    attributes = function == "get_attribute"
    # what a relationship has is nowhere but in what its operations are given
    places = [place for place in STARTS if software or place != "relationship"]
    for _ in range(CASES // TOGETHER):
        topology, group = Topology(draw), list[Asked]()
        while len(group) < TOGETHER:
            place = draw.choice(places)
            reference = topology.drawn(draw, place, attributes, version)
            if version == VERSION or reference.start != "HOST":  # a word that 2.0 does not have
                meant = topology.meant(place, reference, attributes)
                group.append(Asked(place, reference.written(function, version), meant))
        found.append((topology, group))
    return found


def other_values(made: Result) -> set[str]:
    """The calls that a finding is about which names another value."""
    steps = {step for row in made.diagnostics if row.fidelity >= Fidelity.APPROXIMATED for step in row.path}
    return {step for step in steps if isinstance(step, str) and re.fullmatch(r"v\d+", step)}


def from_heat(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What Heat computes of each call; a deployment gets texts."""
    assert answer["ok"], answer
    for name, row in answer["outputs"].items():
        yield name, row.get("value", row)
    for resource in answer["resources"].values():
        properties = resource["properties"]
        yield from ((properties.get("properties") or {}) if "tosca_type" in properties else {}).items()
        for name, text in (properties.get("input_values") or {}).items():
            yield name, Text(text)


def from_cloudify(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What Cloudify computes of each call."""
    found = answer["result"]
    assert "outputs" in found, found
    assert not found.get("evaluation_errors"), found
    yield from found["outputs"].items()
    first = found["nodes"]["first"]
    yield from (first["properties"].get("tosca_properties") or {}).items()
    for operation in (first.get("operations") or {}).values():
        yield from operation["inputs"].items()
    for row in first.get("relationships") or ():
        for operation in (row.get("source_operations") or {}).values():
            yield from operation["inputs"].items()


class Text(str):
    """A value in a text."""


def agree(found: Any, meant: Any) -> bool:
    """Whether a value is the one that is meant."""
    if isinstance(found, Text) and not isinstance(meant, str):
        return same(json.loads(found), meant)
    return same(found, meant)


def computed(
    texts: list[str], target: str, python: str, engines: Path, folder: Path
) -> list[tuple[dict[str, Any], set[str]]]:
    """The values by the name of their call, and the names of those that a finding is about."""
    for name in ("create.sh", "pre_configure_source.sh"):
        (folder / name).write_text(SCRIPT)
    made, asked = list[Result](), list[dict[str, Any]]()
    for number, text in enumerate(texts):
        source = folder / f"source{number}.yaml"
        source.write_text(text, "utf-8")
        result = convert(source, "tosca", target, carry=False)
        result.write(folder / f"made{number}" / "made.yaml")
        made.append(result)
        asked.append(_request(result, folder / f"made{number}" / "made.yaml", target))
    command = heat_command(python, engines) if target == "hot" else cloudify_command(python, engines)
    read = from_heat if target == "hot" else from_cloudify
    return [(dict(read(answer)), other_values(one)) for one, answer in zip(made, ask(command, asked), strict=True)]


def _request(result: Result, path: Path, target: str) -> dict[str, Any]:
    if target == "hot":
        faked = {"fake_params": True, "fake_attrs": True, "strict_types": True}
        return {"template": str(path), "files_root": str(path.parent), "params": {}, **faked}
    inputs = [yaml.safe_load(text) for name, text in result.files.items() if name.endswith("inputs.yaml")]
    options = {"synthesize": True, "operations": "all"}
    return {"blueprint": str(path), "inputs": inputs[0] if inputs else {}, "runtime": {}, "options": options}


@pytest.mark.parametrize("software", [False, True], ids=["stand-ins", "software"])
@pytest.mark.parametrize("version", [VERSION, SECOND])
@pytest.mark.parametrize("function", ["get_property", "get_attribute"])
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_references(
    target: str, function: str, version: str, software: bool, engines_python: str, heat_engine: Path, tmp_path: Path
) -> None:
    groups = drawn(function, version, software)
    texts = [document(topology, group, version, software) for topology, group in groups]
    compared, different = 0, list[str]()
    answers = computed(texts, target, engines_python, heat_engine.parent, tmp_path)
    for (_, group), (values, other) in zip(groups, answers, strict=True):
        for number, one in enumerate(group):
            if f"v{number}" in other:
                continue
            compared += 1
            found = values.get(f"v{number}", "nothing at all")
            if not agree(found, one.meant):
                different.append(f"{one.place} {json.dumps(one.call)}: meant {one.meant!r}, {target} {found!r}")
    print(target, function, version, software, compared, "of", CASES)
    assert not different, f"{len(different)} of {compared} differ:\n" + "\n".join(different[:20])
    assert compared > 0.9 * CASES
