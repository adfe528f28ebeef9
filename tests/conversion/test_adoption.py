"""Taking over what runs: the result refers to what exists, and creates, changes and runs nothing."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from damaged_data import places, replaced
from running_stacks import BLUEPRINT, IDS, NETWORK, exported, instances

from bpconvert.adoption import adopt
from bpconvert.cli.main import main
from bpconvert.diagnostics import BpconvertError, DocumentError, UsageError


def taken(tmp_path: Path, data: Any) -> Any:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(data, indent=1), "utf-8")
    return adopt(file)


def refused(tmp_path: Path, data: Any) -> list[tuple[str, str]]:
    with pytest.raises(DocumentError) as caught:
        taken(tmp_path, data)
    return [(found.code, found.message) for found in caught.value.diagnostics]


def test_every_resource_is_referred_to(tmp_path: Path) -> None:
    nodes = taken(tmp_path, exported()).document["node_templates"]
    assert nodes.pop("external_default")["properties"]["resource_config"] == {"id": "default"}  # it is the project's
    existing = {name: node["properties"]["resource_config"] for name, node in nodes.items() if "properties" in node}
    assert {name: config.get("id") or config.get("name") for name, config in existing.items()} == {
        name: IDS.get(name, f"{name}-id") for name in ("net", "subnet", "router", "port", "fip", "key", "vol", "server")
    }
    assert all(node["properties"]["use_external_resource"] is True for name, node in nodes.items() if name in existing)
    assert existing["subnet"]["cidr"] == "10.0.0.0/24"


def test_what_the_plugin_would_change_is_left_out(tmp_path: Path) -> None:
    result = taken(tmp_path, exported())
    nodes = result.document["node_templates"]
    assert "allowed_address_pairs" not in nodes["port"]["properties"]["resource_config"]
    assert nodes["fip"]["properties"]["allow_reallocation"] is True
    assert [one["target"] for one in nodes["server"]["relationships"]] == ["key"]
    reported = {found.code for found in result.diagnostics}
    assert {"BPC674", "BPC675"} <= reported


def test_what_the_plugin_gives_to_projects_and_connects_is_left_out(tmp_path: Path) -> None:
    template = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{network: {get_resource: net}}]}}
  user: {type: OS::Keystone::User, properties: {name: u, roles: [{role: member, project: p}]}}
  router: {type: OS::Neutron::Router}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  iface: {type: OS::Neutron::RouterInterface, properties: {router: {get_resource: router}, port: {get_resource: port}}}
"""
    nodes = taken(tmp_path, exported(template)).document["node_templates"]
    assert "relationships" not in nodes["server"]
    assert all("users" not in node["properties"] for node in nodes.values())
    assert "router" not in [one["target"] for one in nodes["port"]["relationships"]]


@pytest.mark.parametrize("up", ["false", "{get_param: up}"])
def test_a_network_that_is_down(tmp_path: Path, up: str) -> None:
    template = f"""\
heat_template_version: 2018-08-31
parameters: {{up: {{type: boolean, default: "no"}}}}
resources:
  net: {{type: OS::Neutron::Net, properties: {{admin_state_up: {up}}}}}
"""
    data = exported(template)
    data["environment"] = {}
    assert [message for _, message in refused(tmp_path, data)] == [
        "'net' is not taken over: the plugin refers to no network that is down"
    ]


def test_texts_that_were_drawn_are_secrets(tmp_path: Path) -> None:
    result = taken(tmp_path, exported())
    assert "pw" not in result.document["node_templates"]
    assert result.document["outputs"]["pw"]["value"] == {"get_secret": "app_pw"}
    assert "drawn-once" not in result.text + "".join(result.files.values())
    assert [found.message for found in result.diagnostics if found.code == "BPC673"] == [
        "the text of 'pw' is the secret 'app_pw'"
    ]


def test_values_of_hidden_parameters_are_not_written(tmp_path: Path) -> None:
    result = taken(tmp_path, exported())
    assert yaml.safe_load(result.files["inputs.yaml"]) == {"image": "given-image"}
    assert "given-token" not in result.text + "".join(map(str, result.diagnostics))
    (found,) = [found for found in result.diagnostics if found.code == "BPC676"]
    assert (found.path, found.span.file) == (("parameters", "token"), str(tmp_path / "stack.json"))


def test_ports_that_heat_made_for_a_server(tmp_path: Path) -> None:
    template = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, networks: [{subnet: {get_resource: subnet}, fixed_ip: 10.0.0.5}]}
