"""A topology as text, to be read and compared between two passes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING as REQUIRED
from dataclasses import Field, fields, is_dataclass
from typing import Any, Final

from bpconvert.models.expressions import Expr
from bpconvert.models.topology import Topology

#: the maps of a topology that have what a document names
SECTIONS: Final = ("inputs", "conditions", "nodes", "groups", "outputs", "capabilities")
#: places in the source, which no pass is about
_PLACES: Final = frozenset({"aliases", "origins", "outer", "path"})


def as_text(topology: Topology) -> str:
    """What differs from the defaults, as JSON; expressions are written as the classes that they are."""
    return json.dumps(as_data(topology), indent=2, ensure_ascii=False, default=repr) + "\n"


def as_data(value: Any) -> Any:
    """A topology, or a part of one, as data that JSON has, but for expressions: what differs from the defaults."""
    if isinstance(value, Expr) or value is None or isinstance(value, (str, bool, int, float)):
        return value
    if is_dataclass(value):
        own = [field for field in fields(value) if field.name not in _PLACES]
        pairs = ((field.name, getattr(value, field.name), _default(field)) for field in own)
        return {name: as_data(part) for name, part, default in pairs if part != default}
    if isinstance(value, Mapping):
        return {str(key): as_data(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    return [as_data(item) for item in value] if isinstance(value, (list, tuple)) else repr(value)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is REQUIRED else field.default_factory()
