"""Requirements of OpenStack's resources that say what a property, or a resource of its own, says in Heat: what node
types declare of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from bpconvert.translators.tosca.column import ToscaTypes

SERVER: Final = "OS::Nova::Server"
VOLUME: Final = "OS::Cinder::Volume"
PORT: Final = "OS::Neutron::Port"
LINK: Final = "link"
BINDING: Final = "binding"
ATTACHED: Final = "volume"
#: the capability of a volume that servers require
ATTACHMENT: Final = "attachment"
#: the place of a port among those of its server
ORDER: Final = "order"
#: the type of the relationship templates of attachments
ATTACHES: Final = "openstack.relationships.VolumeAttachment"


def declare(definition: dict[str, Any], types: ToscaTypes, name: str) -> None:
    """Add a requirement or capability of a resource type, where it is one, to the definition of its node type.
    ``types``: what the catalogue says of that."""
    requirement, capability = types.requirements.get(name), types.capabilities.get(name)
    rows: list[dict[str, Any]] = definition.get("requirements", [])
    if requirement is not None and not any(name in row for row in rows):
        definition["requirements"] = [*rows, {name: requirement.definition()}]
    if capability is not None:
        definition.setdefault("capabilities", {})[name] = dict(capability)


def required(requirements: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The nodes that requirements name, as they are written."""
    for row in requirements:
        for wanted in row.values():
            yield wanted.get("node", "") if isinstance(wanted, dict) else wanted


def reaches(graph: Mapping[str, Iterable[str]], source: str, target: str) -> bool:
    """True where ``target`` is ``source``, or something that this requires, directly or not. ``graph``: node -> what it
    requires."""
    seen, waiting = {source}, [source]
    while waiting and target not in seen:
        more = {*graph.get(waiting.pop(), ())} - seen
        seen |= more
        waiting += more
    return target in seen
