"""What the README shows first is what the command does, and its figures are those of the proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_pages import anchors, blocks, pattern

from bpconvert.cli.main import main

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TEXT = README.read_text("utf-8")
PROOF = (ROOT / "docs" / "proof.md").read_text("utf-8")


def test_the_example_prints_what_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("shop.yaml").write_text(blocks(README, "yaml")[0], "utf-8")
    command, _, printed = blocks(README, "console")[0].partition("\n")
    assert main(command.split()[2:]) == 0
    assert capsys.readouterr().err == printed
    result = Path("blueprint.yaml").read_text("utf-8")
    assert re.fullmatch(pattern(blocks(README, "yaml")[1]), result), result


def test_the_contents_are_the_sections() -> None:
    listed = re.findall(r"^- \[([^\]]+)\]\(#([^)]+)\)$", TEXT, re.MULTILINE)
    assert [title for title, _ in listed] == re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
    assert {anchor for _, anchor in listed} <= anchors(README)


def test_it_says_what_it_is_in_three_sentences() -> None:
    first = TEXT.split("\n\n")[1]
    assert len(re.findall(r"\.(?:\s|$)", first)) == 3


def test_both_pictures_are_there_with_a_text_for_who_cannot_see_them() -> None:
    pictures = re.findall(r"!\[([^\]]{20,})\]\((docs/pictures/[\w.]+)\)", TEXT)
    assert sorted(place for _, place in pictures) == sorted(
        str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "pictures").glob("*.svg")
    )


def test_its_figures_are_measured() -> None:
    section = TEXT[TEXT.index("## What it does") : TEXT.index("## Set-up")]
    assert "Heat takes 59 of these, and what was made\nof the same service templates here: all 59" in PROOF
    assert "all [59](" in section
    assert "59 of its 71" in section
    assert "pair 71 service templates" in PROOF
    probes = PROOF[PROOF.index("## Beside heat-translator") : PROOF.index("## To run it")]
    assert len(re.findall(r"^\| `", probes, re.MULTILINE)) == 4
    recorded = int(re.search(r"\[(\d+) recorded clouds\]", section)[1])
    there = len(list((ROOT / "corpus").glob("*/*/cloud.json")))
    assert there - 30 < recorded <= there, f"there are {there}"
