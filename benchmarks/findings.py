"""How many findings a person reads per template: all of them, and what is left when those that belong together are one.

    python benchmarks/findings.py [--realworld DIR] [--max SHARE] [--codes]

Run it with the Python of an environment that has bpconvert. DIR defaults to the real templates in ../shared/realworld:
its folders hot, cfy and tosca, with the documents that bpconvert finds in them. Counted are the findings of each
conversion that is a result of its own, with those about what it nests; what nests nothing is counted by itself.

  all      every finding, as reports have them
  read     groups of bpconvert.diagnostics.folding: a finding, with the same one at other places and with those that
           follow from it
  shown    the groups that are printed without -v: warnings and errors

The exit code is 1 when the median or the 90th percentile of what is read is more than SHARE (0.5) of all, or when a
finding is in no group or in two; 2 when there are no templates.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bpconvert import convert
from bpconvert.batch import Job, Plan, convert_all, find
from bpconvert.diagnostics import Diagnostic, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.diagnostics.folding import Group, fold
from bpconvert.translators.dialects import DIALECTS

REALWORLD = Path(__file__).resolve().parent.parent.parent / "shared" / "realworld"
#: folder -> dialects of the source and of the target
WAYS = {"hot": ("hot", "cloudify"), "cfy": ("cloudify", "hot"), "tosca": ("tosca", "hot")}


class Numbers(NamedTuple):
    """Findings per template."""

    total: int
    median: float
    ninetieth: float

    @classmethod
    def from_counts(cls, counts: list[int]) -> Numbers:
        """The numbers of some templates."""
        ordered = sorted(counts)
        return cls(sum(ordered), statistics.median(ordered), ordered[round(0.9 * (len(ordered) - 1))])


def main() -> int:
    """Print the tables; the exit code."""
    parser = argparse.ArgumentParser(description="Print how many findings a person reads per template.")
    parser.add_argument("--realworld", type=Path, default=REALWORLD)
    parser.add_argument("--max", type=float, default=0.5, metavar="SHARE")
    parser.add_argument("--codes", action="store_true", help="print how often each code is read")
    arguments = parser.parse_args()
    ways = {folder: way for folder, way in WAYS.items() if (arguments.realworld / folder).is_dir()}
    if not ways:
        print(f"no templates in {arguments.realworld}")
        return 2
    return max([measure(arguments.realworld / folder, *way, arguments) for folder, way in ways.items()])


def measure(folder: Path, source: str, target: str, arguments: argparse.Namespace) -> int:
    """Print the table of one folder; 1 where too much is left to read, or a finding is lost."""
    found = list(findings(folder, source, target))
    groups = [fold(one) for one in found]
    lost = sum(not is_complete(one, folded) for one, folded in zip(found, groups, strict=True))
    counts = {
        "all": Numbers.from_counts([len(one) for one in found]),
        "read": Numbers.from_counts([len(one) for one in groups]),
        "shown": Numbers.from_counts([sum(group.first.severity > Severity.INFO for group in one) for one in groups]),
    }
    print(f"{source} to {target}: {len(found)} templates")
    print(f"  {'':6}{'total':>7}{'median':>8}{'90th':>6}")
    for name, numbers in counts.items():
        print(f"  {name:6}{numbers.total:7}{numbers.median:8g}{numbers.ninetieth:6g}")
    if lost:
        print(f"  in {lost} templates findings are lost or occur twice")
    if arguments.codes:
        read = Counter(group.first.code for one in groups for group in one)
        for code, number in read.most_common():
            print(f"  {number:6} {code} {CODES[code].severity}: {CODES[code].title}")
    before, after = counts["all"], counts["read"]
    too_many = after.median > arguments.max * before.median or after.ninetieth > arguments.max * before.ninetieth
    return int(bool(lost) or too_many)


def findings(folder: Path, source: str, target: str) -> Iterable[list[Diagnostic]]:
    """Those of each conversion that yields a result of its own."""
    jobs = [Job(str(path), path, None) for path in find([str(folder)], [DIALECTS[source]]).paths]
    for outcome in convert_all(Plan(jobs), lambda job: convert(Path(job.name), source, target, name=job.name)):
        if outcome.result is not None:
            yield list(outcome.result.diagnostics)


def is_complete(found: list[Diagnostic], groups: list[Group]) -> bool:
    """Whether each finding is in one group."""
    members = [(item.code, item.span, item.message) for group in groups for item in group.all]
    return len(members) == len(set(members)) and set(members) == {(one.code, one.span, one.message) for one in found}


if __name__ == "__main__":
    sys.exit(main())
