"""Edits put back into a source of a small language, value by value."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from small_language import SOURCE, all_of, by_values, put_back, removed, renamed, set_to, settled, translated

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import putback
from bpconvert.translators.provenance.differences import Difference
from bpconvert.translators.provenance.putback import FILES, PutBack, Wanted, Yield, _is_kept, yielded
from bpconvert.translators.provenance.rewriting import Rewriter, with_edits
from bpconvert.yamlio.document import Document, load
from bpconvert.yamlio.emit import Alias, Anchor

# -- what is compared ------------------------------------------------------------------------------------------


def test_what_a_source_yields_is_without_aliases_and_empty_sections() -> None:
    lowered = Lowered({"nodes": {"a": Anchor("x", {"b": 1}), "c": Alias("x")}, "groups": {}, "list": [], "none": None})
    found = yielded(lowered, {"a.sh": "echo"})
    assert found.data == {"nodes": {"a": {"b": 1}, "c": {"b": 1}}, "none": None, FILES: {"a.sh": "echo"}}
    assert found.lowered is lowered


def test_nothing_was_edited() -> None:
    assert put_back(lambda data: None).left == []
    assert by_values(lambda data: None) == (SOURCE, [])


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (set_to("slow", "nodes", "disk", "kind"), "kind: fast", "kind: slow"),
        (set_to(5, "inputs", "size", "default"), "size: 3", "size: 5"),
        (set_to("echo bye", FILES, "web.sh"), "echo hello", "echo bye"),
        (set_to(["a", "c"], "nodes", "disk", "tags"), "[a, b]", "[a, c]"),
        (set_to(["a", "b", "c"], "nodes", "disk", "tags"), "[a, b]", "[a, b, c]"),
        (set_to(["b"], "nodes", "disk", "tags"), "[a, b]", "[b]"),
        (removed("nodes", "disk", "kind"), "    kind: fast  # or slow\n", ""),
        (
            all_of(set_to("slow", "nodes", "disk", "kind"), set_to(["b"], "nodes", "disk", "tags")),
            "fast  # or slow\n    tags: [a, b]",
            "slow  # or slow\n    tags: [b]",
        ),
        (all_of(set_to(8, *(LEVEL := ("nodes", "web", "properties")), "level"), set_to(9, *LEVEL, "next")), "7", "8"),
    ],
    ids=["value", "input", "file", "item", "added", "removed", "key", "two", "follows"],
)
def test_an_edit_is_put_where_it_came_from(change: Callable[[Any], None], old: str, new: str) -> None:
    assert by_values(change) == (SOURCE.replace(old, new), [])


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (("a", "b"), "{get_file: x}  # note", "|  # note\n    one\n      two"),
        (("a", "c", 0), "{get_file: y}", '"one\\n  two\\n"'),
        (("a", "d", 0), "{get_file: z}", "|\n      one\n        two"),
    ],
)
def test_lines_in_place_of_a_call_are_lines_where_there_is_room(path: Path, old: str, new: str) -> None:
    document = load("a:\n  b: {get_file: x}  # note\n  c: [{get_file: y}, w]\n  d:\n    - {get_file: z}\n")
    edits = Rewriter(document, []).put(path, "one\n  two\n")
    assert edits is not None
    edited = with_edits(document, edits)
    assert edited is not None
    assert edited.text == document.text.replace(old, new)


def test_only_what_brings_nothing_else_about_is_put_back() -> None:
    """With the level, what is next to it would be another one."""
    found = by_values(set_to(8, "nodes", "web", "properties", "level"))
    assert found == (SOURCE, [(("nodes", "web", "properties", "level"), 7, 8)])


def test_what_is_not_put_back_does_not_keep_others_from_it() -> None:
    text, left = by_values(all_of(set_to("other", "nodes", "web", "is"), set_to("slow", "nodes", "disk", "kind")))
    assert text == SOURCE.replace("fast", "slow")
    assert [path for path, _, _ in left] == [("nodes", "web", "is")]


def test_what_cannot_be_translated_is_not_put_back() -> None:
    found = by_values(set_to("slow", "nodes", "disk", "kind"), translate=lambda document: None)
    assert found == (SOURCE, [(("nodes", "disk", "kind"), "fast", "slow")])


def test_tries_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def counting(document: Document) -> Yield | None:
        tried.append(document.text)
        return None

    monkeypatch.setattr(putback, "_MOST", 10)
    monkeypatch.setattr(putback, "_CHARACTERS", 14_000)
    many = "things:\n" + "".join(f"  t{n}: {{kind: fast}}\n" for n in range(20))
    change = all_of(*(set_to("slow", "nodes", f"t{n}", "kind") for n in range(20)))
    for characters, tries in ((len(many) + 2, 10), (2_000, 7), (20_000, 4)):
        tried.clear()
        by_values(change, many + "# " + "x" * (characters - len(many) - 2), translate=counting)
        assert len(tried) == tries


def test_what_says_the_same_is_translated_once() -> None:
    tried: list[str] = []

    def counting(document: Document) -> Yield | None:
        tried.append(document.text)
        return translated(document)

    edits = put_back(set_to("slow", "nodes", "disk", "kind"), translate=counting)
    for text in (SOURCE, SOURCE + "# more\n", SOURCE.replace("fast", "'fast'")):
        assert edits.accepted(text) is not None
    assert len(tried) == 1


# -- names -----------------------------------------------------------------------------------------------------


def test_an_entry_and_what_refers_to_it() -> None:
    change = all_of(renamed("nodes", "disk", "data"), set_to("data", "nodes", "web", "host"))
    source = SOURCE + "    label: disk\n"
    edits = put_back(change, source)
    edits.by_values()
    assert edits.document.text == source.replace("  disk:", "  data:").replace("host: disk", "host: data")
    assert edits.renamed == {("nodes", "disk"): ("nodes", "data")}
    assert edits.left == []


def test_a_file_is_called_after_its_entry() -> None:
    change = renamed("nodes", "web", "app")
    edits = put_back(change)
    edits.by_values()
    assert edits.document.text == SOURCE.replace("  web:", "  app:")
    assert (edits.left, edits.renamed) == ([], {("nodes", "web"): ("nodes", "app")})


def test_a_name_that_cannot_be_put_back() -> None:
    """The source has no entry of the twin's name."""
    source = SOURCE + "    twin: other\n"
    edits = put_back(renamed("nodes", "other", "another"), source)
    edits.by_values()
    assert (edits.document.text, edits.renamed) == (source, {})
    assert {one.path for one in edits.left} == {("nodes", "other"), ("nodes", "another")}


