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
    _, part = _part("n20", TEXT.replace("  n9:\n", "  n9: &net\n"))
    assert "n9" in part.document.data["resources"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # network 20\n", "  # network twenty\n"),
        ("  n20:\n    type: OS::Neutron::Net\n\n", ""),
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


def test_what_is_written_across_a_cut_has_no_place() -> None:
    document, part = _part("n20")
    text = part.document.text
    begin, end = text.index("  s0:"), text.index("  n20:")
    assert put_into(document, part, f"{text[:begin]}  other: {{type: a}}\n{text[end:]}") is None


def test_names_are_found_in_texts_and_keys() -> None:
    names = Names([("resources", "web"), ("parameters", "size"), ("outputs", 1)])
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
    assert wanted_of(part, {**made, "version": 1}, {**wanted, "version": 2}, [("version",)]) is None
