"""How much of what real templates use is converted by the catalogue's rules.

    python benchmarks/coverage.py [--hot DIR] [--cloudify DIR] [--map FILE] [--min SHARE] [--examples]

Run it with the Python of an environment that has bpconvert and PyYAML. DIR defaults to the real templates in
../shared/realworld, FILE to ../shared/reference/type_map.yaml, which says what has a counterpart in the other language.
Counted are single uses in the source: resources, properties and get_attr; nodes, properties, get_attribute and
relationships. A use is converted when no finding says that it is carried, and it is found in what its resource became:
by the trace, by a finding about its place, or by its value.

A use counts when the map gives its type, property or attribute a counterpart. TOTAL leaves nothing out of that. Some of
these uses cannot be converted by any catalogue, and each such reason has a line of its own, with how many uses it is
about and how many of them are converted all the same:

  the map ...     the map itself leaves the use to the stand-in under a condition (``otherwise: fallback`` of a merge,
                  ``rule`` of software and components): it has no counterpart there. The condition is read in the
                  source.
  the engine ...  the source's own engine refuses the use, or does not use it.
  a function ...  the type has a counterpart, but its value is computed by a function that the other language lacks.

The exit code is 1 when a share of TOTAL without what the map and the engine leave out is below SHARE (0.95): the map
decides what has a counterpart, with its conditions, and a template that its engine refuses has no meaning to convert. A
function is no such excuse, the use is lost for the user. TripleO is the exception, as the only project that computes
most of its values with yaql and functions on maps: it is counted apart, and decided without them. The exit code is 2
when there are no templates. Real templates are read with the files of their whole project.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import coverage_cloudify
import coverage_hot
from measured import Converted, Table, Tally
from type_map import TypeMap

from bpconvert import SourceError

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
#: dialect -> folder of the real templates, marker, what is counted, how
DIALECTS: dict[str, tuple[str, str, str, Callable[[Converted, TypeMap, Table], None]]] = {
    "hot": ("hot", "heat_template_version", "cloudify", coverage_hot.count),
    "cloudify": ("cfy", "tosca_definitions_version", "hot", coverage_cloudify.count),
}
WHAT = {"hot": coverage_hot.WHAT, "cloudify": coverage_cloudify.WHAT}
#: templates of a project that are counted by themselves
APART = "tripleo"
#: what decides about the exit code is without uses that are left out for these reasons
LEFT_OUT = ("the map", "the engine")
FUNCTIONS = "a function"


def main() -> int:
    """Print the tables; the exit code."""
    parser = argparse.ArgumentParser(description="Print how much of what real templates use is converted.")
    parser.add_argument("--hot", type=Path, help="folder with Heat templates")
    parser.add_argument("--cloudify", type=Path, help="folder with Cloudify blueprints")
    parser.add_argument("--map", type=Path, default=SHARED / "reference" / "type_map.yaml", help="what corresponds")
    parser.add_argument("--min", type=float, default=0.95, help="least share of what has a counterpart")
    parser.add_argument("--causes", type=int, default=40, help="how many causes are printed")
    parser.add_argument("--examples", action="store_true", help="print one place for every cause")
    chosen = parser.parse_args()
    if not chosen.map.is_file():
        parser.error(f"there is no {chosen.map}; use --map")
    types = TypeMap(chosen.map)
    enough = True
    for dialect in DIALECTS:
        groups = templates(dialect, getattr(chosen, dialect))
        if not any(groups.values()):
            print(f"{dialect}: no templates", file=sys.stderr)
            return 2
        for name, paths in groups.items():
            table = measure(dialect, paths, types)
            show(f"{dialect}, {name}", table, WHAT[dialect], chosen.causes, chosen.examples)
            without = (*LEFT_OUT, FUNCTIONS) if name == APART else LEFT_OUT
            enough &= all(table.total(what, without).share >= chosen.min for what in WHAT[dialect])
    return 0 if enough else 1


def templates(dialect: str, folder: Path | None) -> dict[str, list[Path]]:
    """The templates to convert, in groups."""
    name, marker, _, _ = DIALECTS[dialect]
    if folder is not None:
        found = sorted(path for path in folder.rglob("*.yaml") if marker in path.read_text("utf-8", "replace"))
        return {str(folder): found}
    real = SHARED / "realworld" / name
    if not (real / "manifest.json").exists():
        return {}
    files = json.loads((real / "manifest.json").read_text("utf-8"))["files"]
    paths = [real / entry["path"] for entry in files if entry["role"] == "primary"]
    groups = {"all but tripleo": [path for path in paths if APART not in str(path.relative_to(real))]}
    groups[APART] = [path for path in paths if APART in str(path.relative_to(real))]
    return {label: members for label, members in groups.items() if members}


def measure(dialect: str, paths: list[Path], types: TypeMap) -> Table:
    """The counts over some templates."""
    _, _, target, count = DIALECTS[dialect]
    table = Table()
    for path in paths:
        try:
            converted = Converted(path, dialect, target, project(path))
        except SourceError:
            table.unreadable += 1
            continue
        table.templates += 1
        count(converted, types, table)
    return table


def project(path: Path) -> Path:
    """The folder of everything that a template may nest: of a real one, the copy of its project."""
    real = SHARED / "realworld"
    return real.joinpath(*path.relative_to(real).parts[:2]) if path.is_relative_to(real) else path.parent


def show(title: str, table: Table, what: tuple[str, ...], causes: int, examples: bool) -> None:
    """Print one table."""
    print(f"\n{title}: {table.templates} templates, {table.unreadable} more cannot be read")
    print(f"  {'':50}" + "".join(f"{name:>22}" for name in what))
    for kind, row in sorted(table.rows().items(), key=lambda item: -sum(tally.uses for tally in item[1].values())):
        cells = (row.get(name) for name in what)
        print(f"  {kind[:49]:50}" + "".join(f"{_cell(t) if t else '':>22}" for t in cells))
    print(f"  {'TOTAL':50}" + "".join(f"{_cell(table.total(name)):>22}" for name in what))
    for label, without in (("map and engine", LEFT_OUT), ("functions, too", (*LEFT_OUT, FUNCTIONS))):
        cells = (_cell(table.total(name, without)) for name in what)
        print(f"  {f'TOTAL without what is left out: {label}':50}" + "".join(f"{cell:>22}" for cell in cells))
    for name in what:
        if table.excuses(name):
            print(f"  {name} left out:")
        for excuse, tally in sorted(table.excuses(name).items(), key=lambda item: -item[1].uses):
            print(f"    {tally.uses:5} ({tally.converted} of them are converted) {excuse[:170]}")
    for name in what:
        total = table.total(name)
        if total.causes:
            print(f"  {name} that are not converted although they have a counterpart:")
            for cause, number in total.causes.most_common(causes):
                print(f"    {number:5} {cause[:230]}")
                if examples:
                    print(f"          {total.examples[cause]}")
    if table.apart:
        print("  without a counterpart in the map:")
        for cause, number in table.apart.most_common(causes):
            print(f"    {number:5} {cause[:170]}")


def _cell(tally: Tally) -> str:
    return f"{tally.converted} of {tally.uses} ({100 * tally.converted / max(1, tally.uses):.1f} %)"


if __name__ == "__main__":
    sys.exit(main())
