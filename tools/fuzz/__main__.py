"""Odd documents, until something breaks.

    python tools/fuzz [--seed N] [--cases N] [--first N] [--found DIR] [--hash-every N]
    python tools/fuzz --replay FILE...

Run it with the Python of an environment that has bpconvert. Documents of the corpus are changed in their structure and
their bytes and put through all commands, in all directions, with environments, mappings of types, kept sources and
archives. A case breaks when it ends with an error that is not documented, takes longer than 5 seconds of processor
time or more than 500 MB, or yields other bytes under another hash seed (every Nth case). A case that breaks is kept in
DIR as ``SEED-NUMBER.json``; ``--replay`` runs such files. The exit code is 1 when something broke.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from cases import Case, case
from running import limited, outcome

#: seconds without a word after which a process hangs where it cannot be interrupted
_SILENCE = 60


def main() -> int:
    """Run the cases; the exit code."""
    parser = argparse.ArgumentParser(description="Put odd documents through all commands.")
    parser.add_argument("--seed", type=int, default=0, help="another one makes other cases (default: 0)")
    parser.add_argument("--cases", type=int, default=1000, help="how many cases (default: 1000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case (default: 0)")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"), help="where cases that break are kept")
    parser.add_argument(
        "--hash-every", type=int, default=20, help="compare hash seeds for every Nth case (default: 20)"
    )
    parser.add_argument("--replay", type=Path, nargs="+", help="run kept cases")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.replay:
        return max(_replayed(path) for path in chosen.replay)
    if chosen.worker:
        return _work(chosen.seed, range(chosen.first, chosen.first + chosen.cases), 1)
    numbers = range(chosen.first, chosen.first + chosen.cases)
    broken = _run(chosen.seed, numbers, chosen.found)
    again = list(numbers[:: chosen.hash_every]) if chosen.hash_every else []
    broken += _compared(chosen.seed, again, chosen.found)
    print(f"{len(numbers)} cases, {len(again)} of them with other hash seeds: {broken} broke")
    return 1 if broken else 0


def _replayed(path: Path) -> int:
    with limited():
        problem, _ = outcome(Case(**json.loads(path.read_text("utf-8"))["case"]))
    print(f"{path}: {problem or 'fine'}")
    return 1 if problem else 0


def _work(seed: int, numbers: range, step: int) -> int:
    """Print a line for each case: its number, what broke, and a digest of what it yields."""
    with limited():
        for number in numbers[::step]:
            problem, digest = outcome(case(seed, number))
            print(json.dumps([number, problem, digest]), flush=True)
    return 0


def _worker(seed: int, first: int, count: int, hash_seed: str) -> subprocess.Popen[str]:
    words = ["--worker", "--seed", str(seed), "--first", str(first), "--cases", str(count)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "BPCONVERT_DEBUG": "1"}
    command = [sys.executable, str(Path(__file__).parent), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)


def _answers(seed: int, first: int, count: int, hash_seed: str = "0") -> Iterator[tuple[int, str, str]]:
    """What became of the cases; of one that ended its process too, with a new process for those behind it."""
    end = first + count
    while first < end:
        process = _worker(seed, first, end - first, hash_seed)
        assert process.stdout is not None
        timer = threading.Timer(_SILENCE, process.kill)
        timer.start()
        for line in process.stdout:
            timer.cancel()
            number, problem, digest = json.loads(line)
            yield number, problem, digest
            first = number + 1
            timer = threading.Timer(_SILENCE, process.kill)
            timer.start()
        timer.cancel()
        code = process.wait()
        if first < end:
            yield first, f"the process ended with {code}", ""
            first += 1


def _run(seed: int, numbers: range, folder: Path) -> int:
    broken = 0
    for number, problem, _ in _answers(seed, numbers.start, len(numbers)):
        if problem:
            broken += 1
            _keep(seed, number, problem, folder)
    return broken


def _compared(seed: int, numbers: list[int], folder: Path) -> int:
    """The cases that yield something else under other hash seeds."""
    broken = 0
    for number in numbers:
        digests = {digest for seeded in ("1", "2") for _, _, digest in _answers(seed, number, 1, seeded)}
        if len(digests) > 1:
            broken += 1
            _keep(seed, number, "another result under another hash seed", folder)
    return broken


def _keep(seed: int, number: int, problem: str, folder: Path) -> None:
    print(f"{seed}-{number}: {problem}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    kept = {"problem": problem, "case": case(seed, number)._asdict()}
    (folder / f"{seed}-{number}.json").write_text(json.dumps(kept, indent=1), "utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
