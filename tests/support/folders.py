"""Files of tests in the current folder."""

from __future__ import annotations

from pathlib import Path


def written(place: str, text: str) -> Path:
    """A file with this text, its folders as well."""
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
