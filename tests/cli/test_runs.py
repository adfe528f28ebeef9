"""What a run of a conversion takes from its options, and what it prints and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from text_files import write

import bpconvert.api
import bpconvert.batch
from bpconvert import Options
from bpconvert.api import Result
from bpconvert.cli.main import FAILED, OK, main

NET = "heat_template_version: 2018-08-31\nresources:\n  n: {type: OS::Neutron::Net}\n"
THING = "heat_template_version: 2018-08-31\nresources:\n  x: {type: Acme::Thing}\n  n: {type: OS::Neutron::Net}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = OK) -> str:
    """What a command prints on standard error."""
    assert main([*words]) == code
    return capsys.readouterr().err


# -- options ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words", "expected"),
    [
        ("hot2cfy", "", {"carry": True, "carry_file": False, "notes": True, "limits": None}),
        ("hot2cfy", "--carry inline", {"carry": True, "carry_file": False}),
        ("hot2cfy", "--carry file", {"carry": True, "carry_file": True}),
        ("hot2cfy", "--carry none", {"carry": False, "carry_file": False}),
        ("hot2cfy", "--no-carry", {"carry": False, "carry_file": False}),
        ("hot2cfy", "--no-notes", {"notes": False}),
        ("hot2cfy", "--limit copies=5 --limit steps=70", {"limits": {"copies": 5, "steps": 70}}),
        ("hot2cfy", "--dsl-version cloudify_dsl_1_4", {"dsl_version": "1_4"}),
        ("cfy2hot", "--hot-version rocky", {"hot_version": "rocky"}),
        ("hot2tosca", "--tosca-version 2.0", {"tosca_version": "2.0"}),
    ],
)
def test_what_the_converter_gets(
    command: str, words: str, expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Options] = []

    def convert(*_: object, options: Options, **__: object) -> Result:
        asked.append(options)
        return Result("x: 1\n", [], {})

    monkeypatch.setattr(bpconvert.api, "convert", convert)
    write("app.yaml", NET)
    assert main([command, "app.yaml", *words.split()]) == OK
    assert asked == [Options(**expected)]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("hot2cfy --limit copies", "argument --limit: 'copies' is not NAME=NUMBER"),
        ("hot2cfy --limit copies=few", "argument --limit: 'copies=few' is not NAME=NUMBER"),
        ("hot2cfy --limit copies=٣", "argument --limit: 'copies=٣' is not NAME=NUMBER"),
        ("hot2cfy --limit copies=0", "argument --limit: copies: 0 is no number of 1 or more"),
        ("hot2cfy --limit odd=1", "argument --limit: there is no limit 'odd' (choose from copies, growth"),
        ("hot2cfy --jobs 0", "argument --jobs: '0' is no number from 1 on"),
        ("hot2cfy --jobs few", "argument --jobs: 'few' is no number from 1 on"),
        ("hot2cfy --jobs ٣", "argument --jobs: '٣' is no number from 1 on"),
        ("cfy2hot --hot-version 1", "argument --hot-version: '1' is unknown (choose from 2013-05-23"),
        ("hot2tosca --tosca-version 3", "argument --tosca-version: '3' is unknown (choose from 1.3, 2.0)"),
        ("hot2cfy --report r.txt", "--report r.txt: the ending chooses the format: .json"),
        ("hot2cfy -e gone.yaml", "No such file or directory: gone.yaml"),
        ("hot2cfy --stage a=gone.yaml", "No such file or directory: gone.yaml"),
        ("hot2cfy --stage a=x --stage a=y", "there are two files of the stage 'a'"),
        ("hot2cfy --environments *=site.yaml -o site.yaml", "site.yaml is a file that the command reads"),
        ("hot2cfy --stage site.yaml -o site.yaml", "site.yaml is a file that the command reads"),
    ],
)
def test_what_is_refused_before_anything_is_written(
    words: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("app.yaml", NET)
    write("site.yaml", "parameters: {}\n")
    command, *options = words.split()
    text = printed(capsys, command, "app.yaml", *options, code=FAILED)
    assert text.startswith(f"bpconvert {command}: error: {problem}")
    assert sorted(path.name for path in Path().iterdir()) == ["app.yaml", "site.yaml"]


@pytest.mark.parametrize(("words", "number"), [([], None), (["--jobs", "3"], 3)])
def test_how_many_processes_are_asked_for(
    words: list[str], number: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int | None]] = []

    def processes(documents: int, jobs: int | None) -> int:
        asked.append((documents, jobs))
        return 1

    monkeypatch.setattr(bpconvert.batch, "processes_for", processes)
    write("in/a.yaml", NET)
    write("in/b.yaml", NET)
    assert main(["hot2cfy", "in", "-o", "out", *words]) == OK
    assert asked == [(2, number)]


# -- what is printed ----------------------------------------------------------------------------------------

SINGLE = "warning BPC300 Acme::Thing has no counterpart"
TABLE = "what is left to do\n"


@pytest.mark.parametrize(
    ("inputs", "is_table"),
    [
        (["two"], True),
        (["two", "one/a.yaml"], True),
        (["two/a.yaml", "two/b.yaml"], False),
        (["one"], False),
        (["one/a.yaml"], False),
    ],
)
def test_of_many_documents_of_folders_there_is_a_table(
    inputs: list[str], is_table: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in ("one/a.yaml", "two/a.yaml", "two/b.yaml"):
        write(place, THING)
    text = printed(capsys, "hot2cfy", *inputs, "-o", "out/" if len(inputs) == 1 else "out")
    assert (TABLE in text, f": {SINGLE}" in text) == (is_table, not is_table)


def test_the_closing_line_counts_the_documents(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml", NET)
    assert printed(capsys, "hot2cfy", "in", "-o", "one") == ""
    write("in/b.yaml", NET)
    assert printed(capsys, "hot2cfy", "in", "-o", "out").endswith("bpconvert: converted 2 of 2 templates\n")


@pytest.mark.parametrize("option", ["--quiet", "--check", "--diff"])
def test_a_run_without_a_closing_line(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml", NET)
    write("in/b.yaml", NET)
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == OK
    capsys.readouterr()
    assert "converted" not in printed(capsys, "hot2cfy", "in", "-o", "out", option)


def test_what_failed_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml", NET)
    write("in/b.yaml", "heat_template_version: [\n")
    write("in/c.yaml", NET)
    text = printed(capsys, "hot2cfy", "in", "-o", "out", code=FAILED)
    assert text.endswith("bpconvert: converted 2 of 3 templates; 1 failed\n")


def test_templates_that_others_nest_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/app.yaml", "heat_template_version: 2018-08-31\nresources:\n  i: {type: inner.yaml}\n")
    write("in/inner.yaml", NET)
    text = printed(capsys, "hot2cfy", "in", "-o", "out")
    assert text.endswith("bpconvert: converted 2 of 2 templates, 1 as part of others\n")


@pytest.mark.parametrize("name", ["in/app.yaml", "in"])
def test_a_comment_without_use_is_told_of_nested_templates_too(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("in/app.yaml", "heat_template_version: 2018-08-31\nresources:\n  i: {type: inner.yaml}\n")
    write("in/inner.yaml", NET.replace("Net}", "Net}  # bpconvert: ignore[BPC300]"))
    text = printed(capsys, "hot2cfy", name, "-o", "out/" if name == "in" else "out.yaml", "-v")
    assert text.count("in/inner.yaml:3:32: warning BPC630") == 1


def test_what_an_earlier_run_left_is_a_finding_like_others(capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abc":
        write(f"in/{name}.yaml", NET)
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == OK
    Path("in/c.yaml").unlink()
    capsys.readouterr()
    text = printed(capsys, "hot2cfy", "in", "-o", "out", "--report", "r.json")
    assert "1  BPC643  warning" in text
    files = text.partition("files\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in files.splitlines()] == ["2"]  # it is no document of this run
    report = json.loads(Path("r.json").read_text("utf-8"))
    assert [entry["source"] for entry in report["files"]] == ["in/a.yaml", "in/b.yaml", "out/c.yaml"]
    assert "BPC643" not in printed(capsys, "hot2cfy", "in", "-o", "out", "--ignore", "BPC643")


def test_files_of_the_result_that_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    write("app.yaml", NET.replace("Net}", "Net, properties: {name: {get_file: name.txt}}}"))
    write("name.txt", "text\n")
    text = printed(capsys, "hot2cfy", "app.yaml", "--files", "copy")
    note = "app.yaml: note: these files belong to the document and are written with -o only: name.txt\n"
    assert note in text
    Path("taken/name.txt").mkdir(parents=True)
    text = printed(capsys, "hot2cfy", "app.yaml", "--files", "copy", "-o", "taken/made.yaml")
    assert "app.yaml: warning: not written, their place is taken or outside the folder: name.txt\n" in text
    text = printed(capsys, "hot2cfy", "app.yaml", "--files", "copy", "-o", "out/made.yaml")
    assert "name.txt" not in text


# -- the report ---------------------------------------------------------------------------------------------


def test_the_report_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write("app.yaml", NET)
    assert main(["convert", "app.yaml", "--to", "cloudify", "-o", "out.yaml", "--report", "-"]) == OK
    report = json.loads(capsys.readouterr().out)
    assert (report["command"], [entry["target"] for entry in report["files"]]) == ("convert", ["out.yaml"])


@pytest.mark.parametrize(
    ("words", "is_told"),
    [(["in"], True), (["in", "-q"], False), (["in/a.yaml"], False), (["in/a.yaml", "in/b.yaml", "in/b.yaml"], True)],
)
def test_where_the_report_of_many_is(words: list[str], is_told: bool, capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml", NET)
    write("in/b.yaml", NET)
    text = printed(capsys, "hot2cfy", *words, "-o", "out.yaml" if words == ["in/a.yaml"] else "out", "--report", "r.md")
    assert ("bpconvert: the report is r.md\n" in text) is is_told
    assert Path("r.md").exists()


@pytest.mark.parametrize("place", ["data.json", "out/data.json"])
@pytest.mark.parametrize("inputs", [["app.yaml"], ["other.yaml", "app.yaml"]])
def test_the_report_replaces_no_file_of_a_document(
    place: str, inputs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write("app.yaml", NET.replace("Net}", "Net, properties: {name: {get_file: data.json}}}"))
    write("other.yaml", NET)
    write("data.json", "{}")
    target = "out/app.yaml" if len(inputs) == 1 else "out"
    text = printed(
        capsys, "hot2cfy", *inputs, "--files", "copy", "-o", target, "--report", place, code=FAILED
    )  # fmt: skip
    assert f"bpconvert: error: the report {place} is a file that a document uses\n" in text
    assert Path(place).read_text("utf-8") == "{}"


def test_a_report_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    write("app.yaml", NET)
    text = printed(capsys, "hot2cfy", "app.yaml", "-o", "out.yaml", "--report", "app.yaml/r.json", code=FAILED)
    assert text.splitlines()[-1].startswith("bpconvert: error: cannot write the report: ")
