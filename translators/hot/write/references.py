"""References in HOT: inputs and their defaults, attributes, properties and what identifies a node."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.attributes import IDENTITIES, has_attribute
from bpconvert.translators.evaluate.scope import weight
from bpconvert.translators.hot import resource_types
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.defaults import KNOWN_FACTS
from bpconvert.translators.hot.write.rewriter import HotRewriter, may_be_null
from bpconvert.translators.passes.expressions.kinds import STRUCTURES, step_into
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.passes.software.kinds import DEPLOYMENT, DEPLOYMENT_GROUP

#: characters and parts of a default that is written where it is used: Heat takes no template of more than 512 KiB
_LONGEST: Final = 10_000

# -- inputs -------------------------------------------------------------------------------------------------


def input_(rewriter: HotRewriter, expr: ex.Input) -> Value:
    """``get_param``; with a computed default the choice between the parameter and what the default is."""
    context = rewriter.context
    if not isinstance(expr.name, str):
        return _computed_name(rewriter, expr)
    declared = context.topology.inputs.get(expr.name)
    if declared is None:
        raise Unsupported(f"there is no input '{expr.name}'")
    keys = tuple(rewriter.rewrite(key, expr.path) for key in expr.keys)
    parameter = ex.Input(context.names.parameter(expr.name), _json_keys(declared.default, keys), path=expr.path)
    if not context.defaults.default(declared).computed:
        return parameter
    problem = f"what input '{expr.name}' is by default is too long in the places that use it"
    if expr.name in context.defaults.too_long:
        raise Unsupported(problem)
    rewriter.copying()
    with rewriter.entering(("input", expr.name), f"the default of input '{expr.name}' refers to itself"):
        default = declared.default if declared.default is not MISSING else None
        place = (*declared.path, "default")
        otherwise = rewriter.rewrite(_entered(rewriter, default, _known_steps(expr.keys, keys), expr), place)
    if weight(otherwise) > _LONGEST:
        context.defaults.too_long.add(expr.name)
        raise Unsupported(problem)
    return ex.If(
        ex.Condition(context.defaults.given_condition(declared), path=expr.path), parameter, otherwise, path=expr.path
    )


def _computed_name(rewriter: HotRewriter, expr: ex.Input) -> Value:
    context = rewriter.context
    name = rewriter.rewrite(expr.name, expr.path)
    if isinstance(name, str):
        return input_(rewriter, ex.Input(name, expr.keys, strict=True, path=expr.path))
    if ex.is_constant(name) or rewriter.kind(name) in (*STRUCTURES, "number", "boolean"):
        problem = "'get_input' takes the name of an input, which is a text"
        context.reporter.report("BPC236", expr.path, problem=problem)
        raise Unsupported(problem)
    if may_be_null(name):
        raise Unsupported("the name of the input depends on a resource")
    names, defaults = context.names, context.defaults
    inputs = context.topology.inputs.values()
    odd = [
        reference.name
        for reference in inputs
        if defaults.default(reference).computed or names.parameter(reference.name) != reference.name
    ]
    if odd:
        raise Unsupported(f"the name of the input is computed, and '{odd[0]}' is not a plain parameter of that name")
    return ex.Input(name, tuple(rewriter.rewrite(key, expr.path) for key in expr.keys), path=expr.path)


def _json_keys(default: Value, keys: tuple[Value, ...]) -> tuple[Value, ...]:
    """``keys`` as they find the same in a json parameter, whose maps have text keys only."""
    steps: list[Value] = []
    for key in keys:
        is_number = isinstance(key, int) and not isinstance(key, bool)
        steps.append(str(key) if is_number and isinstance(default, dict) else key)
        default = step_into(default, (key,))
    return tuple(steps)


# -- entering values ----------------------------------------------------------------------------------------


def _known_steps(keys: tuple[Value, ...], rewritten: tuple[Value, ...]) -> tuple[Value, ...]:
    """``keys``, those that are known by their values: steps into what has not been rewritten yet."""
    return tuple(new if ex.is_constant(new) else old for old, new in zip(keys, rewritten, strict=True))


def _entered(rewriter: HotRewriter, value: Value, keys: tuple[Value, ...], expr: Expr) -> Value:
    """The part of an unsaid ``value`` that ``keys`` lead to, through literals, choices and references."""
    for position, key in enumerate(keys):
        if isinstance(value, Expr):
            return _extended(rewriter, value, keys[position:], expr)
        if isinstance(key, Expr):
            return _picked(rewriter, value, keys[position:], expr)
        value = step_into(value, (key,))
        if value is MISSING:
            raise _Absent(key)
    return value


def _picked(rewriter: HotRewriter, value: Value, keys: tuple[Value, ...], expr: Expr) -> Value:
    """The part of a literal that computed keys lead to: a choice for a boolean, else yaql."""
    if not isinstance(value, (dict, list)):
        raise _Absent(keys[0])
    if rewriter.kind(rewriter.rewrite(keys[0], expr.path)) == "boolean" and isinstance(value, list) and len(value) > 1:
        branches = [_entered(rewriter, value[index], keys[1:], expr) for index in (1, 0)]
        return ex.If(ex.Equals(keys[0], True, path=expr.path), *branches, path=expr.path)
    data = {"value": value, **{f"key{number}": key for number, key in enumerate(keys, 1)}}
    steps = "".join(f"[$.data.{name}]" for name in list(data)[1:])
    return ex.Query(f"$.data.value{steps}", data, path=expr.path)


class _Absent(Unsupported):
    """A step leads nowhere: the source refuses it too."""

    def __init__(self, key: Any) -> None:
        super().__init__("the value has no parts" if isinstance(key, Expr) else f"there is no '{key}' in the value")


def _extended(rewriter: HotRewriter, value: Expr, keys: tuple[Value, ...], expr: Expr) -> Value:
    """A reference with more steps."""
    if isinstance(value, (ex.Input, ex.Secret, ex.Capability)):
        return _with_keys(value, keys)
    if isinstance(value, (ex.Attribute, ex.Property)) and value.name is not MISSING:
        return _with_keys(value, keys)
    if isinstance(value, ex.If) and value.otherwise is not MISSING:
        branches = [_entered(rewriter, branch, keys, expr) for branch in (value.then, value.otherwise)]
        return ex.If(value.condition, *branches, path=value.path)
    raise Unsupported("a part is taken of a value that is only known when deploying")


def _with_keys(value: Any, keys: tuple[Value, ...]) -> Value:
    fields = {name: getattr(value, name) for name in ex.field_names(type(value))}
    return type(value)(**{**fields, "keys": (*value.keys, *keys)}, path=value.path)


# -- nodes --------------------------------------------------------------------------------------------------


def _node(rewriter: HotRewriter, name: Value, path: Path) -> Node:
    if isinstance(name, Expr):
        name = rewriter.rewrite(name, path)
    nodes, words = rewriter.context.topology.nodes, rewriter.context.words
    if name == "SELF" and rewriter.owner is not None and (name not in nodes or words.legal(name) != name):
        name = rewriter.owner  # unless the source's language has no such word, and a node is called so
    node = nodes.get(name) if isinstance(name, str) else None
    if node is not None:
        return node
    if name in ("SELF", "SOURCE", "TARGET"):
        raise Unsupported(f"it depends on which node is {name}")
    raise Unsupported("the node's name is computed" if isinstance(name, Expr) else f"there is no node '{name}'")


def identity(rewriter: HotRewriter, expr: ex.Identity) -> Value:
    """``get_resource``; of an existing resource that is only known by its name, that name; of several, the first."""
    context = rewriter.context
    node = _node(rewriter, expr.node, expr.path)
    if node.external_name is not MISSING:
        return rewriter.known_by_name(node, expr.path)
    name = context.names.resource(node.name)
    _is_resource(node)
    if context.is_stand_in(node) and not rewriter.inert:
        raise Unsupported(f"'{node.name}' is a stand-in and has no id")
    if context.is_group(node) and not _scales(rewriter, node):
        _first(context, node, expr)
        return ex.Attribute(name, "resource.0", path=expr.path)
    return ex.Identity(name, path=expr.path)


def _is_resource(node: Node) -> None:
    """Raise Unsupported for software: its operations are resources, the node is none."""
    if node.role and node.kind is None:
        raise Unsupported(f"'{node.name}' is software, which is no resource of its own")


def _scales(rewriter: HotRewriter, group: Node) -> bool:
    """True where a scaling policy of Heat names the group that it scales."""
    owner = rewriter.context.topology.node(rewriter.owner)
    scales = owner is not None and owner.source_type == resource_types.SCALING_POLICY
    return scales and rewriter.context.is_auto_scaling(group)


def _first(context: Context, node: Node, expr: Expr) -> None:
    """Report that a value is that of the first of several; raise Unsupported where there is none."""
    if node.instances == 0 and not isinstance(node.instances, bool):
        raise Unsupported(f"there is no instance of '{node.name}'")
    context.reporter.report("BPC243", expr.path, name=node.name)


#: the attribute of a ResourceGroup that has the ids of its members
_MEMBERS = "refs"


def attribute(rewriter: HotRewriter, expr: ex.Attribute) -> Value:
    """``get_attr``, or the property of that name."""
    context = rewriter.context
    node = _node(rewriter, expr.node, expr.path)
    keys = tuple(rewriter.rewrite(key, expr.path) for key in expr.keys)
    publisher = context.publishers.get((node.name, expr.name)) if isinstance(expr.name, str) else None
    if publisher is not None:
        code = "BPC432" if publisher in context.fitted else "BPC842"
        context.reporter.report(code, expr.path, name=expr.name, deployment=publisher)
        return ex.Attribute(publisher, expr.name, keys, path=expr.path)
    if expr.name is MISSING:
        _needs_attributes(rewriter, node)
        return ex.Attribute(context.names.resource(node.name), path=expr.path)
    name = rewriter.rewrite(expr.name, expr.path)
    if node.external_name is not MISSING:
        if name == "name":
            return rewriter.rewrite(node.external_name, expr.path)
        raise Unsupported(f"'{node.name}' exists already and only its name is known")
    if not isinstance(name, str):
        raise Unsupported("the attribute's name is computed")
    if (node.kind, name) in IDENTITIES and not keys:
        return identity(rewriter, ex.Identity(node.name, path=expr.path))
    if not _answers(rewriter, node, name):
        steps = (name, *_known_steps(expr.keys, keys))
        if _is_declared(node, steps):
            context.reporter.report("BPC241", expr.path, name=name, node=node.name)
            return _resolved(rewriter, node, steps, expr)
        if node.kind is not None:
            raise Unsupported(_no_attribute(rewriter, node, name, keys))
        _is_resource(node)
        _needs_attributes(rewriter, node)
        if rewriter.inert != "node":  # there both are reported as stand-ins
            context.reporter.report("BPC240", expr.path, name=name, node=node.name)
    group = context.is_group(node)
    if group:
        _first(context, node, expr)
    return ex.Attribute(
        context.names.resource(node.name), f"resource.0.{name}" if group else name, keys, path=expr.path
    )


def _needs_attributes(rewriter: HotRewriter, node: Node) -> None:
    """Raise Unsupported where a resource would use a value of a stand-in: it is null."""
    if rewriter.context.is_stand_in(node) and not rewriter.inert:
        raise Unsupported(f"'{node.name}' is a stand-in without attributes", node.name)


def _answers(rewriter: HotRewriter, node: Node, name: str) -> bool:
    """True when the Heat resource has the attribute."""
    kind = rewriter.context.catalogue.kind(node.kind)
    if node.nested is not None:
        return name in node.nested.outputs.values()
    if node.kind in (DEPLOYMENT, DEPLOYMENT_GROUP):  # its outputs are what the configuration publishes
        return True
    return rewriter.context.is_native(node) or (kind is not None and has_attribute(kind, name))


def _no_attribute(rewriter: HotRewriter, node: Node, name: str, keys: tuple[Value, ...]) -> str:
    """Why there is no such attribute. The capabilities of a component are the outputs of its template."""
    kind = rewriter.context.catalogue.kind(node.kind)
    is_known = kind is not None and kind.heat and not rewriter.context.is_native(node)
    heat_type = kind.heat[0] if kind is not None and is_known else node.source_type
    if node.nested is None or name != "capabilities":
        return f"{heat_type} has no attribute '{name}'"
    if keys:
        return f"{heat_type} has no output '{keys[0]}'"
    return f"each output of {heat_type} is an attribute of its own"


def attribute_list(rewriter: HotRewriter, expr: ex.AttributeList) -> Value:
    """The attribute in a list; of a group, the group's attribute, which is the list of all members'."""
    context = rewriter.context
    node = _node(rewriter, expr.node, expr.path)
    of_ids = expr.name in (MISSING, "id") and not expr.keys
    if not context.is_group(node):
        if of_ids:
            return [identity(rewriter, ex.Identity(node.name, path=expr.path))]
        return [attribute(rewriter, ex.Attribute(node.name, expr.name, expr.keys, path=expr.path))]
    if of_ids:
        return ex.Attribute(context.names.resource(node.name), _MEMBERS, path=expr.path)
    name = rewriter.rewrite(expr.name, expr.path)
    keys = tuple(rewriter.rewrite(key, expr.path) for key in expr.keys)
    if not isinstance(name, str):
        raise Unsupported("the attribute's name is computed")
    if not _answers(rewriter, node, name):
        raise Unsupported(_no_attribute(rewriter, node, name, keys))
    if context.is_auto_scaling(node):
        context.least_version = max(context.least_version, "2014-10-16")
        return ex.Attribute(context.names.resource(node.name), "outputs_list", (name, *keys), path=expr.path)
    if keys:  # before, the steps select from the list of all members
        context.least_version = max(context.least_version, "2014-10-16")
    return ex.Attribute(context.names.resource(node.name), name, keys, path=expr.path)


# -- properties ---------------------------------------------------------------------------------------------


def property_(rewriter: HotRewriter, expr: ex.Property) -> Value:
    """The property's value, where it is used."""
    node = _node(rewriter, expr.node, expr.path)
    steps = tuple(rewriter.rewrite(step, expr.path) for step in (expr.name, *expr.keys))
    if not ex.is_constant(steps):
        raise Unsupported("the name of the property is computed")
    return _resolved(rewriter, node, steps, expr)


