"""TOSCA Simple Profile in YAML, 1.0 to 1.3, and TOSCA 2.0: every section and key of a service template.

The sections of the topology template stand beside the others (:func:`bpconvert.yamlio.document.unfolded`). Functions
inside values are not looked at here. Null in place of anything optional means absent (tosca-parser; others refuse it).
"""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from bpconvert.models.fields import LATER, FreeList, FreeMap, Model, Named, Section


class PropertyDefinition(Model):
    """What a property, an attribute or an input of an operation may be; a bare text is its type."""

    NOUN = "a property definition"
    NULLABLE = True
    SHORT = "type"

    type: str | None = None
    description: str | None = None
    required: bool | None = None
    default: Any = None
    status: str | None = None
    constraints: Any = None
    entry_schema: Any = None
    key_schema: Any = None
    external_schema: Any = Field(None, alias="external-schema")
    metadata: FreeMap | None = None
    validation: Any = None


class Input(PropertyDefinition):
    """An input of the service template."""

    NOUN = "an input"

    value: Any = None
    label: Any = None
    hidden: Any = None
    immutable: Any = None
    annotations: Any = None


class Output(PropertyDefinition):
    """An output of the service template."""

    NOUN = "an output"
    SHORT = ""

    value: Any = None


class Entity(Model):
    """What nodes, relationships and groups have in common."""

    type: str
    description: str | None = None
    metadata: FreeMap | None = None
    properties: FreeMap | None = None
    attributes: FreeMap | None = None
    interfaces: FreeMap | None = None


class NodeTemplate(Entity):
    """A node of the topology. ``count`` is of 2.0, ``occurrences`` and ``instance_count`` of drafts of 1.3."""

    NOUN = "a node template"
    FILLS: ClassVar[dict[str, Any]] = {"type": "tosca.nodes.Root"}

    directives: Any = None
    requirements: FreeList | None = None
    capabilities: FreeMap | None = None
    artifacts: Any = None
    node_filter: Any = None
    copy_of: str | None = Field(None, alias="copy")
    occurrences: Any = None
    instance_count: Any = None
    count: Any = None


class RelationshipTemplate(Entity):
    """A relationship that requirements refer to by its name."""

    NOUN = "a relationship template"
    FILLS: ClassVar[dict[str, Any]] = {"type": "tosca.relationships.Root"}

    copy_of: str | None = Field(None, alias="copy")


class Group(Entity):
    """Nodes that belong together."""

    NOUN = "a group"
    FILLS: ClassVar[dict[str, Any]] = {"type": "tosca.groups.Root"}

    members: FreeList | None = None
    targets: FreeList | None = None


class Type(Model):
    """A definition of a type of any kind: what the kinds have in common, and everything else as it is."""

    NOUN = "a type"
    NULLABLE = True

    derived_from: str | None = None
    version: Any = None
    description: str | None = None
    metadata: FreeMap | None = None
    properties: Named[Annotated[PropertyDefinition, LATER]] = Field(default_factory=dict)
    attributes: Any = None
    capabilities: Any = None
    requirements: Any = None
    interfaces: Any = None
    artifacts: Any = None
    constraints: Any = None
    valid_source_types: Any = None
    valid_target_types: Any = None
    targets: Any = None
    triggers: Any = None
    members: Any = None
    inputs: Any = None
    operations: Any = None
    notifications: Any = None
    mime_type: Any = None
    file_ext: Any = None
    entry_schema: Any = None
    key_schema: Any = None


Types = Named[Any]


class ServiceTemplate(Model):
    """A whole document."""

    NOUN = "a service template"
    KEY = "section"

    tosca_definitions_version: str | None = None
    namespace: str | None = None
    tosca_default_namespace: str | None = None
    template_name: Any = None
    template_author: Any = None
    template_version: Any = None
    description: str | None = None
    metadata: FreeMap | None = None
    dsl_definitions: Any = None
    repositories: Any = None
    imports: Any = None
    artifact_types: Any = None
    data_types: Any = None
    capability_types: Any = None
    interface_types: Any = None
    relationship_types: Any = None
    node_types: Section[Type] = Field(default_factory=dict)
    group_types: Any = None
    policy_types: Any = None
    annotation_types: Any = None
    profile: Any = None
    functions: Any = None
    inputs: Section[Input] = Field(default_factory=dict)
    node_templates: Section[NodeTemplate] = Field(default_factory=dict)
    relationship_templates: Section[RelationshipTemplate] = Field(default_factory=dict)
    groups: Section[Group] = Field(default_factory=dict)
    policies: Any = None
    substitution_mappings: Any = None
    workflows: Any = None
    outputs: Section[Output] = Field(default_factory=dict)
    topology_template: FreeMap | None = None
    service_template: FreeMap | None = None
