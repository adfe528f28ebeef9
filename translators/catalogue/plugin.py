"""What the catalogue knows about Cloudify's OpenStack plugin beside its kinds: what its relationships do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from bpconvert.translators.catalogue.model import Kind, Lift, Only, PropertyRule, Split

#: what a relationship sets: the property, the key in it (None for the whole), and the rule
Filled: TypeAlias = tuple[str, str | None, PropertyRule]


class Plugin:
    """Lookups by the kinds that a relationship connects. ``kind``: finds a kind by its id; ``index``: the catalogue's.

    ``splits``: relationships that are resources of their own in Heat; ``without_effect``: short names of those that
    only order; ``only``: paths of properties that all node types have and Heat has not."""

    def __init__(self, kind: Callable[[str | None], Kind | None], index: Mapping[str, Any]) -> None:
        self._kind = kind
        self.splits = [Split(**row) for row in index["splits"]]
        self.without_effect: frozenset[str] = frozenset(index["without_effect"])
        self.only: dict[str, Only] = {path: Only(**row) for path, row in index["only"].items()}
        self._fills: dict[str, dict[str, list[tuple[Lift, Filled]]]] = {}

    def fill(self, source: Kind, target: str | None, relationships: Collection[str]) -> Filled | None:
        """What a relationship between nodes of these kinds sets; ``relationships``: its type and the type's parents,
        which other plugins than that of OpenStack go by."""
        if source.kind not in self._fills:
            self._fills[source.kind] = _fills(source)
        rows = self._fills[source.kind].get(target or "", [])
        if is_openstack(source) and is_openstack(self._kind(target)):
            short = set(map(_short, relationships))  # 2.x has other prefixes
            return next((row for lift, row in rows if not lift.exact or _short(lift.relationship) in short), None)
        return next((row for lift, row in rows if lift.relationship in relationships), None)

    def split(self, source: str | None, target: str | None, relationships: Collection[str]) -> Split | None:
        """The resource that a relationship between nodes of these kinds is; ``relationships``: the short names of its
        type and the type's parents."""
        for row in self.splits:
            if row.source == source and row.target == target and row.relationship in relationships:
                return row
        return None

    def side_effect(self, source: str | None, target: str | None) -> str | None:
        """What the plugin does on any relationship between nodes of these kinds (None: nothing)."""
        kind = self._kind(source)
        return None if kind is None else kind.side_effects.get(target or "")


def is_openstack(kind: Kind | None) -> bool:
    """True for a kind that is a node of the OpenStack plugin."""
    type = kind.cloudify if kind is not None else None
    return type is not None and not type.plain and type.service is None


def _fills(source: Kind) -> dict[str, list[tuple[Lift, Filled]]]:
    """Kind of the target -> what relationships to it set."""
    fills: dict[str, list[tuple[Lift, Filled]]] = {}
    for name, rule in source.properties.items():
        for key, part in ((None, rule), *rule.each.items()):
            if part.lift is not None and (not part.lift.keep or part.lift.fill == "absent"):
                for kind in part.lift.targets:
                    fills.setdefault(kind, []).append((part.lift, (name, key, part)))
    return fills


def _short(relationship: str) -> str:
    return relationship.rsplit(".", 1)[-1]
