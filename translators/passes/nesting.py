"""Documents that nodes nest: they are converted first, and their nodes become what the target has for them."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.files import CannotNest
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.request import Request

#: kind -> the property that is the nested document
STACKS: Final = {"stack": "template", "cfn_stack": "TemplateURL"}
#: the kind that a node is whose type is the document
STACK: Final = "stack"


def open_documents(topology: Topology, request: Request) -> Topology:
    """Convert what the nodes nest, before the texts of files are put where they are used. A document that cannot be
    converted is reported, and its node is of no kind any more."""
    for node in topology.nodes.values():
        if request.target.nesting != "components":
            if node.kind is None and node.nested is None:  # what nests a document in another way stays as it is
                node.source_type = request.files.type_of(node.source_type, node.name)
                _open(topology, request, node)
            continue
        _open(topology, request, node)
        definition = request.source.group_types.definition(node.source_type)
        if definition is not None:
            node.properties = _with_names(topology, request, node.properties, definition)
    return topology


def as_stacks(topology: Topology, request: Request) -> Topology:
    """Open the documents of the members of groups as well, and let every node that nests a document have its name and
    the values of its inputs as properties, also where its type is the document."""
    for node in topology.nodes.values():
        if node.nested is None and not node.not_nested:
            if node.kind is None:
                node.source_type = request.files.type_of(node.source_type, node.name)
            _open(topology, request, node)  # a member of a group
    for node in topology.nodes.values():
        if node.nested is None:
            continue
        if node.kind is None and isinstance(node.properties, dict):
            node.kind = STACK
            document, values_name = STACKS[STACK], _inputs(request, STACK)
            node.properties = {document: node.nested.file, values_name: node.properties}
            node.origins[document,] = (*node.path, "type")
            node.origins[values_name,] = node.origin()
        elif node.kind in STACKS:
            values_name = _inputs(request, node.kind)
            if node.properties.get(values_name) is None:
                node.properties = {**node.properties, values_name: {}}
                node.origins.setdefault((values_name,), node.origin())
    return topology


def given_to(node: Node, request: Request) -> Value:
    """The values that a node with a document of its own gives to the inputs of that; None where there are none."""
    return node.properties.get(_inputs(request, node.kind)) if node.kind in STACKS else None


def _inputs(request: Request, kind: str) -> str:
    """The property of a kind that has the values of the nested document's inputs."""
    kind_found = request.catalogue.kind(kind)
    rules = kind_found.properties.items() if kind_found is not None else ()
    return next(name for name, rule in rules if rule.hook == "nested_inputs")


def _with_names(topology: Topology, request: Request, properties: Any, key: str) -> Any:
    """The properties of a group with the name of the file for the template of a stack that is its member: the member
    is opened later."""
    definition = properties.get(key) if isinstance(properties, dict) else None
    if not isinstance(definition, dict):
        return properties
    inner, type = definition.get("properties"), definition.get("type")
    if not isinstance(inner, dict) or not isinstance(type, str):
        return properties
    file, groups = inner.get("template"), request.source.group_types
    nested, kind = groups.definition(type), request.catalogue.kind_of(topology.dialect, type)
    if nested is not None:
        inner = _with_names(topology, request, inner, nested)
    elif kind is not None and kind.kind == "stack" and isinstance(file, ex.File) and isinstance(file.name, str):
        topology.templates[file.path] = file.name
        inner = {**inner, "template": file.name}
    return {**properties, key: {**definition, "properties": inner}}


def _open(topology: Topology, request: Request, node: Node) -> None:
    """Convert the template of a node; what cannot be is reported and leaves a stand-in."""
    place: Path
    report = request.reporter.report
    if node.kind in STACKS and isinstance(node.properties, dict):
        key = STACKS[node.kind]
        place, name = node.origin(key), node.properties.get(key)
        if isinstance(name, ex.File):
            name = name.name
        elif place in topology.templates:
            name = topology.templates[place]
        elif node.kind == "stack" or not isinstance(name, str):
            name = None
        if not isinstance(name, str) or node.external_id is not MISSING:
            report("BPC773", place, name=node.name, why="its template is not a file")
            node.kind = None
            return
        node.properties = {**node.properties, key: name}
    elif node.kind is None and node.source_type.endswith(request.source.document_types):
        place, name = (*node.path, "type"), node.source_type
    else:
        return
    try:
        node.nested = request.files.nested(name, node.name)
    except CannotNest as problem:
        report(problem.code, place, **problem.texts)
        node.not_nested = True
        node.kind = None
