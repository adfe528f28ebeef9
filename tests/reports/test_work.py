"""What is left to do: in the same words and numbers in the terminal, in JSON and on the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bpconvert.cli.main import main
from bpconvert.reports.work import HAND, LOOK, READY, Step, steps, work

HEAD = "heat_template_version: 2018-08-31\nresources:\n"


@pytest.mark.parametrize(
    ("findings", "failed", "word"),
    [
        ([], False, READY),
        ([("info", "carried")], False, READY),
        ([("info", "exact"), ("warning", "approximated")], False, LOOK),
        ([("warning", "carried")], False, HAND),
        ([("error", "exact")], False, HAND),
        ([], True, HAND),
    ],
)
def test_words(findings: list[tuple[str, str]], failed: bool, word: str) -> None:
    assert work(findings, failed) == word


def test_steps_finish_most_files_for_each_kind_first() -> None:
    documents = [{"A"}, {"A", "B"}, {"A", "B"}, {"C", "D"}, {"C", "D"}, {"C", "D"}, {"C", "D"}, {"E"}, set()]
    assert steps(documents) == [Step(("C", "D"), 4), Step(("A", "B"), 3), Step(("E",), 1)]


def test_a_step_counts_what_is_done_by_then() -> None:
    assert steps([{"A"}, {"A"}, {"A", "B"}]) == [Step(("A",), 2), Step(("B",), 1)]


def test_the_numbers_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for number in range(3):
        (tmp_path / "in" / f"net{number}.yaml").write_text(f"{HEAD}  net: {{type: OS::Neutron::Net}}\n")
        other = "  web: {type: OS::Nova::Server, properties: {image: i, flavor: f, tags: [a]}}\n"
        (tmp_path / "in" / f"zone{number}.yaml").write_text(HEAD + other)
    (tmp_path / "in" / "broken.yaml").write_text("heat_template_version: 2018-08-31\nresources: [\n")
    reports = [f"r.{ending}" for ending in ("json", "html", "md")]
    texts = []
    for number, name in enumerate(reports):
        main(["hot2cfy", "in", "-o", f"out{number}", "--report", name])
        texts.append(capsys.readouterr().err)
    summary = json.loads(Path("r.json").read_text())["summary"]
    assert sum(summary["work"].values()) == 7
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", Path("r.html").read_text()))
    for word, number in summary["work"].items():
        shown = word.replace("_", " ")
        assert f"{number} {shown} " in page
        assert f"{number} {shown}" in Path("r.md").read_text()
        assert not number or re.search(rf"^ +{number}  {shown} ", texts[0], re.MULTILINE)
    for step in summary["steps"]:
        assert f"{step['finishes']} more file" in page
        assert re.search(rf"^ +{step['finishes']} files? more, once .*{step['codes'][0]}", texts[0], re.MULTILINE)
    assert summary["steps"]
