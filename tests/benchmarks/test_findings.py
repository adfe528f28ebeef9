"""The benchmark of findings: what belongs together is counted once, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from checkout import ROOT

SCRIPT = ROOT / "benchmarks" / "findings.py"
HEAD = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net}\n"
#: three stand-ins of a type, and two uses of one
MANY = "  a: {type: Acme::A}\n  b: {type: Acme::A}\n  c: {type: Acme::A}\n" + "".join(
    f"  n{number}: {{type: OS::Neutron::Net, properties: {{name: {{get_attr: [a, name]}}}}}}\n" for number in range(2)
)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--realworld", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_numbers_of_findings(tmp_path: Path) -> None:
    (tmp_path / "hot").mkdir()
    (tmp_path / "hot" / "many.yaml").write_text(HEAD + MANY)
    done = run(tmp_path, "--codes")
    assert done.stdout.splitlines() == [
        "hot to cloudify: 1 templates",
        "          total  median  90th",
        "  all         5       5     5",
        "  read        1       1     1",
        "  shown       1       1     1",
        "       1 BPC300 warning: type without counterpart",
    ]
    assert done.returncode == 0
    assert run(tmp_path, "--max", "0.1").returncode == 1


def test_no_templates(tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 2
