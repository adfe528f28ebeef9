"""What stands for a value that HOT has no form for: a parameter, described, or the call as the user wrote it."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.passes.expressions.rewriter import place_name
from bpconvert.translators.support.places import dotted

if TYPE_CHECKING:
    from bpconvert.translators.hot.write.context import Context


def as_written(context: Context, value: Value) -> Any:
    """The expression as plain data: the user's own words where they are known, else the source's call."""
    if not isinstance(value, ex.Expr):
        return _plain(value, context)
    raw = context.document_value(value.path) if value.path else MISSING
    if context.words.called(raw):
        return copy.deepcopy(raw)
    try:
        return context.words.written(value)
    except ValueError:
        return repr(value)


def _plain(value: Value, context: Context) -> Any:
    if isinstance(value, dict):
        return {key: as_written(context, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_written(context, item) for item in value]
    return value


def as_text(data: Any) -> str:
    """Plain data in one line: a text as it is, other data as JSON."""
    return data if isinstance(data, str) else json.dumps(data, separators=(",", ":"), default=str)


def _owner(deployment: Value) -> str:
    """The deployment that a capability belongs to, in words."""
    if isinstance(deployment, str):
        return f"deployment {deployment}"
    node = getattr(deployment, "node", None) or (deployment.name if isinstance(deployment, ex.Input) else None)
    return f"the deployment that '{node}' names" if isinstance(node, str) else "another deployment"


def described(context: Context, expr: Value, path: Path) -> tuple[str, str, str]:
    """For a parameter that asks for a value: the name it should have, its description and its type."""
    source = context.request.source
    if isinstance(expr, ex.Capability) and isinstance(expr.name, str):
        if expr.scope == "environment":
            return expr.name, f"Capability {expr.name} of the environment", "string"
        if expr.scope == "group":
            group = expr.deployment if isinstance(expr.deployment, str) else "another group"
            return expr.name, f"Capability {expr.name} of the deployments of group {group}", "json"
        owner = _owner(expr.deployment)
        what = ".".join(map(str, (expr.name, *expr.keys))) if ex.is_constant(expr.keys) else expr.name
        return expr.name, f"Capability {what} of {owner}", "string"
    if isinstance(expr, ex.Label) and isinstance(expr.name, str):
        many = expr.index is MISSING
        text = f"Values of label {expr.name}" if many else f"Value {expr.index} of label {expr.name}"
        return f"label_{expr.name}", f"{text} of the deployment", "json" if many else "string"
    if isinstance(expr, ex.System):
        section, fact = expr.name.split(".", 1)
        return expr.name.replace(".", "_"), f"The {fact} of the {section} in {source.title}", "string"
    if isinstance(expr, ex.Consumers):
        kind = "number" if expr.what == "count" else "json"
        return f"consumers_{expr.what}", f"The {expr.what} of the deployments that use this one", kind
    json_like = isinstance(expr, (dict, list, ex.Merge, ex.AttributeDict, ex.AttributeList))
    split = isinstance(expr, ex.Split) and expr.index is MISSING
    kind = "json" if json_like or split else "string"
    written = as_text(as_written(context, expr))
    return place_name(source.words, path, expr), f"Value of {dotted(path)}, in {source.title}: {written}", kind
