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

pytestmark = [pytest.mark.engines, pytest.mark.deploys]

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
    "gateways-and-addresses-of-servers": """\
  router: {type: OS::Neutron::Router}
  way_out:
    type: OS::Neutron::RouterGateway
    properties: {router_id: {get_resource: router}, network: public}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}
  address: {type: OS::Neutron::FloatingIP, depends_on: [way_out, leg], properties: {floating_network: public}}
  server:
    type: OS::Nova::Server
    depends_on: subnet
    properties: {image: i, flavor: small, networks: [{network: {get_resource: net}}]}
  linked:
    type: OS::Nova::FloatingIPAssociation
    properties: {server_id: {get_resource: server}, floating_ip: {get_resource: address}}
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
OPENSTACK: Final = "cloudify.nodes.openstack."
REL: Final = "cloudify.relationships."
#: parts of blueprints: BLUEPRINT has the others
BLUEPRINTS: dict[str, str] = {
    "keys-and-rules": """\
  key: {type: O.KeyPair, properties: {resource_config: {name: ops, public_key: ssh-rsa AAAA}}}
  made: {type: O.KeyPair, properties: {resource_config: {name: made}}}
  group:
    type: O.SecurityGroup
    properties:
      resource_config: {name: g}
      security_group_rules:
        - {direction: ingress, protocol: tcp, port_range_min: 22, port_range_max: 22, remote_ip_prefix: 0.0.0.0/0}
        - direction: ingress
          protocol: udp
          port_range_min: 5
          port_range_max: 6
          remote_group_id: {get_attribute: [SELF, id]}
  rule:
    type: O.SecurityGroupRule
    properties:
      resource_config:
        direction: ingress
        protocol: tcp
        port_range_min: 80
        port_range_max: 80
        security_group_id: {get_attribute: [group, id]}
    relationships: [{type: R.contained_in, target: group}]
  other:
    type: O.Server
    properties: {image: i, flavor: small}
    relationships:
      - {type: R.connected_to, target: net}
      - {type: R.depends_on, target: subnet}
      - {type: R.openstack.server_connected_to_keypair, target: key}
      - {type: R.openstack.server_connected_to_security_group, target: group}
""",
    "addresses": """\
  of_port:
    type: O.FloatingIP
    properties: {resource_config: {floating_network_id: {get_attribute: [public, id]}}}
    relationships: [{type: R.connected_to, target: port}, {type: R.depends_on, target: subnet}]
  alone:
    type: O.FloatingIP
    relationships: [{type: R.connected_to, target: public}]
  of_server:
    type: O.FloatingIP
    relationships: [{type: R.connected_to, target: public}]
  of_other_port:
    type: O.FloatingIP
    relationships: [{type: R.connected_to, target: public}]
  by_server:
    type: O.Server
    properties: {image: i, flavor: small}
    relationships:
      - {type: R.connected_to, target: net}
      - {type: R.depends_on, target: subnet}
      - {type: R.openstack.server_connected_to_floating_ip, target: of_server}
  other_port:
    type: O.Port
    relationships:
      - {type: R.connected_to, target: net}
      - {type: R.depends_on, target: subnet}
      - {type: R.openstack.port_connected_to_floating_ip, target: of_other_port}
""",
    "volumes-and-groups-of-servers": """\
  disk:
    type: O.Volume
    properties: {device_name: /dev/vdc, resource_config: {size: 1}}
    relationships: [{type: R.openstack.volume_attached_to_server, target: vm}]
  spare: {type: O.Volume, properties: {resource_config: {size: {get_input: size}}}}
  together: {type: O.ServerGroup, properties: {resource_config: {name: t, policies: [affinity]}}}
  other:
    type: O.Server
    properties:
      image: i
      flavor: small
      resource_config: {metadata: {disk: {get_attribute: [disk, id]}, ip: {get_attribute: [vm, ip]}}}
    relationships:
      - {type: R.connected_to, target: net}
      - {type: R.depends_on, target: disk}
      - {type: R.openstack.server_connected_to_server_group, target: together}
inputs: {size: {type: integer, default: 3}}
""",
    "existing": """\
  there: {type: O.Network, properties: {use_external_resource: true, resource_config: {name: there}}}
  group: {type: O.SecurityGroup, properties: {use_external_resource: true, resource_config: {name: web}}}
  key: {type: O.KeyPair, properties: {use_external_resource: true, resource_config: {name: ops}}}
  far:
    type: O.Port
    relationships:
      - {type: R.connected_to, target: there}
      - {type: R.openstack.port_connected_to_security_group, target: group}
  other:
    type: O.Server
    properties: {image: i, flavor: small}
    relationships:
      - {type: R.openstack.server_connected_to_port, target: far}
      - {type: R.openstack.server_connected_to_keypair, target: key}
