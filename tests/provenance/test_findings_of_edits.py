"""What is told of edits: where they were made, which code each has, in which order; and what stays as it was."""

from __future__ import annotations

import difflib
from typing import Any

import pytest
from checkout import ROOT
from edited_template import TEMPLATE as WITH_PLUG
from forging import Record, changed

from bpconvert import Result, convert
from bpconvert.translators.provenance import parts
from bpconvert.translators.provenance.carry import digest
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: small}
  name: {type: string, default: x}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
  disk: {type: OS::Cinder::Volume, properties: {size: 1, name: a}}
  web:
    type: OS::Nova::Server
    properties:
      flavor: {get_param: size}
      image: good
      networks: [{network: {get_resource: net}}]
outputs:
  o: {value: {get_attr: [web, first_address]}}
  p: {value: {get_resource: net}}
"""
NODES = "node_templates"


def way_back(source: str, dialect: str, via: str, *edits: tuple[str, str]) -> tuple[list[str], Result]:
    """The lines of the source that come back otherwise after each (old, new) was exchanged, and what comes back."""
    text, mark, kept = convert(source, dialect, via).text.rpartition("bpconvert:")
    for old, new in edits:
        assert old in text, text
        text = text.replace(old, new, 1)
    back = convert(text + mark + kept, via, dialect)
    return differing(source, back.text), back


def differing(source: str, text: str) -> list[str]:
    lines = difflib.unified_diff(source.splitlines(), text.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:2] not in ("--", "++", "@@")]


def findings(back: Result) -> list[tuple[str, tuple[Any, ...]]]:
    return [(one.code, one.path) for one in back.diagnostics]


IMAGE = ("image: good", "image: bad")
BAD = ["-      image: good", "+      image: bad"]
SIZE = "  size:\n    type: string\n    default: small\n\n"


def test_a_parameter_that_is_gone() -> None:
    """What uses it stays, as nobody edited that."""
    lines, back = way_back(TEMPLATE, "hot", "cloudify", (SIZE, ""))
    assert lines == ["-  size: {type: string, default: small}"]
    assert findings(back) == [("BPC625", ()), ("BPC621", ("inputs",))]
    assert back.diagnostics[0].message == "resources.web.properties.flavor names 'size', which the edit took away"


def test_a_parameter_that_is_gone_and_an_edit_of_what_uses_it() -> None:
    """No engine takes an entry that refers to nothing: all of it stays as it was."""
    lines, back = way_back(TEMPLATE, "hot", "cloudify", (SIZE, ""), ("image: good\n", "image: good\n      odd: 1\n"))
    assert lines == []
    assert findings(back) == [("BPC622", ("inputs",)), ("BPC622", (NODES, "web", "properties", "odd"))]
    assert [one.message.split("'")[1] for one in back.diagnostics] == [
        "inputs.size",
        "node_templates.web.properties.odd",
    ]


def test_an_entry_that_would_refer_to_a_parameter_that_is_gone_is_not_written_anew() -> None:
    subnet = "{name: {get_param: name}, network: {get_resource: net}, cidr: 10.0.0.0/24}"
    source = TEMPLATE.replace("{name: {get_param: name}}", "{name: n}").replace(
        "outputs:", f"  sub: {{type: OS::Neutron::Subnet, properties: {subnet}}}\noutputs:"
    )
    name, odd = (
        ("  name:\n    type: string\n    default: x\n\n", ""),
        ("ip_version: 4\n", "ip_version: 4\n        odd: 1\n"),
    )
    lines, back = way_back(source, "hot", "cloudify", name, odd, IMAGE)
    assert lines == BAD
    edited = (NODES, "sub", "properties", "resource_config", "odd")
    assert findings(back) == [("BPC622", ("inputs",)), ("BPC620", (NODES, "web")), ("BPC622", edited)]


@pytest.mark.parametrize("more", [(), (IMAGE,)])
def test_a_type_that_nobody_knows(more: tuple[tuple[str, str], ...]) -> None:
    """The entry would be one that creates nothing: it stays."""
    lines, back = way_back(TEMPLATE, "hot", "cloudify", ("cloudify.nodes.openstack.Volume\n", "my.Type\n"), *more)
    assert lines == (BAD if more else [])
    edited = [("BPC620", (NODES, "web"))] if more else []
    assert findings(back) == [("BPC622", (NODES, "disk", "type")), *edited]


@pytest.mark.parametrize("empty", ["groups: {}\n", "policies: {}\nplugins: []\n", "groups: []\n"])
def test_sections_without_anything_in_them_are_no_edits(empty: str) -> None:
    lines, back = way_back(TEMPLATE, "hot", "cloudify", ("node_templates:\n", f"{empty}node_templates:\n"), IMAGE)
    assert lines == BAD
    assert findings(back) == [("BPC620", (NODES, "web"))]


def test_entries_that_are_gone_are_told_in_order() -> None:
    names = [f"d{number}" for number in range(7)]
    rows = "".join(f"  {name}: {{type: OS::Neutron::Net}}\n" for name in names)
    made = convert(TEMPLATE.replace("outputs:", f"{rows}outputs:")).text
    start = made.index("  d0:")
    back = convert(made[:start] + made[made.index("outputs:", start) :], "cloudify", "hot")
    assert back.text == TEMPLATE
    assert [one.message.split("'")[1] for one in back.diagnostics] == [f"{NODES}.{name}" for name in names]
    assert set(findings(back)) == {("BPC621", (NODES,))}


def test_a_part_that_is_gone_and_has_no_place_is_told_where_it_was() -> None:
    case = ROOT / "corpus" / "cfy" / "existing-resources-by-name" / "blueprint.yaml"
    made = convert(case, "cloudify", "tosca").text
    part = "      attributes:\n        openstack_id: ops\n"
    assert part in made
    back = convert(made.replace(part, "", 1), "tosca", "cloudify")
    assert ("BPC622", (NODES, "key")) in findings(back)
    messages = [one.message for one in back.diagnostics if one.code == "BPC622"]
    assert [message.split("'")[1] for message in messages] == ["node_templates.key.attributes"]


def test_a_version_that_is_too_low_for_what_nobody_edited_stays() -> None:
    source = TEMPLATE.replace("2018-08-31", "2014-10-16") + "  q: {value: {str_split: [',', {get_param: name}, 0]}}\n"
    lines, back = way_back(source, "hot", "cloudify", IMAGE)
    assert (lines, findings(back)) == (BAD, [("BPC620", (NODES, "web"))])


# -- attachments of volumes, which are parts of requirements in a service template -------------------------

SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    v: {type: openstack.cinder.Volume, properties: {size: 1}}
    s:
      type: openstack.nova.Server
      properties: {flavor: a, image: b}
      requirements:
        - volume: {node: v, relationship: a}
  relationship_templates:
    a: {type: openstack.relationships.VolumeAttachment}
"""
ATTACHMENT = "    a: {type: openstack.relationships.VolumeAttachment}\n"


