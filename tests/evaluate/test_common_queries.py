"""Queries that are checked without yaql's grammar are ones that it parses."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from bpconvert.translators.evaluate.yaql import is_common

#: words that mean something in some version of yaql or its kin
WORDS = (
    "and", "or", "not", "in", "is", "as", "mod", "div", "true", "false", "null", "none", "True", "if", "then", "else",
    "let", "def", "with", "where", "select", "data", "len", "list", "dict", "set", "switch", "e1", "x", "isNull",
    "notIn", "order", "android", "like", "between", "for", "while", "lambda", "return", "nan", "inf",
)  # fmt: skip
PIECES = (
    "$", ".", "(", ")", "()", ", ", ",", "'a'", '"b c"', "1", "23", "''", "$.x", "$.data.y", " ", "=", "=>", "'", "\\",
    "$1", "[", "]", "__a", "a_b",
)  # fmt: skip

COMMON = (
    "$.data.a", "$", " $.data.list.select($.name) ", "$.data.where($.a.b).join(', ')", "$.data.x.len()",
    '$.data.v.replace("-", "+", 1)', "$.data.v.toUpper()", "$.data.a.first()", "$.data.s.split(',')",
)  # fmt: skip


@pytest.mark.parametrize("query", COMMON)
def test_common_forms(query: str) -> None:
    assert is_common(query)


OTHERS = (
    "", "$.", "$.data.", "$.and", "$.data.where($.a =", "$.a(", "$.a($.b", "$.a(,)", "$.a('b)", "a", "$ $", "$.a b",
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
    found = [query for query in queries if is_common(query)]
    assert len(found) > 1000
    for query in found:
        parse(query)


def test_a_common_query_needs_no_package() -> None:
    program = (
        "import sys; from bpconvert import convert\n"
        "hot = 'heat_template_version: 2018-08-31\\nresources: {n: {type: OS::Neutron::Net}}\\noutputs:\\n  o:\\n'\n"
        "hot += '    value: {yaql: {expression: \"$.data.v.len()\", data: {v: {get_attr: [n, subnets]}}}}\\n'\n"
        "print(convert(hot).fidelity, 'yaql' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"
