"""What programs get of a conversion besides its text: files, what was read, and why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import Fidelity, Options, Result, SourceError, UsageError, convert
from bpconvert.api import dialect_of, opened, packed, read, trace

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters: {size: {type: number}}
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}
"""
NAMES = ("app.yaml", "env.yaml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One with a template and an environment."""
    for name, text in zip(NAMES, (TEMPLATE, "parameters: {size: 3}\n"), strict=True):
        (tmp_path / name).write_text(text)
    return tmp_path


# -- values to give and files that were read ----------------------------------------------------------------


def test_the_values_to_give_are_a_file(folder: Path) -> None:
    made = convert(folder / "app.yaml", environments=[str(folder / "env.yaml")])
    assert (made.inputs, made.files) == ({"": "app.inputs.yaml"}, {"app.inputs.yaml": "size: 3\n"})
    assert made.read == {folder / name for name in NAMES}


def test_the_values_of_a_stage_are_a_file_of_their_own(folder: Path) -> None:
    made = convert(folder / "app.yaml", stages=(("prod", str(folder / "env.yaml")),))
    assert (made.inputs, made.files) == ({"prod": "app.prod.inputs.yaml"}, {"app.prod.inputs.yaml": "size: 3\n"})
    assert made.read == {folder / name for name in NAMES}


def test_a_text_is_no_file() -> None:
    made = convert(TEMPLATE)
    assert (made.inputs, made.files, made.nested, made.origins, made.read) == ({}, {}, {}, {}, set())
    assert made.document["inputs"] == {"size": {"type": "float"}}


def test_what_is_chosen_by_the_path_is_for_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    chosen = ((str(folder), "*", str(folder / "env.yaml")),)
    assert [convert(source, by_path=chosen).files for source in (folder / "app.yaml", TEMPLATE)] == [
        {"app.inputs.yaml": "size: 3\n"}, {},
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["", "lib/"])
@pytest.mark.parametrize(("choice", "is_copied"), [("inline", False), ("copy", True)])
def test_files_of_the_document_are_in_the_bundle_as_one_says(choice: str, is_copied: bool, path: str) -> None:
    data = f"{{type: OS::Nova::Server, properties: {{image: i, flavor: f, user_data: {{get_file: {path}init.sh}}}}}}"
    text = f"heat_template_version: 2018-08-31\nresources:\n  server: {data}\n"
    made = convert(text, beside={f"{path}init.sh": "#!/bin/sh\n"}, files=choice)
    assert (made.files.get(f"{path}init.sh") == "#!/bin/sh\n") is is_copied


@pytest.mark.parametrize("beside", [None, {"init.sh": "echo a\n"}])
def test_a_trace_reads_files_beside_the_document(beside: dict[str, str] | None) -> None:
    text = "heat_template_version: 2018-08-31\nresources:\n  held: {type: OS::Heat::Value, properties: {value: %s}}\n"
    written = trace(text % "{get_file: init.sh}", "held", target="tosca", beside=beside)[-1]
    assert ("echo a" in str(written)) is (beside is not None)


def test_a_result_is_as_faithful_as_its_least_faithful_part() -> None:
    server = "  server: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\n"
    made = convert(f"{TEMPLATE}{server}  other: {{type: OS::Sahara::Cluster}}\n")
    assert len({one.fidelity for one in made.diagnostics}) > 1
    assert made.fidelity == "carried"
    assert Result("", []).fidelity is Fidelity.EXACT


def test_an_archive_that_was_read_is_never_replaced(tmp_path: Path) -> None:
    place = tmp_path / "app.csar"
    place.write_bytes(packed(convert(TEMPLATE, target="tosca"), "app.yaml"))
    made = convert(place, target="hot")
    assert made.read == {place}
    with pytest.raises(UsageError, match="there already"):
        made.write(place, force=True)


def test_the_trace_of_a_document_has_its_name_and_the_places_of_its_entries() -> None:
    (trace,) = convert(TEMPLATE, name="stacks/app.yaml").traces
    assert (trace.source, trace.text, trace.target) == ("stacks/app.yaml", TEMPLATE, "")
    assert dict(trace.moves)["parameters", "size"] == ("inputs", "size")
    assert trace.made["resources", "disk"] == [("node_templates", "disk")]


def test_what_goes_back_to_its_origin_has_no_places_of_its_own() -> None:
    back = convert(convert(TEMPLATE).text, target="hot")
    assert (back.text, back.target) == (TEMPLATE, "hot")
    assert back.origins == {"": TEMPLATE}
    assert [(*trace.moves, *trace.made) for trace in back.traces] == [()]


# -- writing --------------------------------------------------------------------------------------------------


def result(files: dict[str, str]) -> Result:
    return Result("text\n", [], files)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"out.yaml": "x"}, "its file out.yaml has the name of the result"),
        ({"../other": "x"}, "other is outside of"),
    ],
)
def test_what_cannot_be_written_is_told_and_nothing_is_written(
    tmp_path: Path, files: dict[str, str], problem: str
) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    with pytest.raises(UsageError, match=problem):
        result(files).write(folder / "out.yaml", force=True)
    assert [*tmp_path.rglob("*")] == [folder]


