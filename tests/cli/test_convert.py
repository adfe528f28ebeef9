"""The command line: places of results, messages, reports and exit codes. The converter is a small fake here."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bpconvert.api
from bpconvert import Diagnostic, Fidelity, Options, Severity, SourceError, Span
from bpconvert.api import Result
from bpconvert.cli.formatters import TextFormatter, use_color
from bpconvert.cli.main import FAILED, FINDINGS, INTERRUPTED, OK, commands, main

HOT = "heat_template_version: 2021-04-16\n"


def finding(severity: Severity, name: str, line: int = 2, column: int = 3, message: str = "something") -> Diagnostic:
    """A diagnostic in document ``name``."""
    return Diagnostic("BPC102", severity, Fidelity.APPROXIMATED, message, Span(name, line, column), ("a", 0), "do this")


class Converter:
    """Stands in for :func:`bpconvert.convert`. What it finds and does follows from words in the source's text."""

    def __init__(self) -> None:
        self.calls: list[SimpleNamespace] = []

    def __call__(self, document: Any, source: str, target: str, *, name: str | None, options: Options) -> Any:
        text = document.read_text("utf-8-sig") if isinstance(document, Path) else document.decode("utf-8-sig")
        label = name or "<input>"
        self.calls.append(SimpleNamespace(document=document, source=source, target=target, name=name, options=options))
        if "unreadable" in text:
            raise SourceError(finding(Severity.ERROR, label, message="no template"))
        if "broken" in text:
            raise RuntimeError("first line\nsecond line")
        if "interrupt" in text:
            raise KeyboardInterrupt
        found = [finding(severity, label) for severity in Severity if str(severity) in text]
        files = {"scripts/run.sh": "echo ü\n"} if "script" in text else {}
        if "escape" in text:
            files = {"../outside.sh": "x", "/outside.sh": "x"}
        if "sibling" in text:
            files = {"child.yaml": "converted\n"}
        return Result("blueprint: ü\n" + text, found, files)


@pytest.fixture
def converter(monkeypatch: pytest.MonkeyPatch) -> Converter:
    """The fake, in place of the real converter."""
    fake = Converter()
    monkeypatch.setattr(bpconvert.api, "convert", fake)
    return fake


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "BPCONVERT_DEBUG"):
        monkeypatch.delenv(name, raising=False)


def template(place: str, words: str = "") -> Path:
    """Write a template that contains ``words``."""
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{HOT}  x: {words}\n", "utf-8")
    return path


class Stdin(io.TextIOWrapper):
    """Standard input with some bytes, at a terminal or not."""

    def __init__(self, data: bytes, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data))
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


# -- one document -------------------------------------------------------------------------------------------


def test_document_alone_on_stdout(converter: Converter, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    template("app.yaml", "warning info")
    assert main(["hot2cfy", "app.yaml"]) == OK
    out, err = capsysbinary.readouterr()
    assert out.decode() == f"blueprint: ü\n{HOT}  x: warning info\n"
    assert err.decode() == (
        "app.yaml:2:3: warning BPC102 something\n      x: warning info\n      ^\n    hint: do this\n"
        "bpconvert: 1 info not shown (-v shows them)\n"
    )
    call = converter.calls[0]
    assert (call.source, call.target, call.document, call.name) == ("hot", "cloudify", Path("app.yaml"), "app.yaml")
    assert call.options == Options()


def test_options_reach_the_converter(converter: Converter) -> None:
    template("app.yaml")
    words = "--no-carry --dsl-version 1.4 --plugin v2 --files copy --client-config none --templates . --allow-outside"
    assert main(["hot2cfy", "app.yaml", *words.split()]) == OK
    assert converter.calls[0].options == Options(
        carry=False,
        dsl_version="1_4",
        plugin="v2",
        files="copy",
        client_config="none",
        templates=".",
        allow_outside=True,
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["app.yaml", "-o", "out.yaml"], "out.yaml"),
        (["-o", "new/folder/out.yaml", "app.yaml"], "new/folder/out.yaml"),
        (["app.yaml", "-o", "there"], "there/app.yaml"),
        (["app.yaml", "-o", "absent/"], "absent/app.yaml"),
    ],
)
def test_place_of_one_result(converter: Converter, words: list[str], expected: str) -> None:
    template("app.yaml")
    Path("there").mkdir()
    assert main(["hot2cfy", *words]) == OK
    assert Path(expected).read_text("utf-8").startswith("blueprint: ü\n")


