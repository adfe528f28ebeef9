"""What the tests of reading compare with: PyYAML, which both engines read with; and material to read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
import yaml
from checkout import REALWORLD
from hypothesis import strategies as st
from source_texts import source

from bpconvert.yamlio.document import Document, Map, Seq, load

REAL_FILES = sorted(path for ending in ("yaml", "yml", "template") for path in REALWORLD.rglob(f"*.{ending}"))
needs_realworld = pytest.mark.skipif(not REAL_FILES, reason=f"no real-world files: {REALWORLD} is absent")


def as_heat(loader: type) -> type:
    """A PyYAML loader that keeps timestamps as text, as Heat's does."""
    made = type("Heat", (loader,), {})
    made.add_constructor("tag:yaml.org,2002:timestamp", lambda self, node: self.construct_scalar(node))
    return made


#: PyYAML since 6.0.4 compares merged keys by the identity of their texts, which says nothing about YAML: of two merges
#: in one mapping the first one counts where a key has one character, the last one where it has more. The engines come
#: with older ones (Heat's and Cloudify's requirements), for which the last one counts.
merges_by_identity = pytest.mark.skipif(
    yaml.safe_load("{<<: {x: 1}, <<: {x: 2}}") != {"x": 2}, reason="this PyYAML compares merged keys by identity"
)
ENGINES = [getattr(yaml, "CSafeLoader", yaml.SafeLoader), yaml.SafeLoader]
ENGINES_LIKE_HEAT = [as_heat(loader) for loader in ENGINES]


def by_engine(text: str | bytes) -> Any:
    """What the engines read; the exception of the last loader if none of them takes the text."""
    for loader in ENGINES_LIKE_HEAT:
        try:
            return yaml.load(text, loader)
        except Exception as error:
            problem = error
    raise problem


def same(left: Any, right: Any) -> bool:
    """Equal, of the same types and in the same order; ``left`` may have Map and Seq for dict and list."""
    if type(left) is Map:
        return type(right) is dict and same(list(left.items()), list(right.items()))
    if type(left) in (list, Seq, tuple):
        plain = tuple if type(left) is tuple else list
        return type(right) is plain and len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and (left == right or (left != left and right != right))


def entries(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """(path, value) of all entries and items below ``node``."""
    steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, value in steps:
        yield (*path, step), value
        yield from entries(value, (*path, step))


def engine_comments(text: str) -> list[int]:
    """Where PyYAML sees comments: each '#' between its tokens, and behind the header of a block scalar."""
    found: list[int] = []
    behind = 0

    def between(start: int, end: int) -> None:
        found.extend(start + match.start() for match in re.finditer("#[^\r\n\x85\u2028\u2029]*", text[start:end]))

    for token in yaml.scan(text, yaml.SafeLoader):
        start = token.start_mark.index
        between(behind, start)
        header = re.compile("[|>][-+0-9]*[ \t]*").match(text, start)
        if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">") and header:
            between(header.end(), text.find("\n", start))
        behind = max(behind, token.end_mark.index)
    between(behind, len(text))
    return found


def assert_sources_stand_alone(document: Document) -> int:
    """Every source text reads as {key: value}; the number of them."""
    found = 0
    for path, value in entries(document.data):
        text = source(document, path)
        if text is not None:
            again = load(text).data
            assert repr(again) == repr({path[-1]: value}), (path, text)
            assert text.endswith("\n")
            found += 1
    return found


SCALARS = """
yes Yes YES yEs no NO n N y Y true True TRUE tRUE false on On ON off OFF oFF o
~ null Null NULL nULL none
0 -0 +0 00 007 010 -010 +010 08 09 0o10 0O10 0_ 0_7 0x1F 0x1f 0X1F -0x1F +0x1F 0x_1 0xG 0b101 -0b101 +0b1_0 0b2 0B1
1 12 -12 +12 1_000 1__0 _1 1_ +_1 - + -- 123456789012345678901234567890
1:30 12:30:45 01:30 0:30 1:60 1:5 1:30:99 -1:30 +1:30 1:30.5 1:2:3.25 -190:20:30.15 1:30. 190:20:30
1.0 1.10 1. .5 -.5 +.5 . ._5 0.1 -0.0 +1.5 1_0.5_0 1.5e3 1.5e+3 1.5E-3 1e3 1E3 1e+3 1.0e+3 1.e+3 .5e-1 .5e1 1.0e+400
.inf .Inf .INF -.inf +.INF -.INF .iNF .nan .NaN .NAN -.nan inf nan
2013-05-23 2013-5-23 2013-05-23T10:20:30Z 2013-05-23t1:20:30.5-08:00 2013-05-23T10:20:30+5 2013-05-23T10:20 13-05-23
2013-05-23T10:20:30.123456789Z 20130523 2013-05
:: a::b a:b a#b OS::Nova::Server == =a <<a <<< x=y $x a? a-b -a ?a :a é 😀 1,000 1/2 10% v1.0 1.2.3
0.0.0.0 10.0.0.0/24 00:11:22:33:44:55 12:34:56:78 1.2.3.4 +1-2 0-9 0.0_ 1..2 '' "" 'yes' "010" '~' '<<' '='
"""
SCALAR_TEXTS = [*SCALARS.split(), "", "a b", "2013-05-23 10:20:30", "2013-05-23 10:20:30 +2:30"]
ODD_TEXTS = ["a\nb", "\n", " x", "x ", "a\n\n", "# x", "a #b"]
printable = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\ufffe\uffff"), max_size=20
)
words = st.sampled_from([text for text in SCALAR_TEXTS if text]) | printable | st.sampled_from(ODD_TEXTS)
numbers = st.integers() | st.floats() | st.booleans() | st.none()
moments = st.dates(date(1000, 1, 1)) | st.datetimes(
    datetime(1000, 1, 1), timezones=st.none() | st.integers(-12, 12).map(lambda hours: timezone(timedelta(hours=hours)))
)
plain_data = st.recursive(
    words | numbers,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(words | st.integers() | st.booleans(), inner, max_size=4)
    ),
    max_leaves=12,
)
styles = st.fixed_dictionaries(
    {
        "default_style": st.sampled_from([None, "'", '"', "|", ">"]),
        "default_flow_style": st.sampled_from([None, True, False]),
        "allow_unicode": st.booleans(),
        "indent": st.sampled_from([2, 4]),
        "width": st.sampled_from([20, 80]),
        "line_break": st.sampled_from(["\n", "\r\n"]),
        "explicit_start": st.booleans(),
    }
)
