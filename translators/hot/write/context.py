"""What the parts of the lowering to HOT share: names, added parameters and conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value, is_constant
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.support.places import value_at
from bpconvert.translators.support.text import fresh

if TYPE_CHECKING:
    from bpconvert.translators.passes.request import Request
    from bpconvert.translators.provenance.carry import Origin

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
    expression or null; uses say it where the parameter has not been given, which its neutral ``value`` shows.
    ``lost``: what the default is that Heat cannot know."""

    value: Value
    hidden: bool = False
    computed: bool = False
    lost: str = ""


@dataclass(eq=False, repr=False)
class Context:
    """State of one lowering to HOT. The names that entries have in the template that the source was made from, are
    preferred."""

    topology: Topology
    request: Request
    #: parameters that the source did not have: name -> HOT data
    extra_parameters: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: (input of a nested document, its data) -> the parameter that gives it a value
    handed_on: dict[tuple[str, str], str] = field(default_factory=dict)
    #: conditions that the source did not have: name -> condition
    extra_conditions: dict[str, Value] = field(default_factory=dict)
    #: the lowest version in which the values mean what they should, beyond what the names of functions tell
    least_version: str = "2013-05-23"
    #: condition -> its name in the origin
    condition_names: dict[str, str] = field(default_factory=dict)
    _resources: dict[str, str] = field(default_factory=dict)
    _parameters: dict[str, str] = field(default_factory=dict)
    _outputs: dict[tuple[str, str], str] = field(default_factory=dict)
    _secrets: dict[tuple[str, str], str] = field(default_factory=dict)
    _given: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _connections: dict[str, str] = field(default_factory=dict)
    _types: dict[str, str] = field(default_factory=dict)
    _defaults: dict[str, Default] = field(default_factory=dict)

    def __post_init__(self) -> None:
        topology, request = self.topology, self.request
        self.reporter, self.catalogue, self.origin = request.reporter, request.catalogue, request.origin
        #: the words of the source, and the name of its engine
        self.words, self.engine = request.source.words, request.source.title
        inputs = {name: self._original("inputs", name) or name for name in topology.inputs}
        inputs = {name: f"OS_{new[4:]}" if new[:4] == "OS::" else new for name, new in inputs.items()}
        self._parameters = _unique(inputs, set())
        parameters = set(self._parameters.values())
        nodes = {name: (self._original("nodes", name) or name).replace("/", "_") for name in topology.nodes}
        nodes = {name: f"{new}_node" if new in parameters else new for name, new in nodes.items()}
        self._resources = _unique(nodes, parameters)
        self._taken = parameters.union(self._resources.values())
        outputs = _unique({name: self._original("outputs", name) or name for name in topology.outputs}, set())
        shown = set(outputs.values())
        capabilities = {name: self._original("capabilities", name) or name for name in topology.capabilities}
        capabilities = {name: f"capability_{new}" if new in shown else new for name, new in capabilities.items()}
        self._outputs = {("outputs", name): new for name, new in outputs.items()}
        self._outputs |= {("capabilities", name): new for name, new in _unique(capabilities, shown).items()}

    def _original(self, section: str, name: str) -> str | None:
        """The name in the template that the source was made from."""
        if self.origin is None:
            return None
        node = self.topology.nodes.get(name) if section == "nodes" else None
        if node is not None and len(node.path) > 2:
            return self._connection(self.origin, node)
        return self.origin.original((self.words.section(section), name))

    def _connection(self, origin: Origin, node: Node) -> str | None:
        """The original name of a resource that is a part of an entry of the source; each name once."""
        known = self._connections.get(node.name)
        kind = self.catalogue.kind(node.kind)
        for entry in origin.parts(node.path[:2]) if known is None and kind is not None else ():
            resource = value_at(origin.document.data, entry)
            alike = isinstance(resource, dict) and resource.get("type") in (kind.heat if kind else ())
            if alike and entry[-1] not in self._connections.values():
                known = self._connections[node.name] = str(entry[-1])
                break
        return known

    # -- names ----------------------------------------------------------------------------------------------

    def resource_name(self, node: str) -> str:
        """The HOT name of a node."""
        if node not in self._resources:
            return node
        return self._told("nodes", node, self._resources[node], self.topology.nodes[node].path)

    def parameter_name(self, input: str) -> str:
        """The HOT name of an input."""
        if input not in self._parameters:
            return input
        return self._told("inputs", input, self._parameters[input], self.topology.inputs[input].path)

    def output_name(self, name: str, section: str = "outputs") -> str:
        """The HOT name of an output, or (``section``: ``capabilities``) of a capability."""
        entries = self.topology.outputs if section == "outputs" else self.topology.capabilities
        if (section, name) not in self._outputs:
            return name
        return self._told(section, name, self._outputs[section, name], entries[name].path)

    def _told(self, section: str, name: str, new: str, path: Path) -> str:
        """``new``, after a report when that is a name which nobody gave."""
        if new not in (name, self._original(section, name)):
            self.reporter.report("BPC606", path, name=name, new=new)
        return new

    def fresh_resource(self, wanted: str) -> str:
        """A resource name nobody has yet; parameters do not have it either, which Heat refuses."""
        name = fresh(wanted.replace("/", "_"), self._taken)
        self._taken.add(name)
        return name

    # -- the source -----------------------------------------------------------------------------------------

    def document_value(self, path: Path) -> Any:
        """The source's own data at ``path``; MISSING where the path leads nowhere."""
        found: Any = self.request.document.data
        for step in path:
            try:
                found = found[step]
            except (KeyError, IndexError, TypeError):
                return MISSING
        return found

    def input_of(self, parameter: str) -> Input | None:
        """The input that became a parameter."""
        name = self._inputs_of.get(parameter)
        return self.topology.inputs[name] if name is not None else None

    def node_of_resource(self, resource: str) -> Node | None:
        """The node that became a resource."""
        name = self._nodes_of.get(resource)
        return self.topology.nodes[name] if name is not None else None

    @cached_property
    def _inputs_of(self) -> dict[str, str]:
        return {new: name for name, new in self._parameters.items()}

    @cached_property
    def _nodes_of(self) -> dict[str, str]:
        return {new: name for name, new in self._resources.items()}

    def is_group(self, node: Node) -> bool:
        """True for a node of which several are created: a resource group, whose attributes are lists."""
        if node.external_name is not MISSING:
            return False
        several = node.instances is not MISSING and (node.instances != 1 or isinstance(node.instances, bool))
        return (several or self.is_auto_scaling(node)) and not self.is_stand_in(node)

    def is_auto_scaling(self, node: Node) -> bool:
        """True for a node whose number has limits, which only another group than the usual one has."""
        return node.limits[1] is not MISSING

    def is_stand_in(self, node: Node) -> bool:
        """True for a node whose resource creates nothing: its type has no counterpart."""
        kind = self.catalogue.kind(node.kind)
        return node.native != DIALECT and (kind is None or not kind.heat)

    # -- parameters and conditions --------------------------------------------------------------------------

    def add_parameter(self, wanted: str, data: dict[str, Any]) -> str:
        """Add a parameter that the source does not have, named ``wanted`` or nearly so. Returns its name."""
        name = fresh(wanted if wanted[:4] != "OS::" else f"OS_{wanted[4:]}", self._taken)
        self._taken.add(name)
        self.extra_parameters[name] = data
        return name

    def add_condition(self, wanted: str, value: Value) -> str:
        """Add a condition that the source does not have. Returns its name."""
        name = fresh(wanted, {*self.topology.conditions, *self.extra_conditions})
        self.extra_conditions[name] = value
        return name

    def secret_parameter(self, name: str, path: Path, kind: str = "string") -> str:
        """The hidden parameter that stands for a secret of the manager. ``kind``: ``json`` where parts of it are used
        (as text and in parts: two parameters, because Heat yields either)."""
        known = self._secrets.get((name, kind))
        if known is None:
            other = any(secret == name for secret, _ in self._secrets)
            data = {"type": kind, "description": f"Secret '{name}' of the {self.engine} manager", "hidden": True}
            known = self._secrets[name, kind] = self.add_parameter(f"{name}_{kind}" if other else name, data)
        self.reporter.report("BPC234", path, name=name, parameter=known)
        return known

    def known_secret(self, name: Value, kind: str) -> str | None:
        """The parameter that stands for a secret already, if there is one."""
        return self._secrets.get((name, kind)) if isinstance(name, str) else None

    def is_secret(self, value: Value) -> bool:
        """True for a value that a secret is in."""
        return any(isinstance(expr, ex.Secret) or self._has_secret(expr) for expr in ex.walk(value))

    def _has_secret(self, expr: ex.Expr) -> bool:
        declared = self.topology.inputs.get(expr.name) if isinstance(expr, ex.Input) else None
        return declared is not None and isinstance(declared.default, ex.Secret)

    @cached_property
    def refused(self) -> frozenset[Path]:
        """The places of calls that the source's engine refuses, which has been reported."""
        return frozenset(found.path for found in self.reporter.diagnostics if found.code == "BPC156")

    @cached_property
    def asked(self) -> frozenset[Value]:
        """Names of the inputs that something in the source refers to."""
        used = {expr.name for expr in ex.walk(_values(self.topology)) if isinstance(expr, ex.Input)}
        called = self.words.inputs_in(self.request.document.data)
        return frozenset(name for name in (*used, *called) if isinstance(name, str))

    @cached_property
    def in_texts(self) -> frozenset[str]:
        """Names of the inputs that are used in texts only, which ``concat`` makes."""
        inside: set[Value] = set()
        outside: set[Value] = set()
        for value in _values(self.topology):
            for expr, in_text in _with_texts(value, False):
                (inside if in_text else outside).add(expr.name)
        return frozenset(name for name in inside - outside if isinstance(name, str))

    def default_of(self, input: Input) -> Default:
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
            return Default(MISSING, lost=f"known to {self.engine} only")
        if is_constant(default):
            return Default(default)
        if input.name in self._circular:
            return Default(MISSING, lost="a reference to itself")
        return Default(self._neutral(input), computed=True)

    def _neutral(self, input: Input) -> Any:
        """What shows that a parameter has not been given; also json takes the empty text."""
        return [] if input.type == "list" else ""

    def given(self, input: Input) -> str:
        """The condition that holds when the parameter of an input with a computed default has been given."""
        known = self._given.get(input.name)
        if known is None:
            parameter = ex.Input(self.parameter_name(input.name), path=input.path)
            empty = ex.Equals(parameter, self._neutral(input), path=input.path)
            known = self._given[input.name] = self.add_condition(f"{parameter.name}_given", ex.Not(empty))
            self.reporter.report("BPC239", (*input.path, "default"), name=input.name)
        return known

    def uses_default(self, input: Input) -> bool:
        """True when something says the computed default of an input."""
        return input.name in self._given

    def parameter_type(self, input: Input) -> str:
        """The HOT type of an input. A number or boolean whose default is computed is ``json``, which takes the empty
        text as its neutral default; so is an untyped one of which parts are used."""
        known = self._types.get(input.name)
        if known is None:
            self._types[input.name] = "string"  # for circles
            known = self._types[input.name] = self._type(input)
        return known

    def _type(self, input: Input) -> str:
        default = input.default
        computed = self.default_of(input).computed
        if input.type is not None:
            known = _TYPES.get(input.type, "json")
            return "json" if computed and known in ("number", "boolean") else known
        if isinstance(default, ex.Input) and isinstance(default.name, str) and not default.keys:
            other = self.topology.inputs.get(default.name)
            known = self.parameter_type(other) if other is not None else "string"
            return "json" if known in ("number", "boolean") else known
        if isinstance(default, (dict, list, *_NO_TEXT)):
            return "json"
        if computed and isinstance(default, ex.Expr):
            return "string"
        return "json" if input.name in self._entered or (default is MISSING and input.name in self._lists) else "string"

    @cached_property
    def _circular(self) -> frozenset[str]:
        """Names of the inputs whose defaults need themselves."""
        needs = {
            name: {expr.name for expr in ex.walk(declared.default) if isinstance(expr, ex.Input)}
            for name, declared in self.topology.inputs.items()
            if not is_constant(declared.default)
        }
        users: dict[Value, list[str]] = {}
        for name, others in needs.items():
            for other in others:
                users.setdefault(other, []).append(name)
        left = {name: sum(other in needs for other in others) for name, others in needs.items()}
        ends = [name for name, count in left.items() if not count]
        while ends:
            end = ends.pop()
            del needs[end]
            for name in users.get(end, ()):
                left[name] -= 1
                if not left[name]:
                    ends.append(name)
        return frozenset(name for name in needs if _reaches(name, needs))

    @cached_property
    def _entered(self) -> frozenset[str]:
        """Names of the inputs of which parts are used."""
        return frozenset(
            expr.name
            for expr in ex.walk(_values(self.topology))
            if isinstance(expr, ex.Input) and expr.keys and isinstance(expr.name, str)
        )

    @cached_property
    def _lists(self) -> frozenset[Value]:
        """Names of the inputs that are lists for a function."""
        found: list[Value] = []
        for expr in ex.walk(_values(self.topology)):
            if isinstance(expr, ex.ListConcat) and isinstance(expr.lists, (list, tuple)):
                for item in expr.lists:
                    data = item.data if isinstance(item, ex.Query) else item
                    found += data.values() if isinstance(data, dict) else [data]
        return frozenset(value.name for value in found if isinstance(value, ex.Input))


