"""The keys of everything that a TOSCA 2.0 file consists of (TOSCA 2.0, chapters 6 to 16), as data.

A kind of value is the name of a form of :data:`FORMS`, or one of

- ``text``, ``bool``, ``count`` (a whole number from 0), ``any``, ``texts`` (a list of texts);
- ``clause``: a condition, which is a call; ``data``: a map of values by names; ``range``: limits of a count;
- ``path``: a list of steps to an attribute;
- ``directives:...``: a list of some of these words;
- ``{form}``: a map of such by their names, ``[form]``: a list of such, ``[{form}]``: a list of maps with one name;
- ``kind|kind``: one of several.

Every form may have ``description`` and ``metadata`` (5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpconvert.models.light import NamedTuple


class Form(NamedTuple):
    """``noun``: what messages call one; ``keys``: kinds of its values; ``needs``: keys that it must have; ``short``:
    the kind of what may stand in its place; ``empty``: nothing may stand in its place; ``assigned``: a call may."""

    noun: str
    keys: Mapping[str, str]
    needs: tuple[str, ...] = ()
    short: str = ""
    empty: bool = False
    assigned: bool = False


COMMON: Final = {"description": "text", "metadata": "map"}
_TYPE: Final = {"derived_from": "text", "version": "version"}
_PROPERTY: Final = {
    "type": "text", "required": "bool", "default": "any", "value": "any", "status": "text", "validation": "clause",
    "key_schema": "schema", "entry_schema": "schema",
}  # fmt: skip
_ATTRIBUTE: Final = {
    "type": "text", "default": "any", "status": "text", "validation": "clause", "key_schema": "schema",
    "entry_schema": "schema",
}  # fmt: skip
_OPERATION: Final = {"implementation": "implementation", "inputs": "{outgoing}", "outputs": "{incoming}"}
_OPERATIONS: Final = {"inputs": "{outgoing}", "operations": "{operation}", "notifications": "{notification}"}
_ASSIGNED: Final = {"implementation": "implementation", "inputs": "data", "outputs": "data"}

#: section with types -> the form of its types
TYPES: Final = {
    "artifact_types": "artifact type", "data_types": "data type", "capability_types": "capability type",
    "interface_types": "interface type", "relationship_types": "relationship type", "node_types": "node type",
    "group_types": "group type", "policy_types": "policy type",
}  # fmt: skip

FORMS: Final[dict[str, Form]] = {
    "file": Form("a TOSCA file", {
        "tosca_definitions_version": "text", "dsl_definitions": "map", "profile": "text", "imports": "[import]",
        "repositories": "{repository}", "functions": "{function}", "service_template": "service template",
        **{section: f"{{{form}}}" for section, form in TYPES.items()},
    }, ("tosca_definitions_version",)),
    "import": Form("an import", {
        "url": "text", "profile": "text", "repository": "text", "namespace": "text",
    }, (), "text"),
    "repository": Form("a repository", {"url": "text"}, ("url",), "text"),
    "function": Form("a function definition", {"signatures": "[signature]"}, ("signatures",)),
    "signature": Form("a signature", {
        "arguments": "[schema]", "optional_arguments": "[schema]", "variadic": "bool", "result": "schema",
        "implementation": "implementation",
    }, (), "", True),
    # -- types -------------------------------------------------------------------------------------------------
    "artifact type": Form("an artifact type", {
        **_TYPE, "mime_type": "text", "file_ext": "texts", "properties": "{property}",
    }),
    "data type": Form("a data type", {
        **_TYPE, "validation": "clause", "properties": "{property}", "key_schema": "schema", "entry_schema": "schema",
        "data_type": "text", "units": "multipliers", "canonical_unit": "text", "prefixes": "multipliers",
    }),
    "capability type": Form("a capability type", {
        **_TYPE, "properties": "{property}", "attributes": "{attribute}", "valid_source_node_types": "texts",
        "valid_relationship_types": "texts",
    }),
    "interface type": Form("an interface type", {**_TYPE, **_OPERATIONS}),
    "relationship type": Form("a relationship type", {
        **_TYPE, "properties": "{property}", "attributes": "{attribute}", "interfaces": "{interface}",
        "valid_capability_types": "texts", "valid_target_node_types": "texts", "valid_source_node_types": "texts",
    }),
    "node type": Form("a node type", {
        **_TYPE, "properties": "{property}", "attributes": "{attribute}", "capabilities": "{capability}",
        "requirements": "[{requirement}]", "interfaces": "{interface}", "artifacts": "{artifact}",
    }),
    "group type": Form("a group type", {
        **_TYPE, "properties": "{property}", "attributes": "{attribute}", "members": "texts",
    }),
    "policy type": Form("a policy type", {
        **_TYPE, "properties": "{property}", "targets": "texts", "triggers": "{trigger}",
    }),
    # -- definitions -------------------------------------------------------------------------------------------
    "property": Form("a property definition", _PROPERTY, (), "any"),
    "attribute": Form("an attribute definition", _ATTRIBUTE),
    "outgoing": Form("a parameter definition", _PROPERTY, (), "any"),
    "incoming": Form("a parameter definition", {**_PROPERTY, "mapping": "path"}, (), "path"),
    "schema": Form("a schema", {
        "type": "text", "validation": "clause", "key_schema": "schema", "entry_schema": "schema",
    }, (), "text"),
    "capability": Form("a capability definition", {
        "type": "text", "properties": "{property}", "attributes": "{attribute}", "valid_source_node_types": "texts",
        "valid_relationship_types": "texts",
    }, (), "text"),
    "requirement": Form("a requirement definition", {
        "capability": "text", "node": "text", "relationship": "relationship definition", "node_filter": "clause",
        "count_range": "range",
    }, (), "text"),
    "relationship definition": Form("a relationship definition", {
        "type": "text", "properties": "{property}", "attributes": "{attribute}", "interfaces": "{interface}",
    }, (), "text"),
    "interface": Form("an interface definition", {"type": "text", **_OPERATIONS}),
    "operation": Form("an operation definition", _OPERATION, (), "text", True),
    "notification": Form("a notification definition", _OPERATION, (), "text", True),
    "implementation": Form("an implementation", {
        "primary": "artifact", "dependencies": "[artifact]",
    }, (), "text"),
    "artifact": Form("an artifact definition", {
        "type": "text", "file": "text", "repository": "text", "artifact_version": "text", "version": "text",
        "checksum": "text",
        "checksum_algorithm": "text", "properties": "data",
    }, (), "text"),
    # -- the service template ----------------------------------------------------------------------------------
    "service template": Form("a service template", {
        "inputs": "{incoming}", "outputs": "{outgoing}", "node_templates": "{node template}",
        "relationship_templates": "{relationship template}", "groups": "{group}", "policies": "[{policy}]",
        "substitution_mappings": "substitution", "workflows": "{workflow}", "functions": "{function}",
    }, ("node_templates",)),
    "node template": Form("a node template", {
        "type": "text", "directives": "directives:create,select,substitute", "properties": "data", "attributes": "data",
        "requirements": "[{requirement assignment}]", "capabilities": "{capability assignment}",
        "interfaces": "{interface assignment}", "artifacts": "{artifact}", "count": "count", "node_filter": "clause",
        "copy": "text",
    }, assigned=True),
    "relationship template": Form("a relationship template", {
        "type": "text", "properties": "data", "attributes": "data", "interfaces": "{interface assignment}",
        "copy": "text",
    }),
    "capability assignment": Form("a capability assignment", {
        "properties": "data", "attributes": "data", "directives": "directives:internal,external",
    }),
    "requirement assignment": Form("a requirement assignment", {
        "node": "node", "capability": "text", "relationship": "relationship assignment", "allocation": "data",
        "count": "count", "node_filter": "clause", "directives": "directives:internal,external", "optional": "bool",
    }, (), "node"),
    "relationship assignment": Form("a relationship assignment", {
        "type": "text", "properties": "data", "attributes": "data", "interfaces": "{interface assignment}",
    }, (), "text"),
    "interface assignment": Form("an interface assignment", {
        "inputs": "data", "operations": "{operation assignment}", "notifications": "{notification assignment}",
    }),
    "operation assignment": Form("an operation assignment", _ASSIGNED, (), "text", True),
    "notification assignment": Form("a notification assignment", _ASSIGNED, (), "text", True),
    "group": Form("a group", {
        "type": "text", "properties": "data", "attributes": "data", "members": "texts",
    }, ("type",)),
    "policy": Form("a policy", {
        "type": "text", "properties": "data", "targets": "texts", "triggers": "{trigger}",
    }, ("type",)),
    "trigger": Form("a trigger", {"event": "text", "condition": "clause", "action": "[activity]"}, ("event", "action")),
    "substitution": Form("a substitution mapping", {
        "node_type": "text", "substitution_filter": "clause", "properties": "mappings", "attributes": "mappings",
        "capabilities": "mappings", "requirements": "[mappings]", "interfaces": "data",
    }, ("node_type",)),
    "workflow": Form("a workflow", {
        "inputs": "{incoming}", "precondition": "clause", "steps": "{step}", "implementation": "implementation",
        "outputs": "data",
    }),
    "step": Form("a workflow step", {
        "target": "text", "target_relationship": "text", "filter": "clauses", "activities": "[activity]",
        "on_success": "texts", "on_failure": "texts",
    }, ("target", "activities")),
    "activity": Form("an activity", {
        "delegate": "workflow call", "inline": "workflow call", "set_state": "text", "call_operation": "operation call",
    }),
    "workflow call": Form("a call of a workflow", {"workflow": "text", "inputs": "data"}, ("workflow",), "text"),
    "operation call": Form("a call of an operation", {"operation": "text", "inputs": "data"}, ("operation",), "text"),
}  # fmt: skip

#: data types that are part of the language (9.1); none of them can be defined
BUILT_IN: Final = (
    "string", "integer", "float", "boolean", "bytes", "nil", "timestamp", "scalar", "version", "list", "map",
)  # fmt: skip
#: data types of earlier versions, which engines of 2.0 still have (9.1.2.2 says how to define them)
FORMER_TYPES: Final = ("scalar-unit.size", "scalar-unit.time", "scalar-unit.frequency", "scalar-unit.bitrate")
#: form -> keys of earlier versions, which engines of 2.0 still take
FORMER_KEYS: Final = {"an artifact definition": ("deploy_path",), "an implementation": ("timeout",)}
#: keys that only scalar types have (9.1.2.2), and those of data types that are no scalars
SCALAR_KEYS: Final = ("data_type", "units", "canonical_unit", "prefixes")
#: words of earlier versions -> what 2.0 has
FORMER: Final = {
    "topology_template": "service_template", "constraints": "validation", "occurrences": "count_range",
    "namespace_prefix": "namespace", "file": "url", "valid_source_types": "valid_source_node_types",
    "valid_target_types": "valid_capability_types", "event_type": "event", "allocations": "allocation",
}  # fmt: skip
