"""The words of docs/glossary.md: turns that read oddly are in no message, help, finding, page, or line of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from bpconvert.cli.main import commands, main
from bpconvert.diagnostics.codes import CODES

ROOT: Final = Path(__file__).parents[2]
#: turn -> what is written in its place
FORBIDDEN: Final = {
    r"careful person": "formatted as a careful engineer would",
    r"\bsource is not believed": "the embedded source is not trusted",
    r"\bdecide (a parameter|those (in|that))": "fix a parameter",
    r"what follows is computed": "dependent expressions are evaluated",
    r"another (\[?limit\]?(\([^)]*\))?) than the usual": "override a limit",
    r"(look at|at) (those|what) (that )?\.gitignore( files)? leaves? out": "include files ignored by .gitignore",
    r"reader that (has )?closed the pipe": "broken pipe",
    r"folder called as": "a folder named after",
    r"\bthis is no\b": "not a",
    r"\b(Cloudify|Heat|TOSCA|language) has nothing for": "no Cloudify equivalent",
    r"[Nn]othing (of it )?(is|can be) created of|of which nothing can be created": "creates no resources",
    r"fewer wrong ones are refused": "rejects fewer invalid values",
    r"is true, a command that": "is replaced by the no-op command `true`",
    r"\bmake it anew": "rebuild",
    r"\bknows \{?[^\n]{0,40}(finding|difference)s?'?\)?\}? now": "wrote 1 finding to k.json",
    r"(file|baseline).{0,20} that (the file )?knows all": "with all findings",
    r"has the number of members": "sets the number of members",
    r"\basked-for\b": "required input",
    r"which is what it is used for": "as it is used",
    r"needs a [^\n.]{1,40}, which [^\n.]{1,40} does not have": "'x' has no 'y', which z requires",
    r"parts?,? .{0,20}that only a call yields": "that only a function yields",
}
PATTERNS: Final = {re.compile(pattern, re.IGNORECASE): better for pattern, better in FORBIDDEN.items()}


def odd(text: str) -> list[str]:
    """The forbidden turns of a text, with what stands in their place."""
    plain = " ".join(text.split())
    return [f"{turn[0]!r}: {better}" for pattern, better in PATTERNS.items() if (turn := pattern.search(plain))]


SOURCES: Final = sorted(
    path
    for folder in ("bpconvert", "translators", "models", "templates", "docs", "tools")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".md", ".j2", ".yaml") and "schemas" not in path.parts
)


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "SECURITY.md"], ids=lambda page: page.name)
def test_first_pages(page: Path) -> None:
    assert odd(page.read_text("utf-8")) == []


def test_code_templates_and_pages() -> None:
    found = {str(path.relative_to(ROOT)): odd(path.read_text("utf-8")) for path in SOURCES}
    assert {path: turns for path, turns in found.items() if turns} == {}


@pytest.mark.parametrize("code", sorted(CODES))
def test_findings(code: str) -> None:
    entry = CODES[code]
    texts = (entry.title, entry.message, entry.hint, entry.explanation, entry.note)
    assert odd("\n".join(texts)) == []
    assert [text for text in texts if re.search(r"\ban? '?\{", text, re.IGNORECASE)] == [], "'a' before a vowel"


@pytest.mark.parametrize("command", commands())
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([command, "--help"])
    assert odd(capsys.readouterr().out) == []


def test_each_turn_is_recognised() -> None:
    turns = (
        "written as a careful person would write it", "The kept source is not believed", "decide a parameter or input",
        "and what follows is computed", "another limit than the usual one",
        "look at those that .gitignore leaves out, too", "a reader that closed the pipe", "a folder called as the host",
        "this is no OpenStack Heat HOT document", "type that Cloudify has nothing for",
        "Nothing is created of 60 files", "fewer wrong ones are refused", "is true, a command that does nothing",
        "Make it anew, with", "k.json knows 1 finding now", "the template itself has the number of members",
    )  # fmt: skip
    assert [turn for turn in turns if not odd(turn)] == []


def test_the_glossary_is_in_order_and_defines_each_word_once() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    words = re.findall(r"^\| \*\*([\w -]+)\*\*", page, re.MULTILINE)
    assert words == sorted(set(words), key=str.lower)
    assert {"carry", "fidelity", "stand-in", "lower", "neutral topology", "pass", "required input"} <= set(words)
