"""What a language knows about the record of the source that its documents keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from bpconvert.models.expressions import Path


class Sidecar(Protocol):
    """Where a document keeps the record, and what follows from changing a document that came back. A module is one.

    What is here suits a language whose documents keep nothing."""

    def put(self, data: dict[str, Any], kept: dict[str, str]) -> None:
        """Add the record to a document's data."""
        return None

    def find(self, data: Any, source: str) -> Path | None:
        """The place of the entry that holds a record of the language ``source``, or else of any; None for none."""
        return None

    def read(self, data: Any, place: Path) -> Mapping[str, str]:
        """The record in the entry at ``place``. Raises LookupError where there is none."""
        raise LookupError("the document keeps no record")

    def version(self, current: str, new: Mapping[Path, Any]) -> str:
        """``current``, or the first version that has all that the ``new`` entries need where that is later."""
        return current

    def unresolved(self, data: Any) -> set[tuple[Path, str]]:
        """Where the document names an entry that it does not have, and the name."""
        return set()

    def consequences(self, data: dict[str, Any], dropped: set[Path]) -> dict[Path, Any]:
        """What else changes where entries are dropped."""
        return {}

    def joined(self, new: Mapping[Path, Any], data: Any) -> dict[Path, Any]:
        """Those of the ``new`` entries that become another value in the document that they join, which has ``data``."""
        return {}

    def version_option(self, current: Any) -> dict[str, Any]:
        """The options that ask for the version ``current``."""
        return {}

    def options(self, data: Any, is_kept: bool = False) -> dict[str, Any]:
        """The options with which further nodes fit into the document; ``is_kept``: they stand beside those of it."""
        return {}

    def made_with(self, data: Any) -> dict[str, Any]:
        """Options that an earlier version had no name for, as the document shows them."""
        return {}

    def alike(self, place: Path, old: Any, new: Any, data: Any) -> bool:
        """True where what an earlier version wrote at ``place`` means the same as what is written now; None for what
        was not written. ``data``: all that is written now."""
        return False

    def as_today(self, generated: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        """``written``, a document of an earlier version and edits of it, with what that wrote otherwise in the form in
        which it is ``generated`` today."""
        return written


class _NoSidecar(Sidecar):
    """That of a language whose documents keep nothing."""


NO_SIDECAR: Final = _NoSidecar()
