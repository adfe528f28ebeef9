"""Small documents with many of one thing in each other, as tools/fuzz draws them, end soon on every way."""

from __future__ import annotations

import random
import sys

import pytest
from checkout import ROOT
from machine_pace import check_that_it_ends

from bpconvert import convert, verify
from bpconvert.checking import check
from bpconvert.graphs import graph

sys.path.append(str(ROOT / "tools/fuzz"))
from doublings import LARGEST, shape

pytestmark = pytest.mark.one_version

LANGUAGES = ("hot", "cloudify", "tosca")


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
