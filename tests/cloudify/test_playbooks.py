"""Playbooks that Cloudify's Ansible plugin runs: on one machine they are its software, elsewhere they are not."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Operation
from bpconvert.translators.cloudify import playbooks

ADDRESS = ex.Attribute("vm", "ip")


def _run(**more: Any) -> Operation:
    found = Operation("cloudify.interfaces.lifecycle", "create", playbooks.RUN)
    found.inputs = {"playbook_path": "p.yaml", **more}
    return found


def _on(**host: Any) -> dict[str, Any]:
    return {"all": {"hosts": {"web": {"ansible_host": ADDRESS, **host}}}}


@pytest.mark.parametrize(
    ("host", "settings"),
    [
        ({}, []),
        ({"ansible_become": True, "ansible_user": "x"}, []),
        ({"ansible_become": False}, ["ansible_become"]),
        ({"ansible_port": 2222, "ansible_ssh_common_args": "-v"}, ["ansible_port", "ansible_ssh_common_args"]),
    ],
)
def test_a_host_is_its_machine_however_it_is_reached(host: dict[str, Any], settings: list[str]) -> None:
    script = playbooks.script(_run(sources=_on(**host), run_data={"a": [1]}))
    assert script is not None
    assert (script.file, script.address, script.tool) == ("p.yaml", ADDRESS, "ansible")
    assert script.inputs == {"a": ([1], ("inputs", "run_data", "a"))}
    assert [place[-1] for place in script.settings] == ["sources", *settings]


@pytest.mark.parametrize(
    "inputs",
    [
        {"sources": _on(color="red")},
        {"sources": _on(ansible_connection="winrm")},
        {"sources": {"all": {"hosts": {"a": {"ansible_host": "1"}, "b": {"ansible_host": "2"}}}}},
        {"sources": {"web": {"hosts": {"a": {"ansible_host": "1"}}}}},
        {"sources": _on(), "tags": ["x"]},
        {},
    ],
)
def test_what_only_the_plugin_does_is_no_program_of_a_machine(inputs: dict[str, Any]) -> None:
    assert playbooks.script(_run(**inputs)) is None
