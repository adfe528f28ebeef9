"""Nested documents: each is converted once, in both directions, and comes back as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from checkout import CORPUS

from bpconvert import convert
from bpconvert.api import Result
from bpconvert.cli.main import main
from bpconvert.roundtrips import roundtrip
from bpconvert.yamlio.document import load

APP = """\
# An application.
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 5}
resources:
  first:   # the first one
    type: lib/db.yaml
    properties: {size: {get_param: size}, name: 5, tags: "a,b"}
  second:
    type: OS::Heat::Stack
    properties: {template: {get_file: lib/db.yaml}, parameters: {size: 7}}
  third: {type: other.template}
outputs:
  label: {value: {get_attr: [first, label]}}
"""
DATABASE = """\
heat_template_version: 2018-08-31
description: Database.
parameters:
  size: {type: number}
  name: {type: string, default: db}
  tags: {type: comma_delimited_list, default: []}
resources:
  disk: {type: disk.yaml, properties: {size: {get_param: size}}}
outputs:
  label: {value: {get_param: name}}   # what it is called
"""
DISK = """\
heat_template_version: 2018-08-31
parameters: {size: {type: number}}
resources: {volume: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}}
outputs: {size: {value: {get_param: size}}}
"""
OTHER = """\
heat_template_version: 2018-08-31
resources: {disk: {type: lib/disk.yaml, properties: {size: 1}}}
"""
SOURCES = {"app.yaml": APP, "lib/db.yaml": DATABASE, "lib/disk.yaml": DISK, "other.template": OTHER}

#: what uploads the nested blueprints, beside those that have components
SCRIPTS = {"scripts/bpconvert_blueprint.py", "lib/scripts/bpconvert_blueprint.py"}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "source", SOURCES)


@pytest.fixture
def made(source: Path, tmp_path: Path) -> Path:
    """The blueprints."""
    assert main(["hot2cfy", str(source / "app.yaml"), "-q", "-o", str(tmp_path / "made" / "app.yaml")]) == 0
    return tmp_path / "made"


def back(made: Path, folder: Path) -> dict[str, str]:
    assert main(["cfy2hot", str(made / "app.yaml"), "-q", "-o", str(folder / "app.yaml")]) == 0
    return contents(folder)


def edit(path: Path, old: str, new: str) -> None:
    before, found, after = path.read_text().partition(old)
    assert found
    path.write_text(before + new + after)


def codes(result: Result, file: str | None = None) -> set[str]:
    return {found.code for found in result.diagnostics if file is None or found.span.file.endswith(file)}


def blueprints(result: Result) -> dict[str, Any]:
    """Node -> the blueprint that it is a deployment of."""
    nodes = {name: node.get("properties", {}) for name, node in result.document["node_templates"].items()}
    return {
        name: node["resource_config"]["blueprint"] for name, node in nodes.items() if "blueprint" in str(node)
    }


# -- converting ---------------------------------------------------------------------------------------------


def test_each_file_is_converted_once(source: Path) -> None:
    result = convert(source / "app.yaml")
    assert (
        result.nested
        == {name: name for name in SOURCES if name != "app.yaml"}
        == {name: name for name in result.files if name not in SCRIPTS}
    )
    assert {name for name in result.files if name in SCRIPTS} == SCRIPTS
    used = blueprints(result)
    assert used["first"] == used["second"]
    assert [used[name]["main_file_name"] for name in used] == ["lib/db.yaml", "lib/db.yaml", "other.template"]
    inner = load(result.files["lib/db.yaml"]).data["node_templates"]["disk"]["properties"]["resource_config"]
    other = load(result.files["other.template"]).data["node_templates"]["disk"]["properties"]["resource_config"]
    assert inner["blueprint"]["main_file_name"] == "disk.yaml"
    assert other["blueprint"]["main_file_name"] == "lib/disk.yaml"
    assert inner["blueprint"]["id"] == other["blueprint"]["id"]


def test_findings_about_a_nested_file_name_it(source: Path) -> None:
    result = convert(source / "app.yaml", name="app.yaml")
    assert {found.span.file for found in result.diagnostics} == {"app.yaml", "lib/db.yaml", "other.template"}
    assert "BPC976" in codes(result, "lib/db.yaml")


def test_the_name_of_a_blueprint_changes_with_all_that_it_is_made_of(source: Path) -> None:
    before = blueprints(convert(source / "app.yaml"))
    edit(source / "lib" / "disk.yaml", "size: {get_param: size}", "size: 4")
    after = blueprints(convert(source / "app.yaml"))
    assert all(before[name]["id"] != after[name]["id"] for name in before)


def test_the_name_of_a_blueprint_changes_with_the_files_that_it_reads(tmp_path: Path) -> None:
    inner = (
        "heat_template_version: 2018-08-31\n"
        "resources: {vm: {type: OS::Nova::Server, properties: {image: a, flavor: b, user_data: {get_file: boot.sh}}}}\n"
    )
    outer = "heat_template_version: 2018-08-31\nresources: {a: {type: lib/inner.yaml}}\n"
    folder = write(tmp_path, {"app.yaml": outer, "lib/inner.yaml": inner, "lib/boot.sh": "#!/bin/sh\n"})
    before = blueprints(convert(folder / "app.yaml"))
    edit(folder / "lib" / "boot.sh", "#!/bin/sh", "#!/bin/bash")
    assert blueprints(convert(folder / "app.yaml"))["a"]["id"] != before["a"]["id"]


def test_a_nested_file_whose_name_is_not_ascii_is_named_by_a_node(tmp_path: Path) -> None:
    outer = "heat_template_version: 2018-08-31\nresources: {a: {type: größe.yaml}}\n"
    folder = write(tmp_path, {"app.yaml": outer, "größe.yaml": "heat_template_version: 2018-08-31\n"})
    result = convert(folder / "app.yaml")
    name, attribute = blueprints(result)["a"]["main_file_name"]["get_attribute"]
    (operation,) = result.document["node_templates"][name]["interfaces"]["cloudify.interfaces.lifecycle"].values()
    assert (attribute, json.loads(operation["inputs"]["call"])) == ("result", "größe.yaml")
    assert result.text.isascii()


def test_a_nested_template_is_published_by_capabilities(source: Path) -> None:
    result = convert(source / "app.yaml")
    assert "outputs" not in load(result.files["lib/db.yaml"]).data
    assert load(result.files["lib/db.yaml"]).data["capabilities"] == {"label": {"value": {"get_input": "name"}}}
    assert "capabilities" not in result.document


def test_a_value_that_cannot_be_said_is_asked_for_in_a_nested_blueprint(tmp_path: Path) -> None:
    """What a resource of the outer template may use is never a mere text."""
    inner = (
        "heat_template_version: 2018-08-31\nparameters: {text: {type: string}}\n"
        "outputs: {a: {value: {digest: [md5, {get_param: text}]}}}\n"
    )
    outer = "heat_template_version: 2018-08-31\nresources: {a: {type: inner.yaml, properties: {text: b}}}\n"
    folder = write(tmp_path, {"app.yaml": outer, "inner.yaml": inner})
    result = convert(folder / "app.yaml", asked="inputs")
    inputs = load(result.files["inner.yaml"]).data["inputs"]
    assert all("default" not in data for data in inputs.values())
    assert result.document["inputs"].keys() == {f"a_{name}" for name in inputs if name != "text"} != set()


def test_a_stack_from_a_text_without_files_is_a_stand_in() -> None:
    result = convert(APP.encode(), name=None)
    assert {"BPC610"} <= codes(result)
    assert result.files == {}


def test_files_beside_a_text_can_be_given() -> None:
    beside = {name: text for name, text in SOURCES.items() if name != "app.yaml"}
    result = convert(APP.encode(), beside=beside)
    assert set(result.nested) == set(beside)


def test_a_nested_file_outside_is_not_read(tmp_path: Path) -> None:
    text = "heat_template_version: 2018-08-31\nresources: {a: {type: ../lib/disk.yaml, properties: {size: 1}}}\n"
    write(tmp_path, {"app/app.yaml": text, "lib/disk.yaml": DISK})
    assert "BPC611" in codes(convert(tmp_path / "app" / "app.yaml"))
    assert "BPC611" in codes(convert(tmp_path / "app" / "app.yaml", allow_outside=True))


def test_a_file_url_below_the_folder_is_nested(tmp_path: Path) -> None:
    folder = write(tmp_path, {"lib/disk.yaml": DISK})
    url = (folder.resolve() / "lib" / "disk.yaml").as_uri()
    text = f"heat_template_version: 2018-08-31\nresources: {{a: {{type: '{url}', properties: {{size: 1}}}}}}\n"
    write(folder, {"app.yaml": text})
    assert convert(folder / "app.yaml").nested == {"lib/disk.yaml": "lib/disk.yaml"}


# -- coming back --------------------------------------------------------------------------------------------


def test_everything_comes_back_byte_for_byte(made: Path, tmp_path: Path) -> None:
    assert back(made, tmp_path / "back") == SOURCES


def test_blueprints_come_back_byte_for_byte(tmp_path: Path) -> None:
    case = CORPUS / "cfy" / "components-of-folders"
    there = tmp_path / "there"
    assert main(["cfy2hot", str(case / "blueprint.yaml"), "-q", "-o", str(there / "blueprint.yaml")]) == 0
    assert (there / "tier" / "parts" / "other.yaml").exists()
    folder = tmp_path / "back"
    assert main(["hot2cfy", str(there / "blueprint.yaml"), "-q", "-o", str(folder / "blueprint.yaml")]) == 0
    found = contents(folder)
    assert {name: (case / name).read_text() for name in found} == found
    assert "tier/parts/other.yml" in found


def test_an_edited_nested_file_comes_back_with_the_edit_alone(made: Path, tmp_path: Path) -> None:
    edit(made / "lib" / "db.yaml", "default: db", "default: mine")
    found = back(made, tmp_path / "back")
    assert {name for name in SOURCES if found[name] != SOURCES[name]} == {"lib/db.yaml"}
    assert load(found["lib/db.yaml"]).data["parameters"]["name"]["default"] == "mine"
    assert found["lib/db.yaml"].endswith("# what it is called\n")


def test_an_edited_document_keeps_what_it_nests(made: Path, tmp_path: Path) -> None:
    edit(made / "app.yaml", "size: {get_input: size}", "size: 9")
    edit(made / "lib" / "db.yaml", "default: db", "default: mine")
    found = back(made, tmp_path / "back")
    first = load(found["app.yaml"]).data["resources"]["first"]
    assert first == {"type": "lib/db.yaml", "properties": {"size": 9, "name": 5, "tags": "a,b"}}
    assert "template: {get_file: lib/db.yaml}" in found["app.yaml"]
    assert found["lib/disk.yaml"] == DISK


def test_a_missing_nested_file_is_told(made: Path) -> None:
    (made / "lib" / "db.yaml").unlink()
    result = convert(made / "app.yaml", "cloudify", "hot")
    assert result.text == APP
    assert [one.path for one in result.diagnostics if one.code == "BPC762"] == [("metadata",)]
    (finding,) = (one for one in result.diagnostics if one.code == "BPC663")
    assert "the conversion had lib/db.yaml, which is not here" in finding.message


def test_a_record_names_no_files_outside(made: Path) -> None:
    edit(made / "app.yaml", "      lib/db.yaml: lib/db.yaml\n", "      ../db.yaml: lib/db.yaml\n")
    result = convert(made / "app.yaml", "cloudify", "hot")
    assert not any(name.startswith("..") for name in [*result.files, *result.nested, *result.nested.values()])
    assert "lib/db.yaml" in result.nested  # which the document itself names


def test_without_the_record_a_component_is_a_nested_template(source: Path) -> None:
    there = convert(source / "app.yaml", carry=False)
    result = convert(there.text.encode(), "cloudify", "hot", beside=there.files, carry=False)
    resources = result.document["resources"]
    assert {name: data["type"] for name, data in resources.items()} == {
        "first": "lib/db.yaml",
        "second": "lib/db.yaml",
        "third": "other.template",
    }
    assert result.document["outputs"]["label"]["value"] == {"get_attr": ["first", "label"]}
    assert load(result.files["lib/db.yaml"]).data["outputs"] == {"label": {"value": {"get_param": "name"}}}


def test_roundtrip_compares_nested_files_too(source: Path) -> None:
    trip = roundtrip(source / "app.yaml")
    assert trip.is_identical
    assert set(trip.nested) == set(SOURCES) - {"app.yaml"}
    plain = roundtrip(source / "app.yaml", carry=False)
    assert any(place.startswith("lib/db.yaml ") for places in plain.differences.values() for place in places)


# -- directories --------------------------------------------------------------------------------------------


def test_a_directory_has_each_file_once(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert main(["hot2cfy", str(source), "-o", str(tmp_path / "out"), "-q", "--report", str(report)]) == 0
    assert contents(tmp_path / "out").keys() == SOURCES.keys() | SCRIPTS
    owners = {Path(file["source"]).name: file["nested_in"] for file in json.loads(report.read_text())["files"]}
    assert owners["app.yaml"] is None
    assert all(owner and owner.endswith("app.yaml") for name, owner in owners.items() if name != "app.yaml")
    assert "capabilities" in (tmp_path / "out" / "lib" / "db.yaml").read_text()
    assert main(["cfy2hot", str(tmp_path / "out"), "-o", str(tmp_path / "back")]) == 0
    assert contents(tmp_path / "back") == SOURCES
    assert "converted 4 of 4 templates, 3 as part of others" in capsys.readouterr().err


def test_several_documents_share_a_nested_file(source: Path, tmp_path: Path) -> None:
    text = "heat_template_version: 2018-08-31\nresources: {a: {type: lib/disk.yaml, properties: {size: 1}}}\n"
    write(source, {"zapp.yaml": text})
    assert main(["hot2cfy", str(source), "-o", str(tmp_path / "out"), "-q"]) == 0
    assert contents(tmp_path / "out").keys() == {*SOURCES, "zapp.yaml", *SCRIPTS}


def test_the_sources_own_nested_files_are_never_replaced(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", str(source / "app.yaml"), "-o", str(source / "blueprint.yaml")]) == 2
    assert contents(source) == SOURCES
    assert "choose another folder" in capsys.readouterr().err


# -- environments -------------------------------------------------------------------------------------------

MAPPED = "heat_template_version: 2018-08-31\nresources: {a: {type: Acme::Disk, properties: {size: 1}}}\n"


def environment(folder: Path, text: str) -> str:
    write(folder, {"env/env.yaml": text})
    return str(folder / "env" / "env.yaml")


@pytest.mark.parametrize(
    "registry",
    [
        "Acme::Disk: ../lib/disk.yaml",
        "Acme::Disk: disk.yaml\n  base_url: ../lib",
        "Acme::*: Other::*\n  Other::Disk: ../lib/disk.yaml",
        "resources: {a: {Acme::Disk: ../lib/disk.yaml}}\n  Acme::Disk: OS::Heat::None",
        "Acme::Disk: ../lib/disk.yaml\n  Other::*: OS::Heat::None",
    ],
)
def test_an_environment_maps_types_to_files(source: Path, registry: str) -> None:
    write(source, {"mapped.yaml": MAPPED})
    env = environment(source, f"resource_registry:\n  {registry}\n")
    result = convert(source / "mapped.yaml", environments=(env,))
    assert result.nested == {"lib/disk.yaml": "lib/disk.yaml"}
    assert "BPC771" in codes(result)


def test_later_environments_go_before_and_null_removes(source: Path) -> None:
    write(source, {"mapped.yaml": MAPPED})
    one = environment(source, "resource_registry: {Acme::Disk: ../lib/disk.yaml}\n")
    write(source, {"none.yaml": "resource_registry: {Acme::Disk: null}\n"})
    assert convert(source / "mapped.yaml", environments=(one, str(source / "none.yaml"))).nested == {}
    assert convert(source / "mapped.yaml", environments=(str(source / "none.yaml"), one)).nested != {}


def test_types_are_mapped_to_types(source: Path) -> None:
    write(source, {"mapped.yaml": MAPPED})
    env = environment(source, "resource_registry: {Acme::Disk: OS::Cinder::Volume}\n")
    result = convert(source / "mapped.yaml", environments=(env,))
    assert result.document["node_templates"]["a"]["type"] == "cloudify.nodes.openstack.Volume"


def test_a_template_can_use_the_type_that_it_replaces(source: Path) -> None:
    inner = DISK.replace("OS::Cinder::Volume", "Acme::Disk")
    write(source, {"mapped.yaml": MAPPED, "lib/guard.yaml": inner})
    env = environment(source, "resource_registry: {Acme::Disk: ../lib/guard.yaml}\n")
    result = convert(source / "mapped.yaml", environments=(env,))
    assert result.nested == {"lib/guard.yaml": "lib/guard.yaml"}
    assert "BPC300" in codes(result, "guard.yaml")


@pytest.mark.parametrize("text", ["[1]\n", "sections: {}\n", "resource_registry: [a]\n", "resource_registry: {A: 1}\n"])
def test_a_wrong_environment_is_refused(source: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = environment(source, text)
    assert main(["hot2cfy", str(source / "app.yaml"), "-e", env]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert f"{env}:1:" in output.err
    assert "BPC772" in output.err


def test_a_missing_environment_is_told(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", str(source / "app.yaml"), "-e", "nowhere.yaml"]) == 2
    assert "nowhere.yaml" in capsys.readouterr().err
