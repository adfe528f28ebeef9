"""The image: what it is built from is there, and it runs as a user without rights. Built where docker runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bpconvert.cli.main import commands

ROOT = Path(__file__).parents[2]


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile: their names and what they are given."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines)]


def copied() -> set[str]:
    """What is copied from the checkout."""
    given = [rest.split() for name, rest in instructions() if name == "COPY" and "--from=" not in rest]
    return {source for words in given for source in words[:-1]}


def test_it_is_slim_runs_the_command_and_is_not_root() -> None:
    names = [name for name, _ in instructions()]
    assert set(names) <= {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD"}
    assert all(re.match(r"python:3\.\d+-slim\b", rest) for name, rest in instructions() if name == "FROM")
    last = dict(instructions()[len(names) - 1 - names[::-1].index("FROM") :])
    assert last["USER"].isdecimal()
    assert int(last["USER"]) > 0
    assert json.loads(last["ENTRYPOINT"]) == ["bpconvert"]
    assert names.index("USER") < names.index("ENTRYPOINT")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is there since Python 3.11")
def test_all_that_the_package_is_built_from_is_copied_and_not_ignored() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    tool = project["tool"]["setuptools"]
    needed = {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]}
    needed |= {*tool["package-dir"].values(), *(file for files in tool["data-files"].values() for file in files)}
    assert copied() == needed
    assert all((ROOT / place).exists() for place in needed)
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert kept == needed


def test_the_command_of_its_comment_is_there() -> None:
    named = re.search(r'docker run --rm -v "\$PWD:/work" bpconvert (\w+)', (ROOT / "Dockerfile").read_text("utf-8"))
    assert named is not None
    assert named[1] in commands()


def test_it_can_be_built(tmp_path: Path) -> None:
    try:
        is_there = subprocess.run(["docker", "info"], capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        is_there = False
    if not is_there:
        pytest.skip("docker does not run here")
    subprocess.run(["docker", "build", "--quiet", "--tag", "bpconvert-test", str(ROOT)], check=True, timeout=600)
    ran = subprocess.run(["docker", "run", "--rm", "bpconvert-test", "--version"], capture_output=True, check=True)
    assert ran.stdout.startswith(b"bpconvert ")
