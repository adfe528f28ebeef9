"""Software configurations and deployments as operations of nodes, and configurations that are user data.

A deployment becomes a node inside its server, whose operations run the script of the configuration: the actions of
Heat (heat: software_deployment.py) are operations of Cloudify. A configuration has no node: it is a file of the bundle,
or the user data of a server. Only where its id leaves the template, it is a node that holds its text."""

from __future__ import annotations

from copy import copy
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.expressions.fold import spelling
from bpconvert.translators.passes.groups.members import unsupported
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software import configurations
from bpconvert.translators.passes.software.configurations import Configurations
from bpconvert.translators.passes.software.deployments import Deployments, Plan
from bpconvert.translators.passes.software.kinds import DEPLOYMENT, DEPLOYMENT_GROUP, MEMBERS_ATTRIBUTES
from bpconvert.translators.passes.software.order import one_at_a_time, wait_instead
from bpconvert.translators.passes.work import Refused, Work


def to_operations(topology: Topology, request: Request) -> Topology:
    """Let deployments be operations of nodes, and configurations their scripts or user data."""
    _Software(topology, request).run()
    return topology


class _Software:
    """The software of one topology."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.work = Work(topology, request)
        self.topology = topology
        self.report = self.work.report
        self.configurations = Configurations(self.work)
        self.deployments = Deployments(self.work)

    def run(self) -> None:
        """Rewrite the topology."""
        nodes = self.topology.nodes
        self.work.replace(self.configurations.texts.own)
        hosts: dict[str, str] = {}
        for node in list(nodes.values()):
            if node.kind in (DEPLOYMENT, DEPLOYMENT_GROUP):
                for plan in self._plans(node):
                    hosts[plan.node.name] = self._deploy(plan)
        for node in list(nodes.values()):
            if node.kind == "server" and isinstance(node.properties, dict):
                self.configurations.give_user_data(node)
        configurations.give_texts(self.configurations)
        self.configurations.absorb()
        for name in self.topology.machines:
            if not _has_deployments(self.work, name):
                _without_agent(self.work, nodes[name])
        self._order(hosts)

    def _plans(self, node: Node) -> list[Plan]:
        """The deployments that a resource is; none where it is a stand-in."""
        try:
            if node.kind == DEPLOYMENT:
                return [self.deployments.plan(node)]
            server = scaled_servers(node)
            return self._members(node) if server is None else [self._on_each(node, server)]
        except Refused as refused:
            self.configurations.refuse(node, str(refused))
            return []

    def _deploy(self, plan: Plan) -> str:
        """Make a node of a deployment. Returns the server's node."""
        server = self.deployments.deploy(plan)
        self.configurations.users.setdefault(plan.config.node.name, []).append(plan.node.name)
        self.topology.machines.setdefault(server, plan.node.name)
        return server

    def _check_unnamed(self, group: Node) -> None:
        for value in self.deployments.mentioning(group.name):
            if isinstance(value, ex.Identity) and value.node == group.name:
                raise Refused(f"its id is used, which only {self.work.request.source.title} knows")

    def _on_each(self, group: Node, server: str) -> Plan:
        """The deployment of a group whose servers are the instances of one node: it is inside each of them."""
        self._check_unnamed(group)
        plan = self.deployments.plan(on_each(group, server))
        plan.resource = None
        self.topology.nodes[group.name] = plan.node
        plan.node.group = self.topology.nodes[server].group

        def each(expr: ex.Expr) -> Value:
            is_own = isinstance(expr, ex.Attribute) and expr.node == group.name
            return attribute_of_each(expr) if is_own and isinstance(expr, ex.Attribute) else expr

        self.deployments.mentions.replace(group.name, each)
        return plan

    def _members(self, group: Node) -> list[Plan]:
        """The deployments of a group, all or none."""
        members = members_of(group)
        self._check_unnamed(group)
        plans = [self.deployments.plan(node) for node in members.values()]
        if not plans:
            raise Refused("it has no servers")
        names: dict[str, str] = {}
        for key, plan in zip(members, plans, strict=True):
            names[key] = plan.node.name = self.work.fresh_node(plan.node.name)
            plan.resource = key
            self.work.add(plan.node, before=group.name)
            self.report("BPC736", group.origin("servers", key), name=key, node=names[key])
        group.part_of = next(iter(names.values()))
        self.report("BPC303", group.path, type=group.source_type, name=group.name, target="', '".join(names.values()))
        group.properties, group.relationships = {}, []

        def member(expr: ex.Expr) -> Value:
            chosen = of_members(expr, names) if isinstance(expr, ex.Attribute) and expr.node == group.name else None
            if chosen is None:
                return expr
            name = spelling(self.work.request, expr)
            self.report("BPC223", expr.path, name=name, how="the attributes of the members")
            return chosen

        self.deployments.mentions.replace(group.name, member)
        wait_instead(self.work, {group.name: list(names.values())}, "")
        return plans

    def _order(self, hosts: dict[str, str]) -> None:
        """Scripts of one server run one after the other."""
        for name, before in one_at_a_time(self.topology, hosts):
            node = self.topology.nodes[name]
            node.wait_for(before)
            self.report("BPC731", node.path, name=name, other=before)


