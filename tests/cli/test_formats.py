"""``--format`` and ``--statistics``, and the tables of many documents."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from bpconvert.cli.formats import github
from bpconvert.cli.main import main
from bpconvert.diagnostics import Span, diagnostic

HEAD = "heat_template_version: 2018-08-31\n"
WRONG = HEAD + "resources:\n  net: {type: OS::Neutron::Net, properties: {nam: a}}\n"
STAND_INS = HEAD + "resources:\n  a: {type: Acme::A}\n"
MIXED = STAND_INS + "  net: {type: OS::Neutron::Net}\n  b: {type: Acme::A}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    Path("in").mkdir()
    Path("wrong.yaml").write_text(WRONG)


def test_one_line_for_each_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "wrong.yaml", "--format", "concise"]) == 1
    out = capsys.readouterr().out
    assert out == "wrong.yaml:3:46: BPC170 OS::Neutron::Net has no property 'nam'; did you mean 'name'?\n"


def test_annotations_of_github(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    expected = (
        "::error file=wrong.yaml,line=3,col=46,title=BPC170 unknown property::"
        "OS::Neutron::Net has no property 'nam'; did you mean 'name'?%0ACorrect or delete the property.\n"
    )
    main(["check", "wrong.yaml", "--format", "github"])
    assert capsys.readouterr().out == expected
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    main(["check", "wrong.yaml"])
    assert capsys.readouterr().out == expected
    main(["check", "wrong.yaml", "--format", "text"])
    assert capsys.readouterr().out.startswith("wrong.yaml:3:46: error BPC170")


def test_an_annotation_is_one_line_whatever_is_in_it() -> None:
    item = diagnostic("BPC101", Span("a,b:c\n%.yaml", 1, 1), (), {"problem": "100%\n::error::x\x1b"})
    text = github([item])
    assert text.count("\n") == 1
    assert text.startswith("::error file=a%2Cb%3Ac%0A%25.yaml,line=1,")
    assert "100%25%0A::error::x\ufffd" in text


def test_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in/a.yaml").write_text(WRONG)
    Path("in/b.yaml").write_text(MIXED)
    assert main(["check", "in", "--statistics"]) == 1
    out = capsys.readouterr().out
    assert out == "2  BPC175  error    unknown resource type\n1  BPC170  error    unknown property\n"


# -- many documents -----------------------------------------------------------------------------------------


def tree() -> str:
    """Convert a tree; what is printed."""
    for number in range(12):
        Path(f"in/m{number}.yaml").write_text(MIXED)
    Path("in/empty.yaml").write_text(STAND_INS)
    Path("in/good.yaml").write_text(HEAD + "resources: {net: {type: OS::Neutron::Net}}\n")
    Path("in/broken.yaml").write_text(HEAD + "resources: [\n")
    return "hot2cfy"


def test_tables_of_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([tree(), "in", "-o", "out"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) < 40
    assert "   12  carried       something has no counterpart" not in lines
    assert "   13  carried       something has no counterpart" in lines
    assert "    1  failed        not converted" in lines
    place = lines.index("   24  BPC300  warning: type without counterpart, in 12 files")
    assert lines[place + 1 : place + 3] == [
        "       m0.yaml:3:3",
        "       Acme::A has no counterpart; 'a' is a stand-in node that creates nothing",
    ]
    first = lines.index(f"look at these first, below {Path('in').resolve()}")
    assert re.match(r"  in/broken.yaml:\d+:\d+: error BPC101 ", lines[first + 1])
    assert lines[first + 2] == "  1 file creates no resources: empty.yaml"
    assert lines[first + 3] == "  m0.yaml: 2 warnings; BPC300 type without counterpart"
    assert lines[-2] == "  2 more have findings (-v shows all findings)"
    assert lines[-1].startswith("bpconvert: converted 14 of 15 templates; 1 failed")


def test_every_output_has_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """The terminal, its statistics, and each report count the same findings and files."""
    tree()
    Path("in/app.yaml").write_text(HEAD + "resources: {a: {type: inner.yaml}, b: {type: inner.yaml}}\n")
    Path("in/inner.yaml").write_text(MIXED)
    use = "  n2: {type: OS::Neutron::Net, properties: {name: {get_attr: [a, name]}}}\n"
    Path("in/m0.yaml").write_text(MIXED + use)
    numbers: dict[str, dict[str, int]] = {}
    files: dict[str, dict[str, int]] = {}
    for ending in ("json", "md", "csv", "html"):
        main(["hot2cfy", "in", "-o", "out", "--force", "--report", f"r.{ending}"])
        err = capsys.readouterr().err
    found = re.findall(r"^ +(\d+)  (BPC\d+)  warning: .*, in (\d+) files?$", err, re.MULTILINE)
    numbers["terminal"] = {code: int(number) for number, code, _ in found}
    files["terminal"] = {code: int(number) for _, code, number in found}
    main(["hot2cfy", "in", "-o", "out", "--force", "--statistics"])
    found = re.findall(r"^ *(\d+)  (BPC\d+)  warning ", capsys.readouterr().err, re.MULTILINE)
    numbers["statistics"] = {code: int(number) for number, code in found}
    report = json.loads(Path("r.json").read_text())
    every = [(one, file["source"]) for file in report["files"] for one in file["diagnostics"]]
    warned = [(one["code"], name) for one, name in every if one["severity"] == "warning"]
    numbers["json"] = dict(Counter(code for code, _ in warned))
    files["json"] = dict(Counter(code for code, _ in set(warned)))
    rows = re.findall(r"^\| (BPC\d+) \| warning \| (\d+) \| (\d+) \|", Path("r.md").read_text(), re.MULTILINE)
    numbers["md"] = {code: int(number) for code, number, _ in rows}
    files["md"] = {code: int(number) for code, _, number in rows}
    table = list(csv.DictReader(Path("r.csv").read_text().splitlines()))
    numbers["csv"] = dict(Counter(row["code"] for row in table if row["severity"] == "warning"))
    page = Path("r.html").read_text()
    cell = r'<td class="n">(\d+)</td>'
    marked = re.findall(rf'<tr class="warning"><td>.*?>(BPC\d+)</a>.*?{cell}{cell}', page)
    numbers["html"] = {code: int(number) for code, number, _ in marked}
    files["html"] = {code: int(number) for code, _, number in marked}
    assert len(numbers["json"]) > 1
    assert {name: one for name, one in numbers.items() if one != numbers["json"]} == {}
    assert {name: one for name, one in files.items() if one != files["json"]} == {}
    counted = report["summary"]
    assert f"converted {counted['converted']} of {counted['files']} templates, 1 as part of others; 1 failed" in err
    assert f"<h1>{counted['converted']} of {counted['files']} files converted" in page
    assert counted["diagnostics"]["warning"] == sum(numbers["json"].values())
    for name, warnings in Counter(name for _, name in warned).items():
        assert f"| {name.replace('_', chr(92) + '_')} |" in Path("r.md").read_text()
        shown = re.search(rf"^  {re.escape(Path(name).name)}: (\d+) warning", err, re.MULTILINE)
        assert shown is None or int(shown[1]) == warnings


def test_tables_have_the_reason_of_a_failure_without_findings(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("good", "openstack-types"):
        Path(f"in/{name}.yaml").write_text(HEAD + "resources: {net: {type: OS::Neutron::Net}}\n")
    assert main(["hot2tosca", "in", "-o", "out", "--profile"]) == 2
    problem = "not written: its file openstack-types.yaml has the name of the result of in/openstack-types.yaml"
    assert f"  in/good.yaml: error: {problem}" in capsys.readouterr().err.splitlines()


def test_all_of_many(capsys: pytest.CaptureFixture[str]) -> None:
    main([tree(), "in", "-o", "out", "-v"])
    err = capsys.readouterr().err
    assert err.count("warning BPC300 Acme::A has no counterpart") >= 24
    assert "look at these first" in err


def test_lines_of_many_are_not_tables(capsys: pytest.CaptureFixture[str]) -> None:
    main([tree(), "in", "-o", "out", "--format", "concise"])
    err = capsys.readouterr().err
    assert err.count("BPC300") == 24
    assert "look at these first" not in err


def test_a_quiet_run_of_many_has_errors_only(capsys: pytest.CaptureFixture[str]) -> None:
    main([tree(), "in", "-o", "out", "-q"])
    err = capsys.readouterr().err
    assert "BPC300" not in err
    assert "BPC787" in err


# -- findings that belong together --------------------------------------------------------------------------


def test_what_follows_is_folded_under_its_cause(capsys: pytest.CaptureFixture[str]) -> None:
    use = "  net: {type: OS::Neutron::Net, properties: {name: {get_attr: [a, name]}}}\n"
    Path("app.yaml").write_text(STAND_INS + use + "  b: {type: Acme::A}\n")
    main(["hot2cfy", "app.yaml", "-o", "out.yaml"])
    err = capsys.readouterr().err
    assert err.count("warning") == 1
    assert "also: line 5 ('b')\n    and 1 finding that follows (-v shows all)\n" in err
    main(["hot2cfy", "app.yaml", "-o", "out.yaml", "-v"])
    err = capsys.readouterr().err
    assert "also: app.yaml:5:3: warning BPC300" in err
    assert "follows: app.yaml:4:46: warning BPC201" in err


def test_a_document_of_which_nothing_is_created_has_one_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    Path("app.yaml").write_text(STAND_INS)
    main(["hot2cfy", "app.yaml", "-o", "out.yaml"])
    err = capsys.readouterr().err
    assert err.count("BPC") == 1
    assert "error BPC787" in err


@pytest.mark.parametrize("command", ["check", "hot2cfy", "convert", "roundtrip", "verify", "graph"])
@pytest.mark.parametrize("form", ["text", "concise", "github"])
@pytest.mark.parametrize("name", ["::error::x.yaml", "x\n::stop-commands::y.yaml", "##[error]x.yaml"])
def test_no_name_and_no_line_is_a_command_of_a_runner(
    command: str, form: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    Path(name).write_text(HEAD + "resources:\n  net:\n    type: Acme::A\n    ::warning title=y: ##[group]z\n")
    Path("other.yaml").write_text(HEAD + "outputs: {a: {value: 1}}\n")
    more = {
        "check": ["--format", form],
        "hot2cfy": ["--format", form, "-o", "o.yaml"],
        "convert": ["--to", "tosca", "--format", form, "-o", "o.yaml", "--check"],
        "roundtrip": ["--no-carry"],
        "verify": ["other.yaml"],
        "graph": ["-o", "nowhere/x.unknown"],
    }
    main([command, name, *more[command]])
    taken = capsys.readouterr()
    lines = [line.strip() for line in (taken.out + taken.err).splitlines()]
    assert lines
    own = [line for line in lines if re.match(r"::(error|warning|notice) file=[^:\n]*::", line)]
    assert [line for line in lines if line.startswith("::") and line not in own] == []
    assert [line for line in lines if "##[" in line and line not in own] == []
    assert form == "github" or not own
