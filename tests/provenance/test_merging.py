"""Edits of an earlier result in a new one: which are taken over, where both are in the way, and what the text is."""

from __future__ import annotations

from collections.abc import Collection
from textwrap import dedent
from typing import Any

import pytest
import yaml

from bpconvert.models.expressions import Path
from bpconvert.translators.provenance.carry import digests_of
from bpconvert.translators.provenance.merging import Merged, Version, comments_of, merge, merge_lines, merge_values
from bpconvert.yamlio.document import load

BASE = """\
# About this.
version: 1

inputs:
  size: 3  # in GB
  name: web

nodes:
  # the disk
  disk:
    type: Disk
    size: 10
    kind: fast
  server:
    type: Server
    tags: [a, b]
"""
#: where the record of a result is
OWN = ("record",)


def version(text: str, own: Path = ()) -> Version:
    return Version(load(text, "r"), own)


def replaced(*pairs: str) -> str:
    """The base with texts in place of others."""
    text = BASE
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def named(data: Any) -> set[tuple[Path, str]]:
    """References to nodes that are not there."""
    nodes = data.get("nodes") or {}
    return {
        (("nodes", name, "needs"), node["needs"])
        for name, node in nodes.items()
        if isinstance(node, dict) and "needs" in node and node["needs"] not in nodes
    }


def merged(
    edited: str, new: str, base: str | None = BASE, known: Any = None, own: Path = (), calls: Collection[str] = ()
) -> Merged:
    before = None if base is None else version(base, own)
    return merge(before, version(edited, own), version(new, own), known, named, calls)


def test_nothing_was_edited() -> None:
    new = replaced("size: 10", "size: 20")
    assert merged(BASE, new) == Merged(new, [], [], [])


def test_an_edit_beside_what_is_new() -> None:
    found = merged(replaced("type: Server", "type: Big"), replaced("size: 10", "size: 20"))
    assert found == Merged(replaced("type: Server", "type: Big", "size: 10", "size: 20"), [("nodes", "server")], [], [])


def test_an_edit_inside_of_an_entry_that_is_new_elsewhere() -> None:
    found = merged(replaced("kind: fast", "kind: slow"), replaced("    type: Disk\n", "    type: Volume\n"))
    assert found.text == replaced("kind: fast", "kind: slow", "    type: Disk\n", "    type: Volume\n")
    assert (found.kept, found.conflicts, found.comments) == ([("nodes", "disk")], [], [])


def test_side_by_side_in_the_text() -> None:
    found = merged(replaced("size: 10", "size: 11  # mine"), replaced("kind: fast", "kind: slow"))
    assert found.text == replaced("size: 10", "size: 11  # mine", "kind: fast", "kind: slow")


def test_both_changed_the_same_value() -> None:
    found = merged(replaced("size: 10", "size: 11"), replaced("size: 10", "size: 20"))
    assert found == Merged(None, [], [("nodes", "disk", "size")], [])


def test_the_same_edit_is_none() -> None:
    text = replaced("size: 10", "size: 11")
    assert merged(text, text) == Merged(text, [("nodes", "disk")], [], [])


def test_another_edit_beside_the_same_one() -> None:
    new = replaced("size: 3 ", "size: 4 ")
    edited = replaced("size: 3 ", "size: 4 ", "[a, b]", "[a]")
    assert merged(edited, new) == Merged(edited, [("inputs", "size"), ("nodes", "server")], [], [])


def test_all_conflicts_are_named_once_and_in_order() -> None:
    edited = replaced("size: 10", "size: 11", "size: 3 ", "size: 4 ", "version: 1", "version: 2")
    new = replaced("size: 10", "size: 12", "size: 3 ", "size: 5 ", "version: 1", "version: 3")
    found = merged(edited, new)
    assert found == Merged(None, [], [("inputs", "size"), ("nodes", "disk", "size"), ("version",)], [])


def test_the_innermost_place_that_differs() -> None:
    def text(kind: str, other: str) -> str:
        return f"nodes:\n  a:\n    deep: {{kind: {kind}, other: {other}}}\n    more: 1\n"

    found = merged(text("b", "y"), text("c", "x"), text("a", "x"))
    assert found.conflicts == [("nodes", "a", "deep", "kind")]


