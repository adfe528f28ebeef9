"""A service template against what the engines accept (tosca-parser, opera, puccini): an error is what all of them
refuse that can read the version.

Everything that reading reports as refused counts. Types are checked where all of their parents are known; of a document
with an import that is not read no type is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Final

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.diagnostics.suggest import guess
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.schemas import normative
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.places import items
from bpconvert.translators.tosca.check import interfaces
from bpconvert.translators.tosca.check.tosca_2_0 import document as document_2_0
from bpconvert.translators.tosca.check.values import Mistake, Values
from bpconvert.translators.tosca.interfaces import assigned
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.reading import PlacedFindings, Reading
from bpconvert.translators.tosca.read.service import Raw, read_template
from bpconvert.translators.tosca.read.types import CAPABILITY, GROUP, NODE, POLICY, RELATIONSHIP
from bpconvert.translators.tosca.template_metadata import keeps, seen
from bpconvert.translators.tosca.versions import VERSION_2_0, version
from bpconvert.translators.tosca.vocabulary import RELATIVE
from bpconvert.yamlio.document import Document

#: what reading reports that engines refuse, or that cannot be read
_MISTAKES: Final = ("BPC120", "BPC121", "BPC142", "BPC143", "BPC144", "BPC220", "BPC850", "BPC851", "BPC852", "BPC856")
#: kind of types -> what messages call one
_KINDS: Final = {NODE: "node type", RELATIONSHIP: "relationship type", GROUP: "group type", POLICY: "policy type"}
#: requirements of the standard's types that need not be fulfilled
_OPTIONAL: Final = ("dependency", "local_storage", "application", "storage", "network")
#: properties that types of the standard require in some versions and engines only: definition -> property
_LENIENT: Final = {
    ("tosca.nodes.Database", "name"), ("tosca.nodes.Abstract.Storage", "name"),
    ("tosca.nodes.Storage.BlockStorage", "name"), ("tosca.nodes.Storage.ObjectStorage", "name"),
    ("tosca.nodes.BlockStorage", "name"), ("tosca.nodes.ObjectStorage", "name"),
}  # fmt: skip
#: how types begin that engines have on their own, for drafts of profiles
_ENGINES: Final = (
    "tosca.nodes.nfv.", "tosca.relationships.nfv.", "tosca.capabilities.nfv.", "tosca.policies.nfv.",
    "tosca.policies.tacker.", "tosca.datatypes.tacker.",
)  # fmt: skip
#: words that are no node, in functions
_WORDS: Final = (*RELATIVE, "ORCHESTRATOR")


def check(
    document: Document, reporter: Reporter, files: Files, environments: Iterable[str], types: Catalogue | None
) -> None:
    """Report what engines refuse in a service template. ``environments`` and ``types`` do not count for it."""
    name = document.data.get("tosca_definitions_version") if isinstance(document.data, dict) else None
    if name == VERSION_2_0:
        document_2_0.check(document, reporter, files)
        return
    if isinstance(name, str) and not version(name).kin:
        reporter.report("BPC903", ("tosca_definitions_version",), name=name)
    reading = Reporter(document)
    raw = read_template(seen(document), reading, files)
    for finding in reading.diagnostics:
        if finding.code in _MISTAKES:
            reporter.record(finding)
    _Check(raw, reporter).run()


def names(
    raw: Raw,
    reads: Iterable[Diagnostic],
    document: Document,
    reporter: Reporter,
    files: Files,
    environments: Iterable[str],
    types: Catalogue | None,
) -> bool:
    """The errors of :func:`check` that suggest a name, of what the reader has read: ``raw``, and what it has found.
    False for what has another check, and where engines see something else."""
    if document.data.get("tosca_definitions_version") == VERSION_2_0 or keeps(document):
        return False
    for finding in reads:
        if finding.code in _MISTAKES:
            reporter.record(finding)
    combined, template = raw.reading.combined, raw.template
    findings = PlacedFindings(Reporter(document), {}, combined)  # the reader has reported what is found in values
    topology = copy(raw.topology)
    topology.uncomputable = set()
    reading = Reading(topology, template, findings, raw.reading.prefix, combined, files)
    _Check(raw._replace(reading=reading), reporter).run()
    return True


class _Check:
    """One service template that is being checked."""

    def __init__(self, raw: Raw, reporter: Reporter) -> None:
        self.raw = raw
        self.template = raw.template
        self.types = raw.types
        self.values = Values(raw.types)
        self.combined = raw.reading.combined
        self.reporter = reporter
        self.of_names = reporter.of_names
        self._used: set[str] = set()

    def run(self) -> None:
        """Check everything."""
        for node in self.raw.nodes.values():
            self._node(node)
        for name, template in self.template.relationship_templates.items():
            self._type(RELATIONSHIP, template.type, ("relationship_templates", name))
        self._members()
        for name, declared in self.template.inputs.items():
            row = {"type": declared.type, "entry_schema": declared.entry_schema}
            default = self.raw.topology.inputs[name].default if name in self.raw.topology.inputs else None
            if declared.default is not None and default is not ex.MISSING and isinstance(declared.type, str):
                self._add(self.values.check("default", declared.default, row), ("inputs", name, "default"))
        for name, output in self.template.outputs.items():
            place: Path = ("outputs", name, "value")
            self._calls(self.raw.reading.value(output.value, place), place, "")
        if not self.of_names:
            self._unused()

    def _report(self, code: str, path: Path, **texts: Any) -> None:
        self.reporter.report(code, self.combined.place(path), **texts)

    def _add(self, mistakes: Iterable[Mistake], path: Path) -> None:
        for mistake in mistakes:
            self._report(mistake.code, (*path, *mistake.path), **mistake.texts)

    def _type(self, kind: str, name: str, path: Path) -> bool:
        """True for a type of which everything is known; an unknown one is reported."""
        ancestry = self.types.ancestry(kind, name)
        if self.types.definition(kind, ancestry[-1]) is not None:
            return True
        last = ancestry[-1]
        if self.types.complete and not last.startswith(_ENGINES):
            own = self.combined.data.get(kind)
            names = [*(own if isinstance(own, dict) else ()), *normative().get(kind, {})]
            self._report("BPC856", (*path, "type"), kind=_KINDS[kind], name=last, guess=guess(last, names))
        return False

    # -- nodes ------------------------------------------------------------------------------------------------

    def _node(self, node: RawNode) -> None:
        for value, path in _values_of(node):
            self._calls(value, path, node.name)
        for requirement in node.requirements:
            if requirement.wanted and requirement.target is None:
                self._wanted(requirement.wanted, requirement.path)
        if not self._type(NODE, node.type, node.path):
            return
        full = node.ancestry[0]
        rows = {
            key: {**row, "required": False} if (path[1], key) in _LENIENT else row
            for key, (row, path) in self.types.properties(NODE, full).items()
        }
        mistakes = self.values.properties(full, node.properties, rows) if rows or node.properties else ()
        self._add(self._undeclared(mistakes, full, node, rows), (*node.path, "properties"))
        self._capabilities(node, full)
        self._requirements(node, full)
        self._operations(node, full)

    def _undeclared(
        self, mistakes: Iterable[Mistake], owner: str, node: RawNode, rows: Mapping[str, Any]
    ) -> Iterator[Mistake]:
        yield from mistakes
        for key in node.properties if not rows else ():
            yield Mistake("BPC170", (key,), {"owner": owner, "name": key, "guess": ""})

    def _capabilities(self, node: RawNode, full: str) -> None:
        declared = self.types.capabilities(full)
        for name, values in node.assigned.items():
            place: Path = (*node.path, "capabilities", name)
            if name not in declared:
                self._report("BPC178", place, what=f"capability of {full}", name=name, guess=guess(name, declared))
                continue
            kind = node.capability_types[name]
            if self.types.is_known(CAPABILITY, kind):
                rows = {key: row for key, (row, _) in self.types.properties(CAPABILITY, kind).items()}
                refined = declared[name][0].get("properties")
                more = refined.items() if isinstance(refined, dict) else ()
                rows |= {key: {**rows.get(key, {}), **row} for key, row in more if isinstance(row, dict)}
                mistakes = [
                    mistake for mistake in self.values.properties(kind, values, rows) if mistake.code != "BPC173"
                ]
                self._add(mistakes, (*place, "properties"))

    def _requirements(self, node: RawNode, full: str) -> None:
        declared = self.types.requirements(full)
        assigned = {requirement.name for requirement in node.requirements}
        for requirement in node.requirements:
            if requirement.name not in declared:
                name = requirement.name
                self._report("BPC858", requirement.path, type=full, name=name, guess=guess(name, declared))
        for name, row in declared.items():
            least = _first(row.get("occurrences", row.get("count_range")), 0 if name in _OPTIONAL else 1)
            if name not in assigned and least != 0:
                self._report("BPC857", (*node.path, "requirements"), node=node.name, name=name)

    def _operations(self, node: RawNode, full: str) -> None:
        """Report operations that the type of their interface does not have."""
        assigned_interfaces = self.template.node_templates[node.name].interfaces
        for interface, row in (assigned_interfaces or {}).items():
            declared = interfaces.operations(self.types, full, interface)
            for name, path in assigned(row) if declared is not None else ():
                if name not in (declared or ()):
                    place = (*node.path, "interfaces", interface, *path)
                    what = f"operation of interface {interface}"
                    self._report("BPC178", place, what=what, name=name, guess=guess(name, declared or ()))

    def _wanted(self, name: str, path: Path) -> None:
        """Report a requirement that names neither a node nor a type."""
        data = self.raw.reading.combined.data
        own = {row for section in ("node_templates",) for row in data.get(section) or {}}
        is_declared = name in own or self.types.definition(NODE, self.types.normal(NODE, name)) is not None
        if not is_declared and self.types.complete:
            self._report("BPC178", path, what="node or node type", name=name, guess=guess(name, own))

    # -- functions --------------------------------------------------------------------------------------------

    def _calls(self, value: Value, path: Path, owner: str) -> None:
        """Report calls that name what is not there."""
        for expr in ex.walk(value):
            place = expr.path or path
            if isinstance(expr, ex.Input) and isinstance(expr.name, str):
                self._used.add(expr.name)
                if expr.name not in self.template.inputs:
                    texts = {"what": "input", "name": expr.name, "guess": guess(expr.name, self.template.inputs)}
                    self._report("BPC178", place, **texts)
            elif isinstance(expr, (ex.Property, ex.Attribute)) and isinstance(expr.node, str):
                self._reference(expr, place, owner)

    def _reference(self, expr: ex.Property | ex.Attribute, path: Path, owner: str) -> None:
        name = owner if expr.node == "SELF" else expr.node
        if name in _WORDS or not isinstance(name, str):
            return
        node = self.raw.nodes.get(name)
        if node is None:
            if name not in self.template.relationship_templates and name and not self._is_type_or_policy(expr, name):
                self._report("BPC178", path, what="node", name=name, guess=guess(name, self.raw.nodes))
            return
        if not isinstance(expr.name, str) or not self.types.is_known(NODE, node.type):
            return
        full = node.ancestry[0]
        names = {
            *self.types.properties(NODE, full), *self.types.attributes(NODE, full), *node.properties, *node.attributes,
            *self.types.capabilities(full), *self.types.requirements(full),
        }  # fmt: skip
        if expr.name not in names and isinstance(expr, ex.Property):
            self._report("BPC178", path, what=f"property of {full}", name=expr.name, guess=guess(expr.name, names))

    def _is_type_or_policy(self, expr: ex.Property | ex.Attribute, name: str) -> bool:
        """True for the type of a node, and for a policy or its type in what asks for a property (opera)."""
        if any(name in node.ancestry for node in self.raw.nodes.values()):
            return True
        policies = self.template.policies
        rows = (
            policies.items()
            if isinstance(policies, dict)
            else (item for row in items(policies) if isinstance(row, dict) for item in row.items())
        )
        names = [word for policy, row in rows for word in (policy, row.get("type") if isinstance(row, dict) else None)]
        return isinstance(expr, ex.Property) and name in names

    # -- groups, policies, inputs -----------------------------------------------------------------------------

    def _members(self) -> None:
        nodes, groups = self.template.node_templates, self.template.groups
        for name, group in groups.items():
            if self._type(GROUP, group.type, ("groups", name)):
                self._declared(GROUP, group.type, group.properties, ("groups", name))
            self._check_names(group.members, nodes, ("groups", name, "members"))
        for index, row in enumerate(items(self.template.policies)):
            for name, policy in row.items() if isinstance(row, dict) else ():
                place: Path = ("policies", index, name)
                if isinstance(policy, dict):
                    kind = policy.get("type")
                    if isinstance(kind, str) and self._type(POLICY, kind, place):
                        self._declared(POLICY, kind, policy.get("properties"), place)
                    self._check_names(policy.get("targets"), {**nodes, **groups}, (*place, "targets"))

    def _declared(self, kind: str, name: str, properties: Any, path: Path) -> None:
        """Report wrong properties of a group or a policy. Only puccini refuses those that the type does not have, and
        tosca-parser does not look at those of groups."""
        full = self.types.normal(kind, name)
        rows = {key: row for key, (row, _) in self.types.properties(kind, full).items()}
        values = self.raw.reading.values(properties, (*path, "properties"))
        mistakes = self.values.properties(full, values, rows)
        kept = ("BPC170", "BPC173") if kind == GROUP else ("BPC170",)
        self._add(
            (mistake for mistake in mistakes if mistake.code not in kept or len(mistake.path) > 1),
            (*path, "properties"),
        )

    def _check_names(self, names: Any, nodes: Mapping[str, Any], path: Path) -> None:
        for index, name in enumerate(items(names)):
            if isinstance(name, str) and name not in nodes:
                self._report("BPC178", (*path, index), what="node", name=name, guess=guess(name, nodes))

    def _unused(self) -> None:
        for name in self.template.inputs:
            if name not in self._used and not self._is_mapped(name):
                self._report("BPC181", ("inputs", name), name=name)

    def _is_mapped(self, name: str) -> bool:
        """True for an input that something else than a value uses: everything outside of nodes is searched as text."""
        data = {k: v for k, v in self.combined.data.items() if k not in ("inputs",)}
        return f"'{name}'" in repr(data)


def _first(limits: Any, default: int) -> Any:
    return limits[0] if isinstance(limits, Sequence) and not isinstance(limits, str) and limits else default


def _values_of(node: RawNode) -> Iterator[tuple[Value, Path]]:
    """All values that a node template gives."""
    for key, value in node.properties.items():
        yield value, (*node.path, "properties", key)
    for key, value in node.attributes.items():
        yield value, (*node.path, "attributes", key)
    for name, values in node.assigned.items():
        for key, value in values.items():
            yield value, (*node.path, "capabilities", name, "properties", key)
    for operation in node.operations:
        if operation.path[:2] == node.path:
            for key, value in operation.inputs.items():
                yield value, (*operation.path, "inputs", key)
