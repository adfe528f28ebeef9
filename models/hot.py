"""The Heat Orchestration Template language: every section and key, as the engine accepts them.

Rules are those of the engine (its template, parameter, constraint and resource definition classes); each model says
since which ``heat_template_version`` a key exists (``SINCE``), :func:`check_version` compares. Functions inside values
are not looked at here."""

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field

from bpconvert.models.fields import ABSENT, LATER, FreeMap, Kind, Model, Section, describe, each_must, must, wrong
from bpconvert.models.hot_versions import VERSIONS, resolve_version
from bpconvert.models.validation import Problem

PARAMETER_TYPES: Final = ("string", "number", "comma_delimited_list", "json", "boolean")
DELETION_POLICIES: Final = ("Delete", "Retain", "Snapshot", "delete", "retain", "snapshot")
#: in the order in which the engine looks for them: the first one found in an item counts, others are ignored
CONSTRAINT_KINDS: Final = ("modulo", "range", "length", "allowed_values", "allowed_pattern", "custom_constraint")
_CONDITION: Final = "the name of a condition, true, false or a condition"
_CONSTRAINT_TYPES: Final = {
    "modulo": ("number",),
    "range": ("number",),
    "length": ("string", "comma_delimited_list", "json"),
    "allowed_values": ("string", "number", "boolean", "comma_delimited_list"),
    "allowed_pattern": ("string",),
    "custom_constraint": ("string", "number", "boolean", "comma_delimited_list"),
}


# -- checks that types cannot express -----------------------------------------------------------------------


def _number(value: Any, name: str) -> float | None:
    """A bound as a number: the engine takes numeric text too."""
    if value is None or isinstance(value, (int, float)):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        raise wrong("has a {name} that is no number", name=name) from None


def is_whole(number: float) -> bool:
    """True for a number without a fraction; infinity is none."""
    return isinstance(number, int) or number.is_integer()


def _check_kind(argument: Any, kind: str, types: type | tuple[type, ...], words: str) -> None:
    if not isinstance(argument, types):
        raise wrong("has a '{kind}' that is not {words} but {found}", kind=kind, words=words, found=describe(argument))


def _bounds(argument: Any, kind: str, keys: tuple[str, str]) -> list[float | None]:
    _check_kind(argument, kind, dict, "a map")
    for key in argument:
        if key not in keys:
            raise wrong("has the unknown key {key} in '{kind}'", kind=kind, key=repr(key))
    return [_number(argument.get(key), f"{key} of '{kind}'") for key in keys]


def _check_range(argument: Any, kind: str) -> None:
    bounds = _bounds(argument, kind, ("min", "max"))
    if bounds == [None, None]:
        raise wrong("needs a min or a max for '{kind}'", kind=kind)
    if kind == "length" and not all(b is None or is_whole(b) for b in bounds):
        raise wrong("has bounds of 'length' that are no whole numbers")


def _check_modulo(argument: Any, kind: str) -> None:
    step, offset = _bounds(argument, kind, ("step", "offset"))
    if step is None or offset is None:
        raise wrong("needs both step and offset for 'modulo'")
    if not is_whole(step) or not is_whole(offset):
        raise wrong("has a step or offset of 'modulo' that is no whole number")
    if step == 0 or abs(offset) >= abs(step) or step * offset < 0:
        raise wrong("needs an offset of 'modulo' between 0 and its step")


def _check_pattern(argument: Any, kind: str) -> None:
    _check_kind(argument, kind, str, "text")
    try:
        re.compile(argument)
    except re.error as error:
        raise wrong("has an '{kind}' that is no regular expression: {why}", kind=kind, why=str(error)) from None


_CONSTRAINT_CHECKS: Final[dict[str, Callable[[Any, str], None]]] = {
    "modulo": _check_modulo,
    "range": _check_range,
    "length": _check_range,
    "allowed_values": lambda argument, kind: _check_kind(argument, kind, (list, tuple), "a list"),
    "allowed_pattern": _check_pattern,
    "custom_constraint": lambda argument, kind: _check_kind(argument, kind, str, "text"),
}


