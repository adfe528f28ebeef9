"""Names that say nothing about what they hold: no function, class, parameter or variable gets one."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from syntax import Module, modules, parameters

#: what is written in their place: nouns for what is held (``finding``, ``entry``, ``matches``, ``settings``), verbs for
#: what is done (``resolve``, ``absorb``)
EMPTY: Final = frozenset({
    "found", "one", "known", "made", "given", "can", "of", "named", "settle", "beside", "apart", "rest", "second",
    "taken_apart", "unwritten", "meanings", "Making", "Arrangement", "Draft", "Asked", "Words",
})  # fmt: skip
#: modules whose text stands beside results: their digests are of it
IN_RESULTS: Final = (
    "translators/cloudify/service_calls.py", "translators/cloudify/upload_calls.py", "translators/evaluate/plain.py",
)  # fmt: skip
#: what is left, folder by folder; the numbers only go down
LEFT: Final = {"bpconvert": 3}


def empty_names(module: Module) -> Iterator[tuple[int, str]]:
    """Line and name of each definition with such a name. ``second`` is one of a pair where the same function has a
    ``first``; fields of classes are what reports and records call them."""
    for scope in _scopes(module.tree):
        for name, line in scope.items():
            plain = name.lstrip("_")
            if plain in EMPTY and not (plain == "second" and "first" in scope):
                yield line, name


def _scopes(tree: ast.AST, name: str = "") -> Iterator[dict[str, int]]:
    """For each function, and for the module: the names that it defines, each with its first line."""
    scope: dict[str, int] = {name: getattr(tree, "lineno", 1)} if name else {}
    if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)):
        scope |= dict.fromkeys(parameters(tree), tree.lineno)
    waiting = [*ast.iter_child_nodes(tree)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _scopes(node, node.name)
            continue
        if isinstance(node, ast.ClassDef):
            scope.setdefault(node.name, node.lineno)
            waiting += [part for part in node.body if not isinstance(part, (ast.Assign, ast.AnnAssign))]
            continue
        if isinstance(node, ast.arg):
            scope.setdefault(node.arg, node.lineno)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            scope.setdefault(node.id, node.lineno)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            scope.setdefault(node.name, node.lineno)
        waiting += ast.iter_child_nodes(node)
    yield scope


def test_names_say_what_they_hold() -> None:
    places = [
        (module.name, line, name)
        for module in modules()
        if not module.is_in(*IN_RESULTS)
        for line, name in empty_names(module)
    ]
    counts = Counter(path.rpartition("/")[0] for path, _, _ in places)
    over = {folder for folder, number in counts.items() if number > LEFT.get(folder, 0)}
    assert [f"{path}:{line}: {name}" for path, line, name in places if path.rpartition("/")[0] in over] == []


def test_what_such_a_name_is() -> None:
    text = (
        "class Draft:\n    made: int\n    def of(self, given): ...\n"
        "def verify(first, second):\n    found = [one for one in first]\n    return found\n"
        "def second_of(pairs):\n    for second in pairs: yield second\n"
    )
    module = Module("example.py", text.count("\n"), ast.parse(text))
    assert sorted(empty_names(module)) == [
        (1, "Draft"), (3, "given"), (3, "of"), (5, "found"), (5, "one"), (8, "second"),
    ]  # fmt: skip
