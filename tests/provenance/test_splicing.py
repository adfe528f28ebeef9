"""Where changed entries go in the text of a document; all other lines stay as they are."""

from __future__ import annotations

from collections.abc import Collection
from textwrap import dedent
from typing import Any

import pytest

from bpconvert.models.expressions import Path
from bpconvert.translators.provenance.restore import Patch, with_changes
from bpconvert.translators.provenance.splice import splice
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import Document, load, unfolded

ORDER = {"version": "", "description": "", "parameters": {}, "resources": {}, "outputs": {}}
SOURCE = """\
    version: 1

    # What is asked for
    parameters:
      size: 3    # in GB

      # quoted
      'name': "it's"

    resources:
      net: {type: Net, name: a}
      web:
        type: Server
        # a list
        zones: ["a", 'b']
        user: 'root'
    """


def document(text: str) -> Document:
    return load(dedent(text), "t")


def changed(
    source: Document | str,
    new: dict[Path, Any],
    *dropped: Path,
    grafted: Collection[Path] = (),
    comments: dict[Path, Comment] | None = None,
    order: dict[str, Any] = ORDER,
) -> str | None:
    """The text of ``source`` with the changes."""
    read = document(source) if isinstance(source, str) else source
    data = with_changes(read.data, new, set(dropped), order)
    return splice(read, Patch(new, set(dropped), set(grafted), data, {}), comments or {}, {"get_param"})


def test_another_version_stays_in_its_place_and_keeps_its_comment() -> None:
    text = "# About this.\nversion: 2014-10-16  # old\nresources: {}\n"
    assert changed(text, {("version",): "2016-10-14"}) == text.replace("2014-10-16", "2016-10-14")


def exchanged(old: str, new: str) -> str:
    """The source with one text exchanged."""
    text = dedent(SOURCE)
    assert text.count(old) == 1
    return text.replace(old, new)


# -- single entries ----------------------------------------------------------------------------------------


def test_an_entry_is_exchanged_with_its_comments() -> None:
    assert changed(SOURCE, {("parameters", "size"): {"get_param": "a"}}) == exchanged(
        "  size: 3    # in GB\n", "  size: {get_param: a}  # in GB\n"
    )


def test_a_value_keeps_the_comment_beside_it() -> None:
    comments = {("parameters", "size"): Comment(("# new",), "# beside", ())}
    assert changed(SOURCE, {("parameters", "size"): 4}, comments=comments) == exchanged("  size: 3 ", "  size: 4 ")


def test_a_new_entry_has_its_comments() -> None:
    comments = {("parameters", "more"): Comment(("# new",), "# beside", ())}
    assert changed(SOURCE, {("parameters", "more"): 4}, comments=comments) == exchanged(
        "  'name': \"it's\"\n", "  'name': \"it's\"\n\n  # new\n  more: 4  # beside\n"
    )


def test_a_section_that_is_a_plain_text_is_written_plainly() -> None:
    assert changed(SOURCE, {("version",): "2015-04-30"}) == exchanged("version: 1\n", "version: 2015-04-30\n")
    assert changed(SOURCE, {("version",): "a, b"}) == exchanged("version: 1\n", "version: a, b\n")
    assert changed(SOURCE, {("version",): "2"}) == exchanged("version: 1\n", "version: '2'\n")
    assert changed(SOURCE, {("version",): 2}) == exchanged("version: 1\n", "version: 2\n")
    assert changed(SOURCE, {("version",): "a\nb\n"}) == exchanged("version: 1\n", "version: |\n  a\n  b\n")


@pytest.mark.parametrize("text", ["a: b", "@a", "- a", "[a", "{a: b}", "a #b"])
def test_a_text_that_cannot_stand_plainly_is_quoted(text: str) -> None:
    assert changed(SOURCE, {("version",): text}) == exchanged("version: 1\n", f"version: '{text}'\n")


def test_a_grafted_entry_keeps_quotes_and_comments_beside_the_edit() -> None:
    web = {"type": "Server", "zones": ["a", "b"], "user": "admin"}
    assert changed(SOURCE, {("resources", "web"): web}, grafted=[("resources", "web")]) == exchanged(
        "user: 'root'", "user: 'admin'"
    )
    more = {"type": "Host", "zones": ["a", "b"], "user": "root", "port": {"get_param": "p"}}
    assert changed(SOURCE, {("resources", "web"): more}, grafted=[("resources", "web")]) == exchanged(
        "type: Server\n", "type: Host\n"
    ).replace("user: 'root'\n", "user: 'root'\n    port: {get_param: p}\n")
    less = {"type": "Server", "user": "root"}
    assert changed(SOURCE, {("resources", "web"): less}, grafted=[("resources", "web")]) == exchanged(
        "    # a list\n    zones: [\"a\", 'b']\n", ""
    )


