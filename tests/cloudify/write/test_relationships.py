"""Relationships between drafts: what lifted relations, references and mere order become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node, Operation, Relationship, Topology
from bpconvert.options import Options
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft, Relation
from bpconvert.translators.cloudify.vocabulary import BARRIER_TYPE
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.relationships import relate, written
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.expressions.kinds import INSTANCE_NUMBER
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import load

Pairs = Sequence[tuple[str, str]]
DEPENDS = "cloudify.relationships.depends_on"
PLACE = ("resources", "a", "properties", "p")


class Engine:
    """The engine of the source, with an order of its own."""

    def __init__(self, waits: Pairs, may_wait: Pairs) -> None:
        self.waits, self.may_wait = (lambda _: waits), (lambda _: may_wait)

    def __getattr__(self, name: str) -> Any:
        return getattr(DIALECTS["hot"].capabilities(), name)


def drafted(
    *nodes: Node,
    unrolled: dict[str, list[str]] | None = None,
    waits: Pairs = (),
    may_wait: Pairs = (),
    **options: Any,
) -> tuple[Context, list[NodeDraft]]:
    """Drafts of the nodes that are not part of others."""
    document = load("a: 1\n")
    hot: Any = Engine(waits, may_wait)
    types = builtin()
    cloudify = DIALECTS["cloudify"].capabilities()
    request = Request(hot, cloudify, types, document, Reporter(document), Options(**options), Files(None))
    topology = Topology("hot", "rocky", nodes={node.name: node for node in nodes}, unrolled=unrolled or {})
    made = []
    for node in nodes:
        if node.part_of is None:
            kind = types.kind(node.kind)
            made.append(NodeDraft(node, f"{node.name}_", node.source_type, kind))
    return Context(topology, request), made


def drafts(*relations: str) -> tuple[Context, list[NodeDraft]]:
    """Nodes ``a`` and ``b``; ``a`` has a lifted relation of each type to ``b``."""
    context, made = drafted(Node("a", "t"), Node("b", "t"))
    made[0].relations = [Relation(kind, "b", ()) for kind in relations]
    return context, made


def targets(context: Context, made: list[NodeDraft]) -> dict[str, list[str]]:
    return {name: [edge.target for edge in edges] for name, edges in relate(context, made).items()}


def codes(context: Context) -> list[tuple[str, Any]]:
    return [(found.code, found.path) for found in context.reporter.diagnostics]


def after(*names: str, **more: Any) -> list[Relationship]:
    return [Relationship("a", name, path=("resources", "a", "depends_on"), **more) for name in names]


# -- lifted relations --------------------------------------------------------------------------------------


def test_the_second_meaning_for_one_pair_is_reported() -> None:
    context, made = drafts("first", "second")
    assert [edge.type for edge in relate(context, made)["a"]] == ["first"]
    assert codes(context) == [("BPC404", ())]


def test_mere_order_beside_a_meaning_is_not() -> None:
    context, made = drafts("first", DEPENDS, "first")
    assert [edge.type for edge in relate(context, made)["a"]] == ["first"]
    assert context.reporter.diagnostics == []


def test_relations_to_what_is_not_there_or_to_itself() -> None:
    context, made = drafts("first")
    made[0].relations = [Relation("x", "gone", ()), Relation("x", "a", ()), Relation("y", "b", ())]
    assert targets(context, made) == {"a": ["b"], "b": []}
    assert context.reporter.diagnostics == []


def test_a_relation_to_a_part_is_one_to_its_owner() -> None:
    context, made = drafted(Node("a", "t"), Node("b", "t"), Node("part", "t", part_of="b"))
    made[0].relations = [Relation("x", "part", ("p",))]
    (edge,) = relate(context, made)["a"]
    assert (edge.source, edge.target, edge.type, edge.path) == ("a", "b", "x", ("p",))


# -- references and order ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        ex.Identity("b", path=PLACE),
        ex.Attribute("b", "ip", path=PLACE),
        ex.AttributeList("b", "ip", path=PLACE),
        ex.AttributeDict("b", ("ip",), path=PLACE),
    ],
)
@pytest.mark.parametrize("where", ["properties", "metadata", "operations", "name"])
def test_references_order(value: Any, where: str) -> None:
    inner = {"deep": [value]}
    node = Node("a", "t")
    if where == "properties":
        node.properties = {"p": inner}
    elif where == "metadata":
        node.extra = {"metadata": inner}
    elif where == "operations":
        node.operations = [Operation("i", "o", "run.sh", {"x": inner})]
    else:
        node.external_id = value
    context, made = drafted(node, Node("b", "t"))
    (edge,) = relate(context, made)["a"]
    assert (edge.target, edge.type, edge.path) == ("b", DEPENDS, PLACE)


def test_what_orders_nothing() -> None:
    number = ex.Attribute("b", INSTANCE_NUMBER, path=PLACE)
    values = [number, ex.Identity("a"), ex.Identity("gone"), ex.Identity(ex.Input("x"))]
    context, made = drafted(Node("a", "t", properties={"p": values}, extra={"other": ex.Identity("b")}), Node("b", "t"))
    assert targets(context, made) == {"a": [], "b": []}
    assert context.reporter.diagnostics == []


def test_an_existing_resource_waits_for_its_name_alone() -> None:
    node = Node("a", "t", properties={"p": ex.Identity("c")}, external_id=ex.Identity("b"), path=("resources", "a"))
    node.relationships = [Relationship("a", "c", path=("resources", "a", "depends_on", 0, "x"))]
    context, made = drafted(node, Node("b", "t"), Node("c", "t"))
    assert targets(context, made) == {"a": ["b"], "b": [], "c": []}
    assert codes(context) == [("BPC331", ("resources", "a", "depends_on"))]


def test_depends_on() -> None:
    node = Node("a", "t", relationships=[*after("b", "gone", "group"), *after("c", implied=True)])
    members = {"group": ["c", "d"], "d": ["e"]}
    context, made = drafted(node, *(Node(name, "t") for name in "bcde"), unrolled=members)
    assert targets(context, made)["a"] == ["b", "c", "e"]
    (finding,) = context.reporter.diagnostics
    assert (finding.code, finding.path) == ("BPC208", ("resources", "a", "depends_on"))
    assert "gone" in finding.message


def test_a_lifted_relation_stays_beside_references_and_order() -> None:
    node = Node("a", "t", properties={"p": [ex.Identity("b"), ex.Identity("c")]}, relationships=after("b", "c"))
    context, made = drafted(node, Node("b", "t"), Node("c", "t"))
    made[0].relations = [Relation("x", "b", ())]
    assert [(edge.target, edge.type) for edge in relate(context, made)["a"]] == [("b", "x"), ("c", DEPENDS)]
    assert context.reporter.diagnostics == []


def test_what_a_part_names_is_awaited_by_its_owner() -> None:
    part = Node("part", "t", properties={"p": [ex.Identity("a"), ex.Identity("b")]}, part_of="a")
    context, made = drafted(Node("a", "t"), Node("b", "t"), part)
    assert targets(context, made) == {"a": ["b"], "b": []}


def test_the_order_of_the_engine_itself() -> None:
    waits = [("a", "b"), ("a", "a"), ("gone", "b"), ("a", "gone"), ("a", "c")]
    part = Node("part", "t", part_of="d")
    a = Node("a", "t", path=("resources", "a"))
    context, made = drafted(a, *(Node(name, "t") for name in "bcd"), part, waits=waits, may_wait=[("a", "part")])
    made[0].relations = [Relation("x", "c", ())]
    edges = relate(context, made)["a"]
    assert [(edge.target, edge.type, edge.path) for edge in edges] == [
        ("c", "x", ()),
        ("b", DEPENDS, ("resources", "a")),
        ("d", DEPENDS, ("resources", "a")),
    ]
    assert context.reporter.diagnostics == []


# -- circles -----------------------------------------------------------------------------------------------


def names(*names: str) -> dict[str, Any]:
    return {"p": [ex.Identity(name, path=("p", name)) for name in names]}


@pytest.mark.parametrize(
    ("lifted", "reference", "order", "gone"),
    [
        ("ab", "bc", "ca", ("BPC388", "c", "a")),
        ("ab", "ca", "bc", ("BPC388", "b", "c")),
        ("bc", "ab ca", "", ("BPC407", "a", "b")),
        ("ab bc", "ca", "", ("BPC407", "c", "a")),
    ],
)
def test_a_circle_is_broken_where_it_is_weakest(
    lifted: str, reference: str, order: str, gone: tuple[str, str, str]
) -> None:
    nodes = {name: Node(name, "t") for name in "abc"}
    for source, target in reference.split():
        nodes[source].properties = names(target)
    for source, target in order.split():
        nodes[source].relationships = [Relationship(source, target)]
    context, made = drafted(*nodes.values())
    for draft in made:
        draft.relations = [Relation("x", target, ()) for source, target in lifted.split() if source == draft.node.name]
    found = targets(context, made)
    (finding,) = context.reporter.diagnostics
    assert finding.code == gone[0]
    assert gone[2] not in found[gone[1]]
    assert sum(map(len, found.values())) == 2


@pytest.mark.parametrize(("first", "second"), ["ab", "ba"])
def test_the_order_of_the_engine_goes_first_in_a_circle(first: str, second: str) -> None:
    nodes = {name: Node(name, "t") for name in "ab"}
    nodes[first].relationships = [Relationship(first, second)]
    context, made = drafted(*nodes.values(), waits=[(second, first)])
    assert targets(context, made) == {first: [second], second: []}


def test_what_is_outside_of_a_circle_stays() -> None:
    nodes = {name: Node(name, "t") for name in "abcd"}
    for source, target in ("ab", "bc", "ca"):
        nodes[source].properties = names(target)
        nodes[source].relationships = [Relationship(source, "d")]
    context, made = drafted(*nodes.values())
    assert targets(context, made) == {"a": ["d"], "b": ["c", "d"], "c": ["a", "d"], "d": []}
    assert [code for code, _ in codes(context)] == ["BPC407"]


# -- what is written ---------------------------------------------------------------------------------------


def relationships(context: Context, made: list[NodeDraft]) -> tuple[Any, Any]:
    return written(context, made, relate(context, made))


def test_relationships_with_the_operations_between_two_nodes() -> None:
    context, made = drafts("x")
    between = {"source_interfaces": {"i": {"establish": {"implementation": "run.sh", "inputs": {"a": ex.Input("n")}}}}}
    made[0].between = {"b": between, "c": {"other": 1}}
    found, barriers = relationships(context, made)
    operation = {"implementation": "run.sh", "inputs": {"a": {"get_input": "n"}}}
    assert found == {
        "a": [{"type": "x", "target": "b_", "source_interfaces": {"i": {"establish": operation}}}],
        "b": [],
    }
    assert barriers == {}


def port_after(*waiting: str, relations: Sequence[str] = ()) -> tuple[Context, list[NodeDraft]]:
    nodes = [Node(name, "OS::Neutron::Port", kind="port", properties=names("n")) for name in waiting]
    context, made = drafted(*nodes, Node("n", "OS::Neutron::Net", kind="net"))
    for draft in made:
        if draft.node.name in relations:
            draft.relations = [Relation("x", "n", ())]
    return context, made


def test_order_that_the_plugin_would_take_for_more_goes_through_a_node_between() -> None:
    context, made = port_after("a", "b")
    found, barriers = relationships(context, made)
    waits = [{"type": DEPENDS, "target": "n__barrier"}]
    assert found == {"a": waits, "b": waits, "n": []}
    assert barriers == {
        "n__barrier": {"type": BARRIER_TYPE, "relationships": [{"type": DEPENDS, "target": "n_"}]},
    }
    assert codes(context) == [("BPC405", ("p", "n")), ("BPC405", ("p", "n"))]


def test_a_relation_with_that_meaning_needs_nothing_between() -> None:
    context, made = port_after("a", relations=["a"])
    assert relationships(context, made) == ({"a": [{"type": "x", "target": "n_"}], "n": []}, {})
    assert context.reporter.diagnostics == []


def test_several_relationships_of_one_node() -> None:
    context, made = drafted(Node("a", "t", properties=names("b", "c")), Node("b", "t"), Node("c", "t"))
    found, _ = relationships(context, made)
    assert found["a"] == [{"type": DEPENDS, "target": "b_"}, {"type": DEPENDS, "target": "c_"}]


@pytest.mark.parametrize(
    ("plugin", "prefix"), [("v2", "cloudify.openstack."), ("v3", "cloudify.relationships.openstack.")]
)
def test_types_of_relationships_are_those_of_the_plugin(plugin: str, prefix: str) -> None:
    context, made = drafted(Node("a", "t"), Node("b", "t"), plugin=plugin)
    made[0].relations = [Relation("cloudify.relationships.openstack.port_connected_to_server", "b", ())]
    found, _ = relationships(context, made)
    assert found["a"] == [{"type": f"{prefix}port_connected_to_server", "target": "b_"}]
