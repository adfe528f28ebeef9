"""A port on a network: the requirement ``link`` in place of the property that has the network."""

from __future__ import annotations

from typing import Final

from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca import edges
from bpconvert.translators.tosca.write.context import Context, Draft

_NETWORK: Final = "network"
#: kinds of networks whose node types are networks of the standard
_NETWORKS: Final = ("net", "provider_net")


def link_ports(context: Context, drafts: list[Draft]) -> None:
    """Link ports to their networks, where the property is a network of the service template and nothing else.

    What the result becomes part of keeps its form: a change of the network is a change of what is there."""
    networks = {draft.name for draft in drafts if draft.kind is not None and draft.kind.kind in _NETWORKS}
    for draft in drafts:
        if draft.heat != edges.PORT or draft.is_kept(_NETWORK):
            continue
        target = context.node_of(draft.properties.get(_NETWORK))
        order = {"dependency": target}
        if target not in networks or order not in draft.requirements:
            continue
        if _NETWORK in entries(context.earlier(draft.name), "properties") or not context.declares(
            draft.type, edges.LINK
        ):
            continue
        place = draft.requirements.index(order)
        draft.requirements[place] = {edges.LINK: target}
        del draft.properties[_NETWORK]
        draft.moved(draft.node.origin(_NETWORK), ("requirements", place, edges.LINK))
