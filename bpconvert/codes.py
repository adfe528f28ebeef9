"""The registry of diagnostics. docs/diagnostics.md is generated from it.

Hundreds say the area: 1 reading, 2 functions, 3 types and properties, 4 dependencies, 5 inputs and outputs, 6 text and files.
A code is never given a second meaning; texts may change.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding. ``message`` and ``hint`` are ``str.format`` templates."""

    title: str
    severity: str
    fidelity: str
    message: str
    hint: str
    explanation: str


CODES: dict[str, Code] = {
    # -- 1xx reading ----------------------------------------------------------------------------------------
    "BPC101": Code(
        "not YAML", "error", "carried", "{problem}", "Correct the text at this place.",
        "No scanner that the engines use accepts the text."),
    "BPC102": Code(
        "duplicate key", "warning", "exact", "key '{key}' occurs twice; the last one wins, as in the engine", "Delete one of the two.",
        "Both engines silently keep the last value of a repeated key; so does the conversion."),
}
