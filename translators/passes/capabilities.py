"""What a language can express, as data: what passes and writers ask instead of asking which language it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bpconvert.models.topology import Topology
from bpconvert.translators.passes.group_types import Groups
from bpconvert.translators.passes.programs import Software
from bpconvert.translators.passes.words import Words


def _nothing(topology: Topology, part_of: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return ()


@dataclass(frozen=True, eq=False, repr=False)
class Capabilities:
    """What one language can express.

    language: its name among the dialects.
    title: the name of its engine, as messages use it (``Heat``).
    conditions: values and nodes that depend on a condition.
    references: ``values`` (a property refers to another node) or ``relationships`` (a reference between nodes is one).
    software: ``deployments`` (resources of their own) or ``operations`` (of the nodes' interfaces); "" for neither.
    groups: ``templates`` (a group has a template of its member) or ``scaling`` (nodes are members of a group, which a
        policy scales); "" for neither.
    nesting: ``templates`` or ``components``; "" for neither.
    nested_identity: the output of a nested document that is what identifies the nesting node; "" for none.
    document_types: endings of types of nodes that are names of nested documents.
    group_types: its types of groups, and of what scales them.
    shared_by_instances: kind -> why the instances of one node of it cannot be the members of a group.
    programs: how it runs programs on machines.
    ascii_only: texts beyond ASCII are refused everywhere.
    waits: (node, what it waits for) of what its engine orders though the document does not say so. It is given the
        topology, and node that is part of another -> that other one.
    words: its words.
    keeps: names of features without a neutral form that it has a place for (see :class:`~.topology.Feature`)."""

    title: str
    conditions: bool = False
    references: str = "values"
    software: str = ""
    groups: str = ""
    nesting: str = ""
    nested_identity: str = ""
    document_types: tuple[str, ...] = ()
    group_types: Groups = field(default_factory=Groups)
    shared_by_instances: Mapping[str, str] = field(default_factory=dict)
    programs: Software = field(default_factory=Software)
    ascii_only: bool = False
    waits: Callable[[Topology, Mapping[str, str]], Iterable[tuple[str, str]]] = _nothing
    words: Words = field(default_factory=Words)
    keeps: frozenset[str] = frozenset()
    language: str = ""