def test_a_conflict_between_maps_with_nothing_that_all_have_unlike() -> None:
    found = merged("nodes: {a: {k: 1}}\n", "nodes: {a: {}}\n", "nodes: {a: {k: 2}}\n")
    assert found.conflicts == [("nodes", "a", "k")]
    found = merged("nodes: {a: {l: 1}}\n", "nodes: {a: {k: 2, l: 1}}\n", "nodes: {a: {k: 1, l: 1}}\n")
    assert found.conflicts == [("nodes", "a")]
    found = merged("nodes: {a: [1]}\n", "nodes: {a: {k: 2}}\n", "nodes: {a: {k: 1}}\n")
    assert found.conflicts == [("nodes", "a")]
    found = merged("nodes: {a: {k: [1]}}\n", "nodes: {a: {k: [2, 2]}}\n", "nodes: {a: {k: [3]}}\n")
    assert found.conflicts == [("nodes", "a", "k")]


# -- entries that come and go ----------------------------------------------------------------------------------


def test_an_entry_that_was_added() -> None:
    edited = BASE + "  more:  # mine\n    # very\n    type: Own\n"
    new = replaced("size: 10", "size: 20")
    found = merged(edited, new)
    assert found == Merged(new + "  more:  # mine\n    # very\n    type: Own\n", [("nodes", "more")], [], [])


def test_an_entry_that_both_added() -> None:
    edited, new = (f"{BASE}  more: {{type: {kind}}}\n" for kind in ("Own", "New"))
    found = merged(edited, new)
    assert (found.text, found.conflicts) == (None, [("nodes", "more")])


def test_an_entry_that_is_empty_in_the_new_result() -> None:
    found = merged(BASE + "outputs:\n  o: 1\n", BASE + "outputs:\n  o:\n")
    assert (yaml.safe_load(found.text or "")["outputs"], found.conflicts) == ({"o": 1}, [])


def test_an_entry_that_was_deleted() -> None:
    edited = replaced("  server:\n    type: Server\n    tags: [a, b]\n", "")
    found = merged(edited, replaced("size: 10", "size: 20"))
    assert found.text is not None
    assert "server" not in found.text
    assert "size: 20" in found.text
    assert (found.kept, found.conflicts) == ([("nodes", "server")], [])


def test_an_entry_that_was_deleted_and_is_new_otherwise() -> None:
    edited = replaced("  server:\n    type: Server\n    tags: [a, b]\n", "")
    found = merged(edited, replaced("[a, b]", "[a, c]"))
    assert (found.text, found.conflicts) == (None, [("nodes", "server")])


def test_an_entry_that_both_deleted() -> None:
    text = replaced("  server:\n    type: Server\n    tags: [a, b]\n", "")
    assert merged(text, text) == Merged(text, [("nodes", "server")], [], [])


def test_an_edited_entry_that_is_gone_in_the_new_result() -> None:
    new = replaced("  server:\n    type: Server\n    tags: [a, b]\n", "")
    found = merged(replaced("[a, b]", "[a]"), new)
    assert (found.text, found.conflicts) == (None, [("nodes", "server")])


# -- what was generated ----------------------------------------------------------------------------------------


def test_without_what_was_generated_every_edit_is_a_conflict() -> None:
    edited, new = replaced("[a, b]", "[a]"), replaced("size: 10", "size: 20")
    known = digests_of(load(BASE).data)
    assert merged(edited, new, None, known) == Merged(None, [], [("nodes", "server")], [])
    assert merged(edited, BASE, None).conflicts == [("nodes", "server")]
    assert merged(BASE, new, None, known).text == new


def test_an_entry_that_is_not_generated_again_as_it_was() -> None:
    edited = replaced("[a, b]", "[a]")
    known = {**digests_of(load(BASE).data), ("nodes", "server"): "other"}
    assert merged(edited, BASE, BASE, known).conflicts == [("nodes", "server")]


def test_what_the_digests_say_was_generated_is_no_edit() -> None:
    edited = replaced("[a, b]", "[a]")
    found = merged(edited, BASE, BASE, digests_of(load(edited).data))
    assert (found.kept, found.conflicts) == ([], [])


def test_a_name_that_nothing_has_any_more() -> None:
    edited = BASE + "  more: {needs: server}\n"
    new = replaced("  server:\n    type: Server\n    tags: [a, b]\n", "")
    found = merged(edited, new)
    assert (found.text, found.conflicts) == (None, [("nodes", "more")])


