"""What scripts of two documents say of their nodes, and what of a server's agent is compared with them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import DEPLOYMENT, Deployment, Part
from bpconvert.translators.comparing.scripts import OPERATION
from bpconvert.translators.passes.software.kinds import DEPLOYMENT_GROUP
from bpconvert.translators.verify.scripts import same_nodes, unify
from bpconvert.verification import verify

SIDE: Any = None


def part(name: str, node: str, kind: str = "server", node_kind: str | None = None, **more: Any) -> Part:
    """A part of a node; scripts are owned by it unless ``owner`` says otherwise."""
    own = Node(node, "t", node_kind or kind)
    more.setdefault("owner", node if kind in (DEPLOYMENT, OPERATION) else "")
    return Part(name, kind, more.pop("properties", {}), (), lambda *keys: keys, own, **more)


def deployment(*parts: Part, **more: Any) -> Deployment:
    return Deployment(SIDE, {one.name: one for one in parts}, **more)


# -- which nodes are the same -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "other", "names"),
    [
        (part("web", "web"), part("vm", "vm"), {"vm": "web"}),
        (part("web", "web"), part("web", "web"), {}),
        (part("app.create", "app", DEPLOYMENT), part("soft.create", "soft", DEPLOYMENT), {"soft": "app"}),
        (part("app.create", "app", OPERATION), part("soft.create", "soft", OPERATION), {"soft": "app"}),
        (
            part("app.create", "app", OPERATION, properties={"x": 1}),
            part("soft.create", "soft", OPERATION, properties={"x": 2}),
            {},
        ),
        (
            part("app.create", "app", DEPLOYMENT, properties={"x": 1}),
            part("soft.create", "soft", DEPLOYMENT, properties={"x": 2}),
            {"soft": "app"},
        ),
    ],
)
def test_nodes_whose_parts_correspond_are_the_same(own: Part, other: Part, names: dict[str, str]) -> None:
    """Not those of operations that were only left over."""
    assert same_nodes([(own, other)]) == names


@pytest.mark.parametrize("made", ["app_create_deploy", "app_stop_deploy"])
def test_a_name_that_is_made_of_an_operation_says_nothing(made: str) -> None:
    plain, named = part("app.create", "app", DEPLOYMENT), part("app.create", made, DEPLOYMENT, owner="app")
    assert same_nodes([(plain, named)]) == {}
    assert same_nodes([(named, plain)]) == {}


def test_a_script_of_a_relationship_says_nothing() -> None:
    of_relationship = part("app.db.establish", "app", DEPLOYMENT, owner="app.db")
    assert same_nodes([(of_relationship, part("x.create", "x", DEPLOYMENT))]) == {}


def test_a_deployment_of_a_group_has_the_name_that_the_group_gives_it() -> None:
    of_group = part("all_a.create", "all", DEPLOYMENT, DEPLOYMENT_GROUP, owner="all_a")
    alone = part("single.create", "single", DEPLOYMENT)
    assert same_nodes([(of_group, alone)]) == {"single": "all_a"}
    assert same_nodes([(alone, of_group)]) == {}


def test_the_name_of_a_machine_comes_before_that_of_what_runs_on_it() -> None:
    """They may be one node in the first document and two in the second."""
    own = part("host", "host"), part("host.create", "host", DEPLOYMENT)
    machine, program = part("vm", "vm"), part("soft.create", "soft", DEPLOYMENT)
    assert same_nodes([(own[0], machine), (own[1], program)]) == {"vm": "host"}
    assert same_nodes([(own[1], program), (own[0], machine)]) == {"vm": "host"}


# -- agents -------------------------------------------------------------------------------------------------

AGENT = {
    "user_data_format": "RAW",
    "software_config_transport": "POLL_TEMP_URL",
    "deployment_swift_data": {"object": "x"},
}


@pytest.mark.parametrize(("first", "second"), [({"vm"}, set()), (set(), {"vm"}), ({"vm"}, {"vm"})])
def test_the_agent_of_a_server_that_scripts_reach_is_compared_with_them(first: set[str], second: set[str]) -> None:
    both = [part(name, name, properties={**AGENT, "image": "i"}) for name in ("vm", "other")]
    others = [part(name, name, properties={**AGENT, "image": "i"}) for name in ("vm", "other")]
    unify(deployment(*both, reached=first), deployment(*others, reached=second))
    assert [one.properties for one in (both[0], others[0])] == [{"image": "i"}] * 2
    assert [one.properties for one in (both[1], others[1])] == [{**AGENT, "image": "i"}] * 2


def test_whether_there_is_an_agent_is_compared_where_both_know_it() -> None:
    known, unknown = (part("app.create", "app", DEPLOYMENT, properties=values) for values in ({"agent": True}, {}))
    unify(deployment(known), deployment(unknown))
    assert known.properties == {}
    both = [part("app.create", "app", DEPLOYMENT, properties={"agent": agent}) for agent in (True, False)]
    unify(deployment(both[0]), deployment(both[1]))
    assert [one.properties["agent"] for one in both] == [True, False]
    alone = part("app.create", "app", DEPLOYMENT, properties={"agent": True})
    unify(deployment(alone), deployment())
    assert alone.properties == {"agent": True}


@pytest.mark.parametrize(
    ("more", "second", "stays"),
    [
        ({"bare": {"app"}}, deployment(), False),
        ({"bare": {"app"}}, deployment(part("app", "app")), True),
        ({"empty": {"app"}}, deployment(bare={"app"}), False),
        ({"empty": {"app"}}, deployment(), True),
        ({}, deployment(bare={"app"}), True),
    ],
)
def test_software_that_runs_nothing_may_be_missing(more: dict[str, Any], second: Deployment, stays: bool) -> None:
    first = deployment(part("app", "app"), **more)
    unify(first, second)
    assert ("app" in first.parts) is stays
    first = deployment(part("app", "app"), **more)
    unify(second, first)
    assert ("app" in first.parts) is stays


# -- documents ----------------------------------------------------------------------------------------------

GROUP = """\
heat_template_version: 2018-08-31
resources:
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: echo}}
  web: {type: OS::Nova::Server, properties: {flavor: f, user_data_format: SOFTWARE_CONFIG}}
  all:
    type: OS::Heat::SoftwareDeploymentGroup
    properties: {config: {get_resource: config}, servers: {SERVERS}}
