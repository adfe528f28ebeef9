"""An edit of a long document is found out in a part of it, and comes back as it would of a short one."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forging import changed, text

from bpconvert import Result, convert
from bpconvert.translation import Way
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.support.places import entries

NUMBERS = range(30)
TEMPLATE = "heat_template_version: 2018-08-31\nresources:\n" + "".join(
    f"  n{n}: {{type: OS::Neutron::Net, properties: {{name: net{n}}}}}\n"
    f"  s{n}:\n    type: OS::Neutron::Subnet\n    properties:\n"
    f"      network: {{get_resource: n{n}}}\n      cidr: 10.0.{n}.0/24   # of {n}\n"
    for n in NUMBERS
)
#: all subnets are of one network
HUB = "heat_template_version: 2018-08-31\nresources:\n  hub: {type: OS::Neutron::Net}\n" + "".join(
    f"  s{n}:\n    type: OS::Neutron::Subnet\n    properties: {{network: {{get_resource: hub}}, cidr: 10.0.{n}.0/24}}\n"
    for n in range(60)
)
BLUEPRINT = (
    "tosca_definitions_version: cloudify_dsl_1_3\n"
    "imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']\nnode_templates:\n"
) + "".join(
    f"  n{n}: {{type: cloudify.nodes.openstack.Network, properties: {{resource_config: {{name: net{n}}}}}}}\n"
    for n in range(60)
)
#: without the edit and with it: the rest is found out in a part
TWICE = 2


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The digests of long documents, each time one is translated."""
    translated: list[str] = []
    translate = Way.translate

    def counted(way: Way, document: Any, *rest: Any, **named: Any) -> Any:
        if any(len(entries(document.data, section)) >= 50 for section in ("resources", "node_templates")):
            translated.append(digest([way.source.name, document.data]))
        return translate(way, document, *rest, **named)

    monkeypatch.setattr(Way, "translate", counted)
    return translated


def put(old: str, new: str) -> Callable[[str], str]:
    """An edit: the first place of a text has another one."""

    def edit(made: str) -> str:
        assert old in made
        return made.replace(old, new, 1)

    return edit


def both(*edits: Callable[[str], str]) -> Callable[[str], str]:
    """Several edits at once."""

    def edit(made: str) -> str:
        for one in edits:
            made = one(made)
        return made

    return edit


def way_back(source: str, edit: Callable[[str], str], whole: list[str], **options: Any) -> tuple[list[str], Result]:
    """The lines of the source that come back otherwise after an edit of the result, and what comes back."""
    dialect, via = ("hot", "cloudify") if "heat_template" in source else ("cloudify", "hot")
    made = convert(source, dialect, via).text
    whole.clear()
    back = convert(edit(made), via, dialect, **options)
    lines = difflib.unified_diff(source.splitlines(), back.text.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:2] not in ("--", "++", "@@")], back


def findings(back: Result) -> list[tuple[str, tuple[Any, ...]]]:
    return [(one.code, one.path) for one in back.diagnostics]


VALUE = put("10.0.5.0", "10.9.5.0")
LINES = ["-      cidr: 10.0.5.0/24   # of 5", "+      cidr: 10.9.5.0/24   # of 5"]
IMPORT = put("  - cloudify/types/types.yaml\n", "  - cloudify/types/types.yaml\n  - plugin:other\n")
NET = "  new:\n    type: cloudify.nodes.openstack.Network\n    properties: {resource_config: {name: new}}\n\n"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_value(mark: str, whole: list[str]) -> None:
    lines, back = way_back(mark + TEMPLATE, VALUE, whole)
    assert lines == LINES
    assert back.text.startswith(mark + "heat_template_version")
    assert findings(back) == [("BPC620", ("node_templates", "s5"))]
    assert len(whole) == TWICE


