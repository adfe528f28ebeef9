"""Do both real engines compute the same values, from a template and from what it is converted to?

    BPCONVERT_ENGINES_PYTHON=python benchmarks/values.py [hot|cloudify] [PATTERN] [--to LANGUAGE] [--engine NAME]
                                                         [--draws N] [--min SHARE] [--list]

Run it with the Python of an environment that has bpconvert. Each real template of ../shared/realworld that its engine
accepts (else each of the corpus) is converted; inputs and runtime values are drawn, the defaults first, and both
engines compute every property of every node, every output, and what waits for what. Printed are the values compared,
that are equal, that differ where a diagnostic of the conversion says so, that are in another form where one says that
they mean the same ("reworded"), and that differ silently; the same once more where the conversion was given the value
of every input. ``--to tosca`` converts to service templates, whose values an engine of TOSCA computes
(:mod:`tosca_engines`), ``--engine`` or both of them. The exit code is 1 when a difference is silent, or when the
share of equal values in templates that people use themselves (userland: all but TripleO's) is below ``--min``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import tosca_engines

from bpconvert import SourceError, convert
from bpconvert.diagnostics.codes import CODES
from bpconvert.engines.client import Engine
from bpconvert.verification import Difference, Verification, drawn_inputs, verify

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"hot": "hot", "cloudify": "cfy"}
TARGETS = {"hot": "cloudify", "cloudify": "hot"}
DOCUMENTS = {"hot": "hot.yaml", "cloudify": "blueprint.yaml", "tosca": "service.yaml"}


class Task(NamedTuple):
    """One template, its language and that of the result, how often values are drawn, and whether the conversion is
    given all of them. ``engine``: the one of TOSCA."""

    path: Path
    dialect: str
    target: str
    draws: int
    seed: int
    given: bool
    engine: str

    @property
    def is_userland(self) -> bool:
        """True for a template that does not belong to TripleO."""
        return "tripleo" not in str(self.path)


@dataclass
class Sum:
    """Values of many templates."""

    counts: Counter[str] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, found: Verification, path: Path) -> None:
        """Add the values of one template."""
        silent = found.compared - found.equal - found.reported - found.reworded
        counts = {"compared": found.compared, "equal": found.equal, "reported": found.reported}
        self.counts.update(counts, reworded=found.reworded, silent=silent)
        self.reworded += [
            f"{path.name}: {_shown(one)} {' '.join(one.codes)}"
            for one in found.differences
            if one.codes and not one.is_reported
        ]
        self.codes.update(found.codes)
        self.silent += [f"{path.name}: {_shown(one)}" for one in found.differences if not one.codes]

    @property
    def share(self) -> float:
        """How many of the values are equal."""
        return self.counts["equal"] / max(1, self.counts["compared"])

    def __str__(self) -> str:
        parts = [f"{self.counts[name]} {name}" for name in ("compared", "equal", "reported", "reworded", "silent")]
        return f"{', '.join(parts)}: {100 * self.share:.2f} % equal"


def main() -> int:
    """Print the sums; the exit code."""
    parser = argparse.ArgumentParser(description="Compare what both real engines compute.")
    parser.add_argument("dialect", nargs="?", choices=list(FOLDERS), help="the language of the sources (default: both)")
    parser.add_argument("pattern", nargs="?", default="", help="only templates whose path has this text")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--min", type=float, default=0.0, help="share of userland values that have to be equal")
    parser.add_argument("--list", action="store_true", help="print every silent difference")
    parser.add_argument("--to", choices=list(DOCUMENTS), help="the language of the results (default: the other one)")
    parser.add_argument("--engine", choices=tosca_engines.ENGINES, help="the engine of TOSCA (default: each)")
    chosen = parser.parse_args()
    dialects = [chosen.dialect] if chosen.dialect else [name for name in FOLDERS if name != chosen.to]
    engines = [chosen.engine or name for name in (tosca_engines.ENGINES if chosen.to == "tosca" else ("",))]
    rows = [(dialect, engine) for dialect in dialects for engine in dict.fromkeys(engines)]
    return max(_measure(*row, chosen, given) for row in rows for given in (False, True))


def _measure(dialect: str, engine: str, chosen: argparse.Namespace, given: bool) -> int:
    paths = [path for path in _templates(dialect) if chosen.pattern in str(path)]
    target = chosen.to or TARGETS[dialect]
    tasks = [Task(path, dialect, target, chosen.draws, chosen.seed, given, engine) for path in paths]
    sums = {True: Sum(), False: Sum()}
    refused, calls = [], 0
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for task, (found, computed) in zip(tasks, workers.map(_verified, tasks, chunksize=2), strict=True):
            calls += computed
            if isinstance(found, str):
                refused.append(f"{task.path.name}: {found}")
            elif found.compared:
                sums[task.is_userland].add(found, task.path)
            if not isinstance(found, str) and found.notes:
                refused.append(f"{task.path.name}: {found.notes[0]}")
    how = f"{dialect} to {target}{f', {engine}' if engine else ''}"
    print(f"{how}, {'every input given to the conversion' if given else 'no input given'}: {len(paths)} templates")
    print(f"  userland  {sums[True]}")
    print(f"  TripleO   {sums[False]}")
    for code, count in sums[True].codes.most_common(None if chosen.list else 8):
        print(f"    {count:6} {code} {CODES[code].fidelity}: {CODES[code].title}")
    for text in [*sums[True].silent, *sums[False].silent][: None if chosen.list else 20]:
        print(f"    silent: {text}")
    for text in [*sums[True].reworded, *sums[False].reworded] if chosen.list else ():
        print(f"    reworded: {text}")
    for text in refused if chosen.list else ():
        print(f"    not compared: {text[:300]}")
    if engine:
        print(f"  {calls} calls computed by {engine}")
    print(f"  (not compared, or not in every draw: {len(refused)})")
    silent = sums[True].counts["silent"] + sums[False].counts["silent"]
    return 1 if silent or sums[True].share < chosen.min else 0


def _shown(one: Difference) -> str:
    return f"{one.what}: {one.first!r:.80} {one.second!r:.80}"


class Outcome(NamedTuple):
    """What the engines say of a template, or why there is nothing to compare; and how many calls the engine of TOSCA
    computed."""

    found: Verification | str
    calls: int = 0


@cache
def _engines(tosca: str) -> Mapping[str, Any]:
    """The engines of this process, which go on running; ``tosca``: that of TOSCA."""
    found: dict[str, Any] = {"hot": Engine("heat"), "cloudify": Engine("cloudify")}
    if tosca:
        tosca_engines.register(tosca)
        found["tosca"] = tosca_engines.ToscaEngine(tosca)
    return found


def _verified(task: Task) -> Outcome:
    engine = _engines(task.engine).get("tosca")
    before = engine.computed if engine is not None else 0
    found = _compared(task)
    return Outcome(found, engine.computed - before if engine is not None else 0)


def _compared(task: Task) -> Verification | str:
    source = task.path
    if not task.given:
        return _converted(task, {}, task.draws, "")
    total = Verification()
    for number in range(task.draws + 1):
        try:
            inputs = drawn_inputs(source, task.seed, number)
        except SourceError as error:
            return str(error)
        found = _converted(task, inputs, 0, f"{task.seed}.{number}")
        if isinstance(found, str):
            return found
        total.compared += found.compared
        total.equal += found.equal
        total.reported += found.reported
        total.reworded += found.reworded
        total.codes += found.codes
        total.differences += found.differences
        total.notes += found.notes
    return total


def _converted(task: Task, inputs: dict[str, Any], draws: int, seed: str) -> Verification | str:
    target, name = task.target, DOCUMENTS[task.target]
    with tempfile.TemporaryDirectory() as place:
        try:
            result = convert(task.path, task.dialect, target, carry=False, params=inputs or None)
        except SourceError as error:
            return str(error)
        for path, text in {**result.files, name: result.text}.items():
            file = Path(place, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return verify(
            task.path,
            Path(place, name),
            inputs=inputs,
            draws=draws,
            seed=seed or task.seed,
            engines=_engines(task.engine),
            reported=result.diagnostics,
        )


def _templates(dialect: str) -> Iterator[Path]:
    real = ROOT.parent / "shared" / "realworld" / FOLDERS[dialect]
    if (real / "manifest.json").exists():
        files = json.loads((real / "manifest.json").read_text("utf-8"))["files"]
        yield from (real / entry["path"] for entry in files if entry["role"] == "primary")
        return
    name = {"hot": "hot.yaml", "cloudify": "blueprint.yaml"}[dialect]
    yield from sorted((ROOT / "corpus" / FOLDERS[dialect]).glob(f"*/{name}"))


if __name__ == "__main__":
    sys.exit(main())
