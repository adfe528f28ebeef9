"""What an operation of a service template runs is a file by its name: with an ending, or in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from service_heads import SOFTWARE

from bpconvert import convert


@pytest.mark.parametrize(("file", "is_run"), [("bin/install", True), ("install.sh", True), ("install", False)])
@pytest.mark.parametrize(("target", "code"), [("hot", "BPC391"), ("cloudify", "BPC831")])
def test_a_file_in_a_folder_needs_no_ending(tmp_path: Path, target: str, code: str, file: str, is_run: bool) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("#!/bin/sh\necho installed\n")
    (tmp_path / "service.yaml").write_text(SOFTWARE % f"create: {file}")
    result = convert(tmp_path / "service.yaml", "tosca", target, carry=False)
    assert (code in [finding.code for finding in result.diagnostics]) is not is_run


def test_a_file_that_several_operations_run_stays_one(tmp_path: Path) -> None:
    """The plugin runs it with a shell, unless its first line names what runs it."""
    (tmp_path / "a.py").write_text("print(1)\n")
    (tmp_path / "service.yaml").write_text(SOFTWARE % "create: a.py, start: a.py")
    result = convert(tmp_path / "service.yaml", "tosca", "cloudify", carry=False)
    assert result.files == {"a.py": "#!/usr/bin/env python3\nprint(1)\n"}
    operations = result.document["node_templates"]["app"]["interfaces"]["cloudify.interfaces.lifecycle"]
    assert [operation["implementation"] for operation in operations.values()] == ["a.py", "a.py"]
