"""Edits of a result whose source cannot be translated again, as types of its are not known: they go back one by one."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import pytest

from bpconvert import Result, convert

SOURCE = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: small}   # how big
resources:
  net: {type: My::Net, properties: {name: mine}}
  # the machine
  web:   # serves
    type: OS::Nova::Server
    properties:
      flavor: {get_param: size}
      image: good   # the image
      user_data_format: SOFTWARE_CONFIG
      networks: [{network: {get_resource: net}}]
  text:
    type: OS::Heat::SoftwareConfig
    properties:
      group: script
      config: |
        #!/bin/sh
        echo one
  first:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: text}, server: {get_resource: web}}   # runs
  file:
    type: OS::Heat::SoftwareConfig
    properties: {group: script, config: {get_file: run.sh}}
  second:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: file}, server: {get_resource: web}}
  # a disk
  disk: {type: OS::Cinder::Volume, properties: {size: 1}}
outputs:
  o: {value: {get_attr: [web, first_address]}}
"""
DISK = "  disk: {type: OS::Cinder::Volume, properties: {size: %s}}"


@pytest.fixture
def made(tmp_path: Path) -> Result:
    (tmp_path / "site.yaml").write_text("resource_registry: {My::Net: OS::Neutron::Net}\n")
    (tmp_path / "t.yaml").write_text(SOURCE)
    (tmp_path / "run.sh").write_text("#!/bin/sh\nls\n")
    return convert(tmp_path / "t.yaml", environments=(str(tmp_path / "site.yaml"),))


def way_back(made: Result, *edits: tuple[str, str], **files: str) -> tuple[list[str], Result]:
    """The lines of the source that come back otherwise after each (old, new) was exchanged, with these ``files`` beside
    the result: "generated" and "copied"; and what comes back."""
    text, names = made.text, dict(zip(("generated", "copied"), made.files, strict=True))
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    beside = made.files | {names[kind]: content for kind, content in files.items()}
    back = convert(text, "cloudify", "hot", beside=beside)
    lines = difflib.unified_diff(SOURCE.splitlines(), back.text.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:2] not in ("--", "++", "@@")], back


def codes(back: Result) -> list[tuple[str, tuple[Any, ...]]]:
    """What is found, but for how servers and scripts are converted, and that the rest could not be compared."""
    found = [(one.code, one.path) for one in back.diagnostics]
    assert ("BPC663", ("metadata", "bpconvert")) in found
    return [one for one in found if one[0] not in ("BPC663", "BPC350", "BPC351", "BPC378", "BPC390", "BPC393")]


def entry_of(made: Result, name: str) -> str:
    """An entry of the result."""
    start = made.text.index(f"  {name}:")
    return made.text[start : made.text.index("\n\n", start) + 2]


def test_what_was_not_edited_comes_back(made: Result) -> None:
    lines, back = way_back(made)
    assert (lines, codes(back)) == ([], [])
    assert back.files == {"run.sh": "#!/bin/sh\nls\n"}


NODES = "node_templates"
NEW = "  more:\n    type: cloudify.nodes.openstack.Network\n    properties: {resource_config: {name: more}}  # new\n\n"


@pytest.mark.parametrize(
    ("old", "new", "lines", "findings"),
    [
        (
            "image: good", "image: bad",
            ["-      image: good   # the image", "+      image: bad   # the image"],
            [("BPC620", (NODES, "web"))],
        ),
        ("size: 1\n", "size: 2\n", ["-" + DISK % 1, "+" + DISK % 2], [("BPC620", (NODES, "disk"))]),
        (
            "name: mine\n", "name: other\n",
            [
                "-  net: {type: My::Net, properties: {name: mine}}",
                "+  net: {type: 'OS::Neutron::Net', properties: {name: other}}",
            ],
            [("BPC620", (NODES, "net"))],
        ),
        (
            "default: small", "default: big",
            [
                "-  size: {type: string, default: small}   # how big",
                "+  size: {type: string, default: big}   # how big",
            ],
            [("BPC620", ("inputs", "size"))],
        ),
        (
            "\n  # a disk\n", f"\n  # a net\n{NEW}  # a disk\n",
            ["+  # a net", "+  more:", "+    type: OS::Neutron::Net", "+    properties:  # new", "+      name: more"],
            [("BPC623", (NODES, "more"))],
        ),
        (
            "  - cloudify/types/types.yaml\n", "  - cloudify/types/types.yaml\n  - plugin:other\n",
            [],
            [("BPC622", ("imports",)), ("BPC141", ("imports", 1))],
        ),
        (
            "\n        target: net\n", "\n        target: gone\n",
            ["-      networks: [{network: {get_resource: net}}]"],
            [("BPC620", (NODES, "web")), ("BPC120", (NODES, "web", "relationships", 0, "target"))],
        ),
    ],
    ids=["a value", "in braces", "of a type that is not known", "a default", "a new entry", "no place", "nowhere"],
)  # fmt: skip
def test_an_edit(made: Result, old: str, new: str, lines: list[str], findings: list[Any]) -> None:
    there, back = way_back(made, (old, new))
    assert there == lines
    assert codes(back) == findings


