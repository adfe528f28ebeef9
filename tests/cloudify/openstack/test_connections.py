"""Gateways, attachments, addresses and routes: when they become parts of other nodes, and what is told then."""

from __future__ import annotations

import pytest
from connected_resources import codes, converted, messages, node, places, relationships, targets, why_not

PUBLIC = "{external_gateway_info: {network: public}}"


# -- gateways -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("router", ["{}", PUBLIC])
def test_a_gateway_is_a_property_of_its_router(router: str) -> None:
    """Also where it is that already."""
    result = converted(f"r: Neutron::Router {router}", "gate: Neutron::RouterGateway {router_id: $r, network: public}")
    assert codes(result, "gate") == {"BPC303"}
    assert "gate" not in result.document["node_templates"]
    assert node(result, "r")["properties"]["external_network"] == "public"


@pytest.mark.parametrize(
    ("router", "gateway", "why"),
    [
        (PUBLIC, "{router_id: $r, network: other}", "its router has a gateway already"),
        ("{}", "{router_id: $r}", "it has no network"),
        ("{}", "{router_id: $n, network: other}", "its router is not created by this template"),
        ("@existing {}", "{router_id: $r, network: other}", "its router is not created by this template"),
    ],
)
def test_a_gateway_that_its_router_cannot_have(router: str, gateway: str, why: str) -> None:
    net = "n: Neutron::Net {}"
    result = converted(net, f"r: Neutron::Router {router}", f"gate: Neutron::RouterGateway {gateway}")
    assert why in why_not(result, "gate")


def test_a_gateway_on_a_network_of_the_template_is_a_relationship_of_the_router() -> None:
    """And what is told of its network is told at the gateway."""
    gate = "gate: Neutron::RouterGateway {router_id: $r, network: %s}"
    result = converted("r: Neutron::Router {}", "n: Neutron::Net {}", gate % "$n")
    assert relationships(result, "r") == [("connected_to", "n")]
    assert codes(result, "gate") == {"BPC303"}
    result = converted("r: Neutron::Router {}", "n: Neutron::Net {}", gate % "{get_attr: [n, show]}")
    assert places(result, "BPC201") == [("resources", "gate", "properties", "network")]


CONDITIONAL = 'r: {type: "OS::Neutron::Router", condition: c}'
SUBNET = "s: Neutron::Subnet {network: m, cidr: 10.0.0.0/24}"


@pytest.mark.parametrize(
    "part",
    [
        "Neutron::RouterGateway !{router_id: $r, network: public}",
        "Neutron::RouterInterface !{router: $r, subnet: there}",
        "Neutron::ExtraRouteSet !{router: $r, routes: [{destination: 10.9.0.0/16, nexthop: 10.0.0.9}]}",
    ],
)
def test_what_has_a_condition_is_part_of_what_has_the_same(part: str) -> None:
    """Not of what is there in any case."""
    result = converted(CONDITIONAL, f"a: {part}")
    assert why_not(result, "a") == ""
    assert "BPC303" in codes(result, "a")
    assert "a" not in result.document["node_templates"]
    result = converted("r: Neutron::Router {}", f"a: {part}")
    assert "it has a condition that neither of its sides has" in why_not(result, "a")
    assert node(result, "a")["capabilities"]


# -- ends ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("router", ["router: {get_attr: [s, name]}, ", "router: [a], ", "router: {a: b}, ", ""])
def test_a_computed_text_a_list_and_nothing_are_no_router(router: str) -> None:
    result = converted(SUBNET, f"a: Neutron::RouterInterface {{{router}subnet: $s}}")
    assert "'router' is neither a resource nor a name or id" in why_not(result, "a")
    assert not any(name.startswith("external_r") for name in result.document["node_templates"])


def test_the_id_of_a_part_is_that_of_the_other_node() -> None:
    """Which is told, save of a set of routes: Heat gives it the id of its router as well."""
    route = "destination: 10.9.0.0/16, nexthop: 10.0.0.9"
    parts = {
        "Neutron::RouterGateway {router_id: $r, network: public}": True,
        f"Neutron::ExtraRoute {{router_id: $r, {route}}}": True,
        f"Neutron::ExtraRouteSet {{router: $r, routes: [{{{route}}}]}}": False,
    }
    for part, is_told in parts.items():
        result = converted("r: Neutron::Router {}", f"a: {part}", "w: Heat::Value {value: $a}")
        assert node(result, "w")["properties"] == {"value": {"get_attribute": ["r", "id"]}}
        assert places(result, "BPC304") == [("resources", "w", "properties", "value")] * is_told


