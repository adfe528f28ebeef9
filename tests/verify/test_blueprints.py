"""``bpconvert.verification.verify`` on blueprints and the templates that they become.

Forms that mean the same compare as the same, and a value that is changed in them is found."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import convert
from bpconvert.models.expressions import MISSING
from bpconvert.verification import Verification, verify

CFY = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""


def found(source: str, *changes: tuple[str, str], told: bool = False) -> Verification:
    """A blueprint against the template that it becomes, with texts in that exchanged."""
    result = convert(source, "cloudify", "hot", carry=False)
    text = result.text
    for old, new in changes:
        assert text.count(old) == 1, text
        text = text.replace(old, new)
    return verify(source, text, reported=result.diagnostics if told else ())


def values(found: Verification) -> dict[str, tuple[Any, Any]]:
    return {one.what: (one.first, one.second) for one in found.differences}


# -- stand-ins ----------------------------------------------------------------------------------------------

IDLE = (
    CFY
    + """\
inputs: {size: {type: integer, default: 3}}
node_templates:
  tier: {type: cloudify.nodes.Tier}
  app:
    type: cloudify.nodes.ApplicationModule
    properties: {}
    relationships: [{type: cloudify.relationships.depends_on, target: tier}]
  site: {type: cloudify.nodes.WebServer, properties: {port: {get_input: size}}}
"""
)
LOAD_BALANCER = CFY.replace("imports: [", "imports: [plugin:aws, ") + (
    "node_templates: {pool: {type: aws.nodes.Pool, properties: {size: 3, zones: [a, b]}}}\n"
)


def test_a_node_that_does_nothing_is_the_same_as_what_stands_for_it() -> None:
    assert found(IDLE).is_same


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("port: {get_param: size}", "port: 4", "site.port"),
        ("cloudify_type: cloudify.nodes.Tier", "cloudify_type: cloudify.nodes.Root", "tier"),
        ("    depends_on: tier\n", "", "app.waits for.tier"),
    ],
)
def test_what_a_stand_in_shows_is_compared(old: str, new: str, what: str) -> None:
    assert what in values(found(IDLE, (old, new)))


def test_a_stand_in_for_what_would_be_created_is_a_difference() -> None:
    assert values(found(LOAD_BALANCER)) == {"pool": ("aws.nodes.Pool", "OS::Heat::None")}


def test_what_such_a_stand_in_shows_is_compared_all_the_same() -> None:
    changed = found(LOAD_BALANCER, ("zones: [a, b]", "zones: [a, c]"), told=True)
    assert values(changed)["pool.zones.1"] == ("b", "c")
    assert [one.is_reported for one in changed.differences if one.what == "pool"] == [True]


def test_a_machine_that_is_there_is_the_same() -> None:
    machine = CFY + "node_templates: {machine: {type: cloudify.nodes.Compute}}\n"
    assert found(machine).is_same
    other = found(machine, ("type: OS::Heat::DeployedServer", "type: OS::Nova::Server"))
    assert "machine" in values(other)


# -- relationships that are resources -----------------------------------------------------------------------

CONNECTED = (
    CFY
    + """\
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  router: {type: cloudify.nodes.openstack.Router}
  subnet:
    type: cloudify.nodes.openstack.Subnet
    properties: {resource_config: {cidr: 10.0.0.0/24, ip_version: 4}}
    relationships:
      - {type: cloudify.relationships.contained_in, target: net}
      - {type: cloudify.relationships.openstack.subnet_connected_to_router, target: router}
  shares:
    type: cloudify.nodes.openstack.NetworkShare
    relationships:
      - {type: cloudify.relationships.openstack.network_share_connected_to_network, target: net}
      - {type: cloudify.relationships.openstack.network_share_connected_to_subnet, target: subnet}
"""
)


def test_the_resource_of_a_relationship_waits_for_both_ends() -> None:
    assert found(CONNECTED).is_same


def test_what_waits_for_the_source_waits_for_the_resource_of_its_relationship() -> None:
    changed = found(CONNECTED, ("    depends_on: subnet_interface\n", ""))
    assert values(changed) == {"shares.waits for.subnet_interface": (True, False)}


def test_an_end_that_the_resource_does_not_connect_is_found() -> None:
    changed = values(found(CONNECTED, ("router: {get_resource: router}", "router: other")))
    assert changed["subnet_interface.router"] == ("router-id", "other")
    assert changed["subnet_interface.waits for.router"] == (True, False)


def test_a_node_that_depends_on_the_target_besides_waits_for_it() -> None:
    besides = "      - {type: cloudify.relationships.depends_on, target: router}\n"
    source = CONNECTED.replace("  shares:\n", f"{besides}  shares:\n")
    assert found(source).is_same
    assert values(found(source, ("    depends_on: router\n", "")))["subnet.waits for.router"] == (True, False)


ATTACHED = (
    CFY
    + """\
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  web:
    type: cloudify.nodes.openstack.Server
    properties: {image: cirros, flavor: m1.tiny}
  port:
    type: cloudify.nodes.openstack.Port
    relationships:
      - {type: cloudify.relationships.contained_in, target: net}
      - {type: cloudify.relationships.openstack.port_connected_to_server, target: web}
