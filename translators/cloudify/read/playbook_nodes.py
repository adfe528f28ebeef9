"""Nodes of Cloudify's Ansible plugin, with the operations that its types have (plugin.yaml of cloudify-ansible-plugin).

An ``Executor`` runs its playbook when it starts, on the hosts that its relationships have added to it; a ``Playbook``
runs it once for each host that a relationship leads to. Types of the plugin are not known otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Operation
from bpconvert.translators.cloudify import playbooks
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.toscalike.node_templates import RawNode

_NODES: Final = "cloudify.nodes.ansible."
_EXECUTOR: Final = f"{_NODES}Executor"
_PLAYBOOK: Final = f"{_NODES}Playbook"
_COMPUTE: Final = "cloudify.nodes.Compute"
_TASKS: Final = "ansible.cloudify_ansible.tasks."
_ADDS: Final = f"{_TASKS}ansible_requires_host"
#: what only takes away what the plugin itself has put somewhere
_TIDIES: Final = (f"{_TASKS}ansible_remove_host", f"{_TASKS}cleanup")
_LIFECYCLE: Final = "cloudify.interfaces.lifecycle"
#: the types of relationships -> the operations that they have
OF_RELATIONSHIPS: Final[Mapping[str, Mapping[str, str]]] = {
    f"cloudify.{start}.{name}": row
    for start in ("ansible.relationships", "relationships.ansible")
    for name, row in (
        ("connected_to_host", {"preconfigure": _ADDS, "unlink": _TIDIES[0]}),
        ("run_on_host", {"establish": playbooks.RUN, "unlink": _TIDIES[1]}),
    )
}
#: the same for the types of nodes
OF_NODES: Final[Mapping[str, Mapping[str, str]]] = {
    _EXECUTOR: {"start": playbooks.RUN},
    _PLAYBOOK: {"poststart": f"{_TASKS}store_facts"},
}


def complete(nodes: Iterable[RawNode], reporter: Reports) -> None:
    """Give nodes and relationships of the plugin's types what they run, with all inputs."""
    for node in nodes:
        types = node.ancestry or [node.type]
        own = [operation for operation in node.operations if operation.implementation == playbooks.RUN]
        between = [operation for row in node.relationships for operation in row.operations]
        if (
            not own
            and not any(operation.implementation.startswith(_TASKS) for operation in between)
            and _EXECUTOR not in types
        ):
            continue
        settings = {**node.declared, **node.properties}
        if _EXECUTOR in types and not any(operation.name == "start" for operation in node.operations):
            own.append(Operation(_LIFECYCLE, "start", playbooks.RUN, path=node.path))
            node.operations.append(own[-1])
        if types[0] in (_EXECUTOR, _PLAYBOOK):
            inputs = {key: value for key, value in settings.items() if key in playbooks.INPUTS}
            for operation in (*own, *(operation for operation in between if operation.implementation == playbooks.RUN)):
                operation.inputs = {**inputs, **operation.inputs}
        hosts = _hosts(between)
        for operation in own if hosts else ():
            if operation.inputs.get("sources") in (None, ex.Attribute(node.name, "sources")):
                operation.inputs["sources"] = hosts
        for operation in between if hosts else ():
            if operation.implementation == _ADDS:
                reporter.report(
                    "BPC527", operation.path or node.path, node=node.name, host=operation.inputs["hostname"]
                )
        for row in node.relationships:
            gone = (_ADDS, *_TIDIES) if hosts else _TIDIES
            row.operations = [operation for operation in row.operations if operation.implementation not in gone]
        if _COMPUTE in types:
            for operation in own:
                if not operation.inputs.get("sources"):
                    operation.inputs["sources"] = _itself(node, settings)


def _hosts(operations: Iterable[Operation]) -> dict[str, Any]:
    """The inventory that relationships add hosts to; empty where one of them does so in a way that is not known."""
    hosts: dict[str, Any] = {}
    for operation in operations:
        if operation.implementation != _ADDS:
            continue
        group, host, config = (operation.inputs.get(key) for key in ("group_name", "hostname", "host_config"))
        if not isinstance(group, str) or not isinstance(host, str) or not isinstance(config, dict) or not config:
            return {}
        hosts.setdefault(group, {"hosts": {}})["hosts"][host.replace("_", "-").lower()] = config
    return hosts


def _itself(node: RawNode, settings: Mapping[str, Value]) -> Value:
    """The inventory with a machine that has an address of its own (cloudify_ansible/utils.py,
    ``get_host_config_from_compute_node``); None for others."""
    agent = settings.get("agent_config")
    if not settings.get("ip") or not isinstance(agent, dict):
        return None
    address = {
        "ansible_host": settings["ip"],
        "ansible_user": agent.get("user"),
        "ansible_ssh_pass": agent.get("password"),
        "ansible_ssh_private_key_file": agent.get("key"),
        "ansible_ssh_common_args": "-o StrictHostKeyChecking=no",
        "ansible_become": settings.get("ansible_become", True),
    }
    config = {key: value for key, value in address.items() if value is not None}
    return {node.type: {"hosts": {node.name.replace("_", "-").lower(): config}}}
