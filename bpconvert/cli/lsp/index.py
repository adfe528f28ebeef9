"""A document as an editor asks for it: what stands at a place, and what refers to what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from ruamel.yaml.events import AliasEvent

from bpconvert.diagnostics import BpconvertError
from bpconvert.models.light import NamedTuple
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import load, recognised
from bpconvert.translators.support.editing import ANY, ITEM, NOTHING, Editing
from bpconvert.yamlio.document import Document
from bpconvert.yamlio.tree import Map, Seq, written

Path = tuple[Any, ...]


class Name(NamedTuple):
    """An entry of a section, by its name."""

    section: str
    name: str


class Token(NamedTuple):
    """A key or a scalar: its path (as in the data of the document), its value, and where it stands (lines and columns
    from 0, quotes left out)."""

    path: Path
    value: Any
    is_key: bool
    line: int
    start: int
    end_line: int
    end: int

    def has(self, line: int, column: int) -> bool:
        """Whether the place is in it, or at its end."""
        return (self.line, self.start) <= (line, column) <= (self.end_line, self.end)


class Index:
    """The tokens of a document. One that cannot be read, or is of no known language, has none."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.document: Document | None = None
        self.dialect: Dialect | None = None
        self.tokens: list[Token] = []
        try:
            self.document = load(text, name)
            self.dialect = recognised(self.document.data)
        except BpconvertError:
            return
        if self.dialect is not None:
            self.tokens = list(_tokens(self.document))

    @property
    def data(self) -> Mapping[Any, Any]:
        """The data of the document; empty where there is none."""
        return self.document.data if self.document is not None and isinstance(self.document.data, dict) else {}

    @property
    def editing(self) -> Editing:
        """What is known of its language."""
        return self.dialect.edited() if self.dialect is not None else NOTHING

    def at(self, line: int, column: int) -> Token | None:
        """The token at a place; of two that touch there the later one."""
        return next((token for token in reversed(self.tokens) if token.has(line, column)), None)

    def entry(self, name: Name) -> Token | None:
        """The key of an entry."""
        path = (name.section, name.name)
        return next((token for token in self.tokens if token.is_key and token.path == path), None)

    def name_of(self, token: Token) -> Name | None:
        """The entry that a token names: it is its key, or refers to it."""
        if token.is_key:
            is_entry = len(token.path) == 2 and token.path[0] in self._sections
            return Name(*map(str, token.path)) if is_entry else None
        section = self._section(token.path)
        return Name(section, token.value) if section and isinstance(token.value, str) else None

    def uses(self, name: Name) -> list[Token]:
        """All tokens that name an entry, its key among them."""
        return [token for token in self.tokens if token.value == name.name and self.name_of(token) == name]

    def names(self, section: str) -> list[str]:
        """The names of the entries of a section."""
        entries = self.data.get(section)
        return [name for name in entries if isinstance(name, str)] if isinstance(entries, dict) else []

    def function(self, token: Token) -> str | None:
        """The function that a key calls."""
        if not token.is_key or not isinstance(token.value, str):
            return None
        name = token.value.removeprefix(self.editing.prefix)
        return name if name in self.editing.functions else None

    def node(self, path: Path) -> str | None:
        """The name of the node that a path is in."""
        section = self.dialect.section("nodes") if self.dialect is not None else None
        return str(path[1]) if len(path) > 1 and path[0] == section else None

    def type_of(self, node: str) -> str | None:
        """The type of a node."""
        entries = self.data.get(self.dialect.section("nodes")) if self.dialect is not None else None
        entry = entries.get(node) if isinstance(entries, dict) else None
        type_name = entry.get("type") if isinstance(entry, dict) else None
        return type_name if isinstance(type_name, str) else None

    @cached_property
    def _sections(self) -> set[str]:
        """The sections whose entries are named elsewhere."""
        return {*self.editing.references.values(), *(usage.section for usage in self.editing.functions.values())}

    def _section(self, path: Path) -> str:
        """The section of the entry that the scalar at a path names; "" for none."""
        called = path[-2] if len(path) > 1 and path[-1] == 0 else path[-1] if path else None
        if isinstance(called, str):
            usage = self.editing.functions.get(called.removeprefix(self.editing.prefix))
            if usage is not None and usage.section:
                return usage.section
        listed = path[:-1] if path and isinstance(path[-1], int) else path
        for pattern, section in self.editing.references.items():
            if _matches(pattern, listed) or _matches(pattern, path):
                return section
        return ""


def _matches(pattern: tuple[str, ...], path: Path) -> bool:
    if len(pattern) != len(path):
        return False
    steps = zip(pattern, path, strict=True)
    return all(isinstance(own, int) if step == ITEM else step in (ANY, own) for step, own in steps)


def _tokens(document: Document) -> Iterator[Token]:
    for path, value, is_key, event in _events(document.tree, ()):
        token = _token(document, path, value, is_key, event)
        if token is not None:
            yield token


def _events(node: Any, path: Path) -> Iterator[tuple[Path, Any, bool, Any]]:
    for step, key_event, event, value in written(node):
        inner = (*path, step)
        if type(node) is Map:
            yield inner, step, True, key_event
        if type(event) is AliasEvent:
            continue
        if type(value) in (Map, Seq):
            yield from _events(value, inner)
        else:
            yield inner, value, False, event


def _token(document: Document, path: Path, value: Any, is_key: bool, event: Any) -> Token | None:
    start, end = event.start_mark, event.end_mark
    if not hasattr(event, "value") or getattr(event, "anchor", None):
        return None
    quoted = getattr(event, "style", None) in ("'", '"')
    return Token(document.lifted(path), value, is_key, start.line, start.column + quoted, end.line, end.column - quoted)
