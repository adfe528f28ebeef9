"""A language is a row and what it names: one that only this test has is converted, restored and compared."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import pytest
from corpus_cases import CASES, Case
from toy_language import NAME, TOY

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Fidelity
from bpconvert.options import Options
from bpconvert.translators.dialects import DIALECTS
from bpconvert.verification import verify
from bpconvert.yamlio.document import load

#: those that are built in
LANGUAGES = ("hot", "cloudify", "tosca")
TEXT = """\
toy: 1
inputs:
  size: {type: string, default: m1}
nodes:
  net: {is: net, with: {name: n}}
  port: {is: port, with: {network: {id: net}}}
  web:
    is: server
    with:
      flavor: {input: size}
      image: cirros
      name: {join: ["-", [web, {input: size}]]}
      networks: [{port: {id: port}}]
    after: [net]
outputs:
  ip: {attribute: [web, first_address]}
"""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DIALECTS, NAME, TOY)


@pytest.mark.parametrize("other", LANGUAGES)
def test_it_is_converted_and_comes_back(other: str) -> None:
    there = convert(TEXT, NAME, other)
    assert not [found for found in there.diagnostics if found.fidelity > Fidelity.APPROXIMATED]
    assert convert(there.text.encode(), other, NAME).text == TEXT
    plain = convert(TEXT, NAME, other, carry=False).text.encode()
    again = convert(plain, other, NAME, carry=False)
    for one in (verify(TEXT, plain), verify(plain, again.text)):
        assert one.compared > 10
        assert not [found for found in one.differences if not found.codes]


GADGET = """\
  odd:
    is: gadget
    with:
      parts:
      - screw: {input: size}
      near: {id: net}
    after: [port]
"""


@pytest.mark.parametrize("other", LANGUAGES)
def test_a_node_without_counterpart_is_shown_and_comes_back(other: str) -> None:
    text = TEXT.replace("outputs:", f"{GADGET}outputs:")
    there = convert(text, NAME, other, carry=False)
    assert "toy_type: gadget" in there.text
    back = convert(there.text.encode(), other, NAME, carry=False)
    assert "odd" not in [found.path[1] for found in back.diagnostics if len(found.path) > 1]
    assert load(back.text).data["nodes"] | {"web": 0} == load(text).data["nodes"] | {"web": 0}
    assert not [found for found in verify(text, back.text).differences if not found.codes]


@pytest.mark.parametrize(("one", "other"), [*permutations(LANGUAGES, 2)])
def test_what_others_show_of_it_stays(one: str, other: str) -> None:
    """Where the target is neither, the stand-in is a node like any other, and is itself again on the way back."""
    there = convert(TEXT.replace("outputs:", f"{GADGET}outputs:"), NAME, one, carry=False).text.encode()
    assert "toy_type: gadget" in convert(there, one, other, carry=False).text
    assert convert(convert(there, one, other).text.encode(), other, one).text.encode() == there


@cache
def expressible() -> list[tuple[Case, Result]]:
    """The cases that the toy can express, each with its conversion: it reports the least thing that it cannot."""
    expressed = []
    for case in CASES:
        if case.is_mistake or case.name.startswith("other-language-") or case.options != Options():
            continue
        made = convert(case.source, case.dialect, NAME, carry=False)
        if all(found.fidelity <= Fidelity.REWRITTEN for found in made.diagnostics):
            expressed.append((case, made))
    return expressed


def test_what_it_can_express_of_the_corpus_means_the_same() -> None:
    same = 0
    for case, made in expressible():
        found = verify(case.source, made.text, draws=1, reported=made.diagnostics)
        assert found.differences == [], case.id
        same += bool(found.compared)
    assert same > 50


@pytest.mark.parametrize("other", LANGUAGES)
def test_what_it_can_express_goes_to_the_other_languages(other: str) -> None:
    """Where the result means something else, a diagnostic of the conversion names the place."""
    silent, compared = [], 0
    for case, made in expressible():
        back = convert(made.text.encode(), NAME, other, carry=False)
        found = verify(made.text, back.text, draws=1, reported=back.diagnostics)
        silent += [f"{case.id}: {one}" for one in found.differences if not one.codes]
        compared += bool(found.compared)
    assert silent == []
    assert compared > 50
