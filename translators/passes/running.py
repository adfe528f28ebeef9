"""What exists already of a topology: texts that were drawn once become secrets, programs that ran are left out."""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import partial
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.running import Running
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import CONFIGS, DEPLOYMENT, DEPLOYMENT_GROUP
from bpconvert.translators.support.text import fresh

#: kinds of what is done once
_WAITING: Final = ("wait_condition", "wait_condition_handle", "cfn_wait_condition", "cfn_wait_condition_handle")
_DONE: Final = (DEPLOYMENT, DEPLOYMENT_GROUP, *_WAITING)
#: attribute of a key -> the input that gives it, by the name of the key, as the secrets of the engine are called
_KEYS: Final = {"public_key": "{}_public", "private_key": "{}_private"}
#: an address that a port has, and one that a server has
_OF_PORT: Final = "floating_ip_association"
_OF_SERVER: Final = "nova_floating_ip_association"


def drawn_texts(topology: Topology, request: Request) -> Topology:
    """Let secrets stand for nodes that only have drawn a text, which is never written into a result."""
    running = request.options.running or {}
    drawn = {name for name, node in topology.nodes.items() if name in running and running[name].value}
    for name in drawn:
        request.reporter.report("BPC673", topology.nodes[name].path, name=name, secret=running[name].secret)

    def secret(expr: ex.Expr) -> Value:
        if isinstance(expr, (ex.Attribute, ex.Identity)) and isinstance(expr.node, str) and expr.node in drawn:
            return ex.Secret(running[expr.node].secret, path=expr.path)
        return expr

    topology.rewrite(lambda value: ex.transform(value, secret))
    for node in topology.nodes.values():
        node.relationships = [relationship for relationship in node.relationships if relationship.target not in drawn]
    for name in drawn:
        del topology.nodes[name]
    return topology


def existing_ids(topology: Topology, request: Request) -> Topology:
    """Let nodes that only refer to what exists do so by the id that is recorded, which a name may not be for the engine
    that takes over."""
    for name, existing in (request.options.running or {}).items():
        node = topology.nodes.get(name)
        if node is not None and existing.id and node.external_id is not MISSING:
            node.external_id = existing.id
    return topology


def keys_of_the_engine(topology: Topology, request: Request) -> Topology:
    """Let inputs give the keys that the engine has made itself: no service has them, and nothing can be taken over."""
    running = request.options.running or {}
    for node in [member for member in topology.nodes.values() if member.name in running]:
        yields, read = running[node.name].yields, _keys_read(topology, node.name)
        if yields is None or read is None:
            continue
        inputs: dict[str, Value] = {}
        called = node.properties.get("name")
        for key in sorted(read):
            name = fresh(_KEYS[key].format(called if isinstance(called, str) else node.name), topology.inputs)
            is_secret, default = key == "private_key", yields.get(key, MISSING)
            topology.inputs[name] = Input(name, "string", default, hidden=is_secret, path=node.path, added=True)
            inputs[key] = ex.Input(name, path=node.path)
            request.reporter.report("BPC974", node.path, name=node.name, input=name)
        del topology.nodes[node.name]
        topology.rewrite(partial(_with_inputs, node.name, inputs))
        for other in topology.nodes.values():
            other.relationships = [
                relationship for relationship in other.relationships if relationship.target != node.name
            ]
    return topology


def _with_inputs(node: str, inputs: dict[str, Value], value: Value) -> Value:
    """A value with inputs for the attributes of a node."""

    def replaced(expr: ex.Expr) -> Value:
        return inputs[str(expr.name)] if isinstance(expr, ex.Attribute) and expr.node == node else expr

    return ex.transform(value, replaced)


def _keys_read(topology: Topology, name: str) -> set[str] | None:
    """What others read of a key; None where it is more than the key."""
    read: set[str] = set()
    for expr in ex.walk([*topology.values()]):
        if getattr(expr, "node", None) != name:
            continue
        if not isinstance(expr, ex.Attribute) or expr.name not in _KEYS or expr.keys:
            return None
        read.add(str(expr.name))
    return read


