"""Groups of a blueprint and the policies that scale them."""

from __future__ import annotations

from typing import Final

from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.plain import cloudify
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
    groups: dict[str, RawGroup] = {}
    for name in blueprint.policies:
        groups |= _scaled(blueprint, combined, read, reporter, name)
    _report_groups(blueprint, combined, reporter)
    sets = {name: group.members for name, group in blueprint.groups.items()}
    return Scaling(groups, raw, sets, CONTAINED_IN).settled()


def _scaled(
    blueprint: cloudify.Blueprint, combined: Combined, read: Read, reporter: Reports, name: str
) -> dict[str, RawGroup]:
    """The groups that a policy scales."""
    policy, at, groups = blueprint.policies[name], combined.place(("policies", name)), {}
    place = ("policies", name, "properties")
    if policy.type != _SCALING:
        problem = f"there is no policy type '{policy.type}'"
        reporter.report("BPC120", combined.place(("policies", name, "type")), problem=problem)
        return {}
    properties = policy.properties or cloudify.ScalingProperties()
    limits = report_limits(properties, place, combined, reporter.report, read)
    count = properties.default_instances
    for target in policy.targets:
        if target not in blueprint.groups:
            _missing(combined, reporter, ("policies", name, "targets"), "group", target)
        elif count in (None, 1) and limits[1] is MISSING:
            reporter.report("BPC154", at, name=target)
        else:
            counted = combined.place(place if count is None else (*place, "default_instances"))
            wanted = 1 if count is None else read(count, (*place, "default_instances"))
            groups[target] = RawGroup(target, list(blueprint.groups[target].members), wanted, limits, counted, at)
    return groups


def _missing(combined: Combined, reporter: Reports, place: Path, kind: str, name: str) -> None:
    """Report a name that nothing which is read defines."""
    if combined.partial:
        reporter.report("BPC965", combined.place(place), kind=kind, name=name, lost="it")
    else:
        reporter.report("BPC120", combined.place(place), problem=f"there is no {kind} '{name}'")


def _report_groups(blueprint: cloudify.Blueprint, combined: Combined, reporter: Reports) -> None:
    """Report the groups that no scaling policy is about, and the legacy policies of any."""
    scaled = {target for policy in blueprint.policies.values() if policy.type == _SCALING for target in policy.targets}
    for name, group in blueprint.groups.items():
        at, what = combined.place(("groups", name)), f"'{name}' of 'groups'"
        for member in group.members:
            if member not in blueprint.node_templates and member not in blueprint.groups:
                _missing(combined, reporter, ("groups", name, "members"), "node or group", member)
        if group.policies:
            reporter.report("BPC148", at, what=what, why="no policy watches its members")
        elif name not in scaled:
            reporter.report("BPC147", at, what=what, why="a group without a policy does nothing")


def name_groups(topology: Topology, groups: dict[str, RawGroup], raw: dict[str, RawNode]) -> None:
    """Note which node each group has become: a group may be one node only."""
    for name, group in groups.items():
        node_name = next((candidate for candidate in (name, *group.nodes) if candidate in topology.nodes), None)
        if node_name is not None:
            topology.group_nodes[name] = node_name
    for name, node in raw.items():
        if node.scaling_group is not None and name in topology.nodes:
            topology.group_nodes.setdefault(node.scaling_group, name)
