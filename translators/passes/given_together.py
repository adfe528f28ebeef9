"""Inputs of a document whose orchestrator gives one parameter only: what is asked for is a part of that."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Input, Topology
from bpconvert.translators.passes.request import Request

#: the key of what the orchestrator knows nothing about
_OTHERS: Final = "inputs"


def give_together(topology: Topology, request: Request) -> Topology:
    """Let each input that has to be given be a part of the parameter; one that nothing uses is left out. Those with a
    default stay as they are: nobody gives them another value."""
    name = request.target.given_in[str(request.options.orchestrator)]
    inputs = topology.inputs
    wanted = [declared for declared in inputs.values() if declared.default is MISSING and declared.name != name]
    parts = inputs.setdefault(name, Input(name, "json", added=True)).parts  # given, whether it is used or not
    used = {call.name for value in topology.values() for call in ex.walk(value) if isinstance(call, ex.Input)}
    for declared in wanted:
        del inputs[declared.name]
        if declared.name in used:
            keys = (_OTHERS, declared.name)
            parts[keys] = declared
            request.reporter.report("BPC988", declared.path, name=declared.name, way=", ".join((name, *keys)))
        else:
            request.reporter.report("BPC989", declared.path, name=declared.name)
    asked = {declared.name for declared in wanted}
    if not asked:
        return topology

    def part(expr: ex.Expr) -> Value:
        if isinstance(expr, ex.Input) and expr.name in asked:
            return ex.Input(name, (_OTHERS, expr.name, *expr.keys), path=expr.path)
        return expr

    topology.rewrite(lambda value: ex.transform(value, part))
    return topology
