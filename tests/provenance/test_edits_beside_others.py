"""An edit that does not come back leaves everything else of the source as it was, and so does one that does."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import CORPUS

from bpconvert import Result, convert

ANCHORS = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: small}
resources:
  one:
    type: OS::Nova::Server
    properties: &server
      image: cirros
      flavor: {get_param: size}
      networks: [{network: 11111111-2222-3333-4444-555555555555}]
      user_data_format: RAW
  two:
    type: OS::Nova::Server
    properties: {<<: *server, metadata: {a: b}}
"""


def back(path: Path, folder: Path, way: tuple[str, str], *edits: tuple[str, str]) -> Result:
    """A document of the corpus that was converted there, edited, and converted back."""
    made = convert(path, *way)
    made.write(folder / "made.yaml")
    text = made.text
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "made.yaml").write_text(text)
    return convert(folder / "made.yaml", way[1], way[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  app_create_deploy:\n    type: OS::Heat::SoftwareDeployment\n", "    deletion_policy: Retain\n"),
        ("      config: {get_resource: app_create_config}\n", "      config: 11111111-2222-3333-4444-555555555555\n"),
    ],
)
def test_software_is_not_written_a_second_time(old: str, new: str, tmp_path: Path) -> None:
    """A program is a configuration and a deployment in Heat: what one of them cannot give back makes no other nodes of
    both."""
    path = CORPUS / "cfy" / "software-with-given-user-data" / "blueprint.yaml"
    result = back(path, tmp_path, ("cloudify", "hot"), (old, new if "config:" in old else old + new))
    assert result.text == path.read_text()
    assert [row.code for row in result.diagnostics if row.severity == "error"] == ["BPC622"]


def test_what_is_added_behind_an_anchor_leaves_it_there(tmp_path: Path) -> None:
    (tmp_path / "source.yaml").write_text(ANCHORS)
    result = back(
        tmp_path / "source.yaml",
        tmp_path,
        ("hot", "tosca"),
        ("  node_templates:\n", "  outputs:\n    it:\n      value: {get_attribute: [two, foo]}\n\n  node_templates:\n"),
    )
    assert result.text.startswith(ANCHORS)
    assert "outputs:\n  it:\n" in result.text[len(ANCHORS) :]


SERVER = """\
heat_template_version: 2018-08-31
resources:
  # the shop
  server:
    type: OS::Nova::Server
    properties:
      image: cirros
      flavor: small  # for now
      networks: [{network: 11111111-2222-3333-4444-555555555555}]
      user_data: {list_join: [' ', ['#!/bin/sh', {get_resource: volume}, {get_resource: volume}]]}
  volume: {type: OS::Cinder::Volume, properties: {size: 1}}
"""


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_a_value_that_becomes_an_input(target: str, tmp_path: Path) -> None:
    """No call of the other language is written into the source, whose own form has its place beside the new input."""
    (tmp_path / "source.yaml").write_text(SERVER)
    indent = "" if target == "cloudify" else "  "
    result = back(
        tmp_path / "source.yaml",
        tmp_path,
        ("hot", target),
        ("flavor: small", "flavor: {get_input: size}"),
        (f"\n{indent}node_templates:\n", f"\n{indent}inputs:\n{indent}  size: {{type: string, default: small}}\n\n"
         f"{indent}node_templates:\n"),
    )  # fmt: skip
    assert [row.message for row in result.diagnostics if row.severity > "info"] == []
    head, rest = SERVER.split("resources:\n")
    added = "\nparameters:\n  size:\n    type: string\n    default: small\n"
    assert result.text == f"{head}{added}resources:\n{rest}".replace("flavor: small", "flavor: {get_param: size}")


def test_one_of_two_references_becomes_an_id(tmp_path: Path) -> None:
    (tmp_path / "source.yaml").write_text(SERVER)
    made = convert(tmp_path / "source.yaml", "hot", "cloudify")
    first = "{get_attribute: [volume, id]}"
    head, _, rest = made.text.rpartition(first)
    assert first in head
    result = convert(f"{head}literal{rest}", "cloudify", "hot")
    assert result.text == SERVER.replace("{get_resource: volume}]]", "literal]]")


WORDS = """\
heat_template_version: 2018-08-31
parameters:
  port: {type: string}
outputs:
  command:
    value: {list_join: [' ', ['/usr/bin/agent', '--log', {get_param: port}, 'x']]}  # as it runs
"""


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
@pytest.mark.parametrize(
    ("old", "new", "own"),
    [
        ("concat: [", "concat: [sudo_, ", ("/usr/bin/agent", "sudo_/usr/bin/agent")),
        ("' x']", "' x', _end]", ("'x'", "'x_end'")),
    ],
)
def test_a_text_beside_another_one(target: str, old: str, new: str, own: tuple[str, str]) -> None:
    text = convert(WORDS, "hot", target).text
    assert old in text
    assert convert(text.replace(old, new, 1), target, "hot").text == WORDS.replace(*own)
