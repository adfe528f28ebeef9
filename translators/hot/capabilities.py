"""What HOT can express."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpconvert.translators.hot import DIALECT, implicit_order
from bpconvert.translators.hot.arguments import PSEUDO_PARAMETERS
from bpconvert.translators.hot.functions import NAMES
from bpconvert.translators.hot.resource_types import AUTO_SCALING_GROUP, RESOURCE_GROUP, SOFTWARE, TEMPLATE_ENDINGS
from bpconvert.translators.passes.capabilities import Capabilities, Groups, GroupType, PolicyType, Vocabulary

if TYPE_CHECKING:
    from bpconvert.diagnostics import Reporter
    from bpconvert.models.topology import Node
    from bpconvert.translators.catalogue.model import Kind


def _neutral(node: Node, kind: Kind | None, reporter: Reporter) -> None:
    from bpconvert.translators.hot.read import older_types

    older_types.neutral(node, kind, reporter)


GROUPS: Final = Groups(
    types={RESOURCE_GROUP: GroupType("resource_def"), AUTO_SCALING_GROUP: GroupType("resource", scales=True)},
    policies={
        "OS::Heat::ScalingPolicy": PolicyType(
            "auto_scaling_group_id", "scaling_adjustment", "adjustment_type", "change_in_capacity"
        ),
        "AWS::AutoScaling::ScalingPolicy": PolicyType(
            "AutoScalingGroupName", "ScalingAdjustment", "AdjustmentType", "ChangeInCapacity"
        ),
    },
    paths_since="2014-10-16",
    neutral=_neutral,
)

CAPABILITIES: Final = Capabilities(
    "Heat",
    owns=True,
    describes=True,
    given_in={"tacker": "nfv"},
    marked_ending=".hot.yaml",
    conditions=True,
    references="values",
    software="deployments",
    groups="templates",
    nesting="templates",
    nested_identity="OS::stack_id",
    document_types=TEMPLATE_ENDINGS,
    group_types=GROUPS,
    programs=SOFTWARE,
    waits=implicit_order.edges,
    may_wait=implicit_order.perhaps,
    language=DIALECT,
    words=Vocabulary(
        {"version": "heat_template_version", "inputs": "parameters", "nodes": "resources"},
        facts={fact: name for name, fact in PSEUDO_PARAMETERS.items()},
        calls=NAMES,
        joins={"list_join": 0},
    ),
)
