"""What Heat has created, another stack of it takes over: adopting and updating write nothing, deleting deletes all."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from checkout import ROOT, SHARED

from bpconvert.adoption import adopt

pytestmark = pytest.mark.engines

CASES = ("server-on-network", "router-interface-of-port", "conditional-network", "volume-attached-after-its-server")


def run(python: str, *words: str | Path) -> dict[str, object]:
    """What the script that takes over prints."""
    script = SHARED / "engines" / "deploy" / "takeover.py"
    if not script.exists():
        pytest.skip(f"{script} is not there")
    ran = subprocess.run([python, script, *words], capture_output=True, text=True, check=False)
    assert ran.stdout, ran.stderr
    found: dict[str, object] = json.loads(ran.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("case", CASES)
def test_heat_takes_over_what_heat_created(case: str, engines_python: str, tmp_path: Path) -> None:
    source = ROOT / "corpus" / "hot" / case / "hot.yaml"
    assert run(engines_python, "heat-create", source, tmp_path)["ok"]
    adopt(tmp_path / "stack.json", "hot").write(tmp_path / "template.yaml")
    found = run(engines_python, "heat-take", tmp_path, tmp_path / "adopt.json", tmp_path / "template.yaml")
    assert found["ok"], found
