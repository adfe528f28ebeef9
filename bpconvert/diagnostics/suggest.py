"""What somebody who misspelt a name may have meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any


def similar(name: str, names: Iterable[str], ratio: float = 0.6) -> list[str]:
    """At most three of the ``names`` names that differ by little, whatever their case, the most similar one first."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in names}
    return [by_lower[name] for name in get_close_matches(name.lower(), by_lower, 3, ratio)]


#: how similar a name is that is suggested (``difflib.SequenceMatcher.ratio``)
_LEAST = 0.7


def guess(name: Any, names: Collection[str]) -> str:
    """``; did you mean 'x'?`` where something known is spelled alike, else ``""``."""
    wanted = str(name)
    others = [other for other in names if isinstance(other, str) and other != wanted]
    folded = {other.lower(): other for other in others}
    match = folded.get(wanted.lower())
    near = [] if match else _candidates(wanted, others)
    if near:
        match = _nearest(wanted, near)
    return f"; did you mean '{match}'?" if match else ""


def _nearest(wanted: str, near: Iterable[tuple[float, str]]) -> str:
    """The most similar of the texts, each with the most that its ratio can be; "" where none is similar enough."""
    from difflib import SequenceMatcher

    matcher, best = SequenceMatcher(b=wanted), (_LEAST, "")
    for most, other in sorted(near, reverse=True):
        if most < best[0]:
            break
        matcher.set_seq1(other)
        best = max(best, (matcher.ratio(), other))
    return best[1]


def _candidates(wanted: str, others: Iterable[str]) -> list[tuple[float, str]]:
    """Those of the texts that have enough characters in common with ``wanted``, wherever these stand, and what their
    ratio is if they stand in the same order."""
    letters = [(letter, wanted.count(letter)) for letter in set(wanted)]
    size = len(wanted)
    candidates: list[tuple[float, str]] = []
    for other in others:
        least = _LEAST * (size + len(other)) / 2
        if min(size, len(other)) >= least:
            common = size
            for letter, number in letters:
                there = other.count(letter)
                if there < number:
                    common -= number - there
                    if common < least:
                        break
            else:
                candidates.append((2.0 * common / (size + len(other)), other))
    return candidates
