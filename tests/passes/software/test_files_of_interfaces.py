"""The files that operations run in another language: their names, what stands beside them, and what they publish."""

from __future__ import annotations

from typing import Any

import pytest
import service_heads

from bpconvert.api import Result, convert

SHELL = "#!/bin/sh\necho\n"
SERVICE = service_heads.HEAD + "topology_template:\n  node_templates:\n    vm: {type: tosca.nodes.Compute}\n"
APP = "    app: {type: tosca.nodes.SoftwareComponent, requirements: [{host: vm}], %s}\n"
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
plugins: {fabric: {executor: central_deployment_agent, install: false}}
node_templates:
  vm: {type: cloudify.nodes.openstack.Server, properties: {resource_config: {image_id: i, flavor_id: f}}}
  app:
    type: cloudify.nodes.SoftwareComponent
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
    interfaces: {cloudify.interfaces.lifecycle: {%s}}
"""
PLAYBOOK = "- hosts: all\n  tasks:\n  - set_stats: {data: {url: x, port: 80}}\n"
STATS = "callback_plugins/bpconvert_stats.py"


def to_cloudify(operations: str, outputs: str = "", **beside: str) -> Result:
    rows = f"interfaces: {{Standard: {{operations: {{{operations}}}}}}}"
    files = {"a.sh": SHELL, "play/play.yml": PLAYBOOK, **beside}
    return convert(f"{SERVICE}{APP % rows}{outputs}".encode(), "tosca", "cloudify", beside=files, carry=False)


def implementation(result: Result, name: str) -> Any:
    """What runs at a step."""
    node = result.document["node_templates"]["app"]
    return node["interfaces"]["cloudify.interfaces.lifecycle"][name]["implementation"]


def told(result: Result, *codes: str) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in result.diagnostics if one.code in codes]


# -- what programs publish ----------------------------------------------------------------------------------


def shown(*rows: tuple[str, str]) -> str:
    """Outputs with what operations publish."""
    lines = [
        f"    o{number}: {{value: {{get_operation_output: [app, Standard, {operation}, {name}]}}}}\n"
        for number, (operation, name) in enumerate(rows)
    ]
    return "  outputs:\n" + "".join(lines)


def test_what_a_playbook_publishes_is_kept_by_a_file_beside_it() -> None:
    """That of which the playbook has no name, it has to keep itself."""
    outputs = shown(("create", "url"), ("create", "port"), ("create", "gone"))
    result = to_cloudify("create: play/play.yml", outputs)
    assert [*result.files] == ["play/play.yml", f"play/{STATS}"]
    kept = "what 'play/play.yml' publishes is kept as runtime properties by a file beside it: url, port"
    missing = "'gone' of 'app' is a runtime property, which the program of the operation has to set"
    assert told(result, "BPC436", "BPC844") == [("BPC436", kept), ("BPC844", missing)]
    assert result.document["outputs"]["o0"]["value"] == {"get_attribute": ["app", "url"]}


@pytest.mark.parametrize("outputs", [shown(("create", "gone")), ""])
def test_a_playbook_that_publishes_nothing_of_it_has_no_such_file(outputs: str) -> None:
    result = to_cloudify("create: play/play.yml", outputs)
    assert [*result.files] == ["play/play.yml"]
    assert told(result, "BPC436") == []
    assert len(told(result, "BPC844")) == bool(outputs)


def test_a_script_has_to_set_what_it_publishes() -> None:
    """No file stands beside it, whatever else there is."""
    result = to_cloudify("create: a.sh", shown(("create", "url")))
    assert [*result.files] == ["a.sh"]
    message = "'url' of 'app' is a runtime property, which the program of the operation has to set"
    assert told(result, "BPC436", "BPC844", "BPC523") == [("BPC844", message)]


# -- the files that programs need ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("primary", "needed", "place"),
    [
        ("play/play.yml", "lib/x.j2", "play/x.j2"),
        ("play/play.yml", "y.j2", "play/y.j2"),
        ("site.yml", "lib", "lib/x.j2"),
    ],
)
def test_what_a_playbook_needs_is_put_beside_it(primary: str, needed: str, place: str) -> None:
    """By its last name; a folder with all that is in it."""
    files = {"lib/x.j2": "x", "y.j2": "x", "site.yml": "- hosts: all\n"}
    result = to_cloudify(f"create: {{implementation: {{primary: {primary}, dependencies: [{needed}]}}}}", **files)
    assert [*result.files] == [primary, place]
    assert [code for code, _ in told(result, "BPC435", "BPC870")] == ["BPC435"]


def test_files_that_are_not_there_are_told_together() -> None:
    operation = "{implementation: {primary: play/play.yml, dependencies: [one.j2, two.j2]}}"
    (message,) = (text for _, text in told(to_cloudify(f"create: {operation}"), "BPC870"))
    assert "one.j2, two.j2" in message
    operation = "{implementation: {primary: a.sh, dependencies: [one.j2, a.sh]}}"
    (message,) = (text for _, text in told(to_cloudify(f"create: {operation}"), "BPC870"))
    assert "one.j2, a.sh" in message


def test_another_file_of_that_name_is_not_written_over() -> None:
    operation = "{implementation: {primary: play/play.yml, dependencies: [lib/x.j2]}}"
    second = "{implementation: {primary: play/play.yml, dependencies: [other/x.j2]}}"
    result = to_cloudify(f"create: {operation}, start: {second}", **{"lib/x.j2": "one", "other/x.j2": "two"})
    assert result.files["play/x.j2"] == "one"
    assert len(told(result, "BPC870")) == 1


# -- names of files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("'a,b.sh'", "scripts/a_b.sh"),
        ("'_,a.sh'", "scripts/a.sh"),
        ("'X,a.sh'", "scripts/X_a.sh"),
        ("'lib/a,b.sh'", "scripts/lib_a_b.sh"),
    ],
)
def test_a_file_has_a_name_that_operations_can_have(name: str, place: str) -> None:
    result = to_cloudify(f"create: {name}", **{name.strip("'"): SHELL})
    assert implementation(result, "create") == place
    assert result.files == {place: SHELL}


def test_a_second_file_of_the_same_name_is_told_apart_by_its_text() -> None:
    """By six digits of what it is."""
    result = to_cloudify("create: 'a,b.sh', start: 'a;b.sh'", **{"a,b.sh": SHELL, "a;b.sh": "#!/bin/sh\necho 2\n"})
    assert implementation(result, "create") == "scripts/a_b.sh"
    name, _, digits = implementation(result, "start").removesuffix(".sh").partition("-")
    assert (name, len(digits)) == ("scripts/a_b", 6)
    same = to_cloudify("create: 'a,b.sh', start: 'a;b.sh'", **{"a,b.sh": SHELL, "a;b.sh": SHELL})
    assert implementation(same, "start") == "scripts/a_b.sh"


def test_a_url_is_no_file() -> None:
    result = to_cloudify("create: 'https://x.org/a/b.sh?x=1'")
    assert implementation(result, "create") == "missing/https_x.org_a_b.sh_x_1"


def test_a_text_becomes_a_file() -> None:
    """Called by the node and the operation that run it."""
    place, text = "scripts/app_create.sh", "#!/bin/bash\nset -e\nbash -c 'echo a'\nbash -c 'echo b'\n"
    run = "create: {implementation: fabric.fabric_plugin.tasks.run_commands, inputs: {commands: [echo a, echo b]}}"
    result = convert((BLUEPRINT % run).encode(), "cloudify", "tosca", carry=False)
    node = result.document["topology_template"]["node_templates"]["app"]
    assert node["interfaces"]["Standard"]["operations"] == {"create": {"implementation": place}}
    assert result.files == {place: text}
