"""The record of a source in its result: short, one entry on a line; and records of earlier versions, which had JSON."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.cli.main import OK, main
from bpconvert.translators.provenance import parts
from bpconvert.yamlio.document import load

OLDER = Path(__file__).parent / "older"
HOT, BLUEPRINT = OLDER / "in/hot.yaml", OLDER / "in/blueprint.yaml"
#: what an earlier version made -> what it was made from
MADE = {"cfy/hot.yaml": HOT, "tosca/hot.yaml": HOT, "apart/hot.yaml": HOT}
MADE |= {"hot/blueprint.yaml": BLUEPRINT, "tosca/blueprint.yaml": BLUEPRINT}
#: names that are something else for a reader of YAML, or in a path with points
ODD = ["1.5", "a.b", "", "~", "yes", "<<", "a: b", "{x}", "[x]", "-", "0x1f", 7, None, True, "ż", "line\nbreak", "#"]


# -- the form -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("via", "target"), [("cloudify", "tosca"), ("tosca", "cloudify")])
def test_a_record_of_another_language_is_of_no_use(via: str, target: str) -> None:
    """What it was made from goes back, nowhere else; nobody has to be told."""
    result = convert(convert(HOT, "hot", via).text, via, target)
    without = convert(convert(HOT, "hot", via, carry=False).text, via, target)
    plain, expected = (
        {key: data for key, data in one.document.items() if key != "metadata"} for one in (result, without)
    )
    assert plain == expected
    assert {one.code for one in result.diagnostics} == {one.code for one in without.diagnostics}


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_entries_stand_on_lines_of_their_own(target: str) -> None:
    text = convert(HOT, "hot", target, files="copy").text
    listed = text[text.index("  bpconvert:") : text.index("heat_template_version: 2016")]
    listed = listed[listed.rindex("  bpconvert:") :]
    digest = "[0-9a-f]{12}\n"
    assert re.search(rf"\n +node_templates:\n( +net_name: {digest})? +net: {digest} +sub: {digest}", listed)
    assert '","' not in listed
    assert max(map(len, listed.splitlines())) < 100
    assert re.search(r'\n +files: \|\n +run.sh: \|\n +#!/bin/sh\n +echo "here"\n', listed)


def test_a_record_in_a_template() -> None:
    text = convert(BLUEPRINT, target="hot").text
    record = text[text.index("      bpconvert:\n") :]
    assert re.fullmatch(
        r"""      bpconvert:
        source: cloudify
        sum: [0-9a-f]{12}
        digests: \|
          heat_template_version: [0-9a-f]{12}
          parameters:
            size: [0-9a-f]{12}
          resources:
            net: [0-9a-f]{12}
            vm: [0-9a-f]{12}
        made: \|
          tosca_definitions_version: \[heat_template_version\]
        text: \|
