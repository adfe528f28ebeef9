"""Help in groups, and messages for commands, options, files and codes that are wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bpconvert.cli.command import FAILED, OK
from bpconvert.cli.main import commands, main

HOT = "heat_template_version: 2021-04-16\n"
#: the options of any program, which need no other title
COMMON = {"-h", "--help", "-o", "--output", "-q", "--quiet", "-v", "--verbose", "--color", "--to"}


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", commands())
def test_help_has_one_line_of_usage(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == OK
    text = capsys.readouterr().out
    assert re.match(rf"usage: bpconvert {command} \[options\][^\n]*\n\n", text), text[:300]


@pytest.mark.parametrize("command", ["hot2cfy", "convert", "check"])
def test_many_options_stand_in_groups(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([command, "--help"])
    groups = dict(re.findall(r"^(\S[^\n]*):\n(  .*?)\n\n", capsys.readouterr().out, re.MULTILINE | re.DOTALL))
    assert {"options", "findings", "values and mappings", "what is read", "configuration"} <= groups.keys()
    assert set(re.findall(r"(?:^  |, )(--?\w[\w-]*)", groups["options"], re.MULTILINE)) <= COMMON
    assert all(len(re.findall(r"^  -", text, re.MULTILINE)) <= 9 for text in groups.values())


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["hot2cfy", "t.yaml", "--strct"], "unrecognized arguments: --strct; did you mean '--strict'?"),
        (["check", "--ignroe"], "unrecognized arguments: --ignroe; did you mean '--ignore'?"),
        (["check"], "the following arguments are required: INPUT"),
        (["hot2cfy", "t.yaml", "--carry", "inlin"], "argument --carry: invalid choice: 'inlin'"),
        (["convert", "t.yaml"], "the following arguments are required: --to"),
    ],
)
def test_what_is_wrong_stands_first(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == FAILED
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.startswith(f"bpconvert {words[0]}: error: {problem}")
    assert len(rest) == 2
    assert rest[0].startswith(f"usage: bpconvert {words[0]} [options]")
    assert rest[1] == f"       'bpconvert {words[0]} --help' lists the options"


def test_a_command_that_is_misspelt_has_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfi", "t.yaml"]) == FAILED
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("did you mean 'hot2cfy'?")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hot2cfy", "ok.yml"], "ok.yml: error: No such file or directory; did you mean 'ok.yaml'?"),
        (["check", "ok.yml"], "ok.yml: error: No such file or directory; did you mean 'ok.yaml'?"),
        (["graph", "ok.yml"], "bpconvert graph: error: No such file or directory: ok.yml; did you mean 'ok.yaml'?"),
        (["hot2cfy", "ok.yaml", "-e", "stie.yaml"], "No such file or directory: stie.yaml; did you mean 'site.yaml'?"),
        (["hot2cfy", "tempaltes/"], "tempaltes: error: No such file or directory; did you mean 'templates'?"),
        (["hot2cfy", "zzz"], "zzz: error: No such file or directory\n"),
    ],
)
def test_a_file_that_is_not_there_has_a_suggestion(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ok.yaml").write_text(HOT)
    Path("site.yaml").write_text("parameters: {}\n")
    Path("templates").mkdir()
    assert main(words) == FAILED
    printed = capsys.readouterr()
    assert message in printed.out + printed.err


@pytest.mark.parametrize(
    ("contents", "what"),
    [
        (b"", "BPC131 not a Heat template: the file is empty\n"),
        (b"\n  \n", "BPC131 not a Heat template: the file is empty\n"),
        (b"# nothing yet\n", "BPC131 not a Heat template: the file has no content\n"),
        (b"Dear all, this is a letter.\n", "BPC131 not a Heat template: it is plain text, without any keys\n"),
        (b"- a\n- b\n", "BPC131 not a Heat template: it is a list, without any keys\n"),
        (b"a: 1\n", "BPC131 not a Heat template: there is no 'heat_template_version'\n"),
        (b"tosca_definitions_version: cloudify_dsl_1_3\n", "BPC131 not a Heat template: it is a Cloudify blueprint\n"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff", "BPC107 this is a binary file (a PNG image), not text\n"),
        (b"\x00\x01\xff\xfe\x00", "BPC107 this is a binary file, not text\n"),
        (b"caf\xe9: 1\n", "BPC107 these bytes are not UTF-8 text\n"),
    ],
)
def test_a_file_that_is_no_document_is_called_what_it_is(
    contents: bytes, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("t.yaml").write_bytes(contents)
    assert main(["hot2cfy", "t.yaml"]) == FAILED
    text = capsys.readouterr().err
    assert what in text
    assert "\n    \n" not in text  # no excerpt of an empty line


def test_a_file_of_none_of_the_languages_names_each_key_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.yaml").write_text("a: 1\n")
    assert main(["convert", "t.yaml", "--to", "hot"]) == FAILED
    assert (
        "neither a Heat template nor a Cloudify blueprint nor a TOSCA service template: "
        "there is no 'heat_template_version' and no 'tosca_definitions_version'\n"
    ) in capsys.readouterr().err


@pytest.mark.parametrize("code", ["302", "bpc302", "BPC302"])
def test_a_code_is_known_by_its_number(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code]) == OK
    assert capsys.readouterr().out.startswith("BPC302: ")
    Path("ok.yaml").write_text(HOT)
    assert main(["hot2cfy", "ok.yaml", "--ignore", code]) == OK


def test_the_overview_lists_each_command_once_below_what_it_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == OK
    text = capsys.readouterr().out
    titles = re.findall(r"^([a-z ]+):$", text, re.MULTILINE)
    assert titles == [
        "positional arguments",
        "options",
        "convert",
        "check and compare",
        "look up",
        "other commands",
        "examples",
    ]
    listed = re.findall(
        r"^  ([a-z0-9]+) +\S", text.partition("\nconvert:")[2].partition("\nexamples:")[0], re.MULTILINE
    )
    assert sorted(listed) == sorted(commands())
    assert len(text.partition("\nexamples:\n")[2].partition("\n\n")[0].splitlines()) < 10
