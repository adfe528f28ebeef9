"""The contracts of imports in pyproject.toml, judged by import-linter: they go down only, and there is no circle."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from checkout import ROOT


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as it is when installed: an editable one has its parts elsewhere."""
    folder = tmp_path_factory.mktemp("installed")
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bpconvert", folder / "bpconvert", ignore=without)
    for part in ("models", "translators", "templates"):
        shutil.copytree(ROOT / part, folder / "bpconvert" / part, ignore=without)
    return folder


@pytest.mark.skipif(find_spec("importlinter") is None, reason="import-linter is not installed: pip install '.[dev]'")
def test_contracts_are_kept(installed: Path) -> None:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    words = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    done = subprocess.run([sys.executable, "-c", command, *words], cwd=installed, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr
