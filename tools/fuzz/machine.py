"""How fast this machine is just now."""

from __future__ import annotations

import time

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
