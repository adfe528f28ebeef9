"""The diagnostics about kinds of resources and files of mappings (BPC160-169, BPC340-349, BPC710-719)."""

from __future__ import annotations

from bpconvert.code import Code

CODES: dict[str, Code] = {}
