"""What Cloudify cannot say, and how the user wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.context import Context


class Cannot(Exception):
    """Cloudify cannot say the expression; ``reason`` completes "not converted: ..."."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def spelling(context: Context, expr: ex.Expr) -> str:
    """The name of the call as the user wrote it."""
    raw = context.document_value(expr.path)
    if isinstance(expr, ex.Foreign):
        return expr.name
    return str(next(iter(raw))) if isinstance(raw, dict) and len(raw) == 1 else type(expr).__name__.lower()
