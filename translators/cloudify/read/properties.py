"""The properties of a mapped node under Heat's names: the catalogue's property rules, read backwards."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.catalogue.model import Only, PropertyRule
from bpconvert.translators.cloudify import hooks
from bpconvert.translators.cloudify.openstack import client
from bpconvert.translators.cloudify.openstack.property_paths import (
    CONFIG,
    EMPTY,
    KWARGS,
    Entry,
    Notes,
    Reading,
    same,
    twins,
)  # fmt: skip
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.text import is_uuid

#: keys of ``client_config``: who asks
_CREDENTIALS = {*client.KEYS, *client.KEYS.values(), "user_domain_id", "project_domain_id", "project_id", "tenant_id"}
#: which cloud, and which part of it
_CLOUD = {
    "auth_url": "auth_url",
    **dict.fromkeys(("region_name", "region"), "region"),
    **dict.fromkeys(("project_name", "tenant_name"), "project"),
    **dict.fromkeys(("project_id", "tenant_id"), "project_id"),
}

#: a machine that exists already, and where its address is
_MACHINE = "compute"
_ADDRESS = "ip"


def convert(reading: Reading) -> None:
    """Fill the node's properties from what is written; everything that is left over is reported."""
    kind, written = reading.kind, reading.written
    for entry in written.take("client_config"):
        connection(entry, reading.notes, reading.reporter)
    is_whole = any(rule.to == CONFIG for rule in kind.properties.values())
    specs = any(rule.flatten for rule in kind.properties.values()) and not written.external
    unread = written.opaque if specs else [*written.opaque, *written.settings]
    for entry in () if is_whole else unread:
        reading.report("BPC353", entry.place, name=next(key for key in reversed(entry.place) if isinstance(key, str)))
    if written.external and kind.cloudify is not None and not kind.cloudify.plain:
        _existing(reading)
        return
    order = {id(entry): number for number, entry in enumerate(written.entries.values())}
    numbers: dict[str, int] = {}
    for name, rule in kind.properties.items():
        before = written.entries
        hook = hooks.READ.get(rule.hook) if rule.hook else None
        places = [order[id(before[p])] for path in (rule.to, *rule.accept) if path for p in twins(path) if p in before]
        numbers[name] = min(places, default=len(order))
        if hook is not None:
            hook(reading, name, rule)
        elif rule.to and not rule.carry:
            _plain(reading, name, rule)
    _left_over(reading)
    properties = reading.node.properties
    for name, rule in kind.properties.items():
        if rule.beside is not None and properties.get(rule.beside) is not None:
            reading.put(name, rule.absent, reading.node.origin(rule.beside))
            numbers[name] = numbers[rule.beside]
    reading.node.properties = {name: properties[name] for name in sorted(properties, key=lambda n: numbers.get(n, -1))}


def _plain(reading: Reading, name: str, rule: PropertyRule) -> None:
    entry = reading.entry(rule)
    added = [(key, entry) for path, key in rule.adds.items() for entry in reading.written.take(path)]
    added = [(key, entry_added) for key, entry_added in added if entry_added.value not in EMPTY]
    if added:
        _with_items(reading, name, rule, entry, added)
        return
    if entry is None:
        if rule.absent is not None:
            reading.put(name, rule.absent, (*reading.node.path, "properties"))
        elif rule.silence is not None and not reading.written.old:
            place = (*reading.node.path, "properties")
            reading.report("BPC365", place, name=name, what=rule.silence, default=rule.default)
        return
    if rule.default is not None and not isinstance(rule.default, list) and same(entry.value, rule.default):
        return
    value = reading.shaped(name, rule, entry.value, entry.place)
    if value is not MISSING:
        reading.put(name, value, entry.place)


def _with_items(
    reading: Reading, name: str, rule: PropertyRule, entry: Entry | None, added: list[tuple[str, Entry]]
) -> None:
    """A list with items that are properties of the node, unless it has them."""
    value = [] if entry is None else reading.shaped(name, rule, entry.value, entry.place)
    place = added[0][1].place if entry is None else entry.place
    reading.put(name, value, place)
    for key, entry_added in added:
        if not isinstance(value, list):
            reading.report("BPC362", entry_added.place, name=entry_added.place[-1])
        elif not any(isinstance(item, dict) and item.get(key) == entry_added.value for item in value):
            reading.node.origins[name, len(value), key] = entry_added.place
            value.append({key: entry_added.value})


# -- what is not a property of the resource -----------------------------------------------------------------


def connection(entry: Entry, notes: Notes, reporter: Reports) -> None:
    """Who asks OpenStack is not part of a template."""
    settings = entry.value if isinstance(entry.value, dict) else {}
    is_set = isinstance(entry.value, ex.Expr) or any(
        settings[key] not in EMPTY for key in _CREDENTIALS & settings.keys()
    )
    if is_set and repr(entry.value) not in notes.credentials:
        notes.credentials.add(repr(entry.value))
        reporter.report("BPC350", entry.place)
        _cloud(notes, reporter, settings, entry.place)
    for key, value in settings.items() if entry.own else ():
        if key not in _CREDENTIALS and value not in (*EMPTY, False) and key not in notes.connection:
            notes.connection.add(key)
            reporter.report("BPC363", (*entry.place, key), name=key)


def _cloud(notes: Notes, reporter: Reports, settings: dict[str, Value], place: Path) -> None:
    """A stack has its resources in one project of one cloud."""
    for key, what in _CLOUD.items():
        if settings.get(key) in EMPTY:
            continue
        earlier = notes.clouds.setdefault(what, repr(settings[key]))
        if earlier != repr(settings[key]):
            reporter.report("BPC372", (*place, key), name=key)


