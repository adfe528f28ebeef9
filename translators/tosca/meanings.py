"""What nodes of types that name no resource are read as, in words: for ``bpconvert types`` and docs/types.md."""

from __future__ import annotations

from typing import Final

_SERVER: Final = "OS::Nova::Server; flavor and image are parameters, with what its capabilities ask for in words"
_SOFTWARE: Final = "software: its operations run on the machine that hosts it"
#: node type -> what it is read as
READ_AS: Final = {
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
    "tosca.nodes.nfv.VNF": "nothing, in the topology that stands for it; else a stand-in",
    "tosca.nodes.nfv.VnfVirtualLink": "OS::Neutron::Net and its subnets",
    "tosca.nodes.SoftwareComponent": f"{_SOFTWARE}; in a blueprint a node with the same operations",
    **dict.fromkeys(
        ("tosca.nodes.WebServer", "tosca.nodes.DBMS", "tosca.nodes.Database", "tosca.nodes.WebApplication"), _SOFTWARE
    ),
    "tosca.nodes.Container.Runtime": _SOFTWARE,
    "tosca.nodes.BlockStorage": "as tosca.nodes.Storage.BlockStorage",
    "tosca.nodes.ObjectStorage": "as tosca.nodes.Storage.ObjectStorage",
    "tosca.nodes.Container.Application": _SOFTWARE,
}
