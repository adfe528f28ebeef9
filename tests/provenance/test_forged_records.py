"""The kept source is believed where it yields what stands in the document, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from forging import Record, changed, text

from bpconvert import Result, convert
from bpconvert.translators.provenance import parts
from bpconvert.translators.provenance.carry import digest
from bpconvert.yamlio.document import load

HOT = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: small}   # how big
resources:
  net: {type: OS::Neutron::Net, properties: {name: mine}}
  # the machine
  web:
    type: OS::Nova::Server
    properties: {flavor: {get_param: size}, image: good, networks: [{network: {get_resource: net}}], user_data: hello}
outputs:
  o: {value: {get_attr: [web, first_address]}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs:
  size: {default: small}   # how big
node_templates:
  net: {type: cloudify.nodes.openstack.Network, properties: {resource_config: {name: mine}}}
  # the machine
  web: {type: cloudify.nodes.openstack.Server, properties: {flavor: {get_input: size}, image: good}}
"""
#: what is made of what
WAYS = [
    ("hot", "cloudify", HOT),
    ("hot", "tosca", HOT),
    ("cloudify", "hot", BLUEPRINT),
    ("cloudify", "tosca", BLUEPRINT),
]


def codes(result: Result) -> list[str]:
    return [found.code for found in result.diagnostics if "BPC620" <= found.code <= "BPC669"]


@pytest.mark.parametrize(("source", "target", "written"), WAYS)
def test_what_was_not_changed_comes_back(source: str, target: str, written: str) -> None:
    back = convert(changed(convert(written, source, target).text, lambda *_: None), target, source)
    assert (back.text, codes(back)) == (written, [])


@pytest.mark.parametrize(("source", "target", "written"), WAYS)
@pytest.mark.parametrize("change", [text("image: good", "image: evil"), text("small", "evil"), text("mine", "evil")])
def test_another_value(source: str, target: str, written: str, change: Any) -> None:
    back = convert(changed(convert(written, source, target).text, change), target, source)
    assert set(codes(back)) == {"BPC660"}
    assert "evil" not in back.text
    assert "# the machine" in back.text
    assert not convert(back.text, source, target, carry=False).text.count("evil")


@pytest.mark.parametrize(("source", "target", "written"), WAYS)
def test_another_resource(source: str, target: str, written: str) -> None:
    net = "  net: {type: OS::Neutron::Net, properties: {name: mine}}\n"
    if source != "hot":
        net = "  net: {type: cloudify.nodes.openstack.Network, properties: {resource_config: {name: mine}}}\n"
    add = text(net, net + net.replace("net:", "evil:", 1))
    back = convert(changed(convert(written, source, target).text, add), target, source)
    assert "BPC661" in codes(back)
    assert (back.text, set(codes(back)) - {"BPC662"}) == (written, {"BPC661"})


def test_a_record_that_takes_another_resource_for_nothing() -> None:
    """The record itself says which entries the source became."""

    def change(_: Any, record: Record) -> None:
        text("outputs:", "  evil: {type: OS::Neutron::Net}\noutputs:")(_, record)
        record["made"] = json.dumps([[["resources", "evil"], []]])

    back = convert(changed(convert(HOT).text, change), "cloudify", "hot")
    assert (back.text, codes(back)) == (HOT, ["BPC661"])


def test_another_record_of_what_stands_there() -> None:
    """A record with the digests of another source: what stands there is not what was generated."""
    evil = load(convert(HOT.replace("good", "evil")).text).data

    def change(_: Any, record: Record) -> None:
        text("image: good", "image: evil")(_, record)
        record["digests"] = evil["metadata"]["bpconvert"]["digests"]

    back = convert(changed(convert(HOT).text, change), "cloudify", "hot")
    assert (codes(back), "evil" in back.text) == (["BPC620"], False)


@pytest.mark.parametrize("options", ['{"files": "nowhere"}', '{"types": ["x"]}', '{"params": 1}', "[]", '{"no": 1}'])
def test_options_that_are_none(options: str) -> None:
    def change(_: Any, record: Record) -> None:
        record["options"] = options

    made = changed(convert(HOT).text, change)
    assert codes(convert(made, "cloudify", "hot")) == ["BPC624"]


