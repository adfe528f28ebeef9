"""What an engine computes for a value: one function, for tools, ``verify`` and the tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.diagnostics import EvaluationError, Severity, Span, UsageError, diagnostic
from bpconvert.diagnostics.secrets import Secrets
from bpconvert.limits import bounded
from bpconvert.models.expressions import Path
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.evaluate import Refused
from bpconvert.translators.evaluate.facts import Facts, NotComputed

#: what diagnostics call the value
_NAME: Final = "<value>"


def evaluate(
    value: Any, *, dialect: str, version: str, inputs: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Any] | None = None, resources: Mapping[str, Any] | None = None,
    secrets: Mapping[str, Any] | None = None, files: Mapping[str, str] | None = None,
    conditions: Mapping[str, Any] | None = None, system: Mapping[str, Any] | None = None,
    parent: Mapping[str, Any] | None = None, here: Mapping[str, str] | None = None,
    capabilities: Mapping[str, Mapping[str, Any]] | None = None,
    group_capabilities: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    environment_capabilities: Mapping[str, Any] | None = None,
    labels: Mapping[str, list[Any]] | None = None, consumers: Mapping[str, list[str]] | None = None,
) -> Any:  # fmt: skip
    """The value that the engine of ``dialect`` computes.

    Args:
        value: plain YAML data with function calls in it, as a template has it.
        dialect: ``hot``, ``cloudify`` or ``tosca``.
        version: the template's version (``2018-08-31``, ``rocky``; ``cloudify_dsl_1_3``, ``1_3``;
            ``tosca_simple_yaml_1_3``).
        inputs: parameter or input -> its value, as a reference to it yields it.
        attributes: resource or node -> its attributes or runtime properties, by their names. An absent one is null, as
            in both engines. In Cloudify a list has a map for each instance of the node; the id of an instance is its
            ``node_instance_id``.
        resources: what else is known of resources: in HOT what ``get_resource`` yields, in Cloudify
            and in TOSCA the node's properties, those of its type too, with calls in them (``get_property``).
        secrets: secret -> its text (Cloudify).
        files, conditions: file -> its text, condition -> its definition, plain data (HOT).
        system: facts about the deployment: ``deployment.name``, ``deployment.id`` (in HOT those of the stack),
            ``project.id``, ``region``, ``availability_zones`` (HOT), ``deployment.blueprint``, ``deployment.owner``,
            ``tenant.name`` (Cloudify).
        parent: ``metadata``, ``deletion_policy`` and ``update_policy`` of the resource that a nested template is
            (HOT, ``resource_facade``); None: it is not nested, and the call is refused.
        here: the node whose property the value is, as ``SELF``, or the nodes of the relationship whose operation takes
            it, as ``SOURCE`` and ``TARGET`` (Cloudify, TOSCA). By default the value is that of an output.
        capabilities: deployment -> capability -> value (Cloudify, as are the following); in TOSCA node -> capability ->
            properties.
        group_capabilities: deployment group -> deployment -> capability -> value.
        environment_capabilities: capability of the deployment that this one is in -> value.
        labels, consumers: label of the deployment -> its values; ``ids`` and ``names`` of those that use this one.

    Returns: plain data of maps, lists and scalars.

    Raises:
        EvaluationError: the engine refuses to compute the value, or needs something that is not given, or the query in
            it gives another value each time. The diagnostic's path is the place in ``value``. ``yaql`` is computed by
            the package of that name (the extra ``yaql``); without it, it is refused with BPC229.
        UsageError: the dialect is unknown."""
    facts = {name: fact for name, fact in locals().items() if name not in ("value", "dialect") and fact is not None}
    return _computed(value, dialect, Facts(**facts))


def _computed(value: Any, dialect: str, facts: Facts) -> Any:
    evaluator = DIALECTS[dialect].evaluated() if dialect in DIALECTS else None
    if evaluator is None:
        names = [name for name, row in DIALECTS.items() if row.evaluator]
        raise UsageError(f"unknown dialect {dialect!r} (choose from {', '.join(names)})")
    secrets = Secrets()
    secrets.add(facts.secrets)
    try:
        with bounded(None):
            return evaluator.compute(value, facts)
    except NotComputed as unknown:
        words = {name: secrets.masked(word) for name, word in unknown.words.items()}
        raise _error(unknown.code, unknown.path, **words) from unknown
    except Refused as refused:
        raise _error(evaluator.refused, refused.path, problem=secrets.masked(refused.message)) from refused
    except RecursionError as deep:
        raise _error(evaluator.refused, (), problem="nested too deeply") from deep


def _error(code: str, path: Path, **words: str) -> EvaluationError:
    finding = diagnostic(code, Span(_NAME, 1, 1), path, words)
    return EvaluationError(finding._replace(severity=Severity.ERROR))
