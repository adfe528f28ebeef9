"""Where a value is that a call names by steps from a node (Simple Profile 1.3, 4.4.2 and 4.5.1; TOSCA 2.0, 10.2.2.1).

In 1.x a step is the name of a property, else that of a requirement (the capability is meant that fulfils it, else the
node that has that), else that of a capability. In 2.0 words tell these apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bpconvert.models.expressions import Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.tosca.functions_2_0 import CAPABILITY, RELATIONSHIP, TARGET
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement
from bpconvert.translators.tosca.read.types import CAPABILITY as CAPABILITY_TYPE
from bpconvert.translators.tosca.read.types import Types

Steps = tuple[Value, ...]


class Place(NamedTuple):
    """Where a value can be: in a capability of a node, or (None) in the node itself under the first of ``steps``."""

    node: RawNode
    capability: str | None
    steps: Steps


def places(raw: Mapping[str, RawNode], types: Types, node: RawNode, steps: Steps) -> Iterator[Place]:
    """Where what ``steps`` lead to from a node can be: the first that has it counts. Each place comes once."""
    return _places(raw, types, node, steps, set())


def _places(
    raw: Mapping[str, RawNode], types: Types, node: RawNode, steps: Steps, seen: set[tuple[str, int]]
) -> Iterator[Place]:
    """``seen``: the nodes that have been come to, each with how many steps were left."""
    if (node.name, len(steps)) in seen:
        return
    seen.add((node.name, len(steps)))
    name, *keys = steps
    if name == CAPABILITY and len(keys) > 1 and isinstance(keys[0], str):
        yield Place(node, keys[0], tuple(keys[1:]))
    elif name == RELATIONSHIP and len(keys) > 2:
        wanted, word, *steps_left = keys
        for requirement, target in _fulfilled(raw, node, wanted):
            if word == TARGET:
                yield from _places(raw, types, target, tuple(steps_left), seen)
            else:
                capability_names = capabilities(types, target, requirement.capability)
                yield from (Place(target, capability, tuple(steps_left)) for capability in capability_names)
    else:
        yield Place(node, None, steps)
        if keys and isinstance(name, str):
            for requirement, target in _fulfilled(raw, node, name):
                capability_names = capabilities(types, target, requirement.capability)
                yield from (Place(target, capability, tuple(keys)) for capability in capability_names)
                yield from _places(raw, types, target, tuple(keys), seen)
            yield Place(node, name, tuple(keys))


def plain(name: Value, keys: Steps) -> Steps:
    """The steps without the words of 2.0."""
    if name == CAPABILITY and len(keys) > 1:
        return keys
    if name == RELATIONSHIP and len(keys) > 2:
        requirement, _, *steps_left = keys
        return (requirement, *plain(steps_left[0], tuple(steps_left[1:])))
    return (name, *keys)


def capabilities(types: Types, node: RawNode, wanted: str) -> list[str]:
    """The capabilities of a node with this name or of this type; those of types that are derived from it come last."""
    full = types.normal(CAPABILITY_TYPE, wanted) if wanted else wanted
    exact = [name for name in node.capabilities if name == wanted or node.capability_types.get(name) == full]
    derived = [
        name for name, type in node.capability_types.items()
        if name in node.capabilities and full in types.ancestry(CAPABILITY_TYPE, type)
    ]  # fmt: skip
    return list(dict.fromkeys([*exact, *derived]))


def _fulfilled(raw: Mapping[str, RawNode], node: RawNode, name: Value) -> Iterator[tuple[RawRequirement, RawNode]]:
    """The requirements of this name, and the nodes that fulfil them."""
    for requirement in node.requirements:
        if requirement.name == name and requirement.target is not None:
            yield requirement, raw[requirement.target]
