"""Sizes with units, which became plain numbers and were edited there."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.translators.provenance.units import in_units


@pytest.mark.parametrize(
    ("value", "before", "after", "first"),
    [
        ("10 GB", 10, 20, "20 GB"),
        ("1 GB", 954, 955, "955 MiB"),  # no whole number of GB
        ("1 GiB", 1024, 2048, "2 GiB"),
        ("4096MiB", 4, 8, "8192MiB"),
        ("1 Mibps", 1049, 1050, "1050 kbps"),
        (1048576, 1024, 2048, 2097152),
    ],
)
def test_a_number_in_the_unit_of_the_source(value: Any, before: int, after: int, first: Any) -> None:
    assert first in list(in_units(value, before, after))


@pytest.mark.parametrize(
    ("value", "before", "after"),
    [
        ("10 GB", 11, 12),
        ("small", 1, 2),
        ("10 GB", "10", "20"),
        ("10 GB", 10, -1),
        (10, 10, 20),
        (True, 1, 2),
        (None, 1, 2),
    ],
)
def test_nothing_that_it_cannot_have_come_from(value: Any, before: Any, after: Any) -> None:
    assert not list(in_units(value, before, after))
