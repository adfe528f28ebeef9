"""The script that uploads the blueprints of components, with the client of a manager that is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.translators.cloudify import upload_calls, uploads


class Blueprints:
    """What a manager has. ``states``: what it says about the blueprint, one after the other."""

    def __init__(self, *states: str | None, fails: bool = False) -> None:
        self.states, self.fails = list(states), fails
        self.taken: dict[str, dict[str, str]] = {}

    def list(self, id: str) -> list[dict[str, str | None]]:
        found: list[dict[str, str | None]] = [{"id": f"{id}-more", "state": "uploaded"}]
        if self.states:
            found.append({"id": id, "state": self.states.pop(0)})
        elif id in self.taken:
            found.append({"id": id, "state": "uploaded"})
        return found

    def upload(self, path: str, entity_id: str) -> None:
        folder = Path(path).parent
        files = {one.relative_to(folder).as_posix(): one.read_text() for one in folder.rglob("*") if one.is_file()}
        self.taken[entity_id] = {"": Path(path).name, **files}
        if self.fails:
            raise OSError("409: exists")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    (tmp_path / "lib" / "scripts").mkdir(parents=True)
    (tmp_path / "lib" / "db.yaml").write_text("db")
    (tmp_path / "lib" / "scripts" / "run.sh").write_text("run")
    return tmp_path


def upload(blueprints: Blueprints, bundle: Path, others: list[str] | None = None) -> bool:
    def download(name: str) -> str:
        return str(bundle / name)

    given = ["scripts/run.sh"] if others is None else others
    return upload_calls.uploaded(blueprints, download, "db-1", "lib/db.yaml", given)


def test_the_folder_of_a_nested_blueprint_is_uploaded(bundle: Path) -> None:
    blueprints = Blueprints()
    assert upload(blueprints, bundle)
    assert blueprints.taken == {"db-1": {"": "db.yaml", "db.yaml": "db", "scripts/run.sh": "run"}}


@pytest.mark.parametrize("states", [["uploaded"], [None], ["uploading", "parsing", "uploaded"]])
def test_what_the_manager_has_is_not_uploaded(
    states: list[str | None], bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_calls, "PAUSE", 0)
    blueprints = Blueprints(*states)
    assert not upload(blueprints, bundle)
    assert not blueprints.taken


def test_another_component_may_be_faster(bundle: Path) -> None:
    assert not upload(Blueprints(fails=True), bundle)


def test_a_broken_blueprint_of_that_name_is_an_error(bundle: Path) -> None:
    with pytest.raises(RuntimeError, match="failed_parsing"):
        upload(Blueprints("failed_parsing"), bundle)


def test_a_file_that_is_not_there_is_an_error(bundle: Path) -> None:
    with pytest.raises(FileNotFoundError):
        upload(Blueprints(), bundle, ["other.sh"])


OUTER = "heat_template_version: 2018-08-31\nresources: {a: {type: lib/inner.yaml}}\n"
INNER = "heat_template_version: 2018-08-31\nresources: {a: {type: %s}}\n"
LEAF = "heat_template_version: 2018-08-31\nresources: {net: {type: OS::Neutron::Net}}\n"


@pytest.mark.parametrize(
    ("innermost", "code", "files"),
    [
        ("leaf.yaml", "BPC976", ["leaf.yaml", uploads.PATH]),
        ("../leaf.yaml", "BPC765", None),  # the archive is the folder of the nested blueprint
    ],
)
def test_all_files_of_a_nested_blueprint_are_named(
    innermost: str, code: str, files: list[str] | None, tmp_path: Path
) -> None:
    for name, text in (("app.yaml", OUTER), ("lib/inner.yaml", INNER % innermost), (f"lib/{innermost}", LEAF)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    result = convert(tmp_path / "app.yaml", name="app.yaml")
    found = [one.code for one in result.diagnostics if one.code in ("BPC765", "BPC976") and one.span.file == "app.yaml"]
    assert found == [code]
    steps = result.document["node_templates"]["a"].get("interfaces", {}).get("cloudify.interfaces.lifecycle", {})
    assert steps.get("precreate", {}).get("inputs", {}).get("files") == files
    if files is not None:
        assert all(f"lib/{name}" in result.files for name in files)
