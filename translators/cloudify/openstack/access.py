"""Who may reach what: security groups and their rules, access to shares, RBAC policies.

The plugin allows access to shares by relationships, Heat by a property (``access_rules``). The relationship to a server
allows its ``ip``, that to a subnet its ``cidr``, both for reading and writing unless its inputs say otherwise
(relationships ``share_connected_to_...`` of plugin.yaml). What an RBAC policy shares is behind a relationship (plugin:
rbac_policy.py, ``_prepare_rbac_policy_object``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack import generation2
from bpconvert.translators.cloudify.openstack.operations import is_own
from bpconvert.translators.cloudify.openstack.property_paths import Entry, Reading
from bpconvert.translators.passes.expressions.choices import each_outcome, outcomes

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing
    from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
    from bpconvert.translators.toscalike.node_templates import RawRelationship

# -- rules of security groups -------------------------------------------------------------------------------


def write_rules(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat removes the two default egress rules as soon as the template has one of its own."""
    if _write_yielded(writing, draft, value, source):
        return
    repeated = None if isinstance(value, list) else _repeated(value)
    if repeated is not None:
        value = _with_rules(value, lambda item: _sent(writing, draft, item, source))
    draft.put(("security_group_rules",), _written_rules(writing, draft, rule, value, source), source)
    loses = _loses(value)
    if repeated is not None:
        always = _always(value)
        loses = _lost([_directions(item) if item in always else {*_directions(item), ""} for item in repeated])
    if loses is None:
        writing.report("BPC333", source, name=draft.node.name, does="keeps them")
    elif loses is not False:
        draft.properties[_DISABLE] = writing.rewriter.value(loses, source)


