"""Nested documents: a node type stands for each, and the document says which one it is (Simple Profile 1.3, 3.8.13).

Inputs of the document are properties of the type, outputs are attributes. The nesting document has a definition of the
type as well; it need not import the nested one, whose file the metadata of the type names."""

from __future__ import annotations

import posixpath
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node
from bpconvert.translators.evaluate.parameters import given_to_nested
from bpconvert.translators.tosca.profile import attribute_definition
from bpconvert.translators.tosca.vocabulary import HEAT_NAME, NESTED, ROOT
from bpconvert.translators.tosca.write.context import Context
from bpconvert.translators.tosca.write.rewriter import ToscaRewriter
from bpconvert.yamlio.emit import Flow

#: endings of the names of documents
_ENDINGS: Final = (".yaml", ".yml", ".template", ".hot", ".tosca")


def type_of(file: str) -> str:
    """The node type that stands for the document in ``file``."""
    name = posixpath.basename(file)
    while name.endswith(_ENDINGS):
        name = name.rsplit(".", 1)[0]
    return NESTED + (name or "document")


#: neutral type of an input -> the kinds of values that it takes as they are
_FITTING: Final = {
    "string": {"text"}, "number": {"number"}, "boolean": {"boolean"}, "list": {"list"}, "json": {"map", "list", "json"},
}  # fmt: skip


def value_handed_on(context: Context, rewriter: ToscaRewriter, node: Node, name: str) -> Value:
    """The value of property ``name`` of a node as the nested document's input takes it: Heat converts it to the
    parameter's type (heat/engine/resources/template_resource.py, ``child_params``), engines of TOSCA do not."""
    nested, value = node.nested, node.properties[name]
    is_converted = node.source_type.endswith(context.request.source.document_types)
    declared = nested.inputs.get(name) if nested is not None and is_converted else None
    if nested is None or declared is None or declared.type is None:
        return value
    report, place = context.reporter.report, node.origin(name)
    type = nested.types.get(nested.names.get(name, ""), "")
    if ex.is_constant(value):
        try:
            read = given_to_nested(declared.type, value)
        except ValueError:
            return value
        if type == "string" and not isinstance(read, str):  # used in texts only: it is a text already
            return value
        if read != value or isinstance(read, bool) is not isinstance(value, bool):
            report("BPC509", place, value=read)
        return read
    kind = rewriter.kind(value)
    fitting = {*_FITTING.get(declared.type, ()), *(("text",) if type == "string" else ())}
    if kind not in (*fitting, "any", "null"):
        report("BPC768", place, name=name, file=nested.file, type=declared.type, given=kind)
    return value


def property_types(node: Node) -> dict[str, str]:
    """The types of the properties of a node that nests a document: those of its inputs."""
    nested = node.nested
    return {} if nested is None else {name: nested.types.get(new, "") for name, new in nested.names.items()}


def substitution(context: Context, sections: dict[str, Any]) -> None:
    """Let the document that ``sections`` are of say for which type it stands, where another one nests it."""
    files = context.request.files
    if not files.inner:
        return
    file = posixpath.basename(context.request.document.name)
    properties = {}
    for name, declared in sections["inputs"].items():
        row = {key: declared[key] for key in ("type", "default", "entry_schema") if key in declared}
        properties[name] = Flow({**row, "required": False} if "default" in row else row)
    definition: dict[str, Any] = {"derived_from": ROOT, "metadata": Flow({HEAT_NAME: file})}
    if properties:
        definition["properties"] = properties
    if sections["outputs"]:
        definition["attributes"] = {
            name: attribute_definition(False, properties.get(name)) for name in sections["outputs"]
        }
    sections["node_types"] = {type_of(file): definition, **sections["node_types"]}
    sections["substitution_mappings"] = {"node_type": type_of(file)}
