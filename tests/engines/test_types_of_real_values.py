"""No value of a real template or blueprint changes its type on any way: properties, inputs of operations and outputs,
as the engines of both languages compute them. What is computed here: tests/conversion/test_types_on_every_way.py."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from checkout import REALWORLD, ROOT
from given_values import of_other_types
from tosca_runs import tosca_python

from bpconvert import SourceError, UsageError, convert
from bpconvert.engines.client import Engine
from bpconvert.translators.dialects import DIALECTS
from bpconvert.verification import verify

pytestmark = pytest.mark.engines

FOLDERS = {"hot": "hot", "cloudify": "cfy", "tosca": "tosca"}
#: source, target, and the engine of TOSCA. opera and puccini refuse most of what others wrote: of service templates,
#: the values are computed here
WAYS = [
    ("hot", "cloudify", ""), ("hot", "tosca", "opera"), ("hot", "tosca", "puccini"),
    ("cloudify", "hot", ""), ("cloudify", "tosca", "opera"), ("cloudify", "tosca", "puccini"),
    ("tosca", "hot", ""), ("tosca", "cloudify", ""),
]  # fmt: skip


def sources(language: str) -> list[Path]:
    """The real documents of a language."""
    root = REALWORLD / FOLDERS[language]
    if not root.is_dir():
        pytest.skip(f"there are no real documents: {root}")
    rows = json.loads((root / "manifest.json").read_text())["files"]
    return [root / row["path"] for row in rows if row["role"] == "primary"]


@pytest.fixture
def engines(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, engines_python: str
) -> Iterator[Mapping[str, Any]]:
    """Those of all languages, that of TOSCA by its name."""
    name = request.param
    found: dict[str, Any] = {
        "hot": Engine("heat", python=engines_python),
        "cloudify": Engine("cloudify", python=engines_python),
    }
    if name:
        tosca_python()
        monkeypatch.syspath_prepend(ROOT / "benchmarks")
        monkeypatch.setitem(DIALECTS, "tosca", DIALECTS["tosca"])
        import tosca_engines

        tosca_engines.register(name)
        found["tosca"] = tosca_engines.ToscaEngine(name)
    yield found
    for engine in found.values():
        engine.close()


@pytest.mark.parametrize(("source", "target", "engines"), WAYS, indirect=["engines"])
def test_nothing_is_computed_to_another_type(
    source: str, target: str, engines: Mapping[str, Any], tmp_path: Path
) -> None:
    changed, compared = [], 0
    for number, path in enumerate(sources(source)):
        place = tmp_path / str(number) / "result.yaml"
        try:
            made = convert(path, source, target, carry=False, allow_outside=True)
            place.parent.mkdir()
            made.write(place)
            found = verify(path, place, draws=1, reported=made.diagnostics, engines=engines)
        except (SourceError, UsageError):
            continue  # what cannot be read, or deployed with the values that are drawn
        changed += [(path.name, *row) for row in of_other_types(found.differences)]
        compared += found.compared
    assert changed == []
    assert compared > 300
