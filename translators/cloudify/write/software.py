"""Software: nodes of Cloudify's own types, with operations and what they are contained in or connected to."""

from __future__ import annotations

from typing import Any

from bpconvert.models.topology import Node, Operation
from bpconvert.translators.cloudify import playbooks
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.programs import SOFTWARE
from bpconvert.translators.cloudify.vocabulary import CONNECTED_TO, CONTAINED_IN
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter


def software(context: Context, rewriter: DslRewriter, node: Node, name: str) -> Draft:
    """The draft of a node of software, whose operations have the names of Cloudify's interfaces."""
    draft = Draft(node, name, SOFTWARE.roles.get(node.role, SOFTWARE.component), None)
    contained = False
    for one in node.relationships:
        if one.target not in context.topology.nodes:
            continue
        if one.inside and not contained:
            contained = True
            draft.relate(CONTAINED_IN, one.target, one.path)
        elif one.connects:
            draft.relate(CONNECTED_TO, one.target, one.path)
    for operation in node.operations:
        written = _operation(context, rewriter, node, operation)
        if operation.target is None:
            draft.interfaces[f"{operation.interface}.{operation.name}"] = written
        else:
            ends = draft.between.setdefault(operation.target, {})
            interfaces = ends.setdefault(f"{operation.host}_interfaces", {})
            interfaces.setdefault(operation.interface, {})[operation.name] = written
        draft.moved(operation.path, "interfaces", operation.interface, operation.name)
    return draft


def _operation(context: Context, rewriter: DslRewriter, node: Node, operation: Operation) -> dict[str, Any]:
    written: dict[str, Any] = {"implementation": operation.implementation}
    if operation.inputs:
        written["inputs"] = rewriter.value(operation.inputs, (*operation.path, "inputs"))
    if operation.implementation == playbooks.RUN:
        # few conversions need them
        from bpconvert.translators.passes.software.kinds import MACHINES
        from bpconvert.translators.passes.software.machines import is_local
        from bpconvert.translators.passes.software.to_deployments import host_of

        machine = host_of(context.topology, node, operation)
        is_known = machine is not None and machine.kind in MACHINES and not is_local(machine)
        written["inputs"] |= playbooks.sources(context.names.node(machine.name) if is_known and machine else None)
    return {**written, **operation.extra}
