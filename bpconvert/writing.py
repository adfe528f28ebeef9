"""Files that are written together: all of them, or none.

All contents are written beside their places and flushed to the disk first. Then each takes its place; if one cannot,
what was there before comes back. Only a process that is killed while files take their places leaves some of them, each
of which is whole."""

from __future__ import annotations

import os
import re
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from bpconvert.models.light import NamedTuple

#: what a new file may be used for, and by whom, before the user's mask
ANYONE: Final = 0o666
#: the name of a draft: whose processes it is of (see :func:`_here`), the number of the process, and chance
_DRAFT: Final = r"\.bpconvert-(?:([0-9a-f]{8})-)?(\d+)-[0-9a-f]{8}"
#: drafts whose process is not among those of this machine are removed when they are older than this, in seconds: on a
#: shared disk it may be one of another machine
_STALE: Final = 60
_tidied: set[Path] = set()


class Content(NamedTuple):
    """What a file is to have. ``mode``: who may read and write it at most; one that is there keeps what it allows."""

    place: Path
    data: bytes
    mode: int = ANYONE


class _Step(NamedTuple):
    """A file on its way. ``name``: what the user calls it; ``old``: what was in its place, None for nothing."""

    name: Path
    place: Path
    draft: Path
    old: Path | None


def write_atomically(target: Path, content: str | bytes, mode: int = ANYONE) -> None:
    """Write ``content``, text as UTF-8, so that ``target`` is either the old file or the whole new one.

    A device or pipe is written to directly; the rest as :func:`write_together`. Raises OSError."""
    data = content.encode() if isinstance(content, str) else content
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    write_together([Content(target, data, mode)])


def write_together(contents: Sequence[Content]) -> None:
    """Write files so that either all of them have the new contents, or all are as they were. Missing folders are made,
    links are followed.

    Raises OSError, with the name of the file that cannot be written."""
    steps: list[_Step] = []
    done: list[_Step] = []
    created: list[Path] = []
    current = Path()
    try:
        for content in contents:
            current = content.place
            steps.append(_drafted(content, created))
        for step in steps:
            current = step.name
            done.append(step)
            os.replace(step.draft, step.place)
    except BaseException as error:
        for step in reversed(done):
            _undo(step)
        _remove(steps)
        for folder in reversed(created):
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(current), None  # nobody asked for the draft
        raise
    _remove(steps)
    for folder in {step.place.parent for step in steps}:
        _flush_folder(folder)


def _drafted(content: Content, created: list[Path]) -> _Step:
    """Write a content beside its place; folders that are missing are made, and added to ``created``."""
    place = content.place.resolve()
    missing = [folder for folder in place.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        created.append(folder)
    tidy(place.parent)
    draft = _name(place.parent)
    old = _name(place.parent) if place.exists() else None
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, content.mode), "wb") as stream:
            stream.write(content.data)
            stream.flush()
            os.fsync(stream.fileno())
        if old is not None:
            os.chmod(draft, place.stat().st_mode & 0o7777)
            _keep(place, old)
    except BaseException:
        _remove([_Step(content.place, place, draft, old)])
        raise
    return _Step(content.place, place, draft, old)


def _name(folder: Path) -> Path:
    return folder / f".bpconvert-{_here()}-{os.getpid()}-{os.urandom(4).hex()}"


@cache
def _here() -> str:
    """What tells the numbers of this machine's processes, since it was started, from those of others: containers have
    numbers of their own."""
    parts = [os.uname().nodename] if hasattr(os, "uname") else []
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii"))
    with suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return f"{zlib.crc32(chr(10).join(parts).encode('utf-8', 'replace')):08x}"


def _keep(place: Path, old: Path) -> None:
    """Keep what is at ``place`` under a second name; as a copy where the file system has no such names."""
    try:
        os.link(place, old)
    except OSError:
        old.write_bytes(place.read_bytes())
        os.chmod(old, place.stat().st_mode & 0o7777)


def _undo(step: _Step) -> None:
    """Bring back what was in the place of a file; a file that did not take its place is as it was."""
    with suppress(OSError):
        if step.draft.exists():
            return
        if step.old is not None:
            os.replace(step.old, step.place)
        else:
            step.place.unlink(missing_ok=True)


def _remove(steps: Sequence[_Step]) -> None:
    for step in steps:
        for place in (step.draft, step.old):
            if place is not None:
                with suppress(OSError):
                    place.unlink(missing_ok=True)


def _flush_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can do that."""
    with suppress(OSError, AttributeError):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def tidy(folder: Path) -> None:
    """Remove what processes that were killed have left in a folder, once: at once where they were of this machine."""
    if folder in _tidied or os.name != "posix":
        return
    _tidied.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            draft = re.fullmatch(_DRAFT, entry.name)
            if draft is None or _runs(int(draft[2])):
                continue
            is_sure = draft[1] == _here() and int(draft[2]) != os.getpid()  # other threads have that number, too
            if is_sure or entry.stat(follow_symlinks=False).st_mtime < time.time() - _STALE:
                os.unlink(entry.path)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return process != os.getpid()
