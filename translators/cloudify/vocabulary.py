"""Names of Cloudify's DSL and of the types that a conversion defines in a blueprint."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.cloudify_rules import OBJECT_TYPES
from bpconvert.models.expressions import Expr, Value


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except re.error:
        return False


#: primitive type -> whether it takes a literal; a text takes anything (``utils.parse_simple_type_value``)
_TAKES: Final[dict[str, Callable[[Any], bool]]] = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "regex": _is_pattern,
    "list": lambda value: isinstance(value, (list, tuple)),
    "dict": lambda value: isinstance(value, dict),
    **{name: lambda value: True for name in ("string", "textarea", *OBJECT_TYPES)},
}


def takes(kind: str, value: Value) -> bool:
    """True when the primitive type ``kind`` accepts a literal (calls are never checked)."""
    return isinstance(value, Expr) or _TAKES[kind](value)


def is_primitive(kind: str | None) -> bool:
    """True for the name of a type that is no data type."""
    return kind in _TAKES


class StandIn:
    """How a node stands for a resource of another engine: its type, and the properties that show the resource's own
    type and properties. ``title``: the engine."""

    def __init__(self, title: str) -> None:
        self.type = f"bpconvert.nodes.{title}Resource"
        self.shown_type = f"{title.lower()}_type"
        self.shown_properties = f"{title.lower()}_properties"


#: the type of a node that stands for a resource of Heat, and of one whose only use is its order
STAND_IN_TYPE: Final = StandIn("Heat").type
BARRIER_TYPE: Final = "cloudify.nodes.Root"
#: what all node types are derived from
ROOT: Final = BARRIER_TYPE
#: the language of what stand-ins stand for
STAND_IN_LANGUAGE: Final = "hot"
#: relationships: mere order, and a node inside of another one
DEPENDS_ON: Final = "cloudify.relationships.depends_on"
CONTAINED_IN: Final = "cloudify.relationships.contained_in"
#: Cloudify's evaluation stops at 50 levels (cfy_grammar: plain nesting breaks at 49); the node's own keys count too
DEEPEST: Final = 44
#: names that the DSL keeps for itself: the nodes that they name depend on where they are used
RELATIVE: Final = ("SELF", "SOURCE", "TARGET")


def is_legal(name: str) -> bool:
    """True for a name that the DSL accepts and can refer to: ASCII, no namespace delimiter, not a reserved word."""
    return name.isascii() and "--" not in name and name not in RELATIVE


def legal(name: str) -> str:
    """``name`` itself, or the nearest legal name."""
    if is_legal(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or "renamed"
    while "--" in plain:
        plain = plain.replace("--", "-")
    return plain + "_" if plain in RELATIVE else plain
