"""Deployments as nodes in their servers, whose operations run the scripts of the configurations.

The actions of Heat (heat: software_deployment.py) are operations of Cloudify."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass
from bpconvert.models.topology import Node, Operation, Output, Topology
from bpconvert.translators.passes.expressions.kinds import Kinds, is_number
from bpconvert.translators.passes.software import configs
from bpconvert.translators.passes.software.configs import Config, known_text
from bpconvert.translators.passes.software.kinds import PUBLISHED
from bpconvert.translators.passes.software.python_files import is_program
from bpconvert.translators.passes.work import Refused, Work
from bpconvert.translators.support.mentions import Holder, Mentions

#: references to attributes of a deployment, or of all its instances
_ATTRIBUTES = (ex.Attribute, ex.AttributeList, ex.AttributeDict)
#: longest text that an environment variable holds, with some room (Linux: MAX_ARG_STRLEN)
_LONGEST = 120_000
_DEFAULT_ACTIONS = ["CREATE", "UPDATE"]


@dataclass(eq=False, repr=False)
class Plan:
    """A deployment that can be a node. ``resource``: what Heat calls it, None where only Heat knows that."""

    node: Node
    config: Config
    actions: list[str]
    resource: str | None


class Deployments:
    """The deployments of one topology. ``used``: configurations that have a deployment."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.topology = work.topology
        self.mentions = Mentions(work.topology)
        self.report = work.report
        self.programs = work.request.target.programs
        self.operations = self.programs.operations
        self.used: set[str] = set()
        self._configs: dict[str, Config] = {}

    def plan(self, node: Node) -> Plan:
        """What a deployment becomes; nothing is changed yet. Raises :class:`Refused`.

        Conditions of its configuration mean nothing: Heat refuses a reference to what does not exist."""
        properties = node.properties
        if not isinstance(properties, dict) or node.external_id is not MISSING:
            raise Refused("its properties are computed")
        config = self._config(node, properties.get("config"))
        actions = properties.get("actions")
        actions = _DEFAULT_ACTIONS if actions is None else actions
        if not isinstance(actions, list) or not all(isinstance(a, str) and a in self.operations.names for a in actions):
            raise Refused("its actions are computed or unknown")
        values = properties.get("input_values")
        if not (isinstance(values, dict) or values is None or values is MISSING):
            raise Refused("its input values are only known when deploying")
        self._check_server(properties.get("server"))
        target = self.work.request.target
        if target.words.called(dict.fromkeys([*config.inputs, *(properties.get("input_values") or ())])) is not None:
            raise Refused(f"its only variable is called like a function of {target.title}")
        return Plan(node, config, actions, self._resource(node.name))

    def _resource(self, name: str) -> str | None:
        """The name of a deployment, of a member of a group its number: in a scaling group each instance has one."""
        topology = self.topology
        node = topology.node(name)
        if node is not None and node.group is not None:
            return None
        group = next((group for group, names in topology.unrolled.items() if name in names), None)
        if group is None:
            return name
        number = name.removeprefix(f"{group}_")
        return number if number.isdecimal() else None

    def _config(self, node: Node, wanted: Value) -> Config:
        """The configuration of a deployment as a script; one of the template is read once."""
        given_config = configs.config_of(self.work, node, wanted, self._used(node))
        if given_config is not None:
            return given_config
        config_node = self.topology.node(wanted.node) if isinstance(wanted, ex.Identity) else None
        if config_node is None or config_node.kind != "software_config":
            what = f"of type {config_node.source_type}" if config_node is not None else "not one of the template"
            raise Refused(f"its configuration is {what}")
        if config_node.name not in self._configs:
            config = configs.read(self.work, config_node)
            if len(known_text(self.work, config)) > _LONGEST and config.is_computed:
                raise Refused("its script is too long for an input")
            self._configs[config_node.name] = config
        return self._configs[config_node.name]

    def _check_server(self, server: Value) -> None:
        node = self.topology.node(server.node) if isinstance(server, ex.Identity) else None
        if isinstance(server, ex.Identity) and (node is None or node.kind != "server"):
            raise Refused(f"there is no server node '{server.node}'")
        if node is not None and not isinstance(node.properties, dict):
            raise Refused(f"the properties of server '{node.name}' are computed")
        if not isinstance(server, (str, ex.Identity, ex.Input)) or server == "":
            raise Refused("its server is not known before the deployment runs")

    def deploy(self, plan: Plan) -> str:
        """Make the operations of a deployment's node. Returns the server's node."""
        node, config, properties = plan.node, plan.config, plan.node.properties
        server = properties["server"]
        place = node.origin("server")
        if not isinstance(server, ex.Identity):
            server = self.work.existing("server", server, node, place)
        self._place(config)
        used = self._used_outputs(node, config)
        values = variables(self.work, node, config, properties.get("input_values"))
        for action in plan.actions:
            derived = derived_variables(self.work, config, plan.resource, server, action)
            node.operations.append(self._operation(plan, action, used, {**values, **derived}))
        self._report_deployment(plan, server.node)
        if used:
            node.published.update(used)
        kept = {key: value for key, value in properties.items() if key == "name" and value is not None}
        node.properties = {"server": server, **kept}
        self.mentions.refresh(node)
        return str(server.node)

    def _place(self, config: Config) -> None:
        if not config.script and not config.is_computed:
            configs.place(self.work, config)
            first = known_text(self.work, config)[:2]
            if first != "#!":
                self.report("BPC734", config.path, name=config.script)
        if config.node.name not in self.used:
            self.used.add(config.node.name)
            for path in configs.needless_parts(config):
                self.report("BPC735", path, name=path[-1])
            group = config.node.properties.get("group")
            if group is None:
                self.report("BPC732", config.node.path, name=config.node.name)

    def _operation(self, plan: Plan, action: str, used: list[str], variables: dict[str, Value]) -> Operation:
        config = plan.config
        interface, name = self.operations.names[action]
        errors = [output for output, means_failure in config.outputs.items() if means_failure]
        needs_runner = used or errors or config.is_computed
        if needs_runner or "heat_outputs_path" in known_text(self.work, config):
            runner = self.programs.runner
            self.topology.files[runner.path] = runner.program
            own: dict[str, Value] = {runner.file: config.script}
            if config.is_computed:
                own = {runner.text: config.text}
            if used:
                own[runner.outputs] = " ".join(used)
            if errors:
                own[runner.errors] = " ".join(errors)
            inputs = {**own, **self.operations.inputs(variables, False)}
            operation = Operation(interface, name, runner.path, inputs)
        else:
            as_program = is_program(config.script, config.path, self.topology, self.work.request)
            inputs = self.operations.inputs(variables, as_program)
            operation = Operation(interface, name, config.script, inputs)
        operation.extra = dict(self.operations.once)
        operation.path = plan.node.origin()
        plan.node.origins[f"{interface}.{name}",] = (*operation.path, "input_values")
        return operation

    def _used_outputs(self, node: Node, config: Config) -> list[str]:
        """The outputs that something refers to, in the order of their declaration."""
        used = self._used(node)
        names = [*config.outputs, *PUBLISHED]
        for name, path in used.items():
            if name not in names:
                self.report("BPC733", path, name=name, config=config.node.name)
        return [name for name in names if name in used]

    def mentioning(self, name: str) -> Iterator[ex.Expr]:
        """The expressions of all that refers to the node ``name``."""
        for holder in self.mentions.holders(name):
            yield from ex.walk(_values(holder))

    def _used(self, node: Node) -> dict[str, Any]:
        """The attributes of a deployment that something refers to, with the first place of each."""
        used: dict[str, Any] = {}
        for value in self.mentioning(node.name):
            if not isinstance(value, _ATTRIBUTES) or value.node != node.name or is_number(value):
                continue
            for name in value.names if isinstance(value, ex.AttributeDict) else (value.name,):
                name = name[0] if isinstance(name, list) and name else name
                if isinstance(name, str):
                    used.setdefault(name, value.path)
        return used

    def _report_deployment(self, plan: Plan, server: str) -> None:
        node, config, properties = plan.node, plan.config, plan.node.properties
        own, names_by_action = next(iter(self.operations.names.values()))[0], self.operations.names
        names = ", ".join(".".join(names_by_action[action]).removeprefix(f"{own}.") for action in plan.actions)
        script = config.script or "a text that is an input"
        self.report("BPC721", node.path, name=node.name, server=server, script=script, operations=names or "nothing")
        if config.is_given:
            source = self.work.request.source.title
            problem = f"taken for the text of a script; {source} takes the id of a configuration here"
            self.report("BPC737", config.path, problem=problem)
        elif config.is_computed:
            self.report("BPC722", config.path, runner=self.programs.runner.path)
        place = node.origin()
        if "UPDATE" in plan.actions:
            self.report("BPC728", (*place, "actions") if properties.get("actions") else node.path, name=node.name)
        if {"SUSPEND", "RESUME"} & set(plan.actions):
            self.report("BPC729", (*place, "actions"), name=node.name)
        transport = properties.get("signal_transport")
        if transport == "NO_SIGNAL" or isinstance(transport, ex.Expr):
            self.report("BPC727", (*place, "signal_transport"), name=node.name)
        elif transport is not None:
            self.report("BPC726", (*place, "signal_transport"), name="signal_transport")


