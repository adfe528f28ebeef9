"""Which rewritings a conversion needs, by what the two languages can express."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.input_requests import InputRequest
from bpconvert.models.running import Existing
from bpconvert.models.topology import Input, Node, Shown, Topology
from bpconvert.options import Options
from bpconvert.translation import Way
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes import PASSES, Pass
from bpconvert.translators.passes.capabilities import Capabilities, Groups, GroupType, Operations, PolicyType, Software
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import load

#: passes that a conversion to a language without conditions needs in any case
ALWAYS = ["features", "known values"]
OWN = Software(operations=Operations(own={"create": ("life", "create")}))
TYPES = Groups(types={"several": GroupType("of")})
POLICIES = Groups(policies={"policy": PolicyType("group", "step", "meaning", "by_number")})


def language(**fields: Any) -> Capabilities:
    return Capabilities("Some", **fields)


def node(**fields: Any) -> Topology:
    return Topology("toy", "1", nodes={"n": Node("n", fields.pop("type", "T"), **fields), "m": Node("m", "T")})


def asked(**fields: Any) -> Topology:
    return Topology("toy", "1", inputs={"i": Input("i", "string", **fields), "j": Input("j", "string")})


def needed(
    topology: Topology, source: Capabilities, target: Capabilities, *, inner: bool = False, **options: Any
) -> list[str]:
    """The passes that a conversion needs, but for those that each one does."""
    document = load("{}\n")
    files = Files(None, inner=inner)
    request = Request(source, target, builtin(), document, Reporter(document), Options(**options), files)
    names = [one.name for one in PASSES if one.needed(topology, request)]
    assert set(names) >= {"features"}
    return [name for name in names if name not in ALWAYS]


PLAIN = language()


@pytest.mark.parametrize(
    ("topology", "source", "target", "passes"),
    [
        (node(), {}, {}, []),
        # stand-ins, and descriptions of resources
        (node(shows=Shown("other", "type", "properties")), {}, {"describes": True}, ["stand-ins"]),
        (node(extra={"description": "d"}), {}, {}, ["descriptions"]),
        (node(extra={"description": "d"}), {}, {"describes": True}, []),
        (node(extra={"metadata": {}}), {}, {}, []),
        # order
        (node(), {"references": "relationships"}, {"references": "values"}, ["order"]),
        (node(), {"references": "relationships"}, {"references": "relationships"}, []),
        (node(), {"references": "values"}, {"references": "values"}, []),
        # inputs
        (asked(asked=InputRequest("flavor", None, "n", "")), {}, {}, ["tables"]),
        (asked(unit=1), {}, {}, ["tables"]),
        (asked(), {}, {}, []),
        (Topology("toy", "1", conditions={"c": True}), {}, {"computes_defaults": True}, ["defaults"]),
        (Topology("toy", "1", conditions={"c": True}), {"computes_defaults": True}, {"computes_defaults": True}, []),
        (Topology("toy", "1", conditions={"c": True}), {}, {}, []),
        (node(), {}, {"computes_defaults": True}, []),
        # nested documents
        (node(), {}, {"nesting": "components"}, ["documents", "components"]),
        (node(), {}, {"nesting": "types"}, ["documents", "templates"]),
        (node(), {}, {"nesting": "templates"}, ["templates"]),
        # groups and their members
        (node(type="several"), {"group_types": TYPES}, {}, []),
        (node(type="several"), {"group_types": TYPES}, {"nesting": "templates"}, ["templates", "documents of members"]),
        (node(type="several"), {}, {"nesting": "types", "group_types": TYPES},
         ["documents", "templates", "documents of members"]),
        (node(), {"group_types": TYPES}, {"nesting": "templates"}, ["templates"]),
        (node(), {}, {"groups": "templates"}, ["group templates"]),
        (node(type="several"), {"group_types": TYPES}, {"groups": "scaling"}, ["scaling groups"]),
        (node(), {"group_types": TYPES}, {"groups": "scaling"}, []),
        (node(instances=2), {}, {"groups": "scaling"}, ["members"]),
        (node(instances=2), {}, {"groups": "templates"}, ["group templates"]),
        (node(), {}, {"group_types": POLICIES}, ["policies"]),
        # programs on machines
        (node(), {}, {"software": "deployments"}, ["deployments"]),
        (node(kind="software_deployment"), {}, {"software": "operations"}, ["operations"]),
        (node(kind="software_deployment"), {}, {}, []),
        (node(kind="server"), {}, {"software": "operations"}, []),
        (node(kind="software_deployment", was="component"), {}, {"programs": OWN}, ["files at URLs"]),
        (node(kind="software_deployment"), {}, {"programs": OWN}, []),
        (node(kind="server", was="component"), {}, {"programs": OWN}, []),
        (node(kind="software_deployment", was="component"), {}, {}, []),
        (node(kind="software_deployment", was="component"), {}, {"programs": OWN, "software": "deployments"},
         ["deployments"]),
        (node(), {"programs": OWN}, {"programs": OWN}, ["interfaces"]),
        (node(), {"programs": OWN}, {}, []),
        (node(), {}, {"programs": OWN}, []),
        # values
        (node(), {"names_properties": True}, {"names_properties": True}, ["properties"]),
        (node(), {"names_properties": True}, {}, []),
        (node(), {}, {"names_properties": True}, []),
        (node(), {}, {"whole_numbers": True}, ["places"]),
    ],
)  # fmt: skip
def test_which_passes_are_needed(
    topology: Topology, source: dict[str, Any], target: dict[str, Any], passes: list[str]
) -> None:
    assert needed(topology, language(**source), language(**target)) == passes


def test_values_are_computed_where_there_are_no_conditions() -> None:
    (step,) = (one for one in PASSES if one.name == "known values")
    document = load("{}\n")
    for conditions in (True, False):
        target = language(conditions=conditions)
        request = Request(PLAIN, target, builtin(), document, Reporter(document), Options(), Files(None))
        assert step.needed(node(), request) is not conditions


@pytest.mark.parametrize(
    ("fields", "topology"),
    [
        ({"groups": "scaling"}, node(instances=2)),
        ({"programs": OWN}, node()),
        ({"names_properties": True}, node()),
    ],
)
def test_within_one_language_these_stay(fields: dict[str, Any], topology: Topology) -> None:
    same = language(**fields)
    assert needed(topology, same, same) == []
    assert len(needed(topology, language(**fields), same)) == 1


@pytest.mark.parametrize(
    ("owns", "passes"),
    [
        (True, ["existing ids", "keys of the engine", "addresses of servers", "groups that run", "programs that ran"]),
        (False, ["drawn texts", "existing ids", "programs that ran"]),
    ],
)
def test_what_runs_already_is_taken_over(owns: bool, passes: list[str]) -> None:
    running = {"n": Existing("42")}
    assert needed(node(), PLAIN, language(owns=owns), running=running) == passes
    assert needed(node(), PLAIN, language(owns=owns)) == []


def test_what_options_ask_for() -> None:
    assert needed(node(), PLAIN, PLAIN, params={"i": 1}) == ["inputs"]
    together = language(given_in={"tacker": "vnf"})
    assert needed(node(), PLAIN, together, orchestrator="tacker") == ["one parameter"]
    assert needed(node(), PLAIN, together, orchestrator="tacker", inner=True) == []
    assert needed(node(), PLAIN, together, orchestrator="opera") == []
    assert needed(node(), PLAIN, together) == []


def test_a_pass_without_a_rule_is_always_needed() -> None:
    document = load("{}\n")
    request = Request(PLAIN, PLAIN, builtin(), document, Reporter(document), Options(), Files(None))
    assert Pass("some", "features:report_features").needed(node(), request) is True


@pytest.mark.parametrize("one", PASSES, ids=[one.name for one in PASSES])
def test_what_a_pass_does_is_there(one: Pass) -> None:
    module, _, name = one.function.partition(":")
    assert callable(getattr(import_module(f"bpconvert.translators.passes.{module}"), name))


def test_the_order_of_all_passes() -> None:
    assert [one.name for one in PASSES] == [
        "stand-ins", "features", "descriptions", "drawn texts", "existing ids", "keys of the engine",
        "addresses of servers", "groups that run", "programs that ran", "order", "policies", "inputs", "tables",
        "one parameter", "defaults", "documents", "templates", "documents of members", "group templates", "deployments",
        "files at URLs", "properties", "interfaces", "known values", "members", "scaling groups", "components",
        "operations", "places",
    ]  # fmt: skip


def test_who_watches_sees_what_is_read_and_each_pass_that_was_needed() -> None:
    seen: list[tuple[str, str]] = []
    source = "heat_template_version: 2018-08-31\nresources: {g: {type: OS::Heat::ResourceGroup, properties:"
    document = load(f"{source} {{count: 2, resource_def: {{type: OS::Neutron::Net}}}}}}}}\n", "app.yaml")
    way = Way(DIALECTS["hot"], DIALECTS["cloudify"], Options())
    way.translate(
        document, Reporter(document), Files(None), watch=lambda name, it: seen.append((name, it.nodes["g"].source_type))
    )
    names = [name for name, _ in seen]
    assert names[0] == "read"
    assert names[1:] == [one.name for one in PASSES if one.name in names]
    assert dict(seen)["read"] == "OS::Heat::ResourceGroup"
    assert dict(seen)["scaling groups"] == "OS::Neutron::Net"
    assert "operations" not in names