# -- volumes ------------------------------------------------------------------------------------------------

VOLUME, SERVER = "v: Cinder::Volume {size: 1}", "Nova::Server {image: i, flavor: f}"


def attachment(name: str, server: str, more: str = "") -> str:
    return f"{name}: Cinder::VolumeAttachment {{volume_id: $v, instance_uuid: ${server}{more}}}"


def test_the_device_of_an_attachment_is_a_property_of_the_volume() -> None:
    result = converted(VOLUME, f"vm: {SERVER}", attachment("a", "vm", ", mountpoint: /dev/vdb"))
    assert node(result, "v")["properties"]["device_name"] == "/dev/vdb"
    assert "device_name" not in node(converted(VOLUME, f"vm: {SERVER}", attachment("a", "vm")), "v")["properties"]


def test_another_device_is_told_where_no_other_node_can_attach_the_volume() -> None:
    """At the attachment itself where that says none."""
    servers = [f"{name}: {SERVER.replace('Server ', f'Server @{name} ')}" for name in ("x", "y", "z")]
    attachments = [
        attachment("one", "x", ", mountpoint: /dev/vdb"),
        attachment("two", "y", ", mountpoint: /dev/vdc"),
        attachment("three", "z"),
    ]
    result = converted(VOLUME, *servers, *attachments)
    assert node(result, "v")["properties"]["device_name"] == "/dev/vdb"
    assert places(result, "BPC349") == [("resources", "two", "properties", "mountpoint"), ("resources", "three")]


def test_an_attachment_says_nothing_that_is_lost() -> None:
    result = converted(VOLUME, f"vm: {SERVER}", attachment("a", "vm", ", mountpoint: /dev/vdb"))
    assert codes(result, "a") == {"BPC303"}
    assert relationships(result, "v") == [("openstack.volume_attached_to_server", "vm")]


@pytest.mark.parametrize(
    ("volume", "mention", "holder", "identity"),
    [
        (VOLUME, "$v", "external_v_of_vm2", {"get_attribute": ["v", "id"]}),
        ("v: Cinder::Volume @there {}", "$v", "external_v_of_vm2", "there"),
        (VOLUME, "there", "external_there_of_vm2", "there"),
    ],
)
def test_another_device_has_another_node_for_the_volume(
    volume: str, mention: str, holder: str, identity: object
) -> None:
    """It is called after the volume and the server, and finds the volume by what is known of it."""
    both = [attachment("a", "vm", ", mountpoint: /dev/vdb"), attachment("b", "vm2", ", mountpoint: /dev/vdc")]
    attachments = [line.replace("$v,", f"{mention},") for line in both]
    result = converted(volume, f"vm: {SERVER}", f"vm2: {SERVER}", *attachments)
    properties = node(result, holder)["properties"]
    assert properties["resource_config"] == {"id": identity}
    assert (properties["use_external_resource"], properties["device_name"]) == (True, "/dev/vdc")
    assert ("openstack.volume_attached_to_server", "vm2") in relationships(result, holder)
    assert messages(result, "BPC685") == [
        f"'{holder}' stands for the volume and attaches it to 'vm2': it says another device"
    ]
    assert places(result, "BPC349") == []


@pytest.mark.parametrize(
    ("server", "more"),
    [
        ("Nova::Server <v {image: i, flavor: f, name: {get_param: given}}", []),
        ("Nova::Server {image: i, flavor: f, networks: [{port: $p}]}", ["p: Neutron::Port {network: m, name: $v}"]),
        ("Nova::Server <n {image: i, flavor: f}", ["n: Neutron::Net <v {name: {get_param: given}}"]),
    ],
)
def test_a_server_that_waits_for_a_volume_does_not_have_it_attached_before(server: str, more: list[str]) -> None:
    """Also where something between them waits."""
    result = converted(VOLUME, f"vm: {server}", *more, attachment("a", "vm"))
    assert targets(result, "v") == []
    assert targets(result, "external_v_of_vm") == ["vm", "v"]
    assert messages(result, "BPC685") == [
        "'external_v_of_vm' stands for the volume and attaches it to 'vm': 'vm' waits for 'v'"
    ]


