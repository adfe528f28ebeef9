"""The neutral form survives the way to a blueprint and back, also where nothing is carried.

Each case of ``corpus/hot`` is lifted, and so is its blueprint (its carry is not looked at). Nodes that the conversion
said nothing about have to be the same on both sides; a difference needs a diagnostic that explains it. What has to wait
for something in the template still does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from corpus_cases import CASES, Case
from pass_requests import restored

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack.property_paths import same
from bpconvert.translators.cloudify.read.blueprint import to_topology as lift_blueprint
from bpconvert.translators.dialects import catalogue
from bpconvert.translators.hot import implicit_order
from bpconvert.translators.hot.read.template import to_topology as lift_hot
from bpconvert.yamlio.document import load

#: what the conversion to a blueprint says about a node whose properties come back changed
EXPLAINS = {
    "BPC178": "a name that leads nowhere",
    "BPC201": "a value that is asked for as an input",
    "BPC205": "data that looks like a call, where nobody reads it",
    "BPC206": "data that looks like a call",
    "BPC222": "a value that was computed",
    "BPC223": "a value in other words",
    "BPC333": "whether the default rules of a group stay depends on a value",
    "BPC716": "a path that leads nowhere: null, which means nothing",
    "BPC170": "an unknown property",
    "BPC250": "a property that says nothing",
    "BPC302": "a property without a counterpart",
    "BPC756": "block devices without a counterpart, of a server without an image",
    "BPC306": "a property that says what happens anyway",
    "BPC308": "kinds of characters that are said in other words",
    "BPC310": "an address in other words",
    "BPC337": "a private key that the plugin keeps",
    "BPC311": "an interface as a port that something else uses, too",
    "BPC335": "a part of a block device without effect",
    "BPC341": "a setting without effect in Heat",
    "BPC349": "a device name that another attachment of the volume says",
    "BPC509": "a value as Heat reads it",
    "BPC603": "a key beyond ASCII",
    "BPC614": "the text of a file",
    "BPC702": "a value that is asked for in the form that the plugin wants",
    "BPC710": "a role that is not given",
    "BPC711": "a role that its project gives",
    "BPC721": "a deployment, which is read as a node with operations",
    "BPC264": "the name of a record that has none",
    "BPC318": "the name of a record, with that of its zone",
    "BPC726": "a setting for the Heat agent",
    "BPC219": "a configuration whose id is used: a node holds its text",
    "BPC737": "a configuration whose id is given, not its text",
    "BPC797": "block devices of the first version",
    "BPC740": "a group, which is read as a number of instances",
    "BPC765": "a nested template, which is read as a component where its blueprint is",
    "BPC976": "a nested template, which is read as a component where its blueprint is",
    "BPC771": "a type of an environment",
    "BPC741": "a group, which is read as single nodes",
}
#: kinds that are parts of operations, or of user data
SOFTWARE = {"software_config", "software_deployment_group", "multipart_mime"}
#: what else differs: case and node -> why
KNOWN: dict[tuple[str, str], str] = {
    ("server-boots-from-volume", "server"): "what a block device is by default is left out",
    ("descriptions-of-resources", "disk"): "what Heat gives the volume as its description is a property of it",
    ("server-that-knows-its-floating-ip", "link"): "an association of Nova, which is a relationship of the server",
    ("trunk-whose-port-is-used", "server"): "the port_id of a trunk, which has no kind, is its port",
}
#: kind -> what it belongs to, and its list: of one owner the lists are one set
SETS = {
    "extra_route": ("router", "routes"), "user_role_assignment": ("user", "roles"),
    "group_role_assignment": ("group", "roles"),
}  # fmt: skip
#: an attribute of a group's member
MEMBER = re.compile(r"resource\.(\d+)(?:\.(.+))?")
#: kinds that services take by their names, too
CALLED = {"volume_type", "keystone_role"}
#: fewer are compared only if the comparison itself is broken
FEWEST_ORDERS = 30
#: the output of a nested template that is its id
NESTED_ID = "OS::stack_id"


class Both(NamedTuple):
    there: Topology
    back: Topology
    told: dict[str, set[str]]
    #: node -> what it is called in the blueprint, where that is another name
    names: dict[str, str]


def converted() -> list[Case]:
    """The cases of Heat templates that have a blueprint."""
    cases = [case for case in CASES if case.folder.parent.name == "hot" and not case.options.decides]
    return [case for case in cases if (case.folder / "blueprint.yaml").exists()]


@cache
def both(case: Case) -> Both:
    source = load((case.folder / "hot.yaml").read_bytes(), "hot.yaml")
    types = catalogue(case.options.types)
    there = lift_hot(source, types, Reporter(source))
    blueprint = load((case.folder / "blueprint.yaml").read_bytes(), "blueprint.yaml")
    back = restored(lift_blueprint(blueprint, types, Reporter(blueprint), Files(case.folder)))
    told: dict[str, set[str]] = {}
    for diagnostic in case.outcome.diagnostics:
        if diagnostic.path[:1] == ("resources",) and len(diagnostic.path) > 1:
            told.setdefault(diagnostic.path[1], set()).add(diagnostic.code)
    renamed = {d.path[1]: d.message.split("'")[3] for d in case.outcome.diagnostics if d.code == "BPC604"}
    return Both(called(there, renamed), back, told, renamed)


def called(topology: Topology, names: dict[str, str]) -> Topology:
    """The topology with references to nodes and inputs by other names."""

    def referring(value: Any) -> Any:
        value = ex.map_fields(value, referring) if isinstance(value, ex.Expr) else value
        if isinstance(value, (ex.Identity, ex.Attribute)) and isinstance(value.node, str):
            return replace(value, node=names.get(value.node, value.node))
        if isinstance(value, ex.Input) and isinstance(value.name, str):
            return replace(value, name=names.get(value.name, value.name))
        if isinstance(value, dict):
            return {key: referring(item) for key, item in value.items()}
        return [referring(item) for item in value] if isinstance(value, (list, tuple)) else value

    for node in topology.nodes.values():
        node.properties = referring(node.properties)
    return topology


# -- what means the same ------------------------------------------------------------------------------------


def plain(value: Any, topology: Topology) -> Any:
    """``value`` without what only tells the two languages apart."""
    if isinstance(value, (ex.Input, ex.Merge)):
        value = replace(value, strict=False)
    if isinstance(value, ex.Identity) and isinstance(value.node, str) and value.node in topology.nodes:
        existing = existing_of(topology.nodes[value.node])
        return value if existing is MISSING else plain(existing, topology)
    if isinstance(value, ex.Expr):
        value = ex.map_fields(value, lambda item: plain(item, topology))
    if isinstance(value, ex.Condition):
        return plain(topology.conditions[value.name], topology)
    if isinstance(value, (ex.Attribute, ex.Property)) and value.node in topology.nodes:
        return _attribute(value, topology)
    if isinstance(value, dict):
        return {key: plain(item, topology) for key, item in value.items()}
    return [plain(item, topology) for item in value] if isinstance(value, (list, tuple)) else value


def existing_of(node: Node) -> Any:
    """What a reference to the node yields where that is not its own id: what exists already, a type by its name."""
    if node.external_name is not MISSING or node.external_id is not MISSING:
        return node.external_id if node.external_name is MISSING else node.external_name
    name = node.properties.get("name") if node.kind in CALLED else None
    return name if isinstance(name, str) else MISSING


def _attribute(value: Any, topology: Topology) -> Any:
    """The value of a random string is its identity; a property may answer an attribute, or what it refers to; of a
    component, an output is an attribute; a member of a group is a node."""
    node, member = topology.nodes[value.node], MEMBER.fullmatch(str(value.name))
    if node.kind == "random_string" and value.name == "value":
        return ex.Identity(value.node)
    if (value.name, *value.keys) in (("deployment", "id"), ("capabilities", NESTED_ID)):
        return ex.Identity(value.node)
    if value.name == "capabilities" and value.keys:
        return ex.Attribute(value.node, value.keys[0], value.keys[1:])
    if member is not None:
        number, name = member.groups()
        is_itself = name in (None, "value")
        return ex.Identity(f"{value.node}_{number}") if is_itself else ex.Attribute(f"{value.node}_{number}", name)
    kind = builtin().kind(node.kind)
    asked = kind.attributes.get(value.name) if kind is not None and isinstance(value, ex.Attribute) else None
    if asked is not None and asked.reference in node.properties and not value.keys:
        return plain(node.properties[asked.reference], topology)
    for name, rule in (kind.attributes if kind is not None else {}).items():
        steps = tuple((rule.property or "").split("."))
        if isinstance(value, ex.Property) and (value.name, *value.keys)[: len(steps)] == steps:
            return ex.Attribute(value.node, name, (value.name, *value.keys)[len(steps) :])
    return value


def properties(node: Node, topology: Topology) -> Any:
    """A node's properties without nulls, empty names, defaults and old names; none of what exists already."""
    kind = builtin().kind(node.kind)
    if node.external_id is not MISSING or node.external_name is not MISSING:
        return {}
    if kind is None or not isinstance(node.properties, dict):
        return plain(node.properties, topology)
    found = {}
    for gateway in topology.nodes.values():  # that of a router is a property of it
        if gateway.kind == "router_gateway" and gateway.properties["router_id"] == ex.Identity(node.name):
            found["external_gateway_info"] = {"network": plain(gateway.properties["network"], topology)}
    for name, value in node.properties.items():
        rule = kind.properties.get(name, PropertyRule())
        if name == "user_data_format":  # the plugin knows one only, which has to be said in Heat
            continue
        if name == "gateway_ip" and value in (None, ""):
            found[name] = None
        elif name == "name" and value == "":  # a name is made up
            continue
        elif value is not None and not (rule.default is not None and same(value, rule.default)):
            found[name] = _items(rule, plain(value, topology))
    return {name: value for name, value in found.items() if value is not None or "gateway_ip" in node.properties}


