"""Where the source's comments go in the result: with what they speak of, or as near as the result allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.yamlio.comments import Comment


def place(comments: Mapping[Path, Comment], moves: Iterable[tuple[Path, Path]], data: Any) -> dict[Path, Comment]:
    """Every comment at a path of ``data``. ``moves``: (place in the source, place in the result); below a moved
    place the paths are the same. A comment whose own place does not exist goes before the nearest enclosing one."""
    if not comments:
        return {}
    targets: dict[Path, Path] = {}
    for source, target in moves:
        targets.setdefault(source, target)
    placed: dict[Path, Comment] = {}
    for path, comment in comments.items():
        wanted, exact = _target(path, targets)
        found = wanted
        while found and not _exists(data, found):
            found = found[:-1]
        if not exact or found != wanted:
            lines = (*comment.before, *((comment.inline,) if comment.inline else ()), *comment.after)
            comment = Comment(before=lines, inline=None, after=())
        placed[found] = _joined(placed.get(found), comment)
    return placed


def _target(path: Path, targets: Mapping[Path, Path]) -> tuple[Path, bool]:
    for length in range(len(path), 0, -1):
        target = targets.get(path[:length])
        if target is not None:
            return (*target, *path[length:]), True
    return (), not path


def _exists(data: Any, path: Path) -> bool:
    for step in path:
        if isinstance(data, dict):
            if step not in data:
                return False
        elif not (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            return False
        data = data[step]
    return True


def _joined(first: Comment | None, second: Comment) -> Comment:
    if first is None:
        return second
    inline = first.inline
    extra: tuple[str, ...] = ()
    if second.inline:
        inline, extra = (second.inline, ()) if not inline else (inline, (second.inline,))
    return Comment(before=(*first.before, *second.before, *extra), inline=inline, after=(*first.after, *second.after))
