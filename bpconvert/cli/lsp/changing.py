"""Changes that an editor can make: renaming an entry, applying a suggestion, silencing a finding, converting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bpconvert.cli.lsp.index import Index, Token
from bpconvert.diagnostics import Diagnostic
from bpconvert.models.light import NamedTuple
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import DIALECTS

_SUGGESTION: Final = re.compile(r"did you mean '([^']+)'")
_QUOTED: Final = re.compile(r"'([^']+)'")


class Edit(NamedTuple):
    """The text that replaces a part of a document (lines and columns from 0)."""

    line: int
    start: int
    end_line: int
    end: int
    text: str


class Action(NamedTuple):
    """A change with its title."""

    title: str
    edits: list[Edit]
    is_preferred: bool = False


def renamed(index: Index, token: Token, name: str) -> list[Edit] | None:
    """The edits that give the entry which a token names another name; None where it names none, or there is one of
    that name."""
    target = index.name_of(token)
    if target is None or index.entry(target) is None or name in index.names(target.section):
        return None
    return [_replacing(use, name) for use in index.uses(target)]


def actions(index: Index, item: Diagnostic) -> Iterator[Action]:
    """What can be done about a finding of the document."""
    suggested = _SUGGESTION.search(item.message)
    if suggested is not None:
        wrong = {*_QUOTED.findall(item.message[: suggested.start()]), *re.findall(r"[\w.:-]+", item.message)}
        token = _misspelt(index, item, wrong)
        if token is not None:
            yield Action(f"Replace '{token.value}' by '{suggested[1]}'", [_replacing(token, suggested[1])], True)
    number = item.span.line - 1
    if 0 <= number < len(index.lines):
        indent = re.match(r"\s*", index.lines[number])
        comment = f"{indent[0] if indent else ''}# bpconvert: ignore[{item.code}]\n"
        yield Action(f"Ignore {item.code} here", [Edit(number, 0, number, 0, comment)])


def targets(index: Index) -> list[Dialect]:
    """The languages that a document can be converted to."""
    return [dialect for dialect in DIALECTS.values() if dialect is not index.dialect] if index.dialect else []


def converted(name: str, text: str, target: str) -> tuple[str, str]:
    """A path beside the document that is not taken, and the result of its conversion. Raises BpconvertError and OSError
    as :func:`bpconvert.convert`."""
    from bpconvert.api import convert

    result = convert(text.encode(), None, target, name=name)
    source = Path(name)
    stem, number = f"{source.stem}.{DIALECTS[target].word.replace(' ', '-')}", 1
    place = source.with_name(f"{stem}.yaml")
    while place.exists():
        number += 1
        place = source.with_name(f"{stem}-{number}.yaml")
    return str(place), result.text


def _misspelt(index: Index, item: Diagnostic, wrong: set[str]) -> Token | None:
    """The token that a finding calls wrong: at its place, or else the first one behind it on the line."""
    line, column = item.span.line - 1, item.span.column - 1
    behind = [token for token in index.tokens if token.line == line and token.start >= column - 1]
    behind.sort(key=lambda token: token.start)
    return next((token for token in behind if token.value in wrong), None)


def _replacing(token: Token, text: str) -> Edit:
    return Edit(token.line, token.start, token.end_line, token.end, text)
