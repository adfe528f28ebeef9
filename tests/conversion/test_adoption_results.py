"""What a takeover yields beside its document: the files, the values to give, and the findings with their places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from running_stacks import BLUEPRINT, exported, instances

from bpconvert.adoption import SOURCES, TARGETS, Wanted, adopt
from bpconvert.api import Result
from bpconvert.diagnostics import BpconvertError, DocumentError, UsageError
from bpconvert.options import Options

HOT = "heat_template_version: 2018-08-31\n"
NET = (
    f"{HOT}parameters: {{a: {{type: string}}}}\n"
    "resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: a}}}}\n"
)
CLOUDIFY = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""


def of_heat(tmp_path: Path, data: Any, target: str = "cloudify", **more: Any) -> Result:
    file = tmp_path / "stack.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data, indent=1), "utf-8")
    return adopt(file, target, **more)


def of_cloudify(tmp_path: Path, text: str, rows: Any, given: Any = None, target: str = "hot", **more: Any) -> Result:
    (tmp_path / "app.yaml").write_text(text, "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    if given is not None:
        (tmp_path / "given.json").write_text(json.dumps(given), "utf-8")
        more["inputs"] = tmp_path / "given.json"
    return adopt(tmp_path / "app.yaml", target, resources=tmp_path / "rows.json", **more)


def rows(*names: str) -> list[dict[str, Any]]:
    started = {"state": "started"}
    return [{"node_id": name, **started, "runtime_properties": {"id": f"{name[0]}-id"}} for name in names]


def told(result: Result, code: str) -> list[tuple[Any, ...]]:
    return [finding.path for finding in result.diagnostics if finding.code == code]


def refused(call: Any) -> list[tuple[str, tuple[Any, ...], str]]:
    with pytest.raises(DocumentError) as caught:
        call()
    return [(finding.code, finding.path, finding.message) for finding in caught.value.diagnostics]


# -- records ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a😀b", "\\😀", "a\\ud83d\\ude00b", "😀😀", "é"])
def test_characters_outside_of_the_first_plane_are_read(tmp_path: Path, name: str) -> None:
    """JSON has them as pairs of escapes, which are none where a backslash stands before them."""
    data = exported(NET)
    data["environment"]["parameters"]["a"] = name
    result = of_heat(tmp_path, json.dumps(data))
    assert yaml.safe_load(result.files["inputs.yaml"]) == {"a": name}


@pytest.mark.parametrize("keys", [{"template"}, {"resources"}, set()])
def test_what_is_half_an_export_is_none_beside_a_list(tmp_path: Path, keys: set[str]) -> None:
    """And no template either."""
    part = {key: value for key, value in exported(NET).items() if key in keys}
    (tmp_path / "rows.json").write_text("[]", "utf-8")
    found = refused(lambda: of_heat(tmp_path, part, resources=tmp_path / "rows.json"))
    assert found == [("BPC672", (), "not a Heat template")]


@pytest.mark.parametrize("keys", [{"template"}, {"resources"}])
def test_half_an_export_is_none(tmp_path: Path, keys: set[str]) -> None:
    part = {key: value for key, value in exported(NET).items() if key in keys}
    ((code, _, message),) = refused(lambda: of_heat(tmp_path, part))
    assert (code, "not an export of a stack" in message) == ("BPC672", True)


def test_a_list_of_keys_is_no_export(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text("[]", "utf-8")
    found = refused(lambda: of_heat(tmp_path, ["template", "resources"], resources=tmp_path / "rows.json"))
    assert found == [("BPC672", (), "not a Heat template")]


def test_an_export_has_the_values_of_its_inputs(tmp_path: Path) -> None:
    """Also beside a list, with which it is compared."""
    (tmp_path / "rows.json").write_text("[]", "utf-8")
    (tmp_path / "given.yaml").write_text("{a: other}\n", "utf-8")
    files = {"resources": tmp_path / "rows.json", "inputs": tmp_path / "given.yaml"}
    with pytest.raises(UsageError, match="others are taken with a document and a list only"):
        of_heat(tmp_path, exported(NET), **files)


def test_nobody_records_what_runs_of_a_service_template(tmp_path: Path) -> None:
    assert SOURCES == ("hot", "cloudify")
    assert TARGETS == ("hot", "cloudify", "tosca")
    text = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
    found = refused(lambda: of_cloudify(tmp_path, text, []))
    assert found == [("BPC672", (), "what runs of a service template is not known")]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted(("net", "nobody")), "nobody: what runs has no resource of that name"),
        (Wanted(without=("nobody",)), "nobody: what runs has no resource of that name"),
        (Wanted(notes="steps.txt"), "steps.txt: a file beside the result, whose ending chooses: .sh, .md"),
        (Wanted(notes="there/steps.sh"), "there/steps.sh: a file beside the result, whose ending chooses: .sh, .md"),
    ],
)
def test_what_is_wanted_of_nothing(tmp_path: Path, wanted: Wanted, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        of_heat(tmp_path, exported(NET), wanted=wanted)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("wanted", "is_part", "has"),
    [
        (Wanted(), False, {"a": True, "b": True}),
        (Wanted(("a",)), True, {"a": True, "b": False}),
        (Wanted(without=("a",)), True, {"a": False, "b": True}),
        (Wanted(("a", "b"), ("a",)), True, {"a": False, "b": True}),
    ],
)
def test_the_part_that_is_wanted(wanted: Wanted, is_part: bool, has: dict[str, bool]) -> None:
    assert wanted.is_part is is_part
    assert {name: wanted.has(name) for name in has} == has


def test_options_that_there_are_not_are_refused(tmp_path: Path) -> None:
    options: Any = Options(plugin="v9")
    with pytest.raises(UsageError, match="plugin: "):
        of_heat(tmp_path, exported(NET), options=options)


def test_the_source_is_not_kept(tmp_path: Path) -> None:
    result = of_heat(tmp_path, exported(NET), options=Options(carry=True))
    assert "bpconvert" not in result.document.get("metadata", {})


def test_the_place_of_a_resource_that_is_not_taken_over(tmp_path: Path) -> None:
    found = refused(lambda: of_heat(tmp_path, exported(NET, net={"status": "FAILED"})))
    assert found == [("BPC671", ("resources", "net"), "'net' is not taken over: it is CREATE_FAILED")]


# -- a document for an engine that refers -------------------------------------------------------------------


def test_no_values_need_no_file(tmp_path: Path) -> None:
    result = of_heat(tmp_path, exported(HOT + "resources: {net: {type: OS::Neutron::Net}}\n"))
    assert (result.files, result.inputs) == ({}, {})
    result = of_heat(tmp_path, exported(NET))
    assert (result.files, result.inputs) == ({"inputs.yaml": "a: given-a\n"}, {"": "inputs.yaml"})


HIDDEN = ("zz", "mm", "a b", "c", "y", "b")


@pytest.mark.parametrize("target", ["cloudify", "hot", "tosca"])
def test_hidden_values_are_named_in_order(tmp_path: Path, target: str) -> None:
    """Each at its declaration."""
    declared = ", ".join(f"{name}: {{type: string, hidden: true, default: d}}" for name in HIDDEN)
    every = ", ".join(f"{{get_param: {name}}}" for name in HIDDEN)
    net = f"{{type: OS::Neutron::Net, properties: {{name: {{list_join: ['', [{every}]]}}}}}}"
    result = of_heat(tmp_path, exported(f"{HOT}parameters: {{{declared}}}\nresources: {{net: {net}}}\n"), target)
    assert told(result, "BPC676") == [("parameters", name) for name in sorted(HIDDEN)]
    shown = result.text + "".join(text for name, text in result.files.items() if name != "adopt.json")
    assert "given-" not in shown


def test_the_setting_that_is_left_out_is_told_at_its_resource(tmp_path: Path) -> None:
    result = of_heat(tmp_path, exported())
    assert told(result, "BPC675") == [("resources", "port"), ("resources", "fip")]


def test_a_part_of_a_value_that_there_is_not_is_named(tmp_path: Path) -> None:
    """After one that there is, and after one that is whole."""
    names = "[{get_param: [names, 0]}, {get_param: n}, {get_param: [names, 3]}]"
    net = f"{{type: OS::Neutron::Net, properties: {{name: {{list_join: ['', {names}]}}}}}}"
    data = exported(
        f"{HOT}parameters: {{n: {{type: string}}, names: {{type: comma_delimited_list}}}}\nresources: {{net: {net}}}\n"
    )
    data["environment"]["parameters"]["names"] = "a,b"
    ((code, path, message),) = refused(lambda: of_heat(tmp_path, data))
    assert (code, path[:4]) == ("BPC677", ("resources", "net", "properties", "name"))
    assert message == "the value of 'names' has no part 3, and the deployment would be refused"


def test_the_steps_name_the_inputs_without_a_value(tmp_path: Path) -> None:
    result = of_heat(tmp_path, exported(), wanted=Wanted(notes="steps.md"))
    assert "blueprint needs further inputs: token:" in result.files["steps.md"]


@pytest.mark.parametrize("notes", ["steps.md", "steps.sh"])
def test_nobody_knows_steps_by_which_a_service_template_takes_over(tmp_path: Path, notes: str) -> None:
    with pytest.raises(UsageError, match="no steps are known by which a service template takes over"):
        of_heat(tmp_path, exported(NET), "tosca", wanted=Wanted(notes=notes))


# -- data for an engine that adopts -------------------------------------------------------------------------


def test_an_export_is_adopted_with_all_that_it_says(tmp_path: Path) -> None:
    """Its environment and its files, which are beside the template, too."""
    data = exported(HOT + "resources: {net: {type: OS::Neutron::Net, properties: {name: {get_file: a.txt}}}}\n")
    data["environment"] = {"parameters": {}, "parameter_defaults": {"z": 1}}
    data["files"] = {"a.txt": "text"}
    result = of_heat(tmp_path, data, "hot")
    adopted = json.loads(result.files["adopt.json"])
    assert (adopted["environment"], adopted["files"]) == (data["environment"], data["files"])
    assert result.files["a.txt"] == "text"
    assert set(result.files) == {"a.txt", "adopt.json", "parameters.json"}
    assert (result.inputs, result.target, result.read) == ({}, "hot", {(tmp_path / "stack.json").resolve()})


@pytest.mark.parametrize("environment", [{}, None])
def test_an_export_without_values_is_adopted_with_none(tmp_path: Path, environment: Any) -> None:
    data = exported(HOT + "resources: {net: {type: OS::Neutron::Net}}\n")
    if environment is None:
        del data["environment"]
    else:
        data["environment"] = environment
    result = of_heat(tmp_path, data, "hot")
    assert json.loads(result.files["adopt.json"])["environment"] == {"parameters": {}}
    assert json.loads(result.files["parameters.json"]) == {"parameters": {}}


def test_a_listed_template_is_adopted_with_the_values_that_are_given(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(NET, "utf-8")
    row = {"resource_name": "net", "physical_resource_id": "net-id", "resource_type": "OS::Neutron::Net"}
    listed = [{**row, "resource_status": "CREATE_COMPLETE", "stack_name": "app"}]
    (tmp_path / "rows.json").write_text(json.dumps(listed), "utf-8")
    (tmp_path / "given.yaml").write_text("{a: a name}\n", "utf-8")
    files = {"resources": tmp_path / "rows.json", "inputs": tmp_path / "given.yaml"}
    result = adopt(tmp_path / "app.yaml", "hot", **files)
    assert json.loads(result.files["adopt.json"])["environment"] == {"parameters": {"a": "a name"}}
    assert result.text == NET
    assert result.read == {(tmp_path / name).resolve() for name in ("app.yaml", "rows.json")}


def test_the_files_are_indented(tmp_path: Path) -> None:
    """Who compares two of them sees what is different."""
    for target in (exported(NET), None):
        if target is None:
            result = of_cloudify(tmp_path, BLUEPRINT, instances(), {"image": "debian", "token": "t"})
        else:
            result = of_heat(tmp_path, target, "hot")
        for name in ("adopt.json", "parameters.json"):
            text = result.files[name]
            assert text == json.dumps(json.loads(text), indent=2) + "\n"


def test_what_cloudify_has_created_is_adopted_by_the_name_of_its_blueprint(tmp_path: Path) -> None:
    result = of_cloudify(tmp_path, BLUEPRINT, instances(), {"image": "debian", "token": "t", "more": 1})
    adopted = json.loads(result.files["adopt.json"])
    assert adopted["name"] == "app"
    assert adopted["environment"] == {"parameters": {"image": "debian", "token": "t"}}
    assert set(result.files) == {"adopt.json", "parameters.json"}
    assert result.inputs == {}


RENAMED = (
    CLOUDIFY
    + """\
