"""How the source uses its inputs; the types of parameters and what becomes of the defaults of inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value, is_constant
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Input, Topology
from bpconvert.translators.hot.write.names import Added, Names
from bpconvert.translators.passes.expressions.own_defaults import GIVEN
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.graphs import strong_components


class Uses:
    """Which inputs of a topology are used, and how. Each is found when it is asked for first."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self._words, self._data = request.source.words, request.document.data
        self._catalogue = request.catalogue

    @cached_property
    def asked(self) -> frozenset[Value]:
        """Names of the inputs that something in the source refers to."""
        used = {expr.name for expr in ex.walk(list(self.topology.values())) if isinstance(expr, ex.Input)}
        called = self._words.inputs_in(self._data)
        return frozenset(name for name in (*used, *called) if isinstance(name, str))

    @cached_property
    def in_texts(self) -> frozenset[str]:
        """Names of the inputs that are used in texts only, which ``concat`` makes."""
        inside: set[Value] = set()
        outside: set[Value] = set()
        for expr, in_text in _with_texts(list(self.topology.values()), False):
            (inside if in_text else outside).add(expr.name)
        return frozenset(name for name in inside - outside if isinstance(name, str))

    @cached_property
    def wanted(self) -> dict[str, str]:
        """Name of an input -> the type of the properties that it is the whole value of, where it is used for properties
        of one type, and in texts, only."""
        types_by_input: dict[str, set[str]] = {}
        count: Counter[Value] = Counter()
        for node in self.topology.nodes.values():
            kind = self._catalogue.kind(node.kind)
            schema = kind.schema() if kind is not None else None
            if schema is not None and isinstance(node.properties, dict):
                for name, type_ in _in_properties({"keys": schema["properties"]}, node.properties):
                    types_by_input.setdefault(name, set()).add(type_)
                    count[name] += 1
        references = _with_texts(list(self.topology.values(declared=False)), False)
        used = Counter(expr.name for expr, in_text in references if not in_text)
        return {
            name: types.pop() for name, types in types_by_input.items() if len(types) == 1 and used[name] == count[name]
        }

    @cached_property
    def entered(self) -> frozenset[str]:
        """Names of the inputs of which parts are used."""
        return frozenset(
            expr.name
            for expr in ex.walk(list(self.topology.values()))
            if isinstance(expr, ex.Input) and expr.keys and isinstance(expr.name, str)
        )

    @cached_property
    def lists(self) -> frozenset[Value]:
        """Names of the inputs that are lists for a function."""
        values: list[Value] = []
        for expr in ex.walk(list(self.topology.values())):
            if isinstance(expr, ex.ListConcat) and isinstance(expr.lists, (list, tuple)):
                for item in expr.lists:
                    data = item.data if isinstance(item, ex.Query) else item
                    values += data.values() if isinstance(data, dict) else [data]
        return frozenset(value.name for value in values if isinstance(value, ex.Input))

    @cached_property
    def circular(self) -> frozenset[str]:
        """Names of the inputs whose defaults need themselves."""
        needs = {
            name: {str(expr.name) for expr in ex.walk(declared.default) if isinstance(expr, ex.Input)}
            for name, declared in self.topology.inputs.items()
            if not is_constant(declared.default)
        }
        among = {name: [other for other in others if other in needs] for name, others in needs.items()}
        return frozenset(name for members in strong_components(among) for name in members)


def _in_properties(schema: dict[str, Any], value: Value) -> Iterator[tuple[str, str]]:
    """The inputs that are whole values in a property, each with the type that its place has."""
    if isinstance(value, ex.If):
        yield from _in_properties(schema, value.then)
        yield from _in_properties(schema, value.otherwise)
    elif isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
        yield value.name, schema.get("type", "any")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _in_properties(schema.get("keys", {}).get(key, {}), part)
    elif isinstance(value, list):
        for item in value:
            yield from _in_properties(schema.get("items", {}), item)