def test_what_is_called_after_an_entry_keeps_its_name_where_the_entry_alone_was_renamed() -> None:
    source = SOURCE + "    port: true\n"
    edits = put_back(renamed("nodes", "web", "app"), source)
    edits.by_values()
    assert edits.document.text == source.replace("  web:", "  app:")
    assert edits.left == []


def test_other_sections_may_be_anything_beside_a_renamed_entry() -> None:
    source = SOURCE + "    port: true\nmeta: {1: a, web: b}\nnode_types: {t: {a: 1}}\n"
    edits = put_back(all_of(renamed("nodes", "web", "app"), removed("meta", 1), set_to(5, "node_types")), source)
    edits.by_values()
    assert "  app:\n" in edits.document.text
    assert {one.path for one in edits.left} <= {("node_types",), ("meta", 1)}


def test_what_is_called_after_an_entry_may_be_renamed_with_it() -> None:
    source = SOURCE + "    port: true\n"
    edits = put_back(all_of(renamed("nodes", "web", "app"), renamed("nodes", "web_port", "app_port")), source)
    edits.by_values()
    assert edits.document.text == source.replace("  web:", "  app:")
    assert edits.left == []


def test_an_entry_that_the_source_calls_otherwise() -> None:
    source = SOURCE.replace("    kind: fast", "    called: store\n    kind: fast") + "  spare: {called: extra}\n"
    assert by_values(set_to("extra", "nodes", "web", "host"), source) == (
        source.replace("host: disk", "host: spare"),
        [],
    )


def test_what_the_source_would_refer_to_and_does_not_have() -> None:
    found = by_values(set_to("gone", "nodes", "web", "host"))
    assert found == (SOURCE, [(("nodes", "web", "host"), "disk", "gone")])


def test_no_placeholder_is_put_back() -> None:
    value = "not converted: x"
    assert by_values(set_to(value, "nodes", "disk", "kind")) == (SOURCE, [(("nodes", "disk", "kind"), "fast", value)])


def test_an_edit_of_a_value_does_not_take_many_lines_with_it() -> None:
    def source(comments: int) -> str:
        return "things:\n  a:\n    kind:\n" + "      # about it\n" * comments + "      fast\n    tags: [x]\n"

    assert by_values(removed("nodes", "a", "kind"), source(40))[0] == source(40)
    assert by_values(removed("nodes", "a", "kind"), source(1))[0] == "things:\n  a:\n    tags: [x]\n"


