"""Every command of the README and of docs/ runs as it is written there.

Each page is followed from its top in a folder of its own, a copy of ``workshop/``; what a command writes is there for
the next one."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_pages import anchors, blocks

from bpconvert import convert
from bpconvert.api import packed, read
from bpconvert.cli.main import main

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: bring their own files, and are looked at more closely in test_tutorials.py
TUTORIALS = ROOT / "docs" / "tutorials"
#: a line of an indented block or of one that is marked as a shell's
COMMAND = re.compile(r"^(?:    |\$ )?((?:cat [\w.]+ \| )?bpconvert .*)$")


def commands(page: Path) -> list[str]:
    """The commands of a page, without comments; those that go over several lines in one."""
    found, is_shell = [], False
    for line in page.read_text("utf-8").replace("\\\n", " ").splitlines():
        if line.startswith("```"):
            is_shell = line in ("```sh", "```console")
        command = COMMAND.match(line) if is_shell or line.startswith("    ") else None
        if command:
            found.append(command[1])
    return found


FOLLOWED = [page for page in PAGES if commands(page) and TUTORIALS not in page.parents]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that pages name before they have made it."""
    folder = tmp_path_factory.mktemp("workshop") / "files"
    shutil.copytree(HERE / "workshop", folder)
    result = convert(folder / "app.yaml", "hot", "cloudify")
    (folder / "blueprint.yaml").write_text(result.text)
    service = convert(folder / "app.yaml", "hot", "tosca", carry=False)
    (folder / "service.csar").write_bytes(packed(service, "service.yaml"))
    shutil.copy(folder / "app.yaml", folder / "anything.yaml")
    (folder / "shop.yaml").write_text(blocks(ROOT / "README.md", "yaml")[0], "utf-8")
    (folder / "stack.json").write_text(json.dumps(_stack(folder / "app.yaml")), "utf-8")
    (folder / "node-instances.json").write_text(json.dumps(_instances(folder / "blueprint.yaml")), "utf-8")
    (folder / "inputs.yaml").write_text("{password: x}\n", "utf-8")
    (folder / "resources.json").write_text(json.dumps(_rows(folder / "app.yaml")), "utf-8")
    (folder / "attributes.json").write_text("{}", "utf-8")
    return folder


def _rows(template: Path) -> list[dict[str, Any]]:
    """What Heat lists of a stack of a template that is complete."""
    return [
        {
            "resource_name": name,
            "physical_resource_id": f"id-of-{name}",
            "resource_type": declared["type"],
            "resource_status": "CREATE_COMPLETE",
            "stack_name": "app",
        }
        for name, declared in read(template).data["resources"].items()
    ]


def _instances(blueprint: Path) -> list[dict[str, Any]]:
    """What Cloudify lists of a blueprint that is installed."""
    return [
        {"node_id": name, "state": "started", "runtime_properties": {"id": f"id-of-{name}"}}
        for name in read(blueprint).data["node_templates"]
    ]


def _stack(template: Path) -> dict[str, Any]:
    """What Heat exports of it."""
    state = {"action": "CREATE", "status": "COMPLETE"}
    rows = {
        row["resource_name"]: {"resource_id": row["physical_resource_id"], "type": row["resource_type"], **state}
        for row in _rows(template)
    }
    return {"name": "app", **state, "template": yaml.load(template.read_text(), yaml.BaseLoader), "resources": rows}


@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: page.name)
def test_every_command_runs(
    page: Path, workshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(workshop, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    for command in commands(page):
        if "--engines" in command and "BPCONVERT_ENGINES_PYTHON" not in os.environ:
            continue
        code = _run(command, tmp_path)
        printed = capsys.readouterr().err
        assert code in (0, 1), f"{command}\n{printed}"
        assert "internal error" not in printed, command


def _run(command: str, folder: Path) -> int:
    words = shlex.split(command, comments=True)
    if not {"|", ">", ">>", "&&"} & set(words):
        return main(words[1:])
    tool = folder / "bpconvert"
    tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m bpconvert "$@"\n')
    tool.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(["bash", "-c", command], env={**os.environ, "PATH": path}, check=False).returncode


def test_most_pages_have_commands() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 25


def test_every_link_between_pages_leads_somewhere() -> None:
    broken = []
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if not link.startswith(("http:", "https:")) and not (page.parent / link).exists():
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def test_every_anchor_is_there() -> None:
    pages = {page.resolve(): anchors(page) for page in [*PAGES, ROOT / "SECURITY.md"]}
    broken = []
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        for place, anchor in re.findall(r"\]\(([^)#\s]*)#([^)]+)\)", text):
            target = (page.parent / place).resolve() if place else page
            if not place.startswith("http") and anchor not in pages.get(target, set()):
                broken.append(f"{page.relative_to(ROOT)}: {place}#{anchor}")
    assert broken == []


def test_every_question_has_its_page() -> None:
    folder = ROOT / "docs" / "howto"
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (folder / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(page.name for page in folder.glob("*.md") if page.name != "README.md")
