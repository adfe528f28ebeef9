"""Asking a real engine: its runner in a process of its own, one JSON line for one JSON line.

The Python that has the engines is ``$BPCONVERT_ENGINES_PYTHON``, by default the one that runs bpconvert."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from bpconvert.diagnostics import BpconvertError

PYTHON: Final = "BPCONVERT_ENGINES_PYTHON"
#: seconds for one answer, and for the first one, before which the engine is loaded; the runners stop after 60
ANSWER_LIMIT: Final = 90.0
START_LIMIT: Final = 120.0


@dataclass(frozen=True)
class Package:
    """What an engine is: the name people know, a module that only it has, what pip installs, and what that needs."""

    name: str
    module: str
    requirements: str
    note: str = ""


ENGINES: Final[Mapping[str, Package]] = {
    "heat": Package("OpenStack Heat", "heat.engine", "'openstack-heat>=27.0.1,<28'", " (Python 3.11 or newer)"),
    "cloudify": Package("Cloudify's parser", "dsl_parser", "'cloudify-common[dispatcher]>=7.0.5,<8' 'setuptools<82'"),
}


class EngineMissing(BpconvertError, ImportError):
    """The Python that should have the engine does not have it. The text says what to install."""


class EngineFailed(BpconvertError, RuntimeError):
    """The engine is installed, but its process ended before it answered anything, or could not be started."""


@dataclass(frozen=True)
class _Break:
    """Why a process gave no answer. ``wrote``: it wrote something else."""

    text: str = ""
    wrote: bool = False


class Engine:
    """A running engine, ``heat`` or ``cloudify``; the process starts with the first request.

    ``runner``: a script instead of the engine's own."""

    def __init__(self, name: str, *, python: str | None = None, runner: Path | None = None) -> None:
        self.package = ENGINES[name]
        self.python = python or os.environ.get(PYTHON) or sys.executable
        self.runner = runner or Path(__file__).with_name(f"{name}.py")
        self.own = runner is None
        self.limit = ANSWER_LIMIT
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._printed: IO[str] | None = None
        self._has_answered = False

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The engine's answer; ``{"error": text}`` where it refuses, takes too long or breaks on this request.

        Raises :class:`EngineMissing` or :class:`EngineFailed` where there is no engine to ask. After a break, the next
        request starts it again."""
        again = self._has_answered
        answer, why = self._exchange(request)
        if answer is None and again:
            answer, why = self._exchange(request)
        if answer is not None and "missing" in answer:
            self.close()
            raise self._missing(f" ({answer['error']})")
        if answer is not None:
            self._has_answered = True
            return answer
        if not (again or why.wrote):
            raise EngineFailed(why.text)
        return {"error": why.text}

    def _exchange(self, request: Mapping[str, Any]) -> tuple[dict[str, Any] | None, _Break]:
        """The answer, or why there is none; then the process has ended."""
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self.limit if self._has_answered else max(self.limit, START_LIMIT))
        except OSError:
            line = None
        except queue.Empty:
            self.close()
            return {"error": f"{self.package.name} did not answer in time"}, _Break()
        answer = None if line is None else _answer(line)
        return answer, _Break() if answer is not None else self._broken(line)

    def close(self) -> None:
        """End the process. Asking again starts it again."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(OSError):
                if process.stdin is not None:
                    process.stdin.close()
            try:
                process.wait(timeout=0.5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._printed is not None:
            self._printed.close()
            self._printed = None

    def _start(self) -> subprocess.Popen[str]:
        self.close()
        if self.own and not _has(self.python, self.package.module):
            raise self._missing()
        # as long open as the process, closed by close(): no with block spans both
        self._printed = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        self._lines = queue.Queue()
        try:
            self._process = subprocess.Popen(
                [self.python, str(self.runner)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._printed,
                encoding="utf-8",
            )
        except OSError as error:
            raise EngineFailed(f"{self.python} cannot be started: {error}") from error
        assert self._process.stdout is not None
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()
        return self._process

    def _missing(self, why: str = "") -> EngineMissing:
        """What to raise where the Python does not have all of the engine."""
        return EngineMissing(
            f"{self.package.name} is not installed for {self.python}{why}: run {self.python} -m pip install "
            f"{self.package.requirements}{self.package.note}, or name a Python that has it in {PYTHON}"
        )

    def _broken(self, line: str | None) -> _Break:
        """Why there is no answer: the process ended, or wrote what is none."""
        printed, process = self._last_printed(), self._process
        self.close()
        code = None if process is None else process.returncode
        how = f"wrote {line[:200]!r}" if line is not None else f"ended with {code}"
        text = f"the process of {self.package.name} {how}{': ' if printed else ''}{printed}"
        return _Break(text, line is not None)

    def _last_printed(self) -> str:
        """The last line that is not blank of what the process wrote to standard error."""
        if self._printed is None:
            return ""
        self._printed.seek(0)
        lines = [line.strip() for line in self._printed if line.strip()]
        return lines[-1] if lines else ""


def _answer(line: str) -> dict[str, Any] | None:
    try:
        reply = json.loads(line)
    except ValueError:
        return None
    return reply if isinstance(reply, dict) else None


def _read(source: IO[str], lines: queue.Queue[str | None]) -> None:
    """Put every line, and at the end None."""
    with contextlib.suppress(OSError, ValueError):
        for line in source:
            lines.put(line)
    lines.put(None)


def _has(python: str, module: str) -> bool:
    if python == sys.executable:
        with contextlib.suppress(ImportError):
            return importlib.util.find_spec(module) is not None
        return False
    code = (
        "import sys\n"
        "sys.path[:] = filter(None, sys.path)\n"
        "import importlib.util\n"
        "try: found = importlib.util.find_spec(sys.argv[1])\n"
        "except ImportError: found = None\n"
        "sys.exit(3 if found is None else 0)"
    )
    try:
        done = subprocess.run([python, "-c", code, module], capture_output=True, check=False)
    except OSError as error:
        raise EngineFailed(f"{python} cannot be started: {error}") from error
    return done.returncode == 0
