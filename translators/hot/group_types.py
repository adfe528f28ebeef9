"""Heat's groups of resources, and what scales them."""

from __future__ import annotations

from typing import Final

from bpconvert.models.hot import GROUP_MEMBERS
from bpconvert.translators.hot.read import older_types
from bpconvert.translators.hot.resource_types import AUTO_SCALING_GROUP
from bpconvert.translators.passes.group_types import Groups, GroupType, PolicyType

GROUPS: Final = Groups(
    types={name: GroupType(key, scales=name == AUTO_SCALING_GROUP) for name, key in GROUP_MEMBERS.items()},
    policies={
        "OS::Heat::ScalingPolicy": PolicyType(
            "auto_scaling_group_id", "scaling_adjustment", "adjustment_type", "change_in_capacity"
        ),
        "AWS::AutoScaling::ScalingPolicy": PolicyType(
            "AutoScalingGroupName", "ScalingAdjustment", "AdjustmentType", "ChangeInCapacity"
        ),
    },
    paths_since="2014-10-16",
    neutral=older_types.neutral,
)