def test_a_name_that_nothing_had_before() -> None:
    edited = BASE + "  more: {needs: elsewhere}\n"
    found = merged(edited, BASE)
    assert (found.text, found.conflicts) == (edited, [])
    new = BASE + "  other: {needs: elsewhere}\n"
    assert merged(replaced("[a, b]", "[a]"), new).conflicts == []


def test_entries_that_both_added_in_one_place() -> None:
    edited = BASE + "  more:  # mine\n    # very\n    type: Own\n"
    new = BASE + "  other:  # theirs\n    type: New\n"
    found = merged(edited, new)
    assert (found.text or "").endswith("tags: [a, b]\n" + new[len(BASE) :] + edited[len(BASE) :])
    assert (found.kept, found.comments) == ([("nodes", "more")], [])


def test_a_comment_of_a_section_that_both_have_otherwise() -> None:
    base = "nodes: {}\noutputs: {}\n"
    found = merged("nodes: {}\noutputs:  # mine\n  o: 1\n", "nodes: {}\noutputs: {}  # new\n", base)
    assert (found.text, found.comments) == (None, [(("outputs",), "# mine")])


def test_a_section_that_was_added_has_its_place() -> None:
    edited = replaced("nodes:\n", "more: {a: 1}\n\nnodes:\n", "name: web", "name: web  ")
    found = merged(edited, replaced("name: web\n", "name: web\n  third: 3\n"))
    assert list(yaml.safe_load(found.text or "")) == ["version", "inputs", "more", "nodes"]


# -- the text --------------------------------------------------------------------------------------------------


def test_lines_that_both_changed_are_written_anew_where_the_values_agree() -> None:
    edited, new = replaced("tags: [a, b]", "tags: [a]"), replaced("tags: [a, b]", "tags: [a, b]\n    own: 1")
    edited = edited.replace("    type: Server\n", "    type: Server\n\n")
    found = merged(edited, new)
    assert yaml.safe_load(found.text or "")["nodes"]["server"] == {"type": "Server", "tags": ["a"], "own": 1}
    flow = "nodes: {{a: {{x: {0}, y: {1}}}}}\n"
    found = merged(flow.format(1, 2), flow.format(2, 1), flow.format(1, 1))
    assert yaml.safe_load(found.text or "") == {"nodes": {"a": {"x": 2, "y": 2}}}
    assert (found.kept, found.conflicts) == ([("nodes", "a")], [])


def test_what_has_no_lines_of_its_own_is_a_conflict() -> None:
    flow = "nodes: {{a: {{x: {0}}}, b: {1}}}\n"
    found = merged(flow.format("1, z: 1", 1), "nodes: {a: &x {x: 1}, b: 1, c: *x}\n", flow.format("1", 1))
    assert (found.text, found.kept, found.conflicts) == (None, [], [("nodes", "a")])


def test_the_mark_of_a_file_stays() -> None:
    new = replaced("size: 10", "size: 20")
    found = merged("\ufeff" + replaced("[a, b]", "[a]"), "\ufeff" + new, "\ufeff" + BASE)
    assert found.text == "\ufeff" + new.replace("[a, b]", "[a]")


def test_the_layout_of_an_edit_is_kept() -> None:
    edited = replaced("    tags: [a, b]\n", "    tags:\n    - a\n    - 'c'\n")
    assert merged(edited, BASE).text == edited


def test_blanks_and_comments_alone_are_kept() -> None:
    edited = replaced("    kind: fast\n", "    kind: 'fast'  # why\n")
    assert merged(edited, replaced("size: 3 ", "size: 4 ")).text == edited.replace("size: 3 ", "size: 4 ")


# -- the record ------------------------------------------------------------------------------------------------


def with_record(text: str, record: str) -> str:
    return text + f"record: |\n  {record}\n"


def test_the_record_is_that_of_the_new_result() -> None:
    edited, new = replaced("[a, b]", "[a]  # mine"), replaced("size: 10", "size: 20")
    found = merged(with_record(edited, "old"), with_record(new, "new"), with_record(BASE, "old"), own=OWN)
    assert found.text == with_record(replaced("[a, b]", "[a]  # mine", "size: 10", "size: 20"), "new")
    assert found.kept == [("nodes", "server")]


