"""What the emitter writes is read back as the same data by every reader, and strings are quoted when they need it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from checkout import REALWORLD
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yaml_readers import check

from bpconvert.yamlio import quoting
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

# -- any data ----------------------------------------------------------------------------------------------

PIECES = (
    *" \n\t#:-?'\"\\|>{}[],&*!%@`=.+_019eExoyn~ab\r\0\x7f\x85\u2028\ufeff\ufffeé\U0001f600",
    *("\n\n", "  ", "<<", "---", "...", ": ", " #", "null", "true", "2001-01-01", " 10:10:10", "inf", "word " * 30),
)
TEXTS = st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.text(alphabet="-+.0123456789_:eExobTZ ", max_size=12),
)
SCALARS = st.one_of(TEXTS, TEXTS, st.integers(), st.floats(), st.booleans(), st.none())
CALL_NAMES = st.sampled_from(["concat", "get_input", "if", "description"])
KEYS = st.one_of(TEXTS, CALL_NAMES, st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False))


def _nest(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    calls = st.builds(lambda name, argument: {name: argument}, CALL_NAMES, inner)
    return st.one_of(st.lists(inner, max_size=5), st.dictionaries(KEYS, inner, max_size=4), calls)


DATA = st.recursive(SCALARS, _nest, max_leaves=15)
THOROUGH = settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))


@THOROUGH
@given(DATA, st.sampled_from([20, 40, 100]))
def test_every_reader_reads_the_data_back(data: Any, width: int) -> None:
    text = emit(data, width=width)
    check(data, text)
    assert text.endswith("\n")


@THOROUGH
@given(TEXTS)
def test_texts_stay_texts(text: str) -> None:
    for data in (text, {text: text}, [text], {"concat": [text, {text: text}]}):
        check(data, emit(data))


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(DATA, st.data())
def test_comments_change_nothing_and_none_is_lost(data: Any, draw: st.DataObject) -> None:
    chosen = draw.draw(st.lists(st.sampled_from(list(_paths({"root": data}, ()))), unique_by=repr, max_size=6))
    comments = {
        path: Comment((f"# before{n}", "", f"# also{n}"), f"# beside{n}", (f"# after{n}", "", f"# last{n}"))
        for n, path in enumerate(chosen)
    }
    text = emit({"root": data, "end": None}, comments=comments)
    check({"root": data, "end": None}, text)
    lines = text.split("\n")
    for number in range(len(chosen)):
        for name in ("before", "also", "beside", "after", "last"):
            assert sum(line.endswith(f"# {name}{number}") for line in lines) == 1, text


def _paths(data: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in steps:
        yield (*path, step)
        yield from _paths(value, (*path, step))


# -- real files --------------------------------------------------------------------------------------------


class _Texts(yaml.SafeLoader):
    """PyYAML with timestamps left as text, as Heat reads them."""


_Texts.yaml_implicit_resolvers = {
    first: [entry for entry in entries if entry[0] != "tag:yaml.org,2002:timestamp"]
    for first, entries in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@pytest.mark.parametrize("family", ["hot", "cfy"])
def test_real_files_read_back(family: str) -> None:
    files = sorted((REALWORLD / family).rglob("*.yaml"))
    if not files:
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    written = 0
    for file in files:
        try:
            data = yaml.load(file.read_bytes(), _Texts)
        except yaml.YAMLError:
            continue
        text = emit(data)
        assert yaml.load(text, _Texts) == data, file
        assert yaml.load(text, yaml.CSafeLoader) == data, file
        own = load(text, "written").data
        assert own == data, file
        assert emit(own) == text, file
        written += 1
    assert written > 0.9 * len(files)


# -- scalars -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *sorted(quoting.WORDS),
        *(
            "",
            " a",
            "a ",
            "a: b",
            "a:",
            "a #b",
            "- a",
            "-",
            "? a",
            ": a",
            "# a",
            "---",
            "...",
            "%a",
            "@a",
            "`a",
            "*a",
            "&a",
        ),
        *(
            "!a",
            "|",
            ">",
            "[a",
            "{a",
            "'a",
            '"a',
            "010",
            "0o10",
            "0x1F",
            "0b1",
            "1_000",
            "1.5",
            ".5",
            "+.5",
            "-.5",
            "1.",
            "1e3",
        ),
        *(
            "1.0e+3",
            ".inf",
            "-.INF",
            ".nan",
            "1:30",
            "1:30.5",
            "09",
            "-_",
            "._",
            "2001-01-01",
            "2001-1-1 10:10:10 +1:00",
        ),
    ],
)
def test_quoted(text: str) -> None:
    written = emit(text).rstrip("\n")
    assert written[0] == written[-1]
    assert written[0] in "'\""
    check(text, written)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a",
            "OS::Nova::Server",
            "a:b",
            "http://a/b?c=d",
            "a#b",
            "it's",
            '5" disk',
            "-c",
            "--flag",
            "10.0.0.1",
            "1.2.3",
        ),
        *("a, b", "$x", "(a)", "<a>", "=a", "x=y", "yes!", "tRUE", "1:99", "12:34:56:78:90:ab", "é", "a[0]"),
        *("\\n", "a\u00a0b", "C:\\dir", "<<a", "1 2", "2001-1-1", "100%", "x{{y}}"),
    ],
)
def test_plain(text: str) -> None:
    assert emit({"k": text}) == f"k: {text}\n"
    check({"k": text}, emit({"k": text}))


@pytest.mark.parametrize("text", ["OS::Nova::Server", "a:b", "http://a", "a,b", "a?b", "a[0]", "a{b}"])
def test_quoted_between_brackets_only(text: str) -> None:
    assert emit([text]) == f"['{text}']\n"
    assert emit({"k": text}) == f"k: {text}\n"


def test_quotes() -> None:
    assert emit("it's: so") == '"it\'s: so"\n'
    assert emit('it\'s: "so"') == "'it''s: \"so\"'\n"
    assert emit("'\\d': x") == "'''\\d'': x'\n"
    assert emit("tab\there") == '"tab\\there"\n'


def test_numbers_and_keys() -> None:
    numbers = {"a": 1e20, "b": 1e-7, "c": 1.5e300, "d": math.inf, "e": -math.inf, "f": -0.0, "g": 10**30, "h": True}
    assert emit(numbers) == (
        "a: 1.0e+20\nb: 1.0e-07\nc: 1.5e+300\nd: .inf\ne: -.inf\nf: -0.0\ng: 1000000000000000000000000000000\nh: true\n"
    )
    check(numbers, emit(numbers))
    keys = {1: "a", None: "b", False: "c", 1.5: "d", "2": "e", "null": "f", "": "g", "a\nb": "h", "a: b": "i"}
    expected = "1: a\nnull: b\nfalse: c\n1.5: d\n'2': e\n'null': f\n'': g\n\"a\\nb\": h\n'a: b': i\n"
    assert emit(keys) == expected
    check(keys, emit(keys))


def test_very_long_keys() -> None:
    data = {"k" * 2000: {"a": "b"}, "l" * 2000: "text\n", "m" * 2000: [{"get_input": "x"}]}
    assert emit(data).startswith("? kkk")
    check(data, emit(data))
    check([data], emit([data]))


@pytest.mark.parametrize(
    "value", [object(), {"a": {1, 2}}, {("a",): 1}, {"concat": [{("a",): 1}]}, [b"x"], {"get_input": object()}]
)
def test_only_plain_data(value: Any) -> None:
    with pytest.raises(TypeError, match="not plain data"):
        emit(value)


def test_subclasses_of_the_plain_types() -> None:
    document = load("b: [x, {c: 1}]\na: true\n", "t")
    assert emit(document.data) == "b:\n  - x\n  - c: 1\na: true\n"

    class Name(str):
        def __str__(self) -> str:
            return "something else"

    assert emit({Name("yes"): Name("no"), "l": [Name("1")]}) == "'yes': 'no'\nl: ['1']\n"