node_templates:
  a/b: {type: cloudify.nodes.openstack.Network}
  a_b: {type: cloudify.nodes.openstack.Router}
outputs:
  left: {value: {get_attribute: [a/b, id]}}
  kept: {value: {get_attribute: [a_b, id]}}
"""
)


def test_what_has_another_name_in_the_result_is_adopted_by_that(tmp_path: Path) -> None:
    """Beside another one whose name is nearly the same."""
    nodes = rows("a/b", "a_b")
    nodes[1]["runtime_properties"]["id"] = "router-id"
    result = of_cloudify(tmp_path, RENAMED, nodes)
    adopted = json.loads(result.files["adopt.json"])["resources"]
    ids = {name: (row["type"], row["resource_id"]) for name, row in adopted.items()}
    assert ids == {"a_b_2": ("OS::Neutron::Net", "a-id"), "a_b": ("OS::Neutron::Router", "router-id")}
    assert told(result, "BPC678") == []


def test_an_output_of_what_is_left_is_told(tmp_path: Path) -> None:
    result = of_cloudify(tmp_path, RENAMED, rows("a/b", "a_b"), wanted=Wanted(("a_b",)))
    assert set(result.document["resources"]) == {"a_b"}
    assert set(result.document["outputs"]) == {"kept"}
    assert told(result, "BPC692") == [("outputs", "left")]


def test_what_existed_before_has_no_stand_in(tmp_path: Path) -> None:
    text = (
        CLOUDIFY
        + """\