def test_resources_that_are_gone_are_told_of_their_section() -> None:
    """In the order of their names."""
    names = [f"a{number}" for number in range(6)]
    rows = "".join(f"        - volume: {{node: v, relationship: {name}}}\n" for name in names)
    types = "".join(f"    {name}: {{type: openstack.relationships.VolumeAttachment}}\n" for name in names)
    service = SERVICE.replace("        - volume: {node: v, relationship: a}\n", rows).replace(ATTACHMENT, types)
    source = convert(convert(service, "tosca", "hot", carry=False).text, "hot", "tosca", carry=False).text
    made = convert(source, "tosca", "hot").text
    start, end = made.index("  a0:\n"), made.index("\n\n", made.index("  a5:\n")) + 2
    back = convert(made[:start] + made[end:], "hot", "tosca")
    assert all(line.startswith("-") for line in differing(source, back.text))
    assert [one.message.split("'")[1] for one in back.diagnostics] == [f"resources.{name}" for name in names]
    assert set(findings(back)) == {("BPC621", ("resources",))}


# -- what is written anew ----------------------------------------------------------------------------------

OFFICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    office:
      type: tosca.nodes.network.Network
      properties:
        network_name: office
        network_type: vlan
        physical_network: physnet1
        segmentation_id: '42'
        ip_version: 4
        cidr: 192.168.0.0/24
