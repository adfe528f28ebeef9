"""Which file belongs to which result of a run: none takes the place of another one's, nothing is half written."""

from __future__ import annotations

from pathlib import Path

import pytest
from folders import written

from bpconvert.cli.main import FAILED, OK, main

HOT = "heat_template_version: 2018-08-31\n"
#: a default beyond ASCII becomes a value of an inputs file
GIVEN = HOT + (
    "parameters: {name: {type: string, default: %s}}\n"
    "resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}}\n"
)
NET = HOT + "resources: {net: {type: OS::Neutron::Net}}\n"
OUTER = HOT + "resources: {a: {type: %s}}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def results() -> set[str]:
    """The files in the folder of the results."""
    return {path.relative_to("out").as_posix() for path in Path("out").rglob("*") if path.is_file()}


def test_equal_values_of_two_results_are_one_file() -> None:
    written("in/u.yaml", GIVEN % "ü")
    written("in/u.yml", GIVEN % "ü")
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == OK
    assert results() == {"u.yaml", "u.yml", "u.inputs.yaml"}


def test_a_third_result_is_compared_with_what_the_first_one_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"u.template": "ü", "u.yaml": "ü", "u.yml": "ö"}.items():
        written(f"in/{name}", GIVEN % text)
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == FAILED
    assert "its file u.inputs.yaml would replace that of in/u." in capsys.readouterr().err
    assert results() == {"u.template", "u.yaml", "u.inputs.yaml"}


def test_a_document_that_is_refused_claims_nothing() -> None:
    """A document that is refused has no file of values: the other one's may have its name."""
    written("in/u.yaml", (GIVEN % "ü").replace("resources:", "resources: ["))
    written("in/u.yml", GIVEN % "ö")
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == FAILED
    assert results() == {"u.yml", "u.inputs.yaml"}


def test_names_in_several_folders_are_no_obstacle() -> None:
    written("in/a/u.yaml", GIVEN % "ü")
    written("in/b/u.yaml", GIVEN % "ö")
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == OK
    assert results() == {"a/u.yaml", "a/u.inputs.yaml", "b/u.yaml", "b/u.inputs.yaml"}


def test_what_is_nested_is_part_of_the_result_though_it_is_a_source() -> None:
    written("in/app.yaml", OUTER % "lib/inner.yaml")
    written("in/lib/inner.yaml", NET)
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == OK
    assert results() == {"app.yaml", "lib/inner.yaml", "scripts/bpconvert_blueprint.py"}


def test_the_values_of_standard_input_are_written_beside_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    written("u.yaml", GIVEN % "ü")
    with Path("u.yaml").open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": stream, "isatty": lambda self: False})())
        assert main(["hot2cfy", "-", "--stdin-filename", "u.yaml", "-o", "out/u.yaml", "-q"]) == OK
    assert results() == {"u.yaml", "u.inputs.yaml"}


def test_a_blueprint_that_is_used_as_it_is_stays_in_its_place() -> None:
    written("app.yaml", OUTER % "inner.yaml")
    inner = written("inner.yaml", "tosca_definitions_version: cloudify_dsl_1_3\n")
    assert main(["hot2cfy", "app.yaml", "-o", "made.yaml", "-q"]) == OK
    assert inner.read_text("utf-8") == "tosca_definitions_version: cloudify_dsl_1_3\n"
    assert Path("made.yaml").exists()


def test_a_file_that_is_read_and_stays_as_it_is_is_no_obstacle() -> None:
    """The values that a result needs are given by the very file that an earlier run has written."""
    written("u.yaml", GIVEN % "ü")
    words = ["hot2cfy", "u.yaml", "-o", "out/u.yaml", "-q"]
    assert main(words) == OK
    before = Path("out/u.inputs.yaml").read_bytes()
    assert main([*words, "--params-file", "out/u.inputs.yaml"]) == OK
    assert Path("out/u.inputs.yaml").read_bytes() == before
