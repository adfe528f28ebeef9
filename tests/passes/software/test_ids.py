"""Configurations whose ids leave their template, and deployments of a configuration that comes from outside."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from software_templates import CONFIG, VM, config, converted, created, deployment, nodes, targets, whys

from bpconvert.api import Result
from bpconvert.translators.cloudify import runner

EXPORTED = "outputs: {id: {value: {get_resource: config}}}\n"
GIVEN = deployment(config="{get_param: given}", input_values="{who: world}")
PARAMETER = "parameters: {given: {type: string}}\n"


def outputs(result: Result) -> dict[str, Any]:
    return {name: data["value"] for name, data in yaml.safe_load(result.text)["outputs"].items()}


def test_an_id_that_is_an_output_is_the_text() -> None:
    result = converted(CONFIG, VM, head=EXPORTED)
    assert nodes(result)["config"]["type"] == "bpconvert.nodes.Value"
    assert nodes(result)["config"]["properties"] == {"value": "#!/bin/sh\ntrue\n"}
    assert outputs(result) == {"id": {"get_property": ["config", "value"]}}
    assert [d.path for d in result.diagnostics if d.code == "BPC219"] == [("resources", "config")]


def test_what_uses_such_a_configuration_here_waits_for_it() -> None:
    result = converted(CONFIG, deployment(), VM, head=EXPORTED)
    assert nodes(result)["config"]["type"] == "bpconvert.nodes.Value"
    assert created(result)["implementation"].startswith("scripts/config-")
    assert targets(result, "deployment") == ["vm", "config"]


@pytest.mark.parametrize(("given", "why"), [
    ({"group": "ansible"}, "its id is used, and its group 'ansible' is no script"),
    ({"inputs": "[{name: a, default: 1}]"},
     "its id is used, and its inputs have defaults, which its text does not have"),
    ({"outputs": "[{name: a, error_output: true}]"},
     "its id is used, and its outputs mean failure, which its text does not have"),
])  # fmt: skip
def test_what_the_text_does_not_say_leaves_a_stand_in(given: dict[str, str], why: str) -> None:
    result = converted(config(**given), VM, head=EXPORTED)
    assert whys(result) == {"config": why}
    assert nodes(result)["config"]["type"] == "bpconvert.nodes.HeatResource"


def test_an_id_that_a_stand_in_shows_as_well_stays_an_id() -> None:
    unknown = "\n  other: {type: Some::Thing, properties: {config: {get_resource: config}}}\n"
    result = converted(CONFIG, unknown, VM, head=EXPORTED)
    assert nodes(result)["config"]["type"] == "bpconvert.nodes.HeatResource"


def test_a_given_configuration_is_run_as_the_text_that_it_is_given_as() -> None:
    result = converted(GIVEN, VM, head=PARAMETER + "outputs: {said: {value: {get_attr: [deployment, said]}}}\n")
    operation = created(result)
    assert operation["implementation"] == runner.PATH
    assert operation["inputs"] == {
        "heat_script_text": {"get_input": "given"},
        "heat_script_outputs": "said",
        "who": "world",
        "deploy_server_id": {"get_attribute": ["vm", "id"]},
        "deploy_action": "CREATE",
        "deploy_resource_name": "deployment",
    }
    [said] = [d for d in result.diagnostics if d.code == "BPC737"]
    assert said.path == ("resources", "deployment", "properties", "config")
    assert "BPC733" not in {d.code for d in result.diagnostics}  # nobody knows what the configuration declares


def test_the_parts_of_an_exported_message_are_in_its_text() -> None:
    parts = "\n  mime: {type: OS::Heat::MultipartMime, properties: {parts: [{config: {get_resource: config}}]}}\n"
    result = converted(CONFIG, parts, VM, head="outputs: {id: {value: {get_resource: mime}}}\n")
    assert "config" not in nodes(result)
    assert "#!/bin/sh\ntrue\n" in nodes(result)["mime"]["properties"]["value"]
    assert outputs(result) == {"id": {"get_property": ["mime", "value"]}}
