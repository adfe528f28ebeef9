"""Files that are written together: all of them, or none.

All contents are written beside their places and flushed to the disk first. Then each takes its place; if one cannot,
what was there before comes back. Only a process that is killed while files take their places leaves some of them, each
of which is whole."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

#: what a new file may be used for, and by whom, before the user's mask
ANYONE: Final = 0o666
_DRAFT: Final = r"\.bpconvert-(\d+)-[0-9a-f]{8}"
#: drafts of processes that have ended are removed when they are older than this, in seconds
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
    made: list[Path] = []
    current = Path()
    try:
        for content in contents:
            current = content.place
            steps.append(_drafted(content, made))
        for step in steps:
            current = step.name
            done.append(step)
            os.replace(step.draft, step.place)
    except BaseException as error:
        for step in reversed(done):
            _undo(step)
        _remove(steps)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(current), None  # nobody asked for the draft
        raise
    _remove(steps)
    for folder in {step.place.parent for step in steps}:
        _flush_folder(folder)


def _drafted(content: Content, made: list[Path]) -> _Step:
    """Write a content beside its place; folders that are missing are made, and added to ``made``."""
    place = content.place.resolve()
    missing = [folder for folder in place.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        made.append(folder)
    _tidy(place.parent)
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
    return folder / f".bpconvert-{os.getpid()}-{os.urandom(4).hex()}"


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


def _tidy(folder: Path) -> None:
    """Remove what processes that were killed have left in a folder, once."""
    if folder in _tidied or os.name != "posix":
        return
    _tidied.add(folder)
    with suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            draft = re.fullmatch(_DRAFT, entry.name)
            if draft and not _runs(int(draft[1])) and entry.stat().st_mtime < time.time() - _STALE:
                os.unlink(entry.path)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return process != os.getpid()
