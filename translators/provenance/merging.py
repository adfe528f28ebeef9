"""Edits of an earlier result put into a new one: a merge of three documents.

``base`` is the earlier result as it was generated, ``edited`` what became of it, ``new`` the result of today. What is
merged are values: an edit is taken over where ``new`` still has what was edited as ``base`` has it. The text follows:
the lines of all three are merged where that yields these values, else the edits are put into the text of ``new``. A
comment of ``edited`` that would be lost counts as an edit that cannot be kept. Notes (:mod:`.notes`) are those of
``new``; they are no edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance import notes
from bpconvert.translators.provenance.carry import digest, digests_of
from bpconvert.translators.provenance.restore import Patch, Unlike, graft, with_changes
from bpconvert.translators.provenance.splice import splice
from bpconvert.translators.support.places import exists, value_at
from bpconvert.yamlio.document import Document, load
from bpconvert.yamlio.emit import emit


class Version(NamedTuple):
    """One of the three documents. ``own``: the place of the record in it; () where it has none."""

    document: Document
    own: Path = ()


class Merged(NamedTuple):
    """``text``: the new result with the edits; None where ``conflicts`` are in the way: places in the edited document.
    ``kept``: the places of the edits that are in the text. ``comments``: the lost ones, as (place, text)."""

    text: str | None
    kept: list[Path]
    conflicts: list[Path]
    comments: list[tuple[Path, str]]


def merge(
    base: Version | None,
    edited: Version,
    new: Version,
    digests: Mapping[Path, str] | None,
    unresolved: Callable[[Any], set[tuple[Path, str]]],
    calls: Collection[str],
) -> Merged:
    """The ``new`` document with the edits of the ``edited`` one.

    Args:
        base: what was edited; None where that cannot be generated again: then every edit is a conflict.
        known: the digests of what was generated, by place; None: those of ``base``.
        unresolved: yields where a document names an entry that it does not have.
        calls: names of functions, for the layout."""
    as_left, written = edited.document, notes.places_in(new.document)
    base = None if base is None else base._replace(document=notes.without(base.document))
    edited, new = (version._replace(document=notes.without(version.document)) for version in (edited, new))
    before = digests_of(base.document.data, base.own) if base is not None else {}
    if digests is None:
        digests = before if base is not None else digests_of(new.document.data, new.own)
    now = digests_of(edited.document.data, edited.own)
    changed = [path for path in {**now, **digests} if now.get(path) != digests.get(path)]
    data = (base.document.data if base is not None else {}, edited.document.data, new.document.data)
    patch, conflicts = _changes(changed, before, digests, data)
    dangling = unresolved(patch.data) - unresolved(edited.document.data) - unresolved(new.document.data)
    conflicts += [path[:2] for path, _ in dangling]
    if conflicts:
        return Merged(None, [], sorted(set(conflicts), key=str), [])
    text = _text(base, edited, new, patch, calls)
    if text is None:
        return Merged(None, [], changed or [()], [])
    lost = _lost_comments(base, edited.document, text)
    text = notes.put(text, notes.left(written, new.document, as_left, patch.data), new.document)
    return Merged(None if lost else text, changed, [], lost)


def _changes(
    changed: Sequence[Path], before: Mapping[Path, str], digests: Mapping[Path, str], versions: tuple[Any, Any, Any]
) -> tuple[Patch, list[Path]]:
    """What the edits at the places ``changed`` mean for the new document, and where it has something else by now.
    ``before``: the digests of the base; ``versions``: the data of base, edited, new."""
    base, edited, new = versions
    values: dict[Path, Any] = {}
    dropped: set[Path] = set()
    grafted: set[Path] = set()
    conflicts: list[Path] = []
    for path in changed:
        is_there, is_new = exists(edited, path), exists(new, path)
        if is_there and is_new and digest(value_at(new, path)) == digest(value_at(edited, path)):
            continue
        if path not in digests:
            values[path] = value_at(edited, path)
            if is_new and value_at(new, path):
                conflicts.append(path)
        elif not is_there:
            dropped |= {path} if is_new else set()
            if is_new and digest(value_at(new, path)) != digests[path]:
                conflicts.append(path)
        elif not is_new or before.get(path) != digests[path]:
            conflicts.append(path)
        else:
            try:
                values[path] = graft(value_at(new, path), value_at(base, path), value_at(edited, path))
                grafted.add(path)
            except Unlike:
                conflicts.append(_innermost(versions, path))
    return Patch(values, dropped, grafted, with_changes(new, values, dropped, edited), {}), conflicts


def _innermost(versions: tuple[Any, Any, Any], path: Path) -> Path:
    """The place inside of the entry at ``path``, which is a conflict, as far as base, edited and new have it."""
    base, edited, new = (value_at(data, path) for data in versions)
    while isinstance(base, dict) and isinstance(edited, dict) and isinstance(new, dict):
        three = (base, edited, new)
        unlike = [
            key
            for key in edited
            if len({digest([key in version, version.get(key)]) for version in three}) == len(three)
        ]
        if not unlike:
            break
        path = (*path, unlike[0])
        base, edited, new = (version.get(unlike[0]) for version in three)
    return path


# -- texts --------------------------------------------------------------------------------------------------


def _text(base: Version | None, edited: Version, new: Version, patch: Patch, calls: Collection[str]) -> str | None:
    """The text of the new document with the changes, and with the layout of the edited one where that is possible; None
    where the changes have no lines of their own in it."""
    texts = [_with_record_of(new, version) for version in (base, edited) if version is not None]
    if len(texts) == 2 and texts[0] is not None and texts[1] is not None:
        merged = merge_lines(texts[0], texts[1], new.document.text, touching=True)
        if merged is not None and _means(merged, new.document, patch.data):
            return new.document.mark + merged
    comments = dict(new.document.comments)
    comments |= {path: comment for path, comment in edited.document.comments.items() if path[:2] in patch.new}
    return splice(new.document, patch, comments, calls)


def _with_record_of(new: Version, version: Version) -> str | None:
    """The text of a version with the record of the new one; None where these do not stand on lines of their own."""
    text = version.document.text
    if not version.own or not new.own:
        return text
    theirs, mine = new.document.span(new.own), version.document.span(version.own)
    if theirs is None or mine is None:
        return None
    return text[: mine[0]] + new.document.text[theirs[0] : theirs[1]] + text[mine[1] :]


def _means(text: str, like: Document, data: Any) -> bool:
    try:
        return digest(load(text).like(like).data) == digest(data)
    except SourceError:
        return False


def _lost_comments(base: Version | None, edited: Document, text: str) -> list[tuple[Path, str]]:
    """The comments that are in the edited document alone."""
    left: Counter[str] = comments_of(load(text))
    if base is not None:
        left = left | comments_of(base.document)
    lost = []
    for note in edited.notes:
        comment = edited.text[note.start : note.end]
        if not left[comment]:
            lost.append((note.path, comment))
        left[comment] -= 1
    return lost


def comments_of(document: Document) -> Counter[str]:
    """The comments of a document, each with its number."""
    return Counter(document.text[note.start : note.end] for note in document.notes)


def merge_values(base: str, mine: str, theirs: str) -> str | None:
    """As :func:`merge_lines`, of texts in YAML: what is merged are their values, and the lines as far as that yields
    these."""
    if mine in (base, theirs) or theirs == base:
        return merge_lines(base, mine, theirs)
    try:
        before, edited, new = (load(text) for text in (base, mine, theirs))
        data = graft(new.data, before.data, edited.data)
    except (SourceError, Unlike):
        return None
    merged = merge_lines(base, mine, theirs, touching=True)
    if merged is not None and _means(merged, new, data):
        return merged
    return None if edited.notes else emit(data)


class _Edit(NamedTuple):
    """The lines of the base from ``begin`` to ``end`` give way to ``lines``."""

    begin: int
    end: int
    lines: tuple[str, ...]


def merge_lines(base: str, mine: str, theirs: str, touching: bool = False) -> str | None:
    """``base`` with the changes of both other texts, line by line; None where both change the same lines.
    ``touching``: changes may stand side by side."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    old = base.splitlines(keepends=True)
    edits = sorted({*_edits(old, mine), *_edits(old, theirs)})
    merged: list[str] = []
    at = 0
    for number, edit in enumerate(edits):
        behind = edits[number - 1] if number else None
        if behind is not None:
            both_insert = edit.begin == edit.end == behind.begin == behind.end
            if edit.begin < behind.end or both_insert or (edit.begin == behind.end and not touching):
                return None
        merged += [*old[at : edit.begin], *edit.lines]
        at = edit.end
    return "".join([*merged, *old[at:]])


def _edits(old: list[str], text: str) -> list[_Edit]:
    new = text.splitlines(keepends=True)
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [_Edit(a, b, tuple(new[c:d])) for tag, a, b, c, d in codes if tag != "equal"]
