"""The OpenStack plugin's own operations of a mapped node: Heat does the same by itself, but not with other inputs."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Operation
from bpconvert.translators.cloudify.openstack import interfaces, manager_keys
from bpconvert.translators.cloudify.openstack import property_paths as written
from bpconvert.translators.cloudify.openstack.property_paths import CONFIG, EMPTY, Reading

#: implementations that mapped types come with: of the OpenStack plugin, the agent's installer, and the manager
_OWN = ("openstack.", "agent.cloudify_agent.", "cfy_extensions.cloudify_types.", "keys.cloudify_ssh_key.")
#: operations that nothing calls when a deployment is installed or removed
_AT_REST = frozenset({"validation", "operations", "snapshot", "freeze", "monitoring_agent", "cloudify_agent"})


def is_own(operation: Operation) -> bool:
    """True for an operation that the mapped type comes with."""
    return operation.implementation.startswith(_OWN)


def own_operations(reading: Reading) -> None:
    """Take the plugin's operations off the node. Some of their inputs go before the settings of the resource."""
    node = reading.node
    for operation in filter(is_own, node.operations):
        if operation.interface.rsplit(".", 1)[-1] not in _AT_REST:
            for key, value in operation.inputs.items():
                _input(reading, operation, key, value)
            for key in operation.extra:
                why = "it configures how Cloudify runs the operation"
                reading.report("BPC351", (*operation.path, key), name=key, why=why)
    node.operations = [operation for operation in node.operations if not is_own(operation)]


def switched_off(reading: Reading, emptied: list[Operation]) -> None:
    """Operations of the plugin that the blueprint has replaced by nothing. Heat's resource does what it does, but it
    can be kept when the stack is deleted."""
    if reading.written.external:
        return
    for operation in emptied:
        if operation.name == "delete":
            reading.node.extra["deletion_policy"] = "Retain"
            reading.report("BPC370", operation.path, name=reading.node.name)
        else:
            name = f"{operation.interface}.{operation.name}"
            reading.report("BPC371", operation.path, operation=name, name=reading.node.name)


def _input(reading: Reading, operation: Operation, key: str, value: Value) -> None:
    if value in (*EMPTY, ex.Property(reading.node.name, key)):
        return
    place = (*operation.path, "inputs", key)
    if key in manager_keys.STORED and reading.kind.kind == manager_keys.KIND:
        reading.report("BPC351", place, name=key, why="it defines what get_attribute of the key returns")
        return
    wrapper = reading.written.wrapper
    if operation.name == "create" and isinstance(value, dict) and key == CONFIG:
        _settings(reading, value, place)
    elif operation.name == "create" and isinstance(value, dict) and key == "args" and wrapper is not None:
        inner = value.get(wrapper)
        if isinstance(inner, dict):
            _settings(reading, inner, (*place, wrapper))
        _settings(reading, {name: part for name, part in value.items() if part is not inner}, place)
    elif operation.name == "create" and key == "resource_id" and wrapper is not None:
        for setting in reading.written.take(key):
            if setting.own and setting.value not in EMPTY:
                reading.report("BPC362", setting.place, name=key)
        reading.written.add(key, value, place, own=True)  # compat.py, _process_operation_inputs
    elif operation.name in ("start", "poststart") and key == "routes" and reading.kind.kind == "router":
        reading.notes.routes[reading.node.name] = written.Entry(value, place)
        return
    elif operation.name == "create" and key == "client_config" and interfaces.read_version(reading, value, place):
        return
    elif key in ("client_config", "openstack_config"):
        reading.written.add("client_config", value, place, own=True)
        return
    else:
        reading.report("BPC367", place, name=key, operation=f"{operation.interface}.{operation.name}")
        return
    reading.report("BPC366", place, name=key)


def _settings(reading: Reading, settings: dict[str, Value], place: Path) -> None:
    """Settings that go before all that means the same."""
    names = {f"{CONFIG}.{reading.written.rename.get(name, name)}" for name in settings}
    for rule in reading.kind.properties.values():
        paths = [path for path in (rule.to, *rule.accept) if path]
        if any(twin in names for path in paths for twin in written.twins(path)):
            reading.written.take(*paths)
    written.container(reading.written, CONFIG, settings, settings, place, reading.written.rename)
