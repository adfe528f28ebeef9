"""Groups whose members are documents, for languages in which they stay groups: the definition of a member names the
document, which is converted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.files import CannotNest
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import NestedInterface, Node, Topology
from bpconvert.translators.passes.capabilities import Capabilities
from bpconvert.translators.passes.handing_on import handed_on
from bpconvert.translators.passes.request import Request

#: attributes of groups whose first key names what each member publishes
_OUTPUTS: Final = ("outputs", "outputs_list", "attributes")


def open_members(topology: Topology, request: Request) -> Topology:
    """Convert the documents that definitions of members name; the definition names the result, and gives the inputs
    that it has. What cannot be converted is reported, and named as before."""
    renamed: dict[str, NestedInterface] = {}
    for node in topology.nodes.values():
        language = request.target if node.native == request.target.language else request.source
        for steps, definition in _definitions(node, language):
            nested = _opened(node, steps, definition, language, request)
            if nested is None:
                continue
            values = definition.get("properties")
            own = values if isinstance(values, dict) else {}
            properties_now = handed_on(topology, request, node, own, (*steps, "properties"), nested)
            changed = {"type": nested.file, **({"properties": properties_now} if isinstance(values, dict) else {})}
            node.properties = _with(node.properties, steps, {**definition, **changed})
            if any(name != new for name, new in nested.outputs.items()):
                renamed[node.name] = nested
    if renamed:
        topology.rewrite(lambda value: ex.transform(value, lambda expr: _renamed(expr, renamed)))
    return topology


def _definitions(node: Node, language: Capabilities) -> Iterator[tuple[Path, dict[Any, Any]]]:
    """The definition of the members of a group, or of those of the groups that its members are; and its steps from the
    properties of the node."""
    steps: Path = ()
    type: Value = node.source_type
    properties: Value = node.properties
    while isinstance(type, str) and isinstance(properties, dict):
        key = language.group_types.definition(type)
        definition = properties.get(key)
        if key is None or not isinstance(definition, dict):
            return
        steps = (*steps, key)
        type, properties = definition.get("type"), definition.get("properties")
        if isinstance(type, str) and language.group_types.definition(type) is None:
            yield steps, definition
        steps = (*steps, "properties")


def _opened(
    node: Node, steps: Path, definition: dict[Any, Any], language: Capabilities, request: Request
) -> NestedInterface | None:
    """The document that a definition names; None where it names none, or one that cannot be converted."""
    type = definition["type"] if node.native else request.files.type_of(definition["type"], node.name)
    values = definition.get("properties")
    if not type.endswith(language.document_types) or isinstance(values, ex.Expr):
        return None
    try:
        return request.files.nested(type, node.name)
    except CannotNest as problem:
        request.reporter.report(problem.code, node.origin(*steps, "type"), **problem.texts)
        return None


def _with(value: Any, steps: Path, new: Any) -> Any:
    """``value`` with something ``new`` at ``steps``."""
    if not steps:
        return new
    return {**value, steps[0]: _with(value[steps[0]], steps[1:], new)}


def _renamed(expr: ex.Expr, renamed: dict[str, NestedInterface]) -> Value:
    """A reference to what the members of a group publish, under the names that the results have."""
    nested = renamed.get(expr.node) if isinstance(expr, ex.Attribute) and isinstance(expr.node, str) else None
    if nested is None or not isinstance(expr, ex.Attribute) or not isinstance(expr.name, str):
        return expr
    if expr.name in _OUTPUTS and expr.keys:
        return replace(expr, keys=(nested.outputs.get(str(expr.keys[0]), expr.keys[0]), *expr.keys[1:]))
    group, dot, own = expr.name.rpartition(".")
    return replace(expr, name=f"{group}{dot}{nested.outputs.get(own, own)}")
