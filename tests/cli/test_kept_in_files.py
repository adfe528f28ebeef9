"""``--carry file``: the source is kept in a file beside the result, for the way back and for edits in the result."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from text_files import edit, write

from bpconvert import convert
from bpconvert.cli.main import FAILED, FINDINGS, OK, main

APP = """\
heat_template_version: 2018-08-31
description: ünïcode   # and spaces
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: 10, name: a}}
  inner: {type: lib/inner.yaml}
"""
INNER = "heat_template_version: 2018-08-31\nresources:\n  net:   {type: OS::Neutron::Net}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("in/app.yaml", APP)
    write("in/lib/inner.yaml", INNER)


def names(folder: str = "out") -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())


def run(*words: str, command: str = "hot2cfy") -> int:
    return main([command, "in", "-o", "out", "-q", "--carry", "file", *words])


@pytest.mark.parametrize(("command", "back"), [("hot2cfy", "cfy2hot"), ("hot2tosca", "tosca2hot")])
def test_it_comes_back(command: str, back: str) -> None:
    assert run(command=command) == OK
    assert names() == [".bpconvert/app.yaml", "app.yaml", "lib/.bpconvert/inner.yaml", "lib/inner.yaml"]
    assert "heat_template_version" not in Path("out/app.yaml").read_text()
    assert main([back, "out", "-o", "again", "-q"]) == OK
    assert names("again") == ["app.yaml", "lib/inner.yaml"]
    assert Path("again/app.yaml").read_text("utf-8") == APP
    assert Path("again/lib/inner.yaml").read_text() == INNER


def test_from_a_blueprint_to_a_template_and_back() -> None:
    blueprint = convert(Path("in/lib/inner.yaml"), carry=False).text + "# ours\n"
    write("b.yaml", blueprint)
    assert main(["cfy2hot", "b.yaml", "-o", "out/t.yaml", "-q", "--carry", "file"]) == OK
    assert main(["hot2cfy", "out/t.yaml", "-o", "again.yaml", "-q"]) == OK
    assert Path("again.yaml").read_text() == blueprint


def test_an_edit_comes_back() -> None:
    assert run() == OK
    edit("out/app.yaml", "size: 10", "size: 20")
    assert main(["cfy2hot", "out/app.yaml", "-o", "again/app.yaml", "-q"]) == OK
    text = Path("again/app.yaml").read_text("utf-8")
    assert "size: 20\n" in text
    assert "description: ünïcode   # and spaces\n" in text
    assert "  inner: {type: lib/inner.yaml}\n" in text


def test_a_missing_file_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    Path("out/.bpconvert/app.yaml").unlink()
    assert main(["cfy2hot", "out/app.yaml", "-o", "again/app.yaml"]) == OK
    assert "warning BPC647 the file '.bpconvert/app.yaml' with what" in capsys.readouterr().err
    assert Path("again/app.yaml").read_text("utf-8") != APP


@pytest.mark.parametrize("name", ["../secret.yaml", "/etc/passwd", ".bpconvert/../../secret.yaml", "secret.yaml", "5"])
def test_no_other_file_is_read(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    Path("secret.yaml").write_bytes(Path("out/.bpconvert/app.yaml").read_bytes())
    Path("out/secret.yaml").write_bytes(Path("secret.yaml").read_bytes())
    edit("out/app.yaml", "file: .bpconvert/app.yaml", f"file: {name}")
    assert main(["cfy2hot", "out/app.yaml", "-o", "again/app.yaml"]) == OK
    assert "warning BPC624" in capsys.readouterr().err
    assert Path("again/app.yaml").read_text("utf-8") != APP


@pytest.mark.parametrize(
    "content", ["", "[1]", "a: [", "source: cloudify\n", "source: hot\n", "{source: hot, text: x, sum: 1}"]
)
def test_a_damaged_file_is_reported(content: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    write("out/.bpconvert/app.yaml", content)
    assert main(["cfy2hot", "out/app.yaml", "-o", "again/app.yaml"]) == OK
    assert "warning BPC624" in capsys.readouterr().err
    assert run("--force") == OK
    assert main(["cfy2hot", "out/app.yaml", "-o", "again/app.yaml", "--force", "-q"]) == OK
    assert Path("again/app.yaml").read_text("utf-8") == APP


def test_edits_survive_a_re_run() -> None:
    assert run() == OK
    edit("out/app.yaml", "size: 10", "size: 20  # ours")
    edit("out/lib/inner.yaml", "openstack.Network", "openstack.Port")
    edit("in/app.yaml", "name: a", "name: b")
    assert run() == OK
    text = Path("out/app.yaml").read_text("utf-8")
    assert "size: 20  # ours\n" in text
    assert "name: b\n" in text
    assert "openstack.Port" in Path("out/lib/inner.yaml").read_text()
    assert "name: b" in yaml.safe_load(Path("out/.bpconvert/app.yaml").read_text("utf-8"))["text"]
    assert run("--check") == OK
    edit("in/app.yaml", "size: 10", "size: 30")
    assert run("--check") == FAILED


def test_another_place_for_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    words = ["hot2cfy", "in", "-o", "out"]
    assert main([*words, "--check"]) == FINDINGS
    assert main([*words, "-v"]) == OK
    assert "out/.bpconvert/app.yaml:1:1: warning BPC645" in capsys.readouterr().err
    assert run() == OK
    assert main([*words, "--prune", "-q"]) == OK
    assert names() == ["app.yaml", "lib/inner.yaml"]


def test_results_without_a_source_go_with_their_files() -> None:
    write("in/other/x.yaml", INNER)
    assert run() == OK
    Path("in/other/x.yaml").unlink()
    assert run("--prune") == OK
    assert names() == [".bpconvert/app.yaml", "app.yaml", "lib/.bpconvert/inner.yaml", "lib/inner.yaml"]


def test_the_file_of_another_result_is_not_replaced() -> None:
    write("b/app.yaml", INNER)
    assert main(["hot2cfy", "in/app.yaml", "-o", "out/x.yaml", "--carry", "file", "-q"]) == OK
    before = Path("out/.bpconvert/app.yaml").read_bytes()
    assert main(["hot2cfy", "b/app.yaml", "-o", "out/y.yaml", "--carry", "file", "-q"]) == FAILED
    assert Path("out/.bpconvert/app.yaml").read_bytes() == before


def test_standard_output_has_the_document_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "in/lib/inner.yaml", "--carry", "file"]) == OK
    taken = capsys.readouterr()
    assert "file: .bpconvert/inner.yaml" in taken.out
    assert ".bpconvert/inner.yaml" in taken.err


def test_an_archive_has_the_file() -> None:
    assert main(["hot2tosca", "in/lib/inner.yaml", "-o", "a.csar", "--carry", "file", "-q"]) == OK
    assert main(["tosca2hot", "a.csar", "-o", "back.yaml", "-q"]) == OK
    assert Path("back.yaml").read_text() == INNER
