"""The properties of one node template, written one by one."""

from __future__ import annotations

from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.options import Options
from bpconvert.translators.catalogue.model import Lift, PropertyRule
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.properties import Properties
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.cloudify.write.rules import RULES
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import load

PLACE = ("resources", "a", "properties", "p")
ID = "11111111-2222-3333-4444-555555555555"
GROUP = "cloudify.relationships.depends_on"
INPUTS = [
    Input("env", "string", "dev"),
    Input("flag", "boolean", True),
    Input("n", "number", 3),
    Input("names", "list", ["a", "b"]),
    Input("free", "string"),
    Input("map", "json", {"k": "v"}),
]
IS_PROD = ex.Equals(ex.Input("env"), "prod")
#: of Nova's server: node ``a`` of each test
SERVER = "OS::Nova::Server"
NODE_TYPE = "cloudify.nodes.openstack.Server"


class Writing:
    """The properties of node ``a``, one by one, beside other nodes."""

    def __init__(self, *nodes: Node, kind: str | None = None, node_type: str = NODE_TYPE, **given: Any) -> None:
        document = load("a: 1\n")
        source, target = (DIALECTS[name].capabilities() for name in ("hot", "cloudify"))
        types = builtin()
        reporter = Reporter(document, engines=("Heat", "Cloudify"))
        options = Options(asked="inputs", **{key: given.pop(key) for key in ("plugin",) if key in given})
        request = Request(source, target, types, document, reporter, options, Files(None))
        self.node = Node("a", given.pop("source_type", SERVER), kind, **given)
        topology = Topology(
            "hot",
            "rocky",
            inputs={one.name: one for one in INPUTS},
            nodes={one.name: one for one in (self.node, *nodes)},
        )
        self.context = Context(topology, request)
        self.rewriter = DslRewriter(self.context, RULES)
        arrangement = Reshaping(topology, request, self.context.names.fresh_node, self.rewriter.replacement)
        self.properties = Properties(self.context, self.rewriter, arrangement)
        self.draft = NodeDraft(self.node, "a", node_type, types.kind(kind))

    def put(self, value: Value, name: str = "p", **rule: Any) -> dict[str, Any]:
        """The properties of the node when property ``name`` has the value."""
        self.properties.put(self.draft, name, PropertyRule(**rule), value, PLACE)
        return self.draft.properties

    @property
    def found(self) -> list[tuple[str, Any]]:
        """Code and place, below the property, of each finding."""
        return [(one.code, one.path[len(PLACE) :]) for one in self.context.reporter.diagnostics]

    @property
    def messages(self) -> list[str]:
        return [one.message for one in self.context.reporter.diagnostics]

    @property
    def relations(self) -> list[tuple[str, str]]:
        return [(one.type, one.target) for one in self.draft.relations]

    @property
    def moves(self) -> list[tuple[Any, Any]]:
        return [(source, place[2:]) for source, place in self.draft.moves]


def asked_for(writing: Writing, value: Any) -> dict[str, Any]:
    """The declaration of the input that ``value`` is."""
    assert isinstance(value, ex.Input)
    return writing.context.inputs.added[str(value.name)]


def lift(**more: Any) -> Lift:
    return Lift(GROUP, ["server_group"], **more)


def a_group(name: str = "g", **more: Any) -> Node:
    return Node(name, "OS::Nova::ServerGroup", "server_group", **more)


def removed(value: Value = "x") -> ex.If:
    """``value``, only for production."""
    return ex.If(IS_PROD, value)
