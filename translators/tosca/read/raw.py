"""Node templates as written, their calls read, completed with what their types define.

The notations of all versions are one form here: requirements (short, long, with a relationship of their own, by type
or by template), capabilities with the defaults of their types, operations of types and templates merged (a template's
operation counts before that of its type; Simple Profile 1.3, 3.8.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpconvert.diagnostics.suggest import guess
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.plain import tosca
from bpconvert.models.topology import Operation
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca import coded, template_metadata
from bpconvert.translators.tosca.programs import ARTIFACTS, NEEDS, PLAYBOOKS, ROLE_ARTIFACT, ROLES
from bpconvert.translators.tosca.read.declarations import TYPES
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.structures import Structures
from bpconvert.translators.tosca.read.types import ARTIFACT, CAPABILITY, DATA, NODE, RELATIONSHIP, Types
from bpconvert.translators.tosca.vocabulary import EXISTING_ID, SELECT
from bpconvert.translators.toscalike.node_templates import renamed

#: keys of an interface that are no operations
_NO_OPERATIONS: Final = ("type", "inputs", "operations", "notifications", "derived_from", "version", "metadata",
                         "description")  # fmt: skip
#: keys of the definition of a parameter
_PARAMETER_KEYS: Final = frozenset({
    "type", "default", "value", "required", "description", "status", "constraints", "validation", "entry_schema",
    "key_schema", "external-schema", "external_schema", "metadata", "mapping",
})  # fmt: skip
_IMAGE: Final = "tosca.artifacts.Deployment.Image"
_HOSTED_ON: Final = "tosca.relationships.HostedOn"
#: what a requirement is called by which a node is hosted, where the type of the relationship is not known
_HOST: Final = "host"
#: relationship of a requirement whose type says nothing
DEPENDS_ON: Final = "tosca.relationships.DependsOn"


@dataclass(eq=False, repr=False)
class Artifact:
    """A file of a node. ``type``: "" where that is not given; ``is_image``: of a machine or a container."""

    name: str
    type: str
    file: Value
    path: Path
    extra: dict[str, Any] = field(default_factory=dict)
    is_image: bool = False


@dataclass(eq=False, repr=False)
class RawRequirement:
    """A requirement of node ``source``. ``target``: the node template, None where it names none (``wanted`` is then the
    type of node that would do, "" for any); ``relationship``: the full name of its type, ``ancestry``: that, its
    parent, ...; ``template``: the relationship template, "" for none; ``name_kept``: the name of that as its metadata
    keeps it. Operations have this target."""

    name: str
    source: str
    target: str | None
    wanted: str = ""
    capability: str = ""
    relationship: str = DEPENDS_ON
    ancestry: list[str] = field(default_factory=list)
    template: str = ""
    properties: dict[str, Value] = field(default_factory=dict)
    #: attribute -> what the template gives it, else the default of its type
    initial: dict[str, Value] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)
    filter: Any = None
    path: Path = ()


@dataclass(eq=False, repr=False)
class RawNode:
    """A node template. ``type``: as written, ``ancestry``: its full name, its parent's, ...; ``properties``: as
    written, ``declared``: with the defaults of types; ``capabilities``: name -> property -> value, ``assigned``: those
    of them that the template gives; ``capability_types``: name -> full name of its type, ``capability_attributes``:
    those that the template gives; ``kept``: what the node's metadata keeps (:mod:`~.tosca.template_metadata`)."""

    name: str
    type: str
    ancestry: list[str] = field(default_factory=list)
    #: those are not known to the end
    is_open: bool = False
    properties: dict[str, Value] = field(default_factory=dict)
    declared: dict[str, Value] = field(default_factory=dict)
    attributes: dict[str, Value] = field(default_factory=dict)
    #: attribute -> the default of its type; the same of each capability
    initial: dict[str, Value] = field(default_factory=dict)
    capability_initial: dict[str, dict[str, Value]] = field(default_factory=dict)
    requirements: list[RawRequirement] = field(default_factory=list)
    capabilities: dict[str, dict[str, Value]] = field(default_factory=dict)
    assigned: dict[str, dict[str, Value]] = field(default_factory=dict)
    capability_types: dict[str, str] = field(default_factory=dict)
    capability_attributes: dict[str, dict[str, Value]] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    directives: list[str] = field(default_factory=list)
    #: the id of what exists already, and is not made
    existing: Value = MISSING
    metadata: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    description: str | None = None
    path: Path = ()

    @property
    def written(self) -> str:
        """The name of the template that it was read of."""
        return str(self.path[-1]) if self.path else self.name

    def is_a(self, type: str) -> bool:
        """True for a node of this type or of one that is derived from it."""
        return type in self.ancestry

    def first(self, requirement: str) -> RawRequirement | None:
        """The first requirement of that name with a target."""
        return next(
            (
                candidate
                for candidate in self.requirements
                if candidate.name == requirement and candidate.target is not None
            ),
            None,
        )


