"""Deployments that become operations: what the pass leaves on the topology."""

from __future__ import annotations

from pass_requests import codes, node, request, topology

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.passes.software.to_operations import to_operations

SERVER = ex.Identity("vm")


def _config(**more: object) -> Node:
    return node("config", "c", "software_config", group="script", config="#!/bin/sh\necho $x\n", **more)


def _deployment(**more: object) -> Node:
    return node("app", "d", "software_deployment", config=ex.Identity("config"), server=SERVER, **more)


def test_a_deployment_is_an_operation_that_runs_the_script() -> None:
    asked = request()
    app = _deployment(actions=["CREATE"], input_values={"x": 1, "y": "b"})
    source = topology(node("vm", "s", "server"), _config(), app)
    found = to_operations(source, asked)
    (operation,) = found.nodes["app"].operations
    (script,) = found.files
    assert (operation.interface, operation.name, operation.implementation) == ("life", "begin", script)
    assert operation.inputs == {"x": 1, "y": "b"}
    assert found.nodes["app"].properties == {"server": SERVER}
    assert found.nodes["config"].part_of == "app"
    assert found.machines == {"vm": "app"}
    assert "BPC721" in codes(asked)


def test_an_output_that_is_used_needs_the_runner() -> None:
    config = _config(outputs=[{"name": "out"}])
    source = topology(node("vm", "s", "server"), config, _deployment(), it=ex.Attribute("app", "out"))
    found = to_operations(source, request())
    assert [operation.implementation for operation in found.nodes["app"].operations] == ["run.sh", "run.sh"]
    assert found.nodes["app"].operations[0].inputs["outputs"] == "out"
    assert found.nodes["app"].published == {"out"}
    assert found.files["run.sh"] == "#!/bin/sh\n"


def test_a_deployment_without_a_server_of_the_template_is_a_stand_in() -> None:
    found = to_operations(topology(_config(), _deployment()), request())
    assert found.nodes["app"].stand_in
    assert found.nodes["app"].refusal == ("BPC720", "there is no server node 'vm'")
    assert found.nodes["config"].refusal is not None
