"""Whatever a template looks like, a conversion ends with a result or a SourceError."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bpconvert.api import convert
from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

CASES = Path(__file__).resolve().parents[1] / "corpus" / "hot"
ROUNDS = 600
ODD = [
    None, [], {}, "", "x", 0, 1.5, True, "é", ["a", {"get_param": "p"}], {"get_param": "none"}, {"get_file": "x"},
    {"get_attr": ["none", "x"]}, {"get_resource": "none"}, {"if": ["c", 1, 2]}, {"concat": ["a"]}, {1: "a"},
]  # fmt: skip


def templates() -> list[Any]:
    found = []
    for place in sorted(CASES.glob("*/hot.yaml")):
        with suppress(SourceError):
            data = copy.deepcopy(load(place.read_bytes()).data)
            if isinstance(data, dict):
                with suppress(TypeError):  # values that YAML has and templates do not
                    emit(data)
                    found.append(data)
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield value, step
        yield from places(value[step])


def mutated(template: Any, draw: random.Random) -> Any:
    """``template`` with up to three values exchanged, removed or renamed."""
    result = copy.deepcopy(template)
    for _ in range(draw.randint(1, 3)):
        holder, step = draw.choice(list(places(result)) or [({"": 0}, "")])
        action = draw.random()
        if action < 0.7:
            holder[step] = copy.deepcopy(draw.choice(ODD))
        elif action < 0.85 or isinstance(holder, list):
            del holder[step]
        else:
            holder[f"é{step}"] = holder[step]
    return result


@pytest.mark.parametrize("seed", range(4))
def test_no_other_error(seed: int) -> None:
    draw = random.Random(seed)
    sources = templates()
    for _ in range(ROUNDS // 4):
        text = emit(mutated(draw.choice(sources), draw))
        choices: dict[str, Any] = {
            "plugin": draw.choice(["v3", "v2"]),
            "carry": draw.random() < 0.8,
            "client_config": draw.choice(["secrets", "inputs", "none"]),
            "files": draw.choice(["inline", "copy", "keep"]),
        }
        try:
            result = convert(text + "\n", **choices)
        except SourceError:
            continue
        assert isinstance(result.document, dict), text
