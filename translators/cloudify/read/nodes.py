"""The nodes of a blueprint in neutral form.

In order: what kind each node is, generated helpers that stand for nothing (:mod:`.generated`), the properties
(:mod:`.properties`) with neutral names of attributes, the relationships (:mod:`.relationships`), and the helpers that
are part of another node (:mod:`.generated` again).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify import escaping, named_values
from bpconvert.translators.cloudify.openstack import assignments, generation2, identity, manager_keys
from bpconvert.translators.cloudify.openstack.operations import is_own, own_operations, switched_off
from bpconvert.translators.cloudify.openstack.property_paths import CONFIG, Entry, Notes, Reading, containers, read
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
from bpconvert.translators.cloudify.read import components, existing, generated, references_by_name
from bpconvert.translators.cloudify.read import manager_keys as keys
from bpconvert.translators.cloudify.read import relationships as edges
from bpconvert.translators.cloudify.read.properties import connection, convert
from bpconvert.translators.cloudify.vocabulary import shown
from bpconvert.translators.evaluate import by_default
from bpconvert.translators.passes.expressions.kinds import step_into
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.toscalike.node_templates import RawNode


def neutralise(
    topology: Topology, raw: dict[str, RawNode], catalogue: Catalogue, reporter: Reports, files: Files | None = None
) -> None:
    """Fill ``topology.nodes`` from ``raw``, and give attributes Heat's names everywhere."""
    state = ReadNodes(topology, raw, catalogue, reporter)
    state.components = components.find(state, files)
    state.runtime.nested = state.components
    state.name_groups()
    barriers = generated.barriers(state)
    notes = state.notes
    numbers = frozenset(name for name, declared in topology.inputs.items() if declared.type == "number")
    for name, node in raw.items():
        if (shows := shown(node.ancestry)) is not None:
            state.runtime.stand_ins[name] = shows
    lists = frozenset(name for name, declared in topology.inputs.items() if _is_list_of_texts(declared))
    for name, node in raw.items():
        state.nodes[name] = _node(state, node, notes, numbers, lists)
    links = {name: edges.links(node, barriers) for name, node in raw.items() if name not in barriers}
    for name in barriers:
        state.remove(name)
    references_by_name.resolve(state)
    edges.connect(state, links)
    identity.assign(state)
    assignments.read(state)
    for name, entry, row in notes.later:
        kinds_made = {state.kind_of(name_made) for name_made in state.made.get(name, ())}
        if row.unread is not None and state.is_read(name, row.unread, entry.value):
            type = raw[name].type
            reporter.report("BPC352", entry.place, name=entry.place[-1], type=type, why=row.why)
        elif row.unread is not None or (row.said_by not in kinds_made and name not in state.devices):
            reporter.report("BPC351", entry.place, name=entry.place[-1], why=row.why)
    _attributes(state)
    keys.make_key_pairs(state)
    _private_keys(state)
    named_values.refer(state)
    generated.fold(state)
    edges.groups_of_ports(state)
    existing.otherwise(state, lambda other, nodes, silent: neutralise(other, nodes, catalogue, silent, files))
    existing.separate(state, lambda silent, node: _node(silent, node, silent.notes, numbers, lists))
    references_by_name.report_names(state)
    topology.nodes.update(_ordered(state))


def _is_list_of_texts(declared: Input) -> bool:
    default = declared.default
    texts = isinstance(default, list) and bool(default) and all(isinstance(item, str) for item in default)
    return declared.type == "list" or texts


