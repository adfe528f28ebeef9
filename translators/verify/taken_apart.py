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
    represented = {part.name for one in (first, second) for part in one.parts.values() if part.stand_in}
    for take_apart in (_roles, _routes):
        made: tuple[list[Part], list[Part]] = ([], [])
        for one, found in zip((first, second), made, strict=True):
            for part in list(one.parts.values()):
                if part.name not in represented:
                    found += take_apart(one, part)
        _add(first, second, made)


def _add(first: Deployment, second: Deployment, made: tuple[list[Part], list[Part]]) -> None:
    """Add what was taken apart, equal parts under the same name. What is given twice is there the first time."""
    names = {_key(part): part.name for part in made[0]}
    for one, part in [*((first, part) for part in made[0]), *((second, part) for part in made[1])]:
        waits = one.waits.pop(part.name)
        name = part.name = names.get(_key(part), f"{part.name}'")
        one.waits[name] = one.waits.get(name, waits) & waits
        one.parts.setdefault(name, part)


def _key(part: Part) -> str:
    return repr(sorted(part.properties.items(), key=repr))


def _roles(one: Deployment, part: Part) -> list[Part]:
    items: Any = part.properties.get("roles")
    if part.kind not in (*_OWNERS, *_ASSIGNMENTS) or not isinstance(items, list):
        return []
    if not all(isinstance(item, dict) for item in items):
        return []
    written = (one.side.original or one.side).topology.nodes.get(part.node.name, part.node)
    calls: Any = written.properties.get("roles") if isinstance(written.properties, dict) else None
    key = _ASSIGNMENTS.get(part.kind)
    who = f"{part.name}-id" if key is None else part.properties.get(key)
    own, waits = {part.name}, one.waits.get(part.name, set())
    if key is not None:
        own = waits - {one.side.named(name) for name in _named(calls)}
        del one.parts[part.name]
    else:
        part.properties = part.without("roles")
        for behind in one.waits.values():  # they go on waiting for what the roles need
            if part.name in behind:
                behind.update(waits)
        one.waits[part.name] = waits - _only_for_roles(one, written)
    found = []
    for index, item in enumerate(items):
        found.append(_role(one, part, index, {key or _OWNERS[part.kind]: who, **item}))
        call = calls[index] if isinstance(calls, list) and len(calls) == len(items) else calls
        one.waits[found[-1].name] = own | {one.side.named(name) for name in _named(call)}
    return found


def _role(one: Deployment, part: Part, index: int, values: dict[Any, Value]) -> Part:
    given = {name: _identity(one, name, value) for name, value in values.items() if value is not None}
    place = part.origin("roles", index)
    made = Node(f"{part.name}.roles.{index}", "", KIND, given, path=place)
    made.origins = {(step,): part.origin("roles", index, step) for step in given}
    made.origins |= {(_ASSIGNMENTS.get(part.kind, ""),): part.origin(_ASSIGNMENTS.get(part.kind, "")), (): place}
    return Part(made.name, KIND, given, place, made.origin, made)


def _identity(one: Deployment, key: Any, value: Value) -> Value:
    """The id of what a name means: Keystone takes both."""
    kind = _NAMED.get(key)
    found = [part for part in one.parts.values() if part.kind == kind and value == part.properties.get("name")]
    return f"{found[0].name}-id" if len(found) == 1 else value


def _only_for_roles(one: Deployment, written: Node) -> set[str]:
    """The nodes that a user or group only refers to in its roles."""
    if not isinstance(written.properties, dict):
        return set()
    rest = [value for name, value in written.properties.items() if name != "roles"]
    found = _named(written.properties.get("roles")) - _named([*rest, written.extra.get("metadata")])
    return {one.side.named(name) for name in found - set(written.awaited)}


def _named(value: Value) -> set[str]:
    """The nodes that a value refers to."""
    named = (getattr(expr, "node", None) for expr in ex.walk(value))
    return {name for name in named if isinstance(name, str)}


def _routes(one: Deployment, part: Part) -> list[Part]:
    routes: Any = part.properties.get("routes")
    if part.kind != "extra_route" or not isinstance(routes, list):
        return []
    del one.parts[part.name]
    found = [_route(part, index, route) for index, route in enumerate(routes)]
    for made in found:
        one.waits[made.name] = one.waits.get(part.name, set())
    return found


def _route(part: Part, index: int, route: Any) -> Part:
    properties = {"router": part.properties.get("router"), **(route if isinstance(route, dict) else {"route": route})}
    place = part.origin("routes", index)
    made = Node(f"{part.name}.routes.{index}", "", "route", properties, path=place)
    made.origins = {("router",): part.origin("router"), (): place}
    return Part(made.name, "route", properties, part.path, made.origin, made)
