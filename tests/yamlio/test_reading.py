"""Reading YAML: the same values as PyYAML's SafeLoader, which both engines use; containers, places, errors."""

from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic
import pytest
import yaml
from hypothesis import given, settings
from source_texts import source
from yaml_as_engines import (
    REAL_FILES,
    REALWORLD,
    SCALAR_TEXTS,
    assert_sources_stand_alone,
    by_engine,
    entries,
    merges_by_identity,
    moments,
    needs_realworld,
    plain_data,
    same,
    styles,
)

from bpconvert.diagnostics import SourceError
from bpconvert.diagnostics.codes import CODES
from bpconvert.yamlio import events as scanners
from bpconvert.yamlio.document import Document, Duplicate, Map, Place, Seq, load
from bpconvert.yamlio.tree import event_place

# -- scalars ----------------------------------------------------------------------------------------------------

TAGGED = """
!!str 1|!!str yes|!!str|!!str ~|!!int '0x1F'|!!int "1:30"|!!int -5|!!float 1|!!float '1:30.5'|!!float .inf|!!bool 'no'
!!bool ON|!!null x|!!null ''|!!binary aGVsbG8=|!!timestamp '2013-05-23'|!!timestamp 2001-12-14t21:59:43.10-05:00
! 12|! 'yes'|! yes|!!seq [1]|!!map {a: 1}|!!omap [b: 1, a: 2]|!!pairs [a: 1, a: 2]|! [1]|! {a: 1}
"""
TAGGED_TEXTS = TAGGED.strip().replace("\n", "|").split("|")


@pytest.mark.parametrize("scalar", SCALAR_TEXTS + TAGGED_TEXTS)
def test_scalar_as_in_pyyaml(scalar: str) -> None:
    text = f"{scalar}\n"
    for shape in ("{}", "k: {}", "- {}", "? {}\n: v"):
        written = shape.format(text)
        try:
            expected = by_engine(written)
        except Exception:
            with pytest.raises(SourceError):
                load(written)
        else:
            assert same(load(written).data, expected), written


@pytest.mark.parametrize("text", ["a: !!set {x, y}", "a: !!set {x: 1, x: 2}", "!!set {}"])
def test_sets(text: str) -> None:
    assert load(text).data == yaml.safe_load(text)


def test_scalar_values_by_hand() -> None:
    text = "[yes, 010, 0o10, 0x1F, 1:30, 12:30:45, 1_000, 1e3, 1.0e+3, 1.10, ~, 2013-05-23, 0b101, '0123', y]"
    values = load(text).data
    assert values == [True, 8, "0o10", 31, 90, 45045, 1000, "1e3", 1000.0, 1.1, None, "2013-05-23", 5, "0123", "y"]
    assert type(values[0]) is bool
    assert math.isnan(load(".nan").data)


def test_the_cache_of_scalars_is_bounded() -> None:
    load("\n".join(f"- word{number}" for number in range(10_000)))
    load("- " + "long" * 1000)
    from bpconvert.yamlio.scalars import CACHE_SIZE, PLAIN

    assert len(PLAIN) <= CACHE_SIZE
    assert all(len(text) < 4000 for text in PLAIN)


# -- whole documents --------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(plain_data | moments, styles)
def test_dumped_data_reads_as_in_pyyaml(data: Any, style: dict[str, Any]) -> None:
    text = yaml.safe_dump(data, sort_keys=False, **style)
    document = load(text)
    assert same(document.data, by_engine(text))
    assert same(load(text.encode()).data, by_engine(text))
    assert_sources_stand_alone(document)