""",
    "scaled": """\
  legs:
    type: O.Port
    relationships: [{type: R.connected_to, target: net}, {type: R.depends_on, target: subnet}]
  disks:
    type: O.Volume
    properties: {resource_config: {size: 1}}
    relationships: [{type: R.openstack.volume_attached_to_server, target: workers}]
  workers:
    type: O.Server
    properties: {image: i, flavor: small}
    relationships: [{type: R.openstack.server_connected_to_port, target: legs}]
  plain:
    type: O.Volume
    properties: {resource_config: {size: 1}}
    capabilities: {scalable: {properties: {default_instances: 2, max_instances: 5}}}
groups: {all: {members: [legs, disks, workers]}}
policies: {several: {type: cloudify.policies.scaling, targets: [all], properties: {default_instances: 3}}}
""",
}
BLUEPRINT: Final = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  public: {type: O.Network, properties: {use_external_resource: true, resource_config: {name: public}}}
  router: {type: O.Router, properties: {external_network: public, resource_config: {name: r}}}
  net: {type: O.Network, properties: {resource_config: {name: n}}}
  subnet:
    type: O.Subnet
    properties: {resource_config: {cidr: 10.0.0.0/24, ip_version: 4}}
    relationships:
      - {type: R.contained_in, target: net}
      - {type: R.openstack.subnet_connected_to_router, target: router}
  port:
    type: O.Port
    relationships: [{type: R.connected_to, target: net}, {type: R.openstack.port_connected_to_subnet, target: subnet}]
  vm:
    type: O.Server
    properties: {image: i, flavor: small}
    relationships: [{type: R.openstack.server_connected_to_port, target: port}]
"""


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
    answer = taken_from_cloudify(heat, cloudify, ROOT / "corpus" / "cfy" / case / "blueprint.yaml", tmp_path)
    assert answer["ok"], answer


def blueprint(case: str, folder: Path) -> Path:
    text = (BLUEPRINT + BLUEPRINTS[case]).replace("type: O.", f"type: {OPENSTACK}").replace("type: R.", f"type: {REL}")
    file = folder / "app.yaml"
    file.write_text(text, "utf-8")
    return file


def taken_from_cloudify(
    heat: takeover_oracle.Driver, cloudify: takeover_oracle.Driver, source: Path, folder: Path, **more: Any
) -> dict[str, Any]:
    import cloud_cases

    source = cloud_cases.lent(source, folder) or source
    made = cloudify.run("cloudify-create", document=str(source), folder=str(folder))
    assert made["ok"], made
    files = {"resources": "node-instances.json", "inputs": "inputs.json", "attributes": "attributes.json"}
    adopt(source, "hot", **{key: folder / name for key, name in files.items()}).write(folder / "template.yaml")
    files = {"document": str(folder / "adopt.json"), "template": str(folder / "template.yaml")}
    changed = more.pop("changed", None)
    if changed is not None:
        template = yaml.safe_load((folder / "template.yaml").read_text("utf-8"))
        more["changed"] = json.dumps(changed(template), default=str)
    return heat.run("heat-take", folder=str(folder), **files, **more)


@pytest.mark.parametrize("case", BLUEPRINTS)
def test_heat_takes_over_each_kind_of_what_cloudify_created(
    case: str, heat: takeover_oracle.Driver, cloudify: takeover_oracle.Driver, tmp_path: Path
) -> None:
    answer = taken_from_cloudify(heat, cloudify, blueprint(case, tmp_path), tmp_path)
    assert answer["ok"], answer


def one_more(template: dict[str, Any]) -> dict[str, Any]:
    template["resources"]["more"] = {**template["resources"]["other"]}
    return template


def another_size(template: dict[str, Any]) -> dict[str, Any]:
    template["resources"]["spare"]["properties"]["size"] = 9
    return template


@pytest.mark.parametrize(
    ("change", "writes"),
    [(one_more, ["POST /v2.1/servers"]), (another_size, ["POST /v3/*/volumes/*/action"])],
)
def test_heat_writes_only_what_changes_after_cloudify(
    change: Any,
    writes: list[str],
    heat: takeover_oracle.Driver,
    cloudify: takeover_oracle.Driver,
    tmp_path: Path,
) -> None:
    source = blueprint("volumes-and-groups-of-servers", tmp_path)
    answer = taken_from_cloudify(heat, cloudify, source, tmp_path, changed=change)
    assert answer["writes"]["adopt"] == answer["writes"]["update"] == []
    assert [Path(one).match(pattern) for one, pattern in zip(answer["writes"]["update-again"], writes, strict=True)]
    assert answer["left"] == []
