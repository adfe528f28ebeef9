"""Attributes of other nodes that operations are given, for opera: it reads those of what is running by a requirement
only (``instance/node.py``, ``get_attribute``), and takes a name for that of the template, which has none of them."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca.functions import attributes_of, calls_in
from bpconvert.translators.tosca.vocabulary import ROOT
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.yamlio.emit import Flow

_DEPENDENCY: Final = "dependency"
_HOST: Final = "host"
_DEFINITION: Final = {
    "capability": "tosca.capabilities.Node", "node": ROOT, "relationship": "tosca.relationships.DependsOn",
    "occurrences": [0, 1],
}  # fmt: skip


def reach(context: Context, drafts: list[NodeDraft]) -> list[tuple[str, Any, list[Any]]]:
    """Let operations read attributes of nodes that theirs waits for by the requirement. Returns all attributes that
    operations read, by the names of their nodes, where they are read in that way."""
    if not context.by_playbook:
        return []
    read = list(attributes_of(calls_in([draft.interfaces for draft in drafts], context.prefix)))
    for draft in drafts:
        for name, argument in calls_in(draft.interfaces, context.prefix):
            if name == "get_attribute" and isinstance(argument, list) and len(argument) > 1:
                requirement = _requirement(draft, argument[0])
                if requirement:
                    argument[:1] = ["SELF", requirement]
    return read


def _requirement(draft: NodeDraft, target: Any) -> str:
    """The name of the requirement of a draft that leads to the node ``target`` alone; "" where none does."""
    for row in draft.requirements:
        for name, wanted in row.items():
            if (wanted.get("node") if isinstance(wanted, dict) else wanted) != target or target == draft.name:
                continue
            if name == _DEPENDENCY:
                taken = {
                    *draft.properties,
                    *draft.published,
                    *(key for row_of_requirement in draft.requirements for key in row_of_requirement),
                }
                name_made = fresh(f"uses_{target}", taken)
                draft.reached.append(name_made)
                row[name_made] = row.pop(name)
                return name_made
            if name in draft.reached or (
                name == _HOST and sum(_HOST in row_of_requirement for row_of_requirement in draft.requirements) == 1
            ):
                return name
    return ""


def declare(definitions: dict[str, Any], drafts: list[NodeDraft]) -> None:
    """Declare the requirements in the node types ``definitions``."""
    for draft in drafts:
        rows = (
            definitions[draft.type].setdefault("requirements", [])
            if draft.reached and draft.type in definitions
            else []
        )
        rows += [{name: Flow(_DEFINITION)} for name in draft.reached if not any(name in row for row in rows)]
