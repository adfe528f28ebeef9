"""Generated from ``models/cloudify.py`` (``python tools/generate``): see :mod:`.plain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import checks
from bpconvert.models import cloudify_rules as rules
from bpconvert.models.plain import REQUIRED, Plain, before, kind, later, mapping, model, optional, sequence, text
from bpconvert.models.plain.cloudify_declarations import Input, Operation, PropertyDefinition, TypeOperation

if TYPE_CHECKING:
    from bpconvert.models.plain.cloudify_definitions import (
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

_0: Final = optional(kind(dict))
_1: Final = optional(before(checks.null_as_map, mapping(before(checks.null_as_map, mapping(model(Operation))))))


class Relationship(Plain):
    """An edge from the node that has it to ``target``."""

    SOURCE = "bpconvert.models.cloudify:Relationship"
    NOUN = "a relationship"
    CHECKS = {"type": text, "target": text, "properties": _0, "source_interfaces": _1, "target_interfaces": _1}
    DEFAULTS = {
        "type": REQUIRED,
        "target": REQUIRED,
        "properties": None,
        "source_interfaces": None,
        "target_interfaces": None,
    }
    NEEDED = ("type", "target")

    type: str
    target: str
    properties: dict[str, Any] | None
    source_interfaces: dict[str, dict[str, Operation]] | None
    target_interfaces: dict[str, dict[str, Operation]] | None


_2: Final = optional(kind(int, dict, check=rules.check_not_negative))


class ScalingProperties(Plain):
    """How many instances; numbers or functions known before deployment."""

    SOURCE = "bpconvert.models.cloudify:ScalingProperties"
    NOUN = "scaling properties"
    NULLABLE = True
    CHECKS = {
        "default_instances": _2,
        "min_instances": _2,
        "max_instances": optional(kind(int, str, dict, check=rules.check_max_instances)),
    }
    DEFAULTS = {"default_instances": None, "min_instances": None, "max_instances": None}

    default_instances: Any | None
    min_instances: Any | None
    max_instances: Any | None


_3: Final = optional(model(ScalingProperties))


class Scalable(Plain):
    """The scalable capability of a node."""

    SOURCE = "bpconvert.models.cloudify:Scalable"
    NOUN = "a scalable capability"
    NULLABLE = True
    CHECKS = {"properties": _3}
    DEFAULTS = {"properties": None}

    properties: ScalingProperties | None


class NodeCapabilities(Plain):
    """What a node can do; ``scalable`` is all there is."""

    SOURCE = "bpconvert.models.cloudify:NodeCapabilities"
    NOUN = "a node's capabilities"
    NULLABLE = True
    CHECKS = {"scalable": optional(model(Scalable))}
    DEFAULTS = {"scalable": None}

    scalable: Scalable | None


class Instances(Plain):
    """The old form of a node's number of instances."""

    SOURCE = "bpconvert.models.cloudify:Instances"
    NOUN = "instances"
    CHECKS = {"deploy": kind(int, check=rules.check_not_negative)}
    DEFAULTS = {"deploy": REQUIRED}
    NEEDED = ("deploy",)

    deploy: int


class NodeTemplate(Plain):
    """One node. A type that is missing is repaired to ``''``: the rest of the node still means something."""

    SOURCE = "bpconvert.models.cloudify:NodeTemplate"
    NOUN = "a node template"
    SINCE = {"capabilities": "1_3"}
    NULLABLE = True
    CHECKS = {
        "type": kind(str, check=rules.check_node_type),
        "properties": _0,
        "capabilities": optional(model(NodeCapabilities)),
        "instances": optional(model(Instances)),
        "interfaces": _1,
        "relationships": optional(sequence(model(Relationship))),
    }
    DEFAULTS = {
        "type": REQUIRED,
        "properties": None,
        "capabilities": None,
        "instances": None,
        "interfaces": None,
        "relationships": None,
    }
    NEEDED = ("type",)

    type: str
    properties: dict[str, Any] | None
    capabilities: NodeCapabilities | None
    instances: Instances | None
    interfaces: dict[str, dict[str, Operation]] | None
    relationships: list[Relationship] | None


_4: Final = optional(text)
_5: Final = optional(before(checks.null_as_map, mapping(model(PropertyDefinition))))


class NodeType(Plain):
    """A type of nodes."""

    SOURCE = "bpconvert.models.cloudify:NodeType"
    NOUN = "a node type"
    NULLABLE = True
    CHECKS = {
        "derived_from": _4,
        "properties": _5,
        "runtime_properties": _5,
        "interfaces": optional(
            before(checks.null_as_map, mapping(before(checks.null_as_map, mapping(model(TypeOperation)))))
        ),
    }
    DEFAULTS = {"derived_from": None, "properties": None, "runtime_properties": None, "interfaces": None}

    derived_from: str | None
    properties: dict[str, PropertyDefinition] | None
    runtime_properties: dict[str, PropertyDefinition] | None
    interfaces: dict[str, dict[str, TypeOperation]] | None


_6: Final = kind(object, check=rules.check_value)


class Output(Plain):
    """An output of the deployment."""

    SOURCE = "bpconvert.models.cloudify:Output"
    NOUN = "an output"
    CHECKS = {"description": _4, "value": _6}
    DEFAULTS = {"description": None, "value": REQUIRED}
    NEEDED = ("value",)

    description: str | None
    value: Any


