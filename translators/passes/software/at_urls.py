"""Deployments of files at a URL that were software: where operations name such files, they are that again.

Nothing is read from the network, so that no text can stand in place of the file."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node, Operation, Relationship, Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import DEPLOYMENT
from bpconvert.translators.passes.software.order import wait_instead
from bpconvert.translators.passes.work import Work
from bpconvert.translators.support.mentions import Holder, Mentions, values_of
from bpconvert.urls import is_url

#: action of a deployment -> step of software
_STEPS: Final = {"CREATE": "create", "DELETE": "delete"}
#: the properties of a deployment that are read here
_READ: Final = frozenset({"config", "server", "input_values", "actions", "name"})
#: the group of a configuration that is run as it is
_SCRIPT: Final = "script"
_TEXT: Final = "String"


def to_software(topology: Topology, request: Request) -> Topology:
    """Let deployments of files at URLs be software on their machines, as far as nothing asks for what they publish."""
    mentions, configs = Mentions(topology), dict[str, Node]()
    for node in list(topology.nodes.values()):
        config = _config(topology, node)
        if config is None or not _is_alone(mentions, node):
            continue
        operations = _operations(node, config, request)
        if operations is None:
            continue
        configs[config.name] = config
        server = node.properties["server"].node
        waits = [
            relationship for relationship in node.relationships if relationship.target not in (config.name, server)
        ]
        node.relationships = [Relationship(node.name, server, inside=True, path=node.origin("server")), *waits]
        node.wait_for(*(name for name in config.awaited if name != node.name), path=config.path)
        node.kind, node.source_type, node.role = None, "", node.was
        node.host, node.operations, node.properties = server, operations, {}
    unused = {name: unused_config for name, unused_config in configs.items() if not _is_used(topology, unused_config)}
    wait_instead(Work(topology, request), {name: unused_config.awaited for name, unused_config in unused.items()}, "")
    for name in unused:
        del topology.nodes[name]
    return topology


def _config(topology: Topology, node: Node) -> Node | None:
    """The configuration of a deployment that is written out and has one of the template; None for others."""
    properties = node.properties
    if not node.was or node.kind != DEPLOYMENT or not isinstance(properties, dict) or not properties.keys() <= _READ:
        return None
    if node.group is not None or node.is_several or node.exists or node.stand_in:
        return None
    wanted, server = properties.get("config"), properties.get("server")
    config_node = topology.node(wanted.node) if isinstance(wanted, ex.Identity) else None
    machine = topology.node(server.node) if isinstance(server, ex.Identity) else None
    if (
        config_node is None
        or config_node.kind != "software_config"
        or config_node.exists
        or not isinstance(config_node.properties, dict)
    ):
        return None
    is_own = machine is not None and machine.kind == "server" and not machine.exists
    return config_node if is_own and config_node.condition is MISSING else None


def _is_alone(mentions: Mentions, node: Node) -> bool:
    """True where no value is about a deployment."""
    return not any(
        getattr(expr, "node", None) == node.name
        for holder in mentions.holders(node.name)
        for expr in ex.walk(values_of(holder))
    )


def _is_used(topology: Topology, config: Node) -> bool:
    holders: list[Holder] = [*topology.nodes.values(), *topology.published]
    values = [values_of(holder) for holder in holders]
    return config.name in {*ex.named_nodes(values)}


def _operations(node: Node, config: Node, request: Request) -> list[Operation] | None:
    """The operations of a deployment; None where it has no such form."""
    text, group = config.properties.get("config"), config.properties.get("group")
    if not isinstance(text, ex.File) or not isinstance(text.name, str) or not is_url(text.name):
        return None
    actions = node.properties.get("actions")
    values = node.properties.get("input_values")
    inputs = _inputs(config, {} if values is None else values, is_text=group == _SCRIPT)
    if request.files.has_url(text.name) or inputs is None or not isinstance(actions, list):
        return None
    if not actions or not all(action in _STEPS for action in actions):
        return None
    operations, programs = [], request.target.programs
    for step in [_STEPS[action] for action in actions]:
        interface, name = programs.operations.own[step]
        operation = Operation(interface, name, text.name, dict(inputs), path=config.path)
        script = programs.script(operation)
        if script is None or script.file != text.name or (script.tool or _SCRIPT) != group:
            return None
        node.origins[f"{interface}.{name}",] = node.origin("input_values")
        operations.append(operation)
    return operations


def _inputs(config: Node, values_given: Value, *, is_text: bool) -> dict[str, Value] | None:
    """The variables of the program, as texts where those of the source are; None where they are not known."""
    declared = config.properties.get("inputs") or []
    if not isinstance(declared, list) or not all(isinstance(row, dict) for row in declared):
        return None
    if not isinstance(values_given, dict):
        return None
    kinds = {row.get("name"): row.get("type") or _TEXT for row in declared}
    values = {row.get("name"): row["default"] for row in declared if row.get("default") is not None} | values_given
    if kinds.keys() - values.keys():
        return None
    variables: dict[str, Value] = {}
    for name, value in values.items():
        is_structure = isinstance(value, (bool, list, dict)) and is_text and kinds.get(name, _TEXT) == _TEXT
        if not isinstance(name, str) or (is_structure and not ex.is_constant(value)):
            return None
        variables[name] = str(value) if is_structure else value
    return variables
