"""Software configurations and deployments as operations of nodes, and as user data."""

from __future__ import annotations

import email
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml
from software_templates import CONFIG, DEPLOYMENT, VM, config, converted, created, deployment, nodes, targets, whys

from bpconvert.api import Result, convert
from bpconvert.translators.cloudify import runner
from bpconvert.verification import verify

#: a server whose user data the plugin takes in base64 only
ENCODED = VM.replace("SOFTWARE_CONFIG", "SOFTWARE_CONFIG, user_data: '{\"a\": 1}'")

# -- scripts ------------------------------------------------------------------------------------------------


def test_a_file_keeps_its_path_and_is_part_of_the_bundle(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "install").write_bytes(b"#!/bin/sh\r\ntrue\n")
    result = converted(config(config="{get_file: tools/install}"), DEPLOYMENT, VM, folder=tmp_path)
    assert created(result) == {"implementation": "tools/install", "max_retries": 0}
    assert result.files == {"tools/install": "#!/bin/sh\r\ntrue\n"}


@pytest.mark.parametrize("name", ["script.sh", "a b.sh", "agent.py", "$x.sh", "größe.sh", runner.PATH])
def test_a_file_whose_path_the_dsl_misreads_gets_another_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("#!/bin/sh\ntrue\n")
    result = converted(config(config=f"{{get_file: '{name}'}}"), DEPLOYMENT, VM, folder=tmp_path)
    place = created(result)["implementation"]
    assert place.startswith("scripts/config-")
    assert result.files[place] == "#!/bin/sh\ntrue\n"


@pytest.mark.parametrize(("first", "end"), [
    ("#!/bin/sh", "sh"), ("#!/usr/bin/env python3", "py"), ("#!/usr/bin/perl -w", "pl"), ("echo python", "sh"),
])  # fmt: skip
def test_a_text_is_a_file_that_ends_like_its_interpreter(first: str, end: str) -> None:
    result = converted(config(config=f'"{first}\\n"'), DEPLOYMENT, VM)
    operation = created(result)
    assert operation["implementation"].endswith(f".{end}")
    assert result.files[operation["implementation"]] == f"{first}\n"
    assert ("inputs" in operation) is (end == "py")


def test_scripts_of_different_texts_have_different_names() -> None:
    names = {
        created(converted(config(config=f'"#!/bin/sh\\necho {n}\\n"'), DEPLOYMENT, VM))["implementation"]
        for n in range(3)
    }
    assert len(names) == 3


def test_a_long_text_with_values_cannot_be_an_input() -> None:
    text = indent("x" * 130_000, "  ")
    long = config(config="\n        str_replace: {template: '" + text + " P', params: {P: {get_attr: [vm, name]}}}")
    assert whys(converted(long, DEPLOYMENT, VM)) == {
        "deployment": "its script is too long for an input", "config": "'deployment' cannot use it",
    }  # fmt: skip


def test_a_configuration_that_only_a_stand_in_uses_is_no_warning() -> None:
    """It creates nothing by itself, and the stand-in is a warning."""
    found = converted(config(group="puppet"), DEPLOYMENT, VM).diagnostics
    assert {d.path[1]: (d.code, d.severity) for d in found if d.code in ("BPC720", "BPC799")} == {
        "config": ("BPC799", "info"), "deployment": ("BPC720", "warning"),
    }  # fmt: skip


# -- what cannot be converted -------------------------------------------------------------------------------


@pytest.mark.parametrize(("parts", "why"), [
    ((config(group="puppet"), DEPLOYMENT), "its configuration is of group 'puppet', which is no script"),
    ((config(group="{get_param: p}"), DEPLOYMENT),
     "its configuration is of a group that is computed, which is no script"),
    ((config(config="''"), DEPLOYMENT), "its configuration has no text"),
    ((config(config="{get_file: none.sh}"), DEPLOYMENT), "its script 'none.sh' cannot be read"),
    ((config(outputs="[{name: 'a.b'}]"), DEPLOYMENT), "its output 'a.b' cannot be the name of a runtime property"),
    ((config(inputs="{get_param: p}"), DEPLOYMENT), "the inputs of its configuration are computed"),
    ((CONFIG, deployment(config="a-known-id")), "its configuration is not one of the template"),
    ((CONFIG, deployment(config="{get_resource: vm}")), "its configuration is of type OS::Nova::Server"),
    ((CONFIG, deployment(actions="[{get_param: p}]")), "its actions are computed or unknown"),
    ((CONFIG, deployment(input_values="{concat: x}")), "its only variable is called like a function of Cloudify"),
    ((CONFIG, deployment(input_values="{get_param: p}")), "its input values are only known when deploying"),
    ((CONFIG, deployment(server="{get_attr: [vm, name]}")), "its server is not known before the deployment runs"),
    ((CONFIG, deployment(server="{get_resource: config}")), "there is no server node 'config'"),
])  # fmt: skip
def test_a_deployment_that_cannot_run_is_a_stand_in_with_the_reason(parts: tuple[str, ...], why: str) -> None:
    head = "parameters: {p: {type: json, default: {}}}\n"
    result = converted(*parts, VM, head=head)
    assert whys(result)["deployment"] == why
    assert nodes(result)["deployment"]["type"] == "bpconvert.nodes.HeatResource"
    assert "agent_user" not in yaml.safe_load(result.text).get("inputs", {})


