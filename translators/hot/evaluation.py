"""What Heat computes for a value of a template."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.hot_versions import Version, resolve_version
from bpconvert.models.light import replace
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.evaluate.conditions import taken
from bpconvert.translators.evaluate.facts import Evaluator, Facts, NotComputed, NotGiven
from bpconvert.translators.evaluate.scope import INSTALL, uncomputed
from bpconvert.translators.evaluate.yaql import check_query
from bpconvert.translators.hot.arguments import PSEUDO_PARAMETERS
from bpconvert.translators.hot.functions import Problem, Reader

#: section of the parent resource -> what ``resource_facade`` gives where it has none
_PARENT: Final = {"metadata": {}, "deletion_policy": "Delete", "update_policy": {}}


def compute(value: Any, facts: Facts) -> Any:
    """The value that Heat computes; plain data."""
    version = resolve_version(facts.version)
    if version is None:
        raise Refused(f"Heat has no version {facts.version}")
    names = {*facts.resources, *facts.attributes}
    pseudo = {name: facts.system[fact] for name, fact in PSEUDO_PARAMETERS.items() if fact in facts.system}
    inputs = {**pseudo, **facts.inputs}
    reader = Reader(version, declared=inputs, names=names, strict=True)
    conditions = {name: _definition(reader, name, raw) for name, raw in facts.conditions.items()}
    expression = reader.value(value)
    problems = {problem.path: problem for problem in reader.problems if problem.kind != "ignored"}
    scope = Scope(
        inputs=inputs,
        declared=inputs,
        conditions=conditions,
        attributes={name: _Attributes(facts.attributes.get(name, {}), version) for name in names},
        identities=facts.resources,
        files=facts.files.get,
        system=facts.system,
        parent={} if facts.parent is None else {**_PARENT, **facts.parent},
        refused={path: problem.text for path, problem in problems.items()},
    )
    _validate(expression, scope, names, problems)
    result = fold(expression, scope)
    while (again := fold(result, scope)) is not result:
        result = again
    for expr in ex.walk(result):
        if isinstance(expr, (ex.Attribute, ex.Identity)):
            _check_resource(expr.node, names, expr.path)
        if isinstance(expr, ex.Facade) and facts.parent is None:
            raise Refused("the template is not nested: there is no parent resource", expr.path)
        for query in uncomputed(expr):
            raise NotComputed("BPC229", query.path, install=INSTALL)
        raise NotGiven(_missing(expr), expr.path)
    return result


def _definition(reader: Reader, name: str, raw: Any) -> Value:
    """A condition's definition; one that is no call and neither true nor false is refused, used or not."""
    path = ("conditions", name)
    condition = reader.condition(raw, path, definition=True)
    if not isinstance(condition, (bool, ex.Expr)) or isinstance(raw, str):
        raise Refused(f"The definition of condition '{name}' is invalid: {raw!r}", path)
    return condition


def _validate(expression: Value, scope: Scope, names: Collection[str], problems: Mapping[Path, Problem]) -> None:
    """Refuse what Heat refuses before it computes the value: calls of the wrong shape, queries that do not parse, and
    attributes of resources that are not there, everywhere but in branches that are not taken. At that time a resource's
    identity is its name, and it has no attributes."""
    before = replace(scope, identities={name: name for name in names}, attributes={name: {} for name in names})
    expr: ex.Expr
    for expr in (*ex.walk([*(scope.conditions or {}).values()]), *taken(expression, scope)):
        problem = problems.get(expr.path)
        if problem is not None and problem.kind != "late":
            raise Refused(problem.text, expr.path)
        if isinstance(expr, ex.Query):
            check_query(expr)
        if isinstance(expr, ex.Attribute):
            _check_resource(fold(expr.node, before), names, expr.path)
            fold(expr, scope)


def _check_resource(node: Value, names: Collection[str], path: Path) -> None:
    if not isinstance(node, ex.Expr) and not (isinstance(node, str) and node in names):
        raise Refused(f"there is no resource {node!r}", path)


class _Attributes(Mapping[Any, Any]):
    """A resource's attributes, as ``get_attr`` looks them up: since 2014-10-16 by the whole path at once, so that its
    steps must be keys of a map, and the name of an attribute need not be a text when there are steps."""

    def __init__(self, data: Mapping[str, Any], version: Version) -> None:
        self.data, self.by_path = data, version.has("2014-10-16")

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, tuple):
            return key in self.data
        if self.by_path and any(isinstance(step, (dict, list)) for step in key):
            raise Refused(f"{key} is no path of an attribute")
        return self.by_path and not isinstance(key[0], str)

    def __getitem__(self, key: Any) -> Any:
        return None if isinstance(key, tuple) else self.data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


def _missing(expr: ex.Expr) -> str:
    """What is not known of an expression that could not be computed."""
    if isinstance(expr, (ex.Attribute, ex.Identity)) and isinstance(expr.node, str):
        return f"nothing is given of '{expr.node}'"
    if isinstance(expr, ex.Query):
        return "the query gives no plain data, or another value each time"
    name = getattr(expr, "name", None)
    return f"'{name}' is not given" if isinstance(name, str) else f"{type(expr).__name__} needs a running deployment"


EVALUATOR: Final = Evaluator(compute, "BPC220")
