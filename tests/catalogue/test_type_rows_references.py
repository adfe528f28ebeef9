"""References of the type catalogue, there and back: a lifted reference is a relationship and a reference again; an
attribute is asked of the node and of the resource again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from type_rows import (
    ELSEWHERE,
    ROW,
    Kind,
    at,
    declared,
    kinds,
    minimal,
    rows,
    template,
    to_cloudify,
    to_heat,
    value_of,
)

from bpconvert.diagnostics import Fidelity
from bpconvert.translators.catalogue.model import AttributeRule, Lift
from bpconvert.translators.catalogue.types import builtin

OTHER: Final = "other"
#: (kind, property) -> what stands beside the reference in a map
BESIDE: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("security_group", "rules"): {"remote_mode": "remote_group_id"},
}
#: (kind, target) -> what the row has for the reference to mean something
ROW_HAS: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("rbac_policy", "security_group"): {"object_type": "security_group", "action": "access_as_shared"},
}
#: (kind, target) -> what the target has: the plugin takes only an external network for a gateway
TARGET_HAS: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("router", "net"): {"value_specs": {"router:external": True}},
    ("router", "provider_net"): {"router_external": True},
}
#: (kind, attribute) -> another call, or the value itself, that means the same and comes back
SAME_VALUE: Final[dict[tuple[str, str], Any]] = {
    ("random_string", "value"): {"get_resource": ROW},
    ("value", "output"): {"get_attr": [ROW, "value"]},
    ("port", "subnets"): "10.1.0.0/16",
    ("port", "network"): {"get_attr": ["net", "name"]},
    ("volume", "volume_type"): "fast",
    ("cfn_wait_condition_handle", "endpoint"): {"get_resource": ROW},
}
#: (kind, attribute) -> the rest of get_attr, where an attribute is no plain value
STEPS: Final[dict[tuple[str, str], list[Any]]] = {
    ("server", "networks"): ["11111111-2222-4333-8444-000000000078", 0],
    ("server", "addresses"): ["11111111-2222-4333-8444-000000000078", 0, "addr"],
    ("port", "fixed_ips"): [0, "ip_address"],
    ("port", "subnets"): [0, "cidr"],
    ("port", "network"): ["name"],
}


def target_of(name: str) -> dict[str, Any]:
    """A resource of a kind."""
    kind = builtin().kind(name)
    assert kind is not None
    return {"type": kind.heat[0], "properties": minimal(kind)}


def lifts() -> Iterator[Any]:
    """(kind, property, key in it or None, rule, target kind) of every lifted reference."""
    for kind, name, rule in rows():
        for key, part in ((None, rule), *rule.each.items()):
            for target in part.lift.targets if part.lift else ():
                label = f"{kind.kind}-{name}{f'.{key}' if key else ''}-{target}"
                yield pytest.param(kind, name, key, part.lift, target, id=label)


def referring(kind: Kind, name: str, key: str | None, rule_lift: Lift) -> Any:
    """A value of the property that refers to the other resource."""
    reference: Any = {"get_resource": OTHER}
    if key is not None:
        reference = {**BESIDE.get((kind.kind, name), {}), key: reference}
    known = declared(kind, name)
    return [reference] if known["type"] == "list" else reference


@pytest.mark.parametrize(("kind", "name", "key", "lift", "target"), list(lifts()))
def test_a_reference_is_a_relationship_and_comes_back(
    kind: Kind, name: str, key: str | None, lift: Lift, target: str
) -> None:
    value = referring(kind, name, key, lift)
    other = target_of(target)
    other["properties"] |= TARGET_HAS.get((kind.kind, target), {})
    properties = {**minimal(kind, name), **ROW_HAS.get((kind.kind, target), {}), name: value}
    text = template(kind, properties, {OTHER: other})
    there = to_cloudify(text)
    nodes = there.document["node_templates"]
    found = [one for one in nodes[ROW].get("relationships", ()) if one["target"] == OTHER]
    assert [one["type"] for one in found] == [lift.relationship]
    assert lift.keep or {"get_attribute": [OTHER, "id"]} not in list(values(nodes[ROW]["properties"]))
    back = to_heat(there.text).document["resources"][ROW]
    assert at(back, ("properties", name)) == value
    assert OTHER not in back.get("depends_on", [])


def values(data: Any) -> Iterator[Any]:
    """Every part of a value."""
    yield data
    for item in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from values(item)


def attributes() -> Iterator[Any]:
    for kind in kinds():
        for name, rule in kind.attributes.items() if kind.kind not in ELSEWHERE else ():
            yield pytest.param(kind, name, rule, id=f"{kind.kind}-{name}")


#: (kind, attribute) -> what the resource needs to have it
SET_BY: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("server", "networks"): {"networks": [{"network": "11111111-2222-4333-8444-000000000078"}]},
    ("server", "addresses"): {"networks": [{"network": "11111111-2222-4333-8444-000000000078"}]},
    ("port", "subnets"): {"fixed_ips": [{"subnet": {"get_resource": OTHER}}]},
    ("port", "network"): {"network": {"get_resource": "net"}},
    ("volume", "volume_type"): {"volume_type": "fast"},
}


@pytest.mark.parametrize(("kind", "name", "rule"), list(attributes()))
def test_an_attribute_is_asked_of_the_node_and_comes_back(kind: Kind, name: str, rule: AttributeRule) -> None:
    call = {"get_attr": [ROW, name, *STEPS.get((kind.kind, name), [])]}
    properties = {**minimal(kind), **SET_BY.get((kind.kind, name), {})}
    owner = rule.reference or next((key for key, one in kind.properties.items() if one.to == rule.property), None)
    if owner is not None:
        properties.setdefault(owner, value_of(kind, owner))
    others = {OTHER: target_of("subnet"), "net": target_of("net")}
    text = template(kind, properties, others, outputs={"asked": {"value": call}})
    there = to_cloudify(text)
    said = [found for found in there.diagnostics if found.path[:1] == ("outputs",)]
    carried = [found for found in said if found.fidelity is Fidelity.CARRIED]
    assert not carried
    value = there.document["outputs"]["asked"]["value"]
    if rule.to is not None:
        assert value == {"get_attribute": [ROW, rule.to]}
    elif rule.property is not None:
        assert value == {"get_property": [ROW, *rule.property.split(".")]}
    back = to_heat(there.text).document["outputs"]["asked"]["value"]
    wanted = SAME_VALUE.get((kind.kind, name), call)
    known = rule.property or rule.reference or [one for one in said if one.fidelity > Fidelity.REWRITTEN]
    assert back == wanted or back in others_of(kind, rule) or ((kind.kind, name) not in SAME_VALUE and known)


def others_of(kind: Kind, rule: AttributeRule) -> list[Any]:
    """Calls of the attributes that the node has under the same name."""
    return [{"get_attr": [ROW, name]} for name, one in kind.attributes.items() if rule.to and one.to == rule.to]
