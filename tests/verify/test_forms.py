"""``verify``: what one language says with a resource of its own and the other with a part of another node is compared
in one form, and a value that differs is found in it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from bpconvert import convert
from bpconvert.verification import Verification, verify


class Form(NamedTuple):
    """A template that becomes another form. ``old``, ``new``: a text of the result, and what it is changed to;
    ``found``: the differences are then there (each is so called, or begins so)."""

    name: str
    template: str
    old: str
    new: str
    found: tuple[str, ...]


HOT = "heat_template_version: 2018-08-31\n"
NETWORK = """\
  net: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
"""
SERVER = "{image: cirros, flavor: m1.small, user_data_format: RAW"

INTERFACE = f"""\
resources:
{NETWORK}  group: {{type: OS::Neutron::SecurityGroup}}
  server:
    type: OS::Nova::Server
    properties: {SERVER}, networks: [{{subnet: {{get_resource: subnet}}, fixed_ip: 10.0.0.7}}]}}
"""
ASSOCIATION = f"""\
resources:
  ip: {{type: OS::Neutron::FloatingIP, properties: {{floating_network: public}}}}
  server: {{type: OS::Nova::Server, properties: {SERVER}, networks: [{{network: private}}]}}}}
  association:
    type: OS::Neutron::FloatingIPAssociation
    properties: {{floatingip_id: {{get_resource: ip}}, port_id: {{get_attr: [server, addresses, private, 0, port]}}}}
"""
ADDRESS = f"""\
resources:
{NETWORK}  ip: {{type: OS::Neutron::FloatingIP, properties: {{floating_network: public}}}}
  other_ip: {{type: OS::Neutron::FloatingIP, properties: {{floating_network: public}}}}
  server:
    type: OS::Nova::Server
    properties: {SERVER}, networks: [{{subnet: {{get_resource: subnet}}, floating_ip: {{get_resource: ip}}}}]}}
"""
CHOSEN_ADDRESS = """\
resources:
  port: {type: OS::Neutron::Port, properties: {network: private, fixed_ips: [{ip_address: 10.0.0.3}]}}
  ip: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}
  association:
    type: OS::Neutron::FloatingIPAssociation
    properties:
      floatingip_id: {get_resource: ip}
      port_id: {get_resource: port}
      fixed_ip_address: 10.0.0.3
"""
ROLES = """\
resources:
  project: {type: OS::Keystone::Project, properties: {name: shop}}
  operator: {type: OS::Keystone::Role, properties: {name: operator}}
  clerk:
    type: OS::Keystone::User
    properties:
      name: clerk
      roles: [{role: {get_resource: operator}, project: {get_resource: project}}, {role: member, project: archive}]
  auditors:
    type: OS::Keystone::UserRoleAssignment
    properties: {user: auditor, roles: [{role: reader, project: {get_resource: project}}]}
"""
ROUTES = """\
resources:
  router: {type: OS::Neutron::Router}
  routes:
    type: OS::Neutron::ExtraRouteSet
    properties: {router: {get_resource: router}, routes: [{destination: 10.1.0.0/16, nexthop: 10.0.0.2}]}
  one_more:
    type: OS::Neutron::ExtraRoute
    properties: {router_id: {get_resource: router}, destination: 10.2.0.0/16, nexthop: 10.0.0.3}
outputs:
  router: {value: {get_resource: routes}}
"""
RULES = """\
resources:
  other: {type: OS::Neutron::SecurityGroup}
  group:
    type: OS::Neutron::SecurityGroup
    properties:
      rules:
        - {protocol: tcp, port_range_min: 22, port_range_max: 22, remote_group_id: {get_resource: other}}
        - {protocol: udp, remote_mode: remote_group_id}
        - protocol: icmp
          remote_mode: remote_group_id
          remote_group_id: {get_resource: other}
          remote_ip_prefix: 10.0.0.0/8
