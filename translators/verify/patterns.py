"""Texts that a regular expression matches, drawn at random."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

if sys.version_info >= (3, 11):
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_parse as parser

#: how often something is repeated at most that may be repeated without end
_MOST: Final = 6
#: and how often where the expression wants it more often than that
_LEAST: Final = 1000
_ANY: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_CLASSES: Final = {
    "CATEGORY_DIGIT": "0123456789",
    "CATEGORY_WORD": _ANY + "_",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_DIGIT": "abcXYZ",
    "CATEGORY_NOT_WORD": "-. ",
    "CATEGORY_NOT_SPACE": _ANY,
}


class _Drawing(NamedTuple):
    """What is drawn with. ``groups``: the texts of the expression's groups so far; ``most``: how often something is
    repeated more than it has to be, where it may be without end."""

    choose: random.Random
    groups: dict[int, str]
    most: int


def matching(pattern: str, choose: random.Random, at_least: int = 0) -> str:
    """A text for ``pattern``; lookaheads and the like are not heeded. An empty one where it is no regular
    expression. ``at_least``: so many characters are wanted, which it has where something is repeated often enough."""
    try:
        parsed: Any = parser.parse(pattern)
        return _text(parsed, _Drawing(choose, {}, max(_MOST, min(2 * at_least, _LEAST))))
    except (re.error, KeyError, OverflowError):
        return ""


def _text(parts: Iterable[tuple[Any, Any]], drawing: _Drawing) -> str:
    return "".join(_PARTS[str(kind)](argument, drawing) for kind, argument in parts if str(kind) in _PARTS)


def _set(argument: Any, drawing: _Drawing) -> str:
    taken = [character for row in argument for character in _characters(*row)]
    if str(argument[0][0]) == "NEGATE":
        taken = [character for character in _ANY if character not in taken]
    return drawing.choose.choice(taken) if taken else ""


def _characters(kind: Any, argument: Any) -> str:
    if str(kind) == "RANGE":
        return "".join(map(chr, range(argument[0], min(argument[1], 126) + 1)))
    if str(kind) == "CATEGORY":
        return _CLASSES.get(str(argument), "")
    return chr(argument) if str(kind) == "LITERAL" else ""


def _repeat(argument: Any, drawing: _Drawing) -> str:
    least, most, parts = argument
    least = min(int(least), _LEAST)
    count = drawing.choose.randint(least, max(least, min(int(most), least + drawing.most)))
    return "".join(_text(parts, drawing) for _ in range(count))


def _group(argument: Any, drawing: _Drawing) -> str:
    text = _text(argument[-1], drawing)
    if argument[0] is not None:
        drawing.groups[argument[0]] = text
    return text


_PARTS: Final[dict[str, Callable[[Any, _Drawing], str]]] = {
    "LITERAL": lambda argument, drawing: chr(argument),
    "NOT_LITERAL": lambda argument, drawing: "a" if argument != ord("a") else "b",
    "ANY": lambda argument, drawing: drawing.choose.choice(_ANY),
    "IN": _set,
    "MAX_REPEAT": _repeat,
    "MIN_REPEAT": _repeat,
    "POSSESSIVE_REPEAT": _repeat,
    "SUBPATTERN": _group,
    "BRANCH": lambda argument, drawing: _text(drawing.choose.choice(argument[1]), drawing),
    "GROUPREF": lambda argument, drawing: drawing.groups.get(argument, ""),
}
