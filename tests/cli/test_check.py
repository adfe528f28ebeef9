"""``bpconvert check``: what it prints, and how it ends."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from bpconvert.cli.main import main

GOOD = "heat_template_version: 2018-08-31\nresources: {net: {type: OS::Neutron::Net}}\n"
WRONG = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nam: a}}\n"
DOUBTFUL = "heat_template_version: 2018-08-31\noutputs: {o: {value: {get_param: nobody}}}\n"
BLUEPRINT = "tosca_definitions_version: cloudify_dsl_1_3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"good": GOOD, "wrong": WRONG, "doubtful": DOUBTFUL, "blueprint": BLUEPRINT}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["good.yaml"], 0), (["wrong.yaml"], 1), (["doubtful.yaml"], 0), (["--strict", "doubtful.yaml"], 1)],
)
def test_exit_codes(folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int) -> None:
    monkeypatch.chdir(folder)
    assert main(["check", *arguments]) == code


def test_findings_are_printed_with_their_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "wrong.yaml")]) == 1
    printed = capsys.readouterr()
    first = f"{folder / 'wrong.yaml'}:3:46: error BPC170 OS::Neutron::Net has no property 'nam'; did you mean 'name'?"
    assert printed.out.splitlines()[0] == first
    assert printed.err == "bpconvert: 1 document checked: 1 error\n"


def test_a_folder_of_both_languages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 1
    assert capsys.readouterr().err == "bpconvert: 4 documents checked: 1 error, 1 warning\n"


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", str(folder / "wrong.yaml"), str(folder / "good.yaml")]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["command"] == "check"
    assert report["summary"] == {"files": 2, "failed": 0, "diagnostics": {"info": 0, "warning": 0, "error": 1}}
    wrong, good = report["files"]
    assert (wrong["diagnostics"][0]["code"], wrong["diagnostics"][0]["line"], good["diagnostics"]) == ("BPC170", 3, [])


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(WRONG.encode())))
    assert main(["check", "-", "--stdin-filename", "given.yaml"]) == 1
    assert capsys.readouterr().out.startswith("given.yaml:3:46: error BPC170")


@pytest.mark.parametrize("text", ["heat_template_version: [\n", "a: 1\n"])
def test_what_cannot_be_read_ends_with_2(folder: Path, text: str) -> None:
    (folder / "broken.yaml").write_text(text)
    assert main(["check", str(folder / "broken.yaml"), str(folder / "wrong.yaml")]) == 2
    assert main(["check", str(folder / "nothing.yaml")]) == 2


def test_environments(folder: Path) -> None:
    (folder / "app.yaml").write_text("heat_template_version: 2018-08-31\nresources: {a: {type: Acme::Net}}\n")
    (folder / "site.env").write_text("resource_registry: {'Acme::*': 'OS::Neutron::*'}\n")
    assert main(["check", str(folder / "app.yaml")]) == 1
    assert main(["check", str(folder / "app.yaml"), "-e", str(folder / "site.env")]) == 0
    assert main(["check", str(folder / "app.yaml"), "-e", str(folder / "gone.env")]) == 2


def test_a_file_that_cannot_be_read_is_not_counted_as_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "good.yaml"), str(folder / "none.yaml")]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"{folder / 'none.yaml'}: error: No such file or directory"
    assert told[1] == "bpconvert: 1 of 2 documents checked: nothing found"


def test_standard_input_stands_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "good.yaml"), "-"]) == 2
    assert "cannot be combined" in capsys.readouterr().err
