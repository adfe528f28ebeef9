"""The short queries of ``yaql``: numbers, texts and truth values that are put together.

This module is also a program, after :mod:`~.plain`: a result carries both where its engine computes such a query. So it
imports the standard library only, and runs with Python 3.6 and later. What it takes it computes as the yaql package
does; what it is not sure of it does not take."""

import re
from typing import Any

#: the call of one, as a key of data
KEY = "$Query"
#: the binary operators, by how tightly they bind
_LEVELS: Any = {"or": 1, "and": 2, ">": 4, "<": 4, ">=": 4, "<=": 4, "!=": 4, "=": 4, "+": 5, "-": 5, "*": 6, "/": 6,
                "mod": 6}  # fmt: skip
#: the level of what follows ``not``, and of what follows a sign
_NOT, _SIGN = 3, 7
_TOKENS = re.compile(
    r"\s*(?:(\d{1,15}(?:\.\d{1,15})?(?![\w.]))|('[^'\\]*'|\"[^\"\\]*\")|(\$)(?!\w)|([A-Za-z]\w*)"
    r"|(=>|!=|>=|<=|[-+*/<>=.,()\[\]]))",
    re.ASCII,
)
_WORDS: Any = {"true": True, "false": False, "null": None}
#: so long, and so deep, is a query at most
_LONGEST, _DEEPEST = 500, 20


class UnreadError(ValueError):
    """A query that is none of the short ones."""


