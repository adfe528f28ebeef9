"""What nodes of the types of TOSCA become: words for docs/types.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from bpconvert.translators.tosca.programs import ROLES as SOFTWARE
from bpconvert.translators.tosca.read.nodes import ROLES
from bpconvert.translators.tosca.vocabulary import PARENTS, ROOT, node_type

_SERVER: Final = "OS::Nova::Server; a flavor and an image are asked for, with what is wanted in words"
_SOFTWARE: Final = "software deployments of its operations on its server"
#: node type -> what it becomes
_WORDS: Final = {
    "tosca.nodes.Compute": f"{_SERVER}; with `scalable` a group of servers",
    "tosca.nodes.network.Network": "OS::Neutron::Net, or OS::Neutron::ProviderNet, and OS::Neutron::Subnet for its "
    "addresses; "
    "one that exists already is its name or id",
    "tosca.nodes.network.Port": "OS::Neutron::Port, and an interface of the server that it binds to, in their order",
    "tosca.nodes.network.FloatingIP": "OS::Neutron::FloatingIP",
    "tosca.nodes.Storage.BlockStorage": "OS::Cinder::Volume in GiB, rounded up, and OS::Cinder::VolumeAttachment where "
    "it is attached",
    "tosca.nodes.Storage.ObjectStorage": "OS::Swift::Container",
    "tosca.nodes.LoadBalancer": "balancer, listener, pool and members of Octavia, where its ports are known",
    **dict.fromkeys(
        ("tosca.nodes.indigo.Compute", "openstack.VM", "radon.nodes.OpenStack.VM", "yorc.nodes.openstack.Compute",
         "tosca.nodes.MiCADO.Nova.Compute"),
        f"{_SERVER}, where its properties do not name them",
    ),
    "yorc.nodes.openstack.FloatingIP": "OS::Neutron::FloatingIP",
    "yorc.nodes.openstack.ServerGroup": "OS::Nova::ServerGroup",
    **dict.fromkeys(
        ("tosca.nodes.nfv.VDU", "tosca.nodes.nfv.VDU.Tacker"), f"{_SERVER}, where its properties do not name them"
    ),
    **dict.fromkeys(("tosca.nodes.nfv.CP", "tosca.nodes.nfv.CP.Tacker"), "OS::Neutron::Port"),
    "tosca.nodes.nfv.VL": "OS::Neutron::Net and its subnet",
    "yorc.nodes.openstack.Network": "as tosca.nodes.network.Network",
    "yorc.nodes.openstack.BlockStorage": "as tosca.nodes.Storage.BlockStorage",
    "tosca.nodes.nfv.Vdu.Compute": f"{_SERVER}; what the request of an orchestrator brings are parameters",
    "tosca.nodes.nfv.Vdu.VirtualBlockStorage": "OS::Cinder::Volume",
    "tosca.nodes.nfv.Vdu.VirtualObjectStorage": "OS::Swift::Container",
    "tosca.nodes.nfv.Vdu.VirtualFileStorage": "OS::Manila::Share",
    "tosca.nodes.Abstract.Compute": "as tosca.nodes.Compute",
    "tosca.nodes.nfv.VduCp": "OS::Neutron::Port",
    "tosca.nodes.nfv.VnfVirtualLink": "OS::Neutron::Net and its subnets",
    "tosca.nodes.SoftwareComponent": f"{_SOFTWARE}; in a blueprint a node with the same operations",
    **dict.fromkeys(
        ("tosca.nodes.WebServer", "tosca.nodes.DBMS", "tosca.nodes.Database", "tosca.nodes.WebApplication"), _SOFTWARE
    ),
    "tosca.nodes.Container.Runtime": _SOFTWARE,
}


class ToscaType(NamedTuple):
    """A node type of the standard, or of other people's, and what it becomes."""

    name: str
    text: str


def tosca_types() -> Iterator[ToscaType]:
    """All node types that are read as something, in the order of the reader."""
    for name in dict.fromkeys([*ROLES, *SOFTWARE.values()]):
        yield ToscaType(name, _WORDS.get(name, "as the type that it is called like"))


def written(heat: str) -> str:
    """The node type of a resource type, with the type of the standard that it is derived from."""
    name = node_type(heat)
    parent = PARENTS.get(heat, ROOT)
    return "" if name is None else f"`{name}`" + ("" if parent == ROOT else f", a `{parent}`")


def unnamed() -> set[str]:
    """The node types that have no words of their own here."""
    return {*ROLES, *SOFTWARE.values()} - _WORDS.keys()
