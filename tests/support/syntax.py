"""The modules of the package as syntax trees, for the tests of the architecture."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from checkout import ROOT

#: the folders whose modules are installed
SOURCES = ("bpconvert", "models", "translators")


class Module(NamedTuple):
    """One module. ``name``: its path below the checkout."""

    name: str
    lines: int
    tree: ast.Module

    def is_in(self, *places: str) -> bool:
        """True for a module in one of the folders, or that is one of the files."""
        return any(self.name == place or self.name.startswith(f"{place}/") for place in places)


@cache
def modules() -> list[Module]:
    """All modules of the package."""
    return [_read(path) for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]


def _read(path: Path) -> Module:
    text = path.read_text("utf-8")
    return Module(path.relative_to(ROOT).as_posix(), text.count("\n"), ast.parse(text))


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of every string that is no docstring, parts of f-strings too."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods, inner ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The names of a function's parameters, without ``self`` and ``cls``."""
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [one.arg for one in given if one.arg not in ("self", "cls")]
