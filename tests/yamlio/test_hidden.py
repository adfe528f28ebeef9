"""The lines of a document that have the values of hidden inputs, and those that use them."""

from __future__ import annotations

import pickle
from functools import cache

import pytest

from bpconvert.diagnostics.secrets import Secrets
from bpconvert.yamlio.document import load
from bpconvert.yamlio.hidden import lines_of

DOCUMENT = """\
inputs:
  pw:
    type: string
    default: |
      a
      b
    hidden: true
  other: {default: prod}
nodes:
  one:
    kind: x
    properties:
      env: prod
      word: {get_input: pw}
      deep:
        text: "in { get_input: pw }"
        list:
          - a
          - pw
  two:
    properties:
      env: prod
      of: {get_attribute: [one, id]}
  three:
    properties: {env: prod}
outputs:
  last: {value: {get_property: [two, of]}}
  none: {value: prod}
"""


def found(text: str, *names: str) -> tuple[list[int], list[int]]:
    lines = lines_of(load(text), "inputs", names)
    return sorted(lines.written), sorted(lines.using)


def test_lines_of_a_hidden_input() -> None:
    written, using = found(DOCUMENT, "pw")
    assert written == [2, 3, 4, 5, 6, 7]
    assert using == [9, 10, 12, 14, 15, 16, 17, 19, 20, 21, 23, 26, 27]
    assert found(DOCUMENT, "other") == ([8], [])
    assert found(DOCUMENT) == ([], [])


@pytest.mark.parametrize("word", ["pw", "pw.part", "'{{ pw }}'", "$pw"])
def test_what_refers_to_an_input(word: str) -> None:
    text = f"inputs: {{}}\nnodes:\n  n:\n    a: [x,\n      {word}]\n    b: apw\n"
    assert found(text, "pw")[1] == [2, 3, 4, 5]


def test_aliases_and_merged_maps_are_looked_into() -> None:
    text = (
        "inputs: {}\nparts:\n  p: &p {a: {get_input: pw}}\nnodes:\n  n:\n    x: 1\n    y: *p\n  m:\n    <<: *p\n"
        "  o:\n    z: {ref: n}\n  q: 1\n"
    )
    assert found(text, "pw")[1] == [2, 3, 4, 5, 7, 8, 9, 10, 11]


def test_a_deep_document() -> None:
    text = "inputs: {}\nnodes: {n: " + "[" * 200 + "pw" + "]" * 200 + "}\n"
    assert found(text, "pw") == ([], [2])


def test_lines_are_looked_for_once_and_only_where_a_text_is_secret() -> None:
    """Also those that another conversion has taken over, or another process."""
    asked: list[str] = []

    def lines() -> tuple[list[int], list[int]]:
        asked.append("doc")
        return [1], [2]

    secrets, outer = Secrets(), Secrets()
    secrets.place_later("doc", cache(lines))
    outer.join(secrets)
    outer.join(secrets)
    assert (outer.masked("is prod", ("doc", 1)), asked) == ("is prod", [])
    for holder in (secrets, outer):
        holder.add("prod", "doc")
        assert [holder.masked("is 'prod'", ("doc", line)) for line in (1, 2, 3)] == ["is '******'"] * 2 + ["is 'prod'"]
    assert asked == ["doc"]
    copied = Secrets()
    copied.place_later("doc", lambda: ([1], []))
    assert pickle.loads(pickle.dumps(copied)).__dict__.keys() == copied.__dict__.keys()
