"""What the parts of the writer share."""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.topology import Input, Node, Shown, Topology
from bpconvert.models.tosca_versions import LATEST, VERSION_2_0, WRITTEN
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.passes.request import Request
from bpconvert.translators.provenance.metadata_text import Portable
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca.versions import version
from bpconvert.translators.tosca.vocabulary import IDENTITY, RELATIVE
from bpconvert.translators.tosca.write.schemas import Schemas, Shapes

_MARKER: Final = "tosca_definitions_version"
_ATTRIBUTE: Final = "get_attribute"


class Names:
    """The names that entries have in the service template: those of the document that the source was made from, else
    their own."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self._origin, self._words = request.origin, request.source.words
        #: node with a name that has a meaning of its own -> another name
        self._renamed: dict[str, str] = {
            name: fresh(f"{name}_node", topology.nodes) for name in RELATIVE if name in topology.nodes
        }
        for name, new in self._renamed.items():
            request.reporter.report("BPC604", topology.nodes[name].path, name=name, new=new)
        taken = {self._original("outputs", name) for name in topology.outputs}
        #: capability -> the name of its output
        self._capabilities: dict[str, str] = {}
        for name, capability in topology.capabilities.items():
            original = self._original("capabilities", name)
            new = self._capabilities[name] = fresh(f"capability_{original}", taken) if original in taken else original
            taken.add(new)
            if new != original:
                request.reporter.report("BPC885", capability.path, name=name, new=new)

    def _original(self, section: str, name: str) -> str:
        original = self._origin.original((self._words.section(section), name)) if self._origin is not None else None
        return original or name

    def node(self, name: str) -> str:
        """The name of a node template, which is none of the words that stand for the node where they are used."""
        return self._renamed.get(name) or self._original("nodes", name)

    def input(self, name: str) -> str:
        """The name of an input."""
        return self._original("inputs", name)

    def output(self, name: str) -> str:
        """The name of an output."""
        return self._original("outputs", name)

    def capability(self, name: str) -> str:
        """The name of the output that a capability of the deployment is."""
        return self._capabilities[name]


def in_texts_only(topology: Topology) -> set[str]:
    """The inputs that are numbers or booleans, and that occur in texts and nowhere else."""
    candidates = {
        name
        for name, declared in topology.inputs.items()
        if declared.type in ("number", "boolean") and _is_plain(declared)
    }
    used: set[Value] = set()
    for value in topology.values(declared=False) if candidates else ():
        _sort(value, False, candidates, used)
    return candidates & used


def _is_plain(declared: Input) -> bool:
    return not isinstance(declared.default, Expr)


#: what makes a text of its arguments, or of the items of lists and maps among them
_TEXTS: Final = (ex.Join, ex.Concat, ex.Replace, ex.Url)


def _sort(value: Value, in_text: bool, candidates: set[str], used: set[Value]) -> None:
    """Take the inputs out of ``candidates`` that ``value`` has in another place than a text; ``used``: those in one."""
    if isinstance(value, ex.Input) and isinstance(value.name, str):
        (used.add if in_text and not value.keys else candidates.discard)(value.name)
        for key in value.keys:
            _sort(key, False, candidates, used)
    elif isinstance(value, Expr):
        for name in ex.field_names(type(value)):
            part = getattr(value, name)
            is_text = isinstance(value, _TEXTS)
            parts = part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else [part]
            for item in parts:
                inner = item if is_text and isinstance(value, ex.Join) and isinstance(item, (list, tuple)) else [item]
                for inner_value in inner:
                    _sort(inner_value, is_text, candidates, used)
    elif isinstance(value, dict):
        for item in value.values():
            _sort(item, False, candidates, used)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _sort(item, False, candidates, used)


class Context:
    """The topology that is written, what is asked for, and the names in the service template."""

    @cached_property
    def read(self) -> Container[Value]:
        """The nodes of which something reads attributes."""
        return {node for node, _ in self.attributes}

    @cached_property
    def attributes(self) -> frozenset[tuple[str, Value]]:
        """The attributes that something reads, each with its node."""
        values = ex.walk([*self.topology.values(declared=False)])
        reads = (expr for expr in values if isinstance(expr, ex.Attribute) and not isinstance(expr.name, ex.Expr))
        return frozenset((expr.node, expr.name) for expr in reads if isinstance(expr.node, str))

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.request = request
        self.catalogue = request.catalogue
        self.reporter = request.reporter
        self.names = Names(topology, request)
        #: what the names of functions begin with in the document that the result becomes part of
        marker = request.origin.document.data.get(_MARKER) if request.origin else None
        #: the version of TOSCA that is written
        self.version = str(marker or WRITTEN.get(request.options.tosca_version or "", LATEST))
        self.prefix = version(self.version).prefix
        #: the data types that values need
        self.schemas = Schemas(Shapes(self.prefix))
        #: inputs that ask for what TOSCA cannot express -> their types
        self.asked: dict[str, str] = {}
        #: numbers and booleans that are used in texts only: the inputs are texts, as all engines write texts alike
        self.texts = in_texts_only(topology)
        #: types of software that are defined -> what they are derived from
        self.own_types: dict[str, str] = {}
        self.relationship_types: dict[str, Any] = {}
        self.relationship_templates: dict[str, Any] = {}
        #: node whose number of instances a policy has -> what has the number
        self.scaled: dict[str, str] = {}
        #: what has numbers of instances -> the policy that has them
        self.scaling: dict[str, str] = {}
        #: software -> its artifacts
        self.artifacts: dict[str, dict[str, Any]] = {}
        #: what the policies are, as they are written
        self.policies: list[Any] = []
        #: the drafts that are policies
        self.placed: list[NodeDraft] = []
        #: (place in the source, entry of the service template that it became part of)
        self.parts: list[tuple[Path, Path]] = []
        #: entry -> the form that it has because of what other entries are
        self.forms: dict[Path, str] = {}

    @property
    def is_2_0(self) -> bool:
        """True where the result is of TOSCA 2.0, and no part of another document."""
        return self.version == VERSION_2_0 and self.request.origin is None

    @property
    def by_playbook(self) -> bool:
        """True where the result is for an orchestrator that runs playbooks only."""
        return self.request.options.orchestrator in self.request.target.playbooks_only

    @property
    def portable(self) -> Portable:
        """Gives values the names that entries have in the service template."""
        return Portable(self.topology, self._input, self._node)

    def _input(self, name: str) -> str | None:
        return self.names.input(name) if name in self.topology.inputs else None

    def _node(self, name: str) -> str | None:
        return self.names.node(name) if name in self.topology.nodes else None

    def node_of(self, written: Any) -> str:
        """The node template that a value, as it is written, is the identity of; "" for any other value."""
        call = written.get(f"{self.prefix}{_ATTRIBUTE}") if isinstance(written, dict) and len(written) == 1 else None
        is_identity = isinstance(call, list) and len(call) == 2 and isinstance(call[0], str) and call[1] == IDENTITY
        return call[0] if is_identity and call is not None else ""

    def earlier(self, name: str, section: str = "node_templates") -> dict[str, Any]:
        """The entry of this name in the document that the result becomes part of; {} for none."""
        entry = entries(self.request.origin.document.data, section).get(name) if self.request.origin else None
        return entry if isinstance(entry, dict) else {}

    def declares(self, type: str, *names: str) -> bool:
        """False where the document that the result becomes part of defines a node type without requirements,
        capabilities or properties of these names."""
        definition = entries(self.request.origin.document.data, "node_types").get(type) if self.request.origin else None
        if not isinstance(definition, dict):
            return True
        rows = [
            *items(definition.get("requirements")),
            entries(definition, "capabilities"),
            entries(definition, "properties"),
        ]
        return all(any(name in row for row in rows) for name in names)


@dataclass(eq=False, repr=False)
class NodeDraft:
    """A node template before it is laid out. ``heat``: the resource type that it stands for, "" for none; ``parent``:
    what its own type is derived from, "" for a type of somebody else; ``kept``: what TOSCA has no words for
    (:mod:`~.tosca.template_metadata`)."""

    node: Node
    name: str
    type: str
    heat: str = ""
    kind: Kind | None = None
    #: what a stand-in shows, None for other nodes
    shows: Shown | None = None
    description: str | None = None
    properties: dict[str, Any] = field(default_factory=dict)
    #: the id of what exists already, and is not made
    existing: Any = MISSING
    #: the address of a machine that exists already
    address: Any = MISSING
    requirements: list[dict[str, Any]] = field(default_factory=list)
    parent: str = ""
    interfaces: dict[str, Any] = field(default_factory=dict)
    #: the definitions of the attributes that its operations set
    published: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    moves: list[tuple[Path, Path]] = field(default_factory=list)
    #: requirements of its own, by which operations read attributes
    reached: list[str] = field(default_factory=list)
    #: its entry in the service template, () for the node template of its name
    place: Path = ()

    @property
    def stand_in(self) -> bool:
        """True for a node that only shows another one."""
        return self.shows is not None

    @property
    def entry(self) -> Path:
        """The entry of the service template that it is, or is in."""
        return self.place or ("node_templates", self.name)

    def moved(self, source: Path, place: Path) -> None:
        """Note that what ``source`` became stands at ``place`` of the node template."""
        self.moves = [(moved_path, where) for moved_path, where in self.moves if moved_path != source]
        self.moves.append((source, ("node_templates", self.name, *place)))

    def is_kept(self, name: str) -> bool:
        """True for a property of which more is kept than what is written."""
        return name in self.kept.get("properties", {})
