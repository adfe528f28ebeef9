"""TOSCA Simple Profile in YAML, 1.0 to 1.3, and TOSCA 2.0: every section and key of a service template.

The sections of the topology template stand beside the others (:func:`bpconvert.yamlio.document.unfolded`). Functions
inside values are not looked at here. Null in place of anything optional means absent (tosca-parser; others refuse it).
"""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from bpconvert.models.fields import LATER, FreeList, FreeMap, Kind, Model, Named, Section

#: definitions by name, which are not looked into
Definitions = Named[FreeMap | None]
#: the requirements of a node or a type
Requirements = list[FreeMap]
#: a type's name, or a definition that has it
Schema = Annotated[Any, Kind("a type or a map", str, dict)]
#: a list; some documents have a map in its place
Several = Annotated[Any, Kind("a list or a map", list, dict)]


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
    constraints: Several | None = None
    entry_schema: Schema | None = None
    key_schema: Schema | None = None
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
    interfaces: Definitions | None = None


class NodeTemplate(Entity):
    """A node of the topology. ``count`` is of 2.0, ``occurrences`` and ``instance_count`` of drafts of 1.3."""

    NOUN = "a node template"
    FILLS: ClassVar[dict[str, Any]] = {"type": "tosca.nodes.Root"}

    directives: FreeList | None = None
    requirements: Requirements | None = None
    capabilities: Definitions | None = None
    artifacts: Several | None = None
    node_filter: FreeMap | None = None
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
    attributes: FreeMap | None = None
    capabilities: FreeMap | None = None
    requirements: Requirements | None = None
    interfaces: Definitions | None = None
    artifacts: FreeMap | None = None
    constraints: Several | None = None
    valid_source_types: FreeList | None = None
    valid_target_types: FreeList | None = None
    targets: FreeList | None = None
    triggers: Several | None = None
    members: FreeList | None = None
    inputs: FreeMap | None = None
    operations: FreeMap | None = None
    notifications: FreeMap | None = None
    mime_type: str | None = None
    file_ext: FreeList | None = None
    entry_schema: Schema | None = None
    key_schema: Schema | None = None


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
    dsl_definitions: Annotated[Any, Kind("a map or a list", dict, list)] | None = None
    repositories: FreeMap | None = None
    imports: Several | None = None
    artifact_types: Definitions | None = None
    data_types: Definitions | None = None
    capability_types: Definitions | None = None
    interface_types: Definitions | None = None
    relationship_types: Definitions | None = None
    node_types: Section[Type] = Field(default_factory=dict)
    group_types: Definitions | None = None
    policy_types: Definitions | None = None
    annotation_types: Definitions | None = None
    profile: str | None = None
    functions: FreeMap | None = None
    inputs: Section[Input] = Field(default_factory=dict)
    node_templates: Section[NodeTemplate] = Field(default_factory=dict)
    relationship_templates: Section[RelationshipTemplate] = Field(default_factory=dict)
    groups: Section[Group] = Field(default_factory=dict)
    policies: Several | None = None
    substitution_mappings: FreeMap | None = None
    workflows: Definitions | None = None
    outputs: Section[Output] = Field(default_factory=dict)
    topology_template: FreeMap | None = None
    service_template: FreeMap | None = None