def test_an_entry_that_is_not_grafted_keeps_what_it_has_already() -> None:
    web = {"type": "Server", "zones": ["a", "b"], "user": "admin"}
    assert changed(SOURCE, {("resources", "web"): web}) == exchanged("user: 'root'", "user: 'admin'")


def test_an_entry_in_braces_stays_in_braces() -> None:
    net = {"type": "Net", "name": "b"}
    assert changed(SOURCE, {("resources", "net"): net}, grafted=[("resources", "net")]) == exchanged(
        "  net: {type: Net, name: a}\n", "  net: {type: Net, name: b}\n"
    )
    more = {"type": "Net", "name": "a", "more": 1}
    assert changed(SOURCE, {("resources", "net"): more}, grafted=[("resources", "net")]) == exchanged(
        "  net: {type: Net, name: a}\n", "  net: {type: Net, name: a, more: 1}\n"
    )


@pytest.mark.parametrize(
    ("items", "written"),
    [
        (["a", "b", "c", "d"], "[\"a\", 'b', c, d]"),
        (["a", "c", "d", "b"], "[\"a\", c, d, 'b']"),
        (["c", "b", "d"], "[\"c\", 'b', d]"),
        (["d", "a", "e", "b"], "[d, \"a\", e, 'b']"),
        (["b"], "['b']"),
    ],
)
def test_items_are_added_and_removed_at_their_places(items: list[str], written: str) -> None:
    web = {"type": "Server", "zones": items, "user": "root"}
    assert changed(SOURCE, {("resources", "web"): web}) == exchanged("[\"a\", 'b']", written)


def test_items_on_lines_are_added_and_removed_at_their_places() -> None:
    text = "a:\n  b:\n  - {k: 1}\n  # two\n  - k: 2  # it\n  - k: 3\n"
    items = [{"k": 4}, {"k": 2}, {"k": 5}, {"k": 6}, {"k": 3}]
    assert changed(text, {("a", "b"): items}, order={}) == (
        "a:\n  b:\n  - {k: 4}\n  # two\n  - k: 2  # it\n  - k: 5\n  - k: 6\n  - k: 3\n"
    )


def test_a_map_that_becomes_empty_or_was_is_written_whole() -> None:
    text = "a:\n  b:\n    c: {}\n    d: {e: 1}\n    f:\n      g: 1\n"
    new = {"c": {"x": 1}, "d": {"e": 1}, "f": {}}
    assert changed(text, {("a", "b"): new}, grafted=[("a", "b")], order={"a": {}}) == (
        "a:\n  b:\n    c:\n      x: 1\n    d: {e: 1}\n    f: {}\n"
    )


# -- entries that are gone ---------------------------------------------------------------------------------


def test_what_is_dropped_goes_with_its_comments() -> None:
    assert changed(SOURCE, {}, ("parameters", "name")) == exchanged("  # quoted\n  'name': \"it's\"\n\n", "")
    assert changed(SOURCE, {}, ("resources", "net")) == exchanged("  net: {type: Net, name: a}\n", "")


def test_blank_lines_go_with_what_stood_between_them() -> None:
    text = "a:\n  b: 1\n\n  c: 2\n\n  d: 3\n"
    assert changed(text, {}, ("a", "c"), order={"a": {}}) == "a:\n  b: 1\n\n  d: 3\n"
    assert changed(text, {}, ("a", "b"), order={"a": {}}) == "a:\n\n  c: 2\n\n  d: 3\n"
    apart = "a: 1\n\nb: 2\n\nc: 3\n"
    assert changed(apart, {}, ("a",), order={}) == "b: 2\n\nc: 3\n"
    assert changed(apart, {}, ("b",), order={}) == "a: 1\n\nc: 3\n"
    assert changed("a: 1\nb: 2\n\nc: 3\n", {}, ("b",), order={}) == "a: 1\n\nc: 3\n"
    assert changed("a: 1\n \t\nb: 2\n", {}, ("a",), order={}) == "b: 2\n"


def test_the_last_entry_takes_its_section_along() -> None:
    text = "a: 1\nb:\n  c: 1\nd: 1\n"
    assert changed(text, {}, ("b", "c"), order={}) == "a: 1\nd: 1\n"


