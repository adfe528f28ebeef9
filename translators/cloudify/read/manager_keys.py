"""Keys that are made on the manager: which key pair of the template makes them, and what their secrets are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.cloudify.openstack import manager_keys
from bpconvert.translators.cloudify.openstack.manager_keys import KIND
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
from bpconvert.translators.cloudify.read import existing
from bpconvert.translators.cloudify.read.generated import reached

_PAIR: Final = "keypair"
#: references that only a node of its own answers
_OTHERS: Final = (ex.Property, ex.AttributeList, ex.AttributeDict)


def make_key_pairs(state: ReadNodes) -> None:
    """Let a key pair of Nova make each key: the one that takes the public key, else one of its own."""
    keys = [node for node in state.nodes.values() if node.kind == KIND]
    holders = _holders(state) if keys else {}
    for key in keys:
        _secrets(state, key, holders)
    for key in keys:
        pair = next((node for node in state.nodes.values() if _takes(state, node, key)), None)
        if pair is None:
            _alone(state, key)
        else:
            _join(state, key, pair)


def _takes(state: ReadNodes, pair: Node, key: Node) -> bool:
    """True for a key pair whose public key is that of ``key``, and that can be made in its place."""
    taken = pair.kind == _PAIR and not pair.exists and pair.properties.get("public_key") == _public(key)
    together = (pair.group, pair.limits, pair.instances) == (key.group, key.limits, key.instances)
    if not taken or not together or key.operations or existing.decided(state, state.raw[pair.name]) is not MISSING:
        return False
    if any(operation.target == key.name for node in state.nodes.values() for operation in node.operations):
        return False
    values = [list(state.topology.values()), *(list(node.values()) for node in state.nodes.values() if node is not key)]
    if any(isinstance(expr, _OTHERS) and expr.node == key.name for expr in ex.walk(values)):
        return False
    between = {*pair.awaited, *ex.named_nodes(pair.properties)} - {key.name}
    return not any(key.name in reached(state, name) for name in between) and pair.name not in reached(state, key.name)


def _public(key: Node) -> ex.Attribute:
    return ex.Attribute(key.name, "public_key")


def _join(state: ReadNodes, key: Node, pair: Node) -> None:
    """Let the key pair be the key as well."""

    def of_pair(value: Value) -> Value:
        value = ex.map_parts(value, of_pair)
        is_of_key = isinstance(value, (ex.Identity, ex.Attribute)) and value.node == key.name
        return replace(value, node=pair.name) if is_of_key and isinstance(value, (ex.Identity, ex.Attribute)) else value

    for place in (key.path, pair.origin("public_key")):
        state.report("BPC325", place, name=key.name, pair=pair.name)
    del pair.properties["public_key"]
    for wait in key.waits:
        state.wait(pair, wait.target, wait.path)
    state.remove(key.name)
    state.topology.rewrite(of_pair)
    for node in state.nodes.values():
        node.rewrite(of_pair)
        waiting, node.relationships = node.relationships, []
        for wait in waiting:
            if wait.target != key.name:
                node.relationships.append(wait)
            elif node is not pair and pair.name not in [*node.awaited, *(later.target for later in waiting)]:
                node.relationships.append(replace(wait, target=pair.name))


def _alone(state: ReadNodes, key: Node) -> None:
    """Let the key be a key pair, which has to have a name of its own."""
    key.kind = _PAIR
    state.know(key)
    name = key.properties.get("name")
    names = [node.properties.get("name") for node in state.nodes.values() if node.kind == _PAIR and node is not key]
    if name is None or name in names:
        key.properties["name"] = ex.Concat((ex.System("deployment.name"), f"-{key.name}"), path=key.path)
    state.report("BPC324", key.path, name=key.name)


def _holders(state: ReadNodes) -> dict[str | None, dict[Topology | Node, None]]:
    """What refers to secrets, by the names of these; None: by a name that is not known."""
    holders_by_name: dict[str | None, dict[Topology | Node, None]] = {}
    holders: list[Topology | Node] = [state.topology, *state.nodes.values()]
    for holder in holders:
        for expr in ex.walk(list(holder.values())):
            if isinstance(expr, ex.Secret):
                holders_by_name.setdefault(_text(state, (expr.name,)), {})[holder] = None
    return holders_by_name


def _secrets(state: ReadNodes, key: Node, holders: Mapping[str | None, Iterable[Topology | Node]]) -> None:
    """The secrets that hold the key are attributes of it."""
    names = [(parts, attribute) for parts, attribute in manager_keys.secrets(state.raw[key.name])]
    before = reached(state, key.name)

    def attribute_of_key(value: Value) -> Value:
        value = ex.map_parts(value, attribute_of_key)
        if not isinstance(value, ex.Secret) or value.keys:
            return value
        parts_of_name = manager_keys.parts_of(state.raw[key.name], value.name)
        for parts, attribute in names:
            if parts_of_name == parts:
                state.report("BPC326", value.path, name=_text(state, parts_of_name), node=key.name)
            elif _text(state, parts_of_name) == _text(state, parts) is not None:
                state.report("BPC327", value.path, name=_text(state, parts_of_name), node=key.name)
            else:
                continue
            return ex.Attribute(key.name, attribute, path=value.path)
        return value

    names_by_default = {_text(state, parts) for parts, _ in names}
    wanted = holders.keys() if None in names_by_default else {*names_by_default, None}
    concerned = {holder for text in wanted for holder in holders.get(text, ())} if names else set()
    everything: list[Topology | Node] = [state.topology, *state.nodes.values()]
    for holder in everything:
        if holder in concerned and not (isinstance(holder, Node) and holder.name in before):
            holder.rewrite(attribute_of_key)


def _text(state: ReadNodes, parts: tuple[Value, ...]) -> str | None:
    """The text that a name is by default."""
    texts = [state.by_default(part) for part in parts]
    return "".join(map(str, texts)) if all(isinstance(part, (str, int)) for part in texts) else None
