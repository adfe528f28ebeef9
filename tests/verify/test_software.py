"""Scripts on servers mean the same in both languages, and each change of one is seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert import convert
from bpconvert.translators.cloudify import runner
from bpconvert.verification import Verification, verify

HOT = """\
heat_template_version: 2018-08-31
parameters:
  port: {type: number, default: 80}
resources:
  config:
    type: OS::Heat::SoftwareConfig
    properties:
      group: script
      inputs: [{name: mode, default: quiet}, {name: port}, {name: tags, type: Json}]
      outputs: [{name: key}]
      config: |
        #!/bin/sh
        echo "$mode $port $deploy_action" > "$heat_outputs_path.key"
  computed:
    type: OS::Heat::SoftwareConfig
    properties:
      group: script
      config:
        str_replace: {template: "#!/bin/sh\\nlisten PORT\\n", params: {PORT: {get_param: port}}}
  first:
    type: OS::Heat::SoftwareDeployment
    properties:
      config: {get_resource: config}
      server: {get_resource: web}
      input_values: {port: {get_param: port}, tags: {a: [1, true]}}
      actions: [CREATE, DELETE]
  second:
    type: OS::Heat::SoftwareDeployment
    depends_on: first
    properties: {config: {get_resource: computed}, server: {get_resource: web}, actions: [CREATE]}
  all:
    type: OS::Heat::SoftwareDeploymentGroup
    properties:
      config: {get_resource: config}
      servers: {a: {get_resource: web}, b: {get_resource: db}}
      input_values: {port: 8, tags: none}
      actions: [CREATE]
  web: &vm
    type: OS::Nova::Server
    properties:
      image: debian-12
      flavor: m1.small
      user_data_format: SOFTWARE_CONFIG
      software_config_transport: POLL_SERVER_HEAT
  db: *vm
outputs:
  key: {value: {get_attr: [first, key]}}
  keys: {value: {get_attr: [all, key]}}
  logs: {value: {get_attr: [all, deploy_stdouts]}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, "plugin:cloudify-openstack-plugin"]
inputs: {port: {type: integer, default: 8080}}
node_templates:
  host:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian-12, flavor: m1.small}
  other:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian-12, flavor: m1.small}
  app:
    type: cloudify.nodes.WebServer
    properties: {port: {get_input: port}}
    interfaces:
      cloudify.interfaces.lifecycle:
        create: run.sh
        configure:
          implementation: run.sh
          inputs: {port: {get_property: [SELF, port]}, options: {workers: 2}}
        start: {implementation: run.sh, inputs: {process: {env: {level: 3}}}}
        stop: stop.sh
        delete: stop.sh
    relationships:
      - {type: cloudify.relationships.contained_in, target: host}
