"""Resources of which it is not certain whether they exist already.

Of one that is created where it is missing (``create_if_missing``) it is also read how. One of which a value decides
(``use_external_resource: {get_input: ...}``) is two nodes: one that is created, and one that stands for the existing
resource, each on its condition. What refers to the node refers to the one that is there.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
from bpconvert.translators.cloudify.vocabulary import MADE_ANYWAY
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.text import fresh
from bpconvert.translators.toscalike.node_templates import RawNode

EXISTS: Final = "use_external_resource"

def decided(state: ReadNodes, raw: RawNode) -> Value:
    """What decides whether a node exists already; MISSING where no value does."""
    flag = (raw.declared or raw.properties).get(EXISTS)
    return flag if isinstance(flag, ex.Expr) and raw.name in state.kinds else MISSING


class _Silent:
    """What is found of a node that was read before."""

    def report(self, code: str, path: Path = (), **texts: Any) -> None:
        pass


def otherwise(state: ReadNodes, read: Callable[[Topology, dict[str, RawNode], Reports], None]) -> None:
    """Note with what the nodes are created that are created where they are missing. ``read``: fills a topology with
    nodes as written."""
    optional = []
    for name, written in state.raw.items():
        flags = [(written.declared or written.properties).get(key) for key in (EXISTS, MADE_ANYWAY)]
        if flags == [True, True] and name in state.nodes and state.nodes[name].external_id is not MISSING:
            optional.append(name)
    if not optional:
        return
    topology = Topology(state.topology.dialect, state.topology.version)
    topology.inputs = {name: replace(declared) for name, declared in state.topology.inputs.items()}
    raw = deepcopy(state.raw)
    for name in optional:
        for part in (raw[name].properties, raw[name].declared):
            part |= {EXISTS: False} if EXISTS in part else {}
    read(topology, raw, _Silent())
    for name in optional:
        node = topology.nodes.get(name)
        if node is not None and node.kind == state.nodes[name].kind:
            state.nodes[name].otherwise = node.properties


def separate(state: ReadNodes, read: Callable[[ReadNodes, RawNode], Node]) -> None:
    """Let the nodes be two of which a value decides whether they exist. ``read``: makes a node of one as written."""
    conditional: dict[str, tuple[Value, str]] = {}
    silent = ReadNodes(state.topology, state.raw, state.catalogue, _Silent())
    silent.components = silent.runtime.nested = state.components
    silent.groups = state.groups
    for name, raw in state.raw.items():
        flag = decided(state, raw)
        node = state.nodes.get(name)
        if flag is MISSING or node is None:
            continue
        place = (*raw.path, "properties", EXISTS)
        if raw.is_scaled:
            state.report("BPC755", place, name=name, why="there may be several of it")
            continue
        other = fresh(f"{name}_existing", state.nodes)
        values = [{**part, EXISTS: True} for part in (raw.properties, raw.declared)]
        for part in (state, silent):
            part.kinds[other], part.mapped[other] = state.kinds[name], state.mapped[name]
        as_written = replace(raw, name=other, properties=values[0], declared=values[1], operations=[], relationships=[])
        node_read = read(silent, as_written)
        if not node_read.exists:
            state.report("BPC755", place, name=name, why="neither its id nor its name is given")
            continue
        node_read.path, node_read.condition = raw.path, state.value(flag)
        node.condition = ex.Not(node_read.condition)
        state.nodes[other] = node_read
        state.made.setdefault(name, []).append(other)
        conditional[name] = node_read.condition, other
        state.report("BPC323", place, name=name)

    def chosen(expr: ex.Expr) -> Value:
        """A reference to one of the two."""
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str) and expr.node in conditional:
            flag, other = conditional[expr.node]
            return ex.If(flag, replace(expr, node=other), expr, path=expr.path)
        return expr

    if conditional:
        state.topology.rewrite(lambda value: ex.transform(value, chosen))
        for node in state.nodes.values():
            node.rewrite(lambda value: ex.transform(value, chosen), declared=False)
            node.wait_for(*(conditional[target][1] for target in node.awaited if target in conditional))
