"""Which files of directories are looked at."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from machine_pace import within

from bpconvert import UsageError, convert_tree
from bpconvert.cli.main import FAILED, OK, main
from bpconvert.ignored import parsed

HOT = "heat_template_version: 2021-04-16\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*names: str, text: str = HOT) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def looked_at(*words: str, folder: str = "in") -> list[str]:
    """The results of a conversion of a directory."""
    shutil.rmtree("out", ignore_errors=True)
    main(["hot2cfy", folder, "-o", "out", *words])
    return sorted(path.relative_to("out").as_posix() for path in Path("out").rglob("*.yaml"))


def test_folders_of_other_tools_are_not_searched() -> None:
    write("in/a.yaml", "in/.cache/b.yaml", "in/node_modules/x/c.yaml", "in/sub/node_modules/d.yaml")
    assert looked_at() == ["a.yaml"]


def test_gitignore() -> None:
    write("in/a.yaml", "in/b.yaml", "in/build/c.yaml", "in/sub/b.yaml", "in/sub/keep.yaml")
    write("in/.gitignore", text="/b.yaml\nbuild/\nsub/*\n!keep.yaml\n")
    assert looked_at() == ["a.yaml", "sub/keep.yaml"]
    assert "b.yaml" in looked_at("--no-gitignore")
    write("in/sub/.gitignore", text="keep.yaml\n")
    assert looked_at() == ["a.yaml"]


def test_gitignore_of_the_repository_around() -> None:
    write("repo/.gitignore", text="old-*\n")
    write("repo/in/a.yaml", "repo/in/old-b.yaml")
    assert looked_at(folder="repo/in") == ["a.yaml", "old-b.yaml"]
    Path("repo/.git").mkdir()
    assert looked_at(folder="repo/in") == ["a.yaml"]


def test_exclude() -> None:
    write("in/a.yaml", "in/b.yaml", "in/old/c.yaml", "in/deep/old/d.yaml", "in/deep/e.yaml")
    assert looked_at("--exclude", "old", "--exclude", "b.*") == ["a.yaml", "deep/e.yaml"]
    assert looked_at("--exclude", "in/old") == ["a.yaml", "b.yaml", "deep/e.yaml", "deep/old/d.yaml"]


def test_a_file_that_is_named_is_always_looked_at() -> None:
    write("in/a.yaml")
    write(".gitignore", text="*\n")
    assert main(["hot2cfy", "in/a.yaml", "-o", "a.yaml", "--exclude", "a.yaml"]) == 0


def test_a_folder_of_which_everything_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml")
    write("in/.gitignore", text="*\n")
    assert main(["hot2cfy", "in", "-o", "out"]) == FAILED
    assert "--no-gitignore" in capsys.readouterr().err


PATTERNS = [
    "*.yaml", "/a.yaml", "sub/", "sub/*.yaml", "**/x.yaml", "sub/**", "a/**/b.yaml", "[ab].yaml", "[!a].yaml", "?.yaml",
    r"\#.yaml", r"\!.yaml", "# comment", "", "x.yaml ", "sub", "a/b", "*", "[z-a].yaml", "[.yaml", "!a.yaml", "a**",
]  # fmt: skip
PATHS = [
    "a.yaml", "b.yaml", "x.yaml", "sub/x.yaml", "sub/a.yaml", "sub/deep/x.yaml", "a/b.yaml", "a/c/b.yaml",
    "a/c/d/b.yaml", "#.yaml", "!.yaml", "xa.yaml", "[.yaml", "a/b/c.yaml",
]  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_are_those_of_git(pattern: str, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    Path(".gitignore").write_text(f"{pattern}\n")
    write(*PATHS)
    asked = subprocess.run(["git", "check-ignore", "--stdin"], input="\n".join(PATHS), capture_output=True, text=True)
    expected = {line.strip('"') for line in asked.stdout.splitlines()}
    patterns = parsed(str(tmp_path), [pattern])

    def is_left_out(name: str) -> bool:
        steps = [tmp_path / Path(*Path(name).parts[: number + 1]) for number in range(len(Path(name).parts))]
        return any(one.matches(str(step), step.is_dir()) and not one.keeps for one in patterns for step in steps)

    assert {name for name in PATHS if is_left_out(name)} == expected


def test_a_pattern_takes_little_time() -> None:
    [stars] = parsed("/x", ["*a" * 60 + "b"])
    [folders] = parsed("/x", ["**/a/" * 60 + "b"])
    with within(1):
        assert not stars.matches("/x/" + "a" * 250, is_folder=False)
        assert not folders.matches("/x/" + "a/" * 250 + "c", is_folder=False)


@pytest.fixture
def _closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders called ``closed`` cannot be read, also by root."""
    scan = os.scandir

    def refuse(place: str | int = ".") -> object:
        if str(place).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(place))
        return scan(place)

    monkeypatch.setattr("os.scandir", refuse)


