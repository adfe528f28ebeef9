"""A blueprint against what Cloudify's parser accepts, with the types of the plugins that it imports.

Everything that reading reports as refused counts; with the types known in full (:class:`CheckedTypes`), that includes
unknown properties, wrong types and missing properties of the nodes of Cloudify and its OpenStack plugin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.diagnostics.suggest import guess
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Expr, Path, Value, walk
from bpconvert.models.plain.cloudify import Blueprint, NodeTemplate
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.read.blueprint import NAMES, Raw, Reading, read_blueprint
from bpconvert.translators.cloudify.read.declarations import read_input
from bpconvert.translators.cloudify.read.types import WORDS, Types
from bpconvert.translators.cloudify.vocabulary import is_primitive
from bpconvert.translators.support.findings import Findings
from bpconvert.translators.support.graphs import circles
from bpconvert.translators.support.places import inside
from bpconvert.translators.toscalike.node_templates import RawNode
from bpconvert.translators.toscalike.types import DATA, NODE, RELATIONSHIP, Property, Read, Refuse, Type, below
from bpconvert.yamlio.document import Document


@cache
def _definition(library: str, section: str, name: str) -> Any:
    """What a library defines; None where it does not. Nobody changes one."""
    row = schemas.library(library)[section].get(name)
    return None if row is None else getattr(Blueprint.checked({section: {name: row}}), section)[name]


class CheckedTypes(Types):
    """All types that the nodes of a blueprint can have: those of the libraries that it imports are known in full, those
    of others are not known."""

    def searched(self, imported: list[str]) -> list[str]:
        either = "openstack" in imported and "compat" not in imported  # the manager may have either of its generations
        return [*imported, *["openstack_2"] * either]

    def names(self, kind: str) -> set[str]:
        """The names of all types of a kind that the blueprint can use."""
        return {*self._defined[kind]}.union(
            *(schemas.library(library)[WORDS.types[kind]] for library in self._libraries)
        )

    def built_in(self, kind: str, name: str) -> Type | None:
        for library in self._libraries:
            section = WORDS.types[kind]
            definition = _definition(library, section, name)
            if definition is not None:
                self._defined[kind] = {**self._defined[kind], name: definition}
                return self._own(kind, name)
        return None


class NamedTypes(CheckedTypes):
    """As above, where only names are looked at: what libraries define has no defaults, and nothing is required."""

    def __init__(self, blueprint: Blueprint, libraries: list[str], read: Read, refuse: Refuse, complete: bool) -> None:
        super().__init__(blueprint, libraries, read, refuse, complete)
        self._blueprint = blueprint

    def _property(self, definition: Any, path: Path) -> Property:
        is_own = path[1] in getattr(self._blueprint, path[0])
        return super()._property(definition, path) if is_own else Property(definition.type, required=False)


#: what reading reports that the parser refuses, or that cannot be read
_MISTAKES: Final = ("BPC120", "BPC121", "BPC142", "BPC143", "BPC144", "BPC156")
#: what reading refuses of a value -> the text that names what was wanted
_UNKNOWN: Final = re.compile(r"there is no property '(?P<name>.*)' in type (?P<type>\S+)")
_UNDEFINED: Final = re.compile(r"the (?:(?P<kind>node|relationship) )?type '(?P<name>.*)' is not defined")
_UTILITIES: Final = re.compile(r"plugin:cloudify-utilities-plugin.*")
_SETTINGS: Final = ("resource_config", "kwargs")


def check(
    document: Document, reporter: Reporter, files: Files, environments: Iterable[str], types: Catalogue | None
) -> None:
    """Report what the parser refuses in a blueprint, and settings that are without effect.

    Types of imports that are not known are taken to be right. ``environments`` and ``types`` do not count for
    blueprints."""
    reading = Reporter(document)
    used: list[CheckedTypes] = []

    def in_full(blueprint: Blueprint, libraries: list[str], read: Read, refuse: Refuse, complete: bool) -> Types:
        more, complete_plugins = _known_plugins(reading.diagnostics)
        used.append(CheckedTypes(blueprint, [*libraries, *more], read, refuse, complete or complete_plugins))
        return used[0]

    raw = read_blueprint(document, reading, files, in_full)
    for finding in reading.diagnostics:
        may_be_defined = raw.combined.partial and _UNDEFINED.search(finding.message)  # by an import that is not read
        if finding.code in _MISTAKES and not may_be_defined:
            reporter.record(finding._replace(message=finding.message + _guess(finding, used[0])))
    _settings(raw, reporter)
    _properties(raw, used[0], reporter)
    _circles(raw.nodes, reporter)


def names(
    raw: Raw,
    findings: Iterable[Diagnostic],
    document: Document,
    reporter: Reporter,
    files: Files,
    environments: Iterable[str],
    types: Catalogue | None,
) -> bool:
    """The errors of :func:`check` that suggest a name, of what the reader has read: ``raw``, and its ``findings``."""
    reading, combined, blueprint = Reporter(document), raw.combined, raw.blueprint
    read = Reading(combined, blueprint, Findings(reading, NAMES))
    more, complete_plugins = _known_plugins(findings)
    table = NamedTypes(
        blueprint, [*combined.libraries, *more], read.value, read.refuse, combined.complete or complete_plugins
    )
    for name, declared in blueprint.inputs.items():
        if not is_primitive(declared.type):
            read_input(name, declared, combined.place(("inputs", name)), table, read.value, read.reporter)
    for name, node in blueprint.node_templates.items():
        _names_of(name, node, raw.nodes, table)
    for finding in reading.diagnostics:
        if finding.code == "BPC121" and not (combined.partial and _UNDEFINED.search(finding.message)):
            reporter.record(finding._replace(message=finding.message + _guess(finding, table)))
    _settings(raw, reporter)
    return True


def _names_of(name: str, node: NodeTemplate, nodes: Mapping[str, RawNode], types: CheckedTypes) -> None:
    """Report what nothing defines: the types of a node and of its relationships, its properties."""
    path: Path = ("node_templates", name)
    kind = types.find(NODE, node.type) if node.type else None
    if kind is not None:
        types.complete(nodes[name].properties, kind, below(types.refuse, *path, "properties"))
    elif node.type:
        types.unknown((*path, "type"), "node type", node.type)
    for index, relationship in enumerate(node.relationships or ()):
        if (
            relationship.target in nodes
            and relationship.target != name
            and types.find(RELATIONSHIP, relationship.type) is None
        ):
            types.unknown((*path, "relationships", index, "type"), "relationship type", relationship.type)


def _known_plugins(findings: Iterable[Diagnostic]) -> tuple[list[str], bool]:
    """Further libraries that are imported, and whether no other import is unknown."""
    unknown = [item for item in findings if item.code in ("BPC141", "BPC142", "BPC143")]
    utilities = [item for item in unknown if item.code == "BPC141" and _UTILITIES.search(item.message)]
    return ["utilities"] * bool(utilities), bool(utilities) and len(utilities) == len(unknown)


def _guess(finding: Diagnostic, types: CheckedTypes) -> str:
    """``; did you mean 'x'?`` for an unknown property or type."""
    missing = _UNDEFINED.search(finding.message)
    if missing:
        space = missing["name"].rpartition(".")[0]  # types of another namespace are those of another plugin
        names = types.names(NODE if missing["kind"] == "node" else RELATIONSHIP)
        return guess(missing["name"], [name for name in names if name.rpartition(".")[0] == space])
    match = _UNKNOWN.search(finding.message)
    kind = match and (types.find(NODE, match["type"]) or types.find(DATA, match["type"]))
    return guess(match["name"], kind.properties) if match and kind else ""


def _settings(raw: Raw, reporter: Reporter) -> None:
    """Report keys of ``kwargs`` that openstacksdk drops."""
    if "openstack" not in raw.combined.libraries:
        return
    for node in raw.nodes.values():
        value = inside(node.properties, _SETTINGS)
        sdk_names = next((names for name in node.ancestry if (names := schemas.sdk_names(name)) is not None), None)
        if sdk_names is None or not isinstance(value, dict):
            continue
        for name in value:
            if isinstance(name, str) and name not in sdk_names:
                words = {"version": schemas.sdk_version(), "type": node.type, "guess": guess(name, sdk_names)}
                reporter.report("BPC185", (*node.path, "properties", *_SETTINGS, name), name=name, **words)


def _properties(raw: Raw, types: CheckedTypes, reporter: Reporter) -> None:
    """Report calls for properties that a node does not have (``dsl_parser.functions.GetProperty``)."""
    values: list[Value] = [
        *([node.properties, [o.inputs for o in node.operations]] for node in raw.nodes.values()),
        *([o.inputs for o in relation.operations] for node in raw.nodes.values() for relation in node.relationships),
        *(output.value for output in raw.topology.published),
    ]
    for expr in walk(values):
        if isinstance(expr, ex.Property) and isinstance(expr.node, str) and expr.node in raw.nodes:
            node = raw.nodes[expr.node]
            kind = types.find(NODE, node.type)
            if kind is not None and kind.closed and not _has(node.declared, (expr.name, *expr.keys)):
                name = ".".join(map(str, (expr.node, expr.name, *expr.keys)))
                reporter.report("BPC178", expr.path, what="property", name=name, guess="")


def _has(value: Value, steps: Sequence[Value]) -> bool:
    """False when ``steps`` surely lead nowhere in ``value``."""
    for step in steps:
        if isinstance(value, Expr) or isinstance(step, Expr):
            return True
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and str(step).isdecimal() and int(str(step)) < len(value):
            value = value[int(str(step))]
        else:
            return False
    return True


def _circles(nodes: Mapping[str, RawNode], reporter: Reporter) -> None:
    """Report nodes whose relationships lead back to them."""
    graph = {name: [relationship.target for relationship in node.relationships] for name, node in nodes.items()}
    for circle in circles(graph):
        if len(circle) > 1:  # reading reports the others
            reporter.report("BPC180", nodes[circle[0]].path, what=" -> ".join([*circle, circle[0]]))