def _node(state: ReadNodes, raw: RawNode, notes: Notes, numbers: frozenset[str], lists: frozenset[str]) -> Node:
    """One node without its relationships."""
    kind, runtime = state.kinds.get(raw.name), state.runtime
    node = Node(raw.name, raw.type, kind.kind if kind is not None else None, ancestry=raw.ancestry, path=raw.path)
    properties, declared = runtime.value(raw.properties), runtime.value(raw.declared or raw.properties)
    node.declared, node.is_open = declared, raw.is_open
    node.instances = runtime.value(raw.instances)
    node.limits, node.group = raw.limits, raw.group
    if raw.counted:
        node.origins["instances",] = raw.counted
    node.operations = [replace(operation, inputs=runtime.value(operation.inputs)) for operation in raw.operations]
    if raw.name in runtime.stand_ins:
        shows = node.shows = runtime.stand_ins[raw.name]
        node.properties = {**properties, shows.properties: escaping.opened(properties.get(shows.properties, {}))}
    elif raw.name in state.components:
        components.read(state, node, raw, properties)
    elif kind is None:
        node.properties = _without_connection(state, raw, properties, (*raw.path, "properties"))
        for operation in node.operations:
            if isinstance(operation.inputs, dict):
                operation.inputs = _without_connection(state, raw, operation.inputs, (*operation.path, "inputs"))
    else:
        wrapper, rename = generation2.names(kind, state.mapped[raw.name])
        own = _followed(state, properties, own=True)
        is_whole = any(rule.to == CONFIG for rule in kind.properties.values())  # one property is all of it
        parts = _opened(state, (*raw.path, "properties"), own, (None if is_whole else CONFIG, wrapper), wrapper)
        written = read(raw.path, own | parts, _followed(state, declared) | parts, wrapper, rename, containers(kind))
        if existing.decided(state, raw) is not MISSING and not raw.is_scaled:
            written.take(f"{CONFIG}.id")  # of the one that exists
        reading = Reading(node, kind, written, state.catalogue, state.reporter, notes)
        reading.exact = raw.type == state.mapped[raw.name]
        reading.numbers, reading.lists = numbers, lists
        reading.groups = state.groups
        for operation in node.operations:
            if is_own(operation) and operation.name == "create":
                keys = (CONFIG, "args" if wrapper else None)
                operation.inputs |= _opened(state, (*operation.path, "inputs"), operation.inputs, keys, wrapper)
        own_operations(reading)
        switched_off(reading, raw.emptied)
        if kind.kind == manager_keys.KIND:
            manager_keys.normalise(written)
        if written.old:
            generation2.normalise(written, kind)
        reading.kind = state.kinds[raw.name] = _provider(state, reading)
        node.kind = reading.kind.kind
        convert(reading)
        _report_empty_name(state, node, reading)
    return node


def _report_empty_name(state: ReadNodes, node: Node, reading: Reading) -> None:
    """Report a name that is empty by default: the plugin makes one up, and Heat gives Neutron the empty one."""
    name, rule = node.value_of("name"), reading.kind.properties.get("name")
    if rule is None or rule.hook != "neutron_name" or reading.written.old or not isinstance(name, ex.Expr):
        return
    if by_default(name, state.topology) == "":
        state.report("BPC754", node.origin("name"), name=node.name)


#: node types of the OpenStack plugin
_OPENSTACK = ("cloudify.nodes.openstack.", generation2.PREFIX)


def _without_connection(state: ReadNodes, raw: RawNode, values: dict[str, Value], place: Path) -> dict[str, Value]:
    """The properties, or inputs of an operation, of a node that is no resource in Heat; without credentials."""
    if not any(name.startswith(_OPENSTACK) for name in raw.ancestry):
        return values
    left = dict(values)
    for key in ("client_config", "openstack_config"):
        if key in left:
            entry = Entry(left.pop(key), (*place, key))
            followed = _followed(state, {key: entry.value}, own=True)[key]
            connection(Entry(followed, entry.place), state.notes, state.reporter)
    return left


