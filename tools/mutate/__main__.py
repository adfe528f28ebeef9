"""Small mistakes in a module, and whether its tests notice them.

    python tools/mutate MODULE... [--tests PATH...] [--list] [--sample N] [--seed N] [--jobs N] [--min PERCENT]

Run it in the checkout, with the Python of an environment that has bpconvert and pytest, on Linux. MODULE is a file. Its
tests are those of the table in ``meant.py``, or the ones named. A mutant is the module with one mistake: another
operator or constant, a call left out, a condition turned round. It is killed when a test fails with it, or takes five
times as long. Those that survive are printed; ``equivalent.py`` names the ones that change nothing, each with the
reason, and these do not count. The exit code is 1 when less than PERCENT of a module's mutants are killed.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from equivalent import EQUIVALENT
from meant import MEANT
from mutants import Mutant, mutants
from trying import Target, prepare, reached, tried

#: folders of the checkout that are installed below the package
_MAPPED = ("models", "templates", "translators")


def main() -> int:
    """Try the mutants; the exit code."""
    parser = argparse.ArgumentParser(description="Make small mistakes and see whether the tests notice them.")
    parser.add_argument("modules", nargs="+", metavar="MODULE", help="a file of the checkout")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="other tests than those meant for the module")
    parser.add_argument("--list", action="store_true", help="print the mutants, try none")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants of each module, drawn at random")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another one draws others (default: 0)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="N mutants at a time (default: 1)")
    parser.add_argument("--min", type=float, default=0, metavar="PERCENT", help="what has to be killed (default: 0)")
    chosen = parser.parse_args()
    prepare()
    worst = min(_module(module, chosen) for module in chosen.modules)
    return 1 if worst < chosen.min else 0


def _module(module: str, chosen: argparse.Namespace) -> float:
    """Try the mutants of one module; how many per cent are killed."""
    path = Path(module).resolve()
    tree = ast.parse(path.read_text("utf-8"))
    equivalent = EQUIVALENT.get(module, {})
    every = mutants(tree)
    found = [mutant for mutant in every if mutant.change not in equivalent]
    if chosen.sample is not None and chosen.sample < len(found):
        found = random.Random(chosen.seed).sample(found, chosen.sample)
    if chosen.list:
        print(*(_line(module, mutant) for mutant in found), sep="\n")
        return 100
    tests = chosen.tests or MEANT.get(module)
    if not tests:
        raise SystemExit(f"{module}: no tests are meant for it; name them with --tests or in tools/mutate/meant.py")
    target = Target(_name(Path(module)), path, tree, tests)
    try:
        known = reached(target)
    except RuntimeError as error:
        raise SystemExit(f"{module}: {error}") from None
    survivors = [mutant for mutant, is_killed in tried(target, found, known, chosen.jobs) if not is_killed]
    for mutant in sorted(survivors, key=lambda one: one.line):
        print(_line(module, mutant))
    return _summary(module, every, found, survivors)


def _summary(module: str, every: Sequence[Mutant], found: Sequence[Mutant], survivors: Sequence[Mutant]) -> float:
    killed = len(found) - len(survivors)
    percent = 100 * killed / len(found) if found else 100.0
    equivalent = sum(mutant.change in EQUIVALENT.get(module, {}) for mutant in every)
    rest = len(every) - equivalent - len(found)
    more = f"; {equivalent} equivalent" * bool(equivalent) + f"; {rest} not drawn" * bool(rest)
    print(f"{module}: {killed} of {len(found)} killed, {percent:.1f} %{more}", flush=True)
    return percent


def _line(module: str, mutant: Mutant) -> str:
    return f"{module}:{mutant.line}: {mutant.change}"


def _name(module: Path) -> str:
    """The name under which a file of the checkout is imported."""
    parts = module.with_suffix("").parts
    return ".".join(("bpconvert", *parts) if parts[0] in _MAPPED else parts).removesuffix(".__init__")


if __name__ == "__main__":
    sys.exit(main())
