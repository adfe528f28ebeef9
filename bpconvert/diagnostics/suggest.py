"""What somebody who misspelt a name may have meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any


def similar(name: str, known: Iterable[str], ratio: float = 0.6) -> list[str]:
    """At most three of the ``known`` names that differ by little, whatever their case, the most similar one first."""
    from difflib import get_close_matches

    by_lower = {one.lower(): one for one in known}
    return [by_lower[one] for one in get_close_matches(name.lower(), by_lower, 3, ratio)]


def guess(name: Any, known: Collection[str]) -> str:
    """``; did you mean 'x'?`` where something known is spelled alike, else ``""``."""
    from difflib import get_close_matches

    wanted = str(name)
    others = [other for other in known if isinstance(other, str) and other != wanted]
    folded = {other.lower(): other for other in others}
    found = folded.get(wanted.lower()) or next(iter(get_close_matches(wanted, others, 1, 0.7)), None)
    return f"; did you mean '{found}'?" if found else ""