def _items(rule: PropertyRule, value: Any) -> Any:
    if isinstance(value, list) and rule.each:
        return [_items(rule, item) for item in value]
    if isinstance(value, dict) and rule.each:
        return {rule.aliases.get(key, key): item for key, item in value.items() if item is not None}
    return value


def counterpart(node: Node, case: Both) -> Node | None:
    """The node that came back for ``node``."""
    found = case.back.nodes.get(case.names.get(node.name, node.name))
    if found is not None and found.kind == node.kind:
        return found
    if node.kind == "router_gateway":
        return case.back.nodes.get(node.properties["router_id"].node)
    wanted = properties(node, case.there)
    for other in case.back.nodes.values():
        if other.kind == node.kind and properties(other, case.back) == wanted:
            return other
    return None


# -- the tests ----------------------------------------------------------------------------------------------


def differences(case: Case) -> Iterator[tuple[str, set[str]]]:
    """The nodes whose kind or properties come back changed, and what was said about them."""
    found = both(case)
    for node in found.there.nodes.values():
        other = found.back.nodes.get(found.names.get(node.name, node.name)) or counterpart(node, found)
        told = found.told.get(node.name, set())
        if node.kind in SETS:
            if Counter(items_of(node, found.there)) - items_in(found.back, node):
                yield node.name, told
        elif other is None or node.kind == "router_gateway":
            absorbed = (other is not None or node.kind in SOFTWARE) and "BPC303" in told
            if not absorbed:
                yield node.name, told
        elif (other.kind, properties(other, found.back)) != (node.kind, properties(node, found.there)):
            yield node.name, told


