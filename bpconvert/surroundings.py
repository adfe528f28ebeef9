"""Where the files of a document may be: below the outermost document that nests it, or names it in an environment, and
in the archive that it is in, which somebody has unpacked.

Converted along with such a document, one may name files below that one's folder. Converted on its own, it may as well:
whoever wrote the outer one wrote, or chose, both. Only YAML files around the document are looked at, above it and one
folder down from there; nothing is read through links."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Final

#: how the names of documents and environments end
_ENDINGS: Final = (".yaml", ".yml", ".template", ".hot", ".env", ".environment")
#: what describes an archive, in its folder, and how one of its lines begins
_META: Final = "TOSCA-Metadata/TOSCA.meta"
_ENTRY: Final = re.compile(rb"^Entry-Definitions[ \t]*:", re.MULTILINE)
#: what may be the name of a document in a text
_WORD: Final = re.compile(rb"[\w.-]+")
_WORD_ENDINGS: Final = tuple(map(str.encode, _ENDINGS))
#: the characters of a path in a text
_PATH: Final = re.compile(r"[^\s'\"\[\]{},]")
#: and so many of them at most
_PATH_LENGTH: Final = 4_096
#: so many folders up
_UP: Final = 6
#: so many files of a folder are looked at, and so many folders in it
_MANY: Final = 200
#: so many files in all
_ALL: Final = 1_000
#: and files of at most so many bytes
_LONGEST: Final = 1_000_000


class Around:
    """The documents and environments around ``document``, above it and one folder down from there: each folder is
    listed once, each file read once, however many files are asked for. A ``document`` without the ending of its name is
    one with any; the path is a resolved one."""

    def __init__(self, document: Path) -> None:
        self.document = document
        self._folder = str(document.parent)
        self._above = _above(self._folder)
        self._listed: dict[str, list[tuple[str, str]]] = {}
        self._naming: dict[str, bool] = {}

    @cached_property
    def archive(self) -> Path | None:
        """The folder of the archive that ``document`` is in, unpacked; None where there is none."""
        return next((Path(folder) for folder in self._above if _is_archive(os.path.join(folder, _META))), None)

    def outer(self, folder: Path) -> Path | None:
        """A document or environment below whose folder both ``document`` and the resolved ``folder`` are, that names
        ``document``, or what describes the archive that both are in; None where there is none."""
        least = os.path.commonpath([self._folder, folder])
        around = [above for above in self._above if _is_in(least, above)]
        if self.archive is not None and str(self.archive) in around:
            return self.archive / _META
        for name, span in islice(chain.from_iterable(map(self._documents, around)), _ALL):
            if _is_in(least, span) and self._names(name):
                return Path(name)
        return None

    def _documents(self, folder: str) -> Iterator[tuple[str, str]]:
        """The documents in a folder and in the folders in it, in order, each with the folder that it and
        ``document`` are in."""
        inside: list[str] = []
        for entry in _entries(folder):
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                inside.append(entry.path)
            elif _is_document(entry):
                yield entry.path, folder
        for name in inside:
            if name not in self._listed:
                span = name if _is_in(self._folder, name) else folder
                self._listed[name] = [(entry.path, span) for entry in _entries(name) if _is_document(entry)]
            yield from self._listed[name]

    def _names(self, name: str) -> bool:
        if name not in self._naming:
            self._naming[name] = _names(Path(name), self.document)
        return self._naming[name]


def _above(folder: str) -> list[str]:
    """The folders that a folder is in, the innermost first, but the outermost of all."""
    above: list[str] = []
    while len(above) < _UP:
        folder = os.path.dirname(folder)
        if folder == os.path.dirname(folder):
            break
        above.append(folder)
    return above


def _is_archive(meta: str) -> bool:
    """Whether a file describes an archive that has been unpacked."""
    with suppress(OSError):
        status = os.lstat(meta)
        if stat.S_ISREG(status.st_mode) and status.st_size <= _LONGEST:
            with open(meta, "rb") as stream:
                return _ENTRY.search(stream.read()) is not None
    return False


def _is_in(path: str, folder: str) -> bool:
    """Whether ``path`` is a folder or below it."""
    return path == folder or path.startswith(f"{folder.rstrip(os.sep)}{os.sep}")


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder, in order; nothing where it cannot be read."""
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(entries, key=attrgetter("name"))[:_MANY]
    return []


def _is_document(entry: os.DirEntry[str]) -> bool:
    """Whether a file may be a document, by its name and size."""
    if not entry.name.lower().endswith(_ENDINGS):
        return False
    with suppress(OSError):
        return entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_size <= _LONGEST
    return False


@lru_cache(maxsize=4096)
def _documents_in(file: str, changed: int, size: int) -> frozenset[bytes]:
    """The names of documents in a file, as it was when it was ``changed``; each document around asks for the same
    files. Raises OSError."""
    with open(file, "rb") as stream:
        return frozenset(word for word in _WORD.findall(stream.read()) if word.endswith(_WORD_ENDINGS))


def _names(file: Path, document: Path) -> bool:
    """Whether the text of a file has the path from there to the document."""
    name = document.name
    try:
        if document.suffix in _ENDINGS and re.fullmatch(r"[\w.-]+", name, re.ASCII):
            status = file.lstat()
            if name.encode() not in _documents_in(str(file), status.st_mtime_ns, status.st_size):
                return False  # as most files
        content = file.read_bytes()
    except OSError:
        return False
    if os.fsencode(name) not in content:
        return False
    text = content.decode("utf-8", "replace")
    ending = "" if document.suffix else f"(?:{'|'.join(map(re.escape, _ENDINGS))})"
    start = len(text)
    for match in reversed([*re.finditer(rf"(?<![\w.-]){re.escape(document.name)}{ending}(?![\w.-])", text)]):
        if match.end() > start:
            continue  # it is a folder in the path that ends later
        start, least = match.start(), max(match.start() - _PATH_LENGTH, 0)
        while start > least and _PATH.match(text[start - 1]):
            start -= 1
        path = text[start : match.end()].removeprefix("file://")
        if posixpath.normpath(posixpath.join(file.parent.as_posix(), path)).startswith(document.as_posix()):
            return True
    return False
