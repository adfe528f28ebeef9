"""The DSL's own functions: what dsl_parser computes, folding computes; what it refuses, is refused."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from bpconvert.models.expressions import MISSING, Concat, Expr, Find, Input, Lower, Merge, Split, StringReplace, Upper
from bpconvert.translators.evaluate import Refused, Scope, fold

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

CASES = 2000
VALUE = {"k": [1, {"l": "x", "k": [5]}, None], "l": {"k": "text"}, "0": 7}
_POOL = ["", "a", "b", "ab", "a,b,c", ",", "abcab", "A \u00e9", 5, 1.5, True, None, ["a"], {"k": 1}, 0, -1]

#: function -> its expression
BUILD: dict[str, Callable[[Any], Expr]] = {
    "string_find": lambda items: Find(*items),
    "string_replace": lambda items: StringReplace(*items),
    "string_split": lambda items: Split(items[1], items[0], items[2] if len(items) > 2 else MISSING, strict=True),
    "string_lower": Lower,
    "string_upper": Upper,
    "concat": lambda items: Concat(tuple(items)),
    "merge": lambda maps: Merge(maps, strict=True),
    "get_input": lambda items: Input(items[0], tuple(items[1:]), strict=True),
}
#: Runs in the engines' Python: evaluates [name, argument] pairs with dsl_parser's classes.
ENGINE = """
import json, sys
from dsl_parser import functions
request = json.load(sys.stdin)
class Handler:
    def get_input(self, name):
        return request["value"]
answers = []
for name, argument in request["cases"]:
    try:
        call = functions.TEMPLATE_FUNCTIONS[name](argument, scope=None, context=None, path="", raw={name: argument})
        answers.append([call.evaluate(Handler())])
    except Exception:
        answers.append([])
print(json.dumps(answers))
"""


def argument(name: str, choose: random.Random) -> Any:
    """An argument for the function ``name``; of a wrong type now and then."""
    pool = _POOL if choose.random() < 0.3 else _POOL[:8]
    if name in ("string_lower", "string_upper"):
        return choose.choice(pool)
    if name == "merge":
        count = choose.randint(0, 3)
        return [{choose.choice("abc"): choose.choice(_POOL) for _ in range(choose.randint(0, 2))} for _ in range(count)]
    if name == "get_input":
        return ["i", *choose.choices(["k", "l", 0, 1, -1, "0", None, True, 9], k=choose.randint(1, 3))]
    if name == "concat":
        return choose.choices(_POOL, k=choose.randint(0, 4))
    items = choose.choices(pool, k=3 if name == "string_replace" else 2)
    if choose.random() < 0.5 and name != "string_find":
        items.append(choose.choice([0, 1, -1, 5, True, False, None, "1", "", 0.0, 1.0]))
    return items


def folded(name: str, items: Any) -> list[Any]:
    """The value in a list, as the engine answers; an empty list when it is refused."""
    try:
        return [fold(BUILD[name](items), Scope(inputs={"i": VALUE}))]
    except Refused:
        return []


def test_functions(engines_python: str) -> None:
    choose = random.Random(1)
    cases = [(name, argument(name, choose)) for name in choose.choices(list(BUILD), k=CASES)]
    request = json.dumps({"cases": cases, "value": VALUE})
    run = subprocess.run([engines_python, "-c", ENGINE], input=request, capture_output=True, text=True, check=True)
    answers = json.loads(run.stdout)
    different = [
        f"{name} {items!r}: mine {mine}, Cloudify {theirs}"
        for (name, items), theirs in zip(cases, answers, strict=True)
        if json.dumps(mine := folded(name, items)) != json.dumps(theirs)
    ]
    assert not different, "\n".join(different[:20])
    assert sum(map(len, answers)) > CASES // 3
