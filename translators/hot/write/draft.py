"""A resource in the making."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.hot import resource_types


@dataclass(eq=False, repr=False)
class Draft:
    """A resource in the making. ``node``: the node that it is made for; ``part``: it is not the node's own resource but
    one more (a configuration, a deployment). Names in ``depends_on`` and in values are those of HOT."""

    node: Node
    name: str
    type: str
    properties: dict[str, Value] = field(default_factory=dict)
    depends_on: list[str] = field(default_factory=list)
    condition: Value = MISSING
    external_id: Value = MISSING
    #: how many (MISSING: one, without a group)
    count: Value = MISSING
    #: the least and the greatest number (MISSING: no limit)
    limits: tuple[Value, Value] = (MISSING, MISSING)
    extra: dict[str, Any] = field(default_factory=dict)
    part: bool = False
    #: (place in the source, place in the template), for comments
    moves: list[tuple[Path, Path]] = field(default_factory=list)

    @property
    def stand_in(self) -> bool:
        """True when it creates nothing."""
        return self.type == resource_types.NONE

    def place(self, *steps: Any) -> Path:
        """The place of a property in the template."""
        member = "resource_def" if self.limits[1] is MISSING else "resource"
        inside = () if self.count is MISSING else ("properties", member)
        return ("resources", self.name, *inside, "properties", *steps)

    def targets(self) -> dict[str, ex.Expr]:
        """The resources that the values refer to, and the first reference to each."""
        found: dict[str, ex.Expr] = {}
        for value in ex.walk((self.properties, self.count, self.limits, self.extra.get("metadata"))):
            if isinstance(value, (ex.Identity, ex.Attribute)) and isinstance(value.node, str):
                found.setdefault(value.node, value)
        return found
