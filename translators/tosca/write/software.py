"""Software: node templates of the standard's types, or of types derived from them that declare what is given:
properties, and inputs of operations (opera takes no others)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.topology import Node, Operation, Relationship
from bpconvert.translators.catalogue.schemas import normative
from bpconvert.translators.passes.software.kinds import MACHINES
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca import DIALECT, scripts
from bpconvert.translators.tosca.programs import (
    CONNECTED,
    FULL_NAMES,
    HOST,
    NEEDS,
    OWN_OPERATIONS,
    OWN_TYPE,
    PLAYBOOKS,
    ROLES,
)
from bpconvert.translators.tosca.vocabulary import ROOT
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.translators.tosca.write.rewriter import ToscaRewriter
from bpconvert.translators.tosca.write.schemas import Schemas
from bpconvert.yamlio.emit import Flow

_OWN_PLAYBOOKS: Final = "bpconvert.playbooks."
#: how the types begin of nodes that are none of software in the source, and run programs
_RUNS_PROGRAMS: Final = "bpconvert.software."
_OWN_INTERFACE: Final = "bpconvert.interfaces."
_OWN_RELATIONSHIP: Final = "bpconvert.relationships."
_INTERFACE: Final = "tosca.interfaces.Root"
_HOSTED_ON: Final = "tosca.relationships.HostedOn"
_DEPENDS_ON: Final = "tosca.relationships.DependsOn"
_WORD: Final = re.compile(r"(?a)[A-Za-z_]\w*")
#: software -> the kind of software that the standard wants it to be hosted on; others: a machine
_HOSTS: Final = {"database": "database_server", "application": "web_server"}
#: a property that the type of the standard has to have, which puccini does not take as one that may be missing
_REQUIRED: Final = {"database": "name"}
#: properties of the standard's types that opera wants, unless the type says that they may be missing
_OPTIONAL: Final = {"application": ("context_root",)}
#: the requirement of what hosts software on something else than the standard wants
_ANY_HOST: Final[dict[str, Any]] = {
    "host": {
        "capability": "tosca.capabilities.Node", "node": ROOT, "relationship": _HOSTED_ON, "occurrences": [0, 1],
    }
}  # fmt: skip


def draft_of(context: Context, node: Node, name: str) -> NodeDraft | None:
    """The draft of a node of software with its type; None for other nodes."""
    if not node.role or node.kind is not None:
        return None
    fits, standard = _is_standard(context, node), ROLES[node.role]
    inputs = any(operation.inputs for operation in node.operations if operation.target is None)
    if fits and not (node.properties or inputs or node.role in (*_REQUIRED, *_OPTIONAL) or node.name in context.read):
        return NodeDraft(node, name, standard)
    plain = node.source_type or standard
    last = plain.rsplit(".", 1)[-1]
    if any(NEEDS in operation.extra for operation in node.operations) and plain.startswith(("cloudify.", "tosca.")):
        plain = f"{_OWN_PLAYBOOKS}{last}"  # of the plugin, which runs on the orchestrator
    roles = context.request.source.programs.roles.values()
    begin = _RUNS_PROGRAMS if plain.startswith("cloudify.") and plain not in roles else OWN_TYPE
    wished = plain if _is_own_name(plain) else begin + last
    parent = standard if fits else ROOT
    type = wished
    while context.own_types.setdefault(type, parent) != parent:
        type = fresh(wished, context.own_types)
    draft = NodeDraft(node, name, type)
    draft.parent = parent
    return draft


def _is_standard(context: Context, node: Node) -> bool:
    """True if software can be of the standard's type: what hosts it is in the result and is what the standard wants
    there, and the property that the standard wants is given."""
    if node.role in _REQUIRED and _REQUIRED[node.role] not in node.properties:
        return False
    host, wanted = context.topology.nodes.get(_host(node) or ""), _HOSTS.get(node.role or "")
    if host is None or host.external_name is not MISSING:
        return False
    if wanted is None:
        return host.kind in MACHINES
    return host.role == wanted and host.kind is None and _is_standard(context, host)


def _is_own_name(type: str) -> bool:
    """True for a name of a type that someone chose, which is not a short one of the standard's (3.1.2.1)."""
    if "." in type:
        return not type.startswith(("cloudify.", "tosca."))
    return _WORD.fullmatch(type) is not None and type not in _short_names()


@cache
def _short_names() -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in normative()["node_types"])


def _host(node: Node) -> str | None:
    """What a node is inside of, else the machine that it runs on."""
    return next((relationship.target for relationship in node.relationships if relationship.inside), node.host)


def is_own(node: Node, operation: Operation) -> bool:
    """True for an operation of a node that is TOSCA's own, and is there again: of an interface that someone defined, or
    of a relationship to what the node waits for."""
    if operation.target is not None:
        return operation.native == DIALECT and any(
            relationship.target == operation.target for relationship in node.relationships
        )
    return operation.native == DIALECT and operation.interface not in FULL_NAMES


