"""Environments of a directory: the nearest one says what types stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from text_files import write

from bpconvert import convert_tree
from bpconvert.cli.main import FAILED, OK, main

APP = """\
heat_template_version: 2018-08-31
resources:
  lan:
    type: Acme::Net
    properties: {name: lan}
"""
NET = """\
heat_template_version: 2018-08-31
parameters: {name: {type: string}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
"""
MAPS = "resource_registry: {Acme::Net: %s}\nparameters: {name: other}\nparameter_defaults: {name: other}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("in/app.yaml", APP)
    write("in/lib/net.yaml", NET)
    write("in/envs/site.yaml", MAPS % "../lib/net.yaml")


def type_of(place: str, section: str = "") -> str:
    data = yaml.safe_load(Path(place).read_text("utf-8"))
    return str((data[section] if section else data)["node_templates"]["lan"]["type"])


def run(*arguments: str) -> int:
    return main(["hot2cfy", "in", "-o", "out", "--isolated", *arguments])


def test_the_type_is_what_the_environment_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-v") == OK
    told = "info BPC216 'Acme::Net' is 'in/lib/net.yaml', by the environment in/envs/site.yaml"
    assert told in capsys.readouterr().err
    assert type_of("out/app.yaml") == "cloudify.nodes.ServiceComponent"
    assert not Path("out/app.inputs.yaml").exists()  # parameters are those of one deployment
    assert "other" not in Path("out/lib/net.yaml").read_text("utf-8")


def test_a_service_template_has_it_as_well() -> None:
    assert main(["hot2tosca", "in", "-o", "out"]) == OK
    assert "net" in type_of("out/app.yaml", "topology_template")


def test_nothing_is_taken_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-v", "--no-environments") == OK
    assert "BPC300 Acme::Net has no counterpart" in capsys.readouterr().err


def test_what_is_named_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    write("port.yaml", "resource_registry: {Acme::Net: OS::Neutron::Net}\n")
    assert run("-v", "-e", "port.yaml") == OK
    assert "BPC771 'Acme::Net' is 'OS::Neutron::Net', by the environment" in capsys.readouterr().err
    assert type_of("out/app.yaml") == "cloudify.nodes.openstack.Network"


def test_the_nearest_one_counts() -> None:
    write("in/site.yaml", "resource_registry: {Acme::Net: OS::Neutron::Net}\n")
    write("in/deep/below/app.yaml", APP)
    assert run() == OK
    assert type_of("out/app.yaml") == "cloudify.nodes.openstack.Network"
    assert type_of("out/deep/below/app.yaml") == "cloudify.nodes.openstack.Network"


def test_two_that_are_equally_near_and_differ(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/more/lab.yaml", "# for the lab\nresource_registry:\n  Acme::Net: OS::Neutron::Net\n")
    assert run("-v") == OK
    told = capsys.readouterr().err
    assert "warning BPC217 'Acme::Net' is not the same in in/envs/site.yaml:1 and in/more/lab.yaml:3" in told
    assert "--environments GLOB=FILE" in told
    assert type_of("out/app.yaml") == "bpconvert.nodes.HeatResource"


def test_two_that_say_the_same() -> None:
    write("in/more/lab.yaml", MAPS % "../lib/net.yaml")
    assert run() == OK
    assert type_of("out/app.yaml") == "cloudify.nodes.ServiceComponent"


@pytest.mark.parametrize("way", ["option", "configuration"])
def test_one_is_chosen_by_the_path(way: str) -> None:
    write("in/more/lab.yaml", "resource_registry: {Acme::Net: OS::Neutron::Net}\nparameters: {nobody: 1}\n")
    write("in/b/app.yaml", APP)
    if way == "option":
        assert run("--environments", "/in/app.yaml=in/more/lab.yaml", "--environments", "in/b/=in/envs/site.yaml") == OK
    else:
        write("in/.bpconvert.toml", 'environments = ["/app.yaml=more/lab.yaml"]\n')
        assert main(["hot2cfy", "in", "-o", "out"]) == OK
    assert type_of("out/app.yaml") == "cloudify.nodes.openstack.Network"
    assert type_of("out/b/app.yaml") == "bpconvert.nodes.HeatResource"


def test_a_configuration_names_files_below_its_folder_only(capsys: pytest.CaptureFixture[str]) -> None:
    write("outer.yaml", MAPS % "in/lib/net.yaml")
    write("in/.bpconvert.toml", 'environments = ["app.yaml=../outer.yaml"]\n')
    assert main(["hot2cfy", "in", "-o", "out"]) != OK
    assert "outside of the folder of this file" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["app.yaml", "=site.yaml", "app.yaml="])
def test_what_is_no_choice(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--environments", wrong) == FAILED
    assert "is not GLOB=FILE" in capsys.readouterr().err


def test_nothing_outside_of_the_directory_is_taken() -> None:
    write("net.yaml", NET)
    write("in/envs/site.yaml", MAPS % "../../net.yaml")
    assert run() == OK
    assert type_of("out/app.yaml") == "bpconvert.nodes.HeatResource"
    Path("in/lib/link.yaml").symlink_to(Path("net.yaml").resolve())
    write("in/envs/site.yaml", MAPS % "../lib/link.yaml")
    assert run() == OK
    assert type_of("out/app.yaml") == "bpconvert.nodes.HeatResource"


@pytest.mark.parametrize(
    "text",
    [
        "resource_registry: {Acme::Net: ../lib/gone.yaml}",
        "resource_registry: {OS::Neutron::Net: ../lib/net.yaml}",
        "resource_registry: [Acme::Net]",
        "resource_registry: {Acme::Net: {{ file }}}",
        "resource_registry: {Acme::Net: *no}",
        "parameters: {name: x}",
    ],
)
def test_what_says_nothing(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("in/envs/site.yaml", f"{text}\n")
    assert run("-v") == OK
    assert "BPC216" not in capsys.readouterr().err


def test_a_template_can_use_what_it_replaces() -> None:
    write("in/lib/net.yaml", f"{NET}  inner: {{type: Acme::Net}}\n")
    assert run() == OK
    assert type_of("out/app.yaml") == "cloudify.nodes.ServiceComponent"
    assert "Acme::Net" in Path("out/lib/net.yaml").read_text("utf-8")


@pytest.mark.parametrize("command", ["hot2cfy", "hot2tosca"])
def test_a_single_document_is_told_of_the_environment(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "in/app.yaml", "-o", "out.yaml", "-v"]) == OK
    assert "hint: Give -e in/envs/site.yaml, which says what" in capsys.readouterr().err
    assert main([command, "in/app.yaml", "-o", "out.yaml", "-v", "--no-environments", "--force"]) == OK
    assert "site.yaml" not in capsys.readouterr().err


OWN = """\
heat_template_version: 2018-08-31
resources:
  lan: {type: OS::Neutron::%s, properties: {name: lan}}
"""


@pytest.mark.parametrize("name", ["LanOfOurs", "Nett"])  # one that is like no other, one that is
def test_a_type_in_a_namespace_of_heat_that_an_environment_has(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("in/envs/site.yaml", f"resource_registry: {{'OS::Neutron::{name}': ../lib/net.yaml}}\n")
    write("in/app.yaml", OWN % name)
    hint = "hint: Give -e in/envs/site.yaml, which says what"
    assert main(["check", "in/app.yaml"]) != OK
    output = capsys.readouterr()
    assert f"error BPC175 there is no resource type 'OS::Neutron::{name}'\n" in output.out + output.err
    assert hint in output.out + output.err
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml", "-v"]) == OK
    printed = capsys.readouterr().err
    assert f"BPC300 OS::Neutron::{name} has no counterpart" in printed
    assert hint in printed
    assert "BPC175" not in printed


@pytest.mark.parametrize("command", ["check", "hot2cfy"])
def test_the_environment_with_the_name_of_the_document_is_named(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a-site", "app"):
        write(f"in/{name}.env", "resource_registry: {Acme::Net: lib/net.yaml}\n")
    main([command, "in/app.yaml", *(["-o", "out.yaml", "-v"] if command != "check" else [])])
    output = capsys.readouterr()
    assert "hint: Give -e in/app.env, which says what" in output.out + output.err


def test_a_misspelt_type_without_an_environment(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/app.yaml", OWN % "Nett")
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml", "-v"]) == OK
    assert "BPC175 there is no resource type 'OS::Neutron::Nett'; did you mean" in capsys.readouterr().err


def test_a_second_run_and_the_way_back() -> None:
    assert run() == OK
    first = Path("out/app.yaml").read_bytes()
    assert run("--check") == OK
    Path("out/app.yaml").write_bytes(first.replace(b"install:", b"# mine\n    install:"))
    write("in/app.yaml", f"{APP}  more: {{type: OS::Neutron::Net}}\n")
    assert run() == OK
    assert b"more:" in Path("out/app.yaml").read_bytes()
    assert main(["cfy2hot", "out", "-o", "back"]) == OK
    assert Path("back/app.yaml").read_bytes() == Path("in/app.yaml").read_bytes()
    assert Path("back/lib/net.yaml").read_bytes() == Path("in/lib/net.yaml").read_bytes()


def test_the_library() -> None:
    found = {file.source: file for file in convert_tree("in", "out").files}
    assert "BPC216" in [one.code for one in found["in/app.yaml"].diagnostics]
    found = {file.source: file for file in convert_tree("in", "other", find_environments=False).files}
    assert "BPC300" in [one.code for one in found["in/app.yaml"].diagnostics]