"""


def test_a_group_of_no_deployments_is_nothing() -> None:
    none, one = GROUP.replace("SERVERS", ""), GROUP.replace("SERVERS", "a: {get_resource: web}")
    without = none[: none.index("  all:")]
    assert verify(none, without, draws=0).is_same
    assert not verify(one, without, draws=0).is_same
    assert not verify(one, none, draws=0).is_same
    assert verify(one, one, draws=0).is_same
    unknown = GROUP.replace("{SERVERS}", "{get_attr: [web, unknown]}")
    assert [one.what for one in verify(unknown, without, draws=0).differences] == ["all"]


def test_of_what_is_no_server_no_agent_is_known() -> None:
    text = GROUP.replace("SERVERS", "a: {get_resource: web}")
    deployed = text.replace("OS::Nova::Server, properties: {flavor: f, ", "OS::Heat::DeployedServer, properties: {")
    for changed in (deployed, deployed.replace("SOFTWARE_CONFIG", "RAW")):
        assert [one.what for one in verify(text, changed, draws=0).differences] == ["web"]


MACHINE = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  app:
    type: cloudify.nodes.Compute
    properties: {ip: 10.0.0.1}
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: a.sh, inputs: {text: x}}
        start: a.sh
  after:
    type: cloudify.nodes.Tier
    relationships: [{type: cloudify.relationships.connected_to, target: app}]
"""


def test_what_waits_for_a_machine_waits_for_the_programs_that_are_its_own() -> None:
    text = convert(MACHINE, "cloudify", "hot", carry=False).text
    waiting = [one.what for one in verify(MACHINE, text).differences]
    assert not any("waits for" in what for what in waiting)
    for step, what in (("create", "app.start.waits for.app.create"), ("start", "after.waits for.app.start")):
        assert text.count(f"depends_on: app_{step}_deploy") == 1
        sooner = verify(MACHINE, text.replace(f"depends_on: app_{step}_deploy", "depends_on: app"))
        assert what in [one.what for one in sooner.differences]