def test_stdin(
    converter: Converter, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(b"\xef\xbb\xbf" + f"{HOT}  y: warning\n".encode()))
    assert main(["hot2cfy", "-", "-o", "-"]) == OK
    out, err = capsysbinary.readouterr()
    assert out.startswith(b"blueprint")
    assert err.decode().startswith("<input>:2:3: warning BPC102 something\n      y: warning\n      ^\n")
    assert converter.calls[0].name is None


def test_stdin_with_a_name(
    converter: Converter, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(f"{HOT}  y: warning\n".encode()))
    Path("out").mkdir()
    assert main(["hot2cfy", "-", "--stdin-filename", "sub/app.yaml", "-o", "out"]) == OK
    assert Path("out/app.yaml").exists()
    assert converter.calls[0].name == "sub/app.yaml"
    assert "sub/app.yaml:2:3" in capsys.readouterr().err


def test_stdin_without_arguments(
    converter: Converter, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(b"", terminal=True))
    assert main(["hot2cfy"]) == FAILED
    assert "usage: bpconvert hot2cfy" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", Stdin(HOT.encode()))
    assert main(["hot2cfy"]) == OK
    assert main([]) == FAILED
    assert "usage: bpconvert" in capsys.readouterr().err


# -- further files ------------------------------------------------------------------------------------------