def expressions(topology: Topology, without: Collection[str] = ()) -> list[ex.Expr]:
    """Every expression of the topology but those of the nodes ``without``."""
    holders: list[Holder] = [node for node in topology.nodes.values() if node.name not in without]
    return list(ex.walk([_values(holder) for holder in [*holders, *topology.published]]))


def _values(holder: Holder) -> list[Value]:
    if isinstance(holder, Output):
        return [holder.value]
    return [holder.properties, holder.extra.get("metadata"), [operation.inputs for operation in holder.operations]]


#: of the variables that the source itself adds, those that are known here
_DERIVED = ("deploy_server_id", "deploy_action", "deploy_resource_name")


def variables(work: Work, node: Node, config: Config, wanted: Value) -> dict[str, Value]:
    """The variables of a deployment: its values over the declared defaults, as the same texts that Heat's agent makes.

    In Heat every input has a type, ``String`` where the template gives none (heat/engine/software_config_io.py). The
    agent writes values of type ``String`` with Python's ``str``, maps and lists of other types as JSON (heat-agents:
    55-heat-config, hook-script.py). Cloudify writes maps, lists and booleans as JSON, everything else with ``str``
    (script_runner/tasks.py)."""
    values = wanted if isinstance(wanted, dict) else {}
    place = node.origin("input_values")
    variables_found: dict[str, Value] = {}
    for index, (name, (kind, default)) in enumerate(config.inputs.items()):
        value, path = default, config.node.origin("inputs", index, "default")
        if name in values:
            value, path = values[name], (*place, name)
        variables_found[name] = _variable(work, kind, value, path)
    for name, value in values.items():
        if name not in variables_found:
            variables_found[name] = _variable(work, "String", value, (*place, name))
    return variables_found


