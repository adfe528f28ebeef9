"""Where two values differ: long lists."""

from __future__ import annotations

import pytest
from machine_pace import within

from bpconvert.translators.provenance.differences import Difference, differences


@pytest.mark.parametrize(("before", "after"), [(20_000, 20_001), (20_001, 20_000)])
def test_long_lists_are_not_aligned_item_by_item(before: int, after: int) -> None:
    """One item more or less is one difference; the items are all alike, which takes an alignment the cube of them."""
    with within(4):
        rows = list(differences({"a": ["x"] * before}, {"a": ["x"] * after}))
    assert [row.path for row in rows] == [("a", 20_000)]


def test_long_lists_differ_between_the_first_and_the_last_difference() -> None:
    numbers = list(range(20_000))
    changed = [*numbers[:5], "x", *numbers[7:-3], "y", *numbers[-3:]]
    rows = list(differences(numbers, changed))
    assert rows[0] == Difference((5,), 5, "x")
    assert rows[-1] == Difference((19_996,), 19_996, "y")
