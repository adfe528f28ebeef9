"""What waits for what: dependencies between resources, without circles.

Heat lets a resource wait for all that ``depends_on`` names and for all whose values its properties use
(heat/engine/rsrc_defn.py), and refuses circles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.translators.hot.write.context import Context, ResourceDraft
from bpconvert.translators.support.graphs import back_edges, reachable, strong_components

#: references to what a node has when it has been created
_OF_NODES = (ex.Identity, ex.Attribute, ex.AttributeList, ex.AttributeDict)


def wait_for_nodes(context: Context, draft: ResourceDraft, lasts: Mapping[str, str], skip: Iterable[str] = ()) -> None:
    """Let a resource wait for the nodes that its own waits for, and so for the last deployment on each
    (``lasts``: node -> resource)."""
    node, report, topology = draft.node, context.reporter.report, context.topology
    waited_for = {draft.name, *draft.depends_on}
    for waits in node.waits:
        target, path = waits.target, waits.path or (*node.path, context.words.key("depends_on"))
        node_of_target = topology.nodes[target]
        if node_of_target.external_name is not MISSING:
            report("BPC384", path, source=node.name, target=target)
        elif draft.external_id is not MISSING:
            report("BPC385", path, name=node.name, target=target)
        elif target not in skip:
            name = lasts.get(target) or context.names.resource(target)
            if name not in waited_for:
                waited_for.add(name)
                draft.depends_on.append(name)
    if draft.external_id is MISSING:
        _wait_for_lost_values(context, draft, waited_for, lasts)


def _wait_for_lost_values(
    context: Context, draft: ResourceDraft, waited_for: set[str], lasts: Mapping[str, str]
) -> None:
    """The nodes of which a resource uses values come before it, also where something else stands for such a value.
    Software is its last deployment, or nothing at all."""
    nodes, node = context.topology.nodes, draft.node
    waited_for |= draft.targets().keys()
    for value in ex.walk(node.properties):
        target = nodes.get(value.node) if isinstance(value, _OF_NODES) and isinstance(value.node, str) else None
        if target is not None and target is not node and target.external_name is MISSING:
            software = target.role and target.kind is None
            name = lasts.get(target.name) if software else context.names.resource(target.name)
            if name is not None and name not in waited_for:
                waited_for.add(name)
                draft.depends_on.append(name)


def wait_for_deployments(drafts: list[ResourceDraft], lasts: Mapping[str, str]) -> None:
    """What uses a server waits for the last of the server's own deployments too (``lasts``: server resource -> last
    deployment), as far as these do not wait for it."""
    if not lasts:
        return
    names = {draft.name for draft in drafts}
    graph = {
        draft.name: [target for target in (*draft.depends_on, *draft.targets()) if target in names] for draft in drafts
    }
    users: dict[str, list[ResourceDraft]] = {}
    for draft in drafts:
        for target in dict.fromkeys(graph[draft.name]):
            users.setdefault(target, []).append(draft)
    wanted = [
        (draft, last)
        for server, last in lasts.items()
        for draft in users.get(server, ())
        if draft.name != last and draft.external_id is MISSING and last not in draft.depends_on
    ]
    edges = {name: list(targets) for name, targets in graph.items()}
    for draft, last in wanted:
        edges[draft.name].append(last)
    circle = {name: index for index, members in enumerate(strong_components(edges)) for name in members}
    for draft, last in wanted:
        is_apart = draft.name not in circle or circle[draft.name] != circle.get(last)
        if is_apart or draft.name not in reachable(graph, last):
            draft.depends_on.append(last)


def break_circles(context: Context, drafts: list[ResourceDraft]) -> None:
    """Take out what closes circles: values in and of stand-ins first, which nothing is lost with, then mere order, then
    values of real resources."""
    by_name = {draft.name: draft for draft in drafts}
    if not strong_components(_graph(by_name)):
        return
    _cut_empty(context, by_name)
    _cut_order(context, by_name)
    for source, target in back_edges(_graph(by_name)):
        draft = by_name[source]
        if target in draft.depends_on:
            _forget(context, draft, target)
        if target in draft.targets():
            _forget_values(context, draft, {target}, by_name)


def _graph(by_name: Mapping[str, ResourceDraft]) -> dict[str, list[str]]:
    return {
        name: [target for target in dict.fromkeys((*draft.targets(), *draft.depends_on)) if target in by_name]
        for name, draft in by_name.items()
    }


def _cut_empty(context: Context, by_name: Mapping[str, ResourceDraft]) -> None:
    for used in (True, False):
        for members in strong_components(_graph(by_name)):
            for name in members:
                targets = members & by_name[name].targets().keys()
                if used:
                    targets = {target for target in targets if by_name[target].stand_in}
                if targets and (used or by_name[name].stand_in):
                    _forget_values(context, by_name[name], targets, by_name)


def _cut_order(context: Context, by_name: Mapping[str, ResourceDraft]) -> None:
    for members in strong_components(_graph(by_name)):
        values = {name: [target for target in by_name[name].targets() if target in members] for name in members}
        for name in values:
            for target in [target for target in by_name[name].depends_on if target in members]:
                if name in reachable(values, target):
                    _forget(context, by_name[name], target)


def _forget(context: Context, draft: ResourceDraft, target: str) -> None:
    draft.depends_on.remove(target)
    places = [waits.path for waits in draft.node.waits if waits.path and context.names.resource(waits.target) == target]
    context.reporter.report("BPC388", next(iter(places), draft.node.path), source=draft.name, target=target)


def _forget_values(
    context: Context, draft: ResourceDraft, targets: Iterable[str], by_name: Mapping[str, ResourceDraft]
) -> None:
    """Exchange the values of ``targets`` that a resource uses: in a stand-in for the source's call, which is data there
    (null inside another call); those of a stand-in for null, which they are; else for a parameter."""
    gone, parameters = set(targets), {}

    def instead(expr: ex.Identity | ex.Attribute, inside: bool) -> Value:
        path = expr.path or draft.node.path
        what = expr.name if isinstance(expr, ex.Attribute) and isinstance(expr.name, str) else "id"
        if draft.stand_in:
            words = "null stands there" if inside else "the call stays as data"
            context.reporter.report("BPC387", path, name=draft.name, target=expr.node, instead=words)
            return None if inside else {"get_attribute": [expr.node, what, *getattr(expr, "keys", ())]}
        if by_name[expr.node].stand_in:
            context.reporter.report("BPC387", path, name=draft.name, target=expr.node, instead="null stands there")
            return None
        key = f"{expr.node}_{what}"
        if key not in parameters:
            description = f"{what} of {expr.node}, which cannot be looked up when {draft.name} is created"
            parameters[key] = context.added.parameter(key, {"type": "string", "description": description})
        words = f"it is asked for as parameter '{parameters[key]}'"
        context.reporter.report("BPC387", path, name=draft.name, target=expr.node, instead=words)
        return ex.Input(parameters[key], path=expr.path)

    def exchanged(value: Value, inside: bool = False) -> Value:
        if isinstance(value, (ex.Identity, ex.Attribute)) and isinstance(value.node, str) and value.node in gone:
            return instead(value, inside)
        return ex.map_parts(value, lambda part: exchanged(part, inside or isinstance(value, ex.Expr)))

    draft.properties = exchanged(draft.properties)
    draft.extra = exchanged(draft.extra)
    if draft.count is not MISSING:
        draft.count = exchanged(draft.count)
