"""What one document gives together and another apart: a part for each role on a project, and for each extra route.

Heat gives roles with the user or the group (heat: keystone/role_assignments.py), or with resources of their own, the
plugin with the project. Heat has resources for one route of a router or several, the plugin has all of them together.
"""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Deployment, Part

#: kind of such a part
KIND: Final = "role of"
#: kind of who has roles -> what it is called in the part
_OWNERS: Final = {"user": "user", "keystone_group": "group"}
#: kind of a resource that gives roles -> its property for who gets them
_ASSIGNMENTS: Final = {"user_role_assignment": "user", "group_role_assignment": "group"}
#: property of such a part -> the kind of what it names
_NAMED: Final = {"user": "user", "group": "keystone_group", "role": "keystone_role", "project": "project"}


def unify(first: Deployment, second: Deployment) -> None:
    """Take the roles and the routes of both deployments apart, but for those of stand-ins."""
    represented = {part.name for deployment in (first, second) for part in deployment.parts.values() if part.stand_in}
    for take_apart in (_roles, _routes):
        added: tuple[list[Part], list[Part]] = ([], [])
        for deployment, parts in zip((first, second), added, strict=True):
            for part in list(deployment.parts.values()):
                if part.name not in represented:
                    parts += take_apart(deployment, part)
        _add(first, second, added)


def _add(first: Deployment, second: Deployment, added: tuple[list[Part], list[Part]]) -> None:
    """Add what was taken apart, equal parts under the same name. What is given twice is there the first time."""
    names = {_key(part): part.name for part in added[0]}
    for deployment, part in [*((first, part) for part in added[0]), *((second, part) for part in added[1])]:
        waits = deployment.waits.pop(part.name)
        name = part.name = names.get(_key(part), f"{part.name}'")
        deployment.waits[name] = deployment.waits.get(name, waits) & waits
        deployment.parts.setdefault(name, part)


def _key(part: Part) -> str:
    return repr(sorted(part.properties.items(), key=repr))


def _roles(deployment: Deployment, part: Part) -> list[Part]:
    items: Any = part.properties.get("roles")
    if part.kind not in (*_OWNERS, *_ASSIGNMENTS) or not isinstance(items, list):
        return []
    if not all(isinstance(item, dict) for item in items):
        return []
    written = (deployment.side.original or deployment.side).topology.nodes.get(part.node.name, part.node)
    calls: Any = written.properties.get("roles") if isinstance(written.properties, dict) else None
    key = _ASSIGNMENTS.get(part.kind)
    who = f"{part.name}-id" if key is None else part.properties.get(key)
    own, waits = {part.name}, deployment.waits.get(part.name, set())
    if key is not None:
        own = waits - {deployment.side.name_of(name) for name in _nodes_in(calls)}
        del deployment.parts[part.name]
    else:
        part.properties = part.without("roles")
        for behind in deployment.waits.values():  # they go on waiting for what the roles need
            if part.name in behind:
                behind.update(waits)
        deployment.waits[part.name] = waits - _only_for_roles(deployment, written)
    parts = []
    for index, item in enumerate(items):
        parts.append(_role(deployment, part, index, {key or _OWNERS[part.kind]: who, **item}))
        call = calls[index] if isinstance(calls, list) and len(calls) == len(items) else calls
        deployment.waits[parts[-1].name] = own | {deployment.side.name_of(name) for name in _nodes_in(call)}
    return parts


def _role(deployment: Deployment, part: Part, index: int, values: dict[Any, Value]) -> Part:
    properties = {name: _identity(deployment, name, value) for name, value in values.items() if value is not None}
    place = part.origin("roles", index)
    node = Node(f"{part.name}.roles.{index}", "", KIND, properties, path=place)
    node.origins = {(step,): part.origin("roles", index, step) for step in properties}
    node.origins |= {(_ASSIGNMENTS.get(part.kind, ""),): part.origin(_ASSIGNMENTS.get(part.kind, "")), (): place}
    return Part(node.name, KIND, properties, place, node.origin, node)


def _identity(deployment: Deployment, key: Any, value: Value) -> Value:
    """The id of what a name means: Keystone takes both."""
    kind = _NAMED.get(key)
    owners = [part for part in deployment.parts.values() if part.kind == kind and value == part.properties.get("name")]
    return f"{owners[0].name}-id" if len(owners) == 1 else value


def _only_for_roles(deployment: Deployment, written: Node) -> set[str]:
    """The nodes that a user or group only refers to in its roles."""
    if not isinstance(written.properties, dict):
        return set()
    others = [value for name, value in written.properties.items() if name != "roles"]
    only = _nodes_in(written.properties.get("roles")) - _nodes_in([*others, written.extra.get("metadata")])
    return {deployment.side.name_of(name) for name in only - set(written.awaited)}


def _nodes_in(value: Value) -> set[str]:
    """The nodes that a value refers to."""
    names = (getattr(expr, "node", None) for expr in ex.walk(value))
    return {name for name in names if isinstance(name, str)}


def _routes(deployment: Deployment, part: Part) -> list[Part]:
    routes: Any = part.properties.get("routes")
    if part.kind != "extra_route" or not isinstance(routes, list):
        return []
    del deployment.parts[part.name]
    routes_apart = [_route(part, index, route) for index, route in enumerate(routes)]
    for route_part in routes_apart:
        deployment.waits[route_part.name] = deployment.waits.get(part.name, set())
    return routes_apart


def _route(part: Part, index: int, route: Any) -> Part:
    properties = {"router": part.properties.get("router"), **(route if isinstance(route, dict) else {"route": route})}
    place = part.origin("routes", index)
    node = Node(f"{part.name}.routes.{index}", "", "route", properties, path=place)
    steps = route if isinstance(route, dict) else ()
    node.origins = {(step,): part.origin("routes", index, step) for step in steps}
    node.origins |= {("router",): part.origin("router"), (): place}
    return Part(node.name, "route", properties, part.path, node.origin, node)
