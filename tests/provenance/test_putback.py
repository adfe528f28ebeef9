"""Edits put back into a source of a small language: a thing becomes a node, a parameter an input, a script a file."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import putback
from bpconvert.translators.provenance.differences import Difference
from bpconvert.translators.provenance.putback import FILES, PutBack, Yield, _is_kept, yielded
from bpconvert.yamlio.document import Document, load
from bpconvert.yamlio.emit import Alias, Anchor

SOURCE = """\
params:
  # in GB
  size: 3

things:
  disk:
    size: {get: size}
    kind: fast  # or slow
    tags: [a, b]
  web:
    host: disk
    script: echo hello
    level: 7
"""


def translated(document: Document) -> Yield | None:
    """What a source becomes. One without things cannot be translated."""
    data: Any = document.data
    if not isinstance(data, dict) or not isinstance(data.get("things"), dict):
        return None
    params, files = data.get("params") or {}, {}
    made: dict[Path, list[Path]] = {("params", name): [("inputs", name)] for name in params}
    nodes: dict[str, Any] = {}
    for name, thing in data["things"].items():
        if not isinstance(thing, dict):
            return None
        own = thing.get("called", name)
        made["things", name] = [("nodes", own)]
        node: dict[str, Any] = {"is": "thing"}
        for key, value in thing.items():
            if key == "script":
                files[f"{name}.sh"] = value
                node["script"] = f"{name}.sh"
            elif key == "twin":
                nodes[value] = {"is": "twin"}
                made["things", name].append(("nodes", value))
            elif key == "port":
                nodes[f"{name}_port"] = {"is": "port"}
                made["things", name].append(("nodes", f"{name}_port"))
            elif key == "host":
                host = data["things"].get(value)
                node["host"] = host.get("called", value) if isinstance(host, dict) else value
            elif key == "level":
                node["properties"] = {"level": value, "next": value + 1 if isinstance(value, int) else value}
            elif key != "called":
                node[key] = value
        nodes[own] = node
    lowered = Lowered({"inputs": {name: {"default": one} for name, one in params.items()}, "nodes": nodes}, made=made)
    for section in ("meta", "node_types"):
        if section in data:
            lowered.data[section] = data[section]
            lowered.made.update({(section, name): [(section, name)] for name in data[section]})
    return yielded(lowered, files)


def settled(before: Document, after: Document) -> Document | None:
    """None where a thing is in one that is not there."""
    things = after.data.get("things") or {}
    missing = [
        one["host"] for one in things.values() if isinstance(one, dict) and "host" in one and one["host"] not in things
    ]
    return None if missing else after


def put_back(change: Callable[[Any], None], source: str = SOURCE, **more: Any) -> PutBack:
    """The source on its way to what it yields with a change."""
    document = load(source, "s")
    made = translated(document)
    assert made is not None
    wanted = deepcopy(made.data)
    change(wanted)
    return PutBack(document, made, wanted, more.get("translate", translated), {"get"}, settled, "inputs")


def by_values(change: Callable[[Any], None], source: str = SOURCE, **more: Any) -> tuple[str, list[Any]]:
    """The text of the source after the change, and what is left of it."""
    edits = put_back(change, source, **more)
    edits.by_values()
    return edits.document.text, [(one.path, one.before, one.after) for one in edits.left]


def set_to(value: Any, *path: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


def all_of(*changes: Callable[[Any], None]) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for one in changes:
            one(data)

    return change


def removed(*path: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


def renamed(section: str, old: str, new: str) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        data[section] = {new if name == old else name: one for name, one in data[section].items()}

    return change


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
    edits = PutBack(document, made, wanted, with_sum, {"get"}, settled, "inputs")
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
    edits = PutBack(document, made, wanted, with_types, {"get"}, settled, "inputs")
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
    edits = PutBack(document, made, wanted, about, {"get"}, lambda before, after: after, "inputs")
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
    edits = PutBack(document, made, wanted, keeping, {"get"}, settled, "inputs")
    edits.by_values()
    assert (edits.document.text, edits.left) == (SOURCE.replace("fast", "slow"), [])
    wanted["nodes"]["disk"]["bpconvert"]["of"] = "other"
    edits = PutBack(document, made, wanted, keeping, {"get"}, settled, "inputs")
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
    edits = PutBack(document, made, wanted, by_content, {"get"}, settled, "inputs")
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
    edits = PutBack(document, made, wanted, with_sum, {"get"}, settled, "inputs")
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


# -- by the translation of the document ------------------------------------------------------------------------


def by_translation(
    change: Callable[[Any], None], back: Callable[[Any], None], source: str = SOURCE
) -> tuple[str, list[Difference]]:
    """As :func:`by_values`, where the edited document becomes the source with a change."""
    edits = put_back(change, source)
    before: Any = load(source).data
    after = deepcopy(before)
    back(after)
    edits.by_translation(before, after)
    return edits.document.text, edits.left


@pytest.mark.parametrize(
    ("change", "back", "old", "new"),
    [
        (set_to("big", "nodes", "disk", "kind"), set_to("big", "things", "disk", "kind"), "kind: fast", "kind: big"),
        (
            set_to(1, "nodes", "disk", "count"),
            set_to(1, "things", "disk", "count"),
            "[a, b]\n",
            "[a, b]\n    count: 1\n",
        ),
        (removed("nodes", "disk", "tags"), removed("things", "disk", "tags"), "    tags: [a, b]\n", ""),
        (
            set_to(["a", "x", "b"], "nodes", "disk", "tags"),
            set_to(["a", "x", "b"], "things", "disk", "tags"),
            "[a, b]",
            "[a, x, b]",
        ),
        (
            set_to({"get": "other"}, "nodes", "disk", "size"),
            set_to({"get": "other"}, "things", "disk", "size"),
            "{get: size}",
            "{get: other}",
        ),
        (set_to(4, "nodes", "disk", "size"), set_to(4, "things", "disk", "size"), "{get: size}", "4"),
    ],
    ids=["value", "new key", "no key", "item", "call", "no call"],
)
def test_what_the_document_becomes_is_put_back(
    change: Callable[[Any], None], back: Callable[[Any], None], old: str, new: str
) -> None:
    text, left = by_translation(change, back)
    assert text == SOURCE.replace(old, new)
    assert left == []


def test_each_entry_by_itself() -> None:
    """What the document becomes at one of them does not bring the edit about."""
    text, left = by_translation(
        all_of(set_to("slow", "nodes", "disk", "kind"), set_to(1, "nodes", "web", "count")),
        all_of(
            set_to("odd", "things", "disk", "kind"), set_to(4, "params", "size"), set_to(1, "things", "web", "count")
        ),
    )
    assert text == SOURCE + "    count: 1\n"
    assert [one.path for one in left] == [("nodes", "disk", "kind")]


def test_a_new_entry_is_put_back_with_the_definitions_that_it_needs() -> None:
    source = SOURCE + "node_types:\n  t: {a: 1}\n"

    def back(data: Any) -> None:
        data["node_types"]["u"] = {"b": 1}
        data["things"]["disk"]["type"] = "u"

    def change(data: Any) -> None:
        data["node_types"]["u"] = {"b": 1}
        data["nodes"]["disk"]["type"] = "u"

    text, left = by_translation(change, back, source)
    assert left == []
    assert load(text).data["node_types"] == {"t": {"a": 1}, "u": {"b": 1}}
    assert load(text).data["things"]["disk"]["type"] == "u"


def test_entries_are_not_put_back_by_their_parts() -> None:
    change, back = set_to({"is": "thing", "k": 1}, "nodes", "new"), set_to({"k": 1}, "things", "new")
    text, left = by_translation(change, back)
    assert text == SOURCE
    assert [one.path for one in left] == [("nodes", "new")]


def test_several_differences_of_an_entry() -> None:
    def edit(data: Any, section: str) -> None:
        data[section]["disk"] |= {"kind": "big", "tags": ["x", "b", "c"], "size": {"a": 1, "b": 2}, "count": 1}

    text, left = by_translation(lambda data: edit(data, "nodes"), lambda data: edit(data, "things"))
    assert left == []
    assert "    kind: big  # or slow\n" in text
    assert "    tags: [x, b, c]\n" in text
    assert load(text).data["things"]["disk"]["size"] == {"a": 1, "b": 2}


DEEP = """\
things:
  a:
    deep:
      # the first
      x: 1  # one
      y: 2  # two
    size: {get: size}
    tags:
      - a  # one
      - b  # two
