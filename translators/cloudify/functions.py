"""The intrinsic functions of the Cloudify DSL: how each is recognised, read into expressions and written from them.

One table, :data:`FUNCTIONS`; recognition is the parser's own (``dsl_parser.utils.get_function``): a map is a call when
its only key is the name of a function, or when it has two keys of which the other is ``type`` (or a function too: then
the last one is called). There is no escape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from bpconvert.models.cloudify import FUNCTIONS_SINCE
from bpconvert.models.expressions import (
    MISSING,
    Attribute,
    AttributeDict,
    AttributeList,
    Capability,
    Concat,
    Consumers,
    Expr,
    Find,
    Foreign,
    Input,
    Label,
    Lower,
    Merge,
    Path,
    Property,
    Secret,
    Split,
    StringReplace,
    System,
    Upper,
    Value,
)
from bpconvert.models.validation import Problem

DIALECT: Final = "cloudify"
#: name of the :class:`Foreign` that stands for a call with a ``type`` beside it; its argument is [call, type]
TYPED: Final = "type"

#: evaluated when the deployment's plan is prepared (what is left then, at runtime)
HYBRID: Final = "hybrid"
#: evaluated only when the deployment runs
RUNTIME: Final = "runtime"


class Unsayable(Exception):
    """The DSL has no way to write ``value``: an expression without a function, or a literal map that looks like one."""

    def __init__(self, value: Value) -> None:
        super().__init__(f"the DSL cannot say {value!r}")
        self.value = value


class Function(NamedTuple):
    """One function. ``read`` takes the argument as written, the argument read, and the path; None: wrong arguments.

    ``shapes`` are the accepted arguments as users write them."""

    name: str
    when: str
    shapes: tuple[str, ...]
    meaning: str
    read: Callable[[Any, Any, Path], Expr | None]

    @property
    def since(self) -> str:
        """The first DSL version that has it."""
        return FUNCTIONS_SINCE.get(self.name, "1_0")


# -- argument shapes ----------------------------------------------------------------------------------------


def called(raw: Any) -> str | None:
    """The name of the function that the parser takes ``raw`` for a call of; None when it is data."""
    if not isinstance(raw, dict) or not 0 < len(raw) < 3:
        return None
    name = None
    for key in raw:
        if key == TYPED:
            continue
        if key not in FUNCTIONS:
            return None
        name = key
    return name


def collides(raw: Any) -> bool:
    """True for a literal map that the parser would take for a call."""
    return called(raw) is not None


def _step(raw: Any) -> bool:
    """An item of a path: a key, an index or a function."""
    return isinstance(raw, (str, int)) or collides(raw)


def _steps(raw: Any, least: int) -> bool:
    return isinstance(raw, list) and len(raw) >= least and all(map(_step, raw))


def _text(raw: Any) -> bool:
    return isinstance(raw, str) or collides(raw)


def _whole(raw: Any) -> bool:
    return raw is None or isinstance(raw, int) or collides(raw)


def _texts(raw: Any, *counts: int) -> bool:
    """A list of ``counts[0]`` texts, then (up to ``counts[-1]`` items in all) whole numbers."""
    return (
        isinstance(raw, list)
        and counts[0] <= len(raw) <= counts[-1]
        and all(map(_text, raw[: counts[0]]))
        and all(map(_whole, raw[counts[0] :]))
    )


# -- readers: (argument as written, argument read, path) -> expression ---------------------------------------


def _read_input(raw: Any, arg: Any, path: Path) -> Expr | None:
    if _text(raw):
        return Input(arg, strict=True, path=path)
    return Input(arg[0], tuple(arg[1:]), strict=True, path=path) if _steps(raw, 1) else None


def _read_property(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Property(arg[0], arg[1], tuple(arg[2:]), path=path) if _steps(raw, 2) else None


def _read_attribute(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Attribute(arg[0], arg[1], tuple(arg[2:]), path=path) if _steps(raw, 2) else None


def _read_attribute_list(raw: Any, arg: Any, path: Path) -> Expr | None:
    return AttributeList(arg[0], arg[1], tuple(arg[2:]), path=path) if _steps(raw, 2) else None


def _read_attribute_dict(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not isinstance(raw, list) or not raw:
        return None
    if not all(_steps(name, 1) if isinstance(name, list) else _step(name) for name in raw):
        return None
    return AttributeDict(arg[0], tuple(arg[1:]), path=path)


def _read_secret(raw: Any, arg: Any, path: Path) -> Expr | None:
    if _text(raw):
        return Secret(arg, path=path)
    return Secret(arg[0], tuple(arg[1:]), path=path) if isinstance(raw, list) and len(raw) > 1 else None


def _read_capability(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Capability(arg[1], arg[0], tuple(arg[2:]), path=path) if _steps(raw, 2) else None


def _read_group_capability(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not isinstance(raw, list) or len(raw) < 2 or not _steps([*raw[:1], *raw[2:]], 1):
        return None
    if not isinstance(raw[1], list) and not _step(raw[1]):
        return None
    return Capability(arg[1], arg[0], tuple(arg[2:]), scope="group", path=path)


def _read_environment_capability(raw: Any, arg: Any, path: Path) -> Expr | None:
    if isinstance(raw, str):
        return Capability(arg, scope="environment", path=path)
    return Capability(arg[0], keys=tuple(arg[1:]), scope="environment", path=path) if _steps(raw, 2) else None


def _read_label(raw: Any, arg: Any, path: Path) -> Expr | None:
    if _text(raw):
        return Label(arg, path=path)
    if not isinstance(raw, list) or len(raw) != 2 or not _text(raw[0]):
        return None
    index = raw[1]
    if not isinstance(index, int) and not (isinstance(index, str) and index.isdigit()):
        return None
    return Label(arg[0], index, path=path)


#: ``get_sys`` arguments and the neutral name of the fact
SYSTEM_FACTS: Final[dict[tuple[str, str], str]] = {
    ("tenant", "name"): "tenant.name",
    ("deployment", "id"): "deployment.id",
    ("deployment", "name"): "deployment.name",
    ("deployment", "blueprint"): "deployment.blueprint",
    ("deployment", "owner"): "deployment.owner",
}
_SYSTEM_ARGUMENTS: Final = {fact: list(pair) for pair, fact in SYSTEM_FACTS.items()}


def _read_system(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not _steps(raw, 2):
        return None
    if any(map(collides, raw[:2])) or len(raw) > 2:
        return Foreign(DIALECT, "get_sys", arg, path=path)
    fact = SYSTEM_FACTS.get((raw[0], raw[1]))
    return System(fact, path=path) if fact else None


def _read_consumers(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Consumers(raw, path=path) if isinstance(raw, str) and raw in ("ids", "names", "count") else None


def _read_concat(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Concat(tuple(arg), path=path) if isinstance(raw, list) else None


def _read_merge(raw: Any, arg: Any, path: Path) -> Expr | None:
    valid = isinstance(raw, list) and all(isinstance(item, dict) for item in raw)
    return Merge(arg, strict=True, path=path) if valid else None


def _read_find(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Find(arg[0], arg[1], path=path) if _texts(raw, 2) else None


def _read_replace(raw: Any, arg: Any, path: Path) -> Expr | None:
    return StringReplace(*arg, path=path) if _texts(raw, 3, 4) else None


def _read_split(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not _texts(raw, 2, 3):
        return None
    return Split(arg[1], arg[0], arg[2] if len(arg) == 3 else MISSING, strict=True, path=path)


def _read_lower(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Lower(arg, path=path) if _text(raw) else None


def _read_upper(raw: Any, arg: Any, path: Path) -> Expr | None:
    return Upper(arg, path=path) if _text(raw) else None


_PATH: Final = ("[node | SELF | SOURCE | TARGET, name, key...]",)

#: the DSL's functions by name
FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function
    for function in (
        Function(
            "get_input", HYBRID, ("name", "[name, key...]"), "An input of the deployment, or a part of it", _read_input
        ),
        Function("get_property", HYBRID, _PATH, "A property written in the blueprint", _read_property),
        Function(
            "get_attribute", RUNTIME, _PATH, "A runtime property, else the property of that name", _read_attribute
        ),
        Function(
            "get_attributes_list", RUNTIME, _PATH, "The attribute of each instance, as a list", _read_attribute_list
        ),
        Function(
            "get_attributes_dict",
            RUNTIME,
            ("[node, name | [name, key...], ...]",),
            "Attributes of each instance, by the instance's id",
            _read_attribute_dict,
        ),
        Function(
            "get_secret",
            RUNTIME,
            ("name", "[name, key, ...]"),
            "A value of the secret store, or a part of its JSON",
            _read_secret,
        ),
        Function(
            "get_capability",
            RUNTIME,
            ("[deployment, name, key...]",),
            "A capability of another deployment",
            _read_capability,
        ),
        Function(
            "get_group_capability",
            RUNTIME,
            ("[group, name | [name...], key...]",),
            "A capability of each deployment of a group",
            _read_group_capability,
        ),
        Function(
            "get_environment_capability",
            RUNTIME,
            ("name", "[name, key, ...]"),
            "A capability of the deployment that this one lives in",
            _read_environment_capability,
        ),
        Function(
            "get_label",
            RUNTIME,
            ("name", "[name, index]"),
            "The values of a label of the deployment, or one of them",
            _read_label,
        ),
        Function(
            "get_sys",
            RUNTIME,
            tuple(f"[{entity}, {fact}]" for entity, fact in SYSTEM_FACTS),
            "A fact about the deployment",
            _read_system,
        ),
        Function("get_consumers", RUNTIME, ("ids", "names", "count"), "Deployments that use this one", _read_consumers),
        Function("concat", HYBRID, ("[item...]",), "The items as text (as Python prints them), joined", _read_concat),
        Function("merge", HYBRID, ("[map...]",), "One map of all; of equal keys the last counts", _read_merge),
        Function("string_find", HYBRID, ("[text, part]",), "Where the part starts in the text, or -1", _read_find),
        Function(
            "string_replace", HYBRID, ("[text, old, new]", "[text, old, new, count]"), "Replaced text", _read_replace
        ),
        Function(
            "string_split",
            HYBRID,
            ("[text, separator]", "[text, separator, index]"),
            "The pieces of a text, or one of them",
            _read_split,
        ),
        Function("string_lower", HYBRID, ("text",), "The text in lower case", _read_lower),
        Function("string_upper", HYBRID, ("text",), "The text in upper case", _read_upper),
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
        return {key: read_value(item, (*path, key), problems) for key, item in raw.items()}
    if isinstance(raw, list):
        return [read_value(item, (*path, index), problems) for index, item in enumerate(raw)]
    return raw


def _read_call(name: str, raw: dict[str, Any], path: Path, problems: list[Problem]) -> Expr:
    argument = raw[name]
    read = read_value(argument, (*path, name), problems)
    function = FUNCTIONS[name]
    call = function.read(argument, read, path)
    if call is None:
        problems.append(Problem(path, f"'{name}' takes {' or '.join(function.shapes)}"))
        call = Foreign(DIALECT, name, read, path=path)
    if TYPED in raw:
        return Foreign(DIALECT, TYPED, [call, raw[TYPED]], path=path)
    for other in raw.keys() - {name}:
        text = f"two functions in one map: the parser calls only the last one, '{name}'"
        problems.append(Problem((*path, other), text, removed=True, value=raw[other]))
    return call


# -- writers: expression -> argument ------------------------------------------------------------------------


def _path_or_name(name: Value, keys: tuple[Value, ...]) -> Any:
    return [name, *keys] if keys else name


def _input(e: Input) -> Any:
    return _path_or_name(e.name, e.keys)


def _secret(e: Secret) -> Any:
    return _path_or_name(e.name, e.keys)


def _attribute(e: Attribute) -> Any:
    if e.name is MISSING:
        raise Unsayable(e)
    return [e.node, e.name, *e.keys]


def _named(e: Property | AttributeList) -> Any:
    return [e.node, e.name, *e.keys]


def _capability(e: Capability) -> Any:
    if e.scope == "environment":
        return _path_or_name(e.name, e.keys)
    if e.deployment is MISSING:
        raise Unsayable(e)
    return [e.deployment, e.name, *e.keys]


def _system(e: System) -> Any:
    if e.name not in _SYSTEM_ARGUMENTS:
        raise Unsayable(e)
    return _SYSTEM_ARGUMENTS[e.name]


def _merge(e: Merge) -> Any:
    if not isinstance(e.maps, (list, tuple)) or not all(isinstance(item, (dict, Expr)) for item in e.maps):
        raise Unsayable(e)
    return e.maps


def _label(e: Label) -> Any:
    return e.name if e.index is MISSING else [e.name, e.index]


def _replace(e: StringReplace) -> Any:
    return [e.text, e.old, e.new] if e.count is MISSING else [e.text, e.old, e.new, e.count]


def _split(e: Split) -> Any:
    return [e.text, e.delimiter] if e.index is MISSING else [e.text, e.delimiter, e.index]


_CAPABILITIES: Final = {
    "deployment": "get_capability",
    "group": "get_group_capability",
    "environment": "get_environment_capability",
}

#: expression -> function and how its argument is made (of values that are written afterwards)
WRITERS: Final[dict[type[Expr], tuple[str, Callable[[Any], Any]]]] = {
    Input: ("get_input", _input),
    Property: ("get_property", _named),
    Attribute: ("get_attribute", _attribute),
    AttributeList: ("get_attributes_list", _named),
    AttributeDict: ("get_attributes_dict", lambda e: [e.node, *e.names]),
    Secret: ("get_secret", _secret),
    Label: ("get_label", _label),
    System: ("get_sys", _system),
    Consumers: ("get_consumers", lambda e: e.what),
    Concat: ("concat", lambda e: e.items),
    Merge: ("merge", _merge),
    Find: ("string_find", lambda e: [e.text, e.part]),
    StringReplace: ("string_replace", _replace),
    Split: ("string_split", _split),
    Lower: ("string_lower", lambda e: e.text),
    Upper: ("string_upper", lambda e: e.text),
}


def write_value(value: Value) -> Any:
    """``value`` as plain data with calls as maps.

    Raises :class:`Unsayable` for an expression that the DSL has no function for and for a literal map that the parser
    would take for a call. What ``strict`` and its like promise is not checked: rewriting comes before writing."""
    if isinstance(value, Expr):
        return _write_call(value)
    if isinstance(value, dict):
        if collides(value):
            raise Unsayable(value)
        return {key: write_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [write_value(item) for item in value]
    return value


def _write_call(expr: Expr) -> dict[str, Any]:
    if isinstance(expr, Capability):
        return {_CAPABILITIES[expr.scope]: write_value(_capability(expr))}
    if isinstance(expr, Foreign):
        if expr.dialect != DIALECT:
            raise Unsayable(expr)
        if expr.name == TYPED:
            call, kind = expr.argument
            return {**write_value(call), TYPED: kind}
        return {expr.name: write_value(expr.argument)}
    writer = WRITERS.get(type(expr))
    if writer is None:
        raise Unsayable(expr)
    name, argument = writer
    return {name: write_value(argument(expr))}


def needs(written: Any) -> str:
    """The lowest DSL version (``1_0``, ...) that has all functions in plain data."""
    if isinstance(written, dict):
        name = called(written)
        own = FUNCTIONS[name].since if name else "1_0"
        return max([own, *map(needs, written.values())])
    if isinstance(written, (list, tuple)):
        return max(["1_0", *map(needs, written)])
    return "1_0"
