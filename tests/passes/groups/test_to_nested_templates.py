"""Members of groups that move to a nested topology."""

from __future__ import annotations

from hot_lowering import operation, request_of, topology

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node, Output, Topology
from bpconvert.translators.passes.groups.to_nested_templates import to_nested_templates
from bpconvert.yamlio.document import load


def _group() -> Node:
    return Node("group", "", is_group=True, instances=3, native="hot")


def _moved(source: Topology) -> tuple[Topology, list[str]]:
    request = request_of(load("{}\n", "b.yaml"))
    return to_nested_templates(source, request), [found.code for found in request.reporter.diagnostics]


def test_members_get_values_of_the_outside_as_inputs_and_publish_their_own() -> None:
    net = Node("net", "t", "net")
    port = Node("port", "t", "port", properties={"network": ex.Identity("net")}, group="group")
    source = topology(net, port, _group(), Output("ips", ex.AttributeList("port", "mac_address")))
    found, codes = _moved(source)
    group = found.nodes["group"]
    assert list(found.nodes) == ["net", "group"]
    assert (group.source_type, group.is_group, codes) == ("group.yaml", False, ["BPC751"])
    assert group.template is not None
    assert list(group.template.nodes) == ["port"]
    (name,) = group.template.inputs
    assert group.properties[name].node == "net"
    assert group.template.nodes["port"].properties["network"].name == name
    output = found.outputs["ips"].value
    assert (output.node, output.name) == ("group", "port_mac_address")
    assert group.template.outputs["port_mac_address"].value.node == "port"
    assert found.moved[port.path] == ["group"]


def test_a_group_that_cannot_move_is_taken_away() -> None:
    member = Node("app", "t", group="group", operations=[operation("start", "a.sh", target="vm", host="target")])
    found, codes = _moved(topology(Node("vm", "t", "server"), member, _group()))
    assert (list(found.nodes), member.group, codes) == (["vm", "app"], None, ["BPC151"])


def test_places_of_a_value_that_is_handed_on_once() -> None:
    """What is reported of the value that the group gets is reported wherever a member uses it."""
    first, second = (ex.Attribute("net", "name", path=("nodes", place)) for place in ("a", "b"))
    net = Node("net", "t", "net")
    port = Node("port", "t", "port", properties={"name": first, "description": second}, group="group")
    request = request_of(load("{}\n", "b.yaml"))
    to_nested_templates(topology(net, port, _group()), request)
    request.reporter.report("BPC243", ("nodes", "a"), name="net")
    found = [one.path for one in request.reporter.diagnostics if one.code == "BPC243"]
    assert found == [("nodes", "a"), ("nodes", "b")]


def test_a_group_waits_for_what_its_software_names() -> None:
    """A property of software is written nowhere, but its operations run after what it names is there."""
    front = ex.Attribute("front", "first_address")
    app = Node("app", "t", group="group", role="component", properties={"ip": front, "old": ex.Identity("vm")})
    app.operations = [operation("create", "a.sh")]
    source = topology(Node("front", "t", "server"), Node("vm", "t", "server"), app, _group())
    app.operations[0].inputs = {"ip": front}
    found, _ = _moved(source)
    assert found.nodes["group"].awaited == ["vm"]
    assert [value.node for value in found.nodes["group"].properties.values()] == ["front", "vm"]
