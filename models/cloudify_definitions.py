"""The sections of a blueprint that define something: plugins, types, workflows, labels, deployment settings.

Part of :mod:`bpconvert.models.cloudify`, in a module of its own because few blueprints have them."""

from typing import Annotated, Any, ClassVar

from bpconvert.models import cloudify_rules as rules
from bpconvert.models.cloudify_declarations import Executor, Parameter, PropertyDefinition, TypeInterfaces
from bpconvert.models.fields import LATER, FreeList, FreeMap, Kind, Model, Section, Whole


class PluginProperty(Model):
    """A setting of a plugin."""

    NOUN = "a plugin property"
    NULLABLE = True
    SINCE: ClassVar[dict[str, str]] = {"display_label": "1_3"}

    type: str | None = None
    description: str | None = None
    display_label: str | None = None
    value: Any = None


class Plugin(Model):
    """A plugin that the blueprint brings or needs."""

    NOUN = "a plugin"
    SINCE: ClassVar[dict[str, str]] = {
        "install_arguments": "1_1", "package_name": "1_2", "package_version": "1_2", "supported_platform": "1_2",
        "distribution": "1_2", "distribution_version": "1_2", "distribution_release": "1_2",
        "properties_description": "1_5", "properties": "1_5",
    }  # fmt: skip

    executor: Executor
    source: str | None = None
    install: bool | None = None
    install_arguments: str | None = None
    package_name: str | None = None
    package_version: str | None = None
    supported_platform: str | None = None
    distribution: str | None = None
    distribution_version: str | None = None
    distribution_release: str | None = None
    properties_description: str | None = None
    properties: Section[PluginProperty] | None = None


class DataType(Model):
    """A structured type."""

    NOUN = "a data type"
    NULLABLE = True

    derived_from: str | None = None
    description: str | None = None
    version: str | None = None
    properties: Section[PropertyDefinition] | None = None


class RelationshipType(Model):
    """A type of relationships."""

    NOUN = "a relationship type"
    NULLABLE = True

    derived_from: str | None = None
    properties: Section[PropertyDefinition] | None = None
    source_interfaces: TypeInterfaces | None = None
    target_interfaces: TypeInterfaces | None = None


class PolicyType(Model):
    """A legacy policy's code."""

    NOUN = "a policy type"

    source: str
    properties: Section[PropertyDefinition] | None = None


class PolicyTrigger(Model):
    """A legacy policy's trigger."""

    NOUN = "a policy trigger"

    source: str
    parameters: Section[PropertyDefinition] | None = None


class GroupPolicyTrigger(Model):
    """What a legacy policy sets off."""

    NOUN = "a trigger"

    type: str
    parameters: FreeMap | None = None


class GroupPolicy(Model):
    """A legacy policy of a group."""

    NOUN = "a group policy"

    type: str
    properties: FreeMap | None = None
    triggers: Section[GroupPolicyTrigger] | None = None


class AvailabilityRules(Model):
    """When a workflow may run."""

    NOUN = "availability rules"
    NULLABLE = True

    available: bool | None = None
    node_instances_active: Annotated[list[str], Kind("a list", list, check=rules.check_active)] | None = None
    node_types_required: Annotated[list[str], Kind("a list", list, check=rules.check_texts)] | None = None


class Workflow(Model):
    """A workflow; a bare text is its mapping."""

    NOUN = "a workflow"
    SHORT = "mapping"
    SINCE: ClassVar[dict[str, str]] = {"availability_rules": "1_4"}

    mapping: str
    parameters: Section[Parameter] | None = None
    is_cascading: bool | None = None
    availability_rules: Annotated[AvailabilityRules, LATER] | None = None


class Label(Model):
    """A deployment label's values."""

    NOUN = "a label"

    values: Annotated[list[Any], Kind("a list", list, check=rules.check_label_values)]


class BlueprintLabel(Model):
    """A blueprint label's values: texts without functions."""

    NOUN = "a blueprint label"

    values: Annotated[list[str], Kind("a list", list, check=rules.check_texts)]


class ExecutionArguments(Model):
    """How a scheduled workflow is started."""

    NOUN = "execution arguments"
    NULLABLE = True

    force: bool | None = None
    is_dry_run: bool | None = None
    wait_after_fail: Whole | None = None
    allow_custom_parameters: bool | None = None


class Schedule(Model):
    """A workflow that runs by the clock."""

    NOUN = "a schedule"

    workflow: str
    since: str
    until: str | None = None
    recurrence: str | None = None
    timezone: str | None = None
    weekdays: Annotated[list[str], Kind("a list", list, check=rules.check_texts)] | None = None
    count: Whole | None = None
    default_enabled: bool | None = None
    stop_after_fail: bool | None = None
    slip: Whole | None = None
    workflow_parameters: FreeMap | None = None
    execution_arguments: Annotated[ExecutionArguments, LATER] | None = None


class DeploymentSettings(Model):
    """Defaults of the deployments that are made from the blueprint."""

    NOUN = "the deployment settings"
    NULLABLE = True

    id_template: str | None = None
    display_name: Annotated[Any, Kind("text", str, dict)] | None = None
    default_groups: FreeList | None = None
    default_schedules: Section[Schedule] | None = None
