"""``--profile``: the types of OpenStack's resources in a file beside the results of a folder."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import yaml

from bpconvert.cli.main import FAILED, FINDINGS, OK, main
from bpconvert.translators.tosca.profile import NAME, text

NET = """\
heat_template_version: 2018-08-31
resources:
  net:  # the network
    type: OS::Neutron::Net
    properties:
      name: inner
"""
#: a number with a point is none of the profile's integers
NUMBER = """\
heat_template_version: 2018-08-31
resources:
  more: {type: OS::Heat::ScalingPolicy, properties: {adjustment_type: change_in_capacity, auto_scaling_group_id: x,
    scaling_adjustment: 0.5}}
"""
NESTING = "heat_template_version: 2018-08-31\nresources:\n  part: {type: deep/net.yaml}\n"
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties: {resource_config: {name: inner}}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in {"a.yaml": NET, "b.yaml": NET, "deep/net.yaml": NET, "number.yaml": NUMBER}.items():
        write(f"in/{name}", content)


def write(place: str, content: str) -> None:
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")


def made(folder: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def data(place: str) -> dict[str, object]:
    loaded: dict[str, object] = yaml.safe_load(Path(place).read_text("utf-8"))
    return loaded


def test_there_is_one_file_for_the_results_of_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2tosca", "in", "-o", "out", "--profile"]) == OK
    assert made("out") == {"a.yaml", "b.yaml", "deep/net.yaml", "number.yaml", NAME, f"deep/{NAME}"}
    for name in ("a.yaml", "b.yaml", "deep/net.yaml"):
        assert data(f"out/{name}")["imports"] == [NAME]
        assert "node_types" not in data(f"out/{name}")
    assert "imports" not in data("out/number.yaml")
    assert "openstack.heat.ScalingPolicy" in str(data("out/number.yaml")["node_types"])
    assert Path("out", NAME).read_text("utf-8") == text()
    assert main(["hot2tosca", "in", "-o", "out", "--profile", "--check"]) == OK
    capsys.readouterr()


def test_it_is_no_document_of_a_folder() -> None:
    assert main(["hot2tosca", "in", "-o", "out", "--profile", "-q"]) == OK
    assert main(["tosca2hot", "out", "-o", "back", "-q"]) == OK
    assert made("back") == made("in")
    for name in made("in"):
        assert Path("back", name).read_bytes() == Path("in", name).read_bytes()


def test_a_folder_of_types_alone_has_no_documents(capsys: pytest.CaptureFixture[str]) -> None:
    write("types/" + NAME, text())
    assert main(["tosca2hot", "types", "-o", "back"]) == FAILED
    assert "*.template; files that only define types are left out)" in capsys.readouterr().err
    assert main(["cfy2hot", "types", "-o", "back"]) == FAILED
    assert "only define types" not in capsys.readouterr().err


def test_without_the_source_it_says_the_same() -> None:
    for options in ([], ["--profile"]):
        folder = "-".join(["out", *options])
        assert main(["hot2tosca", "in", "-o", folder, "-q", "--no-carry", *options]) == OK
        assert main(["tosca2hot", folder, "-o", f"{folder}-back", "-q", "--no-carry"]) == OK
    for name in made("in"):
        assert Path("out-back", name).read_bytes() == Path("out---profile-back", name).read_bytes()


def test_edits_of_a_result_come_back() -> None:
    assert main(["hot2tosca", "in/a.yaml", "-o", "out/", "-q", "--profile"]) == OK
    write("out/a.yaml", Path("out/a.yaml").read_text("utf-8").replace("name: inner", "name: outer", 1))
    assert main(["tosca2hot", "out/a.yaml", "-o", "back/", "-q"]) == OK
    assert Path("back/a.yaml").read_text("utf-8") == NET.replace("inner", "outer")
    assert main(["hot2tosca", "in/a.yaml", "-o", "out/", "-q", "--profile"]) == OK
    assert "name: outer" in Path("out/a.yaml").read_text("utf-8").partition("metadata")[0]


def test_edits_of_the_file_are_kept_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2tosca", "in/a.yaml", "-o", "out/", "-q", "--profile"]) == OK
    edited = text().replace("openstack.neutron.Net:\n", "openstack.neutron.Net:\n    description: ours\n")
    assert edited != text()
    write(f"out/{NAME}", edited)
    assert main(["hot2tosca", "in/a.yaml", "-o", "out/", "--profile"]) == OK
    assert "edits kept in 1 result" in capsys.readouterr().err
    assert Path("out", NAME).read_text("utf-8") == edited
    assert main(["tosca2hot", "out/a.yaml", "-o", "back/", "-v"]) == OK
    assert "BPC626" in capsys.readouterr().err
    assert Path("back/a.yaml").read_text("utf-8") == NET


def test_it_is_a_leftover_where_no_result_imports_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2tosca", "in", "-o", "out", "-q", "--profile"]) == OK
    Path("in/deep/net.yaml").unlink()
    assert main(["hot2tosca", "in", "-o", "out", "--profile", "--prune"]) == OK
    assert made("out") == {"a.yaml", "b.yaml", "number.yaml", NAME}
    assert main(["hot2tosca", "in", "-o", "out", "--check"]) == FINDINGS
    assert main(["hot2tosca", "in", "-o", "out"]) == OK
    assert "BPC645" in capsys.readouterr().err
    assert main(["hot2tosca", "in", "-o", "out", "--profile"]) == OK
    assert main(["hot2tosca", "in", "-o", "out", "--prune"]) == OK
    assert made("out") == {"a.yaml", "b.yaml", "number.yaml"}


def test_a_nested_document_has_it_beside_itself() -> None:
    write("app/app.yaml", NESTING)
    write("app/deep/net.yaml", NET)
    assert main(["hot2tosca", "app/app.yaml", "-o", "out/", "-q", "--profile"]) == OK
    assert made("out") == {"app.yaml", "deep/net.yaml", f"deep/{NAME}"}
    assert main(["tosca2hot", "out/app.yaml", "-o", "back/", "-q"]) == OK
    assert Path("back/deep/net.yaml").read_text("utf-8") == NET
    assert Path("back/app.yaml").read_text("utf-8") == NESTING
    assert main(["tosca2hot", "out/deep/net.yaml", "-o", "alone/", "-q"]) == OK
    assert Path("alone/net.yaml").read_text("utf-8") == NET


def test_an_archive_has_it_inside() -> None:
    assert main(["hot2tosca", "in/a.yaml", "-o", "a.csar", "-q", "--profile"]) == OK
    with zipfile.ZipFile("a.csar") as packed:
        assert packed.read(NAME).decode() == text()
    assert main(["hot2tosca", "in/a.yaml", "-o", "a.csar", "-q", "--profile", "--check"]) == OK
    assert main(["tosca2hot", "a.csar", "-o", "back.yaml", "-q"]) == OK
    assert Path("back.yaml").read_text("utf-8") == NET


def test_blueprints_have_it_too_and_the_configuration_asks_for_it() -> None:
    write("in/cfy.yaml", BLUEPRINT)
    write(".bpconvert.toml", "[cfy2tosca]\nprofile = true\n")
    assert main(["cfy2tosca", "in/cfy.yaml", "-o", "out/", "-q"]) == OK
    assert made("out") == {"cfy.yaml", NAME}
    assert main(["tosca2cfy", "out/cfy.yaml", "-o", "back/", "-q"]) == OK
    assert Path("back/cfy.yaml").read_text("utf-8") == BLUEPRINT


def test_without_a_folder_the_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "in/a.yaml", "--to", "tosca", "--profile"]) == OK
    found = capsys.readouterr()
    assert yaml.safe_load(found.out)["imports"] == [NAME]
    assert f"written with -o only: {NAME}" in found.err


def test_a_result_of_that_name_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2tosca", "in/a.yaml", "-o", f"out/{NAME}", "--profile"]) == FAILED
    assert "has the name of the result" in capsys.readouterr().err
    assert not Path("out").exists()


def test_the_file_alone_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", "--format", "tosca"]) == OK
    assert capsys.readouterr().out == text()
    assert main(["types", "OS::Nova::Server", "--format", "tosca"]) == FAILED
    assert "--format tosca prints all built-in types" in capsys.readouterr().err
