"""From text to YAML events with marks, by the first scanner that takes the text.

ruamel's libyaml comes first because it is fast. It refuses texts that an engine accepts (``{concat:[a]}``,
``{type: OS::Nova::Server}``), so the engines' own scanners come after it: PyYAML's libyaml (Heat) and PyYAML's pure one
(Cloudify). All hand over ruamel's event classes; nothing after this module knows which one read the text.
ruamel's pure scanner is not asked: it takes texts that both engines refuse (``a: &b"c d``) and does not know the line
breaks of YAML 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from ruamel.yaml import events as kinds

from bpconvert.codes import CODES
from bpconvert.diagnostics import Diagnostic, Fidelity, Severity, SourceError, Span

BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
NOT_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))

Event: TypeAlias = Any  # of ruamel.yaml.events: what an event has besides its marks depends on its class
Scanner: TypeAlias = Callable[[str], list[Event]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a scanner refused the text, and where (an index into the text)."""

    index: int
    problem: str
    code: str = "BPC101"


def source_error(code: str, name: str, line: int, column: int, **texts: Any) -> SourceError:
    """The exception for the diagnostic ``code`` at a place of the file ``name``; ``texts`` fill its message and hint."""
    entry = CODES[code]
    return SourceError(
        Diagnostic(
            code=code,
            severity=Severity[entry.severity.upper()],
            fidelity=Fidelity[entry.fidelity.upper()],
            message=entry.message.format(**texts),
            span=Span(name, line, column),
            hint=entry.hint.format(**texts),
        )
    )


def place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of an index into ``text``. YAML 1.1 has more line breaks than LF."""
    line, start = 1, 0
    for found in BREAK.finditer(text, 0, index):
        line, start = line + 1, found.end()
    return line, index - start + 1


def decode(source: str | bytes, name: str) -> str:
    """The text of ``source`` without byte order mark: UTF-8, or UTF-16 when a byte order mark says so.

    Raises SourceError (BPC107) for bytes that are neither."""
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    encoding = next((encoding for mark, encoding in BYTE_ORDER_MARKS if source.startswith(mark)), "utf-8")
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        before = source[: error.start].decode(encoding, "replace")
        line, column = place(before, len(before))
        problem = f"these bytes are not {encoding.removesuffix('-sig').upper()} text"
        raise source_error("BPC107", name, line, column, problem=problem) from None


def scan(text: str, name: str) -> list[Event]:
    """All events of ``text``, stream start to stream end, with marks that have ``line``, ``column``, ``index`` from 0.

    Raises SourceError when no scanner takes the text: BPC107 for characters that YAML forbids, else BPC101 with the
    problem of the scanner that got furthest (libyaml's, when it got as far as any)."""
    refusals = []
    for scanner in SCANNERS:
        try:
            return scanner(text)
        except Exception as error:  # the pure scanners let Python's own errors out (ValueError, IndexError) for bad text
            refusals.append(_refusal(error, text))
            if refusals[-1].code == "BPC107":
                break
    worst = max(refusals, key=lambda refusal: refusal.index)
    raise source_error(worst.code, name, *place(text, worst.index), problem=worst.problem)


# -- the scanners -----------------------------------------------------------------------------------------------


def _libyaml(text: str) -> list[Event]:
    return list(iter(CParser(text).get_event, None))


def _heat(text: str) -> list[Event]:
    import yaml

    return _converted(yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def _cloudify(text: str) -> list[Event]:
    import yaml

    found = _converted(yaml.parse(text, yaml.SafeLoader))
    for event in found:
        if type(event) is kinds.ScalarEvent:
            event.value.encode()  # "\ud800" gets through this scanner alone, and could never be written again
    return found


def _converted(events: Iterable[Any]) -> list[Event]:
    """PyYAML's events as ruamel's."""
    return [_CONVERTERS[type(event).__name__](event) for event in events]


def _bare(kind: type[kinds.Event]) -> Callable[[Any], Event]:
    return lambda event: kind(event.start_mark, event.end_mark)


def _collection(kind: type[kinds.CollectionStartEvent]) -> Callable[[Any], Event]:
    return lambda event: kind(
        event.anchor, event.tag, event.implicit, event.start_mark, event.end_mark, bool(event.flow_style)
    )


_CONVERTERS: dict[str, Callable[[Any], Event]] = {
    **{kind.__name__: _bare(kind) for kind in (kinds.StreamStartEvent, kinds.StreamEndEvent, kinds.DocumentEndEvent)},
    **{kind.__name__: _bare(kind) for kind in (kinds.SequenceEndEvent, kinds.MappingEndEvent)},
    **{kind.__name__: _collection(kind) for kind in (kinds.SequenceStartEvent, kinds.MappingStartEvent)},
    "DocumentStartEvent": lambda event: kinds.DocumentStartEvent(
        event.start_mark, event.end_mark, event.explicit, event.version, event.tags
    ),
    "AliasEvent": lambda event: kinds.AliasEvent(event.anchor, event.start_mark, event.end_mark),
    "ScalarEvent": lambda event: kinds.ScalarEvent(
        event.anchor, event.tag, event.implicit, event.value, event.start_mark, event.end_mark, event.style
    ),
}

try:
    # whichever of the extension's names is installed, this module of ruamel finds it
    CParser: Any = import_module("ruamel.yaml.cyaml").CParser
except ImportError:
    CParser = None
SCANNERS: tuple[Scanner, ...] = (_libyaml, _heat, _cloudify) if CParser else (_heat, _cloudify)


# -- what went wrong, in plain words ----------------------------------------------------------------------------


def _refusal(error: Exception, text: str) -> Refusal:
    """The place and the problem of a scanner's exception, whichever library raised it."""
    if found := NOT_TEXT.search(text):
        shown = f"U+{ord(found[0]):04X}"
        return Refusal(found.start(), f"the character {shown} is not allowed in YAML", "BPC107")
    problem, context, at, began = (
        getattr(error, name, None) for name in ("problem", "context", "problem_mark", "context_mark")
    )
    mark = at or began
    if mark is None or not problem:
        return Refusal(0, str(error) or type(error).__name__)
    if began and "expected ':'" in problem:
        return Refusal(began.index, "a ':' is missing after this key")
    return Refusal(mark.index, _plain_words(problem, context, text[mark.index : mark.index + 1]))


def _plain_words(problem: str, context: str | None, character: str) -> str:
    if "cannot start any token" in problem:
        if character == "\t":
            return "a tab cannot stand here; indent with spaces"
        return f"a value cannot begin with '{character}'; quote it"
    if problem.startswith("mapping values are not allowed"):
        return "a second ': ' in one line; quote the value, or begin a new line"
    return f"{problem} {context}" if context else problem
