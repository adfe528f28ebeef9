"""Values with a name (``OS::Heat::Value``): a node whose property is the value.

Heat hands out the value as it is given; the type only has to fit (``_resolve_attribute`` and ``reparse`` of
heat/engine/resources/openstack/heat/value.py). ``get_property`` gives a part of a literal before anything runs, so text
functions take it; it does not lead through a call. ``get_attribute`` finds no runtime property, takes the node's
property, evaluates the calls that it meets, and gives null for a part that is not there, as Heat does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.property_paths import Reading
from bpconvert.translators.passes.expressions.kinds import entered

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import References, Writing
    from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes

KIND = "value"
#: the property, in both languages, and the attribute
_VALUE = "value"


def put(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Write the value, also null (the type's default is a map). An input that is asked for it has its type; nothing is
    asked for what nobody reads."""
    if draft.node.name in writing.rewriter.referred:
        written = writing.rewriter.held(draft.node)
    else:
        is_of_stand_in = any(map(writing.topology.is_of_stand_in, ex.walk(value)))
        written = writing.rewriter.value(value, source, inert="node" if is_of_stand_in else "output")
    wanted = _INPUTS.get(str(draft.node.properties.get("type")))
    if wanted and isinstance(written, ex.Input) and isinstance(written.name, str) and not written.keys:
        writing.suggest_type(written.name, wanted)
    draft.put((_VALUE,), written, source)


def _held(node: Node) -> Value:
    """What a node holds; all of its properties where a call yields them."""
    return node.properties.get(_VALUE) if isinstance(node.properties, dict) else node.properties


def attribute(references: References, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
    """``[resource, value, step, ...]``."""
    reached, rest_of_path = entered(_held(node), expr.keys)
    if reached is MISSING:
        references.report("BPC716", expr.path, name=node.name)
        return None
    if not rest_of_path and keys and isinstance(entered(_held(node), expr.keys[:-1])[0], str):
        return reached  # one character
    name = references.node_name(node.name)
    is_known = not rest_of_path and reached is not None and _is_static(references.topology, reached, {node.name})
    if is_known and not references.is_held_elsewhere(node, expr.keys):
        return ex.Property(name, _VALUE, keys, path=expr.path)
    return ex.Attribute(name, _VALUE, keys, path=expr.path)


_INPUTS = {"json": "dict", "comma_delimited_list": "list"}


def _is_static(topology: Topology, value: Value, seen: set[str]) -> bool:
    """True when the value is known once the inputs are."""
    for expr in ex.walk(value):
        if expr.NEEDS != "deployment":
            continue
        node = topology.node(expr.node) if isinstance(expr, ex.Attribute) else None
        if not isinstance(expr, ex.Attribute) or node is None or node.kind != KIND or expr.name != _VALUE:
            return False
        reached, rest_of_path = entered(_held(node), expr.keys)
        if rest_of_path or node.name in seen or not _is_static(topology, reached, {*seen, node.name}):
            return False
    return True


# -- the way back -------------------------------------------------------------------------------------------


def read(reading: Reading, name: str, rule: PropertyRule) -> None:
    """The value as it is written, also an empty one."""
    for entry in reading.written.take(rule.to or ""):
        reading.put(name, reading.node.declared.get(_VALUE), entry.place)  # of another node, a reference to that


def refer(state: ReadNodes) -> None:
    """Let resources and outputs name the values that they use, where that is all they do with them; calls compute with
    the values themselves."""
    if not any(kind.kind == KIND for kind in state.kinds.values()):
        return
    topology = state.topology
    for node in state.nodes.values():
        node.properties = _referring(state, node.properties, node.name)
    for output in topology.published:
        output.value = _referring(state, output.value)


def _referring(state: ReadNodes, value: Any, owner: str = "") -> Any:
    if isinstance(value, ex.Property) and isinstance(value.node, str) and value.name == _VALUE and value.node != owner:
        node = state.nodes.get(value.node)
        if node is not None and node.kind == KIND and node.instances is MISSING:
            return ex.Attribute(value.node, _VALUE, value.keys, path=value.path)
    if isinstance(value, dict):
        return {key: _referring(state, item, owner) for key, item in value.items()}
    if isinstance(value, list):
        return [_referring(state, item, owner) for item in value]
    return value