@pytest.mark.parametrize("server", ["{get_resource: web}", "{get_attr: [held, value]}"])
def test_how_a_server_gets_its_scripts_makes_no_difference(server: str) -> None:
    text = f"""\
heat_template_version: 2018-08-31
resources:
  config: {{type: OS::Heat::SoftwareConfig, properties: {{group: script, config: echo}}}}
  web:
    type: OS::Nova::Server
    properties: {{flavor: f, user_data_format: SOFTWARE_CONFIG, software_config_transport: POLL_TEMP_URL}}
  held: {{type: OS::Heat::Value, properties: {{value: {{get_resource: web}}}}}}
  deploy:
    type: OS::Heat::SoftwareDeployment
    properties: {{config: {{get_resource: config}}, server: {server}}}
"""
    assert verify(text, text.replace("POLL_TEMP_URL", "POLL_SERVER_HEAT"), draws=0).is_same
    found = verify(text, text.replace("SOFTWARE_CONFIG", "RAW"), draws=0)
    assert [one.what for one in found.differences] == ["deploy.create.agent", "deploy.update.agent"]


STEPS = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, "plugin:cloudify-openstack-plugin"]
node_templates:
  host:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian-12, flavor: m1.small}
  app:
    type: cloudify.nodes.WebServer
    interfaces:
      cloudify.interfaces.lifecycle: {create: a.sh, configure: a.sh, start: a.sh, stop: a.sh, delete: a.sh}
    relationships:
      - {type: cloudify.relationships.contained_in, target: host}
"""


@pytest.mark.parametrize(
    ("step", "before"),
    [("configure", ["create"]), ("start", ["configure"]), ("stop", ["delete"]), ("delete", [])],
)
def test_the_steps_of_a_node_wait_for_each_other_up_and_down(tmp_path: Path, step: str, before: list[str]) -> None:
    """What ends a node waits for nothing that has begun it."""
    (tmp_path / "a.sh").write_text("#!/bin/sh\necho\n")
    (tmp_path / "main.yaml").write_text(STEPS)
    result = convert(tmp_path / "main.yaml", "cloudify", "hot", carry=False)
    lines = result.text.split(f"  app_{step}_deploy:\n")
    changed = tmp_path / "changed.yaml"
    changed.write_text(f"  app_{step}_deploy:\n".join([lines[0], re.sub(r" +depends_on: .*\n", "", lines[1], count=1)]))
    steps = [one.what for one in verify(tmp_path / "main.yaml", changed).differences]
    waiting = f"app.{step}.waits for.app."
    assert [what.removeprefix(waiting) for what in steps if what.startswith(waiting)] == before


# -- which programs are the same ----------------------------------------------------------------------------

NEAR = """
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  vm: {type: cloudify.nodes.Compute}
  app:
    type: cloudify.nodes.DBMS
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
    interfaces:
      cloudify.interfaces.lifecycle:
        configure: {implementation: run.sh, inputs: {port: 80}}
        poststart: run.sh
        preconfigure: run.sh
"""
ENDS = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute}
    a: {type: tosca.nodes.SoftwareComponent, requirements: [{host: vm}]}
    b:
      type: tosca.nodes.SoftwareComponent
      requirements:
        - host: vm
        - dependency:
            node: a
            relationship:
              type: tosca.relationships.ConnectsTo
              interfaces:
                Configure:
                  operations:
                    add_source: {implementation: run.sh, inputs: {x: 1}}
                    add_target: {implementation: run.sh, inputs: {x: 2}}
"""


def compared(source: str, target: str, folder: Path) -> list[tuple[str, bool]]:
    """Where a document and its conversion differ, and whether that is reported."""
    (folder / "run.sh").write_text("#!/bin/sh\necho run\n")
    (folder / "source.yaml").write_text(source)
    result = convert(folder / "source.yaml", target=target, carry=False)
    result.write(folder / "target.yaml")
    differences = verify(folder / "source.yaml", folder / "target.yaml", reported=result.diagnostics).differences
    return [(difference.what, difference.is_reported) for difference in differences]


def test_what_runs_after_a_step_is_what_runs_at_it(tmp_path: Path) -> None:
    """Where a language has only one of the two; not what runs at another step, though the file is the same."""
    assert compared(NEAR, "tosca", tmp_path) == [("app.preconfigure", True)]


@pytest.mark.parametrize("target", ["cloudify", "hot"])
def test_both_ends_of_a_relationship_run_at_once(target: str, tmp_path: Path) -> None:
    assert compared(ENDS, target, tmp_path) == []
