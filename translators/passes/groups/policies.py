"""What scales groups: nodes of another language's own types, in a document that only shows them."""

from __future__ import annotations

from bpconvert.models.expressions import MISSING, Identity
from bpconvert.models.topology import Topology
from bpconvert.translators.passes.capabilities import Capabilities
from bpconvert.translators.passes.request import Request


def refer_to_groups(topology: Topology, request: Request) -> Topology:
    """Let a policy of the target's that names its group refer to the node that the group is."""
    refer(topology, request.target)
    return topology


def refer(topology: Topology, language: Capabilities) -> None:
    """Let the policies of ``language`` in a topology of another one refer to the nodes that their groups are."""
    for node in topology.nodes.values():
        policy = language.group_types.policies.get(node.source_type)
        if policy is None or node.native != language.language or not isinstance(node.properties, dict):
            continue
        wanted = node.properties.get(policy.group)
        group = topology.group_nodes.get(wanted) if isinstance(wanted, str) else None
        found = topology.node(wanted) or topology.node(group)
        if found is not None and found.limits[1] is not MISSING:
            path = node.origins.get((policy.group,), node.path)
            node.properties = {**node.properties, policy.group: Identity(found.name, path=path)}
