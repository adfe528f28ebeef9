"""Arguments of many shapes: right ones, and right ones bent in one or two places (another type, a null, an item more or
less, another call). Drawn by hypothesis, the same ones in every run."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

TEXTS = st.sampled_from(
    ["", "a", "b", "ab", "a,b", "a-b-c", "k", "5", "0", "-1", "x=y", "Ab c", "%x%", "$a", "'q'", "e\u00e9", "true"]
)
SCALARS = st.one_of(TEXTS, TEXTS, st.integers(-2, 9), st.sampled_from([1.5, 2.0, 0.0]), st.booleans(), st.none())
DATA = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "k", "0", "%x%"]), inner, max_size=3)
    ),
    max_leaves=5,
)


class _Enough(BaseException):
    """As many values are drawn as were asked for. No Exception: hypothesis would take that for a failure."""


class _Found(dict[str, Any]):
    """The values by their text; with so many, nothing more is drawn."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def setdefault(self, key: str, default: Any = None) -> Any:
        super().setdefault(key, default)
        if len(self) == self.count:
            raise _Enough


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """``count`` different values, or all that are found when there are fewer."""
    found = _Found(count)

    @settings(
        max_examples=4 * count, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(value: Any) -> None:
        if len(found) < count:
            found.setdefault(repr(value), value)

    with contextlib.suppress(_Enough):
        collect()
    return list(found.values())


@st.composite
def bent(draw: st.DrawFn, good: st.SearchStrategy[Any], odd: st.SearchStrategy[Any], most: int = 2) -> Any:
    """A good argument with up to ``most`` places bent."""
    value = [copy.deepcopy(draw(good))]
    for _ in range(draw(st.sampled_from([0, 0, 0, *range(1, most + 1)]))):
        holder, key = draw(st.sampled_from(list(_places(value))))
        how = draw(st.sampled_from(["put", "put", "put", "drop", "add"]))
        if how == "put" or holder is value:
            holder[key] = copy.deepcopy(draw(odd))
        elif how == "drop":
            del holder[key]
        elif isinstance(holder, list):
            holder.insert(key, copy.deepcopy(draw(odd)))
        else:
            holder[draw(st.sampled_from(["a", "k", "data", "type"]))] = copy.deepcopy(draw(odd))
    return value[0]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])
