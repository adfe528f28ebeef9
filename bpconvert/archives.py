"""Documents that come in an archive with their files (ZIP), and go into one. Nothing is written to disk: members are
read in memory when they are asked for, and what could do harm (see :func:`open_archive`) is refused before."""

from __future__ import annotations

import io
import posixpath
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping
from typing import Final

from bpconvert.diagnostics import SourceError, Span, diagnostic

#: limits: files in an archive, bytes of all of them together, bytes of one that is read and of all that are, and how
#: many times larger a file may be than what is stored of it, where it is larger than a million bytes
MEMBERS: Final = 10_000
TOTAL: Final = 1 << 30
SINGLE: Final = 1 << 24
READ: Final = 1 << 25
RATIO: Final = 200
_SMALL: Final = 1 << 20
#: what zipfile raises for what is broken: wrong sums and ends, a compression or date that it does not know
#: (NotImplementedError, ValueError), encryption (RuntimeError)
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def refused(name: str, problem: str) -> SourceError:
    """The error for an archive that is not read."""
    return SourceError(diagnostic("BPC855", Span(name, 1, 1), (), {"problem": problem}))


class Archive:
    """An opened archive. ``name``: what messages call it; ``entry``: the path of the document in it, which
    :attr:`files` is relative to."""

    def __init__(self, name: str, members: Mapping[str, zipfile.ZipInfo], source: zipfile.ZipFile) -> None:
        self.name = name
        self.entry = ""
        self._members = members
        self._source = source
        self._read = 0

    @property
    def names(self) -> list[str]:
        """The paths of all files in it."""
        return list(self._members)

    def read(self, name: str) -> bytes | None:
        """The file at a path of the archive; None where there is none. Raises SourceError for one that is broken."""
        member = self._members.get(name)
        if member is None:
            return None
        if member.file_size > SINGLE:
            raise refused(self.name, f"'{name}' is too large: {member.file_size} bytes")
        self._read += member.file_size
        if self._read > READ:
            raise refused(self.name, f"more than {READ >> 20} MiB of it would be read")
        try:
            return self._source.read(member)
        except _BROKEN as error:
            raise refused(self.name, f"'{name}' is broken: {error}") from None

    def text(self, name: str) -> tuple[str | None, str]:
        """The text of the file ``name``, relative to the document's folder or else to the archive's root, and "", or
        None and the code of the diagnostic that says why not."""
        place = self.place(name)
        if place is None:
            return None, "BPC611"
        content = self.read(place) or self.read(posixpath.normpath(name))
        if content is None:
            return None, "BPC610"
        try:
            return content.decode("utf-8"), ""
        except UnicodeDecodeError:
            return None, "BPC612"

    def place(self, name: str) -> str | None:
        """The path in the archive of the file ``name``, relative to the document's folder; None where it leads out."""
        place = posixpath.normpath(posixpath.join(posixpath.dirname(self.entry), name))
        return None if place.startswith(("../", "/")) else place


def open_archive(data: bytes, name: str) -> Archive:
    """The archive that ``data`` is. Raises SourceError for what is none, and for one that is encrypted, has links,
    names outside of it, too many or too large files, or files that unpack to far more than they should."""
    try:
        source = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:
        raise refused(name, "it is no ZIP archive") from None
    rows = [row for row in source.infolist() if not row.is_dir()]
    if len(rows) > MEMBERS:
        raise refused(name, f"it has more than {MEMBERS} files")
    if sum(row.file_size for row in rows) > TOTAL:
        raise refused(name, f"its files are larger than {TOTAL >> 20} MiB together")
    members: dict[str, zipfile.ZipInfo] = {}
    for row in rows:
        problem = _harm(row)
        place = posixpath.normpath(row.filename)
        if place in members:
            problem = "is in it twice"
        if problem:
            raise refused(name, f"'{row.filename}' {problem}")
        members[place] = row
    return Archive(name, members, source)


def _harm(row: zipfile.ZipInfo) -> str:
    """Why a member is refused; "" for no reason."""
    name = row.filename
    if "\\" in name or name.startswith("/") or re.match("[A-Za-z]:", name) or ".." in name.split("/"):
        return "leads out of the archive"
    if stat.S_ISLNK(row.external_attr >> 16):
        return "is a link"
    if row.flag_bits & 1:
        return "is encrypted"
    if row.file_size > _SMALL and row.file_size > RATIO * max(row.compress_size, 1):
        return f"unpacks to {row.file_size} bytes from {row.compress_size}"
    return ""


def pack(files: Mapping[str, bytes]) -> bytes:
    """An archive of files, path -> content, in their order. The same files make the same bytes, anywhere and at any
    time: they are stored as they are, with the first date that an archive can have."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            row = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            row.create_system, row.external_attr = 3, (stat.S_IFREG | 0o644) << 16
            archive.writestr(row, content)
    return stream.getvalue()
