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
    assert names() == [".bpconvert/app.yaml", ".bpconvert/lib/inner.yaml", "app.yaml", "lib/inner.yaml"]
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
    assert "  disk: {type: OS::Cinder::Volume, properties: {size: 20, name: a}}\n" in text
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


@pytest.mark.parametrize("name", ["app.yaml", "lib/inner.yaml"])
def test_no_link_out_of_the_folder_is_followed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    Path("out/.bpconvert", name).rename("secret.yaml")
    Path("out/.bpconvert", name).symlink_to(Path("secret.yaml").resolve())
    assert main(["cfy2hot", f"out/{name}", "-o", "again/result.yaml"]) == OK
    assert "warning BPC647" in capsys.readouterr().err
    assert Path("again/result.yaml").read_bytes() != Path("in", name).read_bytes()
    assert main(["cfy2hot", f"out/{name}", "-o", "trusted/result.yaml", "-q", "--allow-outside"]) == OK
    assert Path("trusted/result.yaml").read_bytes() == Path("in", name).read_bytes()


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


def edits_survive(outer: str, inner: str) -> None:
    """Edit two results and the source of one, and convert again."""
    edit(f"out/{outer}", "size: 10", "size: 20  # ours")
    edit(f"out/{inner}", "openstack.Network", "openstack.Port")
    edit(f"in/{outer}", "name: a", "name: b")
    assert run() == OK
    text = Path(f"out/{outer}").read_text("utf-8")
    assert "size: 20  # ours\n" in text
    assert "name: b\n" in text
    assert "openstack.Port" in Path(f"out/{inner}").read_text()


def test_edits_survive_a_re_run() -> None:
    assert run() == OK
    edits_survive("app.yaml", "lib/inner.yaml")
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
    assert names() == ["app.yaml", "lib/inner.yaml", "scripts/bpconvert_blueprint.py"]  # which uploads the inner one


def test_results_without_a_source_go_with_their_files() -> None:
    write("in/other/x.yaml", INNER)
    assert run() == OK
    Path("in/other/x.yaml").unlink()
    assert run("--prune") == OK
    assert names() == [".bpconvert/app.yaml", ".bpconvert/lib/inner.yaml", "app.yaml", "lib/inner.yaml"]


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


@pytest.fixture
def _tree() -> None:
    """Results of templates in folders, some of equal names."""
    for number, name in enumerate(("x.yaml", "a/x.yaml", "a/a/x.yaml", "b/a/x.yaml")):
        write(f"in/{name}", INNER.replace("net:", f"net{number}:"))
    write("in/b/outer.yaml", APP)
    write("in/b/lib/inner.yaml", INNER.replace("net:", "b:"))
    assert run() == OK


@pytest.mark.usefixtures("_tree")
def test_a_tree_has_one_folder() -> None:
    assert set(Path("out").rglob(".bpconvert")) == {Path("out/.bpconvert")}
    assert {f".bpconvert/{name}" for name in names() if not name.startswith(".bpconvert/")} == {
        name for name in names() if name.startswith(".bpconvert/")
    }
    assert main(["cfy2hot", "out", "-o", "again", "-q"]) == OK
    assert names("again") == names("in")
    assert all(Path("again", name).read_bytes() == Path("in", name).read_bytes() for name in names("in"))
    assert run("--check") == OK
    assert run("--prune") == OK
    assert "out/.bpconvert/a/a/x.yaml" in map(str, Path("out").rglob("*"))


@pytest.mark.parametrize("name", ["a/a/x.yaml", "b/outer.yaml", "b/lib/inner.yaml"])
@pytest.mark.usefixtures("_tree")
def test_one_file_of_a_tree_comes_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Path("in", name).read_bytes()
    assert main(["cfy2hot", f"out/{name}", "-o", f"back/{Path(name).name}", "-q"]) == OK
    assert Path("back", Path(name).name).read_bytes() == expected
    monkeypatch.chdir(Path("out", name).parent)
    assert main(["cfy2hot", Path(name).name, "-o", "../../../here.yaml", "-q"]) == OK


@pytest.mark.usefixtures("_tree")
def test_a_file_that_was_moved_has_no_source_any_more(capsys: pytest.CaptureFixture[str]) -> None:
    Path("out/a/a/x.yaml").rename("out/b/lib/x.yaml")
    assert main(["cfy2hot", "out/b/lib/x.yaml", "-o", "back.yaml"]) == OK
    assert "BPC647" in capsys.readouterr().err


@pytest.mark.usefixtures("_tree")
def test_edits_in_a_tree_survive_a_re_run() -> None:
    edits_survive("b/outer.yaml", "b/lib/inner.yaml")
    assert run("--check") == OK


@pytest.mark.usefixtures("_tree")
def test_results_of_a_tree_without_a_source_go_with_their_files() -> None:
    Path("in/a/a/x.yaml").unlink()
    assert run("--prune") == OK
    assert not Path("out/.bpconvert/a/a").exists()
    assert not Path("out/a/a").exists()
    assert Path("out/.bpconvert/a/x.yaml").is_file()


def older() -> None:
    """The results as earlier versions wrote them: a folder beside each document, without digests."""
    for name in [name for name in names() if name.startswith(".bpconvert/")]:
        result = Path("out", name.removeprefix(".bpconvert/"))
        (result.parent / ".bpconvert").mkdir(exist_ok=True)
        Path("out", name).rename(result.parent / ".bpconvert" / result.name)
        text = result.read_text("utf-8")
        lines = [line for line in text.splitlines(keepends=True) if not line.startswith("    digest: ")]
        assert len(lines) == text.count("\n") - 1
        result.write_text("".join(lines), "utf-8")


@pytest.mark.usefixtures("_tree")
def test_the_older_way_is_read() -> None:
    older()
    assert main(["cfy2hot", "out", "-o", "again", "-q"]) == OK
    assert all(Path("again", name).read_bytes() == Path("in", name).read_bytes() for name in names("in"))


@pytest.mark.usefixtures("_tree")
def test_a_re_run_puts_the_older_ones_in_one_folder(capsys: pytest.CaptureFixture[str]) -> None:
    older()
    edit("out/b/outer.yaml", "size: 10", "size: 20  # ours")
    edit("in/b/outer.yaml", "name: a", "name: b")
    assert main(["hot2cfy", "in", "-o", "out", "--carry", "file", "-v"]) == OK
    assert "out/b/.bpconvert/outer.yaml:1:1: warning BPC645" in capsys.readouterr().err
    assert "size: 20  # ours" in Path("out/b/outer.yaml").read_text("utf-8")
    edit("out/b/outer.yaml", "size: 20", "size: 30")
    assert main(["cfy2hot", "out/b/outer.yaml", "-o", "back/outer.yaml", "-q"]) == OK
    assert "name: b" in Path("back/outer.yaml").read_text("utf-8")


@pytest.mark.usefixtures("_tree")
def test_prune_removes_the_older_ones() -> None:
    older()
    assert run("--prune") == OK
    assert set(Path("out").rglob(".bpconvert")) == {Path("out/.bpconvert")}
    assert run("--check") == OK