"""
    ports = {"internal_ports": json.dumps([{"id": "made-id"}])}
    nodes = taken(tmp_path, exported(template, server={"resource_data": ports})).document["node_templates"]
    made = [node for node in nodes.values() if node["type"].endswith(".Port")]
    assert [node["properties"]["resource_config"]["id"] for node in made] == ["made-id"]
    result = taken(tmp_path, exported(template))
    assert not [node for node in result.document["node_templates"].values() if node["type"].endswith(".Port")]
    assert [found.message for found in result.diagnostics if found.code == "BPC693"] == [
        "'server_port_0' of 'server' is left out: nothing records which it is"
    ]


NESTED = {"resources": {}, "template": {}, "type": None}
PROGRAM = """\
heat_template_version: 2018-08-31
resources:
  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: "#!/bin/sh\\necho run\\n"}}
  deploy:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {get_resource: server}}
"""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (exported(net=NESTED), "'net' is not taken over: it is a stack of a template that is none of HOT"),
        (exported(net={"status": "FAILED"}), "'net' is not taken over: it is CREATE_FAILED"),
        (exported(net={"action": "DELETE"}), "'net' is not taken over: it is DELETE_COMPLETE"),
        (exported(net={"type": "OS::Neutron::Port"}), "'net' is not taken over: what runs is of type OS::Neutron::"),
        (exported(net={"resource_id": None}), "'net' is not taken over: nothing that runs is recorded of it"),
        (exported(gone={"action": "CREATE", "status": "COMPLETE"}), "the template has no resource of that name"),
    ],
)
def test_what_is_not_taken_over(tmp_path: Path, data: Any, words: str) -> None:
    found = refused(tmp_path, data)
    assert {code for code, _ in found} == {"BPC671"}
    assert any(words in message for _, message in found)


def test_a_resource_that_is_not_in_the_record(tmp_path: Path) -> None:
    data = exported()
    del data["resources"]["vol"]
    assert refused(tmp_path, data) == [
        ("BPC671", "'vol' is not taken over: nothing that runs is recorded of it, so that it would be created")
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "not an export of a stack: there is no 'template'"),
        ({"template": {}}, "not an export of a stack: there is no 'resources'"),
        ({**exported(), "resources": []}, "'template' and 'resources' are maps"),
        ({**exported(), "status": "IN_PROGRESS"}, "the stack is CREATE_IN_PROGRESS"),
    ],
)
def test_records_that_cannot_be_used(tmp_path: Path, data: Any, words: str) -> None:
    ((code, message),) = refused(tmp_path, data)
    assert code == "BPC672"
    assert words in message


def test_a_truncated_record_is_an_error_with_its_place(tmp_path: Path) -> None:
    text = json.dumps(exported(), indent=1)
    file = tmp_path / "stack.json"
    for length in range(0, len(text) - 2, 97):
        file.write_text(text[:length], "utf-8")
        with pytest.raises(DocumentError):
            adopt(file)


def test_a_template_and_the_list_of_its_resources(tmp_path: Path) -> None:
    template = "\n".join(line for line in NETWORK.splitlines() if "pw" not in line and line != "outputs:") + "\n"
    (tmp_path / "app.yaml").write_text(template, "utf-8")
    rows = [
        {
            "resource_name": name,
            "physical_resource_id": row["resource_id"],
            "resource_type": row["type"],
            "resource_status": "CREATE_COMPLETE",
            "stack_name": "app",
        }
        for name, row in exported(template)["resources"].items()
    ]
    file = tmp_path / "resources.json"
    file.write_text(json.dumps(rows), "utf-8")
    values = tmp_path / "inputs.yaml"
    values.write_text("{image: debian, token: given-token}\n", "utf-8")
    again = adopt(tmp_path / "app.yaml", "hot", resources=file, inputs=values)
    assert json.loads(again.files["parameters.json"]) == {"parameters": {"image": "debian"}}
    assert again.text == template
    adopted = json.loads(again.files["adopt.json"])
    assert adopted["template"]["resources"]["subnet"]["properties"]["network"] == "net-id"
    assert adopted["resources"]["vol"] | {"metadata": None} == {
        "name": "vol",
        "type": "OS::Cinder::Volume",
        "resource_id": "vol-id",
        "action": "CREATE",
        "status": "COMPLETE",
        "metadata": None,
        "resource_data": {},
    }
    result = adopt(tmp_path / "app.yaml", resources=file, inputs=values)
    assert yaml.safe_load(result.files["inputs.yaml"]) == {"image": "debian"}
    assert result.document["node_templates"]["net"]["properties"]["resource_config"] == {"id": "net-id"}
    rows[0]["resource_status"] = "CREATE_FAILED"
    file.write_text(json.dumps(rows), "utf-8")
    with pytest.raises(DocumentError, match="'net' is not taken over: it is CREATE_FAILED"):
        adopt(tmp_path / "app.yaml", resources=file)
    file.write_text("{}", "utf-8")
    with pytest.raises(DocumentError, match="not a list of resources"):
        adopt(tmp_path / "app.yaml", resources=file)


def test_stand_ins_stay_with_their_engine(tmp_path: Path) -> None:
    template = "heat_template_version: 2018-08-31\nresources:\n  q: {type: OS::Zaqar::Queue, properties: {name: q}}\n"
    found = taken(tmp_path, exported(template)).diagnostics
    assert [one.message for one in found if one.code == "BPC678"] == [
        "'q' of type OS::Zaqar::Queue stays with its engine: the result has a stand-in for it"
    ]


# -- by Heat itself ------------------------------------------------------------------------------------------


def test_what_heat_adopts_has_ids_in_place_of_references(tmp_path: Path) -> None:
    """Heat stores references of adopted resources unresolved, and would replace all at the next update."""
    file = tmp_path / "stack.json"
    data = exported()
    file.write_text(json.dumps(data), "utf-8")
    result = adopt(file, "hot")
    assert yaml.load(result.text, yaml.BaseLoader) == data["template"]
    made = json.loads(result.files["adopt.json"])
    assert made["resources"] == data["resources"]
    assert made["template"]["outputs"] == data["template"]["outputs"]
    own = {name: row.get("properties") for name, row in made["template"]["resources"].items()}
    assert own["subnet"] == {"network": "net-id", "cidr": "10.0.0.0/24"}
    assert own["server"] == {
        "image": {"get_param": "image"},
        "flavor": "m1.small",
        "key_name": "k1",
        "networks": [{"port": "port-id"}],
        "metadata": {"pw": "drawn-once"},
    }
    assert json.loads(result.files["parameters.json"]) == {"parameters": {"image": "given-image"}}
    assert [found.code for found in result.diagnostics] == ["BPC676"]
    assert result.target == "hot"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda data: data["template"]["resources"]["vol"]["properties"].update(
                metadata={"a": {"get_attr": ["net", "mtu"]}}
            ),
            "'vol' is not taken over: what 'get_attr' yields of 'net' is not recorded",
        ),
        (lambda data: data["resources"]["net"].update(resource_id=None), "'net' is not taken over: nothing that runs"),
        (
            lambda data: data["resources"]["net"].update(NESTED),
            "'subnet' is not taken over: it reads what 'net' is in its own",
        ),
        (lambda data: data["resources"]["pw"].update(resource_data={}), "'pw' is not taken over: it would be made"),
    ],
)
def test_what_heat_does_not_adopt(tmp_path: Path, change: Any, words: str) -> None:
    data = exported()
    change(data)
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(data), "utf-8")
    with pytest.raises(DocumentError, match=words):
        adopt(file, "hot")


def test_programs_that_have_run_do_not_run_again(tmp_path: Path) -> None:
    result = taken(tmp_path, exported(PROGRAM))
    assert list(result.document["node_templates"]) == ["server"]
    assert "echo" not in result.text
    assert [found.path for found in result.diagnostics if found.code == "BPC691"] == [("resources", "deploy")]


def test_programs_are_adopted_as_done(tmp_path: Path) -> None:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(exported(PROGRAM)), "utf-8")
    result = adopt(file, "hot")
    assert [found.path for found in result.diagnostics if found.code == "BPC694"] == [("resources", "deploy")]
    own = json.loads(result.files["adopt.json"])["template"]["resources"]["deploy"]["properties"]
    assert own == {"config": "config-id", "server": "server-id"}


# -- by Heat, of what Cloudify has created ------------------------------------------------------------------


def adopted(tmp_path: Path, rows: Any) -> Any:
    (tmp_path / "app.yaml").write_text(BLUEPRINT, "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    (tmp_path / "inputs.json").write_text('{"image": "debian", "token": "given-token"}', "utf-8")
    return adopt(tmp_path / "app.yaml", "hot", resources=tmp_path / "rows.json", inputs=tmp_path / "inputs.json")


def test_heat_adopts_what_cloudify_has_created(tmp_path: Path) -> None:
    result = adopted(tmp_path, instances())
    made = json.loads(result.files["adopt.json"])
    types = {row["type"]: row["resource_id"] for row in made["resources"].values()}
    assert types == {
        "OS::Neutron::Net": "net-id",
        "OS::Neutron::Subnet": "subnet-id",
        "OS::Neutron::Router": "router-id",
        "OS::Neutron::RouterInterface": "router-id:subnet_id=subnet-id",
        "OS::Cinder::Volume": "volume-id",
        "OS::Cinder::VolumeAttachment": "volume-id",
        "OS::Nova::Server": "server-id",
    }
    assert made["template"]["resources"]["subnet"]["properties"]["network"] == "net-id"
    assert result.document["resources"]["subnet"]["properties"]["network"] == {"get_resource": "net"}
    assert made["environment"] == {"parameters": {"image": "debian", "token": "given-token"}}
    assert json.loads(result.files["parameters.json"]) == {"parameters": {"image": "debian"}}
    assert "given-token" not in result.text
    assert {found.code for found in result.diagnostics} >= {"BPC676"}
    assert "BPC678" not in {found.code for found in result.diagnostics}


def test_what_heat_has_nothing_for_stays_with_cloudify(tmp_path: Path) -> None:
    queue = "  queue: {type: cloudify.nodes.aws.sqs.Queue}\n"
    imports = "types.yaml, plugin:cloudify-aws-plugin,"
    text = BLUEPRINT.replace("types.yaml,", imports) + queue
    (tmp_path / "app.yaml").write_text(text, "utf-8")
    rows = [*instances(), {"node_id": "queue", "state": "started", "runtime_properties": {"id": "q-1"}}]
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    (tmp_path / "inputs.json").write_text('{"image": "debian", "token": "given-token"}', "utf-8")
    result = adopt(tmp_path / "app.yaml", "hot", resources=tmp_path / "rows.json", inputs=tmp_path / "inputs.json")
    assert [found.path for found in result.diagnostics if found.code == "BPC678"] == [("node_templates", "queue")]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (instances()[1:], "'net' is not taken over: nothing that runs is recorded of it"),
        (instances(net={"state": "creating"}), "'net' is not taken over: it is creating"),
        ([*instances(), instances()[0]], "'net' is not taken over: there are 2 of it"),
        ([*instances(), {"node_id": "gone", "state": "started"}], "the blueprint has no node of that name"),
        ([{}], "not a list of node instances"),
    ],
)
def test_what_heat_does_not_adopt_of_cloudify(tmp_path: Path, rows: Any, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        adopted(tmp_path, rows)


# -- the command -------------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(exported()), "utf-8")
    out = tmp_path / "out"
    assert main(["adopt", str(file), "--check"]) == 1  # BPC673 and BPC676: a secret and a value are to be given
    assert not out.exists()
    assert main(["adopt", str(file), "-o", str(out)]) == 0
    assert sorted(one.name for one in out.iterdir()) == ["blueprint.yaml", "inputs.yaml"]
    (out / "blueprint.yaml").write_text("edited", "utf-8")
    assert main(["adopt", str(file), "-o", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["adopt", str(file), "-o", str(out), "--force"]) == 0
    file.write_text(json.dumps(exported(net={"status": "FAILED"})), "utf-8")
    assert main(["adopt", str(file), "-o", str(tmp_path / "other")]) == 2
    assert "BPC671 'net' is not taken over: it is CREATE_FAILED" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
    assert main(["adopt", str(file)]) == 2


def test_languages_that_cannot_take_over(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="k8s"):
        adopt(tmp_path / "stack.json", "k8s")
    (tmp_path / "app.yaml").write_text(BLUEPRINT, "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(instances()), "utf-8")
    with pytest.raises(UsageError, match="cloudify to cloudify"):
        adopt(tmp_path / "app.yaml", resources=tmp_path / "rows.json")


def test_inputs_come_with_a_list_only(tmp_path: Path) -> None:
    (tmp_path / "stack.json").write_text(json.dumps(exported()), "utf-8")
    (tmp_path / "inputs.yaml").write_text("{image: other}\n", "utf-8")
    with pytest.raises(UsageError, match="an export has the values"):
        adopt(tmp_path / "stack.json", inputs=tmp_path / "inputs.yaml")
    (tmp_path / "inputs.yaml").write_text("[image]\n", "utf-8")
    with pytest.raises(DocumentError, match="the values of inputs are a map"):
        adopt(tmp_path / "stack.json", inputs=tmp_path / "inputs.yaml")


# -- records that are faulty ---------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [None, 7, "text", ["text"], {"get_attr": []}], ids=str)
@pytest.mark.parametrize("target", ["cloudify", "hot"])
def test_a_record_with_something_else_in_one_place_is_no_traceback(tmp_path: Path, target: str, other: Any) -> None:
    file = tmp_path / "stack.json"
    data = exported()
    for place in places(data)[::7]:
        file.write_text(json.dumps(replaced(data, place, other)), "utf-8")
        with contextlib.suppress(BpconvertError):
            adopt(file, target)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (exported(net=None), "'resources.net' is no map"),
        (exported(net={"resource_id": []}), "'resources.net.resource_id' is no text"),
        (exported(net={"resource_data": 1}), "'resources.net.resource_data' is no map"),
        ({**exported(), "environment": 1}, "'environment' is no map"),
        ({**exported(), "template": {"resources": {"net": {"type": 1}}}}, "'template.resources.net.type' is no text"),
    ],
)
def test_records_of_another_shape(tmp_path: Path, data: Any, words: str) -> None:
    ((code, message),) = refused(tmp_path, data)
    assert (code, message) == ("BPC672", words)
