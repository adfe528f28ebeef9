"""Properties that Heat wants together, or not together: what the ``validate`` methods of its resource classes
(``heat/engine/resources/openstack``) check beyond the schemas, for the types that templates use most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Expr, Value

#: type -> properties of which one is needed
_ONE_OF: Final[dict[str, list[tuple[str, ...]]]] = {
    "OS::Neutron::Subnet": [("cidr", "subnetpool")],
    "OS::Neutron::RouterInterface": [("subnet", "subnet_id", "port", "port_id")],
    "OS::Cinder::Volume": [("size", "backup_id", "snapshot_id", "source_volid")],
    "OS::Octavia::Pool": [("listener", "loadbalancer")],
    "OS::Mistral::CronTrigger": [("pattern", "first_time")],
}
#: type -> pairs that exclude each other
_NOT_BOTH: Final[dict[str, list[tuple[str, str]]]] = {
    "OS::Neutron::Subnet": [("subnetpool", "cidr"), ("prefixlen", "cidr")],
    "OS::Neutron::RouterInterface": [("subnet", "port"), ("subnet_id", "port_id"), ("subnet", "port_id"),
                                     ("subnet_id", "port")],
    "OS::Neutron::Port": [("fixed_ips", "no_fixed_ips")],
    "OS::Neutron::SecurityGroupRule": [("remote_group", "remote_ip_prefix")],
    "OS::Neutron::Router": [("l3_agent_id", "l3_agent_ids"), ("distributed", "ha"), ("distributed", "l3_agent_id"),
                            ("distributed", "l3_agent_ids")],
    "OS::Nova::Server": [("block_device_mapping", "block_device_mapping_v2")],
    "OS::Cinder::Volume": [("image", "imageRef")],
}  # fmt: skip
#: of which a server's network needs one
_INTERFACE: Final = ("network", "uuid", "port", "subnet", "allocate_network")
#: type -> a property, and the one that it needs
_NEEDS: Final[dict[str, list[tuple[str, str]]]] = {"OS::Neutron::FloatingIP": [("fixed_ip_address", "port_id")]}


def wrong_combinations(heat_type: str, values: dict[str, Value], replaced_by: dict[str, list[str]]) -> Iterator[str]:
    """What Heat refuses in the combination of a resource's properties, in words."""
    for names in _ONE_OF.get(heat_type, ()):
        if not any(_is_given(values.get(name)) for name in names):
            yield f"one of {', '.join(repr(name) for name in names)} is needed"
    for one, other in _NOT_BOTH.get(heat_type, ()):
        if _is_certain(values.get(one)) and _is_certain(values.get(other)):
            yield f"'{one}' and '{other}' exclude each other"
    for new, olds in replaced_by.items():
        for old in olds:
            if _is_certain(values.get(new)) and _is_certain(values.get(old)):
                yield f"'{old}' is an older name of '{new}'; only one of them can be given"
    for one, other in _NEEDS.get(heat_type, ()):
        if _is_certain(values.get(one)) and not _is_given(values.get(other)):
            yield f"'{one}' needs '{other}'"
    more = _MORE.get(heat_type)
    if more is not None:
        yield from more(values)


def _is_given(value: Value) -> bool:
    """True for what may be a value when the stack is created."""
    return isinstance(value, Expr) or (value is not None and value not in ("", [], {}))


def _is_certain(value: Value) -> bool:
    """True for what is a value already when Heat validates the template."""
    if isinstance(value, Expr):
        return isinstance(value, (ex.Identity, ex.File))
    return _is_given(value) and value is not False


def _server(values: dict[str, Value]) -> Iterator[str]:
    networks = values.get("networks")
    ports = [item for item in networks if isinstance(item, dict)] if isinstance(networks, list) else []
    if any(_is_certain(item.get("port")) for item in ports) and _is_certain(values.get("security_groups")):
        yield "'security_groups' and a 'port' in 'networks' exclude each other"
    for index, item in enumerate(ports):
        if all(item.get(name) is None for name in _INTERFACE):
            yield f"item {index + 1} of 'networks' needs one of 'network', 'port', 'allocate_network' and 'subnet'"
        if item.get("port") is not None and _is_certain(item.get("fixed_ip")):
            yield f"'fixed_ip' and 'port' exclude each other in item {index + 1} of 'networks'"
    devices = [values.get(name) for name in ("block_device_mapping", "block_device_mapping_v2")]
    if "image" not in values and not any(_is_given(value) for value in devices):  # null is an image to Heat
        yield "one of 'image' and 'block_device_mapping_v2' is needed to boot from"


def _rule(values: dict[str, Value]) -> Iterator[str]:
    least, most = values.get("port_range_min"), values.get("port_range_max")
    if values.get("protocol") in ("icmp", "icmpv6", "ipv6-icmp") or isinstance(values.get("protocol"), Expr):
        return
    if isinstance(least, int) and isinstance(most, int) and most < least:
        yield "'port_range_min' is greater than 'port_range_max'"


def _group(values: dict[str, Value]) -> Iterator[str]:
    if values.get("name") == "default":
        yield "a security group cannot be called 'default'"


def _subnet(values: dict[str, Value]) -> Iterator[str]:
    modes = [values.get("ipv6_ra_mode"), values.get("ipv6_address_mode")]
    if str(values.get("ip_version", 4)) == "4" and any(isinstance(mode, str) for mode in modes):
        yield "'ipv6_ra_mode' and 'ipv6_address_mode' are for version 6 only"


_MORE: Final[dict[str, Callable[[dict[str, Any]], Iterator[str]]]] = {
    "OS::Nova::Server": _server,
    "OS::Neutron::SecurityGroupRule": _rule,
    "OS::Neutron::SecurityGroup": _group,
    "OS::Neutron::Subnet": _subnet,
}
