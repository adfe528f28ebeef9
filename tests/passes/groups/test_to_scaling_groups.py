"""Nodes that stand for several: what the pass leaves on the topology."""

from __future__ import annotations

from pass_requests import codes, node, request, topology

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.translators.passes.groups.to_scaling_groups import to_scaling_groups

DISK = {"type": "disk", "properties": {"size": 1, "name": "d-%index%"}}


def test_a_group_is_its_member_and_has_sizes() -> None:
    definition = {"type": "disk", "properties": {"size": 1}}
    group = node("g", "many", of=definition, min_size=1, max_size=5, desired_capacity=ex.Input("n"))
    asked = request()
    found = to_scaling_groups(topology(group, all=ex.Attribute("g", "refs")), asked)
    assert (found.nodes["g"].source_type, found.nodes["g"].properties) == ("disk", {"size": 1})
    assert found.nodes["g"].group == "g_group"
    made = found.groups["g_group"]
    assert (made.members, made.policy) == (["g"], "g_scaling")
    assert made.sizes == {"count": ex.Input("n"), "least": 1, "most": 5}
    assert made.origins["most"] == ("nodes", "g", "properties", "max_size")
    assert found.outputs["all"].value == ex.AttributeList("g", MISSING)
    assert codes(asked) == ["BPC740"]


def test_members_that_differ_are_nodes_of_their_own() -> None:
    found = to_scaling_groups(
        topology(node("g", "several", count=2, of=DISK), node("g_1", "disk"), one=ex.Attribute("g", "resource.1.size")),
        request(),
    )
    assert {name: one.properties.get("name") for name, one in found.nodes.items()} == {
        "g_0": "d-0", "g_1_2": "d-1", "g_1": None,
    }  # fmt: skip
    assert (found.unrolled, found.groups) == ({"g": ["g_0", "g_1_2"]}, {})
    assert found.outputs["one"].value == ex.Attribute("g_1_2", "size")


def test_groups_of_groups_are_refused_whole_where_they_are_too_many() -> None:
    """What Heat would not create with one stack is not written in part."""
    inner = {"type": "several", "properties": {"count": 40, "of": DISK}}
    plain = {"type": "several", "properties": {"count": 40, "of": {"type": "disk", "properties": {"size": 1}}}}
    unknown = {"type": "several", "properties": {"count": ex.Input("n"), "of": plain}}
    why = "with its members more than 1000 would be written one by one"
    not_known = "it is a group of groups, and how many there are is not known"
    for count, definition, refusal in (
        (26, inner, ("BPC742", why)), (2, unknown, ("BPC742", not_known)), (26, plain, None), (25, inner, None),
    ):  # fmt: skip
        group = node("g", "several", count=count, of=definition)
        found = to_scaling_groups(topology(group), request())
        assert found.nodes.get("g", group).refusal == refusal
        assert refusal is None or list(found.nodes) == ["g"]


def test_a_group_that_cannot_be_converted_keeps_the_reason() -> None:
    found = to_scaling_groups(topology(node("g", "several", of=ex.Input("what"))), request())
    assert found.nodes["g"].refusal == ("BPC742", "its 'of' is computed")
