"""What a query of yaql is counted for: its calls, their contexts, what they yield, and the patterns that they match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bpconvert.limits import left, limits
from bpconvert.translators.evaluate.query_steps import Meter, TooManyError

ENOUGH = 1_000_000
CALL = 300
#: ``a*b`` from each place of a text of 20 characters, and behind it: one more than there may be letters
WAYS = 21 * 22


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    with limits({"steps": ENOUGH}):
        yield


def steps() -> int:
    """How many there were."""
    return ENOUGH - left("steps")


def steps_of(meter: Meter, name: str) -> int:
    """How many a call of this function takes that stands in no other context."""
    before = steps()
    meter.called(name, 0)
    return steps() - before


# -- calls and contexts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("above", [0, 1, 5])
def test_a_call_looks_through_the_contexts_above(above: int) -> None:
    Meter([], 5).called("len", above)
    assert steps() == CALL + 12 * above


class Context:
    """One of the package: what is called yields all that it gets."""

    def __init__(self, parent: Any = None, *more: Any, **options: Any) -> None:
        self.parent, self.own = parent, (more, options)

    def __call__(self, name: str, *more: Any, **options: Any) -> Any:
        return lambda *positional, **keywords: [name, more, options, positional, keywords]


def test_a_context_counts_what_is_called_in_it() -> None:
    """It is one of the package's for whatever else is done with it."""
    top = Context()
    context = Meter([], 5).context(top)
    assert steps() == 25
    assert isinstance(context, Context)
    assert type(context).__name__ == "Context"
    assert context.parent is top
    call = context("len", 1, scope=2)
    assert steps() == 25  # it is not called yet
    assert call(3, key=4) == ["len", (1,), {"scope": 2}, (3,), {"key": 4}]
    parts = 1 + 1 + 2 + 3 + 2 + 3
    assert steps() == 25 + CALL + 12 + parts


def test_contexts_below_it_count_as_well() -> None:
    """Each is one step farther from the functions of the package."""
    context = Meter([], 5).context(Context())
    below = type(context)(context, "of", name="each")
    assert (below.parent, below.own) == (context, (("of",), {"name": "each"}))
    assert type(context)().parent is None
    before = steps()
    assert before == 3 * 25
    below("len")()
    assert steps() - before == CALL + 2 * 12 + 6


def test_a_query_ends_where_the_limit_is_reached() -> None:
    with limits({"steps": 2 * CALL}):
        meter = Meter([], 5)
        meter.called("len", 0)
        meter.called("len", 0)
        with pytest.raises(TooManyError):
            meter.called("len", 0)


# -- what calls yield ---------------------------------------------------------------------------------------

LIST = [1, 2, 3]


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (None, 1),
        (5, 1),
        ("", 1),
        ("a" * 15, 1),
        ("a" * 16, 2),
        ("a" * 160, 11),
        ([], 1),
        (["a", 5], 3),
        ((1, [2, 3]), 5),
        ({"key": [1]}, 4),
        (frozenset({1, 2}), 3),
        ([LIST, LIST], 9),
    ],
)
def test_a_value_has_parts(value: Any, parts: int) -> None:
    """Each counts as often as it is in there, and each time that a call yields it."""
    meter = Meter([], 1_000)
    meter.yielded(value)
    assert steps() == parts
    meter.yielded(value)
    assert steps() == 2 * parts


def test_no_value_is_larger_than_fifty_thousand_parts() -> None:
    meter = Meter([], 5)
    meter.yielded([None] * 49_999)
    assert steps() == 50_000
    with pytest.raises(TooManyError):
        meter.yielded([None] * 50_000)


# -- patterns -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["matches", "search", "searchAll", "split", "replace", "replaceBy", "#operator_=~", "#operator_!~"]
)
def test_matching_takes_as_many_steps_as_there_are_ways(name: str) -> None:
    """Those of the slowest pattern, on the longest text that the query starts from."""
    meter = Meter(["b", "a*b", "c"], 20)
    assert steps_of(meter, name) == CALL + WAYS // 10
    assert steps_of(meter, "len") == CALL
    assert steps_of(Meter([], 20), name) == CALL


def test_matching_takes_more_once_there_is_a_longer_text() -> None:
    meter = Meter(["a*b"], 5)
    assert steps_of(meter, "search") == CALL + 6 * 7 // 10
    meter.yielded("a" * 20)
    assert steps_of(meter, "search") == CALL + WAYS // 10
    meter.yielded("a" * 10)
    assert steps_of(meter, "search") == CALL + WAYS // 10


def test_a_pattern_that_takes_too_long_ends_the_query() -> None:
    """At once, or where a text becomes too long for it."""
    with pytest.raises(TooManyError):
        Meter(["b", "(a|aa)+$"], 9_900)
    meter = Meter(["b", "a*a*b"], 5)
    with pytest.raises(TooManyError):
        meter.yielded("a" * 9_900)
