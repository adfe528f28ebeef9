"""A short run of ``tools/fuzz``, and the cases that broke once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from machine_pace import pace

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))

pytestmark = [
    pytest.mark.one_version,
    pytest.mark.skipif(sys.platform != "linux", reason="the limits of time and memory are those of Linux"),
]


def fuzz(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools/fuzz"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120 * pace())


def test_odd_documents(tmp_path: Path) -> None:
    done = fuzz("--cases", "40", "--found", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "40 cases, 40 of them under 3 hash seeds: 0 broke\n")


def test_a_kept_case_can_be_replayed(tmp_path: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"run": ["convert", "in", "--to", "hot", "-o", "out"]},
        {"edit": "out", "seed": 1},
        {"run": ["check", "-"], "stdin": "in/a.yaml"},
    ]
    files = {"in/a.yaml": "tosca_definitions_version: cloudify_dsl_1_3\n"}
    made = {"action": "commands", "text": "", "name": "", "target": "hot", "files": files, "steps": steps}
    fine, broken = kept(tmp_path / "1-1.json", made), kept(tmp_path / "1-2.json", {**made, "files": {}})
    done = fuzz("--replay", fine, broken)
    first, second = done.stdout.splitlines()
    assert (done.returncode, first) == (1, f"{fine}: fine")
    assert second.startswith(f"{broken}: FileNotFoundError: [Errno 2] No such file or directory: 'in/a.yaml', in ")


def kept(place: Path, case: dict[str, Any]) -> str:
    place.write_text(json.dumps({"problem": "", "case": case}))
    return str(place)


def test_what_broke_once() -> None:
    assert len(FOUND) >= 21
    done = fuzz("--replay", *map(str, FOUND))
    assert done.returncode == 0, done.stdout
