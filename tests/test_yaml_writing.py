"""What the emitter writes: readable, and read back as the same data by every reader."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import MantissaNoDotYAML1_1Warning

from bpconvert.yamlio import quoting
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import Alias, Anchor, Emitter, emit

warnings.simplefilter("error", MantissaNoDotYAML1_1Warning)
REALWORLD = Path(__file__).resolve().parents[2] / "shared" / "realworld"


def _ruamel(pure: bool, version: tuple[int, int] | None) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        reader = YAML(typ="safe", pure=pure)
        reader.version = version
        return reader.load(text)

    return read


READERS: dict[str, Callable[[str], Any]] = {
    "PyYAML": lambda text: yaml.load(text, yaml.SafeLoader),
    "PyYAML C": lambda text: yaml.load(text, yaml.CSafeLoader),
    "ruamel 1.1": _ruamel(True, (1, 1)),
    "ruamel 1.2": _ruamel(True, (1, 2)),
    "ruamel C": _ruamel(False, None),
    "bpconvert": lambda text: load(text, "written").data,
}


def same(one: Any, other: Any) -> bool:
    """Equal, with the same types, in the same order; a subclass of dict or list is as good as the class."""
    for kind in (dict, list):
        if isinstance(one, kind) and isinstance(other, kind):
            if len(one) != len(other):
                return False
            pairs = zip(one.items(), other.items(), strict=True) if kind is dict else zip(one, other, strict=True)
            return all(same(list(a), list(b)) if kind is dict else same(a, b) for a, b in pairs)
    if type(one) is not type(other):
        return False
    return one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


def check(data: Any, text: str) -> None:
    for name, read in READERS.items():
        found = read(text)
        assert same(data, found), f"{name} reads {found!r}\n{text}"


# -- any data ------------------------------------------------------------------------------------------------------------

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


# -- real files ----------------------------------------------------------------------------------------------------------


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


# -- how it looks ----------------------------------------------------------------------------------------------------------


def test_blocks_and_lines() -> None:
    data = {
        "type": "OS::Nova::Server",
        "image": {"get_input": "image"},
        "relationships": [{"type": "connected", "target": "port"}, {"type": "contained", "target": "net"}],
        "zones": ["a", "b"],
        "pairs": [[1, 2], [], {}],
        "hosts": [{"get_attribute": ["a", "ip"]}, "10.0.0.1"],
        "maps": [{"a": 1}],
        "nested": [[["deep", {"a": {}}]]],
        "url": {"concat": ["http://", {"get_attribute": ["server", "ip"]}, ":", {"get_input": "port"}]},
        "either": {"if": ["prod", {"size": 2}, {"size": 1}]},
        "text": {"str_replace": {"template": "a $b", "params": {"$b": {"get_param": "b"}}}},
        "none": None,
    }
    assert emit(data) == (
        "type: OS::Nova::Server\n"
        "image: {get_input: image}\n"
        "relationships:\n"
        "  - type: connected\n"
        "    target: port\n"
        "  - type: contained\n"
        "    target: net\n"
        "zones: [a, b]\n"
        "pairs:\n"
        "  - [1, 2]\n"
        "  - []\n"
        "  - {}\n"
        "hosts: [{get_attribute: [a, ip]}, 10.0.0.1]\n"
        "maps:\n"
        "  - a: 1\n"
        "nested:\n"
        "  - - - deep\n"
        "      - a: {}\n"
        "url: {concat: ['http://', {get_attribute: [server, ip]}, ':', {get_input: port}]}\n"
        "either: {if: [prod, {size: 2}, {size: 1}]}\n"
        "text:\n"
        "  str_replace:\n"
        "    template: a $b\n"
        "    params:\n"
        "      $b: {get_param: b}\n"
        "none: null\n"
    )


def test_what_does_not_fit_becomes_a_block() -> None:
    data = {"value": {"concat": ["a" * 40, {"get_attribute": ["server", "b" * 30]}, "c" * 30]}, "list": ["d" * 40] * 2}
    assert emit(data) == (
        "value:\n"
        "  concat:\n"
        f"    - {'a' * 40}\n"
        f"    - {{get_attribute: [server, {'b' * 30}]}}\n"
        f"    - {'c' * 30}\n"
        "list:\n"
        f"  - {'d' * 40}\n"
        f"  - {'d' * 40}\n"
    )
    for line in emit({"k": {"concat": [{"get_input": "x" * n} for n in range(1, 60)]}}, width=80).splitlines():
        assert len(line) <= 80


def test_indent_and_root_values() -> None:
    assert emit({"a": {"b": [{"c": 1}]}}, indent=4) == "    a:\n      b:\n        - c: 1\n"
    assert emit("plain", indent=2) == "  plain\n"
    assert emit("a\nb\n") == "|\n  a\n  b\n"
    assert emit([]) == "[]\n"
    assert emit({"get_input": "x"}) == "{get_input: x}\n"
    assert emit(("a", {"b": "c"})) == "- a\n- b: c\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\nb\n", "|\n  a\n  b\n"),
        ("a\nb", "|-\n  a\n  b\n"),
        ("a\n\n\n", "|+\n  a\n\n\n"),
        (" a\nb\n", "|2\n   a\n  b\n"),
        ("\na\nb\n", "|2\n\n  a\n  b\n"),
        ("\ta\nb", "|2-\n  \ta\n  b\n"),
        ("a\n  \n\tb  \n", "|\n  a\n    \n  \tb  \n"),
        ("\nname=", r'"\nname="' + "\n"),
        ("\n", r'"\n"' + "\n"),
        ("a\r\nb", r'"a\r\nb"' + "\n"),
        ("a\n  ", r'"a\n  "' + "\n"),
        ('a\x00\x1b"\\\x85\u2028\ufeff\U0001f600\x7f\n', r'"a\0\e\"\\\x85\u2028\uFEFF' + '\U0001f600\\x7F\\n"\n'),
    ],
)
def test_texts_of_several_lines(text: str, written: str) -> None:
    assert emit(text) == written
    assert emit({"k": text}) == f"k: {written}"
    check([{"k": text}], emit([{"k": text}]))


def test_only_long_descriptions_are_folded() -> None:
    prose = "The servers of the cluster and the networks between them, " * 4 + "all in one zone."
    wide = emit({"description": prose})
    assert wide.startswith("description: >-\n  The servers")
    assert max(map(len, wide.splitlines())) <= 100
    assert len(wide.splitlines()) == 4
    check({"description": prose}, wide)
    assert emit({"description": prose + "\n"}).startswith("description: >\n  The servers")
    assert emit({"description": prose.replace(", ", ",  ")}).count("\n") == 1
    assert emit({"command": prose}).count("\n") == 1
    assert emit({"description": "short"}) == "description: short\n"
    assert emit({"description": "short\n"}) == "description: |\n  short\n"


@pytest.mark.parametrize(
    "text",
    [
        *quoting.WORDS,
        *("", " a", "a ", "a: b", "a:", "a #b", "- a", "-", "? a", ": a", "# a", "---", "...", "%a", "@a", "`a", "*a", "&a"),
        *("!a", "|", ">", "[a", "{a", "'a", '"a', "010", "0o10", "0x1F", "0b1", "1_000", "1.5", ".5", "+.5", "-.5", "1.", "1e3"),
        *("1.0e+3", ".inf", "-.INF", ".nan", "1:30", "1:30.5", "09", "-_", "._", "2001-01-01", "2001-1-1 10:10:10 +1:00"),
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
        *("a", "OS::Nova::Server", "a:b", "http://a/b?c=d", "a#b", "it's", '5" disk', "-c", "--flag", "10.0.0.1", "1.2.3"),
        *("a, b", "$x", "(a)", "<a>", "=a", "x=y", "yes!", "tRUE", "1:99", "12:34:56:78:90:ab", "é", "[a".replace("[", "a[")),
        *("\\n", "a\u00a0b", "C:\\dir", "<<a", "1 2", "2001-1-1", "100%", "{{x}}".replace("{{", "x{{")),
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


@pytest.mark.parametrize("value", [object(), {"a": {1, 2}}, {("a",): 1}, [b"x"], {"get_input": object()}])
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


# -- comments and anchors ------------------------------------------------------------------------------------------------


def test_comments() -> None:
    data = {
        "a": {"get_input": "x"},
        "b": [1, 2],
        "c": {"d": "x\ny\n\n", "e": [{"f": 1, "g": 2}]},
        "description": "word " * 30 + "end",
    }
    comments = {
        ("a",): Comment(("# one", "", "# two"), "# beside", ("# below",)),
        ("b", 1): Comment((), "# second", ()),
        ("c",): Comment((), "# map", ()),
        ("c", "d"): Comment((), "# text", ("", "# after the text")),
        ("c", "e", 0): Comment(("# item",), "# beside the dash", ()),
        ("c", "e", 0, "f"): Comment(("# first",), None, ()),
        ("description",): Comment((), "# prose", ()),
    }
    text = emit(data, comments=comments)
    assert text == (
        "# one\n"
        "\n"
        "# two\n"
        "a: {get_input: x}  # beside\n"
        "# below\n"
        "b:\n"
        "  - 1\n"
        "  - 2  # second\n"
        "c:  # map\n"
        "  d: |+  # text\n"
        "    x\n"
        "    y\n"
        "\n"
        "  # after the text\n"
        "  e:\n"
        "    # item\n"
        "    # beside the dash\n"
        "    # first\n"
        "    - f: 1\n"
        "      g: 2\n"
        "# prose\n"
        "description: >-\n"
        "  word word word word word word word word word word word word word word word word word word word\n"
        "  word word word word word word word word word word word end\n"
    )
    check(data, text)


def test_comments_of_a_document_stay_where_they_are() -> None:
    text = (
        "# File\n"
        "\n"
        "# Section\n"
        "a:  # beside\n"
        "  # above\n"
        "  b: {get_input: x}  # call\n"
        "  c:\n"
        "    # item\n"
        "    - d: |  # text\n"
        "        x # no comment\n"
        "      # inside\n"
        "      e: 1\n"
        "    # end of c\n"
        "f: [x, y]\n"
    )
    document = load(text, "t")
    body = {path: comment for path, comment in document.comments.items() if path}
    assert "# File\n\n" + emit(document.data, comments=body) == text
    assert load(emit(document.data, comments=body), "t").data == document.data


def test_comments_below_a_path() -> None:
    emitter = Emitter({("s", "a", "b"): Comment((), "# b", ())})
    emitter.entry("a", {"b": 1, "c": [1]}, "  ", ("s", "a"))
    assert emitter.take() == "  a:\n    b: 1  # b\n    c: [1]"
    assert emit({"b": 1}, comments={("s", "b"): Comment((), "# b", ())}, path=("s",)) == "b: 1  # b\n"


def test_anchors() -> None:
    data = {
        "defs": {"config": Anchor("config", {"url": {"get_secret": "url"}}), "net": Anchor("n-1", "10.0.0.0/24")},
        "nodes": [
            {"config": Alias("config"), "nets": [Alias("n-1"), Alias("n-1")]},
            {"merged": {"merge": [Alias("config"), {"a": Anchor("text", "x")}]}},
        ],
        "list": [Anchor("m", {"k": "v"}), Alias("m")],
        "lines": Anchor("lines", "a\nb\n"),
    }
    text = emit(data)
    assert text == (
        "defs:\n"
        "  config: &config\n"
        "    url: {get_secret: url}\n"
        "  net: &n-1 10.0.0.0/24\n"
        "nodes:\n"
        "  - config: *config\n"
        "    nets: [*n-1, *n-1]\n"
        "  - merged: {merge: [*config, {a: &text x}]}\n"
        "list:\n"
        "  - &m\n"
        "    k: v\n"
        "  - *m\n"
        "lines: &lines |\n"
        "  a\n"
        "  b\n"
    )
    config, net = {"url": {"get_secret": "url"}}, "10.0.0.0/24"
    resolved = {
        "defs": {"config": config, "net": net},
        "nodes": [{"config": config, "nets": [net, net]}, {"merged": {"merge": [config, {"a": "x"}]}}],
        "list": [{"k": "v"}, {"k": "v"}],
        "lines": "a\nb\n",
    }
    check(resolved, text)
    for wrong in ("", "a b", "a,", "é"):
        with pytest.raises(ValueError, match="anchor"):
            Alias(wrong)