def test_a_server_that_waits_for_something_else_has_the_volume_itself() -> None:
    server = SERVER.replace("Server ", "Server <n ")
    result = converted(VOLUME, "n: Neutron::Net {}", f"vm: {server}", attachment("a", "vm"))
    assert targets(result, "v") == ["vm"]
    assert messages(result, "BPC685") == []


# -- addresses ----------------------------------------------------------------------------------------------

ADDRESS = "ip: Neutron::FloatingIP {floating_network: public}"


def associated(port: str, more: str = "", mark: str = "") -> str:
    return f"a: Neutron::FloatingIPAssociation {mark}{{floatingip_id: $ip, port_id: {port}{more}}}"


def test_the_only_fixed_address_of_a_port_is_no_choice() -> None:
    port = "p: Neutron::Port {network: m, fixed_ips: [{ip_address: 10.0.0.3}]}"
    result = converted(ADDRESS, port, associated("$p", ", fixed_ip_address: 10.0.0.3"))
    assert codes(result, "a") == {"BPC303"}
    assert "ip" in targets(result, "p")


@pytest.mark.parametrize("port", ["{get_param: given}", "$p", "known"])
def test_a_fixed_address_of_another_port_is_a_choice(port: str) -> None:
    result = converted(ADDRESS, "p: Neutron::Port {network: m}", associated(port, ", fixed_ip_address: 10.0.0.3"))
    assert "a fixed address of the port is chosen" in why_not(result, "a")


@pytest.mark.parametrize(
    ("networks", "port", "why"),
    [
        ("[{network: n}, {network: m}]", "?n", ""),
        ("[{network: other}]", "?n", ""),
        ("[{network: other}, {network: m}]", "?n", "it is not known which interface"),
        ("[{network: n}, {network: n}]", "?n", "it is not known which interface"),
        ("[{network: n}, {get_param: given}]", "?n", "not the first one of a network"),
        ("{get_param: given}", "?n", "its port is not a resource"),
        ("[{allocate_network: auto}]", "?n", "has no port of its own"),
    ],
)
def test_which_interface_of_a_server_has_the_address(networks: str, port: str, why: str) -> None:
    server = f"vm: Nova::Server {{image: i, flavor: f, networks: {networks}}}"
    result = converted(ADDRESS, server, associated(port))
    assert why in why_not(result, "a")
    assert bool(why) == bool(why_not(result, "a"))
    if not why:
        assert "ip" in targets(result, "vm_port_0")


def test_a_server_without_the_condition_of_the_address_gets_no_port() -> None:
    server = "vm: Nova::Server {image: i, flavor: f, networks: [{network: n}]}"
    result = converted(ADDRESS, server, associated("?n", mark="!"))
    assert "it has a condition that neither of its sides has" in why_not(result, "a")
    assert "vm_port_0" not in result.document["node_templates"]


def test_the_port_of_a_server_stands_in_other_properties() -> None:
    server = "vm: Nova::Server {image: i, flavor: f, networks: [{network: n}]}"
    result = converted(server, "ip: Neutron::FloatingIP {floating_network: public, port_id: ?n}")
    assert "vm_port_0" in result.document["node_templates"]
    assert places(result, "BPC223") == [("resources", "ip", "properties", "port_id")]
    result = converted(server, "ip: Neutron::FloatingIP {floating_network: public, port_id: {get_attr: [vm, name]}}")
    assert "vm_port_0" not in result.document["node_templates"]


def test_a_port_whose_addresses_are_not_known_does_not_have_the_fixed_one() -> None:
    port = "p: Neutron::Port {network: m, fixed_ips: [{get_param: given}]}"
    result = converted(ADDRESS, port, associated("$p", ", fixed_ip_address: 10.0.0.3"))
    assert "a fixed address of the port is chosen" in why_not(result, "a")


def test_novas_association_is_a_relationship_of_the_server() -> None:
    """What Nova no longer does is told."""
    server, address = "vm: Nova::Server {image: i, flavor: f}", "f: Nova::FloatingIP {pool: p}"
    result = converted(server, address, "a: Nova::FloatingIPAssociation {server_id: $vm, floating_ip: $f}")
    assert relationships(result, "vm") == [("openstack.server_connected_to_floating_ip", "f")]
    assert "a" not in result.document["node_templates"]
    assert codes(result, "a") == {"BPC303", "BPC309"}
    note = "the plugin asks Nova to associate the address, which Nova's API does not do since version 2.44"
    assert messages(result, "BPC309") == [note]


