"""What ``verify`` counts and notes, and which inputs it draws values for."""

from __future__ import annotations

import pytest

from bpconvert import convert, verification
from bpconvert.diagnostics import Span
from bpconvert.verification import Difference, drawn_inputs, verify

HOT = "heat_template_version: 2018-08-31\n"
OUTPUT = "outputs: {o: {value: %s}}\n"


# -- counts -------------------------------------------------------------------------------------------------


def test_each_value_is_counted_under_all_inputs() -> None:
    """Once with the defaults, and five times with drawn values."""
    shape = HOT + "outputs: {a: {value: 1}, b: {value: %s}}\n"
    found = verify(shape % 2, shape % 2)
    assert (found.compared, found.equal, found.is_same) == (12, 12, True)
    found = verify(shape % 2, shape % 3, draws=1)
    assert (found.compared, found.equal, found.reported, found.reworded) == (4, 2, 0, 0)
    assert [one.what for one in found.differences] == ["outputs.b"]


@pytest.mark.parametrize(
    ("value", "times"),
    [("1", 1), ("{get_param: n}", 4), ("{get_attr: [s, first_address]}", 6), ("{get_param: 'OS::stack_id'}", 6)],
)
def test_what_depends_on_inputs_alone_is_computed_once_for_each_of_them(
    value: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The input keeps its default in every second draw; each draw has its own values of the running deployment."""
    computed: list[None] = []
    plain = verification.compare
    monkeypatch.setattr(verification, "compare", lambda *both: computed.append(None) or plain(*both))
    server = "resources: {s: {type: OS::Nova::Server, properties: {image: i, flavor: f}}}\n"
    parameters = "parameters: {n: {type: string, default: d}}\n" if "{get_param: n}" in value else ""
    text = HOT + parameters + server + OUTPUT % value
    outcome = verify(text, text)
    assert (len(computed), outcome.compared, outcome.equal) == (times, 54, 54)


def test_the_values_that_are_drawn_are_those_of_the_seed() -> None:
    first, second = (HOT + "parameters: {n: {type: number}}\n" + OUTPUT % value for value in ("{get_param: n}", "x"))
    drawn = verify(first, second).differences[0].inputs
    assert drawn == verify(first, second, seed=0).differences[0].inputs == drawn_inputs(first, 0, 0)
    assert drawn != verify(first, second, seed=1).differences[0].inputs


@pytest.mark.parametrize(("code", "is_reported"), [("BPC405", False), ("BPC250", True)])
def test_what_a_conversion_reports_is_counted_with_its_codes(code: str, is_reported: bool) -> None:
    """That a server waits for a network in another way is told, and that its flavor is another one is not."""
    source = HOT + (
        "resources:\n  net: {type: OS::Neutron::Net}\n"
        "  web: {type: OS::Nova::Server, depends_on: net, properties: {image: i, flavor: f}}\n"
    )
    made = convert(source, "hot", "cloudify", carry=False)
    waits = "    relationships:\n      - type: cloudify.relationships.depends_on\n        target: net_barrier\n"
    edited = made.text.replace(waits, "").replace("flavor: f", "flavor: g")
    told = [one._replace(code=code) for one in made.diagnostics if one.code == "BPC405"]
    for times in (1, 3):
        found = verify(source, edited, draws=times - 1, reported=told)
        codes = {one.what: one.codes for one in found.differences}
        assert codes == {"web.waits for.net": (code,), "web.flavor": ()}
        assert (found.reported, found.reworded) == ((times, 0) if is_reported else (0, times))
        assert found.compared - found.equal == 2 * times
        assert found.codes == {code: times}


@pytest.mark.parametrize(
    ("codes", "is_reported"),
    [
        ((), False),
        (("BPC771",), False),  # exact
        (("BPC656",), True),  # approximated
        (("BPC787",), True),  # something has no counterpart
        (("BPC121",), True),  # an error, which the engine refuses
        (("BPC771", "BPC656"), True),
    ],
)
def test_a_difference_is_reported_by_what_says_that_values_are_not_the_same(
    codes: tuple[str, ...], is_reported: bool
) -> None:
    place = Span("a.yaml", 1, 1)
    assert Difference("outputs.o", 1, 2, place, place, {}, codes).is_reported is is_reported


# -- notes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "noted"),
    [
        ("a", "outputs.a"),
        ("abcde", "outputs.a, outputs.b, outputs.c, outputs.d, outputs.e"),
        ("abcdefg", "outputs.a, outputs.b, outputs.c, outputs.d, outputs.e and 2 more"),
    ],
)
def test_the_first_places_without_a_value_are_named_once(names: str, noted: str) -> None:
    lost = HOT + "outputs:\n" + "".join(f"  {name}: {{value: {{get_resource: gone}}}}\n" for name in names)
    found = verify(lost, lost.replace("{get_resource: gone}", "1"))
    assert (found.compared, found.notes) == (0, [f"<input> has no value for {noted}"])


def test_an_input_that_takes_no_value_is_drawn_none() -> None:
    assert drawn_inputs(HOT + "parameters: {n: {type: number, constraints: [{range: {min: 2, max: 1}}]}}\n", 0, 0) == {}


# -- inputs -------------------------------------------------------------------------------------------------


def test_inputs_of_the_second_document_alone_are_drawn_where_they_have_no_default() -> None:
    second = HOT + "parameters: {extra: {type: number, default: 1}, more: {type: number}}\n"
    found = verify(HOT + OUTPUT % 7, second + OUTPUT % "{get_param: more}", draws=1)
    (difference,) = found.differences
    assert difference.inputs.keys() == {"more"}
    assert verify(HOT + OUTPUT % 1, second + OUTPUT % "{get_param: extra}").is_same


def test_inputs_behind_one_that_keeps_its_default_or_is_given_are_drawn() -> None:
    shape = HOT + "parameters: {a: {type: number, default: 1}, b: {type: number}, c: {type: number}}\n" + OUTPUT
    found = verify(shape % "{get_param: c}", shape % "x", draws=0, inputs={"b": 2})
    inputs = found.differences[0].inputs
    assert (sorted(inputs), inputs["b"]) == (["b", "c"], 2)


def test_an_attribute_has_the_part_that_the_default_of_an_input_names() -> None:
    shape = (
        HOT + "parameters: {key: {type: string, default: %s}}\nresources: {net: {type: OS::Neutron::Net}}\n"
        "outputs: {o: {value: {get_attr: [net, show, {get_param: key}]}}}\n"
    )
    found = verify(shape % "a", shape % "a", draws=0)
    assert (found.is_same, found.notes) == (True, [])
    assert [one.what for one in verify(shape % "a", shape % "b", draws=0).differences] == ["outputs.o"]


def test_a_default_that_is_computed_is_no_value_that_a_user_gives() -> None:
    shape = (
        "tosca_definitions_version: cloudify_dsl_1_3\ninputs: {a: {default: {get_secret: s}}}\n"
        "outputs: {o: {value: %s}}\n"
    )
    assert verify(shape % "{get_input: a}", shape % "{get_secret: s}").is_same
    assert "a" not in drawn_inputs(shape % "{get_input: a}", 0, 2)


def test_an_input_that_holds_values_to_choose_from_is_given_none_unless_both_have_it() -> None:
    shape = "tosca_definitions_version: cloudify_dsl_1_3\ninputs: {%s}\noutputs: {o: {value: %s}}\n"
    table = "t: {hidden: true, default: x}"
    with_table, without = shape % (table, "{get_input: t}"), shape % ("", "x")
    assert verify(with_table, without).is_same
    assert not verify(with_table, shape % (table, "x")).is_same
