"""What packs the documents of a language with their files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol


class Packing(Protocol):
    """The archives of a language."""

    def entry(self, names: Collection[str], read: Callable[[str], bytes | None]) -> str:
        """The path of the document in an archive with these files; ValueError, with the reason, where it has none."""

    def contents(self, name: str, text: str, files: Mapping[str, str]) -> dict[str, bytes]:
        """The files of an archive, by their path, of a document ``name`` and its ``files``; ValueError for files that
        cannot be in one."""
