"""Order that references in values say, or that the target's engine adds."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import CORPUS
from neutral_form import REL, V3, lifted

from bpconvert import convert
from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.expressions import Attribute
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.options import Options
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.capabilities import CAPABILITIES as CLOUDIFY
from bpconvert.translators.hot.capabilities import CAPABILITIES as HOT
from bpconvert.translators.passes.order import leave_out_implied
from bpconvert.translators.passes.request import Request
from bpconvert.verification import verify
from bpconvert.yamlio.document import load


def after_pass(topology: Topology) -> Topology:
    document = load("{}", "blueprint.yaml")
    files = Files(Path("/nowhere"))
    return leave_out_implied(
        topology, Request(CLOUDIFY, HOT, builtin(), document, Reporter(document), Options(), files)
    )


def ordered(nodes: str) -> Topology:
    return after_pass(lifted(nodes).topology)


def test_what_heat_waits_for_by_itself() -> None:
    net = f"{{type: {REL}connected_to, target: net}}"
    found = ordered(
        f"net: {{type: {V3}Network}}\nsub: {{type: {V3}Subnet, relationships: [{net}]}}\n"
        f"p: {{type: {V3}Port, relationships: [{net}, {{type: {REL}depends_on, target: sub}}]}}"
    )
    assert found.nodes["p"].awaited == []


@pytest.mark.parametrize(
    ("value", "waits"),
    [
        ("{get_attribute: [t, availability_zone]}", []),
        ("{get_attribute: [t, id]}", []),
        ("{concat: [a, {get_attribute: [t, id]}]}", []),
        # Heat has no such attribute: a parameter takes its place
        ("{get_attribute: [t, host]}", ["t"]),
    ],
)
def test_references_imply_order(value: str, waits: list[str]) -> None:
    config = f"{{resource_config: {{kwargs: {{metadata: {{a: {value}}}}}}}}}"
    found = ordered(
        f"t: {{type: {V3}Volume}}\n"
        f"s: {{type: {V3}Volume, properties: {config}, relationships: [{{type: {REL}depends_on, target: t}}]}}"
    )
    assert found.nodes["s"].awaited == waits


@pytest.mark.parametrize(
    ("value", "target", "waits"),
    [
        ("{get_attribute: [t, id]}", "t", False),
        ("{concat: [{get_attribute: [t, id]}, {get_secret: s}]}", "t", True),  # stays as data
        ("{get_attribute: [u, port]}", "u", False),
        ("{get_attribute: [u, said]}", "u", True),  # is the property
    ],
)
def test_references_of_stand_ins_imply_order(value: str, target: str, waits: bool) -> None:
    found = ordered(
        f"t: {{type: {V3}Volume}}\nu: {{type: odd, properties: {{said: 1}}}}\n"
        f"s: {{type: odd, properties: {{a: {value}}}, relationships: [{{type: {REL}depends_on, target: {target}}}]}}"
    )
    assert found.nodes["s"].awaited == [target] * waits


def test_references_of_operations_of_the_type_imply_no_order() -> None:
    inputs = {"a": Attribute("t", "port")}
    for place, waits in ((("node_types", "odd"), ["t"]), (("node_templates", "s"), [])):
        source, target = (Node(name, "odd", path=("node_templates", name)) for name in ("s", "t"))
        source.operations = [Operation("i", "o", "plugin.run", inputs, path=(*place, "interfaces", "i", "o"))]
        source.wait_for("t", path=("node_templates", "s", "relationships", 0))
        topology = Topology("cloudify", "cloudify_dsl_1_3", nodes={"s": source, "t": target})
        assert after_pass(topology).nodes["s"].awaited == waits


ROUTER = (CORPUS / "to-tosca" / "order-that-heat-adds" / "hot.yaml").read_text("utf-8")


@pytest.mark.parametrize("target", ["tosca", "cloudify"])
@pytest.mark.parametrize("first", ["gateway", "interface"])
def test_what_heat_adds_is_the_order_of_the_result(target: str, first: str) -> None:
    before, _, rest = ROUTER.partition("  gateway:\n")
    gateway, _, rest = rest.partition("  interface:\n")
    interface, _, after = rest.partition("  routes:\n")
    parts = {"gateway": f"  gateway:\n{gateway}", "interface": f"  interface:\n{interface}"}
    ordered_parts = [parts.pop(first), *parts.values()]
    text = f"{before}{''.join(ordered_parts)}  routes:\n{after}"
    made = convert(text, "hot", target, carry=False)
    found = verify(text, made.text, draws=0, reported=made.diagnostics)
    assert found.compared > 40
    assert [(one.what, one.first, one.second) for one in found.differences] == []


def test_what_waits_for_a_gateway_of_a_router_waits_for_its_interface() -> None:
    text = f"{ROUTER}  last:\n    type: OS::Nova::KeyPair\n    depends_on: gateway\n    properties: {{name: k}}\n"
    made = convert(text, "hot", "cloudify", carry=False)
    waits = [one["target"] for one in made.document["node_templates"]["last"]["relationships"]]
    assert waits == ["router", "subnet"]
