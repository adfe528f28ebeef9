"""Operations that run programs on machines, for a language where deployments do that.

A node that is nothing but such an operation becomes a deployment. Of other nodes' operations, those that can be
deployments get to know their ``machine``. The programs are files of the bundle."""

from __future__ import annotations

import json
import re
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, File, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Node, Operation, Script, Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import INSTALL, MACHINES, RANKS, is_for_powershell
from bpconvert.translators.passes.software.machines import addressed, outermost
from bpconvert.translators.passes.software.order import wait_instead
from bpconvert.translators.passes.software.playbooks import INSTALLS, install_roles
from bpconvert.translators.passes.software.publishing import publish
from bpconvert.translators.passes.software.python_files import interpreter
from bpconvert.translators.passes.software.starting import start
from bpconvert.translators.passes.work import Work
from bpconvert.translators.support.places import common
from bpconvert.translators.support.text import fresh
from bpconvert.urls import is_url

#: why a program that is none of its own is no deployment
_FUNCTION: Final = "it is a function of a plugin"
#: the words of a finding about one operation
_ONE: Final = {"what": "operation", "does": "does"}
#: steps to an interface of a node or type, or to a relationship of a node
_LIST: Final = 4


def to_deployments(topology: Topology, request: Request) -> Topology:
    """Decide which operations are deployments; those that cannot be are reported."""
    programs = request.source.programs
    for node in topology.nodes.values():
        for operation in node.operations:
            operation.step, operation.script = programs.step(operation), programs.script(operation)
        _install(node)
    for config in recognise(topology, request):
        text = config.properties["config"]
        if isinstance(text, File) and isinstance(text.name, str):
            _keep(topology, Script(text.name), config.origin("config"), request)
    for node in topology.nodes.values():
        of_plugins = [operation for operation in node.operations if _place(topology, node, operation, request)]
        if of_plugins:
            _report_functions(node, of_plugins, request)
    publish({node.name: deployed(node) for node in topology.nodes.values()}, topology, request)
    for node in topology.nodes.values():
        start(deployed(node), request)
        for operation in deployed(node):
            if operation.script is not None:
                _keep(topology, operation.script, (*(operation.path or node.path), "implementation"), request)
        if node.template is not None:
            to_deployments(node.template, request)
    idle = {node.name: node for node in topology.nodes.values() if node.role and not deployed(node)}
    wait_instead(Work(topology, request), {name: node.awaited for name, node in idle.items()}, "")
    return topology


def _install(node: Node) -> None:
    """Install what playbooks need before they run, where these say so themselves."""
    names: dict[str, Operation] = {}
    for operation in node.operations:
        if operation.script is not None and operation.script.tool and not operation.script.central:
            names |= dict.fromkeys(operation.script.installs, operation)
    if names:
        first = next(iter(names.values()))
        program = Script(None, install_roles(names), address=first.script.address if first.script else MISSING)
        added = Operation(first.interface, INSTALLS, program.text, path=first.path)
        added.step, added.script = INSTALL[0], program
        node.operations.insert(0, added)


def bring(operation: Operation, topology: Topology, request: Request) -> None:
    """Make the file of an operation that stays as it is part of the bundle, where there is one."""
    text = None if is_url(operation.implementation) else request.files.keep(operation.implementation)
    if text is not None:
        topology.files.setdefault(operation.implementation, text)


def deployed(node: Node) -> list[Operation]:
    """The operations of a node that are deployments, in the order in which these wait for each other."""
    operations = [operation for operation in node.operations if operation.machine is not None]
    return sorted(operations, key=lambda operation: RANKS[operation.step])


