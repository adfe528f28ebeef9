"""What exists already of a topology: texts that were drawn once become secrets."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Topology
from bpconvert.translators.passes.request import Request


def drawn_texts(topology: Topology, request: Request) -> Topology:
    """Let secrets stand for nodes that only have drawn a text, which is never written into a result."""
    running = request.options.running or {}
    drawn = {name for name, node in topology.nodes.items() if name in running and running[name].value}
    for name in drawn:
        request.reporter.report("BPC673", topology.nodes[name].path, name=name, secret=running[name].secret)

    def secret(expr: ex.Expr) -> Value:
        if isinstance(expr, (ex.Attribute, ex.Identity)) and expr.node in drawn:
            return ex.Secret(running[expr.node].secret, path=expr.path)
        return expr

    topology.rewrite(lambda value: ex.transform(value, secret))
    for node in topology.nodes.values():
        node.relationships = [one for one in node.relationships if one.target not in drawn]
    for name in drawn:
        del topology.nodes[name]
    return topology
