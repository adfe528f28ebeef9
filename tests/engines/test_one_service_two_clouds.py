"""A service template as a template and as a blueprint: both deploy the same cloud, or a finding says what differs.

Heat's engine deploys the one, Cloudify's with the real OpenStack plugin the other, into the same fake OpenStack, with
the same values. It needs what recording clouds needs: BPCONVERT_CLOUDIFY_PYTHON, and BPCONVERT_PLUGINS with the
checkouts of the OpenStack plugin and of the utilities plugin."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import cloud_oracle
import pytest
from cloud_cases import explained, of_row, tells
from corpus_cases import CORPUS

from bpconvert import convert
from bpconvert.diagnostics import Diagnostic

pytestmark = [pytest.mark.engines, pytest.mark.deploys]

Json = dict[str, Any]
FLAVORS: Final = {"m1.small": {"cpus": 64, "ram": 999999, "disk": 9999, "default": True}}
IMAGES: Final[Json] = {"debian": {"default": True}}
SOURCES: Final = [
    one.parent.name
    for one in sorted((CORPUS / "tosca").glob("*/tosca.yaml"))
    if one.with_name("hot.yaml").exists() and not one.with_name("options.json").exists()
]
#: the number of a member in what the oracle calls it
_NUMBER: Final = re.compile(r"(?<=/)\d+(?=/|>|$)")


@pytest.fixture(scope="module")
def plugin(oracle: tuple[ModuleType, ModuleType]) -> Iterator[cloud_oracle.Engine]:
    """The process that deploys blueprints with the plugin."""
    python, folders = os.environ.get("BPCONVERT_CLOUDIFY_PYTHON", ""), os.environ.get("BPCONVERT_PLUGINS", "")
    paths = [Path(one) for one in folders.split(os.pathsep) if one]
    if not paths or not (paths[0] / "openstack_plugin").is_dir() or not cloud_oracle.can(python, "dsl_parser"):
        pytest.skip("set BPCONVERT_CLOUDIFY_PYTHON and BPCONVERT_PLUGINS to deploy blueprints with the real plugin")
    found = cloud_oracle.cloudify(oracle[1], python, paths[0], paths[1:])
    yield found
    found.close()


def made(source: Path, target: str, folder: Path) -> tuple[Path, list[Diagnostic]]:
    """The result in a folder of its own, and what is reported."""
    tables = {"flavors": FLAVORS, "images": IMAGES, "public_network": "ext"}
    found = convert(source, "tosca", target, carry=False, **tables)
    place = folder / target / ("hot.yaml" if target == "hot" else "blueprint.yaml")
    place.parent.mkdir(parents=True)
    found.write(place)
    return place, found.diagnostics


def is_told(reported: list[Diagnostic], compare: ModuleType, run: ModuleType, row: Json, depends: Json) -> bool:
    """True where a finding of one of the two conversions is about what differs, or about what that needs."""
    return explained(reported, of_row(row, compare, run), depends) is not None


def without_permutations(rows: list[Json]) -> list[Json]:
    """``rows`` without those that say only that members which are alike were matched in another order: the values of an
    attribute of all of them are the same ones."""
    groups: dict[Any, list[Json]] = {}
    for row in rows:
        groups.setdefault((row["kind"], row.get("attribute"), _NUMBER.sub("*", str(row["entity"]))), []).append(row)
    left = []
    for group in groups.values():
        values = [Counter(str(row.get(side)) for row in group) for side in ("a", "b")]
        members = all(_NUMBER.search(str(row.get("a"))) for row in group)
        left += [] if len(group) > 1 and members and values[0] == values[1] else group
    return left


@pytest.mark.parametrize("name", SOURCES)
def test_both_make_the_same_cloud(
    name: str,
    oracle: tuple[ModuleType, ModuleType],
    deploys: cloud_oracle.Engine,
    plugin: cloud_oracle.Engine,
    tmp_path: Path,
) -> None:
    compare, run = oracle
    source = CORPUS / "tosca" / name / "tosca.yaml"
    template, first = made(source, "hot", tmp_path)
    blueprint, second = made(source, "cloudify", tmp_path)
    reported = [*first, *second]
    _, heat, needs = run.coaxed(deploys, str(template), {}, str(tmp_path / "source"))
    if not heat.get("ok"):
        pytest.skip(f"Heat does not deploy it: {str(heat.get('error'))[:200]}")
    cloudify = plugin(blueprint, heat.get("inputs"), cloud=needs)
    if not cloudify.get("ok"):
        assert [one for one in reported if tells(one)], cloudify.get("error")
        pytest.skip(f"Cloudify does not deploy it, with findings: {str(cloudify.get('error'))[:200]}")
    compared = compare.compare(heat, cloudify)
    assert compared["verdict"] != "unusable", compared["why"]
    rows = without_permutations(compared["differences"])
    silent = [compare.shown(row) for row in rows if not is_told(reported, compare, run, row, heat["depends"])]
    assert silent == []