"""
LIFECYCLE = ("interfaces", "cloudify.interfaces.lifecycle")


class Pair:
    """A document and what it is converted to, both on disk."""

    def __init__(self, folder: Path, text: str, way: tuple[str, str]) -> None:
        source = folder / "source"
        source.mkdir()
        for name in ("run.sh", "stop.sh"):
            (source / name).write_text(f"#!/bin/sh\n./{name}\n")
        self.source, self.target = source / "source.yaml", folder / "target" / "target.yaml"
        self.source.write_text(text)
        self.result = convert(self.source, *way, carry=False)
        for name, content in {**self.result.files, "target.yaml": self.result.text}.items():
            file = folder / "target" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        self.data: Any = yaml.safe_load(self.result.text)

    def verified(self) -> Verification:
        """What :func:`verify` finds of the target as it is now."""
        self.target.write_text(yaml.safe_dump(self.data, sort_keys=False))
        return verify(self.source, self.target, draws=1)

    def places(self) -> set[str]:
        return {one.what for one in self.verified().differences}


@pytest.fixture
def hot(tmp_path: Path) -> Pair:
    return Pair(tmp_path, HOT, ("hot", "cloudify"))


@pytest.fixture
def cloudify(tmp_path: Path) -> Pair:
    return Pair(tmp_path, BLUEPRINT, ("cloudify", "hot"))


def operation(pair: Pair, node: str, name: str = "create") -> Any:
    return pair.data["node_templates"][node]["interfaces"][LIFECYCLE[1]][name]


def script_of(pair: Pair, node: str) -> Path:
    found = operation(pair, node)
    name = found["inputs"].get(runner.FILE, found["implementation"])
    return pair.target.parent / str(name)


# -- from Heat ----------------------------------------------------------------------------------------------


def test_scripts_of_deployments_are_the_same(hot: Pair) -> None:
    found = hot.verified()
    assert [(one.what, one.first, one.second) for one in found.differences] == []
    assert found.compared > 100


def test_a_variable(hot: Pair) -> None:
    operation(hot, "first")["inputs"]["mode"] = "loud"
    assert hot.places() == {"first.create.environment.mode"}


@pytest.mark.parametrize("name", ["mode", "port", "tags", "deploy_action"])
def test_a_variable_that_is_missing(hot: Pair, name: str) -> None:
    del operation(hot, "first", "delete")["inputs"][name]
    assert hot.places() == {f"first.delete.environment.{name}"}


def test_a_variable_more(hot: Pair) -> None:
    operation(hot, "second")["inputs"]["more"] = 1
    assert hot.places() == {"second.create.environment.more"}


def test_a_variable_as_the_runner_writes_it(hot: Pair) -> None:
    operation(hot, "first")["inputs"]["tags"] = '{"a": [1, true]}'
    assert not hot.places()
    operation(hot, "first")["inputs"]["tags"] = "{'a': [1, True]}"
    assert hot.places() == {"first.create.environment.tags"}


def test_the_text_of_a_file(hot: Pair) -> None:
    script = script_of(hot, "first")
    script.write_text(script.read_text() + "exit 1\n")
    expected = {"first.create.script", "first.delete.script", "all_a.create.script", "all_b.create.script"}
    assert hot.places() == expected


def test_the_text_with_values(hot: Pair) -> None:
    text = operation(hot, "second")["inputs"][runner.TEXT]["concat"]
    text[text.index({"get_input": "port"})] = "80"
    assert hot.places() == {"second.create.script"}


def test_who_runs_the_text(hot: Pair) -> None:
    (hot.target.parent / runner.PATH).write_text("#!/bin/sh\nexit 0\n")
    assert {"first.create.script", "second.create.script"} <= hot.places()


def test_the_server(hot: Pair) -> None:
    hot.data["node_templates"]["second"]["relationships"][0]["target"] = "db"
    assert "second.create.server" in hot.places()


def test_the_servers_of_a_group(hot: Pair) -> None:
    nodes = hot.data["node_templates"]
    one, other = (nodes[name]["relationships"] for name in ("all_a", "all_b"))
    one[0]["target"], other[0]["target"] = other[0]["target"], one[0]["target"]
    assert {"all_a.create.server", "all_b.create.server"} <= hot.places()


def test_an_action_less(hot: Pair) -> None:
    del hot.data["node_templates"]["first"]["interfaces"][LIFECYCLE[1]]["delete"]
    assert "first.delete" in hot.places()


def test_another_action(hot: Pair) -> None:
    operations = hot.data["node_templates"]["second"]["interfaces"][LIFECYCLE[1]]
    operations["delete"] = operations.pop("create")
    assert {"second.create", "second.delete"} <= hot.places()


def test_an_output_that_is_not_kept(hot: Pair) -> None:
    del operation(hot, "first")["inputs"][runner.OUTPUTS]
    assert hot.places() == {"first.create.publishes.key"}


def test_no_agent(hot: Pair) -> None:
    hot.data["node_templates"]["db"]["properties"]["agent_config"] = {"install_method": "none"}
    assert hot.places() == {"all_b.create.agent"}


def test_the_order(hot: Pair) -> None:
    second = hot.data["node_templates"]["second"]
    second["relationships"] = [row for row in second["relationships"] if row["target"] != "first"]
    assert {"second.create.waits for.first.create", "second.create.waits for.first.delete"} <= hot.places()


# -- from Cloudify ------------------------------------------------------------------------------------------


def deployment(pair: Pair, operation: str) -> Any:
    return pair.data["resources"][f"app_{operation}_deploy"]["properties"]


def test_scripts_of_operations_are_the_same(cloudify: Pair) -> None:
    found = {one.what: (one.first, one.second) for one in cloudify.verified().differences if one.what != "app"}
    assert found == {}


def changes() -> Iterator[Any]:
    """Name, operation, change of the resources, and the place at which it is seen."""

    def script(resources: Any) -> None:
        resources["app_create_config"]["properties"]["config"] = "#!/bin/sh\nfalse\n"

    def variable(resources: Any) -> None:
        resources["app_configure_deploy"]["properties"]["input_values"]["options"] = "{'workers': 2}"

    def server(resources: Any) -> None:
        resources["app_start_deploy"]["properties"]["server"] = {"get_resource": "other"}
        resources["other"]["properties"]["user_data_format"] = "SOFTWARE_CONFIG"

    def action(resources: Any) -> None:
        resources["app_stop_deploy"]["properties"]["actions"] = ["CREATE"]

    def signal(resources: Any) -> None:
        resources["app_delete_deploy"]["properties"]["signal_transport"] = "NO_SIGNAL"

    def agent(resources: Any) -> None:
        del resources["host"]["properties"]["user_data_format"]

    def group(resources: Any) -> None:
        resources["app_create_config"]["properties"]["group"] = "puppet"

    yield pytest.param(script, "app.create.script", id="script")
    yield pytest.param(variable, "app.configure.environment.options", id="variable")
    yield pytest.param(server, "app.start.server", id="server")
    yield pytest.param(action, "app.stop", id="action")
    yield pytest.param(signal, "app.delete.is waited for", id="signal")
    yield pytest.param(agent, "app.create.agent", id="agent")
    yield pytest.param(group, "app.create.tool", id="tool")


@pytest.mark.parametrize(("change", "place"), list(changes()))
def test_a_change_of_a_deployment(cloudify: Pair, change: Any, place: str) -> None:
    assert place not in cloudify.places()
    change(cloudify.data["resources"])
    assert place in cloudify.places()


def test_a_variable_of_the_process(cloudify: Pair) -> None:
    values = deployment(cloudify, "start")["input_values"]
    assert values == {"level": "3"}
    values["level"] = "4"
    assert "app.start.environment.level" in cloudify.places()


def test_an_operation_that_runs_no_script(tmp_path: Path) -> None:
    text = BLUEPRINT.replace("create: run.sh", "create: {implementation: own.plugin.make}")
    pair = Pair(tmp_path, text, ("cloudify", "hot"))
    told = verify(pair.source, pair.target, draws=0, reported=pair.result.diagnostics).differences
    codes = {one.what: one.codes for one in told}
    assert "BPC391" in codes["app.cloudify.interfaces.lifecycle.create"]


# -- groups of servers and user data ------------------------------------------------------------------------


def test_members_that_are_scaled_have_their_own_scripts(tmp_path: Path) -> None:
    text = (
        HOT[: HOT.index("  computed:")].replace("$deploy_action", "")
        + """\
  servers:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: port}
      resource_def:
        type: OS::Nova::Server
        properties: {image: a, flavor: b, user_data_format: SOFTWARE_CONFIG}
  each:
    type: OS::Heat::SoftwareDeploymentGroup
    properties: {config: {get_resource: config}, servers: {get_attr: [servers, refs_map]}, actions: [CREATE]}
