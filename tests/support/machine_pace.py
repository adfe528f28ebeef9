"""Bounds of time that hold on slow machines too: in seconds of a machine that is as fast as usual."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from checkout import ROOT

from bpconvert import BpconvertError

sys.path.append(str(ROOT / "tools/fuzz"))
from machine import pace

__all__ = ["check_that_it_ends", "pace", "within"]


@contextmanager
def within(seconds: float, clock: Callable[[], float] = time.process_time) -> Iterator[None]:
    """What is done inside takes less than that by ``clock``: of the processor, which other processes do not use up."""
    before, start = pace(), clock()
    yield
    spent = (clock() - start) / max(before, pace())
    assert spent < seconds, f"{spent:.1f} s"


def check_that_it_ends(work: Callable[[], object], seconds: float = 2) -> None:
    """What ends with an error ends too. Without what waits for memory, which other processes may have."""
    for is_last in (False, False, True):
        try:
            with within(seconds, lambda: os.times().user), suppress(BpconvertError):
                work()
        except AssertionError:
            if is_last:
                raise
        else:
            return
