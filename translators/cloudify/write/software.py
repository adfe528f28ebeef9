"""Software: nodes of Cloudify's own types, with operations and what they are contained in or connected to.

Where it has properties, which programs ask for, the type is one of the blueprint that is derived from Cloudify's and
declares them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.cloudify import playbooks
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.programs import SOFTWARE
from bpconvert.translators.cloudify.vocabulary import CONNECTED_TO, CONTAINED_IN
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.yamlio.emit import Flow

#: how the types of software begin that have no name of their own
_OWN_TYPE: Final = "bpconvert.nodes."
#: a name of a type that is someone's own
_NAMED: Final = re.compile(r"(?a)(?!(?:cloudify|tosca|bpconvert)\.)[A-Za-z_]\w*(?:\.\w+)*")
#: what Cloudify's own types declare
_DECLARED: Final = {"cloudify.nodes.WebServer": ("port",)}
#: class of a literal -> the type of a property
_TYPES: Final = {bool: "boolean", int: "integer", float: "float", str: "string"}


def software(context: Context, rewriter: DslRewriter, node: Node, name: str) -> NodeDraft:
    """The draft of a node of software, whose operations have the names of Cloudify's interfaces."""
    draft = NodeDraft(node, name, SOFTWARE.roles.get(node.role, SOFTWARE.component), None)
    contained = False
    for relationship in node.relationships:
        if relationship.target not in context.topology.nodes:
            continue
        if relationship.inside and not contained:
            contained = True
            draft.relate(CONTAINED_IN, relationship.target, relationship.path)
        elif relationship.connects:
            draft.relate(CONNECTED_TO, relationship.target, relationship.path)
    for operation in node.operations:
        written = _operation(context, rewriter, node, operation)
        if operation.target is None:
            draft.interfaces[f"{operation.interface}.{operation.name}"] = written
        else:
            ends = draft.between.setdefault(operation.target, {})
            interfaces = ends.setdefault(f"{operation.host}_interfaces", {})
            interfaces.setdefault(operation.interface, {})[operation.name] = written
        draft.moved(operation.path, "interfaces", operation.interface, operation.name)
    _properties(context, rewriter, draft)
    return draft


def _properties(context: Context, rewriter: DslRewriter, draft: NodeDraft) -> None:
    """The properties, of a type that declares them. What is only known when something runs would decide the order in
    which nodes are installed: it has no place there."""
    node = draft.node
    for name, value in node.properties.items():
        place = node.origin(name)
        if not isinstance(name, str) or not rewriter.is_static(value):
            context.reporter.report("BPC830", place, name=name, node=node.name)
        else:
            draft.put((name,), rewriter.value(value, place, inert="node"), place)
    if draft.properties.keys() - _DECLARED.get(draft.type, ()):
        last = re.sub(r"\W+", "_", node.source_type.rpartition(".")[2], flags=re.ASCII)
        wished = node.source_type if _NAMED.fullmatch(node.source_type) else f"{_OWN_TYPE}{last}"
        draft.type, draft.parent = context.own_type(wished, draft.type), draft.type


def definitions(drafts: Iterable[NodeDraft]) -> dict[str, Any]:
    """The types of the drafts of software that has properties, each with those of all its nodes."""
    types: dict[str, Any] = {}
    for draft in (draft_with_type for draft_with_type in drafts if draft_with_type.parent):
        properties = types.setdefault(draft.type, {"derived_from": draft.parent, "properties": {}})["properties"]
        for name, value in draft.properties.items():
            kind = _TYPES.get(type(value)) if not isinstance(value, ex.Expr) else None
            typed = {"type": kind} if kind and properties.get(name, {}).get("type", kind) == kind else {}
            properties[name] = (
                Flow(**typed, required=False) if name not in properties or not typed else properties[name]
            )
    return types


def _operation(context: Context, rewriter: DslRewriter, node: Node, operation: Operation) -> dict[str, Any]:
    written: dict[str, Any] = {"implementation": operation.implementation}
    if operation.inputs:
        written["inputs"] = rewriter.value(operation.inputs, (*operation.path, "inputs"))
    if operation.implementation == playbooks.RUN and not playbooks.has_sources(operation):
        # few conversions need them
        from bpconvert.translators.passes.software.kinds import MACHINES
        from bpconvert.translators.passes.software.machines import is_local
        from bpconvert.translators.passes.software.to_deployments import host_of

        is_beside = operation.script is not None and operation.script.central  # the plugin runs it from the manager
        machine = None if is_beside else host_of(context.topology, node, operation)
        is_known = machine is not None and machine.kind in MACHINES and not is_local(machine)
        hosts = playbooks.sources(context.names.node(machine.name) if is_known and machine else None)
        written["inputs"] = written.get("inputs", {}) | hosts
    return {**written, **operation.extra}
