"""What a server needs only for the agent that runs deployments, where its operations run in another way."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.passes.work import Work

#: properties of a server for that agent only
_FOR_AGENT: Final = ("software_config_transport", "deployment_swift_data", "user_data_format")


def settle(work: Work) -> None:
    """Report what the machines of operations do not need any more."""
    for name in work.topology.machines:
        if not _has_deployments(work, name):
            _without_agent(work, work.topology.nodes[name])


def _has_deployments(work: Work, server: str) -> bool:
    """True where a deployment on the server still needs the agent."""
    for node in work.topology.nodes.values():
        if node.stand_in or node.kind is None:
            wanted = node.properties.get("server") if isinstance(node.properties, dict) else None
            if isinstance(wanted, ex.Identity) and wanted.node == server:
                return True
    return False


def _without_agent(work: Work, server: Node) -> None:
    for name in _FOR_AGENT:
        value = server.properties.get(name)
        if value is None or (name == "user_data_format" and value != "SOFTWARE_CONFIG"):
            continue
        server.settled.add(name)
        work.report("BPC726", server.origin(server.aliases.get(name, name)), name=name)
