"""Decisions about the parts of a condition: what they mean, and how many there are."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from bpconvert.models import expressions as ex
from bpconvert.translators.passes.expressions import decisions
from bpconvert.translators.passes.expressions.decisions import ALWAYS, NEVER, Diagram, Inside

PARTS = 5


def drawn(choose: random.Random, depth: int) -> Any:
    """A condition at random."""
    if depth == 0 or choose.random() < 0.2:
        return choose.choice([*range(PARTS), *range(PARTS), True, False])
    kind = choose.choice([ex.And, ex.Or, ex.Not])
    if kind is ex.Not:
        return ex.Not(drawn(choose, depth - 1))
    if choose.random() < 0.2:
        inner = Diagram(drawn(choose, depth - 1))
        return Inside(inner, {part: (part + 1) % PARTS for part in inner.parts})
    return kind(tuple(drawn(choose, depth - 1) for _ in range(choose.randint(1, 3))))


def meant(condition: Any, truths: tuple[bool, ...]) -> bool:
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, int):
        return truths[condition]
    if isinstance(condition, Inside):
        return taken(condition.diagram, tuple(truths[(part + 1) % PARTS] for part in range(PARTS)))
    if isinstance(condition, ex.Not):
        return not meant(condition.operand, truths)
    found = [meant(operand, truths) for operand in condition.operands]
    return all(found) if isinstance(condition, ex.And) else any(found)


def taken(diagram: Diagram, truths: tuple[bool, ...]) -> bool:
    number = diagram.start
    while number not in (NEVER, ALWAYS):
        row = diagram.row(number)
        number = row.then if truths[row.part] else row.otherwise
    return number == ALWAYS


@pytest.mark.parametrize("few", [64, -10_000], ids=["each part once", "parts again"])
def test_what_they_mean(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "_FEW", few)
    choose = random.Random(7)
    for _ in range(300):
        condition = drawn(choose, 4)
        diagram = Diagram(condition)
        for truths in itertools.product([True, False], repeat=PARTS):
            assert taken(diagram, truths) is meant(condition, truths), condition


def test_each_row_stands_after_those_that_it_leads_to() -> None:
    choose = random.Random(8)
    for _ in range(100):
        diagram = Diagram(drawn(choose, 4))
        before = {NEVER, ALWAYS}
        for number in diagram.numbers():
            row = diagram.row(number)
            assert {row.then, row.otherwise} <= before
            before.add(number)
        assert diagram.start in before


def test_parts_that_do_not_count_are_not_asked() -> None:
    assert Diagram(ex.Or((0, ex.Not(0)))).start == ALWAYS
    assert Diagram(ex.Or((ex.And((0, 1)), ex.And((0, ex.Not(1)))))).parts == [0]


def test_one_of_two_for_many_parts_is_as_large_as_they_are() -> None:
    condition: Any = 0
    for part in range(1, 10):
        inner = Diagram(condition)
        inside = Inside(inner, {one: one for one in inner.parts})
        condition = ex.Or((ex.And((inside, part)), ex.And((ex.Not(inside), ex.Not(part)))))
    assert len(Diagram(condition).numbers()) == 19


def test_what_has_many_more_ways_than_parts_is_as_large_as_the_condition() -> None:
    """Pairs of which one part stands in the first half, and one in the second."""
    pairs = ex.Or(tuple(ex.And((part, part + 20)) for part in range(20)))
    assert len(Diagram(pairs).numbers()) == 40
