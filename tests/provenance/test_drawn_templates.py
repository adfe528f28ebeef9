"""Templates made at random mean the same after a conversion there and back, without the kept source, or a finding says
what does not."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import yaml
from drawn_templates import template
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpconvert import Severity, roundtrip
from bpconvert.checking import check
from bpconvert.verification import verify


@pytest.mark.parametrize("via", ["cloudify", "tosca"])
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(st.integers(0, 10**9))
def test_the_same_is_meant(via: str, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, result = (Path(folder) / f"{name}.yaml" for name in ("source", "result"))
        source.write_text(yaml.safe_dump(template(seed), sort_keys=False), "utf-8")
        assert not [found for found in check(source) if found.severity is Severity.ERROR]
        trip = roundtrip(source, via, carry=False)
        result.write_text(trip.back.text, "utf-8")
        reported = [*trip.there.diagnostics, *trip.back.diagnostics]
        differences = verify(source, result, draws=2, reported=reported).differences
        assert not [found.what for found in differences if not found.codes]
