"""Files that are not below a document's folder, but below that of an outer document that names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_pace import within

from bpconvert import surroundings
from bpconvert.api import Result, convert
from bpconvert.environments import is_environment

INNER = """\
heat_template_version: 2018-08-31
resources:
  server:
    type: OS::Nova::Server
    properties:
      {image: a, flavor: b, networks: [{network: c}], user_data_format: RAW, user_data: {get_file: ../scripts/run.sh}}
"""
OUTER = "heat_template_version: 2018-08-31\nresources: {inner: {type: lib/inner.yaml}}\n"


def result_of(folder: Path, files: dict[str, str], document: str = "lib/inner.yaml") -> Result:
    for name, text in {"scripts/run.sh": "#!/bin/sh\ntrue\n", document: INNER, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return convert(folder / document, "hot", "cloudify")


def codes(result: Result) -> list[str]:
    return [one.code for one in result.diagnostics if one.code in ("BPC253", "BPC611", "BPC201")]


@pytest.mark.parametrize("files", [
    {"app.yaml": OUTER},
    {"app.yaml": OUTER.replace("lib/", "./lib/")},
    {"env.yaml": "resource_registry:\n  My::Type: lib/inner.yaml\n"},
    {"envs/prod.env": "resource_registry:\n  My::Type: '../lib/inner.yaml'\n"},
    {"app.yaml": 'resources: {inner: {type: "file:lib/../lib/inner.yaml"}}\n'.replace("file:", "")},
])  # fmt: skip
def test_a_file_below_the_folder_of_what_names_the_document_is_read(tmp_path: Path, files: dict[str, str]) -> None:
    result = result_of(tmp_path, files)
    assert codes(result) == ["BPC253"]
    assert "#!/bin/sh" in result.text
    [found] = [one for one in result.diagnostics if one.code == "BPC253"]
    assert next(iter(files)) in found.message


@pytest.mark.parametrize("files", [
    {},
    {"app.yaml": OUTER.replace("lib/", "other/")},
    {"app.yaml": OUTER.replace("inner.yaml", "my-inner.yaml")},
    {"app.yaml": OUTER.replace("inner.yaml", "inner.yaml.old")},
    {"readme.txt": "lib/inner.yaml"},
    {"lib/app.yaml": OUTER.replace("lib/", "")},
    {"lib/envs/prod.env": "resource_registry:\n  My::Type: ../inner.yaml\n"},
])  # fmt: skip
def test_nothing_else_is_read(tmp_path: Path, files: dict[str, str]) -> None:
    assert codes(result_of(tmp_path, files)) == ["BPC201", "BPC611"]


def test_a_file_above_what_names_the_document_is_not_read(tmp_path: Path) -> None:
    result = result_of(tmp_path, {"app/app.yaml": OUTER}, "app/lib/inner.yaml")
    assert "BPC253" not in codes(result)
    (tmp_path / "app" / "lib" / "inner.yaml").write_text(INNER.replace("../scripts", "../../scripts"))
    again = convert(tmp_path / "app" / "lib" / "inner.yaml", "hot", "cloudify")
    assert codes(again) == ["BPC201", "BPC611"]


def test_the_files_below_each_folder_are_named_together(tmp_path: Path) -> None:
    """The nearest document that names this one counts for what is below its folder."""
    names = ("../b.sh", "../a.sh", "../../c.sh")
    outputs = "".join(f"  o{number}: {{value: {{get_file: {name}}}}}\n" for number, name in enumerate(names))
    files = dict.fromkeys(("app/a.sh", "app/b.sh", "c.sh"), "#!/bin/sh\n")
    inner = f"heat_template_version: 2018-08-31\noutputs:\n{outputs}"
    outer = {"app/app.yaml": OUTER, "top.yaml": OUTER.replace("lib/", "app/lib/"), "app/lib/inner.yaml": inner}
    result = result_of(tmp_path, {**files, **outer}, "app/lib/inner.yaml")
    messages = [one.message for one in result.diagnostics if one.code == "BPC253"]
    assert ["../a.sh, ../b.sh" in messages[0], "../../c.sh" in messages[1]] == [True, True]
    assert ["app/app.yaml" in messages[0], "top.yaml" in messages[1], len(messages)] == [True, True, 2]


def test_a_link_leads_nowhere_else(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("what nobody may know")
    folder = tmp_path / "work"
    result_of(folder, {"app.yaml": OUTER})
    (folder / "scripts" / "run.sh").unlink()
    (folder / "scripts" / "run.sh").symlink_to(secret)
    result = convert(folder / "lib" / "inner.yaml", "hot", "cloudify")
    assert codes(result) == ["BPC201", "BPC611"]
    assert "nobody may know" not in result.text


def test_what_names_the_document_is_no_link(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "app.yaml").write_text(OUTER)
    (folder / "app.yaml").symlink_to(tmp_path / "app.yaml")
    assert codes(result_of(folder, {})) == ["BPC201", "BPC611"]


def test_the_files_around_are_looked_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many files are named, and no more of those around than the limit."""
    looked: list[Path] = []
    names = surroundings._names
    monkeypatch.setattr(surroundings, "_names", lambda file, document: looked.append(file) or names(file, document))
    monkeypatch.setattr(surroundings, "_ALL", 5)
    more = "outputs: {o: {value: [{get_file: ../scripts/a.sh}, {get_file: ../scripts/b.sh}]}}\n"
    files = {"lib/inner.yaml": INNER + more, **{f"{number}.yaml": OUTER.replace("lib/", "x/") for number in range(9)}}
    assert "BPC253" not in codes(result_of(tmp_path, files))
    assert len(looked) == 5


def test_whether_a_file_is_an_environment_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each document of a folder asks for the same files."""
    file = tmp_path / "env.yaml"
    file.write_text("resource_registry:\n  A: b.yaml\n")
    read: list[Path] = []
    real = Path.read_bytes

    def counted(path: Path) -> bytes:
        read.append(path)
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", counted)
    assert [is_environment(file, ["resource_registry"]) for _ in range(3)] == [True] * 3
    assert read == [file]
    file.write_text("resources: {}\n")
    assert not is_environment(file, ["resource_registry"])
    file.unlink()
    file.symlink_to(tmp_path)
    assert not is_environment(file, ["resource_registry"])


def test_a_name_that_occurs_often_in_one_word_is_read_once(tmp_path: Path) -> None:
    """A path of which each folder is called like the document: the last one is meant, and each character read once."""
    files = {"outer.yaml": f"x: {'inner.yaml/' * 80_000}\ny: lib/inner.yaml\n"}
    with within(4):
        assert codes(result_of(tmp_path, files)) == ["BPC253"]
