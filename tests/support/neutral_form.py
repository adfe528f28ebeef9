"""Blueprints in neutral form, for the tests of the nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.files import Files
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.read.blueprint import to_topology
from bpconvert.yamlio.document import load

V3 = "cloudify.nodes.openstack."
V2 = "cloudify.openstack.nodes."
UUID = "3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11"
#: the rules that OpenStack gives to every group
DEFAULT_RULES = [{"direction": "egress"}, {"direction": "egress", "ethertype": "IPv6"}]
REL = "cloudify.relationships."


class Lifted(NamedTuple):
    topology: Topology
    diagnostics: list[Diagnostic]

    def node(self, name: str) -> Node:
        return self.topology.nodes[name]

    def properties(self, name: str) -> dict[str, Any]:
        return self.topology.nodes[name].properties

    @property
    def told(self) -> list[tuple[str, str]]:
        """Code and place of what this part reports."""
        own = ("BPC301", "BPC35", "BPC36", "BPC37", "BPC40", "BPC41", "BPC424", "BPC425", "BPC426", "BPC427")
        found = [d for d in self.diagnostics if d.code.startswith(own) and d.code != "BPC350"]
        return [(d.code, ".".join(map(str, d.path))) for d in found]


def lifted(nodes: str, rest: str = "") -> Lifted:
    """The topology of a blueprint with these node templates."""
    body = "".join(f"  {line}\n" for line in nodes.strip("\n").splitlines())
    text = (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports:\n  - cloudify/types/types.yaml\n"
        f"  - plugin:cloudify-openstack-plugin\n{rest}\nnode_templates:\n{body}"
    )
    document = load(text, "blueprint.yaml")
    reporter = Reporter(document, engines=("Cloudify", "Heat"))
    topology = to_topology(document, builtin(), reporter, Files(Path("/nowhere")))
    for one in topology.features:
        reporter.report(one.code, one.path, **one.texts)
    return Lifted(topology, reporter.diagnostics)


def one(type_name: str, properties: str, rest: str = "") -> Lifted:
    """One node ``n`` with the properties of a flow map."""
    return lifted(f"n: {{type: {type_name}, properties: {properties}}}", rest)


def related(source: str, target: str, relationship: str, properties: str = "{}") -> Lifted:
    return lifted(
        f"t: {{type: {target}}}\n"
        f"s: {{type: {source}, properties: {properties}, relationships: [{{type: {relationship}, target: t}}]}}"
    )


def both(
    source: str, target: str, relationship: str = f"{REL}depends_on", own: str = "{}", other: str = "{}"
) -> Lifted:
    """Nodes ``s`` and ``t`` of these types and properties, a relationship from one to the other, and input ``x``."""
    return lifted(
        f"t: {{type: {target}, properties: {other}}}\n"
        f"s: {{type: {source}, properties: {own}, relationships: [{{type: {relationship}, target: t}}]}}",
        "inputs: {x: {}}",
    )


def server_with(nodes: str, relationships: list[tuple[str, str]], properties: str = "{}", types: str = V3) -> Lifted:
    """These nodes, and a server ``s`` with relationships (type, target), and input ``x``."""
    found = ", ".join(f"{{type: {kind}, target: {target}}}" for kind, target in relationships)
    return lifted(
        f"{nodes}\ns: {{type: {types}Server, properties: {properties}, relationships: [{found}]}}", "inputs: {x: {}}"
    )
