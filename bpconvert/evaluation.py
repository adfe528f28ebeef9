"""What an engine computes for a value: one function, for tools, ``verify`` and the tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from bpconvert.diagnostics import Diagnostic, EvaluationError, Fidelity, Severity, Span
from bpconvert.diagnostics.code import Code
from bpconvert.diagnostics.codes import CODES
from bpconvert.models import expressions as ex
from bpconvert.models.cloudify_rules import PREFIX, VERSIONS
from bpconvert.models.expressions import Path, Value
from bpconvert.models.hot_versions import Version, resolve_version
from bpconvert.translators.cloudify.evaluation import compute
from bpconvert.translators.cloudify.facts import Facts as Deployment
from bpconvert.translators.cloudify.facts import NotGiven
from bpconvert.translators.cloudify.functions import FUNCTIONS, needs
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.evaluate.conditions import taken
from bpconvert.translators.evaluate.yaql import INSTALL, check_query, uncomputed
from bpconvert.translators.hot.arguments import PSEUDO_PARAMETERS
from bpconvert.translators.hot.functions import Problem, Reader

#: what diagnostics call the value
_NAME: Final = "<value>"


def evaluate(
    value: Any,
    *,
    dialect: str,
    version: str,
    inputs: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    resources: Mapping[str, Any] | None = None,
    secrets: Mapping[str, Any] | None = None,
    files: Mapping[str, str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    system: Mapping[str, Any] | None = None,
    parent: Mapping[str, Any] | None = None,
    here: Mapping[str, str] | None = None,
    capabilities: Mapping[str, Mapping[str, Any]] | None = None,
    group_capabilities: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    environment_capabilities: Mapping[str, Any] | None = None,
    labels: Mapping[str, list[Any]] | None = None,
    consumers: Mapping[str, list[str]] | None = None,
) -> Any:
    """The value that the engine of ``dialect`` computes.

    Args:
        value: plain YAML data with function calls in it, as a template has it.
        dialect: ``hot`` or ``cloudify``.
        version: the template's version (``2018-08-31``, ``rocky``; ``cloudify_dsl_1_3``, ``1_3``).
        inputs: parameter or input -> its value, as a reference to it yields it.
        attributes: resource or node -> its attributes or runtime properties, by their names. An absent one is null, as
            in both engines. In Cloudify a list has a map for each instance of the node; the id of an instance is its
            ``node_instance_id``.
        resources: what else is known of resources: in HOT what ``get_resource`` yields, in Cloudify the node's
            properties, those of its type too, with calls in them (``get_property``).
        secrets: secret -> its text (Cloudify).
        files: file -> its text (HOT).
        conditions: condition -> its definition, plain data (HOT).
        system: facts about the deployment: ``deployment.name``, ``deployment.id`` (in HOT those of the stack),
            ``project.id``, ``region``, ``availability_zones`` (HOT), ``deployment.blueprint``, ``deployment.owner``,
            ``tenant.name`` (Cloudify).
        parent: ``metadata``, ``deletion_policy`` and ``update_policy`` of the resource that a nested template is
            (HOT, ``resource_facade``); None: it is not nested, and the call is refused.
        here: the node whose property the value is, as ``SELF``, or the nodes of the relationship whose operation takes
            it, as ``SOURCE`` and ``TARGET`` (Cloudify). By default the value is that of an output.
        capabilities: deployment -> capability -> value (Cloudify, as are the following).
        group_capabilities: deployment group -> deployment -> capability -> value.
        environment_capabilities: capability of the deployment that this one is in -> value.
        labels: label of the deployment -> its values.
        consumers: ``ids`` and ``names`` of the deployments that use this one.

    Returns:
        plain data of maps, lists and scalars.

    Raises:
        EvaluationError: the engine refuses to compute the value, or needs something that is not given, or the query in
            it gives another value each time. The diagnostic's path is the place in ``value``. ``yaql`` is computed by
            the package of that name (the extra ``yaql``); without it, it is refused with BPC229.
        ValueError: the dialect is unknown.
    """
    facts = _Facts(
        version, inputs or {}, attributes or {}, resources or {}, secrets or {}, files or {}, conditions or {},
        system or {}, parent, here or {}, capabilities or {}, group_capabilities or {}, environment_capabilities or {},
        labels or {}, consumers,
    )  # fmt: skip
    if dialect not in _COMPUTE:
        raise ValueError(f"unknown dialect {dialect!r} (choose from {', '.join(_COMPUTE)})")
    try:
        return _COMPUTE[dialect](value, facts)
    except Refused as refused:
        raise _error(_REFUSED[dialect], refused.path, problem=refused.message) from refused
    except RecursionError as deep:
        raise _error(_REFUSED[dialect], (), problem="nested too deeply") from deep


class _Facts(NamedTuple):
    """The facts that :func:`evaluate` is given."""

    version: str
    inputs: Mapping[str, Any]
    attributes: Mapping[str, Any]
    resources: Mapping[str, Any]
    secrets: Mapping[str, Any]
    files: Mapping[str, str]
    conditions: Mapping[str, Any]
    system: Mapping[str, Any]
    parent: Mapping[str, Any] | None
    here: Mapping[str, str]
    capabilities: Mapping[str, Mapping[str, Any]]
    group_capabilities: Mapping[str, Mapping[str, Mapping[str, Any]]]
    environment_capabilities: Mapping[str, Any]
    labels: Mapping[str, list[Any]]
    consumers: Mapping[str, list[str]] | None


# -- HOT ----------------------------------------------------------------------------------------------------

#: section of the parent resource -> what ``resource_facade`` gives where it has none
_PARENT: Final = {"metadata": {}, "deletion_policy": "Delete", "update_policy": {}}


def _hot(value: Any, facts: _Facts) -> Any:
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
    for found in ex.walk(result):
        if isinstance(found, (ex.Attribute, ex.Identity)):
            _check_resource(found.node, names, found.path)
        if isinstance(found, ex.Facade) and facts.parent is None:
            raise Refused("the template is not nested: there is no parent resource", found.path)
        for query in uncomputed(found):
            raise _error("BPC229", query.path, install=INSTALL)
        raise _error("BPC226", found.path, problem=_missing(found))
    return result


def _definition(reader: Reader, name: str, raw: Any) -> Value:
    """A condition's definition; one that is no call and neither true nor false is refused, used or not."""
    path = ("conditions", name)
    found = reader.condition(raw, path, definition=True)
    if not isinstance(found, (bool, ex.Expr)) or isinstance(raw, str):
        raise Refused(f"The definition of condition '{name}' is invalid: {raw!r}", path)
    return found


