"""The nearest of many names is the one that difflib finds among all of them."""

from __future__ import annotations

import random
from difflib import get_close_matches

import pytest

from bpconvert.diagnostics.suggest import guess
from bpconvert.translators.catalogue.schemas import heat_types


@pytest.mark.parametrize("seed", range(40))
def test_the_nearest_name_is_the_one_of_difflib(seed: int) -> None:
    drawn = random.Random(seed)
    names = drawn.sample(heat_types(), 60)
    letters = list(drawn.choice(heat_types()))
    for _ in range(drawn.randint(1, 8)):
        letters[drawn.randrange(len(letters))] = drawn.choice(["", "S", "e", ":"])
    name = "".join(letters)
    others = [other for other in names if other != name]
    by_case = [other for other in others if other.lower() == name.lower()]
    nearest = [*by_case, *get_close_matches(name, others, 1, 0.7)][:1]
    assert guess(name, names) == "".join(f"; did you mean '{other}'?" for other in nearest)
