"""How long reading takes, against a bare libyaml event scan of the same texts in the same run.

    python benchmarks/reading.py [FOLDER] [--rounds N]

FOLDER (default: ../shared/realworld/hot beside the checkout) holds a manifest.json; its files of role "primary" are
read. Each ratio is the median over the files of (best time of the step / best time of the scan). The steps:

    load       decode, scan, build the data; every place is at hand, decoded when asked for
    cold       load with an empty cache of scalars, as in a process that reads one file
    places     load, and decode line and column of every key, value and item
    comments   load, and give every comment to its entry
    all        load, places, comments
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import StreamEndEvent

from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.document import Document, Map, Seq, load
from bpconvert.yamlio.events import CParser
from bpconvert.yamlio.scalars import PLAIN

FOLDER = Path(__file__).resolve().parent.parent.parent / "shared" / "realworld" / "hot"
LIMIT = 2.0


def scan(text: str) -> None:
    """The yardstick: every event, nothing kept."""
    get = CParser(text).get_event
    while type(get()) is not StreamEndEvent:
        pass


def cold(text: str) -> None:
    PLAIN.clear()
    load(text)


def places(text: str) -> Document:
    document = load(text)
    _places(document.data)
    return document


def _places(node: Any) -> None:
    if type(node) is Map:
        for key, value in node.items():
            node.entry(key)
            _places(value)
    elif type(node) is Seq:
        for value in node:
            _places(value)


def comments(text: str) -> None:
    _ = load(text).comments


def everything(text: str) -> None:
    _ = places(text).comments


STEPS: dict[str, Callable[[str], Any]] = {
    "load": load,
    "cold": cold,
    "places": places,
    "comments": comments,
    "all": everything,
}


def best(step: Callable[[str], Any], text: str, rounds: int) -> float:
    """The shortest of ``rounds`` runs, in seconds."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        step(text)
        times.append(perf_counter() - start)
    return min(times)


def readable(folder: Path) -> list[str]:
    """The texts of the primary files of ``folder`` that libyaml scans."""
    listed = json.loads((folder / "manifest.json").read_text())["files"]
    found = []
    for text in ((folder / entry["path"]).read_text() for entry in listed if entry["role"] == "primary"):
        try:
            scan(text)
            load(text)
        except (SourceError, YAMLError):
            continue
        found.append(text)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    if not (options.folder / "manifest.json").is_file():
        parser.exit(2, f"no manifest.json in {options.folder}\n")
    texts = readable(options.folder)
    yardstick = [best(scan, text, options.rounds) for text in texts]
    size = median(len(text) for text in texts)
    print(f"{len(texts)} files, median {size:.0f} characters, bare scan {median(yardstick) * 1e3:.3f} ms")
    for name, step in STEPS.items():
        times = [best(step, text, options.rounds) for text in texts]
        ratio = median(time / base for time, base in zip(times, yardstick, strict=True))
        limit = f"  (limit {LIMIT:.2f})" if name == "load" else ""
        print(f"{name:<9} {median(times) * 1e3:6.3f} ms  {ratio:5.2f} x{limit}")


if __name__ == "__main__":
    main()
