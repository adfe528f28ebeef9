"""docs/architecture.md: its map has every folder, its layers are those of the contracts, and its example runs."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from syntax import SOURCES

from bpconvert.translators.passes import PASSES

#: folders that are no code, and what is said of them in the map
OTHERS = ("templates", "corpus", "tests", "docs", "editors", "tools", "benchmarks")


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "architecture.md").read_text("utf-8")


def section(page: str, title: str) -> str:
    return page.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_map_has_every_folder(page: str, root: Path) -> None:
    listed = re.findall(r"^\| `([\w/]+)/` \|", section(page, "The folders"), re.MULTILINE)
    modules = [path for folder in SOURCES for path in (root / folder).rglob("*.py")]
    folders = {path.parent.relative_to(root).as_posix() for path in modules}
    assert sorted(listed) == sorted({*folders, *OTHERS})


def test_what_the_page_names_is_there(page: str, root: Path) -> None:
    names = re.findall(r"`([\w./]+(?:/|\.py|\.md|\.toml|\.yaml))`", page)
    assert len(names) > 60
    found = {name for name in names if (root / name).exists() or (root / "translators" / name).exists()}
    beside = {name for name in names if any((root / folder / name).exists() for folder in ("bpconvert", "docs"))}
    inner = {"read/", "write/", "write/rules.py", "capabilities.py"}
    assert {*names} - found - beside - inner == set()


def test_links_lead_somewhere(page: str, root: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page):
        file, _, title = link.partition("#")
        assert not file or (root / "docs" / file).is_file(), link
        titles = re.findall(r"^#+ (.*)", page, re.MULTILINE)
        assert not title or title in {one.lower().replace(" ", "-") for one in titles}, link


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with 3.11; pyproject.toml is the same for all")
def test_the_layers_are_those_of_the_contract(page: str, root: Path) -> None:
    import tomllib

    tables: Any = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (contract,) = (one for one in tables if one["type"] == "layers")
    written = re.findall(r"^    (\S.*)$", section(page, "What may import what"), re.MULTILINE)
    assert written == [layer.strip("()") for layer in contract["layers"]]


def test_the_example_runs(page: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    with redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    names = re.findall(r"^-- (.*)$", printed.getvalue(), re.MULTILINE)
    assert len(names) > 1
    assert ["read", *(one.name for one in PASSES if one.name in names)] == names