def _existing(reading: Reading) -> None:
    """A resource that exists already: only its id or its name counts."""
    node, written, kind = reading.node, reading.written, reading.kind
    ids, names = written.take(f"{CONFIG}.id"), written.take(f"{CONFIG}.name")
    for entry in (*ids, *names):
        if entry.value in (None, ""):
            continue
        if node.exists:
            reading.report("BPC356", entry.place, what=f"'{entry.place[-1]}'")
        elif kind.kind not in _ONLY_NAMED and (kind.by_name or (entry in ids and _is_id(node.name, entry.value))):
            node.external_id = entry.value
        else:
            is_given = isinstance(entry.value, ex.Input) or _is_of_node(entry.value)
            node.external_name, node.by_id = entry.value, entry in ids and is_given
        node.origins.setdefault(("external_id",), entry.place)
    for path, entry in written.entries.items():
        row = _only(reading, path)
        ignored = EMPTY if row is None else (*EMPTY, *row.ignore)
        if entry.own and path not in kind.constants and entry.value not in ignored:
            if row is not None and (row.said_by or row.unread):
                reading.notes.later.append((node.name, entry, row))
            elif path in _SET_ANYWAY.get(kind.kind, ()):
                reading.lost(str(entry.place[-1]), entry.place, "a resource that exists already is not changed")
            elif row is None or row.harmless:
                reading.report("BPC356", entry.place, what=f"'{entry.place[-1]}'")
            else:
                reading.lost(str(entry.place[-1]), entry.place, row.why)
    written.entries.clear()


#: kinds of which Heat takes no ``external_id``: it asks for the properties all the same (heat: RBACPolicy.validate)
_ONLY_NAMED = ("rbac_policy",)
#: what the plugin changes about a resource that exists
_SET_ANYWAY = {"port": (f"{CONFIG}.allowed_address_pairs",)}


def _is_id(name: str, value: Value) -> bool:
    """True for what is an id that is known before anything is created: Heat lets an ``external_id`` wait for nothing
    (heat: InvalidExternalResourceDependency). The conversion from HOT names a node ``external_...`` where Heat takes a
    name, too, and with the input that says it where one does (:func:`bpconvert.translators.passes.work.label`)."""
    called = f"external_{value.name}" if isinstance(value, ex.Input) and not value.keys else "external_"
    is_other = isinstance(value, ex.Expr) and not (name.startswith(called) or _is_of_node(value))
    return is_uuid(value) or is_other


def _is_of_node(value: Value) -> bool:
    return any(isinstance(expr, (ex.Identity, ex.Attribute)) for expr in ex.walk(value))


def _left_over(reading: Reading) -> None:
    """Settings that no rule has: for ``value_specs`` where the resource has those, else reported."""
    kind = reading.kind
    flat = [(name, rule.flatten) for name, rule in kind.properties.items() if rule.flatten]
    specs, inside = flat[0] if flat else (None, CONFIG)
    passed: dict[str, Value] = {}
    for path, entry in reading.written.entries.items():
        row = _only(reading, path)
        name = entry.place[-1]
        if entry.value is None or (not entry.own and entry.value in EMPTY):
            continue
        if row is not None:
            _cloudify_only(reading, entry, row)
        elif same(entry.value, kind.constants.get(path, MISSING)):
            continue
        elif not path.startswith((f"{CONFIG}.", f"{inside}.")):
            if entry.own and not reading.exact:
                why = "it is a property of the blueprint's own type, which the plugin does not read"
                reading.report("BPC351", entry.place, name=name, why=why)
            elif entry.own:
                reading.report("BPC301", entry.place, name=name, type=reading.node.source_type)
        elif specs is None or path == f"{CONFIG}.id":
            reading.report("BPC301", entry.place, name=name, type=reading.node.source_type)
        else:
            key = path.removeprefix(f"{inside}.").removeprefix(f"{KWARGS}.").removeprefix(f"{CONFIG}.")
            passed[key] = entry.value
            reading.node.origins[specs, key] = entry.place
            reading.report("BPC355", entry.place, name=key)
    if specs is None:
        return
    computed = reading.written.settings
    for entry in computed:
        reading.report("BPC978", entry.place, name=specs)
    parts = [*([passed] if passed else []), *(entry.value for entry in computed)]
    if parts:
        reading.node.properties[specs] = parts[0] if len(parts) == 1 else ex.Merge(parts, strict=True)
    if computed:
        reading.node.origins[specs,] = computed[0].place


def _only(reading: Reading, path: str) -> Only | None:
    kind = reading.kind
    common = {} if kind.cloudify is None or kind.cloudify.plain else reading.catalogue.plugin.only
    for twin in twins(path):
        row = kind.only.get(twin) or common.get(twin)
        if row is not None:
            return row
    return None


def _cloudify_only(reading: Reading, entry: Entry, row: Only) -> None:
    name = entry.place[-1]
    if (not isinstance(entry.value, ex.Expr) and entry.value in row.ignore) or (row.harmless and not entry.own):
        return
    if name in reading.kind.constants and same(entry.value, reading.kind.constants[str(name)]):
        return
    if row.said_by or row.unread:
        reading.notes.later.append((reading.node.name, entry, row))
    elif row.harmless:
        reading.report("BPC351", entry.place, name=name, why=row.why)
    elif reading.kind.kind == _MACHINE and name == _ADDRESS:
        reading.node.address = entry.value
        reading.node.origins["address",] = entry.place
        reading.report("BPC439", entry.place, node=reading.node.name)
    else:
        reading.lost(str(name), entry.place, row.why)
