"""Names of types: those of the standard, and those of OpenStack's resources.

A resource type of Heat has the name that its parts make: ``OS::Nova::Server`` is ``openstack.nova.Server``. Properties
and attributes have Heat's names and values, which are the neutral ones. The node type says in its metadata what it
stands for (``heat_name``)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from bpconvert.models.topology import Shown
from bpconvert.translators.catalogue.schemas import heat_types

#: beginning of the name of a resource type -> of the node type
_PREFIXES: Final = {"OS": "openstack", "AWS": "aws"}
#: the key of a node type's metadata that has the name of the resource type
HEAT_NAME: Final = "heat_name"
#: the directive for a node that exists already (Simple Profile 1.3, 3.4.3), and the attribute that has its id
SELECT: Final = "select"
EXISTING_ID: Final = "openstack_id"
#: the column of the catalogue with the types and properties that those of OpenStack have
COLUMN: Final = "hot"
#: the sections that define types
TYPE_SECTIONS: Final = (
    "artifact_types",
    "data_types",
    "capability_types",
    "interface_types",
    "relationship_types",
    "node_types",
    "group_types",
    "policy_types",
)
ROOT: Final = "tosca.nodes.Root"
DATA_ROOT: Final = "tosca.datatypes.Root"
COMPUTE: Final = "tosca.nodes.Compute"
#: the attributes with the address of a machine
ADDRESSES: Final = ("private_address", "public_address")
#: what node types have of their parents: attributes that are not declared again
INHERITED: Final = {
    ROOT: frozenset({"tosca_id", "tosca_name", "state"}),
    COMPUTE: frozenset({"tosca_id", "tosca_name", "state", "private_address", "public_address", "ports"}),
    "tosca.nodes.network.Network": frozenset({"tosca_id", "tosca_name", "state", "segmentation_id"}),
}
#: attributes of parents that are lists or maps: declared again where a path leads into one
INHERITED_DEEP: Final = {COMPUTE: frozenset({"networks"})}
#: what the names of types begin with that stand for documents
NESTED: Final = "nested."
#: the type of policies that are groups of servers
SERVER_GROUP_POLICY: Final = "openstack.policies.ServerGroup"
#: the type of policies that have numbers of instances
SCALING_POLICY: Final = "bpconvert.policies.Scaling"
#: the attribute that identifies a node
IDENTITY: Final = "tosca_id"
#: words that name a node by where they are used
RELATIVE: Final = ("SELF", "SOURCE", "TARGET", "HOST")
_STAND_IN: Final = "bpconvert.nodes."
#: the types of stand-ins: one has a number where the values of others have other types
_STAND_INS: Final = re.compile(re.escape(_STAND_IN) + r"(.+)Node(\.\d+)?")


def node_type(heat_name: str) -> str | None:
    """The node type of a resource type; None for what is no name of such a type."""
    first, *others = heat_name.split("::")
    if first not in _PREFIXES or len(others) < 2 or not all(others):
        return None
    return ".".join([_PREFIXES[first], others[0].lower(), *others[1:]])


def heat_name(type: str) -> str | None:
    """The resource type of a node type by its name; None where no resource type has such a node type."""
    return _names().get(type)


@cache
def _names() -> dict[str, str]:
    return {type_name: name for name in heat_types() if (type_name := node_type(name)) is not None}


def stand_in(title: str) -> tuple[str, Shown]:
    """The type of nodes that stand for resources of another engine, and what they show. ``title``: the engine."""
    word = title.lower()
    return f"{_STAND_IN}{title}Node", Shown(word, f"{word}_type", f"{word}_properties", f"{word}_operations")


def shown(types: Iterable[str]) -> Shown | None:
    """What a node of a type, given with its parents, shows of the resource that it stands for; None for no stand-in."""
    for name in types:
        title = _STAND_INS.fullmatch(name) if isinstance(name, str) else None
        if title is not None:
            return stand_in(title[1])[1]
    return None
