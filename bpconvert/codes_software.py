"""The diagnostics about software configurations and deployments (BPC720-739)."""

from __future__ import annotations

from bpconvert.code import Code

CODES: dict[str, Code] = {}
