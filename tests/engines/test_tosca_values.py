"""The values that engines of TOSCA compute for results are those of the source, but for what is reported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from checkout import ROOT
from corpus_cases import TOSCA, cases_of_tosca
from tosca_runs import tosca_python

from bpconvert import convert
from bpconvert.engines.client import Engine
from bpconvert.translators.dialects import DIALECTS
from bpconvert.verification import verify

pytestmark = pytest.mark.engines

HOT = """\
heat_template_version: 2018-08-31
parameters: {env: {type: string, default: dev}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {list_join: ['-', [net, {get_param: env}]]}}}
outputs:
  id: {value: {list_join: [':', [id, {get_resource: net}]]}}
"""
CASES = [case for case in cases_of_tosca() if case.result == TOSCA and not case.is_mistake and case.target.exists()]


@pytest.fixture(params=["opera", "puccini"])
def engines(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module of the benchmarks that asks the engine."""
    tosca_python()
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    monkeypatch.setitem(DIALECTS, "tosca", DIALECTS["tosca"])
    import tosca_engines

    tosca_engines.register(request.param)
    tosca_engines.running = tosca_engines.ToscaEngine(request.param)
    yield tosca_engines
    tosca_engines.running.close()


def test_values_of_the_corpus(engines: ModuleType, tmp_path: Path) -> None:
    silent, compared = [], 0
    sources = {"hot": Engine("heat"), "cloudify": Engine("cloudify")}
    for case in CASES:
        made = convert(case.source, case.dialect, "tosca", options=case.options._replace(carry=False))
        place = tmp_path / case.name / "service.yaml"
        place.parent.mkdir()
        made.write(place)
        asked = {**sources, "tosca": engines.running}
        found = verify(case.source, place, draws=1, reported=made.diagnostics, engines=asked)
        silent += [f"{case.name}: {one.what}: {one.first} {one.second}" for one in found.differences if not one.codes]
        compared += found.compared
    for engine in sources.values():
        engine.close()
    assert silent == []
    assert compared > 300
    assert engines.running.computed > 40


def test_a_wrong_value_is_found(engines: ModuleType, tmp_path: Path) -> None:
    made = convert(HOT, "hot", "tosca", carry=False).text
    place = tmp_path / "service.yaml"
    for wrong in (("net-", "nat-"), ("id:", "is:"), ("dependency: net", "dependency: net")):
        place.write_text(made.replace(*wrong), "utf-8")
        found = verify(HOT, place, draws=1, engines={"tosca": engines.running})
        assert bool(found.differences) is (wrong[0] != wrong[1]), made
    assert engines.running.computed == 3 * 2 * 2