def test_lines_behind_the_record_are_merged_as_well() -> None:
    def text(tags: str, record: str, size: int) -> str:
        return f"a:\n  b:\n    c: {tags}\nrecord: {record}\nb:\n  size: {size}\n"

    found = merged(text("[x]  # mine", "old", 1), text("[y]", "new", 2), text("[y]", "old", 1), own=OWN)
    assert found.text == text("[x]  # mine", "new", 2)


@pytest.mark.parametrize("behind", ["", "c:\n  d: 1\n"], ids=["at the end", "in between"])
def test_all_three_records_may_differ(behind: str) -> None:
    def text(value: str, record: str) -> str:
        return f"a:\n  b:\n    d: {value}\ne: 1\nrecord: {record}\n{behind}"

    found = merged(text("[x]  # mine", "old"), text("[y]", "new"), text("[y]", "between"), own=OWN)
    assert found.text == text("[x]  # mine", "new")


@pytest.mark.parametrize("flow", [0, 1, 2], ids=["edited", "new", "base"])
def test_a_record_without_lines_of_its_own(flow: int) -> None:
    texts = ["a: x\nrecord: old\n", "a: y\nb: 1\nrecord: new\n", "a: y\nrecord: old\n"]
    texts[flow] = "{" + texts[flow].strip().replace("\n", ", ") + "}\n"
    found = merged(*texts, own=OWN)
    assert found.text == texts[1].replace("a: y", "a: x")


def test_a_record_that_was_deleted() -> None:
    new = with_record(replaced("size: 10", "size: 20"), "new")
    edited = replaced("[a, b]", "[a]")
    found = merge(version(with_record(BASE, "old"), OWN), version(edited), version(new, OWN), None, named, ())
    assert found.text == new.replace("[a, b]", "[a]")


def test_a_new_result_without_a_record() -> None:
    new, edited = replaced("size: 10", "size: 20"), with_record(replaced("[a, b]", "[a]"), "old")
    found = merge(version(with_record(BASE, "old"), OWN), version(edited, OWN), version(new), None, named, ())
    assert found.text == new.replace("[a, b]", "[a]")


# -- comments --------------------------------------------------------------------------------------------------


def test_a_comment_that_would_be_lost_is_in_the_way() -> None:
    flow = "nodes: {{a: {{x: {0}, y: {1}}}}}{2}\n"
    found = merged(flow.format(1, 2, "  # mine"), flow.format(2, 1, ""), flow.format(1, 1, ""))
    assert (found.text, found.conflicts) == (None, [])
    assert [comment for _, comment in found.comments] == ["# mine"]


def test_comments_count_as_often_as_they_are_there() -> None:
    edited = replaced("[a, b]", "[a]  # in GB")
    found = merged(edited, replaced("[a, b]", "['a', b]"))
    assert [comment for _, comment in found.comments] == ["# in GB"]


def test_comments_that_were_generated_may_go() -> None:
    new = replaced("# the disk", "# a disk")
    assert merged(replaced("[a, b]", "[a]"), new).text == new.replace("[a, b]", "[a]")


def test_comments_of_a_document() -> None:
    assert comments_of(load(BASE + "# in GB\n")) == {"# About this.": 1, "# in GB": 2, "# the disk": 1}


NOTE = "# BPC790: stand-in for Own, creates nothing"


def test_notes_are_those_of_the_new_result() -> None:
    noted = replaced("  server:\n", f"  {NOTE}\n  server:\n")
    new = noted.replace("size: 10", "size: 20")
    assert merged(noted, new, noted).text == new
    assert merged(BASE, new, noted).text == new
    assert merged(noted, new.replace(f"  {NOTE}\n", ""), noted).text == new.replace(f"  {NOTE}\n", "")


def test_a_note_of_an_entry_that_was_edited_and_has_it_no_more() -> None:
    noted = replaced("  server:\n", f"  {NOTE}\n  server:\n")
    found = merged(replaced("[a, b]", "[a]"), noted, noted)
    assert found.text == replaced("[a, b]", "[a]")
    assert merged(noted.replace("[a, b]", "[a]"), noted, noted).text == noted.replace("[a, b]", "[a]")
    edited = noted.replace("  server:\n", "  server:  # mine\n")
    assert merged(edited, noted, noted).text == edited


# -- lines -----------------------------------------------------------------------------------------------------


