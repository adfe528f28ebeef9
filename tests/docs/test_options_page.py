"""The pages of the commands and their options say what the commands take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pages import manual, options


@pytest.mark.parametrize(("page", "written"), [("docs/options.md", options), ("docs/bpconvert.1", manual)])
def test_a_page_has_the_arguments_of_all_commands(page: str, written: Callable[[Path], str], root: Path) -> None:
    assert written(root) == (root / page).read_text("utf-8"), "run python tools/docs"
