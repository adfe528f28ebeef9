"""Environment files that nobody named: which files are some, and which are beside a document."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

#: how their names end
ENDINGS: Final = (".yaml", ".yml", ".template", ".env", ".environment")
#: so many files of a folder are looked at
_MANY: Final = 200
#: and of at most so many bytes
LONGEST: Final = 1_000_000


def is_environment(file: Path, registries: Collection[str]) -> bool:
    """Whether a file seems to be an environment that says what types stand for. ``registries``: the keys that one
    has."""
    try:
        if not registries or file.suffix.lower() not in ENDINGS or file.is_symlink() or not file.is_file():
            return False
        text = file.read_bytes() if file.stat().st_size <= LONGEST else b""
    except OSError:
        return False
    keys = "|".join(map(re.escape, registries))
    return re.search(rf"^['\"]?(?:{keys})['\"]?[ \t]*:".encode(), text, re.MULTILINE) is not None


def beside(folder: Path, registry: str) -> tuple[str, ...]:
    """The environments in a folder, and in the folders in it; nothing is read through links."""
    found: list[Path] = []
    with suppress(OSError):
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        found += [folder / entry.name for entry in entries]
        for entry in entries[:_MANY]:
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                with suppress(OSError):
                    found += sorted((folder / entry.name).iterdir())[:_MANY]
    return tuple(str(file) for file in found[: 2 * _MANY] if is_environment(file, [registry]))
