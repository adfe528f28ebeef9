"""The engines of TOSCA accept what the corpus expects of conversions to TOSCA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus_cases import TOSCA, cases_of_tosca
from tosca_runs import answers, tosca_python

from bpconvert.api import convert
from bpconvert.translators.tosca.profile import NAME, text

pytestmark = pytest.mark.engines


def test_two_engines_accept_every_result() -> None:
    results = [case.target for case in cases_of_tosca() if case.result == TOSCA and case.target.exists()]
    assert refused(results) == []
    assert len(results) > 30


def test_two_engines_accept_every_result_that_imports_the_profile(tmp_path: Path) -> None:
    results = []
    for case in cases_of_tosca():
        if case.result == TOSCA and case.target.exists():
            made = convert(case.source, case.dialect, "tosca", options=case.options._replace(profile=True))
            place = tmp_path / case.name / "service.yaml"
            place.parent.mkdir()
            made.write(place)
            results += [place] if NAME in made.files else []
    assert refused(results) == []
    assert len(results) > 25


def test_two_engines_accept_the_profile(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(text(), "utf-8")
    service = tmp_path / "service.yaml"
    service.write_text(
        f"tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [{NAME}]\n"
        "topology_template: {node_templates: {net: {type: openstack.neutron.Net}}}\n"
    )
    assert refused([service]) == []


def refused(results: list[Path]) -> list[str]:
    """The results that one of the two refuses, and why."""
    more: dict[str, Any] = {"engines": ["tosca-parser", "opera"], "fake_inputs": True, "fake_attrs": True}
    found = answers(tosca_python(), [{"file": str(path), **more, "accept_only": True} for path in results])
    return [
        f"{path.parent.name}: {engine}: {answer['errors']}"
        for path, engines in zip(results, found, strict=True)
        for engine, answer in engines.items()
        if not answer["accepted"]
    ]