class _Reader:
    """Reads a query. ``names``: those that the map of its data has, None where that is no map that is written out."""

    def __init__(self, text: str, names: Any) -> None:
        self.tokens = _tokens(text)
        self.names = names
        self.depth = 0

    def whole(self) -> Any:
        read = self.expression(0)
        self.expect("end")
        return read

    def peek(self) -> Any:
        return self.tokens[0]

    def take(self) -> Any:
        return self.tokens.pop(0)

    def expect(self, sign: str) -> None:
        if self.take() != ("sign", sign):
            raise UnreadError(sign)

    def expression(self, level: int) -> Any:
        """What binds at least as tightly as ``level``."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadError("too deep")
        left = self.operand(level)
        while True:
            kind, sign = self.peek()
            own = _LEVELS.get(sign, -1) if kind in ("sign", "name") else -1
            if own < max(level, 1):
                break
            self.take()
            left = (sign, left, self.expression(own + 1))
        self.depth -= 1
        return left

    def operand(self, level: int) -> Any:
        kind, sign = self.peek()
        if (kind, sign) == ("name", "not"):
            if level > _NOT:
                raise UnreadError(sign)
            self.take()
            return ("not", self.expression(_NOT + 1))
        if kind == "sign" and sign in ("+", "-"):
            if level > _SIGN:
                raise UnreadError(sign)
            self.take()
            return ("sign" + sign, self.expression(_SIGN))
        return self.steps(self.primary())

    def primary(self) -> Any:
        kind, word = self.take()
        if kind == "value":
            return ("value", word)
        if kind == "$":
            return self.data()
        if (kind, word) == ("sign", "("):
            inner = self.expression(0)
            self.expect(")")
            return inner
        if kind == "name" and word in _WORDS:
            return ("value", _WORDS[word])
        if kind == "name" and word in CALLS:
            return (word, self.arguments(CALLS[word][1], ()))
        raise UnreadError(word)

    def data(self) -> Any:
        """``$.data``, or an entry of it."""
        self.expect(".")
        if self.take() != ("name", "data"):
            raise UnreadError("$")
        is_entry = self.peek() == ("sign", ".") and self.tokens[1][0] == "name" and self.tokens[2] != ("sign", "(")
        if not is_entry:
            if self.names is not None:
                raise UnreadError("a map")
            return ("data", None)
        self.take()
        name = self.take()[1]
        if self.names is None or name not in self.names:
            raise UnreadError(name)
        return ("data", name)

    def steps(self, read: Any) -> Any:
        """``read`` with the methods after it, and at the end a place in its result."""
        while self.peek() == ("sign", "."):
            self.take()
            name = self.take()[1]
            if name not in METHODS:
                raise UnreadError(name)
            _, numbers, words = METHODS[name]
            read = ("." + name, [read, *self.arguments(numbers, words)])
        if self.peek() == ("sign", "["):
            self.take()
            kind, index = self.take()
            if kind != "value" or type(index) is not int:
                raise UnreadError("[")
            self.expect("]")
            read = ("[]", read, index)
            if self.peek() in (("sign", "."), ("sign", "[")):
                raise UnreadError("]")
        return read

    def arguments(self, numbers: Any, words: Any) -> Any:
        """The arguments in parentheses, as many as one of ``numbers``; ``words``: their names."""
        self.expect("(")
        items: Any = []
        while self.peek() != ("sign", ")"):
            if items:
                self.expect(",")
            if self.peek()[0] == "name" and self.tokens[1] == ("sign", "=>"):
                if len(items) >= len(words) or self.take()[1] != words[len(items)]:
                    raise UnreadError("=>")
                self.take()
            items.append(self.expression(0))
        self.take()
        if len(items) not in numbers:
            raise UnreadError("arguments")
        return items


def _tokens(text: str) -> Any:
    if len(text) > _LONGEST:
        raise UnreadError("too long")
    tokens: Any = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKENS.match(text, place)
        if match is None:
            raise UnreadError(text[place:])
        number, quoted, dollar, name, sign = match.groups()
        if number:
            tokens.append(("value", float(number) if "." in number else int(number)))
        elif quoted:
            tokens.append(("value", quoted[1:-1]))
        elif dollar:
            tokens.append(("$", dollar))
        else:
            tokens.append(("name", name) if name else ("sign", sign))
        place = match.end()
    return [*tokens, ("sign", "end"), ("sign", "end"), ("sign", "end")]


# -- computing ----------------------------------------------------------------------------------------------


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is no number")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _scalar(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        raise TypeError(f"{value!r} is a list or a map")
    return value


def _shown(value: Any) -> str:
    words = {True: "true", False: "false"}
    return "null" if value is None else words[value] if isinstance(value, bool) else str(_scalar(value))


def _divided(left: Any, right: Any) -> Any:
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


def _larger(left: Any, right: Any) -> bool:
    """``>``: null is smaller than everything else."""
    if left is None or right is None:
        return left is not None
    if isinstance(left, str) and isinstance(right, str):
        return left > right
    return bool(_number(left) > _number(right))


def _at_place(items: Any, place: int) -> Any:
    if not isinstance(items, list):
        raise TypeError(f"{items!r} is no list")
    return items[place]


#: function -> what it does, how many arguments it has
CALLS: Any = {
    "str": (_shown, (1,)),
    "int": (lambda value: 0 if value is None else int(_scalar(value)), (1,)),
    "float": (lambda value: 0.0 if value is None else float(_scalar(value)), (1,)),
    "concat": (lambda *texts: "".join(map(_text, texts)), range(1, 40)),
    "max": (lambda left, right: right if _larger(right, left) else left, (2,)),
    "min": (lambda left, right: left if _larger(right, left) else right, (2,)),
    "abs": (lambda value: abs(_number(value)), (1,)),
}
#: method -> what it does, how many arguments it has besides, and their names
METHODS: Any = {
    "split": (lambda text, mark, most=-1: _text(text).split(_text(mark), _whole(most)), (1, 2),
              ("separator", "maxSplits")),
    "rightSplit": (lambda text, mark, most=-1: _text(text).rsplit(_text(mark), _whole(most)), (1, 2),
                   ("separator", "maxSplits")),
    "toUpper": (lambda text: _text(text).upper(), (0,), ()),
    "toLower": (lambda text: _text(text).lower(), (0,), ()),
    "trim": (lambda text: _text(text).strip(), (0,), ()),
    "replace": (lambda text, old, new, count=-1: _text(text).replace(_text(old), _text(new), _whole(count)), (2, 3),
                ("old", "new", "count")),
    "indexOf": (lambda text, part: _text(text).find(_text(part)), (1,), ("sub",)),
    "startsWith": (lambda text, part: _text(text).startswith(_text(part)), (1,), ()),
    "endsWith": (lambda text, part: _text(text).endswith(_text(part)), (1,), ()),
}  # fmt: skip
_ARITHMETIC: Any = {
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divided,
    "mod": lambda left, right: left % right,
}


def _value(read: Any, data: Any) -> Any:
    sign = read[0]
    if sign == "value":
        return read[1]
    if sign == "data":
        return data if read[1] is None else data[read[1]]
    if sign == "[]":
        return _at_place(_value(read[1], data), read[2])
    if sign in CALLS:
        return CALLS[sign][0](*[_value(part, data) for part in read[1]])
    if sign.startswith("."):
        return METHODS[sign[1:]][0](*[_value(part, data) for part in read[1]])
    left = _value(read[1], data)
    if sign == "not":
        return not left
    if sign in ("sign+", "sign-"):
        return -_number(left) if sign == "sign-" else _number(left)
    if sign in ("and", "or"):
        return left if bool(left) is (sign == "or") else _value(read[2], data)
    return _two(sign, left, _value(read[2], data))


def _two(sign: str, left: Any, right: Any) -> Any:
    """A binary operator of two values."""
    if sign in ("=", "!="):
        return bool(left == right) is (sign == "=")
    if sign in (">", "<="):
        return _larger(left, right) is (sign == ">")
    if sign in ("<", ">="):
        return _larger(right, left) is (sign == "<")
    if sign == "+":
        if isinstance(left, str) and isinstance(right, str):
            return left + right
        return _number(left) + _number(right)
    if sign == "*" and isinstance(left, str) != isinstance(right, str):
        text, count = (left, right) if isinstance(left, str) else (right, left)
        return text * _whole(count)
    return _ARITHMETIC[sign](_number(left), _number(right))


def read_query(expression: Any, data: Any) -> Any:
    """A query of ``data``, read. Raises :class:`UnreadError`."""
    if not isinstance(expression, str):
        raise UnreadError("no text")
    return _Reader(expression, data if isinstance(data, dict) else None).whole()


def query(expression: Any, data: Any) -> Any:
    """``yaql``."""
    return _value(read_query(expression, data), data)