def _resolved(rewriter: HotRewriter, node: Node, steps: tuple[Value, ...], expr: Expr) -> Value:
    circle = f"property '{steps[0]}' of '{node.name}' refers to itself"
    try:
        with rewriter.entering(("property", node.name, repr(steps)), circle, owner=node.name):
            if sum(key[0] == "property" for key in rewriter.busy if isinstance(key, tuple)) > 1:
                rewriter.copying()
            declared = _entered(rewriter, node.declared, steps, expr)
            return rewriter.rewrite(
                declared, declared.path if isinstance(declared, Expr) and declared.path else expr.path
            )
    except _Absent:
        problem = f"'{node.name}' has no property '{'.'.join(map(str, steps))}'"
        rewriter.context.reporter.report("BPC242", expr.path, problem=problem)
        raise Unsupported(problem) from None
    except Unsupported as unsupported:
        if unsupported.reason == circle:
            rewriter.context.reporter.report("BPC242", expr.path, problem=circle)
        raise


def _is_declared(node: Node, steps: tuple[Value, ...]) -> bool:
    """True when the node has the property as far as its literals tell."""
    value: Value = node.declared
    for step in steps:
        if isinstance(value, Expr):
            return True
        value = step_into(value, (step,))
    return value is not MISSING and value is not None


