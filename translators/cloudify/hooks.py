"""What does the work where the catalogue's data is not enough, by the names that the catalogue has for it."""

from __future__ import annotations

from typing import Final

from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify import named_values
from bpconvert.translators.cloudify.openstack import (
    access,
    attributes,
    cloud_config,
    compute,
    connections,
    identity,
    interfaces,
    network,
    passwords,
    protocols,
    volume,
)
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.openstack.protocols import Writing

# -- writing ------------------------------------------------------------------------------------------------


def _software(writing: Writing, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """What is left of a deployment is the server that it runs on."""
    writing.lift(draft, rule, value, source)


#: called before anything is written
PREPARE: Final[dict[str, protocols.PrepareHook]] = {
    "shared_object": access.prepare_shared_object,
    "keystone_roles": identity.prepare,
    "server_networks": interfaces.networks,
    "floating_network": network.prepare_floating_network,
    "gateway_ip": network.prepare_gateway_ip,
    "router_of_routes": network.router_of_routes,
}
#: called with a property's value
PRESENT: Final[dict[str, protocols.WriteHook]] = {
    "security_group_rules": access.write_rules,
    "share_access_rules": access.access_rules,
    "given_by_id": access.given_by_id,
    "shared_object": access.shared_object,
    "cloud_config": cloud_config.put,
    "flavor_tenants": compute.write_tenants,
    "image_location": compute.write_location,
    "save_private_key": compute.save_private_key,
    "keystone_roles": identity.not_written_out,
    "server_networks": interfaces.write_networks,
    "router_gateway": network.write_router_gateway,
    "floating_network": network.write_floating_network,
    "gateway_ip": network.write_gateway_ip,
    "character_classes": passwords.write_classes,
    "metadata": compute.write_metadata,
    "block_devices": volume.write_devices,
    "any_value": named_values.put,
    "software": _software,
}
#: called where the property is absent
ABSENT: Final[dict[str, protocols.AbsentHook]] = {
    "flavor_tenants": compute.own_access,
    "save_private_key": compute.private_key,
    "user_data_format": compute.user_data_format,
}
#: hooks for which null means something
WITH_NULL: Final = frozenset({"any_value", "gateway_ip"})
#: called for one key of a map
ITEM: Final[dict[str, protocols.ItemHook]] = {
    "remote_mode": access.remote_mode,
}
#: kinds of resources that become part of another node
MERGES: Final[dict[str, protocols.MergeHook]] = {
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
#: attributes that take more than a name
ATTRIBUTES: Final[dict[str, protocols.AttributeHook]] = {
    "server_addresses": attributes.written_server_addresses,
    "port_addresses": attributes.written_port_addresses,
    "port_subnets": attributes.port_subnets,
    "port_network": attributes.port_network,
    "volume_type_name": attributes.volume_type,
    "value": named_values.attribute,
}

# -- reading ------------------------------------------------------------------------------------------------


def _nothing(reading: protocols.NodeReader, name: str, rule: PropertyRule) -> None:
    """What only Heat's side says."""


_ONLY_IN_HEAT = ("save_private_key", "software", "user_data_format", "keystone_roles", "share_access_rules")
#: called for a node with the rule's name
READ: Final[dict[str, protocols.ReadHook]] = {
    **dict.fromkeys(_ONLY_IN_HEAT, _nothing),
    "security_group_rules": access.read_rules,
    "share_protocol": access.read_protocol,
    "cloud_config": cloud_config.read,
    "flavor_tenants": compute.read_tenants,
    "image_location": compute.read_location,
    "server_networks": interfaces.read_networks,
    "router_gateway": network.read_router_gateway,
    "gateway_ip": network.read_gateway_ip,
    "character_classes": passwords.read_classes,
    "metadata": compute.read_metadata,
    "block_devices": volume.read_devices,
    "any_value": named_values.read,
}
#: hooks that are an ordinary path on the way back
PLAIN: Final = frozenset({
    "shared_object", "router_of_routes", "floating_network", "remote_mode", "given_by_id", "nested_blueprint",
    "nested_inputs", "stack_timeout",
})  # fmt: skip
