"""Configurations: where their texts are used, and what becomes of them."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node, Refusal
from bpconvert.translators.passes.expressions.fold import script_file
from bpconvert.translators.passes.software.deployments import expressions
from bpconvert.translators.passes.software.kinds import CONFIGS, DEPLOYMENT
from bpconvert.translators.passes.software.order import wait_instead
from bpconvert.translators.passes.software.texts import Texts
from bpconvert.translators.passes.work import Refused, Work


class Configurations:
    """The configurations of one topology. ``texts``: their texts; ``users``: configuration -> the nodes that it is part
    of."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.topology = work.topology
        self.report = work.report
        self.texts = Texts(work)
        self.users: dict[str, list[str]] = {}
        self._source = work.request.source.title

    def refuse(self, node: Node, why: str) -> None:
        """Leave a resource to the stand-in."""
        node.refusal = Refusal("BPC720", why)
        if node.kind == DEPLOYMENT:
            node.stand_in = True

    def uses(self, node: Node, user: str) -> None:
        """Note that a configuration, with its parts, is part of node ``user``."""
        self.users.setdefault(node.name, []).append(user)
        if node.kind == "multipart_mime":
            for item in node.properties.get("parts") or ():
                part = item.get("config")
                inner = self.topology.node(part.node) if isinstance(part, ex.Identity) else None
                if inner is not None and inner.kind in CONFIGS:
                    self.uses(inner, user)

    def give_user_data(self, server: Node) -> None:
        """A server's user data may be a configuration: then it is its text."""
        given = server.properties.get("user_data")
        if not isinstance(given, (ex.Identity, ex.If)):
            return
        found: list[Node] = []
        try:
            text = self._inlined(given, found)
        except Refused as refused:
            for node in found:
                self.refuse(node, f"it is the user data of '{server.name}', but {refused}")
            return
        if not found:
            return
        place = server.origin("user_data")
        server.properties["user_data"] = text
        for node in found:
            self.uses(node, server.name)
            self.report("BPC730", place, name=node.name)
        if len(found) == 1 and found[0].kind == "software_config":
            server.origins["user_data",] = found[0].origin("config")
        if server.properties.get("user_data_format") == "HEAT_CFNTOOLS":
            problem = f"{self._source} gives the server the id of '{found[0].name}' with this format, not the text"
            self.report("BPC737", server.origin("user_data_format"), problem=problem)

    def _inlined(self, value: Value, found: list[Node]) -> Value:
        if isinstance(value, ex.If):
            return ex.map_fields(value, lambda part: self._inlined(part, found))
        node = self.topology.node(value.node) if isinstance(value, ex.Identity) else None
        if node is None or node.kind not in CONFIGS:
            return value
        found.append(node)
        return self.texts.of(node)

    def settle(self) -> None:
        """Configurations of which every use is known are part of their first user; others are stand-ins (besides)."""
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
                why = f"its text is where it is needed, but its id is used as well, which only {self._source} knows"
                self.refuse(node, why)
                self._keep(node)
            else:
                waits[node.name] = self._give(node)
        wait_instead(self.work, waits, "BPC738")

    def _elsewhere(self, names: set[str]) -> set[str]:
        """Those of ``names`` whose id is used elsewhere."""
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
        return f"its id is used, which only {self._source} knows" if is_used else "nothing in the template uses it"

    def _keep(self, node: Node) -> None:
        """A stand-in shows the text of its file."""
        if script_file(node) is not None:
            node.properties = self.work.fold(node.properties, node.origin())

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
