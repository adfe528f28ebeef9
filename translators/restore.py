"""A document that was edited after it had been generated, back in the language that it came from.

The origin stays as it was, text and all, but for the entries whose translation was edited: these are translated anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.models.expressions import Path
from bpconvert.translators.carry import Changes, Origin, digest, fresh_entries
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.places import exists, value_at
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.emit import Verbatim


class Patched(NamedTuple):
    """The origin with its new parts, ready to be rendered, and the places in it that are new."""

    data: dict[str, Any]
    comments: dict[Path, Comment]
    fresh: set[Path]


def patch(
    origin: Origin,
    lowered: Lowered,
    comments: Mapping[Path, Comment],
    before: Mapping[str, Any],
    version_key: str,
    version: Callable[[str, Iterable[Any]], str],
) -> Patched:
    """``origin`` with the entries of the new translation ``lowered`` (whose comments are ``comments``) that come from
    what was changed. ``before``: the translation before the change, as far as it is known. ``version``: (the origin's
    version, new fragments) -> the version that has both."""
    fresh = fresh_entries(origin, lowered.data, lowered.made)
    new = {path: value_at(lowered.data, path) for path in _in_order(lowered.data, fresh)}
    old = origin.document.data
    grafted = {path: value for path in new if (value := _grafted(old, before, new, path)) is not None}
    data: dict[str, Any] = {}
    for section, content in old.items():
        if (section,) in fresh:
            data[section] = new[section,]
        elif isinstance(content, dict) and content:
            patched = _section(origin, {**new, **grafted}, section)
            if patched:
                data[section] = patched
        elif not origin.is_touched((section,)):
            data[section] = _as_it_was(origin, (section,))
    for path, value in new.items():
        if path[0] not in data:
            data = _inserted(data, path[0], value if len(path) == 1 else {}, lowered.data)
        if path[0] not in old and len(path) == 2:
            data[path[0]][path[1]] = value
    current = str(old.get(version_key))
    needed = version(current, new.values())
    if needed != current:
        data[version_key] = needed
    replaced = fresh - grafted.keys()
    placed = {path: comment for path, comment in origin.document.comments.items() if path[:2] not in replaced}
    placed |= {path: comment for path, comment in comments.items() if path[:2] in replaced or path[:1] in replaced}
    return Patched(data, placed, fresh)


def _section(origin: Origin, new: Mapping[Path, Any], section: str) -> Any:
    """A section of the origin with its new parts: its text where nothing changed, else its entries."""
    names = origin.document.data[section]
    places = [path for name in names if (path := (section, name)) in new or not origin.is_touched(path)]
    places += [path for path in new if path[0] == section and path[1] not in names]
    if len(places) == len(names) and not any(path in new for path in places):
        return _as_it_was(origin, (section,))
    return {path[1]: new[path] if path in new else _as_it_was(origin, path) for path in places}


class _Unlike(Exception):
    """The origin does not say a changed part as the translation does."""


def _grafted(old: Any, before: Any, new: Mapping[Path, Any], path: Path) -> Any:
    """The origin's entry with the change alone, where it says what changed just as the translation did; else None."""
    if not exists(old, path) or not exists(before, path):
        return None
    try:
        return _graft(value_at(old, path), value_at(before, path), new[path])
    except _Unlike:
        return None


def _graft(original: Any, before: Any, after: Any) -> Any:
    """``original`` with what differs between ``before`` and ``after``."""
    if digest(before) == digest(after):
        return original
    if isinstance(original, dict) and isinstance(before, dict) and isinstance(after, dict):
        return _graft_map(original, before, after)
    lists = [value for value in (original, before, after) if isinstance(value, list)]
    if len(lists) == 3 and len({len(value) for value in lists}) == 1:
        return [_graft(*items) for items in zip(original, before, after, strict=True)]
    if digest(original) != digest(before):
        raise _Unlike
    return after


def _graft_map(original: dict[Any, Any], before: dict[Any, Any], after: dict[Any, Any]) -> dict[Any, Any]:
    result = dict(original)
    for key in before.keys() - after.keys():
        if key not in original or digest(original[key]) != digest(before[key]):
            raise _Unlike
        del result[key]
    for key, value in after.items():
        if key in before:
            if digest(before[key]) != digest(value):
                if key not in original:
                    raise _Unlike
                result[key] = _graft(original[key], before[key], value)
        elif key in original:
            raise _Unlike
        else:
            result[key] = value
    return result


def _in_order(data: Mapping[str, Any], paths: set[Path]) -> list[Path]:
    """The paths in the order of the document."""
    ordered: list[Path] = []
    for section, content in data.items():
        if (section,) in paths:
            ordered.append((section,))
        elif isinstance(content, dict):
            ordered += [(section, name) for name in content if (section, name) in paths]
    return ordered


def _inserted(data: dict[str, Any], section: str, content: Any, order: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` with a new section, behind those that conventionally stand before it."""
    before = list(order)[: list(order).index(section)]
    place = max((number for number, name in enumerate(data, 1) if name in before), default=0)
    items = list(data.items())
    return dict([*items[:place], (section, content), *items[place:]])


def _as_it_was(origin: Origin, path: Path) -> Any:
    """The origin's own text of an entry, its data where the text cannot stand alone."""
    text = origin.document.source(path)
    return value_at(origin.document.data, path) if text is None else Verbatim(text)


def report(
    changes: Changes, patched: Patched, lowered: Lowered, found: Iterable[Diagnostic], reporter: Reporter
) -> None:
    """Say what was translated anew, keep what the translation ``found`` in it, and name edits without effect."""
    for place in sorted(changes.deleted, key=str):
        reporter.report("BPC621", place[:1], name=place[-1])
    for place in sorted(changes.present, key=str):
        became = [entry for entry in lowered.made.get(place, ()) if entry in patched.fresh]
        code = "BPC620" if place in changes.edited else "BPC623"
        reporter.report(code if became else "BPC622", place, name=".".join(map(str, place)))
    present = changes.present
    for diagnostic in found:
        if diagnostic.path[:2] in present or diagnostic.path[:1] in present:
            reporter.record(diagnostic)
