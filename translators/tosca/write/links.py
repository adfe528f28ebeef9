"""A property that is a node of the template as the requirement that the catalogue has for it: a port on a network."""

from __future__ import annotations

from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.column import OwnRequirement, types_of_resource
from bpconvert.translators.tosca.write.context import Context, NodeDraft


def link_nodes(context: Context, drafts: list[NodeDraft]) -> None:
    """Write requirements in place of properties that are a node of the service template and nothing else."""
    kinds = {draft.name: draft.kind.kind for draft in drafts if draft.kind is not None}
    for draft in drafts:
        for name, requirement in types_of_resource(context.catalogue, draft.heat).requirements.items():
            target = context.node_of(draft.properties.get(requirement.to))
            if requirement.to and kinds.get(target) in requirement.targets:
                _link(context, draft, name, requirement)


def _link(context: Context, draft: NodeDraft, name: str, requirement: OwnRequirement) -> None:
    """Write a requirement. What the result becomes part of keeps its form: another one is a change of what is there."""
    property, target = requirement.to, context.node_of(draft.properties[requirement.to])
    order = {"dependency": target}
    if draft.is_kept(property) or order not in draft.requirements:
        return
    if property in entries(context.earlier(draft.name), "properties") or not context.declares(draft.type, name):
        return
    place = draft.requirements.index(order)
    draft.requirements[place] = {name: target}
    del draft.properties[property]
    draft.moved(draft.node.origin(property), ("requirements", place, name))
