"""No module leads back to itself, a package and what is in it included (import-linter looks at siblings only).

Imports inside of functions and those for typing count."""

from __future__ import annotations

import ast
from pathlib import Path

from checkout import ROOT

#: folder of the checkout -> package that it is
PACKAGES = {part: f"bpconvert.{part}" for part in ("models", "translators", "templates")} | {"bpconvert": "bpconvert"}


def modules() -> dict[str, Path]:
    """Every module of the package -> its file."""
    found = {}
    for folder, package in PACKAGES.items():
        for path in (ROOT / folder).rglob("*.py"):
            steps = path.relative_to(ROOT / folder).with_suffix("").parts
            found[".".join([package, *(step for step in steps if step != "__init__")])] = path
    return found


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of the package that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & known.keys()


def test_no_module_leads_back_to_itself() -> None:
    known = modules()
    assert len(known) > 400
    imports = {name: imported(path, known) for name, path in known.items()}

    def reached(name: str) -> set[str]:
        seen: set[str] = set()
        left = [name]
        while left:
            new = imports[left.pop()] - seen
            seen |= new
            left += new
        return seen

    assert [name for name in known if name in reached(name)] == []