def test_another_text_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(HOT.replace("user_data: hello", "user_data: {get_file: run.sh}"))
    (tmp_path / "run.sh").write_text("echo mine\n")
    for files in ("inline", "copy"):
        made = convert(tmp_path / "t.yaml", files=files)
        evil = changed(made.text, lambda _, record: record.update(files=json.dumps({"run.sh": "echo evil\n"})))
        back = convert(evil, "cloudify", "hot", beside=made.files)
        assert set(codes(back)) & {"BPC626", "BPC660"}
        assert "evil" not in back.text
        assert "user_data: hello" not in back.text


def test_what_another_version_has_generated() -> None:
    """The record is true, but today something else is generated: what means the same comes back as it was."""

    def older(data: Any, record: Record) -> None:
        net = data["node_templates"]["net"]
        net["properties"]["use_external_resource"] = False  # the default of the type
        record["digests"] = parts.written_digests({**parts.digests(record), ("node_templates", "net"): digest(net)})

    back = convert(changed(convert(HOT).text, older), "cloudify", "hot")
    assert (back.text, codes(back)) == (HOT, ["BPC662"])

    def other(data: Any, record: Record) -> None:
        data["node_templates"]["net"]["properties"]["resource_config"]["description"] = "mine"
        older(data, record)

    back = convert(changed(convert(HOT).text, other), "cloudify", "hot")
    assert codes(back) == ["BPC660"]
    properties = load(back.text).data["resources"]["net"]["properties"]
    assert properties == {"name": "mine", "value_specs": {"description": "mine"}}


def test_options_that_are_not_kept(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("resource_registry: {My::Net: OS::Neutron::Net}\n")
    (tmp_path / "t.yaml").write_text(HOT.replace("OS::Neutron::Net", "My::Net"))
    made = convert(tmp_path / "t.yaml", environments=(str(tmp_path / "site.yaml"),))
    back = convert(made.text, "cloudify", "hot")
    assert back.text == (tmp_path / "t.yaml").read_text()
    assert [str(found.severity) for found in back.diagnostics if found.code == "BPC663"] == ["warning"]


def test_hidden_values_that_are_not_kept() -> None:
    hidden = HOT.replace("default: small", "default: small, hidden: true")
    made = convert(hidden, params={"size": "large"})
    assert "large" not in load(made.text).data["metadata"]["bpconvert"].get("options", "")
    back = convert(made.text, "cloudify", "hot")
    assert (back.text, codes(back)) == (hidden, ["BPC663"])


def test_a_forged_nested_template(tmp_path: Path) -> None:
    outer = "resources: {a: {type: in.yaml}}\noutputs: {o: {value: {get_attr: [a, x]}}}\n"
    (tmp_path / "t.yaml").write_text(f"heat_template_version: 2018-08-31\n{outer}")
    inner = HOT.replace("  o:", "  x:")
    (tmp_path / "in.yaml").write_text(inner)
    made = convert(tmp_path / "t.yaml")
    back = convert(made.text, "cloudify", "hot", beside=made.files)
    assert (back.files["in.yaml"], codes(back)) == (inner, [])
    evil = {"in.yaml": changed(made.files["in.yaml"], text("image: good", "image: evil"))}
    back = convert(made.text, "cloudify", "hot", beside={**made.files, **evil})
    assert "BPC660" in codes(back)
    assert "evil" not in back.files["in.yaml"]
    assert back.text == (tmp_path / "t.yaml").read_text()


def test_a_text_that_is_replaced_everywhere_is_replaced_in_the_source() -> None:
    """As ``sed`` does it with a whole file: the kept source changes with the document, and is still what it yields."""
    source = (
        "heat_template_version: 2018-08-31\n"
        "parameters: {size: {type: number, default: 3}}\n"
        "resources:\n"
        "  disk:  # of the shop\n"
        "    type: OS::Cinder::Volume\n"
        "    properties: {name: shop, size: {get_param: size}}\n"
    )
    made = convert(source, "hot", "cloudify").text
    replaced = convert(made.replace("shop", "store"), "cloudify", "hot")
    assert replaced.text == source.replace("shop", "store")
    assert codes(replaced) == ["BPC664"]
    # of the source alone: what stands in the document counts
    head, kept = made.split("metadata:")
    forged = convert(f"{head}metadata:{kept.replace('shop', 'store')}", "cloudify", "hot")
    assert "BPC624" in codes(forged)
    assert "name: shop" in forged.text


def test_what_stands_there_counts_where_the_source_has_no_place_for_it() -> None:
    """The forged source means something else, which is not at the place of what it became."""
    source = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net, properties: {name: mine}}
  disk: {type: OS::Cinder::Volume, properties: {size: 1}}
