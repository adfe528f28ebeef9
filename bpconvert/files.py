"""Reading the files that a template refers to: only below its folder, never from the network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass
class Files:
    """The files beside a template. ``folder`` None: there are none (the template came as text).

    ``used``: name -> text of every file that was read and is part of the bundle; ``merged``: of those whose content
    has become part of the document."""

    folder: Path | None
    allow_outside: bool = False
    used: dict[str, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)

    def read(self, name: str) -> tuple[str | None, str]:
        """The text of file ``name`` and "", or None and the code of the diagnostic that says why not."""
        if name in self.used:
            return self.used[name], ""
        if self.folder is None:
            return None, "BPC610"
        try:
            parts = urlsplit(name)
            if parts.scheme not in ("", "file"):
                return None, "BPC610"
            folder = self.folder.resolve()
            path = (folder / (unquote(parts.path) if parts.scheme == "file" else name)).resolve()
            if not self.allow_outside and not path.is_relative_to(folder):
                return None, "BPC611"
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            return None, "BPC612"
        except (OSError, ValueError):
            return None, "BPC610"
        self.used[name] = text
        return text, ""
