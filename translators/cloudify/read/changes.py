"""Workflows that change the number of a group's members, as policies of Heat: see :mod:`~.cloudify.changes`."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.plain import cloudify
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.cloudify import changes
from bpconvert.translators.cloudify.vocabulary import stand_in
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries
from bpconvert.translators.support.text import fresh
from bpconvert.translators.toscalike.imports import Combined

_ENGINE: Final = "Heat"
_POLICY: Final = "OS::Heat::ScalingPolicy"
#: its property that names the group
_GROUP: Final = "auto_scaling_group_id"


def add_changes(topology: Topology, blueprint: cloudify.Blueprint, combined: Combined, reporter: Reports) -> None:
    """Add a policy for each workflow that changes the number of a group with limits by a constant; report the others,
    which nobody can start elsewhere."""
    _refer(topology)
    written = entries(combined.data, "workflows")
    for name in blueprint.workflows or ():
        place, change = combined.place(("workflows", name)), changes.change(written.get(name))
        group = topology.nodes.get(topology.group_nodes.get(change[0], "")) if change is not None else None
        if change is None or group is None or group.limits[1] is MISSING:
            reporter.report("BPC148", place, what=f"'{name}' of 'workflows'", why="nobody can start it")
            continue
        _, delta, settings = change
        node = _policy(fresh(str(name), topology.nodes), group.name, delta, settings, place)
        topology.nodes[node.name] = node
        reporter.report("BPC952", place, name=name, group=change[0], delta=delta)


def _refer(topology: Topology) -> None:
    """Let the stand-ins of policies that name their group refer to the node that the group is."""
    shows = stand_in(_ENGINE)[1]
    for node in topology.nodes.values():
        properties = node.properties.get(shows.properties) if node.shows == shows else None
        if not isinstance(properties, dict) or node.properties.get(shows.type) != _POLICY:
            continue
        group = topology.nodes.get(topology.group_nodes.get(str(properties.get(_GROUP)), ""))
        if group is not None and group.limits[1] is not MISSING and isinstance(properties[_GROUP], str):
            identity = ex.Identity(group.name, path=node.origin(shows.properties, _GROUP))
            node.properties[shows.properties] = {**properties, _GROUP: identity}


def _policy(name: str, group: str, delta: int, settings: dict[str, int], place: ex.Path) -> Node:
    type, shows = stand_in(_ENGINE)
    node = Node(name, type, path=place, shows=shows)
    properties: dict[str, Any] = {
        _GROUP: ex.Identity(group, path=place),
        "adjustment_type": "change_in_capacity",
        "scaling_adjustment": delta,
        **settings,
    }
    node.properties = {shows.type: _POLICY, shows.properties: properties}
    node.origins[shows.properties,] = (*place, "parameters")
    return node
