"""A last look at the nodes as they are written, with the defaults of all inputs: does the plugin take the values?"""

from __future__ import annotations

from collections.abc import Iterable

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.translators.cloudify.openstack import demands
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.passes.expressions import branches
from bpconvert.translators.passes.expressions.kinds import RESULT, VALUE
from bpconvert.translators.support.places import inside


def check(context: Context, drafts: Iterable[NodeDraft]) -> None:
    """Report what cannot be deployed, and what may not be deployed with the values that are given then."""
    if context.generation2:
        return
    scope = Scope(inputs=_defaults(context), attributes=_constants(context))
    for draft in drafts:
        if draft.kind is None or draft.kind.cloudify is None or draft.kind.cloudify.plain:
            continue
        properties = branches.merged(draft.properties, draft.optional)
        for demand, met in demands.unmet(draft, {key: _computed(part, scope) for key, part in properties.items()}):
            value = inside(properties, demand.path)
            if met is None and isinstance(value, ex.Input) and value.name in context.inputs.added:
                continue  # it is asked for, which has been reported
            code = "BPC705" if met is not None else "BPC706"
            words = {"name": demand.path[-1], "node": draft.node.name, "why": demand.why}
            if met is None and demand.usual and isinstance(value, ex.Input):
                code, words = "BPC266", {**words, "input": value.name}
            context.reporter.report(code, draft.source(("properties", *demand.path)), **words)


def _defaults(context: Context) -> dict[str, Value]:
    """The default of each input that has one, by its name in the blueprint."""
    defaults = {
        context.names.input(name): context.inputs.defaults.get(name, declared.default)
        for name, declared in context.topology.inputs.items()
    }
    defaults |= {name: data.get("default", MISSING) for name, data in context.inputs.added.items()}
    return {name: value for name, value in defaults.items() if value is not MISSING}


def _constants(context: Context) -> dict[str, dict[str, Value]]:
    """What nodes hold for others that a blueprint has no form for, which is there whatever the inputs are."""
    nodes = ((name, node) for name, node in context.topology.nodes.items() if node.kind == VALUE)
    held = {name: node.properties.get(VALUE, MISSING) for name, node in nodes if isinstance(node.properties, dict)}
    held = {name: value for name, value in held.items() if value is not MISSING}
    return {context.names.node(name): {RESULT: value} for name, value in held.items() if ex.is_constant(value)}


def _computed(value: Value, scope: Scope) -> Value:
    """What is known of ``value``; itself where Cloudify would refuse to compute it, which other findings are about."""
    try:
        return fold(value, scope)
    except (Refused, RecursionError):
        return value
