"""A short run of ``tools/fuzz``, and the cases that broke once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits of time and memory are those of Linux")


def fuzz(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools/fuzz"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_odd_documents(tmp_path: Path) -> None:
    done = fuzz("--cases", "40", "--hash-every", "40", "--found", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "40 cases, 1 of them with other hash seeds: 0 broke\n")


def test_a_case_that_breaks_is_kept_and_can_be_replayed(tmp_path: Path) -> None:
    kept = tmp_path / "1-2.json"
    kept.write_text('{"problem": "", "case": {"action": "convert", "text": "a", "name": "x.yaml", "target": "none"}}')
    done = fuzz("--replay", str(kept))
    assert (done.returncode, "unknown" in done.stdout or "fine" in done.stdout) == (0, True)


@pytest.mark.skipif(not FOUND, reason="nothing has broken yet")
def test_what_broke_once() -> None:
    done = fuzz("--replay", *map(str, FOUND))
    assert done.returncode == 0, done.stdout
