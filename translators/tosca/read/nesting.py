"""Node templates whose type stands for another document, and what a document says about the type that it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpconvert.files import CannotNest, Files
from bpconvert.models.expressions import Path
from bpconvert.models.plain import tosca
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.tosca.read import substitution
from bpconvert.translators.tosca.read.imports import CombinedTemplates
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.types import NODE, Types
from bpconvert.translators.tosca.vocabulary import HEAT_NAME

_SECTION: Final = "substitution_mappings"
_ENDINGS: Final = (".yaml", ".yml", ".template")


def add_nested(topology: Topology, raw: Mapping[str, RawNode], types: Types, files: Files, reading: Reading) -> None:
    """Let the nodes nest the documents that their types stand for. What cannot be nested is reported, and stays a node
    of this type."""
    topologies = reading.combined.topologies if isinstance(reading.combined, CombinedTemplates) else []
    used: set[str] = set()
    for name, raw_node in raw.items():
        node, file = topology.nodes.get(name), document_of(raw_node, types)
        if node is None:
            continue
        stands = substitution.topology_for(raw_node, node, types, reading, topologies) if file is None else None
        file = stands.file if stands is not None else file
        if file is None:
            continue
        if not _nest(node, file, (*raw_node.path, "type"), files, reading):
            continue
        if stands is not None:
            used |= {topology.file for topology in topologies if topology.type == stands.type}  # others: one is chosen
            substitution.become(node, raw_node, stands, types, topology.nodes, reading)
        else:
            _become(node, raw_node, file)
    substitution.report_unused(topologies, used, reading)


def _nest(node: Node, file: str, place: Path, files: Files, reading: Reading) -> bool:
    """Let a node nest a document; False for one that cannot be nested, which is reported."""
    if files.opener is None and files.look(file)[0] is not None:
        return True  # whoever reads does not convert
    try:
        node.nested = files.nested(file, node.name)
    except CannotNest as problem:
        reading.findings.report(problem.code, place, **problem.texts)
        node.not_nested = True
    return node.nested is not None


def document_of(raw: RawNode, types: Types) -> str | None:
    """The file that the type of a node stands for; None where it stands for none."""
    for name in raw.ancestry:
        metadata = (types.definition(NODE, name) or {}).get("metadata")
        heat_name_given = metadata.get(HEAT_NAME) if isinstance(metadata, dict) else None
        if isinstance(heat_name_given, str):
            return heat_name_given if heat_name_given.endswith(_ENDINGS) else None
    return None


def _become(node: Node, raw: RawNode, file: str) -> None:
    node.shows, node.kind, node.source_type, node.role = None, None, file, ""
    node.properties = dict(raw.properties)
    node.origins = {}


def report(template: tosca.ServiceTemplate, files: Files, reading: Reading) -> None:
    """What is only for an orchestrator: workflows, and that a topology stands for nodes of another document where none
    nests it."""
    findings = reading.findings
    for name in template.workflows if isinstance(template.workflows, dict) else ():
        findings.report("BPC837", ("workflows", name), name=name)
    mapped = template.substitution_mappings
    if not isinstance(mapped, dict) or files.inner:
        mapped = {}
    if mapped:
        findings.report("BPC838", (_SECTION,), type=mapped.get("node_type", ""))
