"""What runs is taken over in the same cloud: nothing is written, and Heat deletes what it owns afterwards.

The script that takes over runs real engines. Cloudify's needs ``BPCONVERT_CLOUDIFY_PYTHON``, a Python with
cloudify-common and openstacksdk 0.53, and ``BPCONVERT_OPENSTACK_PLUGIN``, a checkout of the OpenStack plugin 3.3.9."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cloud_oracle
import pytest
import takeover_oracle
import yaml
from checkout import ROOT

from bpconvert.adoption import adopt

pytestmark = pytest.mark.engines

CASES = ("server-on-network", "router-interface-of-port", "conditional-network", "volume-attached-after-its-server",
         "group-of-nested-templates", "nested-templates-in-folders")  # fmt: skip
#: Heat does not adopt them, and says so
FOR_CLOUDIFY: Final = frozenset({"nested-templates-in-folders", "scaling", "removed-members"})
NET = {
    "net": {"type": "OS::Neutron::Net"},
    "subnet": {
        "type": "OS::Neutron::Subnet",
        "properties": {"network": {"get_resource": "net"}, "cidr": "10.0.0.0/24"},
    },
}
SERVER = {
    "type": "OS::Nova::Server",
    "depends_on": "subnet",
    "properties": {"image": "i", "flavor": "small", "networks": [{"network": {"get_resource": "net"}}]},
}
DISK = {"type": "OS::Cinder::Volume", "properties": {"size": 1}}
STACKS: dict[str, str] = {
    "keys-and-rules": """\
  key: {type: OS::Nova::KeyPair, properties: {name: ops, public_key: ssh-ed25519 AAAA ops}}
  group:
    type: OS::Neutron::SecurityGroup
    properties: {rules: [{protocol: tcp, port_range_min: 22, port_range_max: 22}]}
  rule:
    type: OS::Neutron::SecurityGroupRule
    properties: {security_group: {get_resource: group}, protocol: udp, port_range_min: 53, port_range_max: 53}
  port:
    type: OS::Neutron::Port
    depends_on: subnet
    properties: {network: {get_resource: net}, security_groups: [{get_resource: group}]}
  server:
    type: OS::Nova::Server
    properties:
      {image: i, flavor: small, key_name: {get_resource: key}, networks: [{port: {get_resource: port}}]}
""",
    "addresses-and-gateways": """\
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: public}}}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}
  port: {type: OS::Neutron::Port, depends_on: subnet, properties: {network: {get_resource: net}}}
  other: {type: OS::Neutron::Port, depends_on: subnet, properties: {network: {get_resource: net}}}
  own: {type: OS::Neutron::FloatingIP, depends_on: leg, properties: {floating_network: public}}
  on_port:
    type: OS::Neutron::FloatingIP
    depends_on: leg
    properties: {floating_network: public, port_id: {get_resource: port}}
  linked:
    type: OS::Neutron::FloatingIPAssociation
    properties: {floatingip_id: {get_resource: own}, port_id: {get_resource: other}}
""",
    "shared": """\
  port: {type: OS::Neutron::Port, depends_on: subnet, properties: {network: {get_resource: net}}}
  disk: {type: OS::Cinder::Volume, properties: {size: 1}}
  one: {type: OS::Nova::Server, properties: {image: i, flavor: small, networks: [{port: {get_resource: port}}]}}
  two:
    type: OS::Nova::Server
    depends_on: subnet
    properties:
      {image: i, flavor: small, networks: [{network: {get_resource: net}}], metadata: {disk: {get_resource: disk}}}
  on_one:
    type: OS::Cinder::VolumeAttachment
    properties: {volume_id: {get_resource: disk}, instance_uuid: {get_resource: one}}
""",
    "existing": """\
  there: {type: OS::Neutron::Net, external_id: 7e4d21b0-9f6c-4f2e-8a70-0c6cf1f0a001}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: there}}}
""",
    "scaling": """\
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 2
      max_size: 3
      resource: {type: OS::Cinder::Volume, properties: {size: 1}}
""",
    "removed-members": """\
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      removal_policies: [{resource_list: ["0"]}]
      resource_def: {type: OS::Cinder::Volume, properties: {size: 1, name: "disk-%index%"}}
