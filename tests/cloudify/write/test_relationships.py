"""Relationships between drafts, for what no template of today causes."""

from __future__ import annotations

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.topology import Node, Topology
from bpconvert.options import Options
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack.drafts import Draft, Relation
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.relationships import relate
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import load


def drafts(*relations: str) -> tuple[Context, list[Draft]]:
    """Nodes ``a`` and ``b``; ``a`` has a lifted relation of each type to ``b``."""
    document = load("a: 1\n")
    nodes = {name: Node(name, "t") for name in "ab"}
    topology = Topology("hot", "rocky", nodes=nodes)
    hot, cloudify = (DIALECTS[name].capabilities() for name in ("hot", "cloudify"))
    request = Request(hot, cloudify, builtin(), document, Reporter(document), Options(), Files(None))
    context = Context(topology, request)
    made = [Draft(node, node.name, "t", None) for node in nodes.values()]
    made[0].relations = [Relation(kind, "b", ()) for kind in relations]
    return context, made


def test_the_second_meaning_for_one_pair_is_reported() -> None:
    context, made = drafts("first", "second")
    assert [edge.type for edge in relate(context, made)["a"]] == ["first"]
    assert [d.code for d in context.reporter.diagnostics] == ["BPC404"]


def test_mere_order_beside_a_meaning_is_not() -> None:
    context, made = drafts("first", "cloudify.relationships.depends_on", "first")
    assert [edge.type for edge in relate(context, made)["a"]] == ["first"]
    assert context.reporter.diagnostics == []
