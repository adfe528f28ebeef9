"""One of two documents that are compared: what its engine computes under given inputs and runtime values."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from bpconvert.diagnostics import Span
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import dataclass, field, replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import AttributeRule, Kind
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.comparing import configs, model
from bpconvert.translators.comparing.filling import REFUSED, unmarked
from bpconvert.translators.comparing.model import Comparison, Nodes
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.passes.expressions.kinds import VALUE
from bpconvert.translators.passes.groups.members import refer
from bpconvert.translators.passes.software.kinds import CONFIGS
from bpconvert.translators.passes.software.machines import on_each
from bpconvert.translators.passes.stand_ins import become
from bpconvert.translators.verify import draws, interfaces, members
from bpconvert.yamlio.document import Document

_COMPUTING: Final = object()
#: texts that are booleans for an engine
_TRUTHS: Final[dict[str, Value]] = {"true": True, "false": False}
#: a number of nodes has fewer digits
_DIGITS: Final = 6


@dataclass(eq=False, repr=False)
class World:
    """What both documents are computed under. ``shapes``: attribute -> the parts of it that are asked for;
    ``missing``: inputs for which no value was found."""

    seed: str
    inputs: dict[str, Value] = field(default_factory=dict)
    shapes: dict[str, draws.Shape] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    #: (component, name) -> what the nested documents publish, as far as it is known
    published: dict[tuple[str, str], Value] = field(default_factory=dict)
    #: component -> the names of what both nested documents publish
    exposed: dict[str, set[str]] = field(default_factory=dict)
    #: component -> what a reference to it yields, where the nested documents publish that
    identities: dict[str, Value] = field(default_factory=dict)
    #: that of the nesting document, which has the same secrets and project
    outer: World | None = None
    #: what has been drawn in it and in those of nested documents
    drawn: set[str] = field(default_factory=set)

    def inner(self, seed: str, inputs: dict[str, Value], shapes: dict[str, draws.Shape]) -> World:
        """That of a document that is nested in this one's."""
        return World(seed, inputs, shapes, outer=self, drawn=self.drawn)

    def attribute(self, node: str, name: str, kind: str | None = None, shape: draws.Shape | None = None) -> Value:
        """The value that an attribute has at run time. ``kind``: its type in Heat's schema; ``shape``: the
        parts of it that are asked for."""
        if (node, name) in self.published:
            return self.published[node, name]
        self.drawn.add(name)
        choose = random.Random(f"{self.seed} {node} {name}")
        shape = shape or self.shapes.get(name, {})
        if name == draws.ADDRESSES:
            return draws.addresses(shape, choose)
        if not shape and kind in ("list", "map"):
            shape = {1: {}} if kind == "list" else {"first": {}, "second": {}}
        return draws.shaped(shape, choose)

    def parts(self, component: str, attribute: str) -> list[str]:
        """The names in an attribute that has all that a component publishes: those that it does, and what is asked for
        and no component publishes."""
        own, all_exposed = self.exposed.get(component), set().union(*self.exposed.values())
        asked = [name for name in self.shapes.get(attribute, {}) if isinstance(name, str)]
        return asked if own is None else [*own, *(name for name in asked if name not in all_exposed)]

    def fact(self, name: str) -> str:
        """A text that is known of the deployment, or a secret."""
        if self.outer is not None and not name.startswith("deployment."):
            return self.outer.fact(name)
        self.drawn.add(name)
        return f"{name}-{random.Random(f'{self.seed} {name}').randrange(10**6)}"

    def secret(self, name: str) -> Value:
        """The value of a secret; that of the input of its name where there is one."""
        return self.inputs.get(name, self.fact(name)) if self.outer is None else self.outer.secret(name)


