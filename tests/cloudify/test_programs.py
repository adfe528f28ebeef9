"""What an operation of a blueprint runs."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models.topology import Operation
from bpconvert.translators.cloudify.programs import script


@pytest.mark.parametrize(
    ("implementation", "file"),
    [
        ("run.sh", "run.sh"),
        ("scripts/images_fedora.qcow2", "scripts/images_fedora.qcow2"),
        ("https://example.com/run", "https://example.com/run"),
        ("plugin.module.function", None),
    ],
)
def test_what_names_no_plugin_is_a_file(implementation: str, file: str | None) -> None:
    read = script(Operation("cloudify.interfaces.lifecycle", "create", implementation))
    assert (None if read is None else read.file) == file


@pytest.mark.parametrize(
    ("file", "process", "settings"),
    [
        ("a.ps1", {"command_prefix": "powershell"}, []),
        ("a.ps1", {"command_prefix": "pwsh"}, [("inputs", "process", "command_prefix")]),
        ("a.sh", {"command_prefix": "powershell"}, [("inputs", "process", "command_prefix")]),
        ("a.sh", {"eval_python": False, "cwd": "/"}, [("inputs", "process", "cwd")]),
    ],
)
def test_settings_that_are_how_the_plugin_runs_it_anyway(
    file: str, process: dict[str, Any], settings: list[Any]
) -> None:
    read = script(Operation("cloudify.interfaces.lifecycle", "create", file, {"process": process}))
    assert read is not None
    assert read.settings == settings
