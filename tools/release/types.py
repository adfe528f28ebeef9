"""mypy on the package as it is when installed: a checkout has its parts side by side."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: the folders of a checkout that are parts of the package
PARTS = ("models", "translators", "templates")


def main() -> int:
    """Return mypy's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "bpconvert")
        package.mkdir()
        for entry in [*(ROOT / "bpconvert").iterdir(), *(ROOT / part for part in PARTS)]:
            package.joinpath(entry.name).symlink_to(entry)
        command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "-p", "bpconvert"]
        return subprocess.run([*command, "--cache-dir", str(ROOT / ".mypy_cache")], cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