def test_the_heat_agent_is_still_meant_where_a_deployment_is_a_stand_in() -> None:
    result = converted(
        config(), config("other", group="salt"), DEPLOYMENT, deployment("two", config="{get_resource: other}"), VM
    )
    assert [d.code for d in result.diagnostics if d.path[-1] == "user_data_format"] == ["BPC302"]


# -- order --------------------------------------------------------------------------------------------------


def test_a_server_that_depends_on_the_configuration_waits_for_nothing() -> None:
    result = converted(CONFIG, DEPLOYMENT, VM.replace("Server\n", "Server\n    depends_on: config\n"))
    assert (targets(result, "vm"), targets(result, "deployment")) == ([], ["vm"])
    assert "BPC738" in [d.code for d in result.diagnostics]


def test_scripts_on_a_server_follow_what_is_said_already() -> None:
    """``one`` comes last because it waits for ``three``, which is on another server and waits for ``two``."""
    other = VM.replace("vm:", "vm2:")
    one = deployment("one").replace("Deployment\n", "Deployment\n    depends_on: three\n")
    three = deployment("three", server="{get_resource: vm2}", input_values="{x: {get_attr: [two, deploy_stdout]}}")
    result = converted(
        CONFIG, one, deployment("two"), three, deployment("four", server="{get_resource: vm2}"), VM, other
    )
    assert targets(result, "one") == ["vm", "three"]
    assert targets(result, "two") == ["vm"]
    assert targets(result, "three") == ["vm2", "two"]
    assert targets(result, "four") == ["vm2", "three"]
    assert not {"BPC388", "BPC407"} & {d.code for d in result.diagnostics}


def test_values_of_a_script_are_waited_for() -> None:
    volume = "\n  volume: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
    result = converted(CONFIG, deployment(input_values="{v: {get_resource: volume}}"), VM, volume)
    assert targets(result, "deployment") == ["vm", "volume"]


# -- user data ----------------------------------------------------------------------------------------------


def user_data(result: Result) -> Any:
    return nodes(result)["vm"]["properties"]["resource_config"]["user_data"]


def mime(*parts: str, more: str = "") -> Result:
    listed = "".join(f"        - {part}\n" for part in parts)
    resource = f"\n  parts:\n    type: OS::Heat::MultipartMime\n    properties:\n      parts:\n{listed}"
    server = VM.replace("SOFTWARE_CONFIG", "RAW, user_data: {get_resource: parts}")
    return converted(resource, more, server)


def test_the_boundary_is_in_no_part() -> None:
    text = "--===============bpconvert==\\nx\\n"
    found = email.message_from_string(user_data(mime(f'{{config: "{text}"}}', "{config: two}")))
    assert found.is_multipart()
    assert [part.get_payload() for part in found.get_payload()] == ["--===============bpconvert==\nx\n", "two"]


def test_no_parts_are_a_message_without_parts() -> None:
    assert user_data(mime()).startswith('Content-Type: multipart/mixed; boundary="')


def test_a_text_that_is_no_multipart_text_adds_nothing() -> None:
    found = email.message_from_string(user_data(mime("{config: plain, type: multipart}", "{config: one}")))
    assert [part.get_payload() for part in found.get_payload()] == ["one"]


@pytest.mark.parametrize(("part", "why"), [
    ("{config: 11111111-2222-3333-4444-555555555555}", "part 0 is a configuration that exists already"),
    ("{config: a, filename: {get_attr: [x, y]}}", "the file name or type of part 0 is computed"),
    ("{config: {get_resource: other}}", "part 0 is no configuration of this template"),
    ("{config: {get_attr: [other, x]}, type: multipart}",
     "part 0 is a multipart text that is only known when deploying"),
    ("{}", "part 0 has no text"),
])  # fmt: skip
def test_parts_that_cannot_be_written(part: str, why: str) -> None:
    result = mime(part, more="\n  other: {type: OS::Heat::WaitCondition, properties: {handle: x}}\n")
    assert whys(result) == {"parts": f"it is the user data of 'vm', but {why}"}


def test_a_configuration_that_is_a_part_of_itself_is_none() -> None:
    result = mime("{config: {get_resource: parts}}")
    assert whys(result) == {"parts": "it is the user data of 'vm', but 'parts' is a part of itself"}


def test_texts_of_configurations_in_texts() -> None:
    inner = config("a", config="'#!text'")
    outer = config("b", config="{list_join: ['-', [{get_attr: [a, config]}, '2']]}")
    result = converted(
        outer,
        inner,
        config("c", config="{get_attr: [b, config]}"),
        VM.replace("SOFTWARE_CONFIG", "RAW, user_data: {get_resource: c}"),
    )
    assert user_data(result) == "#!text-2"
    assert {one.path[-1] for one in result.diagnostics if one.code == "BPC256"} == {"a", "b"}


