"""``--map URL=DIR`` on the command line and in a configuration. The library's side is in
``tests/conversion/test_urls_from_checkouts.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert.cli.main import FAILED, OK, main

URL = "https://templates.example.com/common"
OUTER = f"heat_template_version: 2018-08-31\nresources:\n  lan: {{type: {URL}/lan.yaml}}\n"
LAN = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net}\n"
MAP = ["--map", f"{URL}=../common"]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common/lan.yaml").write_text(LAN)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/app.yaml").write_text(OUTER)
    monkeypatch.chdir(tmp_path / "work")


def test_a_bundle_has_the_file_and_the_way_back_the_url() -> None:
    assert main(["hot2cfy", "app.yaml", "-o", "made/app.yaml", *MAP]) == OK
    assert Path("made/templates.example.com/common/lan.yaml").is_file()
    assert main(["hot2cfy", "app.yaml", "-o", "made/app.yaml", *MAP, "--check"]) == OK
    assert main(["verify", "app.yaml", "made/app.yaml", *MAP]) == OK
    assert main(["cfy2hot", "made/app.yaml", "-o", "back/app.yaml"]) == OK
    assert Path("back/app.yaml").read_text() == OUTER
    assert Path("back/templates.example.com/common/lan.yaml").read_text() == LAN


def test_an_edit_of_a_result_is_kept_when_it_is_converted_again() -> None:
    assert main(["hot2cfy", "app.yaml", "-o", "made/app.yaml", *MAP]) == OK
    place = Path("made/templates.example.com/common/lan.yaml")
    mine = "node_templates:\n  mine: {type: cloudify.nodes.Root}\n"
    place.write_text(place.read_text().replace("node_templates:\n", mine, 1))
    Path("app.yaml").write_text(OUTER + "  other: {type: OS::Neutron::Net}\n")
    assert main(["hot2cfy", "app.yaml", "-o", "made/app.yaml", *MAP]) == OK
    assert "other:" in Path("made/app.yaml").read_text()
    assert "mine:" in place.read_text()


def test_the_other_commands_have_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roundtrip", "app.yaml", *MAP]) == OK
    assert "app.yaml: identical" in capsys.readouterr().out
    assert main(["graph", "app.yaml", *MAP]) == OK
    assert "net" in capsys.readouterr().out
    Path("../common/lan.yaml").unlink()
    assert main(["check", "app.yaml", *MAP]) == OK
    assert f"{URL}/lan.yaml (../common/lan.yaml)" in capsys.readouterr().out


def test_a_finding_of_a_file_in_the_checkout_has_its_path(capsys: pytest.CaptureFixture[str]) -> None:
    Path("../common/lan.yaml").write_text(LAN + "  odd: {type: My::Own}\n")
    assert main(["hot2cfy", "app.yaml", "-o", "made/app.yaml", "--format", "concise", *MAP]) == OK
    assert "../common/lan.yaml:4:" in capsys.readouterr().err
    text = LAN + "  odd: {type: My::Own}  # bpconvert: ignore[BPC300]\n"
    Path("../common/lan.yaml").write_text(text)
    assert main(["hot2cfy", "app.yaml", "-o", "made/app.yaml", "--format", "concise", "--force", *MAP]) == OK
    printed = capsys.readouterr().err
    assert "BPC300" not in printed
    assert "BPC630" not in printed


def test_the_configuration_has_it_relative_to_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".bpconvert.toml").write_text(f'map = ["{URL}=common"]\n')
    Path("deeper").mkdir()
    monkeypatch.chdir(tmp_path / "work/deeper")
    assert main(["hot2cfy", "../app.yaml", "-o", "made/app.yaml"]) == OK
    assert Path("made/templates.example.com/common/lan.yaml").is_file()


def test_a_configuration_maps_to_its_own_folder_only(capsys: pytest.CaptureFixture[str]) -> None:
    Path("link").symlink_to("../common")
    for folder in ("../common", "link", Path("../common").resolve()):
        Path(".bpconvert.toml").write_text(f'map = ["{URL}={folder}"]\n')
        assert main(["hot2cfy", "app.yaml", "-o", "made/app.yaml"]) == FAILED
        assert "'map' names a directory outside of the folder of this file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (URL, f"argument --map: '{URL}' is not URL=DIR"),
        (f"{URL}=nowhere", "argument --map: no directory 'nowhere'"),
        ("common=../common", "argument --map: 'common' is no URL (https://host/folder)"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], given: str, problem: str) -> None:
    assert main(["hot2cfy", "app.yaml", "--map", given]) == FAILED
    assert problem in capsys.readouterr().err
