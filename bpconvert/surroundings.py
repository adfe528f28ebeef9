"""Where the files of a document may be: below the outermost document that nests it, or names it in an environment.

Converted along with such a document, one may name files below that one's folder. Converted on its own, it may as well:
whoever wrote the outer one wrote, or chose, both. Only YAML files around the document are looked at, above it and one
folder down from there; nothing is read through links."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Final

#: how the names of documents and environments end
_ENDINGS: Final = (".yaml", ".yml", ".template", ".hot", ".env", ".environment")
#: so many folders up
_UP: Final = 6
#: so many files of a folder are looked at, and so many folders in it
_MANY: Final = 200
#: so many files in all
_ALL: Final = 1_000
#: and files of at most so many bytes
_LONGEST: Final = 1_000_000


def outer(document: Path, file: Path) -> Path | None:
    """A document or environment below whose folder both are, that names ``document``; None where there is none. A
    ``document`` without the ending of its name is one with any.

    Both paths are resolved ones."""
    least = Path(os.path.commonpath([document.parent, file]))
    around = [folder for folder in list(document.parents)[1 : _UP + 1] if folder != folder.parent]
    for found in islice(chain.from_iterable(map(_files, around)), _ALL):
        span = Path(os.path.commonpath([document.parent, found.parent]))
        if least.is_relative_to(span) and span != span.parent and _names(found, document):
            return found
    return None


def _files(folder: Path) -> Iterator[Path]:
    """The documents in a folder and in the folders in it, in order."""
    inside: list[str] = []
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
            inside.append(entry.path)
        elif _is_document(entry):
            yield Path(entry.path)
    for name in inside:
        yield from (Path(entry.path) for entry in _entries(Path(name)) if _is_document(entry))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder, in order; nothing where it cannot be read."""
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)[:_MANY]
    return []


def _is_document(entry: os.DirEntry[str]) -> bool:
    """Whether a file may be a document, by its name and size."""
    with suppress(OSError):
        named = entry.name.lower().endswith(_ENDINGS) and entry.is_file(follow_symlinks=False)
        return named and entry.stat(follow_symlinks=False).st_size <= _LONGEST
    return False


def _names(file: Path, document: Path) -> bool:
    """Whether the text of a file has the path from there to the document."""
    try:
        content = file.read_bytes()
    except OSError:
        return False
    if os.fsencode(document.name) not in content:  # as most files, and soon seen
        return False
    text = content.decode("utf-8", "replace")
    ending = "" if document.suffix else f"(?:{'|'.join(map(re.escape, _ENDINGS))})"
    for found in re.finditer(rf"[^\s'\"\[\]{{}},]*(?<![\w.-]){re.escape(document.name)}{ending}(?![\w.-])", text):
        path = found[0].removeprefix("file://")
        if posixpath.normpath(posixpath.join(file.parent.as_posix(), path)).startswith(document.as_posix()):
            return True
    return False