@pytest.mark.parametrize(
    ("edit", "lines", "codes"),
    [
        (put("  s5:\n", "  other:\n"), ["-  s5:", "+  other:"], [("BPC668", ("node_templates", "other"))]),
        (
            put("  s5:\n", NET + "  s5:\n"),
            ["+  new:", "+    type: OS::Neutron::Net", "+    properties:", "+      name: new"],
            [("BPC623", ("node_templates", "new"))],
        ),
        (
            put("target: n5\n", "target: n9\n"),
            ["-      network: {get_resource: n5}", "+      network: {get_resource: n9}"],
            [("BPC620", ("node_templates", "s5"))],
        ),
        (IMPORT, [], [("BPC622", ("imports",)), ("BPC141", ("imports", 1))]),
        (
            both(IMPORT, VALUE),
            LINES,
            [("BPC622", ("imports",)), ("BPC141", ("imports", 1)), ("BPC620", ("node_templates", "s5"))],
        ),
    ],
    ids=["a name", "a new entry", "what it refers to", "what has no place", "that and a value"],
)
def test_other_edits(edit: Callable[[str], str], lines: list[str], codes: list[Any], whole: list[str]) -> None:
    there, back = way_back(TEMPLATE, edit, whole)
    assert there == lines
    assert findings(back) == codes
    assert len(whole) <= TWICE  # what has no place in the part is looked for in the whole


def test_edits_whose_lines_are_not_together_are_looked_for_in_the_whole(whole: list[str]) -> None:
    """In the part, the lines follow each other; nobody knows which of the new ones stand on which side of the cut."""
    more = put("cidr: 10.0.5.0/24", "cidr: 10.9.5.0/24\n        enable_dhcp: false")
    lines, back = way_back(TEMPLATE, both(more, put("name: net20\n", "name: wan\n")), whole)
    assert lines == [
        *LINES,
        "+      enable_dhcp: false",
        "-  n20: {type: OS::Neutron::Net, properties: {name: net20}}",
        "+  n20: {type: OS::Neutron::Net, properties: {name: wan}}",
    ]
    assert findings(back) == [("BPC620", ("node_templates", "s5")), ("BPC620", ("node_templates", "n20"))]
    assert len(whole) > TWICE


OPERATION = "    interfaces: {a.b: {create: x.sh}}\n"


@pytest.mark.parametrize(("entry", "is_part"), [("s5", True), ("hub", False)])
def test_what_has_no_place_counts_where_all_that_refers_to_it_is_in_the_part(
    entry: str, is_part: bool, whole: list[str]
) -> None:
    lines, back = way_back(HUB, put(f"  {entry}:\n", f"  {entry}:\n{OPERATION}"), whole)
    assert lines == []
    place = ("node_templates", entry)
    assert findings(back)[:2] == [("BPC622", place), ("BPC391", (*place, "interfaces", "a.b", "create"))]
    assert (len(whole) <= TWICE) is is_part
    assert len(whole) == len(set(whole)), "none is translated twice"


def test_what_names_a_deleted_entry_is_reported_of_the_whole(whole: list[str]) -> None:
    """More refers to it than the part has."""

    def edit(made: str) -> str:
        return made[: made.index("  hub:\n")] + made[made.index("  s0:\n") :]

    lines, back = way_back(HUB, edit, whole)
    assert lines == ["-  hub: {type: OS::Neutron::Net}"]
    assert [one.code for one in back.diagnostics] == ["BPC625"] * 60 + ["BPC621"]


# -- what stands beside the document -----------------------------------------------------------------------

SOFTWARE = """\
  web:
    type: OS::Nova::Server
    properties: {flavor: m1, image: i, networks: [], user_data_format: SOFTWARE_CONFIG}
  setup:
    type: OS::Heat::SoftwareConfig
    properties: {group: script, config: "#!/bin/sh\\necho one\\n"}
  run:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: setup}, server: {get_resource: web}}
"""


