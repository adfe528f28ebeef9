"""How generated modules are laid out."""

from __future__ import annotations

import subprocess
import sys


def formatted(text: str, path: str) -> str:
    """The text of a module as ``ruff format`` leaves it, where there is ruff."""
    command = [sys.executable, "-m", "ruff", "format", "-q", "--stdin-filename", path, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else text
