"""Evaluation of expressions with the source engine's exact semantics.

:func:`fold` computes what is known and leaves the rest symbolic, folded as far as the meaning stays the same. It never
drops a part that depends on what is not known (a reference to a node is a dependency, and what the engine may refuse
must not be hidden), except with the branch of an ``if`` that is not taken.

    scope        what is known, and the walk
    references   inputs, attributes, properties, secrets, files
    text         join, replace, split, digest, url
    lists        merge, map_replace, list_concat, filter, select, repeat
    yaql         yaql
    conditions   if, conditions
    calls        what only one language has
    parameters   what an input yields for a given value
    facts        what is given about a deployment
    here         the table of all handlers
"""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.evaluate import calls, conditions, lists, references, text
from bpconvert.translators.evaluate.conditions import decide
from bpconvert.translators.evaluate.scope import FOLDERS, Note, Refused, Scope, fold_field, fold_fields, fold_item
from bpconvert.translators.evaluate.text import Pieces, pieces, replacement
from bpconvert.translators.evaluate.yaql import fold_query

__all__ = ["Note", "Pieces", "Refused", "Scope", "decide", "fold", "fold_item", "pieces", "replacement"]


def fold(value: Value, scope: Scope) -> Value:
    """``value`` with everything computed that ``scope`` knows; null where a value vanishes (see :func:`fold_item`).

    Raises :class:`Refused` where the engine would refuse. ``value`` is not changed; unchanged parts are shared.
    """
    return fold_field(value, scope)


FOLDERS.update(
    {
        ex.Input: references.fold_input,
        ex.System: references.fold_system,
        ex.Identity: references.fold_identity,
        ex.Attribute: references.fold_attribute,
        ex.AttributeList: lambda expr, scope: fold_fields(expr, scope, "node", "name", "keys"),
        ex.AttributeDict: lambda expr, scope: fold_fields(expr, scope, "node", "names"),
        ex.Property: references.fold_property,
        ex.Secret: references.fold_secret,
        ex.Capability: lambda expr, scope: fold_fields(expr, scope, "name", "deployment", "keys"),
        ex.Label: lambda expr, scope: fold_fields(expr, scope, "name", "index"),
        ex.Consumers: lambda expr, scope: expr,
        ex.File: references.fold_file,
        ex.Facade: references.fold_facade,
        ex.Join: text.fold_join,
        ex.Concat: text.fold_concat,
        ex.Replace: text.fold_replace,
        ex.StringReplace: text.fold_string_replace,
        ex.Split: text.fold_split,
        ex.Find: text.fold_find,
        ex.Lower: text.fold_case,
        ex.Upper: text.fold_case,
        ex.Digest: text.fold_digest,
        ex.Url: text.fold_url,
        ex.Merge: lists.fold_merge,
        ex.MapReplace: lists.fold_map_replace,
        ex.ListConcat: lists.fold_list_concat,
        ex.Filter: lists.fold_filter,
        ex.Repeat: lists.fold_repeat,
        ex.Select: lists.fold_select,
        ex.Query: fold_query,
        ex.If: conditions.fold_if,
        ex.Condition: conditions.fold_condition,
        ex.Equals: conditions.fold_equals,
        ex.Not: conditions.fold_not,
        ex.And: conditions.fold_and_or,
        ex.Or: conditions.fold_and_or,
        ex.Contains: conditions.fold_contains,
        ex.Foreign: calls.fold_foreign,
    }
)
