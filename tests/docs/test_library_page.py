"""docs/library.md: its examples run, and it names what there is."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import bpconvert


@pytest.fixture
def page(root: Path) -> str:
    return (root / "docs" / "library.md").read_text("utf-8")


def test_every_example_runs(page: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(root / "tests" / "docs" / "workshop", tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    examples = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "docs/library.md", "exec"), {"__name__": "example"})


def test_the_script_migrates_a_directory(
    page: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(root / "tests" / "docs" / "workshop", tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    (script,) = (text for text in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "__main__" in text)
    with pytest.raises(SystemExit) as ended:
        exec(compile(script, "migrate.py", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert "templates/queue.yaml: has errors" in printed
    assert "3 documents, 1 to look at, 0 other files" in printed
    assert ended.value.code == 1
    assert Path("blueprints/tiers/database.yaml").is_file()


def test_all_public_functions_are_named(page: str) -> None:
    functions = [name for name in bpconvert.__all__ if callable(getattr(bpconvert, name)) and name.islower()]
    assert [name for name in functions if f"`{name}(" not in page] == []
