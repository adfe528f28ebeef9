"""Notes: a comment with its code above each stand-in and each required input of a result, in all directions."""

from __future__ import annotations

from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.cli.main import FINDINGS, OK, main
from bpconvert.diagnostics import Reporter
from bpconvert.diagnostics.codes import CODES
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import notes
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import load

HOT = """\
heat_template_version: 2016-10-14
parameters:
  pw: {type: string, hidden: true, default: geheim}
  # of the disk
  size: {type: number, default: 3}
resources:
  # the pool
  pool: {type: Acme::LB::Pool, properties: {password: geheim, size: {get_param: size}}}
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}
  web:
    type: OS::Nova::Server
    properties:
      image: debian
      flavor: small
      metadata: {zones: {yaql: {expression: $.data.len(), data: {get_attr: [disk, size]}}}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_types: {acme.Pool: {derived_from: cloudify.nodes.LoadBalancer}}
node_templates:
  # the pool
  pool: {type: acme.Pool}
  disk: {type: cloudify.nodes.openstack.Volume, properties: {resource_config: {size: 3}}}
  web:
    type: cloudify.nodes.openstack.Server
    properties: {image: {get_secret: image}, flavor: {get_sys: [deployment, id]}}
"""
SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types: {acme.Pool: {derived_from: tosca.nodes.Root}}
topology_template:
  node_templates:
    # the pool
    pool: {type: acme.Pool}
    disk: {type: tosca.nodes.BlockStorage, properties: {size: 3 GB}}
    web: {type: tosca.nodes.Compute}
