"""How pictures are written: the formats by their names, and the endings of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bpconvert.diagnostics import UsageError
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support import imported


class Format(NamedTuple):
    """How pictures are written. ``endings``: of the names of files; ``place``: the function (graph) -> text."""

    endings: tuple[str, ...]
    place: str


FORMATS: Final = {
    "mermaid": Format((".mmd", ".mermaid"), "bpconvert.graphs.as_text:mermaid"),
    "dot": Format((".dot", ".gv"), "bpconvert.graphs.as_text:dot"),
    "svg": Format((".svg",), "bpconvert.graphs.svg:document"),
    "png": Format((".png",), "bpconvert.graphs.png:document"),
}


def format_of(name: str) -> str | None:
    """The format of a picture with this name, by its ending; None where that is none of :data:`FORMATS`."""
    ending = Path(name).suffix.lower()
    return next((format for format, row in FORMATS.items() if ending in row.endings), None)


def drawn(picture: Any, format: str) -> str | bytes:
    """A :class:`~.model.Graph` in one of :data:`FORMATS`, as bytes if it is no text. Raises UsageError for
    another one, and for one that needs a package which is not installed."""
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r} (choose from {', '.join(FORMATS)})")
    write: Callable[[Any], str | bytes] = imported(FORMATS[format].place)
    return write(picture)
