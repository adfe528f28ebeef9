"""Who follows a tutorial sees what it shows: every command prints what stands below it.

A ``yaml`` block that begins with ``# NAME`` is the file NAME. A ``console`` block has commands after ``$``, each with
what it prints; a line ``...`` stands for any lines."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_pages import pattern

PAGES = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("[!R]*.md"))
BLOCK = re.compile(r"^```(yaml|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: the page for each direction, and for taking over what runs
ADOPTIONS = ["adopt-cfy2hot", "adopt-hot2cfy"]
DIRECTIONS = [*ADOPTIONS, "cfy2hot", "cfy2tosca", "hot2cfy", "hot2tosca", "tosca2cfy", "tosca2hot"]


def test_every_direction_has_its_tutorial() -> None:
    assert [page.stem for page in PAGES] == DIRECTIONS


def steps(page: Path) -> Iterator[tuple[str, str, str]]:
    """``file``, its name and text, or ``command``, its words and what it prints; in the order of the page."""
    for kind, text in BLOCK.findall(page.read_text("utf-8")):
        name = re.match(r"# (\S+\.yaml)\n", text)
        if kind == "yaml" and name:
            yield "file", name[1], text
        elif kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                words, _, printed = part.partition("\n")
                yield "command", words, printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "bpconvert"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m bpconvert "$@"\n')
    tool.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    env = {**os.environ, "PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    commands = 0
    for kind, name, text in steps(page):
        if kind == "file":
            (work / name).write_text(text, "utf-8")
            continue
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        ran = subprocess.run(["bash", "-c", name], cwd=work, env=env, text=True, check=False, **pipes)
        assert re.fullmatch(pattern(text), ran.stdout), f"$ {name}\n{ran.stdout}"
        commands += 1
    assert commands > 4
