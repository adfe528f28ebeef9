"""Does a template mean the same after a conversion there and back, without the kept source?

Both are computed by the evaluator of their language under the same inputs, several times (``bpconvert.verification``).
A template is *equal* when no difference is found; *reported* when each difference has a code, of either conversion,
that explains it at its place; else *silent*. What is reported on the way back counts at the place in the source that
the trace of the way there names.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from measured import Converted

from bpconvert import RoundTrip, Severity, SourceError, roundtrip
from bpconvert.checking import check
from bpconvert.diagnostics import Diagnostic, Span
from bpconvert.diagnostics.codes import CODES
from bpconvert.models.expressions import MISSING
from bpconvert.options import Options
from bpconvert.verification import Difference, verify

#: source -> the language that it goes through where no other is chosen, and what a document of the source is called
VIA: Final = {
    "hot": ("cloudify", "hot.yaml"),
    "cloudify": ("hot", "blueprint.yaml"),
    "tosca": ("hot", "tosca.yaml"),
}
#: what says that a node only stands for something, and creates nothing
STAND_IN: Final = frozenset(
    code
    for code, one in CODES.items()
    if "is a stand-in node" in one.message
    or "is an OS::Heat::None" in one.message
    or code == "BPC398"
    or "became a node that creates nothing" in one.message
)
#: what says that a file that the template names is not there: no engine takes the template then
NO_FILE: Final = frozenset({"BPC610", "BPC611"})
#: how often values are drawn, beside the defaults
DRAWS: Final = 4
_MOST: Final = 160


class Differing(NamedTuple):
    """A place where the result differs, in words, and the codes that say why."""

    text: str
    codes: tuple[str, ...]


@dataclass
class Meaning:
    """A template: why it is left out, or where it differs and what says so."""

    name: str
    left_out: str = ""
    differences: list[Differing] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """What came back."""
        if not self.differences:
            return "equal"
        return "reported" if all(one.codes for one in self.differences) else "silent"


class Measured(NamedTuple):
    """The share of templates that mean the same, and how many do not without a code that says why."""

    share: float
    silent: int


def measure(dialect: str, paths: Iterable[Path], most: int | None = None, via: str | None = None) -> Measured:
    """Print how many of the templates mean the same. ``most``: how many differences are listed, None: all; ``via``: the
    language that they go through."""
    tasks = [(dialect, path, via or VIA[dialect][0]) for path in paths]
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        found = list(workers.map(_meant, tasks, chunksize=2))
    compared = [one for one in found if not one.left_out]
    verdicts = Counter(one.verdict for one in compared)
    share = verdicts["equal"] / max(1, len(compared))
    print(f"{dialect}: {len(found)} templates, {len(compared)} compared by meaning without the carried source")
    for reason, count in Counter(one.left_out for one in found if one.left_out).most_common():
        print(f"  left out {count:4}: {reason}")
    print(f"  equal {verdicts['equal']} of {len(compared)} ({100 * share:.1f} %)")
    print(f"  different, with the code that says why: {verdicts['reported']}")
    print(f"  different silently: {verdicts['silent']}")
    codes = Counter(code for one in compared for code in {code for it in one.differences for code in it.codes})
    print("  codes that say why (templates):")
    for code, count in codes.most_common():
        print(f"    {count:4} {code} {CODES[code].title}")
    lines = list(_lines(compared))
    for line in lines[:most]:
        print(f"    {line}")
    if most is not None and len(lines) > most:
        print(f"    and {len(lines) - most} more")
    return Measured(share, verdicts["silent"])


def _lines(found: list[Meaning]) -> Iterator[str]:
    """What differs, the silent ones first."""
    for silent in (True, False):
        for one in found:
            for it in one.differences:
                if bool(it.codes) is not silent:
                    why = " ".join(it.codes) or "silent"
                    yield f"{one.name}: {why}: {it.text}"


def _differing(found: Difference) -> Differing:
    return Differing(f"{found.what}: {_short(found.first)} -> {_short(found.second)}", found.codes)


def _short(value: object) -> str:
    return "nothing" if value is MISSING else f"{value!r:.{_MOST}}"


def _meant(task: tuple[str, Path, str]) -> Meaning:
    dialect, path, via = task
    one = Meaning(path.name)
    try:
        if any(found.severity is Severity.ERROR for found in check(path, allow_outside=True)):
            one.left_out = "its own engine refuses it"
            return one
        trip = roundtrip(path, via, carry=False, allow_outside=True)
    except SourceError as error:
        one.left_out = "it cannot be read" if error.diagnostic.span.file == str(path) else "the result cannot be read"
        return one
    codes = {found.code for found in trip.there.diagnostics}
    if STAND_IN & codes or NO_FILE & codes:
        one.left_out = "a node has no counterpart" if STAND_IN & codes else "a file that it names is not there"
        return one
    with tempfile.TemporaryDirectory() as place:
        result = _written(trip, Path(place), VIA[dialect][1])
        reported = [*trip.there.diagnostics, *_led_back(dialect, path, via, trip.back.diagnostics)]
        found = verify(path, result, draws=DRAWS, reported=reported, options=Options(allow_outside=True))
    one.differences = [_differing(difference) for difference in found.differences]
    return one


def _written(trip: RoundTrip, folder: Path, name: str) -> Path:
    """What came back, with the files of both conversions, in a folder."""
    for path, text in {**trip.there.files, **trip.back.files, name: trip.back.text}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder / name


def _led_back(dialect: str, path: Path, via: str, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What is reported on the way back, at the places of the source that the reported ones were made of."""
    there = Converted(path, dialect, via, path.parent)
    origins: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
    for source, target in there.moves:
        origins.setdefault(tuple(target), []).append(tuple(source))
    for one in found:
        for length in range(len(one.path), 0, -1):
            if one.path[:length] in origins:
                for place in origins[one.path[:length]]:
                    yield one._replace(path=place, span=Span(str(path), *there.source.locate(place)))
                break
