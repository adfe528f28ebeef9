"""Configurations: where their texts are used, what becomes of them, and what stands for ids used elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence

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

    def refuse(self, node: Node, why: str, code: str = "BPC720") -> None:
        """Leave a resource to the stand-in."""
        node.refusal = Refusal(code, why)
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
        value = server.properties.get("user_data")
        if not isinstance(value, (ex.Identity, ex.If)):
            return
        configs_found: list[Node] = []
        try:
            text = self._inlined(value, configs_found)
        except Refused as refused:
            for node in configs_found:
                self.refuse(node, f"it is the user data of '{server.name}', but {refused}")
            return
        if not configs_found:
            return
        place = server.origin("user_data")
        server.properties["user_data"] = text
        for node in configs_found:
            self.uses(node, server.name)
            self.report("BPC730", place, name=node.name)
        if len(configs_found) == 1 and configs_found[0].kind == "software_config":
            server.origins["user_data",] = configs_found[0].origin("config")
        if server.properties.get("user_data_format") == "HEAT_CFNTOOLS":
            problem = (
                f"{self._source} gives the server the id of '{configs_found[0].name}' with this format, not the text"
            )
            self.report("BPC737", server.origin("user_data_format"), problem=problem)

    def _inlined(self, value: Value, configs_found: list[Node]) -> Value:
        if isinstance(value, ex.If):
            return ex.map_fields(value, lambda part: self._inlined(part, configs_found))
        node = self.topology.node(value.node) if isinstance(value, ex.Identity) else None
        if node is None or node.kind not in CONFIGS:
            return value
        configs_found.append(node)
        return self.texts.text_of(node)

    def absorb(self) -> None:
        """Configurations of which every use is known are part of their first user; others are stand-ins (besides)."""
        configs = [node for node in self.topology.nodes.values() if node.kind in CONFIGS]
        kept = {node.name: node for node in configs if node.name not in self.users}
        elsewhere = self._elsewhere({node.name for node in configs} - kept.keys())
        waits: dict[str, list[str]] = {}
        used = _names(expressions(self.topology)) if kept else set()
        for node in configs:
            if node.name in kept:
                if node.refusal is None:
                    user = self._user(node)
                    is_of_stand_in = user is not None and user.refusal is not None
                    self.refuse(node, self._why(node, used), "BPC799" if is_of_stand_in else "BPC720")
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
            ids = {value.node for value in others if isinstance(value, ex.Identity) and isinstance(value.node, str)}
            used = ids & names
            if not used:
                return {name for name in self.users if name not in names}
            names = names - used

    def _why(self, config: Node, used: Collection[Value]) -> str:
        """Why nothing could be made of a configuration."""
        user = self._user(config)
        if user is not None:
            return f"'{user.name}' cannot use it"
        if isinstance(config.properties, dict) and config.properties.get("config") in (None, ""):
            return "it has no text"
        if config.name in used:
            return f"its id is used, which only {self._source} knows"
        return "nothing in the template uses it"

    def _user(self, config: Node) -> Node | None:
        """What uses a configuration."""
        reference = ex.Identity(config.name)
        for node in self.topology.nodes.values():
            properties = node.properties if isinstance(node.properties, dict) else {}
            if reference in (properties.get("config"), properties.get("user_data")) or (
                node.kind == "multipart_mime" and reference in ex.walk(properties)
            ):
                return node
        return None

    def _keep(self, node: Node) -> None:
        """A stand-in shows the text of its file."""
        if script_file(node) is not None:
            node.properties = self.work.fold(node.properties, node.origin())

    def _give(self, node: Node) -> list[str]:
        """Let a configuration be part of its users. Returns what had to be there before it."""
        users = list(dict.fromkeys(self.users[node.name]))
        node.part_of = users[0]
        self.report("BPC303", node.path, type=node.source_type, name=node.name, target=users[0])
        odd = [str(key) for key, value in node.properties.items() if not isinstance(key, str) and value is not None]
        for name in sorted(odd):
            self.report("BPC301", node.origin(name), name=name, type=node.source_type)
        targets = [*ex.named_nodes(node.properties), *node.awaited]
        for user in users[1:]:
            owner = self.topology.nodes[user]
            owner.wait_for(*(name for name in node.awaited if name not in owner.awaited))
        node.properties = {}
        return list(dict.fromkeys(targets))


#: the kind whose node holds a value, and the property and attribute that it is
_VALUE, _HELD = "value", "value"
#: what a configuration declares -> the key that its script would miss, in words, and values that are as good as none
_MEANING = (
    ("inputs", "default", "have defaults", (None,)),
    ("outputs", "error_output", "mean failure", (None, False, "false", "False")),
)
#: what is no part of the text, and the deployment of another template does not know
_APART = ("inputs", "outputs", "options")


def give_texts(configurations: Configurations) -> None:
    """Let configurations whose id leaves the template be nodes that hold their text: outside of Heat there is no id.

    Who takes the id from an output or a parameter gives it to a server as user data, or deploys it; both work with the
    text as well. A deployment whose configuration is a parameter runs the text that it is given (``configs.given``).
    One that nothing uses is such a node, too."""
    nodes = configurations.topology.nodes
    leaving, referenced = _names(_ways_out(configurations)), _names(expressions(configurations.topology))
    configs = [node for node in nodes.values() if node.kind in CONFIGS and node.name in leaving]
    for node in [node for node in nodes.values() if node.kind in CONFIGS and node.name not in referenced]:
        if node.name not in configurations.users and node.refusal is None:
            _hold_unused(configurations, node)
    held: set[str] = set()
    for node in sorted(configs, key=lambda node: node.kind != "multipart_mime"):
        others = [other for other in nodes.values() if other.kind not in CONFIGS and other.name not in held]
        if node.name in _names([other.properties for other in others if other.nested is None]):
            continue  # a stand-in shows its id, too
        try:
            _hold(configurations, node)
            held.add(node.name)
        except Refused as refused:
            configurations.refuse(node, str(refused))

    def text(expr: ex.Expr) -> Value:
        if not isinstance(expr, ex.Identity) or not isinstance(expr.node, str) or expr.node not in held:
            return expr
        return ex.Attribute(expr.node, _HELD, path=expr.path)

    configurations.work.replace(text)


def _hold_unused(configurations: Configurations, node: Node) -> None:
    """Make a configuration that nothing uses a node that holds its text, as far as it has one that is known."""
    properties = node.properties if isinstance(node.properties, dict) else {}
    if node.kind == "software_config" and properties.get("config") in (None, ""):
        return
    try:
        text = configurations.texts.text_of(node)
    except Refused:
        return
    configurations.uses(node, node.name)
    configurations.users.pop(node.name)
    node.origins[_HELD,] = (*node.origin(), "parts" if node.kind == "multipart_mime" else "config")
    node.kind, node.properties = _VALUE, {_HELD: text}
    configurations.report("BPC256", node.path, name=node.name)


def _hold(configurations: Configurations, node: Node) -> None:
    """Make a configuration a node that holds its text; raises :class:`Refused`."""
    properties = node.properties if isinstance(node.properties, dict) else {}
    group = properties.get("group")
    texts = (None, "script", *configurations.work.request.source.programs.ungrouped)
    if node.kind == "software_config" and group not in texts:
        what = f"its group '{group}'" if isinstance(group, str) else "its group, which is computed,"
        raise Refused(f"its id is used, and {what} is no script")
    for name, key, what, nothing in _MEANING:
        entries = properties.get(name) or []
        if not isinstance(entries, list) or any(not isinstance(e, dict) or e.get(key) not in nothing for e in entries):
            raise Refused(f"its id is used, and its {name} {what}, which its text does not have")
    text = configurations.texts.text_of(node)
    configurations.uses(node, node.name)
    for user in configurations.users.pop(node.name):
        owner = configurations.topology.nodes[user]
        if owner is not node and node.name not in owner.awaited:
            owner.wait_for(node.name)
    place = node.origin()
    for name in _APART:
        if properties.get(name):
            configurations.report("BPC735", (*place, name), name=name)
    node.origins[_HELD,] = (*place, "parts" if node.kind == "multipart_mime" else "config")
    node.kind, node.properties = _VALUE, {_HELD: text}
    configurations.report("BPC219", node.path, name=node.name)


def _ways_out(configurations: Configurations) -> list[Value]:
    """What is known outside of the template: its outputs, and the parameters of those that it nests."""
    topology = configurations.topology
    values = [output.value for output in topology.published]
    return values + [node.properties for node in topology.nodes.values() if node.nested is not None]


def _names(values: Sequence[Value]) -> set[str]:
    """The resources whose ids are used."""
    names = (value.node for value in ex.walk(list(values)) if isinstance(value, ex.Identity))
    return {node for node in names if isinstance(node, str)}