def _with_texts(value: Value, in_text: bool) -> Iterator[tuple[ex.Input, bool]]:
    """The references to inputs, each with whether ``concat`` makes text of it."""
    waiting = [(value, in_text)]
    while waiting:
        part, in_text = waiting.pop()
        inner: Iterable[Value] = ()
        if isinstance(part, ex.Expr):
            if isinstance(part, ex.Input):
                yield part, in_text and not part.keys
            in_text = isinstance(part, ex.Concat)
            inner = [getattr(part, name) for name in ex.field_names(type(part))]
        elif isinstance(part, (dict, list, tuple)):
            in_text = in_text and isinstance(part, tuple)
            inner = part.values() if isinstance(part, dict) else part
        waiting += [(item, in_text) for item in inner if type(item) not in ex.SCALARS]


#: neutral type of an input -> HOT type
TYPES: Final = {
    "string": "string", "number": "number", "boolean": "boolean", "list": "comma_delimited_list", "json": "json",
}  # fmt: skip
#: expressions that make a structure or a number: a default of such a kind needs a json parameter
_NO_TEXT: Final = (ex.Merge, ex.Split, ex.Find, ex.AttributeList, ex.AttributeDict, ex.Label, ex.Consumers)
#: expressions that only the source's manager answers
_UNKNOWN: Final = (ex.Capability, ex.Label, ex.Consumers, ex.System, ex.AttributeDict)
#: facts about the deployment that Heat has too
KNOWN_FACTS: Final = ("deployment.name", "deployment.id", "project.id", "region")


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
        #: inputs whose defaults are too long where they are used
        self.too_long: set[str] = set()

    def default(self, input: Input) -> Default:
        """What the parameter of an input has as its default."""
        default = self._defaults.get(input.name)
        if default is None:
            default = self._defaults[input.name] = self._default_of(input)
        return default

    def _default_of(self, input: Input) -> Default:
        default = input.default
        if default is MISSING or default is None:
            optional = input.extra.get("required") is False
            return Default(self._neutral(input), computed=True) if optional else Default(MISSING)
        if isinstance(default, ex.Secret):
            return Default(MISSING, hidden=True, lost="a secret")
        is_fact = isinstance(default, ex.System) and default.name in KNOWN_FACTS
        if isinstance(default, _UNKNOWN) and not is_fact:
            return Default(MISSING, lost=f"known to {self._request.source.title} only")
        if is_constant(default):
            return Default(default)
        if input.name in self._uses.circular:
            return Default(MISSING, lost="a reference to itself")
        return Default(self._neutral(input), computed=True)

    def _neutral(self, input: Input) -> Any:
        """What shows that a parameter has not been given; also json takes the empty text."""
        return [] if input.type == "list" else ""

    def given_condition(self, input: Input) -> str:
        """The condition that holds when the parameter of an input with a computed default has been given."""
        condition = self._given.get(input.name)
        if condition is None:
            parameter = ex.Input(self._names.parameter(input.name), path=input.path)
            empty = ex.Equals(parameter, self._neutral(input), path=input.path)
            condition = self._given[input.name] = self._added.condition(
                GIVEN.format(name=parameter.name), ex.Not(empty)
            )
            self._request.reporter.report("BPC239", (*input.path, "default"), name=input.name)
        return condition

    def is_used(self, input: Input) -> bool:
        """True when something uses the computed default of an input."""
        return input.name in self._given

    def type_of(self, input: Input) -> str:
        """The HOT type of an input. A number or boolean whose default is computed is ``json``, which takes the empty
        text as its neutral default; so is an untyped one of which parts are used."""
        type_known = self._types.get(input.name)
        if type_known is None:
            self._types[input.name] = "string"  # for circles
            type_known = self._types[input.name] = self._type(input)
        return type_known

    def _type(self, input: Input) -> str:
        default = input.default
        computed = self.default(input).computed
        if input.type is not None:
            type_name = TYPES.get(input.type, "json")
            return "json" if computed and type_name in ("number", "boolean") else type_name
        if isinstance(default, ex.Input) and isinstance(default.name, str) and not default.keys:
            other = self._names.topology.inputs.get(default.name)
            type_name = self.type_of(other) if other is not None else "string"
            return "json" if type_name in ("number", "boolean") else type_name
        if isinstance(default, (dict, list, *_NO_TEXT)):
            return "json"
        if computed and isinstance(default, ex.Expr):
            return "string"
        is_list = default is MISSING and input.name in self._uses.lists
        return "json" if is_list or input.name in self._uses.entered else "string"
