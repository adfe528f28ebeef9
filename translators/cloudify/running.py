"""What Cloudify records of a deployment: the list of its node instances (``cfy node-instances list --json``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models.running import Existing, Recorded
from bpconvert.translators.cloudify.openstack import manager_keys
from bpconvert.translators.support.places import entries, inside, items

#: the state of an instance that has been installed
_STARTED: Final = "started"
#: the type of a node that draws a text
_PASSWORD: Final = "cloudify.nodes.PasswordSecret"


def exported(data: Any) -> Recorded:
    """Cloudify exports no deployment as a whole. Raises ValueError, which says so."""
    raise ValueError("a blueprint is taken over with the list of its node instances")


def unlike(recorded: Recorded, rows: Any) -> list[tuple[str, str]]:
    """There is no export that a list could differ from."""
    return []


def flat(recorded: Recorded) -> Recorded:
    """The deployment as it is: node instances are those of one blueprint."""
    return recorded


def listed(blueprint: Any, rows: Any, inputs: Any) -> Recorded:
    """The deployment of a blueprint, as a list of its node instances has it; it does not depend on the values that were
    ``inputs``. Raises ValueError, with the reason, for what is no such list."""
    if not isinstance(rows, list) or not all(
        isinstance(row, dict)
        and isinstance(row.get("node_id"), str)
        and isinstance(row.get("runtime_properties"), (dict, type(None)))
        for row in rows
    ):
        raise ValueError("not a list of node instances: each has a 'node_id'")
    nodes = entries(blueprint, "node_templates")
    problems = [(row["node_id"], f"it is {row.get('state')}") for row in rows if row.get("state") != _STARTED]
    numbers = Counter(row["node_id"] for row in rows)
    problems += [(name, "the blueprint has no node of that name") for name in numbers if name not in nodes]
    by_node: dict[str, list[Existing]] = {}
    for row in rows:
        properties = row.get("runtime_properties") or {}
        drawn = properties.get("password") if inside(nodes, (row["node_id"], "type")) == _PASSWORD else None
        identity = properties.get("id", properties.get("external_id"))
        called, near = str(row.get("id") or ""), tuple(_near(row))
        own = "" if identity is None else str(identity)
        attributes = (
            manager_keys.yielded(properties) if inside(nodes, (row["node_id"], "type")) in manager_keys.TYPES else None
        )
        existing = Existing(own, data=properties, value=str(drawn or ""), called=called, near=near, yields=attributes)
        by_node.setdefault(row["node_id"], []).append(existing)
    running = {name: ones[0] if len(ones) == 1 else Existing("", members=tuple(ones)) for name, ones in by_node.items()}
    return Recorded(blueprint, running, problems=problems)


def _near(row: Mapping[str, Any]) -> Iterator[str]:
    """The instances to which one is related, where the list has them: its host, and targets of relationships."""
    related = [part for part in items(row.get("relationships")) if isinstance(part, dict)]
    targets = [relationship.get("target_id") for relationship in related]
    yield from (str(target) for target in (row.get("host_id"), *targets) if target and target != row.get("id"))