def finish(context: Context, rewriter: ToscaRewriter, drafts: list[NodeDraft]) -> None:
    """Give the drafts of software their operations, hosts and relationships."""
    _check_programs(context, drafts)
    _check_orchestrator(context, drafts)
    _hosted(context, drafts)
    for draft in drafts:
        if draft.node.role and draft.node.kind is None and not draft.stand_in:
            own = [operation for operation in draft.node.operations if operation.target is None]
            with rewriter.state(user=draft.node.name):
                draft.interfaces = _interfaces(rewriter, own, _read(context, draft.node))
            draft.moves += _moves(own, ("node_templates", draft.name))
            _connect(context, rewriter, draft)
        elif not draft.stand_in:
            again = [operation for operation in draft.node.operations if is_own(draft.node, operation)]
            own = [operation for operation in again if operation.target is None]
            with rewriter.state(user=draft.node.name):
                draft.interfaces = _interfaces(rewriter, own)
                _connect(
                    context, rewriter, draft, {operation.target for operation in again if operation.target is not None}
                )
            draft.moves += _moves(own, ("node_templates", draft.name))


def _read(context: Context, node: Node) -> set[str]:
    """The attributes of a node that operations set and something reads."""
    outputs = (output for operation in node.operations for output in operation.outputs)
    return {name for name in outputs if (node.name, name) in context.attributes}


def _hosted(context: Context, drafts: list[NodeDraft]) -> None:
    """Stand-ins that software is inside of are themselves inside of what they were: an orchestrator looks for the
    machine of a program through what hosts it."""
    by_name = {draft.node.name: draft for draft in drafts}
    for software in (draft for draft in drafts if draft.node.role and not draft.stand_in):
        place, seen = by_name.get(_host(software.node) or ""), set[str]()
        while place is not None and place.stand_in and place.name not in seen:
            seen.add(place.name)
            inside = _host(place.node) or ""
            wanted = {"dependency": context.names.node(inside)}
            place.requirements = [{"host": row["dependency"]} if row == wanted else row for row in place.requirements]
            place = by_name.get(inside)


def _run(drafts: list[NodeDraft]) -> Iterator[Operation]:
    """The operations that are there again."""
    for node in (draft.node for draft in drafts if not draft.stand_in):
        yield from (operation for operation in node.operations if node.role or is_own(node, operation))


def _check_programs(context: Context, drafts: list[NodeDraft]) -> None:
    """Report scripts that use what only the source's engine has, wherever they run."""
    request, tools = context.request, dict[str, str]()
    for operation in _run(drafts):
        script = operation.implementation
        if script not in tools and "://" not in script:
            text = request.files.look(script)[0]
            tools[script] = request.source.programs.tool(script, text) if text else ""
        if tools.get(script):
            request.reporter.report("BPC251", operation.path, script=script, tool=tools[script])


def _check_orchestrator(context: Context, drafts: list[NodeDraft]) -> None:
    """Report that an orchestrator which runs playbooks only does not run what operations run."""
    if context.by_playbook:
        return
    own = [operation for operation in _run(drafts) if is_script(operation)]
    if own:
        files = dict.fromkeys(operation.implementation for operation in own)
        others = f" and {len(files) - 1} more" if len(files) > 1 else ""
        context.request.reporter.report("BPC548", own[0].path, script=own[0].implementation, others=others)


def _interfaces(
    rewriter: ToscaRewriter, operations: list[Operation], read: Collection[str] = (), owner: str = "SELF"
) -> dict[str, Any]:
    """The interfaces of the operations. ``read``: attributes of their node, the ``owner``, that something reads."""
    interfaces: dict[str, Any] = {}
    for operation in operations:
        row: dict[str, Any] = {"implementation": operation.implementation}
        if {NEEDS, HOST} & operation.extra.keys() and operation.script is not None and operation.native != DIALECT:
            row["implementation"] = {"primary": operation.implementation, **operation.extra}
        if operation.inputs:
            place = (*operation.path, "inputs")
            row["inputs"] = {key: rewriter.written(value, (*place, key)) for key, value in operation.inputs.items()}
        outputs = {name: [owner, name] for name in operation.outputs if name in read}
        if outputs:
            row["outputs"] = outputs
        if rewriter.context.by_playbook and is_script(operation):
            row = scripts.run_by_playbook(row, outputs)
            rewriter.context.topology.files |= scripts.files()
        interfaces.setdefault(operation.interface, {"operations": {}})["operations"][operation.name] = row
    return interfaces


def is_script(operation: Operation) -> bool:
    """True for an operation that runs a script, and no playbook."""
    program = operation.implementation
    return bool(program) and operation.native != DIALECT and not program.lower().endswith(PLAYBOOKS)


