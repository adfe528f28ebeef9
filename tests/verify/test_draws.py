"""The values under which two documents are compared: which are drawn, and what is found with them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bpconvert.translators.verify import draws
from bpconvert.verification import Verification, drawn_inputs, verify

HOT = "heat_template_version: 2018-08-31\n"


def whats(found: Verification) -> list[str]:
    return [one.what for one in found.differences]


EVERY = """\
parameters:
  text: {type: string}
  short: {type: string, constraints: [{length: {min: 3, max: 4}}]}
  long: {type: string, constraints: [{length: {min: 30}}]}
  letters: {type: string, constraints: [{allowed_pattern: '[a-c]{2,3}-\\d+'}]}
  mixed: {type: string, constraints: [{length: {min: 8, max: 20}}, {allowed_pattern: '[A-Z]+[a-zA-Z0-9]*'}]}
  one_of: {type: string, constraints: [{allowed_values: [a, b]}]}
  number: {type: number}
  range: {type: number, constraints: [{range: {min: 3, max: 4}}]}
  part: {type: number, constraints: [{range: {min: 0.1, max: 0.9}}]}
  negative: {type: number, constraints: [{range: {max: -7}}]}
  steps: {type: number, constraints: [{modulo: {step: 64, offset: 3}}]}
  flag: {type: boolean}
  list: {type: comma_delimited_list}
  five: {type: comma_delimited_list, constraints: [{length: {min: 5, max: 6}}]}
  listed: {type: comma_delimited_list, constraints: [{allowed_values: [x, y]}]}
  data: {type: json}
  address: {type: string, constraints: [{custom_constraint: ip_addr}]}
  cidr: {type: string, constraints: [{custom_constraint: net_cidr}]}
  mac: {type: string, constraints: [{custom_constraint: mac_addr}]}
  time: {type: string, constraints: [{custom_constraint: iso_8601}]}
  expires: {type: string, constraints: [{custom_constraint: expiration}]}
  zone: {type: string, constraints: [{custom_constraint: timezone}]}
  cron: {type: string, constraints: [{custom_constraint: cron_expression}]}
  host: {type: string, constraints: [{custom_constraint: dns_name}]}
  relative: {type: string, constraints: [{custom_constraint: rel_dns_name}]}
  domain: {type: string, constraints: [{custom_constraint: dns_domain}]}
  flavor: {type: string, constraints: [{custom_constraint: nova.flavor}]}
