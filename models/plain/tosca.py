"""Generated from ``models/tosca.py`` (``python tools/generate``): see :mod:`.plain`."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import checks
from bpconvert.models.plain import REQUIRED, Plain, before, flag, kind, mapping, model, optional, text

_0: Final = optional(text)
_1: Final = optional(flag)
_2: Final = optional(kind(dict))


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
        "constraints": None,
        "entry_schema": None,
        "key_schema": None,
        "external-schema": None,
        "metadata": _2,
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
    constraints: Any
    entry_schema: Any
    key_schema: Any
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
        "constraints": None,
        "entry_schema": None,
        "key_schema": None,
        "external-schema": None,
        "metadata": _2,
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
        "constraints": None,
        "entry_schema": None,
        "key_schema": None,
        "external-schema": None,
        "metadata": _2,
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


class Entity(Plain):
    """What nodes, relationships and groups have in common."""

    SOURCE = "bpconvert.models.tosca:Entity"
    CHECKS = {"type": text, "description": _0, "metadata": _2, "properties": _2, "attributes": _2, "interfaces": _2}
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
    interfaces: dict[str, Any] | None


_3: Final = optional(kind(list))


class NodeTemplate(Entity):
    """A node of the topology. ``count`` is of 2.0, ``occurrences`` and ``instance_count`` of drafts of 1.3."""

    SOURCE = "bpconvert.models.tosca:NodeTemplate"
    NOUN = "a node template"
    CHECKS = {
        "type": text,
        "description": _0,
        "metadata": _2,
        "properties": _2,
        "attributes": _2,
        "interfaces": _2,
        "directives": None,
        "requirements": _3,
        "capabilities": _2,
        "artifacts": None,
        "node_filter": None,
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

    directives: Any
    requirements: list[Any] | None
    capabilities: dict[str, Any] | None
    artifacts: Any
    node_filter: Any
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
        "metadata": _2,
        "properties": _2,
        "attributes": _2,
        "interfaces": _2,
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
        "metadata": _2,
        "properties": _2,
        "attributes": _2,
        "interfaces": _2,
        "members": _3,
        "targets": _3,
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
        "metadata": _2,
        "properties": before(checks.null_as_map, mapping(model(PropertyDefinition))),
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
    attributes: Any
    capabilities: Any
    requirements: Any
    interfaces: Any
    artifacts: Any
    constraints: Any
    valid_source_types: Any
    valid_target_types: Any
    targets: Any
    triggers: Any
    members: Any
    inputs: Any
    operations: Any
    notifications: Any
    mime_type: Any
    file_ext: Any
    entry_schema: Any
    key_schema: Any


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
        "metadata": _2,
        "dsl_definitions": None,
        "repositories": None,
        "imports": None,
        "artifact_types": None,
        "data_types": None,
        "capability_types": None,
        "interface_types": None,
        "relationship_types": None,
        "node_types": before(checks.null_as_map, mapping(model(Type))),
        "group_types": None,
        "policy_types": None,
        "annotation_types": None,
        "profile": None,
        "functions": None,
        "inputs": before(checks.null_as_map, mapping(model(Input))),
        "node_templates": before(checks.null_as_map, mapping(model(NodeTemplate))),
        "relationship_templates": before(checks.null_as_map, mapping(model(RelationshipTemplate))),
        "groups": before(checks.null_as_map, mapping(model(Group))),
        "policies": None,
        "substitution_mappings": None,
        "workflows": None,
        "outputs": before(checks.null_as_map, mapping(model(Output))),
        "topology_template": _2,
        "service_template": _2,
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
    dsl_definitions: Any
    repositories: Any
    imports: Any
    artifact_types: Any
    data_types: Any
    capability_types: Any
    interface_types: Any
    relationship_types: Any
    node_types: dict[str, Type]
    group_types: Any
    policy_types: Any
    annotation_types: Any
    profile: Any
    functions: Any
    inputs: dict[str, Input]
    node_templates: dict[str, NodeTemplate]
    relationship_templates: dict[str, RelationshipTemplate]
    groups: dict[str, Group]
    policies: Any
    substitution_mappings: Any
    workflows: Any
    outputs: dict[str, Output]
    topology_template: dict[str, Any] | None
    service_template: dict[str, Any] | None
