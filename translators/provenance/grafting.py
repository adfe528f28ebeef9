"""A change put into a value that is written otherwise than what was changed: where it has a place for that."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.provenance.differences import Difference, differences
from bpconvert.translators.support.places import value_at


def loosely(original: Any, before: Any, after: Any) -> Any:
    """``original`` with each of the differences between ``before`` and ``after`` in the place that it has there,
    whatever stands in it; None where a list has no such item, or a call (``get_file``) stands for a text of several
    lines. Whether that yields what was edited is found out by translating it."""
    result = _copy(original)
    try:
        for change in sorted(differences(before, after), key=_from_the_end):
            if not change.path or not _put(result, change, after):
                return None
    except (LookupError, TypeError):
        return None
    return result


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [*map(_copy, value)] if isinstance(value, list) else value


def _from_the_end(change: Difference) -> tuple[bool, int]:
    """Items that are gone are taken away from the end of their list."""
    step = change.path[-1] if change.path else ""
    is_gone_item = isinstance(step, int) and change.after is MISSING
    return not is_gone_item, -step if is_gone_item and isinstance(step, int) else 0


def _put(result: Any, change: Difference, after: Any) -> bool:
    holder, path = result, change.path
    for depth, step in enumerate(path[:-1], 1):
        inner = _at(holder, step)
        if not isinstance(inner, (dict, list)) or isinstance(inner, list) is not isinstance(path[depth], int):
            return _exchanged(holder, step, value_at(after, path[:depth]))
        holder = inner
    return _ended(holder, path, change)


def _at(holder: Any, step: Any) -> Any:
    if isinstance(holder, dict):
        return holder.get(step)
    return holder[step] if isinstance(step, int) and step < len(holder) else None


def _exchanged(holder: Any, step: Any, value: Any) -> bool:
    if isinstance(holder, list) and not step < len(holder):
        return False
    if isinstance(value, str) and "\n" in value and isinstance(_at(holder, step), dict):
        return False
    holder[step] = value
    return True


def _ended(holder: Any, path: Path, change: Difference) -> bool:
    step = path[-1]
    if isinstance(holder, dict):
        if change.after is not MISSING:
            return _exchanged(holder, step, change.after)
        return holder.pop(step, MISSING) is not MISSING
    if change.after is MISSING:
        if not step < len(holder) or digest(holder[step]) != digest(change.before):
            return False
        del holder[step]
    elif change.before is MISSING:
        if step > len(holder):
            return False
        holder.insert(step, change.after)
    else:
        return _exchanged(holder, step, change.after)
    return True
