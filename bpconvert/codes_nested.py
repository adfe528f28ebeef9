"""The diagnostics about nested templates (BPC760-779)."""

from __future__ import annotations

from bpconvert.code import Code

CODES: dict[str, Code] = {}
