"""What comes back from a conversion there and back, over many templates.

    python benchmarks/roundtrip.py [--hot DIR] [--cloudify DIR] [--tosca DIR] [--via LANGUAGE] [--only LANGUAGE]
                                   [--meaning [--min SHARE] [--list] [PATTERN]]

Run it with the Python of an environment that has bpconvert. Without any DIR the real templates of all languages in
../shared/realworld are taken, or else those of the corpus. Printed for each language: the share that comes back with
the same content, and byte for byte, with the carried source and without; byte for byte also for ruamel.yaml's own
load-and-dump; and what stands in the way of plain translations, by diagnostic code. The exit code is 1 when a template
does not come back with the same content with the carried source.

With ``--meaning`` the templates without stand-ins that come back without the carried source are compared with
themselves by meaning (:mod:`meaning`), only those whose path has PATTERN. The exit code is 1 when a difference has no
code that says why, or when the share of equal ones is below ``--min``.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import meaning
from ruamel.yaml import YAML

from bpconvert import Fidelity, RoundTrip, Severity, SourceError, roundtrip
from bpconvert.diagnostics import Reporter
from bpconvert.diagnostics.codes import CODES
from bpconvert.models.expressions import File, walk
from bpconvert.roundtrips import lines
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.write.rules import RULES
from bpconvert.translators.hot.read.template import to_topology
from bpconvert.yamlio.document import load

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"hot": "hot", "cloudify": "cfy", "tosca": "tosca"}
#: how many differences in meaning are printed
_SHOWN = 20


class Share(NamedTuple):
    """How many of how many."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part} of {self.whole} ({100 * self.part / max(1, self.whole):.1f} %)"


def main() -> int:
    """Print the shares; the exit code."""
    parser = argparse.ArgumentParser(description="Print what comes back from a conversion there and back.")
    parser.add_argument("--hot", type=Path, help="folder with Heat templates")
    parser.add_argument("--cloudify", type=Path, help="folder with Cloudify blueprints")
    parser.add_argument("--tosca", type=Path, help="folder with service templates")
    parser.add_argument("--meaning", action="store_true", help="compare by meaning, without the carried source")
    parser.add_argument("--min", type=float, default=0.0, help="share of templates that have to mean the same")
    parser.add_argument("--list", action="store_true", help="print every difference in meaning")
    parser.add_argument("pattern", nargs="?", default="", help="by meaning, only templates whose path has this text")
    parser.add_argument("--via", help="the language that they go through")
    parser.add_argument("--only", choices=[*FOLDERS], help="templates of this language only")
    chosen = parser.parse_args()
    given = [name for name in FOLDERS if getattr(chosen, name) is not None]
    dialects = [chosen.only] if chosen.only else given or [name for name in FOLDERS if name != chosen.via]
    if chosen.meaning:
        return max(_by_meaning(dialect, chosen) for dialect in dialects)
    return max(_measure(dialect, getattr(chosen, dialect), chosen.via) for dialect in dialects)


def _by_meaning(dialect: str, chosen: argparse.Namespace) -> int:
    paths = [path for path in _templates(dialect, getattr(chosen, dialect)) if chosen.pattern in str(path)]
    found = meaning.measure(dialect, paths, None if chosen.list else _SHOWN, chosen.via)
    return 1 if found.silent or found.share < chosen.min else 0


def _measure(dialect: str, folder: Path | None, via: str | None) -> int:
    paths = list(_templates(dialect, folder))
    kept = [trip for path in paths if (trip := _trip(path, via, carry=True))]
    plain = [trip for path in paths if (trip := _trip(path, via, carry=False))]
    same = Share(sum(not trip.differences for trip in kept), len(kept))
    print(f"{dialect}: {len(paths)} templates, {len(paths) - len(kept)} of them cannot be read")
    print(f"  same content        {same}")
    print(f"  byte for byte       {Share(sum(trip.is_identical for trip in kept), len(kept))}")
    print(f"  (ruamel.yaml alone  {Share(sum(map(_dumps_alike, paths)), len(kept))})")
    print(f"  without the carried source: same content {Share(sum(not t.differences for t in plain), len(plain))}")
    print("  in the way (templates that do not come back, by the findings on the way there):")
    codes = Counter(code for trip in plain if trip.differences for code in _obstacles(trip))
    for code, count in codes.most_common():
        print(f"    {count:4} {code} {CODES[code].title}")
    if dialect == "hot":
        _mapped(plain)
    return 0 if same.part == same.whole else 1


def _mapped(plain: list[RoundTrip]) -> None:
    """Print the share of those whose functions and types all have counterparts, and what does not come back."""
    mapped = [trip for trip in plain if _has_counterparts(trip)]
    share = Share(sum(not trip.differences for trip in mapped), len(mapped))
    print(f"  of those whose functions and types all have exact counterparts: {share}")
    for trip in mapped:
        if trip.differences:
            print(f"    {trip.name}: {'; '.join(lines(trip.differences)[:3])}")


def _has_counterparts(trip: RoundTrip) -> bool:
    """True for a template that Heat accepts, whose functions are said exactly and of which nothing, types and their
    properties included, is without a counterpart."""
    document = load(trip.source)
    reporter = Reporter(document)
    topology = to_topology(document, builtin(), reporter)
    found = (*reporter.diagnostics, *trip.there.diagnostics)
    if any(one.severity is Severity.ERROR or one.fidelity is Fidelity.CARRIED for one in found):
        return False
    kinds = [builtin().kind(node.kind) for node in topology.nodes.values()]
    if not all(kind is not None and kind.cloudify is not None for kind in kinds):
        return False
    values = [node.properties for node in topology.nodes.values()]
    values += [output.value for output in topology.outputs.values()]
    used = {type(expr) for expr in walk(values)}
    return File not in used and all(kind in RULES and RULES[kind].fidelity is Fidelity.EXACT for kind in used)


def _templates(dialect: str, folder: Path | None) -> Iterator[Path]:
    real = ROOT.parent / "shared" / "realworld" / FOLDERS[dialect]
    if folder is None and (real / "manifest.json").exists():
        files = json.loads((real / "manifest.json").read_text("utf-8"))["files"]
        yield from (real / entry["path"] for entry in files if entry["role"] == "primary")
        return
    name = meaning.VIA[dialect][1]
    yield from sorted((folder or ROOT / "corpus" / FOLDERS[dialect]).rglob(name if folder is None else "*.yaml"))


def _trip(path: Path, via: str | None, carry: bool) -> RoundTrip | None:
    try:
        return roundtrip(path, via, carry=carry)
    except SourceError:
        return None


def _obstacles(trip: RoundTrip) -> set[str]:
    """The codes of what has no exact counterpart."""
    return {finding.code for finding in trip.there.diagnostics if finding.fidelity > "exact"}


def _dumps_alike(path: Path) -> bool:
    yaml: Any = YAML()
    yaml.preserve_quotes = True
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        dumped = io.StringIO()
        yaml.dump(yaml.load(text), dumped)
    except Exception:
        return False
    return dumped.getvalue() == text


if __name__ == "__main__":
    sys.exit(main())