# -- what only the manager knows ----------------------------------------------------------------------------


def secret(rewriter: HotRewriter, expr: ex.Secret) -> Value:
    """A hidden parameter; visible data where nothing depends on it. An output, which is written after the resources,
    has the parameter that one of them needs."""
    context, kind = rewriter.context, "json" if expr.keys else "string"
    if rewriter.inert and (rewriter.inert == "node" or context.added.known_secret(expr.name, kind) is None):
        raise Unsupported("Heat has no secrets, and no resource needs this one")
    name = rewriter.rewrite(expr.name, expr.path)
    if not isinstance(name, str):
        raise Unsupported("the name of the secret is computed")
    keys = tuple(rewriter.rewrite(key, expr.path) for key in expr.keys)
    parameter = context.added.secret(name, expr.path, kind)
    return ex.Input(parameter, keys, path=expr.path)


def system(rewriter: HotRewriter, expr: ex.System) -> Value:
    """The pseudo parameters for the deployment's name and id; nothing answers the rest."""
    if expr.name in KNOWN_FACTS:
        if expr.name == "deployment.id":
            rewriter.context.reporter.report("BPC249", expr.path)
        return expr
    return unknown(rewriter, expr)


def attribute_dict(rewriter: HotRewriter, expr: ex.AttributeDict) -> Value:
    """A map by the ids of instances, which Heat does not have."""
    raise Unsupported("Heat has no function that gives attributes by the ids of the instances")


def unknown(rewriter: HotRewriter, expr: Expr) -> Value:
    """What only the manager of the source knows."""
    raise Unsupported(f"only the {rewriter.context.engine} manager knows it")
