"""Values and the expressions in them."""

from __future__ import annotations

import gc

from bpconvert.models.expressions import Concat, Input, transform


def test_transforming_leaves_no_circles_behind() -> None:
    value = {"a": [Concat(("x", Input("n"))), {"b": Input("m", ("k",))}]}
    gc.collect()
    gc.disable()
    try:
        assert [transform(value, lambda expr: expr) for _ in range(9)] == [value] * 9
        assert gc.collect() == 0
    finally:
        gc.enable()
