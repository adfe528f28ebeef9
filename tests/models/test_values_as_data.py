"""Values that are kept as data: what cannot be one is refused, before anything is written of it."""

from __future__ import annotations

import pytest

from bpconvert.models import expressions as ex
from bpconvert.models.notation import from_data, to_data


def test_a_call_is_read_as_it_was_written() -> None:
    value = ex.Replace("a", {"a": ex.Input("p")}, 2)
    assert to_data(from_data(to_data(value), ())) == to_data(value)


@pytest.mark.parametrize("strictness", [3, -1, "2", True, None])
def test_a_setting_that_a_call_cannot_have(strictness: object) -> None:
    with pytest.raises(ValueError, match="strictness"):
        from_data({"$Replace": {"template": "a", "params": {}, "strictness": strictness}}, ())
