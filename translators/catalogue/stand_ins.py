"""Types without an equivalent in the other language, by design: what is lost, and what the user can do.

The data is ``translators/catalogue/stand_ins.yaml``; it is read when the first stand-in is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path as File
from typing import Final

from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.catalogue import schemas
from bpconvert.yamlio.document import load

_TABLE: Final = File(__file__).with_name("stand_ins.yaml")
#: what a row ends with that stands for all types that begin so
_NAMESPACE: Final = ("::", ".")
#: node types of Cloudify's own that do nothing but order (types.yaml), but for the operations that they are given
_IDLE: Final = frozenset(
    f"cloudify.nodes.{name}"
    for name in (
        "Root", "Tier", "Database", "Network", "Subnet", "Router", "Port", "VirtualIP", "SecurityGroup", "Volume",
        "ObjectStorage", "SoftwareComponent", "WebServer", "ApplicationServer", "DBMS",
        "MessageBusServer", "LoadBalancer", "ApplicationModule",
    )
)  # fmt: skip
_NOTHING: Final = ("cloudify.nodes.Root", "tosca.nodes.Root")
#: those that do something by themselves, and what the names of types begin with for which the OpenStack plugin or a
#: script of ours does something
_BUSY: Final = frozenset(
    f"cloudify.nodes.{name}"
    for name in (
        "Compute", "Container", "FileSystem", "CloudifyManager", "Component", "ServiceComponent", "SharedResource",
        "Blueprint", "PasswordSecret", "keys.RSAKey",
    )
) | {"cloudify.keys.nodes.RSAKey"}  # fmt: skip
_OPENSTACK: Final = ("cloudify.nodes.openstack.", "cloudify.openstack.", "bpconvert.openstack.")
#: what stands in the names of types of another platform -> what that is called
_PLATFORMS: Final = {
    "aws": "AWS", "azure": "Azure", "gcp": "Google Cloud", "vsphere": "vSphere", "vcloud": "vCloud",
    "cloudstack": "CloudStack", "starlingx": "StarlingX", "libvirt": "libvirt",
}  # fmt: skip


class Loss(NamedTuple):
    """One row. ``lost``: what does not happen, as a clause; ``todo``: what to do instead, as sentences; ``gives``:
    attribute -> the property whose value it is; ``bare``: the resource does nothing in its own language either, which
    looks at none of its properties; ``elsewhere``: what to do where the target is not the engine of ``todo``;
    ``programs``: what a node does is what its operations run."""

    lost: str
    todo: str = "Nothing to do."
    elsewhere: str = ""
    gives: dict[str, str] | None = None
    bare: bool = False
    programs: bool = False


@lru_cache(maxsize=1)
def losses() -> dict[str, dict[str, Loss]]:
    """Language -> type of it, or beginning of types -> what is lost."""
    data = load(_TABLE.read_text(encoding="utf-8"), f"catalogue/{_TABLE.name}").data
    return {language: {name: Loss(**row) for name, row in rows.items()} for language, rows in data.items()}


def loss(language: str, types: Iterable[str]) -> Loss | None:
    """The row for a type of ``language``, given with its parents (the type itself first); None for a type that the
    table does not have. What is derived from a type that does nothing may do something."""
    table = losses().get(language, {})
    for depth, name in enumerate(types):
        rows = (row for row in table if name == row or (row.endswith(_NAMESPACE) and name.startswith(row)))
        longest = max(rows, key=len, default=None)
        if longest is not None and longest != name and _is_invented(longest, name):
            longest = None
        if longest is not None and not (depth and table[longest].bare):
            return table[longest]
    return None


def _is_invented(namespace: str, name: str) -> bool:
    """True for a type that Heat does not have in a namespace of its own: an environment says what it stands for."""
    return _has_types(namespace) and schemas.heat_type(name) is None


@cache
def _has_types(namespace: str) -> bool:
    """True for a namespace in which Heat has types."""
    return any(own.startswith(namespace) for own in schemas.heat_types())


def is_bare(language: str, type: str) -> bool:
    """True for a type of ``language`` that has no effect and looks at no property."""
    row = loss(language, [type])
    return row is not None and row.bare


def only_runs(language: str, types: Iterable[str]) -> bool:
    """True for a type, given with its parents, whose nodes do nothing but what their operations run."""
    row = loss(language, types)
    return row is not None and row.programs


def platform(types: Iterable[str]) -> str:
    """The other platform that a type is of, given with its parents; "" for none."""
    for name in types:
        words = name.removeprefix("cloudify.").removeprefix("nodes.").split(".")
        if name.startswith("cloudify.") and len(words) > 1 and words[0] in _PLATFORMS:
            return _PLATFORMS[words[0]]
    return ""


def counted(stand_ins: Iterable[list[str]]) -> str:
    """How many stand-ins there are, given by their types with parents, and of which platforms."""
    numbers = Counter(map(platform, stand_ins))
    others = numbers.pop("", 0)
    if not numbers:
        return str(others)
    texts = [f"{number} of {name}" for name, number in numbers.most_common()]
    return ", ".join([*texts, *([f"{others} others"] if others else [])])


def is_idle(ancestry: list[str]) -> bool:
    """True for a type whose parents are all known, of which none does anything itself."""
    return ancestry[-1] in _IDLE and not is_busy(ancestry)


def is_nothing(ancestry: list[str]) -> bool:
    """True for the type that all others are derived from, which only orders. ``ancestry``: the type and its parents."""
    return len(ancestry) == 1 and ancestry[0] in _NOTHING


def is_busy(ancestry: list[str]) -> bool:
    """True for a type of Cloudify's own or of its OpenStack plugin that does something, or is derived from one. The
    types of a document may have names like those."""
    return any(name in _BUSY or name.startswith(_OPENSTACK) for name in ancestry)


#: so many names of stand-ins are listed
_LISTED: Final = 20


def listed(places: Iterable[Path]) -> str:
    """The first names of stand-ins, given by their places, and how many more there are, for a message."""
    quoted = list(dict.fromkeys(f"'{place[1]}'" for place in places if len(place) > 1))
    more = f" and {len(quoted) - _LISTED} more" if len(quoted) > _LISTED else ""
    return ", ".join(quoted[:_LISTED]) + more
