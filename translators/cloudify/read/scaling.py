"""Groups of a blueprint and the policies that scale them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models import cloudify
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.topology import Topology
from bpconvert.translators.cloudify.read.node_templates import report_limits
from bpconvert.translators.cloudify.vocabulary import CONTAINED_IN
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.toscalike.imports import Combined
from bpconvert.translators.toscalike.node_templates import RawNode
from bpconvert.translators.toscalike.scaling import RawGroup, Scaling
from bpconvert.translators.toscalike.types import Read

_SCALING: Final = "cloudify.policies.scaling"


def scale_groups(
    blueprint: cloudify.Blueprint, combined: Combined, raw: dict[str, RawNode], read: Read, reporter: Reports
) -> dict[str, RawGroup]:
    """The groups of several nodes; a group of one node becomes that node's number of instances. Everything else about
    groups is reported."""
    scaling = _Groups(blueprint, combined, read, reporter)
    for name in blueprint.policies:
        scaling.policy(name)
    for name in blueprint.groups:
        scaling.group(name)
    sets = {name: group.members for name, group in blueprint.groups.items()}
    return Scaling(scaling.groups, raw, sets, CONTAINED_IN).settled()


class _Groups:
    """Reads groups and the policies that scale them."""

    def __init__(self, blueprint: cloudify.Blueprint, combined: Combined, read: Read, reporter: Reports) -> None:
        self.blueprint = blueprint
        self.combined = combined
        self.read = read
        self.report: Callable[..., None] = reporter.report
        #: groups that policies have dealt with
        self.scaled: set[str] = set()
        self.groups: dict[str, RawGroup] = {}

    def _at(self, *path: Any) -> Path:
        return self.combined.place(path)

    def policy(self, name: str) -> None:
        """A scaling policy: the groups that it scales."""
        policy = self.blueprint.policies[name]
        path: Path = ("policies", name)
        if policy.type != _SCALING:
            self.report("BPC120", self._at(*path, "type"), problem=f"there is no policy type '{policy.type}'")
            return
        properties = policy.properties or cloudify.ScalingProperties()
        place = (*path, "properties")
        limits = report_limits(properties, place, self.combined, self.report, self.read)
        count = properties.default_instances
        for target in policy.targets:
            if target not in self.blueprint.groups:
                self.report("BPC120", self._at(*path, "targets"), problem=f"there is no group '{target}'")
                continue
            self.scaled.add(target)
            if count in (None, 1) and limits[1] is MISSING:
                self.report("BPC154", self._at(*path), name=target)
                continue
            counted = self._at(*place, *(("default_instances",) if count is not None else ()))
            wanted = 1 if count is None else self.read(count, (*place, "default_instances"))
            members = list(self.blueprint.groups[target].members)
            self.groups[target] = RawGroup(target, members, wanted, limits, counted, self._at(*path))

    def group(self, name: str) -> None:
        """A group that no scaling policy is about, and legacy policies of any."""
        group = self.blueprint.groups[name]
        path: Path = ("groups", name)
        for member in group.members:
            if member not in self.blueprint.node_templates and member not in self.blueprint.groups:
                self.report("BPC120", self._at(*path, "members"), problem=f"there is no node or group '{member}'")
        if group.policies:
            self.report("BPC148", self._at(*path), what=f"'{name}' of 'groups'", why="no policy watches its members")
        elif name not in self.scaled:
            what = f"'{name}' of 'groups'"
            self.report("BPC147", self._at(*path), what=what, why="a group without a policy does nothing")


def name_groups(topology: Topology, groups: dict[str, RawGroup], raw: dict[str, RawNode]) -> None:
    """Note which node each group has become: a group may be one node only."""
    for name, group in groups.items():
        found = next((one for one in (name, *group.nodes) if one in topology.nodes), None)
        if found is not None:
            topology.group_nodes[name] = found
    for name, node in raw.items():
        if node.scaling_group is not None and name in topology.nodes:
            topology.group_nodes.setdefault(node.scaling_group, name)
