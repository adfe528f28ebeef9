"""Names of existing resources where the plugin wants ids: a node whose script looks them up, as Heat does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.vocabulary import DEPENDS_ON
from bpconvert.translators.passes.expressions.kinds import is_number_of_member

#: the kind of the nodes, and their property with the name, or the names
KIND: Final = "name_lookup"
VALUE: Final = "value"
_NETWORKS: Final = ("network", "/v2.0/networks", "networks")
_SUBNETS: Final = ("network", "/v2.0/subnets", "subnets")
_SECURITY_GROUPS: Final = ("network", "/v2.0/security-groups", "security_groups")
_PROJECTS: Final = ("identity", "/v3/projects", "projects")
_IMAGES: Final = ("image", "/v2/images", "images")
#: kind or property -> type of the service, path and key of the list that has the names
_WHERE: Final = {
    "net": _NETWORKS, "subnet": _SUBNETS, "security_group": _SECURITY_GROUPS, "project": _PROJECTS,
    "dns_zone": ("dns", "/v2/zones", "zones"),
    "qos_policy": ("network", "/v2.0/qos/policies", "policies"),
    "subnetpool": ("network", "/v2.0/subnetpools", "subnetpools"),
    "segment": ("network", "/v2.0/segments", "segments"),
    "domain": ("identity", "/v3/domains", "domains"), "tenants": _PROJECTS,
    "image": _IMAGES, "image_id": _IMAGES,
    "share_network": ("sharev2", "/share-networks", "share_networks"),
    "snapshot": ("sharev2", "/snapshots", "snapshots"),
}  # fmt: skip


def lookup(
    arrangement: Reshaping, draft: NodeDraft, kinds: Iterable[str], value: Value, source: Path, *, optional: bool
) -> tuple[Value, Node | None] | None:
    """What refers to the id of the resource that is called ``value``, or to the ids of several; None where no node can
    look them up. ``kinds``: what it may be, as kinds of the catalogue or properties of that name; ``optional``: it may
    not be there. Also the node that looks it up, where that is new."""
    where = next((_WHERE[kind] for kind in kinds if kind in _WHERE), None)
    user, node = draft.node, None
    has_scripts = not arrangement.generation2 and arrangement.request.options.asked != "inputs"
    topology, existing = arrangement.topology, arrangement.topology.existing
    if where is None or not has_scripts:
        return None
    if any(isinstance(part, ex.Attribute) and is_number_of_member(topology, part) for part in ex.walk(value)):
        return None  # each member of a group has a name of its own
    key = (KIND, f"{where} {value!r} {optional}", repr(user.condition))
    if key not in existing:
        name = existing[key] = arrangement.fresh_node(f"{_called(value, user, source)}_id")
        service, path, listed = where
        properties: dict[str, Value] = {VALUE: value, **({"optional": True} if optional else {})}
        properties["service"] = {"types": [service], "path": path, "key": listed, "named": True}
        node = Node(name, "", KIND, properties, path=user.path, made_for=user.name, condition=user.condition)
        node.origins[VALUE,] = source
        arrangement.topology.nodes[name] = node
    draft.relate(DEPENDS_ON, existing[key], source)
    arrangement.report("BPC261", source, node=existing[key])
    return ex.Identity(existing[key], path=source), node


def _called(value: Value, user: Node, source: Path) -> str:
    """What a node for the id of ``value`` is called after."""
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z]\w*", value, re.ASCII):
        return value
    return str(value.name) if isinstance(value, ex.Input) and not value.keys else f"{user.name}_{source[-1]}"