def _check_constraint(item: Any) -> Any:
    if isinstance(item, dict):
        kind = next((k for k in CONSTRAINT_KINDS if k in item), None)
        if kind is None:
            raise wrong("does not say what is allowed")
        _CONSTRAINT_CHECKS[kind](item[kind], kind)
    return item


def _check_type(value: str) -> None:
    if value not in PARAMETER_TYPES:
        raise wrong("is unknown: {value} (known: {known})", value=repr(value), known=", ".join(PARAMETER_TYPES))


_check_deletion_policy: Final = must(
    lambda value: not isinstance(value, str) or value in DELETION_POLICIES,
    "must be Delete, Retain or Snapshot, not {found}",
)
#: of a text (whose characters are texts) or a list
_check_names: Final = each_must(lambda item: isinstance(item, str), "must name resources, not {found}")
#: whatever is empty (``''``, ``[]``, null) is an empty section
_NONE: Final = BeforeValidator(lambda value: value or None)


# -- the language -------------------------------------------------------------------------------------------


class Constraint(Model):
    """One item of a parameter's ``constraints``. Only its first kind (:attr:`kind`) counts."""

    NOUN = "a constraint"
    SINCE: ClassVar[dict[str, str]] = {"modulo": "2017-02-24"}

    modulo: Any = None
    range: Any = None
    length: Any = None
    allowed_values: Any = None
    allowed_pattern: Any = None
    custom_constraint: Any = None
    description: Any = None

    @property
    def kind(self) -> str:
        """The key that counts: the first of ``CONSTRAINT_KINDS`` that was written."""
        return next(kind for kind in CONSTRAINT_KINDS if kind in self.model_fields_set)

    @property
    def argument(self) -> Any:
        """The value of :attr:`kind`, as written."""
        return getattr(self, self.kind)


class Parameter(Model):
    """A template parameter. A type that is missing or unknown is repaired to ``''``."""

    NOUN = "a parameter"
    FILLS: ClassVar[dict[str, Any]] = {"type": ABSENT}
    SINCE: ClassVar[dict[str, str]] = {"tags": "2018-03-02"}

    type: Annotated[str, Kind("text", str, check=_check_type)]
    label: Any = None
    description: Any = None
    default: Any = None
    hidden: Any = False
    constraints: list[Annotated[Constraint, LATER, BeforeValidator(_check_constraint)]] | None = None
    immutable: Any = False
    tags: Annotated[list[Any] | None, Kind("a list", list)] = None
    #: accepted and ignored by every engine
    schema_: Any = Field(default=None, alias="schema")


class ParameterGroup(Model):
    """Parameters that belong together in a user interface; other keys are ignored."""

    NOUN = "a parameter group"
    model_config = ConfigDict(extra="allow")

    label: Any = None
    description: Any = None
    parameters: Annotated[list[Any], Kind("a list", list)]


class Resource(Model):
    """A resource. A type that is missing is repaired to ``''``: the rest of the resource still means something."""

    NOUN = "a resource"
    FILLS: ClassVar[dict[str, Any]] = {"type": ABSENT}
    SINCE: ClassVar[dict[str, str]] = {"condition": "2016-10-14", "external_id": "2016-10-14"}

    type: Annotated[str, Kind("text", str, check=must(bool, "is empty"))]
    description: Annotated[str | None, Kind("text", str)] = None
    external_id: Annotated[Any, Kind("text", str, dict)] = None
    condition: Annotated[Any, Kind(_CONDITION, str, bool, dict)] = None
    depends_on: Annotated[str | list[str] | None, Kind("text or a list", str, list, check=_check_names)] = None
    properties: Annotated[dict[str, Any] | None, Kind("a map", dict)] = None
    metadata: Annotated[dict[str, Any] | None, Kind("a map", dict)] = None
    update_policy: Annotated[dict[str, Any] | None, Kind("a map", dict)] = None
    deletion_policy: Annotated[Any, Kind("text", str, dict, check=_check_deletion_policy)] = None


