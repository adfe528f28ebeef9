"""Texts drawn for regular expressions (``bpconvert.translators.verify.patterns``)."""

from __future__ import annotations

import random
import re

import pytest

from bpconvert.translators.verify.patterns import matching


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "abc",
        "a.c",
        "[a-z]+",
        "[^a-z]{4}",
        "[A-Z][a-z0-9_-]*",
        r"\d{1,3}(\.\d{1,3}){3}",
        r"\w+@\w+\.(com|org)",
        r"\D\W\S\s",
        r"(a|bc|d[ef])+?",
        r"(x{2,4})-\1",
        r"(?P<name>[ab])(?P=name)",
        "a{3}b{0,2}c?",
        "^start[0-9]*end$",
        r"\[\{\}\]\\",
        "[^\\W_]{5}",
        "(?:ab)*",
        "(?i)abc",
        "[\\d-]{2}",
        "é+",
    ],
)
def test_what_is_drawn_matches(pattern: str) -> None:
    for seed in range(20):
        assert re.fullmatch(pattern, matching(pattern, random.Random(seed))), (pattern, seed)


def test_a_text_is_as_long_as_it_has_to_be() -> None:
    """Where something is repeated without end; with a length of its own the expression decides."""
    lengths = [len(matching("^[a-z ]+$", random.Random(seed), 16)) for seed in range(20)]
    assert sum(length >= 16 for length in lengths) >= 5
    assert len(matching("[a-z]{3}", random.Random(0), 16)) == 3


def test_the_same_seed_draws_the_same() -> None:
    texts = [matching("[a-z]{10}", random.Random(seed)) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("pattern", ["(", "[", "a{2", "(?P<x", "*", "(?<=a)b", "(?=a)", "(?(1)a|b)", "a{99999999}"])
def test_no_pattern_is_an_error(pattern: str) -> None:
    assert len(matching(pattern, random.Random(0))) <= 1100


def test_repeats_without_end_are_short() -> None:
    assert all(len(matching(".*", random.Random(seed))) <= 6 for seed in range(50))
