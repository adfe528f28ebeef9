"""Queries of yaql end soon, whatever is in what: they have a value, are refused, or stay what they are."""

from __future__ import annotations

from typing import Any

import pytest
from machine_pace import check_that_it_ends

from bpconvert import BpconvertError, convert
from bpconvert.evaluation import evaluate

pytest.importorskip("yaql")

pytestmark = pytest.mark.one_version

SIZES = (3, 12, 100)
LONGEST = 10_000
NUMBERS = "range(190)"

#: what is put into itself, over and over: a form, and what stands inside
AROUND = {
    "accumulate": (f"{NUMBERS}.accumulate({{}}).len()", "$1 + $2"),
    "aggregate": (f"{NUMBERS}.aggregate({{}})", "$1 + $2"),
    "all": (f"{NUMBERS}.all({{}})", "true"),
    "any": (f"{NUMBERS}.any({{}})", "false"),
    "coalesce": ("coalesce(null, {})", "1"),
    "cycle": (f"{NUMBERS}.select({{}}).cycle().take(190).len()", "1"),
    "def": ("def(f, {}) -> f() + f()", "1"),
    "generate": ("generate(0, $ < 190, {}).len()", "$ + 1"),
    "generateMany": ("generateMany(1, [$ * 2, {}]).take(190).len()", "$ * 2 + 1"),
    "groupBy": (f"{NUMBERS}.groupBy({{}})", "$"),
    "indexOf": (f"{NUMBERS}.select({NUMBERS}.indexOf({{}})).len()", "189"),
    "join": ("range(13).join({}, true, $1)", "range(13)"),
    "let": ("let(a => {}) -> $a + $a", "1"),
    "list": ("({}) + ({})", "[1]"),
    "map": ("{{a => {}}}", "1"),
    "max": (f"{NUMBERS}.select({{}}).max()", "$"),
    "mergeWith": ("{{a => {}}}.mergeWith({{a => {}}})", "{b => [1]}"),
    "numbers": ("{} * {}", "9999999999"),
    "orderBy": (f"{NUMBERS}.orderBy({{}}).first()", "-$"),
    "pattern": ("regex('a').replace({}, 'aaaaaaaa')", "'aaaa'"),
    "repeated list": ("({}) * 9", "[1]"),
    "repeated text": ("({}) * 9", "'ab'"),
    "replace": ("{}.replace('a', 'aaaaaaaa')", "'aaaa'"),
    "select": (f"{NUMBERS}.select({{}})", "$"),
    "selectMany": (f"{NUMBERS}.selectMany({{}})", "[1, 2, 3]"),
    "split": ("{}.split('').join(',')", "'aaaa'"),
    "sum": (f"{NUMBERS}.select({{}}).sum()", "$ + 1"),
    "switch": ("switch({} => 1, true => 2)", "false"),
    "toDict": (f"{NUMBERS}.toDict($, {{}})", "$"),
    "where": (f"{NUMBERS}.where({{}}).len() > 1", "$ > 1"),
    "with": ("with({}, {}) -> $1 + $2", "1"),
    "zip": (f"{NUMBERS}.zip({{}})", NUMBERS),
}
#: what is put behind itself
BEHIND = (
    "append(1)", "delete(0)", "distinct()", "enumerate()", "flatten()", "insert(0, 1)", "memorize()", "replace(0, 1)",
    "reverse()", "select($)", "selectMany([$, $])", "skip(0)", "slice(2)", "splitWhere($ > 1)", "toList()",
    "where(true)", f"concat({NUMBERS})", f"zip({NUMBERS})",
)  # fmt: skip
OPERATORS = (" + ", " * ", " and ", " = ", " < ")


def nested(form: str, inner: str, levels: int) -> str:
    for _ in range(levels):
        if len(inner) > LONGEST:
            break
        inner = form.format(*[inner] * form.count("{}"))
    return inner


def outcome(query: str, data: Any = None, **options: Any) -> Any:
    """The value of a query; the code of the error for one that has none."""
    try:
        return evaluate({"yaql": {"expression": query, "data": data}}, dialect="hot", version="2018-08-31", **options)
    except BpconvertError as error:
        return error.diagnostics[0].code if hasattr(error, "diagnostics") else error.diagnostic.code


def check_soon(query: str, data: Any = None) -> None:
    check_that_it_ends(lambda: outcome(query, data))


