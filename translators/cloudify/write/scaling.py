"""Groups of nodes that are scaled together: their sizes, and the values of all their members."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Group
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.references import References
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.passes.expressions.kinds import has_number
from bpconvert.translators.passes.expressions.rewriter import Unsupported

#: size of a group -> what a scaling policy calls it
SIZES: Final = {"count": "default_instances", "least": "min_instances", "most": "max_instances"}


def lower_sizes(rewriter: DslRewriter) -> None:
    """Let the sizes of all groups be what their policies take: numbers that are known once the inputs are."""
    for group in rewriter.context.topology.groups.values():
        sizes = group.sizes.items()
        group.sizes = {
            key: _size(rewriter, value, group.origins[key])
            for key, value in sizes
            if not _has_no_maximum(rewriter.context, group, key)
        }


def _has_no_maximum(context: Context, group: Group, key: str) -> bool:
    """True for a maximum that the policy cannot have: the parser refuses one of 0."""
    if key != "most" or group.sizes[key] != 0 or isinstance(group.sizes[key], ex.Expr):
        return False
    place = group.origins[key]
    context.reporter.report("BPC743", place, name=place[-1], why="a scaling policy has no maximum of 0")
    return True


def _size(rewriter: DslRewriter, value: Value, path: Path) -> Value:
    if not isinstance(value, ex.Expr):
        return value
    context, kind = rewriter.context, rewriter.kind(value)
    why = "" if kind in ("number", "any") else f"the number of instances is a {kind}, not a number"
    if not rewriter.is_static(value):
        why = "the number of instances has to be known when deploying"
    written = rewriter.replacement(value, value.path or path, why) if why else rewriter.value(value, path)
    asked = context.inputs.added.get(written.name) if isinstance(written, ex.Input) and not written.keys else None
    if asked is not None:  # the manager adds to any other value without a finding that a person understands
        context.inputs.added[written.name] = {"type": "integer", **asked}
    elif isinstance(written, ex.Input) and kind == "number":
        context.inputs.counts.add(written.name)
    return written


def attribute_list(rewriter: DslRewriter, expr: ex.AttributeList) -> Value:
    """``get_attributes_list`` of what answers the attribute of one."""
    reference = _of_one(rewriter, expr, expr.name, expr.keys)
    rewriter.context.reporter.report("BPC744", expr.path, name=expr.node)
    return ex.AttributeList(reference.node, reference.name, reference.keys, path=expr.path)


def attribute_dict(rewriter: DslRewriter, expr: ex.AttributeDict) -> Value:
    """``get_attributes_dict``, where nothing depends on its keys: they are ids of instances, each with a map."""
    wanted = expr.names[0] if len(expr.names) == 1 else MISSING
    if not rewriter.inert:
        title = rewriter.request.source.title
        raise Unsupported(f"{title}'s map is by the members' names, Cloudify's by the ids of instances")
    if wanted == []:
        raise Unsupported("no attribute is named")
    name, *keys = wanted if isinstance(wanted, list) else [wanted]
    reference = _of_one(rewriter, expr, name, tuple(keys))
    steps = [reference.name, *reference.keys]
    if not all(isinstance(step, str) for step in steps):
        raise Unsupported("get_attributes_dict takes no places in lists")
    node = rewriter.context.topology.node(expr.node)
    if node is None or not node.stand_in:
        rewriter.context.reporter.report("BPC746", expr.path, name=expr.node)
    return ex.AttributeDict(reference.node, (steps[0] if len(steps) == 1 else steps,), path=expr.path)


def _of_one(
    rewriter: DslRewriter, expr: ex.AttributeList | ex.AttributeDict, name: Value, keys: tuple[Value, ...]
) -> ex.Attribute | ex.Property:
    """What answers the attribute of a single instance: something of the node itself or of another member.

    Raises Unsupported for what is the same for all instances: how many there are is not known."""
    context = rewriter.context
    references = References(rewriter)
    if name is MISSING:
        reference = references.identity(ex.Identity(expr.node, path=expr.path))
    else:
        reference = references.attribute(ex.Attribute(expr.node, name, keys, path=expr.path))
    group = context.topology.nodes[str(expr.node)].group
    members = {context.names.node(node.name) for node in context.topology.nodes.values() if node.group == group}
    if not isinstance(reference, (ex.Attribute, ex.Property)) or reference.node not in members:
        raise Unsupported("the value is the same for all members, and how many there are is not known")
    node = context.topology.nodes[str(expr.node)]
    if (isinstance(reference, ex.Property) or node.kind == "value") and has_number(node.properties):
        raise Unsupported("the number of the instance is in it, and the engine resolves it for one instance only")
    return reference
