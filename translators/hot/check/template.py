"""A HOT template against what Heat accepts: the schemas of its resource types, references, circles.

What reading refuses is reported by :func:`~.hot.read.template.to_topology`; here is what only the whole template,
or the engine's schemas, can show. What depends on values that are known when deploying only is a warning at most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from copy import copy
from functools import partial
from typing import Any, Final

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value, walk
from bpconvert.models.hot_versions import nearest_version
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.schemas.values import Misfit
from bpconvert.translators.catalogue.types import Catalogue, builtin
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.hot.check.resources import Environment, ResourceChecks
from bpconvert.translators.hot.functions import Reader, parameters_in
from bpconvert.translators.hot.read.older_types import attribute_of
from bpconvert.translators.hot.read.template import Read, to_topology
from bpconvert.translators.hot.resource_metadata import seen
from bpconvert.translators.support.graphs import circles
from bpconvert.urls import is_url
from bpconvert.yamlio.document import Document

#: what reading reports that Heat refuses, or ignores, or gets in different ways
_MISTAKES: Final = ("BPC120", "BPC121", "BPC214", "BPC220", "BPC221", "BPC504")


def check(
    document: Document, reporter: Reporter, files: Files, environments: Iterable[str], types: Catalogue | None
) -> None:
    """Report what Heat refuses in a template, and what may be refused when deploying.

    ``environments``: Heat environment files; ``types``: mappings of further types, None for no others. Raises OSError
    and :class:`~bpconvert.diagnostics.SourceError` when one of them, or the document, cannot be read."""
    own_types = types.types(DIALECT) if types is not None else ()
    environment = Environment(environments, own_types)
    reading = Reporter(document)
    reads: list[Read] = []
    to_topology(seen(document), builtin(), reading, files, reads.append)
    _check(document, reads[0], reading.diagnostics, reporter, files, environment)


def names(
    read: Read,
    findings: Iterable[Diagnostic],
    document: Document,
    reporter: Reporter,
    files: Files,
    environments: Iterable[str],
    types: Catalogue | None,
) -> bool:
    """As :func:`check`, of what the reader has ``read`` and has ``findings``. False where Heat sees something else."""
    if types is not None or seen(document) is not document:
        return False
    _check(document, read, findings, reporter, files, Environment(environments))
    return True


def _check(
    document: Document,
    read: Read,
    reading: Iterable[Diagnostic],
    reporter: Reporter,
    files: Files,
    environment: Environment,
) -> None:
    topology = read.topology
    for name, declared in topology.inputs.items():
        if declared.hidden:
            document.secrets.add(environment.values.get(name))
    for finding in reading:
        if finding.code in _MISTAKES:
            reporter.record(finding)
    _Checker(document, _as_written(document, read), reporter, files, environment).run()


def _as_written(document: Document, read: Read) -> Topology:
    """What was read, with the names of types and properties that the template has (reading makes them canonical)."""
    topology = copy(read.topology)
    topology.nodes = {name: copy(node) for name, node in topology.nodes.items()}
    resources = document.data["resources"] if topology.nodes else {}
    reader = Reader(nearest_version(topology.version), declared=topology.inputs, names=resources)
    for node in topology.nodes.values():
        written = resources[node.name]
        if not isinstance(written, dict):  # reading has reported it
            continue
        kind = written.get("type")
        node.source_type = kind if isinstance(kind, str) else ""
        properties = read.written.get(node.name, MISSING)
        if properties is MISSING:
            properties = reader.value(written.get("properties") or {}, (*node.path, "properties"))
        node.properties = properties if isinstance(properties, dict) else {}
    return topology


def _guess(name: str, names: Collection[str]) -> str:
    from bpconvert.diagnostics.suggest import guess

    return guess(name, names)


def _check_file(reporter: Reporter, files: Files, name: str, path: Path) -> None:
    if files.has_url(name) or (files.folder is not None and not is_url(name)):
        text, code = files.read(name)
        if text is None and code in ("BPC610", "BPC655"):
            reporter.report("BPC179", path, name=files.shown(name))


class _Checker:
    def __init__(
        self, document: Document, topology: Topology, reporter: Reporter, files: Files, environment: Environment
    ) -> None:
        self.document = document
        self.topology = topology
        self.reporter = reporter
        self.report = reporter.report
        self.of_names = reporter.of_names
        self.files = files
        self.environment = environment
        self.checks = ResourceChecks(topology, reporter, environment, partial(_check_file, reporter, files))
        resources = document.data.get("resources")
        #: each condition is looked into once
        self._scope = Scope(conditions=topology.conditions)
        #: also those that only keep what an earlier conversion had no form for
        self.resources = resources if isinstance(resources, dict) else {}

    def run(self) -> None:
        """Report everything."""
        for node in self.topology.nodes.values():
            self.checks.check(node)
        self._references()
        if not self.of_names:
            self._circles()
            self._unused()

    # -- references -----------------------------------------------------------------------------------------------

    def _references(self) -> None:
        for node in self.topology.nodes.values():
            for wait in node.waits:
                if wait.target not in self.resources:
                    sure = self.checks.exists(node)
                    self._unresolved(wait.path, "resource", wait.target, self.resources, sure)
        for value, path, sure in self._values():
            for expr in walk(value):
                self._reference(expr, expr.path or path, sure)
            if not self.of_names:
                self._refused(value, path)

    def _refused(self, value: Value, path: Path) -> None:
        """Report the calls with known arguments that Heat refuses to compute."""
        try:
            fold(value, self._scope)
        except RecursionError:
            return  # what is nested so deeply is left as it is
        except Refused as refused:
            if isinstance(value, (dict, list)):
                for key, item in value.items() if isinstance(value, dict) else enumerate(value):
                    self._refused(item, (*path, key))
                return
            conditions = self.topology.conditions
            names = [expr.name for expr in walk(value) if isinstance(expr, ex.Condition)]
            if all(isinstance(name, str) and name in conditions for name in names):
                self.report("BPC204", refused.path or path, problem=refused.message)

    def _values(self) -> Iterator[tuple[Value, Path, bool]]:
        """Everything that may refer to something, its place, and whether Heat looks at it when it validates: at
        conditions only where they are used, at outputs when somebody asks for them."""
        used = self._used_conditions()
        for name, condition in self.topology.conditions.items():
            yield condition, ("conditions", name), name in used
        for node in self.topology.nodes.values():
            yield node.condition, node.path, True
            values = [node.properties, node.extra.get("metadata"), node.external_id]
            yield values, node.path, self.checks.exists(node)
        for output in self.topology.outputs.values():
            yield output.condition, output.path, True
            yield output.value, output.path, False

    def _used_conditions(self) -> set[str]:
        if not self.topology.conditions:
            return set()
        waiting: list[Value] = [[output.value, output.condition] for output in self.topology.outputs.values()]
        for node in self.topology.nodes.values():
            waiting.append([node.properties, node.condition, node.extra.get("metadata")])
        used: set[str] = set()
        while waiting:
            for expr in walk(waiting.pop()):
                if isinstance(expr, ex.Condition) and isinstance(expr.name, str) and expr.name not in used:
                    used.add(expr.name)
                    waiting.append(self.topology.conditions.get(expr.name))
        return used

    def _reference(self, expr: ex.Expr, path: Path, sure: bool) -> None:
        if isinstance(expr, ex.Input):
            self._check_name(expr.name, path, "parameter", self.topology.inputs, sure)
        elif isinstance(expr, ex.Identity):
            self._check_name(expr.node, path, "resource", self.resources, sure)
        elif isinstance(expr, ex.Attribute):
            self._check_name(expr.node, path, "resource", self.resources, sure or path[0] == "outputs")
            self._attribute(expr, path)
        elif isinstance(expr, ex.Condition):
            self._check_name(expr.name, path, "condition", self.topology.conditions, sure)
        elif isinstance(expr, ex.File) and isinstance(expr.name, str) and not self.of_names:
            _check_file(self.reporter, self.files, expr.name, path)

    def _check_name(self, name: Value, path: Path, what: str, names: Iterable[Any], sure: bool = True) -> None:
        if isinstance(name, str) and name not in names:
            self._unresolved(path, what, name, names, sure)

    def _unresolved(self, path: Path, what: str, name: str, names: Iterable[Any], sure: bool = True) -> None:
        if self.of_names and not sure:
            return
        words = {"what": what, "name": name, "guess": _guess(name, [str(other) for other in names])}
        self.checks.refuse([Misfit("BPC178", path, words, sure)])

    def _attribute(self, expr: ex.Attribute, path: Path) -> None:
        node = self.topology.nodes.get(expr.node) if isinstance(expr.node, str) else None
        schema = self.environment.schema(node.source_type, node.name) if node is not None else None
        if node is None or schema is None or not isinstance(expr.name, str) or schema.get("any_attribute"):
            return
        attribute = schema["attributes"].get(attribute_of(node.source_type, expr.name))
        if attribute is None:
            more = _guess(expr.name, schema["attributes"])
            self.report("BPC174", path, type=node.source_type, name=expr.name, guess=more)
        else:
            self.checks.status(attribute, path, f"attribute '{expr.name}'")

    # -- the whole ------------------------------------------------------------------------------------------------

    def _circles(self) -> None:
        graph = {
            name: [*node.awaited, *ex.named_nodes([node.properties, node.extra.get("metadata")])]
            for name, node in self.topology.nodes.items()
        }
        for circle in circles(graph):
            if len(circle) > 1 or circle[0] not in self.topology.nodes[circle[0]].awaited:  # reading reports that one
                self.report("BPC180", ("resources", circle[0]), what=" -> ".join([*circle, circle[0]]))
        conditions = {
            name: [str(expr.name) for expr in walk(value) if isinstance(expr, ex.Condition)]
            for name, value in self.topology.conditions.items()
        }
        used = self._used_conditions()
        for circle in circles(conditions):
            words = {"what": " -> ".join([*circle, circle[0]])}
            self.checks.refuse([Misfit("BPC180", ("conditions", circle[0]), words, circle[0] in used)])

    def _unused(self) -> None:
        used = parameters_in(self.document.data, ("get_param", "Ref"))
        for name, declared in self.topology.inputs.items():
            if name not in used and MISSING not in used:
                self.report("BPC181", declared.path, name=name)