def items_of(node: Node, topology: Topology) -> list[str]:
    """The items of a list that is one set with others, each with what it belongs to."""
    owner, items = SETS[str(node.kind)]
    whole = plain(node.properties, topology)
    found = whole[items] if isinstance(whole[items], list) else [whole[items]]
    return [repr((whole[owner], item)) for item in found]


def items_in(topology: Topology, node: Node) -> Counter[str]:
    """The items of all lists of a node's kind."""
    return Counter(item for one in topology.nodes.values() if one.kind == node.kind for item in items_of(one, topology))


@pytest.mark.parametrize("case", converted(), ids=lambda case: case.name)
def test_every_difference_is_explained(case: Case) -> None:
    assert set(unexplained(case)) == {name for name_of_case, name in KNOWN if name_of_case == case.name}


def unexplained(case: Case) -> Iterator[str]:
    """The nodes that come back changed, about which nothing was said that explains it. What connects a resource with an
    existing one has that as a node."""
    nodes = both(case).there.nodes
    for name, told in differences(case):
        if not told & EXPLAINS.keys() and not ends_with_existing(nodes[name]):
            yield name


def test_every_exception_is_needed() -> None:
    reasons = [told & EXPLAINS.keys() for case in converted() for _, told in differences(case)]
    assert EXPLAINS.keys() - {code for codes in reasons if len(codes) == 1 for code in codes} == set()
    assert KNOWN.keys() - {(case.name, name) for case in converted() for name in unexplained(case)} == set()


