"""Cloudify blueprint to the neutral topology."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.checks import Problem
from bpconvert.models.cloudify_checks import check_blueprint
from bpconvert.models.expressions import SCALARS, Expr, Input, Path, Value, walk
from bpconvert.models.light import NamedTuple
from bpconvert.models.plain import cloudify, validate
from bpconvert.models.topology import Output, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.cloudify.openstack.network import without_gateway
from bpconvert.translators.cloudify.read import branches, kept, playbook_nodes
from bpconvert.translators.cloudify.read import nodes as neutral
from bpconvert.translators.cloudify.read.changes import add_changes
from bpconvert.translators.cloudify.read.computed_values import (
    leave_out_calls,
    number_members,
    open_lookups,
    open_values,
)
from bpconvert.translators.cloudify.read.declarations import read_input
from bpconvert.translators.cloudify.read.imports import combine
from bpconvert.translators.cloudify.read.node_templates import NodeReader
from bpconvert.translators.cloudify.read.scaling import name_groups, scale_groups
from bpconvert.translators.cloudify.read.sections import report_sections, report_unused
from bpconvert.translators.cloudify.read.types import Types
from bpconvert.translators.cloudify.vocabulary import RELATIVE
from bpconvert.translators.support.findings import Findings, Reports
from bpconvert.translators.toscalike.imports import Combined
from bpconvert.translators.toscalike.node_templates import NODE_REFERENCES, RawNode
from bpconvert.translators.toscalike.scaling import add_groups, join_groups
from bpconvert.translators.toscalike.types import NODE, RELATIONSHIP, Read
from bpconvert.yamlio.document import Document

_FEATURES: Final[dict[str, tuple[str, ...]]] = {
    # sections, and what is for the manager
    "imports": ("BPC134", "BPC140"),
    "type_definitions": ("BPC149",),
    "annotations": ("BPC147",),
    "workflows": ("BPC148",),
    "plugin_settings": ("BPC146",),
    "input_checks": ("BPC520", "BPC521"),
    # node templates
    "relationship_properties": ("BPC150",),
    "scaling_limits": ("BPC152", "BPC154"),
    "operations_of_types": ("BPC153", "BPC430", "BPC366", "BPC367", "BPC370", "BPC371"),
    "choices_by_index": ("BPC227", "BPC265", "BPC420", "BPC421", "BPC422", "BPC423"),
    "components": ("BPC329", "BPC767", "BPC769", "BPC774", "BPC775"),
    # what the OpenStack plugin makes of them
    "connections": ("BPC350", "BPC363", "BPC372"),
    "plugin_properties": (
        "BPC301", "BPC306", "BPC341", "BPC342", "BPC343", "BPC351", "BPC352", "BPC353", "BPC355", "BPC357", "BPC358",
        "BPC359", "BPC362", "BPC364", "BPC365", "BPC369", "BPC373", "BPC374", "BPC383", "BPC389", "BPC425", "BPC426",
        "BPC427", "BPC712", "BPC713", "BPC715", "BPC717",
    ),
    "plugin_attributes": ("BPC360", "BPC361"),
    "plugin_relationships": (
        "BPC375", "BPC379", "BPC408", "BPC409", "BPC410", "BPC411", "BPC412", "BPC413", "BPC414", "BPC415", "BPC416",
        "BPC417", "BPC419", "BPC424",
    ),
    "existing_resources": ("BPC356", "BPC418"),
    "addresses of machines": ("BPC439",),
    "keys_of_the_manager": ("BPC324", "BPC325", "BPC326", "BPC327", "BPC328"),
}  # fmt: skip
#: code -> capability
NAMES: Final = {code: name for name, codes in _FEATURES.items() for code in codes}


class Raw(NamedTuple):
    """A blueprint as it was read: the ``topology`` without its nodes, which are as written yet. ``findings`` takes what
    is found later."""

    combined: Combined
    blueprint: cloudify.Blueprint
    topology: Topology
    nodes: dict[str, RawNode]
    read: Read
    findings: Findings


def to_topology(
    document: Document,
    catalogue: Catalogue,
    reporter: Reporter,
    files: Files,
    seen: Callable[[Raw], None] | None = None,
) -> Topology:
    """The neutral form of a blueprint and all that it imports. Errors that the parser would refuse are reported,
    everything else is read; what has no neutral form is a feature of the topology.

    ``document`` is a map (the caller has made sure). What comes from an imported file has the path of the import.
    ``seen``: is given what was read."""
    written = read_blueprint(document, reporter, files)
    if seen is not None:
        seen(written)
    combined, blueprint, topology, raw, read, findings = written
    open_values(topology, raw, lambda name: files.look(name)[0])
    number_members(topology, raw, lambda name: files.look(name)[0], reporter)
    open_lookups(topology, raw, lambda name: files.look(name)[0])
    leave_out_calls(raw, lambda name: files.look(name)[0])
    playbook_nodes.complete(raw.values(), findings)
    groups = scale_groups(blueprint, combined, raw, read, findings)
    report_sections(combined, blueprint, findings)
    report_unused(document.data, findings)
    integers = [name for name, declared in blueprint.inputs.items() if declared.type == "integer"]
    used = branches.open_maps(topology, raw.values(), findings, integers)
    neutral.neutralise(topology, raw, catalogue, findings, files)
    add_groups(topology, groups, raw)
    branches.fold_branches(topology, findings, integers, used)
    without_gateway(topology)
    join_groups(topology)
    name_groups(topology, groups, raw)
    add_changes(topology, blueprint, combined, findings)
    kept.restore(topology, blueprint, combined, catalogue, findings)
    return topology


def read_blueprint(document: Document, reporter: Reporter, files: Files, types: Callable[..., Types] = Types) -> Raw:
    """A blueprint and all that it imports, before it is put into neutral words. ``types``: makes the table of types, of
    what :class:`~.node_types.Types` is made of. Errors that the parser would refuse are reported."""
    findings = Findings(reporter, NAMES)
    combined = combine(document, files, findings)
    blueprint, problems = validate(cloudify.Blueprint, combined.data)
    problems += check_blueprint(blueprint)
    reading = Reading(combined, blueprint, findings)
    for problem in problems:
        reading.refuse(problem.path, problem.text, "BPC120" if problem.removed else "BPC121")
    table = types(blueprint, combined.libraries, reading.value, reading.refuse, combined.complete)
    topology = Topology("cloudify", blueprint.tosca_definitions_version or "", blueprint.description)
    topology.features, topology.uncomputable = findings.features, reading.refused
    for name, declared in blueprint.inputs.items():
        place = combined.place(("inputs", name))
        declared_input = topology.inputs[name] = read_input(name, declared, place, table, reading.value, findings)
        written = combined.data["inputs"][name]
        declared_input.guessed = place[:1] == ("inputs",) and isinstance(written, dict) and "type" not in written
    _report_circles(topology, findings)
    raw = NodeReader(blueprint, combined, table, reading.value, findings).nodes()
    if combined.partial:
        topology.unread = {name for name, node in raw.items() if node.type and not table.is_known(NODE, node.type)}
    used = {str(entry.type) for node in raw.values() for entry in node.relationships}
    is_known = not topology.unread and all(table.is_known(RELATIONSHIP, name) for name in used)
    for section, outputs in (("outputs", blueprint.outputs), ("capabilities", blueprint.capabilities)):
        for name, output in outputs.items():
            value = reading.value(output.value, (section, name, "value"))
            read_output = Output(name, value, output.description, path=combined.place((section, name)))
            getattr(topology, section)[name] = read_output
    combined.report(findings, is_known=is_known and not reading.missing and types is Types)
    return Raw(combined, blueprint, topology, raw, reading.value, findings)


def _report_circles(topology: Topology, reporter: Reports) -> None:
    """Report the inputs whose defaults lead in a circle: the engine works on one forever. A default that is the input
    itself it leaves as it is."""
    uses = {
        name: {e.name for e in walk(declared.default) if isinstance(e, Input) and isinstance(e.name, str)} - {name}
        for name, declared in topology.inputs.items()
    }
    left = dict(uses)
    while free := [name for name, targets in left.items() if left.keys().isdisjoint(targets)]:
        for name in free:
            del left[name]
    for name in left:
        place = (*topology.inputs[name].path, "default")
        topology.uncomputable.add(place)
        reporter.report("BPC156", place, problem=f"the default of '{name}' leads into a circle")


class Reading:
    """Reads values of the blueprint: calls become expressions whose path is a place in the main document."""

    def __init__(self, combined: Combined, blueprint: cloudify.Blueprint, reporter: Reports) -> None:
        self.combined = combined
        self.blueprint = blueprint
        self.reporter = reporter
        #: places of calls that the parser refuses
        self.refused: set[Path] = set()
        #: references to what an import that cannot be read may have
        self.missing: list[str] = []

    def value(self, raw: Any, path: Path) -> Value:
        """The value ``raw`` at ``path`` of the combined blueprint."""
        if type(raw) in SCALARS:
            return raw
        problems: list[Problem] = []
        value = read_value(raw, path, problems)
        place = self.combined.place(path)
        for problem in problems:
            at = self.combined.place(problem.path)
            self.refused.add(at)
            self.reporter.report("BPC156", at, problem=problem.text)
        for expr in walk(value):
            if place != path:
                expr.path = self.combined.place(expr.path)
            if path[:1] != ("inputs",):  # the parser does not look into defaults
                self._check(expr)
        return value

    def _check(self, expr: Expr) -> None:
        """Report a reference to an input or a node that the blueprint does not have."""
        problem = ""
        if isinstance(expr, Input) and isinstance(expr.name, str) and expr.name not in self.blueprint.inputs:
            problem = f"there is no input '{expr.name}'"
        if isinstance(expr, NODE_REFERENCES) and isinstance(expr.node, str) and expr.node not in RELATIVE:
            problem = "" if expr.node in self.blueprint.node_templates else f"there is no node '{expr.node}'"
        if problem and self.combined.partial:
            self.missing.append(problem)
        elif problem:
            self.reporter.report("BPC121", expr.path, problem=problem)

    def refuse(self, path: Path, text: str, code: str = "BPC121") -> None:
        """Report what the parser refuses at ``path`` of the combined blueprint."""
        self.reporter.report(code, self.combined.place(path), problem=text)