def _validate(expression: Value, scope: Scope, names: Collection[str], problems: Mapping[Path, Problem]) -> None:
    """Refuse what Heat refuses before it computes the value: calls of the wrong shape, queries that do not parse, and
    attributes of resources that are not there, everywhere but in branches that are not taken. At that time a resource's
    identity is its name, and it has no attributes."""
    before = replace(scope, identities={name: name for name in names}, attributes={name: {} for name in names})
    found: ex.Expr
    for found in (*ex.walk([*(scope.conditions or {}).values()]), *taken(expression, scope)):
        problem = problems.get(found.path)
        if problem is not None and problem.kind != "late":
            raise Refused(problem.text, found.path)
        if isinstance(found, ex.Query):
            check_query(found)
        if isinstance(found, ex.Attribute):
            _check_resource(fold(found.node, before), names, found.path)
            fold(found, scope)


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


def _missing(found: ex.Expr) -> str:
    """What is not known of an expression that could not be computed."""
    if isinstance(found, (ex.Attribute, ex.Identity)) and isinstance(found.node, str):
        return f"nothing is given of '{found.node}'"
    if isinstance(found, ex.Query):
        return "the query gives no plain data, or another value each time"
    name = getattr(found, "name", None)
    return f"'{name}' is not given" if isinstance(name, str) else f"{type(found).__name__} needs a running deployment"


# -- Cloudify -----------------------------------------------------------------------------------------------


def _cloudify(value: Any, facts: _Facts) -> Any:
    wanted = facts.version.removeprefix(PREFIX)
    if wanted not in VERSIONS:
        raise Refused(f"Cloudify has no version {facts.version}")
    if needs(value) > wanted:
        newer = [name for name, function in FUNCTIONS.items() if function.since > wanted]
        raise Refused(f"{PREFIX}{wanted} does not have all of these functions ({', '.join(newer)})")
    instances: dict[str, list[Mapping[str, Any]]] = {
        node: [dict(found) for found in (data if isinstance(data, list) else [data])]
        for node, data in facts.attributes.items()
    }
    known = Deployment(
        inputs=facts.inputs, properties=facts.resources, instances=instances, secrets=facts.secrets,
        capabilities=facts.capabilities, group_capabilities=facts.group_capabilities,
        environment_capabilities=facts.environment_capabilities, labels=facts.labels, system=facts.system,
        consumers=facts.consumers, here=facts.here,
    )  # fmt: skip
    try:
        return compute(value, known)
    except NotGiven as unknown:
        raise _error("BPC226", unknown.path, problem=unknown.message) from unknown


_COMPUTE: Final[dict[str, Callable[[Any, _Facts], Any]]] = {"hot": _hot, "cloudify": _cloudify}
#: dialect -> the code for what its engine refuses
_REFUSED: Final = {"hot": "BPC220", "cloudify": "BPC156"}


def _error(code: str, path: Path, **words: str) -> EvaluationError:
    entry: Code = CODES[code]
    message, hint = entry.texts(words)
    fidelity = Fidelity[entry.fidelity.upper()]
    return EvaluationError(Diagnostic(code, Severity.ERROR, fidelity, message, Span(_NAME, 1, 1), path, hint))
