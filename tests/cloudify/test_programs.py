"""What an operation of a blueprint runs, and how it is started where no plugin does that."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bpconvert.models.expressions import Concat, Input, Value
from bpconvert.models.topology import Operation
from bpconvert.translators.cloudify.programs import script
from bpconvert.translators.passes.software.starting import started


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
    assert [*read.settings, *(place for _, place in read.setup.values())] == settings


def start(file: Path, process: dict[str, Any]) -> tuple[str, str, dict[str, Value]]:
    """What a script prints as its plugin starts it (script_runner/tasks.py, ``execute``), the script that others start,
    and the variables that this one needs."""
    command = " ".join([process.get("command_prefix", ""), str(file), *process.get("args", ())])
    done = subprocess.run(
        command.strip(), shell=True, cwd=process.get("cwd") or None, env=ENVIRONMENT,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    program = script(Operation("cloudify.interfaces.lifecycle", "create", file.name, {"process": process}))
    assert program is not None
    own = started(file.read_text(), program)
    assert own is not None
    assert set(own.settings) == {key for key in process if process[key]}
    return done.stdout, own.text, {name: value for name, (value, _) in own.inputs.items()}


ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/here", "two": "of two"}
PRINTS = 'pwd\nfor word in "$@"; do echo "[$word]"; done\n'


@pytest.mark.parametrize("first", ["#!/bin/sh\n", "#!/bin/bash\n", "#! /usr/bin/env sh\n", ""])
@pytest.mark.parametrize(
    "process",
    [
        {"args": ["-x", "--", "a\\ b", "'c  d'", '"$two"', "$two ${two}", "~", "*.none", "", "=", "é"]},
        {"args": [], "cwd": "/"},
        {"args": ["*"], "cwd": "a folder"},
        {"args": ["x"], "command_prefix": "bash"},
        {"command_prefix": "/bin/sh"},
    ],
)
def test_script_starts_itself_as_its_plugin_does(tmp_path: Path, process: dict[str, Any], first: str) -> None:
    file = tmp_path / "run.sh"
    file.write_text(first + PRINTS)
    file.chmod(0o700)
    if "folder" in process.get("cwd", ""):
        process = process | {"cwd": str(tmp_path / process["cwd"])}
        (tmp_path / "a folder").mkdir()
        (tmp_path / "a folder" / "its file").touch()
    prints, text, variables = start(file, process)
    assert not variables
    file.write_text(text)
    alone = subprocess.run([file], env=ENVIRONMENT, cwd=Path.cwd(), capture_output=True, text=True, check=True)
    assert alone.stdout == prints


def test_computed_arguments_are_words_of_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "run.sh"
    file.write_text("#!/bin/sh\n" + PRINTS)
    file.chmod(0o700)
    computed = {"args": ["-x", Input("name"), '"and more"'], "cwd": Input("folder"), "command_prefix": "bash"}
    program = script(Operation("interface", "create", file.name, {"process": computed, "script_folder": "own"}))
    assert program is not None
    own = started(file.read_text(), program)
    assert own is not None
    values = {name: value for name, (value, _) in own.inputs.items()}
    assert values == {
        "script_folder_2": Input("folder"),
        "script_arguments": Concat(("-x", " ", Input("name"), " ", '"and more"')),
    }
    prints, _, _ = start(file, {"args": ["-x", "'a b' c", '"and more"'], "cwd": "/"})
    file.write_text(own.text)
    environment = ENVIRONMENT | {"script_folder_2": "/", "script_arguments": "-x 'a b' c \"and more\""}
    alone = subprocess.run([file], env=environment, capture_output=True, text=True, check=True)
    assert alone.stdout == prints


@pytest.mark.parametrize(
    ("text", "process"),
    [
        ("#!/bin/sh\n", {"args": ["a; b"]}),
        ("#!/bin/sh\n", {"args": ["a >b"]}),
        ("#!/bin/sh\n", {"args": ["$(date)"]}),
        ("#!/bin/sh\n", {"args": ["{a,b}"]}),
        ("#!/bin/sh\n", {"args": ["a\nb"]}),
        ("#!/bin/sh\n", {"args": "a b"}),
        ("#!/bin/sh\n", {"args": [1]}),
        ("#!/bin/sh\n", {"cwd": ["/"]}),
        ("#!/usr/bin/env python3\n", {"args": ["a"], "cwd": "/"}),
        ("#!/bin/sh\n", {"args": ["a"], "command_prefix": "nice -n 5"}),
        ("#!/bin/sh\n", {"args": ["a"], "command_prefix": Input("shell")}),
    ],
)
def test_what_is_no_line_of_a_script_is_left(text: str, process: dict[str, Any]) -> None:
    program = script(Operation("interface", "create", "run.sh", {"process": process}))
    assert program is not None
    assert program.setup
    assert started(text, program) is None
