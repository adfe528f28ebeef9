"""A kept source that lacks what stands in the document, with and without an edit of that."""

from __future__ import annotations

import json
from typing import Any

import pytest
from checkout import ROOT
from forging import Record, changed, forged, text, with_text

from bpconvert import Result, convert

NET = "  net: {type: cloudify.nodes.openstack.Network, properties: {resource_config: {name: a}}}\n"
SUBNET = (
    "  %s: {type: cloudify.nodes.openstack.Subnet, properties: {resource_config: {cidr: %s}},\n"
    "    relationships: [{type: cloudify.relationships.contained_in, target: net}]}\n"
)
BLUEPRINT = (
    "tosca_definitions_version: cloudify_dsl_1_3\n"
    "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]\nnode_templates:\n"
) + NET + SUBNET % ("one", "10.0.0.0/24") + SUBNET % ("two", "10.1.0.0/24")  # fmt: skip


def findings(back: Result) -> list[tuple[str, tuple[Any, ...]]]:
    return [(one.code, one.path) for one in back.diagnostics if one.code.startswith("BPC6")]


@pytest.mark.parametrize("is_edited", [False, True])
@pytest.mark.parametrize(
    ("via", "section", "place", "without"),
    [
        ("hot", "resources", ("resources", "bpconvert_sidecar"), "parameters.one_network, parameters.two_network"),
        (
            "tosca",
            "node_templates",
            ("metadata", "bpconvert"),
            "node_types.openstack.neutron.Net, node_types.openstack.neutron.Subnet",
        ),
    ],
)
def test_a_node_that_the_source_lacks(
    via: str, section: str, place: tuple[str, str], without: str, is_edited: bool
) -> None:
    """It comes back as it stands, and what the source becomes without it is told at once."""
    made = changed(convert(BLUEPRINT, "cloudify", via).text, text(NET, ""))
    back = convert(made.replace("10.1.0.0", "10.2.0.0", 1) if is_edited else made, via, "cloudify")
    range_of_two = "10.2.0.0" if is_edited else "10.1.0.0"
    head, net = back.text.split("  net:\n")
    assert head == BLUEPRINT.replace(NET, "").replace("10.1.0.0", range_of_two)
    assert "name: a" in net
    assert findings(back) == [
        ("BPC660", (section, "net")),
        ("BPC660", (section, "one")),
        ("BPC620" if is_edited else "BPC660", (section, "two")),
        ("BPC662", place),
    ]
    assert f" than {without}, and has no place" in back.diagnostics[-1].message


@pytest.mark.parametrize(
    ("case", "kind", "place", "names"),
    [
        ("cfy/scaled-and-connected", "less", ("node_templates", "net"), ["idle", "web"]),
        ("tosca/selected-by-its-id", "less", ("topology_template", "node_templates", "db"), ["web"]),
        (
            "tosca/playbooks-that-publish",
            "value",
            ("topology_template", "node_templates", "web", "requirements", 1, "store", "node"),
            ["store_create_config", "web_configure_deploy", "web_store_connect_config"],
        ),
    ],
)
def test_a_source_that_is_farther_than_the_document_itself(
    case: str, kind: str, place: tuple[Any, ...], names: list[str]
) -> None:
    """Nothing of it comes back, whatever could be written anew in it."""
    dialect = {"cfy": "cloudify"}.get(case[:3], "tosca")
    source = ROOT / "corpus" / case / ("blueprint.yaml" if dialect == "cloudify" else "tosca.yaml")
    evil = forged(source.read_text("utf-8"), kind, place)
    made, files = with_text(convert(source, dialect, "hot"), "hot", evil, "")
    back = convert(made, "hot", dialect, beside=files)
    reported = [one for one in back.diagnostics if "BPC620" <= one.code <= "BPC669"]
    assert [(one.code, one.path) for one in reported] == [("BPC658", ("resources", "bpconvert_sidecar"))]
    listed = ", ".join(f"resources.{name}" for name in names)
    assert f" becomes something else than {listed}: " in reported[0].message
    plain = convert(made, "hot", dialect, beside=files, carry=False)
    assert {**back.document, "metadata": {}} == {**plain.document, "metadata": {}}


@pytest.mark.parametrize("name", ["../run.sh", "/run.sh", ".hidden/run.sh", "a/../run.sh"])
def test_files_that_a_record_cannot_name_are_not_looked_at(name: str) -> None:
    def change(_: Any, record: Record) -> None:
        record["bundle"] = json.dumps({name: "0123456789ab"})

    made = changed(convert(BLUEPRINT, "cloudify", "hot").text, change)
    back = convert(made.replace("10.1.0.0", "10.2.0.0", 1), "hot", "cloudify")
    assert back.text == BLUEPRINT.replace("10.1.0.0", "10.2.0.0")
    assert findings(back) == [("BPC620", ("resources", "two"))]
