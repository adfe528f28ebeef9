"""The engines of TOSCA accept what the corpus expects of conversions to TOSCA."""

from __future__ import annotations

import pytest
from corpus_cases import TOSCA, cases_of_tosca
from tosca_runs import answers, tosca_python

pytestmark = pytest.mark.engines


def test_two_engines_accept_every_result() -> None:
    python = tosca_python()
    results = [case.target for case in cases_of_tosca() if case.result == TOSCA and case.target.exists()]
    more = {"engines": ["tosca-parser", "opera"], "fake_inputs": True, "fake_attrs": True, "accept_only": True}
    found = answers(python, [{"file": str(path), **more} for path in results])
    refused = [
        f"{path.parent.name}: {engine}: {answer['errors']}"
        for path, engines in zip(results, found, strict=True)
        for engine, answer in engines.items()
        if not answer["accepted"]
    ]
    assert refused == []
    assert len(results) > 30
