"""No result has a circle: Cloudify's parser takes minutes to find one, and Heat refuses the template.

Over the corpus, the real templates, and generated ones in which everything may wait for everything before it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from losses import sources

from bpconvert.api import Result, convert
from bpconvert.diagnostics import SourceError

pytestmark = pytest.mark.one_version

HOT, CFY = sources("hot", "hot.yaml"), sources("cfy", "blueprint.yaml")


def circle(needs: dict[str, set[str]]) -> list[str]:
    """The nodes of one circle, [] if there is none."""
    done: set[str] = set()

    def visit(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return trail[trail.index(name) :]
        if name in done or name not in needs:
            return []
        for target in sorted(needs[name]):
            found = visit(target, [*trail, name])
            if found:
                return found
        done.add(name)
        return []

    return next((found for name in needs if (found := visit(name, []))), [])


def relationships(document: Any) -> dict[str, set[str]]:
    """Node -> the targets of its relationships."""
    nodes = document.get("node_templates") or {}
    return {name: {one["target"] for one in node.get("relationships", ())} for name, node in nodes.items()}


def dependencies(document: Any) -> dict[str, set[str]]:
    """Resource -> those that it refers to or waits for."""
    resources = document.get("resources") or {}
    return {name: set(needed(data, resources)) for name, data in resources.items()}


def needed(data: Any, resources: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("get_resource", "get_attr", "depends_on"):
                named = value[:1] if key == "get_attr" else value if isinstance(value, list) else [value]
                found |= {name for name in named if isinstance(name, str) and name in resources}
            if key != "depends_on":
                found |= needed(value, resources)
    elif isinstance(data, list):
        for item in data:
            found |= needed(item, resources)
    return found


def name_of(path: Path) -> str:
    return "/".join(path.parts[-3:])


def converted(path: Path, source: str, target: str) -> Result | None:
    try:
        return convert(path, source, target, carry=False)
    except SourceError:
        return None


@pytest.mark.parametrize("path", HOT, ids=name_of)
def test_no_blueprint_has_a_circle(path: Path) -> None:
    result = converted(path, "hot", "cloudify")
    texts = [] if result is None else [result.text, *(text for name, text in result.files.items() if is_document(name))]
    found = [circle(relationships(yaml.load(text, yaml.SafeLoader))) for text in texts]
    assert [one for one in found if one] == []


@pytest.mark.parametrize("path", CFY, ids=name_of)
def test_no_template_has_a_circle(path: Path) -> None:
    result = converted(path, "cloudify", "hot")
    assert result is None or circle(dependencies(result.document)) == []


def is_document(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) and not name.endswith(".inputs.yaml")


# -- generated ------------------------------------------------------------------------------------------------

#: type -> properties that refer to others: name -> (types that it takes, shape)
TYPES: Final[dict[str, dict[str, tuple[tuple[str, ...], str]]]] = {
    "OS::Neutron::Net": {},
    "OS::Neutron::Subnet": {"network": (("OS::Neutron::Net",), "one")},
    "OS::Neutron::Router": {"external_gateway_info": (("OS::Neutron::Net",), "network")},
    "OS::Neutron::RouterInterface": {
        "router": (("OS::Neutron::Router",), "one"), "subnet": (("OS::Neutron::Subnet",), "one"),
    },
    "OS::Neutron::RouterGateway": {
        "router_id": (("OS::Neutron::Router",), "one"), "network": (("OS::Neutron::Net",), "one"),
    },
    "OS::Neutron::SecurityGroup": {},
    "OS::Neutron::Port": {
        "network": (("OS::Neutron::Net",), "one"), "security_groups": (("OS::Neutron::SecurityGroup",), "list"),
        "fixed_ips": (("OS::Neutron::Subnet",), "subnets"),
    },
    "OS::Neutron::FloatingIP": {
        "floating_network": (("OS::Neutron::Net",), "one"), "port_id": (("OS::Neutron::Port",), "one"),
    },
    "OS::Neutron::FloatingIPAssociation": {
        "floatingip_id": (("OS::Neutron::FloatingIP",), "one"), "port_id": (("OS::Neutron::Port",), "one"),
    },
    "OS::Nova::KeyPair": {},
    "OS::Nova::Server": {
        "networks": (("OS::Neutron::Port", "OS::Neutron::Net"), "networks"),
        "key_name": (("OS::Nova::KeyPair",), "one"),
        "security_groups": (("OS::Neutron::SecurityGroup",), "list"),
    },
    "OS::Cinder::Volume": {},
    "OS::Cinder::VolumeAttachment": {
        "volume_id": (("OS::Cinder::Volume",), "one"), "instance_uuid": (("OS::Nova::Server",), "one"),
    },
    "OS::Heat::RandomString": {},
    "OS::Heat::None": {"any": ((), "one")},
    "OS::Heat::ResourceGroup": {"resource_def": ((), "member")},
    "OS::Heat::SoftwareConfig": {},
    "OS::Heat::SoftwareDeployment": {
        "config": (("OS::Heat::SoftwareConfig",), "one"), "server": (("OS::Nova::Server",), "one"),
    },
}  # fmt: skip
#: what cannot be without its references
NEEDS_ALL: Final = {
    "OS::Neutron::RouterInterface", "OS::Neutron::RouterGateway", "OS::Neutron::FloatingIPAssociation",
    "OS::Cinder::VolumeAttachment", "OS::Heat::SoftwareDeployment", "OS::Neutron::Subnet", "OS::Neutron::Port",
}  # fmt: skip


@st.composite
def templates(draw: st.DrawFn) -> str:
    """A template that Heat takes: resources refer to those before them and wait for them."""
    resources: dict[str, Any] = {}
    for index in range(draw(st.integers(2, 14))):
        heat_type = draw(st.sampled_from(sorted(TYPES)))
        properties = draw_properties(draw, heat_type, resources)
        if properties is None:
            heat_type, properties = "OS::Heat::None", {}
        data: dict[str, Any] = {"type": heat_type, "properties": properties}
        waits = draw(st.lists(st.sampled_from(sorted(resources)), max_size=3, unique=True)) if resources else []
        if waits:
            data["depends_on"] = waits
        resources[f"r{index}"] = data
    order = draw(st.permutations(sorted(resources)))
    shuffled = {name: resources[name] for name in order}
    return yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": shuffled}, sort_keys=False)


def draw_properties(draw: st.DrawFn, heat_type: str, resources: dict[str, Any]) -> dict[str, Any] | None:
    """Properties with references to resources that are there; None where one that is needed is not."""
    properties: dict[str, Any] = {"group": "script", "config": "true"} if heat_type.endswith("Config") else {}
    for name, (types, shape) in TYPES[heat_type].items():
        fitting = [one for one, data in resources.items() if not types or data["type"] in types]
        if shape == "member":
            member = draw_properties(draw, "OS::Nova::Server", resources)
            properties |= {"count": 2, "resource_def": {"type": "OS::Nova::Server", "properties": member}}
        elif not fitting:
            if heat_type in NEEDS_ALL and shape == "one":
                return None
        elif heat_type in NEEDS_ALL or draw(st.booleans()):
            properties[name] = shaped(
                shape, draw(st.lists(st.sampled_from(fitting), min_size=1, max_size=3, unique=True)), resources
            )
    if heat_type == "OS::Nova::Server":
        properties |= {"flavor": "m1", "image": "linux"}
    return properties


def shaped(shape: str, names: list[str], resources: dict[str, Any]) -> Any:
    references = [{"get_resource": name} for name in names]
    if shape == "list":
        return references
    if shape == "subnets":
        return [{"subnet": reference} for reference in references]
    if shape == "network":
        return {"network": references[0]}
    if shape == "networks":
        keys = ["port" if resources[name]["type"] == "OS::Neutron::Port" else "network" for name in names]
        return [{key: reference} for key, reference in zip(keys, references, strict=True)]
    return references[0]


@given(templates())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_generated_template_becomes_a_circle(text: str) -> None:
    result = convert(text)
    assert circle(relationships(result.document)) == []
    back = convert(convert(text, carry=False).text, "cloudify", "hot", carry=False)
    assert circle(dependencies(back.document)) == []
