"""Inputs and outputs of the blueprint."""

from __future__ import annotations

import re
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Constraint, Input, Output
from bpconvert.translators.cloudify.calls import collides
from bpconvert.translators.cloudify.functions import write_value
from bpconvert.translators.cloudify.vocabulary import is_ascii
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.passes.expressions import branches
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.support.places import maps
from bpconvert.translators.support.text import ascii_text, fresh

#: neutral type -> DSL type; a HOT number may be an integer or a float, and only ``float`` takes both
TYPES: dict[str, str] = {"string": "string", "number": "float", "boolean": "boolean", "list": "list"}
#: structure of an input -> DSL type
_STRUCTURES: dict[str, str] = {"list": "list", "map": "dict"}


def lower_input(context: Context, declared: Input) -> dict[str, Any]:
    """The DSL input of a parameter, in the order of a careful author's keys."""
    path, report = declared.path, context.reporter.report
    kind, default = _kind(context, declared)
    data: dict[str, Any] = {"type": kind} if kind else {}
    if declared.label is not None:
        data["display_label"] = described(context, declared.label, (*path, "label"))
    if declared.description is not None:
        data["description"] = described(context, declared.description, (*path, "description"))
    if default is not MISSING:
        _write_default(context, declared, default, data)
    optional = declared.extra.get("required") is False
    if optional and "default" not in data:
        data["required"] = False
    if declared.hidden is not None:
        if "default" in data or optional or not declared.hidden:
            data["hidden"] = declared.hidden
            if declared.hidden:
                report("BPC511", (*path, "hidden"), name=declared.name)
        else:
            report("BPC505", (*path, "hidden"), name=declared.name)
    constraints = [
        row for constraint in declared.constraints for row in _constraint(context, declared, constraint, data)
    ]
    if constraints:
        data["constraints"] = constraints
    for key in declared.extra:
        if key != "required":
            report("BPC502", (*path, key), what=f"'{key}'")
    return data


def _kind(context: Context, declared: Input) -> tuple[str | None, Value]:
    """The DSL type of an input, None for any, with the default that it has there."""
    path, report = declared.path, context.reporter.report
    default = context.inputs.defaults.get(declared.name, declared.default)
    kind = TYPES.get(declared.type or "")
    if declared.type == "json" and declared.structure:
        kind = _STRUCTURES[declared.structure]
    elif declared.type == "json" and isinstance(default, (dict, list)):
        kind = "dict" if isinstance(default, dict) else "list"
        report("BPC501", (*path, "type"), type=kind)
    if context.names.input(declared.name) in context.inputs.indices | context.inputs.counts:
        kind = "integer"
        default = int(default) if isinstance(default, float) and default.is_integer() else default
        code = "BPC508" if context.names.input(declared.name) in context.inputs.indices else "BPC748"
        report(code, (*path, "type"), name=declared.name)
    if kind == "float" and isinstance(default, bool):
        kind = None
        report("BPC502", (*path, "type"), what="a number that is true or false")
    return kind, default


def _write_default(context: Context, declared: Input, default: Value, data: dict[str, Any]) -> None:
    """Put the default into ``data``, or beside the blueprint with the values that are given; one that would be a call
    is reported."""
    path, report = (*declared.path, "default"), context.reporter.report
    if any(collides(call) for call, _ in maps(default, ())):
        report("BPC510", path, name=declared.name)
    elif is_ascii(written := write_value(default)):
        data["default"] = written
    else:
        context.inputs.given[context.names.input(declared.name)] = written
        report("BPC506", path, name=declared.name)


