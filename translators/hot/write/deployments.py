"""Scripts of operations as software deployments on servers.

Both engines export the inputs as environment variables (cloudify's script_runner/tasks.py, the Heat agent's script
hook); the names follow heat-translator: ``<node>_<operation>_config`` and ``_deploy``."""

from __future__ import annotations

import json
import re
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Operation, Script
from bpconvert.translators.hot import resource_types
from bpconvert.translators.hot.resource_types import SOFTWARE, TYPED_TOOLS
from bpconvert.translators.hot.write import conditions
from bpconvert.translators.hot.write.context import Context, ResourceDraft
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.passes.expressions.kinds import STRUCTURES
from bpconvert.translators.passes.software.kinds import INSTALL
from bpconvert.translators.passes.software.to_deployments import deployed, title

#: the hosts of a play, and those that the hook's inventory has
_HOSTS: Final = re.compile(r"^[ \t-]*hosts:[ \t]*([^#\r\n]*[^#\s])", re.MULTILINE)
#: keys of plays and tasks that read other files
_NEEDS: Final = re.compile(
    r"^[ \t-]*(?:ansible\.builtin\.)?"
    r"(roles|vars_files|(?:include|import)_(?:tasks|role|vars|playbook)|template|script)[ \t]*:", re.MULTILINE,
)  # fmt: skip
_HERE: Final = ("all", "localhost", "127.0.0.1", "*")


