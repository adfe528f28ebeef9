"""What the lowering to a dialect yields, ready to be carried, laid out and written."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.models.light import dataclass, field


@dataclass(eq=False, repr=False)
class Lowered:
    """A document of the target as plain data in conventional order, and where everything came from.

    ``moves``: (place in the source, place in ``data``), for comments. ``made``: entry of the source (``("resources",
    "web")``, ``("description",)``) -> the entries of ``data`` that it became or became part of, its own first; [] where
    it became nothing. ``inputs``: values to give when deploying. ``files``: further files of the bundle. ``names``:
    section of the source -> entry -> its name in ``data``, for what a nesting document refers to. ``forms``: entry of
    ``data`` -> the form that it has because of what other entries are."""

    data: dict[str, Any]
    moves: list[tuple[Path, Path]] = field(default_factory=list)
    made: dict[Path, list[Path]] = field(default_factory=dict)
    inputs: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    forms: dict[Path, str] = field(default_factory=dict)
