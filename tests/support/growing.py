"""Counts what a conversion does: calls of functions are the same on every machine, seconds are not."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile
from pathlib import Path

from bpconvert import convert

#: how much more a document of twice the size may take: what is done once per document counts for less
MOST = 2.3


def calls_of(text: str | bytes | Path, source: str, target: str) -> int:
    """How many functions a conversion calls."""
    return calls_in(lambda: convert(text, source, target))


def calls_in(work: Callable[[], object]) -> int:
    """How many functions are called in ``work``."""
    profile = Profile(builtins=False)
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())
