"""A topology as text, to be read and compared between two passes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING as REQUIRED
from dataclasses import Field, fields, is_dataclass
from typing import Any, Final

from bpconvert.models.expressions import Expr
from bpconvert.models.topology import Topology

#: places in the source, which no pass is about
_PLACES: Final = frozenset({"aliases", "origins", "outer", "path"})


def as_text(topology: Topology) -> str:
    """What differs from the defaults, as JSON; expressions are written as the classes that they are."""
    return json.dumps(_plain(topology), indent=2, ensure_ascii=False, default=repr) + "\n"


def _plain(value: Any) -> Any:
    """``value`` as data that JSON has."""
    if isinstance(value, Expr) or value is None or isinstance(value, (str, bool, int, float)):
        return value
    if is_dataclass(value):
        own = [field for field in fields(value) if field.name not in _PLACES]
        pairs = ((field.name, getattr(value, field.name), _default(field)) for field in own)
        return {name: _plain(found) for name, found, default in pairs if found != default}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else repr(value)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is REQUIRED else field.default_factory()