"""


def test_what_comes_nearer_without_another_edit_is_written_anew_without_it() -> None:
    """The type of the network has no form for one of the edits. Where the other one is put back, what is written anew
    differs from what was edited; without that, nothing does."""
    edits = [("shared: false", "shared: true"), ("name: office\n", "name: office\n      odd: x\n")]
    _, back = way_back(OFFICE, "tosca", "hot", *edits)
    office = back.document["topology_template"]["node_templates"]["office"]
    assert office["type"] == "openstack.neutron.ProviderNet"
    assert (office["properties"]["shared"], office["properties"]["odd"]) == (True, "x")
    entry = ("resources", "office")
    refused = ("BPC170", (*entry, "properties", "odd"))  # Heat has no such property
    assert findings(back) == [("BPC620", entry), ("BPC665", entry), refused]
    assert back.diagnostics[1].message.endswith("has no place for just that: node_templates.office is written anew")
    there = convert(back.text, "tosca", "hot", carry=False).document["resources"]
    assert there["office"]["properties"]["shared"] is True
    assert there["office_subnet"]["properties"]["cidr"] == "192.168.0.0/24"


def test_an_edit_that_has_another_form_in_the_source() -> None:
    lines, back = way_back(WITH_PLUG, "hot", "cloudify", ("subnet_connected_to_router\n", "odd_relationship\n"))
    assert lines == ["+    depends_on: router"]
    found = {one.code: one for one in back.diagnostics}
    assert (found["BPC620"].path, found["BPC666"].path) == ((NODES, "subnet"), (NODES, "subnet"))
    assert "what comes back (as it was) becomes something else" in found["BPC666"].message


def test_what_is_put_back_stays_where_nothing_is_written_anew_without_it() -> None:
    """A parameter of Heat's needs a type."""
    case = ROOT / "corpus" / "cfy" / "merge" / "blueprint.yaml"
    source = case.read_text("utf-8")
    data = load(convert(case, "cloudify", "hot").text).data
    del data["outputs"]["nested"]["value"]["c"], data["parameters"]["overrides"]["type"]
    back = convert(emit(data), "hot", "cloudify")
    assert differing(source, back.text) == [
        "-    type: dict",
        "-    value: {merge: [{merge: [{a: 1}, {b: 2}]}, {c: 3}]}",
        "+    value: {merge: [{merge: [{a: 1}, {b: 2}]}]}",
    ]
    overrides = ("parameters", "overrides")
    assert findings(back) == [
        ("BPC121", overrides), ("BPC620", overrides), ("BPC666", overrides), ("BPC620", ("outputs", "nested")),
    ]  # fmt: skip


def test_not_every_line_is_written_anew_for_values() -> None:
    """A document in braces has its lines, although one of the edits would lead to others where the other one is put
    back."""
    case = ROOT / "corpus" / "cfy" / "json-blueprint" / "blueprint.yaml"
    data = load(convert(case, "cloudify", "hot").text).data
    del data["parameters"]["name"]["type"], data["outputs"]["name"]["description"]
    back = convert(emit(data), "hot", "cloudify")
    assert differing(case.read_text("utf-8"), back.text) == [
        '-  "inputs": {"name": {"type": "string", "default": "web"}},',
        '-  "outputs": {"name": {"description": "In JSON.", "value": {"get_input": "name"}}}',
        '+  "inputs": {"name": {"default": "web"}},',
        '+  "outputs": {"name": {"value": {"get_input": "name"}}}',
    ]
    assert ("BPC620", ("outputs", "name")) in findings(back)


