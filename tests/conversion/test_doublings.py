"""Small documents with many of one thing in each other, as tools/fuzz draws them, end soon on every way."""

from __future__ import annotations

import contextlib
import os
import random
import sys
from collections.abc import Callable

import pytest
from checkout import ROOT

from bpconvert import BpconvertError, convert, verify
from bpconvert.checking import check
from bpconvert.graphs import graph

sys.path.append(str(ROOT / "tools/fuzz"))
from doublings import LARGEST, shape

#: of the processor, which other processes do not use up
SECONDS = 2
LANGUAGES = ("hot", "cloudify", "tosca")


def check_that_it_ends(work: Callable[[], object]) -> None:
    """Of three turns one is quick: the others may have waited for memory."""
    spent = []
    for _ in range(3):
        before = os.times().user
        with contextlib.suppress(BpconvertError):
            work()
        spent.append(os.times().user - before)
        if spent[-1] < SECONDS:
            return
    raise AssertionError(f"{min(spent):.1f} s")


@pytest.mark.parametrize("number", range(14))
@pytest.mark.parametrize("language", LANGUAGES)
def test_shapes(language: str, number: int) -> None:
    text = shape(language, random.Random(f"{number} {language}")).decode()
    assert len(text) <= LARGEST
    check_that_it_ends(lambda: check(text))
    check_that_it_ends(lambda: graph(text))
    for target in LANGUAGES:
        if target != language:
            made = convert(text, language, target, carry=False).text
            check_that_it_ends(lambda target=target: convert(text, language, target))  # type: ignore[misc]
            check_that_it_ends(lambda made=made: verify(text, made, draws=1))  # type: ignore[misc]