def test_a_configuration_is_a_script_and_user_data_as_well() -> None:
    server = VM.replace("SOFTWARE_CONFIG", "SOFTWARE_CONFIG, user_data: {get_resource: config}")
    result = converted(CONFIG, DEPLOYMENT, server)
    assert user_data(result) == "#!/bin/sh\ntrue\n"
    assert result.files[created(result)["implementation"]] == "#!/bin/sh\ntrue\n"
    assert "config" not in nodes(result)


# -- the agent ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "encoding"), [("stjålet", "base64"), ("stolen", "8bit")])
def test_a_part_beyond_ascii_that_is_not_known_is_in_base64(tmp_path: Path, text: str, encoding: str) -> None:
    """cloud-init reads the message as a text, and what is beyond ASCII in it as other characters."""
    values = f'{{template: "#!/bin/sh\\necho {text} N\\n", params: {{N: {{get_attr: [net, name]}}}}}}'
    source = (
        config(config=f"{{str_replace: {values}}}"),
        "\n  parts: {type: OS::Heat::MultipartMime, properties: {parts: [{config: {get_resource: config}}]}}\n",
        "\n  net: {type: OS::Neutron::Net}\n",
        VM.replace("SOFTWARE_CONFIG", "RAW, user_data: {get_resource: parts}"),
    )
    result = converted(*source, folder=tmp_path)
    head = user_data(result)["concat"][0]
    assert f"Content-Transfer-Encoding: {encoding}\n\n" in head
    assert verify(tmp_path / "hot.yaml", result.text).is_same
    back = convert(result.text, "cloudify", "hot", carry=False)
    assert verify(result.text, back.text).is_same
    assert ("BPC352" in {d.code for d in back.diagnostics}) is (encoding == "base64")


def test_the_agent_of_a_server_comes_with_its_user_data() -> None:
    result = converted(CONFIG, DEPLOYMENT, VM)
    assert nodes(result)["vm"]["properties"]["agent_config"] == {"install_method": "init_script", "user": "root"}
    assert yaml.safe_load(result.text).get("inputs", {}) == {}
    assert {"BPC704", "BPC723", "BPC795"} & {d.code for d in result.diagnostics} == {"BPC795"}


@pytest.mark.parametrize(("choice", "key"), [
    ("secrets", {"get_secret": "agent_private_key"}), ("inputs", {"get_input": "agent_private_key"}),
    ("none", {"get_input": "agent_private_key"}),
])  # fmt: skip
def test_the_agent_of_a_server_whose_user_data_is_in_base64_comes_over_ssh(choice: str, key: Any) -> None:
    """With ``encode_user_data: false`` the plugin adds nothing to the user data."""
    result = converted(CONFIG, DEPLOYMENT, ENCODED, client_config=choice)
    agent = {"install_method": "remote", "user": {"get_input": "agent_user"}, "key": key}
    assert nodes(result)["vm"]["properties"]["encode_user_data"] is False
    assert nodes(result)["vm"]["properties"]["agent_config"] == agent
    assert {"BPC704", "BPC723", "BPC795"} & {d.code for d in result.diagnostics} == {"BPC723"}


@pytest.mark.parametrize("text", ["'#!/bin/sh'", "{get_param: p}", "{if: [{equals: [{get_param: p}, x]}, '#!/a', '']}"])
def test_other_user_data_of_a_server_does_not_hinder_its_agent(text: str) -> None:
    head = "parameters: {p: {type: string, default: '#cloud-config'}}\n"
    server = VM.replace("SOFTWARE_CONFIG", f"RAW, user_data: {text}")
    properties = nodes(converted(CONFIG, DEPLOYMENT, server, head=head))["vm"]["properties"]
    assert properties["agent_config"]["install_method"] == "init_script"
    assert "encode_user_data" not in properties


def test_the_agent_of_an_existing_server_comes_over_ssh() -> None:
    result = converted(CONFIG, deployment(server="a-known-id"))
    (server,) = [node for node in nodes(result).values() if node["type"] == "cloudify.nodes.openstack.Server"]
    assert server["properties"]["agent_config"]["install_method"] == "remote"


def test_the_agent_of_windows_is_installed_as_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.ps1").write_text("exit 0\n")
    result = converted(config(config="{get_file: a.ps1}"), DEPLOYMENT, VM, folder=tmp_path)
    assert nodes(result)["vm"]["properties"]["agent_config"]["install_method"] == "remote"


def test_the_inputs_of_the_agent_take_no_name_of_the_template() -> None:
    head = "parameters: {agent_user: {type: string}}\n"
    result = converted(CONFIG, DEPLOYMENT, ENCODED, head=head)
    assert nodes(result)["vm"]["properties"]["agent_config"]["user"] == {"get_input": "agent_user_2"}
