"""Reports of ``check``, and the texts of files that only findings are about, as environments are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from bpconvert.cli.main import FAILED, OK, main
from bpconvert.reports import FORMATS
from bpconvert.reports.model import CheckReport, Report, schema

HOT = "heat_template_version: 2021-04-16\n"
ODD = HOT + (
    "parameters: {pw: {type: string, hidden: true, default: xyzzy-1234}}\n"
    "resources:\n  n: {type: OS::Neutron::Net, properties: {nam: xyzzy-1234}}\n"
)
ENVIRONMENT = (
    "parameters: {pw: plugh-5678}\n"
    "event_sinks:  # plugh-5678\n  - type: zaqar-queue\n    target: plugh-5678\n"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/good.yaml").write_text(HOT + "resources: {n: {type: OS::Neutron::Net}}\n")
    Path("in/odd.yaml").write_text(ODD)
    Path("in/bad.yaml").write_text(HOT + "resources: [\n")
    Path("env.yaml").write_text(ENVIRONMENT)


@pytest.mark.parametrize("ending", FORMATS)
def test_the_report_of_a_check_has_every_finding(ending: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "in", "--report", f"new/report{ending}"]) == FAILED
    assert "BPC170" in capsys.readouterr().out
    text = Path(f"new/report{ending}").read_text("utf-8")
    assert "BPC170" in text
    assert "BPC101" in text
    assert "xyzzy" not in text
    assert "onverted" not in text


def test_it_is_what_check_prints_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "in", "--format", "json", "--report", "report.json"]) == FAILED
    text = Path("report.json").read_text("utf-8")
    assert text == capsys.readouterr().out
    jsonschema.Draft202012Validator(schema()).validate(json.loads(text))
    assert isinstance(Report.model_validate_json(text).root, CheckReport)


def test_the_page_has_the_document_with_findings_at_their_lines() -> None:
    assert main(["check", "in/odd.yaml", "-q", "--report", "report.html"]) == 1
    page = Path("report.html").read_text("utf-8")
    assert "1 of 1 file checked" in page
    line = next(line for line in page.splitlines() if 'data-n="4"' in line and "BPC170" in line)
    assert "nam: ******" in line
    assert "<figure>" in page
    assert main(["check", "in", "-q", "--report", "report.html"]) == FAILED
    assert "2 of 3 files checked" in Path("report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--report", "report.txt"], "the ending chooses the format"),
        (["--report", "in/odd.csv"], "is a file that the command reads"),
        (["--report", "-"], "--format json"),
        (["--report", "env.html", "-e", "env.html"], "is a file that the command reads"),
    ],
)
def test_what_is_no_place_for_a_report(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in/odd.csv").write_text(ODD)
    Path("env.html").write_text("{}\n")
    assert main(["check", "in/odd.csv", *words]) == FAILED
    assert problem in capsys.readouterr().err
    assert Path("in/odd.csv").read_text() == ODD
    assert Path("env.html").read_text() == "{}\n"


def test_a_file_that_a_document_uses_is_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in/data.json").write_text("{}")
    Path("in/uses.yaml").write_text(HOT + "outputs: {o: {value: {get_file: data.json}}}\n")
    assert main(["check", "in/uses.yaml", "--report", "in/data.json"]) == FAILED
    assert "the report in/data.json is a file that a document uses" in capsys.readouterr().err
    assert Path("in/data.json").read_text() == "{}"


def test_the_report_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ODD.encode())))
    assert main(["check", "-", "-q", "--report", "report.html"]) == 1
    page = Path("report.html").read_text("utf-8")
    assert "BPC170" in page
    assert "nam: ******" in page


def test_who_may_not_read_a_document_may_not_read_the_report() -> None:
    Path("env.yaml").chmod(0o600)
    assert main(["check", "in/good.yaml", "-e", "env.yaml", "--report", "report.md"]) == OK
    assert Path("report.md").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("option", [["-e", "env.yaml"], ["--stage", "prod=env.yaml"]])
def test_an_environment_is_shown_with_its_findings(option: list[str]) -> None:
    assert main(["hot2cfy", "in/odd.yaml", "-q", "-o", "out.yaml", *option, "--report", "report.html"]) == OK
    page = Path("report.html").read_text("utf-8")
    line = next(line for line in page.splitlines() if 'data-n="2"' in line and "BPC770" in line)
    assert "event_sinks:" in line
    assert "zaqar-queue" in page
    assert "plugh" not in page
    anchor = re.search(r'<i id="([^"]+)"[^>]* data-n="2">event_sinks', page)
    assert anchor is not None
    assert f'href="#{anchor[1]}"' in page
