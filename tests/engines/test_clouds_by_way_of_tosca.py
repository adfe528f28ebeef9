"""A template and what comes back of it from a service template deploy the same cloud, without the source that is kept.

Heat's own engine deploys both into the same fake OpenStack. What compares the clouds knows no table of bpconvert, so
the reader and the writer of service templates are judged by what they do.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import cloud_oracle
import pytest
from cloud_cases import Difference, Made, differences, explained, recorded_in
from corpus_cases import HOT, TOSCA, Case, cases_of, cases_of_tosca

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Diagnostic

pytestmark = [pytest.mark.engines, pytest.mark.deploys]

Json = dict[str, Any]
_ADDRESS: Final = "OS::Neutron::FloatingIP"
_ROUTERS: Final = ("OS::Neutron::RouterInterface", "OS::Neutron::RouterGateway")
CASES = [case for case in cases_of(HOT) if recorded_in(case).exists()]


def by_way_of_tosca(case: Case, folder: Path) -> tuple[Path, list[Diagnostic]]:
    """The template that comes back, beside the files of the case, and what both conversions report."""
    there = convert(case.source, "hot", "tosca", options=case.options._replace(carry=False))
    service = written(there, folder / "there" / "service.yaml", case)
    again = convert(service, "tosca", "hot", carry=False)
    return written(again, folder / "back" / "back.yaml", case), [*there.diagnostics, *again.diagnostics]


def written(result: Result, place: Path, case: Case) -> Path:
    """The result in a folder of its own, with the files of the case that it does not bring itself."""
    place.parent.mkdir(parents=True)
    result.write(place)
    for path in case.folder.rglob("*"):
        copy = place.parent / path.relative_to(case.folder)
        if path.is_file() and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    return place


def is_made_up(line: str) -> bool:
    """True for values that Heat makes up anew for every stack: they are masked, and what is left is the same."""
    first, _, second = line.partition(": ")[2].partition("  !=  ")
    return first == second


def is_added_by_heat(difference: Difference, types: dict[str, str]) -> bool:
    """True for the waiting of a floating IP for what connects its port, which Heat adds when it creates the stack. The
    oracle asks when all is there, and Heat decides otherwise (neutron/floatingip.py, ``add_dependencies``)."""
    between = {types.get(name) for name in difference.names}
    return " does not wait for " in difference.line and _ADDRESS in between and between <= {_ADDRESS, *_ROUTERS}


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_the_same_cloud_comes_back(
    case: Case, oracle: tuple[ModuleType, ModuleType], deploys: cloud_oracle.Engine, made_by_heat: Made, tmp_path: Path
) -> None:
    """The same, but for what a finding reports."""
    compare, run = oracle
    back, reported = by_way_of_tosca(case, tmp_path)
    for first, needs in made_by_heat(case):
        second = deploys(back, first.get("inputs"), cloud={**needs, "environments": []})
        assert second.get("ok"), second.get("error")
        found = [
            one
            for one in differences(case, run, compare, (first, second))
            if not is_made_up(one.line) and not is_added_by_heat(one, first["types"])
        ]
        assert [one.line for one in found if not explained(reported, one, first["depends"])] == []


MADE = [case for case in cases_of_tosca() if case.origin == TOSCA and case.result == HOT and not case.is_mistake]
#: case -> what the cloud has against the service template itself: it has no router, a disk of size 0, invented settings
OF_THE_SOURCE: Final = {
    "floating-ip": "is not reachable from subnet",
    "floating-ip-of-a-named-port": "is not reachable from subnet",
    "inputs-of-lists-and-maps": "Unrecognized attribute(s) 'k'",
    "selected-by-its-id": "Invalid external resource",
    "server": "data.properties.size: 0 is out of range",
    "values-that-others-lose": "Unrecognized attribute(s) 'empty, none, zero'",
}


@pytest.mark.parametrize("case", MADE, ids=[case.id for case in MADE])
def test_what_a_service_template_becomes_deploys(
    case: Case, oracle: tuple[ModuleType, ModuleType], deploys: cloud_oracle.Engine, tmp_path: Path
) -> None:
    """Heat's resource plugins and the cloud take the template."""
    path = written(convert(case.source, "tosca", "hot", options=case.options), tmp_path / "made" / "hot.yaml", case)
    given = case.engines.get("given") or case.options.params or {}
    _, made, _ = oracle[1].coaxed(deploys, str(path), dict(given), str(tmp_path / "source"))
    assert made.get("ok") is (case.name not in OF_THE_SOURCE), made.get("error")
    assert OF_THE_SOURCE.get(case.name, "") in str(made.get("error"))
