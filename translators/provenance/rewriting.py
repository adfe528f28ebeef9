"""Single values exchanged in the text of a document: everything else stays as it was written."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ruamel.yaml.events import AliasEvent, ScalarEvent

from bpconvert.models.expressions import MISSING, SCALARS, Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance.differences import Difference
from bpconvert.translators.support.places import exists, without
from bpconvert.yamlio.comments import PROPERTIES
from bpconvert.yamlio.document import Document, Map, Seq, holder, load
from bpconvert.yamlio.emit import Emitter, emit
from bpconvert.yamlio.quoting import block_scalar, flow_scalar, quoted
from bpconvert.yamlio.tree import written


class TextEdit(NamedTuple):
    """``text`` in place of what stands from ``begin`` to ``end``."""

    begin: int
    end: int
    text: str


class Token(NamedTuple):
    """A scalar as it is written, once, whatever aliases stand for it. ``begin`` and ``end``: its place in the text
    without tag and anchor; ``in_flow``: it stands in brackets."""

    path: Path
    value: Any
    begin: int
    end: int
    style: str | None
    in_flow: bool


def tokens(document: Document) -> Iterator[Token]:
    """The scalars of a document that are values, in the order of the text."""
    yield from _tokens(document, document.tree, (), False)


def _tokens(document: Document, node: Any, path: Path, in_flow: bool) -> Iterator[Token]:
    in_flow = in_flow or getattr(node, "flow", False)
    for step, _, event, value in written(node):
        if type(event) is AliasEvent:
            continue
        place = (*path, step)
        if type(value) in (Map, Seq):
            yield from _tokens(document, value, place, in_flow)
        elif type(event) is ScalarEvent and type(value) in SCALARS:
            begin = event.start_mark.index
            if event.anchor is not None or not (event.implicit[0] or event.implicit[1]):
                skipped = PROPERTIES.match(document.text, begin)
                begin = skipped.end() if skipped else begin
            lifted = place[1:] if len(place) > 1 and document.inside.get(place[1]) == place[0] else place
            yield Token(lifted, value, begin, event.end_mark.index, event.style or None, in_flow)


def with_edits(document: Document, edits: Iterable[TextEdit]) -> Document | None:
    """The document with other texts in these places; None where they overlap, or the result cannot be read."""
    text, before = document.text, len(document.text) + 1
    for edit in sorted(set(edits), reverse=True):
        if edit.end > before:
            return None
        text, before = text[: edit.begin] + edit.text + text[edit.end :], edit.begin
    try:
        rewritten = load(text, document.name).like(document)
    except Exception as error:  # whatever the scanners raise for a text that is no document any more
        from bpconvert.diagnostics import SourceError

        if isinstance(error, SourceError):
            return None
        raise
    rewritten.mark = document.mark
    return rewritten


#: a word that every style of a scalar writes as it is
_PLAIN_WORD = re.compile(r"[\w./@+=~-]+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def scalar(document: Document, token: Token, value: Any) -> TextEdit | None:
    """Another ``value`` for a scalar, in the style in which it is written; None where that cannot hold it."""
    raw = document.text[token.begin : token.end]
    if "\n" in raw and token.style != "|":
        reworded = _reworded(raw, token, value)
        if reworded is not None or token.style == ">":
            return None if reworded is None else TextEdit(token.begin, token.end, reworded)
    if token.style == "|":
        text = _block(raw, token, value)
    elif not isinstance(value, str):
        text = emit(value).rstrip("\n")
    elif token.style == "'" and isinstance(token.value, str) and value.isprintable():
        text = "'" + value.replace("'", "''") + "'"
    elif token.style == '"' and isinstance(token.value, str):
        text = quoted(value) if not value.isprintable() else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    elif _DAY.fullmatch(raw) and _DAY.fullmatch(value):  # a version; other readers take both for days
        text = value
    else:
        text = flow_scalar(value) if token.in_flow else block_scalar(value)
    return None if text is None else TextEdit(token.begin, token.end, text)


def _block(raw: str, token: Token, value: Any) -> str | None:
    """A literal block scalar with the lines of another text."""
    if not isinstance(value, str) or not isinstance(token.value, str):
        return None
    head, _, body = raw.partition("\n")
    lines = value.split("\n")
    pad = next((re.match(" *", line) for line in body.split("\n") if line.strip()), None)
    if pad is None or lines[0][:1] in (" ", ""):
        return None
    ends = re.search(r"\n*\Z", body)
    kept = [pad[0] + line if line else "" for line in value.rstrip("\n").split("\n")]
    return head + "\n" + "\n".join(kept) + (ends[0] if ends else "")


def _reworded(raw: str, token: Token, after: Any) -> str | None:
    """A scalar of several lines as it is written (``raw``), but for the one word that is another one ``after``; None
    where more differs, or where that word cannot be told from others in it."""
    before = token.value
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    words, others = re.split(r"(\s+)", before), re.split(r"(\s+)", after)
    unlike = [number for number, (word, other) in enumerate(zip(words, others, strict=False)) if word != other]
    if len(words) != len(others) or len(unlike) != 1:
        return None
    (number,) = unlike
    old, new = words[number], others[number]
    is_plain = all(map(_PLAIN_WORD.fullmatch, (old, new)))
    if not old or not (is_plain or token.style == ">") or "\n" in old + new or raw.count(old) != before.count(old):
        return None
    parts, place = raw.split(old), "".join(words[:number]).count(old)
    return old.join(parts[: place + 1]) + new + old.join(parts[place + 1 :])


# -- entries and items --------------------------------------------------------------------------------------


def with_value(whole: Any, path: Path, value: Any) -> Any:
    """A copy of ``whole`` with ``value`` at ``path``."""
    if not path:
        return value
    if isinstance(whole, dict):
        return {**whole, path[0]: with_value(whole.get(path[0], {}), path[1:], value)}
    if isinstance(whole, list) and isinstance(path[0], int) and path[0] < len(whole):
        return [with_value(item, path[1:], value) if n == path[0] else item for n, item in enumerate(whole)]
    return {path[0]: with_value({}, path[1:], value)}


class _Alias(NamedTuple):
    """Where an alias stands, the indent of what would stand below its key, what it stands for, the way into that."""

    begin: int
    end: int
    pad: str
    shared: Map
    inner: Path


class Rewriter:
    """Exchanges, adds and removes entries of maps and items of lists. ``calls``: names of functions, for the layout.

    All return None where what is asked for does not stand on lines or between brackets of its own."""

    def __init__(self, document: Document, calls: Collection[str]) -> None:
        self.document = document
        self.calls = calls
        self._emitter = Emitter(document.comments, calls=calls)

    def put(self, path: Path, value: Any) -> list[TextEdit] | None:
        """``value`` at ``path``: another value of an entry or item, or a new entry."""
        node, step = self._parent(path)
        if type(node) is Map and step in node and step not in node.merged:
            _, _, event, old = node.entry(step)
            return self._exchanged(path, event, old, value, bool(node.flow))
        if type(node) is Seq and isinstance(step, int) and step < len(node):
            return self._exchanged(path, node.items[step], node[step], value, bool(node.flow))
        if type(node) is Map:
            return self._entry_added(node, path, value)
        if node is None and len(path) > 1:
            merged = self._merged(path, value)
            if merged is not None:
                return [merged]
            return self.put(path[:-1], {path[-1]: value}) if isinstance(path[-1], str) else None
        return None

    def _merged(self, path: Path, value: Any) -> TextEdit | None:
        """``value`` inside of a mapping that stands here as an alias: that is merged, with the one key that is another.
        Only in place of an alias that ends its line."""
        alias = self._alias(path)
        if alias is None:
            return None
        name = self.document.text[alias.begin : alias.end]
        changed = with_value(alias.shared[alias.inner[0]], alias.inner[1:], value)
        self._emitter.entry(alias.inner[0], changed, alias.pad, path)
        return self._in_place_of(alias, f"\n{alias.pad}<<: {name}\n{self._emitter.take()}")

    def _spelled(self, path: Path) -> TextEdit | None:
        """What stands here as an alias, in full, without what it has at ``path``."""
        alias = self._alias(path)
        others = None if alias is None else without(alias.shared, alias.inner)
        if alias is None or not others or not exists(alias.shared, alias.inner):
            return None
        for key, value in others.items():
            self._emitter.entry(key, value, alias.pad, path)
        return self._in_place_of(alias, f"\n{self._emitter.take()}")

    def _alias(self, path: Path) -> _Alias | None:
        """The alias of a mapping that the last steps of ``path`` lead into; None where no line ends with one."""
        way, text = self.document.as_written(path), self.document.text
        for end in range(1, len(way)):
            node = holder(self.document, way[:end])
            step = way[end - 1]
            if type(node) is not Map or step in node.merged or step not in node or node.flow:
                continue
            _, key, event, shared = node.entry(step)
            if type(event) is not AliasEvent:
                continue
            begin, after = event.start_mark.index, event.end_mark.index
            if type(shared) is not Map or way[end] not in shared or text[after : after + 1] not in ("", "\r", "\n"):
                return None
            return _Alias(begin, after, " " * (key.start_mark.column + 2), shared, way[end:])
        return None

    def _in_place_of(self, alias: _Alias, lines: str) -> TextEdit:
        text = self.document.text
        begin = len(text[: alias.begin].rstrip(" "))
        return TextEdit(begin, alias.end, lines.replace("\n", "\r\n") if "\r\n" in text else lines)

    def insert(self, path: Path, value: Any) -> list[TextEdit] | None:
        """A new item before the one that is at ``path`` now, or at the end of its list."""
        node, index = self._parent(path)
        if type(node) is not Seq or not node or not isinstance(index, int):
            return None
        last = index >= len(node)
        if node.flow:
            text = self._in_flow(value)
            if text is None:
                return None
            if last:
                end = self._end(node.items[-1], node[-1])
                return [TextEdit(end, end, f", {text}")]
            begin = node.items[index].start_mark.index
            return [TextEdit(begin, begin, f"{text}, ")]
        place = (*path[:-1], len(node) - 1 if last else index)
        span = self.document.item_span(place, is_moved=False)
        if span is None:
            return None
        new = Emitter({}, calls=self.calls)  # the comments at its place are those of the item that follows it
        new.item(value, " " * span[2], path)
        at = span[1] if last else span[0]
        return [self._lines(at, at, new)]

    def key(self, path: Path, name: str) -> TextEdit | None:
        """Another ``name`` for the entry of a map; None where it stands nowhere of its own."""
        node, step = self._parent(path)
        if type(node) is not Map or step not in node or step in node.merged:
            return None
        _, key, _, _ = node.entry(step)
        text = self._text(name) if node.flow else block_scalar(name)
        return None if "\n" in text else TextEdit(key.start_mark.index, key.end_mark.index, text)

    def split(self, path: Path, token: Token, names: list[str], values: Mapping[str, Any]) -> list[TextEdit] | None:
        """Several entries in place of one with a scalar, which they have but for those with other ``values``."""
        node, step = self._parent(path)
        edit = self.key(path, names[-1])
        last = scalar(self.document, token, values.get(names[-1], token.value))
        if edit is None or last is None or token.style in ("|", ">"):
            return None
        raw = self.document.text[token.begin : token.end]
        column = node.entry(step)[1].start_mark.column
        keys = [self._text(name) if token.in_flow else name for name in names[:-1]]
        parts = [self._in_flow(values[name]) if name in values else raw for name in names[:-1]]
        texts = [f"{key}: {part}" for key, part in zip(keys, parts, strict=True)]
        between = ", " if token.in_flow else "\n" + " " * column
        return [edit._replace(text=between.join([*texts, edit.text])), last]

    def remove(self, path: Path) -> list[TextEdit] | None:
        """Take an entry or item away, with its comments; the last one of a map or list goes with that."""
        node, step = self._parent(path)
        if node is None:
            spelled = self._spelled(path)
            return None if spelled is None else [spelled]
        if type(node) is Map and (step not in node or step in node.merged):
            return None
        if type(node) not in (Map, Seq) or (type(node) is Seq and not (isinstance(step, int) and step < len(node))):
            return None
        if len(node) == 1 and len(path) > 2:
            return self.remove(path[:-1])
        if node.flow:
            return self._removed_in_flow(node, step)
        span = self.document.item_span(path) if type(node) is Seq else self.document.span(path)
        return None if span is None else [TextEdit(span[0], span[1], "")]

    def _parent(self, path: Path) -> tuple[Any, Any]:
        """The node that has the last step of ``path`` and is written at one place; None where there is none."""
        way = self.document.as_written(path)
        return holder(self.document, way), way[-1]

    def _exchanged(self, path: Path, event: Any, old: Any, value: Any, in_flow: bool) -> list[TextEdit] | None:
        if type(event) is AliasEvent:
            pass
        elif type(event) is ScalarEvent and type(old) in SCALARS and type(value) in SCALARS:
            token = next((candidate for candidate in tokens(self.document) if candidate.path == path), None)
            edit = None if token is None else scalar(self.document, token, value)
            if edit is not None:
                return [edit]
        has_lines = isinstance(value, str) and "\n" in value
        if in_flow or (getattr(old, "flow", False) and not has_lines):
            text = self._in_flow(value)
            if text is not None:
                return [TextEdit(event.start_mark.index, self._end(event, old), text)]
            if in_flow:
                return None
        is_item = isinstance(path[-1], int)
        span = self.document.item_span(path) if is_item else self.document.span(path)
        if span is None:
            return None
        if is_item:
            self._emitter.item(value, " " * span[2], path)
        else:
            self._emitter.entry(path[-1], value, " " * span[2], path)
        return [self._lines(span[0], span[1])]

    def _entry_added(self, node: Map, path: Path, value: Any) -> list[TextEdit] | None:
        if not node.entries:
            return self.put(path[:-1], {path[-1]: value}) if len(path) > 1 else None
        last = node.entries[-1]
        if node.flow:
            text = self._in_flow(value)
            end = self._end(last[2], last[3])
            return None if text is None else [TextEdit(end, end, f", {self._text(str(path[-1]))}: {text}")]
        span = self.document.extent((*path[:-1], last[0]))
        if span is None:
            return None
        self._emitter.entry(path[-1], value, " " * span[2], path)
        return [self._lines(span[1], span[1])]

    def _removed_in_flow(self, node: Any, step: Any) -> list[TextEdit] | None:
        if type(node) is Seq:
            rows = [
                (event.start_mark.index, self._end(event, value)) for event, value in zip(node.items, node, strict=True)
            ]
        else:
            rows = [(key.start_mark.index, self._end(event, value)) for _, key, event, value in node.entries]
            step = next(number for number, entry in enumerate(node.entries) if entry[0] == step)
        if step:
            begin, end = rows[step - 1][1], rows[step][1]
        else:
            begin, end = rows[0][0], rows[1][0] if len(rows) > 1 else rows[0][1]
        return [TextEdit(begin, end, "")]

    def _end(self, event: Any, value: Any) -> int:
        """The end of a value in brackets."""
        last = value.last if type(event) is not AliasEvent and type(value) in (Map, Seq) else event
        return int(last.end_mark.index)

    def _in_flow(self, value: Any) -> str | None:
        if isinstance(value, dict) and value:
            parts = {key: self._in_flow(part) for key, part in value.items()}
            rows = [f"{self._text(str(key))}: {text}" for key, text in parts.items() if text is not None]
            return f"{{{', '.join(rows)}}}" if len(rows) == len(parts) else None
        if isinstance(value, list) and value:
            texts = [text for part in value if (text := self._in_flow(part)) is not None]
            return f"[{', '.join(texts)}]" if len(texts) == len(value) else None
        if isinstance(value, str):
            return self._text(value)
        return emit(value).rstrip("\n")

    def _text(self, text: str) -> str:
        """A text in brackets; a document that is JSON stays that."""
        return json.dumps(text) if self.document.is_json else flow_scalar(text)

    def _lines(self, begin: int, end: int, emitter: Emitter | None = None) -> TextEdit:
        """The lines that were emitted, in place of those from ``begin`` to ``end``."""
        document = self.document
        lines = (emitter or self._emitter).take() + "\n"
        if begin and document.text[begin - 1] not in "\r\n":
            lines = "\n" + lines
        return TextEdit(begin, end, lines.replace("\n", "\r\n") if "\r\n" in document.text else lines)


def put_in_place(rewriter: Rewriter, changes: Iterable[Difference]) -> list[TextEdit] | None:
    """The differences, each at its own place, in the order of :func:`~.differences`; None where one has none, or two
    are at one place."""
    edits: list[TextEdit] = []
    grown: Counter[Path] = Counter()  # how many items a list has more so far
    for change in changes:
        *parent, step = change.path
        if isinstance(step, int) and MISSING in (change.before, change.after):
            place = (*parent, step - grown[tuple(parent)] if change.before is MISSING else step)
            grown[tuple(parent)] += 1 if change.before is MISSING else -1
            more = rewriter.insert(place, change.after) if change.before is MISSING else rewriter.remove(place)
        else:
            more = rewriter.remove(change.path) if change.after is MISSING else rewriter.put(change.path, change.after)
        if more is None:
            return None
        for edit in more:
            last = edits[-1] if edits else None
            if last is not None and last[:2] == edit[:2] == (edit.begin, edit.begin):
                edits[-1] = TextEdit(edit.begin, edit.end, last.text + edit.text)
            else:
                edits.append(edit)
    return edits if len({edit.begin for edit in edits}) == len(edits) else None
