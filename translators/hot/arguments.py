"""How the argument of each HOT function becomes an expression: one small reader per function.

A reader gets the call and its argument, whose inner calls have been read already. It checks the shape as the engine's
constructor (heat/engine/hot/functions.py, cfn/functions.py) does, and also what can only fail later, and raises
:class:`Malformed` otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.hot_versions import Version
from bpconvert.models.light import dataclass, field
from bpconvert.translators.hot import DIALECT

#: Pseudo parameters and what they mean.
PSEUDO_PARAMETERS = {
    "OS::stack_name": "deployment.name",
    "OS::stack_id": "deployment.id",
    "OS::project_id": "project.id",
    "OS::region": "region",
}
#: The parts that ``make_url`` knows.
URL_PARTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
_FACADE = {"Metadata": "metadata", "DeletionPolicy": "deletion_policy", "UpdatePolicy": "update_policy"}


class Malformed(ValueError):
    """A call of the wrong shape. ``text`` is the engine's reason in short, ``kind`` as in ``functions.Problem``."""

    def __init__(self, text: str, kind: str = "malformed") -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind


@dataclass(eq=False, repr=False)
class Call:
    """What a reader knows about the call beside its argument. Parts without effect are listed in ``ignored``, what the
    engine refuses only when it computes the call in ``late``. ``strict``: what is read is computed, not converted."""

    name: str
    path: Path
    version: Version
    declared: Collection[str]
    names: Collection[str] | None
    strict: bool = False
    ignored: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def ignore_other_keys(self, argument: dict[Any, Any], *names: str) -> None:
        """Note the keys of ``argument`` that the engine does not look at."""
        self.ignored.extend(f'"{self.name}" ignores the key "{key}"' for key in argument if key not in names)


#: Turns the read argument of a call into a value.
ArgumentReader: TypeAlias = Callable[[Call, Value], Value]


def foreign(call: Call, argument: Value) -> Value:
    """A function that has no neutral meaning."""
    return ex.Foreign(DIALECT, call.name, argument, path=call.path)


def _pair(call: Call, argument: Value, form: str) -> tuple[Value, Value]:
    if not isinstance(argument, list) or len(argument) != 2:
        raise Malformed(f'the argument of "{call.name}" must be {form}')
    return argument[0], argument[1]


def _map(call: Call, argument: Value) -> dict[Any, Any]:
    if not isinstance(argument, dict):
        raise Malformed(f'the argument of "{call.name}" must be a map')
    return argument


def _of_pair(kind: Callable[..., Value], form: str) -> ArgumentReader:
    """Reads two arguments, ``form`` in words."""
    return lambda call, argument: kind(*_pair(call, argument, form), path=call.path)


def _of_text(kind: Callable[..., Value], what: str) -> ArgumentReader:
    """Reads a text, ``what`` in words."""

    def read(call: Call, argument: Value) -> Value:
        if not isinstance(argument, (str, Expr)):
            raise Malformed(f'the argument of "{call.name}" must be {what}', "late")
        return kind(argument, path=call.path)

    return read


# -- references ---------------------------------------------------------------------------------------------


def get_param(call: Call, argument: Value) -> Value:
    """``name`` or ``[name, step...]``; pseudo parameters that nobody declared are facts about the deployment."""
    if isinstance(argument, Expr):
        return ex.Input(argument, path=call.path)
    parts = argument if isinstance(argument, list) else [argument]
    if not parts or not isinstance(parts[0], (str, Expr)) or parts[0] == "":
        raise Malformed('the argument of "get_param" must be a name or a list that starts with a name', "late")
    name = parts[0]
    if isinstance(name, str) and name in PSEUDO_PARAMETERS and name not in call.declared:
        if len(parts) > 1:
            return foreign(call, argument)
        return ex.System(PSEUDO_PARAMETERS[name], path=call.path)
    return ex.Input(name, tuple(parts[1:]), path=call.path)


get_resource = _of_text(ex.Identity, "the name of a resource")
get_file = _of_text(ex.File, "a text")


def get_attr(call: Call, argument: Value) -> Value:
    """``[resource, attribute, step...]``, before 2015-10-15."""
    if not isinstance(argument, list) or len(argument) < 2:
        raise Malformed('the argument of "get_attr" must be [resource, attribute, step, ...]')
    return ex.Attribute(argument[0], argument[1], tuple(argument[2:]), path=call.path)


def get_attr_or_all(call: Call, argument: Value) -> Value:
    """``[resource, attribute, step...]``, or ``[resource]`` for all attributes (a null attribute means the same)."""
    if isinstance(argument, str) and len(argument) == 1:
        argument = [argument]
    if not isinstance(argument, list) or not argument:
        raise Malformed('the argument of "get_attr" must be [resource] or [resource, attribute, step, ...]')
    if len(argument) > 1 and argument[1] is not None:
        return get_attr(call, argument)
    if len(argument) > 2:
        call.ignored.append('"get_attr" without an attribute ignores the steps')
    return ex.Attribute(argument[0], path=call.path)


