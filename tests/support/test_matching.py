"""Patterns that are run step by step: the same as ``re``, and soon."""

from __future__ import annotations

import random
import re
import sys
import time
import warnings

import pytest
from machine_pace import within

from bpconvert.limits import limits
from bpconvert.translators.support import patterns
from bpconvert.translators.support.patterns import TooLongError, match_end, matches_whole

PARTS = ["a", "b", ".", "[ab]", "[^a]", r"\w", r"\d", r"\b", r"\B", "^", "$", r"\Z", "A", "(?i:a)", "\n", "a{0}"]
ENDS = ["*", "+", "?", "{2}", "{1,3}", "*?", "+?", "??", "{2,}", "{0,2}?"]
LOOKS = ["(?=", "(?!", "(?<=a)(?:", "(?<!b)(?:"]


def drawn(choose: random.Random, depth: int) -> str:
    """A pattern at random."""
    kind = choose.random()
    if depth == 0 or kind < 0.3:
        return choose.choice(PARTS)
    inner = drawn(choose, depth - 1)
    if kind < 0.45:
        return inner + drawn(choose, depth - 1)
    if kind < 0.6:
        return f"(?:{inner}|{drawn(choose, depth - 1)})"
    if kind < 0.8:
        more = ["*+", "++", "?+"] if sys.version_info >= (3, 11) else []
        return f"({inner}){choose.choice([*ENDS, *more])}"
    if kind < 0.9:
        return choose.choice(LOOKS) + inner + ")"
    return rf"(?P<g>a|b){inner}(?P=g)" if kind < 0.95 else f"(?P<g>a)?{inner}(?(g)b|a)"


def test_the_same_as_re(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_MOST_WAYS", 0)
    choose = random.Random(5)
    found = 0
    for _ in range(6000):
        pattern = drawn(choose, choose.randint(1, 4))
        text = "".join(choose.choice("abA\n1") for _ in range(choose.randint(0, 8)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                match, whole = re.match(pattern, text), re.fullmatch(pattern, text)
            except re.error:
                continue
            found += match is not None
            assert match_end(pattern, text) == (None if match is None else match.end()), (pattern, text)
            assert matches_whole(pattern, text) is (whole is not None), (pattern, text)
    assert found > 1000


@pytest.mark.parametrize(
    "pattern",
    ["(a|aa)+$", "(a+)+$", "(a*)*$", "(.*a){20}$", "(a?){40}a{40}$", "a*a*a*a*a*a*a*$", "(?=(a|aa)+$)a", "((a|b?)+)*$"],
)
def test_what_tries_everything(pattern: str) -> None:
    with within(2, time.monotonic):
        assert match_end(pattern, "a" * 60 + "!") is None
        assert not matches_whole(pattern, "a" * 60 + "!")
        assert match_end(pattern, "a" * 60) in (1, 60)


def test_twice_as_long_takes_about_twice_as_many_steps() -> None:
    steps = [patterns._Run(patterns._program("(a|aa)+$"), "a" * length + "!") for length in (500, 1000)]
    before = [run._left for run in steps]
    assert [run.end() for run in steps] == [None, None]
    small, large = (start - run._left for start, run in zip(before, steps, strict=True))
    assert large < 2.1 * small


def test_beyond_the_limit() -> None:
    backwards = r"(a|b|ab)*(?P<x>c?)(a|b|ab)*(?P=x)d(a{0,1000}){0,1000}"
    with pytest.raises(TooLongError):
        match_end(backwards, "a" * 100)
    with limits({"steps": 100}):
        with pytest.raises(TooLongError):
            match_end("(a|aa)+$", "a" * 60 + "!")
        with pytest.raises(TooLongError):  # all is spent
            match_end("(a|aa)+$", "a" * 60)
    assert match_end("(a|aa)+$", "a" * 60) == 60


@pytest.mark.parametrize("pattern", ["(", "a{2,1}", "(?P<x", "[", f"a{{{2**40}}}"])
def test_what_is_no_pattern(pattern: str) -> None:
    with pytest.raises(re.error):
        match_end(pattern, "a")


def test_brackets_in_brackets() -> None:
    with pytest.raises(TooLongError):
        match_end("(" * 5000 + ")" * 5000, "a")
