"""Cloudify's agent on the machines that operations run on."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.cloudify.write.context import Context

_USER: Final = "agent_user"
_KEY: Final = "agent_private_key"


def install(context: Context) -> None:
    """Give the machines their agents."""
    topology = context.topology
    if not topology.machines:
        return
    text = {"type": "string"}
    user = context.inputs.add(_USER, {**text, "description": "User on the servers that Cloudify's agent runs as"})
    if context.options.client_config == "secrets":
        key: Value = ex.Secret(_KEY)
    else:
        key = ex.Input(context.inputs.add(_KEY, {**text, "description": "Private SSH key of that user"}))
    agent = {"install_method": "remote", "user": ex.Input(user), "key": key}
    for name, deployment in topology.machines.items():
        server = topology.nodes[name]
        server.settings["agent_config"] = (agent, server.path)
        context.reporter.report("BPC723", server.path, name=name, deployment=deployment)
