"""References of TOSCA, with keywords, requirements, capabilities and steps: what they mean, what each engine computes
that does, and what ``bpconvert.evaluate`` does.

No engine has a value of ``get_operation_output`` (tosca-parser leaves it to its caller, opera does not know it, puccini
yields ``TODO``), nor one of ``get_nodes_of_type`` (data for two; puccini yields every node) or of ``get_artifact`` that
two share: a place that is the engine's own."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from corpus_runs import same
from tosca_references import STARTS, VERSION, Asked, Reference, Topology, document
from tosca_runs import ENGINES, REFUSED, answers, evaluated, request, tosca_python

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

CASES: Final = 200
#: calls in one service template
TOGETHER: Final = 25


class One(NamedTuple):
    """A reference, the call that it is and what that yields, and what is there to refer to."""

    topology: Topology
    reference: Reference
    asked: Asked


def computes(engine: str, function: str, place: str, one: Reference) -> bool:
    """Whether the engine computes references of this kind (the grammar, section 15)."""
    through, name = one.through or ("", "")
    attribute = one.name.startswith("at_")
    if engine == "tosca-parser":  # attributes are left to the caller; a requirement is the capability of its name
        of_base = one.start in ("base", "HOST") and name == "host" and one.name != "num_cpus"  # hidden by that
        named_so = name == "host" and one.name in ("number", "items", "num_cpus")
        return function == "get_property" and (named_so if through == "REQUIREMENT" else not of_base)
    if through == "REQUIREMENT":
        return False
    if engine == "opera":  # steps are ignored; relationships know no names of nodes
        named = one.start not in ("SELF", "HOST", "SOURCE", "TARGET")
        if function == "get_attribute" and place == "property" and one.start != "SELF":  # nor in nodes properties
            named = not attribute
        return not through and not one.steps and not (place != "output" and named)
    if (one.start == "HOST" and through) or (place == "relationship" and one.start == "SELF"):  # the engine fails
        return False
    return attribute or function == "get_property"  # a property is no attribute


def drawn(engine: str, function: str) -> list[list[One]]:
    """Groups of calls, each of one topology."""
    draw, found = random.Random(f"{engine} {function}"), list[list[One]]()
    for _ in range(CASES // TOGETHER):
        topology, group = Topology(draw), list[One]()
        while len(group) < TOGETHER:
            place, attributes = draw.choice(list(STARTS)), function == "get_attribute"
            reference = topology.drawn(draw, place, attributes)
            if computes(engine, function, place, reference):
                meant = topology.meant(place, reference, attributes)
                group.append(One(topology, reference, Asked(place, reference.written(function), meant)))
        found.append(group)
    return found


def value(engine: str, answer: dict[str, Any], place: str, name: str) -> Any:
    """What the engine has computed."""
    if place == "output":
        return answer["outputs"].get(name)
    first = answer["nodes"]["first"]
    if place == "property":
        return first["properties"].get(name)
    if engine == "puccini":
        return next(row["properties"].get(name) for row in first["requirements"] if row["name"] == "peer")
    return answer["relationship_templates"]["peering"]["properties"].get(name)


def mine(one: One) -> Any:
    """What is computed here."""
    topology, place = one.topology, one.asked.place
    here = {"property": {"SELF": "first"}, "relationship": {"SELF": "peering", "SOURCE": "first", "TARGET": "second"}}
    hosts = [name for name in ("base", "machine") if topology.has(name, one.reference)]
    known = here.get(place, {}) | ({"HOST": hosts[0]} if place == "property" and hosts else {})
    return evaluated(one.asked.call, REFUSED, version=VERSION, resources=topology.nodes, attributes=topology.attributes,
                     capabilities=topology.capabilities, here=known)  # fmt: skip


@pytest.mark.parametrize("function", ["get_property", "get_attribute"])
@pytest.mark.parametrize("engine", ENGINES)
def test_references(engine: str, function: str, tmp_path: Path) -> None:
    if (engine, function) == ("tosca-parser", "get_attribute"):  # left to the caller
        return
    groups = drawn(engine, function)
    texts = [document(group[0].topology, [one.asked for one in group]) for group in groups]
    asked = [request(tmp_path, f"{engine}{n}", text, engines=[engine]) for n, text in enumerate(texts)]
    different, kinds = list[str](), Counter[str]()
    for group, answer in zip(groups, answers(tosca_python(), asked), strict=True):
        assert answer[engine]["accepted"], answer[engine]["errors"]
        for number, one in enumerate(group):
            place, call, meant = one.asked
            found = value(engine, answer[engine], place, f"v{number}")
            kinds[one.reference.start] += 1
            through = one.reference.through or ("", "")
            ours = meant if through[0] == "REQUIREMENT" else mine(one)  # it is given no requirements
            if not (same(found, meant) and same(ours, meant)):
                different.append(f"{place} {json.dumps(call)}: meant {meant!r}, {engine} {found!r}, mine {ours!r}")
    print(engine, function, dict(kinds))
    assert not different, f"{len(different)} of {CASES} differ:\n" + "\n".join(different[:40])
    assert sum(kinds.values()) == CASES
    assert {"SELF", "SOURCE", "TARGET", "HOST", "first"} <= kinds.keys()
