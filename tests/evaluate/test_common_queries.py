"""Queries that are checked without yaql's grammar are ones that it parses."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bpconvert.translators.evaluate.yaql import is_common
from bpconvert.yamlio.document import load

#: words that mean something in some version of yaql or its kin
WORDS = (
    "and", "or", "not", "in", "is", "as", "mod", "div", "true", "false", "null", "none", "True", "if", "then", "else",
    "let", "def", "with", "where", "select", "data", "len", "list", "dict", "set", "switch", "e1", "x", "isNull",
    "notIn", "order", "android", "like", "between", "for", "while", "lambda", "return", "nan", "inf",
)  # fmt: skip
PIECES = (
    "$", ".", "(", ")", "()", ", ", ",", "'a'", '"b c"', "1", "23", "''", "$.x", "$.data.y", " ", "=", "=>", "'", "\\",
    "$1", "[", "]", "__a", "a_b", "{", "}", "+", "-", " and ", " or ", "not ", "!=", "->", "=~", "?.", "*", " in ",
    "a => ", "f(", "$.a[0]", "1.5", "[1, $]", "{a => 1}", "f($, b => 2)", "(2)", "true", "null", "'\\d'",
)  # fmt: skip

VALUES = (
    "$",
    "1",
    "-1",
    "not $",
    "f()",
    "f($.a, b => -2)",
    "(3)",
    "[not 1, 2]",
    "{a => $b, c => [1]}",
    "$.a[1].b(2)[3]",
    "'x'",
)
OPERATORS = (
    " + ",
    "-",
    "*",
    "/",
    ">",
    "<",
    ">=",
    "<=",
    "!=",
    "=",
    " =~ ",
    "!~",
    "->",
    " and ",
    " or ",
    " in ",
    " mod ",
)

COMMON = (
    "$.data.a", "$", " $.data.list.select($.name) ", "$.data.where($.a.b).join(', ')", "$.data.x.len()",
    '$.data.v.replace("-", "+", 1)', "$.data.v.toUpper()", "$.data.a.first()", "$.data.s.split(',')",
    "$.data.base + $.data.index", "$.data.rightSplit(':', 1)[0]",
    "$.data.where($ != null).reduce($1.mergeWith($2), {})",
    "let(c => $.data.cred) -> $c.get($.data.ns, {}).keys().last(default => '')",
    "dict($.data.select([$.a, $.b]))",
    "coalesce($.data, []).where($ != null and not $.x).select({name => $.y})", "concat('a', $.data.split('/')[1])",
    "$.data.split('/')[0].matches('(\\.|:)')", "$.data.select($+':'+$+':ro')", "($.data.a).mergeWith($.data.b) = true",
)  # fmt: skip


@pytest.mark.parametrize("query", COMMON)
def test_common_forms(query: str) -> None:
    assert is_common(query)


OTHERS = (
    "", "$.", "$.data.", "$.and", "$.data.where($.a =", "$.a(", "$.a($.b", "$.a(,)", "$.a('b)", "a", "$ $", "$.a b",
    "$.a(b => 1, 2)", "f (1)", "$ + ", "[1, 2", "{a => }", "'\\x4'", "$.a.", "__f(1)", "$.data =! 1", "1 2", "(1, 2)",
    "{" * 50 + "}" * 50,
)  # fmt: skip


@pytest.mark.parametrize("query", OTHERS)
def test_no_common_forms(query: str) -> None:
    assert not is_common(query)


def test_what_is_common_parses() -> None:
    yaql = pytest.importorskip("yaql")
    parse = yaql.YaqlFactory().create({"yaql.limitIterators": 200, "yaql.memoryQuota": 10000})
    draw = random.Random(29)
    queries = [*COMMON, *(f"$.{word}" for word in WORDS), *(f"$.data.{word}()" for word in WORDS)]
    queries += [f"$.data.{word}($.{other}, 'q', 2)" for word in WORDS for other in WORDS]
    queries += [
        "$" + "".join(draw.choice((".", "", ".")) + draw.choice(PIECES + WORDS) for _ in range(draw.randint(1, 6)))
        for _ in range(20_000)
    ]
    queries += ["".join(draw.choice(PIECES) for _ in range(draw.randint(1, 9))) for _ in range(60_000)]
    queries += [
        "".join(draw.choice(VALUES if number % 2 else OPERATORS) for number in range(1, draw.randint(2, 5) * 2))
        for _ in range(4_000)
    ]
    found = list(dict.fromkeys(query for query in queries if is_common(query)))
    assert len(found) > 3000
    for query in found:
        parse(query)


def queries_in(value: Any) -> Iterator[Any]:
    if isinstance(value, dict) and isinstance(value.get("yaql"), dict):
        yield value["yaql"].get("expression")
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from queries_in(item)


def test_queries_of_the_corpus_are_common() -> None:
    """Nearly all that its templates have; what is not is wrong, or looks like it."""
    corpus = Path(__file__).parents[2] / "corpus" / "hot"
    texts = [place.read_text("utf-8", "replace") for place in corpus.glob("*/hot.yaml")]
    found = {query for text in texts if "yaql" in text for query in queries_in(load(text).data)}
    assert len(found) > 15
    assert sum(isinstance(query, str) and is_common(query) for query in found) >= 0.8 * len(found)


def test_a_common_query_needs_no_package() -> None:
    program = (
        "import sys; from bpconvert import convert\n"
        "hot = 'heat_template_version: 2018-08-31\\nresources: {n: {type: OS::Neutron::Net}}\\noutputs:\\n  o:\\n'\n"
        "hot += '    value: {yaql: {expression: \"$.data.v.len()\", data: {v: {get_attr: [n, subnets]}}}}\\n'\n"
        "print(convert(hot).fidelity, 'yaql' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"