def _place(topology: Topology, node: Node, operation: Operation, request: Request) -> bool:
    """Give an operation its machine, or report why it has none; True for the function of a plugin, which is not yet
    reported."""
    machine = _machine(topology, node, operation)
    why = _obstacle(operation, machine, node)
    if operation.script is None and operation.step in RANKS:
        why = request.source.programs.why_not(operation) or why
    if why is None and machine is not None:
        operation.machine = machine.name
        more = [topology.nodes[name] for name in node.hosts if name in topology.nodes]
        operation.machines = [
            machine_node.name for machine_node in more if machine_node is not machine and machine_node.kind in MACHINES
        ]
        return False
    path = operation.path
    own = path[: len(node.path)] == node.path
    is_real = node.kind is not None or bool(node.role)
    if own or operation.script is not None or is_real:  # what a stand-in does not do, is reported with it
        node.unrun.append(operation)
        if why == _FUNCTION:
            return True
        texts = {"name": title(operation), "implementation": _short(operation.implementation), "why": why}
        request.reporter.report("BPC391", path or node.path, **texts, **_ONE)
    return False


def _report_functions(node: Node, operations: list[Operation], request: Request) -> None:
    """Report the operations of a node that are functions of a plugin: those of an interface, or of a relationship, as
    one."""
    places: dict[Path, list[Operation]] = {}
    for operation in operations:
        places.setdefault((operation.path or node.path)[:_LIST], []).append(operation)
    for functions in places.values():
        implementations = dict.fromkeys(_short(operation.implementation) for operation in functions)
        texts = {"name": ", ".join(map(title, functions)), "implementation": ", ".join(implementations)}
        words = _ONE if len(functions) == 1 else {"what": "operations", "does": "do"}
        why = _FUNCTION if len(implementations) == 1 else "they are functions of plugins"
        place = common([operation.path or node.path for operation in functions])
        request.reporter.report("BPC391", place, **texts, **words, why=why)


def _machine(topology: Topology, node: Node, operation: Operation) -> Node | None:
    """The machine whose address the program says, else what the operation's side is hosted by."""
    address = MISSING if operation.script is None else operation.script.address
    return host_of(topology, node, operation) if address is MISSING else addressed(topology, address)


def host_of(topology: Topology, node: Node, operation: Operation) -> Node | None:
    """What an operation runs on: a machine, or the outermost node that it is hosted by."""
    side = topology.node(operation.target) if operation.host == "target" else node
    return side if side is None else outermost(topology, side)


def _obstacle(operation: Operation, machine: Node | None, node: Node) -> str | None:
    """Why an operation cannot be a deployment, None if it can."""
    if operation.step not in RANKS:
        return "it is no part of creating or deleting a stack"
    if operation.script is None:
        return _FUNCTION
    if operation.script.central:
        return "it runs on the manager"
    if machine is None or (machine.kind not in MACHINES and machine is node):
        return "it runs on no server of the template"
    if machine.kind not in MACHINES:
        return f"it runs on '{machine.name}', which is no server that the template creates"
    if machine.external_name is not MISSING and not machine.by_id:
        return f"the server '{machine.name}' is known by its name only"
    if machine.is_several or machine.limits[1] is not MISSING:
        return f"there may be several of the server '{machine.name}'"
    return None


def title(operation: Operation) -> str:
    """What messages call an operation."""
    name = f"{operation.interface}.{operation.name}"
    return f"{name} to {operation.target}" if operation.target else name


def _short(text: str) -> str:
    lines = text.strip().splitlines() or [""]
    return lines[0] if len(lines) == 1 else f"{lines[0]} ..."


def _keep(topology: Topology, script: Script, path: Path, request: Request) -> None:
    """Make a file part of the bundle; report what an agent does in another way than the source's runner."""
    if script.fitted:
        return
    if script.file is None:
        _check(script.text.strip().splitlines()[0], script.text, path, request)
    elif "://" not in script.file:
        text, code = request.files.read(script.file)
        if text is None:
            request.reporter.report(code, path, name=script.file)
        else:
            topology.files[script.file] = text
            _check(script.file, text, path, request, script.tool)


