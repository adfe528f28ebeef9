"""The types of parameters and what becomes of the defaults of inputs."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value, is_constant
from bpconvert.models.topology import Input
from bpconvert.translators.hot.write.added import Added
from bpconvert.translators.hot.write.names import Names
from bpconvert.translators.hot.write.uses import Uses
from bpconvert.translators.passes.request import Request

#: neutral type of an input -> HOT type
_TYPES: Final = {
    "string": "string", "number": "number", "boolean": "boolean", "list": "comma_delimited_list", "json": "json",
}  # fmt: skip
#: expressions that make a structure or a number: a default of such a kind needs a json parameter
_NO_TEXT: Final = (ex.Merge, ex.Split, ex.Find, ex.AttributeList, ex.AttributeDict, ex.Label, ex.Consumers)
#: expressions that only the source's manager answers
_UNKNOWN: Final = (ex.Capability, ex.Label, ex.Consumers, ex.System, ex.AttributeDict)
#: facts about the deployment that Heat has too
KNOWN_FACTS: Final = ("deployment.name", "deployment.id")


def _is_known_fact(expr: ex.Expr) -> bool:
    return isinstance(expr, ex.System) and expr.name in KNOWN_FACTS


class Default(NamedTuple):
    """What becomes of an input's default: ``value`` is the parameter's own (plain data; MISSING: none, it has to be
    given). ``hidden``: the default is a secret. ``computed``: the parameter cannot have the default, because it is an
    expression or null; uses have it where the parameter has not been given, as its neutral ``value`` shows.
    ``lost``: what the default is that Heat cannot know."""

    value: Value
    hidden: bool = False
    computed: bool = False
    lost: str = ""


class Defaults:
    """The types and defaults of the parameters of one template."""

    def __init__(self, names: Names, added: Added, uses: Uses, request: Request) -> None:
        self._names, self._added, self._uses, self._request = names, added, uses, request
        self._defaults: dict[str, Default] = {}
        self._types: dict[str, str] = {}
        self._given: dict[str, str] = {}

    def of(self, input: Input) -> Default:
        """What the parameter of an input has as its default."""
        known = self._defaults.get(input.name)
        if known is None:
            known = self._defaults[input.name] = self._default_of(input)
        return known

    def _default_of(self, input: Input) -> Default:
        default = input.default
        if default is MISSING or default is None:
            optional = input.extra.get("required") is False
            return Default(self._neutral(input), computed=True) if optional else Default(MISSING)
        if isinstance(default, ex.Secret):
            return Default(MISSING, hidden=True, lost="a secret")
        if isinstance(default, _UNKNOWN) and not _is_known_fact(default):
            return Default(MISSING, lost=f"known to {self._request.source.title} only")
        if is_constant(default):
            return Default(default)
        if input.name in self._uses.circular:
            return Default(MISSING, lost="a reference to itself")
        return Default(self._neutral(input), computed=True)

    def _neutral(self, input: Input) -> Any:
        """What shows that a parameter has not been given; also json takes the empty text."""
        return [] if input.type == "list" else ""

    def given(self, input: Input) -> str:
        """The condition that holds when the parameter of an input with a computed default has been given."""
        known = self._given.get(input.name)
        if known is None:
            parameter = ex.Input(self._names.parameter(input.name), path=input.path)
            empty = ex.Equals(parameter, self._neutral(input), path=input.path)
            known = self._given[input.name] = self._added.condition(f"{parameter.name}_given", ex.Not(empty))
            self._request.reporter.report("BPC239", (*input.path, "default"), name=input.name)
        return known

    def is_used(self, input: Input) -> bool:
        """True when something uses the computed default of an input."""
        return input.name in self._given

    def type_of(self, input: Input) -> str:
        """The HOT type of an input. A number or boolean whose default is computed is ``json``, which takes the empty
        text as its neutral default; so is an untyped one of which parts are used."""
        known = self._types.get(input.name)
        if known is None:
            self._types[input.name] = "string"  # for circles
            known = self._types[input.name] = self._type(input)
        return known

    def _type(self, input: Input) -> str:
        default = input.default
        computed = self.of(input).computed
        if input.type is not None:
            known = _TYPES.get(input.type, "json")
            return "json" if computed and known in ("number", "boolean") else known
        if isinstance(default, ex.Input) and isinstance(default.name, str) and not default.keys:
            other = self._names.topology.inputs.get(default.name)
            known = self.type_of(other) if other is not None else "string"
            return "json" if known in ("number", "boolean") else known
        if isinstance(default, (dict, list, *_NO_TEXT)):
            return "json"
        if computed and isinstance(default, ex.Expr):
            return "string"
        is_list = default is MISSING and input.name in self._uses.lists
        return "json" if is_list or input.name in self._uses.entered else "string"
