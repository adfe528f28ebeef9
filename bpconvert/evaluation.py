"""What an engine computes for a value: one function, for tools, ``verify`` and the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from bpconvert.code import Code
from bpconvert.codes import CODES
from bpconvert.diagnostics import Diagnostic, EvaluationError, Fidelity, Severity, Span
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.hot_versions import nearest_version
from bpconvert.translators.cloudify.functions import FUNCTIONS, needs, read_value
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.hot.functions import Reader

#: the value with its calls read, what is known, and what is wrong with calls, by their places
_Read: TypeAlias = tuple[Value, Scope, dict[Path, str]]
#: what diagnostics call the value
_NAME: Final = "<value>"


def evaluate(
    value: Any,
    *,
    dialect: str,
    version: str,
    inputs: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Mapping[str, Any]] | None = None,
    resources: Mapping[str, Any] | None = None,
    secrets: Mapping[str, Any] | None = None,
    files: Mapping[str, str] | None = None,
    conditions: Mapping[str, Any] | None = None,
) -> Any:
    """The value that the engine of ``dialect`` computes.

    Args:
        value: plain YAML data with function calls in it, as a template has it.
        dialect: ``hot`` or ``cloudify``.
        version: the template's version (``2018-08-31``, ``rocky``; ``cloudify_dsl_1_3``, ``1_3``).
        inputs: parameter or input -> its value, as a reference to it yields it.
        attributes: resource or node -> its attributes or runtime properties, by their names. An absent one is null, as
            in both engines.
        resources: what else is known of resources: in HOT what ``get_resource`` yields, in Cloudify the node's
            properties (``get_property``).
        secrets: secret -> its text (Cloudify).
        files: file -> its text (HOT).
        conditions: condition -> its definition, plain data (HOT).

    Returns:
        plain data of maps, lists and scalars.

    Raises:
        EvaluationError: the engine refuses to compute the value, or needs something that is not given. The diagnostic's
            path is the place in ``value``.
        ValueError: the dialect is unknown.
    """
    if dialect not in _READ:
        raise ValueError(f"unknown dialect {dialect!r} (choose from {', '.join(_READ)})")
    known = _Known(inputs or {}, attributes or {}, resources or {}, secrets or {}, files or {}, conditions or {})
    expression, scope, problems = _READ[dialect](value, version, known)
    try:
        result = fold(expression, scope)
        while (again := fold(result, scope)) is not result:  # what a property holds is computed where it is used
            result = again
    except Refused as refused:
        raise _error(_REFUSED[dialect], refused.path, refused.message) from refused
    for found in ex.walk(result):
        if found.path in problems:  # a call that is wrong only matters where it is computed
            raise _error(_REFUSED[dialect], found.path, problems[found.path])
        raise _error("BPC226", found.path, _missing(found))
    return result


class _Known:
    """The facts that :func:`evaluate` is given."""

    def __init__(
        self,
        inputs: Mapping[str, Any],
        attributes: Mapping[str, Mapping[str, Any]],
        resources: Mapping[str, Any],
        secrets: Mapping[str, Any],
        files: Mapping[str, str],
        conditions: Mapping[str, Any],
    ) -> None:
        self.inputs, self.attributes, self.resources = inputs, attributes, resources
        self.secrets, self.files, self.conditions = secrets, files, conditions


def _hot(value: Any, version: str, known: _Known) -> _Read:
    names = {*known.resources, *known.attributes}
    reader = Reader(nearest_version(version), declared=known.inputs, names=names)
    conditions = {name: reader.condition(raw, (), definition=True) for name, raw in known.conditions.items()}
    expression = reader.value(value)
    for found in ex.walk(expression):
        if isinstance(found, (ex.Attribute, ex.Identity)) and isinstance(found.node, str) and found.node not in names:
            raise _error("BPC220", found.path, f"there is no resource '{found.node}'")
    scope = Scope(
        inputs=known.inputs,
        declared=known.inputs,
        conditions=conditions,
        attributes=lambda name: known.attributes.get(name, {}) if name in names else None,
        identities=known.resources,
        files=known.files.get,
    )
    return expression, scope, {problem.path: problem.text for problem in reader.problems}


def _cloudify(value: Any, version: str, known: _Known) -> _Read:
    problems: list[Any] = []
    expression = read_value(value, (), problems)
    for problem in problems:
        raise _error("BPC156", problem.path, problem.text)
    wanted = version.removeprefix("cloudify_dsl_")
    if needs(value) > wanted:
        newer = [name for name, function in FUNCTIONS.items() if function.since > wanted]
        raise _error("BPC156", (), f"cloudify_dsl_{wanted} does not have all of these functions ({', '.join(newer)})")
    for found in ex.walk(expression):
        if isinstance(found, ex.Input) and isinstance(found.name, str) and found.name not in known.inputs:
            raise _error("BPC156", found.path, f"there is no input '{found.name}'")
    properties: Mapping[str, Mapping[str, Any]] = {
        node: {key: read_value(item, (), []) for key, item in data.items()}
        for node, data in known.resources.items()
        if isinstance(data, Mapping)
    }
    nodes = {*known.attributes, *properties}
    scope = Scope(
        inputs=known.inputs,
        declared=known.inputs,
        attributes={node: _Runtime(known.attributes.get(node, {}), properties.get(node, {})) for node in nodes},
        properties=properties,
        secrets=known.secrets,
    )
    return expression, scope, {}


class _Runtime(Mapping[Any, Any]):
    """What ``get_attribute`` finds of a node, by name or by whole path (name, step, ...): its runtime properties, and
    its properties where those have nothing (cloudify-common, ``functions.py``)."""

    def __init__(self, runtime: Mapping[str, Any], properties: Mapping[str, Any]) -> None:
        self.runtime, self.properties = runtime, properties

    def __getitem__(self, key: Any) -> Any:
        path = key if isinstance(key, tuple) else (key,)
        found = _walk(self.runtime, path)
        return _walk(self.properties, path) if found is None else found

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter({**self.properties, **self.runtime})

    def __len__(self) -> int:
        return len({**self.properties, **self.runtime})


def _walk(value: Any, path: tuple[Any, ...]) -> Any:
    """The part of ``value`` at ``path``, None where it leads nowhere. A text cannot select an item of a list."""
    for step in path:
        if isinstance(value, list) and not isinstance(step, int):
            raise Refused(f"'{step}' is no place in a list")
        try:
            value = value[step] if isinstance(value, (Mapping, list)) else None
        except (KeyError, IndexError):
            return None
    return value


_READ: Final[dict[str, Callable[[Any, str, _Known], _Read]]] = {"hot": _hot, "cloudify": _cloudify}
#: dialect -> the code for what its engine refuses
_REFUSED: Final = {"hot": "BPC220", "cloudify": "BPC156"}


def _missing(found: ex.Expr) -> str:
    """What is not known of an expression that could not be computed."""
    if isinstance(found, (ex.Attribute, ex.Identity, ex.Property)) and isinstance(found.node, str):
        return f"nothing is given of '{found.node}'"
    name = getattr(found, "name", None)
    return f"'{name}' is not given" if isinstance(name, str) else f"{type(found).__name__} needs a running deployment"


def _error(code: str, path: Path, problem: str) -> EvaluationError:
    entry: Code = CODES[code]
    severity, fidelity = Severity[entry.severity.upper()], Fidelity[entry.fidelity.upper()]
    message, hint = entry.message.format(problem=problem), entry.hint.format(problem=problem)
    return EvaluationError(Diagnostic(code, severity, fidelity, message, Span(_NAME, 1, 1), path, hint))
