"""What an editor knows of a language: its functions, which names refer to which entries, its types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bpconvert.models.expressions import Value
from bpconvert.models.light import NamedTuple

#: any key of a path, and any item of a list
ANY: Final = "*"
ITEM: Final = "[]"


class Usage(NamedTuple):
    """A function: its argument as users write it, what it gives, and the section that has the entry which its argument
    (of a list the first item) names, "" for none."""

    form: str
    meaning: str
    section: str = ""


class Editing(NamedTuple):
    """One language.

    functions: name -> usage.
    references: path of a value, or of a list of values, with :data:`ANY` and :data:`ITEM` -> the section of the entry
        that it names.
    types: data of a document -> the names of types that its nodes can have.
    properties: (type, data of a document) -> name of a property -> its type and what else is known, in words.
    read: a call as plain data -> its expression.
    write: an expression -> a call as plain data; raises ValueError (or an error of the language) where it has none.
    prefix: what stands before the names of functions in some versions."""

    functions: Mapping[str, Usage]
    references: Mapping[tuple[str, ...], str]
    types: Callable[[Any], Iterable[str]]
    properties: Callable[[str, Any], Mapping[str, str]]
    read: Callable[[Any], Value]
    write: Callable[[Value], Any]
    prefix: str = ""


NOTHING: Final = Editing({}, {}, lambda data: (), lambda name, data: {}, lambda raw: raw, lambda value: value)


def described(schema: Any) -> str:
    """A property by its schema: ``string, required: what it is``."""
    if not isinstance(schema, dict):
        return ""
    words = [str(schema.get("type") or "any"), *(["required"] if schema.get("required") is True else [])]
    if "default" in schema and schema["default"] is not None:
        words.append(f"default {schema['default']!r}")
    text = schema.get("description")
    return ", ".join(words) + (f": {' '.join(str(text).split())}" if text else "")
