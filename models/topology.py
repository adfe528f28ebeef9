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
class Operation:
    """What runs at a point of a node's life. ``interface`` and ``name`` as written (``cloudify.interfaces.lifecycle``,
    ``create``); ``implementation`` is a script's path or a plugin's function. ``target``: the other end of the
    relationship that the operation belongs to, None for the node's own; ``host``: ``source`` or ``target``, the side it
    runs on."""

    interface: str
    name: str
    implementation: str
    inputs: dict[str, Value] = field(default_factory=dict)
    target: str | None = None
    host: str = "source"
    #: keys without a neutral meaning, as written (executor, max_retries, ...)
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
    #: the name or id of an existing resource, where only services that look names up can use it
    external_name: Value = MISSING
    #: all properties under the source's own names, defaults of its types included: what a :class:`Property` names
    declared: dict[str, Value] = field(default_factory=dict)
    #: the node (by name) inside which this one runs, None for none
    host: str | None = None
    operations: list[Operation] = field(default_factory=list)
    #: how many of it are created (MISSING: one)
    instances: Value = MISSING
    #: the least and the greatest number that there may be later (MISSING: no limit)
    limits: tuple[Value, Value] = (MISSING, MISSING)
    #: the group (a node by name) with which it is scaled, None for none
    group: str | None = None
    #: it only stands for the nodes that are in it as their ``group``
    is_group: bool = False
    #: ``source_type``, its parent, ..., as far as they are known
    ancestry: list[str] = field(default_factory=list)
    #: the dialect of ``source_type`` where it is not the topology's (a stand-in that came back)
    native: str | None = None
    #: neutral property path -> its place in the source, where that is not ``properties.<name>`` of the node
    origins: dict[Path, Path] = field(default_factory=dict)
    #: the document that the node nests (:class:`~bpconvert.translators.nested.Interface`), None for none
    nested: Any = None
    path: Path = ()
    #: the place of the whole resource, where ``path`` is that of a definition inside of it
    outer: Path = ()

    @property
    def entry(self) -> Path:
        """The place of the resource in the source."""
        return self.outer or self.path

    def origin(self, *steps: Any) -> Path:
        """The place in the source of the property (or part of it) at ``steps``; that of the nearest known part."""
        for length in range(len(steps), -1, -1):
            found = self.origins.get(steps[:length])
            if found is not None:
                return (*found, *steps[length:])
        name = self.aliases.get(steps[0], steps[0]) if steps else None
        return (*self.path, "properties", name, *steps[1:]) if steps else (*self.path, "properties")

    def dependency_path(self, index: int) -> Path:
        """The place of item ``index`` of ``depends_on`` in the source."""
        return (*self.entry, "depends_on") if self.depends_on_text else (*self.entry, "depends_on", index)


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
    #: values that only other deployments read
    capabilities: dict[str, Output] = field(default_factory=dict)
    #: places of inputs that have been decided, and are gone
    decided: list[Path] = field(default_factory=list)
