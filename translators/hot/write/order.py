"""What waits for what: dependencies between resources, without circles.

Heat lets a resource wait for all that ``depends_on`` names and for all whose values its properties use
(heat/engine/rsrc_defn.py), and refuses circles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.translators.hot.write.context import Context, Draft
from bpconvert.translators.support.graphs import back_edges, reachable, strong_components

#: references to what a node has when it has been created
_OF_NODES = (ex.Identity, ex.Attribute, ex.AttributeList, ex.AttributeDict)


def wait_for_nodes(context: Context, draft: Draft, lasts: Mapping[str, str], skip: Iterable[str] = ()) -> None:
    """Let a resource wait for the nodes that its own waits for, and so for the last deployment on each
    (``lasts``: node -> resource)."""
    node, report, topology = draft.node, context.reporter.report, context.topology
    known = {draft.name, *draft.depends_on}
    for waits in node.waits:
        target, path = waits.target, waits.path or (*node.path, context.words.key("depends_on"))
        found = topology.nodes[target]
        if found.external_name is not MISSING:
            report("BPC384", path, source=node.name, target=target)
        elif draft.external_id is not MISSING:
            report("BPC385", path, name=node.name, target=target)
        elif target not in skip:
            name = lasts.get(target) or context.names.resource(target)
            if name not in known:
                known.add(name)
                draft.depends_on.append(name)
    if draft.external_id is MISSING:
        _wait_for_lost_values(context, draft, known, lasts)


def _wait_for_lost_values(context: Context, draft: Draft, known: set[str], lasts: Mapping[str, str]) -> None:
    """The nodes of which a resource uses values come before it, also where something else stands for such a value.
    Software is its last deployment, or nothing at all."""
    nodes, node = context.topology.nodes, draft.node
    known |= draft.targets().keys()
    for value in ex.walk(node.properties):
        target = nodes.get(value.node) if isinstance(value, _OF_NODES) and isinstance(value.node, str) else None
        if target is not None and target is not node and target.external_name is MISSING:
            software = target.role and target.kind is None
            name = lasts.get(target.name) if software else context.names.resource(target.name)
            if name is not None and name not in known:
                known.add(name)
                draft.depends_on.append(name)


def wait_for_deployments(drafts: list[Draft], lasts: Mapping[str, str]) -> None:
    """What uses a server waits for the last of the server's own deployments too (``lasts``: server resource -> last
    deployment), as far as these do not wait for it."""
    if not lasts:
        return
    names = {draft.name for draft in drafts}
    graph = {
        draft.name: [target for target in (*draft.depends_on, *draft.targets()) if target in names] for draft in drafts
    }
    users: dict[str, list[Draft]] = {}
    for draft in drafts:
        for target in dict.fromkeys(graph[draft.name]):
            users.setdefault(target, []).append(draft)
    wanted = [
        (draft, last)
        for server, last in lasts.items()
        for draft in users.get(server, ())
        if draft.name != last and draft.external_id is MISSING and last not in draft.depends_on
    ]
    whole = {name: list(targets) for name, targets in graph.items()}
    for draft, last in wanted:
        whole[draft.name].append(last)
    circle = {name: index for index, members in enumerate(strong_components(whole)) for name in members}
    for draft, last in wanted:
        apart = draft.name not in circle or circle[draft.name] != circle.get(last)
        if apart or draft.name not in reachable(graph, last):
            draft.depends_on.append(last)


def break_circles(context: Context, drafts: list[Draft]) -> None:
    """Take out what closes circles: values in and of stand-ins first, which nothing is lost with, then mere order, then
    values of real resources."""
    known = {draft.name: draft for draft in drafts}
    if not strong_components(_graph(known)):
        return
    _cut_empty(context, known)
    _cut_order(context, known)
    for source, target in back_edges(_graph(known)):
        draft = known[source]
        if target in draft.depends_on:
            _forget(context, draft, target)
        if target in draft.targets():
            _forget_values(context, draft, {target}, known)


def _graph(known: Mapping[str, Draft]) -> dict[str, list[str]]:
    return {
        name: [target for target in dict.fromkeys((*draft.targets(), *draft.depends_on)) if target in known]
        for name, draft in known.items()
    }


def _cut_empty(context: Context, known: Mapping[str, Draft]) -> None:
    for used in (True, False):
        for members in strong_components(_graph(known)):
            for name in members:
                targets = members & known[name].targets().keys()
                if used:
                    targets = {target for target in targets if known[target].stand_in}
                if targets and (used or known[name].stand_in):
                    _forget_values(context, known[name], targets, known)


def _cut_order(context: Context, known: Mapping[str, Draft]) -> None:
    for members in strong_components(_graph(known)):
        values = {name: [target for target in known[name].targets() if target in members] for name in members}
        for name in values:
            for target in [target for target in known[name].depends_on if target in members]:
                if name in reachable(values, target):
                    _forget(context, known[name], target)


def _forget(context: Context, draft: Draft, target: str) -> None:
    draft.depends_on.remove(target)
    context.reporter.report("BPC388", draft.node.path, name=draft.name, target=target)


def _forget_values(context: Context, draft: Draft, targets: Iterable[str], known: Mapping[str, Draft]) -> None:
    """Exchange the values of ``targets`` that a resource uses: in a stand-in for the source's call, which is data there
    (null inside another call); those of a stand-in for null, which they are; else for a parameter."""
    gone, made = set(targets), {}

    def instead(found: ex.Identity | ex.Attribute, inside: bool) -> Value:
        path = found.path or draft.node.path
        what = found.name if isinstance(found, ex.Attribute) and isinstance(found.name, str) else "id"
        if draft.stand_in:
            words = "null stands there" if inside else "the call stays as data"
            context.reporter.report("BPC387", path, name=draft.name, target=found.node, instead=words)
            return None if inside else {"get_attribute": [found.node, what, *getattr(found, "keys", ())]}
        if known[found.node].stand_in:
            context.reporter.report("BPC387", path, name=draft.name, target=found.node, instead="null stands there")
            return None
        key = f"{found.node}_{what}"
        if key not in made:
            description = f"{what} of {found.node}, which cannot be looked up when {draft.name} is created"
            made[key] = context.added.parameter(key, {"type": "string", "description": description})
        words = f"it is asked for as parameter '{made[key]}'"
        context.reporter.report("BPC387", path, name=draft.name, target=found.node, instead=words)
        return ex.Input(made[key], path=found.path)

    def exchanged(value: Value, inside: bool = False) -> Value:
        if isinstance(value, (ex.Identity, ex.Attribute)) and isinstance(value.node, str) and value.node in gone:
            return instead(value, inside)
        return ex.map_parts(value, lambda part: exchanged(part, inside or isinstance(value, ex.Expr)))

    draft.properties = exchanged(draft.properties)
    draft.extra = exchanged(draft.extra)
    if draft.count is not MISSING:
        draft.count = exchanged(draft.count)
