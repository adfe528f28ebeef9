"""Bounds of time that hold on slow machines too: in seconds of a machine that is as fast as usual."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bpconvert import BpconvertError

#: of the processor for ``_fixed_work``, where nothing slows the machine down
USUAL = 0.015


def pace() -> float:
    """How many times as long as usual this machine takes for the same work just now; at least 1."""
    start = time.process_time()
    _fixed_work()
    return max(1.0, (time.process_time() - start) / USUAL)


def _fixed_work() -> int:
    """Calls, small lists and texts, as the package makes them."""
    kept: dict[str, list[int]] = {}
    for number in range(60_000):
        kept.setdefault(str(number % 1000), []).append(number)
    return len(kept)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What is done inside takes less than that of the processor, which other processes do not use up."""
    before, start = pace(), os.times().user
    yield
    spent = (os.times().user - start) / max(before, pace())
    assert spent < seconds, f"{spent:.1f} s"


def check_that_it_ends(work: Callable[[], object], seconds: float = 2) -> None:
    """What ends with an error ends too. Of three turns one is quick: the others may have waited for memory."""
    for is_last in (False, False, True):
        try:
            with within(seconds), suppress(BpconvertError):
                work()
        except AssertionError:
            if is_last:
                raise
        else:
            return
