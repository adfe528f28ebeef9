"""Software configurations and deployments as operations of nodes, and configurations that are user data.

A deployment becomes a node inside its server, whose operations run the script of the configuration: the actions of
Heat (heat: software_deployment.py) are operations of Cloudify. A configuration has no node: it is a file of the bundle,
or the user data of a server. Only where its id leaves the template, it is a node that holds its text."""

from __future__ import annotations

from bpconvert.models.topology import Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import ALL


def as_operations(topology: Topology, request: Request) -> Topology:
    """Let deployments be operations of nodes, and configurations their scripts or user data."""
    if any(node.kind in ALL for node in topology.nodes.values()):
        from bpconvert.translators.passes.software.rewrite import Software  # few templates need it

        Software(topology, request).run()
    return topology
