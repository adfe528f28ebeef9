"""What is left to do, in words that a person plans by: the same in the terminal, in JSON and on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from bpconvert.diagnostics import Fidelity, Severity
from bpconvert.models.light import NamedTuple

READY: Final = "ready"
LOOK: Final = "to look at"
HAND: Final = "to do by hand"
#: word -> what it means
MEANINGS: Final = {
    READY: "no finding above an info",
    LOOK: "warnings: it may differ as they describe",
    HAND: "errors, or something has no counterpart",
}
#: how many steps there are at most
_MOST: Final = 10


class Step(NamedTuple):
    """Kinds of findings that somebody deals with. ``finishes``: files that are ready then, with the steps before."""

    codes: tuple[str, ...]
    finishes: int


def work(findings: Iterable[tuple[str, str]], failed: bool = False) -> str:
    """The word for a document with findings of these severities and fidelities, or that ``failed``."""
    left = [(severity, fidelity) for severity, fidelity in findings if severity != str(Severity.INFO)]
    hard = (severity == str(Severity.ERROR) or fidelity == str(Fidelity.CARRIED) for severity, fidelity in left)
    if failed or any(hard):
        return HAND
    return LOOK if left else READY


def steps(documents: Iterable[Collection[str]]) -> list[Step]:
    """What to deal with first: the kinds of findings without which most documents are ready, for each of these kinds;
    then, with that done, the next ones. ``documents``: the codes of the findings above info of each."""
    left = Counter(frozenset(codes) for codes in documents if codes)
    taken: list[Step] = []
    while left and len(taken) < _MOST:
        finished = {codes: sum(files for other, files in left.items() if other <= codes) for codes in left}
        codes = min(finished, key=lambda codes: (-finished[codes] / len(codes), len(codes), sorted(codes)))
        taken.append(Step(tuple(sorted(codes)), finished[codes]))
        remaining: Counter[frozenset[str]] = Counter()
        for other, files in left.items():
            remaining[other - codes] += files
        left = Counter({other: files for other, files in remaining.items() if other})
    return taken


def work_of(entries: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Word -> number of ``files`` of a report that it is the word for; what is part of others does not count."""
    words = Counter(
        work(((row["severity"], row["fidelity"]) for row in entry["diagnostics"]), bool(entry["error"]))
        for entry in entries
        if not entry.get("nested_in")
    )
    return {word: words[word] for word in MEANINGS}


def steps_of(entries: Iterable[Mapping[str, Any]]) -> list[Step]:
    """The steps of the ``files`` of a report: findings that follow from others go with these."""
    own = [entry for entry in entries if not entry.get("nested_in") and not entry["error"]]
    info = str(Severity.INFO)
    return steps(
        [{row["code"] for row in entry["diagnostics"] if row["severity"] != info and not row["cause"]} for entry in own]
    )