"""
FLAVOR = """\
resources:
  large: {type: OS::Nova::Flavor, properties: {ram: 512, vcpus: 1, is_public: true, tenants: [nobody]}}
"""
INTERFACE_OF_ROUTER = f"""\
resources:
{NETWORK}  router: {{type: OS::Neutron::Router}}
  interface:
    type: OS::Neutron::RouterInterface
    properties: {{router: {{get_resource: router}}, subnet: {{get_resource: subnet}}}}
  volume: {{type: OS::Cinder::Volume, depends_on: interface, properties: {{size: 1}}}}
"""
GROUPS = """\
resources:
  rack:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      index_var: '%rack%'
      removal_policies: [{resource_list: ['0']}]
      resource_def:
        type: OS::Heat::ResourceGroup
        properties:
          count: 2
          resource_def: {type: OS::Cinder::Volume, properties: {name: disk-%rack%-%index%, size: 1}}
  spare:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      removal_policies: [{resource_list: ['1']}]
      resource_def: {type: OS::Cinder::Volume, properties: {name: spare-%index%, size: 1}}
outputs:
  refs: {value: {get_attr: [spare, refs_map]}}
  removed: {value: {get_attr: [spare, removed_rsrc_list]}}
"""
SCALED = f"""\
parameters:
  count: {{type: number, default: 2, constraints: [range: {{min: 2, max: 4}}]}}
resources:
{NETWORK}  worker:
    type: OS::Heat::ResourceGroup
    properties:
      count: {{get_param: count}}
      resource_def:
        type: OS::Nova::Server
        properties: {SERVER}, networks: [{{subnet: {{get_resource: subnet}}}}]}}
"""
TABLE = """\
parameters:
  env: {type: string, default: dev, constraints: [allowed_values: [dev, prod]]}
outputs:
  digest: {value: {digest: [md5, {get_param: env}]}}
"""
NO_GATEWAY = f"""\
resources:
{NETWORK.replace("10.0.0.0/24", "10.0.0.0/24, gateway_ip: ''")}"""
GATEWAY_BY_ITSELF = f"""\
resources:
{NETWORK.replace("10.0.0.0/24", "10.0.0.0/24, gateway_ip: auto")}"""
TYPE_OF_A_VOLUME = """\
resources:
  fast: {type: OS::Cinder::VolumeType, properties: {name: quick}}
  disk: {type: OS::Cinder::Volume, depends_on: fast, properties: {size: 1, volume_type: quick}}
