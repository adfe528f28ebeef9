"""Does a document mean the same after a conversion from or to TOSCA, but for what is reported?

    python benchmarks/three_languages.py [SOURCE] [TARGET] [PATTERN] [--draws N] [--list]

Run it with the Python of an environment that has bpconvert. Each real document of ../shared/realworld (else each of the
corpus) is converted without its source carried along, and compared with the result as ``bpconvert verify`` does: values
drawn for inputs and runtime values, no engine. Printed are, for each direction, the documents, the values as
benchmarks/values.py counts them, what is refused, and the documents that have a silent difference. The exit code is 1
when a difference is silent, or when a conversion crashes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from bpconvert import SourceError, convert
from bpconvert.verification import Verification, verify

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "realworld"
FOLDERS = {"hot": "hot", "cloudify": "cfy", "tosca": "tosca"}
DOCUMENTS = {"hot": "hot.yaml", "cloudify": "blueprint.yaml", "tosca": "tosca.yaml"}
DIRECTIONS = (("hot", "tosca"), ("cloudify", "tosca"), ("tosca", "hot"), ("tosca", "cloudify"))
#: how many silent differences, and crashes, of a direction are printed without --list
_SHOWN = 20


class Task(NamedTuple):
    """A document, the languages that it is converted from and to, and how often values are drawn."""

    path: Path
    source: str
    target: str
    draws: int


class Outcome(NamedTuple):
    """What one conversion yields: the counts of its values and the silent differences, or why there are none."""

    counts: Counter[str]
    silent: list[str]
    refused: str = ""
    crash: str = ""


def main() -> int:
    """Print the sums of each direction; the exit code."""
    parser = argparse.ArgumentParser(description="Compare documents with what they become, from and to TOSCA.")
    parser.add_argument("source", nargs="?", choices=list(FOLDERS), help="the language of the sources (default: all)")
    parser.add_argument("target", nargs="?", choices=list(FOLDERS), help="the language of the results (default: all)")
    parser.add_argument("pattern", nargs="?", default="", help="only documents whose path has this text")
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print every silent difference, and what is refused")
    chosen = parser.parse_args()
    wanted = [one for one in DIRECTIONS if chosen.source in (None, one[0]) and chosen.target in (None, one[1])]
    if not wanted:
        parser.error("one of the two languages is TOSCA")
    return max(_measure(source, target, chosen) for source, target in wanted)


def _measure(source: str, target: str, chosen: argparse.Namespace) -> int:
    paths = [path for path in _documents(source) if chosen.pattern in str(path)]
    tasks = [Task(path, source, target, chosen.draws) for path in paths]
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        outcomes = list(workers.map(_outcome, tasks, chunksize=2))
    counts = sum((one.counts for one in outcomes), Counter[str]())
    refused = [f"{path}: {one.refused}" for path, one in zip(paths, outcomes, strict=True) if one.refused]
    crashed = [f"{path}: {one.crash}" for path, one in zip(paths, outcomes, strict=True) if one.crash]
    silent = [(path, one.silent) for path, one in zip(paths, outcomes, strict=True) if one.silent]
    names = ("compared", "equal", "reported", "reworded", "silent")
    found = f"{len(refused)} refused, {len(crashed)} crashed, {len(silent)} with silent differences"
    print(f"{source} to {target}: {len(paths)} documents, {found}")
    print(f"  {', '.join(f'{counts[name]} {name}' for name in names)}")
    lines = [f"silent: {path.name}: {text}" for path, texts in silent for text in texts]
    for text in lines if chosen.list else lines[:_SHOWN]:
        print(f"    {text}")
    for text in refused if chosen.list else ():
        print(f"    refused: {text[:300]}")
    for text in crashed if chosen.list else crashed[:_SHOWN]:
        print(f"    crash: {text}")
    return 1 if silent or crashed else 0


def _outcome(task: Task) -> Outcome:
    try:
        found = _verified(task)
    except SourceError as error:
        return Outcome(Counter(), [], refused=str(error))
    except Exception:  # a crash of one document is a result, too
        return Outcome(Counter(), [], crash=traceback.format_exc()[-300:])
    counts = Counter(compared=found.compared, equal=found.equal, reported=found.reported, reworded=found.reworded)
    counts["silent"] = found.compared - found.equal - found.reported - found.reworded
    silent = [f"{one.what}: {one.first!r:.80} {one.second!r:.80}" for one in found.differences if not one.codes]
    return Outcome(counts, silent)


def _verified(task: Task) -> Verification:
    result = convert(task.path, task.source, task.target, carry=False)
    with tempfile.TemporaryDirectory() as place:
        for name, text in {**result.files, DOCUMENTS[task.target]: result.text}.items():
            file = Path(place, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        made = Path(place, DOCUMENTS[task.target])
        return verify(task.path, made, draws=task.draws, reported=result.diagnostics)


def _documents(dialect: str) -> Iterator[Path]:
    real = SHARED / FOLDERS[dialect]
    if (real / "manifest.json").exists():
        files = json.loads((real / "manifest.json").read_text("utf-8"))["files"]
        yield from (real / entry["path"] for entry in files if entry["role"] == "primary")
        return
    for folder in (FOLDERS[dialect], "to-tosca"):
        yield from sorted((ROOT / "corpus" / folder).glob(f"*/{DOCUMENTS[dialect]}"))


if __name__ == "__main__":
    sys.exit(main())
