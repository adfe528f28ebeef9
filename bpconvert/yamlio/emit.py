"""Plain data to YAML text, formatted as a careful engineer would.

Maps and long lists stand in blocks; calls of functions and short lists of scalars stand on one line. Comments can be
attached to any entry, and :class:`Anchor` and :class:`Alias` say where ``&name`` and ``*name`` go."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from bpconvert.yamlio.quoting import block_scalar, float_text, flow_scalar, folded, literal

if TYPE_CHECKING:
    from bpconvert.yamlio.comments import Comment

Path: TypeAlias = tuple[Any, ...]

WIDTH: Final = 100
#: A list of data (not the argument of a call) stands on one line up to this length.
LIST_WIDTH: Final = 70
#: A text with line breaks stands between brackets up to this length.
_INLINE_TEXT: Final = 24
#: What is indented by so many columns stands on one line, however long: each level of a block adds to all lines in it.
_DEEPEST: Final = 100
#: more columns than any line has
_ANY: Final = 1 << 60
#: Readers look for the colon of a key within 1024 characters; longer keys are written ``? key``.
_LONGEST_KEY: Final = 1000

#: Keys whose long text is prose and may be folded.
PROSE: Final = frozenset({"description"})

_ANCHOR_NAME: Final = r"[A-Za-z0-9_-]+"


class Alias:
    """``*name``: the value of the :class:`Anchor` of that name, which must have been written before."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        if not re.fullmatch(_ANCHOR_NAME, name):
            raise ValueError(f"not a name for an anchor: {name!r}")
        self.name = name


class Anchor:
    """``value``, written with ``&name`` before it."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: Any) -> None:
        self.name = Alias(name).name
        self.value = value


class Flow(dict[Any, Any]):
    """A map that stands between braces, on one line, where it fits."""

    __slots__ = ()


def emit(
    value: Any,
    *,
    indent: int = 0,
    width: int = WIDTH,
    comments: Mapping[Path, Comment] | None = None,
    path: Path = (),
    calls: Collection[str] = frozenset(),
) -> str:
    """``value`` as YAML lines that start at column ``indent``, with a line break at the end.

    ``value``: dicts, lists, strings, ints, floats, booleans and None (subclasses too), :class:`Anchor`, :class:`Alias`.
    ``comments`` are keyed by the path of their entry, which starts with ``path``; those of ``path`` itself are the
    caller's. ``calls``: keys that make a one-key map a call. Raises TypeError for anything that is not plain data."""
    emitter = Emitter(comments, width, calls)
    emitter.root(value, " " * indent, path)
    return emitter.take() + "\n"


_Kind: TypeAlias = type[Any]
_KINDS: Final[dict[_Kind, _Kind]] = {}
_BASES: Final[tuple[_Kind, ...]] = (str, dict, list, bool, int, float, type(None), Anchor, Alias)


def _kind(value: Any) -> _Kind:
    """Which of the writable types ``value`` has, by way of its class; remembered per class."""
    base = _KINDS.get(type(value))
    if base is None:
        base = next((base for base in _BASES if isinstance(value, base)), list if isinstance(value, tuple) else None)
        if base is None:
            raise TypeError(f"not plain data: {type(value).__name__}")
        _KINDS[type(value)] = base
    return base


def _number(value: Any, kind: _Kind) -> str:
    """A scalar that is not a string."""
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return int.__repr__(value)
    return float_text(value) if kind is float else "null"


def _key_text(key: Any, scalar: Callable[[str], str]) -> str:
    """A map key on one line, a string as ``scalar`` writes it."""
    kind = _kind(key)
    if kind in (dict, list, Anchor, Alias):
        raise TypeError(f"not plain data: a key of type {type(key).__name__}")
    return scalar(key) if kind is str else _number(key, kind)


