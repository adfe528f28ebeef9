"""What is known of a deployment when a blueprint's values are computed, and the types of the DSL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.evaluate.facts import Facts, NotGiven


@dataclass(frozen=True, eq=False, repr=False)
class Deployment(Facts):
    """What is known of a deployment: ``attributes`` are runtime properties, ``resources`` the properties of nodes."""

    #: node and property -> its value after the deployment was prepared
    prepared: dict[tuple[str, Any], Any] = field(default_factory=dict)

    @cached_property
    def instances(self) -> dict[str, list[Mapping[str, Any]]]:
        """Node -> the runtime properties of each of its instances."""
        rows = {node: data if isinstance(data, list) else [data] for node, data in self.attributes.items()}
        return {node: [dict(found) for found in data] for node, data in rows.items()}

    def expect(self, node: Any, path: Path) -> None:
        """Raise :class:`NotGiven` for a node of which nothing is known."""
        if not isinstance(node, str) or (node not in self.resources and node not in self.instances):
            raise NotGiven(f"nothing is given of '{node}'", path)


def is_of(value: Any, kind: Any) -> bool:
    """True when a value is of one of the DSL's own types (``utils.parse_simple_type_value``)."""
    if kind == "regex":
        try:
            return isinstance(value, str) and re.compile(value) is not None
        except re.error:
            return False
    if kind in ("integer", "float") and isinstance(value, bool):
        return False
    taken = _TYPES.get(kind) if isinstance(kind, str) else None
    return taken is not None and isinstance(value, taken)


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "integer": (int,),
    "float": (int, float),
    "boolean": (bool,),
    "list": (list,),
    "dict": (dict,),
    **dict.fromkeys(
        (
            "string", "textarea", "deployment_id", "blueprint_id", "node_id", "node_type", "node_instance",
            "capability_value", "scaling_group", "secret_key", "operation_name",
        ),
        (object,),
    ),
}  # fmt: skip
