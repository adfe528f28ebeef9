"""The nodes of one blueprint on their way into neutral form: what the steps of reading know in common."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import ORDER, NestedInterface, Node, Relationship, Topology
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.stand_ins import platform
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.calls import DIALECT
from bpconvert.translators.cloudify.openstack import manager_keys
from bpconvert.translators.cloudify.openstack.attributes import Runtime
from bpconvert.translators.cloudify.openstack.property_paths import Notes
from bpconvert.translators.cloudify.vocabulary import CONNECTED_TO, CONTAINED_IN, DEPENDS_ON
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import value_at
from bpconvert.translators.support.text import fresh
from bpconvert.translators.toscalike.node_templates import RawNode, RawRelationship

#: the kind of a text that is drawn
_DRAWN: Final = "random_string"
#: the property of a machine that says how its agent gets there
_AGENT: Final = "agent_config"


class ReadNodes:
    """The state of one :func:`neutralise`."""

    def __init__(self, topology: Topology, raw: dict[str, RawNode], catalogue: Catalogue, reporter: Reports) -> None:
        self.topology = topology
        self.raw = raw
        self.catalogue = catalogue
        self.reporter = reporter
        #: report something about a place of the blueprint
        self.report = reporter.report
        #: mapped nodes
        self.kinds: dict[str, Kind] = {}
        #: the mapped type that decides a node's kind
        self.mapped: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        #: nodes that a relationship became: node that had it -> their names
        self.made: dict[str, list[str]] = {}
        mapped = {name: kind_of(catalogue, node.ancestry or [node.type]) for name, node in raw.items()}
        if _is_of_another_platform(raw, mapped):
            mapped = {}
        for name, mapping in mapped.items():
            if mapping is not None:
                kind, self.mapped[name] = mapping
                is_key = mapping[1] in manager_keys.TYPES
                self.kinds[name] = replace(kind, kind=manager_keys.KIND) if is_key else kind
        self.runtime = Runtime(raw, self.kinds, reporter)
        #: a value with neutral names of attributes
        self.value: Callable[[Value], Any] = self.runtime.value
        #: components whose blueprint is converted
        self.components: dict[str, NestedInterface] = {}
        self.notes = Notes()
        #: the names of the blueprint's security groups, each with its node
        self.groups: list[tuple[Value, str]] = []
        #: volumes whose device_name a server has
        self.devices: set[str] = set()
        self._users: dict[str, dict[str, Path]] | None = None

    def kind_of(self, name: str) -> str | None:
        """The id of a node's kind, None for an unmapped one."""
        kind = self.kinds.get(name)
        return None if kind is None else kind.kind

    def wait(self, node: Node, target: str, path: Path) -> None:
        """Let a node wait for another one, which the relationship at ``path`` says."""
        if target != node.name and target not in node.awaited:
            node.wait_for(target, path=path)

    def keep(self, node: Node, relationship: RawRelationship) -> None:
        """Let a node have a relationship that nothing else says."""
        if relationship.target != node.name:
            is_awaited = relationship.target in node.awaited
            node.relationships.append(
                Relationship(
                    node.name,
                    relationship.target,
                    ORDER if relationship.type == DEPENDS_ON else relationship.type,
                    relationship.ancestry,
                    self.runtime.value(relationship.properties),
                    relationship.emptied,
                    is_awaited,
                    relationship.path,
                    CONTAINED_IN in (relationship.type, *relationship.ancestry),
                    CONNECTED_TO in (relationship.type, *relationship.ancestry),
                )
            )

    def users(self, target: str) -> dict[str, Path]:
        """The nodes that have a relationship to ``target``, and the place of each one's first."""
        if self._users is None:
            self._users = {}
            for name, node in self.raw.items():
                for relationship in node.relationships:
                    self._users.setdefault(relationship.target, {}).setdefault(name, relationship.path)
        return self._users.get(target, {})

    def add(self, node: Node, owner: str) -> None:
        """Add a node that the blueprint does not have; it stands after ``owner``."""
        node.name = fresh(node.name, self.nodes)
        self.nodes[node.name] = node
        self.made.setdefault(owner, []).append(node.name)
        node.group = self.raw[owner].group if owner in self.raw else None
        self.know(node)

    def know(self, node: Node) -> None:
        """Note the kind that a node has now."""
        kind = self.catalogue.kind(node.kind)
        if kind is not None:
            self.kinds[node.name] = kind

    def remove(self, name: str) -> None:
        """Take a node out that is part of another one."""
        del self.nodes[name]
        self.kinds.pop(name, None)

    def name_groups(self) -> None:
        """Find the names of security groups, each with its node."""
        for name, raw in self.raw.items():
            if self.kind_of(name) == "security_group":
                declared = self.value(raw.declared or raw.properties)
                inner = [declared.get(key) for key in ("security_group", "resource_config")]
                names = [
                    declared.get("resource_id"),
                    *(config.get("name") for config in inner if isinstance(config, dict)),
                ]
                self.groups += [(identity, name) for identity in (*names, name) if identity not in (None, "")]

    def by_default(self, value: Value) -> Value:
        """The text that a value is where nothing is given for the input that it is."""
        if not isinstance(value, ex.Input) or not isinstance(value.name, str) or value.name not in self.topology.inputs:
            return value
        try:
            return value_at(self.topology.inputs[value.name].default, value.keys)
        except (LookupError, TypeError):
            return value

    def called(self, name: Value, kinds: Collection[str], related: Collection[str]) -> str | None:
        """The node among ``related``, of one of ``kinds``, whose name is ``name``, at least by default."""
        text = self.by_default(name)
        for target in related if isinstance(text, str) and text else ():
            node = self.nodes.get(target)
            name_value = node.properties.get("name") if node is not None and self.kind_of(target) in kinds else None
            if name_value is not None and self.by_default(name_value) == text:
                return target
        return None

    def is_read(self, name: str, what: str, value: Value) -> bool:
        """True where something reads the property or attribute ``what`` of a node, or is the call ``value`` as well;
        how agents reach machines, and the properties of the node itself, do not count."""
        readers = self._readers.get((name, what), set())
        if isinstance(value, ex.Expr):
            readers = readers | self._readers.get(value, set())
        return bool(readers - {name})

    @cached_property
    def _readers(self) -> dict[ex.Expr | tuple[Value, Value], set[str]]:
        """Call, or node and property or attribute -> the nodes with it in their properties; "" for all else."""
        rows: list[tuple[str, list[Value]]] = [("", [output.value for output in self.topology.published])]
        for name, node in self.raw.items():
            rows.append((name, [value for key, value in node.properties.items() if key != _AGENT]))
            ends = [operation for relationship in node.relationships for operation in relationship.operations]
            rows.append(("", [operation.inputs for operation in (*node.operations, *ends)]))
        readers: dict[ex.Expr | tuple[Value, Value], set[str]] = {}
        for name, values in rows:
            for expr in ex.walk(values):
                readers.setdefault(expr, set()).add(name)
                place_read = (expr.node, expr.name) if isinstance(expr, (ex.Attribute, ex.Property)) else ()
                if place_read and all(isinstance(part, str) for part in place_read):
                    readers.setdefault(place_read, set()).add(name)
        return readers

    def references(self) -> Iterator[str]:
        """The name of a node, for every time that something names it."""
        values: list[Value] = []
        for node in self.nodes.values():
            yield from node.awaited
            yield from (operation.target for operation in node.operations if operation.target is not None)
            if node.host is not None:
                yield node.host
            values += [node.properties, node.external_id, node.external_name, node.instances]
            values += [operation.inputs for operation in node.operations]
        yield from self.mentioned(values)

    def mentioned(self, values: list[Value]) -> Iterator[str]:
        """The nodes that ``values``, outputs and defaults of inputs name, each as often as they do."""
        published = [output.value for output in self.topology.published]
        defaults = [declared.default for declared in self.topology.inputs.values()]
        for expr in ex.walk([published, defaults, values]):
            name = getattr(expr, "node", None)
            if isinstance(name, str):
                yield name