def test_further_files_lie_beside_the_result(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml", "script")
    assert main(["hot2cfy", "app.yaml", "-o", "out/b.yaml", "--report", "r.json"]) == OK
    assert Path("out/scripts/run.sh").read_text("utf-8") == "echo ü\n"
    assert json.loads(Path("r.json").read_text("utf-8"))["files"][0]["files"] == [str(Path("out/scripts/run.sh"))]
    assert main(["hot2cfy", "app.yaml"]) == OK
    assert "written with -o only: scripts/run.sh" in capsys.readouterr().err


def test_further_files_stay_in_the_folder(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml", "escape")
    assert main(["hot2cfy", "app.yaml", "-o", "out/b.yaml"]) == OK
    assert not Path("outside.sh").exists()
    assert "../outside.sh, /outside.sh" in capsys.readouterr().err


def test_further_files_never_replace_a_source(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml", "sibling")
    Path("child.yaml").write_text("mine\n")
    assert main(["hot2cfy", "app.yaml", "-o", "b.yaml"]) == OK
    assert Path("child.yaml").read_text() == "mine\n"
    assert "not written" in capsys.readouterr().err
    for _ in range(2):  # an earlier result is replaced
        assert main(["hot2cfy", "app.yaml", "-o", "out/b.yaml"]) == OK
        assert Path("out/child.yaml").read_text() == "converted\n"
    assert "not written" not in capsys.readouterr().err


# -- many documents -----------------------------------------------------------------------------------------


def test_directory_becomes_a_mirrored_tree(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("in/a.yaml", "warning")
    template("in/deep/b.yml", "unreadable")
    template("in/deep/c.template", "broken")
    template("in/.git/hidden.yaml")
    Path("in/d.yaml").write_bytes(b"\xef\xbb\xbf'heat_template_version' : x\n")
    Path("in/env.yaml").write_text("parameters:\n  heat_template_version: x\n")
    Path("in/readme.txt").write_text(HOT)
    assert main(["hot2cfy", "in", "-o", "out", "--report", "r.json"]) == FAILED
    assert sorted(str(p.relative_to("out")) for p in Path("out").rglob("*") if p.is_file()) == ["a.yaml", "d.yaml"]
    err = capsys.readouterr().err
    deep = Path("in/deep")
    assert f"{deep / 'b.yml'}:2:3: error BPC102 no template\n" in err
    assert f"{deep / 'c.template'}: error: internal error: RuntimeError: first line second line (please report" in err
    assert "Traceback" not in err
    assert err.endswith("bpconvert: converted 2 of 4 templates; 2 failed\nbpconvert: the report is r.json\n")
    report = json.loads(Path("r.json").read_text("utf-8"))
    assert {Path(entry["source"]).name: entry["error"] and entry["error"]["kind"] for entry in report["files"]} == {
        "a.yaml": None,
        "b.yml": "source",
        "c.template": "internal",
        "d.yaml": None,
    }
    assert report["summary"] == {
        "files": 4,
        "converted": 2,
        "failed": 2,
        "skipped": 2,
        "diagnostics": {"info": 0, "warning": 1, "error": 1},
        "work": {"ready": 1, "to_look_at": 1, "to_do_by_hand": 2},
        "steps": [{"codes": ["BPC102"], "finishes": 1}],
    }
    main(["hot2cfy", "-v", "in", "-o", "out"])
    assert "2 other files skipped" in capsys.readouterr().err


def test_several_inputs_keep_their_tree(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("in/x/app.yaml")
    template("in/y/app.yaml")
    template("in/z.yaml")
    inputs = ["in/y/app.yaml", "in/x/app.yaml", "in/z.yaml", "in/none.yaml"]
    assert main(["hot2cfy", "in/x", "-o", "out", *inputs]) == FAILED
    found = sorted(p.relative_to("out").as_posix() for p in Path("out").rglob("*.yaml"))
    assert found == ["x/app.yaml", "y/app.yaml", "z.yaml"]
    missing = Path("in/none.yaml")
    assert f"{missing}: error: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["in"], "need -o DIR"),
        (["in/a.yaml", "in/b.yaml", "-o", "-"], "need -o DIR"),
        (["in", "-o", "in/a.yaml"], "not a directory"),
        (["in", "-o", "in"], "overwritten by its own conversion"),
        (["in/a.yaml", "-o", "in"], "overwritten by its own conversion"),
        (["in/a.yaml", "-o", "link.yaml"], "overwritten by its own conversion"),
        (["-", "in"], "cannot be combined"),
        (["-", "-o", "in"], "--stdin-filename"),
        (["empty", "-o", "out"], "no templates in empty"),
        (["in/a.yaml", "--report", "-"], "needs -o FILE"),
        (["in/a.yaml", "--report", "in/a.yaml"], "choose another file"),
        (["in/a.yaml", "-o", "out.yaml", "--report", "out.yaml"], "choose another file"),
        (["in/a.yaml", "--dsl-version", "2_0"], "is unknown (choose from 1_3, 1_4, 1_5)"),
        (["in/a.yaml", "--templates", "nowhere"], "no directory"),
        (["in/a.yaml", "-q", "-v"], "not allowed with"),
    ],
)
def test_wrong_usage(
    converter: Converter, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    source = template("in/a.yaml")
    template("in/b.yaml")
    Path("link.yaml").symlink_to("in/a.yaml")
    Path("empty").mkdir()
    before = source.read_bytes()
    assert main(["hot2cfy", *words]) == FAILED
    out, err = capsys.readouterr()
    assert problem in err
    assert out == ""
    assert not converter.calls
    assert source.read_bytes() == before


# -- exit codes and reports ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "plain", "strict"),
    [
        ("", OK, OK),
        ("info", OK, OK),
        ("warning", OK, FINDINGS),
        ("error", OK, FINDINGS),
        ("unreadable", FAILED, FAILED),
        ("broken", FAILED, FAILED),
        ("interrupt", INTERRUPTED, INTERRUPTED),
    ],
)
def test_exit_codes(converter: Converter, words: str, plain: int, strict: int) -> None:
    template("app.yaml", words)
    assert main(["hot2cfy", "app.yaml"]) == plain
    assert main(["hot2cfy", "app.yaml", "--strict"]) == strict


def test_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "none.yaml"]) == FAILED
    assert capsys.readouterr().err == "none.yaml: error: No such file or directory\n"


def test_debug_shows_where(converter: Converter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BPCONVERT_DEBUG", "1")
    template("app.yaml", "broken")
    with pytest.raises(RuntimeError):
        main(["hot2cfy", "app.yaml"])


def test_report(converter: Converter) -> None:
    template("äpp.yaml", "warning")
    assert main(["hot2cfy", "äpp.yaml", "-o", "out.yaml", "--report", "new/report.json"]) == OK
    text = Path("new/report.json").read_text("utf-8")
    assert '"source": "äpp.yaml"' in text
    report = json.loads(text)
    assert (report["schema_version"], report["command"]) == (1, "hot2cfy")
    assert report["tool"] == {"name": "bpconvert", "version": bpconvert.__version__}
    assert report["files"] == [
        {
            "source": "äpp.yaml",
            "target": "out.yaml",
            "fidelity": "approximated",
            "diagnostics": [finding(Severity.WARNING, "äpp.yaml").as_dict()],
            "files": [],
            "nested_in": None,
            "error": None,
        }
    ]


def test_report_of_a_failure(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml", "unreadable")
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", "--report", "-"]) == FAILED
    entry = json.loads(capsys.readouterr().out)["files"][0]
    assert entry["error"] == {"kind": "source", "message": "no template"}
    assert [item["code"] for item in entry["diagnostics"]] == ["BPC102"]
    assert (entry["target"], entry["fidelity"]) == (None, None)


def test_report_of_an_interrupted_run(converter: Converter) -> None:
    for name, words in (("a", ""), ("b", "interrupt"), ("c", "")):
        template(f"in/{name}.yaml", words)
    assert main(["hot2cfy", "in", "-o", "out", "--report", "r.json"]) == INTERRUPTED
    report = json.loads(Path("r.json").read_text("utf-8"))
    assert [entry["source"] for entry in report["files"]] == ["in/a.yaml"]
    assert (report["interrupted"], report["missing"]) == (True, ["in/b.yaml", "in/c.yaml"])
    assert main(["hot2cfy", "in/a.yaml", "-o", "out/a.yaml", "--report", "r.json"]) == OK
    assert "interrupted" not in json.loads(Path("r.json").read_text("utf-8"))


def test_report_that_cannot_be_written(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml")
    assert main(["hot2cfy", "app.yaml", "-o", "out.yaml", "--report", "app.yaml/r.json"]) == FAILED
    assert "cannot write the report" in capsys.readouterr().err


def test_target_that_cannot_be_written(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml")
    assert main(["hot2cfy", "app.yaml", "-o", "app.yaml/out.yaml"]) == FAILED
    assert capsys.readouterr().err.startswith("app.yaml: error: ")


# -- messages -----------------------------------------------------------------------------------------------


def test_verbosity(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml", "error warning info")
    main(["hot2cfy", "app.yaml", "-q"])
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines() if "BPC" in line] == ["error"]
    main(["hot2cfy", "app.yaml", "-v"])
    err = capsys.readouterr().err
    assert [line.split()[1] for line in err.splitlines() if "BPC" in line] == ["info", "warning", "error"]
    assert err.count("why: Both engines") == 1


def excerpt(line: str, column: int) -> str:
    """The two lines that show a place in a document of one line."""
    text = TextFormatter(texts={"a": line}).format([finding(Severity.ERROR, "a", line=1, column=column)])
    return "\n".join(text.splitlines()[1:3])


def test_excerpt() -> None:
    assert excerpt("key: value", 6) == "    key: value\n         ^"
    assert excerpt("\tü: 世界 x", 8) == "    \tü: 世界 x\n    \t        ^"
    assert excerpt("esc\x1b[31m: x", 1) == "    esc\ufffd[31m: x\n    ^"
    assert excerpt("short", 99) == "    short\n         ^"
    long = excerpt("a" * 500 + "B" + "c" * 500, 501)
    shown, caret = long.splitlines()
    assert len(shown) < 130
    assert shown[caret.index("^")] == "B"
    assert TextFormatter().format([finding(Severity.ERROR, "nowhere")]).count("\n") == 2


@pytest.mark.parametrize(
    ("choice", "terminal", "environment", "expected"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"CLICOLOR_FORCE": "0"}, False),
        ("auto", False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_color(choice: str, terminal: bool, environment: dict[str, str], expected: bool) -> None:
    assert use_color(choice, Stdin(b"", terminal), environment) is expected


def test_colored_message(converter: Converter, capsys: pytest.CaptureFixture[str]) -> None:
    template("app.yaml", "warning")
    main(["hot2cfy", "app.yaml", "--color", "always"])
    assert "\x1b[1;33mwarning BPC102\x1b[0m something" in capsys.readouterr().err


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "bpc102"]) == OK
    assert capsys.readouterr().out.startswith("BPC102: duplicate key (warning, exact)\n")
    assert main(["explain"]) == OK
    assert "BPC102  warning  duplicate key\n" in capsys.readouterr().out
    assert main(["explain", "BPC000"]) == FAILED
    assert "there is no code 'BPC000'; did you mean 'BPC" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--help"], ["--version"], *([name, "--help"] for name in commands())])
def test_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == OK
    assert capsys.readouterr().out


def test_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate"]) == FAILED
    assert "invalid choice: 'translate'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["hot2cfi"], "did you mean 'hot2cfy'?"),
        (["hot2cfy", "x.yaml", "--reprot", "y"], "did you mean '--report'?"),
        (["check", "x.yaml", "--format", "jsn"], "did you mean 'json'?"),
        (["explain", "BPC1022"], "did you mean 'BPC102'?"),
        (["types", "OS::Nova::Servr"], "did you mean OS::Nova::Server"),
    ],
)
def test_misspelt_words_are_guessed(arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert hint in capsys.readouterr().err
