"""Calls of TOSCA whose values exist at run time only: Heat and Cloudify, which know the same of the resources, compute
what the calls mean. No engine of TOSCA has a value of ``get_operation_output``."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest
from tosca_converted import compare, convert_all
from tosca_resources import CALLS, Asked, Facts, document

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

CASES: Final = 200
#: calls in one service template
TOGETHER: Final = 25
#: what Cloudify mostly cannot compute, which a finding says: a piece of a text that is known at run time only
RARELY: Final = {("cloudify", "token")}


def drawn(name: str) -> list[tuple[Facts, list[Asked]]]:
    """Groups of calls, each with what is known."""
    draw, found = random.Random(name), list[tuple[Facts, list[Asked]]]()
    for _ in range(CASES // TOGETHER):
        facts, group = Facts(draw), list[Asked]()
        for _ in range(TOGETHER):
            place = draw.choice(["output", "property", "relationship"])
            group.append(Asked(place, *CALLS[name](draw, facts, place)))
        found.append((facts, group))
    return found


@pytest.mark.parametrize("name", list(CALLS))
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_every_function(target: str, name: str, engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    groups = drawn(name)
    runtimes = [facts.of_heat() if target == "hot" else facts.of_cloudify() for facts, _ in groups]
    texts = [document(group) for _, group in groups]
    made = convert_all(texts, target, engines_python, heat_engine.parent, tmp_path, runtimes)
    compared, different = compare(made, [group for _, group in groups])
    print(target, name, compared, "of", CASES)
    assert not different, f"{len(different)} of {compared} differ:\n" + "\n".join(different[:20])
    assert compared > (0 if (target, name) in RARELY else 0.9 * CASES)
