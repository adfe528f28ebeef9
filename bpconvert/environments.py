"""Environment files that nobody named: which files are some, and which are beside a document."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
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
        if not registries or file.suffix.lower() not in ENDINGS:
            return False
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LONGEST:
            return False
        return _has_key(str(file), status.st_mtime_ns, status.st_size, tuple(registries))
    except OSError:
        return False


@lru_cache(maxsize=4096)
def _has_key(file: str, changed: int, size: int, registries: tuple[str, ...]) -> bool:
    """Whether a file, as it was when it was ``changed``, has one of the keys; each document of a folder asks for the
    same files. Raises OSError."""
    keys = "|".join(map(re.escape, registries))
    return re.search(rf"^['\"]?(?:{keys})['\"]?[ \t]*:".encode(), Path(file).read_bytes(), re.MULTILINE) is not None


def environments_in(folder: Path, registry: str) -> tuple[str, ...]:
    """The environments in a folder, and in the folders in it; nothing is read through links."""
    files: list[Path] = []
    with suppress(OSError):
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        files += [folder / entry.name for entry in entries]
        for entry in entries[:_MANY]:
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                with suppress(OSError):
                    files += sorted((folder / entry.name).iterdir())[:_MANY]
    return tuple(str(file) for file in files[: 2 * _MANY] if is_environment(file, [registry]))
