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
        from difflib import get_close_matches

        match = next(iter(get_close_matches(wanted, near, 1, _LEAST)), None)
    return f"; did you mean '{match}'?" if match else ""


def _candidates(wanted: str, others: Iterable[str]) -> list[str]:
    """Those of the texts that have enough characters in common with ``wanted``, wherever these stand."""
    letters = [(letter, wanted.count(letter)) for letter in set(wanted)]
    size, candidates = len(wanted), []
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
                candidates.append(other)
    return candidates
