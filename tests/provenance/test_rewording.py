"""A scalar of several lines keeps them where one word of it is edited."""

from __future__ import annotations

import pytest

from bpconvert.translators.provenance.rewriting import scalar, tokens, with_edits
from bpconvert.yamlio.document import load

QUOTED = 'a: "kind: one\\n\\\n  \\ name: one\\n\\\n  \\ of: two"\n'
FOLDED = "a: >\n  it's one\n  or two\n"
PLAIN = "a: one two\n  one three\n"


@pytest.mark.parametrize(
    ("source", "old", "new", "found"),
    [
        (QUOTED, "name: one", "name: three", QUOTED.replace("name: one", "name: three")),
        (QUOTED, "of: two", "of: 2", QUOTED.replace("of: two", "of: 2")),
        (FOLDED, "it's", 'the "first"', None),  # more words than before
        (FOLDED, "it's", "'that's'", FOLDED.replace("it's", "'that's'")),
        (PLAIN, "one three", "four three", PLAIN.replace("one three", "four three")),
        (PLAIN, "three", "o\\ne", "a: one two one o\\ne\n"),  # written anew
    ],
)
def test_one_word(source: str, old: str, new: str, found: str | None) -> None:
    document = load(source)
    (token,) = tokens(document)
    value = token.value.replace(old, new)
    edit = scalar(document, token, value)
    if found is None:
        assert edit is None
        return
    assert edit is not None
    rewritten = with_edits(document, [edit])
    assert rewritten is not None
    assert rewritten.text == found
    assert rewritten.data == {"a": value}


def test_a_word_that_the_lines_cut_in_two_is_written_anew() -> None:
    document = load('a: "o\\\n  ne two"\n')
    (token,) = tokens(document)
    edit = scalar(document, token, "four two")
    assert edit is not None
    assert edit.text == '"four two"'
