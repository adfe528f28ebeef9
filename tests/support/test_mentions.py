"""Who refers to a node, found by an index of the topology."""

from __future__ import annotations

from typing import Any

import pytest
from pass_requests import node, topology

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node, Output, Topology
from bpconvert.translators.support.mentions import Holder, Mentions, values_of

NET, VM = ex.Identity("net"), ex.Attribute("vm", "ip")


def sample() -> Topology:
    """``vm`` refers to ``net``, ``port`` to both, output ``o`` to ``vm``."""
    return topology(
        node("vm", "m", network=NET), node("net", "n", size=1), node("port", "p", of=[{"a": NET}, VM]), o=VM
    )


def names(holders: list[Holder]) -> list[str]:
    return [holder.name for holder in holders]


def test_those_that_refer_to_a_node_are_found_in_the_order_of_the_document() -> None:
    mentions = Mentions(sample())
    assert names(mentions.holders("net")) == ["vm", "port"]
    assert names(mentions.holders("vm")) == ["port", "o"]
    assert names(mentions.holders("vm", "net")) == ["vm", "port", "o"]
    assert mentions.holders("port") == mentions.holders("lost") == mentions.holders() == []


@pytest.mark.parametrize(
    "place",
    [
        {"extra": {"metadata": {"a": [VM]}}}, {"condition": ex.Equals(VM, 1)}, {"properties": VM}, {"declared": [VM]},
        {"instances": VM},
    ],
)  # fmt: skip
def test_a_node_refers_by_all_that_it_has(place: dict[str, Any]) -> None:
    found = Topology("toy", "1", nodes={"one": Node("one", "t", **place), "other": Node("other", "t")})
    assert names(Mentions(found).holders("vm")) == ["one"]


def test_what_is_no_value_does_not_refer() -> None:
    """Of what a node has beside its properties, the metadata may have expressions."""
    assert VM not in values_of(Node("one", "t", extra={"description": VM}))
    assert values_of(Output("o", VM, "words", condition=True)) == [VM, True]


def test_outputs_refer_by_value_and_condition_and_capabilities_are_outputs() -> None:
    found = topology(shown=VM)
    found.outputs["asked"] = Output("asked", 1, condition=ex.Equals(VM, 1))
    found.capabilities["offered"] = Output("offered", [VM])
    assert names(Mentions(found).holders("vm")) == ["shown", "asked", "offered"]


def test_a_node_whose_name_is_computed_is_none() -> None:
    found = topology(node("a", "t", x=ex.Identity(ex.Input("word"))), node("b", "t", x=ex.Input("XX")))
    mentions = Mentions(found)
    assert mentions.holders("word") == mentions.holders("XX") == []


def test_holders_that_were_added_are_found_and_changed_ones_when_they_are_told() -> None:
    found = sample()
    mentions = Mentions(found)
    mentions.holders("net")
    found.nodes["late"] = node("late", "t", x=NET)
    assert names(mentions.holders("net")) == ["vm", "port", "late"]
    found.nodes["net"].properties["peer"] = VM
    assert names(mentions.holders("vm")) == ["port", "o"]
    mentions.refresh(found.nodes["net"])
    assert names(mentions.holders("vm")) == ["net", "port", "o"]
    del found.nodes["net"]
    assert names(mentions.holders("vm")) == ["port", "o"]


def test_a_holder_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    mentions, walked = Mentions(sample()), []
    refresh = mentions.refresh
    monkeypatch.setattr(mentions, "refresh", lambda holder: (walked.append(holder.name), refresh(holder)))
    mentions.holders("net")
    assert walked == ["vm", "net", "port", "o"]
    mentions.holders("vm")
    assert walked == ["vm", "net", "port", "o"]


def test_what_refers_to_a_node_is_exchanged_and_found_where_it_refers_to_now() -> None:
    found = sample()
    found.nodes["net"].properties["same"] = ex.Attribute("lost", "ip")

    def change(expr: ex.Expr) -> Value:
        return ex.Attribute("net", "name") if expr == VM else "gone" if isinstance(expr, ex.Attribute) else expr

    mentions = Mentions(found)
    mentions.replace("vm", change)
    assert found.nodes["port"].properties == {"of": [{"a": NET}, ex.Attribute("net", "name")]}
    assert found.outputs["o"].value == ex.Attribute("net", "name")
    assert found.nodes["net"].properties["same"] == ex.Attribute("lost", "ip")  # it does not refer to 'vm'
    assert names(mentions.holders("net")) == ["vm", "port", "o"]
