"""A part of a long document, and its lines back in the whole."""

from __future__ import annotations

import pytest

from bpconvert.translators.dialects import load
from bpconvert.translators.provenance.excerpts import Excerpt, Names, excerpt, put_into, wanted_of
from bpconvert.yamlio.document import Document

TEXT = (
    "heat_template_version: 2018-08-31\nparameters:\n  size: {type: string, default: small}\nresources:\n"
    + "".join(
        f"  # network {n}\n  n{n}:\n    type: OS::Neutron::Net\n\n"
        f"  s{n}:\n    type: OS::Neutron::Subnet\n    properties: {{network: {{get_resource: n{n}}}, mtu: 9}}\n\n"
        for n in range(40)
    )
    + "outputs:\n  it: {value: {get_resource: n7}}\n  other: {value: {get_param: size}}\n"
)


def _part(own: str, text: str = TEXT) -> tuple[Document, Excerpt]:
    document = load(text)
    part = excerpt(document, {("resources", own)}, (), load)
    assert part is not None
    return document, part


def test_it_has_what_an_entry_refers_to_and_what_refers_to_it() -> None:
    _, part = _part("n20")
    assert list(part.document.data["resources"]) == ["n0", "s0", "n20", "s20", "n39", "s39"]
    assert part.document.data["outputs"].keys() == {"other"}  # 'it' refers to what is not there
    assert "# network 20\n" in part.document.text
    assert "# network 21\n" not in part.document.text
    assert part.is_closed


def test_it_says_where_more_refers_to_an_entry() -> None:
    text = TEXT.replace("mtu: 9", "cidr: {get_param: size}")
    document = load(text)
    part = excerpt(document, {("parameters", "size")}, (), load)
    assert part is not None
    assert not part.is_closed


@pytest.mark.parametrize(("more", "is_closed"), [((), True), ((16,), False)])
def test_eight_entries_say_how_one_is_used(more: tuple[int, ...], is_closed: bool) -> None:
    text = TEXT
    for n in (0, 39, *range(10, 16), *more):
        net = f"  n{n}:\n    type: OS::Neutron::Net\n"
        text = text.replace(net, f"{net}    properties: {{name: {{get_param: word}}}}\n")
    text = text.replace("parameters:\n", "parameters:\n  word: {type: string}\n")
    part = excerpt(load(text), {("parameters", "word")}, (), load)
    assert part is not None
    assert part.is_closed is is_closed
    assert {"n0", "n39", "n10", "n15"} <= part.document.data["resources"].keys()


def test_a_part_that_cannot_be_read_is_none() -> None:
    def fail(text: str, name: str) -> Document:
        return load("{", name)

    assert excerpt(load(TEXT), {("resources", "n20")}, (), fail) is None


def test_a_document_of_short_sections_has_none() -> None:
    """They stay, so that there is nothing to leave out."""
    text = "".join(f"s{n}:\n" + "".join(f"  e{n}{i}: 1\n" for i in range(10)) for n in range(6))
    assert excerpt(load(text), {("s0", "e00")}, (), load) is None


def test_a_short_document_has_none() -> None:
    assert excerpt(load(TEXT[: TEXT.index("  # network 20")]), {("resources", "n7")}, (), load) is None


def test_neither_has_one_in_which_everything_is_connected() -> None:
    text = TEXT
    for n in range(39):
        text = text.replace(
            f"  n{n}:\n    type: OS::Neutron::Net\n", f"  n{n}:\n    type: a\n    depends_on: n{n + 1}\n"
        )
    assert excerpt(load(text), {("resources", "n0")}, (), load) is None


def test_an_entry_with_an_anchor_stays() -> None:
    text = TEXT.replace("  n9:\n", "  n9: &net\n")
    _, part = _part("n20", text.replace("outputs:\n", "  also: *net\n\noutputs:\n"))
    assert "n9" in part.document.data["resources"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # network 20\n", "  # network twenty\n"),
        ("  n20:\n    type: OS::Neutron::Net\n\n", ""),
        ("  # network 20\n  n20:\n    type: OS::Neutron::Net\n\n", ""),
        ("n20", "renamed"),
        ("  s39:\n    type", "  s39:\n    depends_on: n39\n    type"),
        ("  n20:\n", "  added: {type: OS::Neutron::Net}\n  n20:\n"),
    ],
)
def test_its_lines_go_back(old: str, new: str) -> None:
    document, part = _part("n20")
    assert put_into(document, part, part.document.text.replace(old, new)) == TEXT.replace(old, new)