class Side(model.Side):
    """A document and its neutral form. ``names``: its nodes -> what both documents call them. A member of a group has
    the group's name with its number."""

    #: the one that was entered last
    world: World
    #: (node, attribute) -> its value under the present inputs
    _known: dict[tuple[str, str | None], Any]

    def __init__(self, document: Document, topology: Topology, catalogue: Catalogue, files: Files) -> None:
        self.document, self.topology, self.catalogue, self.files = document, topology, catalogue, files
        self.language = DIALECTS[topology.dialect].compared()
        #: nodes that only stand for what is not there -> their types
        self.stand_ins: dict[str, str] = {}
        on_each(topology)
        for name, node in topology.nodes.items():
            meant = topology.nodes[name] = represented(node, catalogue, self.language.nodes)
            if meant is not node and not self.language.nodes.creates_stand_ins:
                self.stand_ins[name] = node.source_type
        for language in {node.native for node in topology.nodes.values() if node.native is not None}:
            refer(topology, DIALECTS[language].capabilities())
        self.names = {}
        #: group -> what the other document calls the one with the same members
        self.called: dict[str, str] = {}
        self.graph: dict[str, set[str]] | None = None
        self.original: Side | None = None
        self.spread: set[str] = set()
        self.repeated: set[str] = set()
        self._references = None

    def language_of(self, node: Node) -> Comparison:
        """What the language of a node adds: that of the document, or of what the node stands for."""
        return self.language if node.native is None else DIALECTS[node.native].compared()

    def filled(self, topology: Topology, graph: dict[str, set[str]]) -> Side:
        """The same document after an engine filled it with values; ``graph``: what waits for what."""
        side = Side(self.document, topology, self.catalogue, self.files)
        side.original, side.graph = self, graph
        side.names, side.spread, side.repeated = self.names, self.spread, self.repeated
        side.called = self.called
        return side

    def enter(self, world: World) -> None:
        """Compute everything under ``world`` from now on."""
        topology = self.topology
        defaults = {n: d.default for n, d in topology.inputs.items() if d.default is not MISSING}
        self.world = world
        self.nodes, self.groups, self.more = dict(topology.nodes), {}, {}
        self._known = {}
        self.scope = Scope(
            inputs={**defaults, **world.inputs},
            conditions=topology.conditions,
            attributes=self._attributes,
            identities=_Lazy(lambda name: self._once(self.nodes[name], None), self.nodes),
            properties={name: node.declared or node.properties for name, node in topology.nodes.items()},
            secrets=_Lazy(world.secret, None),
            files=lambda name: self.files.look(name)[0],
            system=_Lazy(world.fact, None),
        )
        waiting = list(topology.nodes.values())
        for node in waiting:
            instances = {
                member.name: member for member in members.members_of(self, node, len(waiting) - len(topology.nodes))
            }
            if instances or self.language_of(node).nodes.is_group(node) or self.count(node) == 0:
                self.nodes.update(instances)
                self.groups[node.name] = list(instances)
                waiting += [member for member in instances.values() if self.language_of(member).nodes.is_group(member)]
        self._known = {}  # how many members there are was not known yet

    # -- values ---------------------------------------------------------------------------------------------

    def value(self, value: Value) -> Value:
        """What the engine computes; :data:`REFUSED` where it refuses. What cannot be known stays a call."""
        if ex.is_constant(value):
            return value if self.original is None else unmarked(value)
        try:
            folded = fold(members.spread(self, value), self.scope)
        except (Refused, RecursionError):
            return self._by_parts(value)
        if not ex.is_constant(folded) and any(map(self._leads_nowhere, ex.walk(folded))):
            return self._by_parts(value)
        return folded if self.original is None else unmarked(folded)

    def _leads_nowhere(self, expr: ex.Expr) -> bool:
        """True for a reference to a node, or the name of an input, that there is not."""
        if isinstance(expr, ex.Input):
            return isinstance(expr.name, str) and expr.name not in self.topology.inputs
        return isinstance(expr, ex.Identity) and isinstance(expr.node, str) and expr.node not in self.nodes

    def _by_parts(self, value: Value) -> Value:
        """Each part of a map or list by itself."""
        if isinstance(value, dict):
            return {key: self.value(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.value(part) for part in value]
        return REFUSED

    def count(self, node: Node) -> Any:
        """How many of a node there are: a text of digits is that number, which a user of the other document gives."""
        group = self.topology.node(node.group)
        instances = group.instances if group is not None and members.scaled_with(self, node) else node.instances
        number = 1 if instances is MISSING else self.value(instances)
        return int(number) if isinstance(number, str) and number.isdecimal() and len(number) < _DIGITS else number

    def identity(self, node: Node) -> Value:
        """What ``get_resource`` yields."""
        for existing in (node.external_id, node.external_name):
            if existing is not MISSING:
                return self.value(existing)
        if node.kind in CONFIGS:  # where an id of one is used, its text is meant
            return configs.text(self, node)
        if self.name_of(node.name) in self.world.identities:
            return self.world.identities[self.name_of(node.name)]
        if node.kind == "extra_route":  # heat: neutron/extrarouteset.py
            return self.value(node.value_of("router"))
        if node.kind == "router_interface" and (interface := self._interface(node)):
            return interface
        if node.kind == VALUE:
            return self.value(ex.Concat((ex.System("deployment.name"), f"-{self.name_of(node.name)}")))
        kind = self.catalogue.kind(node.kind)
        if kind is not None and kind.by_name and node.value_of("name") is not None:
            return self.value(node.value_of("name"))
        return f"{self.name_of(self.called.get(node.name, node.name))}-id"

    def _interface(self, node: Node) -> str:
        """The id of a router's interface (heat: neutron/router.py); "" where it is not known of what."""
        router, subnet, port = (node.value_of(key) for key in ("router", "subnet", "port"))
        end, other = ("port", port) if subnet is None else ("subnet", subnet)
        if not isinstance(router, ex.Identity) or not isinstance(other, ex.Identity):
            return ""
        return f"{self.value(router)}:{end}_id={self.value(other)}"

    def _deployed(self, node: Node) -> str:
        """What both call that which a node is: all instances of one that exists are the same."""
        group, _, number = node.name.rpartition(".")
        exists = node.external_id is not MISSING or node.external_name is not MISSING
        return self.name_of(group if exists and number.isdigit() and group in self.groups else node.name)

    def _attributes(self, name: str) -> Mapping[Any, Value] | None:
        node = self.nodes.get(name)
        return None if node is None else _Lazy(lambda attribute: self._once(node, attribute), None)

    def _once(self, node: Node, name: str | None) -> Value:
        """An attribute, of None the identity, computed when it is asked for first. Raises Refused where it depends on
        itself."""
        key = node.name, name
        if key not in self._known:
            self._known[key] = _COMPUTING
            try:
                self._known[key] = self.identity(node) if name is None else self.attribute(node, name)
            finally:
                if self._known[key] is _COMPUTING:
                    del self._known[key]
        if self._known[key] is _COMPUTING:
            raise Refused(f"a value of {node.name} depends on itself")
        return self._known[key]

    def attribute(self, node: Node, name: str) -> Value:
        """What ``get_attr`` yields of a node."""
        nesting = self.language_of(node).nesting
        if name in nesting.published and nesting.is_component(node):
            own = self.name_of(node.name)
            return {key: self.world.attribute(own, key) for key in self.world.parts(own, name)}
        if node.kind == "value" and name == "value":
            return self.value(node.value_of("value"))
        if node.kind in CONFIGS and name == "config":  # heat: software_config.py, ``_resolve_attribute``
            return configs.text(self, node)
        if name == "name" and node.external_name is not MISSING:  # it is found by its name
            return self.value(node.external_name)
        kind = self.catalogue.kind(node.kind)
        own = self.language_of(node).nodes.attribute(self, node, name)
        if own is not MISSING:
            return own
        rule = kind.attributes.get(name) if kind is not None else None
        answer = self._answer(node, kind, rule) if kind is not None and rule is not None else MISSING
        if (node.kind, name) == ("server", "first_address"):
            answer = interfaces.first_address(self, node)
        if answer is not MISSING:
            return answer
        schema = (kind.schema() if kind is not None else None) or {}
        declared = schema.get("attributes", {}).get(name, {})
        asked = rule.to if rule is not None and rule.to is not None else name
        shape = self.world.shapes.get(name)
        drawn = self.world.attribute(self._deployed(node), asked, declared.get("type"), shape)
        of_network = interfaces.ATTRIBUTES.get((node.kind, name))
        return drawn if of_network is None else of_network(self, node, drawn)

    def _answer(self, node: Node, kind: Kind, rule: AttributeRule) -> Value:
        """An attribute that a property of the node, or its identity, is; MISSING where none is."""
        if rule.to is not None and rule.to == kind.identity:
            return self.identity(node)
        wanted = rule.reference
        if rule.property is not None:
            wanted = next(
                (name for name, property_rule in kind.properties.items() if property_rule.to == rule.property), None
            )
        if (kind.kind, rule.hook) == ("volume", "volume_type_name"):  # Cinder yields the type's name
            return self._type_of_volume(node)
        if wanted is None or not isinstance(node.properties, dict):
            return MISSING
        if node.properties.get(wanted) is None:
            return self.language_of(node).nodes.default(kind, wanted)
        value, schema = self.value(node.properties[wanted]), kind.schema() or {}
        declared = schema.get("properties", {}).get(wanted, {})
        is_truth = declared.get("type") == "boolean" and isinstance(value, str)
        return _TRUTHS.get(str(value).lower(), value) if is_truth else value

    def _type_of_volume(self, node: Node) -> Value:
        """The name of a volume's type, where the document has it."""
        volume_type = node.value_of("volume_type")
        target = self.nodes.get(str(volume_type.node)) if isinstance(volume_type, ex.Identity) else None
        name = volume_type if target is None else target.value_of("name")
        return MISSING if name is None else self.value(name)

    # -- places ---------------------------------------------------------------------------------------------

    def place(self, path: tuple[Any, ...]) -> Span:
        """A place in the document."""
        line, column = self.document.locate(path)
        return Span(self.document.name, line, column)

    @cached_property
    def order(self) -> dict[str, set[str]]:
        """Node -> those that it waits for, whatever the inputs are."""
        return self.language.nodes.waits(self)


def represented(node: Node, catalogue: Catalogue, nodes: Nodes) -> Node:
    """What ``node`` is compared as: itself where it stands for nothing of a language that is known."""
    nodes.recognise(node, catalogue)
    shows = node.shows
    languages = [
        language
        for language in DIALECTS.values()
        if shows is not None and language.capabilities().is_called(shows.language)
    ]
    if shows is None or not languages or not node.properties.keys() <= set(shows[1:]):
        return node
    meant = replace(node, origins=dict(node.origins), aliases=dict(node.aliases))
    become(meant, shows, languages[0].name, catalogue)
    languages[0].compared().nodes.recognise(meant, catalogue)
    meant.operations = node.operations
    return meant


class _Lazy(Mapping[Any, Value]):
    """Values that are computed when they are asked for, by their names. ``names`` None: any text has one."""

    def __init__(self, compute: Callable[[str], Value], names: Mapping[str, Any] | None) -> None:
        self.compute, self.names = compute, names

    def __getitem__(self, key: Any) -> Value:
        if key not in self:
            raise KeyError(key)
        return self.compute(key)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and (self.names is None or key in self.names)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names or ())

    def __len__(self) -> int:
        return len(self.names or ())
