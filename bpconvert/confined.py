"""Running a function in a process of its own, with bounds: what it does for somebody else's text then ends.

The process lives on for further calls; one that broke a bound is ended, and the next call starts another. Where the
system knows no limits of a process (Windows), only the time that passes is bounded."""

from __future__ import annotations

import atexit
import json
import os
import pickle
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from bpconvert.diagnostics import BpconvertError
from bpconvert.models.light import NamedTuple

#: how many seconds may pass for one second of computing, on a machine that has more to do
_PATIENCE: Final = 20
_LENGTH: Final = struct.Struct(">Q")
_CHILD: Final = "import sys; sys.path[:] = sys.argv[1:]; from bpconvert.confined import serve; serve()"


class Bounds(NamedTuple):
    """``seconds`` of computing (up to one more passes), bytes of ``memory`` (that of Python included), and bytes of
    ``output``."""

    seconds: float
    memory: int
    output: int


class OutOfBounds(BpconvertError, RuntimeError):
    """The function did not end within its bounds; the text says which."""


class NotStarted(BpconvertError, RuntimeError):
    """There is no process to run anything in."""


def call(function: str, arguments: tuple[Any, ...], least: Bounds, per_kilobyte: Bounds) -> Any:
    """What ``function`` (``module:name``) returns for the arguments: plain data of JSON. Its bounds are the ``least``
    and so much more ``per_kilobyte`` of the arguments.

    Raises OutOfBounds, NotStarted, and ValueError for arguments that cannot be handed over."""
    try:
        pickled = pickle.dumps(arguments, protocol=4)
    except Exception as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
    size = len(pickled) // 1024
    memory, output = (least[part] + size * per_kilobyte[part] for part in (1, 2))
    bounds = Bounds(least.seconds + size * per_kilobyte.seconds, int(memory), int(output))
    with _LOCK:
        return _PROCESS.ask(pickle.dumps((function, pickled, bounds), protocol=4), bounds)


class _Process:
    """The process, started by the first call."""

    def __init__(self) -> None:
        self._running: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def ask(self, request: bytes, bounds: Bounds) -> Any:
        running = self._started()
        assert running.stdin is not None
        assert running.stdout is not None
        timer = threading.Timer(bounds.seconds * _PATIENCE, running.kill)
        timer.daemon = True
        timer.start()
        try:
            running.stdin.write(_LENGTH.pack(len(request)) + request)
            running.stdin.flush()
            head = running.stdout.read(_LENGTH.size)
            size = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else None
            answer = running.stdout.read(size) if size is not None and size <= bounds.output else b""
        except OSError:
            size, answer = None, b""
        finally:
            timer.cancel()
        if size is None or len(answer) != size:
            self.end()
            raise OutOfBounds(f"it does not end within {bounds.seconds:.0f} s and {bounds.memory // 2**20} MB")
        reply = json.loads(answer)
        if "bound" in reply:
            raise OutOfBounds(str(reply["bound"]))
        return reply["value"]

    def end(self) -> None:
        """End the process, if there is one."""
        running, self._running = self._running, None
        if running is None or self._owner != os.getpid():  # that of a parent is not ours
            return
        running.kill()
        for stream in (running.stdin, running.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        running.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._running is not None and self._owner == os.getpid() and self._running.poll() is None:
            return self._running
        self.end()
        try:
            self._running = subprocess.Popen(
                [sys.executable, "-c", _CHILD, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError) as error:
            raise NotStarted(f"{sys.executable} cannot be started: {error}") from error
        self._owner = os.getpid()
        return self._running


_PROCESS: Final = _Process()
_LOCK: Final = threading.Lock()
atexit.register(_PROCESS.end)


# -- in the process -------------------------------------------------------------------------------------------


def serve() -> None:
    """Answer calls from standard input until it ends. Nothing else is written to standard output."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while len(head := source.read(_LENGTH.size)) == _LENGTH.size:
        answer = _answered(source.read(_LENGTH.unpack(head)[0]))
        sink.write(_LENGTH.pack(len(answer)) + answer)
        sink.flush()


def _answered(request: bytes) -> bytes:
    function, pickled, bounds = pickle.loads(request)
    _restrict(bounds)
    module, _, name = function.partition(":")
    try:
        answer = json.dumps({"value": getattr(import_module(module), name)(*pickle.loads(pickled))}).encode()
    except MemoryError:
        return json.dumps({"bound": f"it needs more than {bounds.memory // 2**20} MB"}).encode()
    if len(answer) > bounds.output:
        return json.dumps({"bound": f"it yields more than {bounds.output // 2**10} KB"}).encode()
    return answer


def _restrict(bounds: Bounds) -> None:
    """Let the system end this process where it computes for longer, and refuse it more memory."""
    try:
        import resource
    except ImportError:
        return
    spent = int(time.process_time()) + 1
    for what, most in ((resource.RLIMIT_CPU, spent + round(bounds.seconds)), (resource.RLIMIT_AS, bounds.memory)):
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(what)
            resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
