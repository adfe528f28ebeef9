"""Folding with half of the facts, and then with all of them, gives what folding with all facts at once gives."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from expression_source import CONDITIONS, FILES, PARAMETERS, RESOURCES, Source

from bpconvert.models.expressions import Foreign, Value, walk
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.evaluate.parameters import coerce
from bpconvert.translators.hot.functions import Reader

INPUTS = {name: coerce(type_, value) for name, (type_, value) in PARAMETERS.items()}
#: It is no boolean. ``{and: [true, it]}`` folds to its name, which an outer ``and`` need not look up any more.
NO_CONDITION = "c_text"


def scope_of(source: Source, known: set[str]) -> Scope:
    """The facts about the inputs and nodes in ``known``."""
    reader = Reader(source.version, declared=PARAMETERS)
    return Scope(
        inputs={name: value for name, value in INPUTS.items() if name in known},
        declared=PARAMETERS,
        attributes={name: found["attributes"] for name, found in RESOURCES.items() if name in known},
        identities={name: found["id"] for name, found in RESOURCES.items() if name in known},
        conditions={name: reader.condition(raw, definition=True) for name, raw in CONDITIONS.items()},
        files=FILES.get,
        notes=[],
    )


def outcome(value: Value, scope: Scope) -> str:
    """What folding gives, as text that tells 1, 1.0 and true apart."""
    try:
        return json.dumps(fold(value, scope), default=repr)
    except Refused:
        return "refused"


@pytest.mark.parametrize("start", range(0, 2000, 500))
def test_in_two_steps(start: int) -> None:
    different: list[str] = []
    everything = {*PARAMETERS, *RESOURCES}
    for seed in range(start, start + 500):
        source = Source(seed, runtime=True)
        raw: Any = source.value()
        value = Reader(source.version, declared=PARAMETERS, names=RESOURCES).value(raw)
        choose = random.Random(seed)
        half = scope_of(source, {name for name in sorted(everything) if choose.random() < 0.5})
        at_once = outcome(value, scope_of(source, everything))
        try:
            first = fold(value, half)
        except Refused:
            if at_once != "refused":
                different.append(f"{raw!r}\n   half refused, all {at_once}")
            continue
        if half.notes or any(isinstance(found, Foreign) for found in walk(first)):
            continue
        second = outcome(first, scope_of(source, everything))
        if second != at_once and NO_CONDITION not in str(raw):
            different.append(f"{source.version.date} {raw!r}\n   half {first!r}\n   then {second}\n   all  {at_once}")
    assert not different, "\n".join(different[:20])