"""
    )
    pair = Pair(tmp_path, text, ("hot", "cloudify"))
    inputs = {"port": 3}
    same = verify(pair.source, pair.target, inputs=inputs, draws=0)
    assert "each.2.create.environment.mode" not in {one.what for one in same.differences}
    operation(pair, "each")["inputs"]["mode"] = "loud"
    pair.target.write_text(yaml.safe_dump(pair.data))
    found = verify(pair.source, pair.target, inputs=inputs, draws=0)
    changed = {one.what for one in found.differences} - {one.what for one in same.differences}
    assert changed == {f"each.{number}.create.environment.mode" for number in range(3)}


def test_parts_of_parts_in_user_data(tmp_path: Path) -> None:
    text = """\
heat_template_version: 2018-08-31
resources:
  inner:
    type: OS::Heat::MultipartMime
    properties: {parts: [{config: "#!/bin/sh\\n", filename: shell.sh}, {config: "größer"}]}
  outer:
    type: OS::Heat::MultipartMime
    properties: {parts: [{config: {get_resource: inner}, type: multipart}, {config: last}]}
  server:
    type: OS::Nova::Server
    properties: {image: a, flavor: b, user_data: {get_resource: outer}, user_data_format: RAW}
"""
    pair = Pair(tmp_path, text, ("hot", "cloudify"))
    assert not pair.places()
    properties = pair.data["node_templates"]["server"]["properties"]["resource_config"]
    properties["user_data"] = properties["user_data"].replace("last", "lost")
    assert pair.places() == {"server.user_data"}


@pytest.mark.parametrize(("name", "differ"), [("7", {"server.user_data"}), ("[name.sh]", set()), ("{a: b}", set())])
def test_parts_of_user_data_with_odd_file_names(tmp_path: Path, name: str, differ: set[str]) -> None:
    """Heat takes a number for a text, and refuses maps and lists. Such user data is asked for."""
    text = f"""\
heat_template_version: 2018-08-31
resources:
  parts:
    type: OS::Heat::MultipartMime
    properties: {{parts: [{{config: 80, filename: {name}, subtype: plain}}]}}
  server:
    type: OS::Nova::Server
    properties: {{image: a, flavor: b, user_data: {{get_resource: parts}}, user_data_format: RAW}}
"""
    pair = Pair(tmp_path, text, ("hot", "cloudify"))
    found = verify(pair.source, pair.target, draws=1)
    assert {one.what for one in found.differences} == differ


BOOTS = """\
heat_template_version: 2018-08-31
parameters: {own: {type: boolean, default: true}}
conditions: {own: {equals: [{get_param: own}, true]}}
resources:
  a: {type: OS::Nova::Server, condition: own, properties: {user_data_format: SOFTWARE_CONFIG}}
  b: {type: OS::Nova::Server, condition: {not: own}, properties: {user_data_format: SOFTWARE_CONFIG}}
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: echo}}
  deploy:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {if: [own, {get_resource: a}, {get_resource: b}]}}
