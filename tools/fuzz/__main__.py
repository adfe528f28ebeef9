"""Odd documents, until something breaks.

    python tools/fuzz [--seed N] [--cases N] [--first N] [--found DIR] [--hash-every N] [--progress N]
    python tools/fuzz --replay FILE...

Run it with the Python of an environment that has bpconvert. Documents of the corpus are changed in their structure and
their bytes and put through all commands, in all directions, with environments, stages, mappings of types, kept sources,
archives, baselines, configurations and what else command lines take. Each case runs under three hash seeds, in
processes that stay, and in one that has seen no other case. A case breaks when it ends with an error that is not
documented, takes longer than 2 seconds of processor time (of a usual machine) for each conversion of 10 KB or more than
500 MB, or yields other bytes under another hash seed or after other cases. A case that breaks is kept in DIR as
``SEED-NUMBER.json``; ``--replay`` runs such files. The exit code is 1 when something broke.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from pathlib import Path

from cases import Case, case
from workers import Worker, work

_HASH_SEEDS = ("0", "1", "2")


def main() -> int:
    """Run the cases; the exit code."""
    parser = argparse.ArgumentParser(description="Put odd documents through all commands.")
    parser.add_argument("--seed", type=int, default=0, help="another one makes other cases (default: 0)")
    parser.add_argument("--cases", type=int, default=1000, help="how many cases (default: 1000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case (default: 0)")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"), help="where cases that break are kept")
    text = "every Nth case runs under all hash seeds, the others under one (default: 1)"
    parser.add_argument("--hash-every", metavar="N", type=int, default=1, help=text)
    text = "print a line after every N cases (default: at the end only)"
    parser.add_argument("--progress", metavar="N", type=int, default=0, help=text)
    parser.add_argument("--replay", type=Path, nargs="+", help="run kept cases")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--fresh", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.worker:
        return work(chosen.worker, is_fresh=chosen.fresh)
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        place = Path(folder, "case")
        workers = [*(Worker(seed, place) for seed in _HASH_SEEDS), Worker(_HASH_SEEDS[0], place, is_fresh=True)]
        try:
            return _replayed(chosen.replay, workers) if chosen.replay else _run(chosen, workers)
        finally:
            for worker in workers:
                worker.close()


def _replayed(places: list[Path], workers: list[Worker]) -> int:
    problems = [_problem(Case(**json.loads(place.read_text("utf-8"))["case"]), workers) for place in places]
    for place, problem in zip(places, problems, strict=True):
        print(f"{place}: {problem or 'fine'}")
    return 1 if any(problems) else 0


def _run(chosen: argparse.Namespace, workers: list[Worker]) -> int:
    begin, actions, broken, compared = time.monotonic(), Counter[str](), 0, 0
    for count, number in enumerate(range(chosen.first, chosen.first + chosen.cases), 1):
        drawn = case(chosen.seed, number)
        actions[drawn.action] += 1
        is_compared = number % chosen.hash_every == 0
        compared += is_compared
        problem = _problem(drawn, workers if is_compared else [workers[number % len(_HASH_SEEDS)]])
        if problem:
            broken += 1
            _keep(f"{chosen.seed}-{number}", problem, drawn, chosen.found)
        if count == chosen.cases or (chosen.progress and count % chosen.progress == 0):
            rate = count / (time.monotonic() - begin)
            print(f"{count} cases, {compared} of them under {len(_HASH_SEEDS)} hash seeds: {broken} broke", flush=True)
            if chosen.progress:
                print(
                    f"  {rate:.1f} cases a second; {', '.join(f'{n} {c}' for n, c in actions.most_common())}",
                    flush=True,
                )
    return 1 if broken else 0


def _problem(drawn: Case, workers: list[Worker]) -> str:
    """What broke, "" for nothing."""
    answers = [worker.ask(drawn) for worker in workers]
    problem = next((answer.problem for answer in answers if answer.problem), "")
    if not problem and len({answer.digest for answer in answers}) == 1:
        return ""
    for worker in workers:
        worker.close()
    again = [worker.ask(drawn) for worker in workers]
    problem = next((answer.problem for answer in again if answer.problem), "")
    if problem:
        return problem
    if len({answer.digest for answer in again}) > 1:
        return "another result under another hash seed"
    first = next((answer.problem for answer in answers if answer.problem), "another result")
    return f"{first}, but only after other cases"


def _keep(name: str, problem: str, drawn: Case, folder: Path) -> None:
    print(f"{name}: {problem}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps({"problem": problem, "case": drawn.fields()}, indent=1), "utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
