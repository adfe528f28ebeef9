"""Software configurations and deployments as operations of nodes, and configurations that are user data.

A deployment becomes a node inside its server, whose operations run the script of the configuration: the actions of
Heat (heat: software_deployment.py) are operations of Cloudify. A configuration has no node: it is a file of the bundle,
or the user data of a server. Only where its id leaves the template, it is a node that holds its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.nodes import Nodes

#: kinds that are texts
CONFIGS = ("software_config", "multipart_mime")
_KINDS = frozenset({*CONFIGS, "software_deployment", "software_deployment_group"})


def prepare(nodes: Nodes) -> None:
    """Rewrite the topology before anything is decided about its nodes."""
    if any(node.kind in _KINDS for node in nodes.context.topology.nodes.values()):
        from bpconvert.translators.passes.software.rewrite import Software  # few templates need it

        Software(nodes).run()
