"""The HOT function table and the reading of raw YAML values into expressions.

A map with exactly one key that is a function of the template's version is a call; a function of another version is
plain data (heat/engine/template.py, ``parse``). Reading never fails: a call of the wrong shape, or one that the
version rejects, becomes a :class:`Foreign` that keeps its argument, and a :class:`Problem` has the reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, Final

from bpconvert.models.expressions import MISSING, SCALARS, Condition, Expr, Foreign, If, Path, Select, Value
from bpconvert.models.hot_versions import LATEST, VERSIONS, Version, nearest_version, resolve_version
from bpconvert.models.light import NamedTuple, replace
from bpconvert.translators.evaluate.calls import CALLS, Calls
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.hot import arguments as read
from bpconvert.translators.hot.arguments import ArgumentReader, Call, Malformed
from bpconvert.translators.support.text import key_text

__all__ = [
    "FUNCTIONS", "NAMES", "VERSIONS", "Function", "Problem", "Reader", "Version", "functions_of", "nearest_version",
    "read_resolved", "resolve_version",
]  # fmt: skip


class Problem(NamedTuple):
    """A call that the engine refuses, or a part of one that it ignores.

    ``kind``: ``malformed`` (wrong shape), ``removed`` (rejected by this version), ``context`` (not allowed in a
    condition), ``late`` (wrong shape, which is refused when the call is computed), ``ignored`` (a part without
    effect)."""

    path: Path
    text: str
    kind: str = "malformed"


class Function(NamedTuple):
    """One form of a function. ``until`` is the first version without this form; a name that no later form takes
    over is rejected from then on. ``context`` is ``value`` or ``condition``."""

    name: str
    since: str
    form: str
    read: ArgumentReader
    meaning: str
    until: str | None = None
    context: str = "value"

    def exists_in(self, version: Version) -> bool:
        """True when ``version`` has this form."""
        return self.since <= version.date and (self.until is None or version.date < self.until)


_JUNO, _KILO, _LIBERTY, _MITAKA = "2014-10-16", "2015-04-30", "2015-10-15", "2016-04-08"
_BASE, _NEWTON, _OCATA, _PIKE, _WALLABY = "2013-05-23", "2016-10-14", "2017-02-24", "2017-09-01", "2021-04-16"

FUNCTIONS: tuple[Function, ...] = (
    # -- references
    Function("get_param", _BASE, "name | [name, step, ...]", read.get_param, "a parameter, or a part of it"),
    Function("get_resource", _BASE, "name", read.get_resource, "what identifies the resource"),
    Function("get_attr", _BASE, "[resource, attribute, step, ...]", read.get_attr, "a runtime attribute, or part of it",
             until=_LIBERTY),
    Function("get_attr", _LIBERTY, "[resource] | [resource, attribute, step, ...]", read.get_attr_or_all,
             "a runtime attribute, a part of it, or all attributes"),
    Function("get_file", _BASE, "name", read.get_file, "the text of a file"),
    Function("resource_facade", _BASE, "metadata | deletion_policy | update_policy", read.resource_facade,
             "a section of the parent resource"),
    # -- text
    Function("list_join", _BASE, "[delimiter, list]", read.list_join_one, "the texts of a list, joined",
             until=_LIBERTY),
    Function("list_join", _LIBERTY, "[delimiter, list, ...]", read.list_join,
             "the items of lists, joined; maps and lists as JSON"),
    Function("str_replace", _BASE, "{template, params}", read.str_replace_scalar, "text with placeholders exchanged",
             until=_LIBERTY),
    Function("str_replace", _LIBERTY, "{template, params}", read.str_replace,
             "text with placeholders exchanged; maps and lists as JSON"),
    Function("str_replace_strict", _OCATA, "{template, params}", read.str_replace_strict,
             "str_replace; every placeholder must occur"),
    Function("str_replace_vstrict", _PIKE, "{template, params}", read.str_replace_vstrict,
             "str_replace_strict; no value may be empty"),
    Function("str_split", _LIBERTY, "[delimiter, text] | [delimiter, text, index]", read.str_split,
             "the pieces of a text, or one of them"),
    Function("digest", _KILO, "[algorithm, text]", read.digest, "hex digest of a text"),
    Function("make_url", _PIKE, "{scheme, username, password, host, port, path, query, fragment}", read.make_url,
             "a URL from its parts"),
    # -- lists and maps
    Function("map_merge", _MITAKA, "[map, ...]", read.map_merge, "maps merged, later ones win"),
    Function("map_replace", _NEWTON, "[map, {keys, values}]", read.map_replace,
             "a map with keys renamed and values exchanged"),
    Function("list_concat", _PIKE, "[list, ...]", read.list_concat, "lists, one after the other"),
    Function("list_concat_unique", _PIKE, "[list, ...]", read.list_concat_unique,
             "lists, one after the other, each item once"),
    Function("filter", _OCATA, "[values, list]", read.filter_, "a list without the given values"),
    Function("repeat", _KILO, "{template, for_each}", read.repeat, "a copy of the template per item", until=_PIKE),
    Function("repeat", _PIKE, "{template, for_each, permutations}", read.repeat_permutations,
             "a copy of the template per item, or per combination"),
    Function("yaql", _NEWTON, "{expression, data}", read.yaql, "the result of a YAQL query"),
    Function("contains", _PIKE, "[value, sequence]", read.contains, "true when a list or text contains the value"),
    # -- choice (its arguments are read by Reader.choice)
    Function("if", _NEWTON, "[condition, then, else]", read.choice, "one of two values", until=_WALLABY),
    Function("if", _WALLABY, "[condition, then] | [condition, then, else]", read.choice,
             "one of two values, or a value that is left out"),
    # -- CloudFormation functions
    Function("Ref", _BASE, "name", read.ref, "get_resource or get_param", until=_JUNO),
    Function("Fn::Base64", _BASE, "text", read.base64, "the text itself", until=_JUNO),
    Function("Fn::GetAZs", _BASE, "region", read.foreign, "the availability zones", until=_JUNO),
    Function("Fn::Join", _BASE, "[delimiter, list]", read.list_join_one, "list_join", until=_JUNO),
    Function("Fn::MemberListToMap", _BASE, "[key, value, list]", read.foreign, "a map from numbered key=value texts",
             until=_JUNO),
    Function("Fn::Replace", _BASE, "[params, text]", read.fn_replace, "str_replace", until=_JUNO),
    Function("Fn::ResourceFacade", _BASE, "Metadata | DeletionPolicy | UpdatePolicy", read.fn_resource_facade,
             "resource_facade", until=_JUNO),
    Function("Fn::Select", _BASE, "[index, list | map | JSON text]", read.fn_select, "one item, '' when absent",
             until=_LIBERTY),
    Function("Fn::Split", _BASE, "[delimiter, text]", read.fn_split, "the pieces of a text", until=_JUNO),
    # -- conditions
    Function("get_param", _NEWTON, "name | [name, step, ...]", read.get_param,
             "a boolean parameter, or the name of a condition", context="condition"),
    Function("equals", _NEWTON, "[left, right]", read.equals, "true when both are equal, without conversion",
             context="condition"),
    Function("not", _NEWTON, "condition", read.not_, "true when the condition does not hold", context="condition"),
    Function("and", _NEWTON, "[condition, condition, ...]", read.and_, "true when all hold", context="condition"),
    Function("or", _NEWTON, "[condition, condition, ...]", read.or_, "true when one holds", context="condition"),
    Function("yaql", _PIKE, "{expression, data}", read.yaql, "the result of a YAQL query", context="condition"),
    Function("contains", _PIKE, "[value, sequence]", read.contains, "true when a list or text contains the value",
             context="condition"),
)  # fmt: skip


#: the functions of the latest version
NAMES: Final = frozenset(function.name for function in FUNCTIONS if function.until is None)


def _removed(call: Call, argument: Value) -> Value:
    raise Malformed(f"the function {call.name} is not supported in this version of HOT", "removed")


def _misplaced(call: Call, argument: Value) -> Value:
    raise Malformed(f'the function "{call.name}" is invalid in a condition', "context")


@cache
def functions_of(version: Version, context: str = "value") -> dict[str, ArgumentReader]:
    """The names that are calls in ``version``, with the reader of each (rejected ones included)."""
    table: dict[str, ArgumentReader] = {}
    for function in FUNCTIONS:
        if function.context != context:
            continue
        if function.exists_in(version):
            table[function.name] = function.read
        elif function.since <= version.date:
            table.setdefault(function.name, _removed)
    if context == "condition" and version.has(_NEWTON):
        for name, reader in functions_of(version).items():
            table.setdefault(name, _removed if reader is _removed else _misplaced)
    return table


#: Functions whose whole argument may be computed although their expression needs its parts: such calls stay
#: ``Foreign`` until the argument is known. They are the same in all versions that have them.
COMPUTED_ARGUMENT = frozenset({"str_split", "digest", "map_replace"})


class Reader:
    """Reads the values of one template.

    ``declared``: names of its parameters (they hide pseudo parameters of the same name); ``names``: names of its
    resources, needed for ``Ref``; ``strict``: the values are computed, not converted. What is wrong is appended to
    ``problems``, the places of keys that are no texts and that a function looks at to ``keys``.
    """

    def __init__(
        self,
        version: Version,
        declared: Collection[str] = (),
        names: Collection[str] | None = None,
        strict: bool = False,
    ) -> None:
        self.version = version
        self.problems: list[Problem] = []
        self.keys: list[Path] = []
        self.declared = declared
        self.names = names
        self.strict = strict
        self._values = functions_of(version)
        self._conditions = functions_of(version, "condition")

    def value(self, raw: Any, path: Path = ()) -> Value:
        """``raw`` (plain data that stands at ``path``) with every call as an expression; containers are copied."""
        return self._read(raw, path, self._values)

    def condition(self, raw: Any, path: Path = (), *, definition: bool = False) -> Value:
        """A condition: a bool, :class:`Condition` for a name, or a boolean expression.

        ``definition``: ``raw`` is an entry of the ``conditions`` section, where a name is not allowed.
        """
        value = self._read(raw, path, self._conditions)
        if not isinstance(value, (bool, Expr)) and (definition or not isinstance(value, (str, type(None)))):
            self.problems.append(Problem(path, "a condition must be true, false or a condition function"))
        return Condition(value, path=path) if isinstance(value, str) else value

    def _read(self, raw: Any, path: Path, table: dict[str, ArgumentReader]) -> Value:
        if isinstance(raw, dict):
            if len(raw) == 1:
                ((name, argument),) = raw.items()
                reader = table.get(name)
                if reader is not None:
                    return self._call(name, argument, path, reader, table)
            return {
                key: item if type(item) in SCALARS else self._read(item, (*path, key), table)
                for key, item in raw.items()
            }
        if isinstance(raw, (list, tuple, set)):
            return [
                item if type(item) in SCALARS else self._read(item, (*path, index), table)
                for index, item in enumerate(raw)
            ]
        return raw

    def _call(self, name: str, raw: Any, path: Path, reader: ArgumentReader, table: dict[str, ArgumentReader]) -> Value:
        call = Call(name, path, self.version, self.declared, self.names, self.strict)
        if reader is read.choice:
            return self._choice(call, raw)
        argument = self._read(raw, (*path, name), table)
        self.keys += _looked_at(name, argument, (*path, name))
        argument = _as_received(argument)
        try:
            value = reader(call, argument)
        except Malformed as wrong:
            self.problems.append(Problem(path, wrong.text, wrong.kind))
            return Foreign(DIALECT, name, argument, path=path)
        self.problems.extend(Problem(path, text, "ignored") for text in call.ignored)
        self.problems.extend(Problem(path, text, "late") for text in call.late)
        return value

    def _choice(self, call: Call, raw: Any) -> Value:
        """``if``: the first argument is a condition; the branches are values (a macro in the engine)."""
        inner = (*call.path, call.name)
        try:
            parts = read.choice(call, raw)
        except Malformed as wrong:
            self.problems.append(Problem(call.path, wrong.text, wrong.kind))
            return Foreign(DIALECT, call.name, self.value(raw, inner), path=call.path)
        branches = [self.value(part, (*inner, index)) for index, part in enumerate(parts[1:], 1)]
        return If(self.condition(parts[0], (*inner, 0)), *branches, path=call.path)


def _as_received(argument: Value) -> Value:
    """An argument with keys as a function gets them: a template reaches Heat as JSON, where ``1`` is ``"1"`` and
    ``yes`` is ``"true"``."""
    if isinstance(argument, dict):
        return {
            key if type(key) is str else key_text(key): item if type(item) in SCALARS else _as_received(item)
            for key, item in argument.items()
        }
    if isinstance(argument, list):
        return [item if type(item) in SCALARS else _as_received(item) for item in argument]
    if isinstance(argument, If):
        return replace(argument, then=_as_received(argument.then), otherwise=_as_received(argument.otherwise))
    return argument


#: functions that compare, look up or replace keys -> in which part of their arguments, and how deep in it; None: in all
_LOOKS_AT_KEYS: Final[dict[str, tuple[str, int] | None]] = {
    **dict.fromkeys(("str_replace", "str_replace_strict", "str_replace_vstrict"), ("params", 1)),
    "repeat": ("for_each", 2),
    **dict.fromkeys(("map_replace", "filter", "list_concat_unique", "yaql", "equals", "contains")),
}


def _looked_at(name: str, argument: Value, path: Path) -> Iterator[Path]:
    """The places of the keys that are no texts, and that function ``name`` looks at: to a template that is posted as
    YAML, and not as JSON, they are something else."""
    if name not in _LOOKS_AT_KEYS:
        return
    part, depth = _LOOKS_AT_KEYS[name] or ("", -1)
    if part:
        argument = argument.get(part) if isinstance(argument, dict) else None
        path = (*path, part)
    waiting = [(argument, path, depth)]
    for value, place, left in waiting:
        if isinstance(value, If):
            waiting += [(value.then, (*value.path, "if", 1), left), (value.otherwise, (*value.path, "if", 2), left)]
        elif isinstance(value, list):
            waiting += [(item, (*place, index), left - 1) for index, item in enumerate(value)]
        elif isinstance(value, dict) and left:
            yield from ((*place, key) for key in value if not isinstance(key, str))
            waiting += [(item, (*place, key), left - 1) for key, item in value.items()]


def read_resolved(name: str, argument: Value, path: Path = ()) -> Value:
    """The call ``name`` whose argument has been computed by now (a function's result is never parsed again).

    Raises :class:`Malformed` with the engine's reason when the argument has the wrong shape. Other names than
    ``COMPUTED_ARGUMENT`` stay :class:`Foreign`.
    """
    call = Call(name, path, LATEST, (), None)
    reader = functions_of(LATEST)[name] if name in COMPUTED_ARGUMENT else read.foreign
    return reader(call, argument)


def parameters_in(data: Any, functions: Collection[str] = ("get_param",)) -> set[Any]:
    """The names of the parameters that calls of ``functions`` in plain data refer to; MISSING among them: one is
    computed."""
    names: set[Any] = set()
    waiting = [data]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            for function in functions:
                if function in inner:
                    argument = inner[function]
                    name = argument[0] if isinstance(argument, list) and argument else argument
                    names.add(name if isinstance(name, str) else MISSING)
            inner = inner.values()
        waiting += [item for item in inner if isinstance(item, (dict, list))]
    return names


_MEMBER: Final = r"\.member\.([0-9]+)\.(.*)"


def member_list_to_map(argument: Any) -> dict[str, str]:
    """The map that ``[key name, value name, list]`` is; the texts of the list are ``.member.NUMBER.NAME=VALUE``
    (heat, ``cfn/functions.py`` and ``api/aws/utils.py``).

    Raises TypeError or ValueError where Heat refuses the argument."""
    key_name, value_name, items = argument
    if not (isinstance(key_name, str) and isinstance(value_name, str)):
        raise TypeError("Fn::MemberListToMap: the names of key and value must be texts")
    if not isinstance(items, (list, dict, str)):
        raise TypeError("Member list must be a list")
    if not all(isinstance(item, str) for item in items):
        raise TypeError("Member list items must be strings")
    members: dict[int, dict[str, str]] = {}
    for name, text in dict(item.split("=", 1) for item in items).items():
        match = re.match(_MEMBER, name)
        if match is not None:
            members.setdefault(int(match[1]), {})[match[2]] = text
    entries = (members[number] for number in sorted(members))
    return {entry[key_name]: entry[value_name] for entry in entries if entry.keys() >= {key_name, value_name}}


CALLS[DIALECT] = Calls(
    facts={"Fn::GetAZs": "availability_zones"},
    compute={"Fn::MemberListToMap": member_list_to_map},
    read=read_resolved,
    names={Select: "Fn::Select"},
)