node_templates:
  a:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {id: a-id}}
  b:
    type: cloudify.nodes.openstack.Subnet
    properties: {resource_config: {cidr: 10.0.0.0/24}}
    relationships: [{type: cloudify.relationships.contained_in, target: a}]
"""
    )
    result = of_cloudify(tmp_path, text, rows("a", "b"))
    assert set(result.document["resources"]) == {"b"}
    assert (told(result, "BPC383"), told(result, "BPC678")) == ([("node_templates", "a")], [])


def test_what_is_left_on_purpose_is_no_stand_in(tmp_path: Path) -> None:
    """What is wanted and has no counterpart is one."""
    text = RENAMED.replace("stack-plugin]", "stack-plugin, plugin:cloudify-aws-plugin]")
    text = text.replace("  a_b: {type: cloudify.nodes.openstack.Router}", "  a_b: {type: cloudify.nodes.aws.sqs.Queue}")
    result = of_cloudify(tmp_path, text, rows("a/b", "a_b"))
    assert told(result, "BPC678") == [("node_templates", "a_b")]
    (said,) = [finding.message for finding in result.diagnostics if finding.code == "BPC678"]
    kind = "cloudify.nodes.aws.sqs.Queue"
    assert said == f"'a_b' of type {kind} stays with its engine: the result has a stand-in for it"
    result = of_cloudify(tmp_path, text, rows("a/b", "a_b"), wanted=Wanted(("a/b",)))
    assert told(result, "BPC678") == []


SCALED = (
    CLOUDIFY
    + """\
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
  server:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian, flavor: small}
    relationships: [{type: cloudify.relationships.openstack.server_connected_to_port, target: port}]
