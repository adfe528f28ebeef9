"""Diagnostics of reading blueprints; part of the registry in :mod:`bpconvert.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.code import Code

CODES: Final[dict[str, Code]] = {
    # -- 14x reading (READ) ----------------------------------------------------------------------------------
    # -- 35x nodes and their properties (NODES) --------------------------------------------------------------
    # -- 41x relationships (NODES) ---------------------------------------------------------------------------
    # -- 52x inputs and outputs (READ) -----------------------------------------------------------------------
}  # fmt: skip
