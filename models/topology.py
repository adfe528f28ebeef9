"""The neutral template: nodes, dependencies, inputs, outputs. No dialect's spelling occurs here.

Values inside (``properties``, ``default``, ``value``, ...) are :data:`~bpconvert.models.expressions.Value`.
``path`` is always the place in the source document.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bpconvert.models.expressions import MISSING, Path, Value


@dataclass(eq=False, repr=False)
class Constraint:
    """One restriction of an input. ``kind`` is ``range`` {min, max}, ``length`` {min, max}, ``allowed_values`` [..],
    ``allowed_pattern`` text (must match whole), ``modulo`` {step, offset}, ``custom`` name."""

    kind: str
    argument: Any
    description: str | None = None
    path: Path = ()


@dataclass(eq=False, repr=False)
class Input:
    """A template parameter. ``type`` is ``string``, ``number``, ``boolean``, ``list`` (of text) or ``json``; None:
    unknown. ``default`` is already coerced to what a reference yields."""

    name: str
    type: str | None
    default: Value = MISSING
    label: str | None = None
    description: str | None = None
    #: None: not said
    hidden: bool | None = None
    constraints: list[Constraint] = field(default_factory=list)
    #: keys without a neutral meaning, as written (immutable, tags, ...)
    extra: dict[str, Any] = field(default_factory=dict)
    path: Path = ()


@dataclass(eq=False, repr=False)
class Node:
    """One resource. ``kind`` is its id in the type catalogue (None: unmapped), ``source_type`` the dialect's own name.
    For a known kind, ``properties`` has the catalogue's neutral names; else the source's."""

    name: str
    source_type: str
    kind: str | None = None
    properties: dict[str, Value] = field(default_factory=dict)
    #: neutral property name -> source key, where the source used an alias
    aliases: dict[str, str] = field(default_factory=dict)
    depends_on: list[str] = field(default_factory=list)
    #: ``depends_on`` is written as one text
    depends_on_text: bool = False
    condition: Value = MISSING
    #: resource-level keys without a neutral meaning, as written (update_policy, deletion_policy, metadata, ...)
    extra: dict[str, Any] = field(default_factory=dict)
    external_id: Value = MISSING
    path: Path = ()

    def dependency_path(self, index: int) -> Path:
        """The place of item ``index`` of ``depends_on`` in the source."""
        return (*self.path, "depends_on") if self.depends_on_text else (*self.path, "depends_on", index)


@dataclass(eq=False, repr=False)
class Output:
    """A value that the deployment publishes."""

    name: str
    value: Value
    description: str | None = None
    condition: Value = MISSING
    extra: dict[str, Any] = field(default_factory=dict)
    path: Path = ()


@dataclass(eq=False, repr=False)
class Topology:
    """A whole template."""

    dialect: str
    version: str
    description: str | None = None
    inputs: dict[str, Input] = field(default_factory=dict)
    conditions: dict[str, Value] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    outputs: dict[str, Output] = field(default_factory=dict)