groups:
  pairs: {members: [port, server]}
policies:
  scale: {type: cloudify.policies.scaling, targets: [pairs], properties: {default_instances: 2}}
"""
)


def test_templates_of_groups_are_files_of_the_adoption(tmp_path: Path) -> None:
    """Those of the result, and those that have ids in place of references."""
    every = [
        {"node_id": node, "id": f"{node}_{mark}", "state": "started", "runtime_properties": {"id": mark, "ip": mark}}
        for mark in ("1", "2")
        for node in ("port", "server")
    ]
    result = of_cloudify(tmp_path, SCALED, [*rows("net"), *every])
    files = json.loads(result.files["adopt.json"])["files"]
    assert set(files) == {"app.pairs.yaml", "adopt/pairs.yaml"}
    assert files["app.pairs.yaml"] == result.files["app.pairs.yaml"]
    assert set(result.files) == {"app.pairs.yaml", "adopt.json", "parameters.json"}


def test_values_that_are_asked_for_are_in_no_file_of_their_own(tmp_path: Path) -> None:
    """They are parameters."""
    text = CLOUDIFY + "node_templates:\n  hosts: {type: cloudify.nodes.openstack.HostAggregate}\n"
    known = [{"node_id": "hosts", "state": "started", "runtime_properties": {"id": "7", "name": "old"}}]
    result = of_cloudify(tmp_path, text, known)
    assert set(result.files) == {"adopt.json", "parameters.json"}
    assert json.loads(result.files["parameters.json"]) == {"parameters": {"hosts_name": "old"}}
    assert result.inputs == {}


@pytest.mark.parametrize(
    ("target", "words"),
    [("cloudify", "cloudify to cloudify: it refers to what runs, and owns nothing that it takes over"),
     ("k8s", "k8s: what runs can be taken over by: hot, cloudify, tosca")],
)  # fmt: skip
def test_engines_that_take_over_nothing(tmp_path: Path, target: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        of_cloudify(tmp_path, BLUEPRINT, instances(), {"image": "i", "token": "t"}, target)
    assert str(caught.value) == words


@pytest.mark.parametrize("data", ["[]", "{net: 3}", "{net: {id: a}, vol: text}"])
def test_attributes_are_maps(tmp_path: Path, data: str) -> None:
    (tmp_path / "attributes.yaml").write_text(data, "utf-8")
    with pytest.raises(BpconvertError, match="attributes are a map for each resource"):
        of_heat(tmp_path, exported(), "hot", attributes=tmp_path / "attributes.yaml")
