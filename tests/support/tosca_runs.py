"""The real engines of TOSCA: a process that answers one service template after the other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import engine_processes as processes
import pytest
from checkout import SHARED

from bpconvert import EvaluationError, evaluate

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
    return [answer["results"] for answer in processes.answers([python, str(SCRIPT), "--batch"], requests)]


def request(folder: Path, name: str, text: str, **more: Any) -> dict[str, Any]:
    """A request for a service template, written to ``folder``."""
    path = folder / f"{name}.yaml"
    path.write_text(text, "utf-8")
    return {"file": str(path), **more}


def evaluated(call: Any, refused: Any, **scope: Any) -> Any:
    """What a call yields here; ``refused`` where it is refused. ``scope``: as :func:`bpconvert.evaluate` takes it."""
    try:
        return evaluate(call, dialect="tosca", **scope)
    except EvaluationError:
        return refused
