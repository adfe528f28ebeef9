"""What a reader finds: what the source's engine refuses is a diagnostic, what only some languages keep is a feature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from bpconvert.models.expressions import Path
from bpconvert.models.topology import Feature


class Reports(Protocol):
    """Takes findings, such as a :class:`~bpconvert.diagnostics.Reporter`."""

    def report(self, code: str, path: Path = (), **texts: Any) -> None:
        """Record ``code`` at ``path`` of the document; ``texts`` fill its message and hint."""


class Findings:
    """The findings of one document. ``names``: code -> the capability of a language that keeps what it is about; other
    codes go to ``reporter``."""

    def __init__(self, reporter: Reports, names: Mapping[str, str]) -> None:
        self._reporter = reporter
        self._names = names
        self.features: list[Feature] = []

    def report(self, code: str, path: Path = (), **texts: Any) -> None:
        """Record ``code`` at ``path`` of the document, as a feature or as a diagnostic."""
        name = self._names.get(code)
        if name is None:
            self._reporter.report(code, path, **texts)
        else:
            self.features.append(Feature(name, code, path, texts))