def members_of(group: Node) -> dict[str, Node]:
    """Key -> deployment, not yet nodes of the topology; raises :class:`Refused`. The members of
    OS::Heat::SoftwareDeploymentGroup are named by the keys of ``servers`` (heat: software_deployment.py,
    ``build_resource_definition``)."""
    if not isinstance(group.properties, dict) or group.external_id is not MISSING:
        raise Refused("its properties are computed")
    servers = group.properties.get("servers")
    if not isinstance(servers, dict):
        raise Refused("its servers are only known when deploying")
    shared = {name: value for name, value in group.properties.items() if name != "servers"}
    members: dict[str, Node] = {}
    needed = [server.node for server in servers.values() if isinstance(server, ex.Identity)]  # the group waits for all
    for key, server in servers.items():
        if not isinstance(key, str):
            raise Refused("the names of its servers are no texts")
        name = key if len(servers) == 1 and key == group.name else f"{group.name}_{key}"
        properties = {**shared, "server": server}
        deployment = Node(name, "", "software_deployment", properties, condition=group.condition, path=group.path)
        deployment.wait_as(group)
        deployment.wait_for(*(name for name in needed if name not in group.awaited))
        members[key] = deployment
    return members


def scaled_servers(group: Node) -> str | None:
    """The node whose instances are the servers of a deployment group: those of a group of resources that scales."""
    servers = group.properties.get("servers") if isinstance(group.properties, dict) else None
    is_all = isinstance(servers, ex.AttributeDict) and servers.names == (MISSING,)
    return str(servers.node) if isinstance(servers, ex.AttributeDict) and is_all else None


def on_each(group: Node, server: str) -> Node:
    """The deployment in each instance of node ``server``, not yet in the topology."""
    place = group.origin("servers")
    properties = {name: value for name, value in group.properties.items() if name != "servers"}
    deployment = copy(group)
    deployment.kind, deployment.properties = (
        "software_deployment",
        {**properties, "server": ex.Identity(server, path=place)},
    )
    deployment.origins = {**group.origins, ("server",): place}
    return deployment


def attribute_of_each(expr: ex.Attribute) -> Value:
    """What an attribute of a group is whose deployments are the instances of one node."""
    if expr.keys or not isinstance(expr.name, str):
        return unsupported("a single member of a group", expr, [str(expr.node)])
    return ex.AttributeDict(expr.node, (MEMBERS_ATTRIBUTES.get(expr.name, expr.name),), path=expr.path)


def of_members(expr: ex.Attribute, names: dict[str, str]) -> Value:
    """What an attribute of a group is: that of each member by its key, or of the one that is chosen. ``names``: key ->
    deployment. None is for an attribute that has no counterpart."""
    if not isinstance(expr.name, str):
        return None
    name = MEMBERS_ATTRIBUTES.get(expr.name, expr.name)
    if not expr.keys:
        return {key: ex.Attribute(member, name, path=expr.path) for key, member in names.items()}
    first, *steps_left = expr.keys
    if not isinstance(first, str) or first not in names:
        return None
    return ex.Attribute(names[first], name, tuple(steps_left), path=expr.path)


#: properties of a server for that agent only
_FOR_AGENT: Final = ("software_config_transport", "deployment_swift_data", "user_data_format")


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
