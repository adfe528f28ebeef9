"""How a language writes groups of nodes: what its package knows of its own types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bpconvert.diagnostics import Reporter
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import Kind


@dataclass(frozen=True, eq=False, repr=False)
class GroupType:
    """A type of nodes that stand for several. ``definition``: the property that defines one of them, a map with
    ``type`` and ``properties``; ``scales``: it has a least and a greatest size."""

    definition: str
    scales: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class PolicyType:
    """A type of nodes that scale a group. ``group``: the property that names the group; ``step``: the one with
    the change; ``meaning``: the one with what the step means; ``by_number``: its value where the step is
    a number of members."""

    group: str
    step: str
    meaning: str
    by_number: str


def _as_it_is(node: Node, kind: Kind | None, reporter: Reporter) -> None:
    pass


@dataclass(frozen=True, eq=False, repr=False)
class Groups:
    """The types of groups and of their policies. ``paths_since``: the version from which a path selects from each
    member's value, before that from the list of all. ``neutral``: gives a member's properties their neutral names."""

    types: Mapping[str, GroupType] = field(default_factory=dict)
    policies: Mapping[str, PolicyType] = field(default_factory=dict)
    paths_since: str = ""
    neutral: Callable[[Node, Kind | None, Reporter], None] = _as_it_is

    def definition(self, type: str) -> str | None:
        """The property that defines a member of a node of this type; None where it is no group."""
        found = self.types.get(type)
        return found.definition if found is not None else None
