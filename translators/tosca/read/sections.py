"""Sections of a service template that have no neutral form: what is lost, entry by entry.

Every key of :class:`~bpconvert.models.tosca.ServiceTemplate` is in :data:`READ`, or in a table here with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.models.plain import tosca
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca import edges, template_metadata
from bpconvert.translators.tosca.read.reading import PlacedFindings
from bpconvert.translators.tosca.vocabulary import HEAT_NAME, TYPE_SECTIONS, heat_name, shown
from bpconvert.translators.toscalike.unused import unused
from bpconvert.yamlio.document import Document

#: sections that readers put into the topology, or report themselves
READ: Final = frozenset({
    "tosca_definitions_version", "description", "imports", "inputs", "outputs", "node_templates", "groups", "policies",
    "relationship_templates", "substitution_mappings", "workflows",
})  # fmt: skip
#: section -> why it changes nothing of what is deployed
WITHOUT_EFFECT: Final[Mapping[str, str]] = {
    "namespace": "it is for documents that import this one",
    "tosca_default_namespace": "it is for documents that import this one",
    "profile": "it is for documents that import this one",
    "template_name": "it is for readers",
    "template_author": "it is for readers",
    "template_version": "it is for readers",
    "metadata": "it is for readers",
    "annotation_types": "annotations are for readers",
    "repositories": "files are looked for beside the document",
}
#: section -> what is missing without it
MISSING: Final[Mapping[str, str]] = {
    "functions": "nothing computes what it would",
}
#: sections whose entries are looked up by others
DEFINITIONS: Final = TYPE_SECTIONS
#: the section whose parts aliases put elsewhere
ALIASED: Final = "dsl_definitions"
#: sections that have others in them, and what else they may have
BODIES: Final = ("topology_template", "service_template")
#: keys of metadata that a conversion writes
_OURS: Final = (template_metadata.NODE_KEY, template_metadata.DOCUMENT_KEY)


def report_sections(document: Document, template: tosca.ServiceTemplate, findings: PlacedFindings) -> None:
    """Report every entry of the sections that have no neutral form. ``document``: the main one; what is imported from
    others is reported with the import."""
    data = document.data
    for code, table in (("BPC147", WITHOUT_EFFECT), ("BPC854", MISSING)):
        for section, why in table.items():
            for path in _entries(data, section):
                findings.report(code, path, what=_name_of_path(path), why=why)
    for section in DEFINITIONS:
        for name, entry in entries(data, section).items():
            if not _is_ours(name, entry):
                findings.report("BPC149", (section, name), name=name)
    for section in ("node_templates", "relationship_templates"):
        for name, entry in entries(data, section).items():
            if isinstance(entry, dict) and "copy" in entry:
                findings.report("BPC149", (section, name, "copy"), name=entry["copy"])
    for name in unused(document.tree, ALIASED):
        findings.report("BPC147", (ALIASED, name), what=_name_of_path((ALIASED, name)), why="nothing uses it")
    for body in BODIES:
        for key in entries(data, body):
            if key != "description" or template.description is not None:
                findings.report("BPC147", (body, key), what=_name_of_path((body, key)), why="it is for readers")


def _is_ours(name: str, entry: Any) -> bool:
    """True for a type that stands for a resource, as a conversion defines it."""
    is_known = heat_name(name) is not None or shown([name]) is not None or name == edges.ATTACHES
    return is_known or HEAT_NAME in entries(entry, "metadata")


def _entries(data: Mapping[str, Any], section: str) -> Iterator[Path]:
    """The entries of a section, or the section itself where it is none of a map."""
    section_data = data.get(section)
    if isinstance(section_data, dict):
        names = [name for name in section_data if section != "metadata" or name not in _OURS]
        yield from [(section, name) for name in names] if section != "metadata" or len(names) == 1 else [(section,)]
    elif section_data is not None:
        yield (section,)


def _name_of_path(path: Path) -> str:
    """What messages call an entry."""
    return f"'{path[1]}' of '{path[0]}'" if len(path) > 1 else f"section '{path[0]}'"
