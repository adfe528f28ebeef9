"""Which findings are printed, reported and counted: codes, comments, baselines, severities."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bpconvert.cli.main import FAILED, FINDINGS, OK, main

#: a stand-in (BPC790) whose attribute is an output (BPC305), and a second type that is unknown (BPC300)
SOURCE = """\
heat_template_version: 2018-08-31
resources:
  alarm:
    type: OS::Aodh::GnocchiAggregationByMetricsAlarm
    properties: {metrics: [a], threshold: 5}
  other:
    type: Acme::Thing
  server:
    type: OS::Nova::Server
    properties:
      name: web
      flavor: m1.small
      image: debian
      networks: [{network: net}]
outputs:
  name: {value: {get_attr: [alarm, show]}}
"""
#: a parameter that is not declared: an error
BROKEN = "heat_template_version: 2018-08-31\noutputs: {o: {value: {get_param: nobody}}}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("app.yaml").write_text(SOURCE)
    Path("broken.yaml").write_text(BROKEN)


def found(*words: str, source: str = "app.yaml") -> list[str]:
    """The codes in the report of a conversion."""
    assert main(["hot2cfy", source, "-o", "out.yaml", "--report", "r.json", *words]) in (OK, FINDINGS)
    [entry] = json.loads(Path("r.json").read_text())["files"]
    return [item["code"] for item in entry["diagnostics"]]


def test_every_finding_is_there_without_a_filter() -> None:
    assert {"BPC790", "BPC305", "BPC300"} <= {*found()}


def test_a_code_and_the_beginning_of_codes_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    everything = found()
    assert "BPC790" not in found("--ignore", "bpc790")
    assert found("--ignore", "BPC3") == [code for code in everything if not code.startswith("BPC3")]
    assert found("--ignore", "BPC3,BPC7") == [code for code in everything if code[3] not in "37"]
    assert "left out" in capsys.readouterr().err


def test_the_longer_one_of_select_and_ignore_decides() -> None:
    assert {*found("--select", "BPC3")} == {code for code in found() if code.startswith("BPC3")}
    assert {*found("--select", "BPC3", "--ignore", "BPC30")} <= {*found("--select", "BPC3")} - {"BPC300", "BPC305"}
    assert "BPC305" in found("--ignore", "BPC3", "--select", "BPC305")


def test_an_error_is_left_out_by_its_whole_code_only() -> None:
    [code] = {c for c in found(source="broken.yaml") if c in ("BPC210",)}
    assert code in found("--ignore", "BPC2", source="broken.yaml")
    assert code in found("--select", "BPC3", source="broken.yaml")
    assert code not in found("--ignore", code, source="broken.yaml")


def test_a_misspelt_code_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "app.yaml", "--ignore", "BCP300"]) == FAILED
    assert "there is no code 'BCP300'; did you mean 'BPC300'?" in capsys.readouterr().err


def test_no_filter_changes_the_result() -> None:
    found()
    before = Path("out.yaml").read_bytes()
    found("--ignore", "BPC3,BPC7")
    assert Path("out.yaml").read_bytes() == before


# -- comments -----------------------------------------------------------------------------------------------


def commented(line: str, comment: str) -> None:
    """Write the template with a comment at the end of a line, or above it if it ends with a line break."""
    new = f"{comment}{line}" if comment.endswith("\n") else f"{line}  {comment}"
    Path("app.yaml").write_text(SOURCE.replace(line, new, 1))


@pytest.mark.parametrize("comment", ["# bpconvert: ignore[BPC790]", "# bpconvert: ignore[BPC30, BPC7]"])
def test_a_comment_is_about_its_line(comment: str) -> None:
    commented("  alarm:", comment)
    codes = found()
    assert "BPC790" not in codes
    assert {"BPC300", "BPC305"} <= {*codes}


def test_a_comment_of_its_own_line_is_about_the_next() -> None:
    commented("  alarm:", "  # bpconvert: ignore[BPC790]\n")
    assert "BPC790" not in found()


def test_a_text_is_no_comment() -> None:
    commented("image: debian", "\n      user_data: |\n        # bpconvert: ignore[BPC790]\n        run")
    codes = found()
    assert "BPC790" in codes
    assert "BPC630" not in codes


def test_a_comment_that_silences_nothing_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    commented("  other:", "# bpconvert: ignore[BPC790]")
    assert "BPC630" in found()
    assert "app.yaml:6:11: warning BPC630 there is no BPC790 here to ignore" in capsys.readouterr().err
    assert "BPC630" not in found("--ignore", "BPC630")


@pytest.mark.parametrize("comment", ["# bpconvert: ignore", "# bpconvert: ignore[BCP790]", "# bpconvert: hide[BPC790]"])
def test_a_comment_that_is_not_understood_is_a_finding(comment: str) -> None:
    commented("  alarm:", comment)
    codes = found()
    assert "BPC631" in codes
    assert "BPC790" in codes


def test_a_comment_for_another_command_is_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    commented("  alarm:", "# bpconvert: ignore[BPC790, BPC170]")
    assert "BPC630" not in found()
    main(["check", "app.yaml"])
    assert "BPC630 there is no BPC170" in capsys.readouterr().out
    commented("  alarm:", "# bpconvert: ignore[BPC790]")
    main(["check", "app.yaml"])
    assert "BPC630" not in capsys.readouterr().out


def test_comments_in_a_result_are_those_of_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    commented("  alarm:", "# bpconvert: ignore[BPC790]")
    found()
    assert "ignore[BPC790]" in Path("out.yaml").read_text()
    assert main(["cfy2hot", "out.yaml", "-o", "back.yaml"]) == OK
    assert "BPC630" not in capsys.readouterr().err


def test_a_comment_does_not_change_the_result() -> None:
    commented("  alarm:", "# something else about ignore[BPC790]")
    found()
    before = Path("out.yaml").read_text()
    commented("  alarm:", "# bpconvert: ignore[BPC790]")
    found()
    made, changed = (text[: text.index("metadata:")] for text in (before, Path("out.yaml").read_text()))
    assert changed.replace("bpconvert: ignore", "something else about ignore") == made


# -- baselines ----------------------------------------------------------------------------------------------


def test_only_new_findings_count(capsys: pytest.CaptureFixture[str]) -> None:
    found("--write-baseline", "known.json")
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", "--strict"]) == FINDINGS
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", "--strict", "--baseline", "known.json"]) == OK
    assert found("--baseline", "known.json") == []
    text = SOURCE.replace("resources:\n", "# more\n\nresources:\n  new: {type: Acme::New}\n")
    Path("app.yaml").write_text(text)
    assert found("--baseline", "known.json") == ["BPC300"]
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", "--strict", "--baseline", "known.json"]) == FINDINGS
    Path("app.yaml").write_text("heat_template_version: 2018-08-31\nresources: {net: {type: OS::Neutron::Net}}\n")
    capsys.readouterr()
    assert found("--baseline", "known.json") == []
    assert "of the baseline not found any more" in capsys.readouterr().err


def test_a_baseline_knows_files_by_their_place_below_it() -> None:
    found("--write-baseline", "sub/known.json")
    rows = json.loads(Path("sub/known.json").read_text())["findings"]
    assert {row["file"] for row in rows} == {"../app.yaml"}
    assert rows == sorted(rows, key=lambda row: (row["file"], row["code"]))


def test_a_baseline_knows_each_finding_once() -> None:
    found("--write-baseline", "known.json")
    data = json.loads(Path("known.json").read_text())
    data["findings"] = [{**row, "count": 1} for row in data["findings"] if row["code"] == "BPC300"]
    Path("known.json").write_text(json.dumps(data))
    assert "BPC300" not in found("--baseline", "known.json")
    assert "BPC790" in found("--baseline", "known.json")


@pytest.mark.parametrize("text", ["", "[]", '{"findings": [{"file": 1}]}', "\x00", None])
def test_a_baseline_that_cannot_be_read(text: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    if text is not None:
        Path("known.json").write_text(text)
    assert main(["hot2cfy", "app.yaml", "--baseline", "known.json"]) == FAILED
    err = capsys.readouterr().err
    assert "known.json" in err
    assert err.count("\n") == 1


# -- severities ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], OK),
        (["--fail-on", "error"], OK),
        (["--fail-on", "warning"], FINDINGS),
        (["--strict"], FINDINGS),
        (["--fail-on", "info"], FINDINGS),
        (["--strict", "--fail-on", "never"], OK),
        (["--strict", "--ignore", "BPC2,BPC3,BPC7"], OK),
    ],
)
def test_what_ends_with_1(words: list[str], code: int) -> None:
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", *words]) == code


def test_check_ends_with_1_for_errors() -> None:
    Path("odd.yaml").write_text(SOURCE.replace("image: debian", "image: debian\n      nam: a"))
    assert main(["check", "odd.yaml", "--ignore", "BPC175"]) == FINDINGS
    assert main(["check", "odd.yaml", "--ignore", "BPC175", "--fail-on", "never"]) == OK
    assert main(["check", "odd.yaml", "--ignore", "BPC1"]) == FINDINGS
    assert main(["check", "odd.yaml", "--ignore", "BPC170,BPC174,BPC175"]) == OK


def test_a_baseline_of_another_command_or_file_is_not_out_of_date(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "app.yaml", "broken.yaml", "--write-baseline", "known.json"])
    capsys.readouterr()
    found("--baseline", "known.json")
    main(["check", "app.yaml", "--baseline", "known.json"])
    assert "any more" not in capsys.readouterr().err


def test_what_is_written_once_is_one_finding(capsys: pytest.CaptureFixture[str]) -> None:
    shared = "    type: OS::Neutron::Port\n    properties: &same {network: net, no_such: 1}\n"
    text = f"heat_template_version: 2018-08-31\nresources:\n  a:\n{shared}  b:\n    type: OS::Neutron::Port\n"
    Path("app.yaml").write_text(f"{text}    properties: *same\n")
    assert found().count("BPC170") == 1
    assert "also:" not in capsys.readouterr().err


def test_a_baseline_replaces_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("app.yaml").read_bytes()
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", "--write-baseline", "app.yaml"]) == FAILED
    assert "app.yaml is no baseline" in capsys.readouterr().err
    assert not Path("out.yaml").exists()
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", "--write-baseline", "out.yaml"]) == FAILED
    assert "cannot write the baseline: out.yaml is no baseline" in capsys.readouterr().err
    assert Path("app.yaml").read_bytes() == before
    assert Path("out.yaml").read_text().startswith("tosca_definitions_version")
    assert main(["check", "app.yaml", "--write-baseline", "known.json"]) == OK
    assert main(["check", "app.yaml", "--write-baseline", "known.json"]) == OK
