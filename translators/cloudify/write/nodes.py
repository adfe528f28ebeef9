"""The node templates: each neutral node with its type, properties and lifted references."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue import stand_ins
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.cloudify import escaping, hooks, playbooks
from bpconvert.translators.cloudify.calls import DIALECT, collides
from bpconvert.translators.cloudify.openstack import user_data
from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.vocabulary import MADE_ANYWAY, ROOT, stand_in
from bpconvert.translators.cloudify.write import scaling
from bpconvert.translators.cloudify.write.arrangement import arrange
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.properties import Properties
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.cloudify.write.software import software
from bpconvert.translators.passes.expressions import branches
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.passes.software.kinds import is_for_powershell

if TYPE_CHECKING:
    from bpconvert.translators.passes.stand_ins import View

_USER: Final = "agent_user"
_KEY: Final = "agent_private_key"
#: how the agent is installed: over SSH, and by user data, which cloud-init runs as root
_SSH: Final = "remote"
_INIT: Final = "init_script"
_ROOT: Final = "root"


def install(context: Context, rewriter: DslRewriter) -> None:
    """Give the machines their agents."""
    topology, report = context.topology, context.reporter.report
    for node in topology.nodes.values():
        if node.address is not MISSING:
            node.settings["ip"] = (node.address, node.origin("address"))
            node.settings["agent_config"] = ({"install_method": "none"}, node.path)
    if not topology.machines:
        return
    default = context.request.source.programs.user
    programs = _programs(context)
    methods = {
        name: _method(context, rewriter, topology.nodes[name], programs.get(name, set())) for name in topology.machines
    }
    access = _access(context, None if _SSH in methods.values() else default) if {*methods.values()} != {_INIT} else {}
    for name, deployment in topology.machines.items():
        server, method = topology.nodes[name], methods[name]
        user = {"user": _ROOT} if method == _INIT else access
        server.settings["agent_config"] = ({"install_method": method, **user}, server.path)
        if method == _INIT:  # an engine that comes to machines as no user has an agent on them, too
            report("BPC704" if default else "BPC795", server.path, name=name, deployment=deployment)
        elif method == _SSH:
            report("BPC723", server.path, name=name, deployment=deployment)
        else:
            report("BPC434", server.path, name=name, user=default)


def _access(context: Context, default: str | None) -> dict[str, Value]:
    """Who comes to the machines over SSH: inputs, and a secret."""
    text, usual = {"type": "string"}, {} if default is None else {"default": default}
    about = "User on the servers that Cloudify's agent runs as"
    user = context.inputs.add(_USER, {**text, **usual, "description": about})
    if context.options.client_config == "secrets":
        return {"user": ex.Input(user), "key": ex.Secret(_KEY)}
    key = context.inputs.add(_KEY, {**text, "description": "Private SSH key of that user"})
    return {"user": ex.Input(user), "key": ex.Input(key)}


def _programs(context: Context) -> dict[str, set[str]]:
    """What operations run on each machine."""
    from bpconvert.translators.passes.software.to_deployments import host_of  # few conversions need it

    programs: dict[str, set[str]] = {}
    for node in context.topology.nodes.values():
        server = node.properties.get("server") if isinstance(node.properties, dict) else None
        for operation in node.operations:
            host = host_of(context.topology, node, operation)
            name = server.node if isinstance(server, ex.Identity) else host.name if host is not None else ""
            programs.setdefault(name, set()).add(operation.implementation)
    return programs


def _method(context: Context, rewriter: DslRewriter, server: Node, programs: set[str]) -> str:
    """How the agent gets to a server: in what the plugin adds to the user data of a server that it creates
    (openstack_plugin/utils.py, handle_userdata), else over SSH, as playbooks do, which come from the manager."""
    if context.request.source.programs.user and not programs - {playbooks.RUN}:
        return "none"
    is_created = server.kind == "server" and server.external_id is MISSING and server.address is MISSING
    if not is_created or context.options.running is not None:
        return _SSH
    if playbooks.RUN in programs or any(map(is_for_powershell, programs)):
        return _SSH
    text, source = server.properties.get("user_data"), server.origin("user_data")
    return _INIT if context.generation2 or user_data.is_wrapped(rewriter, text, source) else _SSH


def drafts(context: Context, rewriter: DslRewriter) -> list[NodeDraft]:
    """The drafts of all nodes of the topology, in the order of the blueprint."""
    topology = context.topology
    arrangement = Reshaping(topology, context.request, context.names.fresh_node, rewriter.replacement)
    scaling.lower_sizes(rewriter)
    install(context, rewriter)
    arrange(arrangement)
    if topology.groups:
        from bpconvert.translators.passes.groups.to_scaling_groups import complete

        complete(topology)
    writer = _Writer(context, rewriter, arrangement)
    drafts_made = []
    for node in _ordered(topology.nodes.values()):
        if node.part_of is None:
            drafts_made += writer.drafts(node)
    return drafts_made


def _ordered(nodes: Collection[Node]) -> list[Node]:
    """Nodes that were made for another one before that."""
    helpers: dict[str, list[Node]] = {}
    for node in nodes:
        if node.made_for is not None:
            helpers.setdefault(node.made_for, []).append(node)
    return [each for node in nodes if node.made_for is None for each in (*helpers.get(node.name, ()), node)]


class _Writer:
    """Writes one node after the other."""

    def __init__(self, context: Context, rewriter: DslRewriter, arrangement: Reshaping) -> None:
        self.context = context
        self.report = context.reporter.report
        self.rewriter = rewriter
        self.arrangement = arrangement
        self.properties = Properties(context, rewriter, arrangement)

    def drafts(self, node: Node) -> list[NodeDraft]:
        """The node template of a node, after those of the nodes that look names up for it."""
        with self.rewriter.state(user=node.name):
            draft = self.draft(node)
        waiting, lookups = self.properties.lookups, []
        while waiting:
            with self.rewriter.state(user=waiting[0].name):
                lookups.append(self.draft(waiting.pop(0)))
        return [*lookups, draft]

    def draft(self, node: Node) -> NodeDraft:
        """The node template of a node."""
        context = self.context
        kind = context.catalogue.kind(node.kind)
        name = context.names.node(node.name)
        if node.native == DIALECT:
            draft = self._native(node, name)
        elif node.role and kind is None:
            draft = software(context, self.rewriter, node, name)
        elif node.stand_in or kind is None or kind.cloudify is None:
            draft = self._stand_in(node, name)
        else:
            v2 = kind.cloudify.v2 if context.generation2 else None
            draft = NodeDraft(node, name, v2.type if v2 else kind.cloudify.type, kind)
            self._real(draft, kind)
        if draft.kind is None and draft.type != node.source_type and not node.role:
            for operation in node.operations:
                if operation.native == DIALECT and operation.target is None:
                    inputs = {"inputs": operation.inputs} if operation.inputs else {}
                    written = {"implementation": operation.implementation, **inputs, **operation.extra}
                    called = f"{operation.interface}.{operation.name}"
                    draft.interfaces[called] = self.rewriter.value(written, operation.path, inert="node")
        if node.path and node.made_for is None:
            draft.moved(node.entry)
            draft.moved(node.path)
        self._condition(draft)
        draft.properties = {key: self.rewriter.composed(value, node.path) for key, value in draft.properties.items()}
        if collides(draft.properties):
            why = f"a map with the only key '{next(iter(draft.properties))}' would be a call in Cloudify"
            self.report("BPC202", node.origin(), reason=why)
            draft.properties = {}
        return draft

    def _native(self, node: Node, name: str) -> NodeDraft:
        """The node of this blueprint's origin that a stand-in showed: its type is known there."""
        draft = NodeDraft(node, name, node.source_type, None)
        for key, value in node.properties.items():
            draft.properties[key] = self._native_value(value, node.origin(key))
        for operation in node.operations:
            written: dict[str, Any] = {"implementation": operation.implementation, **operation.extra}
            if operation.inputs:
                written["inputs"] = operation.inputs
            called = f"{operation.interface}.{operation.name}"
            draft.interfaces[called] = self._native_value(written, operation.path)
        return draft

    def _native_value(self, value: Value, path: Path) -> Value:
        """A value of a node that comes back: what a stand-in does not have is asked for, as the node is deployed."""
        topology = self.context.topology
        nodes = [topology.node(getattr(part, "node", None)) for part in ex.walk(value) if topology.is_of_stand_in(part)]
        lacks = any(node is not None and node.native != DIALECT for node in nodes)
        return self.rewriter.value(value, path, inert="" if lacks else "node")

    def _stand_in(self, node: Node, name: str) -> NodeDraft:
        if node.shows is not None:
            from bpconvert.translators.passes.stand_ins import view

            seen = view(node, self.context.request)
            if seen.is_shown and not seen.operations:  # which have no place here
                return self._shown(node, seen, name)
        is_bare = node.kind is None and stand_ins.is_bare(self.context.topology.dialect, node.source_type)
        if is_bare and node.shows is None and node.refusal is None and isinstance(node.properties, dict):
            return self._bare(node, name, node.source_type, node.properties)
        type, shown = stand_in(self.context.request.source.title)
        draft = NodeDraft(node, name, type, None)
        if node.refusal is not None:
            code, why = node.refusal
            self.report(code, node.path, type=node.source_type, name=node.name, why=why)
        else:
            dialect = self.context.topology.dialect
            loss = None if node.kind is not None else stand_ins.loss(dialect, [node.source_type])
            self._report_loss(node, node.source_type, loss)
        if node.source_type.endswith((".yaml", ".yml", ".template")) and not node.not_nested:
            self.report("BPC613", (*node.path, "type"), name=node.source_type)
        kind = self.context.catalogue.kind(node.kind)
        own = kind.heat[0] if kind is not None and node.source_type in kind.also else node.source_type
        draft.properties[shown.type] = self.rewriter.value(own, (*node.path, "type"), inert="node")
        path = node.origin()
        if node.properties:
            safe = escaping.guarded(node.properties, path, self.context.reporter)
            draft.put((shown.properties,), self.rewriter.value(safe, path, inert="node"), path)
        return draft

    def _bare(self, node: Node, name: str, type: str, properties: dict[Any, Value]) -> NodeDraft:
        """The node of a resource that does nothing, with whatever properties."""
        self.report("BPC796", node.path, type=type, name=node.name)
        draft = NodeDraft(node, name, ROOT, None)
        for key, value in properties.items():
            place = node.origin(key) if node.shows is None else node.origin(node.shows.properties, key)
            self.report("BPC250", place, name=key, type=type, why="the resource does nothing")
            draft.unsupported[key] = value
        return draft

    def _shown(self, node: Node, seen: View, name: str) -> NodeDraft:
        """What shows a resource of another engine stands for that here, too."""
        properties, losses = seen.properties, stand_ins.losses()
        if isinstance(properties, dict) and any(stand_ins.is_bare(language, seen.name) for language in losses):
            return self._bare(node, name, seen.name, properties)
        type, shown = stand_in(seen.title)
        draft = NodeDraft(node, name, type, None)
        own_losses = (stand_ins.loss(language, [seen.name]) for language in losses)
        self._report_loss(node, seen.name, next((loss for loss in own_losses if loss is not None), None))
        if isinstance(properties, dict):
            properties = escaping.guarded(properties, seen.path, self.context.reporter)
        rows = ((shown.type, seen.type, seen.type_path), (shown.properties, properties, seen.path))
        for key, value, path in rows if properties != {} else rows[:1]:
            draft.put((key,), self.rewriter.value(value, path, inert="node"), path)
        return draft

    def _report_loss(self, node: Node, type: str, loss: stand_ins.Loss | None) -> None:
        """Report what is lost with a resource of a type that is not converted."""
        what = {"type": type, "name": node.name}
        if loss is None:
            self.report("BPC300", node.path, **what)
        else:
            self.report("BPC790", node.path, **what, lost=loss.lost, todo=loss.todo)

    def _real(self, draft: NodeDraft, kind: Kind) -> None:
        node = draft.node
        if kind.note:
            self.report("BPC308", node.path, type=node.source_type, note=kind.note)
        if kind.cloudify and not kind.cloudify.plain:
            draft.properties["resource_config"] = {}
            service = kind.cloudify.service
            if service is not None and not service.only and not service.named:
                self.report("BPC255" if service.heat else "BPC259", node.path, name=node.name, service=service.types[0])
        for key, constant in kind.constants.items():
            draft.properties[key] = constant
        if node.external_id is not MISSING:
            anyway = {MADE_ANYWAY: True} if node.otherwise else {}
            draft.properties = {"use_external_resource": True, **anyway, **draft.properties}
            setting = kind.cloudify.existing if kind.cloudify else "id"
            identity = self.rewriter.value(node.external_id, node.path)
            draft.put(("resource_config", setting), identity, (*node.path, "external_id"))
        path = node.origin()
        for name, value in node.properties.items():
            source = node.origin(name)
            rule = kind.properties.get(name)
            if rule is None:
                self.report("BPC301", source, name=name, type=node.source_type)
                draft.unsupported[name] = value
            else:
                self.properties.put(draft, name, rule, value, source)
        if node.external_id is MISSING or node.otherwise:
            self._defaults(draft, kind, path)
        for key, needed in kind.cloudify.required.items() if kind.cloudify else ():
            draft.properties["resource_config"].setdefault(key, needed)
        for key, (value, source) in node.settings.items():
            draft.put((key,), self.rewriter.value(value, source), source)
        for operation in node.operations:
            written: dict[str, Any] = {"implementation": operation.implementation} if operation.implementation else {}
            if operation.inputs:
                called = (f"{operation.interface}.{operation.name}",)
                source = node.origins.get(called, (*operation.path, "inputs"))
                written["inputs"] = self.rewriter.value(operation.inputs, source)
            draft.interfaces[f"{operation.interface}.{operation.name}"] = {**written, **operation.extra}
        draft.relations += self.arrangement.connections.get(node.name, ())
        draft.unsupported |= self.arrangement.unsupported.get(node.name, {})

    def _defaults(self, draft: NodeDraft, kind: Kind, path: Path) -> None:
        """What Heat does where the source is silent, or has null (heat: engine/properties.py)."""
        for name, rule in kind.properties.items():
            if draft.node.properties.get(name) is not None:
                continue
            if rule.default is not None and rule.to:
                draft.put(tuple(rule.to.split(".")), rule.default, path)
            elif rule.hook and rule.hook in hooks.ABSENT:
                hooks.ABSENT[rule.hook](self.properties, draft, path)

    def _condition(self, draft: NodeDraft) -> None:
        node = draft.node
        if node.condition is MISSING:
            return
        user = self.context.topology.nodes[node.made_for or node.name]
        path = (*user.entry, "condition")
        try:
            with self.rewriter.state(user=None):
                draft.scaling = branches.choose(self.rewriter, node.condition, 1, 0, path)
        except Unsupported as unsupported:
            self.report("BPC401", path, name=node.name, reason=unsupported.reason)
        else:
            self.report("BPC402", path, name=node.name)
