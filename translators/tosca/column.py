"""TOSCA's column of the catalogue: what a file of a kind has under ``tosca``.

A resource's own node type has the properties, attributes and values of the resource; for that a file says nothing, or
what else the type has. All other node types that are read as the kind are in ``accept``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from bpconvert.models.light import dataclass, field
from bpconvert.translators.catalogue.model import Column, Kind, Strict
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.places import mapped
from bpconvert.translators.tosca import DIALECT, vocabulary
from bpconvert.translators.tosca.vocabulary import ROOT

#: what hooks of node types are for
PURPOSE: Final = "node type"


@dataclass(eq=False, repr=False)
class Requirement(Strict):
    """A requirement that is a property of the resource.

    to: dotted path of the property; of a list, it is one more item, or a map with that key.
    targets: the kinds whose nodes are such a property; others are only waited for."""

    to: str
    targets: list[str]


@dataclass(eq=False, repr=False)
class OwnRequirement(Strict):
    """A requirement of the resource's node type.

    capability: type of the capability that it needs.
    node: type of the nodes that have that.
    relationship: type of the relationship.
    occurrences: how often it can be there.
    to: the property that it is written in place of, and read as, where that is a node of the template; default: none.
    targets: the kinds of such nodes."""

    capability: str
    node: str
    relationship: str
    occurrences: list[Any] = field(default_factory=list)
    to: str = ""
    targets: list[str] = field(default_factory=list)

    def definition(self) -> dict[str, Any]:
        """The definition, as the node type has it."""
        often = {"occurrences": [*self.occurrences]} if self.occurrences else {}
        return {"capability": self.capability, "node": self.node, "relationship": self.relationship, **often}


@dataclass(eq=False, repr=False)
class Attribute(Strict):
    """An attribute of the standard's types, and of others, as what the resource has.

    to: dotted path of the resource's attribute.
    identity: it identifies the resource.
    property: it is this property of the resource, where that is given.
    note: a difference worth reporting (BPC818)."""

    to: str = ""
    identity: bool = False
    property: str | None = None
    note: str | None = None


@dataclass(eq=False, repr=False)
class NodeType(Strict):
    """How a node of a type is read as the kind; so is one of a type that is derived from it.

    means: what it is read as, in words; ``{}`` stands for those of the kind.
    hook: a function of ``translators/tosca/read/hooks.py``, where data cannot express it.
    names: property of the node type -> the resource's, where that has another name.
    split: properties of the resource that are texts with commas there.
    networks: properties that name the network of a server.
    requirements: requirement -> the property of the resource that it is.
    engine: operations that make the resource, as OpenStack does here.
    own: its properties mean what its type says, also those that are called as the resource's."""

    means: str = "{}"
    hook: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    split: list[str] = field(default_factory=list)
    networks: list[str] = field(default_factory=list)
    requirements: dict[str, Requirement] = field(default_factory=dict)
    engine: list[str] = field(default_factory=list)
    own: bool = False


@dataclass(eq=False, repr=False)
class ToscaTypes(Strict):
    """What a kind has under ``tosca``: what TOSCA has of it beside the properties and attributes of the resource.

    type: the resource's node type; default: the name of the resource type as ``openstack.nova.Server`` has it.
    parent: the type of the standard that this is derived from; default: ``tosca.nodes.Root``.
    properties: properties of it that the resource does not have -> their types.
    requirements: requirements of it, which say what a property or another resource says in Heat (see *Requirement of a
        resource*).
    capabilities: capabilities that it has beside those of its parent.
    means: what other node types are read as, in words; default: the resource's type.
    names: property of other node types -> the resource's, where that has another name.
    values: property of other node types -> its values, in small letters -> those of the resource.
    unambiguous: properties of the resource that nobody else calls so: they mean that also where someone's own type has
        them.
    attributes: attribute of other node types -> what it is (see *Attribute in TOSCA*).
    accept: node types of the standard, and of other tools, that are read as the kind (see *Node type in TOSCA*)."""

    type: str = ""
    parent: str = ROOT
    properties: dict[str, str] = field(default_factory=dict)
    requirements: dict[str, OwnRequirement] = field(default_factory=dict)
    capabilities: dict[str, dict[str, Any]] = field(default_factory=dict)
    means: str = ""
    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    unambiguous: list[str] = field(default_factory=list)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    accept: dict[str, NodeType] = field(default_factory=dict)


def _types(kind: Kind) -> list[str]:
    part = kind.columns.get(DIALECT, {})
    return [*([part["type"]] if "type" in part else ()), *part.get("accept", ())]


def _hooks(part: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    for name, row in part.get("accept", {}).items():
        if row.get("hook") is not None:
            yield ("accept", name, "hook"), PURPOSE, row["hook"]


COLUMN: Final = Column(DIALECT, _types, _types, exclusive=True, model=ToscaTypes, hooks=_hooks)


@lru_cache(maxsize=256)
def types_of(kind: Kind | None) -> ToscaTypes:
    """The column of a kind."""
    data = mapped(kind.columns.get(DIALECT, {}), lambda part: part) if kind is not None else {}
    rows = {name: _node_type(row) for name, row in data.get("accept", {}).items()}
    attributes = {name: Attribute(**row) for name, row in data.get("attributes", {}).items()}
    requirements = {name: OwnRequirement(**row) for name, row in data.get("requirements", {}).items()}
    return ToscaTypes(**{**data, "requirements": requirements, "attributes": attributes, "accept": rows})


def _node_type(data: dict[str, Any]) -> NodeType:
    requirements = {name: Requirement(**row) for name, row in data.get("requirements", {}).items()}
    return NodeType(**{**data, "requirements": requirements})


def types_of_resource(catalogue: Catalogue, type: str) -> ToscaTypes:
    """The column of a resource type; an empty one for a type that has other properties than its kind."""
    kind = catalogue.kind_of(vocabulary.COLUMN, type, back=True)
    return types_of(kind if kind is not None and kind.is_neutral(type) else None)


def written_type(kind: Kind | None, type: str) -> str | None:
    """The node type of a resource type, which is of the kind; None for what is no name of such a type."""
    own = types_of(kind).type if kind is not None and type in kind.heat[:1] else ""
    return own or vocabulary.node_type(type)


def node_type(catalogue: Catalogue, name: str) -> tuple[Kind, NodeType] | None:
    """How nodes of a type are read, and as which kind; None where no file has the type."""
    kind = catalogue.kind_of(DIALECT, name)
    return None if kind is None else (kind, types_of(kind).accept.get(name) or NodeType())


def meaning(catalogue: Catalogue, name: str) -> str | None:
    """What nodes of a type are read as, in words; None where nothing is known."""
    row = node_type(catalogue, name)
    if row is None:
        return catalogue.otherwise_of(DIALECT).get(name)
    kind, accepted = row
    return accepted.means.replace("{}", types_of(kind).means or next(iter(kind.heat), kind.kind))
