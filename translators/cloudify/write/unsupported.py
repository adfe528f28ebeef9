"""What Cloudify cannot say, and how the user wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.passes.expressions import fold

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.context import Context


def is_refused(context: Context, expr: Value) -> bool:
    """True for a call that Heat refuses, which has been reported."""
    return isinstance(expr, ex.Foreign) and (
        expr.path in context.topology.uncomputable
        or any(found.code == "BPC220" and found.path == expr.path for found in context.reporter.diagnostics)
    )


def no_counterpart(context: Context, expr: ex.Expr) -> str:
    """Why ``expr`` cannot be said."""
    if is_refused(context, expr):
        return "Heat refuses the call"
    return f"Cloudify has no counterpart of '{spelling(context, expr)}'"


def spelling(context: Context, expr: ex.Expr) -> str:
    """The name of the call as the user wrote it."""
    return fold.spelling(context.request.document, expr)
