"""What changes the number of nodes of which there are several."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple


class Step(NamedTuple):
    """A change of a number of nodes ``by`` so many. ``group``: the node of which there are several, or that stands for
    them; ``name``: what the source calls the change; ``settings``: what else it says, each with its place."""

    group: str
    by: int
    name: str
    settings: Mapping[str, Path] = MappingProxyType({})


class Change(NamedTuple):
    """A :class:`Step` of a group that nothing refers to: who runs the deployment starts it by its ``name``. ``path``:
    of what it is in the source; ``settings``: what else is said of it, each a constant."""

    name: str
    by: int
    path: Path
    settings: Mapping[str, int] = MappingProxyType({})
