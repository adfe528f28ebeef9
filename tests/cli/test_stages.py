"""Environments on the command line: values for every deployment and for those of stages."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
import yaml
from text_files import write

from bpconvert import convert
from bpconvert.cli.main import FAILED, FINDINGS, OK, main

APP = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 1, constraints: [{range: {max: 100}}]}
  zones: {type: comma_delimited_list}
  password: {type: string, hidden: true}
  label: {type: string}
resources:
  disk:
    type: OS::Cinder::Volume
    properties:
      size: {get_param: size}
      name: {get_param: label}
      availability_zone: {get_param: [zones, 0]}
  inner: {type: inner.yaml, properties: {secret: {get_param: password}}}
"""
INNER = """\
heat_template_version: 2018-08-31
parameters: {secret: {type: string}, flavor: {type: string, default: small}}
resources:
  web:
    type: OS::Nova::Server
    properties: {flavor: {get_param: flavor}, image: cirros, admin_pass: {get_param: secret}}
"""
COMMON = "parameters: {label: shop}\nparameter_defaults: {flavor: m1.big, size: 3, elsewhere: 1}\n"
STAGES = ["-e", "envs/common.yaml", "--stage", "envs/prod.env.yaml", "--stage", "test=envs/dev.yaml"]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("in/app.yaml", APP)
    write("in/inner.yaml", INNER)
    write("envs/common.yaml", COMMON)
    write("envs/prod.env.yaml", 'parameters: {size: 50, password: s3cr3t, zones: "a,b"}\n')
    write("envs/dev.yaml", "parameters: {zones: [c]}\nparameter_defaults: {size: 4, flavor: m1.tiny}\n")


def data(place: str) -> dict[str, dict[str, dict[str, object]]]:
    found: dict[str, dict[str, dict[str, object]]] = yaml.safe_load(Path(place).read_text("utf-8"))
    return found


def test_a_file_of_inputs_for_each_stage() -> None:
    assert main(["hot2cfy", "in", "-o", "out", *STAGES]) == OK
    assert data("out/app.inputs.yaml") == {"label": "shop"}
    assert data("out/app.prod.inputs.yaml") == {"label": "shop", "size": 50, "password": "s3cr3t", "zones": ["a", "b"]}
    assert data("out/app.test.inputs.yaml") == {"label": "shop", "size": 4, "zones": ["c"]}
    assert sorted(path.name for path in Path("out").glob("*inner*")) == ["inner.yaml"]


def test_defaults_reach_all_documents() -> None:
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "-q"]) == OK
    assert data("out/app.yaml")["inputs"]["size"]["default"] == 3
    assert data("out/inner.yaml")["inputs"]["flavor"]["default"] == "m1.big"
    assert main(["cfy2hot", "out", "-o", "back", "-q"]) == OK
    assert Path("back/app.yaml").read_text() == APP
    assert Path("back/inner.yaml").read_text() == INNER


def test_the_name_of_a_component_changes_with_its_defaults() -> None:
    def blueprint() -> object:
        found = convert(Path("in/app.yaml"), "hot", "cloudify", environments=("envs/common.yaml",)).document
        return found["node_templates"]["inner"]["properties"]["resource_config"]["blueprint"]["id"]

    before = blueprint()
    write("envs/common.yaml", "parameter_defaults: {size: 9}\n")
    other = blueprint()
    assert before != other
    write("envs/common.yaml", "parameter_defaults: {size: 8}\n")
    assert blueprint() == other


def test_later_files_win() -> None:
    write("envs/more.yaml", "parameters: {label: other}\nparameter_defaults: {size: 7}\n")
    assert main(["hot2cfy", "in", "-o", "out", "-e", "envs/common.yaml", "-e", "envs/more.yaml", "-q"]) == OK
    assert data("out/app.inputs.yaml") == {"label": "other"}
    assert data("out/app.yaml")["inputs"]["size"]["default"] == 7


