"""Pictures of documents: :func:`graph` reads one, :meth:`~.model.Graph.text` draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from bpconvert.diagnostics import UsageError

if TYPE_CHECKING:
    from bpconvert.graphs.model import Graph


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


def graph(
    document: str | bytes | Path,
    *,
    name: str | None = None,
    environments: Iterable[str] = (),
    types: Iterable[str] = (),
    allow_outside: bool = False,
    maps: Iterable[tuple[str, str]] = (),
) -> Graph:
    """The topology of a document of any language as a picture.

    Args:
        document: a path, or the document's text (a ``str`` with a line break, or ``bytes``).
        name: what the document is called; its folder is where the files that it nests are. Default: the path.
        environments: Heat environment files, which say what types stand for.
        types: files with mappings of types.
        allow_outside: read files outside the document's folder.
        maps: how URLs begin, and the folder that they are read from.

    Raises:
        SourceError: a file cannot be read as YAML, or the document is of no known language.
        OSError: a file cannot be read.
        UsageError: ``maps`` has no URL, or a folder that is not there."""
    from bpconvert.graphs.reading import read
    from bpconvert.options import Options

    options = Options(
        allow_outside=allow_outside, environments=tuple(environments), types=tuple(types), maps=tuple(maps)
    )
    options.check()
    return read(document, name, options)


def format_of(name: str) -> str | None:
    """The format of a picture with this name, by its ending; None where that is none of :data:`FORMATS`."""
    ending = Path(name).suffix.lower()
    return next((format for format, row in FORMATS.items() if ending in row.endings), None)


def drawn(picture: Graph, format: str) -> str | bytes:
    """The picture in one of :data:`FORMATS`, as bytes if it is no text. Raises UsageError for another one, and for one
    that needs a package which is not installed."""
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r} (choose from {', '.join(FORMATS)})")
    module, _, function = FORMATS[format].place.partition(":")
    write: Callable[[Graph], str | bytes] = getattr(import_module(module), function)
    return write(picture)
