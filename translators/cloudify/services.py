"""Node types of resources that the OpenStack plugin has none for: a script beside the blueprint calls the API of their
service (:mod:`~.cloudify.service_calls`). They are derived from the type of nodes whose scripts compute values: the
manager runs the scripts of both, and the OpenStack plugin takes part in neither."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Any, Final

from bpconvert.translators import cloudify
from bpconvert.translators.catalogue.model import Kind, Service
from bpconvert.translators.cloudify.computed import INTERFACE
from bpconvert.translators.cloudify.vocabulary import ROOT, SERVICE_BASE

#: where the script is in the bundle
PATH: Final = "scripts/bpconvert_service.py"
#: digests of what the script was in results of earlier versions
EARLIER: Final = frozenset({
    "1e1a5ac138c766ad8cfd685abdf63fcabbdfec22a3df9a6693d01095c71bc905",
    "40e1948aa4c2b491974aecbf94bdca3728fc2ba2df8096930263adeb238869ff",
})  # fmt: skip
#: the parent of the type that all of them are derived from
PARENT: Final = "bpconvert.nodes.Value"

_MAIN: Final = """

if __name__ == "__main__":
    import requests
    from cloudify import ctx
    from cloudify.exceptions import NonRecoverableError

    service, instance = ctx.node.properties["service"], ctx.instance

    def keep(identity, place):
        instance.runtime_properties["id"] = identity
        instance.runtime_properties["place"] = place
        instance.update()

    try:
        if ctx.operation.name.endswith(".create"):
            if "place" not in instance.runtime_properties:
                cloud = Cloud(ctx.node.properties["client_config"], requests.Session())
                config = dict(ctx.node.properties["resource_config"])
                others = [dict(one.target.instance.runtime_properties) for one in instance.relationships]
                name = re.sub("[^A-Za-z0-9_.-]", "-", "d-{}-{}".format(ctx.deployment.id, instance.id))
                made = created(cloud, service, config, keep, name, others)
                instance.runtime_properties["show"] = made
                for name, value in made.items():
                    instance.runtime_properties.setdefault(name, value)
        elif "place" in instance.runtime_properties:
            cloud = Cloud(ctx.node.properties["client_config"], requests.Session())
            removed(cloud, service, instance.runtime_properties["place"])
            for name in list(instance.runtime_properties):
                del instance.runtime_properties[name]
    except Refused as refused:
        raise NonRecoverableError(str(refused))
"""

_OPERATION: Final = {"implementation": PATH, "executor": "central_deployment_agent", "max_retries": 0}
_BASE: Final[dict[str, Any]] = {
    "derived_from": PARENT,
    "properties": {
        "client_config": {"description": "How to log in to OpenStack", "default": {}},
        "resource_config": {"description": "What the service is given", "default": {}},
        "service": {"description": "What is called to create such a resource", "default": {}},
    },
    "interfaces": {INTERFACE: {"create": dict(_OPERATION), "delete": dict(_OPERATION)}},
}


def program() -> str:
    """The text of the script."""
    return files(cloudify).joinpath("service_calls.py").read_text(encoding="utf-8") + _MAIN


def is_program(text: str | None) -> bool:
    """True where ``text`` is that of the script, now or in an earlier version; for None, where nobody knows it."""
    return text in (None, program()) or hashlib.sha256(str(text).encode()).hexdigest() in EARLIER


def definitions(kind: Kind, values: Kind | None) -> dict[str, Any]:
    """The node types that a blueprint defines for a kind; none where the plugin has its type. ``values``: the
    kind of nodes that compute values."""
    if kind.cloudify is None or kind.cloudify.service is None:
        return {}
    called = {"description": "What is called to create such a resource", "default": _called(kind.cloudify.service)}
    own = {"derived_from": SERVICE_BASE, "properties": {"service": called}}
    parent = values.cloudify.defines if values is not None and values.cloudify is not None else {"derived_from": ROOT}
    return {PARENT: parent, SERVICE_BASE: _BASE, kind.cloudify.type: own}


def _called(service: Service) -> dict[str, Any]:
    """The data that the script gets; what is usual is left out."""
    usual = Service(types=[], path="")
    settings = {name: value for name, value in vars(service).items() if value != getattr(usual, name)}
    return {"types": settings.pop("types"), "path": settings.pop("path"), **settings}
