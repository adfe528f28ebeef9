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
