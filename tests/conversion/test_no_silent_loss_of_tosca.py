"""Nothing of a service template is lost silently: every scalar of a source, and every key that has none below it, is in
the result, a diagnostic speaks of its place, or it is one of those that mean what they became (:func:`is_meant`)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from checkout import CORPUS, REALWORLD
from losses import Haystack, at, parts, shown, texts
from tosca_policies import placed, scaled, templates

from bpconvert.api import convert
from bpconvert.translators.dialects import load
from bpconvert.translators.tosca.computed import INTERFACE, OPERATION, TYPE

pytestmark = pytest.mark.one_version


def sources() -> list[Path]:
    """The sources of the corpus, and the real ones that are there."""
    found = sorted(CORPUS.glob("tosca/*/tosca.yaml"))
    root = REALWORLD / "tosca"
    if root.is_dir():
        rows = json.loads((root / "manifest.json").read_text())["files"]
        found += [root / row["path"] for row in rows if row["role"] == "primary"]
    return found


SOURCES = sources()
#: calls whose result may be known
CALLS = {"get_property", "get_attribute"}
#: the operation of a node that computes a value
COMPUTES = ("interfaces", INTERFACE, "operations", OPERATION)
#: a size in other units
SIZE = re.compile(r"\s*[\d.]+\s*[kMGT]?i?B\s*", re.IGNORECASE)

def is_meant(data: Any, path: tuple[Any, ...], value: Any) -> bool:
    """True for a scalar that is no data: the result has what it means, in its own words."""
    if path[-1] in ("type", "required", "entry_schema") or CALLS & set(path):
        return True
    if path[-2:-1] == ("in_range",) and value == "UNBOUNDED":  # no limit
        return True
    if path[0] == "dsl_definitions":  # looked at where aliases put them
        return True
    if path[0] == "outputs" and path[2] == "value":  # computed, as far as it is known
        return True
    if path[0] == "node_types" and str(path[1]).startswith("openstack."):  # known by its name
        return True
    if path[0] == "node_templates" and path[2:3] == ("requirements",):  # references, order, attachments
        return True
    if path[2:6] == COMPUTES and data["node_templates"].get(path[1], {}).get("type", "").startswith(TYPE):
        return True  # what a program of ours computes: the engines' tests compare the values
    if path[2:3] == ("directives",) and value in ("substitute", "select"):  # nested, or BPC893; external, or BPC824
        return True
    return isinstance(value, str) and SIZE.fullmatch(value) is not None

#: entries that are said by others
OTHERWISE = {
    ("ip_version", "ipv4"): ("ip_version", "4"),
    ("ip_version", "ipv6"): ("ip_version", "6"),
    ("dhcp_enabled", "False"): ("enable_dhcp", "False"),
    ("anti_spoofing_protection", "False"): ("port_security_enabled", "False"),
    ("ether_type", "ipv4"): ("ethertype", "IPv4"),
    ("ether_type", "ipv6"): ("ethertype", "IPv6"),
}


#: entries that mean what every result means that does not have them: the defaults of their types (Simple Profile 1.3,
#: 5.5.6 and 5.9.6; Tacker's VDU)
DEFAULTS = {("dhcp_enabled", "True"), ("mgmt_driver", "noop"), ("protocol", "tcp")}


def otherwise(path: tuple[Any, ...], value: Any) -> tuple[str, str] | None:
    """The entry of a result that means the one at ``path``. Neutron counts thousands of bits a second."""
    if path[-2:] == ("max_bitrate_requirements", "leaf"):
        return "max_kbps", str(-(-value // 1000))
    return OTHERWISE.get((str(path[-1]), str(value)))


@pytest.mark.parametrize("source", SOURCES, ids=[f"{one.parent.name}/{one.name}" for one in SOURCES])
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_every_scalar_is_in_the_result_or_reported(source: Path, target: str) -> None:
    made = convert(source, "tosca", target, carry=False, allow_outside=True)
    data = load(source.read_bytes(), str(source)).data
    found = Haystack([*texts(made.document), *map(str, made.files.values())])
    whole = [made.document, *(load(text.encode(), name).data for name, text in templates(made))]
    entries = {(str(path[-1]), str(value)) for path, value, is_key in parts(whole) if not is_key}
    places = {one.path for one in made.diagnostics}
    settled = {*scaled(data, made), *placed(data, made.document)}
    missing = []
    for path, value, is_key in parts(data):
        if is_key or value is None or len(path) == 1 or is_meant(data, path, value):
            continue
        if any(path[:length] in settled for length in range(3, len(path) + 1)):
            continue
        told = any(path[:length] in places for length in range(1, len(path) + 1)) or any(
            str(value) in one.message for one in made.diagnostics if one.path[:2] == path[:2]
        )
        entry = (str(path[-1]), str(value))
        if told or entry in DEFAULTS:
            continue
        is_there = entry in entries if isinstance(value, bool) else found.has(value)
        if not is_there and otherwise(path, value) not in entries:
            missing.append(shown(path, value))
    assert not missing


def has_scalars(value: Any) -> bool:
    return any(not is_key for _, _, is_key in parts(value))


@pytest.mark.parametrize("source", SOURCES, ids=[f"{one.parent.name}/{one.name}" for one in SOURCES])
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_every_key_without_a_scalar_is_in_the_result_or_reported(source: Path, target: str) -> None:
    made = convert(source, "tosca", target, carry=False, allow_outside=True)
    data = load(source.read_bytes(), str(source)).data
    found = Haystack([*texts(made.document), *map(str, made.files.values())])
    places = {one.path for one in made.diagnostics}
    missing = []
    for path, key, is_key in parts(data):
        if not is_key or len(path) < 3 or has_scalars(at(data, path)) or found.has(str(key)):
            continue
        around = any(path[:length] in places for length in range(1, len(path) + 1))
        if not around and not any(place[: len(path)] == path for place in places):
            missing.append(shown(path, key))
    assert not missing
