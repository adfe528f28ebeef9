"""Cloudify's agent on the servers that scripts run on, in place of Heat's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.nodes import Nodes

_USER, _KEY = "agent_user", "agent_private_key"
#: what a server says for the Heat agent only
_FOR_HEAT = ("software_config_transport", "deployment_swift_data", "user_data_format")


class Agents:
    """The servers that need an agent."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.needed: dict[str, Node] = {}

    def need(self, server: str, deployment: Node) -> None:
        """Deployment ``deployment`` runs on ``server``."""
        self.needed.setdefault(server, deployment)

    def settle(self, hosts: dict[str, str]) -> None:
        """Give the servers their agents, and tell what the Heat agent is not needed for any more."""
        if not self.needed:
            return
        context = self.nodes.context
        text = {"type": "string"}
        user = context.add_input(_USER, {**text, "description": "User on the servers that Cloudify's agent runs as"})
        if context.options.client_config == "secrets":
            key: Value = ex.Secret(_KEY)
        else:
            key = ex.Input(context.add_input(_KEY, {**text, "description": "Private SSH key of that user"}))
        agent = {"install_method": "remote", "user": ex.Input(user), "key": key}
        for name, deployment in self.needed.items():
            server = context.topology.nodes[name]
            server.settings["agent_config"] = (agent, server.path)
            context.reporter.report("BPC723", server.path, name=name, deployment=deployment.name)
            if not self._has_stand_ins(name):
                self._without_heat(server)

    def _has_stand_ins(self, server: str) -> bool:
        """True where a deployment on the server still needs the Heat agent."""
        context = self.nodes.context
        for node in context.topology.nodes.values():
            if node.stand_in or node.kind is None:
                wanted = node.properties.get("server") if isinstance(node.properties, dict) else None
                if isinstance(wanted, ex.Identity) and wanted.node == server:
                    return True
        return False

    def _without_heat(self, server: Node) -> None:
        for name in _FOR_HEAT:
            value = server.properties.get(name)
            if value is None or (name == "user_data_format" and value != "SOFTWARE_CONFIG"):
                continue
            server.settled.add(name)
            path = (*server.path, "properties", server.aliases.get(name, name))
            self.nodes.context.reporter.report("BPC726", path, name=name)