@pytest.mark.parametrize(
    ("server", "address", "why"),
    [
        ("$f", "$f", "'server_id' refers to no server with a node of its own"),
        ("$vm", "$vm", "'floating_ip' refers to no floating ip with a node of its own"),
        ("{get_attr: [vm, name]}", "$f", "'server_id' is neither a resource nor a name or id"),
        ("$vm", "{get_attr: [f, ip]}", "'floating_ip' is neither a resource nor a name or id"),
    ],
)
def test_what_novas_association_cannot_connect(server: str, address: str, why: str) -> None:
    resources = ["vm: Nova::Server {image: i, flavor: f}", "f: Nova::FloatingIP {pool: p}"]
    association = f"a: Nova::FloatingIPAssociation {{server_id: {server}, floating_ip: {address}}}"
    assert why in why_not(converted(*resources, association), "a")


@pytest.mark.parametrize(
    ("networks", "port", "settings"),
    [
        ("[{network: other}, {network: n}]", "vm_port_1", {}),
        ("[{uuid: 3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11}]", "vm_port_0",
         {"network_id": "3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11"}),
        ("[{network: n, subnet: null, fixed_ip: null}]", "vm_port_0", {}),
        ("[{network: n, subnet: s, fixed_ip: 10.0.0.4, port_extra_properties: {}}]", "vm_port_0",
         {"fixed_ips": [{"subnet_id": {"get_attribute": ["external_s", "id"]}, "ip_address": "10.0.0.4"}],
          "name": "vm-port-0"}),
    ],
)  # fmt: skip
def test_the_port_of_an_interface_has_what_the_interface_says(networks: str, port: str, settings: object) -> None:
    server = f"vm: Nova::Server {{image: i, flavor: f, networks: {networks}}}"
    result = converted(ADDRESS, server, associated("?n"))
    assert ("openstack.port_connected_to_floating_ip", "ip") in relationships(result, port)
    assert node(result, port)["properties"]["resource_config"] == settings
    place = ("resources", "vm", "properties", "networks", int(port[-1]))
    assert place in places(result, "BPC311")


@pytest.mark.parametrize("networks", ["[{port: $p}, {port: $q}]", "[{network: $n}, {network: other}]"])
def test_the_network_of_an_interface_is_that_of_its_port_or_its_own(networks: str) -> None:
    """As it is written in the template, or as the subnet of the port says it."""
    ports = ["p: Neutron::Port {network: other}", "q: Neutron::Port {fixed_ips: [{subnet: $s}]}"]
    subnet = "s: Neutron::Subnet {network: $n, cidr: 10.0.0.0/24}"
    server = f"vm: Nova::Server {{image: i, flavor: f, networks: {networks}}}"
    mention = "{get_attr: [vm, addresses, $n, 0, port]}"
    result = converted(ADDRESS, "n: Neutron::Net {}", subnet, *ports, server, associated(mention))
    assert why_not(result, "a") == ""
    assert "ip" in targets(result, "q" if "$q" in networks else "vm_port_0")


def test_a_port_of_what_is_no_server_is_none_of_the_template() -> None:
    """A container has interfaces and addresses, too."""
    container = "vm: Zun::Container {image: i, networks: [{network: n}]}"
    result = converted(ADDRESS, container, associated("?n"))
    assert "its port is not a resource of this template" in why_not(result, "a")
    assert "vm_port_0" not in result.document["node_templates"]


def test_an_address_with_the_condition_of_its_association_gets_a_port() -> None:
    server = "vm: Nova::Server {image: i, flavor: f, networks: [{network: n}]}"
    address = 'ip: {type: "OS::Neutron::FloatingIP", condition: c, properties: {floating_network: public}}'
    result = converted(address, server, associated("?n", mark="!"))
    assert why_not(result, "a") == ""
    assert "ip" in targets(result, "vm_port_0")


def test_the_other_properties_stay_where_a_port_stands_in_one() -> None:
    """Also beside one that takes another port than a server's first."""
    server = "vm: Nova::Server {image: i, flavor: f, networks: [{network: n}]}"
    address = "ip: Neutron::FloatingIP {dns_name: {get_attr: [vm, addresses, n, 1, port]}, port_id: ?n, dns_domain: d}"
    result = converted(server, address)
    assert ("connected_to", "vm_port_0") in relationships(result, "ip")
    assert node(result, "ip")["properties"]["resource_config"]["dns_domain"] == "d"
    assert messages(result, "BPC223") == ["'port_id' is written as the port 'vm_port_0'"]
