"""Nodes with our own scripts: what they compute comes back in place of the references to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Operation, Output, Topology
from bpconvert.translators.cloudify import computed, numbering, services, uploads
from bpconvert.translators.cloudify.read.computed_values import leave_out_calls, number_members, open_values
from bpconvert.translators.cloudify.vocabulary import SERVICE_BASE
from bpconvert.translators.passes.expressions.kinds import INSTANCE_NUMBER, MEMBER_INDEX
from bpconvert.translators.toscalike.node_templates import RawNode, RawRelationship
from bpconvert.yamlio.document import load

CALL = {"$Digest": {"algorithm": "md5", "text": {"$Input": {"name": "text"}}}}
RESULT = ex.Attribute("sum", "result")
DIGEST = ex.Digest("md5", ex.Input("name"))
INPUTS = {"call": CALL, "text": ex.Input("name")}


def runs(implementation: str, inputs: Mapping[str, Value], **more: Any) -> Operation:
    return Operation(computed.INTERFACE, computed.OPERATION, implementation, dict(inputs), **more)


def computing(*operations: Operation, **more: Any) -> RawNode:
    """The node ``sum``, which computes a value where nothing else is said."""
    own = [*operations] or [runs(computed.PATH, INPUTS)]
    return RawNode("sum", "t", **{"operations": own, "path": ("node_templates", "sum"), **more})


def using(value: Value = RESULT) -> RawNode:
    """The node ``vm``, which has the value in all places, and waits for its node and another one."""
    waits = [RawRelationship("r", target, path=()) for target in ("sum", "other")]
    operations = [Operation("i", "o", "a.sh", {"x": value})]
    return RawNode(
        "vm", "t", properties={"p": value}, declared={"p": value}, relationships=waits, operations=operations
    )


def opened(node: RawNode, user: RawNode, text: str | None = None) -> tuple[dict[str, RawNode], Topology]:
    nodes = {"sum": node, "vm": user}
    topology = Topology("cloudify", "1", outputs={"o": Output("o", RESULT)})
    open_values(topology, nodes, {computed.PATH: text}.get)
    return nodes, topology


# -- values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [None, computed.program()])
def test_a_call_comes_back_everywhere_and_its_node_is_gone(text: str | None) -> None:
    nodes, topology = opened(computing(), using(), text)
    vm = nodes["vm"]
    assert [*nodes] == ["vm"]
    assert (vm.properties, vm.declared, vm.operations[0].inputs) == ({"p": DIGEST}, {"p": DIGEST}, {"x": DIGEST})
    assert topology.outputs["o"].value == DIGEST
    assert [one.target for one in vm.relationships] == ["other"]


@pytest.mark.parametrize(
    "node",
    [
        computing(runs("scripts/other.py", INPUTS)),
        computing(runs(computed.PATH, {"call": "{"})),
        computing(runs(computed.PATH, INPUTS), runs("more.sh", {})),
        computing(runs(computed.PATH, INPUTS, target="vm")),
        computing(Operation(computed.INTERFACE, "start", computed.PATH, INPUTS)),
        computing(properties={"a": 1}),
        computing(group="many"),
    ],
)
def test_a_node_that_does_something_else_stays(node: RawNode) -> None:
    nodes, topology = opened(node, using())
    assert [*nodes] == ["sum", "vm"]
    assert nodes["vm"].properties == {"p": RESULT}
    assert topology.outputs["o"].value == RESULT
    assert [one.target for one in nodes["vm"].relationships] == ["sum", "other"]


def test_a_node_with_another_script_of_that_name_stays() -> None:
    assert [*opened(computing(), using(), "print()")[0]] == ["sum", "vm"]


def test_a_node_of_which_something_else_is_used_stays() -> None:
    """So does what waits for it."""
    user = using(ex.Attribute("sum", "other"))
    user.properties["q"] = RESULT
    nodes, _ = opened(computing(), user)
    assert [*nodes] == ["sum", "vm"]
    assert [one.target for one in nodes["vm"].relationships] == ["sum", "other"]
    assert nodes["vm"].properties["q"] == DIGEST


# -- numbers of members -------------------------------------------------------------------------------------

NUMBER = ex.Attribute("sum", "result", (ex.Attribute("vm", INSTANCE_NUMBER),))


@pytest.mark.parametrize(("text", "is_ours"), [(None, True), (numbering.PROGRAM, True), ("print()", False)])
def test_numbers_of_members_come_back(text: str | None, is_ours: bool) -> None:
    nodes = {"sum": computing(runs(numbering.PATH, {})), "vm": using(NUMBER)}
    topology, reporter = Topology("cloudify", "1", outputs={"o": Output("o", NUMBER)}), Reporter(load("{}\n"))
    number_members(topology, nodes, {numbering.PATH: text}.get, reporter)
    told = [(one.code, one.path) for one in reporter.diagnostics]
    assert told == ([("BPC697", ("node_templates", "sum"))] if is_ours else [])
    assert [*nodes] == (["vm"] if is_ours else ["sum", "vm"])
    expected = ex.Attribute("vm", MEMBER_INDEX) if is_ours else NUMBER
    assert nodes["vm"].properties == {"p": expected}
    assert topology.outputs["o"].value == expected


# -- calls of services --------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_ours", [True, False])
@pytest.mark.parametrize(("program", "ancestry"), [(services, ["t", SERVICE_BASE]), (uploads, ["t"])])
def test_operations_of_our_own_scripts_are_left_out(program: Any, ancestry: list[str], is_ours: bool) -> None:
    """Those of other scripts stay, and all of a script of that name that somebody has changed."""
    operations = [runs(program.PATH, {}), runs("a.sh", {})]
    nodes = {"sum": computing(*operations, ancestry=ancestry), "vm": using()}
    leave_out_calls(nodes, {program.PATH: program.program() if is_ours else "print()"}.get)
    left = ["a.sh"] if is_ours else [program.PATH, "a.sh"]
    assert [one.implementation for one in nodes["sum"].operations] == left
    assert [one.implementation for one in nodes["vm"].operations] == ["a.sh"]


def test_operations_of_nodes_that_are_no_services_stay() -> None:
    nodes = {"sum": computing(runs(services.PATH, {}))}
    leave_out_calls(nodes, {services.PATH: services.program()}.get)
    assert len(nodes["sum"].operations) == 1
