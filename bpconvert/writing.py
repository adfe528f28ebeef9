"""Files that are written together: all of them, or none.

All contents are written and flushed to the disk first. Then each takes its place; if one cannot, what was there before
comes back. Only a process that is killed while files take their places leaves some of them, each of which is whole.

Where the system can do that (Linux), a content has no name until it is in its place: a process that is killed leaves
nothing. What replaces a file has a name beside it between two calls. Elsewhere it has that name, a draft, from the
start; the next run removes those of processes that have ended (:func:`tidy`)."""

from __future__ import annotations

import errno
import os
import re
import signal
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
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
#: so many files are written without a name: each takes descriptors
_MOST_UNNAMED: Final = 100
#: Linux: where opened files have names; what it says where a disk has no files without one
_OPENED: Final = "/proc/self/fd"
_UNKNOWN: Final = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)
_tidied: set[Path] = set()


class Content(NamedTuple):
    """What a file is to have. ``mode``: who may read and write it at most; one that is there keeps what it allows."""

    place: Path
    data: bytes
    mode: int = ANYONE


class _Step:
    """A file on its way. ``name``: what the user calls it; ``place``: where it is to be; ``draft``: what it is called
    until then, if it has to have a name. ``unnamed``: the descriptor of a content without a name, None where it is a
    draft; ``before``: that of what is in its place, ``old``: a second name of that; both None for nothing, or where it
    is not needed."""

    def __init__(self, content: Content, place: Path) -> None:
        self.name = content.place
        self.content = content
        self.place = place
        self.draft = _name(place.parent)
        self.unnamed: int | None = None
        self.before: int | None = None
        self.old: Path | None = None

    def write(self, is_alone: bool, is_unnamed: bool) -> None:
        """Write the content beside its place. ``is_alone``: there are no other files, so that nothing has to come
        back."""
        is_there = self.place.exists()
        self.unnamed = _unnamed(self.place.parent, self.content.mode) if is_unnamed else None
        if self.unnamed is None:
            number = os.open(self.draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, self.content.mode)
        else:
            number = os.dup(self.unnamed)
        with open(number, "wb") as stream:
            stream.write(self.content.data)
            stream.flush()
            os.fsync(stream.fileno())
        if not is_there:
            return
        mode = self.place.stat().st_mode & 0o7777
        if self.unnamed is None:
            os.chmod(self.draft, mode)
        else:
            os.fchmod(self.unnamed, mode)
        if is_alone:
            return
        if self.unnamed is not None:
            with suppress(PermissionError):
                self.before = os.open(self.place, os.O_RDONLY)
        if self.before is None:
            self.old = _name(self.place.parent)
            _keep(self.place, self.old)

    def put(self) -> None:
        """Let the file take its place."""
        if self.unnamed is None:
            os.replace(self.draft, self.place)
            return
        if not self.place.exists():
            try:
                _give_name(self.unnamed, self.place)
                return
            except FileExistsError:  # it is there now
                pass
        _give_name(self.unnamed, self.draft)
        os.replace(self.draft, self.place)

    def undo(self) -> None:
        """Bring back what was in the place of the file; one that did not take its place is as it was."""
        with suppress(OSError):
            if not self._is_put():
                return
            if self.old is not None:
                os.replace(self.old, self.place)
            elif self.before is None:
                self.place.unlink(missing_ok=True)
            else:
                state = os.fstat(self.before)
                with open(os.dup(self.before), "rb") as stream:
                    self.draft.write_bytes(stream.read())
                os.chmod(self.draft, state.st_mode & 0o7777)
                os.utime(self.draft, ns=(state.st_atime_ns, state.st_mtime_ns))
                os.replace(self.draft, self.place)

    def _is_put(self) -> bool:
        if self.unnamed is None:
            return not self.draft.exists()
        return self.place.exists() and os.path.samestat(os.fstat(self.unnamed), self.place.stat())

    def end(self) -> None:
        """Remove and close what is left."""
        for place in (self.draft, self.old):
            if place is not None:
                with suppress(OSError):
                    place.unlink(missing_ok=True)
        for number in (self.unnamed, self.before):
            if number is not None:
                os.close(number)


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
            steps.append(_Step(content, _prepared(content, created)))
            steps[-1].write(len(contents) == 1, len(contents) <= _MOST_UNNAMED)
        with _undisturbed():
            for step in steps:
                current = step.name
                done.append(step)
                step.put()
    except BaseException as error:
        for step in reversed(done):
            step.undo()
        for step in steps:
            step.end()
        for folder in reversed(created):
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(current), None  # nobody asked for the draft
        raise
    for step in steps:
        step.end()
    for folder in {step.place.parent for step in steps}:
        _flush_folder(folder)


def _prepared(content: Content, created: list[Path]) -> Path:
    """The place of a content, without links; folders that are missing are made, and added to ``created``."""
    place = content.place.resolve()
    missing = [folder for folder in place.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        created.append(folder)
    tidy(place.parent)
    return place


@contextmanager
def _undisturbed() -> Iterator[None]:
    """In here no signal that can wait ends the process, so that it leaves no draft and no part of the files."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _unnamed(folder: Path, mode: int) -> int | None:
    """The descriptor of a new file without a name in a folder; None where the system or the disk has no such files."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir(_OPENED):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, mode)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            raise
        return None


def _give_name(file: int, name: Path) -> None:
    """Give a file without a name one. Raises FileExistsError where there is a file of that name."""
    os.link(f"{_OPENED}/{file}", name, src_dir_fd=file)  # with that argument the link is followed


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