def test_what_an_earlier_version_wrote_otherwise_is_told_at_once() -> None:
    source = TEMPLATE.replace("  disk:", "  other: {type: OS::Neutron::Net, properties: {name: y}}\n  disk:")

    def older(data: Any, record: Record) -> None:
        digests = parts.digests(record)
        for name in ("net", "other"):
            data[NODES][name]["properties"]["use_external_resource"] = False  # the default of the type
            digests[NODES, name] = digest(data[NODES][name])
        record["digests"] = parts.written_digests(digests)

    made = changed(convert(source).text, older)
    there = "the kept source becomes something else than node_templates.net, node_templates.other, and has no place"
    odd = ("image: good\n", "image: good\n      odd: 1\n")
    cases: list[tuple[tuple[str, str], list[str], list[Any]]] = [
        (("image: good", "image: good"), [], []),
        (IMAGE, BAD, [("BPC620", (NODES, "web"))]),
        (odd, [], [("BPC622", (NODES, "web", "properties", "odd"))]),
    ]
    for edit, lines, codes in cases:
        back = convert(made.replace(*edit, 1), "cloudify", "hot")
        assert differing(source, back.text) == lines
        assert findings(back) == [*codes, ("BPC662", ("metadata", "bpconvert"))]
        assert back.diagnostics[-1].message.startswith(there)


def test_each_script_that_is_computed_is_told() -> None:
    """Both edits go into what the scripts are computed of."""
    rows = "".join(
        f"  text{number}:\n    type: OS::Heat::SoftwareConfig\n    properties:\n      group: script\n      config:"
        f' {{str_replace: {{template: "#!/bin/sh\\necho $x\\n", params: {{$x: one{number}}}}}}}\n'
        f"  run{number}:\n    type: OS::Heat::SoftwareDeployment\n"
        f"    properties: {{config: {{get_resource: text{number}}}, server: {{get_resource: web}}}}\n"
        for number in (1, 2)
    )
    server = TEMPLATE.replace("      image: good\n", "      image: good\n      user_data_format: SOFTWARE_CONFIG\n")
    source = server.replace("outputs:", f"{rows}outputs:")
    made = convert(source)
    assert len(made.files) == 2
    edited = {name: text.replace("one", "two") for name, text in made.files.items()}
    back = convert(made.text, "cloudify", "hot", beside=edited)
    assert back.text == source.replace("one1", "two1").replace("one2", "two2")
    assert findings(back) == [("BPC626", ("metadata",))] * 2
    assert [one.message.split("'")[1] for one in back.diagnostics] == list(made.files)


@pytest.mark.parametrize(
    ("target", "old", "new", "place"),
    [
        ("tosca", "openstack.cinder.Volume", "tosca.nodes.Root", "size"),
        ("tosca", "openstack.neutron.Subnet", "openstack.cinder.Volume", "cidr"),
    ],
)
def test_properties_that_the_new_type_of_a_node_does_not_have(target: str, old: str, new: str, place: str) -> None:
    """As without the record: whatever comes back, nothing deploys what stands there."""
    source = """heat_template_version: 2018-08-31
resources:
  v: {type: OS::Cinder::Volume, properties: {size: 4}}
  sn: {type: OS::Neutron::Subnet, properties: {network: n, cidr: 10.0.0.0/24}}
"""
    made = convert(source, "hot", target).text
    assert made.count(f"type: {old}\n") == 1
    back = convert(made.replace(f"type: {old}\n", f"type: {new}\n"), target, "hot")
    errors = [item for item in back.diagnostics if item.code == "BPC170"]
    assert place in {str(item.path[-1]) for item in errors}
    assert len({item.path for item in errors}) == len(errors)
