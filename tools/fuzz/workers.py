"""Processes that run cases, each under a hash seed of its own."""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import subprocess
import sys
from pathlib import Path
from typing import IO, NamedTuple

from cases import Case
from running import limited, outcome

import bpconvert.models
import bpconvert.translators

#: seconds without an answer after which a process hangs where it cannot be interrupted
_SILENCE = 60
#: cases after which a process has remembered enough, and a new one takes its place
_CASES = 2000


class Answer(NamedTuple):
    """What became of a case: what broke ("": nothing), and a digest of what it yields."""

    problem: str
    digest: str


class Worker:
    """A process that runs one case after the other under a hash seed, or each in a child that has seen no other
    (``is_fresh``). ``folder``: where the files of cases are; all processes have the same, for results name it."""

    def __init__(self, hash_seed: str, folder: Path, *, is_fresh: bool = False) -> None:
        self._hash_seed, self._folder, self._is_fresh = hash_seed, folder, is_fresh
        self._process: subprocess.Popen[bytes] | None = None
        self._cases = 0

    def ask(self, case: Case) -> Answer:
        """What becomes of a case. A process that ended, or has something to answer for, is replaced."""
        if self._process is None or self._cases >= _CASES:
            self.close()
            self._process, self._cases = self._started(), 0
        self._cases += 1
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(case.fields()).encode() + b"\n")
            self._process.stdin.flush()
        line = b""
        if select.select([self._process.stdout], [], [], _SILENCE)[0]:
            line = self._process.stdout.readline()
        else:
            self._process.kill()
        answer = Answer(*json.loads(line)) if line else Answer(f"the process ended with {self._process.wait()}", "")
        if answer.problem:
            self.close()
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONHASHSEED": self._hash_seed, "BPCONVERT_DEBUG": "1"}
        command = [sys.executable, str(Path(__file__).parent), "--worker", str(self._folder)]
        command += ["--fresh"] if self._is_fresh else []
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)


def work(folder: Path, *, is_fresh: bool) -> int:
    """Run the cases on standard input, one on each line, until it ends; print a line for each. ``is_fresh``: each in a
    child."""
    gc.set_threshold(20_000)  # less often than usual, as the command does it
    if is_fresh:
        _import_all()
    answers: IO[bytes] = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with limited():
        for line in sys.stdin.buffer:
            child = os.fork() if is_fresh else 0
            if child:
                os.waitpid(child, 0)
                continue
            answer = outcome(Case(**json.loads(line)), folder)
            answers.write(json.dumps(answer).encode() + b"\n")
            answers.flush()
            if is_fresh:
                os._exit(0)
    return 0


def _import_all() -> None:
    """Import the modules that conversions load, so that no child has to."""
    found = [*pkgutil.iter_modules(bpconvert.__path__[:1], "bpconvert.")]  # in a checkout the second is all of it
    for package in (bpconvert.models, bpconvert.translators):
        found += pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    for module in found:
        with contextlib.suppress(ImportError):
            importlib.import_module(module.name)
