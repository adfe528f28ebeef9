"""What does the work where the catalogue's data is not enough, by the names that the catalogue has for it.

Each topic has tables of its own; the reader and the writer look up here.
"""

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
    server,
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
    **access.PREPARE,
    **identity.PREPARE,
    **interfaces.PREPARE,
    **network.PREPARE,
}
#: called with a property's value
PRESENT: Final[dict[str, protocols.WriteHook]] = {
    **access.PRESENT,
    **cloud_config.PRESENT,
    **compute.PRESENT,
    **identity.PRESENT,
    **interfaces.PRESENT,
    **named_values.PRESENT,
    **network.PRESENT,
    **passwords.PRESENT,
    **server.PRESENT,
    **volume.PRESENT,
    "software": _software,
}
#: called where the property is absent
ABSENT: Final[dict[str, protocols.AbsentHook]] = {**compute.ABSENT, **server.ABSENT}
#: hooks for which null means something
WITH_NULL: Final = frozenset({"any_value", "gateway_ip"})
#: called for one key of a map
ITEM: Final[dict[str, protocols.ItemHook]] = access.ITEM
#: kinds of resources that become part of another node
MERGES: Final[dict[str, protocols.MergeHook]] = {**connections.MERGES, **identity.MERGES}
#: attributes that take more than a name
ATTRIBUTES: Final[dict[str, protocols.AttributeHook]] = {
    **attributes.ATTRIBUTES,
    **named_values.ATTRIBUTES,
}

# -- reading ------------------------------------------------------------------------------------------------


def _nothing(reading: protocols.NodeReader, name: str, rule: PropertyRule) -> None:
    """What only Heat's side says."""


_ONLY_IN_HEAT = ("save_private_key", "software", "user_data_format", "keystone_roles", "share_access_rules")
#: called for a node with the rule's name
READ: Final[dict[str, protocols.ReadHook]] = {
    **dict.fromkeys(_ONLY_IN_HEAT, _nothing),
    **access.READ,
    **cloud_config.READ,
    **compute.READ,
    **interfaces.READ,
    **named_values.READ,
    **network.READ,
    **passwords.READ,
    **server.READ,
    **volume.READ,
}
#: hooks that are an ordinary path on the way back
PLAIN: Final = frozenset({
    "shared_object", "router_of_routes", "floating_network", "remote_mode", "given_by_id", "nested_blueprint",
    "nested_inputs", "stack_timeout",
})  # fmt: skip
