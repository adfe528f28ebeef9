"""What ``coverage.py`` counts in a Cloudify blueprint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from measured import Converted, Place, Table, calls, existing, lost, refused, words
from type_map import COMPONENT, CONNECTION, SOFTWARE, Entry, TypeMap

from bpconvert import Fidelity
from bpconvert.translators.catalogue import schemas

WHAT: Final = ("nodes", "properties", "get_attribute", "relationships")
_STAND_IN: Final = "OS::Heat::None"
#: the node is a stand-in, but nothing is lost: its deployments do its work, or it does nothing in Cloudify either
_NO_LOSS: Final = {"BPC398"}
#: an attribute of a stand-in, null
_NULL: Final = ("BPC240",)
_NAMES: Final = ("get_attr", "get_resource")
#: what exists already and has no resource of its own
_IN_PLACE: Final = {"BPC383"}
_SCRIPTS: Final = (".sh", ".py", ".ps1", ".bash")


class Nodes:
    """The node templates of a blueprint, and the entries of the map for them."""

    def __init__(self, converted: Converted, types: TypeMap) -> None:
        data = converted.source.data
        nodes = data.get("node_templates")
        self.nodes = (
            {str(name): node for name, node in nodes.items() if isinstance(node, dict)}
            if isinstance(nodes, dict)
            else {}
        )
        declared = data.get("node_types")
        self.declared = declared if isinstance(declared, dict) else {}
        self.types = types
        self.folder = converted.source.name.rsplit("/", 1)[0]

    def entry(self, name: str) -> Entry | None:
        """What the map has for a node; None where it has nothing."""
        return self.types.node_entry(self.ancestry(name)) if name in self.nodes else None

    def excuse(self, name: str) -> str:
        """Why the map itself leaves a node to the stand-in though its type has an entry (the ``rule`` of software and
        of components); "" where it does not. What counts is in the blueprint, not in its conversion."""
        entry = self.entry(name)
        if entry is not None and entry.id == SOFTWARE:
            if not self.runs_scripts(name):
                return "the map: no operation of the node is a script"
            return "" if self.is_hosted(name) else "the map: the node is in no server of the blueprint"
        if entry is not None and entry.id == COMPONENT:
            return "" if self.is_local(name) else "the map: the component's blueprint is not there"
        return ""

    def is_local(self, name: str) -> bool:
        """True for a component whose blueprint is a file beside this one."""
        found = self.nodes[name].get("properties")
        for key in ("resource_config", "blueprint"):
            found = found.get(key) if isinstance(found, dict) else None
        if not isinstance(found, dict) or found.get("external_resource") is True or found.get("blueprint_archive"):
            return False
        return (Path(self.folder) / str(found.get("main_file_name"))).is_file()

    def ancestry(self, name: str) -> list[str]:
        """The type of a node, and its parents as far as the blueprint itself says."""
        found = [str(self.nodes[name].get("type"))]
        while found[-1] in self.declared and isinstance(self.declared[found[-1]], dict) and len(found) < 50:
            found.append(str(self.declared[found[-1]].get("derived_from")))
        return found

    def runs_scripts(self, name: str) -> bool:
        """True for a node with an operation that is a script."""
        interfaces = self.nodes[name].get("interfaces")
        return any(text.endswith(_SCRIPTS) for text in _implementations(interfaces))

    def is_hosted(self, name: str) -> bool:
        """True for a node in a server of the blueprint."""
        for _ in self.nodes:
            inside = [one for one in _relationships(self.nodes[name]) if "contained_in" in str(one.get("type"))]
            name = str(inside[0].get("target")) if inside else ""
            if name not in self.nodes:
                return False
            entry = self.types.node_entry(self.ancestry(name))
            if entry is not None and entry.id in ("server", "cfy_compute"):
                return True
        return False


def count(converted: Converted, types: TypeMap, table: Table) -> None:
    """Count all uses of one blueprint."""
    nodes = Nodes(converted, types)
    for name, node in nodes.nodes.items():
        path: Place = ("node_templates", name)
        entry, kind = nodes.entry(name), str(node.get("type"))
        if entry is None or not entry.counts:
            table.apart["; ".join(map(words, converted.at(path))) or f"{kind}: nothing is said of it"] += 1
            continue
        cause = _node(converted, path)
        table.count(kind, "nodes", cause, converted.where(path), nodes.excuse(name))
        _properties(converted, nodes, table, entry, name, cause)
        for index, relationship in enumerate(_relationships(node)):
            _relationship(converted, nodes, table, name, str(relationship.get("target")), index)
    for section, least in (("node_templates", 4), ("outputs", 3), ("capabilities", 3)):
        data = converted.source.data.get(section)
        for place, argument in calls(data, ("get_attribute",), (section,)):
            _attribute(converted, nodes, table, place, argument, least)


def _node(converted: Converted, path: Place) -> str:
    """Why a node is not converted; "" if it is."""
    found = converted.at(path)
    cause = lost(found)
    if cause:
        return cause
    products = converted.products(path)
    said = any(one.fidelity is not Fidelity.EXACT for one in found)
    if not products:
        return "" if said else "not traced: nothing says what it became"
    if isinstance(products[0], dict) and products[0].get("type") == _STAND_IN:
        return "" if any(one.code in _NO_LOSS for one in found) else "a stand-in without a finding"
    return ""


def _settings(entry: Entry, properties: Any, path: Place, dotted: str = "") -> Iterator[tuple[str, Place, Any]]:
    """The settings of a node: dotted path, place and value. Wrappers are taken apart."""
    for key, value in properties.items() if isinstance(properties, dict) else ():
        where = f"{dotted}{key}"
        inner = key in ("resource_config", "kwargs") and not entry.node_property(where)
        if (inner and isinstance(value, dict) and len(value) != 1) or (
            inner and isinstance(value, dict) and not str(next(iter(value))).startswith(("get_", "concat"))
        ):
            yield from _settings(entry, value, (*path, key), f"{where}.")
        elif not (inner and value in ({}, None)):
            yield where, (*path, key), value


def _properties(converted: Converted, nodes: Nodes, table: Table, entry: Entry, name: str, node: str) -> None:
    data = nodes.nodes[name]
    kind = str(data.get("type"))
    wrapper = next((nodes.types.wrappers[one] for one in nodes.ancestry(name) if one in nodes.types.wrappers), None)
    path: Place = ("node_templates", name)
    for where, place, value in _settings(entry, _unwrapped(data.get("properties"), wrapper), (*path, "properties")):
        if where in CONNECTION or where.split(".")[0] in CONNECTION:
            continue
        key = where.rsplit(".", 1)[-1]
        key = nodes.types.renamed.get(key, key) if wrapper else key
        paths = [where, f"resource_config.{key}", f"resource_config.kwargs.{key}", key] if wrapper else [where]
        if not any(entry.node_property(one) for one in paths):
            table.apart[f"property {where} of {kind}"] += 1
            continue
        source = _wrapped(place, data.get("properties"), wrapper)
        found = converted.within(source)
        cause = f"of a node: {node}" if node else lost(found)
        there = converted.is_traced(source) or found or converted.is_said(value, converted.products(path))
        there = there or _is_named(converted, path) or _is_default(converted, path, key, value)
        if not cause and not there:
            cause = "not found in the result, and nothing is said of it"
        excuse = nodes.excuse(name) or refused(found) or existing(found)
        table.count(kind, "properties", cause, converted.where(source), excuse)


def _unwrapped(properties: Any, wrapper: str | None) -> Any:
    """The properties of a node, those of the 2.x plugin without their wrapper."""
    if wrapper is None or not isinstance(properties, dict) or not isinstance(properties.get(wrapper), dict):
        return properties
    return {**{key: value for key, value in properties.items() if key != wrapper}, **properties[wrapper]}


def _wrapped(place: Place, properties: Any, wrapper: str | None) -> Place:
    """Where a setting of the 2.x plugin is written."""
    inside = properties.get(wrapper) if wrapper and isinstance(properties, dict) else None
    if isinstance(inside, dict) and len(place) > 3 and place[3] in inside:
        return (*place[:3], wrapper, *place[3:])
    return place


def _relationship(converted: Converted, nodes: Nodes, table: Table, name: str, target: str, index: int) -> None:
    path: Place = ("node_templates", name, "relationships", index)
    other = nodes.entry(target)
    kind = str(nodes.nodes[name].get("type"))
    if other is None or not other.counts:
        table.apart["relationships to nodes without a counterpart"] += 1
        return
    found = converted.within(path)
    cause = lost(found) or lost(converted.at(("node_templates", target)))
    if not cause and not found and not _is_connected(converted, name, target):
        cause = "the two resources are not connected, and nothing is said of it"
    excuse = nodes.excuse(name) or nodes.excuse(target) or refused(found) or existing(found)
    table.count(kind, "relationships", cause, converted.where(path), excuse)


def _is_named(converted: Converted, path: Place) -> bool:
    """True for a node that exists already and is named where it is used: a finding says so."""
    return any(one.code in _IN_PLACE for one in converted.at(path))


def _is_default(converted: Converted, path: Place, name: str, value: Any) -> bool:
    """True for a value that Heat takes by itself where its property of this name is not given."""
    for product in converted.products(path):
        known = schemas.heat_type(str(product.get("type"))) if isinstance(product, dict) else None
        if known is not None and known["properties"].get(name, {}).get("default") == value:
            return True
    return False


def _is_connected(converted: Converted, name: str, target: str) -> bool:
    """True when a resource of one node needs one of the other, when a further one joins them (an attachment, an
    interface of a router), or when one of them exists already and is only named."""
    mine, theirs = converted.names(("node_templates", name)), converted.names(("node_templates", target))
    if not mine or not theirs:
        return bool(converted.at(("node_templates", name if not mine else target)))
    resources = converted.result.get("resources", {})
    needs = {str(key): _needed(data) for key, data in resources.items() if isinstance(data, dict)}
    if _reached(needs, mine) & theirs or _reached(needs, theirs) & mine:
        return True
    return any(referred & mine and referred & theirs for referred in needs.values())


def _needed(resource: dict[str, Any]) -> set[str]:
    """The resources that one refers to or waits for."""
    waits = resource.get("depends_on", [])
    referred = {str(a[0] if isinstance(a, list) and a else a) for _, a in calls(resource, _NAMES)}
    return referred | set(waits if isinstance(waits, list) else [waits])


def _reached(needs: dict[str, set[str]], names: set[str]) -> set[str]:
    """Everything that is needed by some resources, at first or second hand."""
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= needs.get(name, set())
    return found


def _attribute(converted: Converted, nodes: Nodes, table: Table, place: Place, argument: Any, least: int) -> None:
    steps = argument if isinstance(argument, list) else [argument]
    name = str(steps[0]) if steps else ""
    name = str(place[1]) if name == "SELF" and place[0] == "node_templates" else name
    entry = nodes.entry(name)
    attribute = steps[1] if len(steps) > 1 else None
    kind = str(nodes.nodes[name].get("type")) if name in nodes.nodes else "an unknown node"
    if entry is None or not isinstance(attribute, str) or not entry.runtime_property(attribute):
        table.apart[f"get_attribute {attribute if isinstance(attribute, str) else 'by a call'} of {kind}"] += 1
        return
    cause = lost(converted.around(place, least), _NULL) or lost(converted.at(("node_templates", name)))
    said = _is_referred(converted, name) or converted.around(place, least)
    if not cause and not (said or _is_named(converted, ("node_templates", name))):
        cause = "nothing in the result takes a value of its resource"
    table.count(kind, "get_attribute", cause, converted.where(place), nodes.excuse(name))


def _is_referred(converted: Converted, name: str) -> bool:
    """True when something in the result takes a value of a resource of the node."""
    taken = {str(a[0] if isinstance(a, list) and a else a) for _, a in calls(converted.result, _NAMES)}
    return bool(taken & converted.names(("node_templates", name)))


def _relationships(node: dict[str, Any]) -> list[dict[str, Any]]:
    found = node.get("relationships")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _implementations(interfaces: Any) -> Iterator[str]:
    for operations in interfaces.values() if isinstance(interfaces, dict) else ():
        for operation in operations.values() if isinstance(operations, dict) else ():
            given = operation.get("implementation") if isinstance(operation, dict) else operation
            if isinstance(given, str):
                yield given
