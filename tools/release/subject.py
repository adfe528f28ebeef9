"""The rule for messages of commits: a subject of at most 72 characters, and a blank line before the body."""

from __future__ import annotations

import sys
from pathlib import Path

LONGEST = 72


def problem(message: str) -> str | None:
    """What is wrong with a message; None if nothing is."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    if not lines or not lines[0].strip():
        return "there is no subject"
    if len(lines[0]) > LONGEST:
        return f"the subject has {len(lines[0])} characters, more than {LONGEST}"
    if len(lines) > 1 and lines[1].strip():
        return "there is no blank line behind the subject"
    return None


if __name__ == "__main__":
    sys.exit(problem(Path(sys.argv[1]).read_text("utf-8")))
