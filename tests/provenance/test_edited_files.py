"""Edits of what was generated beside a result, and edits that need another version: what is not touched stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import Result, convert

COMPUTED = 'config: {str_replace: {template: "#!/bin/sh\\necho $x\\n", params: {$x: one}}}'
SOURCE = f"""\
heat_template_version: 2018-08-31
resources:
  web:
    type: OS::Nova::Server
    properties: {{flavor: m1, image: i, networks: [], user_data_format: SOFTWARE_CONFIG}}
  text:
    type: OS::Heat::SoftwareConfig
    properties:
      group: script
      {COMPUTED}
  first:
    type: OS::Heat::SoftwareDeployment
    properties: {{config: {{get_resource: text}}, server: {{get_resource: web}}}}
  second:
    type: OS::Heat::SoftwareDeployment
    properties: {{config: {{get_resource: text}}, server: {{get_resource: web}}}}
  net: {{type: OS::Neutron::Net}}   # stays
"""


def with_script(text: str) -> tuple[str, Result]:
    """The name of the script that is generated, and the way back where it is another ``text``."""
    there = convert(SOURCE)
    (name,) = there.files
    assert there.files[name] == "#!/bin/sh\necho one\n"
    return name, convert(there.text.encode(), "cloudify", "hot", beside={name: text})


def told(result: Result) -> list[tuple[str, tuple[object, ...]]]:
    return [(one.code, one.path) for one in result.diagnostics if one.code in ("BPC620", "BPC623", "BPC626", "BPC627")]


def test_an_edit_of_a_script_goes_into_what_it_is_computed_of() -> None:
    _, back = with_script("#!/bin/sh\necho two\n")
    assert back.text == SOURCE.replace("$x: one", "$x: two")
    assert back.files == {}
    assert told(back) == [("BPC626", ("metadata",))]


def test_another_script_than_the_source_can_compute_is_a_file() -> None:
    name, back = with_script("#!/bin/bash\nls\n")
    assert back.text == SOURCE.replace(COMPUTED, f"config: {{get_file: {name}}}")
    assert back.files == {name: "#!/bin/bash\nls\n"}
    assert not back.kept_files
    assert told(back) == [("BPC620", ("node_templates", "first")), ("BPC626", ("metadata",))]


SPLIT, IN_HOT = "{string_split: [{get_input: x}, ',', 0]}", "{str_split: [',', {get_param: x}, 0]}"


@pytest.mark.parametrize(
    ("version", "value", "wanted", "written"),
    [
        ("2015-04-30", SPLIT, "2015-10-15", IN_HOT),
        ("2015-10-15", SPLIT, "2015-10-15", IN_HOT),
        ("2015-04-30", "front", "2015-04-30", "front"),
    ],
)
def test_an_edit_raises_the_version_that_it_needs(version: str, value: str, wanted: str, written: str) -> None:
    source = """\
heat_template_version: {}   # as old as can be
parameters: {{x: {{type: string, default: "q,r"}}}}
resources:
  net: {{type: OS::Neutron::Net, properties: {{name: {}}}}}   # mine
"""
    made = convert(source.format(version, "{get_param: x}")).text
    edited = made.replace("name: {get_input: x}\n", f"name: {value}\n", 1)
    assert edited != made
    back = convert(edited, "cloudify", "hot")
    assert back.text == source.format(wanted, written)
    assert told(back) == [("BPC620", ("node_templates", "net"))]


@pytest.mark.parametrize("name", ["service.yaml", "blueprint.yaml"])
def test_scripts_that_are_named_after_the_source_are_no_edit(tmp_path: Path, name: str) -> None:
    """Whatever the result is called."""
    source = tmp_path / "blueprint.yaml"
    source.write_text("""\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_types: {my.Tier: {derived_from: cloudify.nodes.SoftwareComponent, properties: {port: {default: 80}}}}
node_templates:
  tier: {type: my.Tier}
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: create.sh, inputs: {a: {get_property: [tier, port]}}}
""")
    (tmp_path / "create.sh").write_text("#!/bin/sh\nctx logger info hello\n")
    there = convert(source, "cloudify", "tosca")
    result = tmp_path / "out" / name
    result.parent.mkdir()
    (result.parent / "scripts").mkdir()
    assert list(there.files) == ["scripts/blueprint.app_create.sh"]
    for file, text in there.files.items():
        (result.parent / file).write_text(text)
    result.write_text(there.text.replace("a: 80", "a: 81"))
    back = convert(result, "tosca", "cloudify")
    assert back.text == source.read_text().replace("a: {get_property: [tier, port]}", "a: 81")
    assert "BPC622" not in [one.code for one in back.diagnostics]


READING = """\
heat_template_version: 2018-08-31
resources:
  web:
    type: OS::Nova::Server
    properties: {flavor: m1, image: i, networks: [], user_data_format: RAW, user_data: {get_file: run.sh}}
"""


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_the_file_beside_a_result_counts_not_the_text_of_it_in_the_record(tmp_path: Path, target: str) -> None:
    """Who changes a script in what is kept, and not the script, has changed nothing that is deployed."""
    (tmp_path / "app.yaml").write_text(READING)
    (tmp_path / "run.sh").write_text("#!/bin/sh\nls\n")
    there = convert(tmp_path / "app.yaml", "hot", target, files="copy")
    head, record = there.text.split(" files: |", 1)
    forged = f"{head} files: |{record.replace('ls', 'rm', 1)}"
    assert forged != there.text
    back = convert(forged.encode(), target, "hot", beside=there.files)
    assert back.files == {"run.sh": "#!/bin/sh\nls\n"}
    assert ("BPC626", ("metadata",)) in told(back)


TYPES = """\
kind: widget
heat: ["Acme::Widget"]
cloudify: {type: acme.nodes.Widget, plain: true, plugin: "plugin:acme"}
properties: {title: {to: title, type: string}}
"""


@pytest.mark.parametrize("widget", ["", "  widget: {type: Acme::Widget, properties: {title: t}}\n"])
def test_an_edit_of_a_copied_script_goes_back_with_and_without_a_comparison(tmp_path: Path, widget: str) -> None:
    """Without the mappings of types that the conversion had, the record says how the script was."""
    (tmp_path / "types.yaml").write_text(TYPES)
    (tmp_path / "app.yaml").write_text(READING + widget)
    (tmp_path / "run.sh").write_text("#!/bin/sh\nls\n")
    there = convert(tmp_path / "app.yaml", files="copy", types=(str(tmp_path / "types.yaml"),))
    assert there.files == {"run.sh": "#!/bin/sh\nls\n"}
    back = convert(there.text.encode(), "cloudify", "hot", beside={"run.sh": "#!/bin/sh\npwd\n"})
    assert back.text == READING + widget
    assert back.files == {"run.sh": "#!/bin/sh\npwd\n"}
    assert told(back) == [("BPC626", ("metadata",))]
