"""Do two documents mean the same? Both are computed under the same inputs and runtime values, and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bpconvert.diagnostics import Diagnostic, Span
from bpconvert.options import Options


class Difference(NamedTuple):
    """A place where two documents differ.

    ``what`` names it (``server.flavor``, ``outputs.ip``); ``first`` and ``second`` are the values (MISSING: there is
    none) at their places; ``inputs``: those under which they differ; ``told``: codes of the diagnostics of a conversion
    that named the place."""

    what: str
    first: Any
    second: Any
    first_place: Span
    second_place: Span
    inputs: dict[str, Any]
    told: tuple[str, ...] = ()


@dataclass
class Verification:
    """``compared``: how many values, all draws together; ``equal``: those of them that are; ``differences``: one for
    each place; ``notes``: what could not be compared, in words."""

    compared: int = 0
    equal: int = 0
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """True when no difference was found."""
        return not self.differences


def verify(
    first: str | bytes | Path,
    second: str | bytes | Path,
    *,
    inputs: Mapping[str, Any] | None = None,
    draws: int = 5,
    seed: int = 0,
    engines: bool = False,
    told: Sequence[Diagnostic] = (),
    options: Options | None = None,
) -> Verification:
    """Compare what two documents of any dialects mean: nodes with their properties and dependencies, and outputs.

    Args:
        first, second: as for :func:`bpconvert.convert`.
        inputs: parameters and inputs that are given; the others have their defaults at first, then drawn values.
        draws: how many times values are drawn.
        seed: the same one draws the same values.
        engines: the real engines compute the values (extra ``engines``).
        told: diagnostics of the conversion of ``first`` to ``second``; a difference says which of them named its place.
        options: ``allow_outside``, ``types`` and ``environments`` count.

    Raises:
        SourceError, OSError: as :func:`bpconvert.convert`.
        EngineMissing: with ``engines``, an engine is not installed.
        ValueError: an input does not take the value given.
    """
    raise NotImplementedError
