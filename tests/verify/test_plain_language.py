"""A language that says nothing of how it is compared: the plain adapter suits it."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import convert
from bpconvert.checking import check
from bpconvert.evaluation import evaluate
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import DIALECTS
from bpconvert.verification import drawn_inputs, verify

PLAIN = """\
plain: 1
inputs: {name: web}
nodes:
  net: {kind: net, properties: {name: {in: name}}}
  sub: {kind: subnet, properties: {network: {ref: net}, cidr: 10.0.0.0/24}}
  port: {kind: port, properties: {network: {ref: net}}, after: [sub]}
outputs: {id: {ref: net}, mac: {attribute: [port, mac_address]}}
"""
HOT = """\
heat_template_version: 2018-08-31
parameters: {name: {type: string, default: web}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
outputs:
  id: {value: {get_resource: net}}
  mac: {value: {get_attr: [port, mac_address]}}
"""
CALLS = {"in": ex.Input, "ref": ex.Identity, "attribute": lambda argument: ex.Attribute(*argument)}


def value(data: Any) -> Any:
    """``data`` with its calls read."""
    if isinstance(data, dict) and len(data) == 1 and next(iter(data)) in CALLS:
        ((name, argument),) = data.items()
        return CALLS[name](argument)
    return {key: value(item) for key, item in data.items()} if isinstance(data, dict) else data


def to_topology(document: Any, catalogue: Any, reporter: Any, files: Any) -> Topology:
    """The reader."""
    data, made = document.data, Topology("plain", "1")
    for name, default in data.get("inputs", {}).items():
        made.inputs[name] = Input(name, "string", MISSING if default is None else default, path=("inputs", name))
    for name, row in data["nodes"].items():
        properties = value(row.get("properties", {}))
        made.nodes[name] = Node(name, row["kind"], row["kind"], properties, path=("nodes", name))
        made.nodes[name].wait_for(*row.get("after", ()))
    for name, item in data.get("outputs", {}).items():
        made.outputs[name] = Output(name, value(item), path=("outputs", name))
    return made


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DIALECTS, "plain", Dialect("plain", "Plain", "plain", to_topology, "", ""))


@pytest.mark.parametrize("other", [PLAIN, HOT, convert(HOT, "hot", "cloudify").text])
def test_it_is_compared_with_all_others(other: str) -> None:
    for both in ((PLAIN, other), (other, PLAIN)):
        found = verify(*both)
        assert (found.compared > 100, found.differences, found.notes) == (True, [], [])


def test_differences_have_their_places() -> None:
    (one,) = verify(PLAIN, HOT.replace("10.0.0", "10.0.1")).differences
    assert (one.what, one.first, one.second) == ("sub.cidr", "10.0.0.0/24", "10.0.1.0/24")
    assert (one.first_place.line, one.second_place.line) == (5, 5)


def test_inputs_are_drawn_for_it() -> None:
    assert drawn_inputs(PLAIN, 0, 0) == {"name": "web"}
    assert isinstance(drawn_inputs(PLAIN.replace("web", ""), 0, 1)["name"], str)


def test_checking_reports_what_reading_does() -> None:
    assert check(PLAIN) == []
    assert [found.code for found in check(PLAIN + "inputs: {name: db}\n")] == ["BPC102"]


def test_nothing_is_evaluated_for_it() -> None:
    with pytest.raises(ValueError, match=r"unknown dialect 'plain' \(choose from hot, cloudify, tosca\)"):
        evaluate(1, dialect="plain", version="1")
