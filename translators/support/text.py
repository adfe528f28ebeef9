"""Text that a parser accepts, names that nobody has."""

from __future__ import annotations

import unicodedata
from collections.abc import Container


def ascii_text(text: str) -> str:
    """``text`` in ASCII: accents are taken off, other characters become ``?``."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).encode("ascii", "replace").decode()


def fresh(wanted: str, taken: Container[str]) -> str:
    """``wanted``, with a number behind it where it is taken."""
    name, count = wanted, 1
    while name in taken:
        count += 1
        name = f"{wanted}_{count}"
    return name