def _variable(work: Work, kind: str, value: Value, path: Path) -> Value:
    """A value such that the script gets the text that Heat's agent would give it."""
    constant = ex.is_constant(value)
    if kind != "String":
        if constant and isinstance(value, (bool, int, float)):
            work.report("BPC739", path, name=path[-1], type=kind)
        return value
    if constant:
        if not isinstance(value, (bool, list, dict)):
            return value
        work.report("BPC724", path, value=f"the text {value}")
        return str(value)
    sort = Kinds(work.topology, work.request.catalogue).kind_of(value)
    if sort in ("text", "number") or work.topology.is_of_stand_in(value):
        return value
    if sort != "any":
        work.report("BPC724", path, value="the text that Python makes of the value")
    return ex.Concat((value,), path=value.path if isinstance(value, ex.Expr) else path)


def derived_variables(
    work: Work, config: Config, resource: str | None, server: ex.Identity, action: str
) -> dict[str, Value]:
    """What the script uses of the variables that Heat itself adds."""
    derived = work.request.source.programs.derived
    mentioned = set(_DERIVED if config.is_given else re.findall(derived, known_text(work, config)))
    variables_found: dict[str, Value] = {}
    for name, value in (
        ("deploy_server_id", ex.Identity(server.node)),
        ("deploy_action", action),
        ("deploy_resource_name", resource),
    ):
        if name in mentioned and value is not None:
            mentioned.discard(name)
            variables_found[name] = value
    if mentioned:
        work.report("BPC725", config.path, names=", ".join(sorted(mentioned)))
    return variables_found
