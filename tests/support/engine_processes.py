"""The engine scripts as processes that stay: loading an engine takes seconds, so all tests of a session ask one."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Sequence
from threading import Thread
from typing import IO, Any, Final

#: runs a script; what it leaves behind, mostly parsed documents, is collected more rarely than by default
_SCRIPT: Final = """\
import gc, os, runpy, sys
gc.set_threshold(1_000_000, 20, 100)
del sys.argv[0]
sys.path[0] = os.path.dirname(sys.argv[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class _Running:
    """A script that answers each JSON line with a JSON line: ``command`` is a Python, the script and its options."""

    def __init__(self, command: Sequence[str]) -> None:
        python, *script = command
        # open as long as the process, which ends with the session: its input does
        self.printed: IO[str] = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        self._process = subprocess.Popen(
            [python, "-c", _SCRIPT, *script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.printed,
            text=True,
        )

    def answers(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers, in order; fewer where the process has ended."""
        writer = Thread(target=self._write, args=(requests,), daemon=True)
        writer.start()
        found: list[dict[str, Any]] = []
        assert self._process.stdout is not None
        while len(found) < len(requests) and (line := self._process.stdout.readline()):
            if line.startswith("{"):
                found.append(json.loads(line))
        writer.join()
        return found

    def _write(self, requests: list[dict[str, Any]]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            for request in requests:
                self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()

    def end(self) -> str:
        """End it; the last of what it wrote to standard error."""
        self._process.kill()
        self._process.communicate()
        self.printed.seek(0)
        with self.printed:
            return self.printed.read()[-2000:]


_RUNNING: Final[dict[tuple[str, ...], _Running]] = {}


def answers(command: Sequence[str], requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of the process of a command, in order; it starts with the first request of the session."""
    key = tuple(command)
    running = _RUNNING.get(key) or _RUNNING.setdefault(key, _Running(key))
    found = running.answers(requests)
    if len(found) < len(requests):
        del _RUNNING[key]
        raise AssertionError(f"{key} ended after {len(found)} of {len(requests)} answers: {running.end()}")
    return found


def ask(command: Sequence[str], requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers to requests that get numbers, each with its own."""
    found = answers(command, [{"id": number, **request} for number, request in enumerate(requests)])
    assert [answer["id"] for answer in found] == list(range(len(requests)))
    return found
