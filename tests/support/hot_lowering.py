"""What the tests of the lowering to HOT share: a topology made by hand, lowered, and the result checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.files import Files
from bpconvert.models.hot_checks import check_names, check_version
from bpconvert.models.plain import hot, validate
from bpconvert.models.topology import Input, Node, Operation, Output, Topology
from bpconvert.options import Options
from bpconvert.render import render
from bpconvert.translators import passes
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.capabilities import CAPABILITIES as cloudify
from bpconvert.translators.hot.capabilities import CAPABILITIES as hot_capabilities
from bpconvert.translators.hot.write.template import from_topology
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import Document, load

LIFECYCLE = "cloudify.interfaces.lifecycle"


class Made(NamedTuple):
    """A lowered topology: the template as it is read back from its text, and what was reported."""

    data: Any
    lowered: Lowered
    diagnostics: list[Diagnostic]

    def codes(self) -> list[str]:
        """The codes of the diagnostics, in order."""
        return [found.code for found in self.diagnostics]

    def paths(self, code: str) -> list[tuple[Any, ...]]:
        """Where ``code`` was reported."""
        return [found.path for found in self.diagnostics if found.code == code]


def topology(*parts: Any, **fields: Any) -> Topology:
    """A blueprint's topology of the given inputs, nodes and outputs."""
    made = Topology("cloudify", "cloudify_dsl_1_3", **fields)
    for part in parts:
        kind = {Input: "inputs", Node: "nodes", Output: "outputs"}[type(part)]
        section = {"nodes": "node_templates"}.get(kind, kind)
        part.path = part.path or (section, part.name)
        getattr(made, kind)[part.name] = part
        for operation in getattr(part, "operations", ()):
            operation.path = operation.path or (*part.path, "interfaces", operation.interface, operation.name)
    return made


def operation(name: str, implementation: str, **fields: Any) -> Operation:
    """An operation of a node's life."""
    return Operation(fields.pop("interface", LIFECYCLE), name, implementation, **fields)


def request_of(
    document: Document, reporter: Reporter | None = None, folder: Path | None = None, origin: Any = None, **options: Any
) -> Request:
    """What the conversion of a blueprint to HOT is asked for."""
    own, files = reporter or Reporter(document, engines=("Cloudify", "Heat")), Files(folder)
    return Request(cloudify, hot_capabilities, builtin(), document, own, Options(**options), files, origin)


def lowered(source: Topology, text: str = "{}\n", folder: Path | None = None, **options: Any) -> Made:
    """The template of a topology; it is one that Heat's rules allow."""
    document = load(text, "blueprint.yaml")
    reporter = Reporter(document, engines=("Cloudify", "Heat"))
    request = request_of(document, reporter, folder, **options)
    result = from_topology(passes.run(source, request), request)
    data = load(render("hot.yaml.j2", result.data), "template.yaml").data
    assert data == result.data
    template, problems = validate(hot.Template, data)
    assert [*problems, *check_version(template), *check_names(template)] == []
    return Made(data, result, reporter.diagnostics)
