"""HOT's ``yaql``, computed by the yaql package (the extra ``yaql``) as Heat computes it: with the limits that its
configuration has by default, and a map with the one key ``data`` as ``$`` (heat/engine/hot/functions.py, ``Yaql``).
The package is imported when the first query is computed, never before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from bpconvert.models.expressions import Expr, Query, Value, walk
from bpconvert.translators.evaluate.scope import Folder, Refused, Scope, fold_field, known, rebuilt

#: what installs the package
INSTALL: Final = "pip install 'yaql>=3.1.0'"
#: Heat's ``[yaql]`` options ``limit_iterators`` and ``memory_quota``
_LIMITS: Final = {"yaql.limitIterators": 200, "yaql.memoryQuota": 10000}
#: functions that give another value each time or on each machine, and ``call``, whose function is not known before
_UNSTEADY: Final = frozenset({"random", "now", "localtz", "call"})
#: functions that go on without an end (the limits only count what is asked for one by one), and those that end it
_ENDLESS: Final = frozenset({"cycle", "sequence", "generate", "generateMany"})
_ENDING: Final = frozenset({"limit", "take", "takeWhile", "first"})
#: functions whose result has its items in another order in each process
_UNORDERED: Final = frozenset({"set", "toSet"})
_ADDRESS: Final = " at 0x[0-9a-f]+"


@cache
def _yaql() -> tuple[Any, Any] | None:
    """The package's parser and root context; None without the package."""
    try:
        yaql: Any = import_module("yaql")
    except ImportError:
        return None
    return yaql.YaqlFactory().create(_LIMITS), yaql.create_context()


@cache
def is_installed() -> bool:
    """True when queries can be computed here. The package is only looked for: importing it takes long."""
    return find_spec("yaql") is not None


def uncomputed(value: Value) -> Iterator[Query]:
    """The queries in ``value`` that only want for the package."""
    for found in () if is_installed() else walk(value):
        if isinstance(found, Query) and known(found.expression, found.data):
            yield found


def fold_query(expr: Query, scope: Scope) -> Value:
    """The query's result if everything is known, the package is there, and the result is the same plain data each
    time."""
    expression, data = fold_field(expr.expression, scope), fold_field(expr.data, scope)
    folded = rebuilt(expr, expression=expression, data=data)
    if isinstance(expression, Expr):
        return folded
    if not isinstance(expression, str):
        raise Refused('The "expression" argument to yaql must contain a string.', expr.path)
    engine = _yaql() if known(data) else None
    if engine is None:
        return folded
    statement, context = _parsed(expr, engine[0], expression), engine[1]
    names = frozenset(_names(statement.expression))
    if names & _UNSTEADY or (names & _ENDLESS and not names & _ENDING):
        return folded
    try:
        result = statement.evaluate({"data": data}, context.create_child_context())
    except Exception as wrong:  # and so can what it does with the data
        why = re.sub(_ADDRESS, "", str(wrong)) or type(wrong).__name__
        raise Refused(f"The yaql expression fails: {why}", expr.path) from wrong
    steady = not names & _UNORDERED or isinstance(result, (bool, int, float)) or result is None
    return result if steady and _is_plain(result) else folded


def check_query(expr: Query) -> None:
    """Refuse a literal query that does not parse, as Heat does when it validates the template."""
    engine = _yaql()
    if engine is not None and isinstance(expr.expression, str):
        _parsed(expr, engine[0], expr.expression)


def _parsed(expr: Query, parse: Any, expression: str) -> Any:
    try:
        return parse(expression)
    except Exception as wrong:  # a text can be wrong in any way
        raise Refused(f"Bad expression {wrong}.", expr.path) from wrong


def _names(node: Any) -> Iterator[str]:
    """The functions that a parsed query calls."""
    name = getattr(node, "name", None)
    if isinstance(name, str):
        yield name
    for part in (*getattr(node, "args", ()), *(getattr(node, key, None) for key in ("expr", "source", "destination"))):
        if part is not None:
            yield from _names(part)


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(key) and _is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, str):  # of an iterator, str() gives its address
        return re.search(_ADDRESS, value) is None
    return value is None or isinstance(value, (int, float))


#: what computes each kind of expression
FOLDS: Final[dict[type[Expr], Folder]] = {Query: fold_query}
