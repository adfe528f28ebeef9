"""What a node computes, read of the inputs of its operation."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.translators.cloudify.computed import expression

JOINED = {"$Join": {"delimiter": "", "lists": [["a", "b"]]}}


@pytest.mark.parametrize(
    ("call", "value", "expected"),
    [
        ({"$Input": {"name": "x", "keys": [0]}}, "word", "w"),
        ({"$Input": {"name": "x", "keys": [JOINED]}}, {"ab": 1}, 1),
        ({"$Input": {"name": "x", "keys": ["gone"]}}, {"ab": 1}, ""),
        ({"$Input": {"name": "x", "keys": ["y"]}}, ex.Input("z", ("k",)), ex.Input("z", ("k", "y"))),
        ({"$Input": {"name": "x", "keys": [0]}}, ex.Attribute("n", "a"), MISSING),
        ({"$Input": {"name": "other"}}, "word", MISSING),
        ("{", "word", MISSING),
    ],
)
def test_a_part_of_an_input(call: Any, value: Any, expected: Any) -> None:
    assert expression({"call": call, "x": value, "needed": False}, ("n",)) == expected
