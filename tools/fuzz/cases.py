"""Cases: documents of the corpus, changed, and what is done with them. The same seed and number make the same case."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bpconvert.diagnostics import BpconvertError
from bpconvert.translators.dialects import DIALECTS, load, recognised
from bpconvert.yamlio.emit import emit

CORPUS: Final = Path(__file__).resolve().parents[2] / "corpus"
#: inputs are smaller than this, in bytes
LARGEST: Final = 100_000
ACTIONS: Final = ("convert", "convert", "convert", "back", "back", "check", "verify", "roundtrip", "archive")
#: the languages that have archives
_PACKED: Final = [name for name, dialect in DIALECTS.items() if dialect.packing() is not None]
_ODD: Final = [
    None, [], {}, "", "x", 0, -1, 1.5, 10**30, float("nan"), True, "é\u2028", "a\x85b", ["a", {"get_param": "p"}],
    {"get_param": ["p", {"get_param": "p"}]}, {"get_file": "x"}, {"get_attr": []}, {"get_attr": ["none", "x"]},
    {"get_input": ["x", {"get_input": "y"}]}, {"get_attribute": ["SELF", "x"]}, {"get_property": []},
    {"get_resource": "none"}, {"if": ["c", 1, 2]}, {"concat": ["a"]}, {1: "a"}, {None: None}, {True: {"": []}},
    {"repeat": {"for_each": {"%a%": ["x", "y"]}, "template": {"%a%": "%a%"}}}, {"str_replace": {}},
    {"list_join": ["", ["a", ["b"]]]}, {"token": ["a", ",", 9]}, {"get_artifact": ["SELF", "x"]}, {"yaql": {}},
    "{{ x }}", "${a}", "%index%", [[[[]]]], "2001-01-01", "1e3", "0o7", ".inf", "*", "&", "!", "bpconvert",
]  # fmt: skip
_TOKENS: Final = [
    b": ", b"- ", b"\n", b"  ", b"\t", b"{", b"}", b"[", b"]", b"&a ", b"*a", b"<<: *a\n", b"!!binary ", b"!!set ",
    b"|\n", b">\n", b"#", b"'", b'"', b"\xff", b"\xef\xbb\xbf", b"\x00", b"---\n", b"...\n", b"? ", b"%YAML 1.1\n",
    b"null", b"~", b"hidden: true\n", b"type: ", b"get_param", b"\r", b"\xc2\x85", b"condition: ", b"0x1", b"1_000",
]  # fmt: skip


class Case(NamedTuple):
    """What is done with a document. ``text``: its bytes as Latin-1; ``name``: its file below the corpus, beside which
    its files are; ``target``: the language to convert to; ``then``: a seed of changes of the result before it is
    converted back; ``more``: texts of mappings of types and environments by the option; ``choices``: more options."""

    action: str
    text: str
    name: str
    target: str
    then: int = 0
    more: Mapping[str, str] = MappingProxyType({})
    choices: Mapping[str, Any] = MappingProxyType({})


def case(seed: int, number: int) -> Case:
    """The case with a number."""
    draw = random.Random(f"{seed}/{number}")
    place = draw.choice(_documents())
    text = changed(place.read_bytes(), draw)
    source = _language(place)
    target = draw.choice([name for name in DIALECTS if name != source])
    action = draw.choice(ACTIONS if source in _PACKED else ACTIONS[:-1])
    more: dict[str, str] = {}
    for option, files in (("types", _mappings()), ("environments", _environments())):
        if draw.random() < 0.1:
            data = draw.choice(files).read_bytes()
            more[option] = (changed(data, draw) if draw.random() < 0.5 else data).decode("latin-1")
    choices = {"files": draw.choice(["inline", "copy", "keep"]), "carry": draw.random() < 0.8}
    if draw.random() < 0.1:
        choices["assume_defaults"] = True
    name = place.relative_to(CORPUS).as_posix()
    return Case(action, text.decode("latin-1"), name, target, draw.randrange(1 << 30), more, choices)


def changed(text: bytes, draw: random.Random) -> bytes:
    """A text with its structure or its bytes changed, or as it is."""
    kind = draw.random()
    made = text
    if kind < 0.8:
        with suppress(BpconvertError, RecursionError, ValueError, TypeError):
            made = f"{emit(in_structure(load(text).data, draw))}\n".encode("utf-8", "surrogatepass")
    if 0.7 < kind < 0.92:
        made = in_bytes(made, draw)
    return made[:LARGEST]


def in_structure(data: Any, draw: random.Random) -> Any:
    """Plain data with up to four parts exchanged, removed, renamed, moved or repeated."""
    result = copy.deepcopy(data)
    for _ in range(draw.randint(1, 4)):
        places = list(_places(result))
        if not places:
            return draw.choice(_ODD)
        holder, step = draw.choice(places)
        other, place = draw.choice(places)
        action = draw.random()
        if action < 0.45:
            holder[step] = copy.deepcopy(draw.choice(_ODD))
        elif action < 0.6:
            holder[step] = copy.deepcopy(other[place])
        elif action < 0.75:
            del holder[step]
        elif action < 0.9 and isinstance(holder, dict):
            holder[draw.choice(["", "x", f"é{step}", 1, None, True, str(place)])] = holder[step]
        elif isinstance(holder, list):
            holder.extend([holder[step]] * draw.choice([1, 3, 50]))
        else:
            holder[step] = [holder[step]]
    return result


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield value, step
        yield from _places(value[step])


def in_bytes(text: bytes, draw: random.Random) -> bytes:
    """A text with up to five pieces exchanged, put in, taken out or repeated."""
    made = bytearray(text)
    for _ in range(draw.choice([1, 1, 2, 5])):
        begin = draw.randrange(len(made) + 1)
        length = draw.choice([0, 1, 1, 2, 8, 40])
        piece = draw.choice(_TOKENS)
        action = draw.random()
        if action < 0.2:
            piece = bytes(made[begin : begin + length]) * draw.choice([2, 3, 30])
        elif action < 0.4:
            start = draw.randrange(len(made) + 1)
            piece = bytes(made[start : start + length * 4])
        elif action < 0.5:
            piece = bytes([draw.randrange(256)])
        elif action < 0.6:
            piece = b""
        made[begin : begin + length] = piece
    return bytes(made)


@cache
def _documents() -> list[Path]:
    markers = tuple(dialect.marker.encode() for dialect in DIALECTS.values())
    return [place for place in _yaml() if any(marker in place.read_bytes() for marker in markers)]


@cache
def _mappings() -> list[Path]:
    return [place for place in _yaml() if b"\nkind:" in place.read_bytes() or place.name == "types.yaml"]


@cache
def _environments() -> list[Path]:
    return [place for place in _yaml() if b"resource_registry" in place.read_bytes()]


@cache
def _yaml() -> list[Path]:
    found = sorted(place for ending in ("yaml", "yml") for place in CORPUS.rglob(f"*.{ending}"))
    return [place for place in found if place.stat().st_size < LARGEST]


def recognised_in(place: Path) -> str | None:
    """The name of the language that a file is written in."""
    with suppress(BpconvertError):
        found = recognised(load(place.read_bytes()).data)
        return None if found is None else found.name
    return None


@cache
def _language(place: Path) -> str | None:
    return recognised_in(place)
