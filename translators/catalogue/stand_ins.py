"""Types without an equivalent in the other language, by design: what is lost, and what the user can do.

The data is ``translators/catalogue/stand_ins.yaml``; it is read when the first stand-in is made."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from bpconvert.yamlio.document import load

_TABLE: Final = Path(__file__).with_name("stand_ins.yaml")
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


class Loss(NamedTuple):
    """One row. ``lost``: what does not happen, as a clause; ``todo``: what to do instead, as sentences; ``harmless``:
    the resource does nothing in its own language either; ``gives``: attribute -> the property whose value it is."""

    lost: str
    todo: str = "Nothing to do."
    harmless: bool = False
    gives: dict[str, str] | None = None


@lru_cache(maxsize=1)
def losses() -> dict[str, dict[str, Loss]]:
    """Language -> type of it, or beginning of types -> what is lost."""
    data = load(_TABLE.read_text(encoding="utf-8"), f"catalogue/{_TABLE.name}").data
    return {language: {name: Loss(**row) for name, row in rows.items()} for language, rows in data.items()}


def loss(language: str, types: Iterable[str]) -> Loss | None:
    """The row for a type of ``language``, given with its parents (the type itself first); None for a type that the
    table does not have."""
    table = losses().get(language, {})
    for name in types:
        rows = (row for row in table if name == row or (row.endswith(_NAMESPACE) and name.startswith(row)))
        found = max(rows, key=len, default=None)
        if found is not None:
            return table[found]
    return None


def is_idle(ancestry: list[str]) -> bool:
    """True for a type whose parents are all known, of which none does anything itself."""
    own = [name for name in ancestry if name.startswith("cloudify.")]
    return bool(own) and _IDLE.issuperset(own) and ancestry[-1] in _IDLE