def test_edits_that_only_count_together() -> None:
    """Each by itself makes another sum."""

    def with_sum(document: Document) -> Yield | None:
        made = translated(document)
        if made is not None:
            one = made.data["nodes"]["a"]
            made.data["nodes"]["sum"] = {"of": one["x"] + one["y"]}
            made.lowered.made["things", "a"].append(("nodes", "sum"))
        return made

    source = "things:\n  a: {x: 11, y: 22}\n"
    document = load(source, "s")
    made = with_sum(document)
    assert made is not None
    wanted = deepcopy(made.data)
    wanted["nodes"]["a"] |= {"x": 13, "y": 20}
    edits = PutBack(document, made, Wanted(wanted), with_sum, {"get"}, settled, "inputs")
    edits.by_values()
    assert (edits.document.text, edits.left) == ("things:\n  a: {x: 13, y: 20}\n", [])


def test_definitions_follow_what_is_defined() -> None:
    def with_types(document: Document) -> Yield | None:
        made = translated(document)
        if made is not None:
            kind = made.data["nodes"]["disk"]["kind"]
            made.data["node_types"] = {kind: {}}
            made.lowered.made["things", "disk"].append(("node_types", kind))
        return made

    document = load(SOURCE, "s")
    made = with_types(document)
    assert made is not None
    wanted = deepcopy(made.data)
    wanted["nodes"]["disk"]["kind"] = "slow"
    edits = PutBack(document, made, Wanted(wanted), with_types, {"get"}, settled, "inputs")
    edits.by_values()
    assert (edits.document.text, edits.left) == (SOURCE.replace("fast", "slow"), [])


def test_a_section_that_a_part_of_another_was_made_of() -> None:
    def about(document: Document) -> Yield | None:
        data: Any = document.data
        return yielded(Lowered({"info": {"items": data["about"]}}, made={("about",): [("info",)]}), {})

    document = load("about: [a, b]\n", "s")
    made = about(document)
    assert made is not None
    wanted = {"info": {"items": ["a", "x", "b"]}, FILES: {}}
    edits = PutBack(document, made, Wanted(wanted), about, {"get"}, lambda before, after: after, "inputs")
    edits.by_values()
    assert (edits.document.text, edits.left) == ("about: [a, x, b]\n", [])


# -- what is no edit -------------------------------------------------------------------------------------------


def test_a_map_of_which_only_the_key_is_left_is_empty() -> None:
    source = "things:\n  a: {deep: {x: {n: 1}}, list: [{y: {n: 1}}, 2]}\n"
    edits = put_back(all_of(set_to(None, "nodes", "a", "deep", "x"), set_to(None, "nodes", "a", "list", 0)), source)
    assert edits.wanted["nodes"]["a"] == {"is": "thing", "deep": {"x": {}}, "list": [{}, 2]}
    assert {one.path for one in edits.left} == {("nodes", "a", "deep", "x", "n"), ("nodes", "a", "list", 0, "y")}
    assert put_back(set_to(None, "nodes", "a", "list"), source).wanted["nodes"]["a"]["list"] is None
    assert put_back(set_to([None], "nodes", "a", "list"), source).wanted["nodes"]["a"]["list"] == [None]
    assert put_back(set_to(None, "nodes", "a", "is"), source).wanted["nodes"]["a"]["is"] is None


def test_an_empty_map_that_the_source_does_not_yield_is_no_difference() -> None:
    source = "things:\n  a: {deep: {n: 1}, k: 2}\n"
    text, left = by_values(set_to(None, "nodes", "a", "deep"), source)
    assert left == []
    assert translated(load(text, "s")) is not None
    assert "n: 1" not in text


def test_what_is_kept_follows_what_it_is_kept_for() -> None:
    def keeping(document: Document) -> Yield | None:
        made = translated(document)
        if made is None:
            return None
        data = deepcopy(made.data)
        data["nodes"]["disk"]["bpconvert"] = {"of": data["nodes"]["disk"]["kind"]}
        data["meta"] = {"bpconvert_kept": {"disk": {"of": data["nodes"]["disk"]["kind"]}}}
        made.lowered.made["meta", "x"] = [("meta", "bpconvert_kept")]
        return Yield(data, made.lowered)

    document = load(SOURCE, "s")
    made = keeping(document)
    assert made is not None
    wanted = deepcopy(made.data)
    wanted["nodes"]["disk"]["kind"] = "slow"
    edits = PutBack(document, made, Wanted(wanted), keeping, {"get"}, settled, "inputs")
    edits.by_values()
    assert (edits.document.text, edits.left) == (SOURCE.replace("fast", "slow"), [])
    wanted["nodes"]["disk"]["bpconvert"]["of"] = "other"
    edits = PutBack(document, made, Wanted(wanted), keeping, {"get"}, settled, "inputs")
    edits.by_values()
    assert [one.path for one in edits.left] == [("nodes", "disk", "bpconvert", "of")]