@needs_realworld
@pytest.mark.parametrize("folder", sorted(path.name for path in REALWORLD.glob("*/*") if path.is_dir()))
def test_real_files_read_as_in_pyyaml(folder: str) -> None:
    for path in (path for path in REAL_FILES if folder in path.parts):
        text = path.read_bytes()
        try:
            expected = by_engine(text)
        except yaml.YAMLError:
            with pytest.raises(SourceError):
                load(text, path.name)
            continue
        assert same(load(text, path.name).data, expected), path
        assert same(load(text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")).data, expected), path


MERGES = [
    "a: &a {x: 1, y: 2}\nb: {z: 0, <<: *a, y: 3}\n",
    "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], w: 1}\n",
    "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc:\n  <<: *b\n  x: 3\n",
    "<<: {a: 1, b: 2}\nb: 3\n",
    "<<: [{a: 1}, {a: 2, c: 3}]\nb: 3\n",
    "<<: {<<: {a: 1}, b: 2}\n",
    "<<: []\na: 1\n",
    "<<: &a {a: 1}\nb: *a\n",
    "&m <<: {a: 1}\n",
    "!!merge m: {a: 1}\n",
    "<<: {1: a}\ntrue: b\n",
    "a: 1\na: 2\n<<: {a: 3, b: 1}\n",
    "=: 1\n",
    "a: &a [1]\nb: *a\n",
    "&k a: 1\nb: *k\n",
    "{? a, ? b : c, d}\n",
    "[a: 1, b]\n",
    "1: a\ntrue: b\n~: c\n1.5: d\n",
    "a:\tb\n",
    "a: {concat:[x, y]}\n",
    "{type: OS::Nova::Server}\n",
    "a: {b? c: d}\n",
    "%YAML 1.1\n%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\n",
    "%YAML 1.2\n---\na: yes\n",
    "a: b\x85c: d\n",
    "a: 'x\u2028y'\n",
    "--- |\n a\n",
    "---\n",
    "",
    "# only a comment\n",
    "a: 1\n...\n",
]


@merges_by_identity
def test_the_last_of_several_merges_counts() -> None:
    text = "a: &a {x: 1}\nb: &b {x: 2}\nc: {k: 0, <<: *a, <<: *b}\n"
    assert same(load(text).data, by_engine(text))


def test_merges_of_one_mapping() -> None:
    """As PyYAML had it before 6.0.4: the last one of several counts, and of a list the first one."""
    assert load("{<<: {xy: 1}, <<: {xy: 2}}").data == {"xy": 2}
    assert load("{<<: [{xy: 1}, {xy: 2}]}").data == {"xy": 1}


@pytest.mark.parametrize("text", MERGES)
def test_document_as_in_pyyaml(text: str) -> None:
    assert same(load(text).data, by_engine(text))


@pytest.mark.parametrize("kept", [slice(1, None), slice(2, None)], ids=["PyYAML C", "PyYAML pure"])
def test_every_scanner_gives_the_same(kept: slice, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text in MERGES if "\t" not in text and "?" not in text]
    texts += [path.read_text() for path in REAL_FILES[::12]]
    texts = [text for text in texts if _is_yaml(text)]
    documents = [load(text) for text in texts]
    monkeypatch.setattr(scanners, "SCANNERS", scanners.SCANNERS[kept])
    for text, document in zip(texts, documents, strict=True):
        other = load(text)
        assert repr(other.data) == repr(document.data)
        assert other.comments == document.comments
        for path, _ in entries(document.data):
            assert other.locate(path) == document.locate(path)
            assert source(other, path) == source(document, path)


def _is_yaml(text: str) -> bool:
    try:
        by_engine(text)
    except yaml.YAMLError:
        return False
    return True


def test_reads_without_the_extension(tmp_path: Path) -> None:
    program = """if True:
        import sys
        sys.modules["ruamel.yaml.cyaml"] = sys.modules["_ruamel_yaml"] = None
        from bpconvert.yamlio import document, events
        assert len(events.SCANNERS) == 2
        print(document.load("a: [1, x] # c").data)
    """
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == "{'a': [1, 'x']}\n"


@pytest.mark.parametrize(
    "source",
    [
        "a: é😀\n".encode(),
        b"\xef\xbb\xbfa: \xc3\xa9\xf0\x9f\x98\x80\n",
        "a: é😀\n".encode("utf-16"),
        b"\xff\xfe" + "a: é😀\n".encode("utf-16-le"),
        b"\xfe\xff" + "a: é😀\n".encode("utf-16-be"),
        "\ufeffa: é😀\n",
        "a: é😀\r\n",
    ],
)
def test_encodings(source: str | bytes) -> None:
    document = load(source)
    assert document.data == {"a": "é😀"}
    assert document.text.startswith("a: é")
    assert document.locate(("a",)) == (1, 1)


# -- containers -------------------------------------------------------------------------------------------------


def test_map_and_seq_behave_as_dict_and_list() -> None:
    data = load("a: {b: [1, x]}\nc: !!str 1\n").data
    plain = {"a": {"b": [1, "x"]}, "c": "1"}
    assert type(data) is Map
    assert type(data["a"]["b"]) is Seq
    assert data == plain
    assert plain == data
    assert repr(data) == repr(plain)
    assert json.dumps(data) == json.dumps(plain)
    for copied in (copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert type(copied) is dict
        assert copied == plain
    assert type(copy.deepcopy(data)["a"]["b"]) is list

    class Model(pydantic.BaseModel, strict=True):
        a: dict[str, list[int | str]]
        c: Any

    assert Model.model_validate(data).model_dump() == plain
    assert pydantic.TypeAdapter(dict[str, Any]).validate_python(data)["a"]["b"] is data["a"]["b"]


def test_containers_made_by_hand_have_no_places() -> None:
    node = Map(a=Seq([1]))
    assert (node.flow, list(node.merged)) == (False, [])
    assert not node["a"].flow
    with pytest.raises(KeyError):
        node.entry("a")
    document = Document("x.yaml", "", node)
    assert document.locate(("a", 0)) == (1, 1)
    assert document.span(("a",)) is None
    assert document.comments == {}


def written_at(node: Any, key: Any) -> tuple[Place, Place]:
    """Where the key and where its value begins."""
    _, key_event, event, _ = node.entry(key)
    return event_place(key_event), event_place(event)


def test_places() -> None:
    document = load("# c\na:\n  b: [x,\n    y]\n  ? k\n  : v\nl:\n- p: 1\n-\n  q: 2\n")
    data = document.data
    assert written_at(data, "a") == ((2, 1), (3, 3))
    assert written_at(data["a"], "b") == ((3, 3), (3, 6))
    assert written_at(data["a"], "k") == ((5, 5), (6, 5))
    assert data["a"]["b"].flow
    assert not data["a"].flow
    assert [event_place(item) for item in data["a"]["b"].items] == [(3, 7), (4, 5)]
    assert [event_place(item) for item in data["l"].items] == [(8, 3), (10, 3)]
    assert document.locate(()) == (2, 1)
    assert document.locate(("a", "b", 1)) == (4, 5)
    assert document.locate(("a", "b", 7)) == (3, 3)
    assert document.locate(("a", "nope", 7)) == (2, 1)
    assert document.locate(("nope",)) == (2, 1)
    assert document.locate(("l", "nope")) == (7, 1)
    assert document.locate(("a", ["unhashable"])) == (2, 1)
    assert load("").locate(("a",)) == (1, 1)
    assert load("\n\n- a\n").locate(()) == (3, 3)


def test_places_of_merged_keys_and_aliases() -> None:
    document = load("a: &a\n  x: 1\n  y: {z: 1}\nb:\n  <<: *a\n  x: 2\nc: *a\nd: {<<: {n: 1}}\ne:\n  <<: {<<: *a}\n")
    assert list(document.data["b"].merged) == ["y"]
    assert list(document.data["a"].merged) == []
    assert document.locate(("b", "y", "z")) == (3, 7)
    assert document.locate(("b", "x")) == (6, 3)
    assert document.locate(("c", "x")) == (2, 3)
    assert document.locate(("d", "n")) == (8, 10)
    assert document.locate(("e", "x")) == (2, 3)
    assert document.data["c"] is document.data["a"]
    assert document.data["b"]["y"] is document.data["a"]["y"]


def test_duplicates_keep_the_last_and_are_recorded() -> None:
    document = load(
        "a: 1\nb:\n  - x: 1\n    y: 0\n    x: {p: 1, p: 2}\na: 2\n1: i\ntrue: t\nc: 1\n<<: {c: 2}\n<<: {c: 3}\n"
    )
    assert document.data["a"] == 2
    assert document.duplicates == [
        Duplicate(("a",), "a", 6, 1, (1, 1)),
        Duplicate((True,), True, 8, 1, (7, 1)),
        Duplicate(("b", 0, "x"), "x", 5, 5, (3, 5)),
        Duplicate(("b", 0, "x", "p"), "p", 5, 15, (5, 9)),
    ]
    assert document.locate(("a",)) == (6, 1)
    assert load("a: {b: 1}\nc: {b: 1}\n").duplicates == []


# -- errors -----------------------------------------------------------------------------------------------------

ERRORS: list[tuple[str | bytes, str, tuple[int, int], str]] = [
    ("a: b: c\n", "BPC101", (1, 5), "a second ': '"),
    ("a:\n\tb: 1\n", "BPC101", (2, 1), "tab"),
    ("a: [1, 2\nb: 3\n", "BPC101", (2, 2), "begins in line 1"),
    ("x: 1\na: 'x\nb: 1\n", "BPC101", (2, 4), "closing quote"),
    ("a: 1\nb\nc: 2\n", "BPC101", (2, 1), "':' is missing"),
    ("a:\n  b: 1\n c: 2\n", "BPC101", (3, 2), "block mapping"),
    ("a: @x\n", "BPC101", (1, 4), "'@'; quote it"),
    ("a: 1\n{% if x %}\nb: 1\n{% endif %}\n", "BPC101", (2, 1), "Jinja"),
    ("x: {y: A::B}\nz: 'q\n", "BPC101", (2, 4), "closing quote"),
    ("a: {concat:[b]}\nc: d: e\n", "BPC101", (2, 5), "a second ': '"),
    ('a: "\\ud800"\n', "BPC101", (1, 7), "escape"),
    ('a: "\\q"\n', "BPC101", (1, 6), "escape"),
    ("[" * 2000 + "]" * 2000, "BPC101", (1, 0), "nested too deeply"),
    ("a: 1\n---\nb: 1\n", "BPC103", (2, 1), "second YAML document"),
    ("a: !foo 1\n", "BPC104", (1, 4), "'!foo'"),
    ("a: !foo {b: 1}\n", "BPC104", (1, 4), "'!foo'"),
    ("a: !!python/object:os.x {}\n", "BPC104", (1, 4), "'!!python/object:os.x'"),
    ("a: *x\n", "BPC105", (1, 4), "'&x'"),
    ("a: &x [*x]\n", "BPC105", (1, 8), "inside"),
    ("a: &x {<<: *x}\n", "BPC105", (1, 12), "inside"),
    ("a: &x 1\nb: &x 2\n", "BPC105", (2, 4), "twice"),
    ("a: =\n", "BPC106", (1, 4), "'='"),
    ("- <<\n", "BPC106", (1, 3), "'<<'"),
    ("<<\n", "BPC106", (1, 1), "'<<'"),
    ("a: ! '*'\n", "BPC106", (1, 4), "'*'"),
    ("! '&': 1\n", "BPC106", (1, 1), "'&'"),
    ("<<: 1\n", "BPC106", (1, 5), "mapping"),
    ("<<: [{a: 1}, 2]\n", "BPC106", (1, 5), "mapping"),
    ("? [a]\n: 1\n", "BPC106", (1, 3), "key"),
    ("? {a: 1}\n: 1\n", "BPC106", (1, 3), "key"),
    ("a: &l [1]\nb: {*l : 1}\n", "BPC106", (2, 5), "key"),
    ("a: 1\nb: 0b_\n", "BPC106", (2, 4), "'0b_'"),
    ("a: !!int x\n", "BPC106", (1, 4), "'x'"),
    ("a: !!int ''\n", "BPC106", (1, 4), "''"),
    ("a: !!int '-'\n", "BPC106", (1, 4), "'-'"),
    ("a: !!float x\n", "BPC106", (1, 4), "'x'"),
    ("a: !!bool maybe\n", "BPC106", (1, 4), "'maybe'"),
    ("a: !!binary é\n", "BPC106", (1, 4), "base64"),
    ("a: !!set [x]\n", "BPC106", (1, 4), "'!!set'"),
    ("a: !!int [x]\n", "BPC106", (1, 4), "'!!int'"),
    ("a: !!omap {x: 1}\n", "BPC106", (1, 4), "'!!omap'"),
    ("a: !!omap [{x: 1, y: 1}]\n", "BPC106", (1, 12), "one key"),
    (b"a: 1\nb: \xff\n", "BPC107", (2, 4), "UTF-8"),
    (b"\xef\xbb\xbfa: \xff\n", "BPC107", (1, 4), "UTF-8"),
    (b"\xff\xfea\x00:\x00 \x00\x00\xd8a\x00", "BPC107", (1, 4), "UTF-16"),
    ("a: 1\nb: \x00\n", "BPC107", (2, 4), "U+0000"),
    ("a: 'x\x07'\n", "BPC107", (1, 6), "U+0007"),
    ("a: \x7f\n", "BPC107", (1, 4), "U+007F"),
    ("a: \ud800\n", "BPC107", (1, 4), "U+D800"),
]


@pytest.mark.parametrize(("source", "code", "place", "words"), ERRORS)
def test_errors(source: str | bytes, code: str, place: tuple[int, int], words: str) -> None:
    with pytest.raises(SourceError) as caught:
        load(source, "t.yaml")
    found = caught.value.diagnostic
    assert found.code == code
    assert words in found.message
    assert "\n" not in found.message
    assert found.span.file == "t.yaml"
    assert (found.span.line, found.span.column) == (place[0], place[1] or found.span.column)
    assert str(found.severity) == CODES[code].severity
    assert "{" not in found.hint


# A value that contains itself, half of a character, nested 2000 deep: refused, though an engine may read it.
READ_BY_AN_ENGINE = ["a: &x [*x]\n", "a: &x {<<: *x}\n", 'a: "\\ud800"\n', "[" * 2000 + "]" * 2000]


@pytest.mark.parametrize("source", [source for source, *_ in ERRORS if source not in READ_BY_AN_ENGINE])
def test_what_is_refused_no_engine_reads(source: str | bytes) -> None:
    with pytest.raises((yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError)):
        by_engine(source)


def test_timestamps_are_text() -> None:
    assert load("a: 2013-99-99\n").data == {"a": "2013-99-99"}


def test_aliases_that_stand_for_more_than_any_document_has() -> None:
    rows = [f"{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 10)}]\n" for n in range(9)]
    assert load("".join(rows[:5])).data[4][0][0][0][0][0] == "x"
    with pytest.raises(SourceError, match="the aliases stand for more than") as caught:
        load("".join(rows))
    assert (caught.value.diagnostic.code, caught.value.diagnostic.span.line) == ("BPC101", 6)