""",
}


@pytest.fixture(scope="module")
def heat(engines_python: str) -> Iterator[takeover_oracle.Driver]:
    if not (cloud_oracle.FOLDER / "takeover.py").exists():
        pytest.skip("the script that takes over is not there")
    driver = takeover_oracle.heat(engines_python)
    yield driver
    driver.close()


@pytest.fixture(scope="module")
def cloudify(engines_python: str) -> Iterator[takeover_oracle.Driver]:
    python, plugin = os.environ.get("BPCONVERT_CLOUDIFY_PYTHON"), os.environ.get("BPCONVERT_OPENSTACK_PLUGIN")
    if not python or not plugin:
        pytest.skip("set BPCONVERT_CLOUDIFY_PYTHON and BPCONVERT_OPENSTACK_PLUGIN")
    driver = takeover_oracle.cloudify(python, Path(plugin))
    yield driver
    driver.close()


def source_of(case: str, folder: Path) -> Path:
    if case not in STACKS:
        return ROOT / "corpus" / "hot" / case / "hot.yaml"
    file = folder / "app.yaml"
    resources = {**NET, **yaml.safe_load(STACKS[case])}
    file.write_text(yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": resources}), "utf-8")
    return file


def created(heat: takeover_oracle.Driver, case: str, folder: Path, **more: Any) -> None:
    answer = heat.run("heat-create", document=str(source_of(case, folder)), folder=str(folder), **more)
    assert answer["ok"], answer


def taken_by_heat(heat: takeover_oracle.Driver, folder: Path, **more: Any) -> dict[str, Any]:
    adopt(folder / "stack.json", "hot", attributes=folder / "attributes.json").write(folder / "template.yaml")
    files = {"document": str(folder / "adopt.json"), "template": str(folder / "template.yaml")}
    return heat.run("heat-take", folder=str(folder), **files, **more)


@pytest.mark.parametrize("case", sorted({*CASES, *STACKS} - FOR_CLOUDIFY))
def test_heat_takes_over_what_heat_created(case: str, heat: takeover_oracle.Driver, tmp_path: Path) -> None:
    created(heat, case, tmp_path)
    answer = taken_by_heat(heat, tmp_path)
    assert answer["ok"], answer


@pytest.mark.parametrize("case", [*CASES, *STACKS])
def test_cloudify_takes_over_what_heat_created(
    case: str, heat: takeover_oracle.Driver, cloudify: takeover_oracle.Driver, tmp_path: Path
) -> None:
    created(heat, case, tmp_path)
    result = adopt(tmp_path / "stack.json")
    result.write(tmp_path / "blueprint.yaml")
    values = yaml.safe_load(result.files.get("inputs.yaml", "{}"))
    document = str(tmp_path / "blueprint.yaml")
    answer = cloudify.run("cloudify-take", document=document, folder=str(tmp_path), values=values)
    assert answer["ok"], answer


def test_an_update_between_creation_and_takeover(heat: takeover_oracle.Driver, tmp_path: Path) -> None:
    before = {"heat_template_version": "2018-08-31", "resources": {**NET, "old": DISK}}
    created(heat, "keys-and-rules", tmp_path, before=json.dumps(before))
    answer = taken_by_heat(heat, tmp_path)
    assert answer["ok"], answer


@pytest.mark.parametrize(
    ("change", "writes"),
    [
        ({"more": SERVER}, ["POST /v2.1/servers"]),
        ({"disk": {**DISK, "properties": {"size": 2}}}, ["POST /v3/*/volumes/*/action"]),
    ],
)
def test_heat_writes_only_what_changes_afterwards(
    change: dict[str, Any], writes: list[str], heat: takeover_oracle.Driver, tmp_path: Path
) -> None:
    file = tmp_path / "app.yaml"
    template = {"heat_template_version": "2018-08-31", "resources": {**NET, "disk": DISK, "server": SERVER}}
    file.write_text(json.dumps(template), "utf-8")
    assert heat.run("heat-create", document=str(file), folder=str(tmp_path))["ok"]
    changed = copy.deepcopy(template)
    changed["resources"].update(change)  # type: ignore[attr-defined]
    answer = taken_by_heat(heat, tmp_path, changed=json.dumps(changed))
    assert answer["writes"]["adopt"] == answer["writes"]["update"] == []
    assert [Path(one).match(pattern) for one, pattern in zip(answer["writes"]["update-again"], writes, strict=True)]
    assert answer["left"] == []


def test_cloudify_writes_only_what_is_added_afterwards(
    heat: takeover_oracle.Driver, cloudify: takeover_oracle.Driver, tmp_path: Path
) -> None:
    created(heat, "keys-and-rules", tmp_path)
    blueprint = copy.deepcopy(adopt(tmp_path / "stack.json").document)
    nodes = blueprint["node_templates"]
    more = {key: value for key, value in nodes["server"].items() if key != "relationships"}
    config = {key: value for key, value in more["properties"]["resource_config"].items() if key != "id"}
    more["properties"] = {**more["properties"], "use_external_resource": False, "resource_config": config}
    connected = "cloudify.relationships.connected_to"
    nodes["more"] = {**more, "relationships": [{"type": connected, "target": name} for name in ("net", "subnet")]}
    file = tmp_path / "blueprint.yaml"
    file.write_text(json.dumps(blueprint), "utf-8")
    answer = cloudify.run("cloudify-take", document=str(file), folder=str(tmp_path))
    assert answer["error"] is None, answer
    assert answer["writes"]["install"] == ["POST /v2.1/servers"], answer
    assert [one.split()[0] for one in answer["writes"]["uninstall"] if "DELETE" in one] == ["DELETE"]
    assert answer["gone"] == []


@pytest.mark.parametrize("case", ["two-tiers", "software-on-a-server", "get-attributes-of-all-instances"])
def test_heat_takes_over_what_cloudify_created(
    case: str, heat: takeover_oracle.Driver, cloudify: takeover_oracle.Driver, tmp_path: Path
) -> None:
    import cloud_cases

    source = ROOT / "corpus" / "cfy" / case / "blueprint.yaml"
    source = cloud_cases.lent(source, tmp_path) or source
    assert cloudify.run("cloudify-create", document=str(source), folder=str(tmp_path))["ok"]
    files = {"resources": tmp_path / "node-instances.json", "inputs": tmp_path / "inputs.json"}
    adopt(source, "hot", **files).write(tmp_path / "template.yaml")
    files = {"document": str(tmp_path / "adopt.json"), "template": str(tmp_path / "template.yaml")}
    answer = heat.run("heat-take", folder=str(tmp_path), **files)
    assert answer["ok"], answer
