"""Software configurations and deployments as operations of nodes, and configurations that are user data.

A deployment becomes a node inside its server, whose operations run the script of the configuration: the actions of
Heat (heat: software_deployment.py) are operations of Cloudify. A configuration has no node: it is a file of the bundle,
or the user data of a server. Only where its id leaves the template, it is a node that holds its text."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.expressions.fold import spelling
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software import agents, ids
from bpconvert.translators.passes.software.configurations import Configurations
from bpconvert.translators.passes.software.deployment_groups import (
    attribute,
    attribute_of_each,
    members,
    on_each,
    scaled_servers,
)
from bpconvert.translators.passes.software.deployments import Deployments, Plan, expressions
from bpconvert.translators.passes.software.kinds import DEPLOYMENT, DEPLOYMENT_GROUP
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
        ids.give_texts(self.configurations)
        self.configurations.settle()
        agents.settle(self.work)
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
        for value in expressions(self.topology):
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

        self.work.replace(each)
        return plan

    def _members(self, group: Node) -> list[Plan]:
        """The deployments of a group, all or none."""
        made = members(group)
        self._check_unnamed(group)
        plans = [self.deployments.plan(node) for node in made.values()]
        if not plans:
            raise Refused("it has no servers")
        names: dict[str, str] = {}
        for key, plan in zip(made, plans, strict=True):
            names[key] = plan.node.name = self.work.fresh_node(plan.node.name)
            plan.resource = key
            self.work.add(plan.node, before=group.name)
            self.report("BPC736", group.origin("servers", key), name=key, node=names[key])
        group.part_of = next(iter(names.values()))
        self.report("BPC303", group.path, type=group.source_type, name=group.name, target="', '".join(names.values()))
        group.properties, group.relationships = {}, []

        def member(expr: ex.Expr) -> Value:
            chosen = attribute(expr, names) if isinstance(expr, ex.Attribute) and expr.node == group.name else None
            if chosen is None:
                return expr
            name = spelling(self.work.request, expr)
            self.report("BPC223", expr.path, name=name, how="the attributes of the members")
            return chosen

        self.work.replace(member)
        wait_instead(self.work, {group.name: list(names.values())}, "")
        return plans

    def _order(self, hosts: dict[str, str]) -> None:
        """Scripts of one server run one after the other."""
        for name, before in one_at_a_time(self.topology, hosts):
            node = self.topology.nodes[name]
            node.wait_for(before)
            self.report("BPC731", node.path, name=name, other=before)
