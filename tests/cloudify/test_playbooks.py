"""Playbooks that Cloudify's Ansible plugin runs: on one machine they are its software, elsewhere they are not."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Operation, Script
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


def test_a_playbook_is_an_input_of_the_function_of_the_plugin() -> None:
    run = "ansible.cloudify_ansible.tasks.run"
    assert playbooks.PLUGIN == "plugin:cloudify-ansible-plugin"
    assert playbooks.inputs("p.yaml", {}) == (run, {"playbook_path": "p.yaml"})
    assert playbooks.inputs("p.yaml", {"a": 1}) == (run, {"playbook_path": "p.yaml", "run_data": {"a": 1}})


def test_a_machine_is_reached_as_its_agent_is() -> None:
    host = {
        "ansible_host": ADDRESS,
        "ansible_user": ex.Property("vm", "agent_config", ("user",)),
        "ansible_ssh_private_key_file": ex.Property("vm", "agent_config", ("key",)),
        "ansible_ssh_common_args": "-o StrictHostKeyChecking=no",
    }
    assert playbooks.sources("vm") == {"sources": {"all": {"hosts": {"vm": host}}}}
    assert script_of(**playbooks.sources("vm")).address == ADDRESS


def test_the_manager_runs_a_playbook_itself() -> None:
    inventory = playbooks.sources(None)
    assert inventory == {"sources": {"all": {"hosts": {"localhost": {"ansible_connection": "local"}}}}}
    script = script_of(**inventory)
    assert (script.central, script.address) == (True, ex.MISSING)
    assert script.settings == [("inputs", "sources")]


def script_of(**inputs: Any) -> Script:
    found = playbooks.script(_run(**inputs))
    assert found is not None
    return found


def test_a_playbook_has_either_of_two_inputs() -> None:
    operation = _run(sources=_on())
    operation.inputs["site_yaml_path"] = operation.inputs.pop("playbook_path")
    found = playbooks.script(operation)
    assert found is not None
    assert (found.file, found.text, found.central) == ("p.yaml", "", False)
    operation.inputs["playbook_path"] = "q.yaml"
    assert playbooks.script(operation) is None  # which one is run is not known


def test_what_is_shown_of_a_run_and_how_often_it_is_tried_are_settings() -> None:
    quiet = {"debug_level": 2, "save_playbook": True, "log_stdout": False, "sensitive_keys": ["a"]}
    operation = _run(sources=_on(ansible_port=22), **quiet)
    operation.extra = {"executor": "central_deployment_agent", "max_retries": 1}
    found = playbooks.script(operation)
    assert found is not None
    assert found.settings == [
        ("max_retries",),
        *(("inputs", key) for key in quiet),
        ("inputs", "sources"),
        ("inputs", "sources", "all", "hosts", "web", "ansible_port"),
    ]


@pytest.mark.parametrize("sources", [None, "hosts.ini", {}, {"all": {}}, {"all": {"hosts": {"web": None}}}])
def test_an_inventory_that_names_no_host_is_none(sources: Any) -> None:
    assert playbooks.script(_run(sources=sources)) is None


@pytest.mark.parametrize(
    "host",
    [
        {"ansible_user": "x"},
        {"ansible_ssh_private_key_file": "k"},
        {"ansible_ssh_common_args": "-o StrictHostKeyChecking=no"},
    ],
)
def test_how_a_machine_is_reached_changes_nothing_of_a_playbook_that_it_runs_itself(host: dict[str, Any]) -> None:
    assert script_of(sources=_on(**host)).settings == [("inputs", "sources")]
