"""Tables that have to be complete, or that are made of several."""

from __future__ import annotations

import sys
from collections import Counter
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from checkout import ROOT
from syntax import SOURCES

from bpconvert.diagnostics import codes


def test_no_code_is_in_two_tables() -> None:
    areas = [import_module(f"{codes.__name__}.{area.name}") for area in iter_modules(codes.__path__)]
    counted = Counter(code for area in areas for code in area.CODES)
    assert {code for code, number in counted.items() if number > 1} == set()
    assert counted.keys() == codes.CODES.keys()


def test_no_code_is_given_again() -> None:
    assert not codes.RETIRED & codes.CODES.keys()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with 3.11; pyproject.toml is the same for all")
def test_every_package_is_installed() -> None:
    import tomllib

    tables: Any = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    found = {path.parent for folder in SOURCES for path in (ROOT / folder).rglob("__init__.py")}
    parts = {path.relative_to(ROOT).parts for path in found}
    names = {".".join(part if part[0] == "bpconvert" else ("bpconvert", *part)) for part in parts}
    assert {*tables["packages"]} == names | {"bpconvert.templates"}
