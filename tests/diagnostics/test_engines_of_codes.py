"""No text of a finding names an engine that may be neither the source's nor the target's: it has a placeholder there.

An engine is written out only where the finding is reported by the reader, the writer or the check of its language."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from itertools import permutations
from typing import Final

import pytest
from checkout import ROOT

from bpconvert.diagnostics.codes import CODES

#: language -> what its engine is called, but for names in types
NAMES: Final = {"hot": r"(?<!::)\b(Heat|HOT)\b", "cloudify": r"\b(Cloudify|cfy)\b", "tosca": r"\bTOSCA\b(?![-.]\w)"}
TITLES: Final = {"hot": "Heat", "cloudify": "Cloudify", "tosca": "TOSCA"}
#: findings about what a document has of an engine, whatever it is converted to, or that only one way has
ABOUT_IT: Final = {
    "BPC183": "by the schema of Heat's own types",
    "BPC255": "the script on Cloudify's manager asks the orchestration service of the cloud",
    "BPC726": "a setting of Heat's agent in the document",
    "BPC740": "where the target has scaling groups: the command that scales",
    "BPC745": "where the target has scaling groups: the command that scales",
    "BPC749": "the number that Cloudify gives, on the ways from it and to it",
    "BPC795": "the user data had settings of Heat's agent",
    "BPC951": "where the target has scaling groups: the command that scales",
    "BPC972": "the only engine that adopts",
    "BPC979": "the script uses the module of Cloudify",
}


def reported() -> dict[str, set[str]]:
    """Code -> the modules and files of the catalogue that it stands in."""
    places = defaultdict(set)
    for folder in ("bpconvert", "translators"):
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if "diagnostics/codes" in name:
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in CODES:
                    places[node.value].add(name)
    return places


def languages(text: str) -> set[str]:
    """The languages whose engines a text names."""
    return {language for language, name in NAMES.items() if re.search(name, text)}


def test_an_engine_is_written_out_only_by_its_own_language() -> None:
    places = reported()
    strangers = [
        f"{code} in {place}: {language}"
        for code, entry in CODES.items()
        if code not in ABOUT_IT
        for language in languages(f"{entry.message} {entry.hint} {entry.note}")
        for place in sorted(places[code])
        if not place.startswith(f"translators/{language}/")
    ]
    assert strangers == []


def test_each_exception_is_one() -> None:
    places = reported()
    needed = {
        code
        for code in ABOUT_IT
        for language in languages(f"{CODES[code].message} {CODES[code].hint}")
        if any(not place.startswith(f"translators/{language}/") for place in places[code])
    }
    assert needed == set(ABOUT_IT)


@pytest.mark.parametrize("way", list(permutations(TITLES.values(), 2)))
def test_placeholders_have_the_engines_of_each_way(way: tuple[str, str]) -> None:
    """Codes whose texts write no engine out name those of the conversion, and no other."""
    for code, entry in CODES.items():
        template = f"{entry.message} {entry.hint} {entry.note}"
        if languages(template):
            continue
        words = {word: "-" for word in re.findall(r"\{(\w+)", template) if not word.endswith("_engine")}
        numbers = dict.fromkeys(re.findall(r"\{(\w+):[^r}]*[df]", template), 1)
        texts = " ".join(entry.texts(words | numbers, way))
        assert {TITLES[language] for language in languages(texts)} <= set(way), code
