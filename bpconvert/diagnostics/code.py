"""One kind of finding."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """One kind of finding. ``message`` and ``hint`` are ``str.format`` templates."""

    title: str
    severity: str
    fidelity: str
    message: str
    hint: str
    explanation: str
