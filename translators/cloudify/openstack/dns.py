"""Record sets of DNS zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.property_paths import CONFIG, Reading
from bpconvert.translators.support.text import is_name

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing


def write_name(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat adds the zone's name to a name without a dot at its end (designateclient: v2/recordsets.py,
    ``_canonicalize_record_name``), the plugin sends it as it is. Heat's type for the first API did not, either."""
    to = tuple((rule.to or "").split("."))
    if draft.kind is None or draft.node.source_type in draft.kind.also:
        draft.put(to, writing.shaped(draft, rule, value, source), source)
        return
    zone = _zone(writing.topology, draft.node)
    name = _zone_name(draft.node, zone)
    full_name = _full_name(value, name)
    end = _end(value)
    if full_name is not MISSING:
        code = None if full_name == value else "BPC318"
        draft.put(to, writing.shaped(draft, rule, full_name, source), source)
    elif zone is not None and end and not end.endswith("."):
        code = "BPC318"
        zone_name = ex.Attribute(writing.node_name(zone.name), "name")
        draft.put(to, ex.Concat((writing.shaped(draft, rule, value, source), ".", zone_name)), source)
    else:
        code = "BPC319"
        draft.put(to, writing.shaped(draft, rule, value, source), source)
    if code is not None:
        writing.report(code, source, name=draft.node.name)


def without_name(writing: Writing, draft: NodeDraft, source: Path) -> None:
    """Heat makes up a name, to which the zone's is added. The plugin's has no zone (openstack_plugin/utils.py,
    ``get_resource_name``), which Designate refuses: the record is called as its node, where there is one of it."""
    record = draft.node
    is_member = any(record.name in group.members for group in writing.topology.groups.values())
    zone = _zone(writing.topology, record)
    whole = _full_name(record.name, _zone_name(record, zone))
    if whole is MISSING and zone is not None:
        whole = ex.Concat((record.name, ".", ex.Attribute(writing.node_name(zone.name), "name")))
    if is_member or record.is_scaled or whole is MISSING:
        writing.report("BPC319", source, name=record.name)
        return
    draft.put((CONFIG, "name"), whole, source)
    writing.report("BPC264", source, name=record.name)


def _zone(topology: Topology, record: Node) -> Node | None:
    """The node of a record's zone."""
    zone = record.properties.get("zone")
    existing = topology.existing.get(("dns_zone", repr(zone), repr(record.condition)))
    node = topology.node(zone.node if isinstance(zone, ex.Identity) else existing)
    return None if node is None or node.stand_in or node.kind != "dns_zone" else node


def _zone_name(record: Node, zone: Node | None) -> Value:
    """The name of a record's zone, with the dot at its end; MISSING where only OpenStack knows it."""
    zone_value = record.properties.get("zone")
    if is_name(zone_value):
        return zone_value
    if zone is None or zone.external_id is not MISSING:
        return zone.external_id if zone is not None and is_name(zone.external_id) else MISSING
    name = zone.value_of("name")
    return MISSING if name is None else name


def _full_name(name: Value, zone: Value) -> Value:
    """The whole name of a record, MISSING where that is not known."""
    if isinstance(name, ex.If):
        branches = [_full_name(branch, zone) for branch in (name.then, name.otherwise)]
        return MISSING if MISSING in branches else ex.If(name.condition, *branches, path=name.path)
    end = _end(name)
    if end.endswith(".") or (zone is not MISSING and _last(name) == zone):
        return name
    if not end or zone is MISSING:
        return MISSING
    if isinstance(name, str) and isinstance(zone, str):
        return f"{name}.{zone}"
    return ex.Concat((name, ".", zone), path=name.path if isinstance(name, ex.Expr) else ())


def _end(name: Value) -> str:
    """What a text is known to end with, as much as shows whether there is a dot."""
    last = _last(name)
    if isinstance(last, ex.Replace) and isinstance(last.template, str) and isinstance(last.params, dict):
        ends = any(last.template.endswith(str(key)) for key in last.params)
        return "" if ends else last.template[-1:]
    return last if isinstance(last, str) else ""


def _last(name: Value) -> Value:
    """The last piece of a text that is made of several."""
    lists = name.lists if isinstance(name, ex.Join) else ()
    return _last(lists[-1][-1]) if lists and isinstance(lists[-1], list) and lists[-1] else name


def read_name(reading: Reading, name: str, rule: PropertyRule) -> None:
    """A name that ends with what the record's zone is called at run time is a short one in Heat."""
    entry = reading.entry(rule)
    if entry is None:
        return
    value = entry.value
    zone = reading.written.entries.get(f"{CONFIG}.zone_id")
    if isinstance(value, ex.Concat) and len(value.items) == 3 and zone is not None:
        node = getattr(zone.value, "node", None)
        names = (ex.Property(node, CONFIG, ("name",)), ex.Attribute(node, "name"))
        if value.items[1] == "." and value.items[2] in names and node is not None:
            value = value.items[0]
    reading.put(name, reading.shaped(name, rule, value, entry.place), entry.place)
