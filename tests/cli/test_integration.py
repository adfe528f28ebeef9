"""What makes bpconvert fit into other tools: hooks of pre-commit, the action, completion in a shell."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.cli.main import commands, main

GOOD = "heat_template_version: 2018-08-31\nresources: {net: {type: OS::Neutron::Net}}\n"
WRONG = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nam: a}}\n"


@pytest.fixture
def hooks(root: Path) -> dict[str, dict[str, Any]]:
    return {hook["id"]: hook for hook in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())}


def test_the_check_hook_skips_other_files(
    hooks: dict[str, dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A repository has other YAML files, which the hook is given, too."""
    monkeypatch.chdir(tmp_path)
    files = {"good.yaml": GOOD, "compose.yaml": "services: {}\n", "broken.yml": "a: [", "values.yaml": "- 1\n"}
    for name, text in files.items():
        Path(name).write_text(text)
    program, *words = shlex.split(hooks["bpconvert-check"]["entry"])
    assert program == "bpconvert"
    assert main([*words, *files]) == 0
    assert main([*words, "compose.yaml"]) == 0
    assert "compose" not in capsys.readouterr().err
    Path("wrong.yaml").write_text(WRONG)
    assert main([*words, *files, "wrong.yaml"]) == 1
    assert "BPC170" in capsys.readouterr().out
    assert main(["check", "compose.yaml"]) == 2


def test_the_convert_hook_keeps_a_folder(
    hooks: dict[str, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("templates").mkdir()
    Path("templates/a.yaml").write_text(GOOD)
    hook = hooks["bpconvert-convert"]
    assert hook["pass_filenames"] is False
    assert main([*shlex.split(hook["entry"])[1:], "--to", "cloudify", "templates", "-o", "blueprints"]) == 0
    assert Path("blueprints/a.yaml").is_file()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_action_runs_the_command_with_its_arguments(root: Path, tmp_path: Path) -> None:
    action = yaml.safe_load((root / "action.yml").read_text())
    step = action["runs"]["steps"][-1]
    programs, work = tmp_path / "programs", tmp_path / "work"
    programs.mkdir()
    work.mkdir()
    docker = programs / "docker"  # what is behind the name of the image is run here
    until = 'while [ "$1" != bpconvert-action ]; do echo "$1" >> ../given; shift; done; shift'
    docker.write_text(f'#!/bin/sh\n{until}\nexec {shlex.quote(sys.executable)} -m bpconvert "$@"\n')
    docker.chmod(0o755)
    (work / "a file.yaml").write_text(WRONG)
    given = {"BPCONVERT_COMMAND": "check", "BPCONVERT_ARGUMENTS": "'a file.yaml' --quiet"}
    given["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    assert set(step["env"]) < set(given)
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=work, env={**os.environ, **given}, capture_output=True, check=False
    )
    assert (done.returncode, b"BPC170" in done.stdout) == (1, True), done.stderr
    options = (tmp_path / "given").read_text().splitlines()
    assert {"--rm", "--user", "GITHUB_ACTIONS", f"{work}:/work"} <= set(options)
    assert options[options.index("--network") + 1] == "none"


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_all_commands(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in commands())
    assert "--dsl-version" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    assert main(["completion", "bash"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    asked = 'source "$0"; COMP_WORDS=(bpconvert hot2cfy --plu); COMP_CWORD=2; _shtab_bpconvert; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", asked, str(tmp_path / "script")], capture_output=True, text=True, check=True)
    assert done.stdout == "--plugin\n"


def test_without_the_package_completion_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "pip install 'shtab" in capsys.readouterr().err
