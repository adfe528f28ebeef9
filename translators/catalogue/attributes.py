"""The attributes of the mapped Heat types, and what they yield.

From the schemas of openstack-heat 27. The schema's types are not enforced (Neutron hands out what its API gives), so
``text`` are those that are text in fact; of all others it is only known that they exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bpconvert.models.expressions import Value
from bpconvert.translators.catalogue.model import Kind

#: kind of the catalogue -> attributes that are text
_TEXT: Final[dict[str, str]] = {
    "server": "accessIPv4 accessIPv6 instance_name name first_address",
    "keypair": "private_key public_key",
    "net": "name qos_policy_id status tenant_id",
    "provider_net": "status",
    "subnet": "cidr gateway_ip name network_id tenant_id",
    "port": "device_id device_owner mac_address name network_id qos_policy_id status tenant_id",
    "router": "name status tenant_id",
    "floating_ip": "fixed_ip_address floating_ip_address floating_network_id port_id router_id tenant_id",
    "volume": "availability_zone created_at display_description display_name snapshot_id source_volid status "
    "volume_type",
    "random_string": "value",
    "project": "domain_id name parent_id",
    "user": "default_project_id domain_id name password_expires_at",
    "dns_zone": "serial",
    "share": "availability_zone created_at host project_id share_server_id status",
    "share_network": "cidr ip_version network_type segmentation_id",
    "cloud_config": "config",
    "wait_condition_handle": "curl_cli endpoint token signal",
    "wait_condition": "data",
    "cfn_wait_condition": "Data",
}
#: kind -> attributes that are maps or lists
_STRUCTURED: Final[dict[str, str]] = {
    "server": "addresses console_urls networks os_collect_config tags",
    "net": "segments subnets",
    "provider_net": "segments subnets",
    "subnet": "allocation_pools dns_nameservers host_routes",
    "port": "allowed_address_pairs fixed_ips security_groups subnets dns_assignment network",
    "router": "external_gateway_info",
    "flavor": "extra_specs",
    "volume": "attachments_list metadata_values",
    "share": "export_locations",
}
#: kind -> attributes whose values may be of any kind
_OTHER: Final[dict[str, str]] = {
    "net": "admin_state_up l2_adjacency mtu port_security_enabled",
    "subnet": "enable_dhcp ip_version",
    "port": "admin_state_up port_security_enabled propagate_uplink_status",
    "router": "admin_state_up",
    "flavor": "is_public",
    "volume": "attachments bootable encrypted metadata multiattach size",
    "project": "enabled is_domain",
    "user": "enabled",
    "value": "value",
}
#: (kind, attribute) -> how many steps lead to a text, and what the last one is (empty: anything)
_LEAVES: Final[dict[tuple[str, str], tuple[int, str]]] = {
    ("server", "networks"): (2, ""),
    ("server", "addresses"): (3, "addr port OS-EXT-IPS:type OS-EXT-IPS-MAC:mac_addr"),
    ("server", "console_urls"): (1, ""),
    ("port", "fixed_ips"): (2, "ip_address subnet_id"),
    ("port", "subnets"): (2, "id name cidr gateway_ip network_id tenant_id"),
    ("router", "external_gateway_info"): (1, "network_id"),
}


#: (kind, attribute) that is no attribute in Heat, but what ``get_resource`` gives
IDENTITIES: Final = frozenset({("keypair", "name")})


def has_attribute(kind: Kind, name: str) -> bool:
    """True when the Heat type has the attribute."""
    rule = kind.attributes.get(name)
    return name == "show" or (rule is not None and not rule.also) or attribute_kind(kind.kind, name) != ""


def attribute_kind(kind: str, name: str) -> str:
    """``text``, ``json`` (a structure) or ``any``; empty for an attribute that the type does not have."""
    for kind_name, table in (("text", _TEXT), ("json", _STRUCTURED), ("any", _OTHER)):
        if name in table.get(kind, "").split():
            return kind_name
    return "json" if name == "show" else ""


def part_kind(kind: str, name: str, keys: Sequence[Value]) -> str:
    """What a part of an attribute is: ``text`` or ``any``."""
    steps, last = _LEAVES.get((kind, name), (0, ""))
    return "text" if steps == len(keys) > 0 and (not last or keys[-1] in last.split()) else "any"