class Output(Model):
    """An output. Unknown keys are ignored by the engine (``model_extra`` has them)."""

    NOUN = "an output"
    SINCE: ClassVar[dict[str, str]] = {"condition": "2016-10-14"}
    model_config = ConfigDict(extra="allow")

    value: Any
    description: Any = None
    condition: Annotated[Any, Kind(_CONDITION, str, bool, dict, type(None))] = None


class Template(Model):
    """A whole template; missing and empty sections are empty maps."""

    NOUN = "a template"
    KEY = "section"
    SINCE: ClassVar[dict[str, str]] = {"conditions": "2016-10-14"}

    heat_template_version: str | None = None
    description: Any = None
    parameter_groups: Annotated[list[Annotated[ParameterGroup, LATER]] | None, _NONE] = None
    parameters: Annotated[Section[Parameter], _NONE] = {}
    conditions: FreeMap = {}
    resources: Annotated[Section[Resource], _NONE] = {}
    outputs: Annotated[Section[Output], _NONE] = {}


# -- versions and names -------------------------------------------------------------------------------------


def check_version(template: Template, version: str | None = None) -> list[Problem]:
    """Keys and values that ``version`` (default: the template's own) does not have, and an unknown version itself."""
    version = template.heat_template_version if version is None else version
    found = resolve_version(version)
    if found is None:
        known = ", ".join([*VERSIONS, *(known.alias for known in VERSIONS.values() if known.alias)])
        text = f"unknown version {version!r} (known: {known})" if version else "'heat_template_version' is missing"
        return [Problem(("heat_template_version",), text)]
    return [
        Problem(path, f"{words} exists since version {since}, this template says {version}")
        for path, words, since in _gated(template)
        if not found.has(since)
    ]


def _gated(template: Template) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """What not every version has: path, what it is, first version."""

    def keys(model: Model, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str, str]]:
        for key, since in model.SINCE.items():
            if key in model.model_fields_set:
                yield (*path, key), f"{model.KEY} '{key}' of {model.NOUN}", since

    yield from keys(template, ())
    for name, parameter in template.parameters.items():
        yield from keys(parameter, ("parameters", name))
        for index, constraint in enumerate(parameter.constraints or ()):
            yield from keys(constraint, ("parameters", name, "constraints", index))
    for name, resource in template.resources.items():
        yield from keys(resource, ("resources", name))
        policy = resource.deletion_policy
        if isinstance(policy, str) and policy.islower():
            yield ("resources", name, "deletion_policy"), f"deletion policy {policy!r} in lower case", "2016-10-14"
    for name, output in template.outputs.items():
        for path, words, since in keys(output, ("outputs", name)):
            yield path, f"{words} (ignored in older versions)", since


_PSEUDO: Final = frozenset({"OS::stack_id", "OS::stack_name", "OS::project_id", "OS::region"})


def check_names(template: Template) -> list[Problem]:
    """Names that the engine refuses: a parameter called like a resource, ``/`` in a resource's name, parameter groups
    that name unknown parameters or one parameter twice, constraints that their parameter's type does not take."""
    problems = []
    for name in template.resources:
        if name in template.parameters:
            problems.append(Problem(("resources", name), f"'{name}' is the name of a parameter too"))
        if "/" in name:
            problems.append(Problem(("resources", name), "the name of a resource cannot contain '/'"))
    seen: set[Any] = set()
    for index, group in enumerate(template.parameter_groups or ()):
        for place, name in enumerate(group.parameters):
            path = ("parameter_groups", index, "parameters", place)
            if not isinstance(name, str) or (name not in template.parameters and name not in _PSEUDO):
                problems.append(Problem(path, f"there is no parameter {name!r}"))
            elif name in seen:
                problems.append(Problem(path, f"parameter '{name}' is in a group already"))
            else:
                seen.add(name)
    for name, parameter in template.parameters.items():
        for index, constraint in enumerate(parameter.constraints or ()):
            if parameter.type and parameter.type not in _CONSTRAINT_TYPES[constraint.kind]:
                text = f"a {parameter.type} parameter cannot have '{constraint.kind}'"
                problems.append(Problem(("parameters", name, "constraints", index), text))
    return problems
