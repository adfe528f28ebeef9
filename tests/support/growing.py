"""Counts what a conversion does: calls of functions are the same on every machine, seconds are not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from bpconvert import convert

#: how much more a document of twice the size may take: what is done once per document counts for less
MOST = 2.3


def calls_of(text: str | bytes | Path, source: str, target: str) -> int:
    """How many functions a conversion calls."""
    return calls_in(lambda: convert(text, source, target))


def calls_in(work: Callable[[], object]) -> int:
    """How many functions are called in ``work``."""
    count = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
