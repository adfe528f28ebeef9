"""A document that was edited after it had been generated, back in the language that it came from.

The origin stays as it was, text and all, but for the entries whose translation was edited: these are translated anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.models.expressions import Path
from bpconvert.translators.carry import Changes, Origin, fresh_entries
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.places import value_at
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
    version_key: str,
    version: Callable[[str, Iterable[Any]], str],
) -> Patched:
    """``origin`` with the entries of the new translation ``lowered`` (whose comments are ``comments``) that come from
    what was changed. ``version``: (the origin's version, new fragments) -> the version that has both."""
    fresh = fresh_entries(origin, lowered.data, lowered.made)
    ordered = _in_order(lowered.data, fresh)
    old = origin.document.data
    data: dict[str, Any] = {}
    for section, content in old.items():
        if (section,) in fresh:
            data[section] = lowered.data[section]
        elif isinstance(content, dict) and content:
            added = [path[1] for path in ordered if path[0] == section and path[1] not in content]
            patched = _section(origin, lowered.data, fresh, section, added)
            if patched:
                data[section] = patched
        elif not origin.is_touched((section,)):
            data[section] = _as_it_was(origin, (section,))
    for path in ordered:
        if path[0] not in data:
            data = _inserted(data, path[0], lowered.data[path[0]] if len(path) == 1 else {}, lowered.data)
        if path[0] not in old and len(path) == 2:
            data[path[0]][path[1]] = value_at(lowered.data, path)
    current = str(old.get(version_key))
    needed = version(current, [value_at(lowered.data, path) for path in fresh])
    if needed != current:
        data[version_key] = needed
    placed = {path: comment for path, comment in origin.document.comments.items() if path[:2] not in fresh}
    placed |= {path: comment for path, comment in comments.items() if path[:2] in fresh or path[:1] in fresh}
    return Patched(data, placed, fresh)


def _section(origin: Origin, new: Mapping[str, Any], fresh: set[Path], section: str, added: list[Any]) -> Any:
    """A section of the origin with its new parts: its text where nothing changed, else its entries."""
    names = origin.document.data[section]
    kept = [name for name in names if (section, name) in fresh or not origin.is_touched((section, name))]
    if len(kept) == len(names) and not added and not any((section, name) in fresh for name in names):
        return _as_it_was(origin, (section,))
    return {
        name: new[section][name] if (section, name) in fresh else _as_it_was(origin, (section, name))
        for name in (*kept, *added)
    }


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