def _facade(sections: Mapping[str, str]) -> ArgumentReader:
    """Reads the name of a section of the parent resource."""

    def read(call: Call, argument: Value) -> Value:
        if isinstance(argument, str) and argument in sections:
            return ex.Facade(sections[argument], path=call.path)
        raise Malformed(f'the argument of "{call.name}" must be one of {", ".join(sections)}')

    return read


resource_facade = _facade({name: name for name in _FACADE.values()})
#: the same sections by their CloudFormation names
fn_resource_facade = _facade(_FACADE)


def ref(call: Call, argument: Value) -> Value:
    """A resource when one has the name, else a parameter."""
    if not isinstance(argument, str):
        raise Malformed('the argument of "Ref" must be a name')
    if call.names is None:
        return foreign(call, argument)
    return ex.Identity(argument, path=call.path) if argument in call.names else get_param(call, argument)


# -- text ---------------------------------------------------------------------------------------------------


def list_join(call: Call, argument: Value) -> Value:
    """``[delimiter, list...]``."""
    if not isinstance(argument, list) or len(argument) < 2:
        raise Malformed(f'the argument of "{call.name}" must be [delimiter, list, ...]')
    return ex.Join(argument[0], tuple(argument[1:]), path=call.path)


def list_join_one(call: Call, argument: Value) -> Value:
    """``[delimiter, list]``; the items must be texts. ``list_join`` before 2015-10-15, and ``Fn::Join``."""
    delimiter, items = _pair(call, argument, "[delimiter, list]")
    return ex.Join(delimiter, (items,), json_items=False, path=call.path)


def _checked_replace(call: Call, template: Value, params: Value, strictness: int, json_values: bool) -> Value:
    if not isinstance(params, (dict, Expr)):
        raise Malformed(f'the parameters of "{call.name}" must be a map')
    if not isinstance(template, (str, Expr)):
        raise Malformed(f'the template of "{call.name}" must be a text')
    return ex.Replace(template, params, strictness, json_values, path=call.path)


def _replace(strictness: int, json_values: bool = True) -> ArgumentReader:
    """Reads ``{template, params}``."""

    def read(call: Call, argument: Value) -> Value:
        parts = _map(call, argument)
        if "template" not in parts or "params" not in parts:
            raise Malformed(f'the argument of "{call.name}" must have "template" and "params"')
        call.ignore_other_keys(parts, "template", "params")
        return _checked_replace(call, parts["template"], parts["params"], strictness, json_values)

    return read


str_replace, str_replace_strict, str_replace_vstrict = map(_replace, range(3))
#: before 2015-10-15: no maps or lists as values
str_replace_scalar = _replace(0, json_values=False)


def fn_replace(call: Call, argument: Value) -> Value:
    """``[params, text]``."""
    params, template = _pair(call, argument, "[params, text]")
    return _checked_replace(call, template, params, 0, json_values=False)


def str_split(call: Call, argument: Value) -> Value:
    """``[delimiter, text(, index)]``; further items have no effect."""
    if isinstance(argument, Expr):
        return foreign(call, argument)
    if not isinstance(argument, list) or len(argument) < 2:
        raise Malformed('the argument of "str_split" must be [delimiter, text] or [delimiter, text, index]')
    if len(argument) > 3:
        call.ignored.append('"str_split" ignores everything after the index')
    return ex.Split(*argument[:3], path=call.path)


def fn_split(call: Call, argument: Value) -> Value:
    """``[delimiter, text]``; both must be texts, the delimiter a literal one."""
    delimiter, text = _pair(call, argument, "[delimiter, text]")
    if not isinstance(delimiter, str):
        raise Malformed('the delimiter of "Fn::Split" must be a text', "late")
    return ex.Split(delimiter, text, strict=True, path=call.path)


def base64(call: Call, argument: Value) -> Value:
    """The text itself: the engine encodes nothing. (It refuses what is no text, which passes when it is converted.)"""
    if not isinstance(argument, (str, Expr)):
        raise Malformed('the argument of "Fn::Base64" must be a text', "late")
    return ex.Replace(argument, {}, path=call.path) if call.strict else argument


def digest(call: Call, argument: Value) -> Value:
    """``[algorithm, text]``."""
    if isinstance(argument, Expr):
        return foreign(call, argument)
    algorithm, text = _pair(call, argument, "[algorithm, text]")
    return ex.Digest(algorithm, text, path=call.path)


def make_url(call: Call, argument: Value) -> Value:
    """A map of parts; no other keys."""
    parts = _map(call, argument)
    others = [str(key) for key in parts if key not in URL_PARTS]
    if others:
        raise Malformed(f'"make_url" has no part {", ".join(others)}')
    return ex.Url(parts, path=call.path)


# -- lists and maps -----------------------------------------------------------------------------------------


def map_merge(call: Call, argument: Value) -> Value:
    """A list of maps (an empty text counts as an empty list)."""
    if argument == "":
        argument = []
    if not isinstance(argument, (list, Expr)):
        raise Malformed('the argument of "map_merge" must be a list of maps')
    return ex.Merge(argument, path=call.path)