"""

FORMS = [
    Form("the address of an interface", INTERFACE, "ip_address: 10.0.0.7", "ip_address: 10.0.0.8",
         ("server.networks.0.fixed_ip",)),
    Form("the subnet of an interface", INTERFACE, "subnet_id: {get_attribute: [subnet, id]}", "subnet_id: other",
         ("server.networks.0.subnet",)),
    Form("an association through the addresses of a server", ASSOCIATION, "id: private", "id: other",
         ("server_port_0.network",)),
    Form("whose address an association is for", ASSOCIATION, "target: ip", "target: server",
         ("association", "server")),
    Form("the floating IP of an interface", ADDRESS, "target: ip", "target: other_ip",
         ("other_ip_association.floatingip_id", "other_ip_association.waits for", "server.waits for.ip")),
    Form("the only address of a port", CHOSEN_ADDRESS, "ip_address: 10.0.0.3", "ip_address: 10.0.0.4",
         ("port.fixed_ips.0.ip_address", "association.fixed_ip_address")),
    Form("a role of a user", ROLES, "{get_attribute: [operator, id]}", "admin", ("clerk.roles.0",)),
    Form("a role on an existing project", ROLES, "roles: [member]", "roles: [admin]", ("clerk.roles.1.role",)),
    Form("who has a role", ROLES, "name: auditor", "name: visitor", ("auditors.roles.0.user",)),
    Form("a route", ROUTES, "nexthop: 10.0.0.3", "nexthop: 10.0.0.4", ("one_more.routes.0.nexthop",)),
    Form("the destination of a route", ROUTES, "10.1.0.0/16", "10.9.0.0/16", ("routes.routes.0.destination",)),
    Form("a rule for the group itself", RULES, "[SELF, id]", "[other, id]", ("group.rules.1.remote_group_id",)),
    Form("a rule for a group", RULES, "[other, id]", "[SELF, id]", ("group.rules.2.remote_group_id",)),
    Form("projects of a public flavor", FLAVOR, "resource_config:", "tenants: [somebody]\n      resource_config:",
         ("large.tenants",)),
    Form("an interface of a router", INTERFACE_OF_ROUTER, "        target: router", "        target: net",
         ("interface", "volume.waits for.router")),
    Form("members of groups in groups", GROUPS, "disk-2-1", "disk-2-3", ("rack.2.1.name",)),
    Form("ports that are scaled with servers", SCALED, "subnet_id: {get_attribute: [subnet, id]}", "subnet_id: other",
         tuple(f"worker_port_0.{number}.fixed_ips" for number in range(4))),
    Form("a subnet without a gateway", NO_GATEWAY, "kwargs:\n          gateway_ip: null", "enable_dhcp: true",
         ("subnet.gateway_ip",)),
    Form("a gateway of a subnet", NO_GATEWAY, "gateway_ip: null", "gateway_ip: 10.0.0.1", ("subnet.gateway_ip",)),
    Form("the gateway that a subnet has by itself", GATEWAY_BY_ITSELF, "ip_version: 4",
         "ip_version: 4\n        kwargs: {gateway_ip: null}", ("subnet.gateway_ip",)),
    Form("the name of a volume's type", TYPE_OF_A_VOLUME, "volume_type: quick", "volume_type: other",
         ("disk.volume_type",)),
    Form("a table of values", TABLE, "dev: e77989ed21758e78331b20e477fc5582", "dev: other", ("outputs.digest",)),
]  # fmt: skip


def compared(folder: Path, form: Form, *, changed: bool) -> Verification:
    source, target = folder / "hot.yaml", folder / "blueprint.yaml"
    source.write_text(HOT + form.template)
    text = convert(source, "hot", "cloudify", carry=False).text
    assert form.old in text, text
    target.write_text(text.replace(form.old, form.new) if changed else text)
    return verify(source, target)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_both_forms_are_the_same(tmp_path: Path, form: Form) -> None:
    found = compared(tmp_path, form, changed=False)
    assert found.is_same, found.differences
    assert found.compared == found.equal > 0


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_another_value_in_one_of_them_is_found(tmp_path: Path, form: Form) -> None:
    found = compared(tmp_path, form, changed=True)
    assert found.differences
    others = [one.what for one in found.differences if not one.what.startswith(form.found)]
    assert not others, found.differences


PORT = f"""\
resources:
{NETWORK}  port: {{type: OS::Neutron::Port, properties: {{network: {{get_resource: net}}, fixed_ips: ITEMS}}}}
"""
SECOND = "  second: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.1.0.0/24}}\n"


@pytest.mark.parametrize(("items", "more", "is_same"), [
    ("[{subnet: {get_resource: subnet}}]", "", True),
    ("[{subnet: {get_resource: subnet}}]", SECOND, False),
    ("[{subnet: {get_resource: subnet}, ip_address: 10.0.0.9}]", "", False),
    ("[{subnet: {get_resource: subnet}}, {subnet: {get_resource: subnet}}]", "", False),
    ("[{subnet: other}]", "", False),
])  # fmt: skip
def test_a_port_has_its_address_in_the_only_subnet_of_its_network(
    tmp_path: Path, items: str, more: str, is_same: bool
) -> None:
    for name, written in (("a", items), ("b", "[]")):
        (tmp_path / f"{name}.yaml").write_text(HOT + PORT.replace("ITEMS", written) + more)
    assert verify(tmp_path / "a.yaml", tmp_path / "b.yaml").is_same is is_same
