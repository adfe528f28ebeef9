"""The oracle beside the checkout: it deploys a document with its own engine into a fake OpenStack, and compares.

Nothing of it is here: its drivers run as processes (Heat's with ``heat_driver.py`` around it), its comparison is loaded
from its folder.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
ENGINES: Final = ROOT.parent / "shared" / "engines"
FOLDER: Final = ENGINES / "deploy"
_MODULES: Final = ("compare_clouds", "values", "run")


class Missing(Exception):
    """Something that the oracle needs is not there; the message says what and how to get it."""


def modules() -> tuple[ModuleType, ModuleType]:
    """``compare_clouds`` and ``run`` of the oracle."""
    if not (FOLDER / "run.py").exists():
        raise Missing(f"{FOLDER} is not there: it holds the drivers and the comparison")
    sys.path.insert(0, str(FOLDER))
    try:
        compare, _, run = (importlib.import_module(name) for name in _MODULES)
    finally:
        sys.path.remove(str(FOLDER))
    return compare, run


def mutations() -> list[tuple[str, Callable[[dict[str, Any]], None]]]:
    """The oracle's own changes of a blueprint, each of which has to be seen."""
    modules()
    sys.path.insert(0, str(FOLDER))
    try:
        found: dict[str, Callable[[dict[str, Any]], None]] = importlib.import_module("mutate").MUTATIONS
    finally:
        sys.path.remove(str(FOLDER))
    return list(found.items())


def can(python: str, module: str) -> bool:
    """True if an interpreter is there and has a module."""
    try:
        return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


class Engine:
    """A driver of the oracle that stays and forks for every deployment; one deployment at a time."""

    def __init__(self, run: ModuleType, *command: str) -> None:
        self._engine, self._lock = run.Engine(*command), Lock()

    def __call__(
        self, document: str | Path, values: Any = None, timeout: int = 150, cloud: Any = None
    ) -> dict[str, Any]:
        with self._lock:
            answer: dict[str, Any] = self._engine(str(document), values, timeout, cloud)
        return answer

    def close(self) -> None:
        self._engine.close()


def heat(run: ModuleType, python: str) -> Engine:
    """The driver of Heat."""
    return Engine(run, python, str(Path(__file__).with_name("heat_driver.py")), str(FOLDER), "--serve")


def cloudify(run: ModuleType, python: str, plugin: Path, also: list[Path]) -> Engine:
    """The driver of Cloudify with the OpenStack plugin's code."""
    further = [text for path in also for text in ("--also", str(path.resolve()))]
    options = ["--plugin", str(plugin.resolve()), "--imports", str(ENGINES / "imports"), *further]
    return Engine(run, python, str(FOLDER / "cloudify_deploy.py"), "--serve", *options)
