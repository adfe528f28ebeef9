"""The generated pages, made once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import PAGES


@pytest.fixture(scope="session")
def pages(root: Path) -> dict[str, str]:
    """Page -> its text, as the generators make it now."""
    return {name: page(root) for name, page in PAGES.items()}
