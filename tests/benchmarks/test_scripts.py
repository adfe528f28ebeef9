"""Each benchmark finds what it imports; most run only where the real templates or the engines are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT


@pytest.mark.parametrize("script", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda script: script.name)
def test_what_it_imports_is_there(script: Path) -> None:
    code = f"import runpy; runpy.run_path({script.name!r}, run_name='imported')"
    done = subprocess.run([sys.executable, "-c", code], cwd=script.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
