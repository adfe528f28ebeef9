"""Operations under the names of another language, and the files that they run."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"
VM = "    vm: {type: openstack.nova.Server, properties: {flavor: small}}\n"


def converted(beside: dict[str, str], **operations: str) -> tuple[dict[str, Any], Result]:
    """The operations of software in a blueprint, and the conversion of a service template with files beside it."""
    own = ", ".join(f"{name}: {operation}" for name, operation in operations.items())
    app = (
        "    app:\n      type: tosca.nodes.SoftwareComponent\n      requirements: [host: vm]\n"
        f"      interfaces: {{Standard: {{operations: {{{own}}}}}}}\n"
    )
    made = convert((HEAD + VM + app).encode(), "tosca", "cloudify", beside=beside, carry=False)
    node = yaml.safe_load(made.text)["node_templates"]["app"]
    return node["interfaces"]["cloudify.interfaces.lifecycle"], made


def places(made: Result, code: str) -> list[tuple[Any, ...]]:
    return [one.path[-4:] for one in made.diagnostics if one.code == code]


def test_two_programs_under_one_name_are_two_files() -> None:
    """A name with a comma is none that operations can have."""
    programs = {"a,b.sh": "#!/bin/sh\necho 1\n", "scripts/a_b.sh": "#!/bin/sh\necho 2\n"}
    found, made = converted(programs, create="'a,b.sh'", start="scripts/a_b.sh")
    create, start = (found[name]["implementation"] for name in ("create", "start"))
    assert create == "scripts/a_b.sh"
    assert start.startswith("scripts/a_b-")
    assert start.endswith(".sh")
    assert made.files == {create: programs["a,b.sh"], start: programs["scripts/a_b.sh"]}


PLAYBOOK = "- hosts: all\n  tasks: []\n"


@pytest.mark.parametrize(("beside", "is_lost"), [({"play/t.j2": "text"}, False), ({}, True)])
def test_files_that_a_playbook_needs_are_beside_it(beside: dict[str, str], is_lost: bool) -> None:
    """What is not there is told at its place."""
    operation = "{implementation: {primary: play/site.yaml, dependencies: [play/t.j2]}}"
    found, made = converted({"play/site.yaml": PLAYBOOK, **beside}, create=operation)
    assert made.files == {"play/site.yaml": PLAYBOOK, **beside}
    assert found["create"]["inputs"]["playbook_path"] == "play/site.yaml"
    place = ("operations", "create", "implementation", "dependencies")
    assert places(made, "BPC870") == ([place] if is_lost else [])
    assert len(places(made, "BPC435")) == (not is_lost)
