"""Base templates for Tacker: Heat takes them with the one parameter that Tacker gives, and computes what it computes of
the plain conversion.

The parameter is made as Tacker's user data make it (VNF LCM API v2): of every ``get_param`` with at least four parts in
the resources of the top template the parts that it knows are filled in, and ``additionalParams`` are merged into it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from corpus_cases import CORPUS
from corpus_runs import heat_command
from engine_processes import ask

from bpconvert import convert

pytestmark = pytest.mark.engines

CASE: Final = CORPUS / "tosca" / "base-template-for-tacker"
#: what Tacker knows, by the last step that is a text
KNOWN: Final = {"computeFlavourId": "flavor", "vcImageId": "image", "network": "network"}
LABEL: Final = "a label"
#: types that one conversion has and the other has not: Tacker gives a flavor by its name
ONE_SIDED: Final = ("OS::Nova::Flavor", "OS::Heat::None")


def parts(value: Any) -> Iterator[list[Any]]:
    """The arguments of ``get_param`` that Tacker looks at."""
    for key, item in value.items() if isinstance(value, dict) else ():
        if key == "get_param" and isinstance(item, list) and len(item) >= 4 and item[0] == "nfv":
            yield item[1:]
        yield from parts(item)
    for item in value if isinstance(value, list) else ():
        yield from parts(item)


def given(template: dict[str, Any], numbers: int = 1) -> dict[str, Any]:
    """The parameter for a base template, filled in as Tacker does."""
    found: dict[str, Any] = {}
    for kind, name, *steps in parts([one.get("properties") for one in template["resources"].values()]):
        inside = found.setdefault(kind, {}).setdefault(name, {})
        if steps[0] == "fixed_ips":
            rows = inside.setdefault("fixed_ips", [])
            rows += [{"ip_address": f"192.0.2.{len(rows) + 1}"}] * (steps[1] >= len(rows))
        elif steps == ["desired_capacity"]:
            inside[steps[0]] = numbers
        else:
            inside[steps[0]] = f"{KNOWN[steps[0]]} of {name}"
    return found


class Heat:
    """What Heat computes of templates and of those that their groups nest."""

    def __init__(self, python: str, engines: Path) -> None:
        self.command = heat_command(python, engines)

    def resources(self, template: Path, parameters: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """The properties of each resource, by its type and name; those of a member beside its group."""
        folder = str(template.parent)
        request = {"template": str(template), "files_root": folder, "params": parameters, "strict_types": True}
        (answer,) = ask(self.command, [request])
        assert answer["ok"], (template, answer)
        assert answer["errors"] == [], (template, answer["errors"])
        found = {}
        for name, one in answer["resources"].items():
            properties = dict(one["properties"] or {})
            member = properties.pop("resource", properties.pop("resource_def", None))
            found[name] = {"type": one["type"], **properties}
            if member is not None and member["type"].endswith(".yaml"):
                found |= self.resources(template.parent / member["type"], member.get("properties") or {})
        return found


@pytest.fixture(scope="module")
def heat(engines_python: str, heat_engine: Path) -> Heat:
    return Heat(engines_python, heat_engine.parent)


def converted(folder: Path, source: Path, orchestrator: str | None) -> Path:
    made = convert(source, "tosca", "hot", carry=False, orchestrator=orchestrator)
    place = folder / (orchestrator or "plain") / "top.yaml"
    place.parent.mkdir(parents=True)
    made.write(place)
    return place


def test_the_values_are_those_of_the_plain_conversion(heat: Heat, tmp_path: Path) -> None:
    base = converted(tmp_path, CASE / "tosca.yaml", "tacker")
    nfv = {**given(yaml.safe_load(base.read_bytes())), "inputs": {"label": LABEL}}
    assert nfv["CP"]["front_outside"]["fixed_ips"] == [{"ip_address": "192.0.2.1"}, {"ip_address": "192.0.2.2"}]
    by_tacker = heat.resources(base, {"nfv": nfv})

    plain = converted(tmp_path, CASE / "tosca.yaml", None)
    names = yaml.safe_load(plain.read_bytes())["parameters"]
    values = {
        f"{name}_{word}": row[key]
        for kind in nfv.values()
        for name, row in kind.items()
        if isinstance(row, dict)
        for key, word in KNOWN.items()
        if key in row and f"{name}_{word}" in names
    }
    assert len(values) == 4
    others = {"label": LABEL, "descriptor_id": "an id"}
    by_hand = heat.resources(plain, {**values, **others})

    addresses = by_tacker["front_outside"].pop("fixed_ips")
    assert addresses == nfv["CP"]["front_outside"]["fixed_ips"]
    for name in ("worker", "front"):
        assert by_tacker[name].pop("flavor") == f"flavor of {name}"
        by_hand[name].pop("flavor")
    assert _alike(by_tacker) == _alike(by_hand)


def _alike(resources: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The resources without those of one side, and the group by the word for what is in it."""
    found = {name: dict(one) for name, one in resources.items() if one["type"] not in ONE_SIDED}
    for name in [name for name, one in found.items() if one["type"] == "OS::Heat::AutoScalingGroup"]:
        found["group"] = found.pop(name)
        for one in found.values():
            one |= {key: "group" for key, value in one.items() if value == f"{name}-id"}
    return found


def test_a_group_has_the_number_that_tacker_gives(heat: Heat, tmp_path: Path) -> None:
    base = converted(tmp_path, CASE / "tosca.yaml", "tacker")
    nfv = given(yaml.safe_load(base.read_bytes()), numbers=3)
    found = heat.resources(base, {"nfv": {**nfv, "inputs": {"label": LABEL}}})
    assert found["worker_group"]["desired_capacity"] == 3


DESCRIPTORS: Final = [
    one.parent.name
    for one in sorted((CORPUS / "tosca").glob("*/tosca.yaml"))
    if "tosca.nodes.nfv.Vdu.Compute" in one.read_text("utf-8") and one.with_name("hot.yaml").exists()
]


@pytest.mark.parametrize("case", DESCRIPTORS)
def test_heat_takes_every_descriptor_of_the_corpus(case: str, heat: Heat, tmp_path: Path) -> None:
    source = CORPUS / "tosca" / case / "tosca.yaml"
    base = converted(tmp_path, source, "tacker")
    template = yaml.safe_load(base.read_bytes())
    nfv = given(template)
    assert nfv["VDU"]
    assert {name for name, row in template["parameters"].items() if "default" not in row} == {"nfv"}
    assert heat.resources(base, {"nfv": {**nfv, "inputs": {"label": LABEL}}})
