"""References in HOT: inputs and their defaults, attributes, properties and what identifies a node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.topology import Input, Node
from bpconvert.translators.catalogue.attributes import IDENTITIES, has_attribute
from bpconvert.translators.cloudify.read.scaling import HEAT_POLICY
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.hot.write.context import KNOWN_FACTS
from bpconvert.translators.hot.write.unsupported import Cannot
from bpconvert.translators.hot.write.value_kinds import STRUCTURES, may_be_null

if TYPE_CHECKING:
    from bpconvert.translators.hot.write.context import Context
    from bpconvert.translators.hot.write.legalise import Legaliser

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}", re.IGNORECASE)

# -- inputs -------------------------------------------------------------------------------------------------


def input_(legaliser: Legaliser, expr: ex.Input) -> Value:
    """``get_param``; with a computed default the choice between the parameter and what the default says."""
    context = legaliser.context
    if not isinstance(expr.name, str):
        return _computed_name(legaliser, expr)
    declared = context.topology.inputs.get(expr.name)
    if declared is None:
        raise Cannot(f"there is no input '{expr.name}'")
    keys = tuple(legaliser.say(key, expr.path) for key in expr.keys)
    parameter = ex.Input(context.parameter_name(expr.name), _json_keys(declared.default, keys), path=expr.path)
    if not context.default_of(declared).computed:
        return parameter
    with legaliser.entering(("input", expr.name), f"the default of input '{expr.name}' refers to itself"):
        default = declared.default if declared.default is not MISSING else None
        place = (*declared.path, "default")
        otherwise = legaliser.say(_entered(legaliser, default, _unsaid(expr.keys, keys), expr), place)
    return ex.If(ex.Condition(context.given(declared), path=expr.path), parameter, otherwise, path=expr.path)


def _computed_name(legaliser: Legaliser, expr: ex.Input) -> Value:
    context = legaliser.context
    name = legaliser.say(expr.name, expr.path)
    if isinstance(name, str):
        return input_(legaliser, ex.Input(name, expr.keys, strict=True, path=expr.path))
    if ex.is_constant(name) or legaliser.kind(name) in (*STRUCTURES, "number", "boolean"):
        problem = "'get_input' takes the name of an input, which is a text"
        context.reporter.report("BPC236", expr.path, problem=problem)
        raise Cannot(problem)
    if may_be_null(name):
        raise Cannot("the name of the input depends on a resource")
    odd = [other.name for other in context.topology.inputs.values() if _is_odd(legaliser, other)]
    if odd:
        raise Cannot(f"the name of the input is computed, and '{odd[0]}' is not a plain parameter of that name")
    return ex.Input(name, tuple(legaliser.say(key, expr.path) for key in expr.keys), path=expr.path)


def _is_odd(legaliser: Legaliser, declared: Input) -> bool:
    context = legaliser.context
    return context.default_of(declared).computed or context.parameter_name(declared.name) != declared.name


def _json_keys(default: Value, keys: tuple[Value, ...]) -> tuple[Value, ...]:
    """``keys`` as they find the same in a json parameter, whose maps have text keys only."""
    steps: list[Value] = []
    for key in keys:
        whole = isinstance(key, int) and not isinstance(key, bool)
        steps.append(str(key) if whole and isinstance(default, dict) else key)
        try:
            default = default[key] if isinstance(default, (dict, list)) and not isinstance(key, Expr) else MISSING
        except (KeyError, IndexError, TypeError):
            default = MISSING
    return tuple(steps)


# -- entering values ----------------------------------------------------------------------------------------


def _unsaid(keys: tuple[Value, ...], said: tuple[Value, ...]) -> tuple[Value, ...]:
    """``keys``, those that are known by their values: steps into what has not been said yet."""
    return tuple(new if ex.is_constant(new) else old for old, new in zip(keys, said, strict=True))


def _entered(legaliser: Legaliser, value: Value, keys: tuple[Value, ...], expr: Expr) -> Value:
    """The part of an unsaid ``value`` that ``keys`` lead to, through literals, choices and references."""
    for position, key in enumerate(keys):
        if isinstance(value, Expr):
            return _extended(legaliser, value, keys[position:], expr)
        if isinstance(key, Expr):
            return _picked(legaliser, value, keys[position:], expr)
        try:
            value = value[key] if isinstance(value, (dict, list)) else _absent(key)
        except (KeyError, IndexError, TypeError):
            _absent(key)
    return value


def _picked(legaliser: Legaliser, value: Value, keys: tuple[Value, ...], expr: Expr) -> Value:
    """The part of a literal that computed keys lead to: a choice for a boolean, else yaql."""
    if not isinstance(value, (dict, list)):
        _absent(keys[0])
    if legaliser.kind(legaliser.say(keys[0], expr.path)) == "boolean" and isinstance(value, list) and len(value) > 1:
        branches = [_entered(legaliser, value[index], keys[1:], expr) for index in (1, 0)]
        return ex.If(ex.Equals(keys[0], True, path=expr.path), *branches, path=expr.path)
    data = {"value": value, **{f"key{number}": key for number, key in enumerate(keys, 1)}}
    steps = "".join(f"[$.data.{name}]" for name in list(data)[1:])
    return ex.Query(f"$.data.value{steps}", data, path=expr.path)


def _absent(key: Any) -> Value:
    raise _Absent(f"there is no '{key}' in the value")


class _Absent(Cannot):
    """A step leads nowhere: Cloudify refuses it too."""


def _extended(legaliser: Legaliser, value: Expr, keys: tuple[Value, ...], expr: Expr) -> Value:
    """A reference with more steps."""
    if isinstance(value, (ex.Input, ex.Secret, ex.Capability)):
        return _with_keys(value, keys)
    if isinstance(value, (ex.Attribute, ex.Property)) and value.name is not MISSING:
        return _with_keys(value, keys)
    if isinstance(value, ex.If) and value.otherwise is not MISSING:
        branches = [_entered(legaliser, branch, keys, expr) for branch in (value.then, value.otherwise)]
        return ex.If(value.condition, *branches, path=value.path)
    raise Cannot("a part is taken of a value that is only known when deploying")


def _with_keys(value: Any, keys: tuple[Value, ...]) -> Value:
    fields = {name: getattr(value, name) for name in ex.field_names(type(value))}
    return type(value)(**{**fields, "keys": (*value.keys, *keys)}, path=value.path)


# -- nodes --------------------------------------------------------------------------------------------------


def _node(legaliser: Legaliser, name: Value, path: Path) -> Node:
    if isinstance(name, Expr):
        name = legaliser.say(name, path)
    if name == "SELF" and legaliser.owner is not None:
        name = legaliser.owner
    found = legaliser.context.topology.nodes.get(name) if isinstance(name, str) else None
    if found is not None:
        return found
    if name in ("SELF", "SOURCE", "TARGET"):
        raise Cannot(f"it depends on which node is {name}")
    raise Cannot("the node's name is computed" if isinstance(name, Expr) else f"there is no node '{name}'")


def identity(legaliser: Legaliser, expr: ex.Identity) -> Value:
    """``get_resource``; of an existing resource that is only known by its name, that name; of several, the first."""
    context = legaliser.context
    node = _node(legaliser, expr.node, expr.path)
    if node.external_name is not MISSING:
        if not legaliser.names and not _is_id(context, node):
            context.reporter.report("BPC248", expr.path, name=node.name)
        return legaliser.say(node.external_name, expr.path)
    name = context.resource_name(node.name)
    if context.is_stand_in(node) and not legaliser.inert:
        raise Cannot(f"'{node.name}' is a stand-in and has no id")
    if context.is_group(node) and not _scales(legaliser, node):
        _first(context, node, expr)
        return ex.Attribute(name, "resource.0", path=expr.path)
    return ex.Identity(name, path=expr.path)


def _scales(legaliser: Legaliser, group: Node) -> bool:
    """True where a scaling policy of Heat names the group that it scales."""
    owner = legaliser.context.topology.nodes.get(legaliser.owner or "")
    return owner is not None and owner.source_type == HEAT_POLICY and legaliser.context.is_auto_scaling(group)


def _first(context: Context, node: Node, expr: Expr) -> None:
    """Report that a value is that of the first of several; raise Cannot where there is none."""
    if node.instances == 0 and not isinstance(node.instances, bool):
        raise Cannot(f"there is no instance of '{node.name}'")
    context.reporter.report("BPC243", expr.path, name=node.name)


def _is_id(context: Context, node: Node) -> bool:
    """True when what an existing resource is known by is its id as well."""
    kind = context.catalogue.kind(node.kind)
    by_name = kind is not None and kind.by_name
    return by_name or (isinstance(node.external_name, str) and bool(_UUID.fullmatch(node.external_name)))


#: the attribute of a ResourceGroup that has the ids of its members
_MEMBERS = "refs"


def attribute(legaliser: Legaliser, expr: ex.Attribute) -> Value:
    """``get_attr``, or the property of that name."""
    context = legaliser.context
    node = _node(legaliser, expr.node, expr.path)
    keys = tuple(legaliser.say(key, expr.path) for key in expr.keys)
    if expr.name is MISSING:
        _needs_attributes(legaliser, node)
        return ex.Attribute(context.resource_name(node.name), path=expr.path)
    name = legaliser.say(expr.name, expr.path)
    if node.external_name is not MISSING:
        if name == "name":
            return legaliser.say(node.external_name, expr.path)
        raise Cannot(f"'{node.name}' exists already and only its name is known")
    if not isinstance(name, str):
        raise Cannot("the attribute's name is computed")
    if (node.kind, name) in IDENTITIES and not keys:
        return identity(legaliser, ex.Identity(node.name, path=expr.path))
    if not _answers(legaliser, node, name):
        steps = (name, *_unsaid(expr.keys, keys))
        if _is_declared(node, steps):
            context.reporter.report("BPC241", expr.path, name=name, node=node.name)
            return _resolved(legaliser, node, steps, expr)
        if node.kind is not None:
            raise Cannot(_no_attribute(legaliser, node, name, keys))
        _needs_attributes(legaliser, node)
        if legaliser.inert != "node":  # there both are said to be stand-ins
            context.reporter.report("BPC240", expr.path, name=name, node=node.name)
    group = context.is_group(node)
    if group:
        _first(context, node, expr)
    return ex.Attribute(
        context.resource_name(node.name), f"resource.0.{name}" if group else name, keys, path=expr.path
    )


def _needs_attributes(legaliser: Legaliser, node: Node) -> None:
    """Raise Cannot where a resource would use a value of a stand-in: it is null."""
    if legaliser.context.is_stand_in(node) and not legaliser.inert:
        raise Cannot(f"'{node.name}' is a stand-in without attributes")


def _answers(legaliser: Legaliser, node: Node, name: str) -> bool:
    """True when the Heat resource has the attribute."""
    kind = legaliser.context.catalogue.kind(node.kind)
    if node.nested is not None:
        return name in node.nested.outputs.values()
    return node.native == DIALECT or (kind is not None and has_attribute(kind, name))


def _heat_type(legaliser: Legaliser, node: Node) -> str:
    kind = legaliser.context.catalogue.kind(node.kind)
    return kind.heat[0] if kind is not None and node.native != DIALECT else node.source_type


def _no_attribute(legaliser: Legaliser, node: Node, name: str, keys: tuple[Value, ...]) -> str:
    """Why there is no such attribute. The capabilities of a component are the outputs of its template."""
    heat_type = _heat_type(legaliser, node)
    if node.nested is None or name != "capabilities":
        return f"{heat_type} has no attribute '{name}'"
    if keys:
        return f"{heat_type} has no output '{keys[0]}'"
    return f"each output of {heat_type} is an attribute of its own"


def attribute_list(legaliser: Legaliser, expr: ex.AttributeList) -> Value:
    """The attribute in a list; of a group, the group's attribute, which is the list of all members'."""
    context = legaliser.context
    node = _node(legaliser, expr.node, expr.path)
    if not context.is_group(node):
        if expr.name == "id" and not expr.keys:
            return [identity(legaliser, ex.Identity(node.name, path=expr.path))]
        return [attribute(legaliser, ex.Attribute(node.name, expr.name, expr.keys, path=expr.path))]
    name = legaliser.say(expr.name, expr.path)
    keys = tuple(legaliser.say(key, expr.path) for key in expr.keys)
    if not isinstance(name, str):
        raise Cannot("the attribute's name is computed")
    if name == "id" and not keys:
        return ex.Attribute(context.resource_name(node.name), _MEMBERS, path=expr.path)
    if not _answers(legaliser, node, name):
        raise Cannot(_no_attribute(legaliser, node, name, keys))
    if context.is_auto_scaling(node):
        context.least_version = max(context.least_version, "2014-10-16")
        return ex.Attribute(context.resource_name(node.name), "outputs_list", (name, *keys), path=expr.path)
    if keys:  # before, the steps select from the list of all members
        context.least_version = max(context.least_version, "2014-10-16")
    return ex.Attribute(context.resource_name(node.name), name, keys, path=expr.path)


# -- properties ---------------------------------------------------------------------------------------------


def property_(legaliser: Legaliser, expr: ex.Property) -> Value:
    """The property's value, said where it is used."""
    node = _node(legaliser, expr.node, expr.path)
    steps = tuple(legaliser.say(step, expr.path) for step in (expr.name, *expr.keys))
    if not ex.is_constant(steps):
        raise Cannot("the name of the property is computed")
    return _resolved(legaliser, node, steps, expr)