def test_files_with_the_same_contents_are_no_obstacle(tmp_path: Path) -> None:
    made = result({"a/b": "x"})
    places = made.write(tmp_path / "out.yaml")
    assert places == [tmp_path / "out.yaml", tmp_path / "a/b"] == made.write(str(tmp_path / "out.yaml"))
    assert [place.read_text() for place in places] == ["text\n", "x"]


# -- what cannot be converted ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "problem"),
    [
        ({"orchestrator": "opera"}, "orchestrator: 'opera' deploys no Cloudify DSL blueprints"),
        ({"source": "cfy"}, "unknown dialect; known: hot, cloudify, tosca"),
        ({"source": "hot", "target": "hot"}, "hot to hot: there is nothing to convert"),
    ],
)
def test_what_is_asked_for_must_fit(choices: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        convert(TEMPLATE, **choices)
    assert problem in str(caught.value)


def test_a_target_has_its_orchestrators() -> None:
    assert convert(TEMPLATE, target="tosca", orchestrator="opera").text
    with pytest.raises(UsageError, match="'tacker' deploys no TOSCA service templates"):
        convert(TEMPLATE, target="tosca", orchestrator="tacker")


@pytest.mark.parametrize(
    ("source", "target", "problem"),
    [
        (None, "hot", r"already \(OpenStack Heat HOT\)"),
        ("tosca", "cloudify", "not a TOSCA service template: it is a Heat template"),
        ("cloudify", "tosca", "not a Cloudify blueprint: it is a Heat template"),
    ],
)
def test_a_document_of_another_language_is_refused(source: str | None, target: str, problem: str) -> None:
    with pytest.raises(SourceError, match=problem):
        convert(TEMPLATE, source, target)


def test_the_language_of_a_document_is_known_without_a_conversion(folder: Path) -> None:
    assert dialect_of(read(folder / "app.yaml")) == "hot"
    assert [dialect_of(read(convert(TEMPLATE, target=target).text)) for target in ("cloudify", "tosca")] == [
        "cloudify", "tosca",
    ]  # fmt: skip
    with pytest.raises(SourceError, match="neither a Heat template nor"):
        dialect_of(read("a: 1\n"))


# -- documents and archives ---------------------------------------------------------------------------------


def test_a_document_is_called_as_its_file_or_as_one_says(folder: Path) -> None:
    path = folder / "app.yaml"
    assert read(path).name == read(str(path)).name == str(path)
    assert read(path, "mine").name == read(TEMPLATE, "mine").name == "mine"
    assert read(TEMPLATE).name == "<input>"


@pytest.mark.parametrize(("name", "label"), [(None, "<input>/a.yaml"), ("in/x.csar", "in/x.csar/a.yaml")])
def test_an_archive_is_known_by_its_contents(name: str | None, label: str) -> None:
    data = packed(convert(TEMPLATE, target="tosca"), "a.yaml")
    assert read(data, name).name == label
    document = opened(data, name)
    assert document.folder == (None if name is None else Path("in"))
    assert document.names(Options(types=("t",))) == ([] if name is None else ["in/x.csar"]) + ["t"]


def test_only_service_templates_are_in_archives() -> None:
    with pytest.raises(UsageError, match="there are no archives of Cloudify DSL documents"):
        packed(convert(TEMPLATE), "a.yaml")
