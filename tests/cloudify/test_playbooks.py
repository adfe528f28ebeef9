"""Playbooks that Cloudify's Ansible plugin runs: on one machine they are its software, elsewhere they are not."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import convert
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


# -- over an inventory --------------------------------------------------------------------------------------

HOSTS = {"web": {"hosts": {"a": {"ansible_host": "10.0.0.1"}, "b": {"ansible_host": "10.0.0.2"}}}}


def _over(**inputs: Any) -> Any:
    found = playbooks.over(_run(sources=HOSTS, **inputs))
    return None if found is None else tuple(found)


@pytest.mark.parametrize(
    ("inputs", "variables", "options", "settings"),
    [
        ({}, {}, {}, {}),
        ({"run_data": {"a": 1}}, {"a": 1}, {}, {}),
        ({"options_config": {"extra_vars": {"a": 1, "b": 2}, "forks": 5}}, {"a": 1, "b": 2}, {"forks": 5}, {}),
        ({"options_config": {"extra_vars": {"a": 1}}, "run_data": {"a": 3}}, {"a": 3}, {}, {}),
        ({"options_config": {"extra_vars": None}}, {}, {}, {}),
        ({"start_at_task": "t", "tags": ["x"]}, {}, {"start_at_task": "t", "tags": ["x"]}, {}),
        ({"ansible_env_vars": {"A": "b"}}, {}, {}, {"A": "b"}),
        ({"ansible_env_vars": {"ANSIBLE_HOST_KEY_CHECKING": "False", "ANSIBLE_STDOUT_CALLBACK": "json",
                               "ANSIBLE_INVALID_TASK_ATTRIBUTE_FAILED": "False"}}, {}, {}, {}),
        ({"ansible_env_vars": {"ANSIBLE_HOST_KEY_CHECKING": "True"}}, {}, {}, {"ANSIBLE_HOST_KEY_CHECKING": "True"}),
        ({"timeout": None, "roles": [], "extra_packages": "", "module_path": {}, "additional_args": False}, {}, {}, {}),
    ],
)  # fmt: skip
def test_a_run_over_an_inventory(inputs: Any, variables: Any, options: Any, settings: Any) -> None:
    """With its variables, those of the run before the others, its options and its own settings of Ansible."""
    assert _over(**inputs) == ("p.yaml", HOSTS, variables, options, settings)


@pytest.mark.parametrize(
    "key",
    ["debug_level", "save_playbook", "log_stdout", "sensitive_keys", "number_of_attempts", "store_facts",
     "ansible_become", "remerge_sources", "auto_tags"],
)  # fmt: skip
def test_what_is_no_part_of_a_run_over_an_inventory_is_left_out(key: str) -> None:
    assert _over(**{key: 1}) == ("p.yaml", HOSTS, {}, {}, {})


@pytest.mark.parametrize(
    "inputs",
    [
        {"timeout": 5},
        {"roles": ["r"]},
        {"run_data": [1]},
        {"options_config": "x"},
        {"ansible_env_vars": ["A"]},
        {"options_config": {"extra_vars": ["a"]}},
        {"run_data": {"a": "{{ b }}"}},
        {"options_config": {"limit": "{{ b }}"}},
        {"sources": None},
        {"sources": ["a"]},
        {"sources": {"all": {"hosts": {"{{ b }}": {}}}}},
        {"playbook_path": None},
        {"playbook_path": "{{ b }}.yaml"},
    ],
)
def test_what_only_the_plugin_does_is_no_run_over_an_inventory(inputs: dict[str, Any]) -> None:
    assert playbooks.over(_run(**{"sources": HOSTS, **inputs})) is None


@pytest.mark.parametrize("sources", ["hosts.ini", ex.Input("hosts"), HOSTS])
def test_an_inventory_may_be_a_text_or_given(sources: Any) -> None:
    found = playbooks.over(_run(sources=sources))
    assert found is not None
    assert found.inventory == sources


def test_another_function_runs_over_no_inventory() -> None:
    operation = _run(sources=HOSTS)
    operation.implementation = "ansible.cloudify_ansible.tasks.secure_log_playbook_args"
    assert playbooks.over(operation) is None


def test_the_first_of_two_playbooks_runs_over_an_inventory() -> None:
    found = playbooks.over(_run(sources=HOSTS, site_yaml_path="q.yaml"))
    assert found is not None
    assert found.playbook == "p.yaml"


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"run_data": {"a": 1}},
        {"options_config": {"forks": 5}},
        {"ansible_env_vars": {"A": "b"}},
        {"start_at_task": "t", "tags": ["x"]},
        {"run_data": {"a": 1}, "options_config": {"forks": 5}, "ansible_env_vars": {"A": "b"}, "tags": "y"},
    ],
)
def test_a_run_over_an_inventory_is_written_as_it_was(inputs: dict[str, Any]) -> None:
    found = playbooks.over(_run(sources=HOSTS, **inputs))
    assert found is not None
    written = playbooks.runs()
    assert written.program == "ansible.cloudify_ansible.tasks.run"
    assert written.inputs(found) == {"playbook_path": "p.yaml", "sources": HOSTS, **inputs}


@pytest.mark.parametrize(("more", "has"), [({"sources": HOSTS}, True), ({"sources": None}, True), ({}, False)])
def test_an_operation_has_an_inventory_or_not(more: dict[str, Any], has: bool) -> None:
    assert playbooks.has_sources(_run(**more)) is has


def test_what_the_types_of_the_plugin_give_to_the_function() -> None:
    """The properties of a node, or of a relationship, that runs playbooks (plugin.yaml)."""
    files = {"playbook_path", "site_yaml_path", "playbook_source_path", "additional_playbook_files", "module_path"}
    hosts = {"sources", "ssh_common_args", "ssh_extra_args", "scp_extra_args", "sftp_extra_args"}
    run = {"run_data", "options_config", "ansible_env_vars", "start_at_task", "tags", "additional_args", "timeout"}
    installed = {"extra_packages", "galaxy_collections", "roles", "ansible_external_venv"}
    assert {*files, *hosts, *run, *installed, "ansible_playbook_executable_path"} == playbooks.INPUTS


def test_what_a_playbook_publishes_is_kept_by_a_file_beside_it() -> None:
    """Ansible loads it from there."""
    assert playbooks.KEEPER == "callback_plugins/bpconvert_stats.py"
    code: dict[str, Any] = {"__name__": "bpconvert_stats"}
    source = playbooks.KEEPS.replace("from ansible.plugins.callback import CallbackBase", "CallbackBase = object")
    exec(compile(source, playbooks.KEEPER, "exec"), code)
    kind = code["CallbackModule"]
    assert (kind.CALLBACK_NAME, kind.CALLBACK_TYPE, kind.CALLBACK_VERSION) == ("bpconvert_stats", "notification", 2.0)


def test_a_playbook_without_inputs_gets_its_hosts() -> None:
    text = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, "plugin:cloudify-ansible-plugin"]
node_templates:
  shop:
    type: cloudify.nodes.SoftwareComponent
    interfaces: {cloudify.interfaces.lifecycle: {start: {implementation: ansible.cloudify_ansible.tasks.run}}}
"""
    there = convert(text, "cloudify", "tosca", carry=False).text
    back = convert(there, "tosca", "cloudify", carry=False).document
    start = back["node_templates"]["shop"]["interfaces"]["cloudify.interfaces.lifecycle"]["start"]
    assert start["inputs"] == {"sources": {"all": {"hosts": {"localhost": {"ansible_connection": "local"}}}}}
