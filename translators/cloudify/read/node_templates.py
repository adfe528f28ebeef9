"""Node templates as written, completed with what their types say (:class:`~.toscalike.node_templates.RawNode`).

Interfaces are merged as the parser does (``interfaces/operation_merger.py``): an operation without anything in it
switches the type's off; one that keeps the type's implementation is completed with the type's inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Expr, Path, Value, walk
from bpconvert.models.plain import cloudify
from bpconvert.models.plain import cloudify_declarations as dsl
from bpconvert.models.topology import Operation
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.cloudify.read.playbook_nodes import OF_NODES, OF_RELATIONSHIPS
from bpconvert.translators.cloudify.read.types import Types, facts
from bpconvert.translators.cloudify.vocabulary import CONTAINED_IN
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.toscalike.imports import Combined
from bpconvert.translators.toscalike.node_templates import RawNode, RawRelationship, renamed
from bpconvert.translators.toscalike.types import NODE, RELATIONSHIP, Read, Type, TypeOperations, below

#: settings of an operation that say how it is run
_SETTINGS: Final = ("executor", "max_retries", "retry_interval", "timeout", "timeout_recoverable")
_LIFECYCLE: Final = "cloudify.interfaces.lifecycle"
_RELATED: Final = "cloudify.interfaces.relationship_lifecycle"
#: types of Cloudify's own whose lifecycle operations do something
_BUSY: Final = frozenset(f"cloudify.nodes.{n}" for n in ("Component", "SharedResource", "Blueprint", "PasswordSecret"))
#: what the names of the OpenStack plugin's functions begin with
PLUGIN: Final = "openstack."
#: relationships of the plugin whose inputs say something of the resource -> what implements their operations
_SHARES: Final = "openstack.openstack_plugin.resources.share.file_share"
_ALLOWING: Final[dict[str, Mapping[str, str]]] = {
    f"cloudify.relationships.openstack.share_connected_to_{end}": {
        "establish": f"{_SHARES}.allow", "unlink": f"{_SHARES}.deny"
    }
    for end in ("server", "subnet")
} | dict(OF_RELATIONSHIPS)  # fmt: skip
#: the interface of operations that no workflow of Cloudify's own runs (plugin.yaml of the OpenStack plugin); operations
#: that only updating, healing and looking after a deployment runs (cloudify.plugins.workflows, lifecycle)
_BY_HAND: Final = "cloudify.interfaces.operations"
_LATER: Final = (
    "is_alive", "check_status", "check_drift", "preupdate", "update", "postupdate", "update_config", "update_apply",
    "update_postapply", "heal", "pull",
    "prestop", "stop", "poststop", "unlink", "predelete", "delete", "postdelete",
)  # fmt: skip
_Interfaces = Mapping[str, Mapping[str, dsl.Operation]] | None


class NodeReader:
    """Reads the node templates of a blueprint."""

    def __init__(
        self, blueprint: cloudify.Blueprint, combined: Combined, types: Types, read: Read, reporter: Reports
    ) -> None:
        self.blueprint = blueprint
        self.combined = combined
        self.types = types
        self.read = read
        self.report = reporter.report
        self.refuse = types.refuse

    def nodes(self) -> dict[str, RawNode]:
        """All node templates by name, in their order."""
        return {name: self._node(name, node) for name, node in self.blueprint.node_templates.items()}

    def _node(self, name: str, node: cloudify.NodeTemplate) -> RawNode:
        path: Path = ("node_templates", name)
        kind_found = self.types.find(NODE, node.type) if node.type else None
        if kind_found is None and node.type:
            self.types.unknown((*path, "type"), "node type", node.type)
        kind = kind_found or Type([node.type], closed=False)
        self_name = {"SELF": name}
        raw = RawNode(name, node.type, list(kind.ancestry), path=self.combined.place(path))
        raw.is_open = not self.types.is_known(NODE, node.type) and kind.ancestry[-1] not in OF_NODES
        place = (*path, "properties")
        raw.properties = renamed(self._values(node.properties, place), self_name)
        whole = self.types.complete(
            raw.properties, kind, lambda steps, text: self.refuse((*(place if steps else path), *steps), text)
        )
        added = {name: value for name, value in whole.items() if value is not raw.properties.get(name, MISSING)}
        added = renamed(added, self_name)
        raw.declared = {name: added.get(name, value) for name, value in whole.items()}
        for expr in walk(added):
            if not expr.path:  # of a built-in type
                expr.path = raw.path
        if isinstance(whole.get("use_external_resource"), Expr):
            text = "'use_external_resource' must be true or false, not a function"
            self.refuse((*place, "use_external_resource"), text)
        interfaces = (*path, "interfaces")
        raw.operations, raw.emptied = self._operations(kind, kind.operations, node.interfaces, interfaces, self_name)
        contained = 0
        for index, relationship in enumerate(node.relationships or ()):
            relationship_read = self._relationship(name, relationship, (*path, "relationships", index))
            if relationship_read is not None:
                raw.relationships.append(relationship_read)
                contained += CONTAINED_IN in relationship_read.ancestry
                if contained > 1 and CONTAINED_IN in relationship_read.ancestry:
                    self.refuse((*path, "relationships", index), f"'{name}' is contained in another node already")
        raw.instances = self._instances(raw, node, path, self_name)
        if raw.instances is not MISSING:
            deployed = ("instances", "deploy")
            scalable = ("capabilities", "scalable", "properties", "default_instances")
            raw.counted = self.combined.place((*path, *(scalable if node.instances is None else deployed)))
        return raw

    def _values(self, written: Mapping[str, Any] | None, path: Path) -> dict[str, Value]:
        """A map of named values, read (the map itself is no call, whatever its keys are)."""
        return {name: self.read(value, (*path, name)) for name, value in (written or {}).items()}

    # -- relationships ----------------------------------------------------------------------------------------

    def _relationship(self, name: str, relationship: cloudify.Relationship, path: Path) -> RawRelationship | None:
        target, place = relationship.target, self.combined.place(path)
        problem = ""
        if target == name:
            problem = f"node '{name}' has a relationship to itself"
        elif target not in self.blueprint.node_templates:
            problem = f"there is no node '{target}'"
        if problem:
            at = self.combined.place((*path, "target"))
            if self.combined.partial and target != name:
                self.report("BPC965", at, kind="node", name=target, lost="the relationship to it")
            else:
                self.report("BPC120", at, problem=problem)
            for key in ("properties", "source_interfaces", "target_interfaces"):  # they are lost as well
                if getattr(relationship, key):
                    self.report("BPC155", self.combined.place((*path, key)), name=key, target=target)
            return None
        kind_found = self.types.find(RELATIONSHIP, relationship.type)
        if kind_found is None:
            self.types.unknown((*path, "type"), "relationship type", relationship.type)
        kind = kind_found or Type([relationship.type], closed=False)
        raw = RawRelationship(relationship.type, target, list(kind.ancestry), path=place)
        if relationship.properties:
            own = relationship.properties.items()
            raw.properties = {key: read_value(value, (*place, "properties", key), []) for key, value in own}
            self.report("BPC150", self.combined.place((*path, "properties")), target=target)
        ends = {"SOURCE": name, "TARGET": target}
        for host, key, inherited in (
            ("source", "source_interfaces", kind.operations),
            ("target", "target_interfaces", kind.target_operations),
        ):
            own = getattr(relationship, key)
            operations, emptied = self._operations(kind, inherited, own, (*path, key), ends, target, host)
            raw.operations += operations
            raw.emptied += emptied
        return raw

    # -- operations -------------------------------------------------------------------------------------------

    def _operations(
        self,
        kind: Type,
        inherited: TypeOperations,
        own: _Interfaces,
        path: Path,
        names: Mapping[str, str],
        target: str | None = None,
        host: str = "source",
    ) -> tuple[list[Operation], list[Operation]]:
        """The operations that have an implementation: the type's, as far as the node does not say otherwise, and its
        own. Those of built-in types are left out unless the node gives them something. And the plugin's operations that
        are switched off."""
        mine = {(i, o): operation for i, entries in (own or {}).items() for o, operation in entries.items()}
        result, emptied = [], []
        for key in {**inherited, **mine}:
            operation = Operation(*key, "", target=target, host=host)
            self._fill(operation, mine.get(key), (*path, *key), inherited.get(key), names)
            built_in = not kind.closed and key not in inherited and _does_anything(mine[key])
            built_in_operations = (
                kind.lifecycle if key[0] == _LIFECYCLE else _ALLOWING.get(kind.ancestry[0]) if target else None
            )
            if built_in_operations is None and key[0] == _LIFECYCLE and key[1] in OF_NODES.get(kind.ancestry[0], ()):
                built_in_operations = OF_NODES[kind.ancestry[0]]
            if _is_off(key, mine.get(key), inherited.get(key), built_in_operations, bool(target)):
                emptied.append(operation)
            if built_in and built_in_operations is not None:
                operation.implementation = operation.implementation or built_in_operations.get(key[1], "")
            if operation.implementation:
                result.append(operation)
            elif built_in and built_in_operations is None:
                if key[0] == _LIFECYCLE and _is_idle(kind):
                    self.report("BPC147", operation.path, what=f"'{'.'.join(key)}'", why="nothing implements it")
                else:
                    code = "BPC430" if key[0] == _BY_HAND or key[1] in _LATER else "BPC153"
                    self.report(code, operation.path, name=".".join(key))
        return result, emptied

    def _fill(
        self,
        operation: Operation,
        own: dsl.Operation | None,
        path: Path,
        inherited: tuple[dsl.TypeOperation, Path] | None,
        names: Mapping[str, str],
    ) -> None:
        """What an operation is, given what the node and its type say."""
        above, place = inherited or (dsl.TypeOperation(), ())
        operation.path = self.combined.place(path if own is not None else place)
        if own is not None and not _does_anything(own):
            return
        mine = own or dsl.Operation()
        operation.implementation = mine.implementation or above.implementation or ""
        inputs: dict[str, Value] = {}
        kinds: dict[str, str] = {}
        settings = _settings(mine)
        if operation.implementation == (above.implementation or ""):
            settings = {**_settings(above), **settings}
            for name, declared in (above.inputs or {}).items():
                if declared.type is not None:
                    kinds[name] = declared.type
                if "default" in declared.model_fields_set:
                    inputs[name] = self._default(declared, (*place, "inputs", name, "default"))
                elif name not in (mine.inputs or {}):
                    self.refuse(path if own is not None else place, f"the input '{name}' of the operation is missing")
        inputs.update(self._values(mine.inputs, (*path, "inputs")))
        for name in inputs.keys() & kinds.keys():
            if isinstance(inputs[name], dict):  # the parser writes the type of an input into its value
                inputs[name] = {**inputs[name], "type": kinds[name]}
        operation.inputs = renamed(inputs, names)
        operation.extra = settings

    def _default(self, declared: dsl.Input, path: Path) -> Value:
        """The default of a type's operation's input."""
        value = self.read(declared.default, path)
        refuse = below(self.refuse, *path)
        return None if value is None else self.types.fill(value, declared.type, MISSING, refuse, whole=True)

    # -- instances --------------------------------------------------------------------------------------------

    def _instances(self, raw: RawNode, node: cloudify.NodeTemplate, path: Path, names: Mapping[str, str]) -> Value:
        """How many instances of a node are made; MISSING for one."""
        if node.instances is not None:
            if node.capabilities is not None:
                self.refuse((*path, "instances"), "a node cannot have both 'instances' and 'capabilities'")
            return MISSING if node.instances.deploy == 1 else node.instances.deploy
        scalable = node.capabilities.scalable if node.capabilities else None
        if scalable is None or scalable.properties is None:
            return MISSING
        place = (*path, "capabilities", "scalable", "properties")
        raw.limits = report_limits(scalable.properties, place, self.combined, self.report, self.read)
        count = scalable.properties.default_instances
        if count is None or count == 1:
            return MISSING
        return renamed(self.read(count, (*place, "default_instances")), names)


def is_bounded(value: Any) -> bool:
    """True for a greatest number of instances that is one."""
    return value is not None and value not in (-1, "UNBOUNDED")


def report_limits(
    properties: cloudify.ScalingProperties, path: Path, combined: Combined, report: Any, read: Any
) -> tuple[Value, Value]:
    """The limits of later scaling: the least and the greatest number, both MISSING where there is no greatest one. Heat
    has no group with a least number alone: that is reported."""
    least, most = properties.min_instances, properties.max_instances
    if is_bounded(most):
        first = 0 if least is None else read(least, (*path, "min_instances"))
        return first, read(most, (*path, "max_instances"))
    if isinstance(least, dict) or least not in (None, 0):
        report("BPC152", combined.place((*path, "min_instances")), name="min_instances")
    return MISSING, MISSING


def _is_idle(kind: Type) -> bool:
    """True for a type of Cloudify's own whose lifecycle operations do nothing."""
    own = facts("core")["node_types"]
    built_in = [name for name in kind.ancestry if name.startswith("cloudify.")]
    return bool(built_in) and all(name in own and name not in _BUSY for name in built_in)


def _is_off(
    key: tuple[str, str],
    own: dsl.Operation | None,
    inherited: tuple[dsl.TypeOperation, Path] | None,
    built_in_operations: Mapping[str, str] | None,
    related: bool,
) -> bool:
    """True for an operation of the plugin that has been replaced by nothing. Which ones the plugin's relationships have
    is not known here (:mod:`edges` knows)."""
    above = inherited[0] if inherited else None
    last = own if own is not None else above
    if last is None or _does_anything(last):
        return False
    if own is not None and above is not None and _does_anything(above):
        return (above.implementation or "").startswith(PLUGIN)
    return (built_in_operations or {}).get(key[1], "").startswith(PLUGIN) or (related and key[0] == _RELATED)


def _does_anything(operation: dsl.Operation) -> bool:
    """False for an operation that does nothing: it has neither implementation nor inputs nor settings."""
    return bool(operation.implementation or operation.inputs or _settings(operation))


def _settings(operation: dsl.Operation) -> dict[str, Any]:
    return {key: getattr(operation, key) for key in _SETTINGS if getattr(operation, key) is not None}
