"""The numbers of a server's ports in a service template, edited: the order of its networks comes back."""

from __future__ import annotations

from bpconvert import convert

HOT = """\
heat_template_version: 2018-08-31
resources:
  first: {type: OS::Neutron::Port, properties: {network: a}}
  second: {type: OS::Neutron::Port, properties: {network: b}}
  server:
    type: OS::Nova::Server
    properties:
      image: i
      flavor: f
      networks:
        - port: {get_resource: second}
        - port: {get_resource: first}
"""


def back(*edits: tuple[str, str]) -> tuple[str, set[str]]:
    """What comes back of a service template with edits, and the codes."""
    text = convert(HOT.encode(), "hot", "tosca").text
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    made = convert(text.encode(), "tosca", "hot")
    return made.text, {one.code for one in made.diagnostics}


def test_two_equal_numbers_are_reported() -> None:
    text, codes = back(("        order: 1\n", "        order: 0\n"))
    assert "BPC956" in codes
    assert text.index("get_resource: first") < text.index("get_resource: second")


def test_exchanged_numbers_are_not() -> None:
    text, codes = back(
        ("        order: 1\n", "        order: 7\n"),
        ("        order: 0\n", "        order: 1\n"),
        ("        order: 7\n", "        order: 0\n"),
    )
    assert "BPC956" not in codes
    assert text.index("get_resource: first") < text.index("get_resource: second")
