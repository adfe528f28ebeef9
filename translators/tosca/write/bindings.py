"""The ports of a server: the requirement ``binding`` of each port in place of the server's property ``networks``.

That turns the edge round: Heat makes the port first, TOSCA binds it to the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca import edges
from bpconvert.translators.tosca.write.context import Context, NodeDraft

_NETWORKS: Final = "networks"


def bind_ports(context: Context, drafts: list[NodeDraft]) -> None:
    """Bind the ports of servers that have nothing but ports of their own, in their order, where neither the server nor
    what it waits for needs a port. What the result becomes part of keeps its form."""
    ports = {draft.name: draft for draft in drafts if draft.heat == edges.PORT and _is_one(draft)}
    listed = Counter(name for draft in drafts for name in _ports(context, draft))
    graph = {draft.name: {*edges.required(draft.requirements)} for draft in drafts}
    own = {draft.node.name: draft.name for draft in drafts}
    for server in drafts:
        names = _ports(context, server)
        if server.heat != edges.SERVER or not _is_one(server) or server.is_kept(_NETWORKS):
            continue
        if not names or not all(name in ports and listed[name] == 1 for name in names):
            continue
        bound = [ports[name] for name in names]
        if not _fit(context, server, bound) or not {*names}.isdisjoint(_nodes_named(server, own)):
            continue
        before, graph[server.name] = graph[server.name], graph[server.name] - {*names}
        if any(edges.reaches(graph, server.name, name) for name in names):
            graph[server.name] = before
            continue
        for name in names:
            graph[name].add(server.name)
        _bind(context, server, bound)


def _is_one(draft: NodeDraft) -> bool:
    """True for a resource of OpenStack of which there is one."""
    return draft.kind is not None and not draft.node.is_scaled and draft.node.group is None


def _ports(context: Context, server: NodeDraft) -> list[str]:
    """The nodes that the networks of a server are ports by; "" for another network."""
    items = server.properties.get(_NETWORKS) if server.heat == edges.SERVER else None
    networks = items if isinstance(items, list) else []
    return [
        context.node_of(item["port"]) if isinstance(item, dict) and item.keys() == {"port"} else "" for item in networks
    ]


def _fit(context: Context, server: NodeDraft, ports: list[NodeDraft]) -> bool:
    """True where the document that the result becomes part of has no other form, and its types allow this one."""
    if _NETWORKS in entries(context.earlier(server.name), "properties"):
        return False
    used = [edges.BINDING, edges.ORDER] if len(ports) > 1 else [edges.BINDING]
    return all(context.declares(port.type, *used) for port in ports)


def _nodes_named(server: NodeDraft, own: Mapping[str, str]) -> set[str]:
    """What a server refers to beside its ports. ``own``: node -> its node template."""
    node = server.node
    values = [value for name, value in node.properties.items() if name != _NETWORKS]
    return {own[name] for name in ex.named_nodes([values, node.condition]) if name in own}


def _bind(context: Context, server: NodeDraft, ports: list[NodeDraft]) -> None:
    names = [port.name for port in ports]
    context.forms |= {("node_templates", name): edges.BINDING for name in names}
    earlier = context.forms.get(("node_templates", server.name), "")
    context.forms["node_templates", server.name] = earlier + edges.BINDING
    server.requirements = [row for row in server.requirements if {*edges.required([row])}.isdisjoint(names)]
    del server.properties[_NETWORKS]
    for place, port in enumerate(ports):
        if len(ports) > 1:
            port.properties[edges.ORDER] = place
        port.moved(server.node.origin(_NETWORKS, place), ("requirements", len(port.requirements), edges.BINDING))
        port.requirements.append({edges.BINDING: server.name})
        context.parts.append((server.node.path, ("node_templates", port.name)))