def test_an_entry_of_a_type_that_nobody_knows(made: Result) -> None:
    """It comes back as a stand-in: nothing says what it was made from means the same."""
    lines, back = way_back(made, ("type: cloudify.nodes.openstack.Volume\n", "type: my.Type\n"))
    assert lines[:5] == [
        "-" + DISK % 1, "+  disk:", "+    type: OS::Heat::None", "+    properties:", "+      cloudify_type: my.Type",
    ]  # fmt: skip
    assert {("BPC380", (NODES, "disk")), ("BPC620", (NODES, "disk"))} <= set(codes(back))


@pytest.mark.parametrize(
    ("name", "lines", "findings"),
    [
        ("disk", ["-  # a disk", "-" + DISK % 1], [("BPC621", (NODES,))]),
        ("net", ["-  net: {type: My::Net, properties: {name: mine}}"], [("BPC625", ()), ("BPC621", (NODES,))]),
    ],
)
def test_a_deleted_entry(made: Result, name: str, lines: list[str], findings: list[Any]) -> None:
    there, back = way_back(made, (entry_of(made, name), ""))
    assert (there, codes(back)) == (lines, findings)
    messages = [one.message for one in back.diagnostics if one.code == "BPC625"]
    named = "resources.web.properties.networks.0.network names 'net', which the edit took away"
    assert messages == [named] * (name == "net")


@pytest.mark.parametrize("kinds", [("generated",), ("copied",), ("generated", "copied")])
def test_scripts(made: Result, kinds: tuple[str, ...]) -> None:
    """One of the source's goes back as it is; what uses another one names it now."""
    texts = {kind: f"#!/bin/sh\necho {kind}\n" for kind in kinds}
    generated = next(iter(made.files))
    lines, back = way_back(made, ("size: 1\n", "size: 2\n"), **texts)
    script = ["-      config: |", "-        #!/bin/sh", "-        echo one"]
    config = [*script, f"+      config: {{get_file: {generated}}}"]
    assert lines == [*config * ("generated" in kinds), "-" + DISK % 1, "+" + DISK % 2]
    assert back.files["run.sh"] == texts.get("copied", "#!/bin/sh\nls\n")
    if "generated" in kinds:
        assert back.files[generated] == texts["generated"]
    assert back.kept_files == ({"run.sh"} if kinds == ("generated",) else set())
    edited = [("BPC620", (NODES, "first"))] * ("generated" in kinds) + [("BPC620", (NODES, "disk"))]
    assert codes(back) == [*edited, *[("BPC626", ("metadata",))] * len(kinds)]


def test_an_edited_entry_that_shares_what_it_has_with_another_one(tmp_path: Path) -> None:
    """The other one has in full what it had; the comments stay."""
    source = SOURCE.replace(
        "  net: {type: My::Net, properties: {name: mine}}\n",
        """\
  net:
    type: My::Net
    properties: &own   # what both have
      # how it is called
      name: mine
      # whether it is up
      admin_state_up: true
  other:
    type: My::Net
    properties: *own
""",
    )
    (tmp_path / "site.yaml").write_text("resource_registry: {My::Net: OS::Neutron::Net}\n")
    (tmp_path / "t.yaml").write_text(source)
    (tmp_path / "run.sh").write_text("#!/bin/sh\nls\n")
    there = convert(tmp_path / "t.yaml", environments=(str(tmp_path / "site.yaml"),))
    edited = there.text
    for old, new in [
        ("        # how it is called\n        name: mine\n", "        name: other\n        tags: [a]\n"),
        ("      image: good  # the image\n", "      image: good\n"),
    ]:
        assert old in edited
        edited = edited.replace(old, new, 1)
    back = convert(edited, "cloudify", "hot", beside=there.files).text
    assert (
        """
  net:
    type: OS::Neutron::Net
    properties: &own   # what both have
      # how it is called
      name: other
      # whether it is up
      admin_state_up: true
      value_specs:
        tags: [a]
  other:
    type: My::Net
    properties:
      name: mine
      admin_state_up: true
"""
        in back
    )
    (image,) = [line for line in source.splitlines() if "# the image" in line]
    assert f"{image}\n" in back
    assert "  # a disk\n" in back
