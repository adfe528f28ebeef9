"""The real engines of TOSCA: a process that answers one service template after the other."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from checkout import SHARED

SCRIPT: Final = SHARED / "engines" / "tosca" / "tosca_engine.py"
ENGINES: Final = ("tosca-parser", "opera", "puccini")
#: what an engine gives a value that it leaves as it is
LEFT: Final = "left as it is"
REFUSED: Final = "refused"


def tosca_python() -> str:
    """A Python that has the engines; skips the test without one."""
    python = os.environ.get("BPCONVERT_TOSCA_PYTHON")
    if not python:
        pytest.skip("set BPCONVERT_TOSCA_PYTHON to a Python with tosca-parser, opera and puccini")
    if not SCRIPT.exists():
        pytest.skip(f"{SCRIPT} is not there")
    return python


def answers(python: str, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers, each engine -> its answer, in order."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([python, str(SCRIPT), "--batch"], input=lines, capture_output=True, text=True, check=False)
    found = [json.loads(line)["results"] for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(found) == len(requests), done.stderr[-2000:]
    return found


def request(folder: Path, name: str, text: str, **more: Any) -> dict[str, Any]:
    """A request for a service template, written to ``folder``."""
    path = folder / f"{name}.yaml"
    path.write_text(text, "utf-8")
    return {"file": str(path), **more}