def addresses_of_servers(topology: Topology, request: Request) -> Topology:
    """Let addresses be given to servers whose port is not known, as Nova made it: what is taken over has ids."""
    for node in topology.nodes.values():
        port = node.properties.get("port_id") if isinstance(node.properties, dict) else None
        if node.kind == _OF_PORT and isinstance(port, ex.Attribute) and isinstance(port.node, str):
            request.reporter.report("BPC971", node.path, name=node.name)
            node.kind = _OF_SERVER
            address = node.properties["floatingip_id"]
            node.properties = {"server_id": ex.Identity(port.node, path=port.path), "floating_ip": address}
    return topology


def groups_that_run(topology: Topology, request: Request) -> Topology:
    """Let groups have as many members as there are, and no limits: no engine adopts a group that has limits."""
    running, report = request.options.running or {}, request.reporter.report
    for node in topology.nodes.values():
        if node.limits[1] is not MISSING:
            report("BPC972", node.path, name=node.name)
            node.limits = (MISSING, MISSING)
            node.instances = 1 if node.instances is MISSING else node.instances
        inside = [member.name for member in topology.nodes.values() if member.group == node.name]
        members = inside if node.is_group else [node.name]
        numbers = {len(running[name].members) or 1 for name in members if name in running}
        is_known = node.group is None and isinstance(node.instances, int) and len(numbers) == 1
        if is_known and node.instances not in numbers:
            (number,) = numbers
            report("BPC973", node.path, name=node.name, number=str(number), before=str(node.instances))
            node.instances = number
    return topology


def programs_that_ran(topology: Topology, request: Request) -> Topology:
    """Leave out what has been done once, and would be done again: deployments of programs, waiting for signals, and the
    texts of programs that nothing else uses. Outputs and settings of what exists that read it are left out, too; any
    other node that does so is refused."""
    running, report = request.options.running or {}, request.reporter.report
    done = {name for name, node in topology.nodes.items() if node.kind in _DONE and name in running}
    active = {name for name, node in topology.nodes.items() if node.operations and name in running}
    for name in sorted(done | active):
        report("BPC691", topology.nodes[name].path, name=name)
        topology.nodes[name].operations = []
    configs = {name: node for name, node in topology.nodes.items() if node.kind in CONFIGS}
    texts = _read_by(topology, done) & configs.keys()
    while more := {name for name, node in configs.items() if not done.isdisjoint(_names_in(node.values()))} - done:
        done |= more
    for name in done:
        del topology.nodes[name]
    for node in topology.nodes.values():
        node.relationships = [relationship for relationship in node.relationships if relationship.target not in done]
        _leave_out(node, done, running, request)
    for name, output in list(topology.outputs.items()):
        if not done.isdisjoint(_names_in((output.value, output.condition))):
            report("BPC692", output.path, name=name)
            del topology.outputs[name]
    for name in (
        texts - _read_by(topology, set(topology.nodes)) - _names_in(output.value for output in topology.published)
    ):
        del topology.nodes[name]
    return topology


def _leave_out(node: Node, done: Set[str], running: Running, request: Request) -> None:
    """Leave out the settings of a node that read what has been done, where the node exists."""
    exists = node.name in running and running[node.name].id and isinstance(node.properties, dict)
    for key, value in list(node.properties.items()) if exists else ():
        if not done.isdisjoint(_names_in((value,))):
            node.properties = {other: value for other, value in node.properties.items() if other != key}
            request.reporter.report("BPC675", node.origin(key), setting=key, name=node.name, done="left out")
    for name in sorted(done & _names_in(node.values())):
        why = f"it reads what '{name}' has yielded, which is not done again"
        request.reporter.report("BPC671", node.path, name=node.name, why=why)


def _read_by(topology: Topology, names: Set[str]) -> set[str]:
    """The nodes that others refer to."""
    values = (value for name in names if name in topology.nodes for value in topology.nodes[name].values())
    return {name for name in _names_in(values) if name in topology.nodes}


def _names_in(values: Iterable[Value]) -> set[str]:
    """The nodes that values refer to."""
    return {name for value in values for name in ex.named_nodes(value)}
