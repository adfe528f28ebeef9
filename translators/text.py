"""Text that a parser accepts."""

from __future__ import annotations

import unicodedata


def ascii_text(text: str) -> str:
    """``text`` in ASCII: accents are taken off, other characters become ``?``."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).encode("ascii", "replace").decode()