class Deployments:
    """Lowers the operations of nodes. ``lasts``: node -> the last deployment of its operations. ``reached``: server
    (resource name) -> the node of the server."""

    def __init__(self, context: Context, rewriter: HotRewriter) -> None:
        self.context = context
        self.rewriter = rewriter
        self.lasts: dict[str, str] = {}
        self.reached: dict[str, Node] = {}
        self.named: dict[int, tuple[str, str]] = {}
        for node in context.topology.nodes.values():
            self._name(node)

    def _name(self, node: Node) -> None:
        """Give the configurations and deployments of a node their names."""
        context, label, seen = self.context, self.context.request.source.programs.label, set()
        for operation in deployed(node):
            parts = [node.name, *((operation.target,) if operation.target else ())]
            base = "_".join((*parts, label(operation)))
            if base in seen:
                base = "_".join((*parts, operation.name))
            seen.add(base)
            names = context.names.fresh_resource(f"{base}_config"), context.names.fresh_resource(f"{base}_deploy")
            self.named[id(operation)] = names
            for output in operation.outputs:
                context.publishers.setdefault((node.name, output), names[1])
                if operation.script is not None and operation.script.fitted:
                    context.fitted.add(names[1])

    def draft(self, node: Node) -> list[ResourceDraft]:
        """The configurations and deployments of a node's operations, in the order in which they run."""
        drafts: list[ResourceDraft] = []
        for operation in deployed(node):
            config, deployment = self._deployment(node, operation)
            if drafts:
                deployment.depends_on.append(drafts[-1].name)
            drafts += [config, deployment]
        if drafts:
            self.lasts[node.name] = drafts[-1].name
        return drafts

    def take(self) -> None:
        """The nodes that have become deployments: their servers need the Heat agent."""
        names, nodes = self.context.names, self.context.topology.nodes
        for node in nodes.values():
            values = node.properties.get("input_values", {}) if node.made_of else {}
            for operation in node.made_of:
                machine = names.resource(str(operation.machine))
                self.reached.setdefault(machine, nodes[str(operation.machine)])
                what = {"deployment": names.resource(node.name), "server": machine}
                self.context.reporter.report("BPC390", operation.path, name=title(operation), **what)
                for name, (_, place) in operation.script.inputs.items() if operation.script is not None else ():
                    if name in values:  # those that Heat gives as well are none of them
                        self._check_variable(name, values[name], {}, (*operation.path, *place))

    # -- one operation --------------------------------------------------------------------------------------

    def _deployment(self, node: Node, operation: Operation) -> tuple[ResourceDraft, ResourceDraft]:
        context, path = self.context, operation.path or node.path
        script, server = operation.script or Script(None), context.topology.nodes[str(operation.machine)]
        name, own_name = self.named[id(operation)]
        machine = context.names.resource(server.name)
        config = ResourceDraft(node, name, resource_types.SOFTWARE_CONFIG, part=True)
        servers = [machine, *(context.names.resource(name) for name in operation.machines)]
        type = resource_types.SOFTWARE_DEPLOYMENT if len(servers) == 1 else resource_types.SOFTWARE_DEPLOYMENT_GROUP
        deployment = ResourceDraft(node, own_name, type, part=True)
        context.reporter.report("BPC390", path, name=title(operation), deployment=own_name, server=", ".join(servers))
        for machine_name, name in zip(servers, (server.name, *operation.machines), strict=True):
            self.reached.setdefault(machine_name, context.topology.nodes[name])
        values = {
            name: self._variable(name, value, (*path, *place), typed=script.tool in TYPED_TOOLS)
            for name, (value, place) in script.inputs.items()
        }
        actions = ["CREATE" if operation.step in INSTALL else "DELETE"]
        own = {"deploy_action": actions[0], "deploy_resource_name": deployment.name, "deploy_server_id": machine}
        for name, (_, place) in script.inputs.items():
            self._check_variable(name, values[name], own, (*path, *place))
        config.properties["group"] = script.tool or "script"
        self._check_hosts(script, path)
        if values:
            config.properties["inputs"] = [{"name": name} for name in values]
        if operation.outputs:
            config.properties["outputs"] = [{"name": name} for name in operation.outputs]
        config.properties["config"] = script.text if script.file is None else ex.File(script.file)
        deployment.properties["config"] = ex.Identity(config.name)
        if len(servers) == 1:
            deployment.properties["server"] = ex.Identity(machine)
        else:
            deployment.properties["servers"] = {name: ex.Identity(name) for name in servers}
        if values:
            deployment.properties["input_values"] = values
        deployment.properties["actions"] = actions
        config.condition = deployment.condition = self._condition(node, server)
        for place in script.settings:
            context.reporter.report("BPC396", (*path, *place), name=place[-1])
        for _, place in script.setup.values():
            context.reporter.report("BPC833", (*path, *place), name=place[-1])
        names, place = script.needs
        if names:
            context.reporter.report("BPC870", (*path, *place), name=title(operation), files=", ".join(names))
        config.moves += [(path, ("resources", config.name)), (node.path, ("resources", config.name))]
        deployment.moves.append(((*path, "inputs"), deployment.place("input_values")))
        return config, deployment

    def _check_hosts(self, script: Script, path: Path) -> None:
        """Report the plays that the agent of a machine does not run, as it knows that machine alone, and the files that
        they need: it has the playbook alone."""
        text = self.context.request.files.look(script.file)[0] if script.tool in TYPED_TOOLS and script.file else None
        hosts = dict.fromkeys(name.strip("'\"") for name in _HOSTS.findall(text or "") if "{{" not in name)
        others = [name for name in hosts if name not in _HERE]
        if others:
            self.context.reporter.report("BPC545", path, name=script.file, hosts=", ".join(others))
        needs = dict.fromkeys(_NEEDS.findall(text or ""))
        if needs:
            self.context.reporter.report("BPC546", path, name=script.file, what=", ".join(needs))

    def _variable(self, name: str, value: Value, path: Path, *, typed: bool) -> Value:
        """The value of a variable: what is known as the script plugin writes it, or as it is where that counts."""
        rewritten = value if ex.is_constant(value) else self.rewriter.value(value, path)
        if typed:
            return rewritten
        if ex.is_constant(rewritten):
            if isinstance(rewritten, (dict, list, bool)):
                return json.dumps(rewritten)
            return rewritten if isinstance(rewritten, str) else str(rewritten)
        if self._kind(value) not in ("string", "number", ""):
            place = getattr(value, "path", ()) or path  # an interface may have inputs for all its operations
            self.context.reporter.report("BPC395", place, name=name)
        return rewritten

    def _check_variable(self, name: str, value: Value, own: dict[str, str], path: Path) -> None:
        """Report a variable of which Heat sets another value; ``own``: those that are known, a server by its name."""
        same = value.node if isinstance(value, ex.Identity) else value
        if re.fullmatch(SOFTWARE.derived, name) and (name not in own or same != own[name]):
            self.context.reporter.report("BPC399", path, name=name)

    def _kind(self, value: Value) -> str:
        """The neutral type of what a variable holds, as far as it is plain to see; "" for what is text mostly."""
        declared = self.rewriter.declared(value)
        if isinstance(value, (dict, list)) or (isinstance(value, ex.Expr) and self.rewriter.kind(value) in STRUCTURES):
            return "json"
        return (declared.type if declared else None) or ""

    def _condition(self, node: Node, server: Node) -> Value:
        """A deployment needs its node and the server to be there."""
        conditions_found: list[Value] = []
        for owner in (node, server):
            if owner.condition is not MISSING and owner.condition not in conditions_found:
                conditions_found.append(owner.condition)
        if not conditions_found:
            return MISSING
        joined = conditions_found[0] if len(conditions_found) == 1 else ex.And(tuple(conditions_found))
        return conditions.value(self.rewriter, joined, (*node.path, "condition"))


def reach(context: Context, drafts: dict[str, ResourceDraft], reached: dict[str, Node]) -> None:
    """Let the Heat agent on each server know of its deployments (heat/engine/resources/openstack/nova/server.py)."""
    for name, node in reached.items():
        draft, report = drafts.get(name), context.reporter.report
        report("BPC378", node.path, servers=f"'{name}'")
        if draft is None:
            continue
        wanted = draft.properties.get("user_data_format", "RAW")
        if draft.type != resource_types.SERVER:
            report("BPC394", node.path, name=name, why="Heat has not created it")
        elif draft.external_id is not MISSING:
            report("BPC394", node.path, name=name, why="it exists already")
        elif wanted == "RAW":
            draft.properties["user_data_format"] = "SOFTWARE_CONFIG"
            report("BPC393", context.request.source.programs.agent(node), name=name)
        elif wanted != "SOFTWARE_CONFIG":
            why = "its user_data_format is not SOFTWARE_CONFIG"
            report("BPC394", node.origin("user_data_format"), name=name, why=why)
