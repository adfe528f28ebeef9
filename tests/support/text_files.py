"""Files of texts in the folder that a test works in."""

from __future__ import annotations

from pathlib import Path


def write(place: str, text: str) -> Path:
    """Write a file, in folders that are made for it."""
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def edit(place: str, old: str, new: str) -> None:
    """Replace ``old``, which is there, once."""
    text = Path(place).read_text("utf-8")
    assert old in text
    write(place, text.replace(old, new, 1))
