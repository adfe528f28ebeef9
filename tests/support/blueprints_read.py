"""Blueprints lifted, for the tests of reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.read.blueprint import to_topology
from bpconvert.translators.toscalike.node_templates import RawNode
from bpconvert.yamlio.document import load

HEAD = "tosca_definitions_version: cloudify_dsl_1_4\nimports: [cloudify/types/types.yaml]\n"
OPENSTACK = HEAD.replace("]", ", plugin:cloudify-openstack-plugin]")
COMPAT = OPENSTACK.replace("]", ", 'https://example.org/cloudify-openstack-plugin/3.3.0/compat.yaml']")
OPEN = HEAD.replace("]", ", plugin:mine]")
DATA = """
data_types:
  inner: {properties: {x: {default: 1}, y: {required: false}}}
  outer:
    properties:
      i: {type: inner, default: {y: 2}}
      j: {type: inner}
      k: {type: integer}
  more: {derived_from: outer, properties: {k: {type: integer, default: 7}, i: {type: inner, default: {x: 5}}}}
"""
Found = list[tuple[str, tuple[Any, ...]]]


class Lifted:
    """What came of a blueprint."""

    def __init__(self, topology: Topology, nodes: dict[str, RawNode], reporter: Reporter) -> None:
        self.topology = topology
        self.nodes = nodes
        self.diagnostics = reporter.diagnostics

    @property
    def found(self) -> Found:
        return [(d.code, d.path) for d in self.diagnostics]


def lift_with(nodes: dict[str, RawNode], text: str, head: str = HEAD, folder: Path | None = None) -> Lifted:
    """A blueprint read; ``nodes`` gets its raw nodes (the fixture ``nodes``)."""
    nodes.clear()
    document = load(head + text, "main.yaml")
    reporter = Reporter(document, engines=("Cloudify", "Heat"))
    topology = to_topology(document, builtin(), reporter, Files(folder))
    for one in topology.features:
        reporter.report(one.code, one.path, **one.texts)
    return Lifted(topology, dict(nodes), reporter)


def one_node(properties: str = "{}", type_: str = "t", more: str = "") -> str:
    return f"node_templates:\n  n:\n    type: {type_}\n    properties: {properties}\n{more}"
