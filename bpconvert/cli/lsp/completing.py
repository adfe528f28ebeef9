"""What can be written at a place: types, properties, functions, and names of entries.

The text before the place decides, as what is being typed is seldom a document; names come from the last text that was
one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bpconvert.cli.lsp.index import Index
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support.editing import ANY, ITEM

_WORD: Final = r"[\w:.$-]*"


class Choice(NamedTuple):
    """A word, what it is (``type``, ``property``, ``function``, ``name``), and what is known of it."""

    word: str
    kind: str
    about: str = ""


def choices(index: Index, lines: Sequence[str], line: int, column: int) -> list[Choice]:
    """What can stand at a place of the text ``lines``, which need not be the one that the index is of."""
    before = lines[line][:column] if line < len(lines) else ""
    called = re.search(rf"([\w:$]+)\s*:\s*(?:\[\s*)?['\"]?({_WORD})$", before)
    trail = [key for _, key in _trail(lines, line, before)]
    if called is not None:
        usage = index.editing.functions.get(called[1].removeprefix(index.editing.prefix))
        if usage is not None and usage.section:
            return [Choice(name, "name", usage.section) for name in index.names(usage.section)]
    keys = [*trail, called[1]] if called is not None else trail
    if keys[-1:] == ["type"] and _is_node(index, keys[:-1]):
        return [Choice(name, "type") for name in index.editing.types(index.data)]
    referred = _referred(index, keys)
    if referred:
        return [Choice(name, "name", referred) for name in index.names(referred)]
    if re.search(rf"\{{\s*['\"]?{_WORD}$", before):
        return list(_functions(index))
    is_key = re.fullmatch(rf"\s*(?:- )?{_WORD}", before)
    if is_key and len(trail) > 1 and trail[-1] == "properties" and _is_node(index, trail[:-1]):
        owner = _type_beside(lines, line, trail[-2]) or index.type_of(trail[-2])
        properties = index.editing.properties(owner, index.data) if owner else {}
        return [Choice(name, "property", about) for name, about in properties.items()]
    return list(_functions(index)) if called is not None and _is_node(index, trail[:2]) else []


def _functions(index: Index) -> Iterator[Choice]:
    for name, usage in index.editing.functions.items():
        yield Choice(name, "function", f"{usage.form}: {usage.meaning}")


def _is_node(index: Index, keys: Sequence[str]) -> bool:
    """Whether keys lead to a node (of a section that may be inside of another one)."""
    section = index.dialect.section("nodes") if index.dialect is not None else ""
    return len(keys) >= 2 and section in keys[-2:][:1]


def _referred(index: Index, keys: Sequence[str]) -> str:
    """The section of the entries that a value behind these keys names; "" for none. Items of lists have no keys."""
    for pattern, section in index.editing.references.items():
        steps = [step for step in pattern if step != ITEM]
        own = keys[-len(steps) :]
        if len(own) == len(steps) and all(step in (ANY, key) for step, key in zip(steps, own, strict=True)):
            return section
    return ""


def _trail(lines: Sequence[str], line: int, before: str) -> list[tuple[int, str]]:
    """(indentation, key) of the block keys that a line is below, outermost first."""
    keys: list[tuple[int, str]] = []
    indent = _above(before)
    for text in reversed(lines[:line]):
        key = re.match(r" *(- )?(['\"]?)([\w.:$-]+)\2\s*:", text)
        column = key.start(2) if key is not None else indent
        if key is not None and column < indent:
            keys.append((column, key[3]))
            indent = _above(text)
        elif key is not None and key[1] and key.start(1) < indent:  # another key of the same item
            indent = _above(text)
        if indent == 0:
            break
    return keys[::-1]


def _above(text: str) -> int:
    """The indentation that a key above a line has to be left of: an item of a list may be as far left as its key."""
    indent = len(text) - len(text.lstrip(" "))
    return indent + 1 if text[indent:].startswith("- ") else indent


def _type_beside(lines: Sequence[str], line: int, node: str) -> str | None:
    """The type of the node whose block a line is in, as it is being typed."""
    start = next((n for n in range(line, -1, -1) if re.match(rf" *['\"]?{re.escape(node)}['\"]?\s*:", lines[n])), None)
    if start is None:
        return None
    indent = len(lines[start]) - len(lines[start].lstrip(" "))
    for text in lines[start + 1 :]:
        if text.strip() and len(text) - len(text.lstrip(" ")) <= indent:
            return None
        match = re.match(r" +type:\s*['\"]?([\w:.-]+)", text)
        if match:
            return match[1]
    return None