def test_a_value_that_does_not_fit_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    write("envs/dev.yaml", "parameters: {size: 500, zones: [c]}\n")
    assert main(["hot2cfy", "in/app.yaml", "-o", "out/app.yaml", *STAGES]) == OK
    assert (
        "error BPC651 the value that stage 'test' has for 'size' does not fit: 500 is out of" in capsys.readouterr().err
    )
    assert data("out/app.test.inputs.yaml") == {"label": "shop", "zones": ["c"]}


def test_a_default_that_does_not_fit_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write("envs/common.yaml", "parameter_defaults: {size: 500}\n")
    main(["hot2cfy", "in/app.yaml", "-o", "out/app.yaml", "-e", "envs/common.yaml"])
    assert "BPC504" in capsys.readouterr().err


def test_values_without_an_input_and_types_of_a_stage(capsys: pytest.CaptureFixture[str]) -> None:
    write("envs/dev.yaml", 'parameters: {absent: 1}\nresource_registry: {"Acme::A": "OS::Heat::None"}\n')
    assert main(["hot2cfy", "in/app.yaml", "-o", "out/app.yaml", *STAGES, "-v"]) == OK
    err = capsys.readouterr().err
    assert "info BPC652 stage 'test' has a value for 'absent', which is no input here" in err
    assert "envs/dev.yaml:1:1: warning BPC653 the resource_registry of envs/dev.yaml is not used" in err


def test_secrets_of_environments_are_for_those_alone_who_may_read_them(capsys: pytest.CaptureFixture[str]) -> None:
    Path("envs/prod.env.yaml").chmod(0o600)
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "-v"]) == OK
    assert "s3cr3t" not in capsys.readouterr().err
    assert stat.S_IMODE(Path("out/app.prod.inputs.yaml").stat().st_mode) == 0o600


def test_edited_inputs_survive() -> None:
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "-q"]) == OK
    text = Path("out/app.prod.inputs.yaml").read_text()
    write("out/app.prod.inputs.yaml", text.replace("size: 50", "size: 60  # more"))
    write("envs/common.yaml", "parameter_defaults: {size: 3, flavor: m1.big}\n")
    write("in/app.yaml", APP.replace("type: OS::Cinder::Volume", "type: OS::Cinder::Volume\n    depends_on: inner"))
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "-q"]) == FAILED  # nobody knows any more what was generated
    write("envs/common.yaml", COMMON)
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "-q"]) == OK
    kept = Path("out/app.prod.inputs.yaml").read_text()
    assert "size: 60  # more\n" in kept
    assert "target: inner" in Path("out/app.yaml").read_text()
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "--check"]) == OK
    write("envs/prod.env.yaml", "parameters: {size: 51}\n")
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "--check"]) == FAILED


def test_stale_files_of_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "-q"]) == OK
    write("envs/prod.env.yaml", "parameters: {size: 51}\n")
    assert main(["hot2cfy", "in", "-o", "out", *STAGES, "--check"]) == FINDINGS
    assert "out/app.prod.inputs.yaml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--stage", "a/b=c.yaml", "--stage", "envs/no such.yaml"], "is not [NAME=]FILE"),
        (["--stage", "prod=envs/dev.yaml", "--stage", "envs/prod.env.yaml"], "two files of the stage 'prod'"),
        (["--stage", "absent.yaml"], "absent.yaml"),
        (["--stage", "broken.yaml"], "BPC772"),
        (["--stage", "envs/dev.yaml", "-o", "envs/dev.yaml"], "is a file that the command reads"),
    ],
)
def test_wrong_usage(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("broken.yaml", "parameters: [1]\n")
    place = [] if "-o" in words else ["-o", "out/app.yaml"]
    assert main(["hot2cfy", "in/app.yaml", *place, *words]) == FAILED
    assert problem in capsys.readouterr().err


def test_a_default_of_an_environment_is_reported(tmp_path: Path) -> None:
    environment = tmp_path / "env.yaml"
    environment.write_text("parameter_defaults: {size: 3, other: 1}\n")
    result = convert(APP, environments=(str(environment),))
    found = [finding for finding in result.diagnostics if finding.code == "BPC650"]
    assert [(finding.path, str(finding.severity)) for finding in found] == [(("parameters", "size"), "info")]
    assert result.document["inputs"]["size"]["default"] == 3