class Emitter:
    """Writes values line by line. One emitter serves one document; :meth:`take` hands over what was written since.

    ``calls``: keys that make a one-key map a call, which stands on one line. A matter of looks only."""

    __slots__ = ("calls", "comments", "holders", "out", "width")

    def __init__(
        self, comments: Mapping[Path, Comment] | None = None, width: int = WIDTH, calls: Collection[str] = frozenset()
    ) -> None:
        self.width = width
        self.calls = calls
        self.out: list[str] = []
        self.comments = comments or {}
        #: Paths with a comment somewhere below, which keeps them off a single line.
        self.holders = {path[:end] for path in self.comments for end in range(len(path))}

    def take(self) -> str:
        """The lines written since the last call, without a line break at the end."""
        text = "\n".join(self.out)
        self.out.clear()
        return text

    def root(self, value: Any, pad: str, path: Path) -> None:
        """Write ``value`` by itself, at ``pad``."""
        kind = _kind(value)
        if kind is dict and value and not self._call(value, len(pad), path):
            self.entries(value, pad, path, pad)
        elif kind is list and value and not self._list(value, len(pad), path):
            self.items(value, pad, path, pad)
        else:
            start = len(self.out)
            self.value(pad, value, pad, path)
            self.out[start] = pad + self.out[start][len(pad) + 1 :]

    def entry(self, key: Any, value: Any, pad: str, path: Path, lead: str | None = None) -> None:
        """Write ``key: value`` at ``pad`` with the comments of ``path``, the path of the entry itself.

        ``lead`` stands before the key instead of ``pad`` (the dash of a list item)."""
        head, comment = f"{pad if lead is None else lead}{self._key(key, pad)}:", self.comments.get(path)
        if comment is None:
            self.value(head, value, pad, path, prose=key in PROSE)
        else:
            self._commented(comment, head, value, pad, path, prose=key in PROSE)

    def above(self, lines: Sequence[str], margin: str) -> None:
        """Write comment lines at ``margin``; '' is a blank line, left out after a blank line: it could belong to a text
        that keeps its final line breaks."""
        for line in lines:
            if line:
                self.out.append(margin + line)
            elif self.out and self.out[-1]:
                self.out.append("")

    def entries(self, data: Mapping[Any, Any], pad: str, path: Path, lead: str) -> None:
        """Write the entries of a map at ``pad``, the first after ``lead``."""
        if path in self.holders:
            for key, value in data.items():
                self.entry(key, value, pad, (*path, key), lead)
                lead = pad
            return
        is_flat = len(pad) >= _DEEPEST
        for key, value in data.items():
            head = f"{lead}{self._key(key, pad)}:"
            if type(value) is str and not is_flat and key not in PROSE and "\n" not in value:
                self.out.append(f"{head} {block_scalar(value)}")  # as most are
            else:
                self.value(head, value, pad, path, prose=key in PROSE)
            lead = pad

    def items(self, data: Sequence[Any], pad: str, path: Path, lead: str) -> None:
        """Write the items of a list with their dashes at ``pad``, the first after ``lead``."""
        commented = path in self.holders
        for index, value in enumerate(data):
            if commented:
                self.item(value, pad, (*path, index), lead)
            else:
                self.value(f"{lead}-", value, pad, path, item=True)
            lead = pad

    def item(self, value: Any, pad: str, path: Path, lead: str | None = None) -> None:
        """Write ``- value`` at ``pad``, or after ``lead``, with the comments of ``path``, the path of the item
        itself."""
        head, comment = f"{pad if lead is None else lead}-", self.comments.get(path)
        if comment is None:
            self.value(head, value, pad, path, item=True)
        else:
            self._commented(comment, head, value, pad, path, item=True)

    def _commented(
        self, comment: Comment, head: str, value: Any, pad: str, path: Path, prose: bool = False, item: bool = False
    ) -> None:
        self.above(comment.before, _margin(head))
        self.value(head, value, pad, path, f"  {comment.inline}" if comment.inline else "", prose, item)
        self.above(comment.after, pad)

    def value(
        self, head: str, value: Any, pad: str, path: Path, note: str = "", prose: bool = False, item: bool = False
    ) -> None:
        """Write ``value`` after ``head`` (its key or dash), with the comment ``note`` on the first line.

        ``pad`` is the indentation of the entry; a block below it stands two columns further in, and the block of an
        ``item`` begins beside its dash."""
        kind = _KINDS.get(type(value)) or _kind(value)
        flat = self._flat(value) if len(pad) >= _DEEPEST and value and path not in self.holders else None
        if flat is not None:
            self.out.append(f"{head} {flat}{note}")
        elif kind is str:
            if prose or "\n" in value:
                self._text(head, value, pad, note, prose)
            else:
                self.out.append(f"{head} {block_scalar(value)}{note}")
        elif kind is dict:
            line = self._call(value, len(head) + 1, path) if value else "{}"
            if not line and type(value) is Flow and path not in self.holders:
                line = self._map_text(value, self.width - len(head) - 1)
            if line:
                self.out.append(f"{head} {line}{note}")
            else:
                inner = pad + "  "
                self.entries(value, inner, path, self._open(head, inner, note, item))
        elif kind is list:
            line = self._list(value, len(head) + 1, path) if value else "[]"
            if line:
                self.out.append(f"{head} {line}{note}")
            else:
                inner = pad + "  "
                self.items(value, inner, path, self._open(head, inner, note, item))
        elif kind is Anchor:
            self.value(f"{head} &{value.name}", value.value, pad, path, note, prose)
        elif kind is Alias:
            self.out.append(f"{head} *{value.name}{note}")
        else:
            self.out.append(f"{head} {_number(value, kind)}{note}")

    def _open(self, head: str, inner: str, note: str, item: bool) -> str:
        """Begin a block; what stands before its first entry."""
        if not item:
            self.out.append(head + note)
            return inner
        if note:
            self.out.append(_margin(head) + note.lstrip())
        return head + " "

    def _text(self, head: str, text: str, pad: str, note: str, prose: bool) -> None:
        """Write prose, or a text of several lines."""
        inner = pad + "  "
        block = None
        if prose and len(text) > self.width - len(inner):
            block = folded(text, self.width - len(inner))
            if block and note:
                self.out.append(_margin(head) + note.lstrip())
                note = ""
        if block is None and "\n" in text:
            block = literal(text)
        if block is None:
            self.out.append(f"{head} {block_scalar(text)}{note}")
            return
        header, lines = block
        self.out.append(f"{head} {header}{note}")
        self.out.extend([inner + line if line else "" for line in lines])

    def _key(self, key: Any, pad: str) -> str:
        """A map key up to its colon; a very long one takes a line of its own."""
        text = block_scalar(key) if type(key) is str else _key_text(key, block_scalar)
        return text if len(text) <= _LONGEST_KEY else f"? {text}\n{pad}"

    # -- values on one line ---------------------------------------------------------------------------------

    def _call(self, value: Mapping[Any, Any], column: int, path: Path) -> str | None:
        """A call of a function on one line, None if ``value`` is none or does not fit."""
        if not self._is_call(value) or path in self.holders:
            return None
        return self._call_text(value, self.width - column)

    def _list(self, value: Sequence[Any], column: int, path: Path) -> str | None:
        """A short list of scalars and calls on one line, else None."""
        if path in self.holders:
            return None
        for item in value:
            kind = _KINDS.get(type(item)) or _kind(item)
            if kind is Anchor or (kind is list and item) or (kind is dict and item and not self._is_call(item)):
                return None
        return self._list_text(value, min(self.width - column, LIST_WIDTH))

    def _inline(self, value: Any, room: int) -> str | None:
        """``value`` in flow style in at most ``room`` characters, or None."""
        kind = _KINDS.get(type(value)) or _kind(value)
        if kind is str:
            if len(value) > room or ("\n" in value and len(value) > _INLINE_TEXT and room < _ANY):
                return None
            text = flow_scalar(value)
        elif kind is dict:
            if not value:
                text = "{}"
            else:
                return self._call_text(value, room) if self._is_call(value) else self._map_text(value, room)
        elif kind is list:
            return self._list_text(value, room)
        elif kind is Anchor:
            inner = self._inline(value.value, room - len(value.name) - 2)
            return inner and f"&{value.name} {inner}"
        elif kind is Alias:
            text = f"*{value.name}"
        else:
            text = _number(value, kind)
        return text if len(text) <= room else None

    def _flat(self, value: Any) -> str | None:
        """``value`` in flow style, however long; None for a text, and where a key is too long for that."""
        kind = _KINDS.get(type(value)) or _kind(value)
        if kind is dict:
            texts = [(_key_text(key, flow_scalar), self._flat_part(item)) for key, item in value.items()]
            if any(part is None or len(key) > _LONGEST_KEY for key, part in texts):
                return None
            return f"{{{', '.join(f'{key}: {part}' for key, part in texts)}}}"
        if kind is list:
            parts = [self._flat_part(item) for item in value]
            return None if None in parts else f"[{', '.join(map(str, parts))}]"
        return None

    def _flat_part(self, value: Any) -> str | None:
        kind = _KINDS.get(type(value)) or _kind(value)
        if kind is Anchor:
            inner = self._flat_part(value.value)
            return inner and f"&{value.name} {inner}"
        return self._flat(value) if kind in (dict, list) else self._inline(value, _ANY)

    def _is_call(self, value: Mapping[Any, Any]) -> bool:
        return len(value) == 1 and next(iter(value)) in self.calls

    def _call_text(self, value: Mapping[Any, Any], room: int) -> str | None:
        ((name, argument),) = value.items()
        text = self._inline(argument, room - len(name) - 4)
        return text and f"{{{name}: {text}}}"

    def _list_text(self, value: Sequence[Any], room: int) -> str | None:
        left = room - 2
        texts = []
        for item in value:
            text = self._inline(item, left)
            if text is None:
                return None
            texts.append(text)
            left -= len(text) + 2
        return f"[{', '.join(texts)}]"

    def _map_text(self, value: Mapping[Any, Any], room: int) -> str | None:
        left = room - 2
        texts = []
        for key, item in value.items():
            if _kind(item) in (dict, list) and item and type(item) is not Flow:
                return None
            name, text = _key_text(key, flow_scalar), self._inline(item, left)
            if text is None:
                return None
            texts.append(f"{name}: {text}")
            left -= len(texts[-1]) + 2
        return f"{{{', '.join(texts)}}}" if left >= -2 else None


def _margin(head: str) -> str:
    return head[: len(head) - len(head.lstrip(" "))]
