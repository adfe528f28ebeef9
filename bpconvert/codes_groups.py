"""The diagnostics about groups of resources (BPC740-759)."""

from __future__ import annotations

from bpconvert.code import Code

CODES: dict[str, Code] = {}
