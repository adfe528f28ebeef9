"""Nodes that compute what the DSL cannot: see :mod:`~.cloudify.computed`."""

from __future__ import annotations

import json
from typing import Any

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify import computed
from bpconvert.translators.cloudify.functions import is_plain
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.vocabulary import DEEPEST, DEPENDS_ON
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.toscalike.computing import Computed, Computing, Rewrite


class BlueprintComputing(Computing):
    """The nodes that compute values of one blueprint."""

    RESERVED = computed.RESERVED

    def __init__(self, context: Context, rewrite: Rewrite) -> None:
        super().__init__(context.topology, context.request, rewrite)
        self.context = context
        self._numbers: tuple[Computed, NodeDraft] | None = None

    def written(self, call: Any) -> Any:
        """The data; as a JSON text where it would mean something else in the DSL."""
        return call if is_plain(call) and _depth(call) <= DEEPEST - 8 else json.dumps(call)

    def fresh(self, name: str) -> str:
        """See :meth:`Computing.fresh`."""
        return self.context.names.fresh_node(name)

    def name(self, node: str) -> str:
        """See :meth:`Computing.name`."""
        return self.context.names.node(node)

    def add_program(self) -> None:
        """See :meth:`Computing.add_program`."""
        self.topology.files[computed.PATH] = computed.program(has_queries=self.has_queries)

    def numbers(self, user: str, path: Path) -> str:
        """The node that has the numbers of instances from 0, for what is written with ``user`` at ``path``."""
        if self._numbers is None:
            from bpconvert.translators.cloudify import numbering  # few blueprints need it

            name = self.fresh("member_numbers")
            node = self.topology.nodes[name] = Node(name, "", computed.KIND, {}, path=path[:2])
            self.topology.files[numbering.PATH] = numbering.PROGRAM
            operation = {"implementation": numbering.PATH, **numbering.SETTINGS}
            self._numbers = Computed(node, None, {}, user), self._running(operation, node)
        name = self._numbers[0].node.name
        if user:
            self.uses.append((user, name, path))
        return self.name(name)

    def drafts(self, written: list[NodeDraft]) -> list[NodeDraft]:
        """``written`` with the nodes, each before the first one that uses it; those of outputs at the end."""
        by_name = {draft.node.name: draft for draft in written}
        owner = self.topology.owner
        for user, name, path in self.uses:
            by_name[owner(user)].relate(DEPENDS_ON, name, path)
        mine = [(computed_node, self._draft(computed_node)) for computed_node in self.values.values()]
        mine = [self._numbers, *mine] if self._numbers is not None else mine
        scaling = {draft.node.name: draft.scaling for draft in written}
        result: list[NodeDraft] = []
        for draft in [*written, None]:
            user = draft.node.name if draft is not None else ""
            for computed_node, own in mine:
                if (owner(computed_node.user) if computed_node.user else "") == user:
                    if self._numbers is None or own is not self._numbers[1]:  # that is there once
                        own.scaling = scaling.get(user, MISSING)
                    result.append(own)
            if draft is not None:
                result.append(draft)
        return result

    def _draft(self, computed_node: Computed) -> NodeDraft:
        inputs: dict[str, Value] = {computed.CALL: computed_node.call}
        inputs |= {name: written for name, (_, written) in computed_node.inputs.items()}
        if not computed_node.needed:
            inputs[computed.NEEDED] = False
        operation = {"implementation": computed.PATH, "inputs": inputs, **computed.SETTINGS}
        return self._running(operation, computed_node.node)

    def _running(self, operation: dict[str, Any], node: Node) -> NodeDraft:
        """A node that gets its value by an operation."""
        kind = self.context.catalogue.kind(computed.KIND)
        type = kind.cloudify.type if kind is not None and kind.cloudify is not None else ""
        draft = NodeDraft(node, node.name, type, kind)
        draft.interfaces[f"{computed.INTERFACE}.{computed.OPERATION}"] = operation
        return draft


def _depth(data: Any) -> int:
    if not isinstance(data, (dict, list)):
        return 0
    return 1 + max(map(_depth, data.values() if isinstance(data, dict) else data), default=0)
