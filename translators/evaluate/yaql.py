"""HOT's ``yaql``, computed by the yaql package (the extra ``yaql``) as Heat computes it: with the limits that its
configuration has by default, and a map with the one key ``data`` as ``$`` (heat/engine/hot/functions.py, ``Yaql``).
The package is imported when the first query is computed, never before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final

from bpconvert.limits import left, spend
from bpconvert.models.expressions import Expr, Query, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.evaluate.scope import Refused, Scope, fold_field, is_known, rebuilt, refusing
from bpconvert.translators.support.places import texts

#: Heat's ``[yaql]`` options ``limit_iterators`` and ``memory_quota``
_LIMITS: Final = {"yaql.limitIterators": 200, "yaql.memoryQuota": 10000}
#: functions that give another value each time or on each machine, ``call``, whose function is not known before, and
#: those whose result may be a number without an end
_UNSTEADY: Final = frozenset({"random", "now", "localtz", "call", "pow", "shiftBitsLeft"})
#: functions that go on without an end (the limits only count what is asked for one by one), and those that end it
_ENDLESS: Final = frozenset({"cycle", "sequence", "generate", "generateMany"})
_ENDING: Final = frozenset({"limit", "take", "takeWhile", "first"})
#: functions whose result has its items in another order in each process
_UNORDERED: Final = frozenset({"set", "toSet"})
#: those that are methods of maps, too, which keep the order, and the operators that call a method
_OF_MAPS: Final = frozenset({"set"})
_METHODS: Final = frozenset({"#operator_.", "#operator_?."})
#: operators with a regular expression on their right
_MATCHING: Final = frozenset({"#operator_=~", "#operator_!~"})
_ADDRESS: Final = " at 0x[0-9a-f]+"


@cache
def _yaql() -> tuple[Any, Any] | None:
    """The package's parser and root context; None without the package."""
    try:
        yaql: Any = import_module("yaql")
    except ImportError:
        return None
    return yaql.YaqlFactory().create(_LIMITS), yaql.create_context()


def fold_query(expr: Query, scope: Scope) -> Value:
    """The query's result if everything is known, the package is there, and the result is the same plain data each
    time. What needs more steps than are done for one document, or is nested too deeply, stays a query."""
    expression, data = fold_field(expr.expression, scope), fold_field(expr.data, scope)
    folded = rebuilt(expr, expression=expression, data=data)
    if isinstance(expression, Expr):
        return folded
    if not isinstance(expression, str):
        raise Refused('The "expression" argument to yaql must contain a string.', expr.path)
    if not is_known(data) or _yaql() is None:
        return folded
    answer = _answer(expression, data)
    if answer is not None and answer.refusal:
        raise Refused(answer.refusal, expr.path)
    return folded if answer is None else answer.result


class _Answer(NamedTuple):
    """What a query yields of plain data, or why it is refused. ``steps``: how much of the limit that took."""

    result: Value
    refusal: str = ""
    steps: int = 0


#: (query, data as a text) -> what it yields, the latest last: programs ask for the same value over and over
_ANSWERS: Final[dict[tuple[str, str], _Answer]] = {}
#: so many are remembered, of data of so many characters
_MOST_ANSWERS, _LONGEST_DATA = 256, 20_000


def _answer(expression: str, data: Value) -> _Answer | None:
    """What a query yields of ``data``; None where that is not plain data, the same each time, within the limits."""
    key, before = (expression, repr(data)), left("steps")
    answer = _ANSWERS.get(key)
    if answer is None or answer.steps > before:
        computed = _computed(expression, data)
        if computed is None:
            return None
        answer = computed._replace(steps=before - left("steps"))
        if answer.steps > 0 and len(key[1]) <= _LONGEST_DATA:
            while len(_ANSWERS) >= _MOST_ANSWERS:
                _ANSWERS.pop(next(iter(_ANSWERS)), None)
            _ANSWERS[key] = answer
    else:
        spend("steps", answer.steps)
    return answer._replace(result=_fresh(answer.result))


