"""What the plugin takes: a table of the values that it, or OpenStack for it, refuses when it runs.

The writer gives the plugin values that it takes, by the same functions. The table is for what is left: values that are
only known when everything is put together with the defaults of the inputs (:mod:`..write.plan`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.cloudify.openstack import compute, interfaces, user_data
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft

_CONFIG: Final = "resource_config"


class Demand(NamedTuple):
    """One demand. ``kind``: of nodes; ``path``: of the property; ``takes``: whether the plugin takes a value, None
    where the value is not known well enough; ``why``: what it takes, in words. ``whatever``: asked also where the node
    has no such property. ``open``: it is worth a warning where nothing is known; ``usual``: only an info where an input
    yields the value, as what inputs are given usually is such a value."""

    kind: str
    path: Path
    takes: Callable[[NodeDraft, Value], bool | None]
    why: str
    whatever: bool = False
    open: bool = False
    usual: bool = False


def _maps(draft: NodeDraft, value: Value) -> bool | None:
    """A list of maps."""
    if value is None or value is MISSING or isinstance(value, ex.Expr):
        return None
    return isinstance(value, list) and all(isinstance(item, (dict, ex.Expr)) for item in value)


def _user_data(draft: NodeDraft, value: Value) -> bool | None:
    return True if draft.properties.get(user_data.ENCODE) is False else user_data.takes(value)


def _metadata(draft: NodeDraft, value: Value) -> bool | None:
    return compute.takes_metadata(value)


def _name(draft: NodeDraft, value: Value) -> bool | None:
    """Any text but the empty one, which Heat's client leaves out (novaclient: ``ServerManager._boot``)."""
    if draft.node.external_id is not MISSING:
        return True
    return None if isinstance(value, ex.Expr) else value != ""


#: relationships that give a server an interface
_INTERFACES: Final = (
    "cloudify.relationships.openstack.server_connected_to_port", "cloudify.relationships.connected_to",
)  # fmt: skip


def _networks(draft: NodeDraft, value: Value) -> bool | None:
    """Interfaces, or the version of the compute API that says what a server without any gets."""
    if draft.node.external_id is not MISSING or interfaces.asks_nova(draft):
        return True
    if any(relation.type in _INTERFACES for relation in draft.relations):
        return True
    return None if isinstance(value, ex.Expr) else bool(value) and value is not MISSING


_LISTS: Final = (
    ("server", "security_groups"), ("server", "networks"), ("port", "fixed_ips"), ("port", "allowed_address_pairs"),
    ("subnet", "allocation_pools"), ("subnet", "host_routes"),
)  # fmt: skip
_NAMES: Final = ("key_name", "availability_zone")
DEMANDS: Final[tuple[Demand, ...]] = (
    Demand("server", (_CONFIG, "user_data"), _user_data, f"the plugin takes {user_data.WANTED}", open=True),
    Demand("server", (_CONFIG, "metadata"), _metadata, "all values have to be texts", open=True, usual=True),
    Demand("server", (_CONFIG, "networks"), _networks, "the plugin needs a network or a port", whatever=True),
    *(Demand("server", (_CONFIG, name), _name, "Nova refuses an empty text") for name in _NAMES),
    *(Demand(kind, (_CONFIG, name), _maps, "it has to be a list of maps") for kind, name in _LISTS),
)


def unmet(draft: NodeDraft, properties: Value) -> Iterator[tuple[Demand, bool | None]]:
    """The demands that the ``properties`` of a node do not meet (False) or may not (None)."""
    kind = draft.kind.kind if draft.kind is not None else None
    for demand in DEMANDS:
        if demand.kind != kind:
            continue
        value = _at(properties, demand.path)
        if value is MISSING and not demand.whatever:
            continue
        verdict = demand.takes(draft, value)
        if verdict is False or (verdict is None and demand.open):
            yield demand, verdict


def _at(value: Value, path: Path) -> Value:
    for step in path:
        if isinstance(value, ex.Expr):
            return value
        if not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value
