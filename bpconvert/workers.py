"""Documents converted ahead, in processes of their own, for a caller that takes the results one after the other.

A worker is a copy of this process (``fork``), so that it has what is imported and read by then. It converts, and does
nothing else: what is written and printed is for the caller, in the order of the documents, as without workers. Where
the system cannot copy a process there are none."""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import struct
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Generic, NoReturn, TypeVar

from bpconvert.diagnostics import DocumentError, Span, diagnostic
from bpconvert.models.light import NamedTuple

J = TypeVar("J")
R = TypeVar("R")

_NUMBER: Final = struct.Struct(">q")
#: documents that a worker is given at a time, and results that wait for the caller for each worker
_GIVEN, _WAITING = 3, 12
#: bytes that a worker can hand over before the caller reads them, where the system lets that be chosen
_ROOM: Final = 2**20
#: Linux: ``fcntl.F_SETPIPE_SZ``, which Python 3.10 has
_SET_ROOM: Final = 1031


def can_copy() -> bool:
    """Whether the system can copy a process."""
    return hasattr(os, "fork") and os.name == "posix"


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class _Foreign(NamedTuple):
    """An error of a worker that cannot be handed over as it is."""

    name: str
    text: str

    def error(self) -> Exception:
        """One with the same name and text."""
        error: Exception = type(self.name, (Exception,), {})(self.text)
        return error


class _Worker:
    """A worker. ``busy``: the numbers of the jobs that it has been given and not answered."""

    def __init__(self, process: int, requests: int, answers: int) -> None:
        self.process = process
        self.requests = requests
        self.answers = answers
        self.busy: deque[int] = deque()


class Ahead(Generic[J, R]):
    """Converts ``jobs`` with ``convert`` in ``number`` workers. To be ended (:meth:`end`), whatever happens.

    The first job is done here, before there are workers: they have by then what all conversions read."""

    def __init__(self, jobs: Sequence[J], convert: Callable[[J], R], number: int) -> None:
        self._jobs = jobs
        self._convert = convert
        self._left = deque(range(1, len(jobs)))
        self._number = number
        self._found: dict[int, tuple[bool, Any]] = {}
        self._workers: list[_Worker] = []
        self._ready = selectors.DefaultSelector()

    def _start_all(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.flush()  # a copy would have the same text to write
        try:
            for _ in range(min(self._number, len(self._left))):
                self._start()
        except OSError:  # no more processes: with those that there are
            pass

    def take(self, number: int) -> R:
        """The result of the job with this number; raises what its conversion raised, and DocumentError (BPC609) where
        its process has ended. To be asked for in the order of the jobs."""
        if number == 0:
            try:
                return self._convert(self._jobs[0])
            finally:
                self._start_all()
        self._give(number)
        while number not in self._found:
            if not self._workers:
                self._left = deque(other for other in self._left if other != number)
                return self._convert(self._jobs[number])
            for key, _ in self._ready.select():
                self._read(key.data)
            self._give(number)
        is_result, value = self._found.pop(number)
        self._give(number + 1)
        if is_result:
            result: R = value
            return result
        raise value.error() if isinstance(value, _Foreign) else value

    def end(self) -> None:
        """End all workers."""
        for worker in self._workers:
            with suppress(OSError):
                os.kill(worker.process, signal.SIGKILL)
        while self._workers:
            self._close(self._workers[-1])
        self._ready.close()

    def _start(self) -> None:
        given_out, given_in = os.pipe()
        answers_out, answers_in = os.pipe()
        with suppress(OSError, ImportError):
            import fcntl

            fcntl.fcntl(answers_in, _SET_ROOM, _ROOM)
        process = os.fork()
        if process == 0:
            others = [end for other in self._workers for end in (other.requests, other.answers)]
            for end in (given_in, answers_out, *others):  # a worker ends when the caller does: nobody else has its pipe
                os.close(end)
            _work(given_out, answers_in, self._jobs, self._convert)
        os.close(given_out)
        os.close(answers_in)
        worker = _Worker(process, given_in, answers_out)
        self._workers.append(worker)
        self._ready.register(answers_out, selectors.EVENT_READ, worker)

    def _give(self, first: int) -> None:
        """Give jobs to workers that have too few, if not too many results wait. ``first``: the job that is taken next,
        which never waits."""
        most = first + _WAITING * max(1, len(self._workers))
        for level in range(_GIVEN):
            for worker in list(self._workers):
                if len(worker.busy) == level and self._left and self._left[0] <= most:
                    number = self._left.popleft()
                    worker.busy.append(number)
                    with suppress(OSError):  # it has ended; what it has answered is still to be read
                        os.write(worker.requests, _NUMBER.pack(number))

    def _read(self, worker: _Worker) -> None:
        head = _exactly(worker.answers, _NUMBER.size)
        data = _exactly(worker.answers, _NUMBER.unpack(head)[0]) if head is not None else None
        if data is None:
            self._lost(worker)
            return
        self._found[worker.busy.popleft()] = pickle.loads(data)

    def _lost(self, worker: _Worker) -> None:
        """A worker has ended: the job that it was at fails, the others are for others."""
        code = self._close(worker)
        if worker.busy:
            number = worker.busy.popleft()
            job: Any = self._jobs[number]
            why = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            error = DocumentError(diagnostic("BPC609", Span(str(job.name), 1, 1), (), {"why": why}))
            self._found[number] = (False, error)
        self._left.extendleft(reversed(worker.busy))
        worker.busy.clear()

    def _close(self, worker: _Worker) -> int:
        """Forget a worker that has ended, or ends now; its exit code, negative for a signal."""
        self._workers.remove(worker)
        self._ready.unregister(worker.answers)
        os.close(worker.requests)
        os.close(worker.answers)
        with suppress(OSError):
            return os.waitstatus_to_exitcode(os.waitpid(worker.process, 0)[1])
        return 1


def _exactly(stream: int, size: int) -> bytes | None:
    """So many bytes; None where the other side has ended."""
    parts: list[bytes] = []
    while size:
        part = os.read(stream, min(size, _ROOM))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _work(requests: int, answers: int, jobs: Sequence[Any], convert: Callable[[Any], Any]) -> NoReturn:
    """What a worker does: a number in, a result out, until the caller has no more. An interrupt is the caller's."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        while (head := _exactly(requests, _NUMBER.size)) is not None:
            data = _answer(jobs[_NUMBER.unpack(head)[0]], convert)
            pending = memoryview(_NUMBER.pack(len(data)) + data)
            while pending:
                pending = pending[os.write(answers, pending) :]
        code = 0
    except BaseException:  # the caller has gone, or will see that there is no answer
        pass
    finally:
        os._exit(code)


def _answer(job: Any, convert: Callable[[Any], Any]) -> bytes:
    try:
        return pickle.dumps((True, convert(job)), protocol=4)
    except Exception as error:
        try:
            data = pickle.dumps((False, error), protocol=4)
            pickle.loads(data)
            return data
        except Exception:  # one that cannot be handed over
            return pickle.dumps((False, _Foreign(type(error).__name__, str(error))), protocol=4)
