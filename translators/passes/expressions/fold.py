"""Computing what is known: calls whose result does not depend on the deployment are replaced by that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.evaluate import Refused, Scope
from bpconvert.translators.evaluate import fold as folded_value
from bpconvert.translators.evaluate.scope import INSTALL, uncomputed
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import Document


def fold(topology: Topology, request: Request) -> Topology:
    """Compute everything that is known, and report what was computed. A script stays the file that it is in."""
    folder = Folder(topology, request, conditions=False)
    conditions = {name: folder.fold(value, ("conditions", name)) for name, value in topology.conditions.items()}
    topology.conditions = conditions
    folder = Folder(topology, request)
    for node in topology.nodes.values():
        script = script_file(node)
        node.properties = (
            folder.fold(node.properties, node.origin())
            if script is None
            else {
                key: value if value is script else folder.fold(value, node.origin(key))
                for key, value in node.properties.items()
            }
        )
        if node.condition is not MISSING:
            node.condition = folder.fold(node.condition, (*node.path, "condition"))
    for output in topology.outputs.values():
        output.value = folder.fold(output.value, (*output.path, "value"))
        if output.condition is not MISSING:
            output.condition = folder.fold(output.condition, (*output.path, "condition"))
    return topology


def known_values(topology: Topology, request: Request) -> Scope:
    """What is known of a topology before it is deployed: its conditions, and the files that may be part of it."""
    files = None if request.options.files == "keep" else request.files
    return Scope(files=lambda name: None if files is None else files.read(name)[0], conditions=topology.conditions)


def script_file(node: Node) -> ex.File | None:
    """The file that a configuration is, which stays a file: it is the script of an operation."""
    text = node.properties.get("config") if isinstance(node.properties, dict) else None
    return text if node.kind == "software_config" and isinstance(text, ex.File) else None


class Folder:
    """Computes values of one topology. ``conditions``: whether the topology's own are known."""

    def __init__(self, topology: Topology, request: Request, *, conditions: bool = True) -> None:
        self._topology = topology
        self._request = request
        self._scope = known_values(topology, request)
        if not conditions:
            self._scope.conditions = None

    def fold(self, value: Value, path: Path) -> Value:
        """``value``, which stands at ``path``, with everything computed that is known. What the source's engine refuses
        to compute is reported and kept; what is nested too deeply is kept."""
        report = self._request.reporter.report
        try:
            folded = folded_value(value, self._scope)
            self._report_folds(value, folded)
            for query in uncomputed(folded):  # for want of the yaql package
                report("BPC229", query.path, install=INSTALL)
            return folded
        except RecursionError:
            return value
        except Refused as refused:
            if isinstance(value, dict):
                return {key: self.fold(item, (*path, key)) for key, item in value.items()}
            if isinstance(value, list):
                return [self.fold(item, (*path, i)) for i, item in enumerate(value)]
            report("BPC204", refused.path or path, problem=refused.message)
            if isinstance(value, ex.Expr) and not isinstance(value, ex.Condition):
                self._topology.uncomputable.add(value.path)
                name = spelling(self._request, value)
                return ex.Foreign(self._topology.dialect, name, value, path=value.path)
            return value

    def _report_folds(self, old: Value, new: Value) -> None:
        """Report which calls were computed: their arguments are not in the result any more."""
        if old is new:
            return
        if isinstance(old, ex.Expr):
            if type(old) is not type(new):
                code = "BPC614" if isinstance(old, ex.File) else "BPC222"
                self._request.reporter.report(code, old.path, name=spelling(self._request, old))
                return
            for name in ex.field_names(type(old)):
                self._report_folds(getattr(old, name), getattr(new, name))
        elif isinstance(old, dict) and isinstance(new, dict):
            for key, item in new.items():
                self._report_folds(old.get(key), item)
        elif isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
            after = new if len(old) == len(new) else [_still(before, new) for before in old]
            for before, item in zip(old, after, strict=True):
                self._report_folds(before, item)


def _still(before: Value, items: Iterable[Value]) -> Value:
    """The item that ``before`` is in a list of which others were left out; MISSING where it was computed, too."""
    same = (item for item in items if isinstance(item, ex.Expr) and type(item) is type(before))
    return next((item for item in same if item is before or (item.path and item.path == before.path)), MISSING)


def spelling(request: Request, expr: ex.Expr) -> str:
    """The name of the call as the user wrote it."""
    if isinstance(expr, (ex.Condition, ex.Foreign)):
        return str(expr.name)
    words = request.source.words
    return (words.called(written(request.document, expr.path)) if expr.path else None) or words.name(expr)


def written(document: Document, path: Path) -> Any:
    """The document's own data at ``path``, as far as the path leads."""
    data: Any = document.data
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            break
    return data
