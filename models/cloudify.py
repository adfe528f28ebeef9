"""The Cloudify DSL: what a blueprint consists of, as the parser enforces it.

Here is what generated blueprints use; sections that only hand-written ones have (plugins, workflows, data types, ...)
are in :mod:`bpconvert.models.cloudify_definitions` and imported when a blueprint has them. The order of a model's
fields is the order in which :func:`~.cloudify_checks.to_data` writes them. Null in place of anything optional means
absent."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from bpconvert.models import cloudify_rules as rules
from bpconvert.models.checks import ABSENT
from bpconvert.models.cloudify_declarations import Input, Operation, PropertyDefinition, TypeInterfaces
from bpconvert.models.fields import LATER, FreeList, FreeMap, Kind, Later, Model, Named, Section

if TYPE_CHECKING:
    from bpconvert.models.cloudify_definitions import (
        BlueprintLabel,
        DataType,
        DeploymentSettings,
        GroupPolicy,
        Label,
        Plugin,
        PolicyTrigger,
        PolicyType,
        RelationshipType,
        Workflow,
    )
else:
    _REST = "bpconvert.models.cloudify_definitions:"
    BlueprintLabel = Annotated[Any, Later(_REST + "BlueprintLabel")]
    DataType = Annotated[Any, Later(_REST + "DataType")]
    DeploymentSettings = Annotated[Any, Later(_REST + "DeploymentSettings")]
    GroupPolicy = Annotated[Any, Later(_REST + "GroupPolicy")]
    Label = Annotated[Any, Later(_REST + "Label")]
    Plugin = Annotated[Any, Later(_REST + "Plugin")]
    PolicyTrigger = Annotated[Any, Later(_REST + "PolicyTrigger")]
    PolicyType = Annotated[Any, Later(_REST + "PolicyType")]
    RelationshipType = Annotated[Any, Later(_REST + "RelationshipType")]
    Workflow = Annotated[Any, Later(_REST + "Workflow")]

Names = Annotated[list[str], Kind("a list", list, check=rules.check_members)]


# -- nodes --------------------------------------------------------------------------------------------------


Interfaces = Named[Section[Operation]]


class Relationship(Model):
    """An edge from the node that has it to ``target``."""

    NOUN = "a relationship"

    type: str
    target: str
    properties: FreeMap | None = None
    source_interfaces: Interfaces | None = None
    target_interfaces: Interfaces | None = None


class ScalingProperties(Model):
    """How many instances; numbers or functions known before deployment."""

    NOUN = "scaling properties"
    NULLABLE = True

    default_instances: Annotated[Any, Kind("a whole number", int, dict, check=rules.check_not_negative)] | None = None
    min_instances: Annotated[Any, Kind("a whole number", int, dict, check=rules.check_not_negative)] | None = None
    max_instances: Annotated[Any, Kind("a whole number", int, str, dict, check=rules.check_max_instances)] | None = None


class Scalable(Model):
    """The scalable capability of a node."""

    NOUN = "a scalable capability"
    NULLABLE = True

    properties: Annotated[ScalingProperties, LATER] | None = None


class NodeCapabilities(Model):
    """What a node can do; ``scalable`` is all there is."""

    NOUN = "a node's capabilities"
    NULLABLE = True

    scalable: Annotated[Scalable, LATER] | None = None


class Instances(Model):
    """The old form of a node's number of instances."""

    NOUN = "instances"

    deploy: Annotated[int, Kind("a whole number", int, check=rules.check_not_negative)]


class NodeTemplate(Model):
    """One node. A type that is missing is repaired to ``''``: the rest of the node still means something."""

    NOUN = "a node template"
    NULLABLE = True
    FILLS: ClassVar[dict[str, Any]] = {"type": ABSENT}
    SINCE: ClassVar[dict[str, str]] = {"capabilities": "1_3"}

    type: Annotated[str, Kind("text", str, check=rules.check_node_type)]
    properties: FreeMap | None = None
    capabilities: Annotated[NodeCapabilities, LATER] | None = None
    instances: Annotated[Instances, LATER] | None = None
    interfaces: Interfaces | None = None
    relationships: list[Annotated[Relationship, LATER]] | None = None


class NodeType(Model):
    """A type of nodes."""

    NOUN = "a node type"
    NULLABLE = True

    derived_from: str | None = None
    properties: Section[PropertyDefinition] | None = None
    runtime_properties: Section[PropertyDefinition] | None = None
    interfaces: TypeInterfaces | None = None


# -- the rest of a blueprint --------------------------------------------------------------------------------


class Output(Model):
    """An output of the deployment."""

    NOUN = "an output"

    description: str | None = None
    value: Annotated[Any, Kind("a value", object, check=rules.check_value)]


class Capability(Output):
    """An output that other deployments can read."""

    NOUN = "a capability"


class Group(Model):
    """Nodes and groups that belong together. ``policies`` are of the legacy kind."""

    NOUN = "a group"

    members: Names
    policies: Named[GroupPolicy] | None = None


class Policy(Model):
    """A scaling policy over groups."""

    NOUN = "a policy"

    type: str
    targets: Names
    properties: Annotated[ScalingProperties, LATER] | None = None


class Blueprint(Model):
    """A whole blueprint; missing and null sections are empty."""

    NOUN = "a blueprint"
    KEY = "section"
    SINCE: ClassVar[dict[str, str]] = {
        "description": "1_2", "dsl_definitions": "1_2", "data_types": "1_2", "policies": "1_3", "resource_tags": "1_3",
    }  # fmt: skip

    tosca_definitions_version: str | None = None
    description: str | None = None
    imports: Annotated[list[Any], Kind("a list", list, check=rules.check_imports)] | None = None
    dsl_definitions: Annotated[Any, Kind("a map or a list", dict, list)] | None = None
    inputs: Section[Input] = {}
    plugins: Named[Plugin] = {}
    data_types: Named[DataType] = {}
    node_types: Section[NodeType] = {}
    relationships: Named[RelationshipType] = {}
    node_templates: Section[NodeTemplate] = {}
    policy_types: Named[PolicyType] = {}
    policy_triggers: Named[PolicyTrigger] = {}
    groups: Section[Group] = {}
    policies: Section[Policy] = {}
    workflows: Named[Workflow] = {}
    outputs: Section[Output] = {}
    capabilities: Section[Capability] = {}
    labels: Named[Label] = {}
    blueprint_labels: Named[BlueprintLabel] = {}
    resource_tags: FreeMap | None = None
    deployment_settings: DeploymentSettings | None = None
    imported_blueprints: FreeList | None = None
    namespaces_mapping: FreeMap | None = None
    metadata: FreeMap | None = None
