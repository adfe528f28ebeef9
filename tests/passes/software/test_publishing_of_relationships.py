"""Scripts of relationships that ask and set values of both sides, where there is no command ``ctx``."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.options import Options

PLAIN = Options(carry=False)
HEAD = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_types:
  types.Db:
    derived_from: cloudify.nodes.DBMS
    properties: {port: {default: 5432}}
node_templates:
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {client_config: {}, image: i, flavor: f}
"""
NODE = """  %s:
    type: %s
    interfaces: {cloudify.interfaces.lifecycle: {%s}}
    relationships:
      - {type: cloudify.relationships.contained_in, target: vm}
"""
DB = NODE % ("db", "types.Db", "create: db.sh, stop: ../x.sh")
APP = NODE % ("app", "cloudify.nodes.ApplicationModule", "start: start.sh")
JOIN = """      - type: cloudify.relationships.connected_to
        target: db
        %s_interfaces: {cloudify.interfaces.relationship_lifecycle: {%s: join.sh}}
"""
SETS = "#!/bin/sh\nctx instance runtime_properties token $(date)\n"
ASKS = """#!/bin/sh
url="$(ctx target instance host_ip):$(ctx target node properties port)/$(ctx target instance runtime_properties token)"
ctx source instance runtime_properties url "$url"
ctx logger info "$(ctx source instance runtime_properties url) of $(ctx target node name)"
"""
READS = "#!/bin/sh\nrun --of $(ctx instance runtime_properties url)\n"
FILES = {"db.sh": SETS, "start.sh": READS, "join.sh": ASKS, "x.sh": "#!/bin/sh\n"}


def converted(to: str, side: str = "source", step: str = "preconfigure", **files: str) -> Result:
    beside = FILES | {name.replace("_", "."): text for name, text in files.items()}
    text = HEAD + DB.replace(", stop: ../x.sh", "") + APP + JOIN % (side, step)
    return convert(text, "cloudify", to, beside=beside, options=PLAIN)


def functions(result: Result) -> set[str]:
    """The scripts that got a function."""
    return {str(row.message).split("'")[1] for row in result.diagnostics if row.code == "BPC431"}


def inputs(result: Result) -> Any:
    return result.document["resources"]["app_db_preconfigure_deploy"]["properties"]["input_values"]


@pytest.mark.parametrize("side", ["source", "target"])
def test_both_sides_are_asked_in_heat(side: str) -> None:
    """It runs on the machine of one side, what it sets belongs to the source."""
    result = converted("hot", side)
    assert functions(result) == {"db.sh", "join.sh", "start.sh"}
    assert inputs(result) == {
        "ctx_target_host_ip": {"get_attr": ["vm", "first_address"]},
        "ctx_target_node_port": "5432",
        "ctx_target_instance_token": {"get_attr": ["db_create_deploy", "token"]},
        "ctx_target_name": "db",
    }
    start = result.document["resources"]["app_start_deploy"]["properties"]["input_values"]
    assert start == {"ctx_instance_url": {"get_attr": ["app_db_preconfigure_deploy", "url"]}}


def test_both_sides_are_asked_in_tosca() -> None:
    """What the operation of a relationship sets of its source is an attribute of that (Simple Profile 1.3, 3.6.15)."""
    result = converted("tosca")
    template = result.document["topology_template"]["relationship_templates"]["app_db"]
    operation = template["interfaces"]["Configure"]["operations"]["pre_configure_source"]
    assert operation["outputs"] == {"url": ["SOURCE", "url"]}
    assert operation["inputs"]["ctx_target_instance_token"] == {"get_attribute": ["db", "token"]}
    assert operation["inputs"]["ctx_target_node_port"] == 5432
    start = result.document["topology_template"]["node_templates"]["app"]["interfaces"]["Standard"]["operations"][
        "start"
    ]
    assert start["inputs"] == {"ctx_instance_url": {"get_attribute": ["app", "url"]}}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("db_sh", "#!/bin/sh\n"),
        ("join_sh", ASKS.replace("token", "other")),
        ("join_sh", ASKS.replace("properties port", "properties other")),
        ("join_sh", ASKS.replace("ctx source", "ctx target")),
        ("join_sh", f"{ASKS}ctx instance runtime_properties a b\n"),
        ("join_sh", ASKS.replace("source instance", "instance")),
    ],
)
@pytest.mark.parametrize("to", ["hot", "tosca"])
def test_what_nothing_has_set_cannot_be_asked(to: str, name: str, text: str) -> None:
    """Neither can what reads it in turn."""
    result = converted(to, **{name: text})
    assert functions(result) <= {"db.sh"}
    codes = [row.code for row in result.diagnostics if row.severity == "warning"]
    assert codes.count("BPC251" if to == "tosca" else "BPC392") == 2


@pytest.mark.parametrize("step", ["postconfigure", "establish"])
def test_a_value_counts_from_its_step_on(step: str) -> None:
    """What a relationship publishes when it is established is there after the start."""
    result = converted("hot", step=step)
    assert ("start.sh" in functions(result)) is (step == "postconfigure")


def test_the_sides_of_a_node_alone_are_none() -> None:
    result = converted("hot", db_sh=ASKS)
    assert "db.sh" not in functions(result)


def test_the_command_is_there_again_in_cloudify() -> None:
    there = converted("tosca")
    assert there.text is not None
    back = convert(there.text, "tosca", "cloudify", beside=dict(there.files), options=PLAIN)
    texts = list(back.files.values())
    assert all(text in texts for text in (SETS, ASKS, READS))
    assert "ctx_" not in str(back.document["node_templates"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ctx_target_name: db", "ctx_target_name: other"),
        ("get_attribute: [vm, first_address]", "get_attribute: [vm, name]"),
    ],
)
def test_what_cloudify_would_answer_otherwise_stays_a_variable(before: str, after: str) -> None:
    there = converted("tosca")
    assert there.text is not None
    assert before in there.text
    back = convert(there.text.replace(before, after), "tosca", "cloudify", beside=dict(there.files), options=PLAIN)
    assert ASKS not in back.files.values()
    assert SETS in back.files.values()


def test_the_deployment_has_an_id_for_both() -> None:
    result = converted("hot", join_sh=ASKS + "echo $(ctx deployment id)\n")
    assert inputs(result)["ctx_deployment_id"] == {"get_param": "OS::stack_id"}
    assert "BPC249" in [row.code for row in result.diagnostics]