# -- new entries -------------------------------------------------------------------------------------------


def test_new_entries_stand_behind_those_that_are_there() -> None:
    assert changed(SOURCE, {("resources", "x"): 1, ("resources", "z"): 2}) == dedent(SOURCE) + "  x: 1\n  z: 2\n"
    assert changed(SOURCE, {("parameters", "x"): 1, ("parameters", "z"): "it's"}) == exchanged(
        "'name': \"it's\"\n", "'name': \"it's\"\n\n  x: 1\n\n  z: it's\n\n"
    ).replace("it's\n\n\n", "it's\n\n")


def test_new_entries_have_the_indentation_of_the_others() -> None:
    text = "a:\n    b: 1\n"
    assert changed(text, {("a", "c"): {"d": {"e": 1}}}, order={}) == "a:\n    b: 1\n    c:\n      d:\n        e: 1\n"


@pytest.mark.parametrize("empty", ["b:", "b: {}", "b: null", "b: {} # nothing yet"])
def test_a_section_without_entries_gets_its_first(empty: str) -> None:
    assert changed(f"a: 1\n{empty}\nc: 1\n", {("b", "x"): 1, ("b", "z"): 2}) == "a: 1\nb:\n  x: 1\n  z: 2\nc: 1\n"


def test_a_new_section_stands_where_it_belongs() -> None:
    text = "version: 1\nparameters:\n  a: 1\nresources:\n  b: 1\n"
    assert changed(text, {("description",): "text"}) == text.replace("1\np", "1\n\ndescription: text\np")
    assert changed(text, {("outputs", "x"): 1, ("outputs", "z"): 1}) == text + "\noutputs:\n  x: 1\n  z: 1\n"
    assert changed(text, {("outputs",): {}}) == text + "\noutputs: {}\n"


def test_a_new_section_stands_behind_new_entries_of_the_one_before() -> None:
    text = "parameters:\n  a: 1\n"
    for new in (
        {("outputs", "x"): 1, ("parameters", "z"): 2},
        {("parameters", "z"): 2, ("outputs", "x"): 1},
    ):
        assert changed(text, new) == "parameters:\n  a: 1\n  z: 2\n\noutputs:\n  x: 1\n"


def test_several_changes_at_once() -> None:
    new = {("parameters", "size"): 4, ("resources", "vm"): {"type": "B"}, ("outputs", "ip"): {"value": 1}}
    assert changed(SOURCE, new, ("resources", "net"), ("parameters", "name")) == dedent("""\
        version: 1

        # What is asked for
        parameters:
          size: 4    # in GB

        resources:
          web:
            type: Server
            # a list
            zones: ["a", 'b']
            user: 'root'
          vm:
            type: B

        outputs:
          ip:
            value: 1
        """)


def test_new_entries_of_a_map_stand_before_those_around_it() -> None:
    text = "a:\n  b: 1\n\n  c:\n    d: 1\n"
    new = {("a", "c"): {"d": 1, "x": 2}, ("a", "e"): 3}
    expected = "a:\n  b: 1\n\n  c:\n    d: 1\n    x: 2\n\n  e: 3\n"
    assert changed(text, new, grafted=[("a", "c")], order={}) == expected
    assert changed(text, dict(reversed(new.items())), grafted=[("a", "c")], order={}) == expected


def test_several_new_sections_are_in_their_order() -> None:
    text = "resources:\n  b: 1\n"
    new = {("outputs", "o"): 1, ("end",): {}, ("version",): "1.0.0", ("description",): "d"}
    for order in ({**ORDER, "end": {}}, {"end": {}, **ORDER}):
        for one in (new, dict(reversed(new.items()))):
            first, last = ("end: {}\n\n", "") if "end" in [*order][:1] else ("", "\nend: {}\n")
            assert changed(text, one, order=order) == (
                f"{first}version: 1.0.0\n\ndescription: d\n\n{text}\noutputs:\n  o: 1\n{last}"
            )


# -- line breaks -------------------------------------------------------------------------------------------


def test_line_breaks_are_those_of_the_document() -> None:
    text = "a:\r\n  b: 1\r\n\r\n  c: 2\r\n\r\n  d: 2\r\n"
    new = {("a", "b"): {"x": 1}, ("a", "e"): 1}
    assert changed(text, new, ("a", "c"), order={}) == "a:\r\n  b:\r\n    x: 1\r\n\r\n  d: 2\r\n\r\n  e: 1\r\n"


