"""Every case of ``corpus/edits``: what comes back of an edited result is exactly what is beside the source."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path

import pytest
from checkout import CORPUS
from corpus_cases import LANGUAGES, line_of

from bpconvert import Result, check, convert
from bpconvert.diagnostics import Severity
from bpconvert.verification import verify

UPDATE = "run 'python -m pytest tests/corpus --update-corpus' and read what changed"


class EditCase:
    """A source, the edits of what it becomes, and what is expected to come back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.language = next(language for language in LANGUAGES if (folder / language.document).exists())
        self.source = folder / self.language.document
        given = json.loads((folder / "edit.json").read_bytes())
        self.via, self.edits, self.refused = given["via"], given["edits"], given.get("refused", [])

    def edited(self, into: Path) -> Path:
        """The edited result, in a folder with the files beside it."""
        made = convert(self.source, self.language.dialect, self.via)
        text = made.text
        for old, new in self.edits:
            assert text.count(old) >= 1, f"nothing to edit: {old!r}"
            text = text.replace(old, new, 1)
        for name, content in {**made.files, "document.yaml": text}.items():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            (into / name).write_text(content)
        return into / "document.yaml"

    @cached_property
    def expected(self) -> dict[str, str]:
        """File -> what is expected in it."""
        names = ("back.yaml", "diagnostics.txt")
        return {name: (self.folder / name).read_text() for name in names if (self.folder / name).exists()}

    def update(self, actual: dict[str, str]) -> None:
        """Make what is expected what comes back."""
        (self.folder / "diagnostics.txt").unlink(missing_ok=True)
        for name, text in actual.items():
            (self.folder / name).write_text(text)


CASES = [EditCase(folder) for folder in sorted((CORPUS / "edits").iterdir())]


def came_back(case: EditCase, back: Result) -> dict[str, str]:
    findings = "".join(map(line_of, back.diagnostics))
    return {"back.yaml": back.text, **({"diagnostics.txt": findings} if findings else {})}


def errors(place: Path) -> set[str]:
    """What the source's engine would refuse."""
    return {found.code for found in check(place) if found.severity == Severity.ERROR}


@pytest.mark.parametrize("case", CASES, ids=[case.folder.name for case in CASES])
def test_what_comes_back(case: EditCase, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    edited = case.edited(tmp_path)
    back = convert(edited, case.via, case.language.dialect)
    actual = came_back(case, back)
    if request.config.getoption("--update-corpus"):
        case.update(actual)
        return
    assert case.expected == actual, UPDATE
    for name, content in {**back.files, "back.yaml": back.text}.items():
        (tmp_path / "back" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "back" / name).write_text(content)
    source = tmp_path / "back" / "back.yaml"
    reported = convert(source, case.language.dialect, case.via).diagnostics
    assert all(found.codes for found in verify(source, edited, reported=reported).differences)
    before, after = (errors(place) for place in (case.source, source))
    assert sorted(after - before) == case.refused
