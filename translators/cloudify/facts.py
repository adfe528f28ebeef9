"""What is known of a deployment when a blueprint's values are computed, and the types of the DSL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bpconvert.models.expressions import Path


class NotGiven(Exception):
    """The engine may know something that is needed, but it was not given. ``path`` is the place of the call."""

    def __init__(self, message: str, path: Path) -> None:
        super().__init__(message)
        self.message, self.path = message, path


@dataclass(eq=False, repr=False)
class Facts:
    """What is known of a deployment."""

    #: input -> value
    inputs: Mapping[str, Any]
    #: node -> its properties, with calls in them
    properties: Mapping[str, Mapping[str, Any]]
    #: node -> the runtime properties of each of its instances
    instances: Mapping[str, list[Mapping[str, Any]]]
    secrets: Mapping[str, Any]
    #: deployment -> capability -> value
    capabilities: Mapping[str, Mapping[str, Any]]
    #: group -> deployment -> capability -> value
    group_capabilities: Mapping[str, Mapping[str, Mapping[str, Any]]]
    #: capability of the environment -> value
    environment_capabilities: Mapping[str, Any]
    #: label of the deployment -> values
    labels: Mapping[str, list[Any]]
    #: ``deployment.id``, ``deployment.name``, ``deployment.blueprint``, ``deployment.owner``, ``tenant.name`` -> text
    system: Mapping[str, Any]
    #: ``ids`` and ``names`` of the deployments that use this one
    consumers: Mapping[str, list[str]] | None
    #: SELF, or SOURCE and TARGET -> node
    here: Mapping[str, str]
    #: node and property -> its value after the deployment was prepared
    prepared: dict[tuple[str, Any], Any] = field(default_factory=dict)

    def expect(self, node: Any, path: Path) -> None:
        """Raise :class:`NotGiven` for a node of which nothing is known."""
        if not isinstance(node, str) or (node not in self.properties and node not in self.instances):
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