def test_a_removed_entry_takes_its_own_blank_line_along() -> None:
    document, part = _part("s20")
    gone = "  s20:\n    type: OS::Neutron::Subnet\n    properties: {network: {get_resource: n20}, mtu: 9}\n\n"
    assert put_into(document, part, part.document.text.replace(gone, "")) == TEXT.replace(gone, "")


def test_what_is_new_at_a_cut_follows_what_is_before_it() -> None:
    document, part = _part("n20")
    new = "  added: {type: a}\n"
    text = part.document.text.replace("  # network 20\n", f"{new}  # network 20\n")
    assert put_into(document, part, text) == TEXT.replace("  # network 1\n", f"{new}  # network 1\n")


def test_what_is_gone_on_both_sides_of_a_cut_is_gone_there() -> None:
    whole = TEXT.replace("\n\n", "\n").replace(
        "  n20:\n    type: OS::Neutron::Net", "  n20:\n    type: OS::Neutron::Trunk"
    )
    document, part = _part("n20", whole)
    text = part.document.text
    begin, end = text.index("  s0:"), text.index("  s20:")
    for name, behind in (("  s0:", "  # network 1\n"), ("  # network 20\n", "  s20:")):
        whole = whole[: whole.index(name)] + whole[whole.index(behind) :]
    assert put_into(document, part, text[:begin] + text[end:]) == whole


def test_as_many_lines_on_both_sides_of_a_cut_are_changed_there() -> None:
    document, part = _part("n20")
    text = part.document.text.replace("\n\n  # network 20\n", "\n  # before\n  # behind\n")
    whole = TEXT.replace("\n\n  # network 1\n", "\n  # before\n  # network 1\n")
    assert put_into(document, part, text) == whole.replace("  # network 20\n", "  # behind\n")


def test_what_is_written_across_a_cut_has_no_place() -> None:
    document, part = _part("n20")
    text = part.document.text
    begin, end = text.index("  s0:"), text.index("  n20:")
    assert put_into(document, part, f"{text[:begin]}  other: {{type: a}}\n{text[end:]}") is None


def test_names_are_found_in_texts_and_keys() -> None:
    names = Names([("resources", "web"), ("parameters", "size"), ("outputs", 1), ("resources", "web", "x")])
    assert names.mentioned({"a": ["web", 1, {"size": None}]}) == {("resources", "web"), ("parameters", "size")}
    assert names.mentioned("web.size") == {("resources", "web"), ("parameters", "size")}
    assert names.mentioned(f"web.{'x' * 100}") == set()


def test_what_is_wanted_of_a_part() -> None:
    made = {"resources": {"a": 1, "b": 2, "c": 3}, "outputs": {"x": ["a", "b"]}}
    wanted = {"resources": {"a": 9, "c": 3, "new": 4}, "outputs": {"x": ["a", "b"]}}
    part = {"resources": {"a": 1, "b": 2}, "outputs": {"x": ["a"]}}
    edited = [("resources", "a"), ("resources", "b"), ("resources", "new")]
    assert wanted_of(part, made, wanted, edited) == {"resources": {"a": 9, "new": 4}, "outputs": {"x": ["a"]}}
    assert wanted_of({"resources": {"a": 5, "b": 2}}, made, wanted, edited) is None  # edited, and something else here
    versions = [{**one, "version": number} for one, number in ((part, 1), (made, 1), (wanted, 2))]
    assert (wanted_of(versions[0], versions[1], versions[2], [("version",)]) or {})["version"] == 2
    assert wanted_of(part, {**made, "version": 1}, {**wanted, "version": 2}, [("version",)]) is None


