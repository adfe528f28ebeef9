"""What the metadata keeps of what the blueprint was made of: see :mod:`~.cloudify.blueprint_metadata`."""

from __future__ import annotations

from bpconvert.models.plain import cloudify
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.blueprint_metadata import read
from bpconvert.translators.provenance import keeping
from bpconvert.translators.provenance.metadata_text import KEY
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries
from bpconvert.translators.toscalike.imports import Combined


def restore(
    topology: Topology, blueprint: cloudify.Blueprint, combined: Combined, catalogue: Catalogue, reporter: Reports
) -> None:
    """Give the topology what the metadata keeps (:func:`~.keeping.restore`)."""
    kept, place = read(combined.data.get("metadata")), combined.place(("metadata", KEY))
    if kept is None:
        reporter.report("BPC880", place)
        return
    types = {name: str(template.type) for name, template in blueprint.node_templates.items()}
    inputs, outputs = (entries(combined.data, section) for section in ("inputs", "outputs"))
    keeping.restore(topology, kept, keeping.Present(inputs, outputs, types, place), catalogue, reporter)
