"""What makes neutral nodes of node templates.

A node template becomes one resource, several, or none: what exists already is a value where it is referred to. What
has been read of a template is noted by its place; the rest is reported (:mod:`.unread`)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.input_requests import InputRequest
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Constraint, Input, Node, Topology
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.schemas import heat_type, normative
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.places import entries
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca import DIALECT, column
from bpconvert.translators.tosca.column import NodeType
from bpconvert.translators.tosca.read import foreign, tacker
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.structures import Structures
from bpconvert.translators.tosca.read.types import NODE, Types
from bpconvert.translators.tosca.vocabulary import COLUMN, HEAT_NAME, heat_name, shown, stand_in

#: the engine of the resources that nodes become
ENGINE: Final = "Heat"
#: how the names of types begin whose properties are those of a resource
_OF_RESOURCES: Final = ("openstack.", "openstack:", "bpconvert.")


class Given(NamedTuple):
    """A value, and the place where it stands."""

    value: Value
    place: Path


class Role(NamedTuple):
    """How a node is read: as which kind, and what the catalogue says of its type."""

    kind: Kind
    type: NodeType


class _Either(Container[str]):
    """The names in one of several maps."""

    def __init__(self, *maps: Mapping[str, Any]) -> None:
        self._maps = maps

    def __contains__(self, name: object) -> bool:
        return any(name in names for names in self._maps)


class NodeBuilder:
    """The nodes of one service template on their way. ``nodes``: those that are made; ``parts``: node template -> what
    it has become beside the node of its name; ``existing``: node template of what exists already -> the value that
    names it; ``taken``: places of what has been read; ``plain``: node templates whose type is a resource's, property by
    property."""

    def __init__(
        self,
        topology: Topology,
        raw: Mapping[str, RawNode],
        types: Types,
        catalogue: Catalogue,
        reading: Reading,
    ) -> None:
        self.topology = topology
        self.raw = raw
        self.types = types
        self.catalogue = catalogue
        self.reading = reading
        self.structures = Structures(types, reading)
        self.nodes: dict[str, Node] = {}
        self.parts: dict[str, list[str]] = {}
        self.existing: dict[str, Value] = {}
        self.taken: set[Path] = set()
        #: places of properties that inform people or software, and no engine
        self.described: set[Path] = set()
        #: types that the catalogue knows -> the ids of their kinds
        self._known_types = catalogue.types(DIALECT)
        self.plain: set[str] = set()
        #: the result is for Tacker, which gives what the template asks for in one parameter
        self.tacker = reading.files.orchestrator == tacker.NAME and not reading.files.inner
        self._asked: dict[tuple[str, str, Path], ex.Input] = {}
        self._users: dict[str, list[RawNode]] = {}
        for node in raw.values():
            for target in dict.fromkeys(
                requirement.target for requirement in node.requirements if requirement.target is not None
            ):
                self._users.setdefault(target, []).append(node)

    def report(self, code: str, path: Path, **texts: Any) -> None:
        """Record a finding."""
        self.reading.findings.report(code, path, **texts)

    def users(self, name: str) -> list[RawNode]:
        """The nodes with a requirement that the node ``name`` fulfils."""
        return self._users.get(name, [])

    # -- what a node is ---------------------------------------------------------------------------------------

    def role(self, raw: RawNode) -> str | Role | None:
        """The resource type of OpenStack that a node stands for, or how its type is read; None for neither. The nearest
        parent decides, by what its metadata or its name means."""
        for name in raw.ancestry:
            metadata = (self.types.definition(NODE, name) or {}).get("metadata")
            heat = metadata.get(HEAT_NAME) if isinstance(metadata, dict) else None
            resource_type = heat if isinstance(heat, str) else heat_name(name) or foreign.resource_type(name)
            if resource_type is not None:
                return resource_type
            if name in self._known_types:
                row = column.node_type(self.catalogue, name)
                return None if row is None else Role(*row)
        return None

    # -- what is given ----------------------------------------------------------------------------------------

    def properties(self, raw: RawNode, unambiguous: Container[str] = ()) -> dict[str, Given]:
        """The properties that a template, or a type of the document, gives: defaults of the standard's types are what
        is meant anyway. What a type of someone's own adds is data of that type, whatever it is called, and is left
        out; ``unambiguous``: but for these."""
        properties = {}
        places = self.types.properties(NODE, raw.ancestry[0])
        for name, value in raw.declared.items():
            if name not in unambiguous and self.is_own(raw, name):
                self.described.add((*raw.path, "properties", name))
                continue
            if name in raw.properties:
                place: Path = (*raw.path, "properties", name)
            else:
                _, where = places[name]
                if self.types.defined(NODE, str(where[1])) is None and where[1] in normative()[NODE]:
                    continue
                place = (*where, "default")
            if value is not None:
                properties[name] = Given(value, place)
        return properties

    def take(self, properties: Mapping[str, Given], name: str) -> Given | None:
        """A property, which counts as read."""
        entry = properties.get(name)
        if entry is not None:
            self.taken.add(entry.place)
        return entry

    def read(self, entry: Given) -> Given:
        """What is given, which counts as read."""
        self.taken.add(entry.place)
        return entry

    def inner(self, entry: Given | None, *steps: Any) -> Given | None:
        """A part of what is given; None for nothing. It does not count as read yet."""
        value: Any
        value, place = (None, ()) if entry is None else entry
        for step in steps:
            try:
                value, place = value[step], (*place, step)
            except (LookupError, TypeError):
                return None
        return None if value is None else Given(value, place)

    def capability(self, raw: RawNode, name: str) -> dict[str, Given]:
        """The properties of a capability, those given by types as well."""
        own = raw.assigned.get(name, {})
        place = (*raw.path, "capabilities", name, "properties")
        properties = {key: Given(value, (*place, key)) for key, value in own.items() if value is not None}
        for key, value in raw.capabilities.get(name, {}).items():
            if key not in own and value is not None:
                properties[key] = Given(value, raw.path)
        return properties

    # -- what is made -----------------------------------------------------------------------------------------

    def properties_of(
        self, properties: Mapping[str, Given], type: str, skip: frozenset[str] = frozenset()
    ) -> dict[str, Given]:
        """Of what is given, the properties of a resource of this type, by name."""
        kind, schema = self.catalogue.kind_of(COLUMN, type), heat_type(type)
        names = schema["properties"] if schema is not None else kind.properties if kind is not None else ()
        own_properties = {name: entry for name, entry in properties.items() if name in names and name not in skip}
        self.taken.update(entry.place for entry in own_properties.values())
        return own_properties

    def renamed(self, raw: RawNode, properties: Mapping[str, Given], own: Mapping[str, Given]) -> dict[str, Given]:
        """Of what is given, the properties that the resource calls otherwise and that it does not have yet, ``own``."""
        role = self.role(raw)
        if role is None or isinstance(role, str):
            return {}
        types, renamed = column.types_of(role.kind), {}
        for theirs, mine in {**types.names, **role.type.names}.items():
            entry, values = properties.get(theirs), types.values.get(theirs)
            if entry is None or mine in own or mine in renamed:
                continue
            value = entry.value if values is None else values.get(str(entry.value).lower())
            if value is not None:
                renamed[mine] = Given(value, self.read(entry).place)
        return renamed

    def types_of(self, kind: str) -> column.ToscaTypes:
        """What the catalogue says of the node types of a kind."""
        return column.types_of(self.catalogue.kind(kind))

    def is_own(self, raw: RawNode, name: str, section: str = "properties") -> bool:
        """True for a property, or what else a ``section`` of types has, that only types of someone's own have: none of
        the standard, and none that is known by its name."""
        owners = [
            ancestor for ancestor in raw.ancestry if name in entries(self.types.definition(NODE, ancestor), section)
        ]
        return bool(owners) and all(self._is_own_type(owner) for owner in owners)

    def _is_own_type(self, name: str) -> bool:
        row = column.node_type(self.catalogue, name) if name in self._known_types else None
        is_mapped = name in normative().get(NODE, {}) or (row is not None and not row[1].own)
        return not is_mapped and not name.startswith(_OF_RESOURCES)

    def resource(
        self, raw: RawNode, type: str, properties: Mapping[str, Given], part: str = "", path: Path = ()
    ) -> Node:
        """The node of a template as a resource of ``type``; ``part``: a further one of this name. ``path``: its place,
        where that is not the template's."""
        name = fresh(part, _Either(self.raw, self.nodes)) if part else raw.name
        node = Node(name, raw.type, ancestry=raw.ancestry, path=path or raw.path)
        kind = self.catalogue.kind_of(COLUMN, type)
        if kind is not None and kind.is_neutral(type):
            node.kind, node.source_type = kind.kind, type
        else:
            node.shows = stand_in(ENGINE)[1]
            node.properties = {node.shows.type: type, node.shows.properties: {}}
            node.origins[node.shows.properties,] = (*raw.path, "properties")
        for key, entry in properties.items():
            self.put(node, key, entry)
        if not part:
            node.declared = raw.declared
        else:
            self.parts.setdefault(raw.name, []).append(name)
        self.nodes[name] = node
        return node

    def visible(self, raw: RawNode) -> None:
        """The node of a template that nothing is like: it shows what there is."""
        node = self.nodes[raw.name] = Node(raw.name, raw.type, ancestry=raw.ancestry, path=raw.path)
        node.properties, node.declared, node.is_open = dict(raw.properties), raw.declared, raw.is_open
        node.shows = shown(raw.ancestry)
        self.taken.add((*raw.path, "properties"))

    def put(self, node: Node, name: str, entry: Given) -> None:
        """Give a resource a property."""
        steps: Path = (name,)
        properties: dict[Any, Value] = node.properties
        if node.shows is not None:
            steps, properties = (node.shows.properties, name), node.properties[node.shows.properties]
        properties[name] = entry.value
        node.origins[steps] = entry.place

    def exists(self, raw: RawNode, entry: Given) -> None:
        """What a template stands for is there already, under this name or id."""
        self.existing[raw.name] = entry.value
        self.report("BPC815", entry.place, name=raw.name)

    def ask(
        self,
        name: str,
        description: str,
        path: Path,
        custom: str = "",
        type: str = "string",
        asked: InputRequest | None = None,
        part: Path = (),
    ) -> ex.Input:
        """A new input, that asks for what the document does not give. ``custom``: what it is the name of; ``asked``:
        that in numbers and words; ``part``: what Tacker calls it."""
        key = (name, description, path)
        if key in self._asked:  # by another instance of the same template
            return self._asked[key]
        if part and self.tacker:
            wanted = Input(name, type, description=description, path=path)
            return tacker.ask_to_give(self.topology, wanted, part, self.reading.findings)
        name = fresh(name, self.topology.inputs)
        required_input = Input(name, type, description=description, path=path, asked=asked, added=True)
        if custom:
            required_input.constraints.append(Constraint("custom", custom, path=path))
        self.topology.inputs[name] = required_input
        self._asked[key] = ex.Input(name, path=path)
        return self._asked[key]

    def carried(self, place: Path, name: Any, node: str, why: str = "") -> None:
        """Something has no counterpart, and stays in the record only."""
        self.taken.add(place)
        self.report("BPC810", place, name=name, node=node, why=f": {why}" if why else "")

    # -- what refers to what ----------------------------------------------------------------------------------

    def reference(self, name: str, path: Path) -> Value:
        """What identifies the resource of a node template."""
        return self.existing[name] if name in self.existing else ex.Identity(name, path=path)

    def wait(self, node: Node, target: str, path: Path) -> None:
        """Let a node wait for all that a node template has become."""
        if target not in self.existing:
            node.wait_for(target, *self.parts.get(target, ()), path=path)

    def kind(self, name: str | None) -> str | None:
        """The kind of the node of this name."""
        node = self.nodes.get(name) if name is not None else None
        return node.kind if node is not None else None

    def is_network(self, name: str | None) -> bool:
        """True for the template of a network, also of one that exists."""
        raw = None if name is None else self.raw.get(name)
        return self.kind(name) in NETWORKS or (raw is not None and raw.name in self.existing and not is_volume(raw))


#: kinds of networks
NETWORKS: Final = ("net", "provider_net")
#: properties, of several types, that inform people and no engine
TELLING: Final = frozenset({
    "description", "vendor", "layer_protocols", "layer_protocol", "associated_layer_protocol",
})  # fmt: skip
VOLUME: Final = "tosca.nodes.Storage.BlockStorage"


def is_volume(raw: RawNode) -> bool:
    """True for the template of a volume."""
    return raw.is_a(VOLUME)
