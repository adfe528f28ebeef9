"""References of TOSCA after conversion: what Heat and Cloudify compute of them is what they mean."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest
from tosca_converted import compare, convert_all
from tosca_references import SECOND, STARTS, VERSION, Asked, Topology, document

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

CASES: Final = 200
#: calls in one service template
TOGETHER: Final = 25


def drawn(function: str, version: str, software: bool) -> list[tuple[Topology, list[Asked]]]:
    """Groups of calls, each of one topology."""
    draw, found = random.Random(f"{function} {version} {software}"), list[tuple[Topology, list[Asked]]]()
    attributes = function == "get_attribute"
    # what a relationship has is nowhere but in what its operations are given
    places = [place for place in STARTS if software or place != "relationship"]
    for _ in range(CASES // TOGETHER):
        topology, group = Topology(draw), list[Asked]()
        while len(group) < TOGETHER:
            place = draw.choice(places)
            reference = topology.drawn(draw, place, attributes, version)
            if version == VERSION or reference.start != "HOST":  # a word that 2.0 does not have
                meant = topology.meant(place, reference, attributes)
                group.append(Asked(place, reference.written(function, version), meant))
        found.append((topology, group))
    return found


@pytest.mark.parametrize("software", [False, True], ids=["stand-ins", "software"])
@pytest.mark.parametrize("version", [VERSION, SECOND])
@pytest.mark.parametrize("function", ["get_property", "get_attribute"])
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_references(
    target: str, function: str, version: str, software: bool, engines_python: str, heat_engine: Path, tmp_path: Path
) -> None:
    groups = drawn(function, version, software)
    texts = [document(topology, group, version, software) for topology, group in groups]
    made = convert_all(texts, target, engines_python, heat_engine.parent, tmp_path)
    compared, different = compare(made, [group for _, group in groups])
    print(target, function, version, software, compared, "of", CASES)
    assert not different, f"{len(different)} of {compared} differ:\n" + "\n".join(different[:20])
    assert compared > 0.9 * CASES
