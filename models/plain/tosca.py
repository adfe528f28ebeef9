"""Generated from ``models/tosca.py`` (``python tools/generate``): see :mod:`.plain`."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import checks
from bpconvert.models.plain import REQUIRED, Plain, before, flag, kind, mapping, model, optional, sequence, text

_0: Final = optional(text)
_1: Final = optional(flag)
_2: Final = optional(kind(list, dict))
_3: Final = optional(kind(str, dict))
_4: Final = optional(kind(dict))


class PropertyDefinition(Plain):
    """What a property, an attribute or an input of an operation may be; a bare text is its type."""

    SOURCE = "bpconvert.models.tosca:PropertyDefinition"
    NOUN = "a property definition"
    SHORT = "type"
    NULLABLE = True
    CHECKS = {
        "type": _0,
        "description": _0,
        "required": _1,
        "default": None,
        "status": _0,
        "constraints": _2,
        "entry_schema": _3,
        "key_schema": _3,
        "external-schema": None,
        "metadata": _4,
        "validation": None,
    }
    DEFAULTS = {
        "type": None,
        "description": None,
        "required": None,
        "default": None,
        "status": None,
        "constraints": None,
        "entry_schema": None,
        "key_schema": None,
        "external_schema": None,
        "metadata": None,
        "validation": None,
    }
    FIELDS = {"external-schema": "external_schema"}

    type: str | None
    description: str | None
    required: bool | None
    default: Any
    status: str | None
    constraints: Any | None
    entry_schema: Any | None
    key_schema: Any | None
    external_schema: Any
    metadata: dict[str, Any] | None
    validation: Any


class Input(PropertyDefinition):
    """An input of the service template."""

    SOURCE = "bpconvert.models.tosca:Input"
    NOUN = "an input"
    CHECKS = {
        "type": _0,
        "description": _0,
        "required": _1,
        "default": None,
        "status": _0,
        "constraints": _2,
        "entry_schema": _3,
        "key_schema": _3,
        "external-schema": None,
        "metadata": _4,
        "validation": None,
        "value": None,
        "label": None,
        "hidden": None,
        "immutable": None,
        "annotations": None,
    }
    DEFAULTS = {
        "type": None,
        "description": None,
        "required": None,
        "default": None,
        "status": None,
        "constraints": None,
        "entry_schema": None,
        "key_schema": None,
        "external_schema": None,
        "metadata": None,
        "validation": None,
        "value": None,
        "label": None,
        "hidden": None,
        "immutable": None,
        "annotations": None,
    }
    FIELDS = {"external-schema": "external_schema"}

    value: Any
    label: Any
    hidden: Any
    immutable: Any
    annotations: Any


class Output(PropertyDefinition):
    """An output of the service template."""

    SOURCE = "bpconvert.models.tosca:Output"
    NOUN = "an output"
    SHORT = ""
    CHECKS = {
        "type": _0,
        "description": _0,
        "required": _1,
        "default": None,
        "status": _0,
        "constraints": _2,
        "entry_schema": _3,
        "key_schema": _3,
        "external-schema": None,
        "metadata": _4,
        "validation": None,
        "value": None,
    }
    DEFAULTS = {
        "type": None,
        "description": None,
        "required": None,
        "default": None,
        "status": None,
        "constraints": None,
        "entry_schema": None,
        "key_schema": None,
        "external_schema": None,
        "metadata": None,
        "validation": None,
        "value": None,
    }
    FIELDS = {"external-schema": "external_schema"}

    value: Any


_5: Final = optional(before(checks.null_as_map, mapping(optional(kind(dict)))))


class Entity(Plain):
    """What nodes, relationships and groups have in common."""

    SOURCE = "bpconvert.models.tosca:Entity"
    CHECKS = {"type": text, "description": _0, "metadata": _4, "properties": _4, "attributes": _4, "interfaces": _5}
    DEFAULTS = {
        "type": REQUIRED,
        "description": None,
        "metadata": None,
        "properties": None,
        "attributes": None,
        "interfaces": None,
    }
    NEEDED = ("type",)

    type: str
    description: str | None
    metadata: dict[str, Any] | None
    properties: dict[str, Any] | None
    attributes: dict[str, Any] | None
    interfaces: dict[str, dict[str, Any] | None] | None


_6: Final = optional(kind(list))
_7: Final = optional(sequence(kind(dict)))


class NodeTemplate(Entity):
    """A node of the topology. ``count`` is of 2.0, ``occurrences`` and ``instance_count`` of drafts of 1.3."""

    SOURCE = "bpconvert.models.tosca:NodeTemplate"
    NOUN = "a node template"
    CHECKS = {
        "type": text,
        "description": _0,
        "metadata": _4,
        "properties": _4,
        "attributes": _4,
        "interfaces": _5,
        "directives": _6,
        "requirements": _7,
        "capabilities": _5,
        "artifacts": _2,
        "node_filter": _4,
        "copy": _0,
        "occurrences": None,
        "instance_count": None,
        "count": None,
    }
    DEFAULTS = {
        "type": REQUIRED,
        "description": None,
        "metadata": None,
        "properties": None,
        "attributes": None,
        "interfaces": None,
        "directives": None,
        "requirements": None,
        "capabilities": None,
        "artifacts": None,
        "node_filter": None,
        "copy_of": None,
        "occurrences": None,
        "instance_count": None,
        "count": None,
    }
    NEEDED = ("type",)
    FIELDS = {"copy": "copy_of"}

    directives: list[Any] | None
    requirements: list[dict[str, Any]] | None
    capabilities: dict[str, dict[str, Any] | None] | None
    artifacts: Any | None
    node_filter: dict[str, Any] | None
    copy_of: str | None
    occurrences: Any
    instance_count: Any
    count: Any


class RelationshipTemplate(Entity):
    """A relationship that requirements refer to by its name."""

    SOURCE = "bpconvert.models.tosca:RelationshipTemplate"
    NOUN = "a relationship template"
    CHECKS = {
        "type": text,
        "description": _0,
        "metadata": _4,
        "properties": _4,
        "attributes": _4,
        "interfaces": _5,
        "copy": _0,
    }
    DEFAULTS = {
        "type": REQUIRED,
        "description": None,
        "metadata": None,
        "properties": None,
        "attributes": None,
        "interfaces": None,
        "copy_of": None,
    }
    NEEDED = ("type",)
    FIELDS = {"copy": "copy_of"}

    copy_of: str | None


class Group(Entity):
    """Nodes that belong together."""

    SOURCE = "bpconvert.models.tosca:Group"
    NOUN = "a group"
    CHECKS = {
        "type": text,
        "description": _0,
        "metadata": _4,
        "properties": _4,
        "attributes": _4,
        "interfaces": _5,
        "members": _6,
        "targets": _6,
    }
    DEFAULTS = {
        "type": REQUIRED,
        "description": None,
        "metadata": None,
        "properties": None,
        "attributes": None,
        "interfaces": None,
        "members": None,
        "targets": None,
    }
    NEEDED = ("type",)

    members: list[Any] | None
    targets: list[Any] | None


class Type(Plain):
    """A definition of a type of any kind: what the kinds have in common, and everything else as it is."""

    SOURCE = "bpconvert.models.tosca:Type"
    NOUN = "a type"
    NULLABLE = True
    CHECKS = {
        "derived_from": _0,
        "version": None,
        "description": _0,
        "metadata": _4,
        "properties": before(checks.null_as_map, mapping(model(PropertyDefinition))),
        "attributes": _4,
        "capabilities": _4,
        "requirements": _7,
        "interfaces": _5,
        "artifacts": _4,
        "constraints": _2,
        "valid_source_types": _6,
        "valid_target_types": _6,
        "targets": _6,
        "triggers": _2,
        "members": _6,
        "inputs": _4,
        "operations": _4,
        "notifications": _4,
        "mime_type": _0,
        "file_ext": _6,
        "entry_schema": _3,
        "key_schema": _3,
    }
    DEFAULTS = {
        "derived_from": None,
        "version": None,
        "description": None,
        "metadata": None,
        "properties": None,
        "attributes": None,
        "capabilities": None,
        "requirements": None,
        "interfaces": None,
        "artifacts": None,
        "constraints": None,
        "valid_source_types": None,
        "valid_target_types": None,
        "targets": None,
        "triggers": None,
        "members": None,
        "inputs": None,
        "operations": None,
        "notifications": None,
        "mime_type": None,
        "file_ext": None,
        "entry_schema": None,
        "key_schema": None,
    }
    MAPS = ("properties",)

    derived_from: str | None
    version: Any
    description: str | None
    metadata: dict[str, Any] | None
    properties: dict[str, PropertyDefinition]
    attributes: dict[str, Any] | None
    capabilities: dict[str, Any] | None
    requirements: list[dict[str, Any]] | None
    interfaces: dict[str, dict[str, Any] | None] | None
    artifacts: dict[str, Any] | None
    constraints: Any | None
    valid_source_types: list[Any] | None
    valid_target_types: list[Any] | None
    targets: list[Any] | None
    triggers: Any | None
    members: list[Any] | None
    inputs: dict[str, Any] | None
    operations: dict[str, Any] | None
    notifications: dict[str, Any] | None
    mime_type: str | None
    file_ext: list[Any] | None
    entry_schema: Any | None
    key_schema: Any | None


class ServiceTemplate(Plain):
    """A whole document."""

    SOURCE = "bpconvert.models.tosca:ServiceTemplate"
    NOUN = "a service template"
    KEY = "section"
    CHECKS = {
        "tosca_definitions_version": _0,
        "namespace": _0,
        "tosca_default_namespace": _0,
        "template_name": None,
        "template_author": None,
        "template_version": None,
        "description": _0,
        "metadata": _4,
        "dsl_definitions": optional(kind(dict, list)),
        "repositories": _4,
        "imports": _2,
        "artifact_types": _5,
        "data_types": _5,
        "capability_types": _5,
        "interface_types": _5,
        "relationship_types": _5,
        "node_types": before(checks.null_as_map, mapping(model(Type))),
        "group_types": _5,
        "policy_types": _5,
        "annotation_types": _5,
        "profile": _0,
        "functions": _4,
        "inputs": before(checks.null_as_map, mapping(model(Input))),
        "node_templates": before(checks.null_as_map, mapping(model(NodeTemplate))),
        "relationship_templates": before(checks.null_as_map, mapping(model(RelationshipTemplate))),
        "groups": before(checks.null_as_map, mapping(model(Group))),
        "policies": _2,
        "substitution_mappings": _4,
        "workflows": _5,
        "outputs": before(checks.null_as_map, mapping(model(Output))),
        "topology_template": _4,
        "service_template": _4,
    }
    DEFAULTS = {
        "tosca_definitions_version": None,
        "namespace": None,
        "tosca_default_namespace": None,
        "template_name": None,
        "template_author": None,
        "template_version": None,
        "description": None,
        "metadata": None,
        "dsl_definitions": None,
        "repositories": None,
        "imports": None,
        "artifact_types": None,
        "data_types": None,
        "capability_types": None,
        "interface_types": None,
        "relationship_types": None,
        "node_types": None,
        "group_types": None,
        "policy_types": None,
        "annotation_types": None,
        "profile": None,
        "functions": None,
        "inputs": None,
        "node_templates": None,
        "relationship_templates": None,
        "groups": None,
        "policies": None,
        "substitution_mappings": None,
        "workflows": None,
        "outputs": None,
        "topology_template": None,
        "service_template": None,
    }
    MAPS = ("node_types", "inputs", "node_templates", "relationship_templates", "groups", "outputs")

    tosca_definitions_version: str | None
    namespace: str | None
    tosca_default_namespace: str | None
    template_name: Any
    template_author: Any
    template_version: Any
    description: str | None
    metadata: dict[str, Any] | None
    dsl_definitions: Any | None
    repositories: dict[str, Any] | None
    imports: Any | None
    artifact_types: dict[str, dict[str, Any] | None] | None
    data_types: dict[str, dict[str, Any] | None] | None
    capability_types: dict[str, dict[str, Any] | None] | None
    interface_types: dict[str, dict[str, Any] | None] | None
    relationship_types: dict[str, dict[str, Any] | None] | None
    node_types: dict[str, Type]
    group_types: dict[str, dict[str, Any] | None] | None
    policy_types: dict[str, dict[str, Any] | None] | None
    annotation_types: dict[str, dict[str, Any] | None] | None
    profile: str | None
    functions: dict[str, Any] | None
    inputs: dict[str, Input]
    node_templates: dict[str, NodeTemplate]
    relationship_templates: dict[str, RelationshipTemplate]
    groups: dict[str, Group]
    policies: Any | None
    substitution_mappings: dict[str, Any] | None
    workflows: dict[str, dict[str, Any] | None] | None
    outputs: dict[str, Output]
    topology_template: dict[str, Any] | None
    service_template: dict[str, Any] | None