def ends_with_existing(node: Node) -> bool:
    """True for an absorbed resource with an end that is no resource of the template, or no node of its own."""
    kinds = ("router_interface", "volume_attachment", "floating_ip_association", "nova_floating_ip_association")
    return node.kind in kinds and any(not isinstance(value, ex.Identity) for value in node.properties.values())


def test_most_nodes_come_back_as_they_were() -> None:
    counts: Counter[str] = Counter()
    for case in converted():
        found = both(case)
        changed = {name for name, _ in differences(case)}
        for name in found.there.nodes:
            silent = not (found.told.get(name, set()) & EXPLAINS.keys())
            counts[("silent" if silent else "told") + (" changed" if name in changed else " same")] += 1
    assert counts["silent changed"] == len(KNOWN) + 3  # with those that connect resources with existing ones
    assert counts["silent same"] > 200
    # some of those that something is said about are the same, too
    assert counts["told same"] > 10


def subnets_of_interfaces(nodes: dict[str, Node]) -> dict[str, str]:
    """Interface of a router -> the subnet that it is part of."""
    found = {node.name: node.properties.get("subnet") for node in nodes.values() if node.kind == "router_interface"}
    return {name: subnet.node for name, subnet in found.items() if isinstance(subnet, ex.Identity)}


def implied(values: list[Any]) -> set[str]:
    """The nodes that references in ``values`` wait for."""
    found = (expr for expr in ex.walk(values) if isinstance(expr, (ex.Identity, ex.Attribute)))
    return {expr.node for expr in found if isinstance(expr.node, str)}


def waits(topology: Topology) -> dict[str, set[str]]:
    """What each node waits for in Heat."""
    found = {
        name: implied([node.properties, node.extra.get("metadata")]) | set(node.awaited)
        for name, node in topology.nodes.items()
    }
    for source, target in implicit_order.edges(topology):
        found[source].add(target)
    return found


def reached(start: str, edges: dict[str, set[str]]) -> set[str]:
    done: set[str] = set()
    stack = [start]
    while stack:
        for name in edges.get(stack.pop(), ()):
            if name not in done:
                done.add(name)
                stack.append(name)
    return done


def orders(case: Case) -> Iterator[tuple[str, str, bool]]:
    """(node, node that it waits for, whether it still does), unless a cycle had to be broken, or the dependency led
    nowhere."""
    found = both(case)
    edges = waits(found.back)
    for node in found.there.nodes.values():
        source = counterpart(node, found)
        for target in node.awaited:
            other = counterpart(found.there.nodes[target], found) if target in found.there.nodes else None
            broken = {"BPC208", "BPC121", "BPC331", "BPC388", "BPC407", "BPC604"} & found.told.get(node.name, set())
            if source is not None and other is not None and not broken and source is not other:
                yield node.name, target, other.name in reached(source.name, edges)