def lines(text: str) -> str:
    return "".join(f"{word}\n" for word in text.split())


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("a b c d", "a b c d", "a b c d"),
        ("A b c d", "a b c d", "A b c d"),
        ("a b c d", "a b c D", "a b c D"),
        ("A b c d", "A b c d", "A b c d"),
        ("A b c d", "a b c D", "A b c D"),
        ("a b c D", "A b c d", "A b c D"),
        ("a c d", "a b c d e", "a c d e"),
        ("x a b c d", "a b c d y", "x a b c d y"),
        ("A b c D", "A b C d", None),
        ("A b c d", "B b c d", None),
        ("a X b c d", "a Y b c d", None),
        ("a X b c d", "a X b c d", "a X b c d"),
        ("a b d", "a b C d", None),
        ("", "a b c d e", None),
        ("A b c d", "a B c d", None),
        ("a b x c d", "a B c d", None),
    ],
)
def test_lines_of_three_texts(mine: str, theirs: str, expected: str | None) -> None:
    found = merge_lines(lines("a b c d"), lines(mine), lines(theirs))
    assert found == (None if expected is None else lines(expected))


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("A b c d", "a B c d", "A B c d"),
        ("a b x c d", "a B c d", "a B x c d"),
        ("a B C d", "a b c D", "a B C D"),
        ("a B C d", "a b X d", None),
        ("a X b c d", "a Y b c d", None),
    ],
)
def test_changes_side_by_side(mine: str, theirs: str, expected: str | None) -> None:
    found = merge_lines(lines("a b c d"), lines(mine), lines(theirs), touching=True)
    assert found == (None if expected is None else lines(expected))


def test_lines_that_are_there_often() -> None:
    base = "x\ny\n" * 150
    assert merge_lines(base, f"a\n{base}", f"{base}b\n") == f"a\n{base}b\n"


def test_ends_of_lines_stay() -> None:
    assert merge_lines("a\r\nb\r\nc", "A\r\nb\r\nc", "a\r\nb\r\nC") == "A\r\nb\r\nC"


# -- files of values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("a: 1\nb: 2\n", "a: 1\nb: 2\n", "a: 1\nb: 2\n"),
        ("a: 3\nb: 2\n", "a: 1\nb: 2\n", "a: 3\nb: 2\n"),
        ("a: 1\nb: 2\n", "a: 4\nb: 2\n", "a: 4\nb: 2\n"),
        ("a: 3\nb: 2\n", "a: 1\nb: 4\n", "a: 3\nb: 4\n"),
        ("a: 3  # mine\nb: 2\n", "a: 1\nb: 4\n", "a: 3  # mine\nb: 4\n"),
        ("a: 3\nb: 2\n", "a: 4\nb: 2\n", None),
        ("a: 3\nb: 2\n", "{a: 1, b: 4}\n", "a: 3\nb: 4\n"),
        ("a: 3  # mine\nb: 2\n", "{a: 1, b: 4}\n", None),
        ("a: [\n", "a: 1\nb: 4\n", None),
        ("a: 3\nb: 2\n", "a: [\n", None),
        ("a: 1\nb: 2\n", "a: [\n", "a: [\n"),
        ("a: [\n", "a: [\n", "a: [\n"),
        ("a: [\n", "a: 1\nb: 2\n", "a: [\n"),
    ],
)
def test_values_of_three_texts(mine: str, theirs: str, expected: str | None) -> None:
    assert merge_values("a: 1\nb: 2\n", mine, theirs) == expected


def test_lines_that_would_mean_something_else_are_not_merged() -> None:
    base = dedent(
        """\
        a: |
          x
        b: y
        """
    )
    mine, theirs = base.replace("  x\n", "  x\n  z\n"), base.replace("b: y", "  b: y")
    found = merge_values(base, mine, theirs)
    assert found is None or yaml.safe_load(found) != yaml.safe_load(base)


def test_lines_that_nobody_could_read_are_not_merged() -> None:
    base = "a: &x 1\nb: 2\nc: 1\n"
    mine, theirs = base.replace("c: 1", "c: *x"), base.replace("a: &x 1", "a: 1")
    assert merge_values(base, mine, theirs) == theirs
    base, mine = f"{base}d: 1\n", f"{mine}d: 2\n"
    assert yaml.safe_load(merge_values(base, mine, f"{theirs}d: 1\n") or "") == {"a": 1, "b": 2, "c": 1, "d": 2}