def _check(name: str, text: str, path: Path, request: Request, other: str = "") -> None:
    """``other``: the program that runs it, "" for itself."""
    report, source = request.reporter.report, request.source
    tool = source.programs.tool(name, text)
    if tool:
        report("BPC392", path, script=name, why=f"uses {tool}, which only {source.title} has")
    if other:
        return
    if is_for_powershell(name):
        report("BPC392", path, script=name, why="is for PowerShell, which no agent runs")
    elif not text.startswith("#!"):
        line = interpreter(name, text) or "#!/bin/sh"
        why = f"does not begin with the line that names its interpreter ({line})"
        report("BPC392", path, script=name, why=why)


#: what Heat does without ``actions``
_DEFAULT = {"CREATE", "UPDATE"}
#: a script that was written in the template: the configuration's name, and a digest
_GENERATED = re.compile(r"scripts/(.+)-[0-9a-f]{6}\.\w+")
_STRUCTURES = {"json": "Json", "list": "CommaDelimitedList"}


class _Program(NamedTuple):
    """What a deployment runs: a file of the bundle, or the text; and where that stands."""

    file: str | None
    text: Value
    path: Path


class _Run(NamedTuple):
    """One operation: its action, script, outputs (name -> whether it means failure) and variables."""

    action: str
    script: _Program
    outputs: dict[str, bool]
    variables: dict[str, Value]


def recognise(topology: Topology, request: Request) -> list[Node]:
    """Replace such nodes in ``topology`` by deployments and configurations. Returns a configuration for each."""
    configs_made: list[Node] = []
    configs: dict[str, str] = {}
    nodes: dict[str, Node] = {}
    taken = {*topology.nodes, *topology.inputs}
    reading = _Reading(topology, request)
    for node in topology.nodes.values():
        server = topology.node(node.host)
        runs = reading.runs(node, server) if server is not None and server.kind == "server" else None
        if runs and server is not None:
            config = reading.config(node, runs[0])
            key = repr(config.properties)
            if key not in configs:
                configs[key] = config.name = fresh(config.name, taken)
                taken.add(config.name)
                nodes[config.name] = config
            reading.deploy(node, runs, configs[key], server)
            configs_made.append(config)
        nodes[node.name] = node
    if configs_made:
        topology.nodes = nodes
    return configs_made


