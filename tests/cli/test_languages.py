"""The command line with three languages: the command that recognises its sources, folders of several languages,
archives."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bpconvert.cli.main import FAILED, OK, main

DOCUMENTS = {
    "hot.yaml": "heat_template_version: 2021-04-16\nresources:\n"
    "  k: {type: OS::Nova::KeyPair, properties: {name: x}}\n",
    "sub/cfy.yaml": "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
    "node_templates:\n  a: {type: cloudify.nodes.Root}\n",
    "tosca.yaml": "'tosca_definitions_version': \"tosca_simple_yaml_1_3\"  # the version\n"
    "topology_template:\n  node_templates:\n    k: {type: openstack.nova.KeyPair, properties: {name: x}}\n",
    "alien.yml": "tosca_definitions_version: alien_dsl_2_0_0\n",
    "other.yaml": "a: 1\n",
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in DOCUMENTS.items():
        place = Path("in", name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def made(folder: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def archive(place: str, files: dict[str, str]) -> None:
    with zipfile.ZipFile(place, "w") as out:
        for name, text in files.items():
            out.writestr(name, text)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (["hot2cfy"], {"hot.yaml"}),
        (["cfy2hot"], {"sub/cfy.yaml"}),
        (["tosca2hot"], {"tosca.yaml", "alien.yml"}),
        (["convert", "--to", "hot"], {"sub/cfy.yaml", "tosca.yaml", "alien.yml"}),
        (["convert", "--to", "tosca"], {"hot.yaml", "sub/cfy.yaml"}),
    ],
)
def test_of_a_mixed_folder_each_command_takes_its_own(command: list[str], files: set[str]) -> None:
    assert main([*command, "in", "-o", "out", "-q"]) == OK
    assert made("out") == files


def test_a_folder_without_documents_of_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in/hot.yaml").unlink()
    assert main(["hot2cfy", "in", "-o", "out"]) == FAILED
    assert "no templates in in (looked for 'heat_template_version'" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "to"), [("hot.yaml", "tosca"), ("sub/cfy.yaml", "hot"), ("tosca.yaml", "cloudify")])
def test_the_language_of_a_file_is_recognised(name: str, to: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", f"in/{name}", "--to", to, "-q"]) == OK
    assert capsys.readouterr().out


def test_a_document_of_the_language_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "in/hot.yaml", "--to", "hot"]) == FAILED
    assert "BPC132" in capsys.readouterr().err


def test_the_language_to_write_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "in/hot.yaml"]) == FAILED
    assert "--to" in capsys.readouterr().err


def test_an_archive_is_written_and_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2tosca", "in/hot.yaml", "-o", "app.csar", "-q"]) == OK
    assert zipfile.ZipFile("app.csar").namelist() == ["TOSCA-Metadata/TOSCA.meta", "app.yaml"]
    assert main(["tosca2hot", "app.csar"]) == OK
    assert capsys.readouterr().out == DOCUMENTS["hot.yaml"]
    assert main(["check", "app.csar", "-q"]) == OK
    assert main(["verify", "app.csar", "in/hot.yaml", "-q"]) == OK
    assert main(["roundtrip", "app.csar", "--via", "hot", "-q"]) == OK


def test_an_archive_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    main(["hot2tosca", "in/hot.yaml", "-o", "app.csar", "-q"])
    stream = io.TextIOWrapper(io.BytesIO(Path("app.csar").read_bytes()))
    monkeypatch.setattr("sys.stdin", stream)
    assert main(["tosca2hot", "-"]) == OK
    assert capsys.readouterr().out == DOCUMENTS["hot.yaml"]


def test_only_languages_with_archives_write_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tosca2hot", "in/tosca.yaml", "-o", "app.csar"]) == FAILED
    assert "there are no archives of OpenStack Heat HOT templates" in capsys.readouterr().err
    assert not Path("app.csar").exists()


def test_archives_in_folders() -> None:
    archive("in/good.csar", {"main.yaml": DOCUMENTS["tosca.yaml"]})
    archive("in/good.zip", {"main.yaml": DOCUMENTS["tosca.yaml"]})
    archive("in/plugin.zip", {"plugin.py": ""})
    assert main(["tosca2hot", "in", "-o", "out", "-q"]) == OK
    assert made("out") == {"tosca.yaml", "alien.yml", "good.csar.yaml", "good.zip.yaml"}
    assert main(["hot2cfy", "in", "-o", "other", "-q"]) == OK
    assert made("other") == {"hot.yaml"}


def test_a_broken_archive_fails_alone(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in/broken.csar").write_text("no archive")
    assert main(["tosca2hot", "in", "-o", "out", "-q", "--report", "report.json"]) == FAILED
    assert "BPC855" in capsys.readouterr().err
    report: dict[str, Any] = json.loads(Path("report.json").read_text())
    failed = [one["source"] for one in report["files"] if one["error"]]
    assert failed == [str(Path("in/broken.csar"))]
    assert made("out") == {"tosca.yaml", "alien.yml"}


@pytest.mark.parametrize(("via", "count"), [("tosca", 2), ("hot", 3), ("cloudify", 3)])
def test_there_and_back_through_any_language(via: str, count: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roundtrip", "in", "--via", via]) == OK
    assert capsys.readouterr().out.count("identical") == count