"""
SOURCES = {"hot": HOT, "cloudify": BLUEPRINT, "tosca": SERVICE}
GIVE = "give the value when deploying"
#: (source, target) -> the notes, by name of what stands below
WAYS = {
    ("hot", "cloudify"): {
        "pool": "# BPC300: stand-in for Acme::LB::Pool, creates nothing",
        "web_metadata_zones": f"# BPC201: not converted; {GIVE}",
    },
    ("hot", "tosca"): {
        "pool": "# BPC801: stand-in for Acme::LB::Pool, creates nothing",
        "web_metadata_zones": f"# BPC201: not converted; {GIVE}",
    },
    ("cloudify", "hot"): {
        "pool": "# BPC398: stand-in for acme.Pool, creates nothing",
        "image": "# BPC234: secret 'image'; give its value when deploying",
    },
    ("cloudify", "tosca"): {
        "pool": "# BPC398: stand-in for acme.Pool, creates nothing",
        "deployment_id": f"# BPC871: only Cloudify knows it; {GIVE}",
        "image": "# BPC234: secret 'image'; give its value when deploying",
    },
    ("tosca", "hot"): {
        "pool": "# BPC380: stand-in for acme.Pool, creates nothing",
        "web_flavor": "# BPC812: name of the flavor of web; give it when deploying",
        "web_image": "# BPC812: name of the image of web; give it when deploying",
    },
    ("tosca", "cloudify"): {
        "pool": "# BPC300: stand-in for acme.Pool, creates nothing",
        "web_flavor": "# BPC812: name of the flavor of web; give it when deploying",
        "web_image": "# BPC812: name of the image of web; give it when deploying",
    },
}


def noted(text: str) -> dict[str, str]:
    """The notes of a result, by the name of the entry right below."""
    lines = text.splitlines()
    found = [number for number, line in enumerate(lines) if line.lstrip().startswith("# BPC")]
    return {lines[number + 1].strip().split(":")[0]: lines[number].strip() for number in found}


@pytest.fixture
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for language, text in SOURCES.items():
        Path(f"{language}.yaml").write_text(text, "utf-8")


# -- where they stand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_they_stand_right_above(way: tuple[str, str]) -> None:
    text = convert(SOURCES[way[0]], *way, carry=False).text
    assert noted(text) == WAYS[way]
    assert text.count("# the pool\n") == 1
    assert "geheim" not in " ".join(noted(text).values())


@pytest.mark.parametrize("way", WAYS)
def test_without_them_nothing_else_differs(way: tuple[str, str]) -> None:
    with_notes, without = convert(SOURCES[way[0]], *way), convert(SOURCES[way[0]], *way, notes=False)
    assert noted(without.text) == {}
    kept = [line for line in with_notes.text.splitlines() if not line.lstrip().startswith("# BPC")]
    assert kept == without.text.splitlines()
    assert with_notes.document == without.document


def test_an_input_of_several_findings_has_one() -> None:
    tenant = "{get_sys: [tenant, name]}"
    source = BLUEPRINT.replace("{get_secret: image}", tenant).replace("{get_sys: [deployment, id]}", tenant)
    result = convert(source, target="hot")
    assert [found.code for found in result.diagnostics].count("BPC230") == 2
    assert noted(result.text)["tenant_name"] == f"# BPC230: not converted; {GIVE}"
    assert result.text.count("BPC230") == 1


def test_a_nested_document_has_its_own(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(HOT)
    (tmp_path / "t.yaml").write_text("heat_template_version: 2016-10-14\nresources: {a: {type: inner.yaml}}\n")
    result = convert(tmp_path / "t.yaml")
    assert "pool" not in noted(result.text)
    assert noted(result.files["inner.yaml"])["pool"] == WAYS["hot", "cloudify"]["pool"]


def test_a_secret_is_in_none() -> None:
    text = convert(HOT.replace("geheim", "s3cr3t-pw").replace("Acme::LB::Pool", "Acme::s3cr3t-pw")).text
    note = noted(text)["pool"]
    assert "s3cr3t" not in note
    assert notes.is_note(note)


def test_a_type_that_is_no_line() -> None:
    text = convert(HOT.replace("Acme::LB::Pool", '"Acme::\\n  #\\x07::Pool"')).text
    assert noted(text)["pool"] == "# BPC300: stand-in for Acme:: #?::Pool, creates nothing"
    assert load(text).data == convert(HOT.replace("Acme::LB::Pool", '"Acme::\\n  #\\x07::Pool"')).document


@pytest.mark.usefixtures("_in_folder")
def test_the_option_and_its_place_in_the_configuration() -> None:
    assert main(["hot2cfy", "hot.yaml", "-o", "a.yaml", "-q", "--no-notes"]) == OK
    assert noted(Path("a.yaml").read_text()) == {}
    Path(".bpconvert.toml").write_text("no-notes = true\n")
    assert main(["hot2cfy", "hot.yaml", "-o", "b.yaml", "-q"]) == OK
    assert Path("b.yaml").read_text() == Path("a.yaml").read_text()
    assert main(["hot2cfy", "hot.yaml", "-o", "c.yaml", "-q", "--isolated"]) == OK
    assert noted(Path("c.yaml").read_text()) == WAYS["hot", "cloudify"]


# -- what they look like ------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [code for code, entry in CODES.items() if entry.note])
def test_a_sentence(code: str) -> None:
    entry = CODES[code]
    words, used, hinted = (
        {name for _, name, _, _ in Formatter().parse(text) if name} for text in (entry.message, entry.note, entry.hint)
    )
    assert used <= words | {"source_engine", "target_engine"}
    assert not entry.asks or entry.asks in words
    assert bool(entry.asks) is not entry.note.startswith("stand-in for {type}")
    text = f"# {code}: {entry.texts(dict.fromkeys(words | hinted, 'a: b # c'))[2]}"
    assert notes.is_note(text)
    assert len(entry.note) < 80
    assert not entry.note.endswith(".")


@pytest.mark.parametrize(
    "comment",
    ["# BPC300: ours, see the wiki", "# BPC300 stand-in for a, creates nothing", "# BPC999: x", "# BPC102: x",
     "# bpconvert: ignore[BPC300]", "# stand-in for a, creates nothing", "# BPC300: stand-in for a, creates nothing!"],
)  # fmt: skip
def test_comments_that_are_none(comment: str) -> None:
    assert not notes.is_note(comment)
    text = convert(HOT.replace("# the pool", comment)).text
    assert comment in text[: text.index("metadata:\n  bpconvert")]


# -- the way back -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_the_source_comes_back_as_it_was(way: tuple[str, str]) -> None:
    made = convert(SOURCES[way[0]], *way)
    back = convert(made.text, way[1], way[0])
    assert back.text == SOURCES[way[0]]
    assert [found.code for found in back.diagnostics if found.code.startswith("BPC6")] == []


@pytest.mark.parametrize("way", WAYS)
def test_an_edit_goes_back_without_them(way: tuple[str, str]) -> None:
    made = convert(SOURCES[way[0]], *way).text
    head = made[: made.rindex({"hot": "  bpconvert_sidecar:", "tosca": "  bpconvert: |"}.get(way[1], "  bpconvert:"))]
    edited = head.replace("size: 3", "size: 7").replace("default: 3\n", "default: 7\n")
    assert edited != head
    back = convert(made.replace(head, edited), way[1], way[0]).text
    assert "7" in back
    assert noted(back) == {}


@pytest.mark.parametrize("way", WAYS)
def test_they_are_not_carried_on(way: tuple[str, str]) -> None:
    made = convert(SOURCES[way[0]], *way, carry=False).text
    back = convert(made, way[1], way[0], carry=False)
    assert not set(noted(back.text).values()) & set(noted(made).values())
    again = convert(back.text, way[0], way[1], carry=False).text
    assert len(noted(again)) == again.count("# BPC")
    assert "# the pool" in again


@pytest.mark.usefixtures("_in_folder")
def test_a_comment_that_silences_is_another_one(capsys: pytest.CaptureFixture[str]) -> None:
    comment = "  # bpconvert: ignore[BPC300]\n  pool:"
    Path("t.yaml").write_text(HOT.replace("  pool:", comment))
    assert main(["hot2cfy", "t.yaml", "-o", "b.yaml"]) == OK
    assert "BPC300" not in capsys.readouterr().err
    text = Path("b.yaml").read_text()
    assert f"  # bpconvert: ignore[BPC300]\n  {WAYS['hot', 'cloudify']['pool']}\n  pool:" in text
    assert convert(text, "cloudify", "hot").text == Path("t.yaml").read_text()


# -- runs again ---------------------------------------------------------------------------------------------


def run(*more: str) -> int:
    return main(["hot2cfy", "hot.yaml", "-o", "b.yaml", "-q", *more])


def result() -> str:
    return Path("b.yaml").read_text("utf-8")


def change(old: str, new: str, place: str = "b.yaml") -> None:
    text = Path(place).read_text("utf-8")
    assert old in text
    Path(place).write_text(text.replace(old, new, 1), "utf-8")


POOL = "  # the pool\n  # BPC300: stand-in for Acme::LB::Pool, creates nothing\n  pool:\n"


@pytest.mark.usefixtures("_in_folder")
def test_a_run_again_sees_no_edit() -> None:
    assert run() == OK
    assert POOL in result()
    first = result()
    assert run("--check") == OK
    assert run("--no-notes", "--check") == FINDINGS
    assert run("--no-notes") == OK
    assert noted(result()) == {}
    assert run() == OK
    assert result() == first


@pytest.mark.usefixtures("_in_folder")
def test_an_edit_beside_them_is_kept() -> None:
    assert run() == OK
    change("      flavor: small\n", "      flavor: large   # for now\n")
    change("  web_metadata_zones:\n", "  web_metadata_zones:\n    display_label: zones\n")
    change("# the pool", "# the old pool")
    change("Acme::LB::Pool", "Acme::LB::Group", "hot.yaml")
    assert run() == OK
    wanted = POOL.replace("the pool", "the old pool").replace("Pool, creates", "Group, creates")
    assert wanted in result()
    assert "flavor: large   # for now\n" in result() or "flavor: large  # for now\n" in result()
    assert f"  {WAYS['hot', 'cloudify']['web_metadata_zones']}\n  web_metadata_zones:\n" in result()
    edited = result()
    assert run() == OK
    assert result() == edited


@pytest.mark.usefixtures("_in_folder")
def test_one_that_was_deleted_comes_back_with_what_it_is_about() -> None:
    assert run() == OK
    first = result()
    change("  # BPC300: stand-in for Acme::LB::Pool, creates nothing\n", "")
    assert run() == OK
    assert result() == first


@pytest.mark.usefixtures("_in_folder")
def test_a_stand_in_that_was_replaced_has_none() -> None:
    assert run() == OK
    start, end = result().index(POOL), result().index("  disk:")
    pool = "  pool:\n    type: cloudify.nodes.Compute\n\n"
    Path("b.yaml").write_text(result()[:start] + pool + result()[end:], "utf-8")
    change("debian", "cirros", "hot.yaml")
    assert run() == OK
    assert "image: cirros\n" in result()
    assert "  pool:\n    type: cloudify.nodes.Compute\n" in result()
    assert set(noted(result())) == {"web_metadata_zones"}


@pytest.mark.usefixtures("_in_folder")
def test_a_stand_in_that_is_gone_takes_its_own_along() -> None:
    assert run() == OK
    change("  pool: {type: Acme::LB::Pool, properties: {password: geheim, size: {get_param: size}}}\n", "", "hot.yaml")
    change("      flavor: small\n", "      flavor: large\n")
    assert run() == OK
    assert set(noted(result())) == {"web_metadata_zones"}
    assert "flavor: large\n" in result()


# -- the lines ------------------------------------------------------------------------------------------------

STAND_IN, ASKED = "# BPC300: stand-in for A::B, creates nothing", f"# BPC201: not converted; {GIVE}"


@pytest.mark.parametrize("breaks", ["\n", "\r\n"])
def test_notes_are_put_above_entries_and_taken_away_again(breaks: str) -> None:
    lines = ["# BPC300: mine", "a:", "  b: 1", "  # of c", "  c: {d: 1}", "e: 2", ""]
    text = breaks.join(lines)
    wanted = {("a",): ASKED, ("a", "b"): STAND_IN, ("a", "c"): ASKED, ("e",): STAND_IN}
    nowhere = {("a", "c", "d"): STAND_IN, ("a", "x"): STAND_IN}
    made = notes.put(text, wanted | nowhere, load(text))
    assert made == breaks.join([
        "# BPC300: mine", ASKED, "a:", f"  {STAND_IN}", "  b: 1", "  # of c", f"  {ASKED}", "  c: {d: 1}", STAND_IN,
        "e: 2", "",
    ])  # fmt: skip
    assert notes.places_in(load(made)) == wanted
    assert notes.without(load(made)).text == text
    assert notes.put(text, {}, load(text)) == text
    assert notes.put("a: 1", {("a",): ASKED}, load("a: 1")) == f"{ASKED}\na: 1"


@pytest.mark.parametrize("text", [f"a: 1  {STAND_IN}\n", f"a: 1\n{STAND_IN}\n"])
def test_what_does_not_stand_above_an_entry_stays(text: str) -> None:
    assert notes.without(load(text)).text == text


def test_comments_of_the_user_stay() -> None:
    mine = "# BPC300: see the wiki"
    comments = {
        ("a",): Comment(before=(STAND_IN, mine)),
        ("b",): Comment(before=(STAND_IN,)),
        ("c",): Comment(before=(ASKED,), inline=mine),
        ("d",): Comment(after=(mine, ASKED)),
    }
    assert notes.dropped(comments) == {
        ("a",): Comment(before=(mine,)),
        ("c",): Comment(inline=mine),
        ("d",): Comment(after=(mine,)),
    }


def test_a_note_stands_above_what_the_entry_became() -> None:
    """Also for a finding about a part of the entry; what became no entry has its place by what was moved there."""
    lowered = Lowered(
        {"node_templates": {"a": {}, "b": {"part": {}}}, "inputs": {"n": {}}, "description": "x"},
        moves=[
            (("resources", "x", "properties"), ("node_templates", "b", "part")),
            (("conditions", "c"), ("inputs", "n")),
        ],
        made={
            ("resources", "a"): [("node_templates", "a"), ("node_templates", "b")],
            ("description",): [("description",)],
        },
    )

    def placed(*path: str) -> list[Any]:
        reporter = Reporter(load("a: 1\n"))
        reporter.report("BPC300", path, type="A::B", name="a")
        return list(notes.notes_for(reporter.diagnostics, lowered, "parameters", "inputs").items())

    assert placed("resources", "a") == [(("node_templates", "a"), STAND_IN)]
    assert placed("resources", "a", "type") == [(("node_templates", "a"), STAND_IN)]
    assert placed("resources", "x", "properties") == [(("node_templates", "b", "part"), STAND_IN)]
    assert placed("conditions", "c") == [(("inputs", "n"), STAND_IN)]
    assert placed("resources", "gone") == []
    assert placed("description") == []  # it has no line of its own


def test_blanks_behind_a_note_make_no_difference() -> None:
    assert notes.is_note(f"{STAND_IN}  ")
    assert notes.without(load(f"{STAND_IN}  \na: 1\n")).text == "a: 1\n"