def kind_of(catalogue: Catalogue, ancestry: Sequence[str]) -> tuple[Kind, str] | None:
    """The kind of a node type, given with its parents, and the mapped type that decides it; None where it is not
    mapped.

    A type of another plugin that is derived from ``cloudify.nodes.Compute`` is no existing machine."""
    nearest = catalogue.nearest(DIALECT, ancestry)
    if nearest is None or not _is_core(*nearest):
        return nearest
    derived = ancestry[: ancestry.index(nearest[1])]
    return None if any(name.startswith("cloudify.") for name in derived) else nearest


def _is_of_another_platform(raw: dict[str, RawNode], mapped: dict[str, tuple[Kind, str] | None]) -> bool:
    """True where there are resources of another platform, and beside them only keys and passwords: these belong to
    what is not created."""
    kinds = [mapping for mapping in mapped.values() if mapping is not None]
    if any(mapping[1] not in manager_keys.TYPES and mapping[0].kind != _DRAWN for mapping in kinds):
        return False
    return any(platform(node.ancestry or [node.type]) for node in raw.values())


def _is_core(kind: Kind, node_type: str) -> bool:
    """True for a node type that comes with Cloudify itself."""
    row = kind.cloudify
    return row is None or (row.plain and row.plugin is None and node_type.startswith("cloudify.nodes."))