def test_what_is_near_an_entry_is_in_its_part_with_what_it_refers_to() -> None:
    document = load(TEXT)
    part = excerpt(document, {("resources", "n20")}, {("resources", "s30"), ("resources", "nowhere")}, load)
    assert part is not None
    assert [*part.document.data["resources"]] == ["n0", "s0", "n20", "s20", "n30", "s30", "n39", "s39"]
    assert part.document.data["parameters"].keys() == {"size"}
    assert part.document.data["heat_template_version"] == load(TEXT).data["heat_template_version"]


def test_what_is_wanted_in_a_section_that_a_part_does_not_have() -> None:
    made, wanted = {"outputs": {"x": 1}}, {"outputs": {"x": 1, "new": 2}}
    assert wanted_of({}, made, wanted, [("outputs", "new")]) == {"outputs": {"new": 2}}
    assert wanted_of({"outputs": {"x": 1}}, made, {}, [("outputs", "x")]) == {}
    assert wanted_of({"outputs": {"x": 1}}, made, wanted, []) == {"outputs": {"x": 1}}


@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_line_that_is_gone_beside_a_cut_is_the_one_that_is_whole(blank: str) -> None:
    """Of two blank lines either one is gone: that which does not stand across the cut."""
    document, part = _part("n20")
    text = part.document.text.replace("\n\n  # network 20\n", f"\n{blank}  # network 20\n")
    whole = TEXT if blank else TEXT.replace("\n\n  # network 1\n", "\n  # network 1\n")
    assert put_into(document, part, text) == whole


def nets(count: int, more: str = "") -> str:
    return "resources:\n" + "".join(f"  n{n}: {{type: a}}\n" for n in range(count)) + more


@pytest.mark.parametrize(("count", "has_part"), [(46, False), (47, True)])
def test_a_document_has_parts_from_48_entries_on(count: int, has_part: bool) -> None:
    """What is no entry of a section does not count."""
    document = load(nets(count, "parameters:\n  size: {type: string}\nversion: 1\n"))
    assert (excerpt(document, {("resources", "n20")}, (), load) is not None) is has_part


@pytest.mark.parametrize(("size", "has_part"), [(17, True), (18, False)])
def test_a_part_has_at_most_an_eighth_of_the_entries(size: int, has_part: bool) -> None:
    """Of 144 entries 18: what is asked for, with what it refers to, and the last entry of the section."""
    chain = "".join(f"  c{n}: {{type: a, next: c{n + 1}}}\n" for n in range(size - 1)) + f"  c{size - 1}: {{type: a}}\n"
    document = load(nets(20) + chain + "".join(f"  m{n}: {{type: a}}\n" for n in range(124 - size)))
    assert len(document.data["resources"]) == 144
    assert (excerpt(document, {("resources", "c0")}, (), load) is not None) is has_part


def test_a_section_of_which_nothing_is_in_the_part_is_gone_whole() -> None:
    document = load(nets(60) + "others:\n" + "".join(f"  o{n}: {{type: n{n}}}\n" for n in range(5)) + "last: {a: 1}\n")
    part = excerpt(document, {("resources", "n30")}, (), load)
    assert part is not None
    assert part.document.text == (
        "resources:\n  n0: {type: a}\n  n1: {type: a}\n  n30: {type: a}\n  n59: {type: a}\n"
        "others:\n  o0: {type: n0}\n  o1: {type: n1}\nlast: {a: 1}\n"
    )


def test_a_short_section_of_which_nothing_is_in_the_part_is_gone_whole() -> None:
    more = "outs:\n  x: {value: n40}\n  y: {value: n41}\nlast: {a: 1}\n"
    part = excerpt(load(nets(60, more)), {("resources", "n30")}, (), load)
    assert part is not None
    assert part.document.text.endswith("  n59: {type: a}\nlast: {a: 1}\n")


def test_what_is_wanted_of_sections_as_a_whole_and_of_texts() -> None:
    made = {"outputs": {"x": 1, "y": 1}, "version": 1}
    wanted = {"outputs": {"x": 2, "y": 3}, "version": 1}
    assert wanted_of(made, made, wanted, [("outputs",), ("outputs", "x")]) == wanted
    assert wanted_of({"version": 1}, made, wanted, []) == {"version": 1}
