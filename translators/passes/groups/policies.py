"""What scales groups: nodes of the target's own types that came back."""

from __future__ import annotations

from bpconvert.models.expressions import MISSING, Identity
from bpconvert.models.topology import Topology
from bpconvert.translators.passes.request import Request


def refer_to_groups(topology: Topology, request: Request) -> Topology:
    """Let a policy that names its group refer to the node that the group is."""
    for node in topology.nodes.values():
        policy = request.target.group_types.policies.get(node.source_type)
        if policy is None or node.native != request.target.language or not isinstance(node.properties, dict):
            continue
        wanted = node.properties.get(policy.group)
        group = topology.group_nodes.get(wanted) if isinstance(wanted, str) else None
        found = topology.node(wanted) or topology.node(group)
        if found is not None and found.limits[1] is not MISSING:
            node.properties[policy.group] = Identity(found.name, path=node.origins.get((policy.group,), node.path))
    return topology
