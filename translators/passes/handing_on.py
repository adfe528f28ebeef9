"""What nesting nodes hand on to the documents that they nest, where a node's type is the document."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Input, NestedInterface, Node, Topology
from bpconvert.translators.evaluate.parameters import given_to_nested
from bpconvert.translators.passes.expressions.kinds import Kinds
from bpconvert.translators.passes.nesting import STACK
from bpconvert.translators.passes.request import Request

#: the types of inputs that may be texts in the result, where they are used in texts only
_SCALARS: Final = ("number", "boolean")


def as_templates(topology: Topology, request: Request) -> Topology:
    """Let every node that nests a document be of a type that is this document: its properties are the inputs that the
    document has in the target's language, its attributes the outputs."""
    nested: dict[str, Node] = {}
    for node in topology.nodes.values():
        if node.nested is None or node.kind is not None or not isinstance(node.properties, dict):
            continue
        nested[node.name] = node
        node.kind = STACK
        if posixpath.normpath(node.source_type) != node.nested.file:  # else it is the same file in other words
            node.source_type = node.nested.file
        node.properties = handed_on(topology, request, node, node.properties, (), node.nested)

    if not nested:
        return topology

    def with_output_name(expr: Value) -> Value:
        node = nested.get(expr.node) if isinstance(expr, ex.Attribute) and isinstance(expr.node, str) else None
        if node is None or node.nested is None or not isinstance(expr, ex.Attribute) or expr.name is MISSING:
            return expr
        return replace(expr, name=node.nested.outputs.get(str(expr.name), expr.name))

    topology.rewrite(lambda value: ex.transform(value, with_output_name))
    return topology


def handed_on(
    topology: Topology, request: Request, node: Node, values: Mapping[str, Value], steps: Path, nested: NestedInterface
) -> dict[str, Value]:
    """The ``values`` for a document that ``node`` nests, under the names that its inputs have in the result. ``steps``:
    where the values are in the properties of the node. What it has no input for, and what it lacks, is reported.

    An input that is a text because it is used in texts only gets a text, which is what Heat makes of the value there
    (heat/engine/resources/template_resource.py, ``child_params``)."""
    kinds, handed = Kinds(topology, request.catalogue), dict[str, Value]()
    for name, value in values.items():
        place = node.origin(*steps, name)
        if name not in nested.inputs:
            request.reporter.report("BPC763", place, name=name, file=nested.file)
        elif name in nested.names:
            declared, new = nested.inputs[name], nested.names[name]
            is_text = nested.types.get(new) == "string" and declared.type in _SCALARS
            handed[new] = _as_text(declared, value, kinds) if is_text else value
            if is_text and ex.is_constant(value) and handed[new] is not value:
                request.reporter.report("BPC509", place, value=handed[new])
            elif is_text and not ex.is_constant(value) and kinds.kind_of(value) == "text":
                words = {"name": name, "file": nested.file, "type": declared.type, "given": "text"}
                request.reporter.report("BPC768", place, **words)
            node.origins |= {(*steps, nested.names[name]): place}
    for name in nested.inputs:
        if name not in values and nested.is_required(name):  # a null is the empty value of its type
            request.reporter.report("BPC764", node.origin(*steps) if steps else node.path, name=name, file=nested.file)
    return handed


def _as_text(declared: Input, value: Value, kinds: Kinds) -> Value:
    """The text of a value for an input of type number or boolean; a text is as it was."""
    if ex.is_constant(value):
        try:
            return str(given_to_nested(str(declared.type), value))
        except ValueError:
            return value
    path = value.path if isinstance(value, ex.Expr) else ()
    return value if kinds.kind_of(value) == "text" else ex.Concat((value,), path=path)