def test_a_file_that_ends_without_a_line_break() -> None:
    for value in (1, "X"):
        assert changed(f"a:\n  b: {value}", {("a", "c"): 2}, order={}) == f"a:\n  b: {value}\n  c: 2\n"
    assert changed("a:\n  b: 1", {("a", "b"): 2}, order={}) == "a:\n  b: 2"
    assert changed("a:\n  b: 1", {("a", "b"): [{"c": 2}]}, order={}) == "a:\n  b:\n    - c: 2\n"


def test_the_byte_order_mark_stays() -> None:
    read = load(b"\xef\xbb\xbfa: 1\nb: 2\n", "t")
    assert changed(read, {("a",): 3}, order={}) == "\ufeffa: 3\nb: 2\n"


# -- where lines are shared --------------------------------------------------------------------------------


def test_a_section_in_braces_that_loses_entries_is_exchanged_as_a_whole() -> None:
    text = "version: 1\nparameters: {a: 1, b: 2}\nresources:\n  c: {d: 1}\n"
    assert changed(text, {("parameters", "a"): 3}) == text.replace("a: 1", "a: 3")
    assert changed(text, {("parameters", "c"): 3}, ("parameters", "a"), ("resources", "c")) == (
        "version: 1\nparameters:\n  b: 2\n  c: 3\n"
    )


def test_comments_between_braces_are_not_lost() -> None:
    text = "a: {b: 1, # why\n  c: 2}\n"
    assert changed(text, {("a", "b"): 3}, order={}) == text.replace("b: 1", "b: 3")
    assert changed(text, {("a", "d"): 3}, order={}) == text.replace("c: 2", "c: 2, d: 3")


def test_comments_above_braces_are_not_lost() -> None:
    assert changed("# why\na: {b: 1}\n", {("a", "b"): 3}, order={}) == "# why\na: {b: 3}\n"
    assert changed("# why\na: {b: 1}\n", {("a", "d"): 3}, order={}) == "# why\na: {b: 1, d: 3}\n"
    assert changed("a: {b: 1}\n# of c\nc: 2\n", {("a", "d"): 3}, ("a", "b"), order={}) == "a:\n  d: 3\n# of c\nc: 2\n"


def test_sections_in_braces_among_others_with_comments() -> None:
    block = "{0}:\n  # why\n  b: 1\n"
    text = "".join(block.format(name) for name in "acd") + "e: {b: 1}\n"
    new = {(name, "b"): 2 for name in "acde"}
    assert changed(text, new, order={}) == text.replace("b: 1", "b: 2")


def test_a_merge_would_bring_back_what_is_dropped() -> None:
    text = "x: &x {p: 1}\na:\n  <<: *x\n  p: 2\n  q: 1\n"
    assert changed(text, {}, ("a", "p"), order={}) is None


def test_an_entry_with_a_merge_keeps_it() -> None:
    text = "x: &x {p: 1}\na:\n  b:\n    <<: *x\n    q: '1'\n  c: '2'\n"
    new = {("a", "b"): {"p": 1, "q": "1", "r": 3}}
    assert changed(text, new, grafted=[("a", "b")], order={}) == (
        "x: &x {p: 1}\na:\n  b:\n    <<: *x\n    q: '1'\n    r: 3\n  c: '2'\n"
    )


def test_entries_cannot_be_added_where_the_place_is_not_known() -> None:
    assert changed("a: &x {}\nb: *x\n", {("a", "c"): 1}, order={}) is None


def test_entries_are_added_behind_those_of_a_merge() -> None:
    text = "x: &x {p: 1}\na:\n  <<: *x\n  # why\n  c: 1\n"
    assert changed(text, {("a", "d"): 1}, order={}) == f"{text}  d: 1\n"


def test_a_section_is_added_behind_what_has_an_anchor() -> None:
    text = "version: &v 1\nresources:\n  a: {b: *v}\n  c: &c {d: 1}\n  e: *c\n"
    assert changed(text, {("description",): "d"}) == text.replace("&v 1\n", "&v 1\n\ndescription: d\n")
    assert changed(text, {("outputs",): {"o": 1}}) == f"{text}\noutputs:\n  o: 1\n"
    assert changed(text, {("resources", "f"): 2}) == f"{text}  f: 2\n"


def test_an_anchor_that_nothing_else_refers_to_goes_with_its_entry() -> None:
    text = "version: 1\nresources:\n  a: &a\n    b: &b {c: 1}\n    d: *b\n  e:\n    f: 1\n"
    assert changed(text, {}, ("resources", "a")) == "version: 1\nresources:\n  e:\n    f: 1\n"
    assert changed(text.replace("f: 1", "f: *b"), {}, ("resources", "a")) is None


