"""What docs/proof.md shows beside heat-translator: it changes four values without a message, here none is changed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from checkout import ROOT
from tosca_runs import tosca_python

from bpconvert import convert

PAGE = (ROOT / "docs" / "proof.md").read_text("utf-8")
SOURCE = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
DEFAULTS = {"account": "0123", "answer": "yes", "owner": "the user's name"}


def test_no_value_is_changed_here() -> None:
    result = convert(SOURCE, "tosca", "hot", carry=False)
    template = yaml.safe_load(result.text)
    assert {name: template["parameters"][name]["default"] for name in DEFAULTS} == DEFAULTS
    assert list(template["outputs"]["first"]["value"]) == ["str_split"]


@pytest.mark.engines
def test_heat_translator_changes_all_of_them(tmp_path: Path) -> None:
    tool = Path(tosca_python()).with_name("heat-translator")
    if not tool.exists():
        pytest.skip(f"{tool} is not there")
    (tmp_path / "service.yaml").write_text(SOURCE, "utf-8")
    command = [str(tool), "--template-file", "service.yaml", "--template-type", "tosca"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    template = yaml.safe_load(ran.stdout)
    changed = {name: template["parameters"][name]["default"] for name in DEFAULTS}
    assert changed == {"account": 83, "answer": True, "owner": "the users name"}
    assert list(template["outputs"]["first"]["value"]) == ["token"]
    assert not re.search(r"warn|token|quot", ran.stderr, re.IGNORECASE)
