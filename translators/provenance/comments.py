"""Where the source's comments go in the result: with what they speak of, or as near as the result allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.translators.provenance import notes
from bpconvert.translators.support.places import exists
from bpconvert.yamlio.comments import Comment


def place(comments: Mapping[Path, Comment], moves: Iterable[tuple[Path, Path]], data: Any) -> dict[Path, Comment]:
    """Every comment at a path of ``data``. ``moves``: (place in the source, place in the result); below a moved
    place the paths are the same. A comment whose own place does not exist goes to that of the first of its parts that
    does, else before the nearest enclosing one. What ends the file ends the result. Notes of an earlier conversion go
    nowhere."""
    comments = notes.dropped(comments)
    if not comments:
        return {}
    targets: dict[Path, Path] = {}
    for source, target in moves:
        targets.setdefault(source, target)
    placed: dict[Path, Comment] = {}
    for path, comment in _ending(comments).items():
        wanted, exact = _target(path, targets)
        if path and path not in targets and not (wanted and exists(data, wanted)):
            wanted = _of_parts(path, targets, data) or wanted
        nearest = wanted
        while nearest and not exists(data, nearest):
            nearest = nearest[:-1]
        if not exact or nearest != wanted:
            lines = (*comment.before, *((comment.inline,) if comment.inline else ()), *comment.after)
            comment = Comment(before=lines, inline=None, after=())
        placed[nearest] = _joined(placed.get(nearest), comment)
    return placed


def _of_parts(path: Path, targets: Mapping[Path, Path], data: Any) -> Path:
    """Where the first part of the entry at ``path`` went that has a place, () if none has; the list it went into for
    an entry that was no item of a list itself. The entry of an item that is a map of one counts before its parts."""
    rows = targets.items()
    for source, target in sorted(rows, key=lambda row: len(row[0]) != len(path) + 1) if _is_item(path) else rows:
        if source[: len(path)] == path and exists(data, target):
            while target and isinstance(target[-1], int) and not isinstance(path[-1], int):
                target = target[:-1]
            return target
    return ()


def _is_item(path: Path) -> bool:
    return isinstance(path[-1], int)


def _ending(comments: Mapping[Path, Comment]) -> dict[Path, Comment]:
    """``comments`` with those after the last section as the file's own: they stand at the margin."""
    result: dict[Path, Comment] = {}
    for path, comment in comments.items():
        if len(path) == 1 and comment.after:
            result[()] = _joined(result.get((), comments.get(())), Comment(after=comment.after))
            comment = comment._replace(after=())
        if path not in result:
            result[path] = comment
    return result


def _target(path: Path, targets: Mapping[Path, Path]) -> tuple[Path, bool]:
    for length in range(len(path), 0, -1):
        target = targets.get(path[:length])
        if target is not None:
            return (*target, *path[length:]), True
    return (), not path


def _joined(first: Comment | None, second: Comment) -> Comment:
    if first is None:
        return second
    inline = first.inline
    extra: tuple[str, ...] = ()
    if second.inline:
        inline, extra = (second.inline, ()) if not inline else (inline, (second.inline,))
    return Comment(before=(*first.before, *second.before, *extra), inline=inline, after=(*first.after, *second.after))
