"""``tools/mutate/equivalent.py`` and ``meant.py``: what they name is there."""

from __future__ import annotations

import ast
import re
from importlib import import_module

import pytest
from checkout import ROOT


def _bare(change: str) -> str:
    """A change without what versions of Python write differently: parentheses that are not needed, and quotes."""
    return re.sub(r"[()'\"\s]", "", change)


def test_each_mutant_that_is_named_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row whose mutant is gone would hide another one that is called so later."""
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "mutate"))
    equivalent, mutants = import_module("equivalent").EQUIVALENT, import_module("mutants").mutants
    for module, rows in equivalent.items():
        changes = {_bare(mutant.change) for mutant in mutants(ast.parse((ROOT / module).read_text("utf-8")))}
        assert not {_bare(row) for row in rows} - changes, f"{module}: there is no such mutant any more"


def test_each_module_and_its_tests_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "mutate"))
    for module, tests in import_module("meant").MEANT.items():
        paths = [test.split("::")[0] for test in tests if test.startswith("tests/")]
        assert paths
        assert [path for path in (module, *paths) if not (ROOT / path).exists()] == []
