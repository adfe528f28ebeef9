"""heat-translator's samples: of what their expected templates have, ours have everything, or are right without it.

The values that the sample's own test gives are defaults there and decided here. Flavors and images are those of
heat-translator's tables. A value counts as there where it stands in a property of any resource."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from checkout import REALWORLD, ROOT
from engine_processes import answers
from tosca_runs import tosca_python

from bpconvert.api import convert

pytestmark = pytest.mark.engines

PAIRS: Final = REALWORLD / "heat_translator_pairs"
#: the page that has the differences
PAGE: Final = ROOT / "docs" / "proof.md"
#: (type of a resource, property) -> how many expected values ours do not have
MISSING: Final = {
    ("OS::Nova::Server", "user_data_format"): 30,
    ("OS::Nova::Server", "key_name"): 1,
    ("OS::Neutron::Subnet", "ip_version"): 6,
    ("OS::Cinder::VolumeAttachment", "mountpoint"): 11,
    ("OS::Swift::Container", "X-Container-Read"): 1,
    ("OS::Neutron::QoSBandwidthLimitRule", "max_kbps"): 3,
    ("OS::Nova::ServerGroup", "name"): 2,
    ("OS::Heat::AutoScalingGroup", "resource"): 2,
}
#: type of expected resources -> how many of them ours do not have
FEWER: Final = {
    "OS::Heat::SoftwareDeploymentGroup": 3,
    "OS::Neutron::Net": 1,
    "OS::Nova::ServerGroup": 1,
    "OS::Aodh::EventAlarm": 3,
}
#: pairs whose expected template Heat takes, and those of them without a difference
COUNTED: Final = (59, 27)
TABLES: Final = """
import json
from translator.common.flavors import PREDEF_FLAVORS
from translator.common.images import PREDEF_IMAGES
print(json.dumps([PREDEF_FLAVORS, PREDEF_IMAGES]))
"""


def options() -> dict[str, Any]:
    """The flavors and images that heat-translator knows."""
    done = subprocess.run([tosca_python(), "-c", TABLES], capture_output=True, check=True, text=True)
    flavors, images = json.loads(done.stdout.splitlines()[-1])
    return {
        "flavors": {
            name: {"cpus": row["num_cpus"], "ram": row["mem_size"], "disk": row["disk_size"]}
            for name, row in flavors.items()
        },
        "images": {
            name: {"architecture": row["architecture"], "type": row["os_type"], "distribution": row["os_distro"],
                   "version": row["os_version"]}
            for name, row in images.items()
        },
    }  # fmt: skip


def request(path: Path) -> dict[str, Any]:
    return {"template": str(path), "files_root": str(path.parent), "fake_params": True, "fake_attrs": False,
            "stub_files": True, "strict_types": False}  # fmt: skip


def scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from scalars(item)
    elif value not in (None, ""):
        yield value if isinstance(value, str) else json.dumps(value)


@pytest.fixture(scope="module")
def asked(engines_python: str, heat_engine: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """(sample, what Heat makes of the expected template, what it makes of ours)"""
    if not PAIRS.is_dir():
        pytest.skip("the samples are not there")
    rows = [row for row in json.loads((PAIRS / "pairs.json").read_text())["pairs"] if row["tosca"].endswith(".yaml")]
    folder, known = tmp_path_factory.mktemp("pairs"), options()
    requests = []
    for number, row in enumerate(rows):
        source, given = PAIRS / row["tosca"], row["params"]
        made = convert(source, "tosca", "hot", carry=False, allow_outside=True, params=given, **known)
        place = folder / str(number) / "hot.yaml"
        place.parent.mkdir()
        made.write(place)
        requests += [request(PAIRS / row["expected"][0]), request(place)]
    found = answers([engines_python, str(heat_engine), "--batch"], requests)
    return [(row["tosca"], *found[2 * number : 2 * number + 2]) for number, row in enumerate(rows)]


def test_every_difference_is_one_that_is_known(asked: list[Any]) -> None:
    missing: Counter[tuple[str, str]] = Counter()
    fewer: Counter[str] = Counter()
    compared = equal = 0
    for sample, theirs, ours in asked:
        if not theirs.get("ok"):
            continue
        assert ours.get("ok"), f"{sample}: {ours.get('error')}"
        wanted, made = (list(one["resources"].values()) for one in (theirs, ours))
        lost = Counter(row["type"] for row in wanted) - Counter(row["type"] for row in made)
        have = {value for row in made for value in scalars(row.get("properties"))}
        values = [
            (row["type"], name)
            for row in wanted
            if row["type"] not in lost
            for name, value in (row.get("properties") or {}).items()
            for item in scalars(value)
            if "-id" not in item and item not in have
        ]
        compared, equal = compared + 1, equal + (not lost and not values)
        missing.update(values)
        fewer.update(lost)
    assert (dict(missing), dict(fewer), (compared, equal)) == (MISSING, FEWER, COUNTED)


def test_the_page_has_the_differences() -> None:
    text = PAGE.read_text("utf-8")
    section = text[text.index("## Samples of heat-translator") :]
    rows = re.findall(r"^\| `([^`]+)`(?: `([^`]+)`)? \| (\d+) \|", section, re.MULTILINE)
    wanted = {**MISSING, **{(name, ""): count for name, count in FEWER.items()}}
    assert {(type_, name): int(count) for type_, name, count in rows} == wanted
    assert f"{COUNTED[1]} of {COUNTED[0]}" in section