"""


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        ({"deep": {"x": 5, "y": 2}, "kind": 1}, "x: 1", "x: 5"),
        ({"deep": {"x": 5, "y": 2}, "size": {"a": 1, "b": 2}}, "x: 1", "x: 5"),
        ({"tags": ["a", "x", "b"], "kind": 1}, "# one\n      - b", "# one\n      - x\n      - b"),
        ({"tags": ["b"], "kind": 1}, "      - a  # one\n", ""),
    ],
    ids=["a value", "beside a call", "an item", "no item"],
)
def test_only_what_differs_is_written_anew(edit: dict[str, Any], old: str, new: str) -> None:
    text, left = by_translation(
        lambda data: data["nodes"]["a"].update(edit), lambda data: data["things"]["a"].update(edit), DEEP
    )
    assert left == []
    expected = DEEP.replace(old, new)
    if "size" in edit:
        assert [line for line in text.splitlines() if "#" in line] == [
            line for line in expected.splitlines() if "#" in line
        ]
        assert load(text).data["things"]["a"]["size"] == {"a": 1, "b": 2}
    else:
        assert text == expected + "    kind: 1\n"


def test_what_the_source_has_otherwise_is_exchanged_as_far_out_as_it_takes() -> None:
    edits = put_back(set_to({"a": 1}, "nodes", "disk", "kind"))
    things = {"disk": {"kind": {"a": 0}}}
    edits.by_translation({"things": things, "x": {"y": 1}}, {"things": {"disk": {"kind": {"a": 1}}}, "x": {}})
    assert edits.left == []
    assert load(edits.document.text).data["things"]["disk"]["kind"] == {"a": 1}


def test_new_entries_are_not_put_back_with_definitions() -> None:
    source = SOURCE + "node_types:\n  t: {a: 1}\n"

    def edit(data: Any, section: str, new: Any) -> None:
        data["node_types"]["u"] = {"b": 1}
        data[section]["new"] = new

    text, left = by_translation(
        lambda data: edit(data, "nodes", {"is": "thing", "k": 1}), lambda data: edit(data, "things", {"k": 1}), source
    )
    assert text == source
    assert {one.path for one in left} == {("nodes", "new"), ("node_types", "u")}


CALLS = """\
things:
  a: {get: x}
  b: {call: {get: size}, map: {x: 1, y: 2}, list: [{get: size}, 1], empty: {}, both: {get: size, y: 1}}