def test_what_others_are_aliases_of_cannot_be_exchanged() -> None:
    text = "a: &x 1\nb: *x\n"
    assert changed(text, {("a",): 2}, order={}) is None
    assert changed(text, {}, ("a",), order={}) is None


def test_sections_in_braces_are_exchanged_there() -> None:
    text = "{a: 1, b: 1}\n"
    assert changed(text, {("a",): 2}, order={}) == "{a: 2, b: 1}\n"
    assert changed(text, {}, ("a",), order={}) == "{b: 1}\n"


def test_a_section_with_entries_from_elsewhere_is_exchanged_as_a_whole() -> None:
    text = "x: &x {p: 1}\na:\n  <<: *x\n  c: 1\nb: 1\n"
    assert changed(text, {("a", "d"): 1}, order={}) == "x: &x {p: 1}\na:\n  p: 1\n  c: 1\n  d: 1\nb: 1\n"


# -- sections inside of another one ------------------------------------------------------------------------

INNER = ("inputs", "nodes", "outputs")
BODY = """\
    version: 1
    body:
      description: kept
      inputs:
        a: 1
      nodes:
        n: {}
    """
BODY_ORDER = {"version": 1, "inputs": {}, "nodes": {}, "outputs": {}, "end": {}}


def inside(new: dict[Path, Any], *dropped: Path, text: str = BODY) -> str | None:
    return changed(unfolded(document(text), ["body"], INNER), new, *dropped, order=BODY_ORDER)


def body(old: str, new: str, text: str = BODY) -> str:
    text = dedent(text)
    assert text.count(old) == 1
    return text.replace(old, new)


def test_entries_of_sections_inside_of_another() -> None:
    assert inside({("inputs", "a"): 2}) == body("    a: 1\n", "    a: 2\n")
    assert inside({("inputs", "b"): 2}) == body("    a: 1\n", "    a: 1\n    b: 2\n")
    assert inside({}, ("inputs", "a")) == body("  inputs:\n    a: 1\n", "")


def test_a_new_section_inside_of_another() -> None:
    assert inside({("outputs", "o"): 1}) == body("    n: {}\n", "    n: {}\n\n  outputs:\n    o: 1\n")
    assert inside({("outputs",): {}}) == body("    n: {}\n", "    n: {}\n\n  outputs: {}\n")


def test_a_new_section_that_is_the_first_inside() -> None:
    text = BODY.replace("  inputs:\n        a: 1\n    ", "")
    assert inside({("inputs", "b"): 2}, text=text) == body("  nodes", "  inputs:\n    b: 2\n\n  nodes", text)
    assert inside({("inputs",): {}}, text=text) == body("  nodes", "  inputs: {}\n\n  nodes", text)


def test_a_new_section_behind_the_one_with_the_others() -> None:
    assert inside({("end", "x"): 1}) == body("    n: {}\n", "    n: {}\n\nend:\n  x: 1\n")
    both = {("end", "x"): 1, ("outputs", "o"): 1, ("nodes", "m"): 1}
    expected = body("    n: {}\n", "    n: {}\n    m: 1\n\n  outputs:\n    o: 1\n\nend:\n  x: 1\n")
    assert inside(both) == expected
    assert inside(dict(reversed(both.items()))) == expected


def test_the_one_with_the_others_goes_when_it_is_empty() -> None:
    text = BODY.replace("      description: kept\n", "")
    assert inside({}, ("inputs", "a"), ("nodes", "n"), text=text) == "version: 1\n"


def test_the_one_with_the_others_stays_where_something_new_goes_into_it() -> None:
    text = BODY.replace("      description: kept\n", "")
    dropped = ("inputs", "a"), ("nodes", "n")
    assert inside({("outputs", "o"): 1}, *dropped, text=text) == "version: 1\nbody:\n  outputs:\n    o: 1\n\n"
    assert inside({("end", "x"): 1}, *dropped, text=text) == "version: 1\n\nend:\n  x: 1\n"


def test_a_section_without_entries_inside_of_another() -> None:
    text = BODY.replace("inputs:\n        a: 1\n", "inputs: {}\n")
    assert inside({("inputs", "b"): 2}, text=text) == body("  inputs: {}\n", "  inputs:\n    b: 2\n", text)


def test_nothing_is_inside_yet() -> None:
    assert inside({("inputs", "b"): 2}, text="version: 1\nbody:\n  description: kept\n") is None
