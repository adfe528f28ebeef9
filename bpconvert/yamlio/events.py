"""From text to YAML events with marks, by the first scanner that takes the text.

ruamel's libyaml comes first because it is fast. It refuses texts that an engine accepts (``{concat:[a]}``,
``{type: OS::Nova::Server}``), so the engines' own scanners come after it: PyYAML's libyaml (Heat) and PyYAML's pure one
(Cloudify). All hand over ruamel's event classes; nothing after this module knows which one read the text.
ruamel's pure scanner is not asked: it takes texts that both engines refuse (``a: &b"c d``) and does not know the line
breaks of YAML 1.1."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Final, TypeAlias

from ruamel.yaml import events as kinds

from bpconvert.diagnostics import SourceError, Span, diagnostic
from bpconvert.models.light import NamedTuple

BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
#: what no YAML document has (YAML 1.2.2, 5.1); the opposite of all that one may have takes 6 ms to compile
NOT_TEXT = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))

JINJA = ("{%", "{{", "{#")

Event: TypeAlias = Any  # of ruamel.yaml.events: what an event has besides its marks depends on its class
Scanner: TypeAlias = Callable[[str], list[Event]]


class Refusal(NamedTuple):
    """Why a scanner refused the text, how far it got, and the place to name (both indexes into the text)."""

    reached: int
    at: int
    problem: str
    code: str = "BPC101"


def source_error(code: str, name: str, line: int, column: int, **texts: Any) -> SourceError:
    """The exception for the diagnostic ``code`` at a place of the file ``name``; ``texts`` fill message and hint."""
    return SourceError(diagnostic(code, Span(name, line, column), (), texts))


def place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of an index into ``text``. YAML 1.1 has more line breaks than LF."""
    line, start = 1, 0
    for match in BREAK.finditer(text, 0, index):
        line, start = line + 1, match.end()
    return line, index - start + 1


#: how files that are no text begin, and what they are
_BINARY: Final = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document",
    b"\x1f\x8b": "a gzip archive",
    b"PK\x03\x04": "a zip archive",
    b"\x7fELF": "a program",
}


def decode(source: str | bytes, name: str) -> str:
    """The text of ``source`` without byte order mark: UTF-8, or UTF-16 when a byte order mark says so.

    Raises SourceError (BPC107) for bytes that are neither."""
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    mark, encoding = next((entry for entry in BYTE_ORDER_MARKS if source.startswith(entry[0])), (b"", "utf-8"))
    body = source[len(mark) :]
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        if not mark and b"\0" in body[:8000]:
            kind = next((f" ({kind})" for magic, kind in _BINARY.items() if body.startswith(magic)), "")
            raise source_error("BPC107", name, 1, 1, problem=f"this is a binary file{kind}, not text") from None
        before = body[: error.start].decode(encoding, "replace")
        problem = f"these bytes are not {encoding[:6].rstrip('-').upper()} text"
        raise source_error("BPC107", name, *place(before, len(before)), problem=problem) from None


def byte_order_mark(source: str | bytes) -> str:
    """The byte order mark of a UTF-8 text, '' without one."""
    marked = source.startswith("\ufeff") if isinstance(source, str) else source.startswith(b"\xef\xbb\xbf")
    return "\ufeff" if marked else ""


def scan(text: str, name: str) -> list[Event]:
    """All events of ``text``, stream start to stream end, with marks that have ``line``, ``column``, ``index`` from 0.

    Raises SourceError when no scanner takes the text: BPC107 for characters that YAML forbids, else BPC101 with the
    problem of the scanner that got furthest (libyaml's, when it got as far as any)."""
    refusals = []
    for scanner in SCANNERS:
        try:
            return scanner(text)
        except _TooDeep:
            raise source_error("BPC101", name, 1, 1, problem="nested too deeply") from None
        except Exception as error:  # bad text gets ValueError, IndexError and more out of the pure scanner
            refusals.append(_refusal(error, text))
            if refusals[-1].code == "BPC107":
                break
    worst = max(refusals, key=lambda refusal: refusal.reached)
    raise source_error(worst.code, name, *place(text, worst.at), problem=worst.problem)


#: levels that no document has; libyaml's time grows with the square of the number of open brackets
_DEEPEST: Final = 2000
_STARTS, _ENDS = (
    (kinds.SequenceStartEvent, kinds.MappingStartEvent),
    (kinds.SequenceEndEvent, kinds.MappingEndEvent),
)


class _TooDeep(Exception):
    """The text is nested deeper than any document."""


def _libyaml(text: str) -> list[Event]:
    events = iter(CParser(text).get_event, None)
    if text.count("[") + text.count("{") < _DEEPEST:
        return list(events)
    events_read, depth = [], 0
    for event in events:
        events_read.append(event)
        depth += isinstance(event, _STARTS) - isinstance(event, _ENDS)
        if depth > _DEEPEST:
            raise _TooDeep
    return events_read


def _heat(text: str) -> list[Event]:
    import yaml

    return _converted(yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def _cloudify(text: str) -> list[Event]:
    import yaml

    events = _converted(yaml.parse(text, yaml.SafeLoader))
    for event in events:
        if type(event) is kinds.ScalarEvent:
            event.value.encode()  # "\ud800" gets through this scanner alone, and could never be written again
    return events


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


def _refusal(error: Exception, text: str) -> Refusal:
    """The place and the problem of a scanner's exception, whichever library raised it."""
    if match := re.search(NOT_TEXT, text):
        unfit = f"the character U+{ord(match[0]):04X} is not allowed in YAML"
        return Refusal(match.start(), match.start(), unfit, "BPC107")
    details: Any = error
    problem, at = getattr(details, "problem", None), getattr(details, "problem_mark", None)
    if not problem or at is None:
        return Refusal(0, 0, str(error) or type(error).__name__)
    context, began = details.context or "", details.context_mark
    here, character = at.index, text[at.index : at.index + 1]
    if text[max(here - 1, 0) : here + 1] in JINJA:
        return Refusal(here, here - 1, "this is a Jinja template; make YAML of it first")
    if "cannot start any token" in problem:
        tab = "a tab cannot stand here; indent with spaces"
        return Refusal(here, here, tab if character == "\t" else f"a value cannot begin with '{character}'; quote it")
    if problem.startswith("mapping values are not allowed"):
        return Refusal(here, here, "a second ': ' in one line; quote the value, or begin a new line")
    if began is not None and "expected ':'" in problem:
        return Refusal(here, began.index, "a ':' is missing after this key")
    if began is not None and "end of stream" in problem and "quoted" in context:
        return Refusal(here, began.index, "the closing quote is missing")
    since = f" that begins in line {began.line + 1}" if began is not None and began.line != at.line else ""
    return Refusal(here, here, f"{problem} {context}{since}".rstrip())
