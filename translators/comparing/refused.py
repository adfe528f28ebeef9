"""What a document that an engine filled with values has in place of some: of refused ones, and of data like calls."""

from __future__ import annotations

from typing import Final

from bpconvert.models.expressions import MISSING, Expr, Value


class _Refusal:
    def __repr__(self) -> str:
        return "REFUSED"


REFUSED: Final = _Refusal()
#: stands for it in a document that is filled with values
REFUSED_TEXT: Final = "\ue000refused\ue000"
#: begins a key of such a document that would make a call of data
DATA: Final = "\ue000data\ue000"


def unmarked(value: Value) -> Value:
    """``value`` without the marks of data (see :data:`DATA`)."""
    if isinstance(value, dict):
        return {key.removeprefix(DATA) if isinstance(key, str) else key: unmarked(one) for key, one in value.items()}
    return [unmarked(item) for item in value] if isinstance(value, list) else value


def is_plain(value: Value) -> bool:
    """True for data without calls and refused values."""
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return not isinstance(value, (Expr, _Refusal)) and value is not MISSING
