"""The words by which languages with node templates and typed relationships differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bpconvert.models.expressions import Value

#: kinds of types
NODE: Final = "node"
RELATIONSHIP: Final = "relationship"
DATA: Final = "data"


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary:
    """The words of one language.

    types: kind of type -> the section that defines such types.
    interfaces: kind of type -> the keys of its interfaces; of a relationship the source's first.
    exists: the property of nodes for which no resource is created; such need no other properties.
    is_primitive: whether the name is that of a type that is no data type (None: of none).
    takes: whether a primitive type takes a literal."""

    types: Mapping[str, str]
    interfaces: Mapping[str, tuple[str, ...]]
    exists: str
    is_primitive: Callable[[str | None], bool]
    takes: Callable[[str, Value], bool]