def map_replace(call: Call, argument: Value) -> Value:
    """``[map, {keys, values}]``; the replacements as a whole may be computed, then the call stays as it is."""
    if isinstance(argument, Expr):
        return foreign(call, argument)
    source, changes = _pair(call, argument, "[map, {keys, values}]")
    if isinstance(changes, Expr):
        return foreign(call, argument)
    changes = {} if changes is None else changes
    if not isinstance(source, (dict, Expr, type(None))) or not isinstance(changes, dict):
        raise Malformed('the arguments of "map_replace" must be maps')
    if not changes.keys() <= {"keys", "values"}:
        raise Malformed('the second argument of "map_replace" has only "keys" and "values"')
    return ex.MapReplace(source, changes.get("keys", MISSING), changes.get("values", MISSING), path=call.path)


def _concat(unique: bool) -> ArgumentReader:
    """Reads a list of lists."""

    def read(call: Call, argument: Value) -> Value:
        if not isinstance(argument, (list, Expr)):
            raise Malformed(f'the argument of "{call.name}" must be a list of lists')
        return ex.ListConcat(argument, unique, path=call.path)

    return read


list_concat, list_concat_unique = _concat(unique=False), _concat(unique=True)
filter_ = _of_pair(ex.Filter, "[values, list]")
#: of a list, a map, or a JSON text
fn_select = _of_pair(ex.Select, "[index, collection]")


def _repeat(call: Call, parts: dict[Any, Any], permutations: bool) -> Value:
    if "for_each" not in parts or "template" not in parts:
        raise Malformed('the argument of "repeat" must have "template" and "for_each"')
    for_each = parts["for_each"]
    if not isinstance(for_each, (dict, Expr)):
        raise Malformed('"for_each" of "repeat" must be a map')
    return ex.Repeat(parts["template"], for_each, permutations, path=call.path)


def repeat(call: Call, argument: Value) -> Value:
    """``{template, for_each}``; ``permutations`` has no effect before 2017-09-01, maps are loops since 2016-10-14."""
    parts = _map(call, argument)
    call.ignore_other_keys(parts, "template", "for_each")
    expression = _repeat(call, parts, permutations=True)
    if not call.version.has("2016-10-14") and isinstance(parts["for_each"], dict):
        for variable, items in parts["for_each"].items():
            if isinstance(items, dict):
                raise Malformed(f'the values of "{variable}" in "repeat" must be a list in this version')
    return expression


def repeat_permutations(call: Call, argument: Value) -> Value:
    """``{template, for_each, permutations}``."""
    parts = _map(call, argument)
    call.ignore_other_keys(parts, "template", "for_each", "permutations")
    permutations = parts.get("permutations", True)
    if not isinstance(permutations, bool):
        raise Malformed('"permutations" of "repeat" must be true or false')
    return _repeat(call, parts, permutations)


def yaql(call: Call, argument: Value) -> Value:
    """``{expression, data}``; no other keys."""
    parts = _map(call, argument)
    if "expression" not in parts or not parts.keys() <= {"expression", "data"}:
        raise Malformed('the argument of "yaql" must have "expression", may have "data", and nothing else')
    if not isinstance(parts["expression"], (str, Expr)):
        raise Malformed('the "expression" of "yaql" must be a text')
    return ex.Query(parts["expression"], parts.get("data", {}), path=call.path)


# -- conditions ---------------------------------------------------------------------------------------------


def choice(call: Call, argument: Value) -> Value:
    """``[condition, then(, else)]`` as written; the else branch may be absent since 2021-04-16."""
    least = 2 if call.version.has("2021-04-16") else 3
    if not isinstance(argument, (list, tuple)) or not least <= len(argument) <= 3:
        form = "[condition, then, else]" if least == 3 else "[condition, then] or [condition, then, else]"
        raise Malformed(f'the argument of "if" must be {form}')
    return argument


contains = _of_pair(ex.Contains, "[value, sequence]")
equals = _of_pair(ex.Equals, "[value, value]")


def _operand(value: Value, path: Path) -> Value:
    return ex.Condition(value, path=path) if isinstance(value, str) else value


def not_(call: Call, argument: Value) -> Value:
    """A single condition."""
    if argument is None:
        raise Malformed('the argument of "not" must be a condition')
    if not isinstance(argument, (bool, str, Expr)):
        call.late.append('the argument of "not" must be a condition')
    return ex.Not(_operand(argument, (*call.path, call.name)), path=call.path)


def _operands(kind: Callable[..., Value]) -> ArgumentReader:
    """Reads two or more conditions."""

    def read(call: Call, argument: Value) -> Value:
        if not isinstance(argument, list) or len(argument) < 2:
            raise Malformed(f'the argument of "{call.name}" must be a list of two or more conditions')
        if not all(isinstance(item, (bool, str, Expr, type(None))) for item in argument):
            call.late.append(f'an argument of "{call.name}" is neither a condition nor the name of one')
        operands = (_operand(item, (*call.path, call.name, index)) for index, item in enumerate(argument))
        return kind(tuple(operands), path=call.path)

    return read


and_, or_ = _operands(ex.And), _operands(ex.Or)