"""
)


def test_a_port_that_is_connected_to_its_server_is_named_by_the_server() -> None:
    assert found(ATTACHED).is_same
    apart = found(ATTACHED, ("        - port: {get_resource: port}\n", "        - network: {get_resource: net}\n"))
    assert not apart.is_same


# -- names, and what is said ---------------------------------------------------------------------------------


def test_a_capability_with_the_name_of_an_output_is_another_output() -> None:
    source = CFY + "outputs: {url: {value: one}}\ncapabilities: {url: {value: two}}\n"
    assert found(source).is_same
    assert values(found(source, ("value: two", "value: three"))) == {"outputs.capability_url": ("two", "three")}


def test_the_name_of_a_resource_that_exists_is_what_it_is_found_by() -> None:
    source = CFY + (
        "node_templates: {net: {type: cloudify.nodes.openstack.Network, properties:"
        " {use_external_resource: true, resource_config: {name: public}}}}\n"
        "outputs: {name: {value: {get_attribute: [net, name]}}}\n"
    )
    assert found(source).is_same
    assert values(found(source, ("value: public", "value: private"))) == {"outputs.name": ("public", "private")}


EXISTING = CFY + """\
inputs: {net_id: {type: string}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {id: {get_input: net_id}}}
  other:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {id: other-id}}
    relationships: [{type: cloudify.relationships.depends_on, target: group}]
  group: {type: cloudify.nodes.openstack.SecurityGroup, properties: {resource_config: {name: web}}}
  image:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {name: image, size: 1}}
    relationships: [{type: cloudify.relationships.depends_on, target: net}]
  volume:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {name: disk, size: 1}}
    relationships: [{type: cloudify.relationships.depends_on, target: other}]
"""


def changed(*changes: tuple[str, str]) -> Verification:
    """The blueprint against itself, with texts exchanged."""
    text = EXISTING
    for old, new in changes:
        assert text.count(old) == 1, text
        text = text.replace(old, new)
    return verify(EXISTING, text)


def test_nothing_waits_for_what_exists_already_but_for_what_this_waits_for() -> None:
    assert changed(("    relationships: [{type: cloudify.relationships.depends_on, target: net}]\n", "")).is_same
    last = "    relationships: [{type: cloudify.relationships.depends_on, target: other}]\n"
    assert values(changed((last, ""))) == {"volume.waits for.group": (True, False)}
    assert changed((last, last.replace("other", "group"))).is_same


def test_what_exists_already_may_be_created_where_it_does_not() -> None:
    more = changed(("resource_config: {id: other-id}", "create_if_missing: true, resource_config: {id: other-id}"))
    assert values(more) == {"other.create_if_missing": (MISSING, True)}


def test_operations_that_a_node_has_of_its_type_are_told() -> None:
    source = CFY + (
        "plugins: {rack: {executor: central_deployment_agent, package_name: rack}}\n"
        "node_types: {own.Machine: {derived_from: cloudify.nodes.Compute, interfaces: {cloudify.interfaces.lifecycle:"
        " {create: rack.tasks.reserve}}}}\n"
        "node_templates: {machine: {type: own.Machine}}\n"
    )
    (one,) = found(source, told=True).differences
    assert (one.what, one.second) == ("machine.cloudify.interfaces.lifecycle.create", MISSING)
    assert one.is_reported
    assert "BPC391" in one.codes


def test_members_that_are_in_a_nested_template_are_told_with_their_group() -> None:
    source = CFY + (
        "node_templates:\n"
        "  net: {type: cloudify.nodes.openstack.Network}\n"
        "  disk: {type: cloudify.nodes.openstack.Volume, properties: {resource_config: {size: 1}}}\n"
        "groups: {both: {members: [net, disk]}}\n"
        "policies: {scale: {type: cloudify.policies.scaling, targets: [both], properties: {default_instances: 2}}}\n"
    )
    assert all(one.codes for one in found(source, told=True).differences)


def test_addresses_of_a_port_are_of_both_versions() -> None:
    pytest.importorskip("yaql")
    source = CFY + (
        "node_templates:\n"
        "  port: {type: cloudify.nodes.openstack.Port, properties: {resource_config: {network_id: public}}}\n"
        "outputs:\n"
        "  old: {value: {get_attribute: [port, ipv4_address]}}\n"
        "  new: {value: {get_attribute: [port, ipv6_address]}}\n"
    )
    assert found(source).is_same
    changed = values(found(source, ("where(not (':' in $))", "where(':' in $)")))
    assert list(changed) == ["outputs.old"]
    assert ":" not in changed["outputs.old"][0]
    assert ":" in changed["outputs.old"][1]


def test_a_security_group_that_is_named_twice_is_given_once() -> None:
    port = (
        "heat_template_version: 2018-08-31\nresources: {port: {type: OS::Neutron::Port, properties:"
        " {network: public, security_groups: [web, ssh]}}}\n"
    )
    assert verify(port, port.replace("[web, ssh]", "[web, ssh, web]")).is_same
    assert not verify(port, port.replace("[web, ssh]", "[web, db]")).is_same
