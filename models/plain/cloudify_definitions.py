"""Generated from ``models/cloudify_definitions.py`` (``python tools/generate``): see :mod:`.plain`."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import checks
from bpconvert.models import cloudify_rules as rules
from bpconvert.models.plain import REQUIRED, Plain, before, flag, kind, mapping, model, optional, text
from bpconvert.models.plain.cloudify_declarations import Parameter, PropertyDefinition, TypeOperation

_0: Final = optional(text)


class PluginProperty(Plain):
    """A setting of a plugin."""

    SOURCE = "bpconvert.models.cloudify_definitions:PluginProperty"
    NOUN = "a plugin property"
    SINCE = {"display_label": "1_3"}
    NULLABLE = True
    CHECKS = {"type": _0, "description": _0, "display_label": _0, "value": None}
    DEFAULTS = {"type": None, "description": None, "display_label": None, "value": None}

    type: str | None
    description: str | None
    display_label: str | None
    value: Any


_1: Final = optional(flag)


class Plugin(Plain):
    """A plugin that the blueprint brings or needs."""

    SOURCE = "bpconvert.models.cloudify_definitions:Plugin"
    NOUN = "a plugin"
    SINCE = {
        "install_arguments": "1_1",
        "package_name": "1_2",
        "package_version": "1_2",
        "supported_platform": "1_2",
        "distribution": "1_2",
        "distribution_version": "1_2",
        "distribution_release": "1_2",
        "properties_description": "1_5",
        "properties": "1_5",
    }
    CHECKS = {
        "executor": kind(str, check=rules.check_executor),
        "source": _0,
        "install": _1,
        "install_arguments": _0,
        "package_name": _0,
        "package_version": _0,
        "supported_platform": _0,
        "distribution": _0,
        "distribution_version": _0,
        "distribution_release": _0,
        "properties_description": _0,
        "properties": optional(before(checks.null_as_map, mapping(model(PluginProperty)))),
    }
    DEFAULTS = {
        "executor": REQUIRED,
        "source": None,
        "install": None,
        "install_arguments": None,
        "package_name": None,
        "package_version": None,
        "supported_platform": None,
        "distribution": None,
        "distribution_version": None,
        "distribution_release": None,
        "properties_description": None,
        "properties": None,
    }
    NEEDED = ("executor",)

    executor: str
    source: str | None
    install: bool | None
    install_arguments: str | None
    package_name: str | None
    package_version: str | None
    supported_platform: str | None
    distribution: str | None
    distribution_version: str | None
    distribution_release: str | None
    properties_description: str | None
    properties: dict[str, PluginProperty] | None


_2: Final = optional(before(checks.null_as_map, mapping(model(PropertyDefinition))))


class DataType(Plain):
    """A structured type."""

    SOURCE = "bpconvert.models.cloudify_definitions:DataType"
    NOUN = "a data type"
    NULLABLE = True
    CHECKS = {"derived_from": _0, "description": _0, "version": _0, "properties": _2}
    DEFAULTS = {"derived_from": None, "description": None, "version": None, "properties": None}

    derived_from: str | None
    description: str | None
    version: str | None
    properties: dict[str, PropertyDefinition] | None


_3: Final = optional(before(checks.null_as_map, mapping(before(checks.null_as_map, mapping(model(TypeOperation))))))


class RelationshipType(Plain):
    """A type of relationships."""

    SOURCE = "bpconvert.models.cloudify_definitions:RelationshipType"
    NOUN = "a relationship type"
    NULLABLE = True
    CHECKS = {"derived_from": _0, "properties": _2, "source_interfaces": _3, "target_interfaces": _3}
    DEFAULTS = {"derived_from": None, "properties": None, "source_interfaces": None, "target_interfaces": None}

    derived_from: str | None
    properties: dict[str, PropertyDefinition] | None
    source_interfaces: dict[str, dict[str, TypeOperation]] | None
    target_interfaces: dict[str, dict[str, TypeOperation]] | None


class PolicyType(Plain):
    """A legacy policy's code."""

    SOURCE = "bpconvert.models.cloudify_definitions:PolicyType"
    NOUN = "a policy type"
    CHECKS = {"source": text, "properties": _2}
    DEFAULTS = {"source": REQUIRED, "properties": None}
    NEEDED = ("source",)

    source: str
    properties: dict[str, PropertyDefinition] | None


class PolicyTrigger(Plain):
    """A legacy policy's trigger."""

    SOURCE = "bpconvert.models.cloudify_definitions:PolicyTrigger"
    NOUN = "a policy trigger"
    CHECKS = {"source": text, "parameters": _2}
    DEFAULTS = {"source": REQUIRED, "parameters": None}
    NEEDED = ("source",)

    source: str
    parameters: dict[str, PropertyDefinition] | None


_4: Final = optional(kind(dict))


class GroupPolicyTrigger(Plain):
    """What a legacy policy sets off."""

    SOURCE = "bpconvert.models.cloudify_definitions:GroupPolicyTrigger"
    NOUN = "a trigger"
    CHECKS = {"type": text, "parameters": _4}
    DEFAULTS = {"type": REQUIRED, "parameters": None}
    NEEDED = ("type",)

    type: str
    parameters: dict[str, Any] | None


