"""Both real engines accept what stand-ins hold, and see the same data in it as the source has: nothing of it is called.

What would be a call in Cloudify is JSON text there (``translators/cloudify/escaping.py``)."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from corpus_runs import cloudify_command, heat_command, same
from engine_processes import ask
from hypothesis import HealthCheck, Phase, given, seed, settings
from stand_in_source import DSL, HEAT, blueprint, nested, properties, template

from bpconvert.api import convert
from bpconvert.translators.cloudify.escaping import opened

pytestmark = [pytest.mark.engines, pytest.mark.drawn]
NUMBER: Final = 250


@cache
def drawn(functions: tuple[str, ...]) -> list[dict[str, Any]]:
    """Many generated property maps, and some of the deepest."""
    found: list[dict[str, Any]] = []

    @seed(4)
    @settings(max_examples=NUMBER, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(properties(functions))
    def collect(one: dict[str, Any]) -> None:
        found.append(one)

    collect()
    random.Random(4).shuffle(found)
    return [*found, *({"config": nested(depth, {functions[0]: "x"})} for depth in (20, 40, 48))]


def test_cloudify_sees_the_data_of_heat(engines_python: str, heat_engine: Path) -> None:
    sources = drawn(DSL)
    requests = [{"text": convert(template(one)).text, "options": {"synthesize": True}} for one in sources]
    for one, answer in zip(sources, ask(cloudify_command(engines_python, heat_engine.parent), requests), strict=True):
        assert answer["ok"], (one, answer)
        assert same(opened(answer["result"]["nodes"]["odd"]["properties"].get("heat_properties", {})), one), one


def test_heat_sees_the_data_of_cloudify(engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    sources = drawn(HEAT)
    requests = []
    for index, one in enumerate(sources):
        path = tmp_path / f"{index}.yaml"
        path.write_text(convert(blueprint(one), "cloudify", "hot").text)
        requests.append({"template": str(path), "fake_params": True, "fake_attrs": True, "strict_types": True})
    for one, answer in zip(sources, ask(heat_command(engines_python, heat_engine.parent), requests), strict=True):
        assert answer.get("ok"), (one, answer)
        assert same(answer["resources"]["odd"]["properties"]["properties"], one), one


@pytest.mark.parametrize("functions", [DSL, HEAT], ids=["heat", "cloudify"])
def test_the_sources_are_accepted_themselves(
    functions: tuple[str, ...], engines_python: str, heat_engine: Path, tmp_path: Path
) -> None:
    """Else nothing would be shown."""
    sources = drawn(functions)[:60]
    if functions is HEAT:
        requests: list[dict[str, Any]] = [{"text": blueprint(one), "options": {"synthesize": True}} for one in sources]
        answers = ask(cloudify_command(engines_python, heat_engine.parent), requests)
        assert all(answer["ok"] for answer in answers)
        return
    requests = []
    for index, one in enumerate(sources):
        path = tmp_path / f"{index}.yaml"
        path.write_text(template(one))
        requests.append({"template": str(path)})
    answers = ask(heat_command(engines_python, heat_engine.parent), requests)
    assert all(answer["ok"] for answer in answers)