def _followed(state: ReadNodes, properties: dict[str, Value], own: bool = False) -> dict[str, Value]:
    """Maps and lists that are properties of a node, of this one or another, are known. ``own``: without defaults."""
    result = {}
    for key, value in properties.items():
        followed: Value = value
        for _ in range(8):
            if not isinstance(followed, ex.Property) or not isinstance(followed.node, str):
                break
            holder = state.raw.get(followed.node)
            keys = (followed.name, *followed.keys)
            followed = MISSING if holder is None or not own else step_into(holder.properties, keys)
            if followed is MISSING and holder is not None:
                followed = step_into(holder.declared, keys)
        is_followed = followed is not value and isinstance(followed, (dict, list))
        result[key] = state.value(followed) if is_followed else value
    return result


def _opened(
    state: ReadNodes, place: Path, own: dict[str, Value], keys: tuple[str | None, ...], wrapper: str | None
) -> dict[str, Value]:
    """The settings under ``keys`` of the map at ``place`` that are an input, taken apart as its default is."""
    opened: dict[str, Value] = {}
    for key in keys:
        value = own.get(key) if key else None
        if not key or not isinstance(value, ex.Input) or not isinstance(value.name, str) or value.keys:
            continue
        declared = state.topology.inputs.get(value.name)
        if declared is not None and isinstance(declared.default, dict) and declared.default:
            opened[key] = _parts(value, declared.default, ("kwargs", wrapper))
            _name_parts(declared, opened[key])
            state.report("BPC389", (*place, key), name=key, input=value.name)
    return opened


def _name_parts(declared: Input, parts: Mapping[Any, Value]) -> None:
    """Let the description of an input of which ``parts`` are used name them, for who gives it a value."""
    inner = {key: part if isinstance(part, dict) else None for key, part in parts.items()}
    names = [f"{key}.{name}" if rows else str(key) for key, rows in inner.items() for name in rows or (key,)]
    note = f"Parts: {', '.join(names)}"
    if note not in (declared.description or ""):
        declared.description = " ".join(filter(None, (declared.description, note)))


def _parts(call: ex.Input, default: dict[Any, Value], inside: tuple[str | None, ...]) -> dict[Any, Value]:
    parts: dict[Any, Value] = {}
    for key, value in default.items():
        part = replace(call, keys=(*call.keys, key))
        parts[key] = _parts(part, value, inside) if key in inside and isinstance(value, dict) else part
    return parts


def _provider(state: ReadNodes, reading: Reading) -> Kind:
    """A network of a provider has a type of its own in Heat, where that has all of its settings."""
    if reading.kind.kind != "net" or reading.written.external:
        return reading.kind
    provider = state.catalogue.kind("provider_net")
    own = [path for path, entry in reading.written.entries.items() if entry.own and path.startswith(f"{CONFIG}.")]
    names = {path.rsplit(".", 1)[-1] for path in own}
    if provider is None or "provider:network_type" not in names or reading.written.settings:
        return reading.kind
    names_known = {(rule.to or "").rsplit(".", 1)[-1] for rule in provider.properties.values()}
    return provider if names <= names_known else reading.kind


def _attributes(state: ReadNodes) -> None:
    """Heat's names of attributes in what does not belong to a node."""
    topology, value = state.topology, state.value
    for declared in topology.inputs.values():
        if declared.default is not MISSING:
            declared.default = value(declared.default)
    for output in topology.published:
        output.value = value(output.value)
    topology.conditions.update({name: value(condition) for name, condition in topology.conditions.items()})


def _private_keys(state: ReadNodes) -> None:
    """Heat keeps the private key of a key pair only when asked to, the plugin always."""
    for node in state.nodes.values():
        if node.kind != "keypair" or "save_private_key" in node.properties:
            continue
        if not node.exists and node.properties.get("public_key") is None:
            node.properties["save_private_key"] = True
            state.report("BPC364", node.path, name=node.name)


def _ordered(state: ReadNodes) -> dict[str, Node]:
    """The nodes as in the blueprint, each followed by those that its relationships became."""
    result: dict[str, Node] = {}
    for name in state.raw:
        for each in (name, *state.made.get(name, ())):
            if each in state.nodes:
                result[each] = state.nodes[each]
    return result
