"""Heat's groups of resources, and what scales them."""

from __future__ import annotations

from typing import Final

from bpconvert.models.hot import GROUP_MEMBERS
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.hot.read import older_types
from bpconvert.translators.passes.groups.vocabulary import Groups, GroupType, PolicyType

AUTO_SCALING: Final = "OS::Heat::AutoScalingGroup"


def _kind(catalogue: Catalogue, type: str) -> Kind | None:
    return catalogue.kind_of("hot", type)


GROUPS: Final = Groups(
    types={type: GroupType(definition, scales=type == AUTO_SCALING) for type, definition in GROUP_MEMBERS.items()},
    policies={
        "OS::Heat::ScalingPolicy": PolicyType(
            "auto_scaling_group_id", "scaling_adjustment", "adjustment_type", "change_in_capacity"
        ),
        "AWS::AutoScaling::ScalingPolicy": PolicyType(
            "AutoScalingGroupName", "ScalingAdjustment", "AdjustmentType", "ChangeInCapacity"
        ),
    },
    paths_since="2014-10-16",
    kind=_kind,
    neutral=older_types.neutral,
)
