"""``--report``: the ending of the file's name chooses the format."""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bpconvert.cli.main import FAILED, OK, main
from bpconvert.reports import FORMATS
from bpconvert.reports.model import ConversionReport, Report, TreeVerificationReport, VerificationReport, schema

HOT = "heat_template_version: 2021-04-16\n"
#: what every format has to get through: markup of each of them
HOSTILE = "=1+1</td><script>alert(1)</script>|`*_[x](http://evil.example)@all"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def estate() -> Path:
    """A folder with a good template, one with findings, and one that fails."""
    folder = Path("in")
    folder.mkdir()
    (folder / "good.yaml").write_text(HOT + "resources: {n: {type: OS::Neutron::Net}}\n")
    odd = {"resources": {"odd": {"type": HOSTILE}, "n": {"type": "OS::Neutron::Net", "properties": {"nam": 1}}}}
    (folder / "odd.yaml").write_text(HOT + json.dumps(odd)[1:-1] + "\n")
    (folder / "bad.yaml").write_text(HOT + "resources: [\n")
    return folder


def report(estate: Path, name: str, code: int = FAILED, *more: str) -> str:
    assert main(["hot2cfy", str(estate), *more, "-o", "out", "-q", "--report", name]) == code
    return Path(name).read_text("utf-8")


def findings(estate: Path) -> list[dict[str, Any]]:
    data = json.loads(report(estate, "all.json"))
    return [found for entry in data["files"] for found in entry["diagnostics"]]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_finding_is_in_every_format(estate: Path, ending: str) -> None:
    text = report(estate, f"new/report{ending.upper()}")
    expected = findings(estate)
    assert {found["code"] for found in expected} >= {"BPC101", "BPC300"}
    assert [found["code"] for found in expected if found["code"] not in text] == []
    assert text.count(HOSTILE) in (0, text.count(f"'{HOSTILE}"), json.dumps(expected).count(HOSTILE))


@pytest.mark.parametrize("name", ["report.txt", "report", "report.yaml", "report.json.gz"])
def test_an_unknown_ending(estate: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["hot2cfy", str(estate), "-o", "out", "--report", name]) == FAILED
    assert all(ending in capsys.readouterr().err for ending in [*FORMATS][:1])
    assert not Path("out").exists()


def test_the_schema_is_published_and_complete(estate: Path) -> None:
    published = json.loads(files("bpconvert.reports").joinpath("report.schema.json").read_text("utf-8"))
    assert published == schema()
    text = report(estate, "report.json")
    jsonschema.Draft202012Validator(published).validate(json.loads(text))
    read = Report.model_validate_json(text).root
    assert isinstance(read, ConversionReport)
    assert read.summary.failed == 1
    assert {one.source for one in read.files if one.error} == {"in/bad.yaml"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(published).validate({**json.loads(text), "more": 1})


def test_what_check_prints_has_the_schema(estate: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(estate), "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(data)
    Report.model_validate(data)


def test_names_in_json_are_those_of_the_objects(estate: Path) -> None:
    from bpconvert import convert

    found = convert((estate / "odd.yaml").read_text(), name="in/odd.yaml").diagnostics
    written = [one for one in findings(estate) if one["file"] == "in/odd.yaml"]
    for one, data in zip(found, written, strict=True):
        assert {name: list(one.path) if name == "path" else getattr(one, name) for name in data} == data


def test_csv_has_a_row_for_each_finding_and_no_formulas(estate: Path) -> None:
    rows = list(csv.DictReader(report(estate, "report.csv", FAILED, "none.yaml").splitlines()))
    assert len(rows) == len(findings(estate)) + 1
    assert [row["message"] for row in rows if not row["code"]] == ["No such file or directory"]
    assert [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))] == []


def test_markdown_shows_texts_as_they_are(estate: Path) -> None:
    text = report(estate, "report.md")
    assert "# bpconvert hot2cfy\n\n3 files: " in text
    assert "<script" not in text.replace("\\<script", "")
    assert "http://" not in text
    tables = [line for line in text.splitlines() if line.startswith("| in/")]
    assert len(tables) == 3
    assert "- in/bad.yaml was not converted: did not find" in text


def test_a_report_from_a_program(estate: Path) -> None:
    from bpconvert import UsageError, convert_tree
    from bpconvert.reports import of_tree, write

    tree = convert_tree(estate, "out", "cloudify", "hot")
    for ending in FORMATS:
        write(of_tree(tree, "hot2cfy"), f"made{ending}")
    for ending in (".json", ".html", ".csv"):
        assert Path(f"made{ending}").read_text("utf-8") == report(estate, f"again{ending}")
    with pytest.raises(UsageError, match=r"\.sarif"):
        write(of_tree(tree), "made.txt")


def test_an_empty_folder_of_findings(estate: Path) -> None:
    for name in ("odd", "bad"):
        (estate / f"{name}.yaml").unlink()
    for ending in FORMATS:
        assert report(estate, f"report{ending}", OK)


def test_what_verify_prints_has_the_schema(estate: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a").mkdir()
    Path("b").mkdir()
    text = HOT + (
        "parameters: {n: {type: string}, pw: {type: string, hidden: true, default: xyzzy-1}}\n"
        "resources: {n: {type: OS::Neutron::Net, properties: {name: {get_param: n}}}}\n"
        "outputs: {a: {value: 1}, b: {value: {get_param: pw}}, c: {value: 2}}\n"
    )
    Path("a/t.yaml").write_text(text)
    Path("a/only.yaml").write_text(text)
    Path("b/t.yaml").write_text(text.replace("value: 1", "value: [2, null]").replace(", c: {value: 2}", ""))
    reports = []
    for words in (["a/t.yaml", "b/t.yaml"], ["a", "b"], ["a/t.yaml", "a/t.yaml"]):
        main(["verify", *words, "--format", "json"])
        reports.append(json.loads(capsys.readouterr().out))
        jsonschema.Draft202012Validator(schema()).validate(reports[-1])
    single, tree, same = (Report.model_validate(one).root for one in reports)
    assert isinstance(single, VerificationReport)
    assert {one.what: (one.first.state, one.second.state) for one in single.differences} == {
        "outputs.a": ("value", "value"),
        "outputs.c": ("value", "missing"),
    }
    assert isinstance(tree, TreeVerificationReport)
    assert tree.only_in_first == ["a/only.yaml"]
    assert tree.pairs[0].differences == single.differences
    assert isinstance(same, VerificationReport)
    for wrong in ({**reports[0], "more": 1}, {**reports[1], "summary": reports[0]["summary"]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema()).validate(wrong)


#: what ends a row or a line, rings, hides, or is no XML
STEERING = "x\r=HYPERLINK(1)\x07\x1b]0;t\x07\x9b\u202e\ufffe"


@pytest.mark.parametrize("ending", [".csv", ".html", ".md", ".json"])
def test_controls_of_documents_are_in_no_report(ending: str) -> None:
    data = {"resources": {STEERING: {"type": STEERING, "properties": {STEERING: STEERING}}}}
    Path("a.yaml").write_text(HOT + json.dumps(data)[1:-1] + "\n")
    assert main(["hot2cfy", "a.yaml", "-o", "out.yaml", "-q", "--report", f"r{ending}"]) == OK
    text = Path(f"r{ending}").read_bytes().decode("utf-8")
    assert [one for one in "\r\x07\x1b\x9b\u202e" if one in text] == []
    assert "HYPERLINK" in text
    if ending == ".csv":
        rows = list(csv.reader(text.splitlines()))
        assert {len(row) for row in rows} == {11}
        assert [cell for row in rows for cell in row if cell.startswith("=")] == []
