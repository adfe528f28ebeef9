"""Which files are generated from others of the package, so that it starts faster, and which of them are stale."""

from __future__ import annotations

import ast
from pathlib import Path

import layouts
import plain_models

ROOT = Path(__file__).parents[2]
#: each yields path -> text or bytes of generated files
GENERATORS = (plain_models.modules, layouts.module)


def generated() -> dict[str, bytes]:
    """All generated files, by their path in the checkout."""
    return {
        path: content.encode() if isinstance(content, str) else content
        for generate in GENERATORS
        for path, content in generate().items()
    }


def stale() -> dict[str, bytes]:
    """Those of them that are not what is in the checkout."""
    return {
        path: content
        for path, content in generated().items()
        if not (ROOT / path).is_file() or not _same(path, (ROOT / path).read_bytes(), content)
    }


def _same(path: str, there: bytes, content: bytes) -> bool:
    """Whether two texts of a file are the same; of a module, how it is laid out does not count."""
    if path.endswith(".py"):
        return ast.dump(ast.parse(there)) == ast.dump(ast.parse(content))
    return there == content


def main(arguments: list[str]) -> int:
    """Write what is stale; with ``--check`` only name it, and return 1."""
    if "--check" in arguments:
        found = stale()
        for path in found:
            print(f"{path} is stale: python tools/generate")
        return 1 if found else 0
    for path, content in generated().items():
        if not (ROOT / path).is_file() or (ROOT / path).read_bytes() != content:
            (ROOT / path).write_bytes(content)
            print(f"{path} written")
    return 0