def _fresh(value: Any) -> Any:
    """Plain data with maps and lists of its own."""
    if isinstance(value, dict):
        return {key: _fresh(item) for key, item in value.items()}
    return [_fresh(item) for item in value] if isinstance(value, list) else value


def _computed(expression: str, data: Value) -> _Answer | None:
    """As :func:`_answer`, computed anew."""
    from bpconvert.translators.evaluate.query_steps import Meter, TooManyError  # few documents need it

    engine = _yaql()
    assert engine is not None, "it is there"
    try:
        names, patterns = _calls(expression)
        if names & _UNSTEADY or (names & _ENDLESS and not names & _ENDING) or None in patterns:
            return None
        longest = max((len(text) for text in [expression, *texts(data)]), default=0)
        meter = Meter({pattern for pattern in patterns if pattern is not None}, longest)
        result = _parsed(expression).evaluate({"data": data}, meter.context(engine[1]))
    except Refused as wrong:
        return _Answer(None, wrong.message)
    except (TooManyError, RecursionError):
        return None
    except Exception as wrong:  # and so can what it does with the data
        why = re.sub(_ADDRESS, "", str(wrong)) or type(wrong).__name__
        return _Answer(None, f"The yaql expression fails: {why}")
    steady = not names & _UNORDERED or isinstance(result, (bool, int, float)) or result is None
    return _Answer(result) if steady and _is_plain(result) else None


#: the tokens of common forms: variables, numbers, names before a parenthesis, names, texts, operators and brackets
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<value>\$\w*|\b\d{1,15}(?:\.\d{1,15})?\b|'(?:[^'\\]|\\[^xuUN0-7\n])*'|"(?:[^"\\]|\\[^xuUN0-7\n])*")"""
    r"""|(?P<call>[A-Za-z][A-Za-z0-9_]*\()|(?P<name>[A-Za-z][A-Za-z0-9_]*)"""
    r"""|(?P<sign>\?\.|->|=>|=~|!~|!=|<=|>=|[-+*/<>=.,()[\]{}]))""",
    re.ASCII,
)  # fmt: skip
_BINARY: Final = frozenset(
    {"+", "-", "*", "/", ">", "<", ">=", "<=", "!=", "=", "=~", "!~", "->", "and", "or", "in", "mod"}
)
_UNARY: Final = frozenset({"+", "-", "not"})
_PLAIN: Final = frozenset({"true", "false", "null"})
#: words of yaql, and of its kin and later versions
_WORDS: Final = _PLAIN | {"and", "or", "not", "in", "is", "mod", "div", "as"}
#: closing bracket of what ends in an opening one
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
#: a longer query is none of the common ones; so many brackets are inside of each other at most
_LONGEST_QUERY, _DEEPEST_QUERY = 4000, 40


def is_common(expression: str) -> bool:
    """True for a query that is known to parse without the package, whose grammar takes long to build: values, names,
    calls, lists and maps, with operators between them. What it is not sure of is none."""
    tokens, position, end = list[tuple[str, str]](), 0, len(expression.rstrip())
    while position < end <= _LONGEST_QUERY:
        match = _TOKEN.match(expression, position)
        if match is None or match.lastgroup is None:
            return False
        tokens.append((match.lastgroup, match[match.lastgroup]))
        position = match.end()
    return bool(tokens) and _Form(tokens).is_whole()


class _NoForm(Exception):
    """No common form, or no query at all."""


