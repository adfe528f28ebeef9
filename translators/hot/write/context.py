"""What the parts of the lowering to HOT share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.hot.write.added import Added
from bpconvert.translators.hot.write.defaults import Defaults
from bpconvert.translators.hot.write.names import Names
from bpconvert.translators.hot.write.uses import Uses

if TYPE_CHECKING:
    from bpconvert.translators.passes.request import Request


class Context:
    """One lowering to HOT: the topology and what is asked for, the ``names`` of the template, what is ``added`` to it,
    how the source ``uses`` its inputs, the ``defaults`` of parameters; ``words``: of the source, ``engine``: its
    engine's name."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology, self.request = topology, request
        self.reporter, self.catalogue = request.reporter, request.catalogue
        self.words, self.engine = request.source.words, request.source.title
        self.names = Names(topology, request)
        self.uses = Uses(topology, request)
        self.added = Added(self.names, request)
        self.defaults = Defaults(self.names, self.added, self.uses, request)
        #: the lowest version in which the values mean what they should, beyond what the functions need
        self.least_version = "2013-05-23"
        #: condition -> its name in the template that the source was made from
        self.condition_names: dict[str, str] = {}

    def document_value(self, path: Path) -> Any:
        """The source's own data at ``path``; MISSING where the path leads nowhere."""
        found: Any = self.request.document.data
        for step in path:
            try:
                found = found[step]
            except (KeyError, IndexError, TypeError):
                return MISSING
        return found

    def is_group(self, node: Node) -> bool:
        """True for a node of which several are created: a resource group, whose attributes are lists."""
        if node.external_name is not MISSING:
            return False
        several = node.instances is not MISSING and (node.instances != 1 or isinstance(node.instances, bool))
        return (several or self.is_auto_scaling(node)) and not self.is_stand_in(node)

    def is_auto_scaling(self, node: Node) -> bool:
        """True for a node whose number has limits, which only another group than the usual one has."""
        return node.limits[1] is not MISSING

    def is_stand_in(self, node: Node) -> bool:
        """True for a node whose resource creates nothing: its type has no counterpart."""
        kind = self.catalogue.kind(node.kind)
        return node.native != DIALECT and (kind is None or not kind.heat)

    def is_secret(self, value: Value) -> bool:
        """True for a value that a secret is in."""
        return any(isinstance(expr, ex.Secret) or self._has_secret(expr) for expr in ex.walk(value))

    def _has_secret(self, expr: ex.Expr) -> bool:
        declared = self.topology.inputs.get(expr.name) if isinstance(expr, ex.Input) else None
        return declared is not None and isinstance(declared.default, ex.Secret)