class GroupPolicy(Plain):
    """A legacy policy of a group."""

    SOURCE = "bpconvert.models.cloudify_definitions:GroupPolicy"
    NOUN = "a group policy"
    CHECKS = {
        "type": text,
        "properties": _4,
        "triggers": optional(before(checks.null_as_map, mapping(model(GroupPolicyTrigger)))),
    }
    DEFAULTS = {"type": REQUIRED, "properties": None, "triggers": None}
    NEEDED = ("type",)

    type: str
    properties: dict[str, Any] | None
    triggers: dict[str, GroupPolicyTrigger] | None


_5: Final = optional(kind(list, check=rules.check_texts))


class AvailabilityRules(Plain):
    """When a workflow may run."""

    SOURCE = "bpconvert.models.cloudify_definitions:AvailabilityRules"
    NOUN = "availability rules"
    NULLABLE = True
    CHECKS = {
        "available": _1,
        "node_instances_active": optional(kind(list, check=rules.check_active)),
        "node_types_required": _5,
    }
    DEFAULTS = {"available": None, "node_instances_active": None, "node_types_required": None}

    available: bool | None
    node_instances_active: list[str] | None
    node_types_required: list[str] | None


class Workflow(Plain):
    """A workflow; a bare text is its mapping."""

    SOURCE = "bpconvert.models.cloudify_definitions:Workflow"
    NOUN = "a workflow"
    SINCE = {"availability_rules": "1_4"}
    SHORT = "mapping"
    CHECKS = {
        "mapping": text,
        "parameters": optional(before(checks.null_as_map, mapping(model(Parameter)))),
        "is_cascading": _1,
        "availability_rules": optional(model(AvailabilityRules)),
    }
    DEFAULTS = {"mapping": REQUIRED, "parameters": None, "is_cascading": None, "availability_rules": None}
    NEEDED = ("mapping",)

    mapping: str
    parameters: dict[str, Parameter] | None
    is_cascading: bool | None
    availability_rules: AvailabilityRules | None


class Label(Plain):
    """A deployment label's values."""

    SOURCE = "bpconvert.models.cloudify_definitions:Label"
    NOUN = "a label"
    CHECKS = {"values": kind(list, check=rules.check_label_values)}
    DEFAULTS = {"values": REQUIRED}
    NEEDED = ("values",)

    values: list[Any]


class BlueprintLabel(Plain):
    """A blueprint label's values: texts without functions."""

    SOURCE = "bpconvert.models.cloudify_definitions:BlueprintLabel"
    NOUN = "a blueprint label"
    CHECKS = {"values": kind(list, check=rules.check_texts)}
    DEFAULTS = {"values": REQUIRED}
    NEEDED = ("values",)

    values: list[str]


_6: Final = optional(kind(int))


class ExecutionArguments(Plain):
    """How a scheduled workflow is started."""

    SOURCE = "bpconvert.models.cloudify_definitions:ExecutionArguments"
    NOUN = "execution arguments"
    NULLABLE = True
    CHECKS = {"force": _1, "is_dry_run": _1, "wait_after_fail": _6, "allow_custom_parameters": _1}
    DEFAULTS = {"force": None, "is_dry_run": None, "wait_after_fail": None, "allow_custom_parameters": None}

    force: bool | None
    is_dry_run: bool | None
    wait_after_fail: int | None
    allow_custom_parameters: bool | None


class Schedule(Plain):
    """A workflow that runs by the clock."""

    SOURCE = "bpconvert.models.cloudify_definitions:Schedule"
    NOUN = "a schedule"
    CHECKS = {
        "workflow": text,
        "since": text,
        "until": _0,
        "recurrence": _0,
        "timezone": _0,
        "weekdays": _5,
        "count": _6,
        "default_enabled": _1,
        "stop_after_fail": _1,
        "slip": _6,
        "workflow_parameters": _4,
        "execution_arguments": optional(model(ExecutionArguments)),
    }
    DEFAULTS = {
        "workflow": REQUIRED,
        "since": REQUIRED,
        "until": None,
        "recurrence": None,
        "timezone": None,
        "weekdays": None,
        "count": None,
        "default_enabled": None,
        "stop_after_fail": None,
        "slip": None,
        "workflow_parameters": None,
        "execution_arguments": None,
    }
    NEEDED = ("workflow", "since")

    workflow: str
    since: str
    until: str | None
    recurrence: str | None
    timezone: str | None
    weekdays: list[str] | None
    count: int | None
    default_enabled: bool | None
    stop_after_fail: bool | None
    slip: int | None
    workflow_parameters: dict[str, Any] | None
    execution_arguments: ExecutionArguments | None


class DeploymentSettings(Plain):
    """Defaults of the deployments that are made from the blueprint."""

    SOURCE = "bpconvert.models.cloudify_definitions:DeploymentSettings"
    NOUN = "the deployment settings"
    NULLABLE = True
    CHECKS = {
        "id_template": _0,
        "display_name": optional(kind(str, dict)),
        "default_groups": optional(kind(list)),
        "default_schedules": optional(before(checks.null_as_map, mapping(model(Schedule)))),
    }
    DEFAULTS = {"id_template": None, "display_name": None, "default_groups": None, "default_schedules": None}

    id_template: str | None
    display_name: Any | None
    default_groups: list[Any] | None
    default_schedules: dict[str, Schedule] | None
