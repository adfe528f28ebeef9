"""Types of Heat that stand for something else than a resource of the cloud, or that others need to know."""

from __future__ import annotations

from typing import Final

#: creates nothing
NONE: Final = "OS::Heat::None"
RESOURCE_GROUP: Final = "OS::Heat::ResourceGroup"
AUTO_SCALING_GROUP: Final = "OS::Heat::AutoScalingGroup"
#: scales a group, which it names
SCALING_POLICY: Final = "OS::Heat::ScalingPolicy"
SOFTWARE_CONFIG: Final = "OS::Heat::SoftwareConfig"
SOFTWARE_DEPLOYMENT: Final = "OS::Heat::SoftwareDeployment"
SERVER: Final = "OS::Nova::Server"