def is_host(requirement: RawRequirement) -> bool:
    """True for a requirement of what hosts the node."""
    return _HOSTED_ON in requirement.ancestry or requirement.name == _HOST


def is_software(raw: RawNode) -> bool:
    """True for what is of a type of software, or runs operations on what hosts it, where it is no resource."""
    hosted = any(is_host(requirement) and requirement.target is not None for requirement in raw.requirements)
    return any(type in ROLES.values() for type in raw.ancestry) or (hosted and bool(raw.operations))


class NodeReader:
    """Reads the node templates of a service template."""

    def __init__(self, template: tosca.ServiceTemplate, types: Types, reading: Reading) -> None:
        self.template = template
        self.types = types
        self.reading = reading
        self.structures = Structures(types, reading)
        #: (kind of type, type, properties or attributes) -> the defaults in it
        self._defaults_of: dict[tuple[str, str, str], dict[str, Value]] = {}
        data_types = types.data.get("data_types")
        #: the data types, where some of them say that values are written in another form
        self.coded: dict[str, Any] = data_types if isinstance(data_types, dict) and coded.is_in(data_types) else {}

    def nodes(self) -> dict[str, RawNode]:
        """All node templates by name, in their order."""
        return {name: self._node(name, node) for name, node in self.template.node_templates.items()}

    def _node(self, name: str, node: tosca.NodeTemplate) -> RawNode:
        path = self.reading.combined.written(("node_templates", name))
        raw = RawNode(name, node.type, self.types.ancestry(NODE, node.type), path=path)
        raw.is_open = not self.types.is_known(NODE, node.type)
        raw.description, raw.metadata = node.description, node.metadata or {}
        raw.kept = self.reading.kept_in(node.metadata, template_metadata.NODE_KEY, path)
        raw.directives = [directive for directive in items(node.directives) if isinstance(directive, str)]
        own = {"SELF": name}
        originals = entries(raw.kept, "properties")
        properties = node.properties or {}
        if properties and self.coded:
            rows = self.types.properties(NODE, raw.ancestry[0])
            types = {key: row for key, (row, _) in rows.items()}
            properties = {key: coded.decoded(value, types.get(key), self.coded) for key, value in properties.items()}
        raw.properties = renamed(
            {
                key: self.reading.value(value, (*path, "properties", key), originals.get(key))
                for key, value in properties.items()
            },
            own,
        )
        raw.declared = {**self._defaults(NODE, raw.ancestry[0], own), **raw.properties}
        raw.attributes = renamed(self.reading.values(node.attributes, (*path, "attributes")), own)
        raw.initial = self._initial(NODE, raw.ancestry[0], own)
        raw.existing = raw.attributes.get(EXISTING_ID, MISSING) if SELECT in raw.directives else MISSING
        self._capabilities(raw, node, own)
        raw.operations = self.operations(NODE, raw.ancestry[0], node.interfaces, (*path, "interfaces"), own)
        raw.artifacts = self._artifacts(raw, node)
        _bring(raw)
        for index, entry in enumerate(node.requirements or ()):
            for requirement, wanted in entry.items() if isinstance(entry, dict) else ():
                place = (*path, "requirements", index, requirement)
                raw.requirements.append(self._requirement(raw, str(requirement), wanted, place))
        return raw

    def _defaults(self, kind: str, name: str, own: Mapping[str, str]) -> dict[str, Value]:
        """The defaults of a type's properties, and the values that it fixes."""
        values = self._defaults_of.get((kind, name, "properties"))
        if values is None:
            rows = self.types.properties(kind, name)
            if self.reading.prefix:
                rows = {
                    key: ({**row, "default": row["value"]}, path) if "value" in row else (row, path)
                    for key, (row, path) in rows.items()
                }
            values = self._defaults_of[kind, name, "properties"] = self._read_defaults(rows)
        return renamed(values, own) if values else {}

    def _initial(self, kind: str, name: str, own: Mapping[str, str]) -> dict[str, Value]:
        """The defaults of a type's attributes."""
        values = self._defaults_of.get((kind, name, "attributes"))
        if values is None:
            rows = self.types.attributes(kind, name).items()
            with_default = {
                k: (row, path) for k, (row, path) in rows if isinstance(row, dict) and row.get("default") is not None
            }
            values = self._defaults_of[kind, name, "attributes"] = self._read_defaults(with_default)
        return renamed(values, own) if values else {}

    def _read_defaults(self, rows: Mapping[str, tuple[Any, Path]]) -> dict[str, Value]:
        """The defaults in definitions, each with its place. Calls in them are for the node that has the value."""
        return {
            key: self.reading.value(row["default"], (*path, "default"))
            for key, (row, path) in rows.items()
            if isinstance(row, dict) and "default" in row
        }

    def _capabilities(self, raw: RawNode, node: tosca.NodeTemplate, own: Mapping[str, str]) -> None:
        for name, (row, path) in self.types.capabilities(raw.ancestry[0]).items():
            raw.capability_types[name] = kind = self.types.normal(CAPABILITY, str(row.get("type")))
            raw.capabilities[name] = self._defaults(CAPABILITY, kind, own) | self._refined(row, path, "properties", own)
            initial = self._initial(CAPABILITY, kind, own) | self._refined(row, path, "attributes", own)
            if initial:
                raw.capability_initial[name] = initial
        for name, capability in (node.capabilities or {}).items():
            properties = capability.get("properties") if isinstance(capability, dict) else None
            place = (*raw.path, "capabilities", name, "properties")
            raw.assigned[name] = renamed(self.reading.values(properties, place), own)
            raw.capabilities[name] = {**raw.capabilities.get(name, {}), **raw.assigned[name]}
            attributes = capability.get("attributes") if isinstance(capability, dict) else None
            if attributes:
                place = (*raw.path, "capabilities", name, "attributes")
                raw.capability_attributes[name] = renamed(self.reading.values(attributes, place), own)

    def _refined(self, row: dict[str, Any], path: Path, section: str, own: Mapping[str, str]) -> dict[str, Value]:
        """The defaults that a node type gives in the definition of a capability."""
        more = entries(row, section).items()
        values = self._read_defaults({key: (value, (*path, section, key)) for key, value in more})
        return renamed(values, own) if values else values

    def _artifacts(self, raw: RawNode, node: tosca.NodeTemplate) -> dict[str, Artifact]:
        rows_found: dict[str, tuple[Any, Path]] = {}
        for ancestor in reversed(raw.ancestry):
            entries = (self.types.definition(NODE, ancestor) or {}).get("artifacts")
            for name, row in entries.items() if isinstance(entries, dict) else ():
                rows_found[name] = (row, (NODE, ancestor, "artifacts", name))
        for name, row in node.artifacts.items() if isinstance(node.artifacts, dict) else ():
            whole = rows_found[name][0] if name in rows_found else None
            if isinstance(whole, dict) and isinstance(row, dict) and "file" not in row:
                row = {**whole, **row}  # that of the type, with more about it
            rows_found[name] = (row, (*raw.path, "artifacts", name))
        drafts: Any = node.artifacts if isinstance(node.artifacts, list) else ()
        for entry in drafts:  # a notation of drafts
            for name, row in entry.items() if isinstance(entry, dict) else ():
                rows_found[name] = (row, (*raw.path, "artifacts"))
        artifacts = {}
        for name, (row, path) in rows_found.items():
            artifact_row = dict(row) if isinstance(row, dict) else {"file": row}
            file = self.reading.value(artifact_row.pop("file", None), (*path, "file"))
            file = self.reading.file(file, path) if isinstance(file, str) else file
            kind = str(artifact_row.pop("type", "") or "")
            ancestry = self.types.ancestry(ARTIFACT, kind) if kind else []
            is_image = any(ancestor.startswith(_IMAGE) for ancestor in ancestry)
            artifacts[name] = Artifact(name, kind, file, path, artifact_row, is_image)
        return artifacts

    # -- requirements -----------------------------------------------------------------------------------------

    def _requirement(self, raw: RawNode, name: str, wanted: Any, path: Path) -> RawRequirement:
        assigned = wanted if isinstance(wanted, dict) else {"node": wanted}
        declared = self.types.requirements(raw.ancestry[0]).get(name, {})
        node, templates = assigned.get("node"), self.template.node_templates
        is_template = isinstance(node, str) and node in templates
        requirement = RawRequirement(name, raw.name, str(node) if is_template else None, path=path)
        requirement.wanted = "" if is_template else str(node or declared.get("node") or "")
        requirement.capability = str(assigned.get("capability") or declared.get("capability") or "")
        requirement.filter = assigned.get("node_filter")
        ends = {
            "SOURCE": raw.name,
            **({"TARGET": requirement.target} if requirement.target else {}),
        }  # SELF: the relationship
        relationship = assigned.get("relationship") or declared.get("relationship") or DEPENDS_ON
        template = self.template.relationship_templates.get(relationship) if isinstance(relationship, str) else None
        own = relationship if isinstance(relationship, dict) else {}
        if template is not None:
            requirement.template = str(relationship)
            place: Path = ("relationship_templates", requirement.template)
            type, properties, interfaces = template.type, template.properties, template.interfaces
            attributes = template.attributes
        else:
            place = (*path, "relationship")
            type = own.get("type", DEPENDS_ON) if own else relationship
            properties, interfaces, attributes = own.get("properties"), own.get("interfaces"), own.get("attributes")
        requirement.ancestry = self.types.ancestry(RELATIONSHIP, str(type))
        requirement.relationship = requirement.ancestry[0]
        if template is None and self.types.complete and not self.types.is_known(RELATIONSHIP, requirement.relationship):
            type_wanted, near = (
                requirement.relationship,
                guess(requirement.relationship, self.template.relationship_templates),
            )
            texts = {"kind": "relationship template or type", "name": type_wanted, "guess": near}
            self.reading.findings.report("BPC856", (*place, "type") if own else place, **texts)
        requirement.properties = {
            **self._defaults(RELATIONSHIP, requirement.relationship, ends),
            **renamed(self.reading.values(properties, (*place, "properties")), ends),
        }
        requirement.initial = {
            **self._initial(RELATIONSHIP, requirement.relationship, ends),
            **renamed(self.reading.values(attributes, (*place, "attributes")), ends),
        }
        requirement.operations = self.operations(
            RELATIONSHIP, requirement.relationship, interfaces, (*place, "interfaces"), ends
        )
        for operation in requirement.operations:
            operation.target = requirement.target
        return requirement

    # -- operations -------------------------------------------------------------------------------------------

    def operations(self, kind: str, type: str, own: Any, path: Path, names: Mapping[str, str]) -> list[Operation]:
        """The operations of a node or relationship that have an implementation: its type's, as far as it does not give
        another one, and its own. ``extra``: ``dependencies`` and other keys of the implementation, ``outputs``.

        Inputs of an interface are those of all its operations. What a template gives to an interface goes before what
        types declare for an operation, what it gives to an operation before that (opera: ``collect_interfaces``)."""
        operations: dict[tuple[str, str], Operation] = {}
        for interface, rows in self.types.interfaces(kind, type).items():
            shared: dict[str, Value] = {}
            places: dict[str, Path] = {}
            for row, place in rows:
                own_inputs = self._declared(row.get("inputs"), (*place, "inputs"))
                shared |= own_inputs
                places |= self._places(own_inputs, (*place, "inputs"))
                self._add(operations, interface, row, place, names, declares=True)
            for operation in _of_interface(operations, interface):
                operation.inputs = {**renamed(shared, names), **operation.inputs}
                operation.origins = {**places, **operation.origins}
        for name, row in own.items() if isinstance(own, dict) else ():
            if isinstance(row, dict):
                interface, place = str(name), (*path, name)
                inputs = renamed(self.reading.values(row.get("inputs"), (*place, "inputs")), names)
                for operation in _of_interface(operations, interface):
                    operation.inputs = {**operation.inputs, **inputs}
                    operation.origins |= self._places(inputs, (*place, "inputs"))
                self._add(operations, interface, row, place, names, declares=False, shared=inputs)
        for (interface, name), operation in operations.items():
            rows = self.types.interfaces(kind, type).get(interface, [])
            operation.inputs = self.structures.of_operation(rows, name, operation.inputs)
        return [operation for operation in operations.values() if operation.implementation]

    def _add(
        self,
        operations: dict[tuple[str, str], Operation],
        interface: str,
        row: dict[str, Any],
        path: Path,
        names: Mapping[str, str],
        *,
        declares: bool,
        shared: Mapping[str, Value] = MappingProxyType({}),
    ) -> None:
        inner = row.get("operations")
        entries = {key: value for key, value in row.items() if key not in _NO_OPERATIONS}
        places = {key: (*path, key) for key in entries}
        if isinstance(inner, dict):
            entries |= inner
            places |= {key: (*path, "operations", key) for key in inner}
        read = self._declared if declares else self.reading.values
        for name, written in entries.items():
            place = places[name]
            written_row = written if isinstance(written, dict) else {"implementation": written}
            inherited = operations.get((interface, str(name)))
            operation = inherited or Operation(interface, str(name), "", inputs=dict(shared))
            own_inputs = renamed(read(written_row.get("inputs"), (*place, "inputs")), names)
            operation.inputs = {**operation.inputs, **own_inputs}
            operation.origins |= self._places(own_inputs, (*place, "inputs"))
            self._implementation(operation, written_row.get("implementation"), place)
            if written_row.get("outputs"):
                operation.extra["outputs"] = written_row["outputs"]
            operation.path = self.reading.combined.place(place)
            operations[interface, str(name)] = operation

    def _places(self, names: Iterable[str], path: Path) -> dict[str, Path]:
        """The places of inputs that are written at ``path``."""
        return {name: self.reading.combined.place((*path, name)) for name in names}

    def _declared(self, rows: Any, path: Path) -> dict[str, Value]:
        """The inputs of a type's operation: those that have a value or a default. A definition need not say its type:
        it may refine that of a parent, and parameters have none in any case (Simple Profile 1.3, 3.6.14)."""
        inputs: dict[str, Value] = {}
        for name, row in rows.items() if isinstance(rows, dict) else ():
            if not isinstance(row, dict) or not row or not self._is_definition(row):
                inputs[name] = self.reading.value(row, (*path, name))
                continue
            for key in ("default", "value"):
                if key in row:
                    inputs[name] = self.reading.value(row[key], (*path, name, key))
        return inputs

    def _is_definition(self, row: dict[str, Any]) -> bool:
        """True for the definition of a parameter, False for a map that is its value."""
        kind = row.get("type")
        of_type = isinstance(kind, str) and (kind in TYPES or self.types.is_known(DATA, kind))
        return of_type or row.keys() <= _PARAMETER_KEYS

    def _implementation(self, operation: Operation, implementation: Any, path: Path) -> None:
        if isinstance(implementation, str):
            operation.implementation = self.reading.file(implementation, path)
            operation.extra = {key: value for key, value in operation.extra.items() if key == "outputs"}
        elif isinstance(implementation, dict):
            primary = implementation.get("primary", implementation.get("file"))
            if isinstance(primary, dict):
                primary = primary.get("file")
            operation.implementation = self.reading.file(str(primary), path) if primary else ""
            operation.extra = {
                key: value for key, value in implementation.items() if key not in ("primary", "file", "type")
            }
            needs = operation.extra.get(NEEDS)
            if isinstance(needs, list) and all(isinstance(name, str) for name in needs):
                operation.extra[NEEDS] = [self.reading.file(name, path) for name in needs]


def _bring(raw: RawNode) -> None:
    """Files of a node are beside its playbooks (opera: executors/ansible, ``run``)."""
    for operation in raw.operations if raw.artifacts else ():
        if operation.implementation.lower().endswith(PLAYBOOKS):
            artifact_files = [artifact.file for artifact in raw.artifacts.values() if artifact.type != ROLE_ARTIFACT]
            files = [file for file in artifact_files if isinstance(file, str)]
            others = [file for file in files if file != operation.implementation]
            operation.extra = {**operation.extra, ARTIFACTS: others}


def _of_interface(operations: Mapping[tuple[str, str], Operation], interface: str) -> list[Operation]:
    """The operations of an interface."""
    return [operation for (name, _), operation in operations.items() if name == interface]
