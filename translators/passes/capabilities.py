"""What a language can express, as data: what passes and writers ask instead of asking which language it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class Capabilities:
    """What one language can express.

    title: the name of its engine, as messages use it (``Heat``).
    conditions: values and nodes that depend on a condition.
    references: ``values`` (a property refers to another node) or ``relationships`` (a reference between nodes is one).
    software: ``deployments`` (resources of their own) or ``operations`` (of the nodes' interfaces); "" for neither.
    groups: ``resources`` (a group has a template of its member) or ``scaling`` (nodes are members of a group, which a
        policy scales); "" for neither.
    nesting: ``templates`` or ``components``; "" for neither.
    ascii_only: texts beyond ASCII are refused everywhere.
    keeps: names of features without a neutral form that it has a place for (see :class:`~.topology.Feature`)."""

    title: str
    conditions: bool = False
    references: str = "values"
    software: str = ""
    groups: str = ""
    nesting: str = ""
    ascii_only: bool = False
    keeps: frozenset[str] = frozenset()
