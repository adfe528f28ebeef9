"""Extra routes of routers: a part for each route. Heat has resources for one route or several, and the plugin has all
routes of a router together."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Deployment, Part
from bpconvert.translators.verify import roles

_KIND: Final = "extra_route"


def unify(first: Deployment, second: Deployment) -> None:
    """Take the routes of both deployments apart, but for those of stand-ins."""
    represented = {part.name for one in (first, second) for part in one.parts.values() if part.stand_in}
    made: tuple[list[Part], list[Part]] = ([], [])
    for one, found in zip((first, second), made, strict=True):
        for part in list(one.parts.values()):
            routes: Any = part.properties.get("routes")
            if part.kind != _KIND or part.name in represented or not isinstance(routes, list):
                continue
            del one.parts[part.name]
            for index, route in enumerate(routes):
                found.append(_route(part, index, route))
                one.waits[found[-1].name] = one.waits.get(part.name, set())
    roles.add(first, second, made)


def _route(part: Part, index: int, route: Any) -> Part:
    properties = {"router": part.properties.get("router"), **(route if isinstance(route, dict) else {"route": route})}
    place = part.origin("routes", index)
    made = Node(f"{part.name}.routes.{index}", "", "route", properties, path=place)
    made.origins = {("router",): part.origin("router"), (): place}
    return Part(made.name, "route", properties, part.path, made.origin, made)