""",
        record[: record.index("          # A network and a server")],
    )


def test_what_is_not_ascii_is_escaped_in_a_blueprint(tmp_path: Path) -> None:
    shutil.copytree(OLDER / "in", tmp_path, dirs_exist_ok=True)
    (tmp_path / "run.sh").write_text("echo Żółw\n", "utf-8")
    for target in ("cloudify", "tosca"):
        made = convert(tmp_path / "hot.yaml", "hot", target, files="keep")
        record = made.text[made.text.index("bpconvert:") :]
        assert record.isascii() is (target == "cloudify")
        assert convert(made.text, target, "hot", beside=made.files).text == HOT.read_text("utf-8")


# -- the parts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("escaped", [False, True])
def test_any_name_is_read_as_it_was(escaped: bool) -> None:
    digests: dict[Any, str] = {("nodes", name): f"{number:012}" for number, name in enumerate(ODD)}
    digests["version",] = "1234567e8901"
    made: dict[Any, Any] = {("nodes", name): [("a", name), ("b",), ("c.d", "e")] for name in ODD}
    made |= {("version",): [], ("x.y",): [("x.y",)]}
    kept = {"digests": parts.written_digests(digests), "made": parts.written_places(made)}
    kept |= {"files": parts.written({"a b.sh": "ż\n", "c": " x"}), "unkept": parts.written_words(["types", "params"])}
    if escaped:
        kept = parts.in_ascii(kept)
        assert "".join(kept.values()).isascii()
    assert parts.digests(kept) == digests
    assert parts.places_of(kept) == made
    assert parts.map_of(kept, "files") == {"a b.sh": "ż\n", "c": " x"}
    assert parts.words_of(kept, "unkept") == {"types", "params"}


def test_a_source_with_backslashes_is_escaped_and_read_again() -> None:
    source = "ż \\x41 \\\\ \\n\n"
    kept = parts.in_ascii({"text": source})
    assert kept["escaped"].isascii()
    assert parts.source_text(kept) == source
    assert parts.in_ascii({"text": "a \\"}) == {"text": "a \\"}


def test_parts_that_are_not_there_or_of_another_kind() -> None:
    assert (parts.map_of({}, "files"), parts.words_of({}, "unkept"), parts.places_of({})) == ({}, set(), {})
    assert parts.words_of({"unkept": '["a b", "c"]'}, "unkept") == {"a b", "c"}
    assert parts.words_of({"unkept": "a b["}, "unkept") == {"a", "b["}
    for text in ("- a", "[1]", "a", "a: [", "[", "{"):
        with pytest.raises(ValueError, match=r".+"):
            parts.map_of({"files": text}, "files")


def test_places_are_written_with_a_point() -> None:
    made: dict[Any, Any] = {("a", "b"): [("n", "c"), ("n",)], ("d",): [("n", "c.d"), ("n.m",)]}
    assert load(parts.written_places(made)).data == {"a": {"b": ["n.c", "n"]}, "d": ["n.c.d", ["n.m"]]}


@pytest.mark.parametrize("text", ["", "a", "3", "- a", "a: [", "a: !x 1", "[", "{", "{}\n---\n{}", "a: {b: c}\n &"])
def test_a_damaged_part(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        parts.digests({"digests": text})


# -- earlier versions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MADE)
def test_what_an_earlier_version_made_comes_back(name: str, tmp_path: Path) -> None:
    source = MADE[name]
    target = "hot" if source is HOT else "cloudify"
    assert '"],["' in (OLDER / name).read_text("utf-8") + (OLDER / "apart/.bpconvert/hot.yaml").read_text("utf-8")
    back = convert(OLDER / name, target=target)
    assert back.text.encode() == source.read_bytes()
    assert [found.code for found in back.diagnostics if found.code.startswith("BPC66")] == []
    if source is HOT:
        assert back.files["run.sh"] == (OLDER / "in/run.sh").read_text()


@pytest.mark.parametrize("name", MADE)
def test_an_edit_in_what_an_earlier_version_made(name: str, tmp_path: Path) -> None:
    """It goes back, and a new run keeps it and writes the record as it is today."""
    source = MADE[name]
    shutil.copytree(OLDER, tmp_path, dirs_exist_ok=True)
    place = tmp_path / name
    place.write_text(place.read_text("utf-8").replace("flavor: m1.small\n", "flavor: m1.large\n", 1), "utf-8")
    target = "hot" if source is HOT else "cloudify"
    wanted = load(source.read_text("utf-8").replace("flavor: m1.small", "flavor: m1.large")).data
    assert load(convert(place, target=target).text).data == wanted
    command = {"cfy": "hot2cfy", "apart": "hot2cfy", "hot": "cfy2hot"}.get(place.parent.name, f"{target[:3]}2tosca")
    command = command.replace("clo2", "cfy2")
    options = {"cfy": ["--files", "copy", "--dsl-version", "1_4"], "apart": ["--carry", "file"]}
    words = options.get(place.parent.name, [])
    assert main([command, str(tmp_path / "in" / source.name), "-o", str(place), "-q", *words]) == OK
    record = place.read_text("utf-8")
    assert "flavor: m1.large\n" in record[: record.index("bpconvert:\n") if "bpconvert:\n" in record else None]
    assert '"],["' not in record
    assert ("\n  net_name:\n    type: bpconvert.nodes.Value\n" in record) is (command == "hot2cfy")
    assert isinstance(load(record).data, dict)
    assert load(convert(place, target=target).text).data == wanted
