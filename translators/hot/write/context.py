"""What the parts of the lowering to HOT share, and what each of them adds to: resources in the making."""

from __future__ import annotations

from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.hot import DIALECT, resource_types
from bpconvert.translators.hot.write.defaults import Defaults, Uses
from bpconvert.translators.hot.write.names import Added, Names
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
        #: software (a node), output of one of its operations -> the deployment that has it
        self.publishers: dict[tuple[str, str], str] = {}
        #: those of them whose program is made for Heat's agent
        self.fitted: set[str] = set()
        #: what parameters ask for instead, and what outputs show as a text, by the names in the template
        self.asked: dict[str, Value] = {}
        self.shown: dict[str, Value] = {}
        #: condition -> its name in the template that the source was made from
        self.condition_names: dict[str, str] = {}

    def is_group(self, node: Node) -> bool:
        """True for a node of which several are created: a resource group, whose attributes are lists."""
        several = node.is_several or self.is_auto_scaling(node)
        return several and not node.exists and not self.is_stand_in(node)

    def is_auto_scaling(self, node: Node) -> bool:
        """True for a node whose number has limits, which only another group than the usual one has."""
        return node.limits[1] is not MISSING

    def is_stand_in(self, node: Node) -> bool:
        """True for a node whose resource creates nothing: its type has no counterpart."""
        kind = self.catalogue.kind(node.kind)
        return not self.is_native(node) and (kind is None or not kind.heat)

    def is_native(self, node: Node) -> bool:
        """True for a node whose type and properties are Heat's already: it came back, or is a nested template."""
        return node.native == DIALECT or node.nested is not None

    def is_secret(self, value: Value) -> bool:
        """True for a value that a secret is in."""
        inputs = self.topology.inputs
        secret = {name for name, declared in inputs.items() if isinstance(declared.default, ex.Secret)}
        return any(isinstance(e, ex.Secret) or (isinstance(e, ex.Input) and e.name in secret) for e in ex.walk(value))


@dataclass(eq=False, repr=False)
class ResourceDraft:
    """A resource in the making. ``node``: the node that it is made for; ``part``: it is not the node's own resource but
    one more (a configuration, a deployment). Names in ``depends_on`` and in values are those of HOT."""

    node: Node
    name: str
    type: str
    properties: dict[str, Value] = field(default_factory=dict)
    depends_on: list[str] = field(default_factory=list)
    condition: Value = MISSING
    external_id: Value = MISSING
    #: how many (MISSING: one, without a group)
    count: Value = MISSING
    #: the least and the greatest number (MISSING: no limit)
    limits: tuple[Value, Value] = (MISSING, MISSING)
    extra: dict[str, Any] = field(default_factory=dict)
    part: bool = False
    #: (place in the source, place in the template), for comments
    moves: list[tuple[Path, Path]] = field(default_factory=list)

    @property
    def stand_in(self) -> bool:
        """True when it creates nothing."""
        return self.type == resource_types.NONE

    def place(self, *steps: Any) -> Path:
        """The place of a property in the template."""
        member = "resource_def" if self.limits[1] is MISSING else "resource"
        inside = () if self.count is MISSING else ("properties", member)
        return ("resources", self.name, *inside, "properties", *steps)

    def targets(self) -> dict[str, ex.Expr]:
        """The resources that the values refer to, and the first reference to each."""
        targets_found: dict[str, ex.Expr] = {}
        for value in ex.walk((self.properties, self.count, self.limits, self.extra.get("metadata"))):
            if isinstance(value, (ex.Identity, ex.Attribute)) and isinstance(value.node, str):
                targets_found.setdefault(value.node, value)
        return targets_found
