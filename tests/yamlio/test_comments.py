"""Reading YAML: comments and the source texts of entries."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from source_texts import source
from yaml_as_engines import (
    REAL_FILES,
    assert_sources_stand_alone,
    by_engine,
    engine_comments,
    entries,
    needs_realworld,
    plain_data,
    same,
    styles,
)

from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import load


def count(comments: dict[tuple[Any, ...], Comment]) -> int:
    return sum(
        len([line for line in (*comment.before, *comment.after) if line]) + (comment.inline is not None)
        for comment in comments.values()
    )


# -- comments ---------------------------------------------------------------------------------------------------

LAID_OUT = """\
# license

# about

heat_template_version: 2013-05-23   # version
# params
parameters: # inline
  # before a

  # before a, too
  a: # A
    type: string # t
    # ends a
  # before b
  b: {x: 1, # x
      # before y
      y: 2
      # ends y
      } # b
    # ends b
# before resources

resources:
- one # 1
# before two
- two
  # ends two
-  # dash
  k: v
  # z: 3
  # w
   # w2

# end

# end 2
"""


def test_comments_belong_to_the_entries_they_stand_beside() -> None:
    assert load(LAID_OUT).comments == {
        (): Comment(("# license", "", "# about")),
        ("heat_template_version",): Comment(inline="# version"),
        ("parameters",): Comment(("# params",), "# inline"),
        ("parameters", "a"): Comment(("# before a", "", "# before a, too"), "# A"),
        ("parameters", "a", "type"): Comment(inline="# t", after=("# ends a",)),
        ("parameters", "b"): Comment(("# before b",), "# b", ("# ends b",)),
        ("parameters", "b", "x"): Comment(inline="# x"),
        ("parameters", "b", "y"): Comment(("# before y",), after=("# ends y",)),
        ("resources",): Comment(("# before resources",), after=("# end", "", "# end 2")),
        ("resources", 0): Comment(inline="# 1"),
        ("resources", 1): Comment(("# before two",), after=("# ends two",)),
        ("resources", 2): Comment(inline="# dash"),
        ("resources", 2, "k"): Comment(after=("# z: 3", "# w", "# w2")),
    }


COMMENTS: list[tuple[str, dict[tuple[Any, ...], Comment]]] = [
    (
        "a: |  # head\n  # text\n  x\n# b\nb: 'x # y' # z\n",
        {("a",): Comment(inline="# head"), ("b",): Comment(("# b",), "# z")},
    ),
    ("a: b#c\nd: e # f\ng: 'h'#i\n", {("d",): Comment(inline="# f"), ("g",): Comment(inline="#i")}),
    ("a:\n  # between\n  value\nb: 1\n", {("a",): Comment(("# between",))}),
    ("# only\n\n# comments\n", {(): Comment(("# only", "", "# comments"))}),
    ("# right above\na: 1\n", {("a",): Comment(("# right above",))}),
    ("# file\n---\n# a\na: 1\n", {(): Comment(("# file",)), ("a",): Comment(("# a",))}),
    ("--- # start\n- a\n", {(): Comment(("# start",))}),
    ("# h\n\nfoo # i\n# j\n", {(): Comment(("# h",), "# i", ("# j",))}),
    ("a:\n- x\n# end\n", {("a",): Comment(after=("# end",))}),
    ("a:\n- x\n# y\n- z\n", {("a", 1): Comment(("# y",))}),
    ("a: &b # c\n  # d\n  k: 1\n", {("a",): Comment(inline="# c"), ("a", "k"): Comment(("# d",))}),
    ("a: !!str # f\n  g\n", {("a",): Comment(inline="# f")}),
    ("a: 1 # x\na: 2 # y\n", {("a",): Comment(inline="# x", after=("# y",))}),
    ("<<: {a: 1} # m\n", {("<<",): Comment(inline="# m")}),
    (
        "[a, # 1\n # 2\n b, # 3\n]\n# e\n",
        {(0,): Comment(inline="# 1"), (1,): Comment(("# 2",), "# 3"), (): Comment(after=("# e",))},
    ),
    ("a: [ # o\n # empty\n ]\n", {("a",): Comment(inline="# o", after=("# empty",))}),
    (
        "- # u\n  # v\n  - w\n  -\n    # x\n    y: 1\n",
        {(0,): Comment(inline="# u"), (0, 0): Comment(("# v",)), (0, 1, "y"): Comment(("# x",))},
    ),
    ("a: !!set {x, # 1\n y} # 2\n", {("a",): Comment(inline="# 1", after=("# 2",))}),
    ("a: 1 # crlf\r\n# b\r\nb: 2\r\n", {("a",): Comment(inline="# crlf"), ("b",): Comment(("# b",))}),
    ("? k # q\n: v # w\n", {("k",): Comment(inline="# q", after=("# w",))}),
    ("k: &b {x: 1}\na: *b # r\nc: 1\n", {("a",): Comment(inline="# r")}),
    ("a: &s\n- x\n# y\n- # z\n  y\n", {("a", 1): Comment(("# y",), "# z")}),
    ("no: comment\n", {}),
    ("a: '#'\nb: \"#\n  #\"\nc: |\n  #\nd: x\n  y#\n", {}),
]


@pytest.mark.parametrize(("text", "expected"), COMMENTS)
def test_comment(text: str, expected: dict[tuple[Any, ...], Comment]) -> None:
    assert load(text).comments == expected


@needs_realworld
def test_no_comment_of_a_real_file_is_lost() -> None:
    found = 0
    for path in REAL_FILES:
        text = path.read_bytes().decode()
        try:
            expected = engine_comments(text)
            document = load(text)
        except (yaml.YAMLError, SourceError):
            continue
        assert [note.start for note in document.notes] == expected, path
        assert count(document.comments) == len(expected), path
        places = {(), *(place for place, _ in entries(document.data))}
        assert set(document.comments) <= places, path
        found += len(expected)
    assert found > 1000


injected = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["", "  ", "    ", "\n", "   "])), max_size=6)


@settings(max_examples=200, deadline=None)
@given(plain_data, styles, injected)
def test_no_comment_is_lost_wherever_it_stands(data: Any, style: dict[str, Any], places: list[tuple[int, str]]) -> None:
    lines = yaml.safe_dump(data, sort_keys=False, **style | {"line_break": "\n"}).split("\n")
    for number, (line, pad) in enumerate(places):
        lines.insert(line, f"{pad}# comment {number}")
        lines[line // 2 % len(lines)] += f" # inline {number}"
    text = "\n".join(lines)
    try:
        expected, values = engine_comments(text), by_engine(text)
    except Exception:  # PyYAML refuses it, in more ways than by YAMLError
        return
    document = load(text)
    assert same(document.data, values)
    assert [note.start for note in document.notes] == expected
    assert count(document.comments) == len(expected)
    assert_sources_stand_alone(document)


# -- source texts -----------------------------------------------------------------------------------------------


def test_source_is_the_entry_with_its_comments_dedented() -> None:
    document = load(LAID_OUT)
    assert source(document, ("parameters", "a")) == (
        "# before a\n\n# before a, too\na: # A\n  type: string # t\n  # ends a\n"
    )
    assert source(document, ("parameters", "a", "type")) == "type: string # t\n# ends a\n"
    assert source(document, ("heat_template_version",)) == "heat_template_version: 2013-05-23   # version\n"
    assert source(document, ("resources", 2, "k")) == "k: v\n# z: 3\n# w\n # w2\n"
    assert source(document, ("parameters", "b", "x")) is None
    assert source(document, ("resources", 1)) is None
    assert source(document, ()) is None
    assert source(document, ("nope", "x")) is None


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a:\n  b: |+\n    x\n\n\n  c: 1\n", "ab", "b: |+\n  x\n\n\n"),
        ("a:\n  b: |\n    x\n\n\n  c: 1\n", "ab", "b: |\n  x\n"),
        ("a:\n  b: |\n    x\n       \n\n  c: 1\n", "ab", "b: |\n  x\n     \n\n"),
        ("a:\n  b: |2\n      x\n", "ab", "b: |2\n    x\n"),
        ("a: |\n  x", "a", None),
        ("a: x", "a", "a: x\n"),
        ("a: 'x\n\n  y'\nb: 1\n", "a", "a: 'x\n\n  y'\n"),
        ('a:\n  b: "x\n\ny" # c\n\n\n', "ab", 'b: "x\n\ny" # c\n'),
        ('a:\n  b: "x\n  --- y"\n', "ab", None),
        ("a: {b: 1,\n c: 2}\nd: 1\n", "a", "a: {b: 1,\n c: 2}\n"),
        ("a: &x 1\nb: *x\n", "a", None),
        ("a: &x 1\nb: *x\n", "b", None),
        ("a: &x 1\nb:\n  c: *x\n", "b", None),
        ("a: &x\n  c: {d: 1}\nb: *x\n", "ac", "c: {d: 1}\n"),
        ("a: &x\n  c: {d: 1}\nb: *x\n", "bc", None),
        ("a: &x\n  c: 1\nb:\n  <<: *x\n  d: 1\n", "bc", None),
        ("a: &x\n  c: 1\nb:\n  <<: *x\n  d: 1\n", "bd", "d: 1\n"),
        ("? a\n: b\n", "a", None),
        ("?\n  a\n: b\n", "a", None),
        ("a: 1\na: 2\n", "a", "a: 2\n"),
        ("# 1\na: 1\n# 2\na: 2\n", "a", "# 2\na: 2\n"),
        ("a:\r\n  b: 1\r\n  # c\r\n", "a", "a:\n  b: 1\n  # c\n"),
        ("a:\nb:\n", "a", "a:\n"),
        ("a:\n  # between\n  v\nb: 1\n", "a", "a:\n  # between\n  v\n"),
        ("%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\nb: 1\n", "a", None),
        ("%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\nb: 1\n", "b", "b: 1\n"),
        ("a: x\u2028  y\n", "a", None),
        ("a:\n  b: 1\n  ?\nc: 1\n", "a", None),
        ("b: [1]\n? # c\n", "b", "b: [1]\n"),
        ("a:\n  - x\n  -\nb: 1\n", "a", "a:\n  - x\n  -\n"),
        ("a: !!str 1\n", "a", "a: !!str 1\n"),
    ],
)
def test_source(text: str, path: str, expected: str | None) -> None:
    document = load(text)
    assert source(document, tuple(path)) == expected
    assert_sources_stand_alone(document)


@needs_realworld
def test_sources_of_real_files_stand_alone() -> None:
    found = 0
    for path in REAL_FILES[::4]:
        try:
            document = load(path.read_bytes(), path.name)
        except SourceError:
            continue
        found += assert_sources_stand_alone(document)
    assert found > 1000
