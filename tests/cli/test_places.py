"""No result takes the place of what the command reads or of another result. The converter is the real one."""

from __future__ import annotations

from pathlib import Path

import pytest
from folders import written

from bpconvert import convert, convert_tree
from bpconvert.cli.main import FAILED, OK, main
from bpconvert.diagnostics import UsageError

HOT = "heat_template_version: 2018-08-31\n"
NAMED = HOT + "resources:\n  net: {type: OS::Neutron::Net, properties: {name: %s}}\n"
#: a default beyond ASCII becomes a value of an inputs file
GIVEN = HOT + (
    "parameters:\n  size: {type: number, default: 2}\n  name: {type: string, default: %s}\n"
    "resources:\n  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}\n"
)
READING = HOT + (
    "resources:\n  web:\n    type: OS::Nova::Server\n"
    "    properties: {flavor: m1, image: i, networks: [], user_data_format: RAW, user_data: {get_file: run.sh}}\n"
)


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_two_results_do_not_claim_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    written("in/u.yaml", GIVEN % "ü")
    written("in/u.yml", GIVEN % "ö")
    assert main(["hot2cfy", "in", "-o", "out"]) == FAILED
    assert "not written: its file u.inputs.yaml would replace that of in/u.yaml" in capsys.readouterr().err
    assert Path("out/u.inputs.yaml").read_text("utf-8").strip().endswith("ü")
    assert not Path("out/u.yml").exists()


def test_a_further_file_does_not_claim_the_place_of_a_result(capsys: pytest.CaptureFixture[str]) -> None:
    written("in/u.yaml", GIVEN % "ü")
    written("in/u.inputs.yaml", NAMED % "plain")
    assert main(["hot2cfy", "in", "-o", "out"]) == FAILED
    assert "its file u.inputs.yaml has the name of the result of in/u.inputs.yaml" in capsys.readouterr().err
    assert not Path("out/u.yaml").exists()
    assert "plain" in Path("out/u.inputs.yaml").read_text("utf-8")


def test_equal_files_of_two_results_are_one(capsys: pytest.CaptureFixture[str]) -> None:
    written("in/a.yaml", READING)
    written("in/b.yaml", READING)
    written("in/run.sh", "#!/bin/sh\n")
    assert main(["hot2cfy", "--files", "copy", "in", "-o", "out"]) == OK
    assert Path("out/run.sh").read_text("utf-8") == "#!/bin/sh\n"


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("-e", "resource_registry: {}\n"),
        ("--types", "types: []\n"),
        ("--params-file", "a: 1\n"),
        ("--stage", "parameters: {}\n"),
        ("--flavors", "{}\n"),
    ],
)
def test_no_file_of_an_option_is_overwritten(capsys: pytest.CaptureFixture[str], option: str, text: str) -> None:
    written("t.yaml", NAMED % "plain")
    given = written("given.yaml", text)
    assert main(["hot2cfy", "t.yaml", option, "given.yaml", "-o", "given.yaml"]) == FAILED
    assert "given.yaml is a file that the command reads" in capsys.readouterr().err
    assert main(["hot2cfy", "t.yaml", option, "given.yaml", "-o", "b.yaml", "--report", "given.yaml"]) == FAILED
    assert "choose another file" in capsys.readouterr().err
    assert given.read_text("utf-8") == text