class _Form:
    """One query, from its tokens: kind and text."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = [*tokens, ("end", "")]
        self.at = 0
        self.depth = 0

    def is_whole(self) -> bool:
        """Whether the tokens are an expression."""
        try:
            self.expression()
        except _NoForm:
            return False
        return self.tokens[self.at][0] == "end"

    def take(self, *texts: str) -> str:
        """The next token, if it is one of these; "" otherwise."""
        kind, text = self.tokens[self.at]
        if kind == "value" or text not in texts:
            return ""
        self.at += 1
        return text

    def expression(self) -> None:
        """Operands with operators between them: which of them goes first does not count here."""
        self.operand()
        while self.take(*_BINARY):
            self.operand()

    def operand(self) -> None:
        while self.take(*_UNARY):
            pass
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "call" or text in ("(", "[", "{"):
            self.inside(text[-1], is_call=kind == "call")
        elif kind != "value" and not self._is_word(kind, text):
            raise _NoForm
        while True:
            if self.take(".", "?."):
                kind, text = self.tokens[self.at]
                self.at += 1
                if kind == "call":
                    self.inside("(", is_call=True)
                elif kind != "name" or text in _WORDS:
                    raise _NoForm
            elif self.take("["):
                self.inside("[")
            else:
                return

    def _is_word(self, kind: str, text: str) -> bool:
        """True for a constant, and for a text without quotes, which arguments may be."""
        return kind == "name" and (text in _PLAIN or (self.depth > 0 and text not in _WORDS))

    def inside(self, bracket: str, is_call: bool = False) -> None:
        """What is in brackets, up to their end: one value in parentheses; or arguments, those with names last."""
        self.depth += 1
        if self.depth > _DEEPEST_QUERY:
            raise _NoForm
        if bracket == "(" and not is_call:
            self.expression()
        elif self.tokens[self.at] != ("sign", _CLOSING[bracket]):
            has_key = False
            while True:
                self.expression()
                if self.take("=>"):
                    self.expression()
                    has_key = True
                elif has_key:
                    raise _NoForm
                if not self.take(","):
                    break
        if not self.take(_CLOSING[bracket]):
            raise _NoForm
        self.depth -= 1


def check_query(expr: Query) -> None:
    """Refuse a literal query that does not parse, as Heat does when it validates the template."""
    if not isinstance(expr.expression, str) or is_common(expr.expression):
        return
    if _yaql() is not None:
        with refusing(expr.path):
            _parsed(expr.expression)


@lru_cache(maxsize=256)
def _parsed(expression: str) -> Any:
    engine = _yaql()
    assert engine is not None, "it is there"
    try:
        return engine[0](expression)
    except Exception as wrong:  # a text can be wrong in any way
        raise Refused(f"Bad expression {wrong}.") from wrong


@lru_cache(maxsize=256)
def _calls(expression: str) -> tuple[frozenset[str], frozenset[str | None]]:
    """The functions that a query calls, and its regular expressions; None for one that the query computes."""
    tree = _parsed(expression).expression
    return frozenset(_names(tree)), frozenset(_patterns(tree))


def _names(node: Any, operator: str = "") -> Iterator[str]:
    """The functions that a parsed query calls. ``operator``: the one that a node stands on the right of: ``set`` is a
    function that makes a set, and a method of maps."""
    name = getattr(node, "name", None)
    if isinstance(name, str) and not (name in _OF_MAPS and operator in _METHODS):
        yield name
    parts = _parts(node)
    for part in parts:
        yield from _names(part, str(name) if part is parts[-1] else "")


def _parts(node: Any) -> list[Any]:
    """The parts of a part of a parsed query."""
    inner = (getattr(node, key, None) for key in ("expr", "source", "destination"))
    return [part for part in (*getattr(node, "args", ()), *inner) if part is not None]


def _patterns(node: Any) -> Iterator[str | None]:
    """The regular expressions of a parsed query, which the package matches in as many ways as there are; None for one
    that the query computes."""
    name, args = getattr(node, "name", None), [*getattr(node, "args", ())]
    if name == "regex" or (name in _MATCHING and getattr(args[-1], "name", None) != "regex"):
        yield _constant(args[0] if name == "regex" else args[-1])
    is_method = name == "#operator_." and getattr(args[-1], "name", None) == "matches"
    if is_method and getattr(args[0], "name", None) != "regex":  # of a text: the argument is the pattern
        yield _constant(*args[-1].args[:1])
    for part in _parts(node):
        yield from _patterns(part)


def _constant(node: Any = None) -> str | None:
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else None


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(key) and _is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, str):  # of an iterator, str() gives its address
        return re.search(_ADDRESS, value) is None
    return value is None or isinstance(value, (int, float))
