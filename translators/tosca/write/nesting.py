"""Nested documents: a node type stands for each, and the document says which one it is (Simple Profile 1.3, 3.8.13).

Inputs of the document are properties of the type, outputs are attributes. The nesting document has a definition of the
type as well; it need not import the nested one, whose file the metadata of the type names."""

from __future__ import annotations

import posixpath
from typing import Any, Final

from bpconvert.translators.tosca.vocabulary import HEAT_NAME, NESTED, ROOT
from bpconvert.translators.tosca.write.context import Context
from bpconvert.yamlio.emit import Flow

#: endings of the names of documents
_ENDINGS: Final = (".yaml", ".yml", ".template", ".hot", ".tosca")


def type_of(file: str) -> str:
    """The node type that stands for the document in ``file``."""
    name = posixpath.basename(file)
    while name.endswith(_ENDINGS):
        name = name.rsplit(".", 1)[0]
    return NESTED + (name or "document")


def substitution(context: Context, sections: dict[str, Any]) -> None:
    """Let the document that ``sections`` are of say for which type it stands, where another one nests it."""
    files = context.request.files
    if not files.inner:
        return
    file = posixpath.basename(context.request.document.name)
    properties = {}
    for name, declared in sections["inputs"].items():
        row = {key: declared[key] for key in ("type", "default") if key in declared}
        properties[name] = Flow({**row, "required": False} if "default" in row else row)
    definition: dict[str, Any] = {"derived_from": ROOT, "metadata": Flow({HEAT_NAME: file})}
    if properties:
        definition["properties"] = properties
    if sections["outputs"]:
        definition["attributes"] = {name: Flow(type="string") for name in sections["outputs"]}
    sections["node_types"] = {type_of(file): definition, **sections["node_types"]}
    sections["substitution_mappings"] = {"node_type": type_of(file)}