def _moves(operations: Iterable[Operation], place: Path) -> Iterator[tuple[Path, Path]]:
    """Where operations of the source are, in what stands at ``place``."""
    for operation in operations:
        if operation.path:
            yield operation.path, (*place, "interfaces", operation.interface, "operations", operation.name)


def _connect(context: Context, rewriter: ToscaRewriter, draft: NodeDraft, only: Collection[str] | None = None) -> None:
    """The requirements for the host and for what the node is connected to, in place of mere order. ``only``: the
    targets that count, None: all."""
    node = draft.node
    operations: dict[str, list[Operation]] = {}
    for operation in node.operations:
        if operation.target is not None:
            operations.setdefault(operation.target, []).append(operation)
    for relationship in node.relationships:
        if only is not None and relationship.target not in only:
            continue
        target = context.names.node(relationship.target)
        place = next((i for i, row in enumerate(draft.requirements) if row == {"dependency": target}), None)
        if place is None:
            continue
        inside = relationship.target == _host(node)
        own = operations.pop(relationship.target, [])
        wanted: Any = target
        if own or (relationship.connects and not inside):
            wanted = {"node": target, "relationship": _template(context, rewriter, draft, relationship, own)}
        draft.requirements[place] = {"host" if inside else "dependency": wanted}


def _template(
    context: Context, rewriter: ToscaRewriter, draft: NodeDraft, relationship: Relationship, operations: list[Operation]
) -> str:
    """The relationship template for a requirement: one without operations of its own is there for its type.
    tosca-parser finds names in small letters only."""
    inside = relationship.target == _host(draft.node)
    name = fresh(f"{draft.name}_{context.names.node(relationship.target)}".lower(), context.relationship_templates)
    parent = _HOSTED_ON if inside else _DEPENDS_ON
    type = f"{_OWN_RELATIONSHIP}Hosted" if inside else CONNECTED
    interfaces = _interfaces(rewriter, operations, _read(context, draft.node), "SOURCE")
    data: dict[str, Any] = {"type": type}
    if interfaces:
        data["interfaces"] = interfaces
    context.relationship_templates[name] = data
    place = ("relationship_templates", name)
    draft.moves += [*([(relationship.path, place)] if relationship.path else []), *_moves(operations, place)]
    definition = context.relationship_types.setdefault(type, {"derived_from": parent})
    declare(definition, interfaces, context.schemas, type)
    return name


def declare(definition: dict[str, Any], interfaces: dict[str, Any], schemas: Schemas, type: str) -> None:
    """Add the operations that the standard does not have, and the inputs of all, to the definition of a type. opera
    refuses what is not declared. ``schemas`` gets the data types that these need, named by the ``type``, when it is
    finished."""
    for interface, rows in interfaces.items():
        for name, row in rows["operations"].items():
            is_known = interface in FULL_NAMES and name not in OWN_OPERATIONS.get(interface, ())
            if not row.get("inputs") and is_known:
                continue
            whole = definition.setdefault("interfaces", {}).setdefault(
                interface, {"type": _full_name(interface), "operations": {}}
            )
            declared = whole["operations"].setdefault(name, {})
            inputs = declared.setdefault("inputs", {}) if row.get("inputs") else {}
            for key, value in row.get("inputs", {}).items():
                inputs[key] = schemas.grow((type, interface, name, key), value, f"{type}.{interface}.{name}.{key}")


def _full_name(interface: str) -> str:
    """The type of an interface."""
    return FULL_NAMES.get(interface) or f"{_OWN_INTERFACE}{interface}"


def hosted(draft: NodeDraft) -> list[dict[str, Any]]:
    """The requirements that the type of a stand-in has to have."""
    return [dict(_ANY_HOST)] if any("host" in row for row in draft.requirements) else []


def define(definition: dict[str, Any], draft: NodeDraft, schemas: Schemas) -> None:
    """Complete the definition of the type of a draft of software."""
    if draft.parent == ROOT and draft.node.role:
        definition.setdefault("requirements", [dict(_ANY_HOST)])
    for name in _OPTIONAL.get(draft.node.role, ()) if draft.parent != ROOT else ():
        definition["properties"].setdefault(name, Flow(type="string", required=False))
    declare(definition, draft.interfaces, schemas, draft.type)


def interface_types(types: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The definitions of our own interface types that ``types`` have interfaces of."""
    interface_definitions: dict[str, Any] = {}
    for interface, row in (
        (name, row) for definition in types for name, row in definition.get("interfaces", {}).items()
    ):
        if interface not in FULL_NAMES or interface in OWN_OPERATIONS:
            names = OWN_OPERATIONS.get(interface) or row["operations"]
            definition = interface_definitions.setdefault(
                _full_name(interface), {"derived_from": _INTERFACE, "operations": {}}
            )
            definition["operations"] |= {name: {} for name in names}
    return interface_definitions
