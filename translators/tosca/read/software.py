"""Software: what it is hosted on, its operations and those of its relationships, the files that these run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Foreign, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.translators.passes.software.kinds import COMPONENT
from bpconvert.translators.passes.software.playbooks import INSTALLS, install_roles
from bpconvert.translators.provenance.metadata_text import restore_operations
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.programs import (
    ARTIFACTS,
    CONNECTED,
    OWN_TYPE,
    ROLE_ARTIFACT,
    ROLES,
    STANDARD,
    is_file,
    is_known,
    side,
)
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement, is_host
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.vocabulary import ROOT

_CONNECTS_TO: Final = "tosca.relationships.ConnectsTo"
#: the kind of nodes that are machines
_MACHINE: Final = "server"
#: requirements by which a node is hosted on something that is no machine: the type of that is known
_BY_TYPE: Final = {name: role for role, name in ROLES.items()}


def add_software(topology: Topology, raw: Mapping[str, RawNode], reading: Reading) -> None:
    """Give the nodes of ``topology`` their hosts, roles and the operations of their relationships, and say what has no
    neutral form."""
    taken = _artifacts_named(topology, raw)
    for name, raw_node in raw.items():
        node = topology.nodes.get(name)
        if node is None:
            continue
        _hosts(node, raw_node)
        if node.kind is None and node.shows is None and node.nested is None:
            other = COMPONENT if (node.host is not None and raw_node.operations) or _is_again(raw_node) else ""
            node.role = next((_BY_TYPE[type] for type in raw_node.ancestry if type in _BY_TYPE), other)
        node.operations = [_operation(operation, raw_node) for operation in raw_node.operations]
        restore_operations(topology, node, raw_node.kept.get("operations"), reading.findings)
        _roles(node, raw_node)
        for requirement in raw_node.requirements:
            _requirement(node, requirement, raw_node, reading)
        _report(node, raw_node, reading, taken)
    calls = _Calls(topology, raw, reading)
    for node in topology.nodes.values():
        own = {"SELF": node.name}
        for operation in node.operations:
            ends = {"SOURCE": node.name, "TARGET": operation.target} if operation.target else {}
            operation.inputs = calls.read(operation.inputs, {**own, **ends})
        node.rewrite(lambda value, names=own: calls.read(value, names))  # type: ignore[misc]
    for output in topology.published:
        output.rewrite(lambda value: calls.read(value, {}))


def _is_again(raw: RawNode) -> bool:
    """True for software of an earlier result that nothing hosts and of which TOSCA runs nothing."""
    is_own = raw.ancestry[:1] == [raw.type] and raw.ancestry[1:] == [ROOT] and raw.type.startswith(OWN_TYPE)
    return is_own and not raw.operations and not raw.properties


def _hosts(node: Node, raw: RawNode) -> None:
    hosts = [
        *dict.fromkeys(
            requirement.target
            for requirement in raw.requirements
            if requirement.target is not None and is_host(requirement)
        )
    ]
    if hosts:
        node.host, node.hosts = hosts[0], hosts[1:]


def _requirement(node: Node, requirement: RawRequirement, raw: RawNode, reading: Reading) -> None:
    if requirement.target is None:
        return
    for relationship in node.relationships:
        if relationship.target == requirement.target and relationship.path == requirement.path[:4]:
            relationship.inside = relationship.inside or is_host(requirement)
            relationship.connects = relationship.connects or any(
                type in requirement.ancestry for type in (_CONNECTS_TO, CONNECTED)
            )
    for operation in requirement.operations:
        operation_of_node = _operation(operation, raw)
        operation_of_node.target, operation_of_node.host = requirement.target, side(operation.name)
        node.operations.append(operation_of_node)


def _roles(node: Node, raw: RawNode) -> None:
    """Roles of Ansible are there before the operations that use them."""
    roles = [
        artifact
        for artifact in raw.artifacts.values()
        if artifact.type == ROLE_ARTIFACT and isinstance(artifact.file, str)
    ]
    if roles and _runs_roles(node):
        text = install_roles(str(role.file) for role in roles)
        node.operations.insert(0, Operation(STANDARD, INSTALLS, text, path=roles[0].path))


def _runs_roles(node: Node) -> bool:
    """True for what runs programs: a machine, what is hosted on one, and what has operations."""
    return node.host is not None or node.kind == _MACHINE or bool(node.operations)


def _operation(operation: Operation, raw: RawNode) -> Operation:
    """The operation with the file of the artifact that its implementation names. The image of a machine or a container
    is no program, wherever it is: the name of the artifact stays, which is no file."""
    artifact = raw.artifacts.get(operation.implementation)
    is_program = artifact is not None and not (artifact.is_image and is_file(artifact.file))
    file = artifact.file if artifact is not None and is_program else operation.implementation
    return replace(operation, implementation=file if isinstance(file, str) else operation.implementation)


def _artifacts_named(topology: Topology, raw: Mapping[str, RawNode]) -> set[tuple[Value, Value]]:
    """Node and name of the artifacts that values name."""
    rows: list[tuple[str, Value]] = [("", output.value) for output in topology.published]
    for name, node in topology.nodes.items():
        rows += [(name, value) for value in node.values()]
    for name, raw_node in raw.items():
        operations = (
            *raw_node.operations,
            *(operation for row in raw_node.requirements for operation in row.operations),
        )
        rows += [(name, operation.inputs) for operation in operations]
    artifacts = set()
    for owner, value in rows:
        for expr in ex.walk(value):
            if isinstance(expr, Foreign) and expr.name == "get_artifact" and isinstance(expr.argument, list):
                node, artifact = [*expr.argument, None, None][:2]
                if isinstance(node, str) and isinstance(artifact, str):
                    artifacts.add((owner if node == "SELF" else node, artifact))
    return artifacts


def _report(node: Node, raw: RawNode, reading: Reading, taken: set[tuple[Value, Value]]) -> None:
    """What has no neutral form: properties of software, artifacts that no operation runs and no value names (``taken``
    has those), other interfaces."""
    report = reading.findings.report
    for name in raw.properties if node.role else ():
        place = (*raw.path, "properties", name)
        reading.findings.feature("software properties", "BPC830", place, name=name, node=raw.name)
    operations = (*raw.operations, *node.operations)
    used = {operation.implementation for operation in operations}
    files_beside = {file for operation in operations for file in operation.extra.get(ARTIFACTS, ())}
    for name, artifact in raw.artifacts.items():
        if artifact.type == ROLE_ARTIFACT and _runs_roles(node):
            continue
        is_run = name in used and not (artifact.is_image and is_file(artifact.file))
        is_used = is_run or (isinstance(artifact.file, str) and artifact.file in used)
        if is_used or artifact.path[:2] != raw.path or (raw.name, name) in taken:
            continue
        is_beside = isinstance(artifact.file, str) and artifact.file in files_beside
        report("BPC437" if is_beside else "BPC832", artifact.path, name=name, node=raw.name)


# -- functions ----------------------------------------------------------------------------------------------


class _Calls:
    """The neutral form of the functions that are about operations and artifacts."""

    def __init__(self, topology: Topology, raw: Mapping[str, RawNode], reading: Reading) -> None:
        self.topology = topology
        self.raw = raw
        self.reading = reading

    def read(self, value: Value, names: Mapping[str, str]) -> Value:
        """``value`` with those calls read. ``names``: what words such as SELF mean there."""
        return ex.transform(value, lambda expr: self._call(expr, names))

    def _call(self, expr: Value, names: Mapping[str, str]) -> Value:
        if not isinstance(expr, Foreign) or expr.dialect != DIALECT or not isinstance(expr.argument, list):
            return expr
        argument = expr.argument
        if not argument or not all(isinstance(word, str) for word in argument[:2]):
            return expr
        name, *words = argument
        name = names.get(name, name)
        if expr.name == "get_operation_output" and len(words) == 3:
            return self._output(expr, name, *words)
        if expr.name == "get_artifact" and words:
            owner = self.raw.get(name)
            artifact = owner.artifacts.get(words[0]) if owner is not None else None
            if artifact is not None and isinstance(artifact.file, str):
                self.reading.findings.report("BPC847", expr.path, file=artifact.file)
                return ex.File(artifact.file, path=expr.path)
        return expr

    def _output(self, expr: Foreign, name: str, interface: Value, operation: Value, output: Value) -> Value:
        """What an operation has published: an attribute of its node, which the operation declares."""
        node = self.topology.nodes.get(name)
        for candidate in node.operations if node is not None and isinstance(output, str) else ():
            same = candidate.interface == interface or (is_known(candidate.interface) and is_known(interface))
            if candidate.name == operation and candidate.target is None and same:
                if output not in candidate.outputs:
                    candidate.outputs.append(output)
                return ex.Attribute(name, output, path=expr.path)
        return expr