def _resolved(legaliser: Legaliser, node: Node, steps: tuple[Value, ...], expr: Expr) -> Value:
    circle = f"property '{steps[0]}' of '{node.name}' refers to itself"
    try:
        with legaliser.entering(("property", node.name, repr(steps)), circle, owner=node.name):
            found = _entered(legaliser, node.declared, steps, expr)
            return legaliser.say(found, found.path if isinstance(found, Expr) and found.path else expr.path)
    except _Absent:
        problem = f"'{node.name}' has no property '{'.'.join(map(str, steps))}'"
        legaliser.context.reporter.report("BPC242", expr.path, problem=problem)
        raise Cannot(problem) from None
    except Cannot as cannot:
        if cannot.reason == circle:
            legaliser.context.reporter.report("BPC242", expr.path, problem=circle)
        raise


def _is_declared(node: Node, steps: tuple[Value, ...]) -> bool:
    """True when the node has the property as far as its literals tell."""
    value: Value = node.declared
    for step in steps:
        if isinstance(value, Expr):
            return True
        try:
            value = value[step] if isinstance(value, (dict, list)) else MISSING
        except (KeyError, IndexError, TypeError):
            return False
        if value is MISSING:
            return False
    return value is not None


# -- what only the manager knows ----------------------------------------------------------------------------