def _reaches(name: str, needs: Mapping[str, Collection[Value]]) -> bool:
    """True when what ``name`` needs needs ``name``."""
    seen: set[Value] = set()
    waiting = list(needs[name])
    while waiting:
        found = waiting.pop()
        if found == name:
            return True
        if isinstance(found, str) and found in needs and found not in seen:
            seen.add(found)
            waiting += needs[found]
    return False


def _unique(wanted: Mapping[str, str], others: Collection[str]) -> dict[str, str]:
    """Entry -> the name that it gets, which no other one and none of ``others`` has. Those that want their own name
    come first."""
    taken = {*others, *(new for name, new in wanted.items() if new == name)}
    names: dict[str, str] = {}
    for name, new in wanted.items():
        names[name] = new if new == name else fresh(new or "unnamed", taken)
        taken.add(names[name])
    return names


def _with_texts(value: Value, in_text: bool) -> Iterator[tuple[ex.Input, bool]]:
    """The references to inputs, each with whether ``concat`` makes text of it."""
    if isinstance(value, ex.Input):
        yield value, in_text and not value.keys
    if isinstance(value, ex.Expr):
        for name in ex.field_names(type(value)):
            yield from _with_texts(getattr(value, name), isinstance(value, ex.Concat))
    elif isinstance(value, (dict, list, tuple)):
        inside = in_text and isinstance(value, tuple)
        for item in value.values() if isinstance(value, dict) else value:
            yield from _with_texts(item, inside)


def _values(topology: Topology) -> list[Value]:
    """Everything in a topology that may hold expressions."""
    found: list[Value] = [[item.default for item in topology.inputs.values()], list(topology.conditions.values())]
    for node in topology.nodes.values():
        found += [node.properties, node.declared, node.external_id, node.external_name, node.instances, node.condition]
        found.append(node.limits)
        found += [operation.inputs for operation in node.operations]
    for output in (*topology.outputs.values(), *topology.capabilities.values()):
        found += [output.value, output.condition]
    return found
