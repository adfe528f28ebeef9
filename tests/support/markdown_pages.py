"""Pages in Markdown: their blocks, their anchors, and what a block with dots stands for."""

from __future__ import annotations

import re
from pathlib import Path


def blocks(page: Path, kind: str) -> list[str]:
    """The blocks of a page that are marked as ``kind``."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them of its headings."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    named = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        named.add(re.sub(r"[^\w\- ]", "", plain.replace("\\", "")).replace(" ", "-"))
    return named


def pattern(printed: str) -> str:
    """Matches the lines; ``...`` any of them."""
    lines = printed.splitlines(keepends=True)
    return "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) for line in lines)