@pytest.mark.parametrize("words", [["-o", "run.csv"], ["-o", "b/t.yaml", "--report", "run.csv"]])
def test_no_file_that_the_template_reads_is_overwritten(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    written("t.yaml", READING.replace("run.sh", "run.csv"))
    script = written("run.csv", "#!/bin/sh\n")
    assert main(["hot2cfy", "t.yaml", *words]) == FAILED
    assert "run.csv is a file that" in capsys.readouterr().err
    assert script.read_text("utf-8") == "#!/bin/sh\n"


@pytest.mark.parametrize(
    ("option", "file"),
    [
        ("--stage=prod=out/t.prod.inputs.yaml", "out/t.prod.inputs.yaml"),
        ("-eout/t.inputs.yaml", "out/t.inputs.yaml"),
        ("--params-file=out/t.inputs.yaml", "out/t.inputs.yaml"),
    ],
)
@pytest.mark.parametrize("more", [["--force"], []])
def test_a_further_file_overwrites_none_that_the_command_reads(
    capsys: pytest.CaptureFixture[str], option: str, file: str, more: list[str]
) -> None:
    written("in/t.yaml", GIVEN % "ü")
    given = written(file, "parameters: {size: 1}\n")
    assert main(["hot2cfy", "in", "-o", "out", option, *more]) == FAILED
    name = file.removeprefix("out/")
    assert f"not written: its file {name} would replace {file}, which the command reads" in capsys.readouterr().err
    assert given.read_text("utf-8") == "parameters: {size: 1}\n"
    assert not Path("out/t.yaml").exists()


@pytest.mark.parametrize("more", [["--force"], []])
def test_a_further_file_overwrites_no_other_source(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    written("in/u.yaml", GIVEN % "ü")
    other = written("in/out/u.inputs.yaml", NAMED % "plain")
    assert main(["hot2cfy", "in", "-o", "in/out", *more]) == FAILED
    assert "its file u.inputs.yaml would replace in/out/u.inputs.yaml, which the" in capsys.readouterr().err
    assert other.read_text("utf-8") == NAMED % "plain"
    assert not Path("in/out/u.yaml").exists()


def test_the_library_overwrites_nothing_that_it_reads() -> None:
    source = written("in/t.yaml", GIVEN % "ü" + "parameters: {size: {type: number}}\n")
    stage = written("out/t.prod.inputs.yaml", "parameters: {size: 1}\n")
    stages = (("prod", str(stage)),)
    for write in ("force", "keep", "nothing"):
        tree = convert_tree("in", "out", stages=stages, write=write)
        assert [file.error.kind for file in tree.failed if file.error] == ["file"]
    with pytest.raises(UsageError, match="is a file that the command reads"):
        convert_tree("in", "out", stages=(("prod", str(written("out/t.yaml", "parameters: {size: 1}\n"))),))
    with pytest.raises(UsageError, match=r"not written: out/t\.prod\.inputs\.yaml"):
        convert(source, stages=stages).write("out", force=True)
    assert stage.read_text("utf-8") == Path("out/t.yaml").read_text("utf-8") == "parameters: {size: 1}\n"


def test_nothing_is_written_through_a_link_out_of_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    written("in/t.yaml", NAMED % "plain")
    other = written("elsewhere.yaml", "mine\n")
    Path("out").mkdir()
    Path("out/t.yaml").symlink_to("../elsewhere.yaml")
    assert main(["hot2cfy", "in", "-o", "out"]) == FAILED
    assert "out/t.yaml is a link that leads out of out" in capsys.readouterr().err
    assert other.read_text("utf-8") == "mine\n"


def test_what_nobody_else_may_read_stays_so() -> None:
    source = written("t.yaml", READING)
    written("run.sh", "#!/bin/sh\n")
    source.chmod(0o600)
    assert main(["hot2cfy", "--files", "copy", "t.yaml", "-o", "b/t.yaml", "--report", "found.json"]) == OK
    made = ("b/t.yaml", "b/run.sh", "found.json")
    assert {name: Path(name).stat().st_mode & 0o777 for name in made} == dict.fromkeys(made, 0o600)


def test_the_value_of_a_hidden_parameter_is_not_kept() -> None:
    text = HOT + (
        "parameters: {pw: {type: string, hidden: true}, user: {type: string}}\n"
        "resources:\n  net: {type: OS::Neutron::Net, properties: {name: {get_param: user}}}\n"
    )
    written("t.yaml", text)
    given = ["--param", "pw=geheim", "--param", "user=anna"]
    assert main(["hot2cfy", "t.yaml", *given, "-o", "b.yaml"]) == OK
    result = Path("b.yaml").read_text("utf-8")
    assert "geheim" not in result
    assert "user: anna\n" in result
