"""Write the names of settings that openstacksdk sends when it creates a resource, to
``translators/catalogue/schemas/cloudify/sdk.json``.

    PYTHON tools/sdk_names.py [FILE]

``PYTHON`` is one of an environment with the openstacksdk that the OpenStack plugin comes with (0.53.0). A resource
class takes its settings by their own names and by those of the service (``Resource._consume_attrs``) and drops all
others without a word, unless it keeps unknown ones as properties (images).
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "translators" / "catalogue" / "schemas" / "cloudify" / "sdk.json"
#: node type of the OpenStack plugin -> the class of what it creates
CLASSES = {
    "Network": "network.v2.network.Network",
    "Subnet": "network.v2.subnet.Subnet",
    "Port": "network.v2.port.Port",
    "Router": "network.v2.router.Router",
    "FloatingIP": "network.v2.floating_ip.FloatingIP",
    "SecurityGroup": "network.v2.security_group.SecurityGroup",
    "SecurityGroupRule": "network.v2.security_group_rule.SecurityGroupRule",
    "RBACPolicy": "network.v2.rbac_policy.RBACPolicy",
    "Server": "compute.v2.server.Server",
    "ServerGroup": "compute.v2.server_group.ServerGroup",
    "KeyPair": "compute.v2.keypair.Keypair",
    "HostAggregate": "compute.v2.aggregate.Aggregate",
    "Flavor": "compute.v2.flavor.Flavor",
    "User": "identity.v3.user.User",
    "Group": "identity.v3.group.Group",
    "Role": "identity.v3.role.Role",
    "Project": "identity.v3.project.Project",
    "Volume": "block_storage.v3.volume.Volume",
    "VolumeType": "block_storage.v3.type.Type",
    "Zone": "dns.v2.zone.Zone",
    "RecordSet": "dns.v2.recordset.Recordset",
}


def main(file: Path) -> None:
    """Write the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{json.dumps(key)}:{json.dumps(value)}" for key, value in data().items()]
    file.write_text("{" + ",\n".join(rows) + "}\n", encoding="utf-8")


def data() -> dict[str, object]:
    """``version``, and node type -> the names that are sent."""
    result: dict[str, object] = {"version": version("openstacksdk")}
    for name, place in CLASSES.items():
        module, _, cls = place.rpartition(".")
        mapping = getattr(import_module(f"openstack.{module}"), cls)._body_mapping()
        result[f"cloudify.nodes.openstack.{name}"] = sorted({*mapping, *mapping.values()})
    return result


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
