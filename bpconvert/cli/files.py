"""What a run knows of one of its files when it prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bpconvert.models.light import NamedTuple

if TYPE_CHECKING:
    from bpconvert.diagnostics import Diagnostic

FAILED: Final = "failed"
NESTED: Final = "nested"


class File(NamedTuple):
    """One file of a run. ``state``: its fidelity, :data:`FAILED` or :data:`NESTED`; "" where nothing is converted;
    ``problem``: why it failed, where no finding has the reason."""

    name: str
    state: str
    findings: Sequence[Diagnostic]
    problem: str = ""

    @property
    def has_failed(self) -> bool:
        return self.state == FAILED