@pytest.mark.parametrize("case", converted(), ids=lambda case: case.name)
def test_order_survives(case: Case) -> None:
    assert [(node, target) for node, target, is_kept in orders(case) if not is_kept] == []


def test_many_orders_are_compared() -> None:
    assert sum(1 for case in converted() for _ in orders(case)) > FEWEST_ORDERS


#: the property of a node that lists the interfaces of a server
SERVER_PORTS = ("server", "networks")
#: what relationships and rules become -> how such a resource is called
NAMES = {
    "router_interface": r"_interface", "volume_attachment": r"_attachment(_\d)?", "extra_route": r"_routes",
    "floating_ip_association": r"_association", "nova_floating_ip_association": r"_association",
    "user_role_assignment": r"_roles?", "group_role_assignment": r"_roles?",
}  # fmt: skip


def used_elsewhere(topology: Topology) -> set[str]:
    """The nodes that something else than a list of interfaces refers to, and those that are in one of them in some
    cases only."""
    found: set[str] = set()
    for node in topology.nodes.values():
        given = node.properties if isinstance(node.properties, dict) else {"": node.properties}
        for name, value in given.items():
            chosen = [e for e in ex.walk(value) if isinstance(e, ex.If)] if (node.kind, name) == SERVER_PORTS else value
            found |= implied([chosen])
    return found | implied([output.value for output in topology.outputs.values()])


def is_wanted(node: Node, case: Case, found: Both) -> bool:
    """True for a resource of the way back that has no namesake in the source, and that has to be there."""
    told = {name for name in found.there.nodes if re.match(rf"{re.escape(name)}_", node.name)}
    codes = {code for name in told for code in found.told.get(name, ())}
    if node.name in found.names.values():
        return True
    if node.kind in NAMES:
        return re.search(rf"{NAMES[node.kind]}$", node.name) is not None
    if node.kind is None:  # scaled nodes together, and members of a group of deployments
        return bool(codes & {"BPC740", "BPC741", "BPC721"})
    if node.kind == "port" and {"BPC201", "BPC311"} <= codes:  # the network of its subnet is asked for
        return True
    return "BPC741" in codes or (node.kind == "port" and node.name in used_elsewhere(found.back))


def test_helpers_do_not_come_back() -> None:
    """No barrier, no default group, no port for an interface that has no other use."""
    for case in converted():
        found = both(case)
        for node in (one for one in found.back.nodes.values() if one.external_name is MISSING):
            assert node.name in found.there.nodes or is_wanted(node, case, found), (case.name, node.name)
            assert not node.name.endswith("_barrier")
            assert not node.name.startswith("external_default")


def named(value: Any) -> Any:
    """A value as it is called: a node, a parameter, or a text; without what made a node for it."""
    found = value.node if isinstance(value, ex.Identity) else value.name if isinstance(value, ex.Input) else value
    return re.sub(r"^external_(.*)_of_.*$", r"\1", found) if isinstance(found, str) else found


def grants(topology: Topology) -> Counter[tuple[Any, ...]]:
    """Who has which role on which project."""
    found: Counter[tuple[Any, ...]] = Counter()
    for node in topology.nodes.values():
        roles = node.properties.get("roles") if isinstance(node.properties, dict) else None
        who = node.properties.get("user", node.properties.get("group", node.name)) if roles else None
        for row in roles if isinstance(roles, list) else ():
            if "project" in row:
                found[named(who), named(row["role"]), named(row["project"])] += 1
    return found


def test_every_role_comes_back_once() -> None:
    """Roles of users and groups are lists of projects in a blueprint, and resources of their own on the way back."""
    case = next(case for case in converted() if case.name == "keystone-roles-on-projects")
    assert grants(both(case).back) == Counter(grants(both(case).there).keys())