outputs:
  o: {value: {get_attr: [disk, size]}}
"""
    made = convert(source, "hot", "cloudify").text
    back = convert(changed(made, text("[disk, size]", "[disk, evil]")), "cloudify", "hot")
    assert "evil" not in back.text
    assert "BPC660" in codes(back)


@pytest.mark.parametrize(
    ("via", "old", "code"),
    [
        ("cloudify", "parameters: {host: {type: string, default: db}}\n", "BPC660"),
        ("tosca", "type: string, ", "BPC658"),
    ],
)
def test_a_source_without_a_place_for_what_stands_there_is_not_believed(via: str, old: str, code: str) -> None:
    """A parameter that the forged source does not declare, or not with a type."""
    source = (
        "heat_template_version: 2018-08-31\nparameters: {host: {type: string, default: db}}\n"
        "resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: host}}}}\n"
    )
    made = convert(source, "hot", via).text
    back = convert(changed(made, text(old, "")), via, "hot")
    assert codes(back) == [code]
    data = load(back.text).data
    assert data["parameters"]["host"]["default"] == "db"
    assert data["resources"]["net"]["properties"]["name"] == {"get_param": "host"}


@pytest.mark.parametrize("via", ["cloudify", "hot"])
def test_a_source_without_all_that_stands_there_is_not_believed(via: str) -> None:
    """The forged source has no topology template: what stands in the document has no place in it."""
    source = """\
tosca_definitions_version: tosca_simple_yaml_1_3
description: mine
topology_template:
  node_templates:
    disk: {type: openstack.cinder.Volume, properties: {size: 1}}
"""
    made = convert(source, "tosca", via).text
    forged = changed(made, text(source[source.index("topology_template") :], ""))
    back = convert(forged, via, "tosca")
    assert "BPC660" in codes(back)
    disk = load(back.text).data["topology_template"]["node_templates"]["disk"]
    assert disk["properties"]["size"] == 1


def test_a_file_that_nothing_names_any_more_does_not_come_back(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(HOT.replace("user_data: hello", "user_data: {get_file: run.sh}"))
    (tmp_path / "run.sh").write_text("echo mine\n")
    made = convert(tmp_path / "t.yaml")
    evil = changed(made.text, lambda _, record: record.update(files=json.dumps({"run.sh": "echo evil\n"})))
    back = convert(evil, "cloudify", "hot", beside=made.files)
    assert (list(back.files), "echo mine" in back.text) == ([], True)


def test_a_policy_that_is_taken_out_of_the_record_is_seen() -> None:
    """Its number is computed, so that it stands in the metadata of the node alone; as with earlier versions, but there
    the translation of today has a policy."""
    scaled = f"""{BLUEPRINT}groups: {{webs: {{members: [web]}}}}
policies:
  p: {{type: cloudify.policies.scaling, targets: [webs], properties: {{default_instances: {{get_input: [sizes, 0]}}}}}}
""".replace("inputs:\n", "inputs:\n  sizes: {type: list, default: [2, 4]}\n")
    made = convert(scaled, "cloudify", "tosca").text
    back = convert(changed(made, text("cloudify.policies.scaling", "evil")), "tosca", "cloudify")
    rows = [row for row in back.document["policies"].values() if row["type"] == "cloudify.policies.scaling"]
    assert [row["properties"]["default_instances"] for row in rows] == [{"get_input": ["sizes", 0]}]
    assert "BPC660" in codes(back)