def _constraint(
    context: Context, declared: Input, constraint: Constraint, data: dict[str, Any]
) -> list[dict[str, Any]]:
    """The DSL constraints (each its own item) of a HOT constraint; what has none is carried."""
    argument = constraint.argument
    if constraint.description is not None:
        context.reporter.report("BPC502", (*constraint.path[:-1], "description"), what="the constraint's description")
    if constraint.kind in ("range", "length"):
        limits = [argument.get("min"), argument.get("max")]
        if limits == [None, None]:
            return []
        if all(limit is None or (isinstance(limit, (int, float)) and not isinstance(limit, bool)) for limit in limits):
            return _limits(constraint.kind, *limits)
    if constraint.kind == "allowed_values":
        if declared.type == "list":
            data["item_type"] = "string"
        if is_ascii(argument):
            return [{"valid_values": argument}]
    if constraint.kind == "allowed_pattern" and argument.isascii() and (pattern := _whole_pattern(argument)):
        return [{"pattern": pattern}]
    if constraint.word:
        context.reporter.report("BPC502", constraint.path, what=f"the constraint '{constraint.word}'")
    return []


def _limits(kind: str, low: Value, high: Value) -> list[dict[str, Any]]:
    """The DSL constraints of a least and a most value or length, one of which may be None. They have to be numbers."""
    if kind == "range":
        if low is not None and high is not None:
            return [{"in_range": [low, high]}]
        return [{"greater_or_equal": low}] if low is not None else [{"less_or_equal": high}]
    if low is not None and low == high:
        return [{"length": low}]
    return [{name: bound} for name, bound in (("min_length", low), ("max_length", high)) if bound is not None]


def _whole_pattern(pattern: str) -> str | None:
    """A pattern that matches whole texts with ``re.match``: Heat wants its match to end where the text ends. None: none
    does.

    ``\\Z`` rather than ``$``, which also matches before a final newline. Heat takes the *first* match (``a|ab``
    refuses ``ab``), so an alternation or a lazy quantifier is put into a lookahead, which does not try again; its name
    counts as a group, so no numbers of groups may occur. A verbose pattern may end in a comment, which a line break
    ends."""
    flags = re.match(_FLAGS, pattern)
    start = flags[0] if flags else ""
    body = pattern[len(start) :]
    if body.endswith("$") and not body.endswith("\\$") and "|" not in body:
        body = body[:-1]
    if "x" in start:
        body += "\n"
    if "|" not in body and "?" not in body.replace("(?", ""):
        return f"{start}{body}\\Z"
    name = fresh("whole", re.findall(_GROUPS, body))
    return None if re.search(_NUMBERED, body) else f"{start}(?=(?P<{name}>{body}))(?P={name})\\Z"


#: flags of the whole pattern, which have to stand first
_FLAGS = r"\(\?[aiLmsux]+\)"
_GROUPS = r"\(\?P<(\w+)>"
#: references to groups by number
_NUMBERED = r"\\[1-9]|\(\?\([0-9]"


def described(context: Context, text: Any, path: tuple[Any, ...]) -> str:
    """A description in ASCII, which is all the parser takes."""
    words = str(text)
    if not words.isascii():
        context.reporter.report("BPC600", path)
        return ascii_text(words)
    return words


def lower_output(context: Context, rewriter: DslRewriter, output: Output) -> dict[str, Any] | None:
    """The DSL output, or None where it cannot be one (a null value counts as missing)."""
    path = (*output.path, "value")
    data: dict[str, Any] = {}
    if output.description is not None:
        data["description"] = described(context, output.description, (*output.path, "description"))
    inert = "" if context.files.inner else "output"
    shown = rewriter.shown
    value = rewriter.value(branches.null_for_nothing(output.value), path, inert=inert)
    if rewriter.shown > shown:
        context.shown[output.name] = output.value
    if output.condition is not MISSING:
        try:
            with rewriter.without_effect(), rewriter.state(user=None):
                value = branches.choose(rewriter, output.condition, value, None, output.path)
        except Unsupported as unsupported:
            context.reporter.report("BPC406", (*output.path, "condition"), name=output.name, reason=unsupported.reason)
        else:
            how = rewriter.rules[ex.If].how
            context.reporter.report("BPC223", (*output.path, "condition"), name="condition", how=how)
    if value is None:
        context.reporter.report("BPC507", path, name=output.name)
        return None
    data["value"] = value
    for key in output.extra:
        context.reporter.report("BPC502", (*output.path, key), what=f"'{key}'")
    return data