"""


def test_a_server_that_one_side_does_not_know_is_one_difference() -> None:
    """Whether it has an agent follows from which one it is."""
    made = convert(BOOTS, "hot", "tosca", carry=False)
    found = verify(BOOTS, made.text, reported=made.diagnostics)
    runs = [one.what for one in found.differences if one.what.startswith("deploy.")]
    assert runs == ["deploy.create.server", "deploy.update.server"]


def test_the_text_of_a_configuration_is_its_attribute() -> None:
    text = """\
heat_template_version: 2018-08-31
parameters: {a: {type: string}}
resources:
  config:
    type: OS::Heat::SoftwareConfig
    properties: {config: {str_replace: {template: x A, params: {A: {get_param: a}}}}}
outputs: {text: {value: {get_attr: [config, config]}}}
"""
    written_out = text.replace("{get_attr: [config, config]}", "{list_join: ['', ['x ', {get_param: a}]]}")
    assert verify(text, written_out).is_same


DERIVED = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_types: {app: {derived_from: cloudify.nodes.ApplicationModule}}
node_templates:
  host: {type: cloudify.nodes.openstack.Server, properties: {image: debian-12, flavor: m1.small}}
  web:
    type: app
    interfaces: {cloudify.interfaces.lifecycle: {create: run.sh}}
    relationships: [{type: cloudify.relationships.contained_in, target: host}]
  linked:
    type: app
    relationships:
      - {type: cloudify.relationships.contained_in, target: host}
      - type: cloudify.relationships.connected_to
        target: web
        source_interfaces: {cloudify.interfaces.relationship_lifecycle: {establish: run.sh}}
"""


@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_software_of_a_type_of_its_own_is_what_it_runs(target: str, tmp_path: Path) -> None:
    """There and back without the kept source, where it is of another type or none."""
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho\n")
    source = tmp_path / "blueprint.yaml"
    source.write_text(DERIVED)
    there, back = tmp_path / "there" / f"{target}.yaml", tmp_path / "back" / "blueprint.yaml"
    convert(source, "cloudify", target, carry=False).write(there)
    assert [one.what for one in verify(source, there).differences if "web" in one.what or "link" in one.what] == []
    convert(there, target, "cloudify", carry=False).write(back)
    assert {one.what for one in verify(source, back).differences} <= {"host.agent"}


def test_software_of_a_type_of_its_own_in_a_group(tmp_path: Path) -> None:
    """The members are in a template of their own, which knows nothing of their type."""
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho\n")
    source = tmp_path / "blueprint.yaml"
    policy = "{type: cloudify.policies.scaling, targets: [g], properties: {default_instances: 2}}"
    source.write_text(DERIVED + f"groups: {{g: {{members: [host]}}}}\npolicies: {{p: {policy}}}\n")
    made = convert(source, "cloudify", "hot", carry=False)
    made.write(tmp_path / "there" / "hot.yaml")
    found = verify(source, tmp_path / "there" / "hot.yaml").differences
    assert [one.what for one in found if "web" in one.what or "linked" in one.what] == []


def test_what_runs_at_another_step_is_reported_by_the_finding_that_says_so() -> None:
    source = """
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {use_external_resource: true, resource_config: {name: web}}
  app:
    type: cloudify.nodes.DBMS
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
    interfaces: {cloudify.interfaces.lifecycle: {poststart: a.sh}}
"""
    result = convert(source, "cloudify", "tosca", carry=False, beside={"a.sh": "#!/bin/sh\n"})
    compared = verify(source, result.text, reported=result.diagnostics)
    assert {row.what: "BPC267" in row.codes for row in compared.differences} == {
        "app.poststart": True,
        "app.start": True,
    }


@pytest.mark.parametrize("group", ["", "group: null, "])
def test_a_script_without_a_group_is_one(group: str, tmp_path: Path) -> None:
    """Heat's agent does not run it, which the finding says; its first line is not part of what is run."""
    source = f"""
heat_template_version: 2018-08-31
resources:
  c:
    type: OS::Heat::SoftwareConfig
    properties: {{{group}config: "#!/bin/bash\\necho a\\n"}}
  d:
    type: OS::Heat::SoftwareDeployment
    properties: {{config: {{get_resource: c}}, server: s}}
"""
    result = convert(source, "hot", "cloudify", carry=False)
    result.write(tmp_path / "blueprint.yaml")
    found = verify(source, tmp_path / "blueprint.yaml", reported=result.diagnostics).differences
    assert {row.what: "BPC732" in row.codes for row in found} == {"d.create.tool": True, "d.update.tool": True}
    assert verify(source, convert(source, "hot", "tosca", carry=False).text).is_same
