"""Resources that one language has as nodes of their own and the other as a part of another node, in one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.translators.verify import interfaces, roles

if TYPE_CHECKING:
    from bpconvert.translators.verify.parts import Deployment


def unify(deployment: Deployment) -> None:
    """Bring the parts of a deployment into one form."""
    _gateways(deployment)


def unify_both(first: Deployment, second: Deployment) -> None:
    """Bring what one of two deployments says in another form than the other into one form."""
    interfaces.unify(first, second)
    roles.unify(first, second)


def _gateways(deployment: Deployment) -> None:
    """A gateway of a router is a property of the router."""
    parts = deployment.parts
    for name, part in list(parts.items()):
        if part.kind == "router_gateway":
            wanted = part.properties.get("router_id", part.properties.get("router"))
            owner = next((one for one in parts.values() if one.kind == "router" and wanted == f"{one.name}-id"), None)
            if owner is not None:
                network = part.properties.get("network", part.properties.get("network_id"))
                owner.properties = {**owner.properties, "external_gateway_info": {"network": network}}
                del parts[name]