def secret(legaliser: Legaliser, expr: ex.Secret) -> Value:
    """A hidden parameter; visible data where nothing depends on it. An output, which is written after the resources,
    has the parameter that one of them needs."""
    context, kind = legaliser.context, "json" if expr.keys else "string"
    if legaliser.inert and (legaliser.inert == "node" or context.known_secret(expr.name, kind) is None):
        raise Cannot("Heat has no secrets, and no resource needs this one")
    name = legaliser.say(expr.name, expr.path)
    if not isinstance(name, str):
        raise Cannot("the name of the secret is computed")
    keys = tuple(legaliser.say(key, expr.path) for key in expr.keys)
    parameter = context.secret_parameter(name, expr.path, kind)
    return ex.Input(parameter, keys, path=expr.path)


def system(legaliser: Legaliser, expr: ex.System) -> Value:
    """The pseudo parameters for the deployment's name and id; nothing answers the rest."""
    if expr.name in KNOWN_FACTS:
        if expr.name == "deployment.id":
            legaliser.context.reporter.report("BPC249", expr.path)
        return expr
    return unknown(legaliser, expr)


def attribute_dict(legaliser: Legaliser, expr: ex.AttributeDict) -> Value:
    """A map by the ids of instances, which Heat does not have."""
    raise Cannot("Heat has no function that gives attributes by the ids of the instances")


def unknown(legaliser: Legaliser, expr: Expr) -> Value:
    """What only Cloudify's manager knows."""
    raise Cannot("only the Cloudify manager knows it")
