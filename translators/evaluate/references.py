"""Evaluation of references: inputs, attributes, properties, secrets, files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, SCALARS, Expr, Value
from bpconvert.translators.evaluate.plain import walk_leniently
from bpconvert.translators.evaluate.scope import (
    Folder,
    Refused,
    Scope,
    fold_field,
    fold_fields,
    fold_item,
    is_known,
    rebuilt,
    refusing,
    remembered,
)


def _walk_strictly(value: Value, keys: tuple[Any, ...], scope: Scope) -> Value:
    """Follow ``keys`` through maps and lists; MISSING at a value that is not known yet, else errors of Python's own."""
    for key in keys:
        if isinstance(value, Expr):
            value = fold_field(value, scope)
        if isinstance(value, Expr):
            return MISSING
        if not isinstance(value, (dict, list)):
            raise TypeError(f"{value!r} has no attribute {key}")
        value = value[key]
    return fold_field(value, scope)


def fold_input(expr: ex.Input, scope: Scope) -> Value:
    """The input's value, or the part of it that the steps lead to. A computed name may be a list with steps."""
    name, steps, folded = expr.name, expr.keys, expr
    if steps or type(name) is not str:
        name, *keys = fold_item([name, *steps], scope) or [None]
        if isinstance(name, list) and name and not keys:
            name, *keys = name
        steps = tuple(keys)
        folded = expr if name is expr.name and steps == expr.keys else rebuilt(expr, name=name, keys=steps)
        if isinstance(name, Expr):
            return folded
        if not isinstance(name, str):
            raise Refused(f"the name of an input must be a text, not {name!r}", expr.path)
    if name not in scope.inputs:
        if scope.declared is not None and name not in scope.declared:
            raise Refused(f"The Parameter ({name}) was not provided.", expr.path)
        return folded
    if steps and not is_known(steps):
        return folded
    scope.enter(("input", name), f"the input {name} refers to itself", expr.path)
    try:
        value = scope.inputs[name]
        if expr.strict:
            with refusing(expr.path):
                walked = remembered(scope, ("input", name, str(steps)), lambda: _walk_strictly(value, steps, scope))
            return folded if walked is MISSING else walked
        if type(value) not in SCALARS:
            value = remembered(scope, ("input", name), lambda: fold_field(scope.inputs[name], scope))
    finally:
        scope.busy.discard(("input", name))
    if steps and not is_known(value):
        return folded
    return walk_leniently(value, steps, "", convert=True)


def fold_identity(expr: ex.Identity, scope: Scope) -> Value:
    """What identifies the node."""
    node = fold_field(expr.node, scope)
    if isinstance(node, str) and node in scope.identities:
        return scope.identities[node]
    return rebuilt(expr, node=node)


def fold_attribute(expr: ex.Attribute, scope: Scope) -> Value:
    """The attribute; null for one that is absent, and for a path that leads nowhere."""
    node, name = fold_field(expr.node, scope), fold_field(expr.name, scope)
    keys = fold_item(expr.keys, scope)
    folded = rebuilt(expr, node=node, name=name, keys=keys)
    data = _attributes_of(node, scope)
    if data is None or not is_known(name, keys):
        return folded
    if name is MISSING:
        return {key: value for key, value in data.items() if isinstance(key, str) and key != "show"}
    exact = (name, *keys)
    if keys and _has(data, exact):
        return data[exact]
    if not isinstance(name, str):
        raise Refused(f"the name of an attribute must be a text, not {name!r}", expr.path)
    return walk_leniently(data.get(name), keys, None, convert=False)


def _has(data: Mapping[Any, Value], path: tuple[Any, ...]) -> bool:
    try:
        return path in data
    except TypeError:  # a step that cannot be a key
        return False


def _attributes_of(node: Value, scope: Scope) -> Mapping[Any, Value] | None:
    source = scope.attributes
    if source is None or not isinstance(node, str):
        return None
    return source.get(node) if isinstance(source, Mapping) else source(node)


def fold_property(expr: ex.Property, scope: Scope) -> Value:
    """The property as its node has it."""
    node, name = fold_field(expr.node, scope), fold_field(expr.name, scope)
    keys = fold_item(expr.keys, scope)
    folded = rebuilt(expr, node=node, name=name, keys=keys)
    if not (isinstance(node, str) and node in scope.properties and is_known(name, keys)):
        return folded
    circle = f"the property {name} of {node} refers to itself"
    with refusing(expr.path):
        scope.enter(("property", node, name), circle, expr.path)
        try:
            written, key = scope.properties[node][name], ("property", node, name, str(keys))
            walked = remembered(scope, key, lambda: _walk_strictly(written, keys, scope))
        finally:
            scope.busy.discard(("property", node, name))
    return folded if walked is MISSING else walked


def fold_secret(expr: ex.Secret, scope: Scope) -> Value:
    """The secret's text, or a part of the JSON in it."""
    name, keys = fold_field(expr.name, scope), fold_item(expr.keys, scope)
    folded = rebuilt(expr, name=name, keys=keys)
    if not (isinstance(name, str) and name in scope.secrets and is_known(keys)):
        return folded
    value = scope.secrets[name]
    with refusing(expr.path):
        if keys and isinstance(value, str):
            import json

            value = json.loads(value)
        return _walk_strictly(value, keys, scope)


def fold_file(expr: ex.File, scope: Scope) -> Value:
    """The file's text if it can be had."""
    name = fold_field(expr.name, scope)
    if not isinstance(name, (str, Expr)):
        raise Refused('Argument to "get_file" must be a string', expr.path)
    content = scope.files(name) if scope.files is not None and isinstance(name, str) else None
    return rebuilt(expr, name=name) if content is None else content


def fold_facade(expr: ex.Facade, scope: Scope) -> Value:
    """A section of the parent resource."""
    section = fold_field(expr.section, scope)
    if isinstance(section, str) and section in scope.parent:
        return scope.parent[section]
    return rebuilt(expr, section=section)


#: what computes each kind of expression
FOLDS: Final[dict[type[Expr], Folder]] = {
    ex.Input: fold_input,
    ex.System: lambda expr, scope: scope.system.get(expr.name, expr),
    ex.Identity: fold_identity,
    ex.Attribute: fold_attribute,
    ex.AttributeList: lambda expr, scope: fold_fields(expr, scope, "node", "name", "keys"),
    ex.AttributeDict: lambda expr, scope: fold_fields(expr, scope, "node", "names"),
    ex.Property: fold_property,
    ex.Secret: fold_secret,
    ex.Capability: lambda expr, scope: fold_fields(expr, scope, "name", "deployment", "keys"),
    ex.Label: lambda expr, scope: fold_fields(expr, scope, "name", "index"),
    ex.Consumers: lambda expr, scope: expr,
    ex.File: fold_file,
    ex.Facade: fold_facade,
}
