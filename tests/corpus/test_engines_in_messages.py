"""Messages name the engines of the conversion that they are about, and no third one."""

from __future__ import annotations

import re
from itertools import permutations
from typing import Final

import pytest
from corpus_cases import CASES

from bpconvert import SourceError, convert

pytestmark = pytest.mark.one_version

#: names of an engine, but for those in the names of its types
NAMES: Final = {"hot": r"(?<!::)\bHeat\b", "cloudify": r"\bCloudify\b|\bcfy\b", "tosca": r"\bTOSCA\b"}
#: findings about what the document has of the third one: its stand-ins, and settings of its agent
ABOUT_IT: Final = {"BPC380", "BPC726", "BPC255", "BPC790", "BPC801", "BPC802"}


@pytest.mark.parametrize(("source", "target"), list(permutations(NAMES, 2)))
def test_messages_name_the_engines_of_the_conversion(source: str, target: str) -> None:
    (other,) = NAMES.keys() - {source, target}
    found = set()
    for path in {case.source for case in CASES if case.origin.dialect == source}:
        try:
            diagnostics = convert(path, source, target, carry=False).diagnostics
        except SourceError:
            continue
        texts = {f"{one.code} {one.message} {one.hint}" for one in diagnostics if one.code not in ABOUT_IT}
        found |= {text for text in texts if re.search(NAMES[other], text)}
    assert found == set()
