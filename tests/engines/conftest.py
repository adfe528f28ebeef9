"""Tests that ask the real engines: marked ``engines``, skipped without them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import cloud_oracle
import pytest
from checkout import SHARED
from cloud_cases import Json, Made, environments, ready, recorded_clouds, template_of
from corpus_cases import Case

from bpconvert.engines.client import PYTHON, Engine

ENGINES = SHARED / "engines"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the engines where there are none. Not in the fixture: of thousands of tests that skip for one
    exception of a fixture, pytest 8.0 makes its traceback longer with each."""
    if not os.environ.get(PYTHON):
        why = pytest.mark.skip(reason=f"set {PYTHON} to a Python with openstack-heat to compare with the real engine")
        for item in items:
            if "engines_python" in getattr(item, "fixturenames", ()):
                item.add_marker(why)


@pytest.fixture(scope="session")
def engines_python() -> str:
    """A Python that has openstack-heat and cloudify-common."""
    return os.environ[PYTHON]


@pytest.fixture(scope="session")
def heat_engine() -> Path:
    """The script that runs Heat's own code on a template."""
    script = ENGINES / "heat_engine.py"
    if not script.exists():
        pytest.skip(f"{script} is not there")
    return script


@pytest.fixture(scope="session")
def engines(engines_python: str) -> Iterator[Mapping[str, Engine]]:
    """Dialect -> its engine as ``verify`` asks it; the processes stay."""
    with Engine("heat", python=engines_python) as heat, Engine("cloudify", python=engines_python) as cloudify:
        yield {"hot": heat, "cloudify": cloudify}


@pytest.fixture(scope="session")
def oracle() -> tuple[ModuleType, ModuleType]:
    """What compares clouds, and the drivers' helpers."""
    try:
        return cloud_oracle.modules()
    except cloud_oracle.Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def deploys(oracle: tuple[ModuleType, ModuleType], engines_python: str) -> Iterator[cloud_oracle.Engine]:
    """The process that deploys templates with Heat."""
    found = cloud_oracle.heat(oracle[1], engines_python)
    yield found
    found.close()


@pytest.fixture(scope="session")
def made_by_heat(
    oracle: tuple[ModuleType, ModuleType], deploys: cloud_oracle.Engine, tmp_path_factory: pytest.TempPathFactory
) -> Made:
    """What Heat makes of the template of a case; each is deployed once."""
    folder = tmp_path_factory.mktemp("templates")

    @cache
    def made(case: Case) -> list[tuple[Json, Json]]:
        path = ready(case, template_of(case), folder / case.language)
        found = []
        for cloud in recorded_clouds(case):
            needs = {"exists": [], **cloud.get("before", {}), "environments": environments(case)}
            _, answer, needs = oracle[1].coaxed(
                deploys, str(path), cloud["given"], str(folder / case.id / "source"), needs
            )
            found.append((dict(answer), needs))
        return found

    return made
