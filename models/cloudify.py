"""The Cloudify DSL: what a blueprint consists of, as the parser enforces it.

Here is what generated blueprints use; sections that only hand-written ones have (plugins, workflows, data types, ...)
are in :mod:`bpconvert.models.cloudify_definitions` and imported when a blueprint has them. The order of a model's
fields is the order in which :func:`to_data` writes them. Null in place of anything optional means absent."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

from bpconvert.models import cloudify_rules as rules
from bpconvert.models.cloudify_declarations import Input, Operation, PropertyDefinition, TypeInterfaces
from bpconvert.models.expressions import Path
from bpconvert.models.fields import ABSENT, LATER, FreeList, FreeMap, Kind, Later, Model, Named, Section
from bpconvert.models.validation import Problem

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


# -- writing ------------------------------------------------------------------------------------------------


def to_data(blueprint: Blueprint) -> dict[str, Any]:
    """The blueprint as plain data in the conventional order of sections and keys (metadata, which is noise for
    readers, last); what is not set is left out, and so are empty sections."""
    data: dict[str, Any] = _plain(blueprint)
    return {key: value for key, value in data.items() if value != {} and value != []}


def _plain(value: Any) -> Any:
    if isinstance(value, Model):
        own = value.__dict__
        written = {name: _plain(own[name]) for name in type(value).model_fields if own[name] is not None}
        short = value.SHORT
        return written[short] if short and len(written) == 1 and short in written else written
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


# -- versions -----------------------------------------------------------------------------------------------


def check(blueprint: Blueprint, version: str | None = None) -> list[Problem]:
    """What ``version`` (default: the blueprint's own) does not have, and an unknown version itself."""
    version = blueprint.tosca_definitions_version if version is None else version
    number = version.removeprefix(rules.PREFIX) if version else ""
    if number not in rules.VERSIONS:
        known = ", ".join(rules.PREFIX + v for v in rules.VERSIONS)
        text = f"unknown version {version!r} (known: {known})" if version else "'tosca_definitions_version' is missing"
        return [Problem(("tosca_definitions_version",), text)]
    return [
        Problem(path, f"{words} exists since {rules.PREFIX}{since}, this blueprint says {version}")
        for path, words, since in _gated(blueprint, ())
        if since > number
    ]


def _gated(value: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    """What not every version has, anywhere below ``value``: path, what it is, first version."""
    if isinstance(value, Model):
        yield from _gated_model(value, path)
    elif isinstance(value, dict):
        for name, since in rules.FUNCTIONS_SINCE.items():
            if name in value and (len(value) == 1 or (len(value) == 2 and "type" in value)):
                yield path, f"function '{name}'", since
        for key, item in value.items():
            if isinstance(item, (Model, dict, list)):
                yield from _gated(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, (Model, dict, list)):
                yield from _gated(item, (*path, index))


#: sections in which the parser looks for no functions
_LITERAL: Final = ("dsl_definitions", "metadata", "resource_tags", "imports")


def _gated_model(value: Model, path: Path) -> Iterator[tuple[Path, str, str]]:
    for key, item in value.__dict__.items():
        if item is None or (item == {} and path == ()):
            continue
        if key in value.SINCE:
            yield (*path, key), f"{value.KEY} '{key}' of {value.NOUN}", value.SINCE[key]
        if key == "type" and isinstance(value, PropertyDefinition) and item in rules.OBJECT_TYPES:
            yield (*path, key), f"type '{item}'", rules.OBJECT_TYPES[item]
        elif key == "constraints":
            for index, constraint in enumerate(item):
                if "error_message" in constraint:
                    yield (*path, key, index, "error_message"), "'error_message' of a constraint", "1_5"
        elif key == "imports":
            for index, entry in enumerate(item):
                if isinstance(entry, dict):
                    yield (*path, key, index), "an import with properties", "1_5"
        if isinstance(item, (Model, dict, list)) and not (path == () and key in _LITERAL):
            yield from _gated(item, (*path, key))
