"""Node templates and their relationships as written, completed with what their types say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import dataclass, field, replace
from bpconvert.models.topology import Operation

#: expressions that name a node
NODE_REFERENCES: Final = (ex.Attribute, ex.Property, ex.AttributeList, ex.AttributeDict)


@dataclass(eq=False, repr=False)
class RawRelationship:
    """A relationship as written; ``ancestry``: its type, the type's parent, ...; operations have an implementation."""

    type: str
    target: str
    ancestry: list[str] = field(default_factory=list)
    properties: dict[str, Any] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)
    #: operations of its type that the document switches off
    emptied: list[Operation] = field(default_factory=list)
    path: Path = ()


@dataclass(eq=False, repr=False)
class RawNode:
    """A node template as written, its calls read. ``ancestry``: its type, the type's parent, ...;
    ``is_open``: those are not known to the end; ``declared``: the properties with the defaults of all types;
    ``operations``: the types' and its own that have an implementation; ``emptied``: those of its type that the document
    switches off."""

    name: str
    type: str
    ancestry: list[str] = field(default_factory=list)
    is_open: bool = False
    properties: dict[str, Value] = field(default_factory=dict)
    declared: dict[str, Value] = field(default_factory=dict)
    relationships: list[RawRelationship] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    emptied: list[Operation] = field(default_factory=list)
    instances: Value = MISSING
    #: the least and the greatest number of them
    limits: tuple[Value, Value] = (MISSING, MISSING)
    #: the scaling group of several nodes that it is in
    group: str | None = None
    #: the scaling group that it was alone in
    scaling_group: str | None = None
    #: where their number stands
    counted: Path = ()
    path: Path = ()

    @property
    def is_scaled(self) -> bool:
        """True when there may be several of it."""
        return self.instances is not MISSING or self.limits[1] is not MISSING or self.group is not None


def renamed(value: Value, names: Mapping[str, str]) -> Value:
    """``value`` with the nodes of its references renamed (SELF, SOURCE, TARGET); fresh containers throughout."""
    if type(value) in ex.SCALARS:
        return value
    if isinstance(value, Expr):
        expr = ex.map_fields(value, lambda item: renamed(item, names))
        if isinstance(expr, NODE_REFERENCES) and isinstance(expr.node, str):
            name = names.get(expr.node)
            if name is not None:
                return replace(expr, node=name)
        return expr
    if isinstance(value, dict):
        return {key: item if type(item) in ex.SCALARS else renamed(item, names) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([renamed(item, names) for item in value])
    return value


def undefined_types(types: Mapping[Any, Any], nodes: Mapping[Any, Any]) -> Iterator[tuple[Any, str]]:
    """The nodes whose type is of a namespace in which the document defines ``types``, and is not among these."""
    spaces = {str(name).rpartition(".")[0] for name in types}
    for name, node in nodes.items():
        type = node.get("type") if isinstance(node, dict) else None
        if isinstance(type, str) and type not in types and type.rpartition(".")[0] in spaces:
            yield name, type