@pytest.mark.parametrize("name", AROUND)
def test_in_itself(name: str) -> None:
    form, inner = AROUND[name]
    for levels in SIZES:
        query = nested(form, inner, levels)
        if len(query) > LONGEST:
            break
        check_soon(query)


@pytest.mark.parametrize("method", BEHIND)
def test_behind_itself_for_each_item(method: str) -> None:
    for size in SIZES:
        check_soon(f"{NUMBERS}.select({NUMBERS}{f'.{method}' * size}.len()).sum()")


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_in_a_row(operator: str) -> None:
    for size in SIZES:
        check_soon(operator.join(["1"] * size))


def many_times(levels: int, end: str, form: str = "[{}]") -> str:
    """A list of ten lists of ten lists; ``end``: what is done with it, as ``$a``."""
    text = "let(a => [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]) -> "
    return text + f"let(a => {form.format(', '.join(['$a'] * 10))}) -> " * levels + end


@pytest.mark.parametrize(
    "end",
    [
        "$a", "$a = $a.select($).toList()", "str($a).len()", "[$a].toSet().len()", "dict(x => $a)",
        f"{NUMBERS}.select($a)", f"{NUMBERS}.select(str($a)).len()", f"{NUMBERS}.select($a in [[$a]]).len()",
        f"{NUMBERS}.select([$a].toSet().len()).sum()", "$a.flatten().len()",
    ],
)  # fmt: skip
def test_lists_that_are_in_others_many_times(end: str) -> None:
    for levels in (1, 2, 3, 8, 12):
        check_soon(many_times(levels, end))
    assert outcome(many_times(12, end)) == "BPC226"


@pytest.mark.parametrize("text", ["'a' * 9900", "$.data"])
@pytest.mark.parametrize("pattern", ["a*b", "a*a*b", "(a|aa)+$", "a*a*a*b", "[ab]*c"])
@pytest.mark.parametrize(
    "call",
    [
        "regex('{0}').search({1})", "regex('{0}').searchAll({1}).len()", "({1}) =~ '{0}'", "({1}) !~ '{0}'",
        "regex('{0}').split({1}).len()", "regex('{0}').replace({1}, '')", "regex('{0}').replaceBy({1}, 'b')",
        "regex('{0}').matches({1})", "({1}).matches('{0}')",
    ],
)  # fmt: skip
def test_patterns_on_texts_that_are_long(call: str, pattern: str, text: str) -> None:
    """These have more characters than the query where it computes them itself."""
    assert outcome(f"[1].select({call.format(pattern, text)})", "a" * 9900) == "BPC226"


def test_patterns_that_are_matched_often() -> None:
    """Each turn is quick, ten thousand of them are not."""
    each = "regex('[ab]*c').search('a' * 150)"
    assert outcome(f"range(5).select({each})") == [None] * 5
    assert outcome(f"{NUMBERS}.select({NUMBERS}.select({each}).len()).sum()") == "BPC226"


@pytest.mark.parametrize(
    "query",
    [
        "1" + " + 1" * 2000, "[" * 3000 + "]" * 3000, "not " * 1500 + "true", "$" + ".a" * 3000,
        "len(" * 1500 + ")" * 1500,
    ],
)  # fmt: skip
def test_what_is_nested_too_deeply_stays_a_query(query: str) -> None:
    """The engine's depth is another one: it may compute them."""
    assert outcome(query) == "BPC226"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("range(50).select($ * $).sum()", 40425),
        ("range(30).select(range(30).sum()).sum()", 13050),
        ("$.data.where($.a > 5).select($.a).orderBy(-$).first()", 99),
        ("regex('b+').search('a' * 100)", None),
        ("let(a => [1, 2]) -> [$a, $a, $a]", [[1, 2]] * 3),
    ],
)
def test_queries_of_the_usual_size_are_computed(query: str, expected: Any) -> None:
    assert outcome(query, [{"a": number} for number in range(100)]) == expected


def test_the_limit_can_be_raised() -> None:
    query = "range(60).select(range(100).select($ + 1).sum()).sum()"
    value = f"{{yaql: {{expression: {query}, data: {{}}}}}}"
    text = f"heat_template_version: 2018-08-31\nresources: {{}}\noutputs: {{o: {{value: {value}}}}}\n"
    assert "BPC202" in [found.code for found in convert(text, "hot", "cloudify").diagnostics]
    made = convert(text, "hot", "cloudify", limits={"steps": 100_000_000})
    assert "BPC222" in [found.code for found in made.diagnostics]
    assert str(60 * 5050) in made.text
