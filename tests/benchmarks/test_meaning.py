"""The benchmark of round trips by meaning: what it leaves out, and what counts as equal and as reported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

SCRIPT = ROOT / "benchmarks" / "roundtrip.py"
HEAD = "heat_template_version: 2018-08-31\n"
TEMPLATES = {
    "equal": "resources:\n  net: {type: 'OS::Neutron::Net', properties: {name: inner}}\n",
    "reported": "resources:\n  ip: {type: 'OS::Nova::FloatingIP'}\n",
    "stand_in": "resources:\n  far: {type: 'OS::Heat::UpdateWaitConditionHandle'}\n",
    "refused": "resources:\n  net: {type: 'OS::Neutron::Nett'}\n",
    "no_file": "outputs:\n  text: {value: {get_file: missing.txt}}\n",
}


@pytest.fixture
def printed(tmp_path: Path) -> tuple[int, str]:
    for folder in ("hot", "cfy"):
        (tmp_path / folder).mkdir()
    for name, text in TEMPLATES.items():
        (tmp_path / "hot" / f"{name}.yaml").write_text(HEAD + text)
    command = [sys.executable, SCRIPT, "--hot", tmp_path / "hot", "--cloudify", tmp_path / "cfy", "--meaning"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def test_each_template_is_left_out_or_has_a_verdict(printed: tuple[int, str]) -> None:
    code, text = printed
    assert code == 0
    lines = [line.strip() for line in text.splitlines()]
    assert "hot: 5 templates, 2 compared by meaning without the carried source" in lines
    for reason in ("its own engine refuses it", "a node has no counterpart", "a file that it names is not there"):
        assert f"left out    1: {reason}" in lines
    assert "equal 1 of 2 (50.0 %)" in lines
    assert "different, with the code that says why: 1" in lines
    assert "different silently: 0" in lines
    assert any(line.startswith("reported.yaml: BPC345: ip.floating_network: nothing -> ") for line in lines)
