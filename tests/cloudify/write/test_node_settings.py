"""What stands in a node template beside what the source says: access, existing resources, services and places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert.api import Result, convert

HOT = """\
heat_template_version: 2021-04-16
parameters: {flag: {type: boolean}, env: {type: string}, word: {type: string, default: x}}
conditions: {c: {get_param: flag}}
resources:
"""
TOSCA = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"


def converted(text: str, **options: Any) -> Result:
    return convert(text, target="cloudify", name="source.yaml", carry=False, **options)


def resource(result: Result, name: str) -> dict[str, Any]:
    """A node template without what says how OpenStack is reached."""
    template: dict[str, Any] = result.document["node_templates"][name]
    template.get("properties", {}).pop("client_config", None)
    return template


def told(result: Result, *codes: str) -> list[tuple[str, tuple[Any, ...], str]]:
    return [(one.code, one.path, one.message) for one in result.diagnostics if one.code in codes]


# -- how machines are reached -------------------------------------------------------------------------------


def software(*files: str) -> str:
    """A machine and software on it, a file for each operation."""
    names = ("create", "configure", "start")
    operations = ", ".join(f"{name}: {file}" for name, file in zip(names, files, strict=False))
    return (
        f"{TOSCA}    vm: {{type: tosca.nodes.Compute}}\n    app:\n      type: tosca.nodes.SoftwareComponent\n"
        f"      requirements: [{{host: vm}}]\n      interfaces: {{Standard: {{operations: {{{operations}}}}}}}\n"
    )


USER = {"type": "string", "description": "User on the servers that Cloudify's agent runs as"}
KEY = {"type": "string", "description": "Private SSH key of that user"}


@pytest.mark.parametrize(
    ("files", "method", "user"),
    [
        (["site.yml"], "none", {**USER, "default": "centos"}),
        (["run.ps1"], "remote", USER),
        (["a.sh", "b.ps1"], "remote", USER),
    ],
)
def test_who_comes_to_machines_is_asked_for(files: list[str], method: str, user: Any) -> None:
    """With the usual user of playbooks; the key is a secret, or an input where credentials are inputs."""
    result = converted(software(*files))
    access = {"user": {"get_input": "agent_user"}, "key": {"get_secret": "agent_private_key"}}
    assert resource(result, "vm")["properties"]["agent_config"] == {"install_method": method, **access}
    assert result.document["inputs"]["agent_user"] == user
    assert "agent_private_key" not in result.document["inputs"]
    result = converted(software(*files), client_config="inputs")
    access = {"user": {"get_input": "agent_user"}, "key": {"get_input": "agent_private_key"}}
    assert resource(result, "vm")["properties"]["agent_config"] == {"install_method": method, **access}
    assert [result.document["inputs"][name] for name in ("agent_user", "agent_private_key")] == [user, KEY]


def test_an_agent_that_comes_with_the_server_needs_nobody() -> None:
    result = converted(software("a.sh"))
    assert resource(result, "vm")["properties"]["agent_config"] == {"install_method": "init_script", "user": "root"}
    assert not {"agent_user", "agent_private_key"} & {*result.document["inputs"]}
    assert [code for code, *_ in told(result, "BPC704", "BPC795", "BPC723", "BPC434")] == ["BPC704"]


def test_where_an_address_is_told_of() -> None:
    machine = "{type: tosca.nodes.Compute, attributes: {public_address: {concat: [a, é]}}}"
    result = converted(f"{TOSCA}    vm: {machine}\n", asked="inputs")
    assert {path for _, path, _ in told(result, "BPC601")} == {("node_templates", "vm", "attributes", "public_address")}


# -- existing resources -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "value", "config"),
    [
        ("OS::Neutron::Net", "abc", {"id": "abc"}),
        ("OS::Nova::Server", "{get_param: env}", {"id": {"get_input": "env"}}),
    ],
)
def test_an_existing_resource_has_its_id(type: str, value: str, config: Any) -> None:
    """And none of the defaults."""
    result = converted(f"{HOT}  r: {{type: {type}, external_id: {value}}}\n")
    properties = resource(result, "r")["properties"]
    assert properties["use_external_resource"] is True
    assert properties["resource_config"] == config
    assert "create_if_missing" not in properties


def test_where_an_id_is_told_of() -> None:
    result = converted(f"{HOT}  r: {{type: OS::Neutron::Net, external_id: é}}\n", asked="inputs")
    assert [path for _, path, _ in told(result, "BPC601")] == [("resources", "r")]


# -- services that a script calls ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "code", "message"),
    [
        (
            "OS::Neutron::QoSPolicy", "BPC259",
            "a script on the manager creates 'r' by the API of the service 'network'",
        ),
        ("OS::Swift::Container", "BPC255", "a script on the manager has Heat create 'r', in a stack for it alone"),
    ],
)  # fmt: skip
def test_what_a_script_creates_is_told(type: str, code: str, message: str) -> None:
    result = converted(f"{HOT}  r: {{type: {type}}}\n")
    assert told(result, "BPC255", "BPC259") == [(code, ("resources", "r"), message)]


# -- stand-ins ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["my.yaml", "my.yml", "my.template"])
def test_a_template_that_is_not_there_is_a_stand_in(name: str) -> None:
    result = converted(f"{HOT}  r: {{type: {name}, condition: c, properties: {{a: é}}}}\n")
    assert resource(result, "r")["properties"] == {"heat_type": name, "heat_properties": {"a": '"\\u00e9"'}}
    assert told(result, "BPC602") == [
        ("BPC602", ("resources", "r", "properties", "a"), "non-ASCII text is written with escapes")
    ]


def test_where_the_type_of_a_stand_in_is_told_of() -> None:
    result = converted(f"{HOT}  r: {{type: 'OS::é'}}\n")
    assert resource(result, "r")["properties"] == {"heat_type": '"OS::\\u00e9"'}
    assert [path for _, path, _ in told(result, "BPC602")] == [("resources", "r", "type")]


def test_a_stand_in_of_a_computed_value_shows_the_call() -> None:
    """Nothing is asked for, and no node computes it."""
    result = converted(f"{HOT}  r: {{type: OS::Foo::Bar, properties: {{a: {{digest: [md5, {{get_param: env}}]}}}}}}\n")
    shown = resource(result, "r")["properties"]["heat_properties"]["a"]
    assert shown == 'not converted: {"digest": ["md5", {"get_param": "env"}]}'
    assert list(result.document["node_templates"]) == ["r"]


# -- numbers and conditions --------------------------------------------------------------------------------


@pytest.mark.parametrize("networks", ["", ", networks: null", ", networks: []"])
def test_a_server_without_networks_is_created_by_the_version_that_takes_none(networks: str) -> None:
    """Whatever stands behind that in the table of properties has its own default."""
    server = f"{{type: OS::Nova::Server, properties: {{image: i, flavor: f{networks}}}}}"
    result = converted(f"{HOT}  vm: {server}\n  key: {{type: OS::Nova::KeyPair, properties: {{name: k}}}}\n")
    client = {"compute_api_version": "2", "compute_default_microversion": "2.36"}
    interfaces = {"cloudify.interfaces.lifecycle": {"create": {"inputs": {"client_config": client}}}}
    assert resource(result, "vm")["interfaces"] == interfaces
    assert [path for _, path, _ in told(result, "BPC337")] == [("resources", "key", "properties")]


def test_a_number_of_members_that_is_a_text_is_asked_for() -> None:
    """A number is one that Cloudify can compute with."""
    volume = "{type: OS::Cinder::Volume, properties: {size: 1}}"
    properties = f"{{count: {{get_param: word}}, resource_def: {volume}}}"
    result = converted(f"{HOT}  many: {{type: OS::Heat::ResourceGroup, properties: {properties}}}\n")
    sizes = result.document["policies"]["many_scaling"]["properties"]
    assert sizes == {"default_instances": {"get_input": "many_count"}}
    assert result.document["inputs"]["many_count"]["type"] == "integer"


def test_a_condition_is_the_number_of_instances() -> None:
    result = converted(f"{HOT}  r: {{type: OS::Neutron::Net, condition: c}}\n")
    instances = {"get_input": ["if_created", {"get_input": "flag"}]}
    assert resource(result, "r")["capabilities"] == {
        "scalable": {"properties": {"default_instances": instances, "min_instances": 0}}
    }
    assert result.document["inputs"]["if_created"]["default"] == [0, 1]
    message = "'r' has 1 or 0 instances, by its condition"
    assert told(result, "BPC402") == [("BPC402", ("resources", "r", "condition"), message)]


# -- where everything went ----------------------------------------------------------------------------------


def test_where_a_resource_went() -> None:
    """A node that was made for it is not where it went, but is of it."""
    digest = "{digest: [md5, {get_param: env}]}"
    (trace,) = converted(f"{HOT}  v: {{type: OS::Nova::KeyPair, properties: {{name: {digest}}}}}\n").traces
    places = [target for source, target in trace.moves if source == ("resources", "v")]
    assert {*places} == {("node_templates", "v")}
    assert trace.made["resources", "v"] == [("node_templates", "v"), ("node_templates", "v_name")]


def test_nodes_that_were_made_for_another_one_come_before_it() -> None:
    server = "{type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{network: one}, {network: two}]}}"
    templates = list(converted(f"{HOT}  vm: {server}\n").document["node_templates"])
    assert templates[-1] == "vm"
    assert len(templates) == len({*templates}) > 1


def test_an_unknown_property_is_kept() -> None:
    result = converted(f"{HOT}  r: {{type: OS::Neutron::Net, properties: {{nope: 1}}}}\n")
    assert resource(result, "r")["properties"] == {"resource_config": {}}
    assert '"nope":1' in result.document["metadata"]["bpconvert_kept"]


def test_where_inputs_of_operations_are_told_of() -> None:
    operation = "{create: {implementation: a.sh, inputs: {a: é}}}"
    node = f"{{type: tosca.nodes.SoftwareComponent, interfaces: {{Standard: {{operations: {operation}}}}}}}"
    result = converted(f"{TOSCA}    app: {node}\n", asked="inputs")
    place = ("node_templates", "app", "interfaces", "Standard", "operations", "create", "inputs", "a")
    assert [path for _, path, _ in told(result, "BPC601")] == [place]


def test_a_text_like_data_is_written_as_json_where_a_stand_in_shows_it() -> None:
    """In a blueprint, it would be taken for the map; a plain text stays what it is."""
    texts = """{project: '["a"]', user: '{"concat": ["y"]}', about: x}"""
    service = convert(f"{HOT}  q: {{type: OS::Nova::Quota, properties: {texts}}}\n", "hot", "tosca", carry=False).text
    result = converted(service)
    shown = {"project": '["a"]', "user": r'"{\"concat\": [\"y\"]}"', "about": "x"}
    assert resource(result, "q")["properties"] == {"heat_type": "OS::Nova::Quota", "heat_properties": shown}
    assert [path for _, path, _ in told(result, "BPC793")] == [("node_templates", "q", "properties", "user")]


def test_the_only_input_of_a_nested_template_may_be_called_like_a_function(tmp_path: Path) -> None:
    """Then the map of its inputs would be a call, and is asked for."""
    beginning = "heat_template_version: 2021-04-16\n"
    (tmp_path / "part.yaml").write_text(f"{beginning}parameters: {{concat: {{type: json}}}}\nresources: {{}}\n")
    source = tmp_path / "source.yaml"
    source.write_text(f"{beginning}resources: {{r: {{type: part.yaml, properties: {{concat: [a, b]}}}}}}\n")
    result = convert(source, target="cloudify", carry=False)
    assert resource(result, "r")["properties"]["resource_config"]["deployment"] == {"inputs": {"get_input": "r"}}
    words = "a map with the only key 'concat' would be a call in Cloudify; asked for as input 'r'"
    assert told(result, "BPC206") == [("BPC206", ("resources", "r"), words)]


def test_what_a_resource_of_its_own_attaches_is_a_relationship() -> None:
    attachment = "{volume_id: {get_resource: v}, instance_uuid: {get_resource: s}}"
    result = converted(
        f"{HOT}  v: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}\n"
        "  s: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\n"
        f"  a: {{type: OS::Cinder::VolumeAttachment, properties: {attachment}}}\n"
    )
    attached = {"type": "cloudify.relationships.openstack.volume_attached_to_server", "target": "s"}
    assert resource(result, "v")["relationships"] == [attached]
    assert "relationships" not in resource(result, "s")
    assert "a" not in result.document["node_templates"]
