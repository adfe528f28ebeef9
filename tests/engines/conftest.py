"""Tests that ask the real engines: marked ``engines``, skipped without them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from checkout import SHARED

ENGINES = SHARED / "engines"


@pytest.fixture(scope="session")
def engines_python() -> str:
    """A Python that has openstack-heat and cloudify-common."""
    python = os.environ.get("BPCONVERT_ENGINES_PYTHON")
    if not python:
        pytest.skip("set BPCONVERT_ENGINES_PYTHON to a Python with openstack-heat to compare with the real engine")
    return python


@pytest.fixture(scope="session")
def heat_engine() -> Path:
    """The script that runs Heat's own code on a template."""
    script = ENGINES / "heat_engine.py"
    if not script.exists():
        pytest.skip(f"{script} is not there")
    return script
