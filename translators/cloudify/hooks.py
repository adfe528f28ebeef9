"""What does the work where the catalogue's data is not enough, by the names that the catalogue has for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify import named_values
from bpconvert.translators.cloudify.openstack import (
    access,
    attributes,
    cloud_config,
    compute,
    connections,
    dns,
    identity,
    interfaces,
    network,
    passwords,
    user_data,
    volume,
)
from bpconvert.translators.cloudify.openstack.property_paths import Reading
from bpconvert.translators.support import later

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import References, Writing

# -- writing ------------------------------------------------------------------------------------------------


def _software(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """What is left of a deployment is the server that it runs on."""
    writing.lift(draft, rule, value, source)


#: few templates have users
_ASSIGNMENTS: Final = "bpconvert.translators.cloudify.openstack.assignments"
#: called before anything is written: (arrangement, node, property)
PREPARE: Final[dict[str, Callable[[Reshaping, Node, str], None]]] = {
    "keypair_name": compute.prepare_made_up_name,
    "shared_object": access.prepare_shared_object,
    "keystone_roles": identity.prepare,
    "keystone_groups": later(f"{_ASSIGNMENTS}:prepare_groups"),
    "block_devices": volume.prepare_devices,
    "server_networks": interfaces.networks,
    "floating_network": network.prepare_floating_network,
    "gateway_ip": network.prepare_gateway_ip,
    "router_of_routes": network.router_of_routes,
}
#: makes a value one that the plugin takes, before it is written by its rule; MISSING where it takes none:
#: (writing, draft, value, source) -> value
FITTING: Final[dict[str, Callable[[Writing, NodeDraft, Value, Path], Value]]] = {
    "fixed_ips": network.addresses,
    "metadata": compute.texts_of_metadata,
    "neutron_name": network.write_empty_name,
    "nova_name": compute.name_or_none,
    "user_data": user_data.fitting,
}
#: writes a property: (writing, draft, rule, value, source)
PRESENT: Final[dict[str, Callable[[Writing, NodeDraft, PropertyRule, Value, Path], None]]] = {
    "security_group_rules": access.write_rules,
    "share_access_rules": access.access_rules,
    "given_by_id": access.given_by_id,
    "shared_object": access.shared_object,
    "cloud_config": cloud_config.put,
    "flavor_tenants": compute.write_tenants,
    "image_location": compute.write_location,
    "save_private_key": compute.save_private_key,
    "keystone_roles": identity.not_written_out,
    "keystone_groups": later(f"{_ASSIGNMENTS}:groups_not_written_out", "The groups of a user that no node gives."),
    "server_networks": interfaces.write_networks,
    "router_gateway": network.write_router_gateway,
    "floating_network": network.write_floating_network,
    "record_name": dns.write_name,
    "gateway_ip": network.write_gateway_ip,
    "character_classes": passwords.write_classes,
    "block_devices": volume.write_devices,
    "old_block_devices": volume.write_old_devices,
    "any_value": named_values.put,
    "software": _software,
}
#: called where a property is absent: (writing, draft, source)
ABSENT: Final[dict[str, Callable[[Writing, NodeDraft, Path], None]]] = {
    "flavor_tenants": compute.own_access,
    "record_name": dns.without_name,
    "save_private_key": compute.private_key,
    "user_data_format": compute.user_data_format,
    "server_networks": interfaces.without_networks,
}
#: hooks for which null means something
WITH_NULL: Final = frozenset({"any_value", "gateway_ip"})
#: those of properties for which null is none, not what OpenStack chooses where there is nothing
NULL_IS_NONE: Final = frozenset({"gateway_ip"})
#: writes one key of a map: (the map, what becomes of it)
ITEM: Final[dict[str, Callable[[dict[Any, Value], dict[Any, Value]], None]]] = {"remote_mode": access.remote_mode}
#: lets other nodes absorb a resource, or raises Refused
MERGES: Final[dict[str, Callable[[Reshaping, Node], None]]] = {
    "router_interface": connections.router_interface,
    "software": connections.software,
    "router_gateway": connections.router_gateway,
    "volume_attachment": connections.volume_attachment,
    "floating_ip_association": connections.floating_ip_association,
    "nova_floating_ip_association": connections.nova_floating_ip_association,
    "extra_route": connections.extra_route,
    "user_role_assignment": identity.absorb,
    "group_role_assignment": identity.absorb,
}
#: rewrites a reference to an attribute that takes more than a name: (references, node, reference, its keys rewritten)
ATTRIBUTES: Final[dict[str, Callable[[References, Node, ex.Attribute, tuple[Value, ...]], Value]]] = {
    "server_addresses": attributes.written_server_addresses,
    "port_addresses": attributes.written_port_addresses,
    "port_subnets": attributes.port_subnets,
    "port_network": attributes.port_network,
    "volume_type_name": attributes.volume_type,
    "value": named_values.attribute,
}

# -- reading ------------------------------------------------------------------------------------------------


def _nothing(reading: Reading, name: str, rule: PropertyRule) -> None:
    """What only Heat's side says."""


_ONLY_IN_HEAT = ("save_private_key", "software", "user_data_format", "keystone_roles", "keystone_groups",
                 "share_access_rules", "old_block_devices")  # fmt: skip
#: reads a property: (reading, its name, rule)
READ: Final[dict[str, Callable[[Reading, str, PropertyRule], None]]] = {
    **dict.fromkeys(_ONLY_IN_HEAT, _nothing),
    "security_group_rules": access.read_rules,
    "share_protocol": access.read_protocol,
    "cloud_config": cloud_config.read,
    "flavor_tenants": compute.read_tenants,
    "image_location": compute.read_location,
    "server_networks": interfaces.read_networks,
    "router_gateway": network.read_router_gateway,
    "gateway_ip": network.read_gateway_ip,
    "record_name": dns.read_name,
    "character_classes": passwords.read_classes,
    "metadata": compute.read_metadata,
    "default_project": identity.read_default_project,
    "user_data": user_data.read,
    "block_devices": volume.read_devices,
    "any_value": named_values.read,
}
#: hooks that are an ordinary path on the way back
PLAIN: Final = frozenset({
    "shared_object", "router_of_routes", "floating_network", "remote_mode", "given_by_id", "nested_blueprint",
    "nested_inputs", "stack_timeout", "fixed_ips", "neutron_name", "nova_name",
    "keypair_name",
})  # fmt: skip
