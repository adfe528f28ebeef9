"""What the emitter writes looks as a careful person would have written it."""

from __future__ import annotations

from functools import partial

import pytest
from yaml_readers import check

from bpconvert.yamlio import emit as emitting
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import Alias, Anchor, Emitter

#: writes the calls of these functions on one line
emit = partial(
    emitting.emit,
    calls={"get_input", "get_attribute", "get_param", "get_secret", "concat", "if", "merge", "str_replace"},
)

# -- how it looks ------------------------------------------------------------------------------------------


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
        (";\nGRANT ALL ON ", r'";\nGRANT ALL ON "' + "\n"),
        ("a\n" * 30 + "b ", "|-\n" + "  a\n" * 30 + "  b \n"),
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


# -- comments and anchors ----------------------------------------------------------------------------------


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
        "f: [x, z]\n"
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
