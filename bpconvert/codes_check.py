"""The diagnostics about what `bpconvert check` finds, and values that cannot fit (BPC170-189, BPC780-789)."""

from __future__ import annotations

from bpconvert.code import Code

CODES: dict[str, Code] = {}