def _written_rules(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> Value:
    """A list of rules, or a choice between such lists."""
    chosen = writing.by_branch(value, source, lambda part, at: _written_rules(writing, draft, rule, part, at))
    if chosen is not MISSING:
        return chosen
    if value is None:
        return []  # no rules; the plugin takes no null
    if not isinstance(value, list):
        return writing.shaped(draft, rule, value, source)
    places = [draft.node.origins.get(("rules", i), (*source, i)) for i in range(len(value))]
    return [_written_rule(writing, draft, rule, item, place) for item, place in zip(value, places, strict=True)]


def _written_rule(writing: Writing, draft: NodeDraft, rule: PropertyRule, item: Value, place: Path) -> Value:
    """One rule, or a choice between rules. In 2.x it has what the plugin would fill in otherwise."""
    sent = _sent(writing, draft, item, place)
    chosen = writing.by_branch(sent, place, lambda part, at: _written_rule(writing, draft, rule, part, at))
    if chosen is not MISSING:
        return chosen
    written = writing.shaped_item(draft, rule, sent, place)
    return generation2.filled(written) if writing.generation2 else written


def _write_yielded(writing: Writing, draft: NodeDraft, value: Value, source: Path) -> bool:
    """Write the rules that an input yields, in the form that :func:`_computed_rules` gives them: the plugin takes them
    without modes, and completes them itself where the node is one of the second generation. False for other rules."""
    lists = value.lists if isinstance(value, ex.ListConcat) and not value.unique else None
    parts: list[Value] = list(lists) if isinstance(lists, (list, tuple)) else [value]
    call, more = parts[0] if parts else None, parts[1:]
    if not isinstance(call, ex.Query) or not isinstance(call.data, dict) or call.data.keys() != {"rules"}:
        return False
    if more not in ([], [_default_rules()]):
        return False
    completes = call.expression == generation2.RULES
    if not completes and (call.expression != _WITH_MODES or writing.generation2):
        return False
    if completes and not writing.generation2:
        draft.as_second_generation()
        writing.report("BPC680", source, name=draft.node.name)
    draft.put(("security_group_rules",), writing.rewriter.value(call.data["rules"], source), source)
    writing.report("BPC687", source, name=draft.node.name)
    if not more:
        rules_by_default = writing.rewriter.by_default(call.data["rules"])
        loses = isinstance(rules_by_default, list) and any("egress" in _directions(rule) for rule in rules_by_default)
        if loses:
            draft.properties[_DISABLE] = True
        does = "loses them, as it does where every parameter has its default" if loses else "keeps them"
        writing.report("BPC333", source, name=draft.node.name, does=does)
    return True


def _repeated(value: Value) -> list[Value] | None:
    """The rules that lists in ``value`` have, and those that a ``repeat`` copies; None where there may be others."""
    if isinstance(value, ex.Repeat):
        return [value.template] if isinstance(value.template, dict) else None
    lists = value.lists if isinstance(value, ex.ListConcat) and not value.unique else None
    if not isinstance(lists, (list, tuple)):
        return None
    rules: list[Value] = []
    for part in lists:
        own = part if isinstance(part, list) else _repeated(part)
        if own is None:
            return None
        rules += own
    return rules


def _always(value: Value) -> list[Value]:
    """The rules that are there however often a ``repeat`` copies others."""
    lists = value.lists if isinstance(value, ex.ListConcat) else ()
    parts = lists if isinstance(lists, (list, tuple)) else ()
    return [rule for part in parts if isinstance(part, list) for rule in part]


def _loses(value: Value) -> Value:
    """Whether a group with these rules, which conditions choose, loses the default ones; None where it depends on
    something else."""
    if isinstance(value, ex.If):
        branches = _loses(value.then), _loses(value.otherwise)
        if None in branches or branches[0] == branches[1]:
            return None if None in branches else branches[0]
        return replace(value, then=branches[0], otherwise=branches[1])
    if not isinstance(value, list):
        return False if value is MISSING or value is None else None
    return _lost([_directions(item) for item in value])


def _lost(directions: list[set[str]]) -> bool | None:
    """Whether the default rules go with rules of such possible directions; None where that is not known."""
    if {"egress"} in directions:
        return True
    return None if any("egress" in possible for possible in directions) else False


def _with_rules(value: Value, change: Callable[[Value], Value]) -> Value:
    """``value`` with other rules in place of those that :func:`_repeated` has."""
    if isinstance(value, ex.Repeat):
        return replace(value, template=change(value.template))
    if isinstance(value, ex.ListConcat):
        lists: Any = value.lists
        return replace(value, lists=[_with_rules(part, change) for part in lists])
    return [change(rule) for rule in value] if isinstance(value, list) else value


_MODES = {"remote_group_id": "remote_ip_prefix", "remote_ip_prefix": "remote_group_id"}


def _directions(rule: Value) -> set[str]:
    """The directions that a rule may have."""
    if isinstance(rule, ex.If):
        return _directions(rule.then) | _directions(rule.otherwise)
    if isinstance(rule, list):
        return {direction for item in rule for direction in _directions(item)}
    direction = rule.get("direction", "ingress") if isinstance(rule, dict) else rule
    return {"ingress", "egress"} if isinstance(direction, ex.Expr) else {str(direction)}


def _sent(writing: Writing, draft: NodeDraft, rule: Value, place: Path) -> Value:
    """What of ``rule`` Heat sends to Neutron (heat: neutron/security_group.py, ``_format_rule``): neither the address
    nor the group that ``remote_mode`` rules out; a rule of AWS has no modes. Where a value decides on the mode, there
    is a rule for each."""
    if isinstance(rule, ex.If):
        return each_outcome(rule, lambda branch: _sent(writing, draft, branch, place))
    mode = rule.get("remote_mode") if isinstance(rule, dict) else None
    if not isinstance(rule, dict):
        return rule
    if draft.kind is not None and draft.node.source_type in draft.kind.also:
        return {key: value for key, value in rule.items() if key != "remote_mode"}
    if isinstance(mode, ex.If):
        modes = (mode.then, None if mode.otherwise is MISSING else mode.otherwise)
        rules = ({**rule, "remote_mode": mode} for mode in modes)
        return _sent(writing, draft, ex.If(mode.condition, *rules, path=place), place)
    if isinstance(mode, ex.Expr):
        both = ({**rule, "remote_mode": mode} for mode in _MODES)
        is_group = ex.Equals(mode, next(iter(_MODES)), path=mode.path)
        return _sent(writing, draft, ex.If(is_group, *both, path=place), place)
    dropped = _MODES.get(str(mode), "remote_group_id")
    if rule.get(dropped) is None:
        return rule
    why = f"remote_mode is {'remote_ip_prefix' if mode is None else mode}"
    writing.report("BPC341", (*place, dropped), name=dropped, why=why)
    return {key: value for key, value in rule.items() if key != dropped}


def remote_mode(item: dict[Any, Value], result: dict[Any, Value]) -> None:
    """``remote_group_id`` without a group means the group itself."""
    if item.get("remote_mode") == "remote_group_id" and item.get("remote_group_id") is None:
        result["remote_group_id"] = ex.Attribute("SELF", "id")


_DISABLE = "disable_default_egress_rules"


def read_rules(reading: Reading, name: str, rule: PropertyRule) -> None:
    """Heat removes the default egress rules as soon as the template has one of its own; the plugin when asked to."""
    disable = reading.written.take(_DISABLE)
    disabled = disable[0].value if disable else False
    entry = reading.entry(rule)
    value: Value = [] if entry is None else entry.value
    place = (*reading.node.path, "properties") if entry is None else entry.place
    where = disable[0].place if disable and disable[0].own else place
    rules: Value = MISSING
    if isinstance(value, (list, ex.If)):
        rules = _each_rule(reading, name, rule, value, disabled, (place, where))
    if rules is MISSING and isinstance(value, ex.Expr):
        _computed_rules(reading, name, rule, value, place, disable)
    elif rules is not MISSING and rules != []:
        reading.put(name, rules, place)


def _each_rule(
    reading: Reading, name: str, rule: PropertyRule, value: Value, disabled: Value, places: tuple[Path, Path]
) -> Value:
    """The rules of a list, or of each list that a choice is between; MISSING where there may be others. ``places``:
    those of the list and of what says whether the group has the default egress rules."""
    if isinstance(value, ex.If):
        if not all(isinstance(part, (list, type(None))) or part is MISSING for part in outcomes(value)):
            return MISSING
        of_case = isinstance(disabled, ex.If) and disabled.condition == value.condition
        by_case = (disabled.then, disabled.otherwise) if of_case else (disabled, disabled)
        cases = [
            _each_rule(reading, name, rule, part, is_disabled, places)
            for part, is_disabled in zip((value.then, value.otherwise), by_case, strict=True)
        ]
        return replace(value, then=cases[0], otherwise=cases[1])
    place, where = places
    items = value if isinstance(value, list) else []
    rules = [_rule(reading, name, rule, item, (*place, i), i) for i, item in enumerate(items)]
    directions = [item.get("direction") if isinstance(item, dict) else item for item in rules]
    unknown = any(isinstance(direction, ex.Expr) for direction in directions)
    if isinstance(disabled, ex.Expr) or (unknown and disabled is True and "egress" not in directions):
        reading.report("BPC359", where, name=reading.node.name, why="it depends on a value")
    elif disabled is True and "egress" not in directions:
        reading.report("BPC359", where, name=reading.node.name, why="it has no egress rule of its own")
    elif disabled is not True and (unknown or "egress" in directions):
        rules += _default_rules()
        reading.report("BPC358", where, name=reading.node.name)
    return rules


def _default_rules() -> list[Value]:
    """What every new group has."""
    return [{"direction": "egress"}, {"direction": "egress", "ethertype": "IPv6"}]


def _computed_rules(
    reading: Reading, name: str, rule: PropertyRule, value: ex.Expr, place: Path, disable: list[Entry]
) -> None:
    """Rules that only a call yields. With the default ones written out, Heat does not have to know whether there is an
    egress rule among them."""
    repeated = None if reading.written.old else _repeated(value)
    rules: ex.Expr
    if repeated is not None:
        rules = _with_rules(value, lambda item: _rule(reading, name, rule, item, place, 0))
    else:
        rules = _with_modes(reading, value)
    disabled = disable[0].value if disable else False
    loses = disabled is True and any(_directions(item) == {"egress"} for item in _always(value))
    keeps = disabled is False and all(_directions(item) == {"ingress"} for item in repeated or ())
    if repeated is not None and (loses or keeps):
        reading.put(name, rules, place)
        return
    if disable and (disable[0].value is True or isinstance(disable[0].value, ex.Expr)):
        reading.report("BPC359", place, name=reading.node.name, why="it depends on a value")
    else:
        rules = ex.ListConcat([rules, _default_rules()], path=value.path)
        reading.report("BPC358", place, name=reading.node.name)
    reading.put(name, rules, place)
    if repeated is None:
        reading.report("BPC369" if reading.written.old else "BPC376", place, name=place[-1])


def _with_modes(reading: Reading, rules: Value) -> ex.Query:
    """Heat takes a ``remote_group_id`` only with the mode (heat: neutron/security_group.py, ``_format_rule``)."""
    query = generation2.RULES if reading.written.old else _WITH_MODES
    return ex.Query(query, {"rules": rules}, path=rules.path if isinstance(rules, ex.Expr) else ())


_WITH_MODES = (
    "$.data.rules.select($.set(remote_mode, "
    "switch($.get(remote_group_id) = null => remote_ip_prefix, true => remote_group_id)))"
)


def _rule(reading: Reading, name: str, rule: PropertyRule, item: Value, place: Path, index: int) -> Value:
    """One rule. Heat hears a ``remote_group_id`` only with a ``remote_mode``; that alone means the group itself."""
    if isinstance(item, dict) and reading.written.old:
        normal, sources, filled = generation2.rule(item)
        if filled:
            reading.report("BPC357", place)
        group = normal.get("remote_group_id")
        if group is not None and sources.get("remote_group_id") == "remote_group_name":
            where = (*place, "remote_group_name")
            normal["remote_group_id"] = generation2.named_group(group, reading.groups, where)
        result = reading.shaped(name, rule, normal, place, (name, index))
        for key, source in sources.items():
            reading.node.origins[name, index, key] = (*place, source)
    elif isinstance(item, ex.Expr):
        reading.report("BPC369" if reading.written.old else "BPC376", place, name=place[-1])
        only = _with_modes(reading, [item])
        return ex.Query(f"{only.expression}.first()", only.data, path=item.path)
    else:
        result = reading.shaped(name, rule, item, place, (name, index))
    if not isinstance(result, dict) or result.get("remote_group_id") is None:
        return result
    if result["remote_group_id"] == ex.Identity(reading.node.name):
        reading.node.origins[name, index, "remote_mode"] = reading.node.origins.pop(
            (name, index, "remote_group_id"), (*place, "remote_group_id")
        )
        return {("remote_mode" if k == "remote_group_id" else k): ("remote_group_id" if k == "remote_group_id" else v)
                for k, v in result.items()}  # fmt: skip
    return {**result, "remote_mode": "remote_group_id"}


# -- access to shares ---------------------------------------------------------------------------------------


_RELATIONSHIP = "cloudify.relationships.openstack."
#: (kind, attribute) that is allowed -> the relationship that does so
_ALLOWS = {("server", "first_address"): "share_connected_to_server", ("subnet", "cidr"): "share_connected_to_subnet"}
_RULES = "access_rules"
#: the keys of a rule
_KEYS = {"access_to", "access_type", "access_level"}


def access_rules(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Rules for a server or subnet of the template are relationships."""
    taken: set[str] = set()
    for index, item in enumerate(value if isinstance(value, list) else [value]):
        place = (*source, index) if isinstance(value, list) else source
        rule_allowed = _allowed(writing, item) if isinstance(item, dict) else None
        if rule_allowed is None or rule_allowed[1] in taken:
            writing.report("BPC714", place, name=draft.node.name)
            continue
        taken.add(rule_allowed[1])
        draft.relate(_RELATIONSHIP + rule_allowed[0], rule_allowed[1], place)
        draft.moved(place, "relationships")


def _allowed(writing: Writing, item: dict[Any, Value]) -> tuple[str, str] | None:
    """The relationship that allows what a rule allows, and its target; None where there is none."""
    target = item.get("access_to")
    if item.get("access_type") != "ip" or item.get("access_level") not in (None, "rw"):
        return None
    if not isinstance(target, ex.Attribute) or target.keys or not item.keys() <= _KEYS:
        return None
    node = writing.topology.node(target.node)
    if node is None or node.kind is None or not writing.topology.is_reference(ex.Identity(node.name), (node.kind,)):
        return None
    relationship = _ALLOWS.get((node.kind, str(target.name)))
    if relationship == "share_connected_to_subnet" and node.properties.get("cidr") is None:
        return None
    return None if relationship is None else (relationship, node.name)


def given_by_id(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """A reference is a relationship; of an existing resource the plugin finds the id only."""
    if writing.lift(draft, rule, value, source):
        return
    value = writing.looked_up(draft, str(source[-1]), value, source)
    draft.put(tuple((rule.to or "").split(".")), writing.shaped(draft, rule, value, source), source)


_PROTOCOLS = {name.lower(): name for name in ("NFS", "CIFS", "GlusterFS", "HDFS", "CEPHFS")}


def read_protocol(reading: Reading, name: str, rule: PropertyRule) -> None:
    """Manila takes its protocols in any case, Heat in one."""
    entry = reading.entry(rule)
    if entry is None:
        return
    value = entry.value
    if isinstance(value, str) and value.lower() in _PROTOCOLS:
        value = _PROTOCOLS[value.lower()]
    if value != entry.value:
        reading.report("BPC715", entry.place, value=value)
    reading.put(name, value, entry.place)


_INPUTS = {"access", "access_type", "access_level"}


def access(state: ReadNodes, node: Node, target: str, relationship: RawRelationship, names: list[str]) -> bool:
    """Add the rule that a relationship is. False where it is none."""
    other = state.kind_of(target)
    allowed = next((key for key, name in _ALLOWS.items() if name in names and key[0] == other), None)
    if node.kind != "share" or allowed is None:
        return False
    if node.exists:
        state.report("BPC418", relationship.path, target=target, name=node.name)
        return True
    established = [operation for operation in relationship.operations if operation.name == "establish"]
    emptied = any(operation.name == "establish" for operation in relationship.emptied)
    if emptied or any(operation.implementation and not is_own(operation) for operation in established):
        state.wait(node, target, relationship.path)  # without the plugin's operation nothing is allowed
        return True
    inputs: dict[str, Value] = {}
    for operation in established:
        for name in operation.inputs.keys() - _INPUTS:
            place, what = (*operation.path, "inputs", name), f"{operation.interface}.{operation.name}"
            state.report("BPC367", place, name=name, operation=what)
        inputs.update(state.value(operation.inputs))
    if other == "subnet":
        default: Value = ex.Property(target, "resource_config", ("cidr",), path=relationship.path)
    else:
        default = ex.Attribute(target, "first_address", path=relationship.path)
    rules = node.properties.setdefault(_RULES, [])
    if isinstance(rules, list):
        node.origins[_RULES, len(rules)] = relationship.path
        rules.append(
            {
                "access_to": inputs.get("access", default),
                "access_type": inputs.get("access_type", "ip"),
                "access_level": inputs.get("access_level", "rw"),
            }
        )
    return True


# -- RBAC policies ------------------------------------------------------------------------------------------


#: type of a policy's object -> the kind of its node
_OBJECTS = {"network": "net", "security_group": "security_group"}


def object_kind(node: Node) -> str | None:
    """The kind of a policy's object, None where the plugin has no node type for it."""
    wanted = node.properties.get("object_type")
    return _OBJECTS.get(wanted) if isinstance(wanted, str) else None


def prepare_shared_object(arrangement: Reshaping, node: Node, name: str) -> None:
    """What an RBAC policy shares becomes an external node, too: the plugin needs a relationship to it."""
    value, kind = node.properties.get(name), object_kind(node)
    if value is not None and kind is not None and not isinstance(value, (list, dict, ex.Identity)):
        node.properties[name] = arrangement.external(kind, value, node, node.origin(name))


def shared_object(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The plugin looks for the object of an RBAC policy behind a relationship, and fails on a mere property."""
    if writing.lift(draft, rule, value, source):
        return
    kind = str(draft.node.value_of("object_type"))
    value = writing.looked_up(draft, str(source[-1]), value, source, (_OBJECTS.get(kind, kind),))
    draft.put(tuple((rule.to or "").split(".")), writing.shaped(draft, rule, value, source), source)
    writing.report("BPC344", source, name=draft.node.name)