class Capability(Output):
    """An output that other deployments can read."""

    SOURCE = "bpconvert.models.cloudify:Capability"
    NOUN = "a capability"
    CHECKS = {"description": _4, "value": _6}
    DEFAULTS = {"description": None, "value": REQUIRED}
    NEEDED = ("value",)


_7: Final = kind(list, check=rules.check_members)


class Group(Plain):
    """Nodes and groups that belong together. ``policies`` are of the legacy kind."""

    SOURCE = "bpconvert.models.cloudify:Group"
    NOUN = "a group"
    CHECKS = {
        "members": _7,
        "policies": optional(
            before(checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:GroupPolicy")))
        ),
    }
    DEFAULTS = {"members": REQUIRED, "policies": None}
    NEEDED = ("members",)

    members: list[str]
    policies: dict[str, GroupPolicy] | None


class Policy(Plain):
    """A scaling policy over groups."""

    SOURCE = "bpconvert.models.cloudify:Policy"
    NOUN = "a policy"
    CHECKS = {"type": text, "targets": _7, "properties": _3}
    DEFAULTS = {"type": REQUIRED, "targets": REQUIRED, "properties": None}
    NEEDED = ("type", "targets")

    type: str
    targets: list[str]
    properties: ScalingProperties | None


class Blueprint(Plain):
    """A whole blueprint; missing and null sections are empty."""

    SOURCE = "bpconvert.models.cloudify:Blueprint"
    NOUN = "a blueprint"
    KEY = "section"
    SINCE = {
        "description": "1_2",
        "dsl_definitions": "1_2",
        "data_types": "1_2",
        "policies": "1_3",
        "resource_tags": "1_3",
    }
    CHECKS = {
        "tosca_definitions_version": _4,
        "description": _4,
        "imports": optional(kind(list, check=rules.check_imports)),
        "dsl_definitions": optional(kind(dict, list)),
        "inputs": before(checks.null_as_map, mapping(model(Input))),
        "plugins": before(checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:Plugin"))),
        "data_types": before(
            checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:DataType"))
        ),
        "node_types": before(checks.null_as_map, mapping(model(NodeType))),
        "relationships": before(
            checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:RelationshipType"))
        ),
        "node_templates": before(checks.null_as_map, mapping(model(NodeTemplate))),
        "policy_types": before(
            checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:PolicyType"))
        ),
        "policy_triggers": before(
            checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:PolicyTrigger"))
        ),
        "groups": before(checks.null_as_map, mapping(model(Group))),
        "policies": before(checks.null_as_map, mapping(model(Policy))),
        "workflows": before(checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:Workflow"))),
        "outputs": before(checks.null_as_map, mapping(model(Output))),
        "capabilities": before(checks.null_as_map, mapping(model(Capability))),
        "labels": before(checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:Label"))),
        "blueprint_labels": before(
            checks.null_as_map, mapping(later("bpconvert.models.plain.cloudify_definitions:BlueprintLabel"))
        ),
        "resource_tags": _0,
        "deployment_settings": optional(later("bpconvert.models.plain.cloudify_definitions:DeploymentSettings")),
        "imported_blueprints": optional(kind(list)),
        "namespaces_mapping": _0,
        "metadata": _0,
    }
    DEFAULTS = {
        "tosca_definitions_version": None,
        "description": None,
        "imports": None,
        "dsl_definitions": None,
        "inputs": None,
        "plugins": None,
        "data_types": None,
        "node_types": None,
        "relationships": None,
        "node_templates": None,
        "policy_types": None,
        "policy_triggers": None,
        "groups": None,
        "policies": None,
        "workflows": None,
        "outputs": None,
        "capabilities": None,
        "labels": None,
        "blueprint_labels": None,
        "resource_tags": None,
        "deployment_settings": None,
        "imported_blueprints": None,
        "namespaces_mapping": None,
        "metadata": None,
    }
    MAPS = (
        "inputs",
        "plugins",
        "data_types",
        "node_types",
        "relationships",
        "node_templates",
        "policy_types",
        "policy_triggers",
        "groups",
        "policies",
        "workflows",
        "outputs",
        "capabilities",
        "labels",
        "blueprint_labels",
    )

    tosca_definitions_version: str | None
    description: str | None
    imports: list[Any] | None
    dsl_definitions: Any | None
    inputs: dict[str, Input]
    plugins: dict[str, Plugin]
    data_types: dict[str, DataType]
    node_types: dict[str, NodeType]
    relationships: dict[str, RelationshipType]
    node_templates: dict[str, NodeTemplate]
    policy_types: dict[str, PolicyType]
    policy_triggers: dict[str, PolicyTrigger]
    groups: dict[str, Group]
    policies: dict[str, Policy]
    workflows: dict[str, Workflow]
    outputs: dict[str, Output]
    capabilities: dict[str, Capability]
    labels: dict[str, Label]
    blueprint_labels: dict[str, BlueprintLabel]
    resource_tags: dict[str, Any] | None
    deployment_settings: DeploymentSettings | None
    imported_blueprints: list[Any] | None
    namespaces_mapping: dict[str, Any] | None
    metadata: dict[str, Any] | None
