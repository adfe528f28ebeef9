"""The intrinsic functions of the Cloudify DSL: how each is recognised, read into expressions and written from them.

One table, :data:`FUNCTIONS`. Recognition and arguments are the parser's own, see
:mod:`bpconvert.translators.cloudify.calls`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.checks import Problem
from bpconvert.models.cloudify_rules import FUNCTIONS_SINCE
from bpconvert.models.expressions import MISSING, SCALARS, Expr, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.cloudify.calls import DIALECT, READERS, SYSTEM_FACTS, TYPED, called, collides
from bpconvert.translators.support.places import maps

#: evaluated when the deployment's plan is prepared (what is left then, at runtime)
HYBRID: Final = "hybrid"
#: evaluated only when the deployment runs
RUNTIME: Final = "runtime"


class Inexpressible(Exception):
    """The DSL has no way to write ``value``: an expression without a function, or a literal map that looks like one."""

    def __init__(self, value: Value) -> None:
        super().__init__(f"the DSL cannot express {value!r}")
        self.value = value


class Function(NamedTuple):
    """One function: when it is evaluated, the arguments it takes as users write them, and what it gives."""

    name: str
    when: str
    shapes: tuple[str, ...]
    meaning: str

    @property
    def since(self) -> str:
        """The first DSL version that has it."""
        return FUNCTIONS_SINCE.get(self.name, "1_0")


_PATH: Final = ("[node | SELF | SOURCE | TARGET, name, key...]",)

#: the DSL's functions by name
FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function
    for function in (
        Function("get_input", HYBRID, ("name", "[name, key...]"), "An input of the deployment, or a part of it"),
        Function("get_property", HYBRID, _PATH, "A property written in the blueprint"),
        Function("get_attribute", RUNTIME, _PATH, "A runtime property, else the property of that name"),
        Function("get_attributes_list", RUNTIME, _PATH, "The attribute of each instance, as a list"),
        Function(
            "get_attributes_dict",
            RUNTIME,
            ("[node, name | [name, key...], ...]",),
            "Attributes of each instance, by the instance's id",
        ),
        Function(
            "get_secret", RUNTIME, ("name", "[name, key, ...]"), "A value of the secret store, or a part of its JSON"
        ),
        Function("get_capability", RUNTIME, ("[deployment, name, key...]",), "A capability of another deployment"),
        Function(
            "get_group_capability",
            RUNTIME,
            ("[group, name | [name...], key...]",),
            "A capability of each deployment of a group",
        ),
        Function(
            "get_environment_capability",
            RUNTIME,
            ("name", "[name, key, ...]"),
            "A capability of the deployment that this one lives in",
        ),
        Function(
            "get_label", RUNTIME, ("name", "[name, index]"), "The values of a label of the deployment, or one of them"
        ),
        Function(
            "get_sys",
            RUNTIME,
            tuple(f"[{entity}, {fact}]" for entity, fact in SYSTEM_FACTS),
            "A fact about the deployment",
        ),
        Function("get_consumers", RUNTIME, ("ids", "names", "count"), "Deployments that use this one"),
        Function("concat", HYBRID, ("[item...]",), "The items as text (as Python prints them), joined"),
        Function("merge", HYBRID, ("[map...]",), "One map of all; of equal keys the last counts"),
        Function("string_find", HYBRID, ("[text, part]",), "Where the part starts in the text, or -1"),
        Function("string_replace", HYBRID, ("[text, old, new]", "[text, old, new, count]"), "Replaced text"),
        Function(
            "string_split",
            HYBRID,
            ("[text, separator]", "[text, separator, index]"),
            "The pieces of a text, or one of them",
        ),
        Function("string_lower", HYBRID, ("text",), "The text in lower case"),
        Function("string_upper", HYBRID, ("text",), "The text in upper case"),
    )
}


def read_value(raw: Any, path: Path, problems: list[Problem]) -> Value:
    """``raw`` (plain data at ``path`` of the document) with its calls as expressions; fresh containers throughout.

    A call with arguments that the parser refuses is added to ``problems`` and becomes a :class:`Foreign`. A call with
    ``type`` beside it becomes ``Foreign("cloudify", "type", [call, type])``."""
    if isinstance(raw, dict):
        name = called(raw)
        if name is not None:
            return _read_call(name, raw, path, problems)
        return {
            key: item if type(item) in ex.SCALARS else read_value(item, (*path, key), problems)
            for key, item in raw.items()
        }
    if isinstance(raw, list):
        return [
            item if type(item) in ex.SCALARS else read_value(item, (*path, index), problems)
            for index, item in enumerate(raw)
        ]
    return raw


def _read_call(name: str, raw: dict[str, Any], path: Path, problems: list[Problem]) -> Expr:
    argument = raw[name]
    read = read_value(argument, (*path, name), problems)
    call = READERS[name](argument, read, path)
    if call is None:
        problems.append(Problem(path, f"'{name}' takes {' or '.join(FUNCTIONS[name].shapes)}"))
        call = ex.Foreign(DIALECT, name, read, path=path)
    if TYPED in raw:
        return ex.Foreign(DIALECT, TYPED, [call, raw[TYPED]], path=path)
    for other in raw.keys() - {name}:
        text = f"two functions in one map: the parser calls only the last one, '{name}'"
        problems.append(Problem((*path, other), text, removed=True, value=raw[other]))
    return call


# -- writers: expression -> argument ------------------------------------------------------------------------


def _path_or_name(name: Value, keys: tuple[Value, ...]) -> Any:
    return [name, *keys] if keys else name


def _entered(e: ex.Input | ex.Secret) -> Any:
    return _path_or_name(e.name, e.keys)


def _attribute(e: ex.Attribute) -> Any:
    if e.name is MISSING:
        raise Inexpressible(e)
    return [e.node, e.name, *e.keys]


def _node_and_path(e: ex.Property | ex.AttributeList) -> Any:
    return [e.node, e.name, *e.keys]


def _capability(e: ex.Capability) -> Any:
    if e.scope == "environment":
        return _path_or_name(e.name, e.keys)
    if e.deployment is MISSING:
        raise Inexpressible(e)
    return [e.deployment, e.name, *e.keys]


def _system(e: ex.System) -> Any:
    if e.name not in _SYSTEM_ARGUMENTS:
        raise Inexpressible(e)
    return _SYSTEM_ARGUMENTS[e.name]


def _merge(e: ex.Merge) -> Any:
    if not isinstance(e.maps, (list, tuple)) or not all(isinstance(item, (dict, Expr)) for item in e.maps):
        raise Inexpressible(e)
    return e.maps


def _path_of(argument: Value) -> list[Value]:
    return [] if argument is MISSING else [argument]


_SYSTEM_ARGUMENTS: Final = {fact: list(pair) for pair, fact in SYSTEM_FACTS.items()}
_CAPABILITIES: Final = {
    "deployment": "get_capability",
    "group": "get_group_capability",
    "environment": "get_environment_capability",
}

#: expression -> function and how its argument is made (of values that are written afterwards)
WRITERS: Final[dict[type[Expr], tuple[str, Callable[[Any], Any]]]] = {
    ex.Input: ("get_input", _entered),
    ex.Property: ("get_property", _node_and_path),
    ex.Attribute: ("get_attribute", _attribute),
    ex.AttributeList: ("get_attributes_list", _node_and_path),
    ex.AttributeDict: ("get_attributes_dict", lambda e: [e.node, *e.names]),
    ex.Secret: ("get_secret", _entered),
    ex.Label: ("get_label", lambda e: e.name if e.index is MISSING else [e.name, e.index]),
    ex.System: ("get_sys", _system),
    ex.Consumers: ("get_consumers", lambda e: e.what),
    ex.Concat: ("concat", lambda e: e.items),
    ex.Merge: ("merge", _merge),
    ex.Find: ("string_find", lambda e: [e.text, e.part]),
    ex.StringReplace: ("string_replace", lambda e: [e.text, e.old, e.new, *_path_of(e.count)]),
    ex.Split: ("string_split", lambda e: [e.text, e.delimiter, *_path_of(e.index)]),
    ex.Lower: ("string_lower", lambda e: e.text),
    ex.Upper: ("string_upper", lambda e: e.text),
}


def write_value(value: Value) -> Any:
    """``value`` as plain data with calls as maps.

    Raises :class:`Inexpressible` for an expression that the DSL has no function for and for a literal map that the
    parser would take for a call. What ``strict`` and its like promise is not checked: rewriting comes before
    writing."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, Expr):
        return _write_call(value)
    if isinstance(value, dict):
        if collides(value):
            raise Inexpressible(value)
        return {key: write_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [write_value(item) for item in value]
    return value


def is_plain(value: Value) -> bool:
    """True for data that a blueprint takes as it is: ASCII, and nothing in it that is or looks like a call."""
    if isinstance(value, dict):
        return not collides(value) and all(is_plain(key) and is_plain(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return value.isascii() if isinstance(value, str) else not isinstance(value, Expr)


def _write_call(expr: Expr) -> dict[str, Any]:
    if isinstance(expr, ex.Capability):
        return {_CAPABILITIES[expr.scope]: write_value(_capability(expr))}
    if isinstance(expr, ex.Foreign):
        if expr.dialect != DIALECT:
            raise Inexpressible(expr)
        if expr.name == TYPED:
            call, kind = expr.argument
            return {**write_value(call), TYPED: kind}
        return {expr.name: write_value(expr.argument)}
    writer = WRITERS.get(type(expr))
    if writer is None:
        raise Inexpressible(expr)
    name, argument = writer
    return {name: write_value(argument(expr))}


def needs(written: Any) -> str:
    """The lowest DSL version (``1_0``, ...) that has all functions in plain data."""
    names = (called(call) for call, _ in maps(written, ()))
    return max((FUNCTIONS[name].since for name in names if name is not None), default="1_0")