@pytest.mark.usefixtures("_closed")
@pytest.mark.parametrize(
    "words",
    [["check"], ["hot2cfy", "-o", "out"], ["roundtrip"], ["verify", "in"]],
    ids=lambda words: words[0],
)
def test_a_folder_that_cannot_be_read_is_one_finding(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml", "in/closed/b.yaml", "in/d/e.yaml")
    more = ["--report", "r.json", "--format", "concise"] if words[0] in ("check", "hot2cfy") else []
    assert main([words[0], "in", *words[1:], *more]) == FAILED
    taken = capsys.readouterr()
    printed = taken.out + taken.err
    assert printed.count("the folder cannot be read: Permission denied") == 1
    assert printed.count("BPC688") == 1
    assert "Traceback" not in printed
    if more:
        files = json.loads(Path("r.json").read_text())["files"]
        names = {str(Path(file.get("source") or file["file"])): file["error"] for file in files}
        assert [name for name, error in names.items() if error] == ["in/closed"]
        assert names.keys() == {"in/a.yaml", "in/closed", "in/d/e.yaml"}
    if words[0] == "hot2cfy":
        assert sorted(str(place) for place in Path("out").rglob("*.yaml")) == ["out/a.yaml", "out/d/e.yaml"]
        assert "converted 2 of 2 templates; 1 folder cannot be read" in taken.err


@pytest.mark.usefixtures("_closed")
def test_a_folder_that_cannot_be_read_in_the_library() -> None:
    write("in/a.yaml", "in/closed/b.yaml")
    made = convert_tree("in", "out")
    assert [file.source for file in made.failed] == ["in/closed"]
    assert [found.code for found in made.failed[0].diagnostics] == ["BPC688"]
    assert Path("out/a.yaml").is_file()
    with pytest.raises(UsageError, match="in/closed: the folder cannot be read: Permission denied"):
        convert_tree("in/closed", "out")


@pytest.mark.usefixtures("_closed")
def test_nothing_is_removed_where_a_folder_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml", "in/gone.yaml", "in/more/closed/b.yaml")
    Path("in/more/closed").rename("in/more/open")
    assert main(["hot2cfy", "in", "-o", "out"]) == 0
    Path("in/more/open").rename("in/more/closed")
    Path("in/gone.yaml").unlink()
    assert main(["hot2cfy", "in", "-o", "out", "--prune", "--force"]) == FAILED
    assert Path("out/gone.yaml").is_file()
    shutil.rmtree("in/more")
    Path("out/closed").mkdir()
    capsys.readouterr()
    assert main(["hot2cfy", "in", "-o", "out", "--prune"]) == 0
    assert not Path("out/gone.yaml").exists()
    assert "out/closed:1:1: error BPC688" in capsys.readouterr().err


def test_what_is_no_file_is_not_read() -> None:
    write("in/a.yaml", "in/b.yaml")
    os.mkfifo("in/pipe.yaml")
    os.mkfifo("in/.gitignore")
    Path("in/sub").mkdir()
    Path("in/sub/.gitignore").symlink_to("/dev/zero")
    assert looked_at() == ["a.yaml", "b.yaml"]


GROUP = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {{resource_config: {{name: {name}, flavor: small, image: debian}}}}
    relationships: [{{type: cloudify.relationships.openstack.server_connected_to_port, target: port}}]
  port: {{type: cloudify.nodes.openstack.Port}}
groups: {{web: {{members: [vm, port]}}}}
policies: {{scaling: {{type: cloudify.policies.scaling, targets: [web], properties: {{default_instances: 3}}}}}}
"""


def test_groups_of_one_name_in_two_documents(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        write(f"in/{name}.yaml", text=GROUP.format(name=name))
    assert main(["cfy2hot", "in", "-o", "out"]) == OK
    files = {file.name for file in Path("out").iterdir()}
    assert files == {"one.web.yaml", "one.yaml", "two.web.yaml", "two.yaml"}
    for name in ("one", "two"):  # a result that was renamed still knows its files
        Path(f"out/{name}.yaml").rename(f"out/my-{name}.yaml")
        capsys.readouterr()
        assert main(["hot2cfy", f"out/my-{name}.yaml"]) == OK
        assert capsys.readouterr().out == GROUP.format(name=name)


def test_a_description_that_names_a_file_nests_nothing() -> None:
    text = "heat_template_version: 2018-08-31\ndescription: {about}\nresources:\n  x: {{type: {type}}}\n"
    write("in/part.yaml", text=text.format(about="used by whole.yaml", type="OS::Neutron::Net"))
    write("in/whole.yaml", text=text.format(about="has part.yaml", type="part.yaml"))
    for _ in range(2):
        assert main(["hot2cfy", "in", "-o", "out", "--report", "report.json"]) == OK
        nested = {one["source"]: one["nested_in"] for one in json.loads(Path("report.json").read_text())["files"]}
        assert nested == {"in/whole.yaml": None, "in/part.yaml": "in/whole.yaml"}


@pytest.mark.parametrize("text", ["a" * 200_000, "a-/" * 70_000, "a.yam" * 40_000, "b.yaml/" * 30_000])
def test_long_words_are_read_once(text: str) -> None:
    """What looks for the names of documents would try each character as the first one: a minute for these."""
    write("in/sub/a.yaml", "in/b.yaml")
    write("in/c.yaml", text=f"{HOT}description: {text}\n")
    with within(8):
        assert looked_at() == ["b.yaml", "c.yaml", "sub/a.yaml"]


@pytest.mark.parametrize("line", ["[" * 100_000, "[]" + "[" * 100_000, "a" + " " * 100_000 + "b", " " * 100_000 + "\\"])
def test_long_patterns_are_read_once(line: str) -> None:
    with within(4):
        assert len(parsed("/", [line])) == 1


@pytest.mark.parametrize(
    ("line", "matching", "other"),
    [
        ("[a-c]", "b", "d"),
        ("[]]", "]", "["),
        ("a[", "", "a["),
        ("[!a]b[", "", "cb["),
        ("x\\ ", "x ", "x"),
        ("x\\  ", "x ", "x  "),
        ("x  ", "x", "x "),
    ],
)
def test_classes_and_blanks_of_patterns(line: str, matching: str, other: str) -> None:
    """As ``git check-ignore`` has it: a class without an end matches nothing, a blank behind ``\\`` counts."""
    [pattern] = parsed("/", [line])
    assert not pattern.matches(f"/{other}", False)
    assert not matching or pattern.matches(f"/{matching}", False)
