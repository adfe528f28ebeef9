"""The rewriting of a topology with software configurations and deployments (see :mod:`software`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.cloudify import expand, software_config, software_mime, software_runner, software_values
from bpconvert.translators.cloudify.functions import collides
from bpconvert.translators.cloudify.merges import Refused
from bpconvert.translators.cloudify.software import CONFIGS, file_of
from bpconvert.translators.cloudify.software_agents import Agents
from bpconvert.translators.cloudify.software_config import Config
from bpconvert.translators.cloudify.software_groups import attribute, members, substituted
from bpconvert.translators.cloudify.software_order import one_at_a_time

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.nodes import Nodes

_LIFECYCLE, _FREEZE = "cloudify.interfaces.lifecycle", "cloudify.interfaces.freeze"
#: action of Heat -> interface and operation
_OPERATIONS = {
    "CREATE": (_LIFECYCLE, "create"),
    "UPDATE": (_LIFECYCLE, "update"),
    "DELETE": (_LIFECYCLE, "delete"),
    "SUSPEND": (_FREEZE, "suspend"),
    "RESUME": (_FREEZE, "resume"),
}
_DEFAULT_ACTIONS = ["CREATE", "UPDATE"]
_UNUSED = "nothing in the template uses it"


@dataclass(eq=False, repr=False)
class _Plan:
    """A deployment that can be a node."""

    node: Node
    config: Config
    actions: list[str]


class Software:
    """The software of one topology."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.context = nodes.context
        self.report = nodes.context.reporter.report
        self.agents = Agents(nodes)
        #: configuration -> the nodes that it is part of
        self.users: dict[str, list[str]] = {}
        self.configs: dict[str, Config] = {}
        self.texts: dict[str, Value] = {}
        #: configurations whose texts are being made
        self.reading: set[str] = set()

    def run(self) -> None:
        nodes = self.context.topology.nodes
        self._replace(self._own_text)
        hosts: dict[str, str] = {}
        for node in list(nodes.values()):
            if node.kind == "software_deployment":
                plans = self._try(node, lambda node: [self._plan(node)])
            elif node.kind == "software_deployment_group":
                plans = self._try(node, self._members)
            else:
                continue
            for plan in plans or ():
                hosts[plan.node.name] = self._deploy(plan)
        for node in list(nodes.values()):
            if node.kind == "server" and isinstance(node.properties, dict):
                self._user_data(node)
        self._absorb()
        self.agents.settle(hosts)
        self._order(hosts)

    def _try(self, node: Node, plan: Any) -> list[_Plan]:
        """The plans for a resource; none where it is a stand-in."""
        try:
            found: list[_Plan] = plan(node)
            return found
        except Refused as refused:
            self._refuse(node, str(refused))
            return []

    def _refuse(self, node: Node, why: str) -> None:
        self.nodes.refused[node.name] = why
        self.nodes.refused_as[node.name] = "BPC720"
        if node.kind == "software_deployment":
            self.context.stand_ins.add(node.name)

    def _replace(self, change: Any) -> None:
        """Apply ``change`` to every expression of the topology."""
        topology = self.context.topology
        for node in topology.nodes.values():
            node.properties = substituted(node.properties, change)
        for output in (*topology.outputs.values(), *topology.capabilities.values()):
            output.value = substituted(output.value, change)

    # -- texts ----------------------------------------------------------------------------------------------

    def _own_text(self, expr: ex.Expr) -> Value:
        """``get_attr: [config, config]`` is the text itself."""
        node = self.context.node_of(expr.node) if isinstance(expr, ex.Attribute) else None
        if node is None or node.kind not in CONFIGS or not isinstance(expr, ex.Attribute):
            return expr
        if expr.name != "config" or expr.keys:
            return expr
        try:
            return self._text(node)
        except Refused:
            return expr

    def _text(self, node: Node) -> Value:
        """The text of a configuration: known, or an expression."""
        if node.name not in self.texts:
            if node.name in self.reading:
                raise Refused(f"'{node.name}' is a part of itself")
            self.reading.add(node.name)
            try:
                if node.kind == "multipart_mime":
                    found = software_mime.message(software_mime.read(self.nodes, node, self._text))
                else:
                    found = substituted(self._written(node), self._own_text)
            finally:
                self.reading.discard(node.name)
            self.texts[node.name] = found
        return self.texts[node.name]

    def _written(self, node: Node) -> Value:
        properties = node.properties
        if not isinstance(properties, dict) or node.external_id is not MISSING:
            raise Refused(f"the text of '{node.name}' is not written in the template")
        text = properties.get("config")
        if isinstance(text, ex.File):
            return self.nodes.legaliser.fold(text, text.path)
        if not isinstance(text, (str, int, float, ex.Expr, type(None))):
            raise Refused(f"the text of '{node.name}' is no text")
        return text if isinstance(text, ex.Expr) else "" if text is None else str(text)

    # -- deployments ----------------------------------------------------------------------------------------

    def _plan(self, node: Node) -> _Plan:
        """What a deployment becomes; nothing is changed yet. Raises :class:`Refused`.

        Conditions of its configuration mean nothing: Heat refuses a reference to what does not exist."""
        properties = node.properties
        if not isinstance(properties, dict) or node.external_id is not MISSING:
            raise Refused("its properties are computed")
        wanted = properties.get("config")
        found = self.context.node_of(wanted.node) if isinstance(wanted, ex.Identity) else None
        if found is None or found.kind != "software_config":
            known = f"of type {found.source_type}" if found is not None else "not one of the template"
            raise Refused(f"its configuration is {known}")
        actions = properties.get("actions")
        actions = _DEFAULT_ACTIONS if actions is None else actions
        if not isinstance(actions, list) or not all(isinstance(a, str) and a in _OPERATIONS for a in actions):
            raise Refused("its actions are computed or unknown")
        if not software_values.has_values(properties.get("input_values")):
            raise Refused("its input values are only known when deploying")
        self._check_server(properties.get("server"))
        if found.name not in self.configs:
            config = software_config.read(self.nodes, found)
            if len(software_config.known(self.nodes, config)) > software_runner.LONGEST and config.is_computed:
                raise Refused("its script is too long for an input")
            self.configs[found.name] = config
        config = self.configs[found.name]
        if collides(dict.fromkeys([*config.inputs, *(properties.get("input_values") or ())])):
            raise Refused("its only variable is called like a function of Cloudify")
        return _Plan(node, config, actions)

    def _check_server(self, server: Value) -> None:
        node = self.context.node_of(server.node) if isinstance(server, ex.Identity) else None
        if isinstance(server, ex.Identity) and (node is None or not self.nodes.is_reference(server, ("server",))):
            raise Refused(f"there is no server node '{server.node}'")
        if node is not None and not isinstance(node.properties, dict):
            raise Refused(f"the properties of server '{node.name}' are computed")
        if not isinstance(server, (str, ex.Identity, ex.Input)) or server == "":
            raise Refused("its server is not known before the deployment runs")

    def _members(self, group: Node) -> list[_Plan]:
        """The deployments of a group, all or none."""
        made = members(self.nodes, group)
        for value in self._values():
            if isinstance(value, ex.Identity) and value.node == group.name:
                raise Refused("its id is used, which only Heat knows")
        plans = [self._plan(node) for node in made.values()]
        if not plans:
            raise Refused("it has no servers")
        names: dict[str, str] = {}
        for key, plan in zip(made, plans, strict=True):
            names[key] = plan.node.name = self.context.fresh_node(plan.node.name)
            self.nodes.add(plan.node, before=group.name)
            self.report("BPC736", (*group.path, "properties", "servers", key), name=key, node=names[key])
        self.context.absorbers[group.name] = next(iter(names.values()))
        self.report("BPC303", group.path, type=group.source_type, name=group.name, target="', '".join(names.values()))
        group.properties, group.depends_on = {}, []

        def member(expr: ex.Expr) -> Value:
            chosen = attribute(expr, names) if isinstance(expr, ex.Attribute) and expr.node == group.name else None
            if chosen is None:
                return expr
            self.report("BPC223", expr.path, name="get_attr", how="the attributes of the members")
            return chosen

        self._replace(member)
        self._instead_of({group.name: list(names.values())}, "")
        return plans

    def _deploy(self, plan: _Plan) -> str:
        """Make the operations of a deployment's node. Returns the server's node."""
        node, config, properties = plan.node, plan.config, plan.node.properties
        server = properties["server"]
        place = (*node.path, "properties", "server")
        if not isinstance(server, ex.Identity):
            server = expand.external(self.nodes, "server", server, node, place)
        self._place(config)
        used = self._used_outputs(node, config)
        values = software_values.variables(self.nodes, node, config, properties.get("input_values"))
        for action in plan.actions:
            derived = software_values.derived(self.nodes, node, config, server, action)
            node.operations.append(self._operation(plan, action, used, {**values, **derived}))
        self._report_deployment(plan, server.node)
        if used:
            self.context.published.setdefault(node.name, set()).update(used)
        self.users.setdefault(config.node.name, []).append(node.name)
        self.agents.need(server.node, node)
        kept = {key: value for key, value in properties.items() if key == "name" and value is not None}
        node.properties = {"server": server, **kept}
        return str(server.node)

    def _place(self, config: Config) -> None:
        if not config.script and not config.is_computed:
            software_config.place(self.nodes, config)
            first = software_config.known(self.nodes, config)[:2]
            if first != "#!":
                self.report("BPC734", config.path, name=config.script)
        if config.node.name not in self.users:
            for path in software_config.silent_parts(config):
                self.report("BPC735", path, name=path[-1])
            group = config.node.properties.get("group")
            if group is None:
                self.report("BPC732", config.node.path, name=config.node.name)

    def _operation(self, plan: _Plan, action: str, used: list[str], variables: dict[str, Value]) -> Operation:
        config = plan.config
        interface, name = _OPERATIONS[action]
        errors = [output for output, means_failure in config.outputs.items() if means_failure]
        needs_runner = used or errors or config.is_computed
        if needs_runner or "heat_outputs_path" in software_config.known(self.nodes, config):
            self.nodes.files[software_runner.PATH] = software_runner.SCRIPT
            own: dict[str, Value] = {software_runner.FILE: config.script}
            if config.is_computed:
                own = {software_runner.TEXT: config.text}
            if used:
                own[software_runner.OUTPUTS] = " ".join(used)
            if errors:
                own[software_runner.ERRORS] = " ".join(errors)
            inputs = {**own, **software_values.inputs(variables, False)}
            operation = Operation(interface, name, software_runner.PATH, inputs)
        else:
            inputs = software_values.inputs(variables, config.script.endswith(".py"))
            operation = Operation(interface, name, config.script, inputs)
        operation.extra = {"max_retries": 0}
        operation.path = (*plan.node.path, "properties")
        self.nodes.origins[plan.node.name, f"{interface}.{name}"] = (*operation.path, "input_values")
        return operation

    def _used_outputs(self, node: Node, config: Config) -> list[str]:
        """The outputs that something refers to, in the order of their declaration."""
        used: dict[str, Any] = {}
        for value in self._values():
            if isinstance(value, ex.Attribute) and value.node == node.name and isinstance(value.name, str):
                used.setdefault(value.name, value.path)
        known = [*config.outputs, *software_runner.ALWAYS]
        for name, path in used.items():
            if name not in known:
                self.report("BPC733", path, name=name, config=config.node.name)
        return [name for name in known if name in used]

    def _report_deployment(self, plan: _Plan, server: str) -> None:
        node, config, properties = plan.node, plan.config, plan.node.properties
        names = ", ".join(".".join(_OPERATIONS[action]).removeprefix(f"{_LIFECYCLE}.") for action in plan.actions)
        script = config.script or "a text that is an input"
        self.report("BPC721", node.path, name=node.name, server=server, script=script, operations=names or "nothing")
        if config.is_computed:
            self.report("BPC722", config.path, runner=software_runner.PATH)
        place = (*node.path, "properties")
        if "UPDATE" in plan.actions:
            self.report("BPC728", (*place, "actions") if properties.get("actions") else node.path, name=node.name)
        if {"SUSPEND", "RESUME"} & set(plan.actions):
            self.report("BPC729", (*place, "actions"), name=node.name)
        transport = properties.get("signal_transport")
        if transport == "NO_SIGNAL" or isinstance(transport, ex.Expr):
            self.report("BPC727", (*place, "signal_transport"), name=node.name)
        elif transport is not None:
            self.report("BPC726", (*place, "signal_transport"), name="signal_transport")

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
                self._refuse(node, f"it is the user data of '{server.name}', but {refused}")
            return
        if not found:
            return
        place = (*server.path, "properties", "user_data")
        server.properties["user_data"] = said
        for node in found:
            self._uses(node, server.name)
            self.report("BPC730", place, name=node.name)
        if len(found) == 1 and found[0].kind == "software_config":
            self.nodes.origins[server.name, "user_data"] = (*found[0].path, "properties", "config")
        if server.properties.get("user_data_format") == "HEAT_CFNTOOLS":
            problem = f"Heat gives the server the id of '{found[0].name}' with this format, not the text"
            self.report("BPC737", (*server.path, "properties", "user_data_format"), problem=problem)

    def _inlined(self, value: Value, found: list[Node]) -> Value:
        if isinstance(value, ex.If):
            return ex.map_fields(value, lambda part: self._inlined(part, found))
        node = self.context.node_of(value.node) if isinstance(value, ex.Identity) else None
        if node is None or node.kind not in CONFIGS:
            return value
        found.append(node)
        return self._text(node)

    def _uses(self, node: Node, user: str) -> None:
        """Note that a configuration, with its parts, is part of node ``user``."""
        self.users.setdefault(node.name, []).append(user)
        if node.kind == "multipart_mime":
            for item in node.properties.get("parts") or ():
                part = item.get("config")
                inner = self.context.node_of(part.node) if isinstance(part, ex.Identity) else None
                if inner is not None and inner.kind in CONFIGS:
                    self._uses(inner, user)

    # -- what becomes of configurations -------------------------------------------------------------------------

    def _absorb(self) -> None:
        """Configurations whose every use is said are part of their first user; others are stand-ins (besides)."""
        configs = [node for node in self.context.topology.nodes.values() if node.kind in CONFIGS]
        kept = {node.name: node for node in configs if node.name not in self.users}
        elsewhere = self._elsewhere({node.name for node in configs} - kept.keys())
        waits: dict[str, list[str]] = {}
        for node in configs:
            if node.name in kept:
                if node.name not in self.nodes.refused:
                    self._refuse(node, self._why(node))
                self._keep(node)
            elif node.name in elsewhere:
                why = "its text is where it is needed, but its id is used as well, which only Heat knows"
                self._refuse(node, why)
                self._keep(node)
            else:
                waits[node.name] = self._give(node)
        self._instead_of(waits, "BPC738")

    def _elsewhere(self, names: set[str]) -> set[str]:
        """Those of ``names`` whose id is used where nothing said it."""
        while True:
            found = {
                value.node
                for value in self._values(without=names)
                if isinstance(value, ex.Identity) and value.node in names
            }
            if not found:
                return {name for name in self.users if name not in names}
            names = names - found

    def _why(self, config: Node) -> str:
        """Why nothing could be made of a configuration."""
        reference = ex.Identity(config.name)
        for node in self.context.topology.nodes.values():
            properties = node.properties if isinstance(node.properties, dict) else {}
            if reference in (properties.get("config"), properties.get("user_data")) or (
                node.kind == "multipart_mime" and reference in ex.walk(properties)
            ):
                return f"'{node.name}' cannot use it"
        return "its id is used, which only Heat knows" if reference in self._values() else _UNUSED

    def _keep(self, node: Node) -> None:
        """A stand-in shows the text of its file."""
        if file_of(node) is not None:
            node.properties = self.nodes.legaliser.fold(node.properties, (*node.path, "properties"))

    def _give(self, node: Node) -> list[str]:
        """Let a configuration be part of its users. Returns what had to be there before it."""
        users = list(dict.fromkeys(self.users[node.name]))
        known = set(map(str, node.properties))
        self.nodes.absorb(node, users[0], None, None, known)
        targets = [
            value.node
            for value in ex.walk(node.properties)
            if isinstance(value, (ex.Identity, ex.Attribute)) and isinstance(value.node, str)
        ]
        for user in users[1:]:
            owner = self.context.topology.nodes[user]
            owner.depends_on += [name for name in node.depends_on if name not in owner.depends_on]
        targets += node.depends_on
        node.properties = {}
        return list(dict.fromkeys(targets))

    def _instead_of(self, waits: dict[str, list[str]], code: str) -> None:
        """Replace dependencies on resources that have no node by those on what they wait for."""
        for node in self.context.topology.nodes.values():
            if not any(name in waits for name in node.depends_on):
                continue
            found: list[str] = []
            for index, name in enumerate(node.depends_on):
                if name in waits and code:
                    self.report(code, node.dependency_path(index), name=name)
                found += self._through(name, waits, set())
            node.depends_on = [name for name in dict.fromkeys(found) if name != node.name]

    def _through(self, name: str, waits: dict[str, list[str]], seen: set[str]) -> list[str]:
        if name not in waits:
            return [name]
        if name in seen:
            return []
        return [last for target in waits[name] for last in self._through(target, waits, seen | {name})]

    # -- all of the topology --------------------------------------------------------------------------------

    def _values(self, without: set[str] | None = None) -> list[ex.Expr]:
        """Every expression of the topology; ``without`` those of these resources."""
        topology = self.context.topology
        found: list[Any] = []
        for node in topology.nodes.values():
            if without is None or node.name not in without:
                found += [node.properties, node.extra.get("metadata"), [o.inputs for o in node.operations]]
        found += [output.value for output in (*topology.outputs.values(), *topology.capabilities.values())]
        return list(ex.walk(found))

    def _order(self, hosts: dict[str, str]) -> None:
        """Scripts of one server run one after the other."""
        for name, before in one_at_a_time(self.context, hosts):
            node = self.context.topology.nodes[name]
            node.depends_on = [*node.depends_on, before]
            self.report("BPC731", node.path, name=name, other=before)
