"""The rewriting of a topology with software configurations and deployments (see :mod:`software`)."""

from __future__ import annotations

from collections.abc import Callable

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node, Refusal, Topology
from bpconvert.translators.passes.expressions.fold import script_file, spelling
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software import agents, ids
from bpconvert.translators.passes.software.deployment_groups import (
    attribute,
    attribute_of_each,
    members,
    on_each,
    scaled_servers,
)
from bpconvert.translators.passes.software.deployments import Deployments, Plan, expressions
from bpconvert.translators.passes.software.kinds import CONFIGS
from bpconvert.translators.passes.software.order import one_at_a_time
from bpconvert.translators.passes.software.texts import Texts
from bpconvert.translators.passes.work import Refused, Work


class Software:
    """The software of one topology."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.work = Work(topology, request)
        self.topology = topology
        self.report = self.work.report
        self.texts = Texts(self.work)
        self.deployments = Deployments(self.work)
        #: configuration -> the nodes that it is part of
        self.users: dict[str, list[str]] = {}

    def run(self) -> None:
        """Rewrite the topology."""
        nodes = self.topology.nodes
        self.replace(self.texts.own)
        hosts: dict[str, str] = {}
        for node in list(nodes.values()):
            if node.kind in ("software_deployment", "software_deployment_group"):
                for plan in self._plans(node):
                    hosts[plan.node.name] = self._deploy(plan)
        for node in list(nodes.values()):
            if node.kind == "server" and isinstance(node.properties, dict):
                self._user_data(node)
        ids.give_texts(self)
        self._absorb()
        agents.settle(self.work)
        self._order(hosts)

    def _plans(self, node: Node) -> list[Plan]:
        """The deployments that a resource is; none where it is a stand-in."""
        try:
            if node.kind == "software_deployment":
                return [self.deployments.plan(node)]
            server = scaled_servers(node)
            return self._members(node) if server is None else [self._on_each(node, server)]
        except Refused as refused:
            self.refuse(node, str(refused))
            return []

    def _deploy(self, plan: Plan) -> str:
        """Make a node of a deployment. Returns the server's node."""
        server = self.deployments.deploy(plan)
        self.users.setdefault(plan.config.node.name, []).append(plan.node.name)
        self.topology.machines.setdefault(server, plan.node.name)
        return server

    def refuse(self, node: Node, why: str) -> None:
        """Leave a resource to the stand-in."""
        node.refusal = Refusal("BPC720", why)
        if node.kind == "software_deployment":
            node.stand_in = True

    def replace(self, change: Callable[[ex.Expr], Value]) -> None:
        """Apply ``change`` to every expression of the topology."""
        topology = self.topology
        for node in topology.nodes.values():
            node.properties = ex.transform(node.properties, change)
        for output in (*topology.outputs.values(), *topology.capabilities.values()):
            output.value = ex.transform(output.value, change)

    def _check_unnamed(self, group: Node) -> None:
        for value in expressions(self.topology):
            if isinstance(value, ex.Identity) and value.node == group.name:
                raise Refused("its id is used, which only Heat knows")

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

        self.replace(each)
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
            self.report("BPC736", (*group.path, "properties", "servers", key), name=key, node=names[key])
        group.part_of = next(iter(names.values()))
        self.report("BPC303", group.path, type=group.source_type, name=group.name, target="', '".join(names.values()))
        group.properties, group.relationships = {}, []

        def member(expr: ex.Expr) -> Value:
            chosen = attribute(expr, names) if isinstance(expr, ex.Attribute) and expr.node == group.name else None
            if chosen is None:
                return expr
            name = spelling(self.work.request.document, expr)
            self.report("BPC223", expr.path, name=name, how="the attributes of the members")
            return chosen

        self.replace(member)
        self._instead_of({group.name: list(names.values())}, "")
        return plans

    # -- user data ------------------------------------------------------------------------------------------

    def _user_data(self, server: Node) -> None:
        """A server's user data may be a configuration: then it is its text."""
        given = server.properties.get("user_data")
        if not isinstance(given, (ex.Identity, ex.If)):
            return
        found: list[Node] = []
        try:
            said = self._inlined(given, found)
        except Refused as refused:
            for node in found:
                self.refuse(node, f"it is the user data of '{server.name}', but {refused}")
            return
        if not found:
            return
        place = (*server.path, "properties", "user_data")
        server.properties["user_data"] = said
        for node in found:
            self.uses(node, server.name)
            self.report("BPC730", place, name=node.name)
        if len(found) == 1 and found[0].kind == "software_config":
            server.origins["user_data",] = (*found[0].path, "properties", "config")
        if server.properties.get("user_data_format") == "HEAT_CFNTOOLS":
            problem = f"Heat gives the server the id of '{found[0].name}' with this format, not the text"
            self.report("BPC737", (*server.path, "properties", "user_data_format"), problem=problem)

    def _inlined(self, value: Value, found: list[Node]) -> Value:
        if isinstance(value, ex.If):
            return ex.map_fields(value, lambda part: self._inlined(part, found))
        node = self.topology.node(value.node) if isinstance(value, ex.Identity) else None
        if node is None or node.kind not in CONFIGS:
            return value
        found.append(node)
        return self.texts.of(node)

    def uses(self, node: Node, user: str) -> None:
        """Note that a configuration, with its parts, is part of node ``user``."""
        self.users.setdefault(node.name, []).append(user)
        if node.kind == "multipart_mime":
            for item in node.properties.get("parts") or ():
                part = item.get("config")
                inner = self.topology.node(part.node) if isinstance(part, ex.Identity) else None
                if inner is not None and inner.kind in CONFIGS:
                    self.uses(inner, user)

    # -- what becomes of configurations -------------------------------------------------------------------------

    def _absorb(self) -> None:
        """Configurations whose every use is said are part of their first user; others are stand-ins (besides)."""
        configs = [node for node in self.topology.nodes.values() if node.kind in CONFIGS]
        kept = {node.name: node for node in configs if node.name not in self.users}
        elsewhere = self._elsewhere({node.name for node in configs} - kept.keys())
        waits: dict[str, list[str]] = {}
        for node in configs:
            if node.name in kept:
                if node.refusal is None:
                    self.refuse(node, self._why(node))
                self._keep(node)
            elif node.name in elsewhere:
                why = "its text is where it is needed, but its id is used as well, which only Heat knows"
                self.refuse(node, why)
                self._keep(node)
            else:
                waits[node.name] = self._give(node)
        self._instead_of(waits, "BPC738")

    def _elsewhere(self, names: set[str]) -> set[str]:
        """Those of ``names`` whose id is used where nothing said it."""
        while True:
            others = expressions(self.topology, without=names)
            found = {value.node for value in others if isinstance(value, ex.Identity) and value.node in names}
            if not found:
                return {name for name in self.users if name not in names}
            names = names - found

    def _why(self, config: Node) -> str:
        """Why nothing could be made of a configuration."""
        reference = ex.Identity(config.name)
        for node in self.topology.nodes.values():
            properties = node.properties if isinstance(node.properties, dict) else {}
            if reference in (properties.get("config"), properties.get("user_data")) or (
                node.kind == "multipart_mime" and reference in ex.walk(properties)
            ):
                return f"'{node.name}' cannot use it"
        if isinstance(config.properties, dict) and config.properties.get("config") in (None, ""):
            return "it has no text"
        is_used = reference in expressions(self.topology)
        return "its id is used, which only Heat knows" if is_used else "nothing in the template uses it"

    def _keep(self, node: Node) -> None:
        """A stand-in shows the text of its file."""
        if script_file(node) is not None:
            node.properties = self.work.fold(node.properties, (*node.path, "properties"))

    def _give(self, node: Node) -> list[str]:
        """Let a configuration be part of its users. Returns what had to be there before it."""
        users = list(dict.fromkeys(self.users[node.name]))
        node.part_of = users[0]
        self.report("BPC303", node.path, type=node.source_type, name=node.name, target=users[0])
        targets = [
            value.node
            for value in ex.walk(node.properties)
            if isinstance(value, (ex.Identity, ex.Attribute)) and isinstance(value.node, str)
        ]
        for user in users[1:]:
            owner = self.topology.nodes[user]
            owner.wait_for(*(name for name in node.awaited if name not in owner.awaited))
        targets += node.awaited
        node.properties = {}
        return list(dict.fromkeys(targets))

    def _instead_of(self, waits: dict[str, list[str]], code: str) -> None:
        """Replace dependencies on resources that have no node by those on what they wait for."""
        for node in self.topology.nodes.values():
            if not any(name in waits for name in node.awaited):
                continue
            found: dict[str, Path] = {}
            for one in node.waits:
                if one.target in waits and code:
                    self.report(code, one.path, name=one.target)
                for name in self._through(one.target, waits, set()):
                    found.setdefault(name, one.path)
            node.relationships = []
            for name, path in found.items():
                if name != node.name:
                    node.wait_for(name, path=path)

    def _through(self, name: str, waits: dict[str, list[str]], seen: set[str]) -> list[str]:
        if name not in waits:
            return [name]
        if name in seen:
            return []
        return [last for target in waits[name] for last in self._through(target, waits, seen | {name})]

    def _order(self, hosts: dict[str, str]) -> None:
        """Scripts of one server run one after the other."""
        for name, before in one_at_a_time(self.topology, hosts):
            node = self.topology.nodes[name]
            node.wait_for(before)
            self.report("BPC731", node.path, name=name, other=before)