def test_a_script_that_comes_with_a_new_entry(whole: list[str]) -> None:
    lines, back = way_back(BLUEPRINT, put("\n  n5:\n", f"\n{SOFTWARE}\n  n5:\n"), whole)
    assert {"+  web:", "+  run:"} <= set(lines)
    ((name, script),) = back.files.items()
    assert script == "#!/bin/sh\necho one\n"
    assert f"+          implementation: {name}" in lines
    assert not back.kept_files
    assert len(whole) <= TWICE + 1


def test_a_value_to_give_that_comes_with_a_new_entry(whole: list[str]) -> None:
    """A blueprint has no text beyond ASCII."""
    net = "  new:\n    type: OS::Neutron::Net\n    properties: {name: nöt}\n"
    lines, back = way_back(BLUEPRINT, put("\n  n5:\n", f"\n{net}\n  n5:\n"), whole, asked="inputs")
    assert "+  new:" in lines
    assert list(back.files) == [back.inputs[""]]
    assert "nöt" in back.files[back.inputs[""]]
    assert len(whole) <= TWICE + 1


def test_a_name_that_is_free_in_the_part_alone(whole: list[str]) -> None:
    """What comes with the new entry has another name than an entry that is not in the part."""
    net = "  new:\n    type: OS::Neutron::Net\n    properties: {name: nöt}\n"
    source = BLUEPRINT.replace("  n40:", "  new_name:")
    lines, back = way_back(source, put("\n  n5:\n", f"\n{net}\n  n5:\n"), whole)
    assert {"+  new_name_2:", "+        name: {get_attribute: [new_name_2, result]}"} <= set(lines)
    assert not [line for line in lines if line.startswith("-")]
    assert findings(back) == [("BPC623", ("resources", "new")), ("BPC215", ("resources", "new", "properties", "name"))]


SCRIPTS = (
    TEMPLATE
    + SOFTWARE.replace('"#!/bin/sh\\necho one\\n"', "{get_file: one.sh}")
    + (
        "  other: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: {get_file: two.sh}}}\n"
        "  last:\n    type: OS::Heat::SoftwareDeployment\n"
        "    properties: {config: {get_resource: other}, server: {get_resource: web}}\n"
    )
)


@pytest.mark.parametrize("edited", [(), ("one.sh",), ("two.sh",), ("one.sh", "two.sh")])
def test_scripts_and_a_value(edited: tuple[str, ...], tmp_path: Path, whole: list[str]) -> None:
    """Scripts go back as they are, whatever part of the document is looked at."""
    texts = {name: f"#!/bin/sh\necho {name}\n" for name in ("one.sh", "two.sh")}
    (tmp_path / "t.yaml").write_text(SCRIPTS)
    for name, script in texts.items():
        (tmp_path / name).write_text(script)
    made = convert(tmp_path / "t.yaml")
    assert made.files == texts
    now = {name: script + "ls\n" * (name in edited) for name, script in texts.items()}
    whole.clear()
    back = convert(VALUE(made.text), "cloudify", "hot", beside=now)
    assert back.text == SCRIPTS.replace("10.0.5.0", "10.9.5.0")
    assert back.files == now
    assert back.kept_files == set(texts) - set(edited)
    names = [one.message.split("'")[1] for one in back.diagnostics if one.code == "BPC626"]
    assert names == list(edited)
    assert ("BPC620", ("node_templates", "s5")) in findings(back)
    assert len(whole) <= TWICE


def test_a_source_that_means_something_else_is_not_looked_at_in_part(whole: list[str]) -> None:
    """Somebody changed the kept source beside the edit: what stands in the document counts."""
    made = changed(convert(TEMPLATE).text, text("name: net20}", "name: evil}"))
    back = convert(VALUE(made), "cloudify", "hot")
    assert "evil" not in back.text
    assert "cidr: 10.9.5.0/24   # of 5" in back.text
    assert findings(back) == [("BPC620", ("node_templates", "s5")), ("BPC660", ("node_templates", "n20"))]
    assert len(whole) > TWICE
