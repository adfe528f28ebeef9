"""TOSCA service template to the neutral topology."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import tosca
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.topology import Output, Topology
from bpconvert.models.validation import validate
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.findings import Findings
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.read.declarations import read_input
from bpconvert.translators.tosca.read.nodes import neutralise
from bpconvert.translators.tosca.read.raw import NodeReader
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.types import Types
from bpconvert.yamlio.document import Document

#: code -> the capability of a language that keeps what it is about
NAMES: Final[dict[str, str]] = {}


def to_topology(document: Document, catalogue: Catalogue, reporter: Reporter, files: Files) -> Topology:
    """The neutral form of a service template. Mistakes that engines would refuse are reported, everything else is
    read; what has no neutral form is a feature of the topology."""
    template, problems = validate(tosca.ServiceTemplate, document.data)
    for problem in problems:
        reporter.report("BPC120" if problem.removed else "BPC121", problem.path, problem=problem.text)
    findings = Findings(reporter, NAMES)
    topology = Topology(DIALECT, template.tosca_definitions_version or "", template.description)
    topology.features = findings.features
    reading = Reading(topology, template, findings)
    types = Types(document.data)
    for name, declared in template.inputs.items():
        topology.inputs[name] = read_input(declared, reading, name)
    raw = NodeReader(template, types, reading).nodes()
    for name, output in template.outputs.items():
        topology.outputs[name] = _output(name, output, reading)
    neutralise(topology, raw, types, catalogue, reading)
    reading.finish()
    return topology


def _output(name: str, output: tosca.Output, reading: Reading) -> Output:
    path: Path = ("outputs", name)
    more = reading.kept_entry("outputs", name)
    value = reading.value(output.value, (*path, "value"), more.get("value"))
    made = Output(name, value, output.description, path=path)
    if "condition" in more:
        made.condition = reading.kept_value(more["condition"], path)
    extra = reading.kept_value(more.get("extra", {}), path)
    made.extra = extra if extra is not MISSING else {}
    return made