def test_an_edit_that_would_leave_another_entry_out() -> None:
    """Without the twin's name, one more node is gone; an input that nothing needs may go."""
    source = "things:\n  a: {kind: fast, twin: b}\n"

    def without_twin(document: Document) -> Yield | None:
        made = translated(document)
        if made is not None and made.data["nodes"]["a"].get("kind") == "slow":
            del made.data["nodes"]["b"]
        return made

    found = by_values(set_to("slow", "nodes", "a", "kind"), source, translate=without_twin)
    assert found == (source, [(("nodes", "a", "kind"), "fast", "slow")])

    def without_file(document: Document) -> Yield | None:
        made = translated(document)
        if made is not None and made.data["nodes"]["disk"]["kind"] == "slow":
            made.data[FILES].clear()
        return made

    found = by_values(set_to("slow", "nodes", "disk", "kind"), translate=without_file)
    assert found == (SOURCE, [(("nodes", "disk", "kind"), "fast", "slow")])

    def without_input(document: Document) -> Yield | None:
        made = translated(document)
        if made is not None and made.data["nodes"]["disk"]["kind"] == "slow":
            del made.data["inputs"]["size"]
            del made.lowered.made["params", "size"]
        return made

    source = SOURCE.replace("  size: 3", "  size: 3\n  other: 4")
    found = by_values(set_to("slow", "nodes", "disk", "kind"), source, translate=without_input)
    assert found == (source.replace("fast", "slow"), [])


def test_a_file_that_is_called_by_its_content() -> None:
    def by_content(document: Document) -> Yield | None:
        made = translated(document)
        if made is None:
            return None
        for file, text in [*made.data[FILES].items()]:
            name = f"s{len(text)}.sh"
            made.data[FILES][name] = made.data[FILES].pop(file)
            made.data["nodes"][file.removesuffix(".sh")]["script"] = name
        return made

    source = SOURCE + "  third: {script: echo}\n"
    document = load(source, "s")
    made = by_content(document)
    assert made is not None
    assert made.data[FILES] == {"s10.sh": "echo hello", "s4.sh": "echo"}
    wanted = deepcopy(made.data)
    wanted[FILES]["s10.sh"] = "echo good bye"
    edits = PutBack(document, made, Wanted(wanted), by_content, {"get"}, settled, "inputs")
    edits.by_values()
    assert (edits.document.text, edits.left) == (source.replace("echo hello", "echo good bye"), [])


def test_edits_that_fit_do_not_wait_for_one_that_does_not() -> None:
    def with_sum(document: Document) -> Yield | None:
        made = translated(document)
        if made is not None:
            made.data["nodes"]["sum"] = {"of": f"all of {made.data['nodes']['a']['x']}"}
            made.lowered.made["things", "a"].append(("nodes", "sum"))
        return made

    source = "things:\n  a: {x: 11}\n  b: {k: fast}\n  c: {k: good}\n"
    document = load(source, "s")
    made = with_sum(document)
    assert made is not None
    wanted = deepcopy(made.data)
    all_of(*(set_to("new", "nodes", *path) for path in (("a", "x"), ("b", "k"), ("c", "k"))))(wanted)
    edits = PutBack(document, made, Wanted(wanted), with_sum, {"get"}, settled, "inputs")
    edits.by_values()
    assert edits.document.text == source.replace("fast", "new").replace("good", "new")
    assert [one.path for one in edits.left] == [("nodes", "a", "x")]


@pytest.mark.parametrize(
    ("path", "before", "after", "kept"),
    [
        (("nodes", "a", "metadata"), MISSING, {"bpconvert": 1}, True),
        (("nodes", "a", "metadata"), {"bpconvert": 1, "bpconvert_kept": 2}, MISSING, True),
        (("nodes", "a", "metadata", "bpconvert"), 1, 2, True),
        (("meta", "bpconvert_kept", "a"), 1, 2, True),
        (("nodes", "a", "metadata"), MISSING, {"bpconvert": 1, "own": 2}, False),
        (("nodes", "a", "metadata"), MISSING, {}, False),
        (("nodes", "a", "metadata"), {"bpconvert": 1}, 5, False),
        (("nodes", "a", "metadata"), MISSING, "bpconvert", False),
    ],
)
def test_what_is_kept(path: Path, before: Any, after: Any, kept: bool) -> None:
    assert _is_kept(Difference(path, before, after)) is kept
