"""Changes of documents: in their structure, and in their bytes."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

from bpconvert.diagnostics import BpconvertError
from bpconvert.translators.dialects import load
from bpconvert.yamlio.emit import emit

#: inputs are smaller than this, in bytes
LARGEST: Final = 100_000
_ODD: Final = [
    None, [], {}, "", "x", 0, -1, 1.5, 10**30, float("nan"), True, "é\u2028", "a\x85b", ["a", {"get_param": "p"}],
    {"get_param": ["p", {"get_param": "p"}]}, {"get_file": "x"}, {"get_attr": []}, {"get_attr": ["none", "x"]},
    {"get_input": ["x", {"get_input": "y"}]}, {"get_attribute": ["SELF", "x"]}, {"get_property": []},
    {"get_resource": "none"}, {"if": ["c", 1, 2]}, {"concat": ["a"]}, {1: "a"}, {None: None}, {True: {"": []}},
    {"repeat": {"for_each": {"%a%": ["x", "y"]}, "template": {"%a%": "%a%"}}}, {"str_replace": {}},
    {"list_join": ["", ["a", ["b"]]]}, {"token": ["a", ",", 9]}, {"get_artifact": ["SELF", "x"]}, {"yaql": {}},
    {"yaql": {"expression": "regex('(a|aa)+$').matches($.data)", "data": "a" * 40 + "!"}},
    {"yaql": {"expression": "range(150).select(range(150).select(range(150).sum()).sum()).sum()", "data": {}}},
    {"yaql": {"expression": "pow(9, pow(9, 9))", "data": 1}}, [{"allowed_pattern": "(a|aa)+$"}],
    [{"pattern": "(a*)*b"}], {"or": ["c", {"not": "c"}, {"and": ["c", "c"]}]}, 10**9,
    "{{ x }}", "${a}", "%index%", [[[[]]]], "2001-01-01", "1e3", "0o7", ".inf", "*", "&", "!", "bpconvert",
]  # fmt: skip
_TOKENS: Final = [
    b": ", b"- ", b"\n", b"  ", b"\t", b"{", b"}", b"[", b"]", b"&a ", b"*a", b"<<: *a\n", b"!!binary ", b"!!set ",
    b"|\n", b">\n", b"#", b"'", b'"', b"\xff", b"\xef\xbb\xbf", b"\x00", b"---\n", b"...\n", b"? ", b"%YAML 1.1\n",
    b"null", b"~", b"hidden: true\n", b"type: ", b"get_param", b"\r", b"\xc2\x85", b"condition: ", b"0x1", b"1_000",
]  # fmt: skip
#: what is put around a value, over and over
_AROUND: Final = (
    lambda value: [value],
    lambda value: {"a": value},
    lambda value: {"concat": [value, "x"]},
    lambda value: {"list_join": ["", [value, value]]},
    lambda value: {"get_input": ["x", value]},
    lambda value: {"str_replace": {"template": value, "params": {"a": "aaaaaaaaaa"}}},
    lambda value: {"repeat": {"template": value, "for_each": {"%x%": ["a", "b", "c", "d"]}}},
    lambda value: {"type": "OS::Heat::ResourceGroup", "properties": {"count": 10, "resource_def": value}},
    lambda value: {"if": ["c", value, value]},
    lambda value: {"and": [value, value]},
)


def changed(text: bytes, draw: random.Random, donor: Any = None, form: Callable[[Any], str] = emit) -> bytes:
    """A text with its structure or its bytes changed, or as it is. ``donor``: data whose parts are put in as well;
    ``form``: what writes the data of a text."""
    kind = draw.random()
    made = text
    if kind < 0.8:
        with suppress(BpconvertError, RecursionError, ValueError, TypeError):
            made = f"{form(in_structure(load(text).data, draw, donor))}\n".encode("utf-8", "surrogatepass")
    if 0.7 < kind < 0.92:
        made = in_bytes(made, draw)
    return made[:LARGEST]


def in_structure(data: Any, draw: random.Random, donor: Any = None) -> Any:
    """Plain data with up to four parts exchanged, removed, renamed, moved or repeated. ``donor``: other data, whose
    parts and keys are put in as well."""
    result = copy.deepcopy(data)
    foreign = list(_places(donor))
    for _ in range(draw.randint(1, 4)):
        places = list(_places(result))
        if not places:
            return draw.choice(_ODD)
        holder, step = draw.choice(places)
        other, place = draw.choice(foreign if foreign and draw.random() < 0.4 else places)
        action = draw.random()
        if action < 0.35:
            holder[step] = copy.deepcopy(draw.choice(_ODD))
        elif action < 0.6:
            holder[step] = copy.deepcopy(other[place])
        elif action < 0.7:
            del holder[step]
        elif action < 0.8 and isinstance(holder, dict):
            holder[draw.choice(["", "x", f"é{step}", 1, None, True, str(place)])] = holder[step]
        elif action < 0.88 and isinstance(holder, dict):
            holder[str(place)] = holder.pop(step)
        elif action < 0.92:
            holder[step] = _deep(holder[step], draw)
        elif isinstance(holder, list):
            holder.extend([holder[step]] * draw.choice([1, 3, 50]))
        else:
            holder[step] = [holder[step]]
    return result


def _deep(value: Any, draw: random.Random) -> Any:
    """A value with much around it; what has it twice on each level has few levels."""
    around = draw.choice(_AROUND)
    for _ in range(draw.choice([2, 6, 60]) if around in _AROUND[:3] else draw.choice([2, 6])):
        value = around(value)
    return value


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