"""
NAMES = [line.split(":")[0].strip() for line in EVERY.splitlines()[1:]]
PUBLISHED = "outputs:\n" + "".join(f"  {name}: {{value: {{get_param: {name}}}}}\n" for name in NAMES)


def test_every_type_and_constraint_gets_a_value() -> None:
    for number in range(8):
        drawn = drawn_inputs(HOT + EVERY, 0, number)
        assert set(drawn) == set(NAMES)
        assert 3 <= len(drawn["short"]) <= 4
        assert len(drawn["long"]) >= 30
        assert drawn["range"] in (3, 4)
        assert 0.1 <= drawn["part"] <= 0.9
        assert drawn["negative"] <= -7
        assert drawn["steps"] % 64 == 3
        assert len(drawn["five"]) in (5, 6)
        assert isinstance(drawn["data"], dict)
        assert isinstance(drawn["flag"], bool)


def test_the_values_reach_both_documents() -> None:
    found = verify(HOT + EVERY + PUBLISHED, HOT + EVERY + PUBLISHED)
    assert found.is_same
    assert not found.notes
    assert found.compared >= 6 * len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_value_instead_of_an_input_is_found(name: str) -> None:
    fixed = PUBLISHED.replace(f"{{get_param: {name}}}", "fixed")
    assert {what.split(".")[1] for what in whats(verify(HOT + EVERY + PUBLISHED, HOT + EVERY + fixed))} == {name}


def test_the_same_seed_draws_the_same() -> None:
    document = HOT + EVERY
    assert drawn_inputs(document, 5, 2) == drawn_inputs(document, 5, 2)
    assert drawn_inputs(document, 5, 2) != drawn_inputs(document, 6, 2)
    assert drawn_inputs(document, 5, 2) != drawn_inputs(document, 5, 3)


def test_defaults_come_first_and_then_other_values() -> None:
    document = HOT + "parameters: {a: {type: json, default: {text: x, number: 5, flag: true, list: [1]}}}\n"
    default = {"text": "x", "number": 5, "flag": True, "list": [1]}
    assert drawn_inputs(document, 0, 0) == {"a": default}
    others = [drawn_inputs(document, 0, number)["a"] for number in range(1, 9)]
    assert all(any(other[key] != default[key] for other in others) for key in default)


@pytest.mark.parametrize("part", ["text", "number", "flag", "list, 0"])
def test_a_part_of_a_default_is_not_taken_for_a_constant(part: str) -> None:
    data = {"text": "x", "number": 5, "flag": "true", "list, 0": 1}
    shape = (
        HOT
        + "parameters: {a: {type: json, default: {text: x, number: 5, flag: true, list: [1]}}}\n"
        + "outputs: {o: {value: %s}}\n"
    )
    assert not verify(shape % f"{{get_param: [a, {part}]}}", shape % data[part]).is_same


def test_other_defaults_are_a_difference() -> None:
    shape = HOT + "parameters: {a: {type: string, default: %s}}\noutputs: {o: {value: {get_param: a}}}\n"
    (found,) = verify(shape % "x", shape % "y").differences
    assert (found.what, found.first, found.second) == ("outputs.o", "x", "y")
    assert verify(shape % "x", shape % "y", inputs={"a": "z"}).is_same


def test_given_values_are_kept(tmp_path: Path) -> None:
    shape = HOT + "parameters: {n: {type: number}}\noutputs: {o: {value: %s}}\n"
    assert verify(shape % "{get_param: n}", shape % "7", inputs={"n": "7"}).is_same
    found = verify(shape % "{get_param: n}", shape % "8", inputs={"n": "7"})
    assert found.differences[0].inputs == {"n": 7}
    assert found.differences[0].first == 7
    with pytest.raises(ValueError, match=r"input 'n' of .*many"):
        verify(shape % 1, shape % 1, inputs={"n": "many"})


def test_an_input_that_takes_no_value_is_noted() -> None:
    shape = (
        HOT
        + "parameters: {n: {type: number, constraints: [{range: {min: %s, max: %s}}]}}\n"
        + "outputs: {o: {value: {get_param: n}}}\n"
    )
    found = verify(shape % (1, 2), shape % (8, 9))
    assert found.notes == ["no value was found that input 'n' takes"]


def test_a_text_fits_each_of_several_patterns_and_the_longest_length() -> None:
    patterns = "{length: {min: 6, max: 6}}, {allowed_pattern: '[A-Z]+[0-9]+'}, {allowed_pattern: '[A-Z0-9]+'}"
    shape = HOT + "parameters: {p: {type: string%s}}\noutputs: {o: {value: {get_param: p}}}\n"
    found = verify(shape % f", constraints: [{patterns}]", shape % "")
    assert (found.notes, found.is_same) == ([], True)


def test_no_draws_are_the_defaults_alone() -> None:
    shape = HOT + "parameters: {a: {type: string, default: x}}\noutputs: {o: {value: %s}}\n"
    assert verify(shape % "{get_param: a}", shape % "x", draws=0).is_same
    assert not verify(shape % "{get_param: a}", shape % "x", draws=1).is_same


def test_a_text_in_a_path_is_a_key_beside_other_texts() -> None:
    """``get_secret: [images, debian, "12"]``: Cloudify takes no text for the number of an item."""
    drawn = draws.shaped({"debian": {"12": {}}, "list": {"0": {}, 1: {}}}, random.Random(1))
    assert drawn["debian"].keys() == {"12"}
    assert len(drawn["list"]) == 2
