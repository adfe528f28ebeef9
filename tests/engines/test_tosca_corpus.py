"""The engines of TOSCA accept what the corpus expects of conversions to TOSCA."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from corpus_cases import TOSCA, Case, cases_of_tosca
from tosca_runs import answers, tosca_python

from bpconvert.api import convert
from bpconvert.translators.tosca.profile import NAME, text

pytestmark = pytest.mark.engines

TWO = ("tosca-parser", "opera")
#: inputs whose default is a map with entries of different types: tosca-parser takes no data type for an input, puccini
#: no map, and no list, without one type of entries
MIXED = {"parts-of-parameters", "defaults-of-different-types"}


def test_engines_accept_every_result(tmp_path: Path) -> None:
    """All three accept results of 1.3, puccini those of 2.0, which the others do not know."""
    results, second = [], []
    for case in cases_of_tosca():
        if case.result == TOSCA and case.target.exists():
            is_second = case.options.tosca_version == "2.0"
            has_files = is_second or case.files.is_dir()
            (second if is_second else results).append(_with_files(case, tmp_path) if has_files else case.target)
    assert refused(results, TWO) == []
    wrong = refused([*results, *second], ["puccini"])
    assert [row for row in wrong if row.partition(":")[0] not in MIXED] == []
    assert {row.partition(":")[0] for row in wrong} == MIXED
    assert len(results) > 30
    assert second


def test_two_engines_accept_every_result_that_imports_the_profile(tmp_path: Path) -> None:
    results = []
    for case in cases_of_tosca():
        if case.result == TOSCA and case.target.exists() and case.options.tosca_version != "2.0":
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


#: what hosts software, or nothing does
HOSTS = {
    "none": "",
    "vm": "  vm: {type: cloudify.nodes.openstack.Server, properties: {resource_config: {}}}",
    "named": "  named: {type: cloudify.nodes.openstack.Server,"
    " properties: {use_external_resource: true, resource_config: {name: old}}}",
    "given": "  given: {type: cloudify.nodes.Compute, properties: {ip: 10.0.0.4}}",
    "stranger": "  stranger: {type: my.Stranger}",
}
#: kinds of software, each inside of the one before
SOFTWARE = (
    "cloudify.nodes.SoftwareComponent",
    "cloudify.nodes.WebServer",
    "cloudify.nodes.ApplicationModule",
    "cloudify.nodes.DBMS",
    "cloudify.nodes.Database",
    "cloudify.nodes.ApplicationServer",
    "my.Named",
)
TYPES = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_types:
  my.Stranger: {derived_from: cloudify.nodes.Root}
  my.Named: {derived_from: cloudify.nodes.Database, properties: {name: {default: shop}}}
node_templates:
"""


@pytest.mark.parametrize("host", HOSTS)
def test_engines_accept_software_on_every_kind_of_host(tmp_path: Path, host: str) -> None:
    """Each kind of software on the host, and each on each on the host: the standard wants certain hosts of some."""
    results = []
    for pair in product(SOFTWARE, repeat=2):
        place = tmp_path / "-".join((host, *pair)) / "service.yaml"
        place.parent.mkdir()
        place.with_name("run.sh").write_text("#!/bin/sh\n")
        nodes, below = HOSTS[host], host if HOSTS[host] else None
        for number, kind in enumerate(pair):
            inside = f", relationships: [{{type: cloudify.relationships.contained_in, target: {below}}}]"
            below, where = f"n{number}", inside if below else ""
            run = "interfaces: {cloudify.interfaces.lifecycle: {create: run.sh}}"
            nodes += f"\n  {below}: {{type: {kind}, {run}{where}}}"
        place.with_name("b.yaml").write_text(f"{TYPES}{nodes}\n")
        convert(place.with_name("b.yaml"), "cloudify", "tosca").write(place)
        results.append(place)
    assert refused(results) == []
    assert refused(results, ["puccini"]) == []


def _with_files(case: Case, folder: Path) -> Path:
    """The result of a case with its files, which the corpus keeps apart."""
    place = folder / case.name / "service.yaml"
    place.parent.mkdir()
    convert(case.source, case.dialect, "tosca", options=case.options).write(place)
    return place


def refused(results: list[Path], engines: Sequence[str] = TWO) -> list[str]:
    """The results that one of the engines refuses, and why."""
    more: dict[str, Any] = {"engines": list(engines), "fake_inputs": True}
    if engines == TWO:
        more["fake_attrs"] = True  # for puccini, a copy would be judged, with texts that YAML 1.2 reads as numbers
    found = answers(tosca_python(), [{"file": str(path), **more, "accept_only": True} for path in results])
    return [
        f"{path.parent.name}: {engine}: {answer['errors']}"
        for path, engines in zip(results, found, strict=True)
        for engine, answer in engines.items()
        if not answer["accepted"]
    ]