class _Reading:
    """The nodes of one topology, as what they run."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.source, self.target = request.source, request.target
        #: interface and name of an operation -> action of a deployment
        self.actions = {place: action for action, place in request.source.programs.operations.names.items()}

    def runs(self, node: Node, server: Node) -> list[_Run] | None:
        """The operations, which all run the same script with the same variables; None where they do not."""
        if node.source_type != self.source.programs.component or node.properties or not node.operations:
            return None
        if node.is_several or server.is_several or node.native is not None:
            return None
        if (server.external_name is not MISSING and not server.by_id) or server.limits[1] is not MISSING:
            return None
        runs = [run for operation in node.operations if (run := self._run(node, server, operation)) is not None]
        same = all(run[1].text == runs[0].script.text and run.script.file == runs[0].script.file for run in runs)
        if len(runs) != len(node.operations) or not same or any(run[2:] != runs[0][2:] for run in runs):
            return None
        kinds = [_kind(self.topology, value) for value in runs[0].variables.values()]
        return None if "boolean" in kinds else runs  # which Heat's agent would write in another way

    def _run(self, node: Node, server: Node, operation: Operation) -> _Run | None:
        programs = self.source.programs
        action = self.actions.get((operation.interface, operation.name))
        inputs, runner = programs.variables(operation), programs.runner
        if action is None or inputs is None:
            return None
        outputs: dict[str, bool] = {}
        place = operation.path
        script = _Program(operation.implementation, None, (*place, "implementation"))
        if operation.implementation == runner.path:
            names = [inputs.pop(key, "") for key in (runner.outputs, runner.errors)]
            if not all(isinstance(name, str) for name in names):
                return None
            outputs = {name: False for name in names[0].split() if name not in runner.always}
            outputs |= dict.fromkeys(names[1].split(), True)
            file, text = inputs.pop(runner.file, None), inputs.pop(runner.text, None)
            script = _Program(file, text, (*place, "inputs", runner.file if file else runner.text))
            if (file is None) is (text is None) or not isinstance(file, (str, type(None))):
                return None
        derived = {name for name, value in inputs.items() if _is_derived(node, server, action, name, value)}
        variables = {name: value for name, value in inputs.items() if name not in derived}
        return _Run(action, script, outputs, variables)

    def config(self, node: Node, run: _Run) -> Node:
        """The configuration, named after its file."""
        inputs: list[Value] = []
        for name, value in run.variables.items():
            kind = _STRUCTURES.get(_kind(self.topology, value))
            inputs.append({"name": name, "type": kind} if kind else {"name": name})
        properties: dict[str, Value] = {"group": "script"}
        if inputs:
            properties["inputs"] = inputs
        if run.outputs:
            properties["outputs"] = [
                {"name": name, "error_output": True} if fails else {"name": name} for name, fails in run.outputs.items()
            ]
        text = run.script.text
        name = f"{node.name}_config"
        if run.script.file is not None:
            text = ex.File(run.script.file)
            generated = _GENERATED.fullmatch(run.script.file)
            name = generated[1] if generated and generated[1] not in self.topology.nodes else name
        properties["config"] = text
        config_node = Node(name, self.target.programs.config, "software_config", properties, condition=node.condition)
        config_node.native = self.target.language
        config_node.path = (*node.path, self.source.words.key("operations"))
        config_node.origins = {("config",): run.script.path}
        return config_node

    def deploy(self, node: Node, runs: list[_Run], config: str, server: Node) -> None:
        """Make the node a deployment; its operations are what it was made of."""
        properties: dict[str, Value] = {"config": ex.Identity(config), "server": ex.Identity(server.name)}
        values = {name: _value(value) for name, value in runs[0].variables.items()}
        if values:
            properties["input_values"] = values
        actions = [run.action for run in runs]
        if set(actions) != _DEFAULT:
            properties["actions"] = actions
        operation = node.operations[0]
        for name in ("config", "server", "input_values", "actions"):
            node.origins[name,] = operation.path
        for name in values:
            node.origins["input_values", name] = (*operation.path, "inputs", name)
        node.made_of, node.operations = node.operations, []
        for run_operation in node.made_of:
            run_operation.machine = server.name
        node.kind, node.source_type = "software_deployment", self.target.programs.deployment
        node.native = self.target.language
        node.properties, node.host = properties, None
        used = set(ex.named_nodes(properties))
        node.relationships = [relationship for relationship in node.relationships if relationship.target not in used]


def _is_derived(node: Node, server: Node, action: str, name: str, value: Value) -> bool:
    """True for a variable that Heat itself gives every script."""
    if name == "deploy_server_id":
        return isinstance(value, (ex.Identity, ex.Attribute)) and value.node == server.name
    own = {"deploy_action": action, "deploy_resource_name": node.name}
    return name in own and isinstance(value, str) and value == own[name]


def _value(value: Value) -> Value:
    """The value whose text Heat's agent makes the same; ``concat`` of one thing is the text that Python makes of it."""
    if isinstance(value, ex.Concat) and len(value.items) == 1:
        return value.items[0]
    if not ex.is_constant(value) or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, (dict, list, bool)) else str(value)


def _kind(topology: Topology, value: Value) -> str:
    """The neutral type of what a variable holds, where that is a whole input."""
    if isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
        declared = topology.inputs.get(value.name)
        return (declared.type if declared else None) or ""
    return "json" if isinstance(value, dict) and not ex.is_constant(value) else ""
