"""Deployment groups: the deployment of each member, and what the group's attributes are then.

The members of OS::Heat::SoftwareDeploymentGroup are deployments named by the keys of ``servers`` (heat:
software_deployment.py, ``build_resource_definition``)."""

from __future__ import annotations

from copy import copy

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node
from bpconvert.translators.passes.groups.members import unsupported
from bpconvert.translators.passes.work import Refused

#: attribute of the group -> of its members
_ATTRIBUTES = {
    "deploy_stdouts": "deploy_stdout",
    "deploy_stderrs": "deploy_stderr",
    "deploy_status_codes": "deploy_status_code",
}


def members(group: Node) -> dict[str, Node]:
    """Key -> deployment, not yet nodes of the topology; raises :class:`Refused`."""
    if not isinstance(group.properties, dict) or group.external_id is not MISSING:
        raise Refused("its properties are computed")
    servers = group.properties.get("servers")
    if not isinstance(servers, dict):
        raise Refused("its servers are only known when deploying")
    shared = {name: value for name, value in group.properties.items() if name != "servers"}
    found: dict[str, Node] = {}
    needed = [server.node for server in servers.values() if isinstance(server, ex.Identity)]  # the group waits for all
    for key, server in servers.items():
        if not isinstance(key, str):
            raise Refused("the names of its servers are no texts")
        name = key if len(servers) == 1 and key == group.name else f"{group.name}_{key}"
        properties = {**shared, "server": server}
        made = Node(name, "", "software_deployment", properties, condition=group.condition, path=group.path)
        made.wait_as(group)
        made.wait_for(*(name for name in needed if name not in group.awaited))
        found[key] = made
    return found


def scaled_servers(group: Node) -> str | None:
    """The node whose instances are the servers of a deployment group: those of a group of resources that scales."""
    servers = group.properties.get("servers") if isinstance(group.properties, dict) else None
    is_all = isinstance(servers, ex.AttributeDict) and servers.names == (MISSING,)
    return str(servers.node) if isinstance(servers, ex.AttributeDict) and is_all else None


def on_each(group: Node, server: str) -> Node:
    """The deployment in each instance of node ``server``, not yet in the topology."""
    place = group.origin("servers")
    properties = {name: value for name, value in group.properties.items() if name != "servers"}
    made = copy(group)
    made.kind, made.properties = "software_deployment", {**properties, "server": ex.Identity(server, path=place)}
    made.origins = {**group.origins, ("server",): place}
    return made


def attribute_of_each(expr: ex.Attribute) -> Value:
    """What an attribute of a group is whose deployments are the instances of one node."""
    if expr.keys or not isinstance(expr.name, str):
        return unsupported("a single member of a group", expr, [str(expr.node)])
    return ex.AttributeDict(expr.node, (_ATTRIBUTES.get(expr.name, expr.name),), path=expr.path)


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
