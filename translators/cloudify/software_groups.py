"""Deployment groups: the deployment of each member, and what the group's attributes are then.

The members of OS::Heat::SoftwareDeploymentGroup are deployments named by the keys of ``servers`` (heat:
software_deployment.py, ``build_resource_definition``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.merges import Refused

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.nodes import Nodes

#: attribute of the group -> of its members
_ATTRIBUTES = {
    "deploy_stdouts": "deploy_stdout",
    "deploy_stderrs": "deploy_stderr",
    "deploy_status_codes": "deploy_status_code",
}


def members(nodes: Nodes, group: Node) -> dict[str, Node]:
    """Key -> deployment, not yet nodes of the topology; raises :class:`Refused`."""
    if not isinstance(group.properties, dict) or group.external_id is not MISSING:
        raise Refused("its properties are computed")
    servers = group.properties.get("servers")
    if not isinstance(servers, dict):
        raise Refused("its servers are only known when deploying")
    shared = {name: value for name, value in group.properties.items() if name != "servers"}
    found: dict[str, Node] = {}
    for key, server in servers.items():
        if not isinstance(key, str):
            raise Refused("the names of its servers are no texts")
        name = key if len(servers) == 1 and key == group.name else f"{group.name}_{key}"
        properties = {**shared, "server": server}
        found[key] = Node(
            name,
            "",
            "software_deployment",
            properties,
            depends_on=list(group.depends_on),
            depends_on_text=group.depends_on_text,
            condition=group.condition,
            path=group.path,
        )
    return found


def attribute(expr: ex.Attribute, names: dict[str, str]) -> Value:
    """What an attribute of a group is: that of each member by its key, or of the one that is chosen. ``names``: key ->
    deployment. None is for an attribute that has no counterpart."""
    if not isinstance(expr.name, str):
        return None
    name = _ATTRIBUTES.get(expr.name, expr.name)
    if not expr.keys:
        return {key: ex.Attribute(member, name, path=expr.path) for key, member in names.items()}
    first, *rest = expr.keys
    if first not in names:
        return None
    return ex.Attribute(names[first], name, tuple(rest), path=expr.path)


def substituted(value: Value, change: Callable[[ex.Expr], Value]) -> Value:
    """``value`` with ``change`` applied to each expression in it, the innermost first."""
    if isinstance(value, ex.Expr):
        return change(ex.map_fields(value, lambda part: substituted(part, change)))
    if isinstance(value, dict):
        return {key: substituted(part, change) for key, part in value.items()}
    if isinstance(value, list):
        return [substituted(part, change) for part in value]
    if isinstance(value, tuple):
        return tuple(substituted(part, change) for part in value)
    return value
