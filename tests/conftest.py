"""The tests run against the installed package, from any folder.

``python -m pytest`` puts the checkout first on the path, where its folder ``bpconvert/`` would hide
the installed package.
"""

from __future__ import annotations

import gc
import os
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent

sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != ROOT]
if find_spec("bpconvert") is None or find_spec("bpconvert.models") is None:
    pytest.exit("bpconvert is not installed here: run pip install '.[test]' (or -e '.[dev]') first", returncode=2)


os.environ.pop("GITHUB_ACTIONS", None)  # it chooses another format of findings


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


def pytest_addoption(parser: pytest.Parser) -> None:
    """The command that rewrites what the corpus expects."""
    parser.addoption("--update-corpus", action="store_true", help="rewrite the expected results of corpus/")


def pytest_collection_finish() -> None:
    """What is collected stays: the collector of garbage need not look at all of it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The raw nodes that the next blueprint hands on."""
    from bpconvert.translators.cloudify.read import nodes as neutral

    kept: dict[str, Any] = {}
    monkeypatch.setattr(neutral, "neutralise", lambda topology, raw, *rest: kept.update(raw))
    return kept


@pytest.fixture
def read(nodes: dict[str, Any]) -> Any:
    """Reads a blueprint; its nodes stay raw."""
    from blueprints_read import lift_with

    return partial(lift_with, nodes)