"""


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("b call get", "b call get"),
        ("b call other", "b call"),
        ("b call other deep", "b call"),
        ("b map get", "b map"),
        ("b map z", "b map z"),
        ("b map x", "b map x"),
        ("b map x deep", "b map x deep"),
        ("b list 0 other", "b list 0"),
        ("b list 0 get", "b list 0 get"),
        ("b list 2", "b list 2"),
        ("b list 2 get", "b list 2 get"),
        ("b list x get", "b list x get"),
        ("b empty get", "b empty get"),
        ("b both z", "b both z"),
        ("a other", "a other"),
    ],
)
def test_a_call_is_exchanged_as_a_whole(path: str, whole: str) -> None:
    def steps(words: str) -> Path:
        return ("things", *(int(word) if word.isdigit() else word for word in words.split()))

    assert put_back(lambda data: None, CALLS)._whole(steps(path)) == steps(whole)


# -- what is translated anew -----------------------------------------------------------------------------------


def test_a_text_that_yields_the_edit() -> None:
    edits = put_back(set_to("slow", "nodes", "disk", "kind"))
    for is_anew in (True, False):
        found = edits.judged(SOURCE.replace("fast", "slow"), is_anew)
        assert found is not None
        assert found[1] == []
        assert found[0].data["nodes"]["disk"]["kind"] == "slow"


@pytest.mark.parametrize(
    "text",
    ["things: [", "other: 1\n", SOURCE.replace("fast", "'not converted: x'")],
    ids=["no yaml", "not translated", "a placeholder"],
)
@pytest.mark.parametrize("is_anew", [True, False])
def test_a_text_that_counts_in_no_case(text: str, is_anew: bool) -> None:
    assert put_back(set_to("slow", "nodes", "disk", "kind")).judged(text, is_anew) is None


@pytest.mark.parametrize(
    "text",
    [
        SOURCE,
        SOURCE.replace("fast", "other"),
        SOURCE.replace("fast", "other").replace("level: 7", "level: 8"),
        SOURCE.replace("fast", "slow") + "  more: {}\n",
        SOURCE.replace("fast", "slow") + "".join(f"# {n}\n" for n in range(20)),
    ],
    ids=["the same", "no nearer", "farther", "another entry", "many lines"],
)
def test_a_text_that_was_written_anew_has_to_be_nearer_and_no_other(text: str) -> None:
    edits = put_back(all_of(set_to("slow", "nodes", "disk", "kind"), set_to(["a"], "nodes", "disk", "tags")))
    assert edits.judged(text, True) is None
    if "#" not in text[len(SOURCE) :]:
        assert edits.judged(text, False) is not None


def test_as_many_lines_may_change_as_were_edited() -> None:
    """Three for each line that was edited, on both sides, and six."""
    edits = put_back(set_to("slow", "nodes", "disk", "kind"))
    new = SOURCE.replace("fast", "slow")
    most = next(n for n in range(40) if edits.judged(new + "#\n" * n, True) is None)
    assert most == 3 * 2 + 6 - 2 + 1
    edits = put_back(all_of(set_to("slow", "nodes", "disk", "kind"), set_to({"is": "thing"}, "nodes", "new")))
    assert edits.judged(new + "  new: {}\n" + "#\n" * 40, True) is not None


def test_a_text_with_more_than_values_may_have_other_entries() -> None:
    change = all_of(set_to("slow", "nodes", "disk", "kind"), set_to({"is": "thing", "k": 1}, "nodes", "new"))
    edits = put_back(change)
    text = SOURCE + "  new: {k: 1}\n"
    found = edits.judged(text + "# x\n" * 60, True)
    assert found is not None
    assert [one.path for one in found[1]] == [("nodes", "disk", "kind")]


@pytest.mark.parametrize(
    ("more", "counts"), [("", True), ("other: {x: 1}\n", False), ("more: 1\n", False)], ids=["none", "section", "text"]
)
def test_a_text_in_place_of_values_has_no_other_entries(more: str, counts: bool) -> None:
    edits = put_back(all_of(set_to("slow", "nodes", "disk", "kind"), set_to(["a"], "nodes", "disk", "tags")))
    assert (edits.judged(SOURCE.replace("fast", "slow") + more, True) is not None) is counts


def test_a_parameter_in_a_text_is_another_entry() -> None:
    names = ("kind", "k", "l", "m")
    source = SOURCE.replace("kind: fast  # or slow", "kind: fast\n    k: fast\n    l: fast\n    m: fast")
    edits = put_back(all_of(*(set_to("slow", "nodes", "disk", name) for name in names)), source)
    text = source.replace("fast", "slow", 3)
    assert edits.judged(text, True) is not None
    assert edits.judged(text.replace("  size: 3\n", "  size: 3\n  more: 1\n"), True) is None


def test_placeholders_count_where_nothing_was_added() -> None:
    text = SOURCE + "  new: {k: 'not converted: x'}\n"
    edits = put_back(set_to({"is": "thing", "k": 1}, "nodes", "new"))
    assert edits.judged(text, False) is not None
    edits = put_back(set_to("slow", "nodes", "disk", "kind"), SOURCE.replace("fast", "'not converted: y'"))
    assert edits.judged(SOURCE.replace("fast", "'not converted: z'"), False) is not None


def test_nearer_at_some_entries() -> None:
    change = all_of(set_to("slow", "nodes", "disk", "kind"), set_to(8, "nodes", "web", "host"))
    edits = put_back(change)
    disk, web = ("nodes", "disk"), ("nodes", "web")
    text = SOURCE.replace("fast", "slow")
    found = edits.as_near(text, edits.left, {disk})
    assert found is not None
    assert [one.entry for one in found[1]] == [web]
    assert edits.as_near(text, edits.left, {web}) is None
    assert edits.as_near(text, edits.left, {disk, web}) is not None
    farther = SOURCE.replace("kind: fast", "kind: {a: 1, b: 2}")
    assert edits.as_near(farther, edits.left, {disk}) is None
    assert edits.as_near(farther, edits.left, {web}) is None
    as_near = SOURCE.replace("fast", "other")
    assert edits.as_near(as_near, edits.left, {disk}) is not None
    assert edits.as_near("things: [", edits.left, {disk}) is None
    assert edits.as_near("other: 1\n", edits.left, {disk}) is None


@pytest.mark.parametrize(
    ("change", "of_values", "new_entries"),
    [
        (set_to("slow", "nodes", "disk", "kind"), True, False),
        (removed("nodes", "disk", "kind"), True, False),
        (set_to(1, "nodes", "disk", "new"), False, False),
        (set_to({"a": 1}, "nodes", "disk", "kind"), False, False),
        (set_to({}, "nodes", "new"), False, True),
        (removed("nodes", "disk"), False, False),
        (all_of(set_to("slow", "nodes", "disk", "kind"), set_to(1, "nodes", "disk", "new")), False, False),
        (all_of(set_to("slow", "nodes", "disk", "kind"), set_to({}, "nodes", "new")), False, True),
    ],
    ids=["value", "no value", "new value", "a map", "new entry", "no entry", "two", "one of two"],
)
def test_what_is_left(change: Callable[[Any], None], of_values: bool, new_entries: bool) -> None:
    edits = put_back(change)
    assert (edits.is_of_values, edits.has_new_entries) == (of_values, new_entries)
