"""What the metadata keeps of what the blueprint was made of: see :mod:`~.cloudify.unwritten`."""

from __future__ import annotations

from bpconvert.models.plain import cloudify
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.unwritten import read
from bpconvert.translators.provenance import keeping
from bpconvert.translators.provenance.unwritten import KEY
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
    outputs = entries(combined.data, "outputs")
    present = keeping.Present(
        entries(combined.data, "inputs"),
        {name: output.get("value") for name, output in outputs.items() if isinstance(output, dict)},
        {name: str(template.type) for name, template in blueprint.node_templates.items()},
        place,
    )
    keeping.restore(topology, kept, present, catalogue, reporter)
