"""Pictures of documents: :func:`graph` reads one, :meth:`~.model.Graph.text` draws it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from bpconvert.graphs.formats import FORMATS, drawn, format_of

if TYPE_CHECKING:
    from bpconvert.graphs.model import Graph

__all__ = ["FORMATS", "drawn", "format_of", "graph"]


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
